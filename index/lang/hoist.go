package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// hoist binds, before their declarations are reached, the names that node n's own scope
// declares. With deep, only those that belong to the whole function.
func (b *Builder) hoist(n int32, deep bool) {
	if !b.l.Hoist {
		return
	}
	end, whole := int32(b.t.Nodes[n].Next), int32(0)
	for i := n + 1; i < end; {
		next := int32(b.t.Nodes[i].Next)
		r := b.rule(i)
		switch r.Do {
		case Define:
			if c := b.child(i, &r.name); c >= 0 && !deep {
				b.hoistName(c, symbolToCome)
			}
			i = next
		case LambdaExpr, MapExpr, Skip, Comment:
			i = next
		case Comprehension:
			if i++; !b.l.AssignDeclares { // else assignments inside belong to the function
				i = next
			}
		case Block:
			if b.frame().kind == funcFrame {
				if b.Has(i, "var") {
					b.hoistTargets(i, r)
				}
				b.hoist(i, true)
			}
			i = next
		case Declare, Assign, Iterate, Bind:
			if (r.Do == Declare || b.l.AssignDeclares) && (!deep || r.Op == graph.OpUnion || i < whole) {
				b.hoistTargets(i, r)
			}
			i++
		default:
			if r.Op == graph.OpUnion { // declarations that belong to the whole function
				whole = next
			}
			i++
		}
	}
}

func (b *Builder) hoistTargets(n int32, r *compiled) {
	sym := graph.None
	if b.l.HoistValues {
		if v := b.child(n, &r.value); v >= 0 && b.rule(v).Do == LambdaExpr {
			sym = symbolToCome
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, &r.name) || b.in1(c, &r.left) {
			b.hoistPattern(c, sym)
		}
	}
}

// hoistPattern hoists the names of a pattern; a plain name is one that sym says.
func (b *Builder) hoistPattern(c, sym int32) {
	switch r := b.rule(c); r.Do {
	case Ident:
		b.hoistName(c, sym)
	case TupleExpr, SeqExpr, MapExpr, ParenExpr, Pass:
		for x := b.First(c); x >= 0; x = b.Next(c, x) {
			b.hoistPattern(x, graph.None)
		}
	case Pair:
		if x := b.child(c, &r.right); x >= 0 {
			b.hoistPattern(x, graph.None)
		}
	case Declare, Bind, Parameter:
		if x := b.child(c, &r.name); x >= 0 {
			b.hoistPattern(x, graph.None)
		}
	}
}

func (b *Builder) hoistName(c, sym int32) {
	name := b.nodeStr(c)
	if b.frame().kind == fileFrame || b.frame().kind == typeFrame || b.isOuter(name) {
		return
	}
	l := b.blockLocal(name)
	if l < 0 {
		l = b.Local(name, b.Off(c), graph.None, graph.None, 0)
	}
	if sym != graph.None && b.F.Locals[l].Symbol < 0 {
		b.F.Locals[l].Symbol = sym
	}
}
