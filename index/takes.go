package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// passed is what the function that is argument arg of a call of t gets as its parameter par.
func (k *linker) passed(c *filectx, t *typ, arg, par int) *typ {
	if t = strip(t); t == nil {
		return nil
	}
	if t.kind != tExternal {
		if arg == graph.LastArg && c.l.Levels {
			return k.handed(c, t, par)
		}
		if par == graph.ArgReceiver {
			return k.ranOn(k.taken(t, arg))
		}
		p := k.parameter(k.taken(t, arg), par)
		if t.kind == tCallable && c.l.TraitsDeclare && t.elem != nil {
			p = k.subst(p, k.argsFor(t.h, t.elem), 0)
		}
		if t.key != nil {
			return k.asReceiver(p, t.key)
		}
		return k.asReceiver(p, t.elem)
	}
	elements := c.l.Callbacks[lastName(t.name)]
	switch {
	case t.elem == nil || par > 5:
		return nil
	case elements&lang.CallbackSelf != 0 && par == 0:
		return t.elem
	case elements>>par&1 == 0:
		return nil
	}
	if r := strip(t.elem); elements&lang.CallbackFirst != 0 && r != nil && r.kind == tExternal {
		return first(r)
	}
	_, elem := k.held(t.elem)
	return elem
}

// ranOn is what functions of type t are run on, where t says so.
func (k *linker) ranOn(t *typ) *typ {
	if t = strip(t); t != nil && t.kind == tNamed {
		if u := k.underlying(t); u != nil {
			t = u
		}
	}
	if t == nil || t.kind != tFunc || t.fc.f.Exprs[t.expr].N != graph.HasReceiver {
		return nil
	}
	kids := t.fc.f.List(t.fc.f.Exprs[t.expr].Kids)
	return k.value(t.fc, kids[len(kids)-1])
}

// taken is the type of what a call of t takes as argument arg.
func (k *linker) taken(t *typ, arg int) *typ {
	if t = strip(t); t == nil {
		return nil
	}
	switch t.kind {
	case tCallable:
		if fc, s := k.sym(t.h); s != nil {
			return k.subst(k.takenBy(fc, s, t.elem, arg), k.bindList(fc, s.TypeParams, t.args), 0)
		}
	case tMeta:
		mc, _ := k.sym(t.h)
		if mc == nil {
			return nil
		}
		for _, name := range mc.l.Constructors {
			for _, x := range k.member(named(t.h, t.args...), name) {
				if fc, s := k.sym(x.h); s != nil {
					return k.takenBy(fc, s, x.recv, arg)
				}
			}
		}
	case tFunc:
		return k.parameter(t, arg)
	case tNamed:
		if c, _ := k.sym(t.h); c != nil && len(c.l.CallMembers) > 0 {
			return k.parameter(t, arg)
		}
	}
	return nil
}

// boundBy binds the type parameters of a called function in t, what expression i says that the call
// takes: from the call's other arguments and, where the call's value is that of a variable with a
// declared type, from that.
func (k *linker) boundBy(c *filectx, i int32, t *typ) *typ {
	if t == nil || t.kind != tFunc && !open(t, 0) {
		return t
	}
	callee := c.f.Exprs[i].X
	of := strip(k.value(c, callee))
	if of == nil || of.kind != tCallable || len(of.args) > 0 {
		return t
	}
	fc, s := k.sym(of.h)
	if s == nil || s.TypeParams == 0 {
		return t
	}
	call := callOf(c.f, i)
	if call < 0 {
		return t
	}
	bound := env{}
	if in := c.f.Exprs[call].In; in >= 0 && c.f.Symbols[in].Init == call && c.f.Symbols[in].Type >= 0 && s.Type >= 0 {
		unify(k.typeExpr(fc, s.Type), k.typeExpr(c, c.f.Symbols[in].Type), bound, 0)
	}
	for p, x := range k.inferArgs(fc, s, of, c, &c.f.Exprs[call]) {
		if _, ok := bound[p]; !ok {
			bound[p] = x
		}
	}
	return k.subst(t, bound, 0)
}

// callOf is the call whose argument expression i, an OpArg or OpTaken, speaks of, or None.
func callOf(f *graph.Facts, i int32) int32 {
	for call := i + 1; int(call) < len(f.Exprs); call++ {
		if e := &f.Exprs[call]; e.X == f.Exprs[i].X && (e.Op == graph.OpCall || e.Op == graph.OpNew) {
			return call
		}
	}
	return graph.None
}

// takenAs is the type of the parameter of that name of what a call of t calls.
func (k *linker) takenAs(t *typ, name string) *typ {
	h, recv := graph.Handle{Index: graph.None}, (*typ)(nil)
	switch t = strip(t); {
	case t == nil:
		return nil
	case t.kind == tCallable:
		h, recv = t.h, t.elem
	case t.kind == tMeta:
		mc, _ := k.sym(t.h)
		if mc == nil {
			return nil
		}
		for _, made := range mc.l.Constructors {
			if hits := k.member(named(t.h, t.args...), made); len(hits) > 0 {
				h, recv = hits[0].h, hits[0].recv
				break
			}
		}
	}
	fc, s := k.sym(h)
	if s == nil {
		return nil
	}
	for _, p := range fc.f.List(s.Params) {
		if l := &fc.f.Locals[p]; l.Type >= 0 && fc.f.Str(l.Name) == name {
			return k.subst(k.typeExpr(fc, l.Type), k.bindArgs(recv), 0)
		}
	}
	return nil
}

// takenBy is the type of parameter arg of symbol s, found in recv.
func (k *linker) takenBy(fc *filectx, s *graph.Symbol, recv *typ, arg int) *typ {
	i := 0
	params := fc.f.List(s.Params)
	for n, p := range params {
		l := &fc.f.Locals[p]
		if l.Flags&graph.SelfParam != 0 {
			continue
		}
		if i == arg || arg == graph.LastArg && n == len(params)-1 || arg != graph.LastArg && l.Flags&graph.VariadicParam != 0 {
			if l.Type < 0 {
				return nil
			}
			t := k.typeExpr(fc, l.Type)
			if l.Flags&graph.VariadicParam != 0 && t != nil && t.kind == tArray {
				t = t.elem
			}
			return k.subst(t, k.bindArgs(recv), 0)
		}
		i++
	}
	return nil
}

// parameter is the type of parameter n of a function type.
func (k *linker) parameter(t *typ, n int) *typ {
	if t = strip(t); t == nil || !k.descend() {
		return nil
	}
	defer k.ascend()
	if k.from != nil && k.from.Targets {
		if fn, _ := k.functionOf(t); fn != nil && n < len(fn.params) {
			return fn.params[n]
		}
		return nil
	}
	switch t.kind {
	case tExternal:
		if k.from != nil && n == 0 {
			if i, ok := k.from.Components[lastName(t.name)]; ok && i < len(t.args) {
				return t.args[i]
			}
		}
		if k.from != nil && len(t.args) > 0 && slices.Contains(k.from.Quotes, lastName(t.name)) {
			return k.parameter(t.args[0], n)
		}
	case tParam:
		if of := t.fc.f.Locals[t.expr].Type; of >= 0 && t.fc.l.TraitsDeclare {
			return k.parameter(k.typeExpr(t.fc, of), n)
		}
	case tFunc:
		if kids := t.fc.f.List(t.fc.f.Exprs[t.expr].Kids); n < len(kids) {
			return k.subst(k.value(t.fc, kids[n]), t.env, 0)
		}
	case tCallable:
		if fc, s := k.sym(t.h); s != nil {
			return k.takenBy(fc, s, t.elem, n)
		}
	case tUnion:
		for _, p := range t.args {
			if r := k.parameter(p, n); r != nil {
				return r
			}
		}
	case tNamed:
		if u := k.underlying(t); u != nil {
			return k.subst(k.parameter(u, n), k.bindArgs(t), 0)
		}
		if c, _ := k.sym(t.h); c != nil {
			for _, m := range c.l.CallMembers {
				for _, x := range k.member(t, callKey(c.l, m)) {
					return k.parameter(k.typeOfHit(x), n)
				}
			}
		}
		return k.onlyMethod(t, n)
	}
	return nil
}

// onlyMethod is parameter n of the single abstract method of an interface.
func (k *linker) onlyMethod(t *typ, n int) *typ {
	c, m := k.soleMethod(t)
	if m == nil {
		return nil
	}
	if params := c.f.List(m.Params); n < len(params) && c.f.Locals[params[n]].Type >= 0 {
		return k.subst(k.typeExpr(c, c.f.Locals[params[n]].Type), k.bindArgs(t), 0)
	}
	return nil
}

// soleMethod is the abstract method of an interface that has just one.
func (k *linker) soleMethod(t *typ) (*filectx, *graph.Symbol) {
	c, s := k.sym(t.h)
	if s == nil || s.Kind != graph.Interface {
		return nil, nil
	}
	k.look(c.sc.members(t.h.Index).Key(everyMember))
	var found *graph.Symbol
	for i := range c.f.Symbols {
		m := &c.f.Symbols[i]
		if m.Container == t.h.Index && m.Kind == graph.Method && m.Flags&(graph.Static|graph.Computed) == 0 && m.Body == 0 {
			if found != nil {
				return nil, nil
			}
			found = m
		}
	}
	return c, found
}
