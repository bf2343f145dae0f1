package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

func (b *Builder) unary(n int32, r *compiled, op graph.Op, want bool) int32 {
	of := b.child(n, &r.of)
	x := b.Value(of, graph.Read, want)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != of {
			b.Visit(c)
		}
	}
	if !want || x < 0 {
		return graph.None
	}
	if op == graph.NoOp {
		return x
	}
	return b.Of(op, n, x)
}

func (b *Builder) binary(n int32, r *compiled, want bool) int32 {
	left := b.Value(b.child(n, &r.left), graph.Read, want && r.Lit == "")
	right := b.Value(b.child(n, &r.right), graph.Read, want && r.Lit == "")
	switch {
	case !want:
		return graph.None
	case r.Lit != "":
		return b.Literal(n, r.Lit)
	case r.Op == graph.OpUnion && left >= 0 && right >= 0:
		return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(left, right), Off: b.Off(n)})
	case left >= 0:
		return left
	}
	return right
}

func (b *Builder) conditional(n int32, r *compiled, want bool) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, &r.cond) {
			b.Value(c, graph.Read, false)
		} else if v := b.Value(c, graph.Read, want); v >= 0 {
			kids = append(kids, v)
		}
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return b.ifWanted(want && len(kids) > 0, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// collection takes a literal list, tuple or map. Of long ones the first elements stand for all.
func (b *Builder) collection(n int32, r *compiled, want bool) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Comment || d == Skip {
			continue
		}
		keep := want && (len(kids) < 8 || r.Do == TupleExpr)
		if v := b.Value(c, graph.Read, keep); keep && (v >= 0 || r.Do == TupleExpr) {
			kids = append(kids, v)
		}
	}
	if !want {
		return graph.None
	}
	op := graph.OpArray
	switch r.Do {
	case TupleExpr:
		if len(kids) == 1 && r.Op == graph.OpSelf { // a list of one is its element
			return kids[0]
		}
		op = graph.OpTuple
	case MapExpr:
		op = graph.OpMap
	}
	return b.Expr(graph.Expr{Op: op, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// comprehension binds the clauses first, wherever they stand, then takes the value.
func (b *Builder) comprehension(n int32, r *compiled, want bool) int32 {
	body := b.child(n, &r.body)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != body {
			b.Visit(c)
		}
	}
	v := b.Value(body, graph.Read, want)
	return b.ifWanted(want, graph.Expr{Op: r.Op, X: graph.None, Kids: b.List(v), Off: b.Off(n)})
}

// assignValue is an assignment used as a value.
func (b *Builder) assignValue(n int32, r *compiled, want bool) int32 {
	left, right := b.child(n, &r.left), b.child(n, &r.right)
	if left < 0 || right < 0 {
		b.assign(n, r)
		return graph.None
	}
	if b.l.AssignDeclares && !b.bindsLocals() && b.rule(left).Do == Ident {
		sym := b.memberAt(left)
		v := b.Value(right, graph.Read, true)
		b.moreInit(sym, graph.None, v)
		return v
	}
	return b.assignBoth(left, right, graph.None)
}

// lambda takes an anonymous function. Its body belongs to the named function around it.
func (b *Builder) lambda(n int32, r *compiled, want bool) int32 {
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	from := len(b.F.Locals)
	if c := b.child(n, &r.typeParams); c >= 0 {
		b.visitChildren(c)
	}
	if c := b.child(n, &r.params); c >= 0 {
		b.lambdaParams(c)
	}
	var params []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Flags&graph.Param != 0 {
			l.Flags = l.Flags&^graph.Param | graph.InnerParam
			params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: int32(i), Off: b.F.Locals[i].Off}))
		}
	}
	result := graph.None
	if c := b.child(n, &r.result); c >= 0 {
		result = b.Type(c, graph.TypeUse)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.in1(c, &r.body) {
			continue
		}
		if d := b.rule(c).Do; d == Block || d == Pass {
			b.hoist(c, false)
			b.visitChildren(c)
		} else if v := b.Value(c, graph.Read, want && result < 0); result < 0 && v >= 0 {
			result = b.Of(graph.OpTypeOf, c, v)
		}
	}
	if rets := b.frame().rets; want && result < 0 && len(rets) > 0 {
		all := b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(rets...), Off: b.Off(n)})
		result = b.Of(graph.OpTypeOf, n, all)
	}
	b.pop()
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

func (b *Builder) lambdaParams(n int32) {
	switch b.rule(n).Do {
	case Ident:
		b.Local(b.nodeStr(n), b.Off(n), graph.None, graph.None, graph.Param)
	case Parameter:
		b.Visit(n)
	default:
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.rule(c).Do == Ident {
				b.Local(b.nodeStr(c), b.Off(c), graph.None, graph.None, graph.Param)
			} else {
				b.Visit(c)
			}
		}
	}
}
