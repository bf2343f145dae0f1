package index

import (
	"slices"
	"strings"

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
			if out = w.find(b.h, false, false, values || meta, depth+1); len(out) == 0 && meta {
				out = w.given(b.h, values, depth+1)
			}
		default:
			out = w.find(b.h, meta, false, values, depth+1)
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// given looks in what module h extends those with that include it.
func (w *levelWalk) given(h graph.Handle, values bool, depth int) []hit {
	c, s := w.k.sym(h)
	if s == nil {
		return nil
	}
	for _, e := range c.f.List(s.Bases) {
		if c.f.Exprs[e].Op != graph.OpEnter {
			continue
		}
		if t := strip(w.k.typeExpr(c, c.f.Exprs[e].X)); t != nil && t.kind == tNamed {
			if out := w.find(t.h, false, false, values, depth+1); len(out) > 0 {
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

// receiver is the type of what expression e asks something of. What a function from outside
// returns may be anything.
func (k *linker) receiver(c *filectx, e *graph.Expr) *typ {
	t := strip(k.value(c, e.X))
	if t != nil && t.kind == tExternal && strings.HasSuffix(t.name, called) {
		return nil
	}
	return t
}

// message resolves the name of what is asked of the value before it; call is the call that asks, or -1.
func (k *linker) message(c *filectx, e *graph.Expr, call int32) binding {
	name := c.f.Str(e.Name)
	t := k.receiver(c, e)
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
		return k.uniqueName(c, e, call)
	case k.leadsOut(t, map[graph.Handle]bool{}, 0):
		return external(name, graph.ByInheritance)
	}
	for _, m := range c.l.Missing {
		if len(k.member(t, m)) > 0 {
			return unresolved(graph.Dynamic)
		}
	}
	if _, s := k.sym(t.h); own && t.kind == tNamed && s != nil && s.Kind == graph.Module { // what includes it may have it
		if b := k.uniqueName(c, e, call); len(b.hs) > 0 {
			return b
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
	if hits := w.roots(c, false); len(hits) > 0 {
		return k.fromMembers(hits), true
	}
	return binding{}, false
}

// uniqueName is the only member of that name that the workspace has and that takes as many arguments
// as the call passes, if the library has none of that name; of several, the one that the others
// override. Before that, those of types that are called like what is asked.
func (k *linker) uniqueName(c *filectx, e *graph.Expr, call int32) binding {
	name := c.f.Str(e.Name)
	if !c.l.UniqueNames {
		return unresolved(graph.NoType)
	}
	hs := k.taking(k.look(nameScope(c.l).Key(name)), c, call)
	if len(hs) > maxTargets*4 {
		return unresolved(graph.NoType)
	}
	if fit := k.ofNamesake(hs, wordOf(c, e.X)); len(fit) > 0 {
		hs = fit
	} else if c.l.Common[name] {
		return unresolved(graph.NoType)
	}
	for _, h := range hs {
		if k.overriddenBy(h, hs) {
			return binding{hs: []graph.Handle{h}, status: graph.Possible, reason: graph.ByUniqueName}
		}
	}
	return unresolved(graph.NoType)
}

// wordOf is the name by which expression x is called: of a variable, an attribute or a method.
func wordOf(c *filectx, x int32) string {
	if x < 0 {
		return ""
	}
	switch e := &c.f.Exprs[x]; e.Op {
	case graph.OpCall:
		return wordOf(c, e.X)
	case graph.OpMember, graph.OpLocal:
		return strings.TrimLeft(c.f.Str(e.Name), "@")
	}
	return ""
}

// ofNamesake are those of hs that belong to types called like word.
func (k *linker) ofNamesake(hs []graph.Handle, word string) []graph.Handle {
	var out []graph.Handle
	for _, h := range hs {
		c, s := k.sym(h)
		if s == nil || s.Container < 0 || s.Flags&graph.Static != 0 {
			continue
		}
		if o := &c.f.Symbols[s.Container]; typeLike(c, o) && word != "" && strings.EqualFold(strings.ReplaceAll(word, "_", ""), c.f.Str(o.Name)) {
			out = append(out, h)
		}
	}
	return out
}

// taking are those of hs that take as many arguments as the call of c passes, where that is known.
func (k *linker) taking(hs []graph.Handle, c *filectx, call int32) []graph.Handle {
	if call < 0 || c.f.Exprs[call].N == 0 {
		return hs
	}
	n := int(c.f.Exprs[call].N) - 1
	var out []graph.Handle
	for _, h := range hs {
		if hc, s := k.sym(h); s != nil && (s.Kind.Callable() && takes(hc, s, n) || !s.Kind.Callable() && n == 0) {
			out = append(out, h)
		}
	}
	return out
}

// overriddenBy reports whether all of hs are members like h of its type or of ones that derive from it.
func (k *linker) overriddenBy(h graph.Handle, hs []graph.Handle) bool {
	c, s := k.sym(h)
	if s == nil {
		return false
	}
	for _, x := range hs {
		xc, y := k.sym(x)
		if y == nil || y.Flags&graph.Static != s.Flags&graph.Static || (y.Container < 0) != (s.Container < 0) {
			return false
		}
		if xc.f.Str(y.Qual) == c.f.Str(s.Qual) {
			continue
		}
		if y.Container < 0 || !k.derives(graph.Handle{File: x.File, Index: y.Container}, c.sc.owner(h.Index), 0) {
			return false
		}
	}
	return true
}

// derives reports whether the type h has a base whose members are in scope.
func (k *linker) derives(h graph.Handle, scope graph.ScopeID, depth int) bool {
	bs, _ := k.bases(named(h))
	for _, b := range bs {
		if c, s := k.sym(b.h); s != nil && depth < 20 && (c.sc.members(b.h.Index) == scope || k.derives(b.h, scope, depth+1)) {
			return true
		}
	}
	return false
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
	if t.kind == tNamed && name == c.l.TypeMember && len(k.member(t, name)) == 0 {
		return &typ{kind: tMeta, h: t.h}
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
			parts = append(parts, k.attribute(e, x))
		}
		return union(parts...)
	}
	return k.attribute(e, hits[0])
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
	if c.l.Common[name] || c.f.Symbols[s].Kind == graph.Constructor || k.leadsOut(t, map[graph.Handle]bool{}, 0) {
		return external(name, graph.ByInheritance)
	}
	return unresolved(graph.NotFound)
}
