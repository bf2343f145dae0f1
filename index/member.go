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
		b.t, b.self = hits[0].recv, hits[0].self
	}
	return b
}

// member finds the members of that name that a value of type t has. None means that
// nothing is known to have it.
func (k *linker) member(t *typ, name string) []hit {
	return k.memberIn(t, name, 0)
}

func (k *linker) memberIn(t *typ, name string, depth int) []hit {
	if t = strip(t); t == nil || depth > 8 || t.lacks(name) || !k.descend() {
		return nil
	}
	defer k.ascend()
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
			out := k.memberIn(k.typeExpr(t.fc, l.Type), name, depth+1)
			if len(out) == 0 && depth == 0 && t.fc.l.TraitsDeclare {
				out = k.blanket(t.fc.l, t, name)
			}
			return out
		}
	case tBuiltin, tExternal:
		if out := k.global(t, name); len(out) > 0 {
			return out
		}
		if k.impls != nil {
			out := k.given(k.impls, t, name)
			if len(out) == 0 {
				out = k.standIn(k.impls, t, name)
			}
			if len(out) > 0 || depth > 0 {
				return out
			}
			return k.blanket(k.impls, t, name)
		}
	case tArray, tDict, tTuple, tFunc:
		if t.kind == tDict && len(t.args) == 1 { // whose keys are the members of another type
			return k.memberIn(t.args[0], name, depth+1)
		}
		if k.impls != nil {
			if out := k.unnamed(k.impls, t, name); len(out) > 0 || depth > 0 {
				return out
			}
			return k.blanket(k.impls, t, name)
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
		if c.l.Merges && len(out) >= maxParts && h.File != t.h.File && !k.isOverload(c, h) {
			continue
		}
		if h.Index >= 0 && h.Index != graph.FileItself && (!c.l.Inclusion || h.File == t.h.File || !s.Kind.Type()) {
			out = append(out, hit{h: h, recv: t, reason: r})
		}
	}
	if len(out) == 0 && c.l.Contextual {
		out = k.merged(c, t, name, r)
	}
	if c.l.NearestFirst {
		out = slices.DeleteFunc(out, func(x hit) bool {
			_, y := k.sym(x.h)
			return y != nil && y.Flags&(graph.Private|graph.Override) == graph.Private|graph.Override
		})
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
	if c.l.Hides && len(out) > 1 && s.Kind.Type() {
		out = k.ofClass(t, out)
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
