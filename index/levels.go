package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// In languages with levels everything is a message to an object, and a class is an object too: its
// own members are apart from those of its values. Receivers seldom have declared types.

// typeLike reports whether s is a type in the language of c.
func typeLike(c *filectx, s *graph.Symbol) bool { return typeLikeKind(c.l, s) }

func typeLikeKind(l *lang.Language, s *graph.Symbol) bool {
	return s.Kind.Type() || s.Kind == graph.Module && l.ModuleTypes
}

// nameScope is the scope of all members of a language by their plain names.
func nameScope(l *lang.Language) graph.ScopeID { return graph.Scope("name", l.Name) }

// meta reports whether t, in which a member is looked for, is a type as a value.
func meta(t *typ) bool {
	return t.kind == tMeta || t.kind == tSuper && t.elem != nil && t.elem.kind == tMeta
}

// leveled finds a member of the level that t has: in the type itself, what it mixes in and
// what it extends; at last in the types of which every value is.
func (k *linker) leveled(t *typ, name string) []hit {
	w := levelWalk{k: k, name: name, seen: map[levelKey]bool{}}
	c, s := k.sym(t.h)
	if c == nil {
		return nil
	}
	if out := w.find(t.h, meta(t), t.kind == tSuper, false, 0); len(out) > 0 {
		return out
	}
	if meta(t) && s.Kind == graph.Module && t.kind != tSuper { // of what includes it
		if out := w.given(k.basesOf(named(t.h)), false, false, 1); len(out) > 0 {
			return out
		}
	}
	return w.roots(c, meta(t))
}

// roots finds a member of the types of which every value is.
func (w *levelWalk) roots(c *filectx, meta bool) []hit {
	names := c.l.RootTypes
	if meta {
		names = slices.Concat(c.l.MetaTypes, names)
	}
	for _, r := range names {
		for _, h := range w.k.look(w.k.root(c).Key(r)) {
			if out := w.find(h, false, false, false, 1); len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

type levelWalk struct {
	k    *linker
	name string
	seen map[levelKey]bool
}

type levelKey struct {
	h    graph.Handle
	meta bool
}

// find looks in h at a level; with values only for members that are run by nothing.
func (w *levelWalk) find(h graph.Handle, meta, skip, values bool, depth int) []hit {
	key := levelKey{w.k.whole(h), meta}
	if w.seen[key] || depth > 40 {
		return nil
	}
	w.seen[key] = true
	t := named(h)
	if meta {
		t = &typ{kind: tMeta, h: h}
	}
	of := w.k.basesOf(t)
	for _, b := range of.out[:of.first] {
		if !skip && b.kind == tNamed && !meta {
			if out := w.find(b.h, false, false, values, depth+1); len(out) > 0 {
				return out
			}
		}
	}
	if !skip {
		r := graph.ByReceiver
		if depth > 0 {
			r = graph.ByInheritance
		}
		if out := w.k.own(t, w.name, r); len(out) > 0 && (!values || !w.k.runs(out[0].h)) {
			return out
		}
	}
	for _, b := range of.out {
		_, s := w.k.sym(b.h)
		if s == nil || b.kind != tMeta && b.kind != tNamed {
			continue
		}
		var out []hit
		switch {
		case b.kind == tMeta && meta: // extended
			out = w.find(b.h, false, false, values, depth+1)
		case b.kind == tMeta:
		case s.Kind == graph.Module: // mixed in: of the type itself only constants
			out = w.mixedIn(b, meta, values, depth+1)
		default:
			out = w.find(b.h, meta, false, values, depth+1)
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// mixedIn looks in module b of what includes it: in what it has that include, too, and extend, and
// in the module itself.
func (w *levelWalk) mixedIn(b *typ, meta, values bool, depth int) []hit {
	of := w.k.basesOf(b)
	if out := w.given(of, true, values || meta, depth); len(out) > 0 {
		return out
	}
	out := w.find(b.h, false, false, values || meta, depth)
	if len(out) == 0 && meta {
		out = w.given(of, false, values, depth)
	}
	return out
}

// given looks in what a module gives to those that include it: what they include, or what they extend.
func (w *levelWalk) given(of *based, included, values bool, depth int) []hit {
	for i := len(of.given) - 1; i >= 0; i-- {
		if g := of.given[i]; g.included == included {
			if out := w.find(g.t.h, false, false, values, depth+1); len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

// runs reports whether h is run when it is mentioned.
func (k *linker) runs(h graph.Handle) bool {
	_, s := k.sym(h)
	return s != nil && (s.Kind.Callable() || s.Kind == graph.Property)
}

// atLevel keeps the hits that are of the level of t.
func (k *linker) atLevel(t *typ, hits []hit) []hit {
	out := hits[:0:0]
	for _, x := range hits {
		c, s := k.sym(x.h)
		if s == nil {
			continue
		}
		both := !k.runs(x.h) || s.Container >= 0 && c.f.Symbols[s.Container].Flags&graph.Static != 0
		if both || meta(t) == (s.Flags&graph.Static != 0) {
			out = append(out, x)
		}
	}
	return out
}

// selfLevel is the receiver t of code in symbol in, which may be the type itself.
func (k *linker) selfLevel(c *filectx, t *typ, in int32) *typ {
	level := &typ{kind: tMeta, h: t.h}
	for s := in; s >= 0 && s != t.h.Index; s = c.f.Symbols[s].Container {
		y := &c.f.Symbols[s]
		if typeLike(c, y) {
			break
		}
		if y.Kind.Callable() || y.Kind == graph.Property {
			if y.Flags&graph.Static != 0 || y.Container >= 0 && c.f.Symbols[y.Container].Flags&graph.Static != 0 {
				return level
			}
			return t
		}
	}
	return level
}

// received are the members that a message to a value of type t runs.
func (k *linker) received(c *filectx, t *typ, name string, role graph.Role) []hit {
	if t == nil {
		return nil
	}
	if lib := k.libraryType(c, t); lib != nil {
		t = lib
	}
	if role == graph.Write && c.l.Setter != "" {
		if hits := k.member(t, name+c.l.Setter); len(hits) > 0 {
			return hits
		}
	}
	hits := k.member(t, name)
	if len(hits) > 0 || name != c.l.Maker {
		return hits
	}
	if t = k.madeBy(c, t, name); t == nil {
		return nil
	}
	if t.kind == tMeta {
		return k.makers(c, t)
	}
	for _, p := range t.args {
		for _, x := range k.makers(c, p) {
			if x.maybe = true; !contains(hits, x.h) {
				hits = append(hits, x)
			}
		}
	}
	if len(hits) == 1 {
		hits[0].maybe = false
	}
	return hits
}

// makers are the constructors that run when a value of type t is made.
func (k *linker) makers(c *filectx, t *typ) []hit {
	var hits []hit
	for _, m := range c.l.Constructors {
		hits = k.member(named(t.h), m)
		for i := range hits {
			hits[i].reason = graph.ByConstructor
		}
	}
	return hits
}

// libraryType is the type of the library's that t is, where the workspace adds to it; nil for others.
func (k *linker) libraryType(c *filectx, t *typ) *typ {
	name := t.name
	switch t.kind {
	case tArray, tTuple:
		name = c.l.Core.Array
	case tDict:
		name = c.l.Core.Map
	case tFunc:
		name = c.l.Core.Function
	case tBuiltin:
	default:
		return nil
	}
	if !c.l.OpenLibrary {
		return nil
	}
	for _, h := range k.look(k.root(c).Key(name)) {
		if _, s := k.sym(h); s != nil && s.Kind.Type() {
			return named(h)
		}
	}
	return &typ{kind: tExternal, name: name}
}
