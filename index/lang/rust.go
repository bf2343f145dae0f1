package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
	tsrust "github.com/smacker/go-tree-sitter/rust"
)

var rust = &Language{
	Name:       "rust",
	Aliases:    []string{"rs"},
	Extensions: []string{".rs"},
	Tests:      []string{"tests/", "benches/"},
	Tokens:     []string{"*", "_"},
	grammar:    tsrust.GetLanguage,
	Rules: map[string]Rule{
		"line_comment":                   {Do: Comment},
		"block_comment":                  {Do: Comment},
		"attribute_item":                 {Do: Skip, Hook: rustAttribute},
		"inner_attribute_item":           {Do: Skip},
		"visibility_modifier":            {Do: Skip},
		"function_modifiers":             {Do: Skip},
		"extern_modifier":                {Do: Skip},
		"mutable_specifier":              {Do: Skip},
		"lifetime":                       {Do: Skip},
		"for_lifetimes":                  {Do: Skip},
		"label":                          {Do: Skip},
		"shebang":                        {Do: Skip},
		"empty_statement":                {Do: Skip},
		"function_item":                  {Do: Define, Kind: graph.Function, Member: graph.Method, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type", Body: "body"},
		"function_signature_item":        {Do: Define, Kind: graph.Function, Member: graph.Method, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type"},
		"struct_item":                    {Do: Define, Kind: graph.Struct, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Body: "body"},
		"union_item":                     {Do: Define, Kind: graph.Union, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Body: "body"},
		"enum_item":                      {Do: Define, Kind: graph.Enum, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Body: "body"},
		"enum_variant":                   {Do: Define, Kind: graph.EnumMember, Hook: rustItem, Name: "name", Body: "body", Value: "value"},
		"trait_item":                     {Do: Define, Kind: graph.Trait, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Bases: "bounds", Body: "body"},
		"associated_type":                {Do: Define, Kind: graph.TypeAlias, Flags: graph.Distinct | graph.Abstract, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Type: "bounds"},
		"type_item":                      {Do: Define, Kind: graph.TypeAlias, Hook: rustItem, Name: "name", TypeParams: "type_parameters", Type: "type"},
		"const_item":                     {Do: Define, Kind: graph.Constant, Hook: rustItem, Name: "name", Type: "type", Value: "value"},
		"static_item":                    {Do: Define, Kind: graph.Variable, Hook: rustItem, Name: "name", Type: "type", Value: "value"},
		"macro_definition":               {Do: Define, Kind: graph.Macro, Hook: rustItem, Name: "name"},
		"field_declaration":              {Do: Define, Kind: graph.Field, Hook: rustItem, Name: "name", Type: "type"},
		"ordered_field_declaration_list": {Do: Wrap, Hook: rustTupleFields},
		"impl_item":                      {Do: Define, Hook: rustImpl},
		"mod_item":                       {Do: Define, Hook: rustMod},
		"extern_crate_declaration":       {Do: ImportDecl, Hook: rustExternCrate},
		"use_declaration":                {Do: ImportDecl, Hook: rustUse},
		"type_parameters":                {Do: Pass, Hook: rustTypeParams},
		"where_clause":                   {Do: Pass, Hook: rustWhere},
		"self_parameter":                 {Do: Skip},
		"variadic_parameter":             {Do: Skip},
		"parameter":                      {Do: Parameter, Hook: rustParam, Name: "pattern", Type: "type"},
		"let_declaration":                {Do: Bind, Hook: rustLet},
		"let_condition":                  {Do: Bind, Hook: rustLet},

		"block":             {Do: Wrap, Hook: rustBlock, Eval: rustBlockValue},
		"if_expression":     {Do: Wrap, Hook: rustVisitValue, Eval: rustIf},
		"while_expression":  {Do: Wrap, Hook: rustScoped},
		"match_expression":  {Do: Wrap, Hook: rustVisitValue, Eval: rustMatch},
		"for_expression":    {Do: Wrap, Hook: rustFor},
		"return_expression": {Do: Return},
		"break_expression":  {Do: Pass},
		"macro_invocation":  {Do: Wrap, Hook: rustVisitValue, Eval: rustMacro},

		"identifier":                 {Do: Ident},
		"type_identifier":            {Do: TypeIdent, Eval: rustTypeName, EvalType: rustTypeNameType},
		"field_identifier":           {Do: Ident},
		"shorthand_field_identifier": {Do: Ident},
		"self":                       {Do: SelfExpr},
		"super":                      {Do: Skip, Eval: rustRoot},
		"crate":                      {Do: Skip, Eval: rustRoot},
		"metavariable":               {Do: Skip},
		"primitive_type":             {Do: LiteralExpr},
		"scoped_identifier":          {Do: Member, Eval: rustPath, EvalType: rustPathType, Of: "path", Name: "name"},
		"scoped_type_identifier":     {Do: Member, Eval: rustPath, EvalType: rustPathType, Of: "path", Name: "name"},
		"field_expression":           {Do: Member, Eval: rustField, Of: "value", Name: "field"},
		"call_expression":            {Do: CallExpr, Eval: rustCall, Of: "function", Args: "arguments"},
		"arguments":                  {Do: Pass},
		"generic_function":           {Do: IndexExpr, Eval: rustTurbofish, Of: "function"},
		"index_expression":           {Do: IndexExpr, Eval: rustIndex},
		"struct_expression":          {Do: NewExpr, Eval: rustStruct},
		"try_expression":             {Do: UnaryExpr, Eval: rustTry},
		"await_expression":           {Do: UnaryExpr, Eval: rustAwait},
		"reference_expression":       {Do: UnaryExpr, Eval: rustReference},
		"unary_expression":           {Do: UnaryExpr, Eval: rustUnary},
		"binary_expression":          {Do: BinaryExpr, Eval: rustBinary, Left: "left", Right: "right"},
		"assignment_expression":      {Do: Assign, Hook: rustAssign},
		"compound_assignment_expr":   {Do: Assign, Hook: rustAssign},
		"type_cast_expression":       {Do: CastExpr, Value: "value", Type: "type"},
		"range_expression":           {Do: SeqExpr},
		"array_expression":           {Do: SeqExpr},
		"tuple_expression":           {Do: TupleExpr},
		"unit_expression":            {Do: Skip},
		"parenthesized_expression":   {Do: ParenExpr},
		"closure_expression":         {Do: LambdaExpr, Params: "parameters", Result: "return_type", Body: "body"},
		"integer_literal":            {Do: LiteralExpr, Lit: "{integer}"},
		"float_literal":              {Do: LiteralExpr, Lit: "f64"},
		"string_literal":             {Do: LiteralExpr, Lit: "str"},
		"raw_string_literal":         {Do: LiteralExpr, Lit: "str"},
		"char_literal":               {Do: LiteralExpr, Lit: "char"},
		"boolean_literal":            {Do: LiteralExpr, Lit: "bool"},
		"escape_sequence":            {Do: Skip},
		"string_content":             {Do: Skip},

		"_":                    {Do: Bind, Hook: rustParamPattern},
		"tuple_pattern":        {Do: Bind, Hook: rustParamPattern},
		"slice_pattern":        {Do: Bind, Hook: rustParamPattern},
		"tuple_struct_pattern": {Do: Bind, Hook: rustParamPattern},
		"struct_pattern":       {Do: Bind, Hook: rustParamPattern},
		"mut_pattern":          {Do: Bind, Hook: rustParamPattern},
		"ref_pattern":          {Do: Bind, Hook: rustParamPattern},
		"captured_pattern":     {Do: Bind, Hook: rustParamPattern},
		"reference_pattern":    {Do: Bind, Hook: rustParamPattern},
		"or_pattern":           {Do: Bind, Hook: rustParamPattern},

		"reference_type":              {Do: PointerType, Type: "type"},
		"pointer_type":                {Do: PointerType, Type: "type"},
		"array_type":                  {Do: ArrayType, Type: "element", Value: "length"},
		"tuple_type":                  {Do: TupleExpr},
		"unit_type":                   {Do: Skip},
		"never_type":                  {Do: Skip},
		"removed_trait_bound":         {Do: Skip},
		"function_type":               {Do: FuncType, EvalType: rustFuncType},
		"generic_type":                {Do: GenericType, Eval: rustGeneric, EvalType: rustGenericType},
		"generic_type_with_turbofish": {Do: GenericType, Eval: rustGeneric, EvalType: rustGenericType},
		"bounded_type":                {Do: UnionType},
		"trait_bounds":                {Do: UnionType},
		"bracketed_type":              {Do: ParenExpr, Eval: rustQualified},
		"qualified_type":              {Do: ParenExpr, EvalType: rustQualifiedType},
	},
	Semantics: Semantics{
		Blank:         true,
		ClosedModules: true,
		FarMembers:    true,
		TraitsDeclare: true,
		Separator:     "::",
		Export:        func(string) bool { return false },
		Builtins:      rustBuiltins,
		Transparent: []string{"Box", "Rc", "Arc", "Cow", "Pin", "Ref", "RefMut", "MutexGuard", "RwLockReadGuard", "RwLockWriteGuard", "ManuallyDrop", "LazyLock", "Lazy", "OnceLock",
			"CachePadded", "AssertUnwindSafe", "MappedMutexGuard", "OwnedMutexGuard", "RwLockUpgradableReadGuard", "NonNull"},
		Unwrapping: []string{"get_mut", "get_ref", "get_unchecked_mut", "as_mut", "as_ref", "as_deref", "as_deref_mut", "borrow", "borrow_mut", "deref", "deref_mut", "clone", "lock", "read", "write", "into_inner",
			"project", "project_ref", "project_replace", "by_ref", "to_owned"},
		IterMembers:  []string{"next", "into_iter", "iter"},
		IndexMembers: []string{"index"},
		DerefMembers: []string{"Target"},
		Library:      rustLibrary,
		Callbacks:    rustCallbacks,
		Modules:      rustModules,
		Configs:      []string{"Cargo.toml"},
		Config:       cargoToml,
		Enter:        rustEnter,
		Prepare:      rustUnwrap,
		Finish:       rustFinish,
		Built:        rustBuilt,
		SeenAs:       rustSeenAs,
		Inherent:     rustInherent,
		Derivable:    []string{"Sized", "Send", "Sync", "Unpin", "Copy", "Clone", "Debug", "Default", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash", "Any"},
	},
}

// rustItem builds an item as its rule says, with what its attributes and modifiers add.
func rustItem(b *Builder, n int32) bool {
	attr, docEnd, where := b.Scratch[0], b.Scratch[1], b.Scratch[2]
	b.Scratch[0], b.Scratch[1] = graph.None, graph.None
	b.Scratch[2] = b.Child(n, "where_clause")
	name := b.Field(n, "name")
	if b.Text(name) == "_" && b.Is(n, "const_item") {
		b.Type(b.Field(n, "type"), graph.TypeUse)
		b.Value(b.Field(n, "value"), graph.Read, false)
		return true
	}
	owner := b.frame().sym
	from, to := rustProjections(b, n, attr)
	sym := b.Define(n)
	rustProjected(b, from, to, sym)
	b.Scratch[2] = where
	s := b.Sym(sym)
	if docEnd >= 0 && s.DocEnd > uint32(docEnd) && s.DocStart < uint32(docEnd) { // an attribute may stand before the comment
		s.DocEnd = uint32(docEnd)
	}
	if b.Has(n, "visibility_modifier") || s.Kind == graph.EnumMember || owner >= 0 && b.Sym(owner).Kind == graph.Trait {
		s.Flags |= graph.Exported
	}
	switch s.Kind {
	case graph.Method:
		if !rustTakesSelf(b, b.Field(n, "parameters")) {
			s.Flags |= graph.Static
		}
		if b.Field(n, "body") < 0 {
			s.Flags |= graph.Abstract
		}
	case graph.Function:
		if b.Field(n, "body") < 0 {
			s.Flags |= graph.Declaration
		}
	case graph.Macro:
		if b.Text(name) == rustTryMacro {
			b.Sym(sym).Name = b.Str("try")
		}
		rustMacroRules(b, n, sym)
		s = b.Sym(sym)
		if rustHasAttribute(b, attr, "macro_export") {
			s.Flags |= graph.Exported
		}
	}
	if rustHasAttribute(b, attr, "test") {
		s.Flags |= graph.Test
	}
	rustConditional(b, attr, sym)
	return true
}

func rustTakesSelf(b *Builder, params int32) bool {
	if params < 0 {
		return false
	}
	c := b.First(params)
	for c >= 0 && b.rule(c).Do == Skip && !b.Is(c, "self_parameter") {
		c = b.Next(params, c)
	}
	return c >= 0 && (b.Is(c, "self_parameter") || b.Is(b.Field(c, "pattern"), "self"))
}

// rustEnter takes a where clause that no type parameters came with.
func rustEnter(b *Builder, sym, n int32) {
	if w := b.Scratch[2]; w >= 0 {
		b.Scratch[2] = graph.None
		rustWhere(b, w)
	}
}

// rustAttribute remembers the first of the attributes before an item, and lets the comment
// before them reach the item.
func rustAttribute(b *Builder, n int32) bool {
	if b.Scratch[0] < 0 || !rustLeads(b, b.Scratch[0], n) {
		b.Scratch[0], b.Scratch[1] = n, graph.None
	}
	if b.doc.end > 0 {
		if b.Scratch[1] < 0 {
			b.Scratch[1] = int32(b.doc.end)
		}
		b.doc.end = b.Node(n).End
	}
	return true
}

// rustLeads reports whether only attributes and comments stand between the siblings from and to.
func rustLeads(b *Builder, from, to int32) bool {
	for from < to {
		if !b.Is(from, "attribute_item") && b.rule(from).Do != Comment {
			return false
		}
		from = int32(b.Node(from).Next)
	}
	return from == to
}

// rustHasAttribute reports whether one of the attributes from attr on has that word among its own.
func rustHasAttribute(b *Builder, attr int32, word string) bool {
	for ; attr >= 0 && int(attr) < len(b.t.Nodes) && (b.Is(attr, "attribute_item") || b.rule(attr).Do == Comment); attr = int32(b.Node(attr).Next) {
		if !b.Is(attr, "attribute_item") {
			continue
		}
		for i := attr + 1; i < int32(b.Node(attr).Next); i++ {
			if b.Is(i, "identifier") && b.Text(i) == word {
				return true
			}
		}
	}
	return false
}

// rustTupleFields makes the fields 0, 1, ... of a tuple struct or variant.
func rustTupleFields(b *Builder, n int32) bool {
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "type") {
			continue
		}
		sym := b.Symbol(graph.Field, graph.None, c, rustIndexName(k))
		b.Sym(sym).Flags |= graph.Anonymous
		k++
		b.push(typeFrame, sym)
		t := b.Type(c, graph.TypeUse)
		b.pop()
		b.Sym(sym).Type = t
	}
	return true
}

func rustIndexName(k int) string {
	if k < 10 {
		return string(rune('0' + k))
	}
	return rustIndexName(k/10) + rustIndexName(k%10)
}

// rustImpl: what an impl block defines belongs to the type it is for, which may be defined
// elsewhere; an implemented trait is a base of it.
func rustImpl(b *Builder, n int32) bool {
	typ := b.Field(n, "type")
	attr, where := b.Scratch[0], b.Scratch[2]
	b.Scratch[0], b.Scratch[2] = graph.None, b.Child(n, "where_clause")
	if typ < 0 {
		return true
	}
	b.doc = docRun{}
	sym := b.Symbol(graph.Class, typ, n, ImplName)
	b.Sym(sym).Flags |= graph.Anonymous
	b.push(typeFrame, sym)
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	rustEnter(b, sym, n)
	if c := b.Field(n, "trait"); c >= 0 {
		b.AddBases(sym, b.Type(c, graph.Inherit))
	}
	t := b.Type(typ, graph.TypeUse)
	b.Sym(sym).Owner = t
	if c := b.Field(n, "body"); c >= 0 {
		b.visitChildren(c)
	}
	b.pop()
	b.Scratch[2] = where
	rustConditional(b, attr, sym)
	return true
}
