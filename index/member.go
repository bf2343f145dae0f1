package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// hit is a member that was found: the symbol, the type it was found in (with its type
// arguments), and why.
type hit struct {
	h      graph.Handle
	recv   *typ
	self   *typ // the type that was asked
	reason graph.Reason
	maybe  bool // only of one of several possible types
}

func (k *linker) fromMembers(hits []hit) binding {
	b := binding{status: graph.Certain, reason: hits[0].reason}
	for _, x := range hits {
		b.hs = append(b.hs, x.h)
		if x.maybe {
			b.status = graph.Possible
		}
	}
	if len(hits) > 0 {
		b.t = hits[0].recv
	}
	return b
}

// member finds the members of that name that a value of type t has. None means that
// nothing is known to have it.
func (k *linker) member(t *typ, name string) []hit {
	return k.memberIn(t, name, 0)
}

func (k *linker) memberIn(t *typ, name string, depth int) []hit {
	if t = strip(t); t == nil || depth > 8 {
		return nil
	}
	switch t.kind {
	case tNamed, tMeta, tSuper, tCallable:
		c, s := k.sym(t.h)
		if s == nil {
			return nil
		}
		if c.l.Promote {
			return k.promoted(t, name)
		}
		var out []hit
		switch {
		case c.l.Levels:
			out = k.leveled(t, name)
		case c.l.Linearized:
			out = k.linear(t, name)
		default:
			out = k.inherited(t, name, map[graph.Handle]bool{}, 0)
		}
		for i := range out {
			out[i].self = t
		}
		return out
	case tParam:
		if l := &t.fc.f.Locals[t.expr]; l.Type >= 0 {
			return k.memberIn(k.typeExpr(t.fc, l.Type), name, depth+1)
		}
	case tBuiltin, tExternal:
		if k.impls != nil {
			return k.far(k.impls, t, name, graph.ByReceiver)
		}
	case tUnion:
		var out []hit
		for _, p := range t.args {
			for _, x := range k.memberIn(p, name, depth+1) {
				if !contains(out, x.h) {
					x.maybe = x.maybe || len(out) > 0
					out = append(out, x)
				}
			}
		}
		if len(out) > 1 {
			for i := range out {
				out[i].maybe, out[i].reason = true, graph.ByUnion
			}
		}
		return out
	}
	return nil
}

// typeOfHit is the type of a member that was found.
func (k *linker) typeOfHit(x hit) *typ {
	t := k.typeOf(x.h, x.recv)
	if t == nil || x.self == nil || t.kind != tCallable {
		return k.asReceiver(t, x.self)
	}
	n := *t
	n.key = x.self
	return &n
}

func contains(hits []hit, h graph.Handle) bool {
	for _, x := range hits {
		if x.h == h {
			return true
		}
	}
	return false
}

// maxParts bounds how many declarations of one member in parts of a type are told apart.
const maxParts = 2 * maxTargets

// own are the members that the declarations of t's symbol themselves have.
func (k *linker) own(t *typ, name string, r graph.Reason) []hit {
	c, s := k.sym(t.h)
	if s == nil {
		return nil
	}
	var out []hit
	for _, h := range k.look(c.sc.members(t.h.Index).Key(name)) {
		if c.l.Merges && len(out) >= maxParts && h.File != t.h.File {
			continue
		}
		if h.Index >= 0 && h.Index != graph.FileItself && (!c.l.Inclusion || h.File == t.h.File || !s.Kind.Type()) {
			out = append(out, hit{h: h, recv: t, reason: r})
		}
	}
	if c.l.Homes != nil && len(out) > 1 { // of copies, the members of this one
		out = ofFile(out, t.h.File)
	}
	if len(out) == 0 && k.from != nil && k.from.MethodsApart != c.l.MethodsApart { // a language that spells members otherwise
		out = k.foreign(c, t, name, r)
	}
	if c.l.FarMembers && s.Kind != graph.Module && s.Kind != graph.Namespace {
		out = append(out, k.far(c.l, t, name, r)...)
	}
	if len(out) == 0 && s.Kind == graph.Enum && c.l.Inclusion {
		out = k.enumerators(c, t, name, r)
	}
	if c.l.Levels {
		out = k.atLevel(t, out)
	}
	if len(out) > 1 && len(out) <= maxOverloads {
		out = k.ofLevel(c, t, out)
	}
	return k.unaliased(out)
}

// ofFile keeps the hits in a file, if there are any.
func ofFile(hits []hit, id graph.FileID) []hit {
	var out []hit
	for _, x := range hits {
		if x.h.File == id {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return hits
	}
	return out
}

// foreign are the members of t that its language names otherwise in keys than the one that asks.
func (k *linker) foreign(c *filectx, t *typ, name string, r graph.Reason) []hit {
	plain, call := strings.CutSuffix(name, called)
	if !call {
		plain = name + called
	}
	var out []hit
	for _, h := range k.look(c.sc.members(t.h.Index).Key(plain)) {
		if _, s := k.sym(h); s != nil && (!call || s.Kind.Callable()) {
			out = append(out, hit{h: h, recv: t, reason: r})
		}
	}
	return out
}

// maxAliases is how many declarations of one alias are followed.
const maxAliases = 4

// unaliased puts what they name in the place of members that are other names of members.
func (k *linker) unaliased(hits []hit) []hit {
	var out []hit
	aliases := 0
	for i, x := range hits {
		c, s := k.sym(x.h)
		if s == nil || s.Flags&graph.Alias == 0 || s.Init < 0 {
			if out != nil {
				out = append(out, x)
			}
			continue
		}
		if out == nil {
			out = append([]hit{}, hits[:i]...)
		}
		if aliases++; aliases > maxAliases {
			continue
		}
		key := int64(x.h.Index)<<1 | 1<<41
		if !c.enter(key) {
			k.cuts++
			continue
		}
		hs := k.ref(c, &c.f.Exprs[s.Init], -1).hs
		if len(hs) == 0 {
			hs = []graph.Handle{x.h}
		}
		for _, h := range hs {
			if len(out) < maxTargets && !contains(out, h) {
				out = append(out, hit{h: h, recv: x.recv, reason: x.reason})
			}
		}
		c.leave(key)
	}
	if out == nil {
		return hits
	}
	return out
}

// ofLevel keeps, of members of one name, those of the level asked: the type's or a value's; and
// puts the likeliest first.
func (k *linker) ofLevel(c *filectx, t *typ, hits []hit) []hit {
	var static, instance []graph.Handle
	for _, x := range hits {
		if _, s := k.sym(x.h); s != nil && s.Flags&graph.Static != 0 {
			static = append(static, x.h)
		} else {
			instance = append(instance, x.h)
		}
	}
	hs := append(instance, static...)
	if c.l.FarMembers {
		hs = hs[:0:0]
		for _, x := range hits {
			hs = append(hs, x.h)
		}
	} else if t.kind == tMeta && len(static) > 0 {
		hs = static
	} else if t.kind == tNamed && len(instance) > 0 && len(static) > 0 && !c.l.Overloads {
		hs = instance
	}
	out := hits[:0:0]
	for _, h := range k.order(c, hs) {
		out = append(out, hit{h: h, recv: t, reason: hits[0].reason})
	}
	return out
}

// bases are the types that t extends, implements or embeds, in their order, with t's type
// arguments put in. known is false where one of them lies outside the workspace.
func (k *linker) bases(t *typ) (out []*typ, known bool) {
	b := k.basesOf(t)
	return b.out, b.known
}

// basesOf are the bases of t, kept where a type may have many declarations.
func (k *linker) basesOf(t *typ) *based {
	c, _ := k.sym(t.h)
	if c == nil || !c.l.Merges || len(t.args) > 0 {
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
	for _, x := range k.look(c.sc.owner(h.Index).Key(c.f.Str(s.Name))) {
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
	if seen[h] || depth > 40 {
		return nil
	}
	seen[h] = true
	var out []hit
	if t.kind != tSuper {
		r := graph.ByReceiver
		if depth > 0 {
			r = graph.ByInheritance
		}
		if out = k.own(t, name, r); len(out) > 0 && !k.overloads(out[0]) {
			return out
		}
	}
	if u := k.underlying(t); u != nil {
		return k.memberIn(u, name, depth+1)
	}
	bs, _ := k.bases(t)
	for _, b := range bs {
		if t.kind == tSuper && k.mixedIn(b) {
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
		return k.derefs(c, t, name, depth)
	}
	return out
}

// overloads reports whether a found member may stand beside others of its name in base types.
func (k *linker) overloads(x hit) bool {
	c, s := k.sym(x.h)
	return s != nil && c.l.Overloads && !c.l.Hides && s.Kind.Callable()
}

// overridden reports whether one of the members found before x takes the same parameters.
func (k *linker) overridden(x hit, before []hit) bool {
	xc, xs := k.sym(x.h)
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

// underlying is the type behind a named type that is written in terms of another.
func (k *linker) underlying(t *typ) *typ {
	c, s := k.sym(t.h)
	if s == nil || s.Kind != graph.TypeAlias || s.Type < 0 {
		return nil
	}
	return k.subst(k.typeExpr(c, s.Type), k.bindArgs(t), 0)
}

// promoted finds a member at the shallowest depth of embedding.
func (k *linker) promoted(t *typ, name string) []hit {
	return k.promotedIn(t, name, map[graph.Handle]bool{})
}

// promotedIn is promoted without the types in seen: types may be written in terms of each other.
func (k *linker) promotedIn(t *typ, name string, seen map[graph.Handle]bool) []hit {
	level := []*typ{t}
	for depth := 0; len(level) > 0 && depth < 12; depth++ {
		var found []hit
		var next []*typ
		for _, x := range level {
			if seen[x.h] {
				continue
			}
			seen[x.h] = true
			r := graph.ByReceiver
			if depth > 0 {
				r = graph.ByEmbedding
			}
			found = append(found, k.own(x, name, r)...)
			if u := strip(k.underlying(x)); u != nil && (u.kind == tNamed) {
				found = append(found, k.fieldsOf(u, name, seen)...)
			}
			bs, _ := k.bases(x)
			next = append(next, bs...)
		}
		if len(found) > 0 {
			return found
		}
		level = next
	}
	return nil
}

// fieldsOf are the members that a distinct type takes over from the type it is made of: the
// fields of a struct, the methods of an interface, but no methods of a type.
func (k *linker) fieldsOf(u *typ, name string, seen map[graph.Handle]bool) []hit {
	var out []hit
	for _, x := range k.promotedIn(u, name, seen) {
		_, s := k.sym(x.h)
		_, owner := k.sym(x.recv.h)
		if s != nil && (!s.Kind.Callable() || x.reason == graph.ByEmbedding || owner != nil && owner.Kind == graph.Interface) {
			out = append(out, x)
		}
	}
	return out
}
