package lang

import (
	"maps"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// What JavaScript, TypeScript and their element syntax share. Files of all of them import one another.

var (
	scriptTests  = []string{"*.test.*", "*.spec.*", "*_test.*", "__tests__/", "__mocks__/", "test/", "tests/", "cypress/", "e2e/"}
	scriptTokens = []string{"get", "set", "static", "async", "default", "*", "type", "var", "let", "const", "of", "instanceof", "&&", "||", "??"}
)

// mergeRules joins tables; a later one wins.
func mergeRules(tables ...map[string]Rule) map[string]Rule {
	all := map[string]Rule{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

var scriptRules = map[string]Rule{
	"comment":                         {Do: Comment},
	"html_comment":                    {Do: Comment},
	"hash_bang_line":                  {Do: Skip},
	"import_statement":                {Hook: scriptImport},
	"export_statement":                {Hook: scriptExport},
	"lexical_declaration":             {Do: Pass, Hook: scriptVariables},
	"variable_declaration":            {Do: Pass, Op: graph.OpUnion, Hook: scriptVariables},
	"variable_declarator":             {Do: Declare, Kind: graph.Variable, Name: "name", Value: "value"},
	"formal_parameters":               {Do: Pass},
	"decorator":                       {Do: Wrap, Hook: scriptDecorator},
	"class_static_block":              {Do: Block, Hook: scriptStatic},
	"statement_block":                 {Do: Block},
	"switch_body":                     {Do: Block},
	"for_statement":                   {Do: Block},
	"for_in_statement":                {Do: Block, Hook: scriptForIn, Left: "left"},
	"catch_clause":                    {Do: Block, Hook: scriptCatch},
	"if_statement":                    {Do: If, Cond: "condition", Body: "consequence", Else: "alternative"},
	"return_statement":                {Do: Return},
	"labeled_statement":               {Do: Labeled},
	"break_statement":                 {Do: Skip},
	"continue_statement":              {Do: Skip},
	"statement_identifier":            {Do: Skip},
	"assignment_expression":           {Do: Assign, Eval: scriptAssigned, Hook: scriptAssignment, Left: "left", Right: "right"},
	"augmented_assignment_expression": {Do: Assign, Eval: scriptAugmented, Hook: scriptAugment, Left: "left", Right: "right"},
	"update_expression":               {Do: UnaryExpr, Eval: scriptUpdate},

	"object_pattern":            {Do: MapExpr, Hook: scriptPatternParameter},
	"array_pattern":             {Do: TupleExpr, Hook: scriptPatternParameter},
	"assignment_pattern":        {Do: Bind, Hook: scriptPatternParameter, Name: "left", Value: "right"},
	"object_assignment_pattern": {Do: Bind, Name: "left", Value: "right"},
	"pair_pattern":              {Do: Pair, Left: "key", Right: "value"},
	"rest_pattern":              {Do: Pass, Hook: scriptRestParameter},

	"identifier":                            {Do: Ident},
	"property_identifier":                   {Do: Ident},
	"private_property_identifier":           {Do: Ident},
	"shorthand_property_identifier":         {Do: Ident},
	"shorthand_property_identifier_pattern": {Do: Ident},
	"undefined":                             {Do: Skip},
	"null":                                  {Do: Skip},
	"this":                                  {Do: SelfExpr},
	"super":                                 {Do: SuperExpr},
	"meta_property":                         {Do: Skip},
	"member_expression":                     {Do: Member, Of: "object", Name: "property"},
	"subscript_expression":                  {Do: IndexExpr, Eval: scriptSubscript, Of: "object", Args: "index"},
	"call_expression":                       {Do: CallExpr, Eval: scriptCall, Of: "function", Args: "arguments"},
	"new_expression":                        {Do: NewExpr, Eval: scriptNew, Type: "constructor", Args: "arguments"},
	"await_expression":                      {Do: UnaryExpr, Eval: scriptAwait},
	"unary_expression":                      {Do: UnaryExpr, Eval: scriptUnary},
	"binary_expression":                     {Do: BinaryExpr, Eval: scriptBinary, Left: "left", Right: "right"},
	"ternary_expression":                    {Do: CondExpr, Cond: "condition"},
	"parenthesized_expression":              {Do: ParenExpr},
	"sequence_expression":                   {Do: ParenExpr},
	"yield_expression":                      {Do: Block, Eval: scriptYield},
	"spread_element":                        {Do: UnaryExpr, Eval: scriptSpread},
	"array":                                 {Do: SeqExpr},
	"object":                                {Do: MapExpr, Eval: scriptObject},
	"pair":                                  {Do: Pair, Left: "key", Right: "value"},
	"string":                                {Do: LiteralExpr, Lit: "string"},
	"template_string":                       {Do: LiteralExpr, Lit: "string"},
	"number":                                {Do: LiteralExpr, Lit: "number"},
	"true":                                  {Do: LiteralExpr, Lit: "boolean"},
	"false":                                 {Do: LiteralExpr, Lit: "boolean"},
	"regex":                                 {Do: LiteralExpr, Lit: "RegExp"},
}

// elementRules are the nodes of element syntax: a tag is a call of the component that it names.
var elementRules = map[string]Rule{
	"jsx_opening_element":      {Hook: scriptElement},
	"jsx_self_closing_element": {Hook: scriptElement},
	"jsx_closing_element":      {Do: Skip},
	"jsx_attribute":            {Hook: scriptAttribute},
	"jsx_namespace_name":       {Do: Skip},
}

var scriptSemantics = Semantics{
	Library: map[string]Yield{
		"filter": YieldSame, "slice": YieldSame, "concat": YieldSame, "reverse": YieldSame, "sort": YieldSame, "splice": YieldSame, "toSorted": YieldSame, "catch": YieldSame, "finally": YieldSame,
		"find": YieldElem, "findLast": YieldElem, "at": YieldElem, "pop": YieldElem, "shift": YieldElem, "get": YieldElem,
		"map": YieldMapped, "flatMap": YieldFlat, "reduce": YieldResult, "values": YieldList, "keys": YieldKeys, "entries": YieldPairs, "then": YieldMappedSame,
	},
	Callbacks: map[string]uint8{
		"map": 1, "filter": 1, "forEach": 1, "find": 1, "findIndex": 1, "findLast": 1, "some": 1, "every": 1, "flatMap": 1, "then": 1, "sort": 3, "toSorted": 3, "reduce": 2,
	},
	Hoist:        true,
	HoistValues:  true,
	Holes:        true,
	InferReturns: true,
	And:          "&&",
	Is:           "instanceof",
	Space:        scriptSpace,
	Constructors: []string{"constructor"},
	Builtins:     scriptBuiltins,
	Modules:      scriptModules,
}

// scriptSpace: a file that imports and exports is a module of its own; the others share the global scope.
func scriptSpace(p string, f *graph.Facts) (string, string) {
	if f.Package == scriptGlobal {
		return "script", scriptGlobal
	}
	return "file", p
}

const scriptGlobal = "global"

var scriptBuiltins = func() map[string]string {
	m := map[string]string{"String": "string", "Number": "number", "Boolean": "boolean", "parseInt": "number", "parseFloat": "number", "isNaN": "boolean",
		"isFinite": "boolean", "encodeURIComponent": "string", "decodeURIComponent": "string", "encodeURI": "string", "decodeURI": "string"}
	for _, n := range strings.Fields(`Array Object Function Symbol BigInt Math JSON Date RegExp Map Set WeakMap WeakSet WeakRef Promise Proxy Reflect Error
		TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError ArrayBuffer SharedArrayBuffer DataView Atomics Int8Array Uint8Array
		Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Intl globalThis window self
		global document navigator location history console process Buffer module exports require __dirname __filename setTimeout clearTimeout setInterval
		clearInterval setImmediate clearImmediate queueMicrotask structuredClone fetch Request Response Headers URL URLSearchParams AbortController
		AbortSignal Event EventTarget CustomEvent FormData Blob File FileReader WebSocket Worker XMLHttpRequest TextEncoder TextDecoder performance
		requestAnimationFrame cancelAnimationFrame localStorage sessionStorage alert confirm prompt crypto atob btoa escape unescape eval arguments NaN Infinity
		Iterator AsyncIterator Generator AsyncGenerator Iterable AsyncIterable IterableIterator PromiseLike ArrayLike Partial Required Readonly Record Pick
		Omit Exclude Extract NonNullable Parameters ReturnType InstanceType ConstructorParameters Awaited ThisType Uppercase Lowercase Capitalize
		Uncapitalize ReadonlyArray ReadonlyMap ReadonlySet PropertyKey PropertyDescriptor Element HTMLElement Node NodeJS JSX`) {
		m[n] = ""
	}
	return m
}()

// scriptString is the text between a string's quotes.
func scriptString(b *Builder, n int32) string {
	s := b.Text(n)
	if len(s) >= 2 {
		s = s[1 : len(s)-1]
	}
	return s
}

// scriptName is the name that a member's name node spells where that is not its text.
func scriptName(b *Builder, n int32) string {
	if b.Is(n, "string") {
		return scriptString(b, n)
	}
	return ""
}

// scriptUnwrap looks through parentheses and casts that leave a value what it is.
func scriptUnwrap(b *Builder, n int32) int32 {
	for n >= 0 {
		switch b.Kind(n) {
		case "parenthesized_expression", "satisfies_expression", "non_null_expression", "type_annotation":
			n = b.First(n)
		case "as_expression":
			t := b.First(n)
			if t = b.Next(n, t); t >= 0 && !b.Is(t, "const") {
				return n
			}
			n = b.First(n)
		default:
			return n
		}
	}
	return n
}

// scriptHold says that the members of the literal at value are those of sym.
func scriptHold(b *Builder, value, sym int32) {
	if v := scriptUnwrap(b, value); b.Is(v, "object") || b.Is(v, "object_type") {
		b.Scratch[0], b.Scratch[1] = v, sym
	}
}

// scriptHolder is the symbol that holds the members of the literal at n, or None.
func scriptHolder(b *Builder, n int32) int32 {
	if b.Scratch[0] != n {
		return graph.None
	}
	b.Scratch[0] = graph.None
	return b.Scratch[1]
}

// scriptIsFunction reports whether n is a function written out.
func scriptIsFunction(b *Builder, n int32) bool {
	return b.Is(n, "arrow_function") || b.Is(n, "function_expression") || b.Is(n, "generator_function")
}

// scriptDefine makes the function at fn a definition called name (or text) that extends over node.
func scriptDefine(b *Builder, kind graph.Kind, name int32, text string, node, fn int32) int32 {
	sym := b.Symbol(kind, name, node, text)
	if b.Is(name, "string") {
		b.Sym(sym).NameOff++
	}
	b.bindNested(sym)
	scriptBody(b, sym, fn)
	return sym
}

// scriptBody fills sym with the parts of the function at fn, whose own name is visible only in it.
func scriptBody(b *Builder, sym, fn int32) {
	s := b.Sym(sym)
	s.Flags |= b.rule(fn).Flags
	if b.Has(fn, "async") {
		s.Flags |= graph.Async
	}
	if b.Has(fn, "*") || b.Is(fn, "generator_function") {
		s.Flags |= graph.Generator
	}
	own := b.Field(fn, "name")
	if d := b.rule(fn).Do; d != LambdaExpr {
		own = graph.None
	}
	if own >= 0 {
		b.push(blockFrame, graph.None)
		l := b.Local(b.nodeStr(own), b.Off(own), graph.None, graph.None, 0)
		b.F.Locals[l].Symbol = sym
	}
	b.Body(sym, fn, nil)
	if own >= 0 {
		b.pop()
	}
	scriptAwaited(b, sym)
}

// scriptAwaited: the result of an async function is what its declared promise is of.
func scriptAwaited(b *Builder, sym int32) {
	s := b.Sym(sym)
	if s.Flags&graph.Async == 0 || s.Type < 0 {
		return
	}
	e := b.F.Exprs[s.Type]
	if kids := b.F.List(e.Kids); e.Op == graph.OpIndex && e.X >= 0 && len(kids) == 1 && b.F.Str(b.F.Exprs[e.X].Name) == "Promise" {
		s.Type = kids[0]
	}
}

// scriptFunction is a function declaration.
func scriptFunction(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	scriptDefine(b, graph.Function, name, "", n, n)
	return true
}

// scriptFunctionValue is a function expression: one with a name is a definition.
func scriptFunctionValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	name := b.Field(n, "name")
	if name < 0 {
		return b.lambda(n, b.rule(n), want)
	}
	doc := b.doc
	b.doc = docRun{}
	b.push(blockFrame, graph.None)
	sym := scriptDefine(b, graph.Function, name, "", n, n)
	b.pop()
	b.doc = doc
	return b.ifWanted(want, graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)})
}

// scriptVariables is a declaration of variables. With one name, the statement is the definition's extent.
func scriptVariables(b *Builder, n int32) bool {
	kind, count := graph.Variable, 0
	if b.Has(n, "const") {
		kind = graph.Constant
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "variable_declarator") {
			count++
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "variable_declarator"):
			extent := c
			if count == 1 {
				extent = n
			}
			scriptVariable(b, extent, c, kind)
			b.doc = docRun{}
		case b.rule(c).Do == Comment:
			b.comment(c)
		default:
			b.Visit(c)
		}
	}
	return true
}

func scriptVariable(b *Builder, extent, n int32, kind graph.Kind) {
	name, typ, value := b.Field(n, "name"), b.Field(n, "type"), b.Field(n, "value")
	if name < 0 {
		b.visitChildren(n)
		return
	}
	if inner := jsExportChain(b, value); inner >= 0 && b.rule(name).Do == Ident {
		b.Scratch[2] = int32(len(b.F.Symbols))
		value = inner
		defer func() { b.F.Symbols[b.Scratch[2]].Flags |= graph.Default }()
	}
	fn := scriptUnwrap(b, value)
	if b.rule(name).Do == Ident && scriptIsFunction(b, fn) {
		sym := scriptDefine(b, graph.Function, name, "", extent, fn)
		if typ >= 0 {
			t := b.Type(typ, graph.TypeUse)
			b.Sym(sym).Init = b.ifWanted(t >= 0, graph.Expr{Op: graph.OpCast, X: graph.None, Kids: b.List(t), Off: b.Off(name)})
		}
		return
	}
	if b.rule(name).Do == Ident && b.Is(fn, "class") {
		scriptNamedClass(b, name, "", extent, fn)
		return
	}
	if scriptRequired(b, name, value) {
		return
	}
	if b.rule(name).Do != Ident {
		init := b.Value(value, graph.Read, true)
		if typ >= 0 {
			if t := b.Type(typ, graph.TypeUse); t >= 0 {
				init = b.Expr(graph.Expr{Op: graph.OpCast, X: init, Kids: b.List(t), Off: b.Off(name)})
			}
		}
		r := &compiled{Rule: Rule{Kind: kind}}
		b.declarePattern(name, n, r, init)
		return
	}
	if b.InFunction() {
		t := b.Type(typ, graph.TypeUse)
		b.DeclareLocal(name, t, b.Value(value, graph.Read, true))
		return
	}
	sym := b.Symbol(kind, name, extent, "")
	scriptTypeAndValue(b, sym, typ, value)
}

// scriptTypeAndValue gives sym its declared type and its value.
func scriptTypeAndValue(b *Builder, sym, typ, value int32) {
	doc := b.doc
	b.doc = docRun{}
	in := b.in
	b.in = sym
	if typ >= 0 {
		scriptHold(b, typ, sym)
		t := b.Type(typ, graph.TypeUse)
		b.Sym(sym).Type = t
	}
	if value >= 0 {
		if t := scriptUnwrap(b, typ); !b.Is(t, "object_type") {
			scriptHold(b, value, sym)
		}
		v := b.Value(value, graph.Read, true)
		b.Sym(sym).Init = v
	}
	b.in, b.doc = in, doc
}

// scriptForIn binds the loop's name for the loop alone, unless it is declared with var.
func scriptForIn(b *Builder, n int32) bool {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	b.Scope(func() {
		v := b.Value(right, graph.Read, true)
		elem := b.Of(graph.OpElem, n, v)
		if elem >= 0 && !b.Has(n, "of") {
			b.F.Exprs[elem].N = 1
		}
		switch {
		case left < 0:
		case b.Field(n, "kind") >= 0:
			b.BindPattern(left, elem)
		default:
			b.AssignTo(left, elem, graph.None)
		}
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if c != left && c != right {
				b.Visit(c)
			}
		}
	})
	return true
}

func scriptCatch(b *Builder, n int32) bool {
	b.Scope(func() {
		param := b.Field(n, "parameter")
		t := b.Type(b.Field(n, "type"), graph.TypeUse)
		if param >= 0 && b.rule(param).Do == Ident {
			b.Local(b.nodeStr(param), b.Off(param), t, graph.None, 0)
		} else if param >= 0 {
			b.BindPattern(param, t)
		}
		if body := b.Field(n, "body"); body >= 0 {
			b.Visit(body)
		}
	})
	return true
}

// scriptPatternParameter is a pattern, perhaps with a default, in the place of a parameter.
func scriptPatternParameter(b *Builder, n int32) bool {
	left, init, flags := n, graph.None, graph.Param
	if b.Is(n, "assignment_pattern") {
		left = b.Field(n, "left")
		init = b.Value(b.Field(n, "right"), graph.Read, true)
		flags |= graph.OptionalParam
	}
	if left >= 0 && b.rule(left).Do == Ident {
		b.Local(b.nodeStr(left), b.Off(left), graph.None, init, flags)
		return true
	}
	l := b.Local(0, b.Off(n), graph.None, init, flags)
	if left >= 0 {
		b.BindPattern(left, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)}))
	}
	return true
}

func scriptRestParameter(b *Builder, n int32) bool {
	scriptRest(b, n, graph.None)
	return true
}

// scriptRest is a last parameter that takes all further arguments.
func scriptRest(b *Builder, n, typ int32) {
	if typ < 0 {
		typ = b.Expr(graph.Expr{Op: graph.OpArray, X: graph.None, Off: b.Off(n)})
	}
	id := b.First(n)
	flags := graph.Param | graph.VariadicParam
	if id >= 0 && b.rule(id).Do == Ident {
		b.Local(b.nodeStr(id), b.Off(id), typ, graph.None, flags)
		return
	}
	l := b.Local(0, b.Off(n), typ, graph.None, flags)
	if id >= 0 {
		b.BindPattern(id, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)}))
	}
}
