package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Where nothing says of what type a value is, in a language with levels (levels.go), what is asked of it
// together may: a type that has all of it, if there is just one. Only the expressions of the file that is
// linked are looked at.

// maxAsked bounds how many members are looked for in how many types.
const maxAsked = 12

// ofAsked is the member that expression e asks for, of the type that has all that is asked of its receiver.
func (k *linker) ofAsked(c *filectx, e *graph.Expr) binding {
	t := k.havingAll(c, e.X)
	if t == nil {
		return unresolved(graph.NoType)
	}
	hits := k.received(c, t, c.f.Str(e.Name), e.Role)
	if len(hits) == 0 {
		return unresolved(graph.NoType)
	}
	b := k.fromMembers(hits)
	b.status, b.reason = graph.Possible, graph.ByUniqueName
	return b
}

// havingAll is the only type that has all that the file asks of the variable x or of those called like it, or nil.
func (k *linker) havingAll(c *filectx, x int32) *typ {
	if c != k.linked || x < 0 {
		return nil
	}
	name := asks(c, x)
	if name == 0 {
		return nil
	}
	if t, ok := k.haveAll[name]; ok {
		return t
	}
	if k.haveAll == nil {
		k.haveAll = map[uint32]*typ{}
	}
	k.haveAll[name] = nil
	t := k.withAll(c, k.namesAsked(c)[name])
	k.haveAll[name] = t
	return t
}

// asks is the name of the variable or attribute of the receiver that expression x is, or 0.
func asks(c *filectx, x int32) uint32 {
	switch e := &c.f.Exprs[x]; {
	case e.Op == graph.OpLocal && e.X >= 0:
		return c.f.Locals[e.X].Name
	case e.Op == graph.OpMember && e.Role != graph.Call && onSelf(c, e.X):
		return e.Name
	}
	return 0
}

// namesAsked are the names of the members that the file asks of its variables, by their names.
func (k *linker) namesAsked(c *filectx) map[uint32][]uint32 {
	if k.askedOf != nil {
		return k.askedOf
	}
	k.askedOf = map[uint32][]uint32{}
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.Op != graph.OpMember || e.X < 0 || e.Role != graph.Call || c.l.Common[c.f.Str(e.Name)] {
			continue
		}
		if of := asks(c, e.X); of != 0 && !slices.Contains(k.askedOf[of], e.Name) {
			k.askedOf[of] = append(k.askedOf[of], e.Name)
		}
	}
	return k.askedOf
}

// withAll is a guess: the only class with all members of these names.
func (k *linker) withAll(c *filectx, names []uint32) *typ {
	if len(names) < 2 || len(names) > maxAsked {
		return nil
	}
	var few []graph.Handle
	for _, n := range names {
		hs := k.look(nameScope(c.l).Key(c.f.Str(n)))
		if len(hs) == 0 {
			return nil
		}
		if few == nil || len(hs) < len(few) {
			few = hs
		}
	}
	if len(few) > maxAsked {
		return nil
	}
	var found []*typ
	for _, h := range few {
		hc, s := k.sym(h)
		if s == nil || s.Container < 0 || s.Flags&graph.Static != 0 || hc.f.Symbols[s.Container].Kind != graph.Class {
			continue
		}
		t := named(k.whole(graph.Handle{File: h.File, Index: s.Container}))
		if slices.ContainsFunc(found, func(o *typ) bool { return o.h == t.h }) {
			continue
		}
		if !slices.ContainsFunc(names, func(n uint32) bool { return len(k.member(t, c.f.Str(n))) == 0 }) {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return guessed(found[0])
}

// inBlock are the members of values of the class around a block, which may be run on one of them, where the
// class itself has no such member.
func (k *linker) inBlock(c *filectx, e *graph.Expr, name string) []hit {
	around := k.lexical(c, e.X)
	if around == nil || !meta(around) || c.l.Common[name] {
		return nil
	}
	hits := k.member(named(around.h), name)
	for i := range hits {
		hits[i].maybe, hits[i].reason = true, graph.ByUniqueName
	}
	return hits
}

// provided puts in the place of a member that only asks deriving types for one what these have.
func (k *linker) provided(t *typ, name string, hits []hit) []hit {
	if _, s := k.sym(hits[0].h); s == nil || s.Flags&graph.Abstract == 0 || t == nil || t.kind != tNamed {
		return hits
	}
	below := slices.DeleteFunc(k.below(t, name), func(x hit) bool { return x.h == hits[0].h })
	if len(below) == 0 {
		return hits
	}
	return below
}

// ofNamesakes is the only member of that name in modules called like the module t, with which they are
// mixed into one class.
func (k *linker) ofNamesakes(c *filectx, t *typ, name string, call int32) binding {
	_, m := k.sym(t.h)
	mc := k.ctx(t.h.File)
	if c.l.Common[name] {
		return binding{}
	}
	var fit []graph.Handle
	for _, h := range k.taking(k.look(nameScope(c.l).Key(name)), c, call) {
		hc, s := k.sym(h)
		if s == nil || s.Container < 0 || s.Flags&graph.Static != 0 {
			continue
		}
		if o := &hc.f.Symbols[s.Container]; o.Kind == graph.Module && hc.f.Str(o.Name) == mc.f.Str(m.Name) {
			fit = append(fit, h)
		}
	}
	if fit = k.firsts(fit); len(fit) != 1 {
		return binding{}
	}
	return binding{hs: fit, status: graph.Possible, reason: graph.ByUniqueName}
}
