package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Universe is what linking may read: the keys that files export now, and the facts of files.
// It must be safe for several goroutines at once.
type Universe interface {
	Lookup(key graph.Key) []graph.Handle
	Facts(id graph.FileID) *graph.Facts
	File(id graph.FileID) *graph.File
}

// Link resolves the references of a file. It returns a link for each, and the sorted keys
// that it asked for, misses included: while their answers stay the same, so do the links.
//
// A reference is resolved by walking the file's own expressions: names outward through
// scopes, imports and packages, members through the types of what stands before them. A type
// comes from a declaration, an initializer, a result, or what a function returns; nothing is
// bound because its name fits.
func Link(u Universe, id graph.FileID) (*graph.Links, []graph.Key) {
	return NewLinker(u).Link(id)
}

// Linker links file after file of one universe, which must not change meanwhile. It keeps what
// it learns of files and serves one goroutine at a time.
type Linker struct {
	// Most is how many files it remembers; 0 means all.
	Most int

	u     Universe
	infos map[graph.FileID]*fileinfo
}

// NewLinker returns a linker for u.
func NewLinker(u Universe) *Linker {
	return &Linker{u: u, infos: map[graph.FileID]*fileinfo{}}
}

// Link resolves the references of a file, see the function of that name.
func (l *Linker) Link(id graph.FileID) (*graph.Links, []graph.Key) {
	if l.Most > 0 && len(l.infos) > l.Most {
		clear(l.infos)
	}
	k := &linker{u: l.u, infos: l.infos, asked: map[graph.Key][]graph.Handle{}, ctxs: map[graph.FileID]*filectx{}}
	links := &graph.Links{}
	if c := k.ctx(id); c != nil {
		k.parts, k.from, k.linked = c.l.Parts, c.l, c
		if c.l.FarMembers && (c.l.TraitsDeclare || c.l.OpenLibrary) {
			k.impls = c.l
		}
		k.linkImports(c, links)
		k.linkRefs(c, links)
	}
	reads := make([]graph.Key, 0, len(k.asked))
	for key := range k.asked {
		reads = append(reads, key)
	}
	slices.Sort(reads)
	return links, reads
}

func (k *linker) linkImports(c *filectx, links *graph.Links) {
	links.Imports = make([]graph.ImportLink, len(c.f.Imports))
	for i := range c.f.Imports {
		k.steps, k.searches = 0, 0
		im := &c.f.Imports[i]
		out := graph.ImportLink{Module: graph.NoFile, First: uint32(len(links.Targets)), Status: graph.External, Reason: graph.NoModule}
		if mods := k.modules(c, int32(i)); len(mods) > 0 {
			if out.Module = mods[0].file; !mods[0].t.isFolderModule() {
				out.Status, out.Reason = graph.Certain, graph.ByImport
			}
			if im.Name != 0 || im.Flags&graph.DefaultOf != 0 || mods[0].member != "" {
				b := k.imported(c, int32(i), nil)
				if c.l.ClosedModules {
					b = k.ofSort(b, graph.Import)
				}
				out.N = k.targets(links, b.hs)
				out.Status, out.Reason = b.status, b.reason
				if b.mod.isFolderModule() {
					out.Status, out.Reason = graph.External, graph.NoModule
				} else if b.mod != nil && b.mod.kind == tModule {
					links.Targets = append(links.Targets, graph.ModuleTarget(b.mod.h.File))
					out.N = 1
				}
			}
		}
		links.Imports[i] = out
	}
}

// declaredElsewhere reports whether b, what member e of c is found to be, is another definition than e.
func (k *linker) declaredElsewhere(c *filectx, e *graph.Expr, b binding) bool {
	if len(b.hs) == 0 {
		return false
	}
	_, s := k.sym(b.hs[0])
	return b.hs[0].File != c.id || s != nil && s.NameOff != e.Off
}

// targets appends the symbols hs to the links' targets.
func (k *linker) targets(links *graph.Links, hs []graph.Handle) uint16 {
	n := 0
	for _, h := range hs {
		c, s := k.sym(h)
		if s == nil || n >= maxTargets {
			continue
		}
		links.Targets = append(links.Targets, graph.Target{File: h.File, Hash: c.f.TargetHash(h.Index)})
		n++
	}
	return uint16(n)
}

// maxTargets bounds the targets of one reference; more candidates say nothing.
const maxTargets = 16

func (k *linker) linkRefs(c *filectx, links *graph.Links) {
	calls := make([]int32, len(c.f.Exprs))
	operators, dependents, handed := k.operators(c), k.dependents(c), handedOver(c)
	refs := 0
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if (e.Op == graph.OpCall || e.Op == graph.OpNew) && e.X >= 0 {
			calls[callee(c.f, e.X)] = int32(i) + 1
		}
		if e.Role != graph.NoRole {
			refs++
		}
	}
	links.Refs = make([]graph.Link, 0, refs)
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.Role == graph.NoRole {
			continue
		}
		k.steps, k.searches, k.site = 0, 0, standing{c, e.In, graph.None}
		call := calls[i] - 1
		a, given := handed[int32(i)]
		b, role, settled := binding{}, e.Role, false
		if given {
			b, role, settled = k.handedName(c, e, a)
		}
		if !settled {
			b, role = k.ref(c, e, call), e.Role
		}
		if e.Op == graph.OpMember && e.N == 2 && len(b.hs) == 0 {
			continue // the key of a literal that turns out to be a local
		}
		if e.Op == graph.OpMember && e.N == graph.MeansDefinition && !k.declaredElsewhere(c, e, b) {
			continue
		}
		made := c.l.CallMakes && !(c.l.Hides && call >= 0 && converts(c, call)) || call >= 0 && c.f.Exprs[call].Op == graph.OpNew
		made = made && !k.unmade(c, call, b)
		first := uint32(len(links.Targets))
		n := k.targets(links, b.hs)
		if b.mod.isFolderModule() { // there is nothing to point to
			b.status, b.reason = graph.External, graph.NoModule
		}
		if n == 0 && b.status != graph.External {
			if b.mod != nil { // the name of a module
				b.status = graph.Certain
				if b.mod.kind == tModule {
					links.Targets = append(links.Targets, graph.ModuleTarget(b.mod.h.File))
					n = 1
				}
			} else {
				b.status = graph.Unresolved
				if b.reason < graph.NotFound {
					b.reason = graph.NotFound
				}
			}
		}
		if (k.steps > maxSteps || k.searches >= maxSearches) && n == 0 {
			b.reason = graph.TooDeep
		}
		role = k.role(c, role, b, made)
		operated := operators != nil && operators[i] > 0 && (role == graph.Read || role == graph.Write) && k.operated(c, int32(i), operators[i]-1, b)
		if operated && role == graph.Read || dependents[int32(i)] && k.callsOn(b, role) {
			role = graph.Call
		}
		if given && role == graph.Read && k.calledByMacro(c, a, b) {
			role = graph.Call
		}
		also := graph.NoRole
		if operated && role == graph.Write {
			also = graph.Call
		}
		links.Refs = append(links.Refs, graph.Link{Expr: uint32(i), First: first, N: n, Status: b.status, Reason: b.reason, Role: role, Also: also})
	}
}

// role is how a name is used once it is known what it names: calling a type is a conversion
// unless it makes a value, mentioning one is no read, and a macro is used whatever it looks like.
func (k *linker) role(c *filectx, role graph.Role, b binding, made bool) graph.Role {
	if len(b.hs) == 0 {
		return role
	}
	_, s := k.sym(b.hs[0])
	switch {
	case s == nil:
	case s.Kind == graph.Macro && role != graph.Import:
		return graph.MacroUse
	case role == graph.Read && c.l.BareCalls && s.Kind.Callable() && s.Flags&graph.Computed != 0:
		return graph.Call
	case s.Kind == graph.EnumMember && role == graph.Call: // a value of an enum that holds others
		return graph.Read
	case role == graph.Call && c.l.TraitsDeclare && !s.Kind.Callable() && !s.Kind.Type(): // what it holds is called
		return graph.Read
	case s.Kind.Type() && (role == graph.Read || role == graph.Call && (!made || c.l.Hides && s.Kind == graph.Enum)):
		return graph.TypeUse
	}
	return role
}

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

// byRole keeps, of several symbols of one name, those that can stand in the role.
func (k *linker) byRole(b binding, role graph.Role) binding {
	var fit []graph.Handle
	for _, h := range b.hs {
		_, s := k.sym(h)
		if s == nil {
			continue
		}
		isType := s.Kind.Type()
		switch role {
		case graph.TypeUse, graph.Inherit:
			if isType {
				fit = append(fit, h)
			}
		case graph.Call:
			if s.Kind.Callable() || isType && s.Kind != graph.Interface && s.Kind != graph.TypeAlias || s.Kind == graph.Macro {
				fit = append(fit, h)
			}
		default:
			if !isType {
				fit = append(fit, h)
			}
		}
	}
	if len(fit) == 0 && role == graph.Call { // a variable that holds what is called
		for _, h := range b.hs {
			if _, s := k.sym(h); s != nil && s.Kind != graph.Interface && s.Kind != graph.TypeAlias {
				fit = append(fit, h)
			}
		}
	}
	if len(fit) == 0 || k.allLeftOut(fit) {
		fit = b.hs
	}
	b.hs = k.soleOrNot(fit, role == graph.Read || role == graph.Write)
	return b
}

// soleOrNot keeps, of a type and an object of one name, the object for a value and the type for
// anything else.
func (k *linker) soleOrNot(hs []graph.Handle, value bool) []graph.Handle {
	var fit []graph.Handle
	sole := 0
	for _, h := range hs {
		_, s := k.sym(h)
		if s == nil || !s.Kind.Type() {
			return hs
		}
		if s.Flags&graph.Sole != 0 {
			sole++
		}
		if s.Flags&graph.Sole != 0 == value {
			fit = append(fit, h)
		}
	}
	if sole == 0 || len(fit) == 0 {
		return hs
	}
	return fit
}

// byCall chooses among overloads by what the call passes.
func (k *linker) byCall(c *filectx, b binding, call *graph.Expr) binding {
	var hits []hit
	takers := 0
	for _, h := range b.hs {
		sc, s := k.sym(h)
		if s == nil || !s.Kind.Callable() {
			return b
		}
		n := int(call.N) - 1
		if _, ok := k.extendee(c, &c.f.Exprs[callee(c.f, call.X)], s); ok {
			n++
		}
		if takes(sc, s, n) {
			takers++
		}
		hits = append(hits, hit{h: h, recv: k.seenIn(c, &b, h)})
	}
	if c.l.Overloads && takers == 0 && call.N > 0 && k.outerOverload(c, call) {
		return external(c.f.Str(c.f.Exprs[call.X].Name), graph.ByInheritance)
	}
	if b.status == graph.Possible || len(hits) < 2 {
		return b
	}
	fit := k.overload(c, hits, call)
	if len(fit) == len(hits) && !c.l.Overloads {
		return b
	}
	b.hs = b.hs[:0:0]
	for _, x := range fit {
		b.hs = append(b.hs, x.h)
	}
	b.reason = graph.ByOverload
	if len(fit) > 1 && c.l.Overloads {
		b.status, b.reason = graph.Possible, graph.Ambiguous
	}
	return b
}

// seenIn is the type that has member h, as what was asked for it sees that type.
func (k *linker) seenIn(c *filectx, b *binding, h graph.Handle) *typ {
	if !c.l.Phases || b.self == nil {
		return nil
	}
	hc, s := k.sym(h)
	if s == nil || s.Container < 0 {
		return nil
	}
	return k.asBase(strip(b.self), graph.Handle{File: hc.id, Index: s.Container}, 0)
}

// outerOverload reports whether what the call names may have an overload outside the workspace.
func (k *linker) outerOverload(c *filectx, call *graph.Expr) bool {
	e := &c.f.Exprs[callee(c.f, call.X)]
	t := k.self(c, e.In)
	if e.Op == graph.OpMember {
		t = k.value(c, e.X)
	}
	return t != nil && k.leadsOut(t, map[graph.Handle]bool{}, 0)
}
