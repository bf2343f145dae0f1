package index

import (
	"slices"
	"strconv"

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
	case s.Kind.Callable() && s.Flags&graph.Computed != 0:
		return k.resultOf(c, h, s, recv, nil, nil)
	case s.Kind.Callable():
		return &typ{kind: tCallable, h: h, elem: recv}
	case s.Kind == graph.EnumMember && s.Container >= 0 && s.Type < 0:
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
	cuts := k.cuts
	k.deep++
	t := work(c, e)
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
		return k.memberType(t, name)
	case graph.OpCall:
		return k.callResult(c, e)
	case graph.OpNew:
		return k.instance(k.typeExpr(c, e.X))
	case graph.OpIndex:
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
		return &typ{kind: tArray, elem: union(k.values(c, kids)...)}
	case graph.OpMap:
		return k.mapLiteral(c, e, kids)
	case graph.OpFunc:
		return &typ{kind: tFunc, fc: c, expr: i}
	case graph.OpUnion:
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
		return k.through(k.value(c, e.X), c.l.EnterMembers)
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
	case graph.OpArg:
		return k.boundBy(c, i, k.passed(c, k.value(c, e.X), int(e.N>>8), int(e.N&0xff)))
	case graph.OpParam:
		return k.parameter(k.value(c, e.X), int(e.N))
	case graph.OpTaken:
		return k.boundBy(c, i, k.taken(k.value(c, e.X), int(e.N)))
	case graph.OpSpace:
		return k.spaceType(c, c.f.Str(e.Name))
	case graph.OpPointer, graph.OpChan, graph.OpTypeOf, graph.OpVariadic:
		return k.typeExpr(c, i)
	}
	return nil
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

// local is the type of a local: declared, of its definition, or of its initializer.
func (k *linker) local(c *filectx, i int32) *typ {
	if i < 0 || int(i) >= len(c.f.Locals) {
		return nil
	}
	l := &c.f.Locals[i]
	switch {
	case l.Flags&graph.TypeParam != 0:
		return &typ{kind: tParam, fc: c, expr: i}
	case l.Symbol >= 0:
		return k.typeOf(graph.Handle{File: c.id, Index: l.Symbol}, nil)
	case l.Flags&graph.Param != 0 && c.l.InheritTypes != nil:
		return k.inheritedType(c, i, l)
	case l.Type >= 0:
		return k.typeExpr(c, l.Type)
	case l.Init >= 0 && l.Flags&graph.Guessed != 0:
		return guessed(k.value(c, l.Init))
	case l.Init >= 0:
		return k.value(c, l.Init)
	}
	return nil
}

// inheritedType is the type of parameter i: its own, or where that says little what the method says that
// its own overrides.
func (k *linker) inheritedType(c *filectx, i int32, l *graph.Local) *typ {
	var t *typ
	switch {
	case l.Type >= 0:
		t = k.typeExpr(c, l.Type)
	case l.Init >= 0:
		t = k.value(c, l.Init)
	}
	if t != nil && (t.kind != tBuiltin || !slices.Contains(c.l.InheritTypes, t.name)) || l.In < 0 {
		return t
	}
	m := &c.f.Symbols[l.In]
	at := slices.Index(c.f.List(m.Params), i)
	if m.Kind != graph.Method || m.Container < 0 || at < 0 {
		return t
	}
	up := &typ{kind: tSuper, h: graph.Handle{File: c.id, Index: m.Container}}
	for _, x := range k.member(up, symbolKey(c.l, m.Kind, c.f.Str(m.Name))) {
		fc, s := k.sym(x.h)
		if s == nil {
			continue
		}
		if params := fc.f.List(s.Params); at < len(params) {
			if over := k.subst(k.local(fc, params[at]), k.bindArgs(x.recv), 0); over != nil {
				return over
			}
		}
	}
	return t
}

// self is a value of what symbol in belongs to: the type around it, the literal whose
// method it is, or what the function makes that it is or belongs to.
func (k *linker) self(c *filectx, in int32) *typ {
	from := graph.None
	for s := in; s >= 0; from, s = s, c.f.Symbols[s].Container {
		y := &c.f.Symbols[s]
		if y.Owner >= 0 && !c.l.PlainReceiver {
			if t := strip(k.typeExpr(c, y.Owner)); t != nil {
				return t
			}
		}
		if c.l.Levels {
			if typeLike(c, y) {
				return k.selfLevel(c, named(graph.Handle{File: c.id, Index: s}), in)
			}
			continue
		}
		method := from >= 0 && (c.f.Symbols[from].Kind == graph.Method || c.f.Symbols[from].Kind == graph.Constructor)
		literal := y.Kind == graph.Struct && y.Flags&graph.Anonymous != 0
		if literal && method && y.Type >= 0 {
			if t := k.receiverIn(c, k.value(c, y.Type)); t != nil {
				return t
			}
		}
		if y.Kind.Type() && (!literal || method) || !y.Kind.Type() && method || y.Kind == graph.Function && c.makes(s) {
			return named(graph.Handle{File: c.id, Index: s})
		}
	}
	return nil
}

// receiverIn is the receiver of the methods of a literal where one of type t is asked for, if t says so.
func (k *linker) receiverIn(c *filectx, t *typ) *typ {
	if t = strip(t); t == nil {
		return nil
	}
	if t.kind == tExternal && t.name == c.l.ReceiverOf && len(t.args) > 0 {
		return strip(t.args[0])
	}
	if t.kind == tUnion {
		for _, p := range t.args {
			if r := k.receiverIn(c, p); r != nil {
				return r
			}
		}
	}
	return nil
}

// makes reports whether function s has members: it makes values that have them.
func (c *filectx) makes(s int32) bool {
	if c.makers == nil {
		c.makers = map[int32]bool{}
		for i := range c.f.Symbols {
			y := &c.f.Symbols[i]
			if y.Container >= 0 && y.Flags&graph.NestedDef == 0 && (y.Kind == graph.Field || y.Kind == graph.Method) {
				c.makers[y.Container] = true
			}
		}
	}
	return c.makers[s]
}

// memberType is the type of the member of that name of a value of type t.
func (k *linker) memberType(t *typ, name string) *typ {
	t = strip(t)
	if t == nil {
		return nil
	}
	switch t.kind {
	case tModule, tPack:
		return k.typeOfBinding(k.moduleMember(t, name))
	case tExternal, tBuiltin:
		if hits := k.member(t, name); len(hits) > 0 {
			return k.typeOf(hits[0].h, hits[0].recv)
		}
		if k.parts != nil && lastName(t.name) == "pair" {
			if i, ok := k.parts[name]; ok && i < len(t.args) {
				return t.args[i]
			}
		}
		return libraryMember(t, name)
	case tTuple:
		if i, err := strconv.Atoi(name); err == nil && i < len(t.args) {
			return t.args[i]
		}
		return libraryMember(t, name)
	case tArray, tDict, tChan, tFunc:
		if t.kind == tDict && t.elem != nil && k.from != nil && k.from.MapsOpen {
			return t.elem
		}
		return libraryMember(t, name)
	case tMeta:
		if _, s := k.sym(t.h); s != nil && (s.Kind == graph.Module || s.Kind == graph.Namespace) {
			return k.typeOfBinding(k.memberOfModule(t, name))
		}
	}
	hits := k.apart(k.member(t, name), false)
	if len(hits) == 0 {
		if b := k.outsideBase(t, 0); b != nil {
			return libraryMember(b, name)
		}
		if c, _ := k.sym(t.h); c != nil && c.l.TraitsDeclare { // of a trait from outside
			return libraryMember(k.instance(t), name)
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
		if first {
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
	return k.result(k.typeOfHit(hits[0]), nil, nil)
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
		return t.elem
	case tUnion:
		var parts []*typ
		for _, p := range t.args {
			parts = append(parts, k.part(p, n))
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

// awaited is what waiting for a value of type t yields.
func (k *linker) awaited(t *typ) *typ {
	if t != nil && t.kind == tExternal && len(t.args) > 0 {
		return t.args[len(t.args)-1]
	}
	return t
}

// index is the type of x[i]: an element, or a generic thing with type arguments.
func (k *linker) index(c *filectx, t *typ, kids []int32) *typ {
	if t != nil && t.kind == tPointer && c.l.ExternalLinkage {
		return t.elem
	}
	t = strip(t)
	if t == nil {
		return nil
	}
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
		n := *t
		n.args = k.typeExprs(c, kids)
		return &n
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
