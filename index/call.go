package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// callResult is the type of a call.
func (k *linker) callResult(c *filectx, e *graph.Expr) *typ {
	t := k.value(c, e.X)
	if t == nil {
		return nil
	}
	kids := c.f.List(e.Kids)
	if o, ok := outcomeOf(c.l, t); ok && o.Yields != "" {
		return k.outcome(c, o.Yields, kids, t.args...)
	}
	if t.kind == tBuiltin {
		return k.builtin(c, t, kids)
	}
	if c.l.FarMembers && t.kind != tCallable && c.f.Exprs[e.X].Op == graph.OpMember {
		callee := &c.f.Exprs[e.X]
		if hits := k.apart(k.member(strip(k.value(c, callee.X)), c.f.Str(callee.Name)), true); len(hits) > 0 {
			t = k.typeOf(hits[0].h, hits[0].recv)
		}
	}
	if t == nil {
		return nil
	}
	switch {
	case t.kind == tCallable && c.l.Overloads:
		t = k.overloaded(c, t, e)
	case c.l.Contextual && (t.kind == tCallable || t.kind == tNamed):
		if s := k.signed(c, t, e); s != nil {
			t = s
		}
	}
	if t != nil && t.kind == tCallable {
		if r := k.sameReceiver(t, c, e.X); r != nil {
			return r
		}
	}
	return k.result(t, c, e)
}

// overloaded is what call e of c calls, as a value: the overload that fits the call may have
// another result than t, the first of its name.
func (k *linker) overloaded(c *filectx, t *typ, e *graph.Expr) *typ {
	callee := &c.f.Exprs[e.X]
	var hits []hit
	switch callee.Op {
	case graph.OpMember:
		hits = k.member(k.value(c, callee.X), spelled(c, callee))
	case graph.OpName:
		b := k.valueName(c, callee)
		for _, h := range b.hs {
			recv := b.t
			if c.l.Phases {
				recv = k.seenIn(c, &b, h)
			}
			hits = append(hits, hit{h: h, recv: recv})
		}
	}
	if len(hits) < 2 {
		return t
	}
	hits = k.byConst(c, k.overload(c, hits, e), e)
	return k.typeOf(hits[0].h, hits[0].recv)
}

// sameReceiver is the type of what a method is called on, where it returns just that.
func (k *linker) sameReceiver(t *typ, c *filectx, x int32) *typ {
	fc, s := k.sym(t.h)
	if s == nil || c.f.Exprs[x].Op != graph.OpMember || !returnsSelf(fc, s) {
		return nil
	}
	if r := strip(k.value(c, c.f.Exprs[x].X)); r != nil && r.kind == tNamed {
		return r
	}
	return nil
}

func returnsSelf(fc *filectx, s *graph.Symbol) bool {
	if s.Type >= 0 {
		return fc.f.Exprs[s.Type].Op == graph.OpSelf
	}
	all := fc.f.List(s.Returns)
	for _, r := range all {
		if fc.f.Exprs[r].Op != graph.OpSelf {
			return false
		}
	}
	return len(all) > 0 && fc.l.InferReturns
}

// builtin is the result of calling a predeclared function. Its table says: the type of the
// result, or how it follows from the first argument.
func (k *linker) builtin(c *filectx, t *typ, kids []int32) *typ {
	how := ""
	if t.elem != nil {
		how = t.elem.name
	}
	if len(kids) == 0 && len(how) > 0 && how[0] == '$' {
		return nil
	}
	switch how {
	case "":
		if len(t.args) == 0 && len(kids) == 1 {
			return &typ{kind: tBuiltin, name: t.name}
		}
		return nil
	case "$type":
		return k.instance(k.typeExpr(c, kids[0]))
	case "$pointer":
		return pointerTo(k.instance(k.typeExpr(c, kids[0])))
	case "$same":
		return k.value(c, kids[0])
	case "$elem":
		return k.element(k.value(c, kids[0]), false, 0)
	case "$list":
		return &typ{kind: tArray, elem: k.element(k.value(c, kids[0]), false, 0)}
	case "$pairs":
		return &typ{kind: tArray, elem: &typ{kind: tTuple, args: []*typ{{kind: tBuiltin, name: "int"}, k.element(k.value(c, kids[0]), false, 0)}}}
	}
	return t.elem
}

// result is what calling a value of type t yields; c and e are the call, nil where there is none.
func (k *linker) result(t *typ, c *filectx, e *graph.Expr) *typ {
	if t == nil || !k.descend() {
		return nil
	}
	defer k.ascend()
	switch t.kind {
	case tMeta:
		n := named(t.h, t.args...)
		if len(t.args) == 0 && c != nil {
			n.args = k.constructedArgs(t.h, c, e)
		}
		return n
	case tCallable:
		fc, s := k.sym(t.h)
		if s == nil {
			return nil
		}
		return k.resultOf(fc, t.h, s, t, c, e)
	case tFunc:
		fe := &t.fc.f.Exprs[t.expr]
		return k.subst(k.typeExpr(t.fc, fe.X), t.env, 0)
	case tUnion:
		var parts []*typ
		for _, p := range t.args {
			parts = append(parts, k.result(p, c, e))
		}
		return union(parts...)
	case tParam:
		if l := &t.fc.f.Locals[t.expr]; l.Type >= 0 {
			return k.result(k.typeExpr(t.fc, l.Type), c, e)
		}
	case tNamed:
		if u := k.underlying(t); u != nil {
			return k.subst(k.result(u, c, e), k.bindArgs(t), 0)
		}
		if k.from != nil && k.from.Targets {
			if fn, _ := k.functionOf(t); fn != nil {
				return fn.result
			}
		}
		if tc, s := k.sym(t.h); s != nil && s.Kind == graph.Enum && tc.l.FarMembers { // a variant that holds values
			return t
		}
		if tc, _ := k.sym(t.h); tc != nil {
			for _, m := range tc.l.CallMembers {
				if r := k.calling(t, m); r != nil {
					return r
				}
			}
		}
	case tExternal:
		if k.from != nil && k.from.Targets && t.elem == nil {
			if fn, _ := k.functionOf(t); fn != nil {
				return fn.result
			}
		}
		return k.yields(t, c, e)
	case tPointer:
		return k.result(t.elem, c, e)
	}
	return nil
}

// resultOf is the result of calling symbol h: declared, or inferred from what it returns.
func (k *linker) resultOf(fc *filectx, h graph.Handle, s *graph.Symbol, callee *typ, c *filectx, e *graph.Expr) *typ {
	if s.Kind == graph.Property {
		return k.typeOf(h, nil)
	}
	if s.Kind == graph.Macro {
		if e == nil || e.N < 2 || s.Init < 0 || fc.f.Exprs[s.Init].Op != graph.OpTupleAt {
			return nil
		}
		return k.part(k.value(c, c.f.List(e.Kids)[0]), 0) // what its argument holds
	}
	if s.Kind == graph.Constructor && s.Container >= 0 {
		return named(graph.Handle{File: h.File, Index: s.Container})
	}
	var t *typ
	switch {
	case s.Type >= 0:
		if t = k.typeExpr(fc, s.Type); t == nil && (fc.l.AssignedModules || fc.l.Levels) {
			t = k.inferred(fc, h.Index, s)
		}
	case fc.l.InferReturns:
		t = k.inferred(fc, h.Index, s)
	}
	if t == nil {
		return nil
	}
	recv := callee
	if callee != nil && callee.kind == tCallable {
		recv = callee.elem
	}
	self := recv
	if callee != nil && callee.key != nil {
		self = callee.key
	}
	t = k.asReceiver(t, self)
	if recv != nil {
		t = k.subst(t, k.argsFor(h, recv), 0)
		if s.TypeParams != 0 && len(recv.args) > 0 && s.Owner >= 0 {
			t = k.subst(t, k.bindList(fc, s.TypeParams, recv.args), 0)
		}
	}
	if open(t, 0) || t.kind == tFunc && s.TypeParams != 0 {
		t = k.subst(t, k.inferArgs(fc, s, callee, c, e), 0)
	}
	return t
}

// asReceiver: a method that returns its own receiver returns the type it was called on.
func (k *linker) asReceiver(t, recv *typ) *typ {
	switch {
	case t == nil:
	case t.kind == tSuper && recv != nil && recv.kind == tNamed:
		return recv
	case t.kind == tThis && recv != nil && (recv.kind == tNamed || recv.kind == tMeta || recv.kind == tSuper):
		return named(recv.h, recv.args...)
	case t.kind == tThis:
		return strip(t)
	case t.kind == tUnion:
		parts := make([]*typ, len(t.args))
		for i, p := range t.args {
			parts[i] = k.asReceiver(p, recv)
		}
		return union(parts...)
	}
	return t
}

// inferred is the union of the types of a function's return values.
func (k *linker) inferred(fc *filectx, i int32, s *graph.Symbol) *typ {
	key := int64(i)<<1 | 1 | 1<<40
	if !fc.enter(key) {
		k.cuts++
		return nil
	}
	defer fc.leave(key)
	var parts []*typ
	for _, r := range fc.f.List(s.Returns) {
		t := k.value(fc, r)
		if t != nil && t.kind == tNamed && fc.f.Exprs[r].Op == graph.OpSelf {
			t = &typ{kind: tThis, h: t.h, args: t.args}
		}
		parts = append(parts, t)
	}
	if fc.l.YieldsReturned && s.Flags&graph.Generator != 0 {
		return sequence(union(parts...))
	}
	return union(parts...)
}

// inferArgs binds the type parameters of a called function from its explicit type arguments
// or from the types of the call's arguments.
func (k *linker) inferArgs(fc *filectx, s *graph.Symbol, callee *typ, c *filectx, e *graph.Expr) env {
	if callee != nil && callee.kind == tCallable && len(callee.args) > 0 {
		return k.bindList(fc, s.TypeParams, callee.args)
	}
	bound := env{}
	if c == nil || e == nil {
		return bound
	}
	args := c.f.List(e.Kids)
	for i, p := range fc.f.List(s.Params) {
		if i >= len(args) {
			break
		}
		if l := &fc.f.Locals[p]; l.Type >= 0 {
			pt := k.typeExpr(fc, l.Type)
			if !open(pt, 0) && (pt == nil || pt.kind != tFunc && (pt.kind != tNamed || len(fc.l.NewMembers) == 0)) {
				continue
			}
			k.unifyArg(pt, k.value(c, args[i]), bound)
		}
	}
	if fc.l.Contextual {
		for _, l := range fc.f.List(s.TypeParams) {
			if _, ok := bound[param{fc.id, l}]; !ok {
				if t := k.defaultOf(fc, l, bound); t != nil {
					bound[param{fc.id, l}] = t
				}
			}
		}
	}
	return bound
}

// unifyArg binds type parameters from one argument; of functions the results count.
func (k *linker) unifyArg(pt, at *typ, bound env) {
	if k.from != nil && k.from.Phases {
		k.unifyObject(pt, at, bound)
		return
	}
	if pt != nil && pt.kind == tFunc && at != nil {
		pr := k.typeExpr(pt.fc, pt.fc.f.Exprs[pt.expr].X)
		if open(pr, 0) {
			unify(pr, k.result(at, nil, nil), bound, 0)
		}
		return
	}
	if pt != nil && pt.kind == tNamed && at != nil && at.kind == tMeta {
		if c, _ := k.sym(pt.h); c != nil {
			for _, m := range c.l.NewMembers {
				unify(k.calling(pt, m), named(at.h, at.args...), bound, 0)
			}
		}
	}
	unify(pt, at, bound, 0)
}

// constructedArgs infers the type arguments of a type from its constructor's arguments.
func (k *linker) constructedArgs(h graph.Handle, c *filectx, e *graph.Expr) []*typ {
	tc, s := k.sym(h)
	if s == nil || s.TypeParams == 0 || e == nil {
		return nil
	}
	for _, x := range k.constructors(h) {
		cc, cs := k.sym(x.h)
		if cs == nil {
			continue
		}
		bound := k.inferArgs(cc, cs, nil, c, e)
		var args []*typ
		for _, l := range tc.f.List(s.TypeParams) {
			args = append(args, bound[param{tc.id, l}])
		}
		return args
	}
	return nil
}

// constructors are the members of type h itself that run when a value of it is made.
func (k *linker) constructors(h graph.Handle) []hit {
	tc, s := k.sym(h)
	if s == nil {
		return nil
	}
	for _, name := range tc.l.Constructors {
		if name == "" {
			name = tc.f.Str(s.Name)
		}
		if tc.l.MakersApart {
			name += made
		} else if tc.l.MethodsApart {
			name += called
		}
		if hits := k.own(named(h), name, graph.ByConstructor); len(hits) > 0 {
			return k.ofValues(tc, hits)
		}
	}
	return nil
}

// ofValues keeps, of constructors, those that make values: one that is static makes the type ready.
func (k *linker) ofValues(c *filectx, hits []hit) []hit {
	if !c.l.MakersApart {
		return hits
	}
	var out []hit
	for _, x := range hits {
		if _, s := k.sym(x.h); s != nil && s.Flags&graph.Static == 0 {
			out = append(out, x)
		}
	}
	return out
}

// parted reports whether hs are declarations of one type.
func (k *linker) parted(hs []graph.Handle) bool {
	w := k.whole(hs[0])
	return !slices.ContainsFunc(hs[1:], func(h graph.Handle) bool { return k.whole(h) != w })
}

// making adds to the type that a call makes a value of the constructor that runs: behind it, or
// before it where the call chose it among several.
func (k *linker) making(c *filectx, b binding, call *graph.Expr) binding {
	tc, s := k.sym(b.hs[0])
	if s == nil || !s.Kind.Type() || s.Kind == graph.TypeAlias || len(b.hs) > 1 && !k.parted(b.hs) {
		return b
	}
	own := k.constructors(b.hs[0])
	if len(own) > 1 && tc.l.Overloads {
		own = k.overload(c, own, call)
	}
	switch {
	case len(own) == 1 && tc.l.Overloads:
		b.hs = []graph.Handle{own[0].h, b.hs[0]}
	case len(own) > 0 && !tc.l.Overloads:
		b.hs = []graph.Handle{b.hs[0], own[0].h}
	case len(own) == 0 && tc.l.Linearized:
		for _, name := range tc.l.Constructors {
			if up := k.member(named(b.hs[0]), name); len(up) > 0 {
				b.hs = []graph.Handle{b.hs[0], up[0].h}
				break
			}
		}
	}
	return b
}
