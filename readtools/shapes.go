package readtools

import "github.com/codegraph-dev/codegraph/graph"

// fits reports whether method m can stand for method want. Where methods may be overloaded it
// takes as many parameters; where a language promotes members of embedded types, and so has
// no other bond between the two than their form, the types of parameters and results have to
// look the same, too. Types are compared as they are written; what cannot be told apart fits.
func (rd *reading) fits(m, want graph.Handle) bool {
	f, a := rd.def(m)
	g, b := rd.def(want)
	if a == nil || b == nil || !a.Kind.Callable() || a.Flags&graph.Static != b.Flags&graph.Static {
		return false
	}
	sem := rd.semantics(m.File)
	p, q := params(f, a), params(g, b)
	if !sem.Promote {
		return !sem.Overloads || len(p) == len(q)
	}
	if len(p) != len(q) || a.Flags&graph.Variadic != b.Flags&graph.Variadic {
		return false
	}
	c := comparer{f, g}
	for i := range p {
		if !c.same(f.Locals[p[i]].Type, g.Locals[q[i]].Type, 0) {
			return false
		}
	}
	if (a.Type == graph.None) != (b.Type == graph.None) {
		return false
	}
	return c.same(a.Type, b.Type, 0)
}

// params are a callable's parameters without the receiver.
func params(f *graph.Facts, s *graph.Symbol) []int32 {
	var out []int32
	for _, l := range f.List(s.Params) {
		if f.Locals[l].Flags&graph.SelfParam == 0 {
			out = append(out, l)
		}
	}
	return out
}

// comparer compares types of two files.
type comparer struct{ f, g *graph.Facts }

const maxTypeDepth = 20

// same reports whether two type expressions may be the same type.
func (c comparer) same(a, b int32, depth int) bool {
	if a < 0 || b < 0 || depth > maxTypeDepth {
		return true
	}
	x, y := &c.f.Exprs[a], &c.g.Exprs[b]
	if anyType(c.f, x) || anyType(c.g, y) {
		return true
	}
	if isName(x) && isName(y) {
		return c.f.Str(x.Name) == c.g.Str(y.Name)
	}
	if x.Op != y.Op {
		return false
	}
	kids, others := c.f.List(x.Kids), c.g.List(y.Kids)
	if len(kids) != len(others) {
		return false
	}
	for i := range kids {
		if !c.same(kids[i], others[i], depth+1) {
			return false
		}
	}
	switch x.Op {
	case graph.OpSymbol, graph.OpObject, graph.OpImport, graph.OpLocal:
		return true
	}
	return c.same(x.X, y.X, depth+1)
}

// isName reports whether an expression is a name, whether a package stands before it or not.
func isName(x *graph.Expr) bool {
	return x.Op == graph.OpName || x.Op == graph.OpMember || x.Op == graph.OpLiteral
}

// anyType reports whether a type could be any: a type parameter, or an object whose members are
// not compared.
func anyType(f *graph.Facts, x *graph.Expr) bool {
	switch x.Op {
	case graph.OpLocal:
		return x.X >= 0 && f.Locals[x.X].Symbol < 0
	case graph.OpObject, graph.OpTypeOf, graph.NoOp:
		return true
	}
	return false
}
