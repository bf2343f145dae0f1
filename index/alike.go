package index

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// A member may have the name of its own type. Before a dot the name then means either, and what stands behind
// the dot tells which: the type has constants, static members and other types, its values have the others.

// alikeNamed is what name e means, if b, which it means as a value, is a member of a type of the same name.
func (k *linker) alikeNamed(c *filectx, e *graph.Expr, b binding) binding {
	if len(b.hs) != 1 {
		return b
	}
	_, s := k.sym(b.hs[0])
	if s == nil || s.Kind != graph.Field && s.Kind != graph.Property && s.Kind != graph.Constant && s.Kind != graph.Variable {
		return b
	}
	t := strip(k.typeOf(b.hs[0], nil))
	if t == nil || t.kind != tNamed {
		return b
	}
	tc, ts := k.sym(t.h)
	if ts == nil || tc.f.Str(ts.Name) != c.f.Str(e.Name) {
		return b
	}
	i := exprIndex(c, e)
	for j := i + 1; i >= 0 && int(j) < len(c.f.Exprs); j++ {
		x := &c.f.Exprs[j]
		if x.X != i || x.Op != graph.OpMember {
			continue
		}
		for _, m := range k.member(t, spelled(c, x)) {
			if _, ms := k.sym(m.h); ms != nil && (ms.Kind == graph.EnumMember || ms.Kind.Type() || ms.Flags&graph.Static != 0) {
				return binding{hs: []graph.Handle{t.h}, status: graph.Certain, reason: graph.ByPackage}
			}
		}
		break
	}
	return b
}

// inLibrary is what name e, spelled name in keys, means if b is a type that the usual build leaves out: it stands
// there for one of the library's of its name, where a build has none.
func (k *linker) inLibrary(c *filectx, e *graph.Expr, name string, b binding) binding {
	if !c.l.TypesApart || c.l.Known == nil || !k.allLeftOut(b.hs) || k.leftOutAround(c, e.In) {
		return b
	}
	if _, s := k.sym(b.hs[0]); s == nil || !s.Kind.Type() {
		return b
	}
	plain := plainName(name)
	spaces := c.opened()
	for s := c.f.Package; s != ""; s = outerSpace(s) {
		spaces = append(spaces, s)
	}
	for _, s := range spaces {
		for _, suffix := range [...]string{"", c.l.TypeSuffix} {
			if full := s + "." + plain + suffix; c.l.Known.Has(full) {
				return external(full, graph.NoModule)
			}
		}
	}
	return b
}

// leftOutAround reports whether the usual build leaves out symbol in of c or one around it.
func (k *linker) leftOutAround(c *filectx, in int32) bool {
	for ; in >= 0; in = c.f.Symbols[in].Container {
		if c.f.Symbols[in].Flags&graph.Unbuilt != 0 {
			return true
		}
	}
	return false
}
