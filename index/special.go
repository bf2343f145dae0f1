package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// A class template may be defined again for some of its arguments: a specialisation, whose symbol has these as
// its initializer. A mention names the template itself; a value's members are those of the specialisation that
// fits its arguments.

// specialises reports whether s is a specialisation.
func specialises(c *filectx, s *graph.Symbol) bool {
	return c.l.Hides && s.Kind.Type() && s.Kind != graph.TypeAlias && s.Init >= 0
}

// onlySpecialised reports whether hs are nothing but specialisations: the template comes from outside.
func (k *linker) onlySpecialised(hs []graph.Handle) bool {
	for _, h := range hs {
		if c, s := k.sym(h); s == nil || !specialises(c, s) {
			return false
		}
	}
	return true
}

// specialised is the specialisation that fits the arguments of type t, else t. One without parameters goes
// before one with some; of several that fit as well, none is chosen.
func (k *linker) specialised(t *typ) *typ {
	c, s := k.sym(t.h)
	if s == nil || !c.l.Hides || len(t.args) == 0 || t.kind != tNamed && t.kind != tMeta {
		return t
	}
	var best *typ
	rank, ties := -1, 0
	for _, h := range k.look(c.sc.owner(t.h.Index).Key(keyName(c.l, c.f, t.h.Index))) {
		hc, hs := k.sym(h)
		if hs == nil || !specialises(hc, hs) {
			continue
		}
		bound := env{}
		if !k.matches(hc, hc.f.List(hc.f.Exprs[hs.Init].Kids), t.args, bound) {
			continue
		}
		r := 0
		if len(bound) == 0 {
			r = 1
		}
		switch {
		case r > rank:
			n := *t
			n.h, n.args = h, nil
			for _, l := range hc.f.List(hs.TypeParams) {
				n.args = append(n.args, bound[param{hc.id, l}])
			}
			best, rank, ties = &n, r, 0
		case r == rank:
			ties++
		}
	}
	if specialises(c, s) && (best == nil || ties > 0) { // of a template from outside
		return &typ{kind: tExternal, name: c.f.Str(s.Name), args: t.args}
	}
	if best == nil || ties > 0 {
		return t
	}
	return best
}

// matches reports whether the arguments of a specialisation in c, some with parameters, are args.
func (k *linker) matches(c *filectx, pattern []int32, args []*typ, bound env) bool {
	if len(pattern) != len(args) {
		return false
	}
	for i, e := range pattern {
		if !k.match(k.typeExpr(c, e), args[i], bound, 0) {
			return false
		}
	}
	return true
}

func (k *linker) match(p, a *typ, bound env, depth int) bool {
	if p = k.plainType(p); p == nil || depth > 6 {
		return false
	}
	if a = k.plainType(a); a == nil {
		return false
	}
	if p.kind == tParam {
		key := param{p.fc.id, p.expr}
		if old, ok := bound[key]; ok {
			return same(old, a, 0)
		}
		bound[key] = a
		return true
	}
	switch {
	case p.kind != a.kind || p.konst != a.konst:
		return false
	case p.kind == tNamed && p.h != a.h && !k.oneType(p.h, a.h):
		return false
	case p.kind == tBuiltin && p.name != a.name, p.kind == tExternal && (lastName(p.name) != lastName(a.name) || p.elem != nil):
		return false
	case p.kind == tPointer || p.kind == tArray:
		return k.match(p.elem, a.elem, bound, depth+1)
	case p.kind != tNamed && p.kind != tBuiltin && p.kind != tExternal:
		return false
	case len(p.args) != len(a.args):
		return false
	}
	for i := range p.args {
		if !k.match(p.args[i], a.args[i], bound, depth+1) {
			return false
		}
	}
	return true
}

// memberNamed is the type that the member of that name of type t stands for.
func (k *linker) memberNamed(t *typ, name string) *typ {
	if t == nil {
		return nil
	}
	for _, x := range k.member(t, name) {
		if _, s := k.sym(x.h); s != nil && s.Kind.Type() {
			return k.subst(k.symbolType(x.h), k.bindArgs(x.recv), 0)
		}
	}
	if t.kind == tNamed {
		t = k.outsideBase(t, 0)
	}
	return k.memberOfLibrary(k.linked, t, name)
}

// ofClass keeps, of members of classes of one name, those of class t and those that are defined out of line.
func (k *linker) ofClass(t *typ, hits []hit) []hit {
	own := func(x hit) bool {
		_, s := k.sym(x.h)
		return s != nil && x.h.File == t.h.File && s.Container == t.h.Index
	}
	if !slices.ContainsFunc(hits, own) {
		return hits
	}
	out := hits[:0:0]
	for _, x := range hits {
		c, s := k.sym(x.h)
		if own(x) || s != nil && (s.Container < 0 || !c.f.Symbols[s.Container].Kind.Type()) {
			out = append(out, x)
		}
	}
	return out
}

// deduces reports whether what a call passes, so many of its arguments template arguments, says what each of a
// template's parameters is: one without a default that no parameter's type mentions must be given.
func (k *linker) deduces(c *filectx, s *graph.Symbol, given int) bool {
	for i, l := range c.f.List(s.TypeParams) {
		local := &c.f.Locals[l]
		if i < given || local.Name == 0 || local.Flags&(graph.OptionalParam|graph.VariadicParam) != 0 {
			continue
		}
		found := false
		for _, p := range c.f.List(s.Params) {
			found = found || mentions(c.f, c.f.Locals[p].Type, l, local.Type >= 0, 0)
		}
		if !found {
			return false
		}
	}
	return true
}

// mentions reports whether type expression e of f mentions the local l, or, where that is a value, has a part
// that may.
func mentions(f *graph.Facts, e, l int32, value bool, depth int) bool {
	if e < 0 || depth > 12 {
		return depth > 12
	}
	x := &f.Exprs[e]
	if x.Op == graph.OpLocal {
		return x.X == l
	}
	if value && (x.Op == graph.OpIndex || x.Op == graph.OpArray) || x.Op == graph.OpTypeOf {
		return true
	}
	if x.Op != graph.OpObject && x.Op != graph.OpLiteral && x.X >= 0 && mentions(f, x.X, l, value, depth+1) {
		return true
	}
	return slices.ContainsFunc(f.List(x.Kids), func(kid int32) bool { return mentions(f, kid, l, value, depth+1) })
}
