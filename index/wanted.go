package index

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// What a call asks for as one of its arguments, and what its arguments say of type parameters, where values
// are objects of classes: a class is seen as its base that is asked for, a plain value as its object.

// exprIndex is the index of expression e of c, which comes after the operand that it has.
func exprIndex(c *filectx, e *graph.Expr) int32 {
	if e == nil {
		return graph.None
	}
	for i := max(e.X, 0); int(i) < len(c.f.Exprs); i++ {
		if &c.f.Exprs[i] == e {
			return i
		}
	}
	return graph.None
}

// wantedAs is the type that a call asks for as argument arg; i is the expression that wants to know.
func (k *linker) wantedAs(c *filectx, i int32, arg int) *typ {
	call := callOf(c.f, i)
	fc, s, recv := k.askedBy(c, c.f.Exprs[i].X, call)
	if s == nil {
		if x, ok := k.libraryCallOf(c, strip(k.value(c, c.f.Exprs[i].X)), call); ok {
			t := x.param(arg)
			if open(t, 0) {
				t = k.subst(t, x.bound(arg), 0)
			}
			return t
		}
		return nil
	}
	t := k.takenBy(fc, s, recv, arg)
	if call >= 0 && open(t, 0) {
		t = k.subst(t, k.boundArgs(fc, s, recv, c, call, arg), 0)
	}
	return t
}

// askedBy is what a call runs: the method, or the constructor of the type that it makes a value of.
func (k *linker) askedBy(c *filectx, callee, call int32) (*filectx, *graph.Symbol, *typ) {
	t := strip(k.value(c, callee))
	if t == nil || t.kind == tExternal || t.kind == tBuiltin {
		return nil, nil, nil
	}
	switch {
	case t.kind == tCallable && call >= 0:
		t = k.overloaded(c, t, &c.f.Exprs[call])
	case t.kind == tMeta:
		of := strip(k.typeExpr(c, callee))
		if of == nil || of.kind != tNamed {
			return nil, nil, nil
		}
		makers := k.constructors(of.h)
		for i := range makers {
			makers[i].recv = of
		}
		if call >= 0 {
			makers = k.overload(c, makers, &c.f.Exprs[call])
		}
		if len(makers) == 0 {
			return nil, nil, nil
		}
		fc, s := k.sym(makers[0].h)
		return fc, s, of
	}
	if t == nil || t.kind != tCallable {
		return nil, nil, nil
	}
	fc, s := k.sym(t.h)
	return fc, s, t.elem
}

// boundArgs binds the type parameters of s, called on a value of type recv, from the arguments of the call, of
// which argument but is left out, and where its value goes.
func (k *linker) boundArgs(fc *filectx, s *graph.Symbol, recv *typ, c *filectx, call int32, but int) env {
	bound := env{}
	args := c.f.List(c.f.Exprs[call].Kids)
	for pass := range 2 { // functions after the values that tell their parameters
		for i, a := range args {
			if function := a >= 0 && c.f.Exprs[a].Op == graph.OpFunc; i == but || a < 0 || function != (pass == 1) {
				continue
			}
			if pt := k.takenBy(fc, s, recv, i); open(pt, 0) {
				k.unifyObject(k.subst(pt, bound, 0), k.value(c, a), bound)
			}
		}
	}
	if in := c.f.Exprs[call].In; in >= 0 && c.f.Symbols[in].Init == call && c.f.Symbols[in].Type >= 0 && s.Type >= 0 {
		k.unifyObject(k.typeExpr(fc, s.Type), k.typeExpr(c, c.f.Symbols[in].Type), bound)
	}
	return bound
}

// unifyObject binds the open types in pattern so that a value of type t is one of it.
func (k *linker) unifyObject(pattern, t *typ, bound env) {
	if t != nil && t.kind == tHole && pattern != nil && pattern.kind != tParam && pattern.kind != tHole {
		if p := paramOf(t); bound[p] == nil {
			bound[p] = pattern
		}
		return
	}
	if t = strip(t); pattern == nil || t == nil || t.kind == tBuiltin && (t.name == nullName || t.name == "void") || !k.descend() {
		return
	}
	defer k.ascend()
	function := t.kind == tFunc || t.kind == tCallable || t.kind == tExternal && t.elem != nil
	switch pattern.kind {
	case tParam, tHole:
		if function && (t.kind != tExternal || bound[paramOf(pattern)] != nil) || bound[paramOf(pattern)] != nil {
			return
		}
		if unboxed(k.from, t) {
			t = boxOf(k.from, t)
		}
		bound[paramOf(pattern)] = t
		return
	case tArray:
		if t.kind == tArray {
			k.unifyObject(pattern.elem, t.elem, bound)
		}
		return
	}
	if t.kind == tUnion && len(t.args) > 0 {
		t = t.args[0]
	}
	if function {
		k.unifyFunction(pattern, t, bound)
		return
	}
	if t = k.seenAs(t, pattern, 0); t == nil {
		return
	}
	for i := range min(len(pattern.args), len(t.args)) {
		k.unifyObject(pattern.args[i], t.args[i], bound)
	}
}

// unifyFunction binds the open types in pattern from function t, which is a value of it.
func (k *linker) unifyFunction(pattern, t *typ, bound env) {
	fn, _ := k.functionOf(pattern)
	if fn == nil {
		return
	}
	switch t.kind {
	case tFunc:
		kids := t.fc.f.List(t.fc.f.Exprs[t.expr].Kids)
		for i := range min(len(kids), len(fn.params)) {
			if x := &t.fc.f.Exprs[kids[i]]; x.Op == graph.OpLocal && t.fc.f.Locals[x.X].Type >= 0 {
				k.unifyObject(fn.params[i], k.value(t.fc, kids[i]), bound)
			}
		}
	case tCallable:
		_, s := k.sym(t.h)
		if of := t.elem; s != nil && of != nil && of.kind == tMeta && s.Flags&graph.Static == 0 && len(fn.params) > 0 {
			k.unifyObject(fn.params[0], named(of.h, of.args...), bound)
		}
	case tExternal:
		if r, whole := k.knownResult(k.linked, strip(t.elem), lastName(t.name)); r != nil && whole {
			k.unifyObject(fn.result, r, bound)
		}
		return
	}
	if open(fn.result, 0) {
		k.unifyObject(fn.result, k.result(t, nil, nil), bound)
	}
}

// seenAs is t as the class that pattern is of, one of its bases; nil where it is none.
func (k *linker) seenAs(t, pattern *typ, depth int) *typ {
	switch {
	case depth > 12:
		return nil
	case pattern.kind == tNamed && t.kind == tNamed:
		return k.asBase(t, pattern.h, 0)
	case !outside(pattern) || pattern.kind == tExternal && pattern.elem != nil:
		return nil
	case outside(t):
		if lastName(t.name) == lastName(pattern.name) {
			return t
		}
		if k.from.Known == nil {
			return nil
		}
		for _, b := range k.from.Known.Bases(t.name) {
			if r := k.seenAs(knownType(k.from, b, t.args, nil), pattern, depth+1); r != nil {
				return r
			}
		}
	case t.kind == tNamed:
		for _, b := range k.allBases(t) {
			if b = strip(b); b == nil {
				continue
			}
			if r := k.seenAs(b, pattern, depth+1); r != nil {
				return r
			}
		}
	}
	return nil
}
