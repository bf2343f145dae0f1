package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tsruby "github.com/smacker/go-tree-sitter/ruby"
)

var ruby = &Language{
	Name:       "ruby",
	Aliases:    []string{"rb"},
	Extensions: []string{".rb", ".rake", ".gemspec", ".ru", ".rbw", ".podspec", ".jbuilder"},
	Filenames: []string{"Rakefile", "rakefile", "Gemfile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile", "Berksfile",
		"Thorfile", "Steepfile", "Dangerfile"},
	Shebangs: []string{"ruby", "jruby", "rake"},
	Tests:    []string{"*_test.rb", "test_*.rb", "*_spec.rb", "test/", "spec/"},
	Tokens:   []string{"&&", "and", "||", "or", "+", "-", "*", "<<", "==", "!=", "<", ">", "<=", ">=", "=~", "||=", "&&="},
	grammar:  tsruby.GetLanguage,
	Rules: map[string]Rule{
		"comment":          {Do: Comment},
		"module":           {Do: Define, Kind: graph.Module, Hook: rbClass},
		"class":            {Do: Define, Kind: graph.Class, Hook: rbClass},
		"singleton_class":  {Hook: rbSingleton},
		"method":           {Do: Define, Kind: graph.Method, Hook: rbMethod, Eval: rbDefinition, Name: "name", Params: "parameters", Body: "body"},
		"singleton_method": {Do: Define, Kind: graph.Method, Flags: graph.Static, Hook: rbMethod, Eval: rbDefinition, Name: "name", Params: "parameters", Body: "body"},
		"alias":            {Hook: rbAlias},
		"undef":            {Do: Skip},

		"optional_parameter":     {Do: Parameter, Name: "name", Value: "value"},
		"keyword_parameter":      {Do: Parameter, Flags: graph.Optional, Name: "name", Value: "value"},
		"splat_parameter":        {Do: Parameter, Op: graph.OpVariadic, Name: "name"},
		"hash_splat_parameter":   {Do: Parameter, Op: graph.OpVariadic, Name: "name"},
		"block_parameter":        {Do: Parameter, Flags: graph.Optional, Name: "name"},
		"destructured_parameter": {Hook: rbDestructured},
		"forward_parameter":      {Do: Skip},
		"hash_splat_nil":         {Do: Skip},

		"body_statement":           {Do: ParenExpr, Eval: rbSequence},
		"block_body":               {Do: ParenExpr, Eval: rbSequence},
		"begin":                    {Do: ParenExpr, Eval: rbSequence},
		"then":                     {Do: ParenExpr, Eval: rbSequence},
		"else":                     {Do: ParenExpr, Eval: rbSequence},
		"ensure":                   {Do: ParenExpr, Eval: rbSequence},
		"do":                       {Do: ParenExpr, Eval: rbSequence},
		"parenthesized_statements": {Do: ParenExpr, Eval: rbSequence},
		"begin_block":              {Do: ParenExpr, Eval: rbSequence},
		"end_block":                {Do: ParenExpr, Eval: rbSequence},
		"rescue":                   {Do: ParenExpr, Eval: rbRescue},
		"if":                       {Do: CondExpr, Eval: rbIf},
		"elsif":                    {Do: CondExpr, Eval: rbIf},
		"unless":                   {Do: CondExpr, Eval: rbIf},
		"conditional":              {Do: CondExpr, Eval: rbIf},
		"if_modifier":              {Do: CondExpr, Eval: rbModifier},
		"unless_modifier":          {Do: CondExpr, Eval: rbModifier},
		"while_modifier":           {Do: CondExpr, Eval: rbModifier},
		"until_modifier":           {Do: CondExpr, Eval: rbModifier},
		"rescue_modifier":          {Do: CondExpr},
		"for":                      {Hook: rbFor},
		"case":                     {Do: CondExpr, Eval: rbCase},
		"case_match":               {Do: CondExpr, Eval: rbCaseMatch},
		"match_pattern":            {Do: CondExpr, Eval: rbMatch},
		"test_pattern":             {Do: CondExpr, Eval: rbMatch},
		"return":                   {Do: Return, Hook: rbReturn},
		"yield":                    {Do: LiteralExpr, Eval: rbYield},
		"break":                    {Do: Pass},
		"next":                     {Do: Pass},
		"redo":                     {Do: Skip},
		"retry":                    {Do: Skip},

		"identifier":            {Do: Ident, Eval: rbIdentifier},
		"constant":              {Do: Ident, Eval: rbConstant, EvalType: rbConstantType},
		"scope_resolution":      {Do: Member, Eval: rbScoped, EvalType: rbScopedType},
		"instance_variable":     {Do: Ident, Eval: rbVariable},
		"class_variable":        {Do: Ident, Eval: rbVariable},
		"global_variable":       {Do: Ident, Eval: rbGlobal},
		"self":                  {Do: SelfExpr, Eval: rbSelf},
		"super":                 {Do: SuperExpr, Eval: rbSuper},
		"call":                  {Do: CallExpr, Eval: rbCall},
		"argument_list":         {Do: Pass},
		"splat_argument":        {Do: UnaryExpr, Eval: rbSplat},
		"hash_splat_argument":   {Do: LiteralExpr},
		"block_argument":        {Do: ParenExpr, Eval: rbBlockArgument},
		"element_reference":     {Do: IndexExpr, Of: "object", Eval: rbIndex},
		"assignment":            {Do: Assign, Hook: rbRun(rbAssign), Eval: rbAssign},
		"operator_assignment":   {Do: Assign, Hook: rbRun(rbOperatorAssign), Eval: rbOperatorAssign},
		"binary":                {Do: BinaryExpr, Eval: rbBinary},
		"unary":                 {Do: UnaryExpr, Of: "operand"},
		"block":                 {Do: LambdaExpr, Eval: rbBlock, Params: "parameters", Body: "body"},
		"do_block":              {Do: LambdaExpr, Eval: rbBlock, Params: "parameters", Body: "body"},
		"lambda":                {Do: LambdaExpr, Eval: rbLambda, Params: "parameters", Body: "body"},
		"block_parameters":      {Do: Pass},
		"array":                 {Do: SeqExpr},
		"string_array":          {Do: SeqExpr},
		"symbol_array":          {Do: SeqExpr},
		"bare_string":           {Do: LiteralExpr, Lit: "String"},
		"bare_symbol":           {Do: LiteralExpr, Lit: "Symbol"},
		"right_assignment_list": {Do: TupleExpr},
		"hash":                  {Do: MapExpr},
		"pair":                  {Do: Pair, Right: "value", Eval: rbPair},
		"hash_key_symbol":       {Do: Skip},
		"integer":               {Do: LiteralExpr, Lit: "Integer"},
		"float":                 {Do: LiteralExpr, Lit: "Float"},
		"rational":              {Do: LiteralExpr, Lit: "Rational"},
		"complex":               {Do: LiteralExpr, Lit: "Complex"},
		"string":                {Do: LiteralExpr, Lit: "String"},
		"chained_string":        {Do: LiteralExpr, Lit: "String"},
		"character":             {Do: LiteralExpr, Lit: "String"},
		"subshell":              {Do: LiteralExpr, Lit: "String"},
		"heredoc_beginning":     {Do: LiteralExpr, Lit: "String"},
		"heredoc_body":          {Do: LiteralExpr, Lit: "String"},
		"simple_symbol":         {Do: LiteralExpr, Lit: "Symbol"},
		"delimited_symbol":      {Do: LiteralExpr, Lit: "Symbol"},
		"regex":                 {Do: LiteralExpr, Lit: "Regexp"},
		"range":                 {Do: LiteralExpr, Lit: "Range"},
		"true":                  {Do: LiteralExpr, Lit: "TrueClass"},
		"false":                 {Do: LiteralExpr, Lit: "FalseClass"},
		"nil":                   {Do: Skip},
	},
	Semantics: Semantics{
		Space:            func(p string, f *graph.Facts) (string, string) { return "ruby", "" },
		NestedSpaces:     true,
		ImplicitThis:     true,
		ModuleTypes:      true,
		Levels:           true,
		Merges:           true,
		AbsentIsExternal: true,
		FileLocals:       true,
		InferReturns:     true,
		CallMakes:        true,
		UniqueNames:      true,
		OpenLibrary:      true,
		Core:             Core{Array: "Array", Map: "Hash", Function: "Proc"},
		Setter:           "=",
		Maker:            "new",
		Constructors:     []string{"initialize"},
		CallMembers:      []string{"call"},
		IndexMembers:     []string{"[]"},
		Missing:          []string{"method_missing"},
		TypeMember:       "class",
		RootTypes:        []string{"Object", "Kernel"},
		TopMembers:       rbTop,
		MetaTypes:        []string{"Class", "Module"},
		Common:           rbCommon,
		Library:          rbLibrary,
		Callbacks:        rbCallbacks,
		Modules:          rbModules,
		Enter:            rbEnter,
		Finish:           rbFinish,
	},
}

// rbModules: what require_relative names lies beside the file; what require names lies in a folder that
// is on the load path: the root, a lib folder, or the one that the path of a file of that name ends in.
func rbModules(q ModuleQuery) []Candidate {
	return rbPlaces(q)
}

func rbRun(eval func(b *Builder, n int32, role graph.Role, want bool) int32) func(b *Builder, n int32) bool {
	return func(b *Builder, n int32) bool {
		eval(b, n, graph.Read, false)
		return true
	}
}

// words is the set of the words of a text.
func words(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}
