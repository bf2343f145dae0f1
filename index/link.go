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
