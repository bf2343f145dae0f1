package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Where classes define operators, applying one to a variable calls a member of what it holds, as a call of
// the variable itself does. What a call in a template calls depends on what the template is made for where
// the value that it is made on does, and then stands with that value, too.

// operators are the expressions of c that an operator is applied to which a class may define; nil where
// there are no such operators.
func (k *linker) operators(c *filectx) []bool {
	if c.l.Operators == "" {
		return nil
	}
	out := make([]bool, len(c.f.Exprs))
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.X < 0 || e.Role != graph.NoRole {
			continue
		}
		switch e.Op {
		case graph.OpDeref, graph.OpIndex:
			out[e.X] = true
		case graph.OpMember:
			out[e.X] = out[e.X] || strings.HasPrefix(c.f.Str(e.Name), c.l.Operators)
		}
	}
	return out
}

// dependents are the names in c on which a template's calls are made that depend on what it is made for.
func (k *linker) dependents(c *filectx) map[int32]bool {
	if c.l.Operators == "" {
		return nil
	}
	var out map[int32]bool
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.Op != graph.OpCall || e.X < 0 {
			continue
		}
		x := callee(c.f, e.X)
		if c.f.Exprs[x].Op != graph.OpMember {
			continue
		}
		first := firstOf(c.f, x)
		if first < 0 || !k.depends(c, e, x, first) {
			continue
		}
		if out == nil {
			out = map[int32]bool{}
		}
		out[first] = true
	}
	return out
}

// callsOn reports whether a name in that role, of what is in b, stands for a value or a type.
func (k *linker) callsOn(b binding, role graph.Role) bool {
	if len(b.hs) == 0 || role != graph.Read && role != graph.TypeUse {
		return false
	}
	_, s := k.sym(b.hs[0])
	return s != nil && s.Kind != graph.Namespace && s.Kind != graph.Macro
}

// firstOf is the name that the value begins with of which expression x is a member, or None.
func firstOf(f *graph.Facts, x int32) int32 {
	for at := f.Exprs[x].X; at >= 0; at = f.Exprs[at].X {
		switch e := &f.Exprs[at]; e.Op {
		case graph.OpName:
			return at
		case graph.OpMember, graph.OpIndex, graph.OpDeref, graph.OpCall:
		default:
			return graph.None
		}
	}
	return graph.None
}

// depends reports whether call e of c, of member x of a value that begins with the name first, depends on a
// template's parameters: the type of one of the values does, or one of several overloads takes such.
func (k *linker) depends(c *filectx, e *graph.Expr, x, first int32) bool {
	for at := c.f.Exprs[x].X; at >= 0; at = c.f.Exprs[at].X {
		if open(k.value(c, at), 0) || at == first && c.f.Exprs[at].Role == graph.TypeUse && open(k.typeExpr(c, at), 0) {
			return true
		}
		if at == first {
			break
		}
	}
	for _, a := range c.f.List(e.Kids) {
		if open(k.value(c, a), 0) {
			return len(k.member(k.value(c, c.f.Exprs[x].X), c.f.Str(c.f.Exprs[x].Name))) > 1
		}
	}
	return false
}

// operated reports whether an operator on expression i of c, which names what is in b, calls a member.
func (k *linker) operated(c *filectx, i int32, b binding) bool {
	if len(b.hs) != 1 {
		return false
	}
	if _, s := k.sym(b.hs[0]); s == nil || s.Kind != graph.Field && s.Kind != graph.Variable {
		return false
	}
	t := k.plainType(k.value(c, i))
	switch {
	case t == nil || open(t, 0):
		return false
	case t.kind == tNamed:
		return k.class(t)
	case t.kind == tExternal:
		last := lastName(t.name)
		return len(t.args) > 0 || slices.Contains(c.l.Operated, last) || len(c.l.LibraryBases[last]) > 0
	}
	return false
}
