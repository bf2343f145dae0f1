package lang

import (
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tsswift "github.com/smacker/go-tree-sitter/swift"
)

var swift = &Language{
	Name:       "swift",
	Extensions: []string{".swift"},
	Tests:      []string{"*Tests.swift", "*Test.swift", "*Spec.swift", "Tests/"},
	Shebangs:   []string{"swift"},
	Tokens:     []string{"struct", "enum", "class", "extension", "actor", "static"},
	grammar:    tsswift.GetLanguage,
	Rules: map[string]Rule{
		"comment":            {Do: Comment},
		"multiline_comment":  {Do: Comment},
		"shebang_line":       {Do: Skip},
		"directive":          {Do: Skip},
		"diagnostic":         {Do: Skip},
		"import_declaration": {Do: ImportDecl, Hook: swiftImport},

		"class_declaration":             {Do: Define, Kind: graph.Class, Hook: swiftClass},
		"protocol_declaration":          {Do: Define, Kind: graph.Interface, Hook: swiftClass},
		"function_declaration":          {Do: Define, Kind: graph.Function, Hook: swiftFunction},
		"protocol_function_declaration": {Do: Define, Kind: graph.Method, Hook: swiftFunction},
		"init_declaration":              {Do: Define, Kind: graph.Constructor, Hook: swiftFunction},
		"deinit_declaration":            {Do: Define, Kind: graph.Method, Hook: swiftFunction},
		"subscript_declaration":         {Do: Define, Kind: graph.Method, Hook: swiftFunction},
		"macro_declaration":             {Do: Define, Kind: graph.Macro, Name: ".simple_identifier"},
		"property_declaration":          {Do: Declare, Kind: graph.Property, Hook: swiftProperty},
		"protocol_property_declaration": {Do: Declare, Kind: graph.Property, Hook: swiftProperty},
		"enum_entry":                    {Hook: swiftEntry},
		"typealias_declaration":         {Do: Define, Kind: graph.TypeAlias, Hook: swiftAlias},
		"associatedtype_declaration":    {Do: Define, Kind: graph.TypeAlias, Hook: swiftAlias},
		"operator_declaration":          {Do: Skip},
		"precedence_group_declaration":  {Do: Skip},
		"type_parameter":                {Hook: swiftTypeParam},
		"type_constraint":               {Hook: swiftConstraint},
		"where_keyword":                 {Do: Skip},
		"attribute":                     {Hook: swiftAttribute},
		"modifiers":                     {},

		"if_statement":           {Do: If, Hook: swiftIf, Eval: swiftIfValue},
		"guard_statement":        {Hook: swiftGuard},
		"while_statement":        {Do: Block, Hook: swiftWhile},
		"repeat_while_statement": {Do: Block},
		"for_statement":          {Do: Iterate, Hook: swiftFor},
		"switch_statement":       {Hook: swiftSwitch, Eval: swiftSwitchValue},
		"do_statement":           {Do: Block},
		"catch_block":            {Do: Block, Hook: swiftCatch},
		"statements":             {Eval: swiftStatements},
		"control_transfer_statement": {
			Hook: swiftTransfer},
		"assignment":      {Do: Assign, Hook: swiftAssign},
		"statement_label": {Do: Skip},

		"simple_identifier":         {Do: Ident, Eval: swiftIdentifier},
		"type_identifier":           {Do: TypeIdent},
		"identifier":                {Do: Skip},
		"navigation_expression":     {Do: Member, Eval: swiftChain},
		"key_path_expression":       {Eval: swiftKeyPath},
		"call_expression":           {Do: CallExpr, Eval: swiftChain},
		"constructor_expression":    {Do: CallExpr, Eval: swiftConstruct},
		"prefix_expression":         {Do: UnaryExpr, Eval: swiftPrefix},
		"postfix_expression":        {Do: UnaryExpr, Eval: swiftChain},
		"try_expression":            {Do: UnaryExpr, Of: "expr"},
		"await_expression":          {Do: UnaryExpr, Of: "expr"},
		"as_expression":             {Do: CastExpr, Value: "expr", Type: "name"},
		"check_expression":          {Do: InstanceOf, Eval: swiftCheck},
		"additive_expression":       {Do: BinaryExpr, Left: "lhs", Right: "rhs"},
		"multiplicative_expression": {Do: BinaryExpr, Left: "lhs", Right: "rhs"},
		"bitwise_operation":         {Do: BinaryExpr, Left: "lhs", Right: "rhs"},
		"infix_expression":          {Do: BinaryExpr, Left: "lhs", Right: "rhs"},
		"comparison_expression":     {Do: BinaryExpr, Eval: swiftCompare},
		"equality_expression":       {Do: BinaryExpr, Eval: swiftCompare},
		"conjunction_expression":    {Do: BinaryExpr, Eval: swiftCompare},
		"disjunction_expression":    {Do: BinaryExpr, Eval: swiftCompare},
		"nil_coalescing_expression": {Do: BinaryExpr, Left: "value", Right: "if_nil"},
		"ternary_expression":        {Do: CondExpr, Cond: "condition"},
		"range_expression":          {Hook: swiftRange},
		"tuple_expression":          {Do: TupleExpr, Eval: swiftTuple},
		"lambda_literal":            {Do: LambdaExpr, Eval: swiftLambda},
		"array_literal":             {Do: SeqExpr},
		"dictionary_literal":        {Do: MapExpr, Eval: swiftDictionary},
		"self_expression":           {Do: SelfExpr},
		"super_expression":          {Do: SuperExpr},
		"wildcard_pattern":          {Do: Skip},
		"integer_literal":           {Do: LiteralExpr, Lit: "Int"},
		"hex_literal":               {Do: LiteralExpr, Lit: "Int"},
		"bin_literal":               {Do: LiteralExpr, Lit: "Int"},
		"oct_literal":               {Do: LiteralExpr, Lit: "Int"},
		"real_literal":              {Do: LiteralExpr, Lit: "Double"},
		"boolean_literal":           {Do: LiteralExpr, Lit: "Bool"},
		"line_string_literal":       {Do: LiteralExpr, Lit: "String"},
		"multi_line_string_literal": {Do: LiteralExpr, Lit: "String"},
		"raw_string_literal":        {Do: LiteralExpr, Lit: "String"},
		"regex_literal":             {Do: LiteralExpr, Lit: "Regex"},
		"interpolated_expression":   {Do: Pass},
		"selector_expression":       {Do: Pass},
		"availability_condition":    {Do: Skip},

		"user_type":                 {Do: GenericType, EvalType: swiftUserType},
		"optional_type":             {EvalType: swiftInner},
		"opaque_type":               {EvalType: swiftInner},
		"existential_type":          {EvalType: swiftInner},
		"type_annotation":           {EvalType: swiftInner},
		"tuple_type_item":           {EvalType: swiftInner},
		"metatype":                  {EvalType: swiftInner},
		"type_pack_expansion":       {EvalType: swiftInner},
		"type_parameter_pack":       {EvalType: swiftInner},
		"array_type":                {Do: ArrayType},
		"dictionary_type":           {Do: MapType, EvalType: swiftDictionaryType},
		"tuple_type":                {Do: TupleExpr, EvalType: swiftTupleType},
		"function_type":             {Do: FuncType, EvalType: swiftFuncType},
		"protocol_composition_type": {Do: UnionType},
	},
	Semantics: Semantics{
		Space:            swiftSpace,
		ImplicitThis:     true,
		FarMembers:       true,
		OpenLibrary:      true,
		Overloads:        true,
		Constructors:     []string{"init"},
		CallMakes:        true,
		AbsentIsExternal: true,
		Blank:            true,
		Builtins:         swiftBuiltins,
		Top:              "Any",
		TopMembers:       strings.Fields("self hashValue description debugDescription rawValue allCases map flatMap hash encode init"),
		CallMembers:      []string{"callAsFunction"},
		IndexMembers:     []string{"subscript"},
		IterMembers:      []string{"makeIterator", "next"},
		Library:          swiftLibrary,
		Callbacks:        swiftCallbacks,
		Modules:          swiftModules,
		Prepare:          swiftPrepare,
	},
}

// swiftSpace is the module that a file belongs to: the folder below Sources or Tests that holds it, as
// the package manager has it; elsewhere all files are of one.
func swiftSpace(p string, f *graph.Facts) (string, string) {
	parts := strings.Split(path.Dir(p), "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if parts[i] == "Sources" || parts[i] == "Tests" || parts[i] == "Plugins" {
			return "swift", parts[i+1]
		}
	}
	return "swift", ""
}

// swiftModules: an import leads to the module of that name.
func swiftModules(q ModuleQuery) []Candidate {
	name, member, _ := strings.Cut(q.Module, ".")
	for _, dir := range q.Base("Package.swift") {
		for _, kind := range []string{"Sources", "Tests", "Plugins"} {
			if at := path.Join(path.Dir(dir), kind, name); q.Folder(at) {
				return []Candidate{{Scope: graph.Scope("swift", name), Member: member}}
			}
		}
	}
	return nil
}

// swiftImport is `import A` or `import struct A.B`.
func swiftImport(b *Builder, n int32) bool {
	id := b.Child(n, "identifier")
	if id < 0 {
		return true
	}
	imp := graph.Imported{Module: b.nodeStr(id), ModuleOff: b.Off(id), In: graph.None, Flags: graph.Star}
	if text := b.Text(id); strings.Contains(text, ".") {
		last := text[strings.LastIndexByte(text, '.')+1:]
		if last != "" && last[0] >= 'A' && last[0] <= 'Z' {
			imp.Flags, imp.Local = 0, b.Str(last)
			imp.ModuleOff += uint32(len(text) - len(last))
		}
	}
	b.F.Imports = append(b.F.Imports, imp)
	return true
}

// swiftModifiers are the flags of the modifiers of n; attributes among them are visited.
func swiftModifiers(b *Builder, n int32) graph.Flags {
	f := graph.Exported
	if b.Has(n, "class") && !b.Is(n, "class_declaration") {
		f |= graph.Static
	}
	m := b.Child(n, "modifiers")
	doc := b.doc
	for c := b.First(m); c >= 0; c = b.Next(m, c) {
		switch text := b.Text(c); {
		case b.Is(c, "attribute"):
			b.Visit(c)
		case text == "private", text == "fileprivate":
			f = f&^graph.Exported | graph.Private
			if b.AtFile() {
				f |= graph.FileLocal
			}
		case text == "static", text == "class":
			f |= graph.Static
		}
	}
	b.doc = doc
	return f
}

func swiftAttribute(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "user_type") {
			continue
		}
		if text := b.Text(c); text != "" && text[0] >= 'A' && text[0] <= 'Z' {
			b.Type(c, graph.TypeUse)
		}
	}
	return true
}
