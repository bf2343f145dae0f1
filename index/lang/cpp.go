package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
	tscpp "github.com/smacker/go-tree-sitter/cpp"
)

var cpp = &Language{
	Name:       "cpp",
	Aliases:    []string{"c++", "cxx"},
	Extensions: []string{".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cppm", ".ixx"},
	Claims:     cppHeader,
	Tests:      []string{"test_*.cpp", "*_test.cc", "*_test.cpp", "*_unittest.cc", "test/", "tests/"},
	Tokens:     []string{"*", "&", "->", "namespace", "class", "struct", "inline"},
	grammar:    tscpp.GetLanguage,
	Rules: map[string]Rule{
		"comment":              {Do: Comment},
		"preproc_include":      {Hook: cInclude},
		"preproc_def":          {Hook: cppMacro},
		"preproc_function_def": {Hook: cppMacro},
		"preproc_call":         {Do: Skip},
		"preproc_directive":    {Do: Skip},
		"preproc_arg":          {Do: Skip},
		"preproc_if":           {Hook: cCondition},
		"preproc_ifdef":        {Hook: cCondition},
		"preproc_elif":         {Hook: cCondition},
		"preproc_else":         {Hook: cCondition},

		"namespace_definition":                    {Do: Define, Kind: graph.Namespace, Hook: cppNamespace},
		"namespace_alias_definition":              {Do: ImportDecl, Hook: cppNamespaceAlias},
		"using_declaration":                       {Do: ImportDecl, Hook: cppUsing},
		"linkage_specification":                   {Do: Pass, Hook: cppLinkage},
		"template_declaration":                    {Do: Wrap, Hook: cppTemplate},
		"template_instantiation":                  {Do: Wrap, Hook: cppInstantiation},
		"template_parameter_list":                 {Do: Pass},
		"function_definition":                     {Do: Define, Hook: cppFunction},
		"declaration":                             {Do: Declare, Hook: cppDeclaration},
		"field_declaration":                       {Do: Declare, Hook: cppDeclaration},
		"friend_declaration":                      {Do: Wrap, Hook: cppFriend},
		"type_definition":                         {Do: Define, Hook: cppTypedef},
		"alias_declaration":                       {Do: Define, Kind: graph.TypeAlias, Name: "name", Type: "type"},
		"class_specifier":                         {Do: StructType, Kind: graph.Class, EvalType: cppClass, Hook: cppClassAlone},
		"struct_specifier":                        {Do: StructType, Kind: graph.Struct, EvalType: cppClass, Hook: cppClassAlone},
		"union_specifier":                         {Do: StructType, Kind: graph.Union, EvalType: cppClass, Hook: cppClassAlone},
		"enum_specifier":                          {Do: StructType, Kind: graph.Enum, EvalType: cppClass, Hook: cppClassAlone},
		"enumerator":                              {Do: Define, Hook: cppEnumerator},
		"parameter_declaration":                   {Do: Parameter, Hook: cppParameter},
		"optional_parameter_declaration":          {Do: Parameter, Hook: cppParameter},
		"variadic_parameter_declaration":          {Do: Parameter, Hook: cppParameter},
		"type_parameter_declaration":              {Do: Parameter, Hook: cppTypeParameter},
		"variadic_type_parameter_declaration":     {Do: Parameter, Hook: cppTypeParameter},
		"optional_type_parameter_declaration":     {Do: Parameter, Hook: cppTypeParameter},
		"template_template_parameter_declaration": {Do: Parameter, Hook: cppTypeParameter},
		"access_specifier":                        {Do: Skip},
		"storage_class_specifier":                 {Do: Skip},
		"type_qualifier":                          {Do: Skip},
		"virtual":                                 {Do: Skip},
		"virtual_specifier":                       {Do: Skip},
		"ref_qualifier":                           {Do: Skip},
		"attribute_specifier":                     {Do: Skip},
		"attribute_declaration":                   {Do: Skip},
		"ms_declspec_modifier":                    {Do: Skip},
		"default_method_clause":                   {Do: Skip},
		"delete_method_clause":                    {Do: Skip},
		"pure_virtual_clause":                     {Do: Skip},

		"compound_statement":   {Do: Block},
		"for_statement":        {Do: Block},
		"if_statement":         {Do: Block},
		"while_statement":      {Do: Block},
		"switch_statement":     {Do: Block},
		"catch_clause":         {Do: Block},
		"case_statement":       {Do: Pass},
		"for_range_loop":       {Do: Block, Hook: cppFor},
		"return_statement":     {Do: Return},
		"labeled_statement":    {Hook: cLabeled},
		"goto_statement":       {Do: Skip},
		"statement_identifier": {Do: Skip},

		"identifier":                  {Do: Ident},
		"field_identifier":            {Do: Ident},
		"namespace_identifier":        {Do: Ident},
		"type_identifier":             {Do: TypeIdent},
		"primitive_type":              {Do: LiteralExpr},
		"sized_type_specifier":        {Do: LiteralExpr, EvalType: cSized},
		"placeholder_type_specifier":  {Do: Skip},
		"auto":                        {Do: Skip},
		"decltype":                    {Do: UnaryExpr, EvalType: cppDecltype},
		"type_descriptor":             {Do: Pass, EvalType: cppDescribed, Hook: cDescribedAlone},
		"dependent_type":              {Do: Pass},
		"qualified_identifier":        {Do: Member, Eval: cppQualified, EvalType: cppQualifiedType},
		"template_type":               {Do: GenericType, EvalType: cppGeneric},
		"template_function":           {Do: IndexExpr, Eval: cppGenericValue},
		"template_method":             {Do: IndexExpr, Eval: cppGenericValue},
		"destructor_name":             {Do: Skip},
		"field_expression":            {Do: Member, Eval: cppField},
		"call_expression":             {Do: CallExpr, Eval: cppCall, Of: "function", Args: "arguments"},
		"argument_list":               {Do: Pass},
		"subscript_argument_list":     {Do: Pass},
		"new_expression":              {Do: NewExpr, Eval: cppNew, Type: "type", Args: "arguments"},
		"subscript_expression":        {Do: IndexExpr, Eval: cppSubscript, Of: "argument", Args: "indices"},
		"pointer_expression":          {Do: UnaryExpr, Eval: cppPointer, Of: "argument"},
		"unary_expression":            {Do: UnaryExpr, Eval: cppUnary, Of: "argument"},
		"update_expression":           {Do: UnaryExpr, Eval: cppUpdate, Of: "argument"},
		"cast_expression":             {Do: CastExpr, Value: "value", Type: "type"},
		"conditional_expression":      {Do: CondExpr, Cond: "condition"},
		"binary_expression":           {Do: BinaryExpr, Eval: cppBinary, Left: "left", Right: "right"},
		"assignment_expression":       {Do: Assign, Hook: cppAssign, Left: "left", Right: "right"},
		"parenthesized_expression":    {Do: ParenExpr},
		"comma_expression":            {Do: ParenExpr},
		"condition_clause":            {Do: Pass},
		"sizeof_expression":           {Do: Block, Eval: cSizeof},
		"alignof_expression":          {Do: Block, Eval: cSizeof},
		"offsetof_expression":         {Do: Block, Eval: cOffsetof},
		"compound_literal_expression": {Do: NewExpr, Eval: cppBraced},
		"initializer_list":            {Do: SeqExpr, Eval: cInitializer},
		"lambda_expression":           {Do: LambdaExpr, Eval: cppLambda, Params: "declarator", Body: "body"},
		"trailing_return_type":        {Do: Pass},
		"this":                        {Do: SelfExpr},
		"number_literal":              {Do: LiteralExpr, Eval: cppNumber},
		"char_literal":                {Do: LiteralExpr, Lit: "char"},
		"string_literal":              {Do: LiteralExpr, Eval: cppString},
		"raw_string_literal":          {Do: LiteralExpr, Eval: cppString},
		"concatenated_string":         {Do: Pass, Eval: cppString},
		"string_content":              {Do: Skip},
		"escape_sequence":             {Do: Skip},
		"raw_string_content":          {Do: Skip},
		"raw_string_delimiter":        {Do: Skip},
		"true":                        {Do: LiteralExpr, Lit: "bool"},
		"false":                       {Do: LiteralExpr, Lit: "bool"},
		"null":                        {Do: Skip},
	},
	Semantics: Semantics{
		Space:           func(string, *graph.Facts) (string, string) { return "c", "" },
		ExternalLinkage: true,
		Inclusion:       true,
		ImplicitThis:    true,
		FarMembers:      true,
		Overloads:       true,
		CallMakes:       true,
		Hides:           true,
		InferReturns:    true,
		Separator:       "::",
		Constructors:    []string{ConstructorName},
		IterMembers:     []string{"begin"},
		IndexMembers:    []string{"operator[]"},
		CallMembers:     []string{"operator()"},
		DerefCalls:      []string{"operator->", "operator*"},
		Standard:        "std",
		Operators:       "operator",
		OwnOperators:    []string{"operator!"},
		Operated:        []string{"string", "wstring", "string_view", "ostream", "istream", "ios"},
		Parts:           map[string]int{"first": 0, "second": 1},
		Library:         cppLibrary,
		LibraryTypes:    cppLibraryTypes,
		LibraryBases:    cppLibraryBases,
		Builtins:        map[string]string{"std": "", "NULL": "", "size_t": "", "ssize_t": "", "nullptr_t": ""},
		Conditions:      cConditions,
		Prepare:         cppPrepare,
		Modules:         cppModules,
		Finish:          cFinish,
	},
}

// cppModules: only includes have places of their own; namespaces are found by their names.
func cppModules(q ModuleQuery) []Candidate {
	if q.Import.Flags&graph.Include == 0 {
		return nil
	}
	return cModules(q)
}

// cppMacro is a #define. It is no member of what it stands in.
func cppMacro(b *Builder, n int32) bool {
	in := b.in
	b.in = graph.None
	cMacro(b, n)
	b.in = in
	return true
}

// cppNamespace holds what is declared in it, whatever file adds to it. One without a name is
// seen in its file only, an inline one is none for its names.
func cppNamespace(b *Builder, n int32) bool {
	name, body := b.Field(n, "name"), b.Field(n, "body")
	s := cppSpaces{outer: b.in, from: graph.None}
	inline := b.Has(n, "inline")
	var ids []int32
	switch {
	case name < 0:
		s.hide(b)
	case b.Is(name, "nested_namespace_specifier"):
		for i := name + 1; i < int32(b.Node(name).Next); i++ {
			if b.Is(i, "namespace_identifier") {
				ids = append(ids, i)
			}
		}
	default:
		ids = append(ids, name)
	}
	for _, id := range ids {
		outer := b.in
		sym := b.Symbol(graph.Namespace, id, n, "")
		s.open(b, sym, body)
		if inline {
			b.in, b.frame().sym = outer, outer
		}
	}
	if body >= 0 {
		b.visitChildren(body)
	}
	s.close(b)
	return true
}

// cppPath is a path of namespaces or types as text, and its names' nodes.
func cppPath(b *Builder, n int32) (string, []int32) {
	text := ""
	var ids []int32
	for i := n; i < int32(b.Node(n).Next); i++ {
		switch b.Kind(i) {
		case "namespace_identifier", "identifier", "type_identifier":
			if text != "" {
				text += "::"
			}
			text += b.Text(i)
			ids = append(ids, i)
		case "template_argument_list":
			i = int32(b.Node(i).Next) - 1
		}
	}
	return text, ids
}

// cppMentions notes the names of a path as references.
func cppMentions(b *Builder, ids []int32) {
	x := graph.None
	for k, id := range ids {
		if k == 0 {
			x = b.Expr(graph.Expr{Op: graph.OpName, Role: graph.TypeUse, Name: b.nodeStr(id), Off: b.Off(id), X: graph.None})
			continue
		}
		x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.TypeUse, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
	}
}

func cppNamespaceAlias(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	for c := b.First(n); c >= 0 && name >= 0; c = b.Next(n, c) {
		if c == name || b.rule(c).Do == Skip || b.Is(c, "namespace") {
			continue
		}
		text, ids := cppPath(b, c)
		cppMentions(b, ids)
		cppAddImport(b, name, graph.Imported{Module: b.Str(text), ModuleOff: b.Off(c), Local: b.nodeStr(name), Off: b.Off(name), In: b.in})
	}
	return true
}

func cppAddImport(b *Builder, n int32, imp graph.Imported) {
	b.F.Imports = append(b.F.Imports, imp)
	if b.InFunction() && imp.Local != 0 {
		e := b.Expr(graph.Expr{Op: graph.OpImport, X: int32(len(b.F.Imports) - 1), Off: b.Off(n)})
		b.Local(imp.Local, b.Off(n), graph.None, e, 0)
	}
}

// cppUsing brings in a namespace's names, or one name.
func cppUsing(b *Builder, n int32) bool {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "namespace") {
			last = c
		}
	}
	if last < 0 {
		return true
	}
	text, ids := cppPath(b, last)
	if len(ids) == 0 {
		return true
	}
	if b.Has(n, "namespace") {
		cppMentions(b, ids)
		b.F.Imports = append(b.F.Imports, graph.Imported{Module: b.Str(text), ModuleOff: b.Off(last), Flags: graph.Star, In: b.in})
		return true
	}
	id := ids[len(ids)-1]
	cppMentions(b, ids[:len(ids)-1])
	if len(ids) == 1 {
		return true
	}
	mod := text[:len(text)-len(b.Text(id))-2]
	cppAddImport(b, id, graph.Imported{Module: b.Str(mod), Name: b.nodeStr(id), NameOff: b.Off(id), Local: b.nodeStr(id), In: b.in})
	return true
}

// cppTemplate binds the template's parameters around what it declares.
func cppTemplate(b *Builder, n int32) bool {
	doc := b.doc
	b.doc = docRun{}
	f := *b.frame()
	b.push(f.kind, graph.None)
	b.frame().sym = f.sym
	from, syms := len(b.F.Locals), len(b.F.Symbols)
	b.typeParams = true
	if p := b.Field(n, "parameters"); p >= 0 {
		b.visitChildren(p)
	}
	b.typeParams = false
	var ids []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.In == b.in {
			l.Flags = l.Flags&^graph.Param | graph.TypeParam
			ids = append(ids, int32(i))
		}
	}
	list := b.List(ids...)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "parameters") {
			b.doc = doc
			b.Visit(c)
		}
	}
	b.pop()
	if len(b.F.Symbols) > syms {
		b.F.Symbols[syms].TypeParams = list
	}
	b.doc = docRun{}
	return true
}

func cppTypeParameter(b *Builder, n int32) bool {
	t := b.Type(b.Field(n, "default_type"), graph.TypeUse)
	flags := graph.TypeParam
	switch {
	case t >= 0 || b.Field(n, "default_type") >= 0:
		flags |= graph.OptionalParam
	case b.Is(n, "variadic_type_parameter_declaration"):
		flags |= graph.VariadicParam
	}
	id := b.Find(n, "type_identifier")
	if id < 0 || b.InField(id, "default_type") {
		b.Local(0, b.Off(n), graph.None, graph.None, flags)
		return true
	}
	b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, flags)
	return true
}

// cppInstantiation names a template again, for certain arguments.
func cppInstantiation(b *Builder, n int32) bool {
	if t := b.Field(n, "type"); t >= 0 {
		if name := b.Field(t, "name"); name >= 0 {
			b.Type(name, graph.TypeUse)
		}
	}
	return true
}

// cppFriend names a class or function that is defined elsewhere.
func cppFriend(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "declaration":
			b.Type(b.Field(c, "type"), graph.TypeUse)
			d := cppDeclarator(b, b.Field(c, "declarator"), graph.None)
			cOther(b, d.params)
		case "function_definition":
			b.Visit(c)
		default:
			if name := b.Field(c, "name"); name >= 0 {
				b.Type(name, graph.TypeUse)
			} else {
				b.Type(c, graph.TypeUse)
			}
		}
	}
	return true
}
