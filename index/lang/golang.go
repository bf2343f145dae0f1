package lang

import (
	"go/build/constraint"
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

// goVariant ranks files that only some systems build, as their names say, behind those that
// Linux on x86 builds.
func goVariant(p string) uint8 {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(path.Base(p), ".go"), "_test"), "_")
	for _, w := range parts[1:] {
		if goSystems[w] {
			return 1
		}
	}
	return 0
}

// goConstraint tells whether the file's build constraints, which stand before its package
// clause, let Linux on x86 build it.
func goConstraint(head string) uint8 {
	ok := func(tag string) bool {
		switch tag {
		case "linux", "amd64", "unix", "gc", "cgo":
			return true
		}
		return strings.HasPrefix(tag, "go1.")
	}
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		if !constraint.IsGoBuild(line) && !constraint.IsPlusBuild(line) {
			continue
		}
		if x, err := constraint.Parse(line); err == nil && !x.Eval(ok) {
			return 1
		}
	}
	return 0
}

var goSystems = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("aix android darwin dragonfly freebsd illumos ios js netbsd openbsd plan9 solaris wasip1 windows zos " +
		"386 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm") {
		m[w] = true
	}
	return m
}()

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

// goConversion: a call of an element, as in c.handlers[i](c), has the form of a conversion to a
// generic type. It is a call where a variable stands for the type or for its argument.
func goConversion(b *Builder, n int32, role graph.Role, want bool) int32 {
	typ := b.Field(n, "type")
	if !b.Is(typ, "generic_type") || !goIndexed(b, typ) {
		return b.call(n, b.rule(n), want)
	}
	x := goAsValue(b, typ, graph.Call)
	arg := b.argument(b.Field(n, "operand"), x, 0)
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(arg), N: 2, Off: b.Off(n)})
}

// goInstance: an element of an element, as in f.spans[a][b], has the form of a generic type with
// arguments twice, which is nothing else.
func goInstance(b *Builder, n int32, role graph.Role, want bool) int32 {
	typ := b.Field(n, "type")
	if !b.Is(typ, "generic_type") {
		return b.generic(n, b.rule(n), role)
	}
	x := goAsValue(b, typ, graph.Read)
	for c := b.Next(n, typ); c >= 0; c = b.Next(n, c) {
		x = b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(goAsValue(b, c, graph.Read)), Off: b.Off(n)})
	}
	return x
}

// goIndexed reports whether a variable stands in the generic type at n.
func goIndexed(b *Builder, n int32) bool {
	for i := n; i < int32(b.t.Nodes[n].Next); i++ {
		id := i
		switch b.Kind(i) {
		case "qualified_type":
			id = b.Field(i, "package")
			i = int32(b.t.Nodes[i].Next) - 1
		case "type_identifier":
		default:
			continue
		}
		if l := b.local(b.nodeStr(id)); l >= 0 && b.F.Locals[l].Symbol < 0 && b.F.Locals[l].Flags&graph.TypeParam == 0 {
			return true
		}
	}
	return false
}

// goAsValue takes as a value what the grammar took for a type.
func goAsValue(b *Builder, n int32, role graph.Role) int32 {
	switch b.Kind(n) {
	case "generic_type":
		x := goAsValue(b, b.Field(n, "type"), role)
		var kids []int32
		if args := b.Field(n, "type_arguments"); args >= 0 {
			for c := b.First(args); c >= 0; c = b.Next(args, c) {
				kids = append(kids, goAsValue(b, c, graph.Read))
			}
		}
		return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
	case "qualified_type":
		x, name := b.Name(b.Field(n, "package"), graph.Read, true), b.Field(n, "name")
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
	case "type_elem":
		return goAsValue(b, b.First(n), role)
	case "type_identifier", "identifier":
		return b.Name(n, role, true)
	}
	return b.Value(n, role, true)
}

// goElem: a type in an interface is embedded in it; a union only bounds it.
func goElem(b *Builder, n int32) bool {
	owner := b.Enclosing()
	c := b.First(n)
	if c < 0 || !b.InType() {
		return false
	}
	if b.Next(n, c) < 0 && !b.Is(c, "negated_type") {
		t := b.Type(c, graph.Inherit)
		b.AddBases(owner, t)
		return true
	}
	b.Type(n, graph.TypeUse)
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

// goShort: := declares the names that are new in this scope and assigns to the others.
func goShort(b *Builder, n int32) bool {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if left < 0 || right < 0 {
		return false
	}
	value := b.Value(right, graph.Read, true)
	goDeclare(b, left, value)
	return true
}

func goDeclare(b *Builder, left, value int32) {
	one := b.First(left) >= 0 && b.Next(left, b.First(left)) < 0
	k := 0
	for c := b.First(left); c >= 0; c = b.Next(left, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		part := value
		if !one {
			part = b.Part(c, value, k)
		}
		k++
		if b.rule(c).Do != Ident {
			b.Value(c, graph.Write, false)
			continue
		}
		if string(b.t.Text(c)) == "_" {
			continue
		}
		name := b.nodeStr(c)
		if l := b.blockLocal(name); l >= 0 && b.F.Locals[l].Symbol < 0 {
			if b.F.Locals[l].Init < 0 && b.F.Locals[l].Type < 0 {
				b.F.Locals[l].Init = part
			}
			continue
		}
		b.Local(name, b.Off(c), graph.None, part, 0)
	}
}

// goRange: the first name takes the key (or the element of a channel), the second the element.
func goRange(b *Builder, n int32) bool {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	v := b.Value(right, graph.Read, left >= 0)
	if left < 0 {
		return true
	}
	k := 0
	for c := b.First(left); c >= 0; c = b.Next(left, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		e := b.Of(graph.OpElem, n, v)
		if e >= 0 && k == 0 {
			b.F.Exprs[e].N = 1
		}
		k++
		if !b.Has(n, ":=") || b.rule(c).Do != Ident {
			b.AssignTo(c, e, graph.None)
		} else if string(b.t.Text(c)) != "_" {
			b.Local(b.nodeStr(c), b.Off(c), graph.None, e, 0)
		}
	}
	return true
}

func goReceive(b *Builder, n int32) bool {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	v := b.Value(right, graph.Read, left >= 0)
	if left < 0 {
		return true
	}
	if b.Has(n, ":=") {
		goDeclare(b, left, v)
	} else {
		b.AssignTo(left, v, graph.None)
	}
	return true
}

func goIncrement(b *Builder, n int32) bool {
	if c := b.First(n); c >= 0 {
		b.Value(c, graph.Write, false)
	}
	return true
}

// goTypeSwitch: in each case the switched name has that case's type.
func goTypeSwitch(b *Builder, n int32) bool {
	b.Scope(func() {
		alias, saved := b.Field(n, "alias"), b.Scratch
		value := graph.None
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			switch {
			case b.InField(c, "alias"):
			case b.InField(c, "value"):
				value = b.Value(c, graph.Read, alias >= 0)
				b.Scratch[2], b.Scratch[3] = alias, value
			default:
				b.Visit(c)
			}
		}
		b.Scratch = saved
	})
	return true
}

func goTypeCase(b *Builder, n int32) bool {
	b.Scope(func() {
		types, typ := 0, graph.None
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.InField(c, "type") {
				typ = b.Type(c, graph.TypeUse)
				types++
			}
		}
		if alias := b.Scratch[2]; alias >= 0 && b.First(alias) >= 0 {
			id := b.First(alias)
			l := b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, 0)
			if types == 1 {
				b.F.Locals[l].Type = typ
			} else {
				b.F.Locals[l].Init = b.Scratch[3]
			}
		}
		saved := b.Scratch
		b.Scratch[2] = graph.None
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if !b.InField(c, "type") {
				b.Visit(c)
			}
		}
		b.Scratch = saved
	})
	return true
}

// goResults is a list of results: their types, the named ones also as variables.
func goResults(b *Builder, n int32, role graph.Role) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "parameter_declaration") {
			continue
		}
		t := b.Type(b.Field(c, "type"), graph.TypeUse)
		named := 0
		for k := b.First(c); k >= 0; k = b.Next(c, k) {
			if !b.InField(k, "name") {
				continue
			}
			named++
			kids = append(kids, t)
			if b.InFunction() && string(b.t.Text(k)) != "_" {
				b.Local(b.nodeStr(k), b.Off(k), t, graph.None, 0)
			}
		}
		if named == 0 {
			kids = append(kids, t)
		}
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return b.Expr(graph.Expr{Op: graph.OpTuple, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

func goUnary(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.Field(n, "operand"), graph.Read, want)
	if !want || x < 0 {
		return graph.None
	}
	switch {
	case b.Has(n, "&"):
		return b.Of(graph.OpAddr, n, x)
	case b.Has(n, "*"):
		return b.Of(graph.OpDeref, n, x)
	case b.Has(n, "<-"):
		return b.Of(graph.OpReceive, n, x)
	}
	return x
}

// goComposite is T{...}: its keys are fields of T where T is a struct.
func goComposite(b *Builder, n int32, role graph.Role, want bool) int32 {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	e := b.Expr(graph.Expr{Op: graph.OpNew, X: typ, Off: b.Off(n)})
	if body := b.Field(n, "body"); body >= 0 {
		goLiteral(b, body, e)
	}
	return e
}

// goLiteral takes the elements of a composite literal of the value of.
func goLiteral(b *Builder, n, of int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "keyed_element":
			key := b.First(c)
			if key < 0 {
				continue
			}
			val := b.Next(c, key)
			goKey(b, key, of)
			goElement(b, val, of)
		case "literal_element", "literal_value":
			goElement(b, c, of)
		default:
			b.Visit(c)
		}
	}
}

func goKey(b *Builder, key, of int32) {
	id := key
	if b.Is(key, "literal_element") {
		id = b.First(key)
	}
	if b.rule(id).Do != Ident {
		if b.Is(id, "literal_value") {
			e := b.Of(graph.OpElem, id, of)
			b.F.Exprs[e].N = 1
			goLiteral(b, id, e)
			return
		}
		b.Value(id, graph.Read, false)
		return
	}
	// A field where the literal's type has one of that name, else any name in scope.
	other := b.local(b.nodeStr(id))
	e := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, N: 1, X: of, Name: b.nodeStr(id), Off: b.Off(id)})
	if other >= 0 {
		b.F.Exprs[e].N = 2 // a local of that name: no reference where it is no field
	}
}

func goElement(b *Builder, n, of int32) {
	if n < 0 {
		return
	}
	if b.Is(n, "literal_element") {
		n = b.First(n)
	}
	if n >= 0 && b.Is(n, "literal_value") {
		goLiteral(b, n, b.Of(graph.OpElem, n, of))
		return
	}
	if n >= 0 {
		b.Value(n, graph.Read, false)
	}
}

// goModules: an import path leads through a vendor folder, a module of the workspace, or a
// replace directive to a folder; its package is the one that is no test.
func goModules(q ModuleQuery) []Candidate {
	dir := path.Dir(q.From)
	for d := dir; ; d = path.Dir(d) {
		if v := path.Join(d, "vendor", q.Module); q.Folder(v) {
			return []Candidate{{Dir: v}}
		}
		if d == "." || d == "/" {
			break
		}
	}
	scope := graph.Scope("config", "go.mod")
	for p, rest := q.Module, ""; ; {
		for _, h := range q.Config(scope, p) {
			if t := path.Join(h.Value, rest); q.Folder(t) {
				return []Candidate{{Dir: t}}
			}
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			break
		}
		p, rest = p[:i], path.Join(p[i+1:], rest)
	}
	for _, h := range q.Config(scope, "std") {
		if t := path.Join(h.Value, q.Module); q.Folder(t) {
			return []Candidate{{Dir: t}}
		}
		if t := path.Join(h.Value, "vendor", q.Module); q.Folder(t) {
			return []Candidate{{Dir: t}}
		}
	}
	return nil
}

// goMod makes facts of a go.mod: a symbol for the module, whose value is the folder, and one
// for each module that is replaced by a folder.
func goMod(p string, src []byte) *graph.Facts {
	c := newConfig("go", p)
	replace := false
	off := uint32(0)
	for _, line := range strings.SplitAfter(string(src), "\n") {
		text, _, _ := strings.Cut(line, "//")
		words := strings.Fields(text)
		switch {
		case len(words) > 1 && words[0] == "module":
			c.add(graph.Module, strings.Trim(words[1], `"`), path.Dir(p), off+uint32(strings.Index(line, words[1])), len(words[1]))
		case len(words) > 1 && words[0] == "replace" && words[1] == "(":
			replace = true
		case len(words) > 0 && words[0] == ")":
			replace = false
		case len(words) > 3 && words[0] == "replace":
			goReplace(c, p, words[1:], off+uint32(strings.Index(line, words[1])))
		case replace && len(words) > 2:
			goReplace(c, p, words, off+uint32(strings.Index(line, words[0])))
		}
		off += uint32(len(line))
	}
	return c.f
}

func goReplace(c *config, p string, words []string, off uint32) {
	for i, w := range words {
		if w == "=>" && i+1 < len(words) && strings.HasPrefix(words[i+1], ".") {
			c.add(graph.Namespace, words[0], path.Join(path.Dir(p), words[i+1]), off, len(words[0]))
		}
	}
}
