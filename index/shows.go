package index

import "github.com/codegraph-dev/codegraph/graph"

// shows is the type that a call of a function of type t shows its argument n to be of, where its result
// says so (x is T), or nil.
func (k *linker) shows(t *typ, n int) *typ {
	t = strip(t)
	if t == nil {
		return nil
	}
	switch t.kind {
	case tCallable:
		fc, s := k.sym(t.h)
		if s == nil || s.Type < 0 || fc.f.Exprs[s.Type].Op != graph.OpShows {
			return nil
		}
		guard := &fc.f.Exprs[s.Type]
		if params := fc.f.List(s.Params); n < len(params) && fc.f.Locals[params[n]].Name == guard.Name {
			return k.subst(k.typeExpr(fc, guard.X), k.argsFor(t.h, t.elem), 0)
		}
	case tFunc:
		fe := &t.fc.f.Exprs[t.expr]
		if fe.X < 0 || t.fc.f.Exprs[fe.X].Op != graph.OpShows {
			return nil
		}
		guard := &t.fc.f.Exprs[fe.X]
		if params := t.fc.f.List(fe.Kids); n < len(params) && params[n] >= 0 {
			if p := &t.fc.f.Exprs[params[n]]; p.Op == graph.OpLocal && t.fc.f.Locals[p.X].Name == guard.Name {
				return k.subst(k.typeExpr(t.fc, guard.X), t.env, 0)
			}
		}
	case tNamed:
		if u := k.underlying(t); u != nil {
			return k.subst(k.shows(u, n), k.bindArgs(t), 0)
		}
	}
	return nil
}

// kept is the type of what a function that is passed to call e keeps, if its result shows one.
func (k *linker) kept(c *filectx, e *graph.Expr) *typ {
	if e == nil {
		return nil
	}
	if args := c.f.List(e.Kids); len(args) > 0 {
		return k.shows(k.value(c, args[0]), 0)
	}
	return nil
}
