package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// callee is the expression that names what is called, below type arguments.
func callee(f *graph.Facts, x int32) int32 {
	for f.Exprs[x].Op == graph.OpIndex && f.Exprs[x].X >= 0 {
		x = f.Exprs[x].X
	}
	return x
}

// ref resolves one reference; call is the expression that calls it, or -1.
func (k *linker) ref(c *filectx, e *graph.Expr, call int32) binding {
	var b binding
	switch e.Op {
	case graph.OpLocal:
		if s := c.f.Locals[e.X].Symbol; s >= 0 && c.l.Hides {
			return k.chosen(c, e, binding{hs: []graph.Handle{{File: c.id, Index: s}}, status: graph.Certain, reason: graph.ByScope}, call)
		} else if s >= 0 {
			return binding{hs: []graph.Handle{{File: c.id, Index: k.builtTwin(c, s)}}, status: graph.Certain, reason: graph.ByScope}
		}
		return k.localImport(c, c.f.Locals[e.X].Init)
	case graph.OpName:
		b = k.nameOn(c, e, mentioned(c, e, call))
		if c.l.TypesApart && e.Role == graph.Read {
			b = k.alikeNamed(c, e, b)
		}
		if c.l.ExternalLinkage && e.Role == graph.TypeUse && e.N == 0 && b.status == graph.Unresolved { // a tag that a macro is handed
			b = k.name(c, tagged+c.f.Str(e.Name), e.In)
		}
		if e.Role == graph.TypeUse {
			b = k.systemType(c, e, b)
		}
	case graph.OpMember:
		if c.l.Levels {
			b = k.message(c, e, call)
		} else {
			b = k.memberRef(c, e, mentioned(c, e, call))
		}
	case graph.OpSuper, graph.OpSelf:
		if c.l.Levels {
			b = k.superRef(c, e.In)
		} else {
			b = k.makerRef(c, e)
		}
	default:
		return unresolved(graph.Dynamic)
	}
	if c.l.ClosedModules && !b.found() && e.Op == graph.OpName {
		b = k.rootOrMacro(c, e, b)
	}
	if c.l.ClosedModules && b.found() && e.Op == graph.OpMember {
		b = k.ofSort(b, e.Role)
	}
	if len(b.hs) > 1 && !b.stands {
		b = k.byRole(b, e.Role)
	}
	if c.l.ExternalLinkage && e.Op == graph.OpName {
		b = k.lastDefined(c, c.f.Str(e.Name), e.Off, b)
	}
	if c.l.ExternalLinkage && k.forOthers(b.hs) {
		return external(c.f.Str(e.Name), graph.NoModule)
	}
	if c.l.Hides {
		if len(b.hs) > 0 && k.onlySpecialised(b.hs) {
			return external(c.f.Str(e.Name), graph.NoModule)
		}
		return k.chosen(c, e, b, call)
	}
	if len(b.hs) > 0 && call >= 0 && c.l.Overloads {
		b = k.byCall(c, b, &c.f.Exprs[call])
	}
	if (len(b.hs) == 1 || len(b.hs) > 1 && c.l.Merges) && call >= 0 && e.Role == graph.Call && (c.l.CallMakes || c.f.Exprs[call].Op == graph.OpNew) {
		b = k.making(c, b, &c.f.Exprs[call])
	}
	return b
}

// chosen is what a mention means of the overloads and constructors behind its name.
func (k *linker) chosen(c *filectx, e *graph.Expr, b binding, call int32) binding {
	switch {
	case e.Role == graph.Call && call >= 0:
		if !converts(c, call) && !k.unmade(c, call, b) {
			b = k.made(c, b, &c.f.Exprs[call])
		}
		if b.reason != graph.ByConstructor {
			b = k.calledOf(c, b, &c.f.Exprs[call])
		}
	}
	return b
}

// converts reports whether a call of a type with one argument converts it.
func converts(c *filectx, call int32) bool {
	e := &c.f.Exprs[call]
	return e.Op == graph.OpCall && e.N == 2
}

// localImport is what a name that a function imports for itself means; init is the import, or
// one for each of several conditions.
func (k *linker) localImport(c *filectx, init int32) binding {
	b := unresolved(graph.NotFound)
	if init < 0 {
		return b
	}
	e := &c.f.Exprs[init]
	switch e.Op {
	case graph.OpImport:
		return k.imported(c, e.X, nil)
	case graph.OpMember:
		return k.memberRef(c, e, spelled(c, e))
	case graph.OpUnion:
		for _, kid := range c.f.List(e.Kids) {
			if b = k.localImport(c, kid); b.found() {
				break
			}
		}
	}
	return b
}

// memberRef resolves the name after a dot by the type of what stands before it.
func (k *linker) memberRef(c *filectx, e *graph.Expr, name string) binding {
	if b, ok := k.qualified(c, e); ok {
		return b
	}
	if k.isOwnModule(c, e) {
		return ownModule(c)
	}
	t := strip(k.value(c, e.X))
	if e.N == graph.MeansField {
		return k.fieldOf(c, e)
	}
	if e.N > 0 && e.N != graph.MeansCallable && e.N != graph.MeansDefinition && e.Applied() == 0 { // the key of a literal: a field, or any name in scope
		if hits := k.member(t, name); len(hits) > 0 {
			return k.fromMembers(hits)
		}
		if e.N == 1 && (t == nil || t.kind != tNamed || k.underlying(t) != nil) {
			b := k.name(c, name, e.In)
			if t != nil && t.kind == tExternal && !k.holdsValue(b) { // no key of a map: a field
				return external(t.name+"."+name, graph.NoModule)
			}
			return b
		}
		return binding{status: graph.External, reason: graph.NoType}
	}
	if t == nil {
		return unresolved(graph.NoType)
	}
	if hits := k.extended(c, e, t, name); len(hits) > 0 {
		return k.fromMembers(hits)
	}
	if u := k.moduleNamed(c, t); u != nil {
		t = u
	}
	if k.nullMember(t, name) >= 0 {
		return external(name, graph.Builtin)
	}
	switch t.kind {
	case tModule, tPack:
		return k.fromSpace(c, t, name)
	case tExternal, tBuiltin:
		if hits := k.member(t, name); len(hits) > 0 {
			return k.declared(c, k.fromMembers(hits), name)
		}
		return external(t.name+"."+name, graph.NoModule)
	case tMeta:
		if _, s := k.sym(t.h); s != nil && (s.Kind == graph.Module || s.Kind == graph.Namespace) {
			return k.memberOfModule(t, name)
		}
	case tArray, tDict, tChan, tTuple, tFunc:
		if hits := k.member(t, name); len(hits) > 0 && (c.l.TraitsDeclare || t.kind == tDict) {
			return k.declared(c, k.fromMembers(hits), name)
		}
		return external(t.name+"."+name, graph.NoModule)
	}
	hits := k.apart(k.member(t, name), e.Role == graph.Call)
	if len(hits) == 0 {
		if t.kind == tCallable && slices.Contains(c.l.Rebinds, name) || slices.Contains(c.l.Later, name) {
			return external(name, graph.Builtin)
		}
		if slices.Contains(c.l.TopMembers, c.f.Str(e.Name)) || k.leadsOut(t, map[graph.Handle]bool{}, 0) {
			return external(name, graph.ByInheritance)
		}
		for _, m := range c.l.Missing {
			if len(k.member(t, callKey(c.l, m))) > 0 {
				return unresolved(graph.Dynamic)
			}
		}
		return unresolved(graph.NotFound)
	}
	b := k.fromMembers(hits)
	if c.l.Promote && c.l.ExternalLinkage && hits[0].recv != nil {
		if via := k.throughMacros(t, hits, name); via != nil {
			b.hs = append(via, b.hs...)
			b.stands = true
		}
	}
	if c.l.AssignedModules && len(b.hs) == 1 {
		b.hs = k.exportedAs(b.hs[0])
		b.stands = len(b.hs) > 1
	}
	if b.reason == graph.ByReceiver {
		b.reason = k.how(c, e.X)
	}
	return k.declared(c, b, name)
}

// holdsValue reports whether b names a variable or a constant.
func (k *linker) holdsValue(b binding) bool {
	if len(b.hs) == 0 {
		return false
	}
	_, s := k.sym(b.hs[0])
	return s != nil && !s.Kind.Type() && !s.Kind.Callable()
}

// exportedAs is what a module exports as member h of its value: behind a member that names it by itself,
// as in `{ name }`, what it names.
func (k *linker) exportedAs(h graph.Handle) []graph.Handle {
	c, s := k.sym(h)
	if s == nil || s.Kind != graph.Field || s.Init < 0 || s.Container < 0 {
		return []graph.Handle{h}
	}
	e, of := &c.f.Exprs[s.Init], &c.f.Symbols[s.Container]
	if e.Op != graph.OpName || of.Flags&graph.Default == 0 || e.Off != s.NameOff {
		return []graph.Handle{h}
	}
	b := k.name(c, c.f.Str(e.Name), inOf(c, e))
	if b.status != graph.Certain || len(b.hs) != 1 {
		return []graph.Handle{h}
	}
	if _, t := k.sym(b.hs[0]); t == nil || !t.Kind.Callable() && !t.Kind.Type() {
		return []graph.Handle{h}
	}
	return []graph.Handle{h, b.hs[0]}
}

// how says where the type of a receiver comes from.
func (k *linker) how(c *filectx, x int32) graph.Reason {
	e := &c.f.Exprs[x]
	switch e.Op {
	case graph.OpSelf, graph.OpSuper:
		return graph.BySelf
	case graph.OpLocal:
		if c.f.Locals[e.X].Type < 0 {
			return graph.ByInferred
		}
	case graph.OpName, graph.OpMember:
	default:
		return graph.ByInferred
	}
	return graph.ByReceiver
}

// leadsOut reports whether a member that was not found may be inherited from outside.
func (k *linker) leadsOut(t *typ, seen map[graph.Handle]bool, depth int) bool {
	if t = strip(t); t == nil || depth > 20 {
		return true
	}
	switch t.kind {
	case tNamed, tMeta, tSuper:
		h := k.whole(t.h)
		if seen[h] {
			return false
		}
		seen[h] = true
		if _, s := k.sym(t.h); s != nil && s.Kind == graph.Enum { // languages give them members
			return true
		}
		if u := k.underlying(t); u != nil {
			return k.leadsOut(u, seen, depth+1)
		}
		bs, known := k.bases(t)
		if !known {
			return true
		}
		for _, b := range bs {
			if k.leadsOut(b, seen, depth+1) {
				return true
			}
		}
		return false
	case tUnion:
		for _, p := range t.args {
			if k.leadsOut(p, seen, depth+1) {
				return true
			}
		}
		return false
	case tParam:
		l := &t.fc.f.Locals[t.expr]
		return l.Type >= 0 && k.leadsOut(k.typeExpr(t.fc, l.Type), seen, depth+1)
	case tCallable:
		return false
	}
	return true
}
