package index

import (
	"slices"
	"strconv"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// memberType is the type of the member of that name of a value of type t.
func (k *linker) memberType(t *typ, name string) *typ {
	t = strip(t)
	if t == nil {
		return nil
	}
	if i := k.nullMember(t, name); i == 0 {
		return present(t)
	} else if i > 0 {
		return &typ{kind: tExternal, name: name, elem: t}
	}
	if k.from != nil && slices.Contains(k.from.Later, name) && (t.kind != tExternal || t.elem != nil && len(t.args) == 0) && len(k.member(t, name)) == 0 {
		return libraryMember(&typ{kind: tExternal, name: "Promise", args: []*typ{t}}, name)
	}
	if r, known := k.memberOfKind(t, name); known {
		return r
	}
	hits := k.apart(k.member(t, name), false)
	if len(hits) == 0 && t.kind == tNamed && k.from != nil && name == k.from.TypeMember {
		return classOf(t)
	}
	if len(hits) == 0 {
		return k.memberOutside(t, name)
	}
	if hits[0].maybe {
		var parts []*typ
		for _, x := range hits {
			parts = append(parts, k.typeOfHit(x))
		}
		return union(parts...)
	}
	r := k.typeOfHit(hits[0])
	if t.konst {
		if _, s := k.sym(hits[0].h); s != nil && s.Kind == graph.Field {
			r = constant(r)
		}
	}
	return r
}

// memberOfKind is the type of a member of a module, or of a value of a kind that the language or
// its library gives its members.
func (k *linker) memberOfKind(t *typ, name string) (r *typ, known bool) {
	switch t.kind {
	case tModule, tPack:
		return k.typeOfBinding(k.moduleMember(t, name)), true
	case tExternal, tBuiltin:
		if hits := k.member(t, name); len(hits) > 0 {
			return k.typeOf(hits[0].h, hits[0].recv), true
		}
		if r := k.knownAttribute(t, name); r != nil {
			return r, true
		}
		if k.parts != nil && lastName(t.name) == "pair" {
			if i, ok := k.parts[name]; ok && i < len(t.args) {
				return t.args[i], true
			}
		}
		return libraryMember(t, name), true
	case tTuple:
		if i, err := strconv.Atoi(name); err == nil && i < len(t.args) {
			return t.args[i], true
		}
		return libraryMember(t, name), true
	case tArray, tDict, tChan, tFunc:
		if k.impls != nil {
			if hits := k.member(t, name); len(hits) > 0 {
				return k.typeOfHit(hits[0]), true
			}
		}
		if t.kind == tDict && t.elem != nil && k.from != nil && k.from.MapsOpen {
			return t.elem, true
		}
		if r := k.knownAttribute(t, name); r != nil {
			return r, true
		}
		return libraryMember(t, name), true
	case tMeta:
		if _, s := k.sym(t.h); s != nil && (s.Kind == graph.Module || s.Kind == graph.Namespace) {
			return k.typeOfBinding(k.memberOfModule(t, name)), true
		}
	}
	return nil, false
}

// memberOutside is the type of a member that no declaration in the workspace gives to a value of
// type t: one of a base, a trait or a library outside.
func (k *linker) memberOutside(t *typ, name string) *typ {
	if t.kind == tCallable && k.from != nil && slices.Contains(k.from.Rebinds, name) {
		return t
	}
	if b := k.outsideBase(t, 0); b != nil {
		if k.from != nil {
			if i, ok := k.from.BaseMembers[lastName(b.name)+"."+name]; ok && i < len(b.args) {
				return b.args[i]
			}
		}
		return libraryMember(b, name)
	}
	if c, _ := k.sym(t.h); c != nil && c.l.TraitsDeclare { // of a trait from outside
		return libraryMember(k.instance(t), name)
	}
	if t.kind == tParam && t.fc.l.TraitsDeclare {
		return libraryMember(t, name)
	}
	if c, _ := k.sym(t.h); c != nil && slices.Contains(c.l.TopMembers, name) {
		return libraryMember(t, name)
	}
	if _, s := k.sym(t.h); t.kind == tMeta && s != nil && s.Kind == graph.Enum { // of all its values
		return libraryMember(sequence(named(t.h)), name)
	}
	if k.leadsOut(t, map[graph.Handle]bool{}, 0) {
		return libraryMember(&typ{kind: tExternal}, name)
	}
	return nil
}

func moduleOf(t *typ) module {
	if t.kind == tPack {
		return module{file: t.h.File, scope: t.pkg}
	}
	return module{file: t.h.File}
}

// instance is a value of the type that t names.
func (k *linker) instance(t *typ) *typ {
	if t != nil && t.kind == tMeta {
		return named(t.h, t.args...)
	}
	return t
}

func deref(t *typ) *typ {
	if t != nil && (t.kind == tPointer || t.kind == tArray) {
		return t.elem
	}
	if t != nil && t.kind == tMeta { // a pointer type used for a conversion
		return t
	}
	return t
}

func pointerTo(t *typ) *typ {
	if t == nil {
		return nil
	}
	return &typ{kind: tPointer, elem: t}
}

// element is what iterating over a value of type t yields; first asks for the first of two
// loop variables: the key of a map or sequence, the element of anything else.
func (k *linker) element(t *typ, first bool, depth int) *typ {
	t = strip(t)
	if t == nil || depth > 6 {
		return nil
	}
	switch t.kind {
	case tArray:
		if first {
			return &typ{kind: tBuiltin, name: "int"}
		}
		return t.elem
	case tDict:
		if first || k.from != nil && k.from.IterKeys {
			return t.key
		}
		return t.elem
	case tChan:
		return t.elem
	case tTuple:
		return union(t.args...)
	case tUnion:
		var parts []*typ
		for _, p := range t.args {
			parts = append(parts, k.element(p, first, depth+1))
		}
		return union(parts...)
	case tParam:
		if l := &t.fc.f.Locals[t.expr]; l.Type >= 0 {
			return k.element(k.typeExpr(t.fc, l.Type), first, depth+1)
		}
	case tFunc:
		return k.yielded(t, first)
	case tExternal:
		if len(t.args) == 2 && k.from != nil && slices.Contains(k.from.Paired, t.name) {
			return &typ{kind: tTuple, args: t.args}
		}
		if len(t.args) > 0 {
			return t.args[len(t.args)-1]
		}
	case tNamed:
		c, s := k.sym(t.h)
		if s == nil {
			return nil
		}
		if u := k.underlying(t); u != nil {
			return k.element(u, first, depth+1)
		}
		var iter *typ // from outside, of anything
		for _, m := range c.l.IterMembers {
			if r := k.calling(t, m); r != nil {
				if e := k.element(r, first, depth+1); e != nil {
					return e
				}
				if r.kind != tExternal || len(r.args) > 0 {
					return r
				}
				iter = r
			}
		}
		for _, b := range k.allBases(t) {
			if e := k.element(b, first, depth+1); e != nil {
				return e
			}
		}
		return iter
	case tMeta:
		if c, _ := k.sym(t.h); c != nil && k.isEnum(c, t.h) {
			return named(t.h)
		}
	case tCallable:
		_, s := k.sym(t.h)
		if s != nil && s.Flags&graph.Generator != 0 {
			return nil
		}
	}
	return nil
}

// yielded is what a function iterator hands to its loop: the parameters of its own parameter.
func (k *linker) yielded(t *typ, first bool) *typ {
	e := &t.fc.f.Exprs[t.expr]
	kids := t.fc.f.List(e.Kids)
	if len(kids) == 0 {
		return nil
	}
	y := k.value(t.fc, kids[0])
	if y == nil || y.kind != tFunc {
		return nil
	}
	params := y.fc.f.List(y.fc.f.Exprs[y.expr].Kids)
	i := 1
	if first || len(params) == 1 {
		i = 0
	}
	if i < len(params) {
		return k.value(y.fc, params[i])
	}
	return nil
}

// allBases are the bases of t whatever they are, external ones too.
func (k *linker) allBases(t *typ) []*typ {
	c, s := k.sym(t.h)
	if s == nil {
		return nil
	}
	var out []*typ
	for _, e := range c.f.List(s.Bases) {
		out = append(out, k.subst(k.typeExpr(c, e), k.bindArgs(t), 0))
	}
	return out
}

// calling is the result of calling the member of that name of a value of type t.
func (k *linker) calling(t *typ, name string) *typ {
	if t == nil {
		return nil
	}
	if c, _ := k.sym(t.h); c != nil {
		name = callKey(c.l, name)
	}
	hits := k.member(t, name)
	if len(hits) == 0 {
		return nil
	}
	for _, x := range hits {
		if r := k.result(k.typeOfHit(x), nil, nil); r != nil {
			return r
		}
	}
	return nil
}

// through is the result of the first of the members that t has, else t itself.
func (k *linker) through(t *typ, members []string) *typ {
	for _, m := range members {
		if r := k.calling(t, m); r != nil {
			return r
		}
	}
	return t
}

// entered is what entering a value of type t binds: of what a generator makes, what it yields.
func (k *linker) entered(c *filectx, t *typ) *typ {
	if t != nil && t.kind == tExternal && len(t.args) > 0 && lang.ShapeOf(c.l, lastName(t.name)) == lang.ShapeHeld {
		return t.args[0]
	}
	r := k.through(t, c.l.EnterMembers)
	if r != nil && r.kind == tArray && c.l.YieldsReturned {
		return r.elem
	}
	return r
}

// part is part n of a tuple; a value that is no tuple has itself as its first.
func (k *linker) part(t *typ, n int) *typ {
	if t == nil {
		return nil
	}
	switch t.kind {
	case tTuple:
		if n < len(t.args) {
			return t.args[n]
		}
		return nil
	case tArray:
		if n < len(t.args) && t.args[n] != nil { // a literal
			return t.args[n]
		}
		return t.elem
	case tUnion:
		var parts []*typ
		only := sequenced(t)
		for _, p := range t.args {
			if !only || sequenced(p) {
				parts = append(parts, k.part(p, n))
			}
		}
		return union(parts...)
	case tExternal:
		if n < len(t.args) {
			return t.args[n]
		}
		return nil
	}
	if n == 0 {
		return t
	}
	return nil
}

// sequenced reports whether t is, or may be, a tuple or a literal sequence, whose parts are told apart.
func sequenced(t *typ) bool {
	switch {
	case t == nil:
	case t.kind == tTuple:
		return true
	case t.kind == tArray:
		return len(t.args) > 0
	case t.kind == tUnion:
		return slices.ContainsFunc(t.args, sequenced)
	}
	return false
}

// awaited is what waiting for a value of type t yields.
func (k *linker) awaited(t *typ) *typ {
	switch {
	case t == nil:
	case t.kind == tExternal && len(t.args) > 0:
		return t.args[len(t.args)-1]
	case t.kind == tArray && k.from != nil && k.from.Later != nil: // of values that come later together
		n := *t
		n.elem = k.awaitedPart(t.elem)
		n.args = make([]*typ, len(t.args))
		for i, p := range t.args {
			n.args[i] = k.awaitedPart(p)
		}
		return &n
	}
	return t
}

// awaitedPart is awaited for an element: only a promise stands for another value.
func (k *linker) awaitedPart(t *typ) *typ {
	if t != nil && t.kind == tExternal && len(t.args) == 1 && lastName(t.name) == "Promise" {
		return t.args[0]
	}
	return t
}

// index is the type of x[i]: an element, or a generic thing with type arguments.
func (k *linker) index(c *filectx, t *typ, kids []int32) *typ {
	if t != nil && t.kind == tPointer && c.l.ExternalLinkage {
		return t.elem
	}
	if t = strip(t); t == nil || !k.descend() {
		return nil
	}
	defer k.ascend()
	switch t.kind {
	case tArray, tDict:
		return t.elem
	case tTuple:
		return union(t.args...)
	case tMeta:
		if c.l.Levels {
			for _, m := range c.l.IndexMembers {
				if r := k.calling(t, m); r != nil {
					return r
				}
			}
			return nil
		}
		if tc, _ := k.sym(t.h); tc != nil && k.isEnum(tc, t.h) {
			return named(t.h)
		}
		n := *t
		n.args = k.typeExprs(c, kids)
		return k.specialised(&n)
	case tCallable:
		n := *t
		n.args = k.typeExprs(c, kids)
		return &n
	case tExternal:
		if len(t.args) > 0 {
			return t.args[len(t.args)-1]
		}
		return nil
	case tUnion:
		var parts []*typ
		for _, p := range t.args {
			parts = append(parts, k.index(c, p, kids))
		}
		return union(parts...)
	case tParam:
		if l := &t.fc.f.Locals[t.expr]; l.Type >= 0 {
			return k.index(c, k.typeExpr(t.fc, l.Type), kids)
		}
	case tNamed:
		tc, s := k.sym(t.h)
		if s == nil {
			return nil
		}
		if u := k.underlying(t); u != nil {
			return k.index(c, u, kids)
		}
		for _, m := range tc.l.IndexMembers {
			if r := k.calling(t, m); r != nil {
				return r
			}
		}
		for _, b := range k.allBases(t) {
			if b != nil && b.kind == tExternal && len(b.args) > 0 {
				return b.args[len(b.args)-1]
			}
		}
	}
	return nil
}
