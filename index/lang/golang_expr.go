package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

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
