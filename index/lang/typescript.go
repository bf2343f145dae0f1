package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
	tstsx "github.com/smacker/go-tree-sitter/typescript/tsx"
	tstypescript "github.com/smacker/go-tree-sitter/typescript/typescript"
)

var typescript = &Language{
	Name:       "typescript",
	Aliases:    []string{"ts"},
	Extensions: []string{".ts", ".mts", ".cts"},
	Shebangs:   []string{"ts-node", "tsx", "deno", "bun"},
	Tests:      scriptTests,
	Tokens:     append([]string{"declare", "abstract", "readonly"}, scriptTokens...),
	grammar:    tstypescript.GetLanguage,
	Rules:      mergeRules(scriptRules, typedRules, map[string]Rule{"type_assertion": {Do: CastExpr, Eval: tsAssertion}}),
	Semantics:  typedSemantics,
}

// tsx has a grammar of its own, since <T>x means something else there.
var tsx = &Language{
	Name:       "tsx",
	Extensions: []string{".tsx"},
	Tests:      scriptTests,
	Tokens:     append([]string{"declare", "abstract", "readonly"}, scriptTokens...),
	grammar:    tstsx.GetLanguage,
	Rules:      mergeRules(scriptRules, typedRules, elementRules),
	Semantics:  func() Semantics { s := typedSemantics; s.Configs, s.Config = nil, nil; return s }(),
}

var typedSemantics = func() Semantics {
	s := scriptSemantics
	s.Structural = true
	s.GlobalTypes = map[string]string{"window": "Window", "globalThis": "Window", "self": "Window", "document": "Document", "Window": "Window", "Document": "Document"}
	s.Prepare, s.EverySpace = tsPrepare, graph.Scope(scriptShared, scriptGlobal)
	s.Configs, s.Config = scriptConfigs, scriptConfig
	s.Finish = scriptFinish
	return s
}()

// typedRules are the nodes that only the typed grammars have.
var typedRules = map[string]Rule{
	"class_declaration":          {Do: Define, Kind: graph.Class, Hook: scriptClass, Name: "name", TypeParams: "type_parameters", Bases: ".class_heritage", Body: "body"},
	"abstract_class_declaration": {Do: Define, Kind: graph.Class, Flags: graph.Abstract, Hook: scriptClass, Name: "name", TypeParams: "type_parameters", Bases: ".class_heritage", Body: "body"},
	"class":                      {Do: Define, Kind: graph.Class, Eval: scriptClassValue, Name: "name", TypeParams: "type_parameters", Bases: ".class_heritage", Body: "body"},
	"function_declaration":       {Do: Define, Kind: graph.Function, Hook: scriptFunction, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type", Body: "body"},
	"generator_function_declaration": {Do: Define, Kind: graph.Function, Flags: graph.Generator, Hook: scriptFunction, Name: "name",
		TypeParams: "type_parameters", Params: "parameters", Result: "return_type", Body: "body"},
	"function_signature": {Do: Define, Kind: graph.Function, Flags: graph.Declaration, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type"},
	"method_definition":  {Do: Define, Kind: graph.Method, Hook: scriptMethod, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type", Body: "body"},
	"method_signature":   {Do: Define, Kind: graph.Method, Flags: graph.Declaration, Hook: scriptMethod, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type"},
	"abstract_method_signature": {Do: Define, Kind: graph.Method, Flags: graph.Abstract, Hook: scriptMethod, Name: "name",
		TypeParams: "type_parameters", Params: "parameters", Result: "return_type"},
	"arrow_function":          {Do: LambdaExpr, TypeParams: "type_parameters", Params: "parameters|parameter", Result: "return_type", Body: "body"},
	"function_expression":     {Do: LambdaExpr, Eval: scriptFunctionValue, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type", Body: "body"},
	"generator_function":      {Do: LambdaExpr, Eval: scriptFunctionValue, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "return_type", Body: "body"},
	"public_field_definition": {Do: Declare, Kind: graph.Field, Hook: scriptField, Name: "name", Type: "type", Value: "value"},
	"property_signature":      {Do: Declare, Kind: graph.Property, Hook: scriptField, Name: "name", Type: "type"},
	"call_signature":          {Do: FuncType, Hook: tsCallSignature, TypeParams: "type_parameters", Params: "parameters", Result: "return_type"},
	"construct_signature":     {Do: FuncType, Hook: tsNewSignature, TypeParams: "type_parameters", Params: "parameters", Result: "type"},
	"index_signature":         {Do: Block, Hook: tsIndexSignature},

	"interface_declaration":  {Do: Define, Kind: graph.Interface, Name: "name", TypeParams: "type_parameters", Bases: ".extends_type_clause", Body: "body"},
	"type_alias_declaration": {Do: Define, Kind: graph.TypeAlias, Hook: tsAlias, Name: "name", TypeParams: "type_parameters"},
	"enum_declaration":       {Do: Define, Kind: graph.Enum, Hook: tsEnum, Name: "name"},
	"internal_module":        {Do: Define, Kind: graph.Namespace, Hook: tsNamespace, Name: "name", Body: "body"},
	"module":                 {Do: Define, Kind: graph.Namespace, Hook: tsNamespace, Name: "name", Body: "body"},
	"ambient_declaration":    {Hook: tsAmbient},
	"import_alias":           {Do: Declare, Hook: tsImportAlias},

	"extends_clause":         {Do: GenericType, Of: "value", Args: "type_arguments"},
	"required_parameter":     {Do: Parameter, Hook: tsParameter, Name: "pattern", Type: "type", Value: "value"},
	"optional_parameter":     {Do: Parameter, Hook: tsParameter, Flags: graph.Optional, Name: "pattern", Type: "type", Value: "value"},
	"type_parameter":         {Do: Parameter, Hook: tsTypeParameter, Name: "name"},
	"type_arguments":         {Hook: tsTypeArguments},
	"accessibility_modifier": {Do: Skip},
	"override_modifier":      {Do: Skip},

	"type_identifier":          {Do: TypeIdent},
	"nested_type_identifier":   {Do: Member, Of: "module", Name: "name"},
	"nested_identifier":        {Do: Member, Of: "object", Name: "property"},
	"generic_type":             {Do: GenericType, EvalType: tsGeneric, Of: "name", Args: "type_arguments"},
	"instantiation_expression": {Do: GenericType, Of: "function", Args: "type_arguments"},
	"predefined_type":          {Do: LiteralExpr},
	"literal_type":             {Do: Pass, EvalType: tsLiteralType},
	"template_literal_type":    {Do: LiteralExpr, EvalType: tsTemplateType, Lit: "string"},
	"array_type":               {Do: ArrayType},
	"tuple_type":               {Do: TupleExpr, EvalType: tsTuple},
	"union_type":               {Do: UnionType},
	"intersection_type":        {Do: UnionType},
	"function_type":            {Do: FuncType, TypeParams: "type_parameters", Params: "parameters", Result: "return_type"},
	"constructor_type":         {Do: FuncType, TypeParams: "type_parameters", Params: "parameters", Result: "type"},
	"object_type":              {Do: StructType, Kind: graph.Interface, EvalType: tsObjectType},
	"type_query":               {Do: UnaryExpr, EvalType: tsTypeQuery},
	"index_type_query":         {Do: UnaryExpr, EvalType: tsKeyOf},
	"lookup_type":              {Do: IndexExpr, EvalType: tsLookup},
	"conditional_type":         {Do: Block, EvalType: tsConditional},
	"infer_type":               {Do: Block, EvalType: tsInfer},
	"type_predicate":           {Do: Block, EvalType: tsPredicate},
	"asserts":                  {Do: Block, EvalType: tsAsserts},
	"this_type":                {Do: SelfExpr},

	"as_expression":        {Do: CastExpr, Eval: tsAs},
	"satisfies_expression": {Do: CastExpr, Eval: tsSatisfies},
	"non_null_expression":  {Do: ParenExpr, Eval: tsNonNull},
}

// tsAlias: an object type written out in an alias has its members in the alias itself.
func tsAlias(b *Builder, n int32) bool {
	name, value := b.Field(n, "name"), b.Field(n, "value")
	if name < 0 {
		return false
	}
	sym := b.Symbol(graph.TypeAlias, name, n, "")
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	if b.Is(value, "object_type") && tsIndexed(b, value) < 0 {
		b.visitChildren(value)
	} else {
		t := b.Type(value, graph.TypeUse)
		b.Sym(sym).Type = t
	}
	b.pop()
	return true
}

// tsObjectType: the members of a type that is written out at a symbol's declaration belong to that symbol.
func tsObjectType(b *Builder, n int32, role graph.Role) int32 {
	sym := scriptHolder(b, n)
	if c := tsIndexed(b, n); c >= 0 {
		return tsIndexSignatureType(b, c)
	}
	if sym >= 0 {
		b.Members(sym, n)
		return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
	}
	if b.First(n) < 0 {
		return b.Expr(graph.Expr{Op: graph.OpObject, X: graph.None, Off: b.Off(n)})
	}
	saved := b.Scratch
	t := b.structType(n, b.rule(n))
	b.Scratch = saved
	return t
}

// tsGeneric is a generic type applied to arguments; Record is the language's word for a map.
func tsGeneric(b *Builder, n int32, role graph.Role) int32 {
	args := b.Field(n, "type_arguments")
	name := b.Text(b.Field(n, "name"))
	if keys := tsKeys(b, args); len(keys) > 0 && (name == b.l.Omits || name == b.l.Picks) {
		return tsPicked(b, n, args, keys, role)
	}
	if name != "Record" || args < 0 {
		return b.generic(n, b.rule(n), role)
	}
	b.Type(b.Field(n, "name"), role)
	var types []int32
	of := graph.None
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		if len(types) == 0 && b.Is(c, "index_type_query") && b.First(c) >= 0 {
			of = b.Type(b.First(c), graph.TypeUse)
			types = append(types, b.Literal(c, "string"))
			continue
		}
		types = append(types, b.Type(c, graph.TypeUse))
	}
	if len(types) != 2 {
		return graph.None
	}
	if of >= 0 {
		return b.Expr(graph.Expr{Op: graph.OpMap, X: types[0], Kids: b.List(types[1], of), Off: b.Off(n)})
	}
	return b.Expr(graph.Expr{Op: graph.OpMap, X: types[0], Kids: b.List(types[1]), Off: b.Off(n)})
}

// tsKeys are the strings that the second of two type arguments is made of, if it is of nothing else.
func tsKeys(b *Builder, args int32) []int32 {
	of := b.First(args)
	if of < 0 || b.Next(args, of) < 0 {
		return nil
	}
	from := b.Next(args, of)
	var keys []int32
	for i := from; i < int32(b.t.Nodes[from].Next); {
		switch {
		case b.Is(i, "union_type"), b.Is(i, "literal_type"), b.Is(i, "comment"):
			i++
		case b.Is(i, "string"):
			keys = append(keys, i)
			i = int32(b.t.Nodes[i].Next)
		default:
			return nil
		}
	}
	return keys
}

// tsPicked is a type without some of the members of another, or with them alone: an application to that type
// and to its members.
func tsPicked(b *Builder, n, args int32, keys []int32, role graph.Role) int32 {
	x := b.Type(b.Field(n, "name"), role)
	t := b.Type(b.First(args), graph.TypeUse)
	if x < 0 || t < 0 {
		return graph.None
	}
	kids := []int32{t}
	for _, c := range keys {
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpMember, X: t, Name: b.Str(scriptString(b, c)), Off: b.Off(c) + 1}))
	}
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
}

// tsCallName is the name of the member that runs when a value of a type is called.
const tsCallName = "(call)"

// tsCallSignature: a type that can be called has a member for it, without a name.
func tsCallSignature(b *Builder, n int32) bool {
	if b.EnclosingType() < 0 {
		return false
	}
	sym := b.Symbol(graph.Method, graph.None, n, tsCallName)
	b.Sym(sym).Flags |= graph.Abstract | graph.Anonymous
	b.Body(sym, n, nil)
	return true
}

// tsNewName is the name of the member that runs when something is made of a value as of a class.
const tsNewName = "(new)"

// tsNewSignature: a type of what makes others has a member for it, without a name.
func tsNewSignature(b *Builder, n int32) bool {
	if b.EnclosingType() < 0 {
		return false
	}
	sym := b.Symbol(graph.Method, graph.None, n, tsNewName)
	b.Sym(sym).Flags |= graph.Abstract | graph.Anonymous
	b.Body(sym, n, nil)
	return true
}

func tsEnum(b *Builder, n int32) bool {
	name, body := b.Field(n, "name"), b.Field(n, "body")
	if name < 0 || body < 0 {
		return false
	}
	sym := b.Define(n)
	b.Sym(sym).Body = b.Off(body)
	b.push(typeFrame, sym)
	tsEnumerators(b, body)
	b.pop()
	return true
}

func tsEnumerators(b *Builder, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.rule(c).Do == Comment:
			b.comment(c)
			continue
		case b.Is(c, "enum_assignment"):
			if name := b.Field(c, "name"); name >= 0 {
				sym := b.Symbol(graph.EnumMember, name, c, scriptName(b, name))
				tsEnumerated(b, sym, name)
				in := b.in
				b.in = sym
				b.Value(b.Field(c, "value"), graph.Read, false)
				b.in = in
			}
		case b.InField(c, "name"):
			tsEnumerated(b, b.Symbol(graph.EnumMember, c, c, scriptName(b, c)), c)
		default:
			b.Visit(c)
		}
		b.doc = docRun{}
	}
}

// tsEnumerated: those that follow in the enum may name a member without the enum.
func tsEnumerated(b *Builder, sym, name int32) {
	l := b.Local(b.Sym(sym).Name, b.Off(name), graph.None, graph.None, 0)
	b.F.Locals[l].Symbol = sym
}

// tsNamespace: a dotted name opens one namespace in another; a quoted one declares a module.
func tsNamespace(b *Builder, n int32) bool {
	name, body := b.Field(n, "name"), b.Field(n, "body")
	if name < 0 {
		return false
	}
	var syms []int32
	open := func(c int32, kind graph.Kind, text string) {
		sym := b.Symbol(kind, c, n, text)
		b.bindNested(sym)
		b.push(typeFrame, sym)
		syms = append(syms, sym)
	}
	switch b.Kind(name) {
	case "string":
		open(name, graph.Module, scriptString(b, name))
	case "nested_identifier":
		for i := name + 1; i < int32(b.t.Nodes[name].Next); i++ {
			if d := b.rule(i).Do; d == Ident {
				open(i, graph.Namespace, "")
			}
		}
	default:
		open(name, graph.Namespace, "")
	}
	if body >= 0 {
		b.Sym(syms[len(syms)-1]).Body = b.Off(body)
		b.visitChildren(body)
	}
	for range syms {
		b.pop()
	}
	return true
}

// tsAmbient: what follows `declare` is a definition like any other; what `declare global` holds is seen
// by all files.
func tsAmbient(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "statement_block") {
			from := len(b.F.Symbols)
			b.visitChildren(c)
			scriptEverywhere(b, from)
		} else if b.Kind(c) != "declare" {
			b.Visit(c)
		}
	}
	return true
}

// scriptEverywhere lets all files see the definitions from symbol from on that are in no other.
func scriptEverywhere(b *Builder, from int) {
	for i := from; i < len(b.F.Symbols); i++ {
		if s := &b.F.Symbols[i]; s.Container < 0 && s.Flags&graph.NestedDef == 0 {
			s.Flags |= graph.Everywhere | graph.Exported
		}
	}
}

// tsImportAlias is `import x = A.B`.
func tsImportAlias(b *Builder, n int32) bool {
	name := b.First(n)
	if name < 0 {
		return true
	}
	of := b.Next(n, name)
	if b.InFunction() {
		b.DeclareLocal(name, graph.None, b.Value(of, graph.Read, true))
		return true
	}
	sym := b.Symbol(graph.Namespace, name, n, "")
	v := b.Value(of, graph.Read, true)
	b.Sym(sym).Init = v
	return true
}

// tsParameter: a parameter of a constructor with an access modifier is a field too.
func tsParameter(b *Builder, n int32) bool {
	r := b.rule(n)
	pattern := b.Field(n, "pattern")
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "decorator") {
			scriptDecorator(b, c)
		}
	}
	if b.Is(pattern, "this") {
		if t := b.Field(n, "type"); t >= 0 {
			typ := b.Type(t, graph.TypeUse)
			b.Local(b.Str("this"), b.Off(pattern), typ, graph.None, 0)
		}
		return true
	}
	if b.Is(pattern, "rest_pattern") {
		typ := graph.None
		if t := b.Field(n, "type"); t >= 0 {
			typ = b.Type(t, graph.TypeUse)
		}
		scriptRest(b, pattern, typ)
		return true
	}
	from := len(b.F.Locals)
	b.parameter(n, r)
	owner := b.EnclosingType()
	if pattern < 0 || owner < 0 || b.in < 0 || b.F.Symbols[b.in].Kind != graph.Constructor || len(b.F.Locals) == from {
		return true
	}
	if !b.Has(n, "accessibility_modifier", "override_modifier", "readonly") || b.rule(pattern).Do != Ident {
		return true
	}
	l := b.F.Locals[from]
	s := graph.Symbol{Kind: graph.Field, Name: b.nodeStr(pattern), NameOff: b.Off(pattern), Start: b.Off(n), End: b.t.Nodes[n].End,
		Container: owner, Type: l.Type, Init: l.Init, Owner: graph.None, Flags: graph.Exported}
	sym := b.addSymbol(s, b.qual(owner))
	scriptAccess(b, n, sym)
	b.F.Locals[from].Symbol = sym // to name the parameter is to name the field
	return true
}

func tsTypeParameter(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	// A constraint may name a later parameter.
	for i := n; int(i) < len(b.t.Nodes) && (b.Is(i, "type_parameter") || b.Is(i, "comment")); i = int32(b.t.Nodes[i].Next) {
		if id := b.Field(i, "name"); id >= 0 && b.blockLocal(b.nodeStr(id)) < 0 {
			b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
		}
	}
	l := b.blockLocal(b.nodeStr(name))
	if c := b.Field(n, "constraint"); c >= 0 {
		t := b.Type(c, graph.TypeUse)
		b.F.Locals[l].Type = t
	}
	if c := b.Field(n, "value"); c >= 0 {
		t := b.Type(c, graph.TypeUse)
		b.F.Locals[l].Init = t
	}
	return true
}

func tsTypeArguments(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		b.Type(c, graph.TypeUse)
	}
	return true
}

func tsLiteralType(b *Builder, n int32, role graph.Role) int32 {
	switch c := b.First(n); {
	case c < 0 || b.Is(c, "null") || b.Is(c, "undefined"):
		return graph.None
	default:
		return b.Value(c, graph.Read, true)
	}
}

func tsTemplateType(b *Builder, n int32, role graph.Role) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "template_type") {
			b.passType(c, graph.TypeUse)
		}
	}
	return b.Literal(n, "string")
}

func tsTypeQuery(b *Builder, n int32, role graph.Role) int32 {
	var v int32 = graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_arguments") {
			b.Visit(c)
		} else if x := b.Value(c, graph.Read, true); v < 0 {
			v = x
		}
	}
	return b.Of(graph.OpTypeOf, n, v)
}

func tsKeyOf(b *Builder, n int32, role graph.Role) int32 {
	b.passType(n, graph.TypeUse)
	return b.Literal(n, "string")
}

// tsLookup is T[K]: a member of T where K is a literal, else an element of T.
func tsLookup(b *Builder, n int32, role graph.Role) int32 {
	of := b.First(n)
	if of < 0 {
		return graph.None
	}
	t := b.Type(of, graph.TypeUse)
	key := b.Next(n, of)
	if key < 0 || t < 0 {
		return t
	}
	if lit := b.First(key); b.Is(key, "literal_type") && b.Is(lit, "string") {
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: t, Name: b.Str(scriptString(b, lit)), Off: b.Off(lit) + 1})
	}
	if lit := b.First(key); b.Is(key, "literal_type") && b.Is(lit, "number") && len(b.t.Text(lit)) == 1 {
		return b.Expr(graph.Expr{Op: graph.OpTupleAt, X: t, N: uint16(b.t.Text(lit)[0] - '0'), Off: b.Off(lit)})
	}
	b.Type(key, graph.TypeUse)
	return b.Of(graph.OpElem, n, t)
}

// tsConditional is any of its two outcomes; what the condition infers is visible in the first.
func tsConditional(b *Builder, n int32, role graph.Role) int32 {
	var kids []int32
	b.push(blockFrame, graph.None)
	if right := b.Field(n, "right"); right >= 0 {
		for i := right; i < int32(b.t.Nodes[right].Next); i++ {
			if id := b.First(i); b.Is(i, "infer_type") && id >= 0 && b.blockLocal(b.nodeStr(id)) < 0 {
				b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
			}
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		t := b.Type(c, graph.TypeUse)
		if t >= 0 && (b.InField(c, "consequence") || b.InField(c, "alternative")) {
			kids = append(kids, t)
		}
	}
	b.pop()
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

func tsInfer(b *Builder, n int32, role graph.Role) int32 {
	id := b.First(n)
	if id < 0 {
		return graph.None
	}
	l := b.local(b.nodeStr(id))
	if l < 0 {
		l = b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
	}
	for c := b.Next(n, id); c >= 0; c = b.Next(n, c) {
		t := b.Type(c, graph.TypeUse)
		b.F.Locals[l].Type = t
	}
	return b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(id)})
}

func tsPredicate(b *Builder, n int32, role graph.Role) int32 {
	name := b.Field(n, "name")
	if name >= 0 {
		b.Value(name, graph.Read, false)
	}
	t, yes := b.Type(b.Field(n, "type"), graph.TypeUse), b.Literal(n, "boolean")
	if t < 0 || name < 0 {
		return yes
	}
	return b.Expr(graph.Expr{Op: graph.OpShows, X: t, Name: b.nodeStr(name), Kids: b.List(yes), Off: b.Off(n)})
}

// tsAsserts is the result of a function that returns only where its parameter is what it says.
func tsAsserts(b *Builder, n int32, role graph.Role) int32 {
	shows := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_predicate") {
			shows = b.Type(c, graph.TypeUse)
		} else {
			b.Value(c, graph.Read, false)
		}
	}
	return shows
}

// tsNonNull is `x!`. The grammar takes all of `a - x!.y` before the mark for its operand; it is the
// last operand.
func tsNonNull(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.First(n)
	for {
		switch {
		case b.Is(x, "binary_expression") && !b.Has(x, "&&", "||", "??"):
			b.Value(b.Field(x, "left"), graph.Read, false)
			x = b.Field(x, "right")
		case b.Is(x, "unary_expression"):
			x = b.Field(x, "argument")
		default:
			return b.Value(x, role, want)
		}
	}
}

// tsAs is `x as T`; `as const` leaves the value as it is.
func tsAs(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.First(n)
	if x < 0 {
		return graph.None
	}
	v := b.Value(x, role, want)
	t := b.Next(n, x)
	if t < 0 || b.Is(t, "const") {
		return v
	}
	typ := b.Type(t, graph.TypeUse)
	if typ < 0 {
		return graph.None
	}
	b.expect(v, b.typeContext(typ))
	return b.ifWanted(want, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(typ), Off: b.Off(n)})
}

func tsSatisfies(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.First(n)
	v := b.Value(x, role, want)
	if x >= 0 {
		for t := b.Next(n, x); t >= 0; t = b.Next(n, t) {
			if typ := b.Type(t, graph.TypeUse); typ >= 0 {
				b.expect(v, b.typeContext(typ))
			}
		}
	}
	return v
}

// tsAssertion is `<T>x`.
func tsAssertion(b *Builder, n int32, role graph.Role, want bool) int32 {
	typ, v := graph.None, graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_arguments") {
			typ = b.passType(c, graph.TypeUse)
		} else {
			v = b.Value(c, role, want)
		}
	}
	if typ < 0 {
		return v
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(typ), Off: b.Off(n)})
}
