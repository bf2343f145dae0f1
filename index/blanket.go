package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// A block may implement a trait for whatever a type parameter stands for: then every type that its bounds
// admit has the trait's members, those from outside the workspace included.

// blanket finds the members of that name that t has by traits that blocks implement for any type.
func (k *linker) blanket(l *lang.Language, t *typ, name string) []hit {
	if !l.TraitsDeclare || lang.Yields(l, name) && !k.closedParam(l, t) {
		return nil
	}
	var out []hit
	for _, b := range k.blanketsInReach(l) {
		for _, x := range k.own(named(b.trait), name, graph.ByInheritance) {
			if _, m := k.sym(x.h); m != nil && m.Kind.Callable() && !contains(out, x.h) && k.admits(b.c, b.owner, t) {
				x.recv = t
				out = append(out, x)
			}
		}
	}
	if len(out) > 1 { // of traits that different bounds keep apart
		return nil
	}
	return out
}

// closedParam reports whether t is a type parameter whose bounds are no traits that every file sees.
func (k *linker) closedParam(l *lang.Language, t *typ) bool {
	if t.kind != tParam || t.fc.f.Locals[t.expr].Type < 0 {
		return false
	}
	bound := k.typeExpr(t.fc, t.fc.f.Locals[t.expr].Type)
	if bound == nil {
		return false
	}
	parts := []*typ{bound}
	if bound.kind == tUnion {
		parts = bound.args
	}
	return !slices.ContainsFunc(parts, func(p *typ) bool {
		p = strip(p)
		if p == nil || p.kind == tParam || p.kind == tFunc {
			return true
		}
		name := lastName(p.name)
		_, ok := l.Builtins[name]
		return p.kind != tNamed && ok && !slices.Contains(l.Derivable, name)
	})
}

// blanketed is a trait that a block of c implements for what the type parameter owner stands for.
type blanketed struct {
	trait graph.Handle
	c     *filectx
	owner int32
}

// blanketsInReach are the traits of the kind that the linked file may use.
func (k *linker) blanketsInReach(l *lang.Language) []blanketed {
	if k.blankets != nil {
		return k.blankets
	}
	out := []blanketed{}
	k.blankets = out // for questions of its own
	cuts := k.cuts
	for _, h := range k.look(farScope(l, anyOwner).Key(lang.ImplName)) {
		c, s := k.sym(h)
		if s == nil || s.Bases == 0 || k.unbuilt(h) {
			continue
		}
		trait := strip(k.typeExpr(c, c.f.List(s.Bases)[0]))
		if trait != nil && trait.kind == tNamed && k.inReach(trait.h) {
			out = append(out, blanketed{trait.h, c, s.Owner})
		}
	}
	k.blankets = out
	if k.cuts != cuts {
		k.blankets = nil
	}
	return out
}

// admits reports whether the bounds of the type parameter that owner, an expression of c, names admit t.
func (k *linker) admits(c *filectx, owner int32, t *typ) bool {
	for owner >= 0 && c.f.Exprs[owner].Op != graph.OpLocal {
		owner = c.f.Exprs[owner].X
	}
	if owner < 0 {
		return false
	}
	bound := c.f.Locals[c.f.Exprs[owner].X].Type
	if bound < 0 {
		return true
	}
	bounds := []int32{bound}
	if e := &c.f.Exprs[bound]; e.Op == graph.OpUnion {
		bounds = c.f.List(e.Kids)
	}
	for _, b := range bounds {
		if !k.meets(c.l, t, strip(k.typeExpr(c, b))) {
			return false
		}
	}
	return true
}

// meets reports whether t may implement the trait that bound is.
func (k *linker) meets(l *lang.Language, t, bound *typ) bool {
	if bound == nil || bound.kind == tUnion || bound.kind == tFunc {
		return true
	}
	if t == nil || !k.descend() {
		return false
	}
	defer k.ascend()
	if t.kind == tParam {
		of := t.fc.f.Locals[t.expr].Type
		return of >= 0 && k.meets(l, k.typeExpr(t.fc, of), bound)
	}
	t = strip(t)
	switch {
	case t == nil:
		return false
	case t.kind == tUnion: // bounds of a parameter
		return slices.ContainsFunc(t.args, func(p *typ) bool { return k.meets(l, p, bound) })
	case bound.kind == tNamed:
		return (t.kind == tNamed && t.h == bound.h) || k.implements(l, t, bound)
	case t.kind == tNamed:
		return slices.Contains(l.Derivable, lastName(bound.name)) || k.implements(l, t, bound)
	}
	return true
}

// implements reports whether a block implements for t the trait that bound is, or one that t is has it as
// a base.
func (k *linker) implements(l *lang.Language, t, bound *typ) bool {
	bases := []*typ{}
	if k.bareType(t) != "" {
		for _, x := range k.far(l, t, lang.ImplName, graph.ByInheritance) {
			xc, xs := k.sym(x.h)
			for _, e := range xc.f.List(xs.Bases) {
				bases = append(bases, strip(k.typeExpr(xc, e)))
			}
		}
	}
	if c, s := k.sym(t.h); t.kind == tNamed && s != nil {
		for _, e := range c.f.List(s.Bases) {
			bases = append(bases, strip(k.typeExpr(c, e)))
		}
	}
	for _, b := range bases {
		if b == nil || b.kind != bound.kind {
			continue
		}
		if b.kind == tNamed && b.h == bound.h || b.kind != tNamed && lastName(b.name) == lastName(bound.name) {
			return true
		}
	}
	return false
}

// reached reports whether the linked file can call member s of hc on a type from outside: by the trait that
// it implements, if any.
func (k *linker) reached(hc *filectx, s *graph.Symbol) bool {
	if s.Container < 0 {
		return true
	}
	block := &hc.f.Symbols[s.Container]
	if block.Flags&graph.Anonymous == 0 || block.Bases == 0 {
		return true
	}
	trait := strip(k.typeExpr(hc, hc.f.List(block.Bases)[0]))
	return trait == nil || trait.kind != tNamed || k.inReach(trait.h)
}

// inReach reports whether trait h is one that the linked file declares or imports.
func (k *linker) inReach(h graph.Handle) bool {
	c := k.linked
	if c == nil || c.id == h.File {
		return true
	}
	if got, ok := k.reach[h]; ok {
		return got
	}
	if k.reach == nil {
		k.reach = map[graph.Handle]bool{}
	}
	k.reach[h] = false // for questions of its own
	tc, s := k.sym(h)
	if s == nil {
		return false
	}
	name := tc.f.Str(s.Name)
	k.look(c.sc.file.Key(everyImport))
	for i := range c.f.Imports {
		im := &c.f.Imports[i]
		var b binding
		switch {
		case c.f.Str(im.Name) == name:
			b = k.imported(c, int32(i), nil)
		case im.Flags&graph.Star != 0:
			for _, m := range k.modules(c, int32(i)) {
				if b = k.inModule(m, name, sought{}); b.found() {
					break
				}
			}
		}
		if slices.Contains(b.hs, h) {
			k.reach[h] = true
			return true
		}
	}
	return false
}
