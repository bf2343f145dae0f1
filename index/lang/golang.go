package lang

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/graph"
	tsgo "github.com/smacker/go-tree-sitter/golang"
)

var golang = &Language{
	Name:       "go",
	Aliases:    []string{"golang"},
	Extensions: []string{".go"},
	Tests:      []string{"*_test.go", "testdata/"},
	Tokens:     []string{"*", "&", "<-", ":=", "="},
	grammar:    tsgo.GetLanguage,
	Rules: map[string]Rule{
		"comment":                        {Do: Comment},
		"package_clause":                 {Hook: goPackage},
		"import_spec":                    {Hook: goImport},
		"function_declaration":           {Do: Define, Kind: graph.Function, Name: "name", TypeParams: "type_parameters", Params: "parameters", Result: "result", Body: "body"},
		"method_declaration":             {Do: Define, Kind: graph.Method, Hook: goMethod, Name: "name", Params: "parameters", Result: "result", Body: "body"},
		"method_elem":                    {Do: Define, Kind: graph.Method, Flags: graph.Abstract, Name: "name", Params: "parameters", Result: "result"},
		"type_spec":                      {Do: Define, Kind: graph.TypeAlias, Hook: goType, Name: "name", TypeParams: "type_parameters"},
		"type_alias":                     {Do: Define, Kind: graph.TypeAlias, Name: "name", TypeParams: "type_parameters", Type: "type"},
		"struct_type":                    {Do: StructType, Kind: graph.Struct, Body: ".field_declaration_list"},
		"interface_type":                 {Do: StructType, Kind: graph.Interface},
		"field_declaration":              {Do: Declare, Kind: graph.Field, Hook: goField, Name: "name", Type: "type"},
		"type_elem":                      {Do: UnionType, Hook: goElem},
		"const_declaration":              {Do: Pass, Hook: goConsts},
		"const_spec":                     {Do: Declare, Kind: graph.Constant, Hook: goConst, Name: "name", Type: "type", Value: "value"},
		"var_spec":                       {Do: Declare, Kind: graph.Variable, Name: "name", Type: "type", Value: "value"},
		"short_var_declaration":          {Do: Declare, Hook: goShort, Left: "left", Right: "right"},
		"assignment_statement":           {Do: Assign, Left: "left", Right: "right"},
		"range_clause":                   {Do: Iterate, Hook: goRange, Left: "left", Right: "right"},
		"receive_statement":              {Do: Assign, Hook: goReceive, Left: "left", Right: "right"},
		"inc_statement":                  {Hook: goIncrement},
		"dec_statement":                  {Hook: goIncrement},
		"type_switch_statement":          {Do: Block, Hook: goTypeSwitch},
		"type_case":                      {Do: Block, Hook: goTypeCase},
		"default_case":                   {Do: Block, Hook: goTypeCase},
		"expression_case":                {Do: Block},
		"communication_case":             {Do: Block},
		"block":                          {Do: Block},
		"if_statement":                   {Do: Block},
		"for_statement":                  {Do: Block},
		"expression_switch_statement":    {Do: Block},
		"labeled_statement":              {Do: Labeled},
		"break_statement":                {Do: Skip},
		"continue_statement":             {Do: Skip},
		"goto_statement":                 {Do: Skip},
		"parameter_list":                 {Do: Pass, EvalType: goResults},
		"parameter_declaration":          {Do: Parameter, Name: "name", Type: "type"},
		"variadic_parameter_declaration": {Do: Parameter, Op: graph.OpVariadic, Name: "name", Type: "type"},
		"type_parameter_declaration":     {Do: Parameter, Name: "name", Type: "type"},

		"identifier":                    {Do: Ident},
		"field_identifier":              {Do: Ident},
		"package_identifier":            {Do: Ident},
		"blank_identifier":              {Do: Skip},
		"type_identifier":               {Do: TypeIdent},
		"selector_expression":           {Do: Member, Of: "operand", Name: "field"},
		"qualified_type":                {Do: Member, Of: "package", Name: "name"},
		"call_expression":               {Do: CallExpr, Of: "function", Args: "arguments"},
		"type_conversion_expression":    {Do: CallExpr, Eval: goConversion, Of: "type", Args: "operand"},
		"index_expression":              {Do: IndexExpr, Of: "operand", Args: "index"},
		"slice_expression":              {Do: SliceExpr, Of: "operand"},
		"type_assertion_expression":     {Do: CastExpr, Value: "operand", Type: "type"},
		"type_instantiation_expression": {Do: GenericType, Eval: goInstance, Of: "type", Args: "type"},
		"unary_expression":              {Do: UnaryExpr, Eval: goUnary, Of: "operand"},
		"binary_expression":             {Do: BinaryExpr, Left: "left", Right: "right"},
		"parenthesized_expression":      {Do: ParenExpr},
		"parenthesized_type":            {Do: ParenExpr},
		"composite_literal":             {Do: NewExpr, Eval: goComposite},
		"literal_value":                 {Do: SeqExpr},
		"func_literal":                  {Do: LambdaExpr, Params: "parameters", Result: "result", Body: "body"},
		"expression_list":               {Do: TupleExpr, Op: graph.OpSelf},
		"int_literal":                   {Do: LiteralExpr, Lit: "int"},
		"float_literal":                 {Do: LiteralExpr, Lit: "float64"},
		"imaginary_literal":             {Do: LiteralExpr, Lit: "complex128"},
		"rune_literal":                  {Do: LiteralExpr, Lit: "rune"},
		"interpreted_string_literal":    {Do: LiteralExpr, Lit: "string"},
		"raw_string_literal":            {Do: LiteralExpr, Lit: "string"},
		"true":                          {Do: LiteralExpr, Lit: "bool"},
		"false":                         {Do: LiteralExpr, Lit: "bool"},
		"nil":                           {Do: Skip},
		"iota":                          {Do: LiteralExpr, Lit: "int"},

		"pointer_type":               {Do: PointerType},
		"slice_type":                 {Do: ArrayType, Type: "element"},
		"array_type":                 {Do: ArrayType, Type: "element", Value: "length"},
		"implicit_length_array_type": {Do: ArrayType, Type: "element"},
		"map_type":                   {Do: MapType, Left: "key", Right: "value"},
		"channel_type":               {Do: ChanType, Type: "value"},
		"function_type":              {Do: FuncType, Params: "parameters", Result: "result"},
		"generic_type":               {Do: GenericType, Of: "type", Args: "type_arguments"},
		"negated_type":               {Do: ParenExpr},
	},
	Semantics: Semantics{
		Blank:      true,
		Structural: true,
		Functions: map[string]Yield{
			"sync.OnceValue": YieldSame, "slices.Clone": YieldSame, "slices.Clip": YieldSame, "slices.Grow": YieldSame, "slices.Compact": YieldSame, "slices.CompactFunc": YieldSame,
			"slices.Concat": YieldSame, "slices.Delete": YieldSame, "slices.DeleteFunc": YieldSame, "slices.Insert": YieldSame, "slices.Replace": YieldSame, "maps.Clone": YieldSame,
			"slices.Values": YieldIter, "maps.Values": YieldIter, "maps.Keys": YieldIterKeys, "slices.Max": YieldElem, "slices.Min": YieldElem,
			"slices.MaxFunc": YieldElem, "slices.MinFunc": YieldElem, "slices.Collect": YieldList, "slices.Sorted": YieldList, "slices.SortedFunc": YieldList,
		},
		Promote: true,
		Variant: goVariant,
		Space: func(p string, f *graph.Facts) (string, string) {
			return "go", path.Dir(p) + ":" + f.Package
		},
		Export: func(name string) bool {
			r, _ := utf8.DecodeRuneInString(name)
			return unicode.IsUpper(r)
		},
		Builtins: map[string]string{
			"append": "$same", "cap": "int", "clear": "", "close": "", "complex": "complex128", "copy": "int", "delete": "", "imag": "float64", "len": "int",
			"make": "$type", "max": "$same", "min": "$same", "new": "$pointer", "panic": "", "print": "", "println": "", "real": "float64", "recover": "any",
			"any": "", "bool": "", "byte": "", "comparable": "", "complex64": "", "complex128": "", "error": "", "float32": "", "float64": "", "int": "", "int8": "",
			"int16": "", "int32": "", "int64": "", "rune": "", "string": "", "uint": "", "uint8": "", "uint16": "", "uint32": "", "uint64": "", "uintptr": "",
			"true": "bool", "false": "bool", "nil": "", "iota": "int",
		},
		Modules: goModules,
		Folders: goFolders,
		Configs: []string{"go.mod"},
		Config:  goMod,
	},
}

func goPackage(b *Builder, n int32) bool {
	b.F.Package = b.Text(b.First(n))
	b.F.Variant = goConstraint(string(b.src[:b.Off(n)]))
	b.doc = docRun{}
	return true
}

func goImport(b *Builder, n int32) bool {
	p := b.Field(n, "path")
	if p < 0 {
		return true
	}
	mod := strings.Trim(b.Text(p), "\"`")
	imp := graph.Imported{Module: b.Str(mod), ModuleOff: b.Off(p) + 1, In: graph.None}
	switch name := b.Field(n, "name"); {
	case name < 0:
		// The local name is the package's own; until it is known, the last path element stands for it.
		imp.Local = b.Str(goPackageName(mod))
	case b.Is(name, "dot"):
		imp.Flags |= graph.Star
	case b.Is(name, "blank_identifier") || b.Text(name) == "_":
	default:
		imp.Local, imp.Off = b.nodeStr(name), b.Off(name)
	}
	b.F.Imports = append(b.F.Imports, imp)
	return true
}

// goPackageName guesses a package's name from its import path: the last element that is no major version.
func goPackageName(mod string) string {
	base := path.Base(mod)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && path.Dir(mod) != "." {
		base = path.Base(path.Dir(mod))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 && strings.Trim(base[i+2:], "0123456789") == "" {
		base = base[:i]
	}
	return base
}

// goMethod: a method belongs to its receiver's type, wherever that is declared.
func goMethod(b *Builder, n int32) bool {
	recv := b.Field(n, "receiver")
	typ := b.Find(recv, "type_identifier")
	s := graph.Symbol{Kind: graph.Method, Start: b.Off(n), End: b.Node(n).End, Container: graph.None, Type: graph.None, Init: graph.None, Owner: graph.None}
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	s.Name, s.NameOff = b.nodeStr(name), b.Off(name)
	if b.doc.end > 0 {
		s.DocStart, s.DocEnd = b.doc.start, b.doc.end
		b.doc = docRun{}
	}
	if b.l.Export(b.F.Strings[s.Name]) {
		s.Flags |= graph.Exported
	}
	if b.Find(recv, "pointer_type") >= 0 {
		s.Flags |= graph.Pointer
	}
	sym := b.addSymbol(s, b.Text(typ))
	b.push(funcFrame, sym)
	// The receiver's type arguments declare the type parameters anew.
	if args := b.Find(recv, "type_arguments"); args >= 0 {
		var ids []int32
		for i := args + 1; i < int32(b.t.Nodes[args].Next); i++ {
			if b.Is(i, "type_identifier") {
				ids = append(ids, b.Local(b.nodeStr(i), b.Off(i), graph.None, graph.None, graph.TypeParam))
			}
		}
		b.Sym(sym).TypeParams = b.List(ids...)
	}
	for c := b.First(recv); c >= 0; c = b.Next(recv, c) {
		if d := b.rule(c); d.Do == Parameter {
			b.parameter(c, d)
			l := &b.F.Locals[len(b.F.Locals)-1]
			l.Flags = 0
			b.Sym(sym).Owner = l.Type
		}
	}
	b.pop()
	in := b.in
	names := len(b.names)
	for i := range b.F.Locals {
		if l := &b.F.Locals[i]; l.In == sym && l.Name != 0 {
			b.names = append(b.names, bound{l.Name, int32(i)})
		}
	}
	b.Body(sym, n, nil)
	b.names, b.in = b.names[:names], in
	return true
}

// goType: a struct or interface is its own kind and holds its members; anything else is a
// named type with an underlying one.
func goType(b *Builder, n int32) bool {
	name, typ := b.Field(n, "name"), b.Field(n, "type")
	if name < 0 {
		return true
	}
	kind := graph.TypeAlias
	switch {
	case b.Is(typ, "struct_type"):
		kind = graph.Struct
	case b.Is(typ, "interface_type"):
		kind = graph.Interface
	}
	sym := b.Symbol(kind, name, n, "")
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	switch {
	case kind == graph.TypeAlias:
		t := b.Type(typ, graph.TypeUse)
		b.Sym(sym).Type = t
		b.Sym(sym).Flags |= graph.Distinct
	case kind == graph.Struct:
		b.visitChildren(b.child(typ, &b.rule(typ).body))
	default:
		b.visitChildren(typ)
	}
	b.pop()
	return true
}

// goField: a field without a name is an embedded type, named by the type's own name.
func goField(b *Builder, n int32) bool {
	if b.Field(n, "name") >= 0 {
		return false
	}
	typ := b.Field(n, "type")
	if typ < 0 {
		return true
	}
	id := typ
	switch b.Kind(typ) {
	case "qualified_type":
		id = b.Field(typ, "name")
	case "generic_type":
		if id = b.Field(typ, "type"); b.Is(id, "qualified_type") {
			id = b.Field(id, "name")
		}
	case "pointer_type":
		id = b.Find(typ, "type_identifier")
	}
	if id < 0 {
		return true
	}
	owner := b.Enclosing()
	sym := b.Symbol(graph.Field, id, n, "")
	b.Sym(sym).Flags |= graph.Embedded
	t := b.Type(typ, graph.Inherit)
	b.Sym(sym).Type = t
	b.AddBases(owner, t)
	return true
}

func goConsts(b *Builder, n int32) bool {
	b.Scratch[0], b.Scratch[1] = graph.None, graph.None
	b.visitChildren(n)
	return true
}

// goConst: a constant without a value repeats the type and value of the one before it.
func goConst(b *Builder, n int32) bool {
	r := b.rule(n)
	typ := graph.None
	if c := b.Field(n, "type"); c >= 0 {
		typ = b.Type(c, graph.TypeUse)
	}
	from := len(b.F.Symbols)
	if b.Field(n, "value") >= 0 || typ >= 0 {
		b.declareNames(n, r, &r.name, typ)
		b.Scratch[0], b.Scratch[1] = typ, graph.None
		if len(b.F.Symbols) > from && typ < 0 {
			b.Scratch[1] = b.F.Symbols[from].Init
		}
		return true
	}
	b.declareNames(n, r, &r.name, b.Scratch[0])
	for i := from; i < len(b.F.Symbols); i++ {
		b.F.Symbols[i].Init = b.Scratch[1]
	}
	return true
}
