package lang

import (
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
		default:
			b.Visit(c)
		}
	}
	b.pop()
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
	from := len(b.names)
	if cond >= 0 && b.InFunction() {
		b.narrow(cond)
	}
	if len(b.names) == from {
		f()
		return
	}
	f()
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
		if b.l.IsInstance != "" && b.Text(b.child(n, &r.of)) == b.l.IsInstance {
			if args := b.child(n, &r.args); args >= 0 {
				if x := b.First(args); x >= 0 {
					b.narrowTo(x, b.Next(args, x))
				}
			}
		}
	}
}

func (b *Builder) narrowTo(x, typ int32) {
	if x < 0 || typ < 0 {
		return
	}
	name := b.Str(b.Text(x))
	switch d := b.rule(x).Do; {
	case d == Member && b.l.NarrowMembers:
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

// typeQuiet is the type expression at n without references: they were taken before.
func (b *Builder) typeQuiet(n int32) int32 {
	from := len(b.F.Exprs)
	t := b.Type(n, graph.TypeUse)
	for i := from; i < len(b.F.Exprs); i++ {
		b.F.Exprs[i].Role = graph.NoRole
	}
	return t
}
