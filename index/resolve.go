package index

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// fileinfo is what linking needs of a file whatever file is linked.
type fileinfo struct {
	id      graph.FileID
	path    string
	f       *graph.Facts
	l       *lang.Language
	sc      scopes
	variant int  // files for other systems rank behind those for the usual one
	test    bool // by its path
}

// filectx is a file as the linking of one file sees it, with what was worked out so far.
type filectx struct {
	*fileinfo

	values map[int32]*typ      // by expression
	types  map[int32]*typ      // by expression, as types
	busy   map[int64]bool      // what is being worked out
	mods   map[uint32][]module // by import

	included map[graph.FileID]bool // see linker.included
	usings   []using               // see linker.inUsings
	alias    map[string]int32      // package names that differ from their import's guess
	makers   map[int32]bool        // symbols that have members
}

// module is where an import leads: a file, or a scope that files share with a path in it.
type module struct {
	file   graph.FileID // NoFile for a scope
	scope  graph.ScopeID
	member string
	t      *typ // a module that is known as a value
}

// binding is what a name means: symbols, or a module.
type binding struct {
	hs     []graph.Handle
	mod    *typ
	t      *typ // known type of an external or builtin thing
	stands bool // the first symbol is just a name for the second
	status graph.Status
	reason graph.Reason
}

func (b *binding) found() bool { return len(b.hs) > 0 || b.mod != nil }

func unresolved(r graph.Reason) binding { return binding{status: graph.Unresolved, reason: r} }

func external(name string, r graph.Reason) binding {
	return binding{status: graph.External, reason: r, t: &typ{kind: tExternal, name: name}}
}

// linker links one file. It remembers each key it asked for, with the answer.
type linker struct {
	u     Universe
	infos map[graph.FileID]*fileinfo
	asked map[graph.Key][]graph.Handle
	ctxs  map[graph.FileID]*filectx
	steps int

	deep, cuts int                 // questions being answered, and those cut short by a circle
	partial    map[partialKey]*typ // answers that may lack a part, see once
	parts      map[string]int      // of pairs from outside, in the language of the linked file
	based      map[graph.Handle]*based
	wholes     map[graph.Handle]graph.Handle
	derivers   map[levelKey][]levelKey
	impls      *lang.Language // of the linked file, where it lets types from outside get members
	from       *lang.Language // of the linked file
	linked     *filectx
}

// maxSteps bounds the work on one reference.
const maxSteps = 4000

func (k *linker) look(key graph.Key) []graph.Handle {
	if hs, ok := k.asked[key]; ok {
		return hs
	}
	hs := k.u.Lookup(key)
	k.asked[key] = hs
	return hs
}

func (k *linker) ctx(id graph.FileID) *filectx {
	if c, ok := k.ctxs[id]; ok {
		return c
	}
	var c *filectx
	if in := k.info(id); in != nil {
		c = &filectx{fileinfo: in}
	}
	k.ctxs[id] = c
	return c
}

func (k *linker) info(id graph.FileID) *fileinfo {
	if in, ok := k.infos[id]; ok {
		return in
	}
	var in *fileinfo
	if file, f := k.u.File(id), k.u.Facts(id); file != nil && f != nil {
		if l := lang.Named(f.Language); l != nil {
			in = &fileinfo{id: id, path: file.Path, f: f, l: l, sc: scopesOf(file.Path, f), variant: int(f.Variant), test: l.IsTest(file.Path)}
			if l.Variant != nil {
				in.variant += int(l.Variant(file.Path))
			}
		}
	}
	k.infos[id] = in
	return in
}

func (k *linker) sym(h graph.Handle) (*filectx, *graph.Symbol) {
	c := k.ctx(h.File)
	if c == nil || h.Index < 0 || int(h.Index) >= len(c.f.Symbols) {
		return nil, nil
	}
	return c, &c.f.Symbols[h.Index]
}

// inOf is the symbol in which name e is looked up: what stands before a definition's name, like
// a decorator, sees the scope around it.
func inOf(c *filectx, e *graph.Expr) int32 {
	if c.l.ClassScope && e.In >= 0 && e.Off < c.f.Symbols[e.In].NameOff {
		return c.f.Symbols[e.In].Container
	}
	return e.In
}

// tagName is the N of a name that is a tag.
const tagName = 1

// name resolves a free name that stands in symbol in of c.
func (k *linker) name(c *filectx, name string, in int32) binding {
	if b, ok := k.inTypes(c, name, in); ok {
		return b
	}
	if name == c.l.OwnModule && name != "" {
		if b, ok := k.inFile(c, name, false); ok && (len(b.hs) == 0 || !k.isOwnObject(b.hs[0])) {
			return b
		}
		return ownModule(c)
	}
	if plain, ok := strings.CutSuffix(name, called); ok && c.l.MethodsApart && c.l.ImplicitThis {
		return k.bareMethod(c, plain)
	}
	if b, ok := k.inFile(c, name, false); ok {
		return b
	}
	if c.sc.space != c.sc.file {
		if b, ok := k.inSpace(c, name); ok {
			return b
		}
	}
	if c.l.OuterSpaces {
		if b, ok := k.inOuter(c, name, in); ok {
			return b
		}
	}
	if c.l.RootNames && !strings.HasSuffix(name, typed) {
		if b, ok := k.inRoot(c, name); ok {
			return b
		}
	}
	if b, ok := k.inStars(c, name, false, map[graph.FileID]bool{}); ok {
		return b
	}
	if b, ok := k.packageAlias(c, name); ok {
		return b
	}
	if b, ok := k.inEveryFile(c, name); ok {
		return b
	}
	if plain, ok := strings.CutSuffix(name, typed); ok && c.l.TypeSuffix != "" && !strings.HasSuffix(plain, c.l.TypeSuffix) {
		if b := k.name(c, typeKey(c.l, plain+c.l.TypeSuffix), in); b.found() {
			return b
		}
	}
	if t := k.spaceNamed(c, plainName(name), in); t != nil {
		return binding{mod: t, status: graph.Certain, reason: graph.ByPackage}
	}
	return k.predeclared(c, name)
}

// ownModule is the file of c as a module.
func ownModule(c *filectx) binding {
	t := &typ{kind: tModule, h: graph.Handle{File: c.id, Index: graph.FileItself}}
	return binding{mod: t, status: graph.Certain, reason: graph.ByModule}
}

// isOwnObject reports whether h stands for all that its file exports, without a name of its own.
func (k *linker) isOwnObject(h graph.Handle) bool {
	_, s := k.sym(h)
	return s != nil && s.Flags&graph.Anonymous != 0 && s.Flags&graph.Default != 0
}

// isOwnModule reports whether member expression e spells the file itself as a module.
func (k *linker) isOwnModule(c *filectx, e *graph.Expr) bool {
	if c.l.OwnModule == "" || e.X < 0 || c.f.Str(e.Name) != c.l.OwnModule {
		return false
	}
	x := &c.f.Exprs[e.X]
	return x.Op == graph.OpName && c.f.Str(x.Name) == c.l.OwnModuleOf && k.name(c, c.l.OwnModuleOf, x.In).reason == graph.Builtin
}

// predeclared is a name that no definition explains.
func (k *linker) predeclared(c *filectx, name string) binding {
	if c.l.ClosedModules { // the name of another program's root is known everywhere
		if t := k.placeOf(c, &graph.Imported{In: graph.None}, name); t != nil {
			return binding{mod: t, status: graph.Certain, reason: graph.ByModule}
		}
	}
	if t, ok := c.l.Builtins[name]; ok {
		return binding{status: graph.External, reason: graph.Builtin, t: &typ{kind: tBuiltin, name: name, elem: builtinResult(t)}}
	}
	return k.outside(c, name)
}

// bareMethod is a called name that no type around it has: only imported methods are left.
func (k *linker) bareMethod(c *filectx, plain string) binding {
	for _, h := range k.look(c.sc.file.Key(plain)) {
		if h.File != c.id || h.Index >= 0 || c.f.Imports[-1-h.Index].Flags&graph.StaticOf == 0 {
			continue
		}
		for _, m := range k.modules(c, -1-h.Index) {
			if b := k.inModule(m, plain+called, nil); b.found() {
				b.reason = graph.ByImport
				return b
			}
		}
		return external(plain, graph.NoModule)
	}
	if b, ok := k.inStars(c, plain+called, false, map[graph.FileID]bool{}); ok {
		return b
	}
	if slices.Contains(c.l.TopMembers, plain) {
		return external(plain, graph.Builtin)
	}
	return k.outside(c, plain)
}

// outside is a name that nothing in the workspace explains. It leads outside where the file
// imports a whole module from there, or one whose path holds the name.
func (k *linker) outside(c *filectx, name string) binding {
	for i := range c.f.Imports {
		im := &c.f.Imports[i]
		mod := c.f.Str(im.Module)
		if im.Flags&graph.Star != 0 && c.l.Known != nil && c.l.Known.Has(mod+"."+name) {
			return external(mod+"."+name, graph.NoModule)
		}
		guess := im.Off == 0 && im.Local != 0 && im.Name == 0 && strings.Contains(path.Base(mod), name)
		if (guess || im.Flags&graph.Star != 0) && len(k.modules(c, int32(i))) == 0 {
			return external(mod+"."+name, graph.NoModule)
		}
	}
	if c.l.AbsentIsExternal {
		return external(plainName(name), graph.NoModule)
	}
	return unresolved(graph.NotFound)
}

func builtinResult(name string) *typ {
	if name == "" {
		return nil
	}
	return &typ{kind: tBuiltin, name: name}
}

// inTypes looks a bare name up among the members of the types and namespaces around it.
func (k *linker) inTypes(c *filectx, name string, in int32) (binding, bool) {
	for s := in; s >= 0; s = c.f.Symbols[s].Container {
		y := &c.f.Symbols[s]
		switch {
		case y.Kind == graph.Namespace || y.Kind == graph.Module:
			if b, ok := k.inNamespace(c, s, name); ok {
				return b, true
			}
			if c.l.ClosedModules {
				return k.predeclared(c, name), true
			}
		case y.Kind.Callable() && c.l.Separator != "":
			if b, ok := k.starsOf(c, c.sc.members(s), name); ok {
				return b, true
			}
		case !y.Kind.Type() || y.Kind == graph.TypeAlias && !c.l.ImplicitThis:
		case y.Owner >= 0 && y.Flags&graph.Anonymous != 0: // a block of members of its owner
		case c.l.ImplicitThis:
			if m := k.member(named(graph.Handle{File: c.id, Index: s}), name); len(m) > 0 {
				return k.fromMembers(m), true
			}
		case c.l.ClassScope && (s == in || c.f.Symbols[in].Container == s && !c.f.Symbols[in].Kind.Callable()):
			if hs := k.inBody(k.look(c.sc.members(s).Key(name))); len(hs) > 0 {
				return k.bound(c, hs, graph.ByScope), true
			}
		}
		// The owner of a member defined elsewhere (Type::method) is around it, too.
		if y.Owner >= 0 && c.l.ImplicitThis && !c.l.PlainReceiver {
			if t := strip(k.typeExpr(c, y.Owner)); t != nil && t.kind == tNamed {
				if m := k.member(t, name); len(m) > 0 {
					return k.fromMembers(m), true
				}
				if c.l.Inclusion {
					if b, ok := k.aroundOwner(c, t, name); ok {
						return b, true
					}
				}
			}
		}
	}
	return binding{}, false
}

// inBody keeps, of a type's members, those that are names in its own body.
func (k *linker) inBody(hs []graph.Handle) []graph.Handle {
	var out []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || s.Flags&graph.AssignedMember == 0 {
			out = append(out, h)
		}
	}
	return out
}

// inFile looks a name up among what only this file sees: imports and file-local symbols (and
// all of a file module's symbols). From outside, a module's exports go first.
func (k *linker) inFile(c *filectx, name string, outside bool) (binding, bool) {
	hs := k.look(c.sc.file.Key(name))
	var symbols []graph.Handle
	var imports []int32
	for _, h := range hs {
		if h.File != c.id {
			continue
		}
		if h.Index >= 0 {
			symbols = append(symbols, h)
			continue
		}
		i := -1 - h.Index
		only := c.f.Imports[i].Flags&(graph.ExportOnly|graph.ReExport) != 0
		if c.f.Imports[i].Flags&graph.ExportOnly != 0 && !outside {
			continue
		}
		if only && outside {
			return k.imported(c, i, nil), true
		}
		imports = append(imports, i)
	}
	if len(symbols) > 0 {
		return k.bound(c, symbols, graph.ByScope), true
	}
	var miss binding
	for _, i := range imports {
		b := k.imported(c, i, nil)
		if b.found() && (!k.leftOut(b) || len(imports) == 1) {
			return b, true
		}
		if !miss.found() {
			miss = b
		}
	}
	if len(imports) > 0 {
		return miss, true
	}
	return binding{}, false
}

// inSpace looks a name up in the package or namespace that the file joins.
func (k *linker) inSpace(c *filectx, name string) (binding, bool) {
	hs := k.look(c.sc.space.Key(name))
	if c.l.Inclusion {
		if more := k.look(c.sc.space.Key(localName + name)); len(more) > 0 {
			hs = append(append([]graph.Handle(nil), hs...), more...)
		}
	}
	if len(hs) == 0 {
		return binding{}, false
	}
	if c.l.Inclusion {
		b := k.bound(c, hs, graph.ByLinkage)
		return b, b.found()
	}
	if c.l.ExternalLinkage {
		if b, ok := k.inStars(c, name, true, map[graph.FileID]bool{}); ok && !k.unlikelyMacro(b.hs) {
			return b, true
		}
		return k.linkage(c, hs), true
	}
	return k.bound(c, hs, graph.ByPackage), true
}

// inStars looks a name up in everything that the file imports whole.
func (k *linker) inStars(c *filectx, name string, localOnly bool, seen map[graph.FileID]bool) (binding, bool) {
	if c.l.Inclusion {
		return k.inUsings(c, name)
	}
	if seen[c.id] || len(seen) > 300 {
		return binding{}, false
	}
	seen[c.id] = true
	for _, h := range k.look(c.sc.file.Key(star)) {
		if h.File != c.id || h.Index >= 0 {
			continue
		}
		im := &c.f.Imports[-1-h.Index]
		for _, m := range k.modules(c, -1-h.Index) {
			if im.Flags&graph.Include != 0 {
				if b, ok := k.inInclude(m, name, localOnly, seen); ok {
					return b, true
				}
				continue
			}
			if b := k.inModule(m, name, map[graph.FileID]bool{}); b.found() {
				if c.l.Overloads && k.hidden(c, b) {
					continue
				}
				b.reason = graph.ByStar
				return b, true
			}
		}
	}
	return binding{}, false
}

// hidden reports whether b is private to another file.
func (k *linker) hidden(c *filectx, b binding) bool {
	for _, h := range b.hs {
		if _, s := k.sym(h); s == nil || h.File == c.id || s.Flags&graph.Private == 0 {
			return false
		}
	}
	return len(b.hs) > 0
}

func (k *linker) inInclude(m module, name string, localOnly bool, seen map[graph.FileID]bool) (binding, bool) {
	c := k.ctx(m.file)
	if c == nil || seen[m.file] {
		return binding{}, false
	}
	var own []graph.Handle
	for _, h := range k.look(c.sc.file.Key(name)) {
		if h.File == c.id && h.Index >= 0 {
			own = append(own, h)
		}
	}
	if len(own) > 0 {
		return k.bound(c, own, graph.ByInclude), true
	}
	return k.inStars(c, name, localOnly, seen)
}

// linkage chooses among the definitions with external linkage: those of the file itself, then
// definitions before declarations.
func (k *linker) linkage(c *filectx, hs []graph.Handle) binding {
	var own, defs []graph.Handle
	for _, h := range hs {
		hc, s := k.sym(h)
		if s == nil {
			continue
		}
		if s.Kind == graph.Namespace { // may be anywhere
			return k.bound(c, hs, graph.ByLinkage)
		}
		if s.Flags&graph.Conditional != 0 && s.Flags&graph.Declaration == 0 && slices.ContainsFunc(hs, k.likelyDefined) {
			continue
		}
		if hc.id == c.id && s.Flags&graph.Declaration == 0 {
			own = append(own, h)
		}
		if s.Flags&graph.Declaration == 0 {
			defs = append(defs, h)
		}
	}
	switch {
	case len(own) > 0:
		return k.bound(c, own, graph.ByScope)
	case len(defs) == 1:
		return k.bound(c, defs, graph.ByLinkage)
	case len(defs) > 1:
		b := k.bound(c, k.nearest(c, defs), graph.ByLinkage)
		b.status, b.reason = graph.Possible, graph.Ambiguous
		return b
	}
	return k.bound(c, k.nearest(c, hs), graph.ByLinkage)
}

// nearest orders handles by how close their files are in the tree.
func (k *linker) nearest(c *filectx, hs []graph.Handle) []graph.Handle {
	out := append([]graph.Handle(nil), hs...)
	near := func(h graph.Handle) int {
		f := k.u.File(h.File)
		if f == nil {
			return -1
		}
		return commonFolders(c.path, f.Path)
	}
	sort.SliceStable(out, func(i, j int) bool { return near(out[i]) > near(out[j]) })
	return out
}

func commonFolders(a, b string) int {
	n, depth := 0, 1+strings.Count(path.Dir(b), "/")
	for {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if !moreA || !moreB || x != y {
			if n == 0 && !moreA && !moreB { // both at the root
				n = 1
			}
			break
		}
		n, a, b = n+1, restA, restB
	}
	return n*8 - depth
}

// bound is a binding to symbols of which imports among them are followed.
func (k *linker) bound(c *filectx, hs []graph.Handle, r graph.Reason) binding {
	var out []graph.Handle
	var miss *binding
	for _, h := range hs {
		if h.Index < 0 {
			if hc := k.ctx(h.File); hc != nil && (!c.l.Inclusion || hc == c || hc.f.Imports[-1-h.Index].In >= 0 || k.included(c)[h.File]) {
				b := k.imported(hc, -1-h.Index, nil)
				if b.mod != nil {
					return b
				}
				out = append(out, b.hs...)
				miss = &b
			}
			continue
		}
		if h.Index != graph.FileItself {
			out = append(out, h)
		}
	}
	if len(out) == 0 && miss != nil {
		return *miss
	}
	if c.l.Inclusion {
		out = k.seen(c, out)
	}
	if len(out) > 1 && c.l.Homes != nil {
		out = k.atHome(c, out)
	}
	return binding{hs: k.order(c, out), status: graph.Certain, reason: r}
}

// atHome keeps, of copies of a type in several files, the file's own, else that of the file in which the
// language looks for it.
func (k *linker) atHome(c *filectx, hs []graph.Handle) []graph.Handle {
	byPath := map[string]graph.Handle{}
	name := ""
	for _, h := range hs {
		hc, s := k.sym(h)
		if s == nil || !s.Kind.Type() || s.Container >= 0 || byPath[hc.path] != (graph.Handle{}) {
			return hs
		}
		if hc.id == c.id {
			return []graph.Handle{h}
		}
		byPath[hc.path] = h
		if name = hc.f.Path(h.Index); hc.f.Package != "" {
			name = hc.f.Package + "." + name
		}
	}
	for _, p := range c.l.Homes(lang.ModuleQuery{From: c.path, Module: name, Config: k.config}) {
		if h, ok := byPath[p]; ok {
			return []graph.Handle{h}
		}
	}
	return hs
}

// order puts the likeliest of several definitions of one thing first: a definition before
// declarations, this file before others, files for every system before those for one.
func (k *linker) order(c *filectx, hs []graph.Handle) []graph.Handle {
	if len(hs) < 2 {
		return hs
	}
	if c.l.Merges && len(hs) > maxParts {
		hs = c.firstParts(hs)
	}
	rank := func(h graph.Handle) int {
		hc, s := k.sym(h)
		if s == nil {
			return 100
		}
		r := 0
		if s.Flags&graph.Declaration != 0 {
			r += 8
		}
		if s.Flags&graph.Conditional != 0 {
			r += 4
		}
		if s.Flags&graph.AssignedMember != 0 { // what declares it goes first
			r++
		}
		if s.Flags&graph.Sole != 0 { // its namesake is the type
			r++
		}
		if s.Flags&graph.Unbuilt != 0 {
			r += 64
		}
		if s.Kind == graph.TypeAlias && c.l.Inclusion { // hides a tag of its name
			r -= 12
		}
		if hc.id != c.id {
			r += 2
		}
		return r + 16*hc.variant
	}
	type placed struct {
		h          graph.Handle
		rank, near int
		path       string
	}
	all := make([]placed, len(hs))
	for i, h := range hs {
		all[i] = placed{h: h, rank: rank(h)}
		if f := k.u.File(h.File); f != nil {
			all[i].path = f.Path
			if c.l.Inclusion {
				all[i].near = commonFolders(c.path, f.Path)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		if a.path == b.path {
			return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.h.Index, b.h.Index))
		}
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.near, a.near), strings.Compare(a.path, b.path))
	})
	out := make([]graph.Handle, len(all))
	for i := range all {
		out[i] = all[i].h
	}
	return out
}

// firstParts are, of many declarations of one thing in the order of their files, the file's own and the first.
func (c *filectx) firstParts(hs []graph.Handle) []graph.Handle {
	out := make([]graph.Handle, 0, maxParts)
	for _, own := range []bool{true, false} {
		for _, h := range hs {
			if len(out) == maxParts {
				return out
			}
			if own == (h.File == c.id) {
				out = append(out, h)
			}
		}
	}
	return out
}

// qualified resolves a member expression that spells a package and a name in it in full.
func (k *linker) qualified(c *filectx, e *graph.Expr) (binding, bool) {
	if !c.l.Qualified {
		return binding{}, false
	}
	text := c.f.Str(e.Name)
	x := e
	for x.Op == graph.OpMember && x.X >= 0 {
		x = &c.f.Exprs[x.X]
		text = c.f.Str(x.Name) + "." + text
	}
	if x.Op != graph.OpName || x == e {
		return binding{}, false
	}
	if b := k.name(c, c.f.Str(x.Name), x.In); b.found() {
		return binding{}, false
	}
	for _, m := range k.moduleAt(c, &graph.Imported{}, text) {
		if m.member == "" {
			continue
		}
		if b := k.bound(c, k.look(scopeOf(m.scope, m.member)), graph.ByModule); len(b.hs) > 0 {
			return b, true
		}
	}
	if c.l.Known != nil && c.l.Known.Has(text) {
		return external(text, graph.NoModule), true
	}
	return binding{}, false
}

// packageAlias finds the import whose package calls itself otherwise than its path suggests.
func (k *linker) packageAlias(c *filectx, name string) (binding, bool) {
	if c.alias == nil {
		c.alias = map[string]int32{}
		k.look(c.sc.file.Key(everyImport))
		for i := range c.f.Imports {
			im := &c.f.Imports[i]
			if im.Off != 0 || im.Local == 0 || im.Name != 0 || c.l.Space == nil {
				continue
			}
			for _, m := range k.modules(c, int32(i)) {
				if p := k.packageName(m); p != "" && p != c.f.Str(im.Local) {
					c.alias[p] = int32(i)
				}
			}
		}
	}
	i, ok := c.alias[name]
	if !ok {
		return binding{}, false
	}
	return k.imported(c, i, nil), true
}

func (k *linker) packageName(m module) string {
	if m.file == graph.NoFile {
		return ""
	}
	if c := k.ctx(m.file); c != nil {
		return c.f.Package
	}
	return ""
}

// imported resolves import i of c to what it names.
func (k *linker) imported(c *filectx, i int32, seen map[graph.FileID]bool) binding {
	im := &c.f.Imports[i]
	name := importKey(c.l, im.Flags, c.f.Str(im.Name))
	if im.Module == 0 && !c.l.NestedSpaces { // an export of this file's own name under another
		b, _ := k.inFile(c, name, false)
		return b
	}
	mods := k.modules(c, i)
	if im.Flags&graph.DefaultOf != 0 {
		name = byDefault
	}
	ext := c.f.Str(im.Module)
	if im.Name != 0 {
		ext += "." + c.f.Str(im.Name)
	} else if name != "" {
		ext += "." + name
	}
	if len(mods) == 0 {
		return external(ext, graph.NoModule)
	}
	if name == "" && mods[0].member != "" { // a module that is a symbol
		if hs := k.look(scopeOf(mods[0].scope, mods[0].member)); len(hs) > 0 {
			if b := k.bound(c, hs, graph.ByImport); len(b.hs) > 0 {
				return b
			}
		}
	}
	if seen == nil {
		seen = map[graph.FileID]bool{}
	}
	if name == "" && im.Flags&graph.Assigned != 0 { // what the module was set to, if anything
		if b := k.inModule(mods[0], byDefault, seen); b.found() {
			b.reason = graph.ByImport
			return b
		}
	}
	if name == "" {
		return binding{mod: k.spelledModule(c, mods[0], c.f.Str(im.Module)), status: graph.Certain, reason: graph.ByImport}
	}
	for _, m := range mods {
		if b := k.inModule(m, name, seen); b.found() || b.status == graph.External {
			if b.status == graph.Certain {
				b.reason = graph.ByImport
			}
			return b
		}
	}
	if c.l.MethodsApart {
		for _, m := range mods {
			if b := k.inModule(m, name+called, seen); b.found() {
				b.reason = graph.ByImport
				return b
			}
		}
	}
	if b := k.subModule(c, im, name); b.found() {
		return b
	}
	if mods[0].t.isFolderModule() { // a package of that name may be outside, and found first
		return external(ext, graph.NoModule)
	}
	if full := strings.TrimPrefix(ext, "."); c.l.NestedSpaces && len(k.look(spaceKey(c.l, full))) > 0 {
		return binding{mod: k.spaceType(c, full), status: graph.Certain, reason: graph.ByImport}
	}
	if c.l.AbsentIsExternal {
		return external(ext, graph.NoModule)
	}
	return unresolved(graph.NotFound)
}

// subModule is the module of a name inside the module that an import names.
func (k *linker) subModule(c *filectx, im *graph.Imported, name string) binding {
	if c.l.SubModule == nil || name == "" {
		return binding{}
	}
	text := c.l.SubModule(c.f.Str(im.Module), name)
	f := k.moduleAt(c, im, text)
	if len(f) == 0 {
		return binding{}
	}
	return binding{mod: k.spelledModule(c, f[0], text), status: graph.Certain, reason: graph.ByImport}
}

// spelledModule is a module as a value that knows how c spells it, so that the modules inside
// it can be found.
func (k *linker) spelledModule(c *filectx, m module, text string) *typ {
	t := k.moduleType(c, m)
	if t == nil || t.kind != tModule || c.l.SubModule == nil {
		return t
	}
	n := *t
	n.name, n.fc = text, c
	return &n
}

// moduleMember looks a name up in the module that t is: what it offers, or a module inside it.
func (k *linker) moduleMember(t *typ, name string) binding {
	b := k.inModule(moduleOf(t), name, map[graph.FileID]bool{})
	if !b.found() && t.kind == tPack && t.fc != nil && t.fc.l.OuterSpaces {
		if s := k.innerSpace(t.fc, t.name, plainName(name)); s != nil {
			return binding{mod: s, status: graph.Certain, reason: graph.ByModule}
		}
	}
	if !b.found() && t.kind == tPack && t.fc != nil && t.fc.l.AbsentIsExternal {
		return external(t.name+"."+plainName(name), graph.NoModule)
	}
	if b.found() || b.status == graph.External || t.kind != tModule || t.fc == nil {
		return b
	}
	text := t.fc.l.SubModule(t.name, name)
	if f := k.moduleAt(t.fc, &graph.Imported{}, text); len(f) > 0 {
		return binding{mod: k.spelledModule(t.fc, f[0], text), status: graph.Certain, reason: graph.ByModule}
	}
	if t.isFolderModule() {
		return external(text, graph.NoModule)
	}
	return b
}

// moduleType is a module as a value.
func (k *linker) moduleType(c *filectx, m module) *typ {
	if m.t != nil {
		return m.t
	}
	if m.member != "" {
		if hs := k.look(scopeOf(m.scope, m.member)); len(hs) > 0 {
			if b := k.bound(c, hs, graph.ByImport); len(b.hs) > 0 {
				return k.typeOf(b.hs[0], nil)
			}
		}
	}
	if m.scope != 0 {
		return &typ{kind: tPack, pkg: m.scope, h: graph.Handle{File: m.file, Index: graph.FileItself}}
	}
	return &typ{kind: tModule, h: graph.Handle{File: m.file, Index: graph.FileItself}}
}

// scopeOf is the key of a dotted path of names in a scope.
func scopeOf(s graph.ScopeID, dotted string) graph.Key {
	if i := strings.LastIndexByte(dotted, '.'); i >= 0 {
		return s.Path(dotted[:i]).Key(dotted[i+1:])
	}
	return s.Key(dotted)
}

// inModule looks a name up among what a module offers.
func (k *linker) inModule(m module, name string, seen map[graph.FileID]bool) binding {
	if m.t != nil && m.t.kind != tModule {
		return k.memberOfModule(m.t, name)
	}
	if m.scope != 0 {
		s := m.scope.Path(m.member)
		hs := k.look(s.Key(name))
		if len(hs) == 0 {
			if m.member != "" { // static members of a type, inherited ones included
				if owner := k.look(scopeOf(m.scope, m.member)); len(owner) > 0 && owner[0].Index >= 0 {
					if found := k.member(named(owner[0]), name); len(found) > 0 {
						return k.fromMembers(found)
					}
				}
			}
			return unresolved(graph.NotFound)
		}
		c := k.ctx(hs[0].File)
		if c == nil {
			return unresolved(graph.NotFound)
		}
		if len(hs) > 1 && c.l.Homes != nil && k.linked != nil {
			hs = k.atHome(k.linked, hs)
		}
		return k.bound(c, hs, graph.ByModule)
	}
	c := k.ctx(m.file)
	if c == nil || seen[m.file] {
		return unresolved(graph.NotFound)
	}
	seen[m.file] = true
	defer delete(seen, m.file)
	if name == byDefault {
		if hs := k.look(c.sc.file.Key(byDefault)); len(hs) > 0 {
			b := k.bound(c, hs, graph.ByModule)
			if b.found() {
				return b
			}
		}
	}
	if b, ok := k.exported(c, name, seen); ok {
		if d := k.ofDefault(c, name); d.found() && !k.visible(b) {
			return d
		}
		return b
	}
	if c.sc.space != c.sc.file {
		if hs := k.look(c.sc.space.Key(name)); len(hs) > 0 {
			return k.bound(c, hs, graph.ByModule)
		}
	}
	if b := k.reExported(c, name, seen); b.found() || name == byDefault {
		return b
	}
	return k.ofDefault(c, name)
}

// ofDefault looks for a member of what a module was set to as a whole.
func (k *linker) ofDefault(c *filectx, name string) binding {
	hs := k.look(c.sc.file.Key(byDefault))
	if len(hs) == 0 || hs[0].Index < 0 || !c.l.AssignedModules {
		return unresolved(graph.NotFound)
	}
	if hits := k.member(k.typeOf(hs[0], nil), name); len(hits) > 0 {
		b := k.fromMembers(hits)
		if len(b.hs) == 1 {
			b.hs = k.exportedAs(b.hs[0])
			b.stands = len(b.hs) > 1
		}
		return b
	}
	return unresolved(graph.NotFound)
}

// leftOut reports whether b names what the usual build leaves out.
func (k *linker) leftOut(b binding) bool {
	if len(b.hs) == 0 {
		return false
	}
	_, s := k.sym(b.hs[0])
	return s != nil && s.Flags&graph.Unbuilt != 0
}

// visible reports whether what b names is seen outside its file under its own name.
func (k *linker) visible(b binding) bool {
	if len(b.hs) == 0 {
		return true
	}
	_, s := k.sym(b.hs[0])
	return s == nil || s.Flags&graph.Exported != 0
}

// exported looks for a name that the module itself declares or imports.
func (k *linker) exported(c *filectx, name string, seen map[graph.FileID]bool) (binding, bool) {
	var symbols []graph.Handle
	var imports []int32
	for _, h := range k.look(c.sc.file.Key(name)) {
		if h.File != c.id {
			continue
		}
		if h.Index >= 0 {
			symbols = append(symbols, h)
		} else if i := -1 - h.Index; c.f.Imports[i].Flags&(graph.ExportOnly|graph.ReExport) != 0 {
			imports = append([]int32{i}, imports...)
		} else {
			imports = append(imports, i)
		}
	}
	if len(imports) > 0 && c.f.Imports[imports[0]].Flags&graph.ExportOnly != 0 || len(symbols) == 0 {
		var left *binding
		for _, i := range imports {
			if b := k.imported(c, i, seen); b.found() || b.status == graph.External {
				if k.leftOut(b) && len(imports) > 1 {
					left = &b
					continue
				}
				return b, true
			}
		}
		if left != nil {
			return *left, true
		}
	}
	if len(symbols) > 0 {
		return k.bound(c, symbols, graph.ByModule), true
	}
	return binding{}, false
}

// reExported looks for a name in what the module exports of others.
func (k *linker) reExported(c *filectx, name string, seen map[graph.FileID]bool) binding {
	if name == byDefault {
		return unresolved(graph.NotFound)
	}
	lost := unresolved(graph.NotFound)
	for _, h := range k.look(c.sc.file.Key(star)) {
		if h.File != c.id || h.Index >= 0 {
			continue
		}
		i := -1 - h.Index
		if c.f.Imports[i].Flags&graph.Include != 0 {
			continue
		}
		mods := k.modules(c, i)
		if len(mods) == 0 {
			lost = external(c.f.Str(c.f.Imports[i].Module)+"."+name, graph.NoModule)
			lost.status, lost.t = graph.Unresolved, nil
		}
		for _, m := range mods {
			if b := k.inModule(m, name, seen); b.found() {
				return b
			}
		}
	}
	return lost
}

// modules are the places in the workspace where import i of c leads, best first.
func (k *linker) modules(c *filectx, i int32) []module {
	im := &c.f.Imports[i]
	key := uint32(i)
	if m, ok := c.mods[key]; ok {
		return m
	}
	if c.mods == nil {
		c.mods = map[uint32][]module{}
	}
	c.mods[key] = nil
	m := k.moduleAt(c, im, c.f.Str(im.Module))
	if len(m) == 0 && k.leads(c, im) {
		m = []module{{file: graph.NoFile, t: folderModule()}}
	}
	c.mods[key] = m
	return m
}

// leads reports whether another import of c finds a module inside the one that im names, so
// that this is a folder of modules.
func (k *linker) leads(c *filectx, im *graph.Imported) bool {
	if c.l.SubModule == nil || im.Module == 0 || im.Name != 0 {
		return false
	}
	inside := c.l.SubModule(c.f.Str(im.Module), "")
	for j := range c.f.Imports {
		if text := c.f.Str(c.f.Imports[j].Module); text != inside && strings.HasPrefix(text, inside) && len(k.placesOf(c, im, text)) > 0 {
			return true
		}
	}
	return false
}

// folderModule is a module that is a folder of modules and nothing else.
func folderModule() *typ {
	return &typ{kind: tModule, h: graph.Handle{File: graph.NoFile, Index: graph.FileItself}}
}

// isFolderModule reports whether t is one.
func (t *typ) isFolderModule() bool { return t != nil && t.kind == tModule && t.h.File == graph.NoFile }

func (k *linker) moduleAt(c *filectx, im *graph.Imported, text string) []module {
	if t, ok := k.pathModule(c, im, text); ok {
		if t == nil {
			return nil
		}
		if t.kind == tModule {
			return []module{{file: t.h.File}}
		}
		return []module{{file: graph.NoFile, t: t}}
	}
	return k.placesOf(c, im, text)
}

// placesOf are the places that the language proposes for a module.
func (k *linker) placesOf(c *filectx, im *graph.Imported, text string) []module {
	if c.l.Modules == nil {
		return nil
	}
	q := lang.ModuleQuery{From: c.path, Module: text, Import: im, Space: c.f.Package, File: k.isFile, Folder: k.isFolder, Base: k.withBase, Config: k.config}
	var out []module
	for _, cand := range c.l.Modules(q) {
		if m, ok := k.place(c, cand); ok {
			out = append(out, m)
		}
	}
	return out
}

func (k *linker) place(c *filectx, cand lang.Candidate) (module, bool) {
	switch {
	case cand.Path != "":
		for _, h := range k.look(pathScope.Key(cand.Path)) {
			if h.Index == graph.FileItself {
				return module{file: h.File, member: cand.Member}, true
			}
		}
	case cand.Dir != "":
		return k.folderPackage(c, cand.Dir)
	case cand.Folder != "":
		for _, h := range k.look(folderScope.Key(cand.Folder)) {
			if f := k.u.File(h.File); f != nil && f.Language == c.l.Name {
				return module{file: graph.NoFile, t: folderModule()}, true
			}
		}
	case cand.Space != "" && len(k.look(spaceKey(c.l, cand.Space))) == 0:
	case cand.Scope != 0:
		if cand.Member == "" || len(k.look(scopeOf(cand.Scope, cand.Member))) > 0 {
			return module{file: graph.NoFile, scope: cand.Scope, member: cand.Member}, true
		}
	}
	return module{}, false
}

// folderPackage is the package that the files of a folder share: that of the first file, by
// path, that is no test and in every build, else of the first that is no test, else of the first.
func (k *linker) folderPackage(c *filectx, dir string) (module, bool) {
	hs := k.look(folderScope.Key(dir)) // in the order of paths
	var some *filectx
	for _, tests := range []bool{false, true} {
		for _, h := range hs {
			f := k.u.File(h.File)
			if f == nil || f.Language != c.l.Name || f.Test != tests {
				continue
			}
			hc := k.ctx(h.File)
			if hc == nil || hc.sc.space == hc.sc.file && c.l.Space != nil {
				continue
			}
			if _, config := lang.ConfigScope(hc.f); config {
				continue
			}
			if some == nil {
				some = hc
			}
			if tests || hc.variant == 0 {
				some = hc
				break
			}
		}
		if some != nil {
			return module{file: some.id, scope: some.sc.space}, true
		}
	}
	return module{}, false
}

func (k *linker) isFile(p string) bool { return len(k.look(pathScope.Key(p))) > 0 }

func (k *linker) isFolder(p string) bool { return len(k.look(folderScope.Key(p))) > 0 }

func (k *linker) withBase(name string) []string {
	var out []string
	for _, h := range k.look(baseScope.Key(name)) {
		if f := k.u.File(h.File); f != nil {
			out = append(out, f.Path)
		}
	}
	sort.Strings(out)
	return out
}

func (k *linker) config(scope graph.ScopeID, name string) []lang.ConfigHit {
	var out []lang.ConfigHit
	for _, h := range k.look(scope.Key(name)) {
		f, facts := k.u.File(h.File), k.u.Facts(h.File)
		if f != nil && facts != nil && h.Index >= 0 && int(h.Index) < len(facts.Symbols) {
			out = append(out, lang.ConfigHit{Path: f.Path, Value: lang.ConfigValue(facts, h.Index)})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}
