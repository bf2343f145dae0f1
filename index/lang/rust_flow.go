package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// rustFor binds the loop's pattern to the elements.
func rustFor(b *Builder, n int32) bool {
	v := b.Value(b.Field(n, "value"), graph.Read, true)
	b.Scope(func() {
		if p := b.Field(n, "pattern"); p >= 0 {
			rustPattern(b, p, b.Of(graph.OpElem, n, v))
		}
		b.Visit(b.Field(n, "body"))
	})
	return true
}

// rustScoped visits what binds names for its own body only.
func rustScoped(b *Builder, n int32) bool {
	b.Scope(func() { b.visitChildren(n) })
	return true
}

func rustVisitValue(b *Builder, n int32) bool {
	b.Value(n, graph.Read, false)
	return true
}

func rustBlock(b *Builder, n int32) bool {
	rustBlockValue(b, n, graph.Read, false)
	return true
}

// rustBlockValue is a block: the value of its last expression.
func rustBlockValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	b.push(blockFrame, graph.None)
	rustPrepare(b, n)
	doc := b.doc
	b.doc = docRun{}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.rule(c).Do == Comment:
			b.comment(c)
			continue
		case b.Is(c, "use_declaration"):
		case b.Next(n, c) >= 0 || !want:
			b.Visit(c)
		default:
			v = rustLast(b, c)
		}
		if !b.Is(c, "attribute_item") {
			b.doc = docRun{}
		}
	}
	b.doc = doc
	b.pop()
	return v
}

// rustLast is the value of a block's last statement.
func rustLast(b *Builder, c int32) int32 {
	if b.Is(c, "expression_statement") {
		text := b.t.Text(c)
		if x := b.First(c); x >= 0 && text[len(text)-1] != ';' {
			return b.Value(x, graph.Read, true)
		}
	}
	switch b.rule(c).Do {
	case Define, Bind, Pass, Skip, ImportDecl:
		b.Visit(c)
		return graph.None
	}
	return b.Value(c, graph.Read, true)
}

func rustAny(b *Builder, n int32, kids []int32) int32 {
	known := kids[:0]
	for _, k := range kids {
		if k >= 0 {
			known = append(known, k)
		}
	}
	switch len(known) {
	case 0:
		return graph.None
	case 1:
		return known[0]
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(known...), Off: b.Off(n)})
}

// rustIf is a test and its branches; what the test binds, the first of them sees.
func rustIf(b *Builder, n int32, role graph.Role, want bool) int32 {
	var kids []int32
	b.Scope(func() {
		b.Value(b.Field(n, "condition"), graph.Read, false)
		kids = append(kids, b.Value(b.Field(n, "consequence"), graph.Read, want))
	})
	if alt := b.Field(n, "alternative"); alt >= 0 {
		kids = append(kids, b.Value(b.First(alt), graph.Read, want))
	}
	if !want {
		return graph.None
	}
	return rustAny(b, n, kids)
}

// rustMatch is a match: each arm sees what its pattern binds.
func rustMatch(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.Field(n, "value"), graph.Read, true)
	body := b.Field(n, "body")
	var kids []int32
	for c := b.First(body); c >= 0; c = b.Next(body, c) {
		if !b.Is(c, "match_arm") {
			continue
		}
		b.Scope(func() {
			if p := b.Field(c, "pattern"); p >= 0 {
				rustPattern(b, p, v)
			}
			if x := b.Field(c, "value"); x >= 0 {
				if a := b.Value(x, graph.Read, want); len(kids) < 8 {
					kids = append(kids, a)
				}
			}
		})
	}
	if !want {
		return graph.None
	}
	return rustAny(b, n, kids)
}

// rustAssign: a variable that has a value keeps its type.
func rustAssign(b *Builder, n int32) bool {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if left < 0 || right < 0 {
		return false
	}
	l := graph.None
	if b.Is(left, "identifier") {
		if l = b.local(b.nodeStr(left)); l >= 0 && (b.F.Locals[l].Init >= 0 || b.F.Locals[l].Type >= 0) {
			l = graph.None
		}
	}
	v := b.Value(right, graph.Read, l >= 0)
	if l >= 0 {
		b.addInit(l, v)
		return true
	}
	if b.Is(left, "tuple_expression") {
		for c := b.First(left); c >= 0; c = b.Next(left, c) {
			b.Value(c, graph.Write, false)
		}
		return true
	}
	b.Value(left, graph.Write, false)
	return true
}
