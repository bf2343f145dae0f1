package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// ConstructorName is the name under which constructors answer: their own is their type's.
const ConstructorName = "\x00new"

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
