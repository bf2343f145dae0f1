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
	"decorator":                       {Do: Skip},
	"class_static_block":              {Do: Block, Hook: scriptStatic},
	"statement_block":                 {Do: Block},
	"expression_statement":            {Do: Pass, Hook: scriptStatement},
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
	"this":                                  {Do: SelfExpr, Eval: scriptThis},
	"super":                                 {Do: SuperExpr},
	"meta_property":                         {Do: Skip},
	"member_expression":                     {Do: Member, Of: "object", Name: "property"},
	"subscript_expression":                  {Do: IndexExpr, Eval: scriptSubscript, Of: "object", Args: "index"},
	"call_expression":                       {Do: CallExpr, Eval: scriptCall, Of: "function", Args: "arguments"},
	"new_expression":                        {Do: NewExpr, Eval: scriptNew, Type: "constructor", Args: "arguments"},
	"await_expression":                      {Do: UnaryExpr, Eval: scriptAwait},
	"unary_expression":                      {Do: UnaryExpr, Eval: scriptUnary},
	"binary_expression":                     {Do: BinaryExpr, Eval: scriptBinary, Left: "left", Right: "right"},
	"ternary_expression":                    {Do: CondExpr, Eval: scriptTernary, Cond: "condition"},
	"parenthesized_expression":              {Do: ParenExpr},
	"sequence_expression":                   {Do: ParenExpr},
	"yield_expression":                      {Do: Block, Eval: scriptYield, Hook: scriptYields},
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

// elementRules are the nodes of element syntax: a tag is a call of the component that it names, but an element is no
// value of its type.
var elementRules = map[string]Rule{
	"jsx_element":              {Do: Wrap},
	"jsx_opening_element":      {Do: Wrap, Hook: scriptElement},
	"jsx_self_closing_element": {Do: Wrap, Hook: scriptElement},
	"jsx_closing_element":      {Do: Wrap, Hook: scriptElementEnd},
	"jsx_attribute":            {Hook: scriptAttribute},
	"jsx_namespace_name":       {Do: Skip},
}

var scriptSemantics = Semantics{
	Library: map[string]Yield{
		"filter": YieldSame, "slice": YieldSame, "concat": YieldSame, "reverse": YieldSame, "sort": YieldSame, "splice": YieldSame, "toSorted": YieldSame, "catch": YieldSame, "finally": YieldSame,
		"find": YieldElem, "findLast": YieldElem, "at": YieldElem, "pop": YieldElem, "shift": YieldElem, "get": YieldElem,
		"map": YieldMapped, "flatMap": YieldFlat, "reduce": YieldResult, "reduceRight": YieldResult, "flat": YieldFlatElem, "values": YieldList, "keys": YieldKeys, "entries": YieldPairs, "then": YieldMappedSame,
	},
	Paired:  []string{"Map", "ReadonlyMap", "WeakMap"},
	Gathers: []string{"Set", "WeakSet"},
	Functions: map[string]Yield{
		"Object.values": YieldList, "Object.keys": YieldKeys, "Object.entries": YieldPairs, "Object.freeze": YieldSame, "Object.seal": YieldSame,
		"Object.assign": YieldAll, "Object.fromEntries": YieldMap, "Array.from": YieldListed, "Promise.resolve": YieldSame, "Promise.all": YieldSame,
		"Promise.race": YieldElem, "Promise.any": YieldElem,
	},
	Callbacks: map[string]uint8{
		"map": 1, "filter": 1, "forEach": 1, "find": 1, "findIndex": 1, "findLast": 1, "some": 1, "every": 1, "flatMap": 1, "then": 1, "sort": 3, "toSorted": 3, "reduce": 2, "reduceRight": 2, "findLastIndex": 1,
	},
	AttributesInherit: true,

	Contextual:  true,
	Facets:      []string{"Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit", "Exclude", "Extract", "NoInfer"},
	TypeOps:     map[string]TypeOp{"ReturnType": OpResult, "InstanceType": OpInstance, "Parameters": OpParameters, "ConstructorParameters": OpParameters, "Awaited": OpAwaited},
	Omits:       "Omit",
	Picks:       "Pick",
	MapsOpen:    true,
	ReceiverOf:  "ThisType",
	CallMembers: []string{tsCallName},
	NewMembers:  []string{tsNewName},
	IterMembers: []string{"[Symbol.iterator]", "[Symbol.asyncIterator]"},
	Outcomes:    scriptOutcomes,
	Components:  map[string]int{"FC": 0, "FunctionComponent": 0, "memo": 0, "forwardRef": 1, "ForwardRefRenderFunction": 1},
	BaseMembers: map[string]int{"Component.props": 0, "Component.state": 1, "PureComponent.props": 0, "PureComponent.state": 1},
	Sequences:   "Array.isArray",
	Later:       []string{"then", "catch", "finally"},
	Folds:       []string{"reduce", "reduceRight"},
	Rebinds:     []string{"bind", "call", "apply"},

	Hoist:        true,
	HoistValues:  true,
	Holes:        true,
	InferReturns: true,
	And:          "&&",
	Or:           "||",
	Not:          '!',
	Leaves:       []string{"return_statement", "throw_statement", "break_statement", "continue_statement"},
	Shows:        true,
	Is:           "instanceof",
	Space:        scriptSpace,
	Constructors: []string{"constructor"},
	Builtins:     scriptBuiltins,
	Modules:      scriptModules,
}

// scriptSpace: a file that imports and exports is a module of its own; the others share the global scope.
func scriptSpace(p string, f *graph.Facts) (string, string) {
	if f.Package == scriptGlobal {
		return scriptShared, scriptGlobal
	}
	return "file", p
}

// The namespace of the global scope.
const (
	scriptShared = "script"
	scriptGlobal = "global"
)

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

// scriptOutcomes are what functions of a widespread library of components yield.
var scriptOutcomes = map[string]Outcome{
	".useState": {Yields: "(<=0,_)"}, ".useRef": {Yields: "{_:<0}"}, ".createRef": {Yields: "{_:<_}"}, ".useMemo": {Yields: "<!0"}, ".useCallback": {Yields: "0"},
	".createContext": {Yields: "[<0]"}, ".useContext": {Yields: "<*0"}, ".useReducer": {Yields: "(!0,_)"}, ".useDeferredValue": {Yields: "0"},
	".useSyncExternalStore": {Yields: "!1"}, ".memo": {Yields: "0"}, ".forwardRef": {Yields: "0"},
}
