package lang

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// branch visits a test and its branches; a test of type narrows the name it tests.
func (b *Builder) branch(n int32, r *compiled) {
	if b.l.AssignDeclares {
		b.flatBranch(n, r)
		return
	}
	b.push(blockFrame, graph.None)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.in1(c, &r.cond):
			b.Value(c, graph.Read, false)
		case b.in1(c, &r.body):
			b.push(blockFrame, graph.None)
			if cond := b.child(n, &r.cond); cond >= 0 {
				b.narrow(cond)
			}
			b.Visit(c)
			b.pop()
		case b.l.Not != 0 && b.in1(c, &r.els):
			b.push(blockFrame, graph.None)
			b.narrowNot(b.child(n, &r.cond))
			b.Visit(c)
			b.pop()
		default:
			b.Visit(c)
		}
	}
	b.pop()
	if b.l.Not != 0 && b.InFunction() && b.child(n, &r.els) < 0 && b.leaves(b.child(n, &r.body)) {
		b.narrowNot(b.child(n, &r.cond))
	}
}

// leaves reports whether nothing behind the statement at n runs once that has run.
func (b *Builder) leaves(n int32) bool {
	if n >= 0 && b.rule(n).Do == Block {
		last := graph.None
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.rule(c).Do != Comment {
				last = c
			}
		}
		n = last
	}
	return n >= 0 && slices.Contains(b.l.Leaves, b.Kind(n))
}

// narrowNot is narrow where the condition does not hold.
func (b *Builder) narrowNot(n int32) {
	switch r := b.rule(n); r.Do {
	case ParenExpr, Pass:
		if c := b.First(n); c >= 0 && b.Next(n, c) < 0 {
			b.narrowNot(c)
		}
	case UnaryExpr:
		if text := b.t.Text(n); len(text) > 0 && text[0] == b.l.Not {
			b.narrow(b.First(n))
		}
	case BinaryExpr:
		if b.Has(n, b.l.Or) {
			b.narrowNot(b.child(n, &r.left))
			b.narrowNot(b.child(n, &r.right))
		}
	}
}

// flatBranch is branch where blocks are no scopes: what the test narrows is undone after the
// branch, what the branch declares stays.
func (b *Builder) flatBranch(n int32, r *compiled) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.in1(c, &r.cond):
			b.Value(c, graph.Read, false)
		case b.in1(c, &r.body):
			b.Narrowing(b.child(n, &r.cond), func() { b.Visit(c) })
		default:
			b.Visit(c)
		}
	}
}

// Narrowing runs f where the condition at cond holds; what it narrows is undone after it.
func (b *Builder) Narrowing(cond int32, f func()) {
	b.Branch(func() {
		if cond >= 0 && b.InFunction() {
			b.narrow(cond)
		}
		f()
	})
}

// Branch runs f, which takes code that may not run, or runs again and again; what it narrows is undone after it.
func (b *Builder) Branch(f func()) {
	outer, from := b.inBranch, len(b.names)
	b.inBranch = from
	f()
	b.inBranch = outer
	b.unnarrow(from)
}

// unnarrow undoes what tests have shown since there were from names.
func (b *Builder) unnarrow(from int) {
	kept := b.names[:from]
	for _, x := range b.names[from:] {
		if x.local < 0 || b.F.Locals[x.local].Flags&graph.Narrowed == 0 {
			kept = append(kept, x)
		}
	}
	b.names = kept
}

// narrow binds again, with the tested type, the locals that the condition proves to be of it.
func (b *Builder) narrow(n int32) {
	if b.l.Narrow != nil {
		b.l.Narrow(b, n, true)
		return
	}
	r := b.rule(n)
	switch r.Do {
	case ParenExpr, Pass:
		if c := b.First(n); c >= 0 && b.Next(n, c) < 0 {
			b.narrow(c)
		}
	case BinaryExpr:
		switch {
		case b.l.And != "" && b.Has(n, b.l.And):
			b.narrow(b.child(n, &r.left))
			b.narrow(b.child(n, &r.right))
		case b.l.Is != "" && b.Has(n, b.l.Is):
			b.narrowTo(b.child(n, &r.left), b.child(n, &r.right))
		}
	case InstanceOf:
		b.narrowTo(b.child(n, &r.left), b.child(n, &r.right))
	case CallExpr:
		if b.l.Shows {
			b.narrowShown(n, b.child(n, &r.args))
		}
	}
}

// narrowShown binds again the locals that are handed to the call at n, which was taken before.
func (b *Builder) narrowShown(n, args int32) {
	call := b.lastCall(b.Off(n))
	if call < 0 || args < 0 || b.rule(args).Do != Pass {
		return
	}
	e := b.F.Exprs[call]
	kids, k := b.F.List(e.Kids), 0
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		if k >= len(kids) || k > 3 {
			return
		}
		if name := b.nodeStr(c); b.rule(c).Do == Ident && kids[k] >= 0 && b.F.Exprs[kids[k]].Op == graph.OpLocal && b.local(name) >= 0 {
			v := b.Expr(graph.Expr{Op: graph.OpShown, X: e.X, N: uint16(k), Kids: b.List(kids[k]), Off: b.Off(c)})
			b.Local(name, b.Off(c), graph.None, v, graph.Narrowed)
		}
		k++
	}
}

// lastCall is the call at an offset, among the last expressions, or None.
func (b *Builder) lastCall(off uint32) int32 {
	for i := len(b.F.Exprs) - 1; i >= 0 && i > len(b.F.Exprs)-200; i-- {
		if e := &b.F.Exprs[i]; e.Op == graph.OpCall && e.Off == off {
			return int32(i)
		}
	}
	return graph.None
}

func (b *Builder) narrowTo(x, typ int32) {
	if x < 0 || typ < 0 {
		return
	}
	name := b.Str(b.Text(x))
	switch d := b.rule(x).Do; {
	case (d == Member || d == IndexExpr) && b.l.NarrowMembers:
	case d != Ident || b.local(name) < 0:
		return
	}
	t := b.typeQuiet(typ)
	if t >= 0 && b.F.Exprs[t].Op == graph.OpTuple { // any of several types
		b.F.Exprs[t].Op = graph.OpUnion
	}
	if t >= 0 {
		b.Local(name, b.Off(x), t, graph.None, graph.Narrowed)
	}
}

// narrowed is x, the value of the member expression at n, or what a test has shown of it.
func (b *Builder) narrowed(n, x int32) int32 {
	l := b.local(b.Str(b.Text(n)))
	if l < 0 || b.F.Locals[l].Flags&graph.Narrowed == 0 {
		return x
	}
	return b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Name: b.F.Locals[l].Name, Off: b.Off(n)})
}

// forget undoes what tests have shown of the member expression at n, which is assigned to.
func (b *Builder) forget(n int32) {
	if name := b.Str(b.Text(n)); b.local(name) >= 0 {
		b.names = append(b.names, bound{name, graph.None})
	}
}

// valueQuiet is the value at n without references: they were taken before.
func (b *Builder) valueQuiet(n int32) int32 {
	from := len(b.F.Exprs)
	v := b.Value(n, graph.Read, true)
	for i := from; i < len(b.F.Exprs); i++ {
		b.F.Exprs[i].Role = graph.NoRole
	}
	return v
}

// typeQuiet is the type expression at n without references: they were taken before.
func (b *Builder) typeQuiet(n int32) int32 {
	from := len(b.F.Exprs)
	t := b.Type(n, graph.TypeUse)
	for i := from; i < len(b.F.Exprs); i++ {
		b.F.Exprs[i].Role = graph.NoRole
	}
	return t
}
