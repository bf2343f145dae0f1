package index

import (
	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// What a macro does with what it is handed says what a name there means: it may call it, take it for a member of
// another argument or for the tag of a type, or make it a part of a name, so that it means nothing by itself.

// argument is argument n of a call.
type argument struct{ call, n int32 }

// handedOver are the plain names among the arguments of calls, in a language with macros.
func handedOver(c *filectx) map[int32]argument {
	if !c.l.ExternalLinkage {
		return nil
	}
	out := map[int32]argument{}
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.Op != graph.OpCall || e.X < 0 || c.f.Exprs[e.X].Op != graph.OpName {
			continue
		}
		for n, kid := range c.f.List(e.Kids) {
			if kid >= 0 && c.f.Exprs[kid].Op == graph.OpName && c.f.Exprs[kid].Role == graph.Read {
				out[kid] = argument{int32(i), int32(n)}
			}
		}
	}
	return out
}

// handing is a macro that is handed something: the parameters that it has in the workspace, or what the language
// knows of it.
type handing struct {
	c      *filectx
	call   *graph.Expr
	mc     *filectx
	params []int32
	known  []lang.Argument
}

// handing is the macro that argument a of the linked file is handed to, or nil.
func (k *linker) handing(c *filectx, a argument) *handing {
	m, ok := k.handings[a.call]
	if !ok {
		m = k.findHanding(c, a)
		if k.handings == nil {
			k.handings = map[int32]*handing{}
		}
		k.handings[a.call] = m
	}
	return m
}

func (k *linker) findHanding(c *filectx, a argument) *handing {
	call := &c.f.Exprs[a.call]
	callee := &c.f.Exprs[call.X]
	name := c.f.Str(callee.Name)
	b := k.name(c, name, callee.In)
	for _, h := range b.hs {
		mc, s := k.sym(h)
		if s == nil || s.Kind != graph.Macro {
			return nil
		}
		if params := mc.f.List(s.Params); len(params) > 0 {
			return &handing{c: c, call: call, mc: mc, params: params}
		}
	}
	if known := c.l.LibraryMacros[name]; len(b.hs) == 0 && known != nil {
		return &handing{c: c, call: call, known: known}
	}
	return nil
}

// handedName resolves name e, which is argument a of a macro's call, if the macro says what it means.
func (k *linker) handedName(c *filectx, e *graph.Expr, a argument) (b binding, role graph.Role, ok bool) {
	m := k.handing(c, a)
	if m == nil {
		return b, 0, false
	}
	name := c.f.Str(e.Name)
	switch tag, member := m.means(a.n); {
	case m.flags(a.n)&graph.Pasted != 0:
		return external(name, graph.NoModule), graph.Read, true
	case tag:
		return k.name(c, tagged+name, e.In), graph.TypeUse, true
	case member:
		t := strip(k.owner(m, a.n))
		if t == nil {
			return unresolved(graph.NoType), graph.Read, true
		}
		hits := k.member(t, name)
		if len(hits) == 0 {
			return unresolved(graph.NotFound), graph.Read, true
		}
		b = k.fromMembers(hits)
		b.hs = append(k.throughMacros(t, hits, name), b.hs...)
		return b, graph.Read, true
	}
	return b, 0, false
}

// flags are those of the macro's parameter n.
func (m *handing) flags(n int32) graph.LocalFlags {
	if int(n) >= len(m.params) {
		return 0
	}
	return m.mc.f.Locals[m.params[n]].Flags
}

// means reports whether the macro takes its argument n for a tag, or for a member.
func (m *handing) means(n int32) (tag, member bool) {
	if int(n) < len(m.known) {
		return m.known[n].Tag, m.known[n].Member
	}
	if int(n) >= len(m.params) {
		return false, false
	}
	if t := m.mc.f.Locals[m.params[n]].Type; t >= 0 {
		op := m.mc.f.Exprs[t].Op
		return op == graph.OpName, op == graph.OpMember
	}
	return false, false
}

// owner is the value of which argument n names a member.
func (k *linker) owner(m *handing, n int32) *typ {
	if m.known != nil {
		return k.operand(m, int32(m.known[n].Of), false)
	}
	return k.handedValue(m, m.mc.f.Exprs[m.mc.f.Locals[m.params[n]].Type].X)
}

// handedValue is the value of expression x of the macro's text.
func (k *linker) handedValue(m *handing, x int32) *typ {
	if x < 0 {
		return nil
	}
	switch e := &m.mc.f.Exprs[x]; e.Op {
	case graph.OpLocal:
		for n, p := range m.params {
			if p == e.X {
				return k.operand(m, int32(n), false)
			}
		}
	case graph.OpInstance:
		for n, p := range m.params {
			if e.X >= 0 && p == m.mc.f.Exprs[e.X].X {
				return k.operand(m, int32(n), true)
			}
		}
	case graph.OpMember:
		if t := strip(k.handedValue(m, e.X)); t != nil {
			if hits := k.member(t, m.mc.f.Str(e.Name)); len(hits) > 0 {
				return k.typeOfHit(hits[0])
			}
		}
	}
	return nil
}

// operand is the value of argument n of the call, or one of the type that it names.
func (k *linker) operand(m *handing, n int32, typed bool) *typ {
	args := m.c.f.List(m.call.Kids)
	if int(n) >= len(args) || args[n] < 0 {
		return nil
	}
	e := &m.c.f.Exprs[args[n]]
	tag, _ := m.means(n)
	if e.Op == graph.OpName && (tag || typed) {
		name := m.c.f.Str(e.Name)
		if !tag && e.N != tagName {
			if t := k.asType(k.name(m.c, name, e.In)); t != nil {
				return t
			}
		}
		return k.asType(k.name(m.c, tagged+name, e.In))
	}
	if t := k.value(m.c, args[n]); t != nil || !typed {
		return t
	}
	return k.typeExpr(m.c, args[n])
}

// calledByMacro reports whether the function that b means is what a macro calls: it is argument a of the macro.
func (k *linker) calledByMacro(c *filectx, a argument, b binding) bool {
	if len(b.hs) == 0 {
		return false
	}
	if _, s := k.sym(b.hs[0]); s == nil || s.Kind != graph.Function {
		return false
	}
	m := k.handing(c, a)
	return m != nil && m.flags(a.n)&graph.Called != 0
}
