package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// scalaValue declares vals and vars, or in functions variables.
func scalaValue(b *Builder, n int32) bool {
	flags := scalaModifiers(b, n)
	if strings.HasSuffix(b.Kind(n), "_declaration") {
		flags |= graph.Abstract
	}
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	names, value := b.Field(n, "pattern"), b.Field(n, "value")
	if names < 0 {
		names = b.Field(n, "name")
	}
	if b.InFunction() {
		v := b.Value(value, graph.Read, true)
		switch b.Kind(names) {
		case "identifier", "operator_identifier":
			b.Local(b.nodeStr(names), b.Off(names), typ, v, 0)
		case "identifiers":
			for c := b.First(names); c >= 0; c = b.Next(names, c) {
				b.Local(b.nodeStr(c), b.Off(c), typ, v, 0)
			}
		default:
			scalaPattern(b, names, v)
		}
		return true
	}
	scalaFields(b, n, names, value, typ, flags)
	return true
}

// scalaFields adds the fields that a definition names.
func scalaFields(b *Builder, n, names, value, typ int32, flags graph.Flags) {
	var syms []int32
	doc := b.doc
	add := func(c int32) {
		b.doc = doc
		sym := b.Symbol(graph.Property, c, n, "")
		kotlinFlags(b, sym, flags)
		b.Sym(sym).Type = typ
		syms = append(syms, sym)
	}
	together := true
	switch b.Kind(names) {
	case "identifier", "operator_identifier":
		add(names)
	case "identifiers":
		for c := b.First(names); c >= 0; c = b.Next(names, c) {
			add(c)
		}
	default:
		together = false
		for i := names; names >= 0 && i < int32(b.Node(names).Next); i++ {
			if b.Is(i, "identifier") && scalaBinds(b.Text(i)) {
				add(i)
			}
		}
	}
	in := b.in
	b.push(blockFrame, graph.None)
	if len(syms) > 0 {
		b.in = syms[0]
	}
	v := b.Value(value, graph.Read, true)
	b.pop()
	b.in = in
	for k, s := range syms {
		if b.Sym(s).Init = v; !together {
			b.Sym(s).Init = b.Part(n, v, k)
		}
	}
	b.doc = docRun{}
}

// scalaBinds reports whether a plain name in a pattern is bound there: others are values.
func scalaBinds(name string) bool {
	return name != "" && name != "_" && (name[0] == '_' || name[0] >= 'a' && name[0] <= 'z' || name[0] >= 0x80)
}

func scalaAlias(b *Builder, n int32) bool {
	flags := scalaModifiers(b, n)
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	sym := b.Symbol(graph.TypeAlias, name, n, "")
	kotlinFlags(b, sym, flags)
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	t := b.Type(b.Field(n, "type"), graph.TypeUse)
	b.Sym(sym).Type = t
	b.pop()
	return true
}

// scalaGiven is a given value: an object of its own, where it has a body.
func scalaGiven(b *Builder, n int32) bool {
	flags := scalaModifiers(b, n)
	name, typ, body := b.Field(n, "name"), b.Field(n, "return_type"), b.Field(n, "body")
	kind, text := graph.Property, ""
	if b.Is(body, "with_template_body") || b.Is(body, "template_body") {
		kind = graph.Class
		flags |= graph.Sole
	}
	if name < 0 {
		text = "(given)"
		flags |= graph.Anonymous
	}
	sym := b.Symbol(kind, name, n, text)
	kotlinFlags(b, sym, flags)
	frame := blockFrame
	if kind == graph.Class {
		frame = typeFrame
	}
	in := b.in
	b.push(frame, graph.None)
	b.frame().sym, b.in = sym, sym
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "parameters") {
			for p := b.First(c); p >= 0; p = b.Next(c, p) {
				scalaParam(b, p, false)
			}
		}
	}
	if kind == graph.Class {
		if t := b.Type(typ, graph.Inherit); t >= 0 {
			b.AddBases(sym, t)
		}
		b.body(sym, body)
	} else {
		t := b.Type(typ, graph.TypeUse)
		b.Sym(sym).Type = t
		v := b.Value(body, graph.Read, true)
		b.Sym(sym).Init = v
	}
	b.pop()
	b.in = in
	return true
}

// scalaTypeParams binds type parameters; bounds stand behind each.
func scalaTypeParams(b *Builder, n int32) bool {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "identifier":
			last = b.Local(b.nodeStr(c), b.Off(c), graph.None, graph.None, graph.TypeParam)
		case "covariant_type_parameter", "contravariant_type_parameter":
			if id := b.Field(c, "name"); id >= 0 {
				last = b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
			}
			if up := b.Child(c, "upper_bound"); up >= 0 && last >= 0 {
				t := b.Type(b.Field(up, "type"), graph.TypeUse)
				b.F.Locals[last].Type = t
			}
		case "upper_bound":
			if t := b.Type(b.Field(c, "type"), graph.TypeUse); last >= 0 {
				b.F.Locals[last].Type = t
			}
		case "lower_bound", "context_bound", "view_bound":
			b.Type(b.Field(c, "type"), graph.TypeUse)
		}
	}
	return true
}

// scalaSelfType is self: T =>: the receiver is also a T.
func scalaSelfType(b *Builder, n int32) bool {
	sym := b.frame().sym
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "identifier") {
			if name := b.Text(c); name != "this" && name != "_" {
				b.Local(b.nodeStr(c), b.Off(c), graph.None, b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(c)}), 0)
			}
			continue
		}
		if t := b.Type(c, graph.TypeUse); t >= 0 && sym >= 0 && b.InType() {
			b.AddBases(sym, t)
		}
	}
	return true
}

func scalaTypes(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		b.Type(c, graph.TypeUse)
	}
	return true
}

func scalaAnnotation(b *Builder, n int32) bool {
	b.Type(b.Field(n, "name"), graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "arguments") {
			scalaArguments(b, c, graph.None, nil)
		}
	}
	return true
}

// scalaStableType is a.b.C.
func scalaStableType(b *Builder, n int32, role graph.Role) int32 {
	return scalaDotted(b, n, role)
}

func scalaDotted(b *Builder, n int32, role graph.Role) int32 {
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		how := graph.TypeUse
		if b.Next(n, c) < 0 {
			how = role
		}
		switch {
		case x >= 0:
			x = b.Expr(graph.Expr{Op: graph.OpMember, Role: how, X: x, Name: b.nodeStr(c), Off: b.Off(c)})
		case b.Is(c, "stable_identifier"):
			x = scalaDotted(b, c, graph.TypeUse)
		default:
			x = b.Name(c, how, true)
		}
	}
	return x
}

// scalaInfixType is A | B, A & B, or an operator on types.
func scalaInfixType(b *Builder, n int32, role graph.Role) int32 {
	left := b.Type(b.Field(n, "left"), graph.TypeUse)
	right := b.Type(b.Field(n, "right"), graph.TypeUse)
	if op := b.Text(b.Field(n, "operator")); op != "|" && op != "&" || left < 0 || right < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(left, right), Off: b.Off(n)})
}

func scalaFuncType(b *Builder, n int32, role graph.Role) int32 {
	var kids []int32
	list := b.Field(n, "parameter_types")
	b.push(blockFrame, graph.None)
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		l := b.Local(0, b.Off(c), b.Type(c, graph.TypeUse), graph.None, graph.InnerParam)
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(c)}))
	}
	b.pop()
	result := b.Type(b.Field(n, "return_type"), graph.TypeUse)
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(kids...), Off: b.Off(n)})
}

func scalaInnerType(b *Builder, n int32, role graph.Role) int32 {
	t := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "annotation") {
			b.Visit(c)
		} else if x := b.Type(c, role); t < 0 {
			t = x
		}
	}
	return t
}

// scalaSingleton is x.type.
func scalaSingleton(b *Builder, n int32, role graph.Role) int32 {
	c := b.First(n)
	if c < 0 {
		return graph.None
	}
	if b.Text(c) == "this" {
		return b.Expr(graph.Expr{Op: graph.OpSelf, N: 1, X: graph.None, Off: b.Off(n)})
	}
	return b.Of(graph.OpTypeOf, n, b.Value(c, graph.Read, true))
}
