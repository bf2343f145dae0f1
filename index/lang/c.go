package lang

import (
	"bytes"
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	tsc "github.com/smacker/go-tree-sitter/c"
)

var c = &Language{
	Name:       "c",
	Extensions: []string{".c", ".h"},
	Tests:      []string{"test_*.c", "*_test.c", "test/", "tests/"},
	Tokens:     []string{"*", "&"},
	grammar:    tsc.GetLanguage,
	Rules: map[string]Rule{
		"comment":               {Do: Comment},
		"preproc_include":       {Hook: cInclude},
		"preproc_def":           {Hook: cMacro},
		"preproc_function_def":  {Hook: cMacro},
		"preproc_if":            {Do: Pass, Hook: cCondition},
		"preproc_ifdef":         {Do: Pass, Hook: cCondition},
		"preproc_elif":          {Do: Pass, Hook: cCondition},
		"preproc_else":          {Do: Pass, Hook: cCondition},
		"preproc_call":          {Do: Skip},
		"preproc_directive":     {Do: Skip},
		"preproc_arg":           {Do: Skip},
		"function_definition":   {Do: Block, Hook: cFunction},
		"declaration":           {Do: Pass, Hook: cDeclaration},
		"type_definition":       {Do: Pass, Hook: cTypedef},
		"field_declaration":     {Do: Pass, Hook: cField},
		"parameter_declaration": {Do: Parameter, Hook: cParameter},
		"variadic_parameter":    {Hook: cVariadic},
		"struct_specifier":      {Do: StructType, Kind: graph.Struct, EvalType: cTag, Hook: cTagAlone},
		"union_specifier":       {Do: StructType, Kind: graph.Union, EvalType: cTag, Hook: cTagAlone},
		"enum_specifier":        {Do: StructType, Kind: graph.Enum, EvalType: cTag, Hook: cTagAlone},
		"enumerator":            {Hook: cEnumerator},
		"compound_statement":    {Do: Block},
		"for_statement":         {Do: Block},
		"return_statement":      {Do: Return},
		"labeled_statement":     {Hook: cLabeled},
		"goto_statement":        {Do: Skip},
		"statement_identifier":  {Do: Skip},
		"attribute_specifier":   {Do: Skip},
		"attribute_declaration": {Do: Skip},
		"ms_declspec_modifier":  {Do: Skip},

		"identifier":                  {Do: Ident, Eval: cIdent},
		"field_identifier":            {Do: Ident},
		"type_identifier":             {Do: TypeIdent},
		"primitive_type":              {Do: LiteralExpr},
		"sized_type_specifier":        {Do: LiteralExpr, EvalType: cSized},
		"type_descriptor":             {Do: Pass, EvalType: cDescribed, Hook: cDescribedAlone},
		"macro_type_specifier":        {Do: Pass, EvalType: cMacroType},
		"field_expression":            {Do: Member, Of: "argument", Name: "field"},
		"call_expression":             {Do: CallExpr, Of: "function", Args: "arguments"},
		"subscript_expression":        {Do: IndexExpr, Of: "argument", Args: "index"},
		"pointer_expression":          {Do: UnaryExpr, Eval: cPointer, Of: "argument"},
		"unary_expression":            {Do: UnaryExpr, Of: "argument"},
		"update_expression":           {Do: UnaryExpr, Eval: cUpdate, Of: "argument"},
		"cast_expression":             {Do: CastExpr, Value: "value", Type: "type"},
		"conditional_expression":      {Do: CondExpr, Cond: "condition"},
		"binary_expression":           {Do: BinaryExpr, Left: "left", Right: "right"},
		"assignment_expression":       {Do: Assign, Left: "left", Right: "right"},
		"parenthesized_expression":    {Do: ParenExpr},
		"comma_expression":            {Do: ParenExpr},
		"sizeof_expression":           {Do: Block, Eval: cSizeof},
		"alignof_expression":          {Do: Block, Eval: cSizeof},
		"offsetof_expression":         {Do: Block, Eval: cOffsetof},
		"compound_literal_expression": {Do: NewExpr, Eval: cCompound},
		"initializer_list":            {Do: SeqExpr, Eval: cInitializer},
		"number_literal":              {Do: LiteralExpr, Lit: "int"},
		"char_literal":                {Do: LiteralExpr, Lit: "char"},
		"string_literal":              {Do: LiteralExpr, Lit: "char*"},
		"concatenated_string":         {Do: Pass},
		"true":                        {Do: LiteralExpr, Lit: "bool", Eval: cTruth},
		"false":                       {Do: LiteralExpr, Lit: "bool", Eval: cTruth},
		"null":                        {Do: Skip},
	},
	Semantics: Semantics{
		Space:           func(string, *graph.Facts) (string, string) { return "c", "" },
		Promote:         true,
		ExternalLinkage: true,
		Variant:         cVariant,
		LibraryFunction: func(name string) bool { return cLibrary[name] },
		LibraryType:     func(name string) bool { return cSystemTypes[name] },
		LibraryMacros:   cSystemMacros,
		Configs:         []string{commandsFile},
		Config:          cCommands,
		Conditions:      cConditions,
		Prepare:         cPrepare,
		Modules:         cModules,
		Finish:          cFinish,
	},
}

// cInclude is an #include: everything in the other file is visible here.
func cInclude(b *Builder, n int32) bool {
	b.doc = docRun{}
	p := b.Field(n, "path")
	if p < 0 {
		return true
	}
	text := b.Text(p)
	if len(text) < 3 || text[0] != '"' && text[0] != '<' {
		b.Value(p, graph.Read, false)
		return true
	}
	imp := graph.Imported{Module: b.Str(text[1 : len(text)-1]), ModuleOff: b.Off(p) + 1, Flags: graph.Include, In: graph.None}
	if text[0] == '<' {
		imp.Flags |= graph.SystemPath
	}
	b.F.Imports = append(b.F.Imports, imp)
	return true
}

// cModules: an included file is beside the file, in a folder that the build's own commands name, in
// an include folder of one above it, at the root, or the one whose path ends like the name and is
// nearest.
func cModules(q ModuleQuery) []Candidate {
	m := path.Clean(q.Module)
	if q.Import.Flags&graph.SystemPath == 0 {
		if p := path.Join(path.Dir(q.From), m); q.File(p) {
			return []Candidate{{Path: p}}
		}
	}
	if p := includedByCommands(q, m); p != "" {
		return []Candidate{{Path: p}}
	}
	library := q.Import.Flags&graph.SystemPath != 0 && cSystemHeader(m)
	for d := path.Dir(q.From); ; d = path.Dir(d) {
		for _, sub := range []string{"include", "", "inc", "src", "includes"} {
			if library && sub == "" {
				continue
			}
			if p := path.Join(d, sub, m); p != q.From && q.File(p) {
				return []Candidate{{Path: p}}
			}
		}
		if d == "." || d == "/" {
			break
		}
	}
	if library {
		return nil
	}
	best, score := "", -1
	for _, p := range q.Base(path.Base(m)) {
		if p == m || strings.HasSuffix(p, "/"+m) {
			if s := len(commonPrefix(p, q.From)); s > score {
				best, score = p, s
			}
		}
	}
	if best == "" || best == q.From {
		return nil
	}
	return []Candidate{{Path: best}}
}

func commonPrefix(a, b string) string {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n = i
		}
	}
	return a[:n]
}

// cMacro is a #define.
func cMacro(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	sym := b.Symbol(graph.Macro, name, n, "")
	s := b.Sym(sym)
	s.Flags = graph.FileLocal | graph.Exported
	if m := b.defines().of(b.Off(n)); m != nil && m.spare {
		s.Flags |= graph.Optional
	}
	for s.End > s.Start && (b.src[s.End-1] == '\n' || b.src[s.End-1] == '\r') {
		s.End--
	}
	if in := b.in; in >= 0 { // a macro belongs to the file wherever it stands
		s.Container = graph.None
		s.Qual = 0
	}
	if b.Is(n, "preproc_def") {
		cStandsFor(b, n, sym)
	} else {
		cCalled(b, n, sym)
	}
	if text := b.t.Text(max(b.Field(n, "value"), 0)); b.Field(n, "value") >= 0 && bytes.IndexByte(text, ';') > 0 && bytes.IndexByte(text, '=') < 0 {
		cBody(b, sym, b.defines().of(b.Off(n)))
	}
	return true
}
