package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// What plain functions of a language's library yield, and what they hand to the functions that they are
// called with, in terms of their arguments.

// functionName is the name of function t, from outside, in the tables of its language.
func functionName(t *typ) string {
	return strings.TrimPrefix(t.name[strings.LastIndexByte(t.name, '/')+1:], ".")
}

// ofFunction is what call e of the function t from outside yields in terms of its first argument, if its
// language tells of it.
func (k *linker) ofFunction(t *typ, c *filectx, e *graph.Expr) (lang.Yield, bool) {
	if c == nil || e == nil || len(c.f.List(e.Kids)) == 0 {
		return lang.NoYield, false
	}
	how, ok := c.l.Functions[functionName(t)]
	return how, ok
}

// joined is a sequence of the elements of all arguments of call e.
func (k *linker) joined(c *filectx, e *graph.Expr) *typ {
	var parts []*typ
	for _, a := range c.f.List(e.Kids) {
		_, elem := k.held(k.value(c, a))
		parts = append(parts, elem)
	}
	return sequence(union(parts...))
}

// handsOver is what the function that is an argument of a call gets as its parameter par, where a plain
// function from outside is called; expression i says so.
func (k *linker) handsOver(c *filectx, i int32, par int) *typ {
	t := strip(k.value(c, c.f.Exprs[i].X))
	if len(c.l.Passes) == 0 || t == nil || t.kind != tExternal || t.elem != nil {
		return nil
	}
	pass, call := c.l.Passes[functionName(t)], callOf(c.f, i)
	if par >= len(pass) || call < 0 || pass[par] == 0 {
		return nil
	}
	args, at := c.f.List(c.f.Exprs[call].Kids), int(pass[par]&^lang.PassElem)-1
	switch {
	case at >= len(args):
		return nil
	case pass[par]&lang.PassElem != 0:
		return k.element(k.value(c, args[at]), false, 0)
	}
	return k.value(c, args[at])
}
