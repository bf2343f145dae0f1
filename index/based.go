package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// bases are the types that t extends, implements or embeds, in their order, with t's type
// arguments put in. known is false where one of them lies outside the workspace.
func (k *linker) bases(t *typ) (out []*typ, known bool) {
	b := k.basesOf(t)
	return b.out, b.known
}

// basesOf are the bases of t, kept where a type may have many declarations or is asked for them again and again.
func (k *linker) basesOf(t *typ) *based {
	c, _ := k.sym(t.h)
	if c == nil || !c.l.Merges && !c.l.Phases || len(t.args) > 0 {
		return k.findBases(t)
	}
	h := k.whole(t.h)
	if b, ok := k.based[h]; ok {
		return b
	}
	cuts := k.cuts
	b := k.findBases(named(h))
	if k.cuts == cuts {
		if k.based == nil {
			k.based = map[graph.Handle]*based{}
		}
		k.based[h] = b
	}
	return b
}

// maxBased is how many declarations of one type are asked for its bases, its own first.
const maxBased = 12

// based are the bases of a type.
type based struct {
	out   []*typ
	known bool
	first int     // so many of out are searched before the type itself
	given []given // what a module gives to those that include it
}

// given is a type that those that include a module extend or, included, include.
type given struct {
	t        *typ
	included bool
}

// whole is the declaration that stands for all of a type, where several are one.
func (k *linker) whole(h graph.Handle) graph.Handle {
	if w, ok := k.wholes[h]; ok {
		return w
	}
	c, s := k.sym(h)
	if s == nil || !c.l.Merges || s.Flags&graph.NestedDef != 0 {
		return h
	}
	w := h
	for _, x := range k.look(c.sc.owner(h.Index).Key(keyName(c.l, c.f, h.Index))) {
		if xc, xs := k.sym(x); xs != nil && typeLike(xc, xs) {
			w = x
			break
		}
	}
	if k.wholes == nil {
		k.wholes = map[graph.Handle]graph.Handle{}
	}
	k.wholes[h] = w
	return w
}

// names reports whether one of the types is the plain type that b names.
func (k *linker) names(types []*typ, b *typ) bool {
	if b.kind != tNamed && b.kind != tMeta || len(b.args) > 0 {
		return false
	}
	h := k.whole(b.h)
	return slices.ContainsFunc(types, func(t *typ) bool { return t.kind == b.kind && len(t.args) == 0 && k.whole(t.h) == h })
}

func (k *linker) findBases(t *typ) *based {
	out := &based{known: true}
	c, s := k.sym(t.h)
	if s == nil {
		out.known = false
		return out
	}
	decls := []graph.Handle{t.h}
	if s.Flags&graph.NestedDef == 0 && c.l.Merges {
		for _, h := range k.look(c.sc.members(t.h.Index).Key(everyBase)) {
			if h != t.h && h.Index >= 0 && len(decls) < maxBased {
				decls = append(decls, h)
			}
		}
	}
	for _, d := range decls {
		if dc, ds := k.sym(d); ds != nil && (typeLike(dc, ds) || d == t.h) && ds.Bases != 0 {
			k.declaredBases(out, t, dc, ds, len(decls) > 1)
		}
	}
	if c.l.FarMembers {
		far, all := k.farBases(c.l, t)
		out.out, out.known = append(out.out, far...), out.known && all
	}
	return out
}

// declaredBases adds the bases that one declaration of t, symbol s of c, names.
func (k *linker) declaredBases(out *based, t *typ, c *filectx, s *graph.Symbol, several bool) {
	for _, e := range c.f.List(s.Bases) {
		x := &c.f.Exprs[e]
		if x.Op == graph.OpEnter { // what it gives to those that include it
			if g := strip(k.typeExpr(c, x.X)); g != nil && g.kind == tNamed {
				out.given = append(out.given, given{g, x.N == graph.EnterIncluded})
			}
			continue
		}
		b := strip(k.typeExpr(c, e))
		if b == nil || b.kind != tNamed && b.kind != tMeta {
			module := b != nil && b.kind == tModule && (c.l.Contextual || c.l.AssignedModules)
			out.known = out.known && module
			if b == nil || b.kind != tUnion && !module {
				continue
			}
		}
		b = k.subst(b, k.bindArgs(t), 0)
		switch {
		case several && k.names(out.out, b):
		case x.Op == graph.OpInstance && x.N == graph.Prepended:
			out.out = slices.Insert(out.out, 0, b)
			out.first++
		default:
			out.out = append(out.out, b)
		}
	}
}

// bindArgs binds the type parameters of t's symbol to t's arguments.
func (k *linker) bindArgs(t *typ) env {
	if t == nil || t.kind != tNamed && t.kind != tMeta && t.kind != tSuper && t.kind != tThis && len(t.args) == 0 {
		return nil
	}
	c, s := k.sym(t.h)
	if s == nil || s.TypeParams == 0 || len(t.args) == 0 && !c.l.Contextual {
		return nil
	}
	return k.bindList(c, s.TypeParams, t.args)
}

// bindList binds the type parameters of a list to args, those for which there is none to their defaults.
func (k *linker) bindList(c *filectx, list uint32, args []*typ) env {
	var e env
	for i, l := range c.f.List(list) {
		var t *typ
		if i < len(args) {
			t = args[i]
		} else if c.l.Contextual {
			t = k.defaultOf(c, l, e)
		}
		if t != nil {
			if e == nil {
				e = env{}
			}
			e[param{c.id, l}] = t
		}
	}
	return e
}

// defaultOf is what type parameter l of c stands for where nothing says so; e binds those before it.
func (k *linker) defaultOf(c *filectx, l int32, e env) *typ {
	local := &c.f.Locals[l]
	if local.Flags&graph.TypeParam == 0 || local.Init < 0 {
		return nil
	}
	return k.subst(k.typeExpr(c, local.Init), e, 0)
}

// inherited finds a member in t, else in its bases, depth first in their order: the order in
// which classes are searched.
func (k *linker) inherited(t *typ, name string, seen map[graph.Handle]bool, depth int) []hit {
	h := k.whole(t.h)
	if seen[h] || depth > 40 || t.lacks(name) {
		return nil
	}
	seen[h] = true
	var out, weak []hit
	if t.kind != tSuper {
		r := graph.ByReceiver
		if depth > 0 {
			r = graph.ByInheritance
		}
		out = k.own(t, name, r)
		if len(out) > 0 && k.givesWay(out[0]) {
			out, weak = nil, out
		}
		if len(out) > 0 && !k.overloads(out[0]) {
			if up := k.assignedAbove(t, name, out, depth); len(up) > 0 {
				return up
			}
			return out
		}
	}
	if u := k.underlying(t); u != nil {
		return k.memberIn(u, name, depth+1)
	}
	bs, _ := k.bases(t)
	for _, b := range bs {
		if t.kind == tSuper && k.mixedIn(b) || k.keepsTo(t, b) {
			continue
		}
		if b.kind == tModule { // a literal that takes over what a module exports
			if found := k.moduleMember(b, name); len(out) == 0 && len(found.hs) > 0 {
				for _, h := range found.hs {
					out = append(out, hit{h: h, recv: found.t, reason: graph.ByInheritance})
				}
				return out
			}
			continue
		}
		if b.kind == tUnion {
			if more := k.memberIn(b, name, depth+1); len(out) == 0 && len(more) > 0 {
				return more
			}
			continue
		}
		nb := *b
		if t.kind == tMeta {
			nb.kind = tMeta
		} else if nb.kind == tMeta {
			nb.kind = tNamed
		}
		more := k.inherited(&nb, name, seen, depth+1)
		if c, bs := k.sym(b.h); bs != nil && c.l.Phases && bs.Kind == graph.Interface {
			more = slices.DeleteFunc(more, k.ofItself)
		}
		if len(more) > 0 && k.givesWay(more[0]) {
			if len(weak) == 0 {
				weak = more
			}
			continue
		}
		if len(more) > 0 && !k.overloads(more[0]) {
			if len(out) == 0 {
				return more
			}
			continue
		}
		for _, x := range more {
			if !k.overridden(x, out) {
				out = append(out, x)
			}
		}
	}
	if c, s := k.sym(t.h); s != nil && depth == 0 && len(out) == 0 && len(c.l.DerefMembers) > 0 && !slices.Contains(c.l.DerefMembers, name) {
		if out = k.blanket(c.l, t, name); len(out) == 0 {
			out = k.derefs(c, t, name, depth)
		}
	}
	if len(out) == 0 {
		return weak
	}
	return out
}

// givesWay reports whether a found member is only said to be there, by a comment or by a trait that asks for
// it: what a base has of its name is meant.
func (k *linker) givesWay(x hit) bool {
	c, s := k.sym(x.h)
	if s == nil || !c.l.DeclaredGiveWay || s.Container < 0 {
		return false
	}
	return s.Flags&graph.Declaration != 0 || s.Flags&graph.Abstract != 0 && c.f.Symbols[s.Container].Kind == graph.Trait
}

// assignedAbove is what a base has of a member that a type itself only assigns to, where that makes none of
// its own.
func (k *linker) assignedAbove(t *typ, name string, own []hit, depth int) []hit {
	c, _ := k.sym(t.h)
	if c == nil || !c.l.AttributesInherit {
		return nil
	}
	for _, x := range own {
		if _, s := k.sym(x.h); s == nil || s.Flags&graph.AssignedMember == 0 || s.Kind != graph.Field {
			return nil
		}
	}
	up := *t
	up.kind = tSuper
	return k.inherited(&up, name, map[graph.Handle]bool{}, depth+1)
}

// keepsTo reports whether values of t, a class, do not have the members of its base b, an interface: they have
// what the class defines for them.
func (k *linker) keepsTo(t, b *typ) bool {
	c, s := k.sym(t.h)
	_, bs := k.sym(b.h)
	return s != nil && bs != nil && c.l.NearestFirst && bs.Kind == graph.Interface && (s.Kind == graph.Class || s.Kind == graph.Struct)
}

// ofItself reports whether x is a method of an interface alone, which nothing that derives from it has.
func (k *linker) ofItself(x hit) bool {
	_, s := k.sym(x.h)
	return s != nil && s.Kind.Callable() && s.Flags&graph.Static != 0
}

// overloads reports whether a found member may stand beside others of its name in base types.
func (k *linker) overloads(x hit) bool {
	c, s := k.sym(x.h)
	return s != nil && c.l.Overloads && !c.l.Hides && s.Kind.Callable()
}

// overridden reports whether one of the members found before x takes the same parameters.
func (k *linker) overridden(x hit, before []hit) bool {
	xc, xs := k.sym(x.h)
	if xc.l.Phases {
		return slices.ContainsFunc(before, func(y hit) bool { return y.h == x.h || k.derivesFrom(y, x) && k.takesAlike(y, x) })
	}
	params := xc.f.List(xs.Params)
	for _, y := range before {
		yc, ys := k.sym(y.h)
		others := yc.f.List(ys.Params)
		alike := len(params) == len(others)
		for i := 0; alike && i < len(params); i++ {
			p := k.typeExpr(xc, xc.f.Locals[params[i]].Type)
			q := k.typeExpr(yc, yc.f.Locals[others[i]].Type)
			alike = p == nil || q == nil || p.kind == tParam || same(p, q, 0)
		}
		if alike {
			return true
		}
	}
	return false
}

// mixedIn reports whether b is a trait: its members are its user's own, not inherited ones. Where
// functions extend types, a trait is a base like others.
func (k *linker) mixedIn(b *typ) bool {
	c, s := k.sym(b.h)
	return s != nil && s.Kind == graph.Trait && !c.l.ExtendsTypes
}
