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

// lexical is the type of the code around expression x, the receiver itself in a function that may
// be run on something else; nil for other receivers.
func (k *linker) lexical(c *filectx, x int32) *typ {
	if e := &c.f.Exprs[x]; e.Op == graph.OpSelf && e.Kids != 0 {
		return k.self(c, e.In)
	}
	return nil
}

// message resolves the name of what is asked of the value before it; call is the call that asks, or -1.
func (k *linker) message(c *filectx, e *graph.Expr, call int32) binding {
	name := c.f.Str(e.Name)
	t := k.receiver(c, e)
	if t != nil && t.kind == tPack {
		return k.fromSpace(c, t, name)
	}
	hits := k.received(c, t, name, e.Role)
	if len(hits) == 0 {
		if out := k.lexical(c, e.X); out != nil {
			if hits = k.received(c, out, name, e.Role); len(hits) > 0 {
				t = out
			}
		}
	}
	if len(hits) > 0 {
		b := k.fromMembers(hits)
		if b.reason == graph.ByReceiver {
			b.reason = k.how(c, e.X)
		}
		if suggested(t) {
			b.status, b.reason = graph.Possible, graph.ByUniqueName
		}
		return b
	}
	own := c.f.Exprs[e.X].Op == graph.OpSelf
	if own || t == nil || t.kind != tMeta && t.kind != tNamed {
		if b, ok := k.ofAll(c, name, own); ok {
			return b
		}
	}
	if hits := k.below(t, k.written(c, e, name)); len(hits) > 0 {
		return k.fromMembers(hits)
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

// written is the name of the member that expression e runs.
func (k *linker) written(c *filectx, e *graph.Expr, name string) string {
	if e.Role == graph.Write && c.l.Setter != "" && name != "" && name[0] != '@' {
		return name + c.l.Setter
	}
	return name
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
	if t := k.namesake(c, e.X); t != nil {
		if hits := k.received(c, t, name, e.Role); len(hits) > 0 {
			b := k.fromMembers(hits)
			b.status, b.reason = graph.Possible, graph.ByUniqueName
			return b
		}
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

// ofNamesake are those of hs that belong to classes called like word, else those of classes in a
// module called so.
func (k *linker) ofNamesake(hs []graph.Handle, word string) []graph.Handle {
	var out, inside []graph.Handle
	if word = plainWord(word); word == "" {
		return nil
	}
	for _, h := range hs {
		c, s := k.sym(h)
		if s == nil || s.Container < 0 || s.Flags&graph.Static != 0 {
			continue
		}
		switch o := &c.f.Symbols[s.Container]; {
		case o.Kind != graph.Class:
		case plainWord(c.f.Str(o.Name)) == word:
			out = append(out, h)
		case plainWord(lastName(c.f.Str(o.Qual))) == word:
			inside = append(inside, h)
		}
	}
	if len(out) == 0 {
		return inside
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

// messageType is what the member that expression e, number i of c, asks for is, as a value.
func (k *linker) messageType(c *filectx, i int32, e *graph.Expr) *typ {
	name := c.f.Str(e.Name)
	t := strip(k.value(c, e.X))
	if t != nil && t.kind == tPack {
		return k.typeOfBinding(k.inModule(moduleOf(t), name, map[graph.FileID]bool{}))
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
	if len(hits) == 0 && c.f.Exprs[e.X].Op == graph.OpSelf {
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
