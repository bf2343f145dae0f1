package lang

import "github.com/codegraph-dev/codegraph/graph"

// Index signatures, mapped types and tuples: types whose members are not written out one by one.

// tsIndexed is the index signature that is all of the object type at n, or None.
func tsIndexed(b *Builder, n int32) int32 {
	c := b.First(n)
	for c >= 0 && b.rule(c).Do == Comment {
		c = b.Next(n, c)
	}
	if c < 0 || !b.Is(c, "index_signature") || b.Next(n, c) >= 0 {
		return graph.None
	}
	return c
}

func tsIndexSignature(b *Builder, n int32) bool {
	tsIndexSignatureType(b, n)
	return true
}

// tsIndexSignatureType is what an index signature alone makes: a map. Where each member of another type
// is taken over, { [K in keyof T]: T[K] }, it is that type.
func tsIndexSignatureType(b *Builder, n int32) int32 {
	key, value, copied, of := graph.None, graph.None, graph.None, graph.None
	b.Scope(func() {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			switch {
			case b.Is(c, "mapped_type_clause"):
				if tsCopies(b, n, c) {
					copied = b.Type(b.First(b.Field(c, "type")), graph.TypeUse)
					key = b.Literal(c, "string")
				} else if t := b.Field(c, "type"); b.Is(t, "index_type_query") && b.First(t) >= 0 {
					of = b.Type(b.First(t), graph.TypeUse)
					key = b.Literal(c, "string")
				} else {
					key = b.Type(t, graph.TypeUse)
				}
				if id := b.Field(c, "name"); id >= 0 {
					b.Local(b.nodeStr(id), b.Off(id), key, graph.None, graph.TypeParam)
				}
				if a := b.Field(c, "alias"); a >= 0 {
					b.Type(a, graph.TypeUse)
				}
			case b.InField(c, "name"):
				b.Local(b.nodeStr(c), b.Off(c), graph.None, graph.None, graph.Param)
			default:
				value = b.Type(c, graph.TypeUse)
			}
		}
	})
	switch {
	case copied >= 0:
		return copied
	case value < 0:
		return b.Expr(graph.Expr{Op: graph.OpObject, X: graph.None, Off: b.Off(n)})
	case key < 0:
		key = b.Literal(n, "string")
	}
	if of >= 0 {
		return b.Expr(graph.Expr{Op: graph.OpMap, X: key, Kids: b.List(value, of), Off: b.Off(n)})
	}
	return b.Expr(graph.Expr{Op: graph.OpMap, X: key, Kids: b.List(value), Off: b.Off(n)})
}

// tsCopies reports whether the mapped type at n, whose clause is at c, gives the members of keyof T their
// own types, perhaps among others.
func tsCopies(b *Builder, n, c int32) bool {
	of, id := b.Field(c, "type"), b.Field(c, "name")
	if !b.Is(of, "index_type_query") || id < 0 || b.First(of) < 0 {
		return false
	}
	own := b.Text(b.First(of)) + "[" + b.Text(id) + "]"
	for i := b.First(n); i >= 0; i = b.Next(n, i) {
		if i != c && tsYields(b, i, own) {
			return true
		}
	}
	return false
}

// tsYields reports whether the type at n may be the one that is written out as text.
func tsYields(b *Builder, n int32, text string) bool {
	switch b.Kind(n) {
	case "lookup_type":
		return b.Text(n) == text
	case "type_annotation", "opting_type_annotation", "omitting_type_annotation", "parenthesized_type", "union_type", "intersection_type", "conditional_type":
	default:
		return false
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "left") && !b.InField(c, "right") && tsYields(b, c, text) {
			return true
		}
	}
	return false
}

// tsTuple is a tuple type, whose parts may have names that mean nothing. Of a rest the elements are the
// last part.
func tsTuple(b *Builder, n int32, role graph.Role) int32 {
	var parts []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		part, rest := c, b.Is(c, "rest_type")
		switch b.Kind(c) {
		case "comment":
			continue
		case "required_parameter", "optional_parameter":
			part, rest = b.Field(c, "type"), b.Is(b.Field(c, "name"), "rest_pattern")
		}
		t := b.Type(part, graph.TypeUse)
		if rest {
			t = b.Of(graph.OpElem, c, t)
		}
		parts = append(parts, t)
	}
	return b.Expr(graph.Expr{Op: graph.OpTuple, X: graph.None, Kids: b.List(parts...), Off: b.Off(n)})
}
