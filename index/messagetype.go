package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// The types of what messages yield in a language with levels (levels.go), where hardly any are declared.

// messageType is what the member that expression e, number i of c, asks for is, as a value.
func (k *linker) messageType(c *filectx, i int32, e *graph.Expr) *typ {
	name := c.f.Str(e.Name)
	t := strip(k.value(c, e.X))
	if t != nil && t.kind == tPack {
		return k.typeOfBinding(k.inModule(moduleOf(t), name, nil))
	}
	if t != nil {
		if r := k.madeBy(c, t, name); r != nil {
			return r
		}
		if t.kind == tNamed && name == c.l.TypeMember && len(k.member(t, name)) == 0 {
			return &typ{kind: tMeta, h: t.h}
		}
	}
	hits := k.received(c, t, name, e.Role)
	if len(hits) == 0 {
		if out := k.lexical(c, e.X); out != nil {
			hits = k.received(c, out, name, e.Role)
		}
	}
	sure := len(hits) > 0
	if len(hits) == 0 && onSelf(c, e.X) {
		if b, ok := k.ofAll(c, name, true); ok {
			return k.typeOfBinding(b)
		}
	}
	if len(hits) == 0 {
		hits = k.below(t, name)
	}
	if len(hits) == 0 && t == nil && e.Role == graph.Call {
		b := k.uniqueName(c, e, callOn(c.f, i))
		for _, h := range b.hs {
			hits = append(hits, hit{h: h, recv: b.t})
		}
	}
	if len(hits) == 0 {
		if t == nil {
			return nil
		}
		return libraryMember(t, name)
	}
	r := k.attribute(e, hits[0])
	if hits[0].maybe || !sure && len(hits) > 1 {
		var parts []*typ
		for _, x := range hits {
			parts = append(parts, k.attribute(e, x))
		}
		r = union(parts...)
	}
	if !sure {
		return guessed(r)
	}
	return r
}

// madeBy is what a message of that name to t makes a value of, if it does: types, where t is one.
func (k *linker) madeBy(c *filectx, t *typ, name string) *typ {
	switch {
	case name != c.l.Maker || name == "":
	case t.kind == tMeta && len(k.member(t, name)) == 0:
		return t
	case t.kind == tUnion:
		var parts []*typ
		for _, p := range t.args {
			if p.kind == tMeta && len(k.member(p, name)) == 0 {
				parts = append(parts, p)
			}
		}
		return union(parts...)
	case t.kind == tNamed && k.isModule(t.h) && len(k.member(t, name)) == 0: // what types extend that are asked to make a value
		var parts []*typ
		for _, d := range k.deriving(levelKey{h: t.h}) {
			if _, s := k.sym(d.h); d.meta && s != nil && s.Kind == graph.Class {
				parts = append(parts, d.typ())
			}
		}
		return guessed(union(parts...))
	}
	return nil
}

func (k *linker) isModule(h graph.Handle) bool {
	_, s := k.sym(k.whole(h))
	return s != nil && s.Kind == graph.Module
}

// handed is what a call of t hands to its block as parameter par, or what it runs it on.
func (k *linker) handed(c *filectx, t *typ, par int) *typ {
	h, self := t.h, t.key
	switch t.kind {
	case tCallable:
		if self == nil {
			self = t.elem
		}
	case tMeta:
		self = named(t.h)
		hits := k.makers(c, t)
		if len(hits) == 0 {
			return nil
		}
		h = hits[0].h
	default:
		return nil
	}
	fc, s := k.sym(h)
	if s == nil {
		return nil
	}
	params := fc.f.List(s.Params)
	if len(params) == 0 || fc.f.Locals[params[len(params)-1]].Type < 0 {
		return nil
	}
	f := strip(k.typeExpr(fc, fc.f.Locals[params[len(params)-1]].Type))
	if f == nil || f.kind != tFunc {
		return nil
	}
	e := &f.fc.f.Exprs[f.expr]
	kids := f.fc.f.List(e.Kids)
	n := len(kids)
	if e.N == graph.HasReceiver {
		n--
	}
	switch {
	case par == graph.ArgReceiver && n < len(kids):
		par = n
	case par >= n:
		return nil
	}
	if x := &f.fc.f.Exprs[kids[par]]; f.fc == fc && x.Op == graph.OpSelf && x.Kids == 0 && self != nil {
		return strip(self)
	}
	return k.value(f.fc, kids[par])
}

// callOn is the call of expression x, or None; it follows its callee's arguments.
func callOn(f *graph.Facts, x int32) int32 {
	for i := x + 1; int(i) < len(f.Exprs) && i < x+200; i++ {
		if e := &f.Exprs[i]; e.Op == graph.OpCall && e.X == x {
			return i
		}
	}
	return graph.None
}

// attribute is member x as what expression e asks for: an attribute is called like a method.
func (k *linker) attribute(e *graph.Expr, x hit) *typ {
	if _, s := k.sym(x.h); s != nil && s.Kind == graph.Property && e.Role == graph.Call {
		return &typ{kind: tCallable, h: x.h, elem: x.recv, key: x.self}
	}
	return k.typeOfHit(x)
}

// superRef is the member that the one around the mention of super overrides.
func (k *linker) superRef(c *filectx, in int32) binding {
	s := in
	for s >= 0 && !c.f.Symbols[s].Kind.Callable() {
		s = c.f.Symbols[s].Container
	}
	t := k.self(c, in)
	if s < 0 || t == nil {
		return unresolved(graph.NoType)
	}
	up := &typ{kind: tSuper, h: t.h, elem: t}
	name := c.f.Str(c.f.Symbols[s].Name)
	if hits := k.member(up, name); len(hits) > 0 {
		return k.fromMembers(hits)
	}
	if hits := k.superOfMixin(t, name); len(hits) > 0 {
		return k.fromMembers(hits)
	}
	if c.l.Common[name] || c.f.Symbols[s].Kind == graph.Constructor || k.leadsOut(t, map[graph.Handle]bool{}, 0) {
		return external(name, graph.ByInheritance)
	}
	return unresolved(graph.NotFound)
}

// superOfMixin are the members of that name that a module's own overrides in what it is mixed into.
func (k *linker) superOfMixin(t *typ, name string) []hit {
	if !k.isModule(t.h) {
		return nil
	}
	var out []hit
	whole := k.whole(t.h)
	for _, d := range k.deriving(levelKey{whole, meta(t)}) {
		of := k.basesOf(named(d.h))
		before := slices.ContainsFunc(of.out[:of.first], func(b *typ) bool { return k.whole(b.h) == whole })
		w := levelWalk{k: k, name: name, seen: map[levelKey]bool{{whole, false}: true}}
		for _, x := range w.find(d.h, d.meta, !before, false, 1) {
			if !contains(out, x.h) {
				out = append(out, x)
			}
		}
	}
	if len(out) > maxBelow {
		return nil
	}
	for i := range out {
		out[i].maybe = len(out) > 1
	}
	return out
}
