package lang

import (
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

// cModules: an included file is beside the file, in an include folder of one above it, at the
// root, or the one whose path ends like the name and is nearest.
func cModules(q ModuleQuery) []Candidate {
	m := path.Clean(q.Module)
	if q.Import.Flags&graph.SystemPath == 0 {
		if p := path.Join(path.Dir(q.From), m); q.File(p) {
			return []Candidate{{Path: p}}
		}
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
	return true
}

// cDeclared is what a declarator says: the name's node, the type, and the parameters where
// the name is that of a function.
type cDeclared struct {
	name, typ, params int32
}

// cDeclarator takes a declarator apart, from the outside in.
func cDeclarator(b *Builder, d, typ int32) cDeclared {
	params, before := graph.None, typ
	for d >= 0 {
		inner := b.Field(d, "declarator")
		switch b.Kind(d) {
		case "identifier", "field_identifier", "type_identifier", "primitive_type":
			if params >= 0 {
				return cDeclared{d, before, params}
			}
			return cDeclared{d, typ, graph.None}
		case "pointer_declarator", "abstract_pointer_declarator":
			cOther(b, params)
			typ = b.Expr(graph.Expr{Op: graph.OpPointer, X: typ, Off: b.Off(d)})
			params = graph.None
		case "array_declarator", "abstract_array_declarator":
			cOther(b, params)
			if size := b.Field(d, "size"); size >= 0 {
				b.Value(size, graph.Read, false)
			}
			typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: b.Off(d)})
			params = graph.None
		case "function_declarator", "abstract_function_declarator":
			cOther(b, params)
			params, before = b.Field(d, "parameters"), typ
			typ = b.Expr(graph.Expr{Op: graph.OpFunc, X: typ, Off: b.Off(d)})
			for c := b.First(d); c >= 0; c = b.Next(d, c) {
				if c != inner && c != params {
					b.Visit(c)
				}
			}
		case "parenthesized_declarator", "attributed_declarator", "abstract_parenthesized_declarator":
			inner = graph.None
			for c := b.First(d); c >= 0 && inner < 0; c = b.Next(d, c) {
				if dk := b.rule(c).Do; dk != Comment && dk != Skip && !strings.HasPrefix(b.Kind(c), "ms_") {
					inner = c
				}
			}
		default:
			b.Visit(d)
			d = graph.None
			continue
		}
		d = inner
	}
	cOther(b, params)
	return cDeclared{graph.None, typ, graph.None}
}

// cOther takes the parameters of a function type, whose names are seen nowhere else.
func cOther(b *Builder, params int32) {
	if params < 0 {
		return
	}
	b.push(funcFrame, graph.None)
	b.visitChildren(params)
	b.pop()
}

// cHas reports whether n has the storage class word.
func cHas(b *Builder, n int32, word string) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "storage_class_specifier") && string(b.t.Text(c)) == word {
			return true
		}
	}
	return false
}

// cFunction is a function with its body.
func cFunction(b *Builder, n int32) bool {
	if b.InFunction() && b.Is(b.Field(n, "type"), "type_identifier") {
		return cMacroBlock(b, n)
	}
	doc := b.doc
	b.doc = docRun{}
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	d := cDeclarator(b, b.Field(n, "declarator"), typ)
	if d.name < 0 || d.params < 0 {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.InField(c, "body") {
				b.Visit(c)
			}
		}
		cOther(b, d.params)
		return true
	}
	b.doc = doc
	sym := b.Symbol(graph.Function, d.name, n, "")
	s := b.Sym(sym)
	s.Type = d.typ
	if cHas(b, n, "static") || s.Flags&graph.NestedDef != 0 {
		s.Flags |= graph.FileLocal
	}
	b.bindNested(sym)
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "body"):
			b.Sym(sym).Body = b.Off(c)
			b.doc = docRun{}
			b.visitChildren(c)
		case b.Is(c, "declaration"): // old-style parameters
			b.Visit(c)
		}
	}
	b.pop()
	return true
}

// cMacroBlock is a macro's call and a block behind it, which look like a function in a function.
func cMacroBlock(b *Builder, n int32) bool {
	b.Value(b.Field(n, "type"), graph.Call, false)
	if d := b.Field(n, "declarator"); d >= 0 {
		for i := d; i < int32(b.t.Nodes[d].Next); i++ {
			if k := b.rule(i).Do; k == Ident || k == TypeIdent {
				b.Value(i, graph.Read, false)
			}
		}
	}
	if body := b.Field(n, "body"); body >= 0 {
		b.Visit(body)
	}
	return true
}

// cDeclaration declares variables and functions.
func cDeclaration(b *Builder, n int32) bool {
	static, extern := cHas(b, n, "static"), cHas(b, n, "extern")
	doc := b.doc
	typ := graph.None
	if t := b.Field(n, "type"); t >= 0 {
		first := true
		for c := b.First(n); c >= 0 && first; c = b.Next(n, c) {
			if b.InField(c, "declarator") {
				first = false
				cHold(b, t, c, extern)
			}
		}
		typ = cHeldType(b, n, t, graph.Variable, static, extern)
	}
	held := b.Scratch[1]
	b.Scratch[1] = graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "declarator") {
			continue
		}
		b.doc = doc
		d, value := c, graph.None
		if b.Is(c, "init_declarator") {
			d, value = b.Field(c, "declarator"), b.Field(c, "value")
		}
		if held >= 0 {
			cDeclarator(b, d, graph.None)
			if value >= 0 {
				cValueOf(b, value, b.Expr(graph.Expr{Op: graph.OpSymbol, X: held, Off: b.Off(d)}))
			}
			held = graph.None
			continue
		}
		extent := n
		if t := b.Field(n, "type"); t >= 0 {
			extent = cExtent(b, n, t, c)
		}
		cDeclare(b, extent, cDeclarator(b, d, typ), value, static, extern)
	}
	b.doc = docRun{}
	return true
}

// cDeclare declares one name at file level or in a function.
func cDeclare(b *Builder, n int32, d cDeclared, value int32, static, extern bool) {
	if d.name < 0 {
		if value >= 0 {
			b.Value(value, graph.Read, false)
		}
		return
	}
	if d.params >= 0 {
		cPrototype(b, n, d, static)
		return
	}
	if b.InFunction() {
		if extern {
			return
		}
		l := b.ownParam(b.nodeStr(d.name))
		if l >= 0 && b.F.Locals[l].Type < 0 {
			b.F.Locals[l].Type = d.typ
		} else {
			l = b.Local(b.nodeStr(d.name), b.Off(d.name), d.typ, graph.None, 0)
		}
		if value >= 0 {
			v := cValueOf(b, value, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(d.name)}))
			b.F.Locals[l].Init = v
		}
		return
	}
	sym := b.Symbol(graph.Variable, d.name, n, "")
	s := b.Sym(sym)
	s.Type = d.typ
	cLinkage(s, static, extern && value < 0)
	if value >= 0 {
		in := b.in
		b.in = sym
		cValueOf(b, value, b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(d.name)}))
		b.in = in
	}
}

func cLinkage(s *graph.Symbol, static, extern bool) {
	if static {
		s.Flags = s.Flags&^graph.Exported | graph.FileLocal
	}
	if extern {
		s.Flags |= graph.Declaration
	}
}

// ownParam is the parameter of that name in the innermost function, or None.
func (b *Builder) ownParam(name uint32) int32 {
	if l := b.ownLocal(name); l >= 0 && b.F.Locals[l].Flags&graph.Param != 0 && b.frame().kind == funcFrame {
		return l
	}
	return graph.None
}

// cPrototype declares a function that is defined elsewhere. In a function it says nothing new.
func cPrototype(b *Builder, n int32, d cDeclared, static bool) {
	if b.InFunction() {
		cOther(b, d.params)
		return
	}
	sym := b.Symbol(graph.Function, d.name, n, "")
	s := b.Sym(sym)
	s.Type = d.typ
	s.Flags |= graph.Declaration
	cLinkage(s, static, true)
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	b.pop()
}

func cParameter(b *Builder, n int32) bool {
	t := b.Field(n, "type")
	d := cDeclarator(b, b.Field(n, "declarator"), b.Type(t, graph.TypeUse))
	cOther(b, d.params)
	if d.name < 0 && b.Field(n, "declarator") < 0 && b.Text(t) == "void" {
		return true
	}
	name, off := uint32(0), b.Off(n)
	if d.name >= 0 {
		name, off = b.nodeStr(d.name), b.Off(d.name)
	}
	b.Local(name, off, d.typ, graph.None, graph.Param)
	return true
}

func cVariadic(b *Builder, n int32) bool {
	b.Local(0, b.Off(n), graph.None, graph.None, graph.Param|graph.VariadicParam)
	return true
}
