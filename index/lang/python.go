package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tspython "github.com/smacker/go-tree-sitter/python"
)

var python = &Language{
	Name:       "python",
	Aliases:    []string{"py"},
	Extensions: []string{".py", ".pyi", ".pyw"},
	Filenames:  []string{"SConstruct", "SConscript", "wscript"},
	Shebangs:   []string{"python", "pypy"},
	Tests:      []string{"test_*.py", "*_test.py", "conftest.py", "tests/"},
	Tokens:     []string{"async", "and", "or", "not", "|"},
	grammar:    tspython.GetLanguage,
	Rules: map[string]Rule{
		"comment":                 {Do: Comment},
		"import_statement":        {Do: ImportDecl, Hook: pyImport},
		"import_from_statement":   {Do: ImportDecl, Hook: pyImportFrom},
		"future_import_statement": {Do: ImportDecl, Hook: pyFuture},
		"decorated_definition":    {Hook: pyDecorated},
		"decorator":               {Hook: pyDecorator},
		"function_definition":     {Do: Define, Kind: graph.Function, Member: graph.Method, Hook: pyFunction, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type", Body: "body"},
		"class_definition":        {Do: Define, Kind: graph.Class, Name: "name", TypeParams: "type_parameters", Bases: "superclasses", Body: "body"},
		"type_alias_statement":    {Do: Define, Kind: graph.TypeAlias, Hook: pyTypeAlias},
		"typed_parameter":         {Do: Parameter, Hook: pyParameter, Type: "type"},
		"default_parameter":       {Do: Parameter, Hook: pyParameter, Name: "name", Value: "value"},
		"typed_default_parameter": {Do: Parameter, Hook: pyParameter, Name: "name", Type: "type", Value: "value"},
		"list_splat_pattern":      {Hook: pyParameter},
		"dictionary_splat_pattern": {
			Hook: pyParameter},
		"keyword_separator":    {Do: Skip},
		"positional_separator": {Do: Skip},
		"type_parameter":       {Hook: pyTypeParams},
		"block":                {},
		"expression_statement": {},
		"assignment":           {Do: Assign, Hook: pyAssign, Kind: graph.Variable, Member: graph.Field, Left: "left", Type: "type", Right: "right"},
		"augmented_assignment": {Do: Assign, Hook: pyAugmented, Left: "left", Right: "right"},
		"named_expression":     {Do: Bind, Eval: pyWalrus, Name: "name", Value: "value"},
		"for_statement":        {Do: Iterate, Left: "left", Right: "right"},
		"for_in_clause":        {Hook: pyForIn},
		"if_clause":            {Hook: pyIfClause},
		"with_item":            {Hook: pyWithItem},
		"except_clause":        {Hook: pyExcept},
		"except_group_clause":  {Hook: pyExcept},
		"if_statement":         {Do: If, Hook: pyIf, Cond: "condition", Body: "consequence"},
		"elif_clause":          {Do: If, Cond: "condition", Body: "consequence"},
		"while_statement":      {Do: If, Hook: pyWhile, Cond: "condition", Body: "body"},
		"assert_statement":     {Hook: pyAssert},
		"return_statement":     {Do: Return, Hook: pyReturn},
		"yield":                {Do: UnaryExpr, Eval: pyYield},
		"global_statement":     {Do: Skip},
		"nonlocal_statement":   {Do: Skip},
		"match_statement":      {Hook: pyMatch},
		"case_clause":          {Hook: pyCase},

		"identifier":               {Do: Ident},
		"attribute":                {Do: Member, Eval: pyMember, Of: "object", Name: "attribute"},
		"call":                     {Do: CallExpr, Eval: pyCall, Of: "function", Args: "arguments"},
		"keyword_argument":         {Do: Pair, Eval: pyKeyword, Right: "value"},
		"subscript":                {Do: IndexExpr, Eval: pySubscript, EvalType: pyGeneric, Of: "value", Args: "subscript"},
		"generic_type":             {Do: IndexExpr, EvalType: pyGeneric},
		"await":                    {Do: UnaryExpr, Eval: pyOnly(graph.OpAwait)},
		"list_splat":               {Do: UnaryExpr, Eval: pyOnly(graph.OpElem)},
		"parenthesized_list_splat": {Do: ParenExpr},
		"dictionary_splat":         {Do: LiteralExpr},
		"unary_operator":           {Do: UnaryExpr, Of: "argument"},
		"not_operator":             {Do: LiteralExpr, Lit: "bool"},
		"comparison_operator":      {Do: LiteralExpr, Lit: "bool"},
		"boolean_operator":         {Do: BinaryExpr, Op: graph.OpUnion, Eval: pyBoolean, Left: "left", Right: "right"},
		"binary_operator":          {Do: BinaryExpr, Eval: pyBinary, Left: "left", Right: "right"},
		"conditional_expression":   {Do: CondExpr, Eval: pyConditional},
		"parenthesized_expression": {Do: ParenExpr},
		"lambda":                   {Do: LambdaExpr, Params: "parameters", Body: "body"},
		"list_comprehension":       {Do: Comprehension, Op: graph.OpArray, Body: "body"},
		"set_comprehension":        {Do: Comprehension, Op: graph.OpArray, Body: "body"},
		"generator_expression":     {Do: Comprehension, Op: graph.OpArray, Body: "body"},
		"dictionary_comprehension": {Do: Comprehension, Op: graph.OpMap, Body: "body"},
		"list":                     {Do: SeqExpr},
		"set":                      {Do: SeqExpr},
		"tuple":                    {Do: TupleExpr},
		"expression_list":          {Do: TupleExpr},
		"pattern_list":             {Do: TupleExpr},
		"tuple_pattern":            {Do: TupleExpr},
		"list_pattern":             {Do: TupleExpr},
		"dictionary":               {Do: MapExpr},
		"pair":                     {Do: Pair, Left: "key", Right: "value"},
		"slice":                    {Do: LiteralExpr, Lit: "slice"},
		"integer":                  {Do: LiteralExpr, Lit: "int"},
		"float":                    {Do: LiteralExpr, Lit: "float"},
		"true":                     {Do: LiteralExpr, Lit: "bool"},
		"false":                    {Do: LiteralExpr, Lit: "bool"},
		"none":                     {Do: LiteralExpr, Lit: "None"},
		"ellipsis":                 {Do: Skip},
		"string":                   {Do: LiteralExpr, Lit: "str", EvalType: pyStringType},
		"concatenated_string":      {Do: LiteralExpr, Lit: "str", EvalType: pyNoType},
		"type_conversion":          {Do: Skip},
		"union_type":               {Do: UnionType},
		"member_type":              {Do: Member, EvalType: pyMemberType},
	},
	Semantics: Semantics{
		Library:                map[string]Yield{"values": YieldList, "keys": YieldKeys, "items": YieldPairs, "get": YieldElem, "pop": YieldElem, "setdefault": YieldElem, "popleft": YieldElem, "copy": YieldSame},
		Export:                 func(name string) bool { return !strings.HasPrefix(name, "_") || strings.HasSuffix(name, "__") },
		ClassScope:             true,
		Hoist:                  true,
		Linearized:             true,
		TopMembers:             strings.Fields(pyObject),
		AssignDeclares:         true,
		AttributesByAssignment: true,
		Redefines:              true,
		Outcomes:               pyOutcomes,
		EnumBases:              pyEnums,
		IterKeys:               true,
		TypeMember:             "__class__",
		YieldsReturned:         true,
		InheritTypes:           []string{"None"}, // a default, which says little
		Narrow:                 pyNarrow,
		Shapes:                 pyGenerics,
		NarrowMembers:          true,
		InferReturns:           true,
		CallMakes:              true,
		Constructors:           []string{"__init__", "__new__"},
		DocString:              "string",
		OuterSignature:         true,
		Enter:                  pyEnter,
		Start:                  pyBranches,
		Finish:                 pyBuilds,
		Builtins:               pyBuiltins,
		Modules:                pyModules,
		SubModule:              pySubModule,
		CallMembers:            []string{"__call__"},
		IterMembers:            []string{"__iter__", "__next__"},
		IndexMembers:           []string{"__getitem__"},
		EnterMembers:           []string{"__enter__", "__aenter__"},
	},
}

// pyDecorated: decorators belong to the definition, which begins at the first of them, and
// say what sort of member it is. Their names are looked up in the scope that holds it.
func pyDecorated(b *Builder, n int32) bool {
	def := b.Field(n, "definition")
	if def < 0 {
		return false
	}
	from := len(b.F.Symbols)
	if b.Is(def, "function_definition") {
		b.Scratch[0] = n
	}
	b.Visit(def)
	in := b.in
	if from < len(b.F.Symbols) {
		b.Sym(int32(from)).Start = b.Off(n)
		b.in = int32(from)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != def {
			b.Visit(c)
		}
	}
	b.in = in
	return true
}

func pyDecorator(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Text(b.Field(c, "attribute")) {
		case "setter", "getter", "deleter": // of a property: names of the language
			b.Value(b.Field(c, "object"), graph.Read, false)
		default:
			b.Value(c, graph.Call, false)
		}
	}
	return true
}

// pyFunction: what a function is follows from its name, its class and its decorators.
func pyFunction(b *Builder, n int32) bool {
	decorated := b.Scratch[0]
	b.Scratch[0] = graph.None
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	r := *b.rule(n)
	r.Flags = 0
	if b.Has(n, "async") {
		r.Flags |= graph.Async
	}
	if b.InType() && b.Text(name) == "__init__" {
		r.Member = graph.Constructor
	}
	if decorated >= 0 {
		for c := b.First(decorated); c >= 0; c = b.Next(decorated, c) {
			if !b.Is(c, "decorator") {
				continue
			}
			text := b.Text(b.First(c))
			r.Flags |= pyDecoration(text)
			if text == "staticmethod" {
				b.Scratch[3] = c
			}
		}
	}
	b.define(n, &r, name, "")
	return true
}

// pyDecoration is what a decorator of the standard library makes of a function.
func pyDecoration(text string) graph.Flags {
	text, _, _ = strings.Cut(text, "(")
	switch text[strings.LastIndexByte(text, '.')+1:] {
	case "staticmethod", "classmethod":
		return graph.Static
	case "property", "cached_property", "abstractproperty":
		return graph.Computed
	case "setter", "deleter":
		return graph.Setter
	case "abstractmethod", "abstractclassmethod":
		return graph.Abstract
	case "overload":
		return graph.Declaration
	}
	return 0
}

// pyEnter marks a method's receiver, and notes the names that belong to scopes outside.
func pyEnter(b *Builder, sym, n int32) {
	s := b.Sym(sym)
	static := b.Scratch[3] >= 0
	b.Scratch[3] = graph.None
	pyOuterNames(b, n)
	pySignature(b, sym, n)
	s = b.Sym(sym)
	if s.Container < 0 || !b.F.Symbols[s.Container].Kind.Type() {
		return
	}
	class := s.Container
	params := b.F.List(s.Params)
	if len(params) == 0 {
		return
	}
	l := &b.F.Locals[params[0]]
	name := b.F.Strings[s.Name]
	switch {
	case l.Flags&graph.VariadicParam != 0:
	case l.Type >= 0:
		if e := (graph.Expr{Op: graph.OpSelf, X: graph.None, Off: l.Off}); !static { // where its type is a variable for types
			if s.Flags&graph.Static != 0 {
				e.Op, e.X = graph.OpSymbol, class
			}
			init := b.Expr(e)
			b.F.Locals[params[0]].Init = init
		}
	case s.Flags&graph.Static == 0 && name != "__new__" && name != "__init_subclass__" && name != "__class_getitem__":
		l.Flags |= graph.SelfParam
	case !static:
		e := b.Expr(graph.Expr{Op: graph.OpSymbol, X: class, Off: l.Off})
		b.F.Locals[params[0]].Init = e
	}
}

// pyOuterNames notes the names that global and nonlocal statements below n declare.
func pyOuterNames(b *Builder, n int32) {
	end := int32(b.Node(n).Next)
	for i := n + 1; i < end; {
		switch b.Kind(i) {
		case "function_definition", "class_definition", "lambda":
			i = int32(b.Node(i).Next)
			continue
		case "global_statement", "nonlocal_statement":
			for c := b.First(i); c >= 0; c = b.Next(i, c) {
				b.Outer(b.nodeStr(c))
			}
		}
		i++
	}
}

// pyParameter binds a parameter; the starred ones hold a sequence or a mapping.
func pyParameter(b *Builder, n int32) bool {
	r := b.rule(n)
	star, name := n, b.child(n, &r.name)
	if name < 0 && !b.Is(n, "list_splat_pattern") && !b.Is(n, "dictionary_splat_pattern") {
		star = b.First(n)
		name = star
	}
	flags := graph.Param
	op := graph.NoOp
	switch b.Kind(star) {
	case "list_splat_pattern":
		op, name = graph.OpArray, b.First(star)
	case "dictionary_splat_pattern":
		op, name = graph.OpMap, b.First(star)
	}
	typ, init := graph.None, graph.None
	b.Signature(func() {
		typ = b.Type(b.child(n, &r.typ), graph.TypeUse)
		if v := b.child(n, &r.value); v >= 0 {
			init = b.Value(v, graph.Read, true)
			flags |= graph.OptionalParam
		}
	})
	switch op {
	case graph.OpArray:
		flags |= graph.VariadicParam
		typ = b.Expr(graph.Expr{Op: op, X: typ, Off: b.Off(n)})
	case graph.OpMap:
		flags |= graph.VariadicParam | graph.KeywordParam
		typ = b.Expr(graph.Expr{Op: op, X: b.Literal(n, "str"), Kids: b.List(typ), Off: b.Off(n)})
	}
	if name >= 0 && b.rule(name).Do == Ident {
		b.Local(b.nodeStr(name), b.Off(name), typ, init, flags)
	} else if name >= 0 {
		b.BindPattern(name, b.Expr(graph.Expr{Op: graph.OpLocal, X: b.Local(0, b.Off(n), typ, init, flags), Off: b.Off(n)}))
	}
	return true
}

// pyTypeParams binds the type parameters of a definition.
func pyTypeParams(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		id := b.Find(c, "identifier")
		if id < 0 {
			continue
		}
		bound := graph.None
		if k := b.First(c); b.Is(k, "constrained_type") {
			if t := b.Next(k, b.First(k)); t >= 0 {
				bound = b.Type(t, graph.TypeUse)
			}
		}
		b.Local(b.nodeStr(id), b.Off(id), bound, graph.None, graph.TypeParam)
	}
	return true
}

func pyTypeAlias(b *Builder, n int32) bool {
	left := b.First(n)
	id := b.Find(left, "identifier")
	if id < 0 {
		return true
	}
	sym := b.Symbol(graph.TypeAlias, id, n, "")
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if p := b.Find(left, "type_parameter"); p >= 0 {
		b.TypeParams(sym, p)
	}
	t := b.Type(b.Next(n, left), graph.TypeUse)
	b.Sym(sym).Type = t
	b.pop()
	return true
}
