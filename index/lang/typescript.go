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
	"call_signature":          {Do: FuncType, Hook: tsSignature(tsCallName), TypeParams: "type_parameters", Params: "parameters", Result: "return_type"},
	"construct_signature":     {Do: FuncType, Hook: tsSignature(tsNewName), TypeParams: "type_parameters", Params: "parameters", Result: "type"},
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
