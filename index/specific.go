package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// mostSpecial keeps the candidates that no other is more special than. Where an argument of which nothing is
// known decides between two, both stay.
func (k *linker) mostSpecial(l *lang.Language, all []candidate, types []*typ) []candidate {
	var out []candidate
	for i, x := range all {
		beaten := slices.ContainsFunc(all[:i], func(y candidate) bool { return k.beats(l, y, x, types) }) ||
			slices.ContainsFunc(all[i+1:], func(y candidate) bool { return k.beats(l, y, x, types) })
		if !beaten {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return all
	}
	if len(out) > 1 {
		out = k.withBodies(out)
	}
	return out
}

// beats reports whether x is more special than y, and y not than x.
func (k *linker) beats(l *lang.Language, x, y candidate, types []*typ) bool {
	if x.unsure != y.unsure {
		return y.unsure && !k.notLess(l, y, x, types)
	}
	return k.notLess(l, x, y, types) && !k.notLess(l, y, x, types)
}

// notLess reports whether x takes for each argument no more than y does.
func (k *linker) notLess(l *lang.Language, x, y candidate, types []*typ) bool {
	for i, t := range types {
		p, q := strip(x.params[i]), strip(y.params[i])
		if p == nil || q == nil {
			if p != q {
				return false
			}
			continue
		}
		if same(p, q, 0) {
			continue
		}
		if t = strip(t); t == nil || unknownOutside(t) { // nothing tells the two apart
			return false
		}
		if !k.moreSpecialType(l, p, q, t) {
			return false
		}
	}
	return true
}

// moreSpecialType reports whether p is more special than q for an argument of type t.
func (k *linker) moreSpecialType(l *lang.Language, p, q, t *typ) bool {
	switch {
	case unboxed(l, p) && unboxed(l, q):
		return p.name == q.name || slices.Contains(l.Widens[p.name], q.name)
	case unboxed(l, p) || unboxed(l, q):
		return unboxed(l, p) == unboxed(l, t)
	case (t.kind == tFunc || t.kind == tCallable) && k.isOne(l, p, q, 0) != asItStand:
		return k.moreSpecialFunction(l, p, q, t)
	}
	return k.isOne(l, p, q, 0) == asItStand
}

// moreSpecialFunction compares by what the functions yield: something before nothing, the more special, and a
// value or an object as t yields it.
func (k *linker) moreSpecialFunction(l *lang.Language, p, q, t *typ) bool {
	f, _ := k.functionOf(p)
	g, _ := k.functionOf(q)
	if f == nil || g == nil || k.isVoid(f.result) {
		return false
	}
	if k.isVoid(g.result) {
		return true
	}
	a, b := strip(f.result), strip(g.result)
	if a == nil || b == nil {
		return false
	}
	if unboxed(l, a) != unboxed(l, b) {
		r := strip(k.result(t, nil, nil))
		return r != nil && unboxed(l, r) == unboxed(l, a)
	}
	return k.argumentFits(l, b, a) == asItStand
}

// withBodies keeps, of candidates that take the same, those that are not abstract.
func (k *linker) withBodies(all []candidate) []candidate {
	var out []candidate
	for _, x := range all {
		if _, s := k.sym(x.h); s.Body != 0 {
			out = append(out, x)
		}
	}
	for _, x := range all[1:] {
		if !k.takesAlike(all[0].hit, x.hit) {
			return all
		}
	}
	if len(out) == 0 {
		out = all
	}
	return out[:1]
}

// notOverridden leaves out the hits in whose place another of a type that derives from theirs stands.
func (k *linker) notOverridden(hits []hit) []hit {
	var out []hit
	for i, x := range hits {
		over := func(y hit) bool { return k.derivesFrom(y, x) && k.takesAlike(y, x) }
		if !slices.ContainsFunc(hits[:i], over) && !slices.ContainsFunc(hits[i+1:], over) {
			out = append(out, x)
		}
	}
	return out
}

// derivesFrom reports whether the type that has y derives from the one that has x.
func (k *linker) derivesFrom(y, x hit) bool {
	xc, xs := k.sym(x.h)
	yc, ys := k.sym(y.h)
	if xs == nil || ys == nil || xs.Container < 0 || ys.Container < 0 {
		return false
	}
	base, t := graph.Handle{File: xc.id, Index: xs.Container}, graph.Handle{File: yc.id, Index: ys.Container}
	return base != t && k.asBase(named(t), base, 0) != nil
}

// asBase is t as its base of symbol h, with type arguments; nil where it is none.
func (k *linker) asBase(t *typ, h graph.Handle, depth int) *typ {
	if t.h == h {
		return t
	}
	if depth > 12 {
		return nil
	}
	bs, _ := k.bases(t)
	for _, b := range bs {
		if b.kind == tNamed || b.kind == tMeta {
			if r := k.asBase(b, h, depth+1); r != nil {
				return r
			}
		}
	}
	return nil
}

// takesAlike reports whether the methods y and x take the same, as a value sees them of a type that has y and
// derives from the one that has x.
func (k *linker) takesAlike(y, x hit) bool {
	xc, xs := k.sym(x.h)
	yc, ys := k.sym(y.h)
	params, others := xc.f.List(xs.Params), yc.f.List(ys.Params)
	if len(params) != len(others) || xs.Container < 0 || ys.Container < 0 {
		return false
	}
	var bound env
	if t := k.asBase(k.generic(graph.Handle{File: yc.id, Index: ys.Container}), graph.Handle{File: xc.id, Index: xs.Container}, 0); t != nil {
		bound = k.bindArgs(t)
	}
	for i := range params {
		p := k.subst(k.typeExpr(xc, xc.f.Locals[params[i]].Type), bound, 0)
		if !k.erasedAlike(p, k.typeExpr(yc, yc.f.Locals[others[i]].Type)) {
			return false
		}
	}
	return true
}

// generic is the type of symbol h applied to its own parameters.
func (k *linker) generic(h graph.Handle) *typ {
	t := named(h)
	if c, s := k.sym(h); s != nil {
		for _, l := range c.f.List(s.TypeParams) {
			t.args = append(t.args, &typ{kind: tParam, fc: c, expr: l})
		}
	}
	return t
}

// erasedAlike reports whether types are the same but for type arguments.
func (k *linker) erasedAlike(a, b *typ) bool {
	a, b = strip(a), strip(b)
	switch {
	case a == nil || b == nil:
		return a == b
	case a.kind == tParam && b.kind == tParam:
		return true
	case a.kind == tParam:
		return k.erasedAlike(k.boundOf(a.fc.l, a), b)
	case b.kind == tParam:
		return k.erasedAlike(a, k.boundOf(b.fc.l, b))
	case outside(a) && outside(b):
		return lastName(a.name) == lastName(b.name)
	case a.kind == tUnion && len(a.args) > 0:
		return k.erasedAlike(a.args[0], b)
	case b.kind == tUnion && len(b.args) > 0:
		return k.erasedAlike(a, b.args[0])
	case a.kind != b.kind:
		return false
	case a.kind == tArray:
		return k.erasedAlike(a.elem, b.elem)
	}
	return a.h == b.h
}
