package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tsjava "github.com/smacker/go-tree-sitter/java"
)

var java = &Language{
	Name:       "java",
	Extensions: []string{".java"},
	Tests:      []string{"*Test.java", "*Tests.java", "*TestCase.java", "*IT.java", "src/test/"},
	Tokens:     []string{"static", "public", "private", "protected", "abstract", "new"},
	grammar:    tsjava.GetLanguage,
	Rules: map[string]Rule{
		"line_comment":                {Do: Comment},
		"block_comment":               {Do: Comment},
		"package_declaration":         {Hook: javaPackage},
		"import_declaration":          {Do: ImportDecl, Hook: javaImport},
		"module_declaration":          {Do: Skip},
		"class_declaration":           {Do: Define, Kind: graph.Class, Hook: javaDefine, Name: "name", TypeParams: "type_parameters", Bases: "superclass|interfaces", Body: "body"},
		"interface_declaration":       {Do: Define, Kind: graph.Interface, Hook: javaDefine, Name: "name", TypeParams: "type_parameters", Bases: ".extends_interfaces", Body: "body"},
		"enum_declaration":            {Do: Define, Kind: graph.Enum, Hook: javaDefine, Name: "name", Bases: "interfaces", Body: "body"},
		"annotation_type_declaration": {Do: Define, Kind: graph.Annotation, Hook: javaDefine, Name: "name", Body: "body"},
		"record_declaration":          {Do: Define, Kind: graph.Class, Hook: javaRecord, Name: "name", TypeParams: "type_parameters", Bases: "interfaces", Body: "body"},
		"permits":                     {Hook: javaTypes},
		"throws":                      {Hook: javaTypes},
		"method_declaration":          {Do: Define, Kind: graph.Method, Hook: javaDefine, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "type", Body: "body"},
		"constructor_declaration":     {Do: Define, Kind: graph.Constructor, Hook: javaDefine, Name: "name", TypeParams: "type_parameters", Params: "parameters", Body: "body"},
		"compact_constructor_declaration": {
			Do: Define, Kind: graph.Constructor, Hook: javaCompact, Name: "name", Body: "body"},
		"annotation_type_element_declaration": {
			Do: Define, Kind: graph.Method, Hook: javaDefine, Name: "name", Result: "type", Value: "value"},
		"enum_constant":              {Hook: javaConstant},
		"field_declaration":          {Do: Declare, Hook: javaField},
		"constant_declaration":       {Do: Declare, Hook: javaField},
		"static_initializer":         {},
		"local_variable_declaration": {Do: Pass, Hook: javaLocals},
		"formal_parameter":           {Do: Parameter, Hook: javaParameter},
		"spread_parameter":           {Do: Parameter, Hook: javaParameter},
		"receiver_parameter":         {Hook: javaTypes},
		"catch_formal_parameter":     {Hook: javaBound},
		"resource":                   {Hook: javaBound},
		"catch_type":                 {Do: UnionType},
		"type_parameter":             {Hook: javaTypeParam},
		"modifiers":                  {},
		"annotation":                 {Hook: javaAnnotation, Eval: javaAnnotationValue},
		"marker_annotation":          {Hook: javaAnnotation, Eval: javaAnnotationValue},

		"block":                           {Do: Block},
		"constructor_body":                {Do: Block},
		"for_statement":                   {Do: Block},
		"enhanced_for_statement":          {Do: Iterate, Hook: javaForEach, Left: "name", Right: "value", Type: "type"},
		"try_with_resources_statement":    {Do: Block},
		"catch_clause":                    {Do: Block},
		"switch_block":                    {Do: Block},
		"switch_rule":                     {Do: Block},
		"switch_expression":               {Hook: javaSwitch, Eval: javaSwitchValue},
		"switch_label":                    {Hook: javaLabel},
		"type_pattern":                    {Hook: javaBound},
		"record_pattern":                  {Hook: javaRecordPattern},
		"record_pattern_component":        {Hook: javaBound},
		"return_statement":                {Do: Return},
		"labeled_statement":               {Do: Labeled},
		"break_statement":                 {Do: Skip},
		"continue_statement":              {Do: Skip},
		"explicit_constructor_invocation": {Hook: javaConstructorCall},

		"identifier":             {Do: Ident},
		"_reserved_identifier":   {Do: Ident},
		"scoped_identifier":      {Do: Member, Of: "scope", Name: "name"},
		"type_identifier":        {Do: TypeIdent, EvalType: javaTypeName},
		"scoped_type_identifier": {Do: Member, EvalType: javaScopedType},
		"field_access":           {Do: Member, Eval: javaFieldAccess, Of: "object", Name: "field"},
		"method_invocation":      {Do: CallExpr, Eval: javaCall},
		"object_creation_expression": {
			Do: NewExpr, Eval: javaNew, Type: "type", Args: "arguments"},
		"array_creation_expression": {Do: SeqExpr, Eval: javaNewArray},
		"array_initializer":         {Do: SeqExpr},
		"element_value_array_initializer": {
			Do: SeqExpr},
		"array_access":             {Do: IndexExpr, Of: "array", Args: "index"},
		"method_reference":         {Do: Member, Eval: javaMethodRef},
		"assignment_expression":    {Do: Assign, Left: "left", Right: "right"},
		"update_expression":        {Do: UnaryExpr, Eval: javaUpdate},
		"unary_expression":         {Do: UnaryExpr, Eval: javaUnary},
		"binary_expression":        {Do: BinaryExpr, Eval: javaBinary, Left: "left", Right: "right"},
		"instanceof_expression":    {Do: InstanceOf, Eval: javaInstanceOf, Left: "left", Right: "right"},
		"cast_expression":          {Do: CastExpr, Value: "value", Type: "type"},
		"ternary_expression":       {Do: CondExpr, Cond: "condition"},
		"parenthesized_expression": {Do: ParenExpr},
		"lambda_expression":        {Do: LambdaExpr, Eval: javaLambda, Params: "parameters", Body: "body"},
		"class_literal":            {Do: LiteralExpr, Eval: javaClassLiteral},
		"this":                     {Do: SelfExpr},
		"super":                    {Do: SuperExpr},
		"decimal_integer_literal":  {Do: LiteralExpr, Eval: javaNumber},
		"hex_integer_literal":      {Do: LiteralExpr, Eval: javaNumber},
		"octal_integer_literal":    {Do: LiteralExpr, Eval: javaNumber},
		"binary_integer_literal":   {Do: LiteralExpr, Eval: javaNumber},
		"decimal_floating_point_literal": {
			Do: LiteralExpr, Eval: javaNumber},
		"hex_floating_point_literal": {Do: LiteralExpr, Eval: javaNumber},
		"character_literal":          {Do: LiteralExpr, Lit: "char"},
		"string_literal":             {Do: LiteralExpr, Lit: "String"},
		"true":                       {Do: LiteralExpr, Lit: "boolean"},
		"false":                      {Do: LiteralExpr, Lit: "boolean"},
		"null_literal":               {Do: LiteralExpr, Lit: "null"},

		"generic_type":        {Do: GenericType, Of: ".type_identifier|.scoped_type_identifier", Args: ".type_arguments"},
		"array_type":          {Do: ArrayType, EvalType: javaArrayType},
		"annotated_type":      {EvalType: javaAnnotated},
		"wildcard":            {EvalType: javaWildcard},
		"integral_type":       {Do: LiteralExpr},
		"floating_point_type": {Do: LiteralExpr},
		"boolean_type":        {Do: LiteralExpr},
		"void_type":           {Do: LiteralExpr, Lit: "void"},
	},
	Semantics: Semantics{
		PackagePath: true, ImportLine: "import %s;",
		Library: javaLibrary,
		Callbacks: map[string]uint8{
			"forEach": 1, "mapToInt": 1, "mapToObj": 1, "peek": 1, "takeWhile": 1, "dropWhile": 1, "replaceAll": 1,
			"map": 1, "filter": 1, "flatMap": 1, "anyMatch": 1, "allMatch": 1, "noneMatch": 1, "removeIf": 1, "ifPresent": 1, "ifPresentOrElse": 1, "sort": 3, "sorted": 3, "min": 3, "max": 3,
		},
		Space:        func(p string, f *graph.Facts) (string, string) { return "java", f.Package },
		SpaceAnswers: true,
		Export:       func(string) bool { return false },
		ImplicitThis: true,
		MethodsApart: true,
		Overloads:    true,
		Phases:       true,
		Targets:      true,
		ArrayTypes:   []string{"Cloneable", "Serializable"},
		Finals:       javaFinals,
		EnumBase:     "Enum",
		TextType:     "String",
		Promoted:     "int",
		Constructors: []string{""},
		Qualified:    true,
		CallMakes:    true,
		And:          "&&",
		Builtins:     javaBuiltins,
		Top:          "Object",
		TopMembers:   strings.Fields("toString equals hashCode getClass clone finalize notify notifyAll wait name ordinal compareTo values valueOf length"),
		Widens:       javaWidens,
		Unboxed:      map[string]bool{"byte": true, "short": true, "char": true, "int": true, "long": true, "float": true, "double": true, "boolean": true},
		Results:      javaResults,
		Known:        javaOutside,
		Core:         Core{Array: "Array"},
		IterMembers:  []string{"iterator"},
		Modules:      javaModules,
		Enter:        javaEnter,
		Prepare:      javaPrepare,
	},
}

func javaPackage(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "scoped_identifier") || b.Is(c, "identifier") {
			b.F.Package = strings.Join(strings.Fields(b.Text(c)), "")
		} else {
			b.Visit(c)
		}
	}
	b.doc = docRun{}
	return true
}

// javaImport is `import a.b.C`, `import a.b.*`, `import static a.C.m` or `import static a.C.*`.
func javaImport(b *Builder, n int32) bool {
	name := b.Child(n, "scoped_identifier", "identifier")
	if name < 0 {
		return true
	}
	last := b.Field(name, "name")
	if last < 0 {
		last = name
	}
	static := b.Has(n, "static")
	imp := graph.Imported{Module: b.Str(javaPath(b, name)), ModuleOff: b.Off(last), In: graph.None}
	switch {
	case b.Has(n, "asterisk"):
		imp.Flags |= graph.Star
	case static:
		scope := b.Field(name, "scope")
		imp.Module, imp.Name, imp.NameOff = b.Str(javaPath(b, scope)), b.nodeStr(last), b.Off(last)
		if in := b.Field(scope, "name"); in >= 0 {
			scope = in
		}
		imp.ModuleOff = 0
		if scope >= 0 {
			imp.ModuleOff = b.Off(scope)
		}
		imp.Local = imp.Name
	default:
		imp.Local = b.nodeStr(last)
	}
	if static {
		imp.Flags |= graph.StaticOf
	}
	b.F.Imports = append(b.F.Imports, imp)
	return true
}

// javaPath is the dotted name at n without white space and comments.
func javaPath(b *Builder, n int32) string {
	if n < 0 {
		return ""
	}
	if name := b.Field(n, "name"); name >= 0 {
		if p := javaPath(b, b.Field(n, "scope")); p != "" {
			return p + "." + b.Text(name)
		}
		return b.Text(name)
	}
	return b.Text(n)
}

// javaModules: a dotted name leads through a package, the longest first, to a type in it.
func javaModules(q ModuleQuery) []Candidate {
	var out []Candidate
	if q.Import.Flags&graph.Star != 0 && q.Import.Flags&graph.StaticOf == 0 {
		out = append(out, Candidate{Scope: graph.Scope("java", q.Module), Filled: true})
	}
	pkg, member := q.Module, ""
	for pkg != "" {
		i := strings.LastIndexByte(pkg, '.')
		if member = pkg[i+1:] + "." + member; member[len(member)-1] == '.' {
			member = member[:len(member)-1]
		}
		pkg = pkg[:max(i, 0)]
		out = append(out, Candidate{Scope: graph.Scope("java", pkg), Member: member})
	}
	return out
}
