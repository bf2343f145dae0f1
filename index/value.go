package index

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// typeOf is the type of symbol h as a value; recv is the type it was found in, or nil.
func (k *linker) typeOf(h graph.Handle, recv *typ) *typ {
	c, s := k.sym(h)
	if s == nil {
		if h.Index == graph.FileItself {
			return &typ{kind: tModule, h: h}
		}
		return nil
	}
	switch {
	case s.Kind.Type():
		return &typ{kind: tMeta, h: h}
	case s.Kind == graph.Module && s.Init >= 0:
		return k.value(c, s.Init)
	case s.Kind == graph.Namespace || s.Kind == graph.Module || s.Kind == graph.Package:
		return &typ{kind: tMeta, h: h}
	case s.Kind == graph.Macro && c.l.ClosedModules:
		return &typ{kind: tCallable, h: h}
	case s.Kind.Callable() && s.Flags&graph.Computed != 0:
		return k.resultOf(c, h, s, recv, nil, nil)
	case s.Kind.Callable():
		return &typ{kind: tCallable, h: h, elem: recv}
	case s.Kind == graph.EnumMember && s.Container >= 0 && s.Type < 0:
		return named(graph.Handle{File: h.File, Index: s.Container})
	case s.Kind == graph.Field && s.Type < 0 && s.Init >= 0 && s.Container >= 0 && s.Flags&graph.AssignedMember == 0 && k.isEnum(c, graph.Handle{File: h.File, Index: s.Container}):
		return named(graph.Handle{File: h.File, Index: s.Container})
	case s.Type >= 0:
		if t := k.typeExpr(c, s.Type); t != nil || s.Init < 0 || !c.l.AssignedModules {
			return k.subst(t, k.argsFor(h, recv), 0)
		}
		return k.value(c, s.Init) // a comment's type that nothing explains
	case s.Init >= 0:
		return k.value(c, s.Init)
	}
	return nil
}

// fieldOf is the field of that name of the type or variant that expression e.X of c names.
func (k *linker) fieldOf(c *filectx, e *graph.Expr) binding {
	name := c.f.Str(e.Name)
	var b binding
	switch x := &c.f.Exprs[e.X]; x.Op {
	case graph.OpName:
		b = k.typeName(c, x)
	case graph.OpMember:
		b = k.memberRef(c, x, c.f.Str(x.Name))
	}
	for _, h := range b.hs {
		if hc, s := k.sym(h); s != nil && s.Kind == graph.EnumMember {
			if hs := k.look(hc.sc.members(h.Index).Key(name)); len(hs) > 0 {
				return binding{hs: hs, status: graph.Certain, reason: graph.ByReceiver}
			}
			return unresolved(graph.NotFound)
		}
	}
	t := strip(k.typeExpr(c, e.X))
	if t == nil {
		if b.status == graph.External {
			return binding{status: graph.External, reason: graph.NoType}
		}
		return unresolved(graph.NoType)
	}
	if hits := k.apart(k.member(t, name), false); len(hits) > 0 {
		return k.fromMembers(hits)
	}
	return unresolved(graph.NotFound)
}

// fieldType is the type of such a field, in a value whose type arguments are known.
func (k *linker) fieldType(c *filectx, e *graph.Expr) *typ {
	b := k.fieldOf(c, e)
	if len(b.hs) == 0 {
		return nil
	}
	var of *typ
	if kids := c.f.List(e.Kids); len(kids) > 0 {
		of = strip(k.value(c, kids[0]))
	}
	return k.typeOf(b.hs[0], of)
}

// typeOfBinding is the type of what a name means.
func (k *linker) typeOfBinding(b binding) *typ {
	switch {
	case b.mod != nil:
		return b.mod
	case len(b.hs) == 0:
		return b.t
	case b.status == graph.Possible:
		var parts []*typ
		for _, h := range b.hs {
			parts = append(parts, k.typeOf(h, nil))
		}
		return union(parts...)
	}
	return k.typeOf(k.asValue(b.hs), b.t)
}

// asValue is, of what one name stands for, what it means as a value: a type that exists for the
// type checker alone makes way.
func (k *linker) asValue(hs []graph.Handle) graph.Handle {
	for _, h := range hs {
		if _, s := k.sym(h); s != nil && s.Kind != graph.Interface && s.Kind != graph.TypeAlias {
			return h
		}
	}
	return hs[0]
}

// value is the type of expression e of c.
func (k *linker) value(c *filectx, e int32) *typ {
	if e < 0 || int(e) >= len(c.f.Exprs) {
		return nil
	}
	if t, ok := c.values[e]; ok {
		return t
	}
	if c.values == nil {
		c.values = map[int32]*typ{}
	}
	return k.once(c, c.values, e, int64(e)<<1, k.work)
}

// once works the type of expression e out and keeps it in kept. What was worked out while
// something around it was still being worked out, and asked for that, may lack a part: it is kept
// only until the outermost question is answered.
func (k *linker) once(c *filectx, kept map[int32]*typ, e int32, key int64, work func(*filectx, int32) *typ) *typ {
	if t, ok := k.partial[partialKey{c, key}]; ok {
		return t
	}
	if k.steps++; k.steps > maxSteps || !c.enter(key) {
		k.cuts++
		return nil
	}
	cuts, at := k.cuts, k.site
	k.site = standing{c, c.f.Exprs[e].In, graph.None}
	k.deep++
	t := work(c, e)
	k.site = at
	if c.l.UniqueNames && t != nil && !t.guess {
		if x := c.f.Exprs[e].X; follows(c.f.Exprs[e].Op) && x >= 0 && suggested(k.value(c, x)) {
			t = guessed(t)
		}
	}
	k.deep--
	c.leave(key)
	switch {
	case k.cuts == cuts || k.deep == 0:
		kept[e] = t
	default:
		if k.partial == nil {
			k.partial = map[partialKey]*typ{}
		}
		k.partial[partialKey{c, key}] = t
	}
	if k.deep == 0 && len(k.partial) > 0 {
		clear(k.partial)
	}
	return t
}

// follows reports whether an expression of operation op is no surer than its operand.
func follows(op graph.Op) bool {
	switch op {
	case graph.OpMember, graph.OpCall, graph.OpIndex, graph.OpElem, graph.OpTupleAt, graph.OpSlice, graph.OpArg, graph.OpTypeOf:
		return true
	}
	return false
}

type partialKey struct {
	c   *filectx
	key int64
}

func (c *filectx) enter(key int64) bool {
	if c.busy[key] {
		return false
	}
	if c.busy == nil {
		c.busy = map[int64]bool{}
	}
	c.busy[key] = true
	return true
}

func (c *filectx) leave(key int64) { delete(c.busy, key) }

func (k *linker) work(c *filectx, i int32) *typ {
	e := &c.f.Exprs[i]
	kids := c.f.List(e.Kids)
	switch e.Op {
	case graph.OpName:
		if c.l.Hides && k.constIn(c, e.In) {
			b := k.valueName(c, e)
			if t := k.typeOfBinding(b); len(b.hs) > 0 {
				if _, s := k.sym(b.hs[0]); s != nil && s.Kind == graph.Field {
					return constant(t)
				}
				return t
			}
		}
		return k.typeOfBinding(k.valueName(c, e))
	case graph.OpLocal:
		return k.local(c, e.X)
	case graph.OpSelf:
		for _, on := range c.f.List(e.Kids) {
			if t := strip(k.value(c, on)); t != nil && (t.kind == tNamed || t.kind == tMeta) {
				return t
			}
		}
		if c.l.Hides {
			t := k.self(c, e.In)
			if k.constIn(c, e.In) {
				t = constant(t)
			}
			return pointerTo(t)
		}
		return k.self(c, e.In)
	case graph.OpSuper:
		if t := k.self(c, e.In); t != nil {
			return &typ{kind: tSuper, h: t.h, elem: t}
		}
		return nil
	case graph.OpMember:
		if e.N == graph.MeansField {
			return k.fieldType(c, e)
		}
		if c.l.Levels {
			return k.messageType(c, i, e)
		}
		if b, ok := k.qualified(c, e); ok {
			return k.typeOfBinding(b)
		}
		if k.isOwnModule(c, e) {
			return ownModule(c).mod
		}
		t, name := k.value(c, e.X), spelled(c, e)
		if hits := k.extended(c, e, strip(t), name); len(hits) > 0 {
			return k.typeOfHit(hits[0])
		}
		if c.l.ClosedModules && k.closedModule(t) {
			return k.typeOfBinding(k.ofSort(k.memberOfModule(t, name), e.Role))
		}
		return k.memberType(t, name)
	case graph.OpCall:
		return k.callResult(c, e)
	case graph.OpNew:
		if c.l.Gathers != nil {
			return k.gathered(c, k.instance(k.typeExpr(c, e.X)), e)
		}
		return k.instance(k.typeExpr(c, e.X))
	case graph.OpIndex:
		if e.N == graph.MeansTypes {
			if t := strip(k.value(c, e.X)); t != nil && t.kind == tExternal {
				n := *t
				n.args = k.typeExprs(c, kids)
				return &n
			}
		} else if e.N > 0 {
			if t := k.value(c, e.X); sequenced(t) {
				return k.part(t, int(e.N)-1)
			}
		}
		return k.index(c, k.value(c, e.X), kids)
	case graph.OpElem:
		return k.element(k.value(c, e.X), e.N == 1, 0)
	case graph.OpTupleAt:
		return k.part(k.value(c, e.X), int(e.N))
	case graph.OpTuple:
		return &typ{kind: tTuple, args: k.values(c, kids)}
	case graph.OpAwait:
		return k.awaited(k.value(c, e.X))
	case graph.OpDeref:
		return k.pointed(c, k.value(c, e.X))
	case graph.OpAddr:
		return pointerTo(k.value(c, e.X))
	case graph.OpArray:
		if e.X >= 0 {
			return k.typeExpr(c, i)
		}
		parts := k.values(c, kids)
		t := &typ{kind: tArray, elem: union(parts...)}
		if c.l.Holes && sameLength(c, kids) {
			t.args = parts
		}
		return t
	case graph.OpMap:
		return k.mapLiteral(c, e, kids)
	case graph.OpFunc:
		return &typ{kind: tFunc, fc: c, expr: i}
	case graph.OpUnion:
		if e.N == graph.MeansWider {
			return k.wider(c.l, k.values(c, kids))
		}
		return union(k.values(c, kids)...)
	case graph.OpLiteral:
		return &typ{kind: tBuiltin, name: c.f.Str(e.Name)}
	case graph.OpCast:
		if len(kids) > 0 {
			return k.typeExpr(c, kids[0])
		}
	case graph.OpReceive:
		return k.element(k.value(c, e.X), true, 0)
	case graph.OpSymbol:
		if e.X >= 0 {
			return k.typeOf(graph.Handle{File: c.id, Index: e.X}, nil)
		}
	case graph.OpEnter:
		return k.entered(c, k.value(c, e.X))
	case graph.OpSlice:
		return k.value(c, e.X)
	case graph.OpInstance:
		return k.instance(k.typeExpr(c, e.X))
	case graph.OpImport:
		if e.X >= 0 {
			return k.typeOfBinding(k.imported(c, e.X, nil))
		}
	case graph.OpObject:
		if e.X >= 0 {
			return named(graph.Handle{File: c.id, Index: e.X})
		}
	case graph.OpNamed:
		return k.value(c, e.X)
	case graph.OpArg:
		if c.l.Targets {
			return k.parameter(k.wantedAs(c, i, int(e.N>>8)), int(e.N&0xff))
		}
		if t := k.handsOver(c, i, int(e.N&0xff)); t != nil {
			return t
		}
		return k.parameterOf(c, i, e)
	case graph.OpParam:
		return k.parameter(k.value(c, e.X), int(e.N))
	case graph.OpShown:
		of := k.value(c, e.X)
		if t := k.shows(of, int(e.N)); t != nil {
			return t
		}
		if t := k.value(c, kids[0]); of == nil || of.kind != tExternal || c.l.Sequences == "" || of.name != c.l.Sequences {
			return t
		} else {
			return sequences(t)
		}
	case graph.OpBut:
		return k.without(k.value(c, e.X), k.typeExprs(c, kids))
	case graph.OpTaken:
		if c.l.Targets {
			return k.wantedAs(c, i, int(e.N))
		}
		return k.boundBy(c, i, k.taken(k.value(c, e.X), int(e.N)))
	case graph.OpSpace:
		return k.spaceType(c, c.f.Str(e.Name))
	case graph.OpPointer, graph.OpChan, graph.OpTypeOf, graph.OpVariadic:
		return k.typeExpr(c, i)
	}
	return nil
}

// sameLength reports whether the elements of a literal are few and written out one by one.
func sameLength(c *filectx, kids []int32) bool {
	if len(kids) > maxUnion {
		return false
	}
	for _, e := range kids {
		if c.f.Exprs[e].Op == graph.OpElem {
			return false
		}
	}
	return true
}

func (k *linker) values(c *filectx, ids []int32) []*typ {
	out := make([]*typ, len(ids))
	for i, e := range ids {
		out[i] = k.value(c, e)
	}
	return out
}

func (k *linker) mapLiteral(c *filectx, e *graph.Expr, kids []int32) *typ {
	if e.X >= 0 {
		t := &typ{kind: tDict, key: k.typeExpr(c, e.X)}
		if len(kids) > 0 {
			t.elem = k.typeExpr(c, kids[0])
		}
		return t
	}
	return &typ{kind: tDict, elem: union(k.values(c, kids)...)}
}

// constant is t of which a value may not be changed.
func constant(t *typ) *typ {
	if t == nil || t.konst {
		return t
	}
	n := *t
	n.konst = true
	return &n
}
