package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Where classes define operators, applying one to a variable calls a member of what it holds, as a call of
// the variable itself does.

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
