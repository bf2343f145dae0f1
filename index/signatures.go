package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Where a language writes the signatures of a function apart from its body, or of values that can be called or
// made new as the members of a type, a call means the first signature that takes its arguments.

// newOf is what is made of a value of type t: of a class, or of what can be made new like one; nil if nothing is.
func (k *linker) newOf(t *typ) *typ {
	if t = strip(t); t == nil || !k.descend() {
		return nil
	}
	defer k.ascend()
	switch t.kind {
	case tMeta, tExternal:
		return k.instance(t)
	case tNamed:
		c, s := k.sym(t.h)
		if s == nil {
			return nil
		}
		for _, m := range c.l.NewMembers {
			if r := k.calling(t, m); r != nil {
				return r
			}
		}
		if u := k.underlying(t); u != nil {
			return k.newOf(u)
		}
	case tFunc:
		return k.result(t, nil, nil)
	case tUnion:
		var parts []*typ
		for _, p := range t.args {
			parts = append(parts, k.newOf(p))
		}
		return union(parts...)
	}
	return nil
}

// signatures are those of a value of type t that can be called, as they stand.
func (k *linker) signatures(t *typ) []hit {
	var all []hit
	switch t.kind {
	case tNamed:
		if c, _ := k.sym(t.h); c != nil {
			for _, m := range c.l.CallMembers {
				all = append(all, k.member(t, callKey(c.l, m))...)
			}
		}
	case tCallable:
		c, s := k.sym(t.h)
		if s == nil || s.Flags&graph.NestedDef != 0 {
			return nil
		}
		for _, h := range k.look(c.sc.owner(t.h.Index).Key(symbolKey(c.l, s.Kind, c.f.Str(s.Name)))) {
			if _, x := k.sym(h); x != nil && x.Kind.Callable() && h.File == t.h.File && x.Container == s.Container {
				all = append(all, hit{h: h, recv: t.elem, self: t.key})
			}
		}
	}
	var declared []hit
	for _, x := range all {
		if _, s := k.sym(x.h); s != nil && s.Flags&(graph.Declaration|graph.Abstract) != 0 {
			declared = append(declared, x)
		}
	}
	if len(declared) > 0 {
		all = declared
	}
	slices.SortStableFunc(all, func(a, b hit) int { return int(a.h.Index - b.h.Index) })
	return all
}

// maxSignatures is how many signatures of one function are tried.
const maxSignatures = 32

// meant are, of several signatures, those that take as many arguments as call e of c has, those first that take
// the arguments themselves. Functions that are passed say nothing.
func (k *linker) meant(c *filectx, all []hit, e *graph.Expr) []hit {
	if e == nil || e.N == 0 || len(all) < 2 {
		return all
	}
	var fit, other []hit
	args := c.f.List(e.Kids)
	for _, x := range all[:min(len(all), maxSignatures)] {
		fc, s := k.sym(x.h)
		if s == nil || !takes(fc, s, int(e.N)-1) {
			continue
		}
		good := true
		bound := k.bindArgs(x.recv)
		for i, p := range fc.f.List(s.Params) {
			l := &fc.f.Locals[p]
			if i >= len(args) || args[i] < 0 || l.Type < 0 || l.Flags&graph.VariadicParam != 0 || c.f.Exprs[args[i]].Op == graph.OpFunc {
				continue
			}
			if pt := k.subst(k.typeExpr(fc, l.Type), bound, 0); !k.mayTake(pt, k.value(c, args[i])) {
				good = false
				break
			}
		}
		if good {
			fit = append(fit, x)
		} else {
			other = append(other, x)
		}
	}
	return append(fit, other...)
}

// mayTake reports whether a parameter of type p may take a value of type a, as far as kinds of types tell.
func (k *linker) mayTake(p, a *typ) bool {
	p, a = strip(p), strip(a)
	if p == nil || a == nil || !k.descend() {
		return true
	}
	defer k.ascend()
	switch {
	case p.kind == tUnion:
		return slices.ContainsFunc(p.args, func(q *typ) bool { return k.mayTake(q, a) })
	case a.kind == tUnion:
		return slices.ContainsFunc(a.args, func(q *typ) bool { return k.mayTake(p, q) })
	case p.kind == tParam:
		if l := &p.fc.f.Locals[p.expr]; l.Type >= 0 {
			return k.mayTake(k.typeExpr(p.fc, l.Type), a)
		}
		return true
	case p.kind == tNamed && a.kind == tNamed:
		if u := k.underlying(p); u != nil {
			return k.mayTake(u, a)
		}
		return true
	case p.kind == tNamed:
		if u := k.underlying(p); u != nil {
			return k.mayTake(u, a)
		}
		return a.kind != tBuiltin && a.kind != tArray
	case p.kind == tBuiltin && a.kind == tBuiltin:
		return p.name == a.name || p.name == ""
	case p.kind == tBuiltin:
		return a.kind != tFunc && a.kind != tCallable && a.kind != tArray && a.kind != tNamed && a.kind != tMeta || !primitive(p.name)
	case p.kind == tFunc || p.kind == tArray:
		return a.kind != tBuiltin
	}
	return true
}

// primitive reports whether values of that predeclared type are no objects.
func primitive(name string) bool {
	switch name {
	case "string", "number", "boolean", "bigint", "symbol":
		return true
	}
	return false
}

// passedBy is what the function that is argument arg of call e of c gets as its parameter par from a callee of
// type t: what the first signature that takes the call says.
func (k *linker) passedBy(c *filectx, t *typ, e *graph.Expr, arg, par int) *typ {
	t = strip(t)
	if t == nil || t.kind != tNamed && t.kind != tCallable || !k.descend() {
		return nil
	}
	defer k.ascend()
	if t.kind == tNamed {
		if u := k.underlying(t); u != nil {
			return k.passedBy(c, k.subst(u, k.bindArgs(t), 0), e, arg, par)
		}
	}
	all := k.signatures(t)
	if len(all) < 2 {
		return nil
	}
	for _, x := range k.meant(c, all, e) {
		fc, s := k.sym(x.h)
		if s == nil {
			continue
		}
		if r := k.parameter(k.takenBy(fc, s, x.recv, arg), par); r != nil {
			return r
		}
	}
	return nil
}

// signed is what call e of c yields where its callee, of type t, has several signatures; nil where it has not.
func (k *linker) signed(c *filectx, t *typ, e *graph.Expr) *typ {
	all := k.signatures(t)
	if len(all) < 2 {
		return nil
	}
	fit := k.meant(c, all, e)
	if len(fit) == 0 {
		return nil
	}
	return k.typeOfHit(fit[0])
}
