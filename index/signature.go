package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Of some methods the table of a language's library says what they take and yield in terms of type parameters.
// So the parameters of functions that are passed to them, and what a chain of them yields, follow from what
// they are called on.

// function is what an interface that functions are values of takes and yields.
type function struct {
	params []*typ
	result *typ
}

// functionOf is what a function is that is a value of type t, nil where none is; known is false where it is
// not known whether one is.
func (k *linker) functionOf(t *typ) (fn *function, known bool) {
	if t = strip(t); t == nil {
		return nil, false
	}
	l := k.from
	switch t.kind {
	case tExternal, tBuiltin:
		if t.elem != nil || l == nil || l.Known == nil {
			return nil, false
		}
		s, known := l.Known.Sole(t.name)
		if s == nil {
			return nil, known
		}
		fn := &function{result: knownType(l, s.Result, t.args, nil)}
		for _, p := range s.Params {
			fn.params = append(fn.params, knownType(l, p, t.args, nil))
		}
		return fn, true
	case tNamed:
		c, s := k.sym(t.h)
		if s == nil || s.Kind != graph.Interface {
			return nil, true
		}
		w := soleWalk{k: k, l: c.l}
		w.walk(t, 0)
		if w.outer != nil && len(w.found) == 0 {
			return w.outer, true
		}
		if w.several || len(w.found) != 1 {
			return nil, !w.several && !w.open
		}
		return w.function(w.found[0]), true
	case tParam, tUnion:
		return nil, false
	}
	return nil, true
}

// soleWalk looks for the abstract methods of an interface and its bases.
type soleWalk struct {
	k       *linker
	l       *lang.Language
	found   []hit
	seen    []hit // all methods, for what bases have of them again
	outer   *function
	several bool
	open    bool // a base is not known
}

func (w *soleWalk) walk(t *typ, depth int) {
	c, s := w.k.sym(t.h)
	if s == nil || depth > 12 || w.several {
		return
	}
	w.k.look(c.sc.members(t.h.Index).Key(everyMember))
	for i := range c.f.Symbols {
		m := &c.f.Symbols[i]
		if m.Container != t.h.Index || m.Kind != graph.Method || m.Flags&(graph.Static|graph.Computed) != 0 {
			continue
		}
		x := hit{h: graph.Handle{File: c.id, Index: int32(i)}, recv: t}
		if w.again(c, m) || slices.Contains(w.l.TopMembers, c.f.Str(m.Name)) {
			continue
		}
		if w.seen = append(w.seen, x); m.Body == 0 {
			w.found = append(w.found, x)
		}
	}
	w.several = w.several || len(w.found) > 1
	for _, b := range w.k.allBases(t) {
		switch b = strip(b); {
		case b == nil:
			w.open = true
		case b.kind == tNamed:
			w.walk(b, depth+1)
		default:
			fn, known := w.k.functionOf(b)
			if fn != nil {
				w.outer = fn
			}
			w.open = w.open || !known
		}
	}
}

// again reports whether a method that was found before takes the place of m.
func (w *soleWalk) again(c *filectx, m *graph.Symbol) bool {
	for _, x := range w.seen {
		if xc, y := w.k.sym(x.h); xc.f.Str(y.Name) == c.f.Str(m.Name) && len(xc.f.List(y.Params)) == len(c.f.List(m.Params)) {
			return true
		}
	}
	return false
}

func (w *soleWalk) function(x hit) *function {
	c, m := w.k.sym(x.h)
	bound := w.k.bindArgs(x.recv)
	fn := &function{result: w.k.subst(w.k.typeExpr(c, m.Type), bound, 0)}
	for _, p := range c.f.List(m.Params) {
		fn.params = append(fn.params, w.k.subst(w.k.typeExpr(c, c.f.Locals[p].Type), bound, 0))
	}
	return fn
}

// librarySignature is what the method of that name, called by call e of c on a value of type recv, takes and
// yields, with the type it was found in; ok is false where the table does not say.
func (k *linker) librarySignature(c *filectx, recv *typ, method string, e *graph.Expr, depth int) (s lang.Signature, of *typ, ok bool) {
	if recv == nil || recv.kind != tExternal && recv.kind != tBuiltin || depth > 8 {
		return s, nil, false
	}
	args := c.f.List(e.Kids)
	for _, s := range c.l.Known.Methods(recv.name, method) {
		if n := len(s.Params); (n == len(args) || s.Variadic && len(args) >= n-1) && k.takesFunctions(c, recv, s, args) {
			return s, recv, true
		}
	}
	for _, b := range c.l.Known.Bases(recv.name) {
		if s, of, ok := k.librarySignature(c, knownType(c.l, b, recv.args, nil), method, e, depth+1); ok {
			return s, of, true
		}
	}
	return s, nil, false
}

// takesFunctions reports whether each function among args stands where one with as many parameters is asked for.
func (k *linker) takesFunctions(c *filectx, recv *typ, s lang.Signature, args []int32) bool {
	for i, a := range args {
		if a < 0 || c.f.Exprs[a].Op != graph.OpFunc || len(s.Params) == 0 {
			continue
		}
		fn, known := k.functionOf(knownType(c.l, s.Params[min(i, len(s.Params)-1)], recv.args, nil))
		if known && (fn == nil || c.f.Exprs[a].N != graph.AnyParams && len(fn.params) != len(c.f.List(c.f.Exprs[a].Kids))) {
			return false
		}
	}
	return true
}

// libraryCall is a call whose signature the table of the library says.
type libraryCall struct {
	k    *linker
	c    *filectx
	call int32
	sig  lang.Signature
	of   *typ
}

// libraryCallOf is call expression i of c, which calls member t of a value from outside.
func (k *linker) libraryCallOf(c *filectx, t *typ, i int32) (x libraryCall, ok bool) {
	if c == nil || i < 0 || c.l.Known == nil || t == nil || t.kind != tExternal || t.elem == nil {
		return x, false
	}
	recv := strip(t.elem)
	x = libraryCall{k: k, c: c, call: i}
	x.sig, x.of, ok = k.librarySignature(c, recv, lastName(t.name), &c.f.Exprs[i], 0)
	return x, ok
}

func (x *libraryCall) hole(i int) *typ {
	return &typ{kind: tHole, fc: x.c, expr: x.call<<3 | int32(i&7)}
}

// param is the type of parameter i.
func (x *libraryCall) param(i int) *typ {
	if n := len(x.sig.Params); n > 0 {
		return knownType(x.c.l, x.sig.Params[min(i, n-1)], x.of.args, x.hole)
	}
	return nil
}

// bound are the type arguments that follow from the arguments, of which argument but is left out.
func (x *libraryCall) bound(but int) env {
	bound := env{}
	for pass := range 2 { // functions after the values that tell their parameters
		for i, a := range x.c.f.List(x.c.f.Exprs[x.call].Kids) {
			function := a >= 0 && x.c.f.Exprs[a].Op == graph.OpFunc
			if i != but && a >= 0 && function == (pass == 1) {
				x.k.unifyArg(x.k.subst(x.param(i), bound, 0), x.k.value(x.c, a), bound)
			}
		}
	}
	return bound
}

// given is the type of parameter par of the function that is argument arg.
func (x *libraryCall) given(arg, par int) *typ {
	fn, _ := x.k.functionOf(x.param(arg))
	if fn == nil || par >= len(fn.params) {
		return nil
	}
	t := fn.params[par]
	if open(t, 0) {
		t = x.k.subst(t, x.bound(arg), 0)
	}
	return t
}

// result is what the call yields.
func (x *libraryCall) result() *typ {
	t := knownType(x.c.l, x.sig.Result, x.of.args, x.hole)
	if !open(t, 0) {
		return t
	}
	bound := x.bound(-1)
	for range 3 { // what is bound may be open, too
		if t = x.k.subst(t, bound, 0); !open(t, 0) {
			break
		}
	}
	return t
}
