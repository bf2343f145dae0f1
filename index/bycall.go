package index

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// byRole keeps, of several symbols of one name, those that can stand in the role.
func (k *linker) byRole(b binding, role graph.Role) binding {
	var fit []graph.Handle
	for _, h := range b.hs {
		_, s := k.sym(h)
		if s == nil {
			continue
		}
		isType := s.Kind.Type()
		switch role {
		case graph.TypeUse, graph.Inherit:
			if isType {
				fit = append(fit, h)
			}
		case graph.Call:
			if s.Kind.Callable() || isType && s.Kind != graph.Interface && s.Kind != graph.TypeAlias || s.Kind == graph.Macro {
				fit = append(fit, h)
			}
		default:
			if !isType {
				fit = append(fit, h)
			}
		}
	}
	if len(fit) == 0 && role == graph.Call { // a variable that holds what is called
		for _, h := range b.hs {
			if _, s := k.sym(h); s != nil && s.Kind != graph.Interface && s.Kind != graph.TypeAlias {
				fit = append(fit, h)
			}
		}
	}
	if len(fit) == 0 || k.allLeftOut(fit) {
		fit = b.hs
	}
	b.hs = k.soleOrNot(fit, role == graph.Read || role == graph.Write)
	return b
}

// soleOrNot keeps, of a type and an object of one name, the object for a value and the type for
// anything else.
func (k *linker) soleOrNot(hs []graph.Handle, value bool) []graph.Handle {
	var fit []graph.Handle
	sole := 0
	for _, h := range hs {
		_, s := k.sym(h)
		if s == nil || !s.Kind.Type() {
			return hs
		}
		if s.Flags&graph.Sole != 0 {
			sole++
		}
		if s.Flags&graph.Sole != 0 == value {
			fit = append(fit, h)
		}
	}
	if sole == 0 || len(fit) == 0 {
		return hs
	}
	return fit
}

// byCall chooses among overloads by what the call passes.
func (k *linker) byCall(c *filectx, b binding, call *graph.Expr) binding {
	var hits []hit
	takers := 0
	for _, h := range b.hs {
		sc, s := k.sym(h)
		if s == nil || !s.Kind.Callable() {
			return b
		}
		n := int(call.N) - 1
		if _, ok := k.extendee(c, &c.f.Exprs[callee(c.f, call.X)], s); ok {
			n++
		}
		if takes(sc, s, n) {
			takers++
		}
		hits = append(hits, hit{h: h, recv: k.seenIn(c, &b, h)})
	}
	if c.l.Overloads && takers == 0 && call.N > 0 && k.outerOverload(c, call) {
		return external(c.f.Str(c.f.Exprs[call.X].Name), graph.ByInheritance)
	}
	if b.status == graph.Possible || len(hits) < 2 {
		return b
	}
	fit := k.overload(c, hits, call)
	if len(fit) == len(hits) && !c.l.Overloads {
		return b
	}
	b.hs = b.hs[:0:0]
	for _, x := range fit {
		b.hs = append(b.hs, x.h)
	}
	b.reason = graph.ByOverload
	if len(fit) > 1 && c.l.Overloads {
		b.status, b.reason = graph.Possible, graph.Ambiguous
	}
	return b
}

// seenIn is the type that has member h, as what was asked for it sees that type.
func (k *linker) seenIn(c *filectx, b *binding, h graph.Handle) *typ {
	if !c.l.Phases || b.self == nil {
		return nil
	}
	hc, s := k.sym(h)
	if s == nil || s.Container < 0 {
		return nil
	}
	return k.asBase(strip(b.self), graph.Handle{File: hc.id, Index: s.Container}, 0)
}

// outerOverload reports whether what the call names may have an overload outside the workspace.
func (k *linker) outerOverload(c *filectx, call *graph.Expr) bool {
	e := &c.f.Exprs[callee(c.f, call.X)]
	t := k.self(c, e.In)
	if e.Op == graph.OpMember {
		t = k.value(c, e.X)
	}
	return t != nil && k.leadsOut(t, map[graph.Handle]bool{}, 0)
}
