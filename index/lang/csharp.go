package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tscsharp "github.com/smacker/go-tree-sitter/csharp"
)

var csharp = &Language{
	Name:       "csharp",
	Aliases:    []string{"c#", "cs"},
	Extensions: []string{".cs", ".csx"},
	Tests:      []string{"*Test.cs", "*Tests.cs", "*.Tests/", "tests/", "test/"},
	Tokens:     []string{"this", "base", "static", "global", "=", "&&", "||", "??", "is", "as", "+", "==", "!=", "<", ">", "<=", ">=", "struct"},
	grammar:    tscsharp.GetLanguage,
	Rules: map[string]Rule{
		"comment":                           {Do: Comment},
		"extern_alias_directive":            {Do: Skip},
		"using_directive":                   {Do: ImportDecl, Hook: csUsing},
		"namespace_declaration":             {Hook: csNamespace},
		"file_scoped_namespace_declaration": {Hook: csNamespace},
		"preproc_if":                        {Hook: csConditional},
		"preproc_elif":                      {Hook: csConditional},
		"preproc_define":                    {Do: Skip},
		"preproc_undef":                     {Do: Skip},
		"preproc_region":                    {Do: Skip},
		"preproc_pragma":                    {Do: Skip},
		"attribute":                         {Hook: csAttribute},

		"class_declaration":       {Do: Define, Kind: graph.Class, Hook: csType, Name: "name"},
		"struct_declaration":      {Do: Define, Kind: graph.Struct, Hook: csType, Name: "name"},
		"interface_declaration":   {Do: Define, Kind: graph.Interface, Hook: csType, Name: "name"},
		"record_declaration":      {Do: Define, Kind: graph.Class, Hook: csType, Name: "name"},
		"enum_declaration":        {Do: Define, Kind: graph.Enum, Hook: csType, Name: "name"},
		"enum_member_declaration": {Hook: csConstant},
		"delegate_declaration":    {Do: Define, Kind: graph.TypeAlias, Hook: csDelegate, Name: "name"},
		"field_declaration":       {Hook: csField},
		"event_field_declaration": {Hook: csField},
		"property_declaration":    {Hook: csProperty},
		"event_declaration":       {Hook: csProperty},
		"indexer_declaration":     {Hook: csIndexer},
		"method_declaration":      {Do: Define, Kind: graph.Method, Hook: csMethod, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "returns", Body: "body"},
		"constructor_declaration": {Do: Define, Kind: graph.Constructor, Hook: csMethod, Name: "name", Params: "parameters", Body: "body"},
		"destructor_declaration":  {Do: Define, Kind: graph.Method, Hook: csOperator, Params: "parameters", Body: "body"},
		"operator_declaration":    {Do: Define, Kind: graph.Method, Hook: csOperator, Params: "parameters", Result: "type", Body: "body"},
		"conversion_operator_declaration": {
			Do: Define, Kind: graph.Method, Hook: csOperator, Params: "parameters", Result: "type", Body: "body"},
		"local_function_statement": {Do: Define, Kind: graph.Function, Hook: csMethod, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "type", Body: "body"},
		"constructor_initializer":  {Do: Skip},
		"parameter":                {Do: Parameter, Hook: csParameter, Name: "name", Type: "type"},
		"implicit_parameter":       {Do: Parameter, Hook: csImplicit},
		"type_parameter":           {Hook: csTypeParam},
		"modifier":                 {Do: Skip},

		"block":                       {Do: Block},
		"arrow_expression_clause":     {Do: ParenExpr},
		"local_declaration_statement": {Do: Pass},
		"variable_declaration":        {Hook: csVariables},
		"if_statement":                {Do: Pass},
		"while_statement":             {Do: Block},
		"do_statement":                {Do: Block},
		"for_statement":               {Do: Block},
		"foreach_statement":           {Hook: csForEach},
		"using_statement":             {Do: Block},
		"fixed_statement":             {Do: Block},
		"lock_statement":              {Do: Block},
		"switch_section":              {Do: Block},
		"catch_clause":                {Do: Block},
		"catch_declaration":           {Hook: csBound},
		"return_statement":            {Do: Return},
		"labeled_statement":           {Do: Labeled},
		"goto_statement":              {Do: Skip},
		"break_statement":             {Do: Skip},
		"continue_statement":          {Do: Skip},

		"identifier":               {Do: Ident, EvalType: csPlainType},
		"generic_name":             {Do: GenericType, Eval: csGenericValue, EvalType: csGeneric},
		"qualified_name":           {Do: Member, Of: "qualifier", Name: "name", Eval: csQualified, EvalType: csQualifiedType},
		"alias_qualified_name":     {Do: Member, Eval: csGlobal, EvalType: csGlobalType},
		"member_access_expression": {Do: Member, Eval: csMember},
		"conditional_access_expression": {
			Do: Member, Eval: csConditionalAccess},
		"member_binding_expression":           {Do: Member, Eval: csBinding},
		"element_binding_expression":          {Do: IndexExpr, Eval: csElementBinding},
		"element_access_expression":           {Do: IndexExpr, Of: "expression", Args: "subscript"},
		"bracketed_argument_list":             {Do: Pass},
		"invocation_expression":               {Do: CallExpr, Of: "function", Args: "arguments"},
		"argument_list":                       {Do: Pass},
		"argument":                            {Do: ParenExpr, Eval: csArgument},
		"object_creation_expression":          {Do: NewExpr, Eval: csNew},
		"implicit_object_creation_expression": {Do: NewExpr, Eval: csImplicitNew},
		"anonymous_object_creation_expression": {
			Do: MapExpr, Eval: csAnonymous},
		"array_creation_expression":          {Do: SeqExpr, Eval: csNewArray},
		"implicit_array_creation_expression": {Do: SeqExpr, Eval: csSequence},
		"initializer_expression":             {Do: SeqExpr},
		"with_expression":                    {Do: UnaryExpr, Eval: csWith},
		"assignment_expression":              {Do: Assign, Left: "left", Right: "right"},
		"binary_expression":                  {Do: BinaryExpr, Eval: csBinary, Left: "left", Right: "right"},
		"prefix_unary_expression":            {Do: ParenExpr},
		"postfix_unary_expression":           {Do: ParenExpr},
		"parenthesized_expression":           {Do: ParenExpr},
		"checked_expression":                 {Do: ParenExpr},
		"ref_expression":                     {Do: ParenExpr},
		"await_expression":                   {Do: UnaryExpr, Eval: csAwait},
		"cast_expression":                    {Do: CastExpr, Value: "value", Type: "type"},
		"as_expression":                      {Do: CastExpr, Value: "left", Type: "right"},
		"is_expression":                      {Do: InstanceOf, Left: "left", Right: "right"},
		"is_pattern_expression":              {Do: LiteralExpr, Eval: csIsPattern},
		"conditional_expression":             {Do: CondExpr, Cond: "condition"},
		"switch_expression":                  {Do: CondExpr, Eval: csSwitch},
		"lambda_expression":                  {Do: LambdaExpr, Params: "parameters", Body: "body", Eval: csLambda},
		"anonymous_method_expression":        {Do: LambdaExpr, Params: "parameters", Body: ".block", Eval: csLambda},
		"query_expression":                   {Do: SeqExpr, Eval: csQuery},
		"declaration_expression":             {Do: ParenExpr, Eval: csDeclared},
		"declaration_pattern":                {Do: ParenExpr, Eval: csDeclared},
		"recursive_pattern":                  {Do: ParenExpr, Eval: csRecursive},
		"var_pattern":                        {Do: ParenExpr, Eval: csDeclared},
		"type_pattern":                       {Do: ParenExpr, Eval: csTypeOnly},
		"constant_pattern":                   {Do: ParenExpr},
		"typeof_expression":                  {Do: LiteralExpr, Lit: "Type", Eval: csTypeOf},
		"sizeof_expression":                  {Do: LiteralExpr, Lit: "int", Eval: csTypeOf},
		"default_expression":                 {Do: CastExpr, Type: "type"},
		"throw_expression":                   {Do: Pass},
		"tuple_expression":                   {Do: TupleExpr},
		"tuple_pattern":                      {Do: TupleExpr},
		"this":                               {Do: SelfExpr},
		"base":                               {Do: SuperExpr},
		"discard":                            {Do: Skip},
		"integer_literal":                    {Do: LiteralExpr, Lit: "int", Eval: csNumber},
		"real_literal":                       {Do: LiteralExpr, Lit: "double", Eval: csNumber},
		"boolean_literal":                    {Do: LiteralExpr, Lit: "bool"},
		"character_literal":                  {Do: LiteralExpr, Lit: "char"},
		"string_literal":                     {Do: LiteralExpr, Lit: "string"},
		"verbatim_string_literal":            {Do: LiteralExpr, Lit: "string"},
		"raw_string_literal":                 {Do: LiteralExpr, Lit: "string"},
		"interpolated_string_expression":     {Do: LiteralExpr, Lit: "string"},
		"null_literal":                       {Do: LiteralExpr, Lit: "null"},

		"implicit_type":   {Do: Skip},
		"predefined_type": {Do: LiteralExpr},
		"array_type":      {Do: ArrayType, Type: "type"},
		"nullable_type":   {Do: ParenExpr, EvalType: csNullable},
		"pointer_type":    {Do: PointerType, Type: "type"},
		"ref_type":        {Do: ParenExpr},
		"scoped_type":     {Do: ParenExpr},
		"tuple_type":      {Do: TupleExpr},
		"tuple_element":   {Do: ParenExpr, EvalType: csElement},
	},
	Semantics: Semantics{
		Space:            func(p string, f *graph.Facts) (string, string) { return "csharp", f.Package },
		NestedSpaces:     true,
		OuterSpaces:      true,
		TypesApart:       true,
		Arity:            true,
		AbsentIsExternal: true,
		ImplicitThis:     true,
		Merges:           true,
		Overloads:        true,
		Blank:            true,
		Hoist:            true,
		MakersApart:      true,
		Constructors:     []string{""},
		And:              "&&",
		TypeSuffix:       "Attribute",
		IterMembers:      []string{"GetEnumerator", "Current"},
		IndexMembers:     []string{"this[]"},
		Enter:            csEnter,
		Modules:          csModules,
		Conditions:       cConditions,
		Prepare:          csPrepare,
		Finish:           csFinish,
		Builtins:         csBuiltins,
		Top:              "object",
		Widens:           csWidens,
		Unboxed:          csUnboxed,
		Results:          csResults,
		Known:            csOutside,
		Core:             Core{Value: "ValueType", Delegate: "Delegate", Later: "Task", List: "List", Array: "Array"},
		Synonyms:         csSynonyms,
		NullMembers:      []string{"Value", "GetValueOrDefault"},
		Quotes:           []string{"Expression"},
		ExactFunctions:   true,
		NearestFirst:     true,
		Library: map[string]Yield{
			"Where": YieldSame, "OrderBy": YieldSame, "OrderByDescending": YieldSame, "ThenBy": YieldSame, "Skip": YieldSame, "Take": YieldSame, "Distinct": YieldSame,
			"Reverse": YieldSame, "ToList": YieldSame, "ToArray": YieldSame, "AsEnumerable": YieldSame, "AsQueryable": YieldSame, "Concat": YieldSame, "Union": YieldSame,
			"ToHashSet": YieldSame, "ConfigureAwait": YieldSame, "FindAll": YieldSame, "Append": YieldSame, "Except": YieldSame,
			"First": YieldElem, "FirstOrDefault": YieldElem, "Single": YieldElem, "SingleOrDefault": YieldElem, "Last": YieldElem, "LastOrDefault": YieldElem, "Find": YieldElem,
			"ElementAt": YieldElem, "Pop": YieldElem, "Peek": YieldElem, "Dequeue": YieldElem, "GetValueOrDefault": YieldElem, "Max": YieldElem, "Min": YieldElem,
			"Select": YieldMapped, "SelectMany": YieldFlat, "Aggregate": YieldResult, "Values": YieldList, "Keys": YieldKeys,
		},
		Callbacks: map[string]uint8{
			"Where": 1, "Select": 1, "OrderBy": 1, "OrderByDescending": 1, "ThenBy": 1, "First": 1, "FirstOrDefault": 1, "Single": 1, "SingleOrDefault": 1, "Last": 1,
			"LastOrDefault": 1, "Any": 1, "All": 1, "Count": 1, "Sum": 1, "Max": 1, "Min": 1, "SelectMany": 1, "GroupBy": 1, "ToDictionary": 1, "ForEach": 1, "Find": 1,
			"FindAll": 1, "TakeWhile": 1, "SkipWhile": 1, "Exists": 1, "RemoveAll": 1,
		},
	},
}

// csNamespace: the only namespace of a file is its package. In a file of several, or of nested
// ones, the path of each is part of the path of what it holds.
func csNamespace(b *Builder, n int32) bool {
	name := csDotted(b, b.Field(n, "name"))
	if b.Scratch[0] < 0 {
		b.Scratch[0] = 0
		found := 0
		for i := range b.t.Nodes {
			if k := b.Kind(int32(i)); k == "namespace_declaration" || k == "file_scoped_namespace_declaration" {
				found++
			}
		}
		if found > 1 {
			b.Scratch[0] = 1
		}
	}
	outer := b.space
	switch {
	case b.Scratch[0] == 0:
		b.F.Package = name
	case outer != "":
		b.space = outer + "." + name
	default:
		b.space = name
	}
	b.doc = docRun{}
	if body := b.Field(n, "body"); body >= 0 {
		b.visitChildren(body)
		b.space = outer
	}
	return true
}

// csDotted is the name at n without white space and comments.
func csDotted(b *Builder, n int32) string {
	if n < 0 {
		return ""
	}
	return strings.Join(strings.Fields(b.Text(n)), "")
}

// csUsing is `using A.B;`, `using static A.B;` or `using C = A.B;`, each of them also for all files.
func csUsing(b *Builder, n int32) bool {
	alias := b.Field(n, "name")
	what := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != alias && (b.Is(c, "identifier") || b.Is(c, "qualified_name") || b.Is(c, "alias_qualified_name") || b.Is(c, "generic_name")) {
			what = c
		}
	}
	if what < 0 {
		return true
	}
	last := what
	if x := b.Field(what, "name"); x >= 0 {
		last = x
	}
	text := csUnapplied(strings.TrimPrefix(csDotted(b, what), "global::"))
	imp := graph.Imported{Module: b.Str(text), ModuleOff: b.Off(last), In: graph.None}
	switch {
	case alias >= 0:
		imp.Local, imp.Off = b.nodeStr(alias), b.Off(alias)
	case b.Has(n, "static"):
		imp.Flags = graph.Star | graph.StaticOf
	default:
		imp.Flags = graph.Star
	}
	if b.Has(n, "global") {
		imp.Flags |= graph.EveryFile
	}
	if b.F.Package != "" || b.space != "" {
		imp.Flags |= graph.Inner
	}
	b.F.Imports = append(b.F.Imports, imp)
	return true
}

// csUnapplied is a dotted name of a type with the number of its arguments in the place of them.
func csUnapplied(name string) string {
	from := strings.IndexByte(name, '<')
	if from < 0 {
		return name
	}
	depth, n := 0, 1
	for i := from; i < len(name); i++ {
		switch name[i] {
		case '<', '(', '[':
			depth++
		case ',':
			if depth == 1 {
				n++
			}
		case '>', ')', ']':
			if depth--; depth == 0 {
				return WithArity(name[:from], n) + csUnapplied(name[i+1:])
			}
		}
	}
	return name[:from]
}

// csModules: a dotted name leads to a namespace, or through the longest one to a type in it. It may
// begin in any of the namespaces around.
func csModules(q ModuleQuery) []Candidate {
	var out []Candidate
	root := graph.Scope("csharp", "")
	if q.Import.Flags&graph.Star != 0 && q.Import.Flags&graph.StaticOf == 0 {
		if q.Import.Flags&graph.Inner != 0 {
			for space := q.Space; space != ""; space = space[:max(strings.LastIndexByte(space, '.'), 0)] {
				full := space + "." + q.Module
				out = append(out, Candidate{Scope: root.Path(full), Space: full})
			}
		}
		return append(out, Candidate{Scope: root.Path(q.Module), Space: q.Module})
	}
	for space := q.Space; ; space = space[:max(strings.LastIndexByte(space, '.'), 0)] {
		full := q.Module
		if space != "" {
			full = space + "." + full
		}
		pkg, member := full, ""
		for pkg != "" {
			i := strings.LastIndexByte(pkg, '.')
			member = strings.TrimSuffix(pkg[i+1:]+"."+member, ".")
			pkg = pkg[:max(i, 0)]
			out = append(out, Candidate{Scope: root.Path(pkg), Member: member})
		}
		if space == "" {
			break
		}
	}
	for _, space := range q.Opened { // of what other imports bring
		out = append(out, Candidate{Scope: root.Path(space), Member: q.Module})
	}
	return out
}

// csConditional takes the code under a condition, and not the condition.
func csConditional(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "condition") {
			b.Visit(c)
		}
	}
	return true
}

// csAttribute is a type whose name may leave out its last word.
func csAttribute(b *Builder, n int32) bool {
	if name := b.Field(n, "name"); name >= 0 {
		b.Type(name, graph.TypeUse)
	}
	args := b.Child(n, "attribute_argument_list")
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		for k := b.First(c); k >= 0; k = b.Next(c, k) {
			if next := b.Next(c, k); next >= 0 && b.Is(next, "=") { // a property of it
				continue
			}
			if !b.Is(k, "=") {
				b.Value(k, graph.Read, false)
			}
		}
	}
	return true
}
