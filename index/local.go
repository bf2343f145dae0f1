package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

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
	case l.Flags&graph.Param != 0 && c.l.InheritTypes != nil && !isReceiver(c, l):
		return k.inheritedType(c, i, l)
	case l.Flags&graph.Narrowed != 0 && l.Type >= 0 && l.Init >= 0:
		return k.narrowTo(k.value(c, l.Init), k.typeExpr(c, l.Type))
	case l.Type >= 0:
		t := k.typeExpr(c, l.Type)
		if (t == nil || t.kind == tExternal) && l.Flags&graph.Param != 0 && l.Init >= 0 {
			if isReceiver(c, l) {
				return k.value(c, l.Init)
			}
		}
		return t
	case l.Init >= 0 && l.Flags&graph.Guessed != 0:
		return guessed(k.value(c, l.Init))
	case l.Init >= 0:
		return k.value(c, l.Init)
	}
	return nil
}

// isReceiver reports whether parameter l of c is what its function is run on.
func isReceiver(c *filectx, l *graph.Local) bool {
	if l.Init < 0 {
		return false
	}
	op := c.f.Exprs[l.Init].Op
	return op == graph.OpSelf || op == graph.OpSymbol
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
