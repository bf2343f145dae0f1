package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// ConstructorName is the name under which constructors answer: their own is their type's.
const ConstructorName = "\x00new"

// cppDeclared is what a declarator says: the name's node and spelling, the path of what owns it,
// the type, and the parameters where the name is that of a function.
type cppDeclared struct {
	name   int32
	text   string  // where the node does not spell it
	scope  []int32 // nodes before a ::, outermost first
	typ    int32
	params int32
	parts  int32 // a structured binding
	deref  bool  // the type is wrapped in a pointer
	reads  bool  // a method that changes nothing
}

// cppDeclarator takes a declarator apart, from the outside in.
func cppDeclarator(b *Builder, d, typ int32) cppDeclared {
	out := cppDeclared{name: graph.None, typ: typ, params: graph.None, parts: graph.None}
	before := typ
	for d >= 0 {
		inner := b.Field(d, "declarator")
		switch b.Kind(d) {
		case "pointer_declarator", "abstract_pointer_declarator", "reference_declarator", "abstract_reference_declarator":
			cOther(b, out.params)
			out.params = graph.None
			if b.Is(d, "pointer_declarator") || b.Is(d, "abstract_pointer_declarator") { // a reference is what it refers to
				out.typ = cppWrap(b, graph.OpPointer, d, out.typ)
				out.deref = true
			}
			if inner < 0 {
				inner = cppInner(b, d)
			}
		case "array_declarator", "abstract_array_declarator":
			cOther(b, out.params)
			out.params = graph.None
			b.Value(b.Field(d, "size"), graph.Read, false)
			out.typ = cppWrap(b, graph.OpArray, d, out.typ)
		case "function_declarator", "abstract_function_declarator":
			cOther(b, out.params)
			out.params, before = b.Field(d, "parameters"), out.typ
			for c := b.First(d); c >= 0; c = b.Next(d, c) {
				if b.Is(c, "trailing_return_type") {
					before = b.Type(b.First(c), graph.TypeUse)
				} else if b.Is(c, "type_qualifier") {
					out.reads = out.reads || b.Text(c) == "const"
				} else if b.Is(c, "noexcept") || b.Is(c, "requires_clause") {
					b.Visit(c)
				}
			}
			out.typ = b.Expr(graph.Expr{Op: graph.OpFunc, X: before, Off: b.Off(d)})
		case "parenthesized_declarator", "attributed_declarator", "abstract_parenthesized_declarator", "variadic_declarator":
			inner = cppInner(b, d)
		default:
			cppNamed(b, d, &out)
			if out.params >= 0 {
				out.typ = before
			}
			return out
		}
		d = inner
	}
	cOther(b, out.params)
	out.params = graph.None
	return out
}

func cppWrap(b *Builder, op graph.Op, n, x int32) int32 {
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: op, X: x, Off: b.Off(n)})
}

// cppInner is the declarator inside d where no field names it.
func cppInner(b *Builder, d int32) int32 {
	for c := b.First(d); c >= 0; c = b.Next(d, c) {
		if dk := b.rule(c).Do; dk != Comment && dk != Skip && !strings.HasPrefix(b.Kind(c), "ms_") && !b.Is(c, "*") && !b.Is(c, "&") {
			return c
		}
		if b.Is(c, "destructor_name") {
			return c
		}
	}
	return graph.None
}

// cppNamed takes the name at the heart of a declarator.
func cppNamed(b *Builder, d int32, out *cppDeclared) {
	switch b.Kind(d) {
	case "identifier", "field_identifier", "type_identifier", "primitive_type":
		out.name = d
	case "destructor_name", "operator_name":
		out.name, out.text = d, strings.Join(strings.Fields(b.Text(d)), "")
		if rest, ok := strings.CutPrefix(out.text, "operator"); ok && rest != "" && cLetter(rest[0]) {
			out.text = "operator " + rest
		}
	case "operator_cast":
		t := b.Field(d, "type")
		out.name, out.text = d, "operator "+b.Text(t)
		out.typ = b.Type(t, graph.TypeUse)
		for c := b.Field(d, "declarator"); c >= 0; c = b.Field(c, "declarator") {
			if p := b.Field(c, "parameters"); p >= 0 {
				out.params = p
				break
			}
			out.typ = cppWrap(b, graph.OpPointer, c, out.typ)
		}
	case "template_function", "template_type":
		out.name = b.Field(d, "name")
		b.values(d, &slot{fields: []uint16{b.l.g.fields["arguments"]}}, true)
	case "qualified_identifier":
		if s := b.Field(d, "scope"); s >= 0 {
			out.scope = append(out.scope, s)
		}
		if x := b.Field(d, "name"); x >= 0 {
			cppNamed(b, x, out)
		}
	case "structured_binding_declarator":
		out.parts = d
	case "pointer_type_declarator", "dependent_name":
		if x := cppInner(b, d); x >= 0 {
			cppNamed(b, x, out)
		}
	default:
		b.Visit(d)
	}
}

// cppType is the type of a declaration; auto is none.
func cppType(b *Builder, n int32) (typ int32, auto bool) {
	t := b.Field(n, "type")
	if t < 0 {
		return graph.None, false
	}
	typ = b.Type(t, graph.TypeUse)
	return cppConst(b, n, typ), b.Is(t, "placeholder_type_specifier")
}

// cppConst is the type typ of n, where n says so of values that may not be changed.
func cppConst(b *Builder, n, typ int32) int32 {
	if typ < 0 {
		return typ
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_qualifier") && string(b.t.Text(c)) == "const" {
			return b.Expr(graph.Expr{Op: graph.OpUnion, N: graph.MeansConst, X: graph.None, Kids: b.List(typ), Off: b.Off(n)})
		}
	}
	return typ
}

// cppFunction is a function with its body.
func cppFunction(b *Builder, n int32) bool {
	if cppMacroBody(b, n) {
		return true
	}
	doc := b.doc
	b.doc = docRun{}
	typ, _ := cppType(b, n)
	d := cppDeclarator(b, b.Field(n, "declarator"), typ)
	if d.name < 0 {
		b.visitChildren(n)
		return true
	}
	if d.params < 0 && b.Has(n, "pure_virtual_clause") { // the grammar's idea of a field that is set to 0
		b.doc = doc
		cppDeclare(b, n, d, graph.None, false)
		b.doc = docRun{}
		return true
	}
	if d.params < 0 { // not understood: its body still counts
		b.visitIf(b.Field(n, "body"))
		return true
	}
	b.doc = doc
	sym := cppCallable(b, n, d)
	if b.InFunction() {
		b.bindNested(sym)
	}
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "field_initializer_list"):
			cppInitializers(b, c)
		case b.InField(c, "body") || b.Is(c, "try_statement"):
			b.Sym(sym).Body = b.Off(c)
			b.doc = docRun{}
			b.visitChildren(c)
		case b.Is(c, "default_method_clause") || b.Is(c, "delete_method_clause"):
		}
	}
	b.pop()
	return true
}

// cppCallable adds the symbol of a function or method that is declared or defined at n.
func cppCallable(b *Builder, n int32, d cppDeclared) int32 {
	kind := graph.Function
	name := d.text
	if name == "" {
		name = b.Text(d.name)
	}
	within := ""
	if t := b.frame().sym; b.InType() && t >= 0 {
		kind, within = graph.Method, b.F.Strings[b.Sym(t).Name]
	}
	owner := graph.None
	qual := ""
	if len(d.scope) > 0 {
		kind = graph.Method
		owner, qual = cppOwner(b, d.scope)
		within = qual[strings.LastIndexByte(qual, '.')+1:]
	}
	if kind == graph.Method && name == within {
		kind = graph.Constructor
	}
	in := b.in
	sym := b.Symbol(kind, d.name, n, d.text)
	s := b.Sym(sym)
	if len(d.scope) > 0 {
		b.requalify(sym, qual)
		s.Owner = owner
		if cppKnownNamespace(b, d.scope) {
			s.Kind, s.Owner = graph.Function, graph.None
		}
	}
	b.in = in
	s.Type = d.typ
	if d.reads {
		s.Flags |= graph.ReadOnly
	}
	if cHas(b, n, "static") {
		if kind == graph.Function {
			s.Flags = s.Flags&^graph.Exported | graph.FileLocal
		} else {
			s.Flags |= graph.Static
		}
	}
	return sym
}

// cppKnownNamespace reports whether the file has declared the namespace of that path.
func cppKnownNamespace(b *Builder, scope []int32) bool {
	last := b.Text(scope[len(scope)-1])
	for i := range b.F.Symbols {
		if s := &b.F.Symbols[i]; s.Kind == graph.Namespace && b.F.Strings[s.Name] == last {
			return true
		}
	}
	return false
}

// cppOwner is the expression that names what owns an out-of-line definition, and its path.
func cppOwner(b *Builder, scope []int32) (int32, string) {
	x, path := graph.None, ""
	for i, n := range scope {
		id := n
		if b.Is(n, "template_type") {
			id = b.Field(n, "name")
		}
		if i == 0 {
			x = b.Type(n, graph.TypeUse)
		} else {
			x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.TypeUse, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
			path += "."
		}
		path += b.Text(id)
	}
	return x, path
}

// requalify moves symbol sym to the path qual inside what encloses it.
func (b *Builder) requalify(sym int32, qual string) {
	s := b.Sym(sym)
	old := b.F.Strings[s.Qual]
	delete(b.named, member{s.Container, s.Name})
	if old != "" {
		qual = old + "." + qual
		old += "."
	}
	name := b.F.Strings[s.Name]
	b.paths[old+name]--
	s.Qual = b.Str(qual)
	b.paths[qual+"."+name]++
	s.Ordinal = b.paths[qual+"."+name]
}

// cppInitializers take the members and bases that a constructor initialises.
func cppInitializers(b *Builder, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "field_initializer") {
			continue
		}
		id := b.First(c)
		for x := id; x >= 0; x = b.Next(c, x) {
			switch {
			case x != id:
				b.Visit(x)
			case b.Is(x, "field_identifier"):
				b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Write, Name: b.nodeStr(x), Off: b.Off(x), X: graph.None})
			default:
				b.Type(x, graph.TypeUse)
			}
		}
	}
}

// cppDeclaration declares variables, fields, functions and methods.
func cppDeclaration(b *Builder, n int32) bool {
	doc := b.doc
	b.doc = docRun{}
	if cppIsCall(b, n) {
		return true
	}
	typ, auto := cppType(b, n)
	any := false
	value := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "declarator"):
			any = true
			value = b.Field(n, "default_value")
			if value < 0 {
				value = b.Field(n, "value")
			}
			d := c
			if b.Is(c, "init_declarator") {
				d, value = b.Field(c, "declarator"), b.Field(c, "value")
			}
			b.doc = doc
			cppDeclare(b, n, cppDeclarator(b, d, typ), value, auto)
		case b.Is(c, "bitfield_clause"):
			b.Visit(c)
		}
	}
	b.doc = docRun{}
	if !any {
		cppUnnamed(b, n, typ)
	}
	return true
}

// cppUnnamed: the members of a union or struct without a name are those of what it stands in.
func cppUnnamed(b *Builder, n, typ int32) {
	if typ < 0 || !b.InType() || b.frame().sym < 0 {
		return
	}
	if e := b.F.Exprs[typ]; e.Op == graph.OpObject && e.X >= 0 && b.F.Symbols[e.X].Flags&graph.Anonymous != 0 {
		b.AddBases(b.frame().sym, typ)
	}
}

func cppDeclare(b *Builder, n int32, d cppDeclared, value int32, auto bool) {
	switch {
	case d.parts >= 0:
		cppParts(b, d.parts, b.Value(value, graph.Read, true))
		return
	case d.name < 0:
		b.Value(value, graph.Read, false)
		return
	case d.params >= 0 && !cppMakes(b, d):
		cppPrototype(b, n, d, value)
		return
	}
	if d.params >= 0 { // T name(arguments)
		cppVexed(b, d.params)
	}
	if auto {
		d.typ = graph.None
	}
	if b.InFunction() && len(d.scope) == 0 && !cHas(b, n, "extern") {
		l := b.Local(b.nodeStr(d.name), b.Off(d.name), d.typ, graph.None, 0)
		v := cppInit(b, value, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(d.name)}))
		if auto {
			b.F.Locals[l].Init = v
		}
		return
	}
	cppVariable(b, n, d, value)
}

// cppVariable is a variable of a namespace or a field.
func cppVariable(b *Builder, n int32, d cppDeclared, value int32) {
	kind := graph.Variable
	if b.InType() || len(d.scope) > 0 {
		kind = graph.Field
	}
	owner, qual := graph.None, ""
	if len(d.scope) > 0 {
		owner, qual = cppOwner(b, d.scope)
	}
	sym := b.Symbol(kind, d.name, n, d.text)
	s := b.Sym(sym)
	if qual != "" {
		b.requalify(sym, qual)
		s.Owner = owner
	}
	s.Type = d.typ
	static := cHas(b, n, "static")
	switch {
	case kind == graph.Field && static:
		s.Flags |= graph.Static
		if value < 0 {
			s.Flags |= graph.Declaration
		}
	case kind == graph.Variable:
		cLinkage(s, static || cppConstant(b, n, d), cHas(b, n, "extern") && value < 0)
	}
	in := b.in
	b.in = sym
	v := cppInit(b, value, b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(d.name)}))
	b.in = in
	if d.typ < 0 {
		b.Sym(sym).Init = v
	}
}

// cppConstant reports whether a variable has internal linkage because it is constant.
func cppConstant(b *Builder, n int32, d cppDeclared) bool {
	if d.deref || cHas(b, n, "extern") || cHas(b, n, "inline") {
		return false
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_qualifier") && (b.Text(c) == "const" || b.Text(c) == "constexpr") {
			return true
		}
	}
	return false
}

// cppInit takes an initializer: a value, arguments in parentheses, or a list in braces.
func cppInit(b *Builder, value, of int32) int32 {
	switch {
	case value < 0:
		return graph.None
	case b.Is(value, "initializer_list"):
		cList(b, value, of)
		return graph.None
	case b.Is(value, "argument_list"):
		b.visitChildren(value)
		return graph.None
	}
	return b.Value(value, graph.Read, true)
}

// cppMakes reports whether what looks like a function inside a function is a variable that is
// made with arguments.
func cppMakes(b *Builder, d cppDeclared) bool {
	return b.InFunction() && b.Find(d.params, "parameter_declaration") >= 0 && cppPlainNames(b, d.params)
}

// cppPlainNames reports whether what looks like parameters are names, and calls of such with the same.
func cppPlainNames(b *Builder, params int32) bool {
	for c := b.First(params); c >= 0; c = b.Next(params, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		t := b.Field(c, "type")
		if t < 0 || !b.Is(c, "parameter_declaration") || !b.Is(t, "type_identifier") && !b.Is(t, "qualified_identifier") {
			return false
		}
		for k := b.First(c); k >= 0; k = b.Next(c, k) {
			if k != t && !(b.Is(k, "abstract_function_declarator") && b.Field(k, "declarator") < 0 && cppPlainNames(b, b.Field(k, "parameters"))) {
				return false
			}
		}
	}
	return true
}

// cppVexed takes the arguments that look like parameters, and returns their list.
func cppVexed(b *Builder, params int32) []int32 {
	var out []int32
	for c := b.First(params); c >= 0; c = b.Next(params, c) {
		t := b.Field(c, "type")
		if t < 0 {
			continue
		}
		f := b.Field(c, "declarator")
		if f < 0 {
			out = append(out, b.Value(t, graph.Read, true))
			continue
		}
		x := b.Value(t, graph.Call, true)
		args := cppVexed(b, b.Field(f, "parameters"))
		if x >= 0 {
			x = b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(args...), N: uint16(len(args) + 1), Off: b.Off(t)})
		}
		out = append(out, x)
	}
	return out
}

// cppIsCall takes what looks like a declaration in a function but is a call: f(*x); f(&x);
func cppIsCall(b *Builder, n int32) bool {
	t, d := b.Field(n, "type"), b.Field(n, "declarator")
	if !b.InFunction() || t < 0 || d < 0 || !b.Is(d, "parenthesized_declarator") || !b.Is(t, "type_identifier") && !b.Is(t, "qualified_identifier") {
		return false
	}
	inner := cppInner(b, d)
	if inner < 0 || !b.Is(inner, "reference_declarator") && !b.Is(inner, "pointer_declarator") {
		return false
	}
	id := b.Find(inner, "identifier")
	if id < 0 {
		return false
	}
	x := b.Value(t, graph.Call, true)
	v := b.Of(graph.OpAddr, inner, b.Name(id, graph.Read, true))
	if x >= 0 {
		b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(v), N: 2, Off: b.Off(n)})
	}
	return true
}

// cppParts binds the names of a structured binding.
func cppParts(b *Builder, n, value int32) {
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "identifier") {
			b.Local(b.nodeStr(c), b.Off(c), graph.None, b.Part(c, value, k), 0)
			k++
		}
	}
}

// cppPrototype declares a function or method that is defined elsewhere.
func cppPrototype(b *Builder, n int32, d cppDeclared, value int32) {
	if b.InFunction() && !b.InType() {
		cOther(b, d.params)
		return
	}
	if len(d.scope) > 0 { // an explicit specialisation or a friend
		cOther(b, d.params)
		return
	}
	sym := cppCallable(b, n, d)
	s := b.Sym(sym)
	if value >= 0 && b.Text(value) == "0" || b.Has(n, "pure_virtual_clause") {
		s.Flags |= graph.Abstract
	} else {
		s.Flags |= graph.Declaration
	}
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	b.pop()
}

func cppParameter(b *Builder, n int32) bool {
	typ, _ := cppType(b, n)
	d := cppDeclarator(b, b.Field(n, "declarator"), typ)
	cOther(b, d.params)
	t := b.Field(n, "type")
	if d.name < 0 && b.Field(n, "declarator") < 0 && b.Text(t) == "void" {
		return true
	}
	flags := graph.Param
	if v := b.Field(n, "default_value"); v >= 0 {
		b.Value(v, graph.Read, false)
		flags |= graph.OptionalParam
	}
	if b.Is(n, "variadic_parameter_declaration") {
		flags |= graph.VariadicParam
	}
	name, off := uint32(0), b.Off(n)
	if d.name >= 0 {
		name, off = b.nodeStr(d.name), b.Off(d.name)
	}
	b.Local(name, off, d.typ, graph.None, flags)
	return true
}

// cppTypedef names types.
func cppTypedef(b *Builder, n int32) bool {
	doc := b.doc
	t := b.Field(n, "type")
	first := b.Field(n, "declarator")
	if t < 0 {
		return false
	}
	if b.Field(t, "body") >= 0 && b.Field(t, "name") < 0 && first >= 0 && b.Is(first, "type_identifier") {
		cppDefineClass(b, t, first, n) // a type without a name of its own is called like its typedef
		return true
	}
	typ := b.Type(t, graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "declarator") {
			continue
		}
		d := cppDeclarator(b, c, typ)
		full := cWhole(b, c, d.params, d.typ)
		if d.name >= 0 {
			b.doc = doc
			sym := b.Symbol(graph.TypeAlias, d.name, n, "")
			b.bindNested(sym)
			b.Sym(sym).Type = full
		}
	}
	b.doc = docRun{}
	return true
}
