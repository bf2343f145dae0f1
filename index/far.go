package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Members may be defined far from their type: in impl blocks, or out of line. Such a definition
// answers under its type's bare name; whether it belongs to the type that is asked about is
// decided by resolving the expression that names the type where the definition stands.

// farScope is the scope of the members defined elsewhere of types of that name.
func farScope(l *lang.Language, name string) graph.ScopeID {
	return graph.Scope("far", l.Name).Sub(name)
}

// ownerExpr is the expression that names the type to which symbol i belongs, where its place does
// not say so, or None.
func ownerExpr(f *graph.Facts, i int32) int32 {
	s := &f.Symbols[i]
	if s.Owner >= 0 {
		return s.Owner
	}
	if s.Container >= 0 {
		if c := &f.Symbols[s.Container]; c.Owner >= 0 && c.Flags&graph.Anonymous != 0 {
			return c.Owner
		}
	}
	return graph.None
}

// anyOwner is the name of the type of members that belong to whatever a type parameter stands for.
const anyOwner = "*"

// ownerName is the bare name of the type that expression e names in keys.
func ownerName(f *graph.Facts, e int32) string {
	for x := e; x >= 0; x = f.Exprs[x].X {
		y := &f.Exprs[x]
		if y.Op == graph.OpLocal {
			if f.Locals[y.X].Flags&graph.TypeParam != 0 {
				return anyOwner
			}
			break
		}
		if y.Op != graph.OpPointer && y.Op != graph.OpAddr {
			break
		}
	}
	for x := e; x >= 0; x = f.Exprs[x].X { // a type without a name
		switch f.Exprs[x].Op {
		case graph.OpArray:
			return sliceName
		case graph.OpTuple:
			return tupleName
		case graph.OpPointer, graph.OpAddr:
			continue
		}
		break
	}
	return bareName(f, e)
}

// The names in keys of types that have none.
const (
	sliceName = "[]"
	tupleName = "(,)"
)

// bareName is the last name in expression e, without type arguments.
func bareName(f *graph.Facts, e int32) string {
	for e >= 0 {
		switch x := &f.Exprs[e]; x.Op {
		case graph.OpName, graph.OpMember, graph.OpLocal, graph.OpLiteral:
			return f.Str(x.Name)
		case graph.OpIndex, graph.OpPointer, graph.OpAddr, graph.OpUnion:
			if x.X < 0 && x.Kids != 0 {
				e = f.List(x.Kids)[0]
				continue
			}
			e = x.X
		default:
			return ""
		}
	}
	return ""
}

// far finds the members of that name that are defined elsewhere for the type t.
func (k *linker) far(l *lang.Language, t *typ, name string, r graph.Reason) []hit {
	bare := k.bareType(t)
	if bare == "" {
		return nil
	}
	outside := t.kind == tBuiltin || t.kind == tExternal || t.kind == tArray || t.kind == tTuple
	if outside && l.Inherent != nil && l.Inherent(bare, name) {
		return nil
	}
	var out []hit
	for _, h := range k.look(farScope(l, bare).Key(name)) {
		hc, s := k.sym(h)
		if hc == nil || outside && (k.unbuilt(h) || l.TraitsDeclare && !k.reached(hc, s)) {
			continue
		}
		if k.isOf(hc, ownerExpr(hc.f, h.Index), t) {
			out = append(out, hit{h: h, recv: t, reason: r})
		}
	}
	return out
}

// bareType is the name of a type without what qualifies it.
func (k *linker) bareType(t *typ) string {
	switch t.kind {
	case tNamed, tMeta, tSuper:
		if c, s := k.sym(t.h); s != nil {
			return c.f.Str(s.Name)
		}
	case tBuiltin, tExternal:
		return lastName(strings.TrimSuffix(t.name, "()"))
	case tArray:
		return sliceName
	case tTuple:
		return tupleName
	}
	return ""
}

// unnamed finds the members of that name that blocks define for sequences or tuples. The library's own, and
// those of the iterators that are taken for sequences, go before.
func (k *linker) unnamed(l *lang.Language, t *typ, name string) []hit {
	if !l.TraitsDeclare || t.kind != tArray && t.kind != tTuple || lang.Yields(l, name) {
		return nil
	}
	return k.given(l, t, name)
}

// given finds the members of that name that blocks of the workspace give to a type from outside: those that
// they define, or else those that the traits have which they implement.
func (k *linker) given(l *lang.Language, t *typ, name string) []hit {
	out := k.far(l, t, name, graph.ByReceiver)
	bare := k.bareType(t)
	if len(out) > 0 || !l.TraitsDeclare || bare == "" || l.Inherent != nil && l.Inherent(bare, name) {
		return out
	}
	for _, x := range k.far(l, t, lang.ImplName, graph.ByInheritance) {
		xc, xs := k.sym(x.h)
		for _, e := range xc.f.List(xs.Bases) {
			trait := strip(k.typeExpr(xc, e))
			if trait == nil || trait.kind != tNamed || !k.inReach(trait.h) {
				continue
			}
			for _, m := range k.own(trait, name, graph.ByInheritance) {
				if m.recv = t; !contains(out, m.h) {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// standIn finds the members of that name of what the library's type t is seen as where it has none itself.
func (k *linker) standIn(l *lang.Language, t *typ, name string) []hit {
	switch as, ok := l.SeenAs[lastName(t.name)]; {
	case !ok:
		return nil
	case as != "":
		return k.given(l, &typ{kind: tBuiltin, name: as}, name)
	case len(t.args) > 0:
		return k.unnamed(l, sequence(t.args[0]), name)
	}
	return nil
}

// isOf reports whether expression e of c names the type t.
func (k *linker) isOf(c *filectx, e int32, t *typ) bool {
	o := strip(k.typeExpr(c, e))
	if o == nil {
		return false
	}
	switch o.kind {
	case tNamed, tMeta:
		return t.kind != tBuiltin && t.kind != tExternal && (o.h == t.h || !k.defines(t.h) && k.oneType(o.h, t.h))
	case tBuiltin, tExternal:
		return (t.kind == tBuiltin || t.kind == tExternal) && k.bareType(o) == k.bareType(t)
	case tArray:
		return t.kind == tArray && k.elementFits(o.elem, t.elem)
	case tTuple:
		return t.kind == tTuple && len(o.args) == len(t.args) && !slices.ContainsFunc(o.args, func(p *typ) bool { return p == nil || p.kind != tParam })
	}
	return false
}

// elementFits reports whether t is the element of sequences of which a block defines members: elements like o.
func (k *linker) elementFits(o, t *typ) bool {
	switch o, t = strip(o), strip(t); {
	case o == nil || t == nil:
		return false
	case o.kind == tParam:
		return true
	case o.kind == tNamed:
		return t.kind == tNamed && t.h == o.h
	case o.kind == tArray:
		return t.kind == tArray && k.elementFits(o.elem, t.elem)
	}
	return t.kind != tNamed && k.bareType(o) != "" && k.bareType(o) == k.bareType(t)
}

// oneType reports whether two symbols declare one type: what has external linkage and one name.
func (k *linker) oneType(a, b graph.Handle) bool {
	ac, as := k.sym(a)
	bc, bs := k.sym(b)
	return as != nil && bs != nil && ac.l.ExternalLinkage && bc.l.ExternalLinkage && ac.sc.members(a.Index) == bc.sc.members(b.Index)
}

// farBases are the traits that blocks elsewhere implement for t.
func (k *linker) farBases(l *lang.Language, t *typ) (out []*typ, known bool) {
	known = true
	for _, x := range k.far(l, t, lang.ImplName, graph.ByInheritance) {
		xc, xs := k.sym(x.h)
		for _, e := range xc.f.List(xs.Bases) {
			b := strip(k.typeExpr(xc, e))
			if b == nil || b.kind != tNamed {
				known = false
				continue
			}
			out = append(out, k.subst(b, k.farArgs(x.h, t), 0))
		}
	}
	return out, known
}

// farArgs binds the type parameters of the block around h so that its type is t.
func (k *linker) farArgs(h graph.Handle, t *typ) env {
	if t == nil || len(t.args) == 0 {
		return nil
	}
	c, _ := k.sym(h)
	if c == nil {
		return nil
	}
	o := strip(k.typeExpr(c, ownerExpr(c.f, h.Index)))
	if o == nil {
		return nil
	}
	e := env{}
	unify(o, t, e, 0)
	return e
}

// argsFor binds the type parameters that a member found in type t may name.
func (k *linker) argsFor(h graph.Handle, t *typ) env {
	if c, s := k.sym(h); s != nil && c.l.FarMembers && ownerExpr(c.f, h.Index) >= 0 {
		return k.farArgs(h, t)
	}
	return k.bindArgs(t)
}

// apart keeps, of members of one name, the callable ones for a call and the others for any other
// mention: fields and methods have names apart.
func (k *linker) apart(hits []hit, called bool) []hit {
	if len(hits) < 2 {
		return hits
	}
	var fit []hit
	for _, x := range hits {
		if c, s := k.sym(x.h); s == nil || !c.l.FarMembers {
			return hits
		} else if s.Kind.Callable() == called {
			fit = append(fit, x)
		}
	}
	if len(fit) == 0 {
		return hits
	}
	return fit
}

// declared puts what a trait declares before what a block that implements the trait defines: that is
// what a call names. What implements a trait from outside is named there.
func (k *linker) declared(c *filectx, b binding, name string) binding {
	if !c.l.TraitsDeclare || len(b.hs) == 0 {
		return b
	}
	hc, s := k.sym(b.hs[0])
	if s == nil || s.Container < 0 {
		return b
	}
	block := &hc.f.Symbols[s.Container]
	if block.Owner < 0 || block.Flags&graph.Anonymous == 0 || block.Bases == 0 {
		return b
	}
	trait := strip(k.typeExpr(hc, hc.f.List(block.Bases)[0]))
	if trait == nil || trait.kind != tNamed {
		if trait != nil {
			b.status = graph.External
		}
		return b
	}
	hits := k.member(named(trait.h), name)
	if len(hits) == 0 {
		return b
	}
	b.hs = append([]graph.Handle{hits[0].h}, b.hs...)
	return b
}

// maxDerefs is how often one value is taken for what it stands for.
const maxDerefs = 8

// derefs finds a member in the type that a value of type t stands for.
func (k *linker) derefs(c *filectx, t *typ, name string, depth int) []hit {
	if k.derefing >= maxDerefs {
		return nil
	}
	k.derefing++
	defer func() { k.derefing-- }()
	for _, m := range c.l.DerefMembers {
		for _, x := range k.inheritedBut(t, m) {
			if xc, xs := k.sym(x.h); xs != nil && xs.Type >= 0 && xs.Kind == graph.TypeAlias {
				return k.memberIn(k.subst(k.typeExpr(xc, xs.Type), k.argsFor(x.h, t), 0), name, depth+1)
			}
		}
	}
	return nil
}

// inheritedBut are the members of that name of t and its bases, not of what it stands for.
func (k *linker) inheritedBut(t *typ, name string) []hit {
	return k.inherited(t, name, map[graph.Handle]bool{}, 0)
}
