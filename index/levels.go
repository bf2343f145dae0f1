package index

import (
	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// In languages with levels everything is a message to an object, and a class is an object too: its
// own members are apart from those of its values. Receivers seldom have declared types.

// typeLike reports whether s is a type in the language of c.
func typeLike(c *filectx, s *graph.Symbol) bool {
	return s.Kind.Type() || s.Kind == graph.Module && c.l.ModuleTypes
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
	c, _ := k.sym(t.h)
	if out := w.find(t.h, meta(t), t.kind == tSuper, false, 0); len(out) > 0 || c == nil {
		return out
	}
	return w.roots(c)
}

// roots finds a member of the types of which every value is.
func (w *levelWalk) roots(c *filectx) []hit {
	for _, r := range c.l.RootTypes {
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
	key := levelKey{h, meta}
	if w.seen[key] || depth > 40 {
		return nil
	}
	w.seen[key] = true
	t := named(h)
	if meta {
		t = &typ{kind: tMeta, h: h}
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
	bs, _ := w.k.bases(t)
	for _, b := range bs {
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
			out = w.find(b.h, false, false, values || meta, depth+1)
		default:
			out = w.find(b.h, meta, false, values, depth+1)
		}
		if len(out) > 0 {
			return out
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
	if len(hits) == 0 && name == c.l.Maker && t.kind == tMeta {
		for _, m := range c.l.Constructors {
			hits = k.member(named(t.h), m)
			for i := range hits {
				hits[i].reason = graph.ByConstructor
			}
		}
	}
	return hits
}

// libraryType is the type of the library's that t is, where the workspace adds to it; nil for others.
func (k *linker) libraryType(c *filectx, t *typ) *typ {
	name := t.name
	switch t.kind {
	case tArray, tTuple:
		name = "Array"
	case tDict:
		name = "Hash"
	case tFunc:
		name = "Proc"
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

// message resolves the name of what is asked of the value before it.
func (k *linker) message(c *filectx, e *graph.Expr, name string) binding {
	t := strip(k.value(c, e.X))
	if t != nil && t.kind == tPack {
		return k.fromSpace(c, t, name)
	}
	if hits := k.received(c, t, name, e.Role); len(hits) > 0 {
		b := k.fromMembers(hits)
		if b.reason == graph.ByReceiver {
			b.reason = k.how(c, e.X)
		}
		return b
	}
	own := c.f.Exprs[e.X].Op == graph.OpSelf
	if own || t == nil || t.kind != tMeta && t.kind != tNamed {
		if b, ok := k.ofAll(c, name, own); ok {
			return b
		}
	}
	switch {
	case c.l.Common[name] && (t != nil || own):
		return external(name, graph.Builtin)
	case t == nil:
		return k.uniqueName(c, name)
	case k.leadsOut(t, map[graph.Handle]bool{}, 0):
		return external(name, graph.ByInheritance)
	}
	for _, m := range c.l.Missing {
		if len(k.member(t, m)) > 0 {
			return unresolved(graph.Dynamic)
		}
	}
	return unresolved(graph.NotFound)
}

// ofAll is a member that every value has: a function of the root, for the value itself, or one
// that the workspace gives to the types of which every value is.
func (k *linker) ofAll(c *filectx, name string, own bool) (binding, bool) {
	if own {
		var fs []graph.Handle
		for _, h := range k.look(k.root(c).Key(name)) {
			if _, s := k.sym(h); s != nil && s.Kind.Callable() {
				fs = append(fs, h)
			}
		}
		if len(fs) > 0 {
			return k.bound(c, fs, graph.ByPackage), true
		}
	}
	w := levelWalk{k: k, name: name, seen: map[levelKey]bool{}}
	if hits := w.roots(c); len(hits) > 0 {
		return k.fromMembers(hits), true
	}
	return binding{}, false
}

// uniqueName is the only member of that name that the workspace has, if the library has none.
func (k *linker) uniqueName(c *filectx, name string) binding {
	if !c.l.UniqueNames || c.l.Common[name] {
		return unresolved(graph.NoType)
	}
	var same []graph.Handle
	path, static := "", graph.Flags(0)
	for _, h := range k.look(nameScope(c.l).Key(name)) {
		hc, s := k.sym(h)
		if s == nil {
			continue
		}
		p := hc.f.Path(h.Index)
		if len(same) > 0 && (p != path || s.Flags&graph.Static != static) {
			return unresolved(graph.NoType)
		}
		path, static = p, s.Flags&graph.Static
		same = append(same, h)
	}
	if len(same) == 0 {
		return unresolved(graph.NoType)
	}
	return binding{hs: k.order(c, same), status: graph.Possible, reason: graph.ByUniqueName}
}

// messageType is what the member that expression e asks for is, as a value.
func (k *linker) messageType(c *filectx, e *graph.Expr) *typ {
	name := c.f.Str(e.Name)
	t := strip(k.value(c, e.X))
	if t == nil {
		if c.f.Exprs[e.X].Op == graph.OpSelf {
			if b, ok := k.ofAll(c, name, true); ok {
				return k.typeOfBinding(b)
			}
		}
		return nil
	}
	if t.kind == tPack {
		return k.typeOfBinding(k.inModule(moduleOf(t), name, map[graph.FileID]bool{}))
	}
	if t.kind == tMeta && name == c.l.Maker && len(k.member(t, name)) == 0 {
		return t
	}
	hits := k.received(c, t, name, e.Role)
	switch {
	case len(hits) == 0:
		if c.f.Exprs[e.X].Op == graph.OpSelf {
			if b, ok := k.ofAll(c, name, true); ok {
				return k.typeOfBinding(b)
			}
		}
		return libraryMember(t, name)
	case hits[0].maybe:
		var parts []*typ
		for _, x := range hits {
			parts = append(parts, k.typeOfHit(x))
		}
		return union(parts...)
	}
	return k.typeOfHit(hits[0])
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
	if c.l.Common[name] || c.f.Symbols[s].Kind == graph.Constructor || k.leadsOut(t, map[graph.Handle]bool{}, 0) {
		return external(name, graph.ByInheritance)
	}
	return unresolved(graph.NotFound)
}
