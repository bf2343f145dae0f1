package lang

import (
	"unicode"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/graph"
)

// rustTypeParams binds the type parameters, then takes their bounds, which may name any of them.
func rustTypeParams(b *Builder, n int32) bool {
	from := len(b.F.Locals)
	var bounds [][2]int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		id, of := c, graph.None
		switch b.Kind(c) {
		case "type_identifier":
		case "constrained_type_parameter":
			id, of = b.Field(c, "left"), b.Field(c, "bounds")
		case "optional_type_parameter":
			if id = b.Field(c, "name"); b.Is(id, "constrained_type_parameter") {
				id, of = b.Field(id, "left"), b.Field(id, "bounds")
			}
			b.Type(b.Field(c, "default_type"), graph.TypeUse)
		case "const_parameter":
			id = b.Field(c, "name")
			b.Type(b.Field(c, "type"), graph.TypeUse)
		default:
			continue
		}
		if id < 0 || b.Is(id, "lifetime") {
			continue
		}
		l := b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
		if of >= 0 {
			bounds = append(bounds, [2]int32{l, of})
		}
	}
	for _, x := range bounds {
		t := b.Type(x[1], graph.TypeUse)
		b.F.Locals[x[0]].Type = t
	}
	if w := b.Scratch[2]; w >= 0 && len(b.F.Locals) > from {
		b.Scratch[2] = graph.None
		rustWhere(b, w)
	}
	return true
}

// rustWhere takes a where clause: it bounds type parameters that are bound already.
func rustWhere(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "where_predicate") {
			continue
		}
		left := b.Field(c, "left")
		t := b.Type(b.Field(c, "bounds"), graph.TypeUse)
		if left < 0 {
			continue
		}
		l := graph.None
		if b.Is(left, "type_identifier") {
			l = b.localType(b.nodeStr(left))
		}
		if l < 0 {
			b.Type(left, graph.TypeUse)
			continue
		}
		if old := b.F.Locals[l].Type; old >= 0 && t >= 0 {
			t = b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(old, t), Off: b.Off(c)})
		}
		if t >= 0 {
			b.F.Locals[l].Type = t
		}
	}
	return true
}

// rustParam is a parameter: a pattern and its type. The receiver is no parameter.
func rustParam(b *Builder, n int32) bool {
	p, t := b.Field(n, "pattern"), b.Field(n, "type")
	typ := b.Type(t, graph.TypeUse)
	switch {
	case p < 0 || b.Is(p, "self"):
	case b.Is(p, "identifier"):
		b.Local(b.nodeStr(p), b.Off(p), typ, graph.None, graph.Param)
	default:
		l := b.Local(0, b.Off(p), typ, graph.None, graph.Param)
		rustPattern(b, p, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(p)}))
	}
	return true
}

// rustParamPattern is a closure's parameter without a type.
func rustParamPattern(b *Builder, n int32) bool {
	l := b.Local(0, b.Off(n), graph.None, graph.None, graph.Param)
	rustPattern(b, n, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)}))
	return true
}

// rustLet is `let pattern: type = value else {...}`, also as a condition.
func rustLet(b *Builder, n int32) bool {
	v := b.Value(b.Field(n, "value"), graph.Read, true)
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	if alt := b.Field(n, "alternative"); alt >= 0 {
		b.Visit(alt)
	}
	p := b.Field(n, "pattern")
	if p < 0 {
		return true
	}
	if typ >= 0 && !rustHole(b, b.Field(n, "type")) {
		if id := rustPlain(b, p); id >= 0 {
			b.Local(b.nodeStr(id), b.Off(id), typ, graph.None, 0)
			return true
		}
		v = b.Expr(graph.Expr{Op: graph.OpInstance, X: typ, Off: b.Off(n)})
	}
	rustPattern(b, p, v)
	return true
}

// rustHole reports whether type n leaves a part to be inferred.
func rustHole(b *Builder, n int32) bool {
	return n >= 0 && b.Is(n, "type_identifier") && b.Text(n) == "_"
}

// rustPlain is the identifier that pattern n is, or None.
func rustPlain(b *Builder, n int32) int32 {
	if b.Is(n, "mut_pattern") || b.Is(n, "ref_pattern") {
		n = b.Child(n, "identifier")
	}
	if n >= 0 && b.Is(n, "identifier") && !rustUpper(b, n) && b.Text(n) != "_" {
		return n
	}
	return graph.None
}

// rustUpper reports whether a name begins like those of types, variants and constants do: in a
// pattern such a name is compared with, not bound.
func rustUpper(b *Builder, n int32) bool {
	r, _ := utf8.DecodeRune(b.t.Text(n))
	return unicode.IsUpper(r)
}

// rustPattern binds the names of pattern n to the parts of value.
func rustPattern(b *Builder, n, value int32) { rustBind(b, n, value, len(b.F.Locals)) }

// rustBind is rustPattern inside a larger pattern whose locals begin at from: alternatives bind
// the same names.
func rustBind(b *Builder, n, value int32, from int) {
	switch b.Kind(n) {
	case "identifier", "shorthand_field_identifier":
		rustBindName(b, n, value, from)
	case "mutable_specifier", "_":
	case "mut_pattern", "ref_pattern", "reference_pattern", "or_pattern", "parenthesized_expression":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			rustBind(b, c, value, from)
		}
	case "match_pattern":
		cond := b.Field(n, "condition")
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if c != cond {
				rustBind(b, c, value, from)
			}
		}
		if cond >= 0 {
			b.Value(cond, graph.Read, false)
		}
	case "captured_pattern":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			rustBind(b, c, value, from)
		}
	case "tuple_pattern":
		rustBindParts(b, n, value, from, func(c int32, k int) int32 { return b.Part(c, value, k) })
	case "slice_pattern":
		elem := b.Of(graph.OpElem, n, value)
		rustBindParts(b, n, value, from, func(int32, int) int32 { return elem })
	case "tuple_struct_pattern":
		rustBindTuple(b, n, value, from)
	case "struct_pattern":
		rustBindStruct(b, n, value, from)
	case "remaining_field_pattern":
	default:
		b.Value(n, graph.Read, false)
	}
}

func rustBindName(b *Builder, n, value int32, from int) {
	if rustUpper(b, n) {
		b.Name(n, graph.Read, false)
		return
	}
	if b.Text(n) == "_" {
		return
	}
	name := b.nodeStr(n)
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Name == name && l.Symbol < 0 {
			b.addInit(int32(i), value)
			return
		}
	}
	b.Local(name, b.Off(n), graph.None, value, 0)
}

// rustBindParts binds the children of n to the parts that of says; behind `..` it is not known
// which they are.
func rustBindParts(b *Builder, n, value int32, from int, of func(c int32, k int) int32) {
	k, lost := 0, false
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		if b.Is(c, "remaining_field_pattern") {
			lost = !b.Is(n, "slice_pattern")
			continue
		}
		part := graph.None
		if !lost {
			part = of(c, k)
		}
		k++
		rustBind(b, c, part, from)
	}
}

// rustBindTuple is Path(a, b): of Ok, Err and Some the parts are those of the value, of anything
// else they are the fields 0, 1, ... of what Path names.
func rustBindTuple(b *Builder, n, value int32, from int) {
	typ := b.Field(n, "type")
	path := b.Value(typ, graph.Read, true)
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c == typ || b.rule(c).Do == Comment {
			continue
		}
		if b.Is(c, "remaining_field_pattern") {
			path, value = graph.None, graph.None
			continue
		}
		rustBind(b, c, rustPayload(b, c, b.Text(typ), path, value, k), from)
		k++
	}
}

func rustPayload(b *Builder, n int32, name string, path, value int32, k int) int32 {
	switch name {
	case "Some", "Ok", "Option::Some", "Result::Ok":
		return b.Part(n, value, 0)
	case "Err", "Result::Err":
		return b.Part(n, value, 1)
	}
	return rustFieldOf(b, n, graph.NoRole, path, value, b.Str(rustIndexName(k)))
}

// rustFieldOf is field name of the struct or variant that path names, in the value.
func rustFieldOf(b *Builder, n int32, role graph.Role, path, value int32, name uint32) int32 {
	if path < 0 {
		return graph.None
	}
	var kids uint32
	if value >= 0 {
		kids = b.List(value)
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, N: graph.MeansField, Role: role, X: path, Name: name, Kids: kids, Off: b.Off(n)})
}

// rustBindStruct is Path { a, b: pattern }.
func rustBindStruct(b *Builder, n, value int32, from int) {
	path := b.Type(b.Field(n, "type"), graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "field_pattern") {
			continue
		}
		name := b.Field(c, "name")
		if name < 0 {
			continue
		}
		p := b.Field(c, "pattern")
		role := graph.Read
		if p < 0 || !b.Is(name, "field_identifier") {
			role = graph.NoRole
		}
		v := rustFieldOf(b, name, role, path, value, b.nodeStr(name))
		if p < 0 {
			p = name
		}
		rustBind(b, p, v, from)
	}
}
