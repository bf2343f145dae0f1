package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// typeExpr is the type that expression e of c names.
func (k *linker) typeExpr(c *filectx, e int32) *typ {
	if e < 0 || int(e) >= len(c.f.Exprs) {
		return nil
	}
	if t, ok := c.types[e]; ok {
		return t
	}
	if c.types == nil {
		c.types = map[int32]*typ{}
	}
	return k.once(c, c.types, e, int64(e)<<1|1, k.typeWork)
}

func (k *linker) typeExprs(c *filectx, ids []int32) []*typ {
	out := make([]*typ, len(ids))
	for i, e := range ids {
		out[i] = k.typeExpr(c, e)
	}
	return out
}

func (k *linker) typeWork(c *filectx, i int32) *typ {
	e := &c.f.Exprs[i]
	kids := c.f.List(e.Kids)
	switch e.Op {
	case graph.OpName:
		if c.l.Inclusion {
			if t := k.asType(k.typeName(c, e)); t != nil {
				return t
			}
			return &typ{kind: tExternal, name: c.f.Str(e.Name)} // what no file declares comes from outside
		}
		return k.asType(k.typeName(c, e))
	case graph.OpLocal:
		return k.localType(c, e.X)
	case graph.OpMember:
		return k.memberAsType(c, e)
	case graph.OpCall:
		if t := k.typeExpr(c, e.X); t != nil && c.l.Outcomes != nil {
			if _, ok := outcomeOf(c.l, t); ok {
				return k.instances(k.value(c, i))
			}
		}
		return k.applied(c, e, kids)
	case graph.OpIndex:
		return k.applied(c, e, kids)
	case graph.OpPointer, graph.OpAddr:
		return pointerTo(k.typeExpr(c, e.X))
	case graph.OpDeref: // a pointer type written like a dereference
		return pointerTo(k.typeExpr(c, e.X))
	case graph.OpArray, graph.OpVariadic:
		return &typ{kind: tArray, elem: k.typeExpr(c, e.X)}
	case graph.OpMap:
		t := &typ{kind: tDict, key: k.typeExpr(c, e.X)}
		if len(kids) > 0 {
			t.elem = k.typeExpr(c, kids[0])
		}
		if len(kids) > 1 && c.l.Contextual {
			t.args = []*typ{k.typeExpr(c, kids[1])}
		}
		return t
	case graph.OpChan:
		return &typ{kind: tChan, elem: k.typeExpr(c, e.X)}
	case graph.OpTuple:
		return &typ{kind: tTuple, args: k.typeExprs(c, kids)}
	case graph.OpUnion:
		if e.N == graph.MeansConst && len(kids) == 1 {
			return constant(k.typeExpr(c, kids[0]))
		}
		if e.N == graph.MeansNull && len(kids) == 1 {
			return missable(k.typeExpr(c, kids[0]))
		}
		return union(k.typeExprs(c, kids)...)
	case graph.OpFunc:
		return &typ{kind: tFunc, fc: c, expr: i}
	case graph.OpLiteral:
		return &typ{kind: tBuiltin, name: c.f.Str(e.Name)}
	case graph.OpTypeOf:
		return k.value(c, e.X)
	case graph.OpShows:
		if len(kids) > 0 {
			return k.typeExpr(c, kids[0])
		}
	case graph.OpObject:
		if e.X >= 0 {
			return named(graph.Handle{File: c.id, Index: e.X})
		}
	case graph.OpSelf:
		if t := k.self(c, e.In); t != nil && e.N == 1 {
			return &typ{kind: tThis, h: t.h, args: t.args}
		} else {
			return t
		}
	case graph.OpSuper:
		return k.superclass(k.self(c, e.In))
	case graph.OpSpace:
		return k.value(c, i)
	case graph.OpSymbol, graph.OpImport, graph.OpInstance:
		return k.instance(k.value(c, i))
	case graph.OpCast:
		if len(kids) > 0 {
			return k.typeExpr(c, kids[0])
		}
	case graph.OpTupleAt:
		return k.part(k.typeExpr(c, e.X), int(e.N))
	case graph.OpElem:
		return k.element(k.typeExpr(c, e.X), e.N == 1, 0)
	}
	return nil
}

// superclass is the class that t extends, or nil.
func (k *linker) superclass(t *typ) *typ {
	if t == nil {
		return nil
	}
	bs, _ := k.bases(t)
	for _, b := range bs {
		if _, s := k.sym(b.h); b.kind == tNamed && s != nil && s.Kind == graph.Class {
			return b
		}
	}
	return nil
}

// missable is t of which a value may be missing.
func missable(t *typ) *typ {
	if t == nil || t.null {
		return t
	}
	n := *t
	n.null = true
	return &n
}

// present is t of which a value is there.
func present(t *typ) *typ {
	n := *t
	n.null = false
	return &n
}

// nullMember is which of the members that yield the value itself, if it is not missing, name is; -1 for none.
func (k *linker) nullMember(t *typ, name string) int {
	if t == nil || !t.null || k.from == nil {
		return -1
	}
	return slices.Index(k.from.NullMembers, plainName(name))
}

// asType is the type that a bound name stands for.
func (k *linker) asType(b binding) *typ {
	if b.mod != nil {
		return k.instance(b.mod)
	}
	for _, h := range b.hs { // a function of the same name makes no type where there is one
		if _, s := k.sym(h); s != nil && s.Kind.Type() {
			return k.symbolType(h)
		}
	}
	for _, h := range b.hs {
		if t := k.symbolType(h); t != nil {
			return t
		}
	}
	if len(b.hs) > 0 {
		return nil
	}
	if b.t != nil && b.t.kind == tBuiltin {
		return &typ{kind: tBuiltin, name: b.t.name}
	}
	return k.predeclaredAs(b.t)
}

// predeclaredAs is the predeclared type that t, from outside, is another name of; else t.
func (k *linker) predeclaredAs(t *typ) *typ {
	if t == nil || t.kind != tExternal || k.from == nil {
		return t
	}
	if name, ok := k.from.Synonyms[lastName(t.name)]; ok {
		return &typ{kind: tBuiltin, name: name}
	}
	return t
}

// symbolType is the type that symbol h names: itself, what an alias stands for, or what a
// variable that holds a type holds.
func (k *linker) symbolType(h graph.Handle) *typ {
	c, s := k.sym(h)
	if s == nil {
		return nil
	}
	switch {
	case s.Kind == graph.TypeAlias && s.Flags&graph.Distinct == 0 && s.Type >= 0 && s.TypeParams == 0:
		if t := k.typeExpr(c, s.Type); t != nil && t.kind != tFunc {
			return t
		}
		return named(h)
	case typeLike(c, s), s.Kind == graph.Macro && s.Type >= 0: // a macro that stands for members
		return named(h)
	case s.Kind == graph.EnumMember && s.Container >= 0:
		return named(graph.Handle{File: h.File, Index: s.Container})
	case s.Kind == graph.Function && s.Flags&graph.Declaration == 0: // a constructor function
		return named(h)
	case s.Type >= 0 && c.l.Contextual && (s.Kind == graph.Variable || s.Kind == graph.Constant):
		return k.newOf(k.typeExpr(c, s.Type))
	case s.Init >= 0:
		t := k.value(c, s.Init)
		if t != nil && (t.kind == tMeta || t.kind == tExternal || c.f.Exprs[s.Init].Op == graph.OpTypeOf || isTypes(t)) {
			return k.instances(t)
		}
	}
	return nil
}

// isTypes reports whether t is any of several types as values.
func isTypes(t *typ) bool {
	return t.kind == tUnion && !slices.ContainsFunc(t.args, func(p *typ) bool { return p.kind != tMeta && p.kind != tExternal })
}

// instances is a value of the type that t names; of several types, of any of them.
func (k *linker) instances(t *typ) *typ {
	if t == nil || t.kind != tUnion && t.kind != tTuple {
		return k.instance(t)
	}
	n := *t
	n.args = make([]*typ, len(t.args))
	for i, p := range t.args {
		n.args[i] = k.instance(p)
	}
	return &n
}

func (k *linker) localType(c *filectx, i int32) *typ {
	if i < 0 || int(i) >= len(c.f.Locals) {
		return nil
	}
	l := &c.f.Locals[i]
	switch {
	case l.Flags&graph.TypeParam != 0:
		return &typ{kind: tParam, fc: c, expr: i}
	case l.Symbol >= 0:
		return k.symbolType(graph.Handle{File: c.id, Index: l.Symbol})
	case l.Init >= 0:
		return k.instance(k.value(c, l.Init))
	case l.Flags&(graph.Param|graph.InnerParam) != 0 && l.Type >= 0: // the parameter of a function type
		return k.typeExpr(c, l.Type)
	}
	return nil
}

func (k *linker) memberAsType(c *filectx, e *graph.Expr) *typ {
	if e.X < 0 {
		return nil
	}
	if b, ok := k.qualified(c, e); ok {
		return k.asType(b)
	}
	name := nameOfType(c, e)
	x := &c.f.Exprs[e.X]
	var of *typ
	if x.Op == graph.OpName {
		of = k.typeOfBinding(k.typeName(c, x))
	} else if of = k.value(c, e.X); of == nil || c.l.Contextual && x.Op == graph.OpMember {
		if t := k.typeExpr(c, e.X); of == nil || t != nil && t.kind == tLookup {
			of = t
		}
	}
	whole := of
	if c.l.Hides && whole != nil && (whole.kind == tParam || whole.kind == tLookup) {
		return &typ{kind: tLookup, elem: whole, name: name}
	}
	if of = strip(of); of == nil {
		return nil
	}
	if u := k.moduleNamed(c, of); u != nil {
		b := k.fromSpace(c, u, name)
		if t := k.asType(b); t != nil {
			return t
		}
		return k.typeOfBinding(b)
	}
	if t := k.memberOfLibrary(c, of, name); t != nil {
		return t
	}
	switch of.kind {
	case tModule, tPack:
		return k.asType(k.fromSpace(c, of, name))
	case tExternal, tBuiltin:
		return k.predeclaredAs(&typ{kind: tExternal, name: of.name + "." + plainName(name)})
	case tMeta:
		if _, s := k.sym(of.h); s != nil && (s.Kind == graph.Module || s.Kind == graph.Namespace) {
			return k.asType(k.memberOfModule(of, name))
		}
	}
	hits := k.member(of, name)
	if len(hits) == 0 && name == c.l.TypeMember && of.kind == tNamed {
		return of
	}
	for _, x := range hits {
		if t := k.symbolType(x.h); t != nil {
			if c.l.Hides {
				t = k.subst(t, k.bindArgs(x.recv), 0)
			}
			return t
		}
	}
	if len(hits) == 0 && c.l.Hides {
		if t := k.memberOfLibrary(c, k.outsideBase(k.instance(of), 0), name); t != nil {
			return t
		}
	}
	var t *typ
	if len(hits) > 0 { // an indexed access or the type of a member
		t = k.typeOf(hits[0].h, hits[0].recv)
	}
	if c.l.Contextual && (whole.kind == tParam || whole.kind == tLookup) {
		return &typ{kind: tLookup, elem: whole, name: name, key: t}
	}
	return t
}

// applied is a generic type with arguments. Generic types outside the workspace keep
// theirs, so that what they hold is known.
func (k *linker) applied(c *filectx, e *graph.Expr, kids []int32) *typ {
	t := k.typeExpr(c, e.X)
	if t == nil {
		return nil
	}
	args := k.typeExprs(c, kids)
	n := *t
	switch t.kind {
	case tExternal, tBuiltin:
		for _, name := range c.l.Transparent {
			if lastName(t.name) == name {
				if e.Op == graph.OpIndex && len(args) > 0 {
					return union(args...)
				}
			}
		}
		if len(args) > 0 && args[0] != nil && slices.Contains(c.l.Facets, t.name) {
			return facetOf(c, t.name, kids).through(args[0])
		}
		if len(args) > 0 && args[0] != nil && t.kind == tBuiltin {
			switch c.l.TypeOps[t.name] {
			case lang.OpResult:
				return k.result(args[0], nil, nil)
			case lang.OpInstance:
				return k.instance(args[0])
			case lang.OpAwaited:
				return k.awaited(args[0])
			case lang.OpParameters:
				all := &typ{kind: tTuple}
				for i := range maxUnion {
					all.args = append(all.args, k.taken(args[0], i))
				}
				return all
			}
		}
		n.kind, n.args = tExternal, args
		return &n
	case tNamed, tMeta:
		if e.Op != graph.OpIndex {
			return t
		}
		n.args = args
		if tc, s := k.sym(t.h); s != nil && s.Kind == graph.TypeAlias && s.Flags&graph.Distinct == 0 && s.Type >= 0 {
			return k.subst(k.typeExpr(tc, s.Type), k.bindList(tc, s.TypeParams, args), 0)
		}
		return k.specialised(&n)
	}
	return t
}

// facetOf is what the generic type of that name leaves of the first of its arguments; nil if it takes nothing.
func facetOf(c *filectx, name string, args []int32) *facet {
	if name == "" || name != c.l.Omits && name != c.l.Picks || len(args) < 2 {
		return nil
	}
	f := &facet{names: " ", only: name == c.l.Picks}
	for _, a := range args[1:] {
		if a < 0 {
			return nil
		}
		e := &c.f.Exprs[a]
		if e.Op != graph.OpMember || e.X != args[0] {
			return nil
		}
		f.names += c.f.Str(e.Name) + " "
	}
	return f
}

func lastName(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[i+1:]
		}
	}
	return s
}
