package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Of the overloads of a name, and of the members that a type and those around it have, a call in a
// language of inclusion means what its arguments and the types' constness say.

// maxChoice is how many overloads a call may mean; of more, which is so where it depends on what a template
// is made for, none is named.
const maxChoice = 3

// calledOf keeps, of the overloads in b, the one that a call means: its definition, then what
// declares it.
func (k *linker) calledOf(c *filectx, b binding, call *graph.Expr) binding {
	var hits []hit
	for _, h := range b.hs {
		if _, s := k.sym(h); s == nil || !s.Kind.Callable() {
			return b
		}
		hits = append(hits, hit{h: h, recv: b.t})
	}
	if len(hits) < 2 || call.N == 0 {
		return b
	}
	fit := k.byConst(c, k.overload(c, hits, call), call)
	b.hs = b.hs[:0:0]
	for _, x := range fit {
		for _, y := range hits { // defaults of parameters stand in declarations only
			if k.defines(y.h) && !k.defines(x.h) && !hasHandle(b.hs, y.h) && k.sameParams(x.h, y.h) {
				b.hs = append(b.hs, y.h)
			}
		}
		if !hasHandle(b.hs, x.h) {
			b.hs = append(b.hs, x.h)
		}
	}
	b.hs = k.order(c, b.hs)
	k.declaredFirst(b.hs)
	switch n := k.distinct(b.hs); {
	case n > maxChoice:
		return unresolved(graph.Ambiguous)
	case n > 1:
		b.status, b.reason = graph.Possible, graph.Ambiguous
		return b
	}
	if len(fit) < len(hits) {
		b.reason = graph.ByOverload
	}
	return b
}

// declaredFirst puts a declaration first where several files define what is meant, for different systems.
func (k *linker) declaredFirst(hs []graph.Handle) {
	at := slices.IndexFunc(hs, func(h graph.Handle) bool { return !k.defines(h) })
	if len(hs) < 3 || at < 2 || hs[0].File == hs[1].File || !k.sameParams(hs[0], hs[1]) || !k.sameParams(hs[0], hs[at]) {
		return
	}
	h := hs[at]
	copy(hs[1:at+1], hs[:at])
	hs[0] = h
}

// distinct counts the callables among hs that take different things, up to one more than may be meant.
func (k *linker) distinct(hs []graph.Handle) int {
	var kinds []graph.Handle
	for _, h := range hs {
		if !slices.ContainsFunc(kinds, func(x graph.Handle) bool { return k.sameParams(x, h) }) {
			if kinds = append(kinds, h); len(kinds) > maxChoice {
				break
			}
		}
	}
	return len(kinds)
}

// constIn reports whether the method around symbol in of c changes nothing.
func (k *linker) constIn(c *filectx, in int32) bool {
	for s := in; s >= 0; s = c.f.Symbols[s].Container {
		if y := &c.f.Symbols[s]; y.Kind == graph.Method {
			return y.Flags&graph.ReadOnly != 0
		}
	}
	return false
}

// byConst keeps, of overloads that take the same, those for a receiver that may be changed, or those
// for one that may not.
func (k *linker) byConst(c *filectx, hits []hit, call *graph.Expr) []hit {
	if len(hits) < 2 || call.X < 0 || !c.l.Hides {
		return hits
	}
	konst := false
	switch x := &c.f.Exprs[callee(c.f, call.X)]; x.Op {
	case graph.OpName:
		konst = k.constIn(c, x.In)
	case graph.OpMember:
		t := strip(k.value(c, x.X))
		konst = t != nil && t.konst
	}
	var fit []hit
	for _, x := range hits {
		if _, s := k.sym(x.h); s != nil && (s.Flags&graph.ReadOnly != 0) == konst {
			fit = append(fit, x)
		}
	}
	if len(fit) == 0 {
		return hits
	}
	return fit
}

func hasHandle(hs []graph.Handle, h graph.Handle) bool {
	for _, x := range hs {
		if x == h {
			return true
		}
	}
	return false
}

// made are the constructors of the type in b that a call or initializer runs, before the type.
func (k *linker) made(c *filectx, b binding, call *graph.Expr) binding {
	if len(b.hs) == 0 {
		return b
	}
	_, s := k.sym(b.hs[0])
	if s == nil || !s.Kind.Type() || s.Kind == graph.Enum {
		return b
	}
	t := strip(k.symbolType(b.hs[0]))
	if t != nil && t.kind == tExternal && s.Kind == graph.TypeAlias {
		return external(t.name, graph.ByConstructor)
	}
	if t == nil || t.kind != tNamed {
		return b
	}
	var ctors binding
	for _, name := range c.l.Constructors {
		for _, x := range k.own(t, name, graph.ByConstructor) {
			if xc, xs := k.sym(x.h); call == nil || takes(xc, xs, max(int(call.N)-1, 0)) {
				ctors.hs = append(ctors.hs, x.h)
			}
		}
	}
	if len(ctors.hs) == 0 { // one that is not written
		return b
	}
	ctors.status, ctors.reason, ctors.t = graph.Certain, graph.ByConstructor, t
	if call != nil {
		ctors = k.calledOf(c, ctors, call)
	} else {
		ctors.hs = k.order(c, ctors.hs)
	}
	return ctors
}

// enumerators finds a constant of enum t that is defined around it.
func (k *linker) enumerators(c *filectx, t *typ, name string, r graph.Reason) []hit {
	for _, h := range k.look(c.sc.owner(t.h.Index).Key(name)) {
		if hc, s := k.sym(h); s != nil && hc.id == c.id && s.Kind == graph.EnumMember && s.Container == t.h.Index {
			return []hit{{h: h, recv: t, reason: r}}
		}
	}
	return nil
}

// aroundOwner looks a name up in what encloses type t, a member of which stands elsewhere.
func (k *linker) aroundOwner(from *filectx, t *typ, name string) (binding, bool) {
	c, s := k.sym(t.h)
	if s == nil {
		return binding{}, false
	}
	for i := s.Container; i >= 0; i = c.f.Symbols[i].Container {
		switch y := &c.f.Symbols[i]; {
		case y.Kind == graph.Namespace:
			if b, ok := k.inSpaces(from, c, i, name); ok {
				return b, true
			}
		case y.Kind.Type():
			if m := k.member(named(graph.Handle{File: c.id, Index: i}), name); len(m) > 0 {
				return k.fromMembers(m), true
			}
		}
	}
	if o := strip(k.typeExpr(c, s.Owner)); o != nil && o.kind == tNamed && o.h != t.h { // a type that is itself defined out of line
		if m := k.member(o, name); len(m) > 0 {
			return k.fromMembers(m), true
		}
		return k.aroundOwner(from, o, name)
	}
	return binding{}, false
}

// typeAround is what a name in symbol in of c means where only a type or namespace can be meant: b, unless that
// is something else, which hides none.
func (k *linker) typeAround(c *filectx, name string, in int32, b binding) binding {
	first := b
	for ; in >= 0 && len(b.hs) > 0 && !slices.ContainsFunc(b.hs, k.holds); in = c.f.Symbols[in].Container {
		b = k.name(c, name, c.f.Symbols[in].Container)
	}
	if len(b.hs) == 0 && c.l.Hides {
		return first
	}
	return b
}

// holds reports whether h is a type, a namespace, or a macro, which may stand for either.
func (k *linker) holds(h graph.Handle) bool {
	_, s := k.sym(h)
	return s != nil && (s.Kind.Type() || s.Kind == graph.Namespace || s.Kind == graph.Macro)
}

// pointed is what a value of type t points to: an element, or what its own members say.
func (k *linker) pointed(c *filectx, t *typ) *typ {
	if len(c.l.DerefCalls) == 0 || t == nil {
		return deref(t)
	}
	switch t.kind {
	case tExternal:
		if len(t.args) > 0 && lastName(t.name) != "pair" {
			return t.args[0]
		}
	case tNamed:
		for _, m := range c.l.DerefCalls {
			if r := k.calling(t, m); r != nil {
				return strip(r)
			}
		}
	}
	return deref(t)
}
