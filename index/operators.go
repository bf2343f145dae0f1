package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Where classes define operators, applying one to a variable calls a member of what it holds, as a call of
// the variable itself does. What a call in a template calls depends on what the template is made for where
// the value that it is made on does, and then stands with that value, too.

// operators are, of the expressions of c, those that apply an operator which a class may define to them, less
// one; nil where there are no such operators.
func (k *linker) operators(c *filectx) []int32 {
	if c.l.Operators == "" {
		return nil
	}
	out := make([]int32, len(c.f.Exprs))
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.X < 0 || e.Role != graph.NoRole {
			continue
		}
		switch e.Op {
		case graph.OpDeref, graph.OpIndex:
			out[e.X] = int32(i) + 1
		case graph.OpMember:
			if out[e.X] == 0 && strings.HasPrefix(c.f.Str(e.Name), c.l.Operators) {
				out[e.X] = int32(i) + 1
			}
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

// operated reports whether operator op on expression i of c, which names what is in b, calls a member.
func (k *linker) operated(c *filectx, i, op int32, b binding) bool {
	if len(b.hs) != 1 {
		return false
	}
	if _, s := k.sym(b.hs[0]); s == nil || s.Kind != graph.Field && s.Kind != graph.Variable {
		return false
	}
	t := k.plainType(k.value(c, i))
	name := ""
	switch e := &c.f.Exprs[op]; e.Op {
	case graph.OpMember:
		name = c.f.Str(e.Name)
	case graph.OpIndex:
		name = c.l.IndexMembers[0]
	}
	must := slices.Contains(c.l.OwnOperators, name) || name == c.l.IndexMembers[0]
	switch {
	case t == nil || open(t, 0):
		return false
	case t.kind == tNamed:
		return k.class(t) && (!must || len(k.member(t, name)) > 0 || k.leadsOut(t, map[graph.Handle]bool{}, 0))
	case t.kind == tExternal:
		last := lastName(t.name)
		return (len(t.args) > 0 || slices.Contains(c.l.Operated, last) || len(c.l.LibraryBases[last]) > 0) && !slices.Contains(c.l.OwnOperators, name)
	}
	return false
}

// unmade reports whether call, of the type in b, makes a value without running a constructor that is known: which
// one runs depends on what a template is made for, or the values go to the fields one by one.
func (k *linker) unmade(c *filectx, call int32, b binding) bool {
	if !c.l.Hides || call < 0 || len(b.hs) == 0 {
		return false
	}
	_, s := k.sym(b.hs[0])
	if s == nil || !s.Kind.Type() {
		return false
	}
	x := &c.f.Exprs[call]
	if t := k.plainType(k.symbolType(b.hs[0])); t != nil && t.kind == tNamed {
		if _, s := k.sym(t.h); s != nil && (s.Kind == graph.Struct || s.Kind == graph.Union) && listed(x) && b.reason != graph.ByConstructor {
			for _, name := range c.l.Constructors {
				if len(k.own(t, name, graph.ByConstructor)) > 0 {
					return k.leftOpen(c, x)
				}
			}
			return true
		}
	}
	return k.leftOpen(c, x)
}

// listed reports whether a value is made of a list in braces, or of several values.
func listed(x *graph.Expr) bool {
	return x.Op == graph.OpNew && x.N == 0 || x.N > 2
}

// leftOpen reports whether the type of which x makes a value depends on a template's parameters.
func (k *linker) leftOpen(c *filectx, x *graph.Expr) bool {
	t := k.typeExpr(c, x.X)
	if t == nil || open(t, 0) {
		return t != nil
	}
	if t.kind != tNamed || len(t.args) > 0 || t.h.File != c.id {
		return false
	}
	within := false
	for in := x.In; in >= 0 && !within; in = c.f.Symbols[in].Container {
		within = in == t.h.Index || in == c.f.Symbols[t.h.Index].Container
	}
	for i := t.h.Index; within && i >= 0; i = c.f.Symbols[i].Container {
		if s := &c.f.Symbols[i]; s.Kind.Type() && s.TypeParams != 0 && s.Init < 0 {
			return true
		}
	}
	return false
}
