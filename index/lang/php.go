package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tsphp "github.com/smacker/go-tree-sitter/php"
)

var php = &Language{
	Name:       "php",
	Extensions: []string{".php", ".phtml", ".php5", ".php7", ".php8", ".phps", ".inc"},
	Shebangs:   []string{"php"},
	Tests:      []string{"*Test.php", "*_test.php", "test_*.php", "tests/", "Tests/"},
	Tokens:     []string{"=>", ",", "instanceof", "&&", "and", "||", "or", "!", "??", ".", "??=", "function", "const", "&"},
	grammar:    tsphp.GetLanguage,
	Rules: map[string]Rule{
		"comment":                   {Do: Comment},
		",":                         {Do: Skip},
		"php_tag":                   {Do: Skip},
		"text":                      {Do: Skip},
		"text_interpolation":        {Do: Skip},
		"declare_statement":         {Do: Skip},
		"namespace_definition":      {Hook: phpNamespace},
		"namespace_use_declaration": {Do: ImportDecl, Hook: phpUse},

		"class_declaration":            {Do: Define, Kind: graph.Class, Hook: phpType, Name: "name", Bases: ".base_clause|.class_interface_clause", Body: "body"},
		"interface_declaration":        {Do: Define, Kind: graph.Interface, Hook: phpType, Name: "name", Bases: ".base_clause", Body: "body"},
		"trait_declaration":            {Do: Define, Kind: graph.Trait, Hook: phpType, Name: "name", Body: "body"},
		"enum_declaration":             {Do: Define, Kind: graph.Enum, Hook: phpType, Name: "name", Bases: ".class_interface_clause", Body: "body"},
		"enum_case":                    {Do: Declare, Kind: graph.EnumMember, Hook: phpCase, Name: "name", Value: "value"},
		"use_declaration":              {Hook: phpTraits},
		"const_declaration":            {Hook: phpConsts},
		"property_declaration":         {Hook: phpProperty},
		"method_declaration":           {Do: Define, Kind: graph.Method, Hook: phpFunction, Name: "name", Params: "parameters", Result: "return_type", Body: "body"},
		"function_definition":          {Do: Define, Kind: graph.Function, Hook: phpFunction, Name: "name", Params: "parameters", Result: "return_type", Body: "body"},
		"simple_parameter":             {Do: Parameter, Hook: phpParameter, Name: "name", Type: "type", Value: "default_value"},
		"variadic_parameter":           {Do: Parameter, Hook: phpParameter, Op: graph.OpVariadic, Name: "name", Type: "type"},
		"property_promotion_parameter": {Do: Parameter, Hook: phpParameter, Name: "name", Type: "type", Value: "default_value"},
		"attribute":                    {Do: NewExpr, Type: ".name|.qualified_name", Args: "parameters"},

		"compound_statement":          {},
		"colon_block":                 {},
		"expression_statement":        {Hook: phpStatement},
		"echo_statement":              {Hook: phpStatement},
		"return_statement":            {Do: Return, Hook: phpStatement},
		"if_statement":                {Do: If, Hook: phpIf, Cond: "condition", Body: "body"},
		"else_if_clause":              {Hook: phpElseIf},
		"while_statement":             {Hook: phpElseIf},
		"else_clause":                 {Hook: phpVisitBranch},
		"for_statement":               {Hook: phpFor},
		"do_statement":                {Hook: phpVisitBranch},
		"switch_statement":            {Hook: phpSwitch},
		"try_statement":               {Hook: phpTry},
		"foreach_statement":           {Hook: phpForeach},
		"catch_clause":                {Hook: phpCatch},
		"function_static_declaration": {},
		"static_variable_declaration": {Do: Assign, Hook: phpStatic, Left: "name", Right: "value"},
		"global_declaration":          {Hook: phpGlobals},
		"goto_statement":              {Do: Skip},
		"named_label_statement":       {Do: Skip},
		"break_statement":             {Do: Skip},
		"continue_statement":          {Do: Skip},
		"include_expression":          {Hook: phpInclude},
		"include_once_expression":     {Hook: phpInclude},
		"require_expression":          {Hook: phpInclude},
		"require_once_expression":     {Hook: phpInclude},

		"name":                  {Do: Ident, Eval: phpNameValue, EvalType: phpNameType},
		"qualified_name":        {Do: Ident, Eval: phpNameValue, EvalType: phpNameType},
		"relative_scope":        {Do: Ident, Eval: phpNameValue, EvalType: phpNameType},
		"variable_name":         {Do: Ident, Eval: phpVariable},
		"dynamic_variable_name": {Do: Skip},

		"assignment_expression":           {Do: Assign, Hook: phpRun(phpAssign), Eval: phpAssign, Left: "left", Right: "right"},
		"reference_assignment_expression": {Do: Assign, Hook: phpRun(phpAssign), Eval: phpAssign, Left: "left", Right: "right"},
		"augmented_assignment_expression": {Do: Assign, Hook: phpRun(phpAugmented), Eval: phpAugmented, Left: "left", Right: "right"},
		"update_expression":               {Eval: phpUpdate},
		"list_literal":                    {Do: TupleExpr, Eval: phpArray},
		"array_creation_expression":       {Do: TupleExpr, Eval: phpArray},
		"array_element_initializer":       {Do: Pass},
		"member_access_expression":        {Do: Member, Eval: phpMember},
		"nullsafe_member_access_expression": {
			Do: Member, Eval: phpMember},
		"scoped_property_access_expression": {
			Do: Member, Eval: phpStaticProperty},
		"class_constant_access_expression": {Do: Member, Eval: phpConstant},
		"function_call_expression":         {Do: CallExpr, Eval: phpCall},
		"member_call_expression":           {Do: CallExpr, Eval: phpMethodCall},
		"nullsafe_member_call_expression":  {Do: CallExpr, Eval: phpMethodCall},
		"scoped_call_expression":           {Do: CallExpr, Eval: phpMethodCall},
		"object_creation_expression":       {Do: NewExpr, Eval: phpNew},
		"argument":                         {Eval: phpArgument},
		"subscript_expression":             {Do: IndexExpr, Eval: phpSubscript},
		"unary_op_expression":              {Do: UnaryExpr, Of: "argument"},
		"binary_expression":                {Do: BinaryExpr, Eval: phpBinary, Left: "left", Right: "right"},
		"conditional_expression":           {Do: CondExpr, Eval: phpConditional},
		"match_expression":                 {Eval: phpMatch},
		"cast_expression":                  {Do: CastExpr, Eval: phpCast},
		"cast_type":                        {Do: Skip},
		"parenthesized_expression":         {Do: ParenExpr},
		"clone_expression":                 {Do: Pass},
		"anonymous_function_creation_expression": {
			Do: LambdaExpr, Eval: phpClosure, Params: "parameters", Result: "return_type", Body: "body"},
		"arrow_function":           {Do: LambdaExpr, Eval: phpClosure, Params: "parameters", Result: "return_type", Body: "body"},
		"integer":                  {Do: LiteralExpr, Lit: "int"},
		"float":                    {Do: LiteralExpr, Lit: "float"},
		"boolean":                  {Do: LiteralExpr, Lit: "bool"},
		"string":                   {Do: LiteralExpr, Lit: "string"},
		"encapsed_string":          {Do: LiteralExpr, Lit: "string"},
		"heredoc":                  {Do: LiteralExpr, Lit: "string"},
		"nowdoc":                   {Do: LiteralExpr, Lit: "string"},
		"shell_command_expression": {Do: LiteralExpr, Lit: "string"},
		"heredoc_body":             {},
		"null":                     {Do: Skip},

		"named_type":        {Do: Pass},
		"optional_type":     {Do: UnionType},
		"union_type":        {Do: UnionType},
		"intersection_type": {Do: UnionType},
		"type_list":         {Do: UnionType},
		"primitive_type":    {Do: LiteralExpr},
	},
	Semantics: Semantics{
		Space:            func(p string, f *graph.Facts) (string, string) { return "php", f.Package },
		NestedSpaces:     true,
		RootNames:        true,
		FoldCase:         true,
		MethodsApart:     true,
		AbsentIsExternal: true,
		DeclaredGiveWay:  true,
		AssignDeclares:   true,
		Hoist:            true,
		FileLocals:       true,
		InferReturns:     true,
		NarrowMembers:    true,
		And:              "&&",
		Is:               "instanceof",
		Constructors:     []string{"__construct"},
		CallMembers:      []string{"__invoke"},
		IterMembers:      []string{"getIterator", "current"},
		IndexMembers:     []string{"offsetGet"},
		Library:          map[string]Yield{"cases": YieldSame, "from": YieldElem, "tryfrom": YieldElem},
		Functions:        phpFunctions,
		Passes:           phpPasses,
		Missing:          []string{"__call", "__callStatic", "__get"},
		Enter:            phpEnter,
		Modules:          phpModules,
		Prepare:          phpPrepare,
		Homes:            phpHomes,
		InheritTypes:     []string{"array", "iterable", "object", "mixed", "callable"},
		Configs:          []string{"composer.json"},
		Config:           composerJSON,
	},
}

// phpType: a class, interface, trait or enum is known to all of its namespace, wherever the
// statement that declares it stands.
func phpType(b *Builder, n int32) bool {
	r := *b.rule(n)
	if b.Has(n, "abstract_modifier") {
		r.Flags |= graph.Abstract
	}
	doc := b.doc
	if c := b.Field(n, "attributes"); c >= 0 {
		b.Visit(c)
	}
	b.doc = doc
	b.phpGlobal(n, func() { phpClass(b, n, &r) })
	return true
}

// phpClass defines the type at n with what its doc comment says of it.
func phpClass(b *Builder, n int32, r *compiled) {
	doc := b.doc
	b.push(typeFrame, graph.None)
	params := phpTemplates(b, doc.start, doc.end)
	sym := b.define(n, r, b.child(n, &r.name), "")
	if sym >= 0 && doc.end > 0 {
		list := b.List(params...)
		b.Sym(sym).TypeParams = list
		phpClassDoc(b, sym, doc.start, doc.end)
	}
	b.pop()
}

// phpGlobal runs f, which defines the thing at n, outside of the functions around it.
func (b *Builder) phpGlobal(n int32, f func()) {
	if !b.InFunction() {
		f()
		return
	}
	b.push(typeFrame, graph.None)
	in := b.in
	b.in = graph.None
	f()
	b.in = in
	b.pop()
}

// phpFlags are the flags of the modifiers of member n.
func phpFlags(b *Builder, n int32) graph.Flags {
	var f graph.Flags
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "visibility_modifier":
			switch b.Text(c) {
			case "private":
				f |= graph.Private
			case "protected":
				f |= graph.Protected
			}
		case "static_modifier":
			f |= graph.Static
		case "abstract_modifier":
			f |= graph.Abstract
		case "attribute_list":
			b.Visit(c)
		}
	}
	return f
}

// phpHide takes the flag of what all see from a member that is not public.
func (b *Builder) phpHide(sym int32) {
	if s := b.Sym(sym); s.Flags&(graph.Private|graph.Protected) != 0 {
		s.Flags &^= graph.Exported
	}
}

// phpFunction is a function, known to all of its namespace wherever it stands, or a method.
func phpFunction(b *Builder, n int32) bool {
	r := *b.rule(n)
	name := b.child(n, &r.name)
	if name < 0 {
		return false
	}
	doc := b.doc
	r.Flags |= phpFlags(b, n)
	b.doc = doc
	if r.Kind == graph.Method {
		if strings.EqualFold(b.Text(name), "__construct") {
			r.Kind = graph.Constructor
		}
		if b.Field(n, "body") < 0 {
			r.Flags |= graph.Abstract
		}
		b.phpHide(b.define(n, &r, name, ""))
		return true
	}
	b.phpGlobal(n, func() { b.define(n, &r, name, "") })
	return true
}

// phpEnter takes what the doc comment of a callable says of its parameters and its result.
func phpEnter(b *Builder, sym, n int32) {
	s := b.Sym(sym)
	if s.DocEnd == 0 {
		return
	}
	if params := phpTemplates(b, s.DocStart, s.DocEnd); len(params) > 0 {
		list := b.List(params...)
		b.Sym(sym).TypeParams = list
		s = b.Sym(sym)
	}
	d := phpDocOf(b, s.DocStart, s.DocEnd)
	for _, p := range b.F.List(s.Params) {
		l := &b.F.Locals[p]
		if t := d.param(b.F.Strings[l.Name]); t >= 0 && phpVague(b, l.Type) {
			if l.Flags&graph.VariadicParam != 0 {
				t = b.Expr(graph.Expr{Op: graph.OpArray, X: t, Off: l.Off})
			}
			b.F.Locals[p].Type = t
		}
	}
	if d.result >= 0 && phpVague(b, s.Type) {
		b.Sym(sym).Type = d.result
	}
}

// phpVague reports whether a declared type says less than a doc comment may: it is absent, or
// one of the language's types that hold anything.
func phpVague(b *Builder, t int32) bool {
	if t < 0 {
		return true
	}
	switch e := &b.F.Exprs[t]; e.Op {
	case graph.OpLiteral:
		switch b.F.Strings[e.Name] {
		case "array", "iterable", "object", "mixed", "callable", "static", "string":
			return true
		}
	case graph.OpUnion:
		for _, k := range b.F.List(e.Kids) {
			if !phpVague(b, k) && b.F.Exprs[k].Op != graph.OpLiteral {
				return false
			}
		}
		return true
	case graph.OpArray:
		return e.X < 0 || phpVague(b, e.X)
	}
	return false
}

// phpParameter binds a parameter; one with a visibility is a property, too.
func phpParameter(b *Builder, n int32) bool {
	r := b.rule(n)
	from := len(b.F.Locals)
	if c := b.Child(n, "attribute_list"); c >= 0 {
		b.Visit(c)
	}
	b.parameter(n, r)
	if !b.Is(n, "property_promotion_parameter") || len(b.F.Locals) == from {
		return true
	}
	method := b.frame().sym
	name := b.First(b.Field(n, "name"))
	if method < 0 || name < 0 {
		return true
	}
	l := b.F.Locals[len(b.F.Locals)-1]
	if d := phpDocOf(b, b.Sym(method).DocStart, b.Sym(method).DocEnd); phpVague(b, l.Type) {
		if t := d.param("$" + b.Text(name)); t >= 0 {
			l.Type = t
		}
	}
	owner := b.Sym(method).Container
	s := graph.Symbol{Kind: graph.Property, Name: b.nodeStr(name), NameOff: b.Off(name), Start: b.Off(n), End: b.Node(n).End,
		Container: owner, Type: l.Type, Init: graph.None, Owner: graph.None, Flags: graph.Exported}
	if v := b.Field(n, "visibility"); v >= 0 {
		s.Flags |= phpFlags(b, n)
	}
	b.phpHide(b.addSymbol(s, b.qual(owner)))
	return true
}

// phpProperty declares properties; a doc comment may say what they hold.
func phpProperty(b *Builder, n int32) bool {
	flags := phpFlags(b, n)
	typ := graph.None
	if c := b.Field(n, "type"); c >= 0 {
		typ = b.Type(c, graph.TypeUse)
	}
	doc := b.doc
	if doc.end > 0 && phpVague(b, typ) {
		if d := phpDocOf(b, doc.start, doc.end); d.variable >= 0 {
			typ = d.variable
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		name := b.First(b.Child(c, "variable_name"))
		if !b.Is(c, "property_element") || name < 0 {
			continue
		}
		b.doc = doc
		sym := b.Symbol(graph.Property, name, n, "")
		b.Sym(sym).Flags |= flags
		b.Sym(sym).Type = typ
		b.phpHide(sym)
		b.phpInit(sym, b.First(b.Child(c, "property_initializer")))
	}
	b.doc = docRun{}
	return true
}

// phpInit gives symbol sym the value at node v.
func (b *Builder) phpInit(sym, v int32) {
	in := b.in
	b.in = sym
	init := b.Value(v, graph.Read, true)
	b.in = in
	b.Sym(sym).Init = init
}

// phpConsts declares constants of a class, or of a namespace.
func phpConsts(b *Builder, n int32) bool {
	flags := phpFlags(b, n) | graph.Static
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	doc := b.doc
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		name := b.First(c)
		if !b.Is(c, "const_element") || name < 0 {
			continue
		}
		b.doc = doc
		sym := b.Symbol(graph.Constant, name, n, "")
		b.Sym(sym).Flags |= flags
		b.Sym(sym).Type = typ
		b.phpHide(sym)
		b.phpInit(sym, b.Next(c, name))
	}
	b.doc = docRun{}
	return true
}
