package lang

import "github.com/codegraph-dev/codegraph/graph"

// Values that are seen as of a type.

// tsNonNull is `x!`. The grammar takes all of `a - x!.y` before the mark for its operand; it is the
// last operand.
func tsNonNull(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.First(n)
	for {
		switch {
		case b.Is(x, "binary_expression") && !b.Has(x, "&&", "||", "??"):
			b.Value(b.Field(x, "left"), graph.Read, false)
			x = b.Field(x, "right")
		case b.Is(x, "unary_expression"):
			x = b.Field(x, "argument")
		default:
			return b.Value(x, role, want)
		}
	}
}

// tsAs is `x as T`; `as const` leaves the value as it is.
func tsAs(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.First(n)
	if x < 0 {
		return graph.None
	}
	v := b.Value(x, role, want)
	t := b.Next(n, x)
	if t < 0 || b.Is(t, "const") {
		return v
	}
	typ := b.Type(t, graph.TypeUse)
	if typ < 0 {
		return graph.None
	}
	b.expect(v, b.typeContext(typ))
	return b.ifWanted(want, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(typ), Off: b.Off(n)})
}

func tsSatisfies(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.First(n)
	v := b.Value(x, role, want)
	if x >= 0 {
		for t := b.Next(n, x); t >= 0; t = b.Next(n, t) {
			if typ := b.Type(t, graph.TypeUse); typ >= 0 {
				b.expect(v, b.typeContext(typ))
			}
		}
	}
	return v
}

// tsAssertion is `<T>x`.
func tsAssertion(b *Builder, n int32, role graph.Role, want bool) int32 {
	typ, v := graph.None, graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_arguments") {
			typ = b.passType(c, graph.TypeUse)
		} else {
			v = b.Value(c, role, want)
		}
	}
	if typ < 0 {
		return v
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(typ), Off: b.Off(n)})
}
