package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// What functions and collections from outside the workspace hand on of what they are given.

// handedOn is what a function from outside the workspace hands the function that is argument arg of call e as its
// parameter par, where that is another argument or an element of one; nil otherwise.
func (k *linker) handedOn(c *filectx, t *typ, e *graph.Expr, arg, par int) *typ {
	if t == nil || t.kind != tExternal || e == nil {
		return nil
	}
	if i, ok := c.l.Components[lastName(t.name)]; ok && arg == 0 && par == 0 && i < len(t.args) {
		return t.args[i]
	}
	if t.elem == nil {
		return nil
	}
	args := c.f.List(e.Kids)
	switch {
	case par == 0 && arg == 0 && slices.Contains(c.l.Folds, lastName(t.name)):
		if len(t.args) == 1 {
			return t.args[0]
		}
		if len(args) > 1 && args[1] >= 0 {
			return k.value(c, args[1])
		}
		_, elem := k.held(t.elem)
		return elem
	case par == 0 && arg == 1 && len(args) > 1 && c.l.Functions[t.name] == lang.YieldListed:
		return k.element(k.value(c, args[0]), false, 0)
	}
	return nil
}

// folded is what a fold of a sequence yields: what it begins with, else what the function that is passed returns.
func (k *linker) folded(c *filectx, t *typ, e *graph.Expr) *typ {
	if len(t.args) == 1 {
		return t.args[0]
	}
	if e != nil {
		if args := c.f.List(e.Kids); len(args) > 1 {
			if r := k.value(c, args[1]); r != nil && (r.kind != tArray && r.kind != tDict || r.elem != nil) {
				return r
			}
		}
	}
	return k.returned(c, e)
}

// gathered are the type arguments that a collection from outside the workspace, of type t, gets from the first
// argument of the call e that makes it.
func (k *linker) gathered(c *filectx, t *typ, e *graph.Expr) *typ {
	args := c.f.List(e.Kids)
	if t == nil || t.kind != tExternal && t.kind != tBuiltin || len(t.args) > 0 || len(args) != 1 {
		return t
	}
	pairs := slices.Contains(c.l.Paired, t.name)
	if !pairs && !slices.Contains(c.l.Gathers, t.name) {
		return t
	}
	elem := k.element(k.value(c, args[0]), false, 0)
	if elem == nil {
		return t
	}
	n := &typ{kind: tExternal, name: t.name, args: []*typ{elem}}
	if pairs {
		n.args = []*typ{k.part(elem, 0), k.part(elem, 1)}
	}
	return n
}

// sequences are the parts of t that are sequences, or t itself where none is.
func sequences(t *typ) *typ {
	if t == nil || t.kind != tUnion {
		return t
	}
	var parts []*typ
	for _, p := range t.args {
		if q := strip(p); q != nil && (q.kind == tArray || q.kind == tTuple || q.kind == tExternal && len(q.args) == 1) {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return t
	}
	return union(parts...)
}
