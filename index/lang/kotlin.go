package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tskotlin "github.com/smacker/go-tree-sitter/kotlin"
)

var kotlin = &Language{
	Name:       "kotlin",
	Aliases:    []string{"kt"},
	Extensions: []string{".kt", ".kts"},
	Tests:      []string{"*Test.kt", "*Tests.kt", "*Spec.kt", "src/test/", "src/androidTest/", "src/commonTest/", "src/jvmTest/"},
	Tokens:     []string{"interface", "enum", "fun", "is", "!is", "in", "!in", "vararg"},
	grammar:    tskotlin.GetLanguage,
	Rules: map[string]Rule{
		"line_comment":      {Do: Comment},
		"multiline_comment": {Do: Comment},
		"shebang_line":      {Do: Skip},
		"package_header":    {Hook: kotlinPackage},
		"import_header":     {Do: Pass, Hook: kotlinImport},

		"class_declaration":           {Do: Define, Kind: graph.Class, Hook: kotlinClass},
		"object_declaration":          {Do: Define, Kind: graph.Class, Hook: kotlinClass},
		"companion_object":            {Do: Define, Kind: graph.Class, Hook: kotlinClass},
		"secondary_constructor":       {Do: Define, Kind: graph.Constructor, Hook: kotlinSecondary},
		"constructor_delegation_call": {Hook: kotlinDelegation},
		"enum_entry":                  {Hook: kotlinEntry},
		"function_declaration":        {Do: Define, Kind: graph.Function, Hook: kotlinFunction},
		"type_alias":                  {Do: Define, Kind: graph.TypeAlias, Hook: kotlinAlias},
		"property_declaration":        {Do: Declare, Kind: graph.Property, Hook: kotlinProperty},
		"getter":                      {Hook: kotlinAccessor},
		"setter":                      {Hook: kotlinAccessor},
		"function_value_parameters":   {Hook: kotlinParameters},
		"type_parameter":              {Hook: kotlinTypeParam},
		"type_constraint":             {Hook: kotlinTypes},
		"annotation":                  {Hook: kotlinAnnotation},
		"file_annotation":             {Hook: kotlinAnnotation},
		"modifiers":                   {},
		"type_modifiers":              {},

		"control_structure_body": {Do: Block, Eval: kotlinBody},
		"statements":             {Eval: kotlinStatements},
		"anonymous_initializer":  {Do: Block},
		"if_expression":          {Do: If, Hook: kotlinIf, Eval: kotlinIfValue},
		"when_expression":        {Hook: kotlinWhen, Eval: kotlinWhenValue},
		"for_statement":          {Do: Iterate, Hook: kotlinFor},
		"while_statement":        {Do: Block},
		"do_while_statement":     {Do: Block},
		"try_expression":         {Do: CondExpr},
		"catch_block":            {Do: Block, Hook: kotlinCatch, Eval: kotlinCatchValue},
		"finally_block":          {Do: Block},
		"jump_expression":        {Hook: kotlinJump},
		"assignment":             {Do: Assign, Hook: kotlinAssign},
		"label":                  {Do: Skip},

		"simple_identifier":       {Do: Ident, Eval: kotlinName},
		"type_identifier":         {Do: TypeIdent},
		"interpolated_identifier": {Do: Ident},
		"identifier":              {Do: Skip},
		"navigation_expression":   {Do: Member, Eval: kotlinNavigation},
		"call_expression":         {Do: CallExpr, Eval: kotlinCall},
		"infix_expression":        {Do: CallExpr, Eval: kotlinInfix},
		"indexing_expression":     {Do: IndexExpr, Eval: kotlinIndexed},
		"callable_reference":      {Do: Member, Eval: kotlinReference},
		"as_expression":           {Do: CastExpr, Eval: kotlinCast},
		"check_expression":        {Do: InstanceOf, Eval: kotlinCheck},
		"elvis_expression":        {Do: CondExpr},
		"additive_expression":     {Do: BinaryExpr, Eval: kotlinBinary},
		"multiplicative_expression": {
			Do: BinaryExpr, Eval: kotlinBinary},
		"range_expression":         {Do: BinaryExpr, Eval: kotlinBinary},
		"comparison_expression":    {Do: BinaryExpr, Eval: kotlinTest},
		"equality_expression":      {Do: BinaryExpr, Eval: kotlinTest},
		"conjunction_expression":   {Do: BinaryExpr, Eval: kotlinTest},
		"disjunction_expression":   {Do: BinaryExpr, Eval: kotlinTest},
		"prefix_expression":        {Do: UnaryExpr, Eval: kotlinUnary},
		"postfix_expression":       {Do: UnaryExpr, Eval: kotlinUnary},
		"parenthesized_expression": {Do: ParenExpr},
		"lambda_literal":           {Do: LambdaExpr, Eval: kotlinLambda},
		"annotated_lambda":         {Do: ParenExpr},
		"anonymous_function":       {Do: LambdaExpr, Eval: kotlinAnonymous},
		"object_literal":           {Do: CondExpr, Eval: kotlinObject},
		"this_expression":          {Do: SelfExpr, Eval: kotlinThis},
		"super_expression":         {Do: SuperExpr},
		"integer_literal":          {Do: LiteralExpr, Lit: "Int"},
		"hex_literal":              {Do: LiteralExpr, Lit: "Int"},
		"bin_literal":              {Do: LiteralExpr, Lit: "Int"},
		"long_literal":             {Do: LiteralExpr, Lit: "Long"},
		"unsigned_literal":         {Do: LiteralExpr, Lit: "UInt"},
		"real_literal":             {Do: LiteralExpr, Lit: "Double"},
		"character_literal":        {Do: LiteralExpr, Lit: "Char"},
		"string_literal":           {Do: LiteralExpr, Lit: "String"},
		"boolean_literal":          {Do: LiteralExpr, Lit: "Boolean"},
		"collection_literal":       {Do: SeqExpr},

		"user_type":          {Do: GenericType, EvalType: kotlinUserType},
		"nullable_type":      {EvalType: kotlinInner},
		"parenthesized_type": {EvalType: kotlinInner},
		"type_projection":    {EvalType: kotlinInner},
		"function_type":      {Do: FuncType, EvalType: kotlinFuncType},
	},
	Semantics: Semantics{
		Space:            func(p string, f *graph.Facts) (string, string) { return "java", f.Package },
		SpaceAnswers:     true,
		ImplicitThis:     true,
		FarMembers:       true,
		OpenLibrary:      true,
		ExtendsTypes:     true,
		Overloads:        true,
		Constructors:     []string{"constructor"},
		Qualified:        true,
		CallMakes:        true,
		InferReturns:     true,
		AbsentIsExternal: true,
		Builtins:         kotlinBuiltins,
		Top:              "Any",
		TopMembers:       strings.Fields("toString equals hashCode let run also apply takeIf takeUnless to name ordinal values valueOf entries copy javaClass use runCatching"),
		CallMembers:      []string{"invoke"},
		IndexMembers:     []string{"get"},
		IterMembers:      []string{"iterator", "next"},
		Library:          kotlinLibrary,
		Callbacks:        kotlinCallbacks,
		Modules:          javaModules,
		Prepare:          kotlinPrepare,
	},
}

func kotlinPackage(b *Builder, n int32) bool {
	b.F.Package = kotlinDotted(b, b.Child(n, "identifier"))
	b.doc = docRun{}
	kotlinComments(b, n)
	return true
}

// kotlinComments takes the comments that the grammar leaves at the end of n, which are about what
// follows.
func kotlinComments(b *Builder, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do == Comment {
			b.comment(c)
		}
	}
}

// kotlinDotted is the dotted name at n without white space, comments and quotes.
func kotlinDotted(b *Builder, n int32) string {
	var parts []string
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "simple_identifier") {
			parts = append(parts, strings.Trim(b.Text(c), "`"))
		}
	}
	return strings.Join(parts, ".")
}

// kotlinImport is `import a.b.C`, `import a.b.*` or `import a.b.C as D`.
func kotlinImport(b *Builder, n int32) bool {
	id := b.Child(n, "identifier")
	if id < 0 {
		return true
	}
	last := graph.None
	for c := b.First(id); c >= 0; c = b.Next(id, c) {
		last = c
	}
	if last < 0 {
		return true
	}
	imp := graph.Imported{Module: b.Str(kotlinDotted(b, id)), ModuleOff: b.Off(last), In: graph.None}
	switch alias := b.Child(n, "import_alias"); {
	case b.Has(n, "wildcard_import"):
		imp.Flags |= graph.Star
	case alias >= 0 && b.First(alias) >= 0:
		imp.Local, imp.Off = b.nodeStr(b.First(alias)), b.Off(b.First(alias))
	default:
		imp.Local = b.Str(strings.Trim(b.Text(last), "`"))
	}
	b.F.Imports = append(b.F.Imports, imp)
	kotlinComments(b, n)
	return true
}

// kotlinModifiers are the flags of the modifiers of n; annotations among them are visited.
func kotlinModifiers(b *Builder, n int32) graph.Flags {
	m := b.Child(n, "modifiers")
	f := graph.Exported
	if m < 0 {
		return f
	}
	doc := b.doc
	for c := b.First(m); c >= 0; c = b.Next(m, c) {
		switch text := b.Text(c); {
		case b.Is(c, "annotation"):
			b.Visit(c)
		case text == "private":
			f = f&^graph.Exported | graph.Private
			if b.AtFile() {
				f |= graph.FileLocal
			}
		case text == "protected":
			f |= graph.Protected
		case text == "abstract":
			f |= graph.Abstract
		case text == "expect":
			f |= graph.Declaration
		case text == "suspend":
			f |= graph.Async
		}
	}
	b.doc = doc
	return f
}

// kotlinHas reports whether the modifiers of n hold that word.
func kotlinHas(b *Builder, n int32, word string) bool {
	m := b.Child(n, "modifiers")
	for c := b.First(m); c >= 0; c = b.Next(m, c) {
		if b.Text(c) == word {
			return true
		}
	}
	return false
}

func kotlinAnnotation(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "constructor_invocation":
			b.Type(b.Child(c, "user_type"), graph.TypeUse)
			kotlinArguments(b, b.Child(c, "value_arguments"), graph.None, nil)
		case "user_type":
			b.Type(c, graph.TypeUse)
		}
	}
	return true
}
