package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

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
