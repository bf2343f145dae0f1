package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tsscala "github.com/smacker/go-tree-sitter/scala"
)

var scala = &Language{
	Name:       "scala",
	Extensions: []string{".scala", ".sc", ".sbt"},
	Tests:      []string{"*Test.scala", "*Tests.scala", "*Spec.scala", "*Suite.scala", "src/test/"},
	Tokens:     []string{"val", "var", "case", "implicit"},
	grammar:    tsscala.GetLanguage,
	Rules: map[string]Rule{
		"comment":            {Do: Comment},
		"block_comment":      {Do: Comment},
		"using_directive":    {Do: Skip},
		"package_clause":     {Hook: scalaPackage},
		"import_declaration": {Do: ImportDecl, Hook: scalaImport},
		"export_declaration": {Do: ImportDecl, Hook: scalaExport},

		"class_definition":     {Do: Define, Kind: graph.Class, Hook: scalaClass},
		"trait_definition":     {Do: Define, Kind: graph.Trait, Hook: scalaClass},
		"object_definition":    {Do: Define, Kind: graph.Class, Hook: scalaClass},
		"package_object":       {Do: Define, Kind: graph.Class, Hook: scalaClass},
		"enum_definition":      {Do: Define, Kind: graph.Enum, Hook: scalaClass},
		"simple_enum_case":     {Hook: scalaEnumCase},
		"full_enum_case":       {Hook: scalaEnumCase},
		"function_definition":  {Do: Define, Kind: graph.Function, Hook: scalaFunction},
		"function_declaration": {Do: Define, Kind: graph.Function, Hook: scalaFunction},
		"val_definition":       {Do: Declare, Kind: graph.Property, Hook: scalaValue},
		"var_definition":       {Do: Declare, Kind: graph.Property, Hook: scalaValue},
		"val_declaration":      {Do: Declare, Kind: graph.Property, Hook: scalaValue},
		"var_declaration":      {Do: Declare, Kind: graph.Property, Hook: scalaValue},
		"type_definition":      {Do: Define, Kind: graph.TypeAlias, Hook: scalaAlias},
		"given_definition":     {Hook: scalaGiven},
		"extension_definition": {Hook: scalaExtension},
		"type_parameters":      {Hook: scalaTypeParams},
		"self_type":            {Hook: scalaSelfType},
		"derives_clause":       {Hook: scalaTypes},
		"annotation":           {Hook: scalaAnnotation},
		"modifiers":            {Do: Skip},
		"access_modifier":      {Do: Skip},
		"template_body":        {},
		"with_template_body":   {},
		"enum_body":            {},

		"block":             {Do: CondExpr, Eval: scalaBlock},
		"indented_block":    {Do: CondExpr, Eval: scalaBlock},
		"if_expression":     {Do: CondExpr, Cond: "condition"},
		"while_expression":  {Do: Block},
		"match_expression":  {Do: CondExpr, Eval: scalaMatch},
		"case_clause":       {Do: Block},
		"case_block":        {Do: LambdaExpr, Eval: scalaCases},
		"try_expression":    {Do: CondExpr, Eval: scalaTry},
		"for_expression":    {Do: CondExpr, Eval: scalaFor},
		"return_expression": {Do: Return},
		"throw_expression":  {Hook: scalaThrow},

		"identifier":            {Do: Ident, Eval: scalaIdentifier},
		"operator_identifier":   {Do: Ident},
		"type_identifier":       {Do: TypeIdent},
		"stable_identifier":     {Do: Member, Eval: scalaStable},
		"wildcard":              {Eval: scalaWildcard},
		"field_expression":      {Do: Member, Eval: scalaField},
		"call_expression":       {Do: CallExpr, Eval: scalaCall},
		"generic_function":      {Do: IndexExpr, Eval: scalaGeneric},
		"infix_expression":      {Do: BinaryExpr, Eval: scalaInfix},
		"prefix_expression":     {Do: UnaryExpr, Eval: scalaPrefix},
		"postfix_expression":    {Do: UnaryExpr, Eval: scalaPostfix},
		"instance_expression":   {Do: NewExpr, Eval: scalaNew},
		"assignment_expression": {Do: Assign, Left: "left", Right: "right"},
		"ascription_expression": {Do: CastExpr, Eval: scalaAscription},
		"lambda_expression":     {Do: LambdaExpr, Eval: scalaLambda},
		"parenthesized_expression": {
			Do: ParenExpr},
		"tuple_expression":               {Do: TupleExpr},
		"interpolated_string_expression": {Do: LiteralExpr, Eval: scalaInterpolated},
		"string":                         {Do: LiteralExpr, Lit: "String"},
		"integer_literal":                {Do: LiteralExpr, Lit: "Int"},
		"floating_point_literal":         {Do: LiteralExpr, Lit: "Double"},
		"boolean_literal":                {Do: LiteralExpr, Lit: "Boolean"},
		"character_literal":              {Do: LiteralExpr, Lit: "Char"},
		"null_literal":                   {Do: LiteralExpr, Eval: scalaNull},
		"unit":                           {Do: LiteralExpr, Lit: "Unit"},

		"generic_type":            {Do: GenericType, Of: "type", Args: "type_arguments"},
		"stable_type_identifier":  {Do: Member, EvalType: scalaStableType},
		"compound_type":           {Do: UnionType},
		"infix_type":              {EvalType: scalaInfixType},
		"function_type":           {Do: FuncType, EvalType: scalaFuncType},
		"tuple_type":              {Do: TupleExpr},
		"lazy_parameter_type":     {EvalType: scalaInnerType},
		"repeated_parameter_type": {EvalType: scalaInnerType},
		"annotated_type":          {EvalType: scalaInnerType},
		"singleton_type":          {EvalType: scalaSingleton},
		"literal_type":            {Do: Skip},
		"type_lambda":             {Do: Skip},
	},
	Semantics: Semantics{
		Space:            func(p string, f *graph.Facts) (string, string) { return "java", f.Package },
		SpaceAnswers:     true,
		ImplicitThis:     true,
		FarMembers:       true,
		OpenLibrary:      true,
		ExtendsTypes:     true,
		PlainReceiver:    true,
		BareCalls:        true,
		Overloads:        true,
		Constructors:     []string{"this"},
		Qualified:        true,
		CallMakes:        true,
		InferReturns:     true,
		AbsentIsExternal: true,
		Blank:            true,
		Builtins:         scalaBuiltins,
		Top:              "Any",
		TopMembers: strings.Fields(`toString equals hashCode getClass asInstanceOf isInstanceOf eq ne copy productIterator productArity apply unapply tupled curried
			synchronized wait notify notifyAll == != ## -> ensuring formatted values valueOf ordinal`),
		CallMembers:  []string{"apply"},
		IndexMembers: []string{"apply"},
		IterMembers:  []string{"iterator", "foreach"},
		Library:      scalaLibrary,
		Callbacks:    scalaCallbacks,
		Modules:      scalaModules,
	},
}

// scalaPackage names the package; one with a body holds what stands in it.
func scalaPackage(b *Builder, n int32) bool {
	name := b.Text(b.Field(n, "name"))
	body := b.Field(n, "body")
	switch {
	case body >= 0 && b.F.Package == "" && b.Next(0, n) < 0: // all of the file
		b.F.Package = name
		b.visitChildren(body)
	case body >= 0:
		space := b.space
		if b.space = name; space != "" {
			b.space = space + "." + name
		}
		b.visitChildren(body)
		b.space = space
	case b.F.Package != "":
		b.F.Package += "." + name
	default:
		b.F.Package = name
	}
	b.doc = docRun{}
	return true
}

// scalaImport is `import a.b.C`, `import a.b._`, `import a.b.{C, D => E, *}`, or several of these.
func scalaImport(b *Builder, n int32) bool {
	var ids []int32
	flush := func() {
		if len(ids) > 1 {
			scalaImported(b, ids, ids[len(ids)-1], ids[len(ids)-1])
		}
		ids = nil
	}
	end := b.Off(n)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if bytes.IndexByte(b.src[end:max(end, b.Off(c))], ',') >= 0 {
			flush()
		}
		end = b.Node(c).End
		switch b.Kind(c) {
		case "identifier", "operator_identifier":
			ids = append(ids, c)
		case "namespace_wildcard":
			scalaStar(b, ids)
			ids = nil
		case "namespace_selectors":
			scalaSelectors(b, c, ids)
			ids = nil
		case "as_renamed_identifier":
			if name := b.Field(c, "name"); name >= 0 {
				scalaImported(b, append(ids, name), name, b.Field(c, "alias"))
			}
			ids = nil
		}
	}
	flush()
	return true
}

func scalaSelectors(b *Builder, n int32, ids []int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "identifier", "operator_identifier":
			scalaImported(b, append(ids[:len(ids):len(ids)], c), c, c)
		case "namespace_wildcard":
			if b.Text(c) != "given" {
				scalaStar(b, ids)
			}
		case "arrow_renamed_identifier", "as_renamed_identifier":
			name, alias := b.Field(c, "name"), b.Field(c, "alias")
			if name >= 0 && b.Is(alias, "identifier") {
				scalaImported(b, append(ids[:len(ids):len(ids)], name), name, alias)
			}
		}
	}
}

func scalaPath(b *Builder, ids []int32) string {
	var parts []string
	for _, id := range ids {
		if t := strings.Trim(b.Text(id), "`"); t != "_root_" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, ".")
}

// scalaImported brings in the last of the names in a path, as local.
func scalaImported(b *Builder, ids []int32, last, local int32) {
	imp := graph.Imported{Module: b.Str(scalaPath(b, ids)), ModuleOff: b.Off(last), Local: b.nodeStr(local), In: graph.None}
	if local != last {
		imp.Off = b.Off(local)
	}
	b.F.Imports = append(b.F.Imports, imp)
}

func scalaStar(b *Builder, ids []int32) {
	if len(ids) > 0 {
		last := ids[len(ids)-1]
		b.F.Imports = append(b.F.Imports, graph.Imported{Module: b.Str(scalaPath(b, ids)), ModuleOff: b.Off(last), In: graph.None, Flags: graph.Star})
	}
}

// scalaExport makes members of the values on the path known: their names are read.
func scalaExport(b *Builder, n int32) bool {
	if c := b.First(n); b.Is(c, "identifier") {
		b.Name(c, graph.Read, false)
	}
	return true
}

// scalaModules: a path leads through packages to a definition and on to its members, from the root or
// from one of the packages around the file.
func scalaModules(q ModuleQuery) []Candidate {
	out := javaModules(q)
	for at := q.Space; at != ""; at = at[:max(strings.LastIndexByte(at, '.'), 0)] {
		near := q
		near.Module = at + "." + q.Module
		if found := javaModules(near); len(found) > 0 {
			out = append(out, found...)
		}
	}
	return out
}
