package index

import (
	"path"
	"slices"
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

	conds       map[int32][]string // see conditionsOf
	conditioned bool
}

// filectx is a file as the linking of one file sees it, with what was worked out so far.
type filectx struct {
	*fileinfo

	values map[int32]*typ      // by expression
	types  map[int32]*typ      // by expression, as types
	busy   map[int64]bool      // what is being worked out
	mods   map[uint32][]module // by import

	starred bool    // wholes is known
	wholes  []int32 // see linker.stars

	included map[graph.FileID]bool // see linker.included
	order    []inclusion           // see linker.inclusions
	usings   []using               // see linker.inUsings
	alias    map[string]int32      // package names that differ from their import's guess
	makers   map[int32]bool        // symbols that have members
	built    map[string]bool       // see linker.builtIf
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
	t      *typ // known type of an external or builtin thing, of a member that of the type that has it
	self   *typ // of a member the type that was asked for it
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
	enums map[graph.Handle]bool // see isEnum
	at    uint32                // where the free name stands that is being looked up, see nameOf

	// How many searches are under way inside of one another, and how many the reference has taken.
	nested, searches int

	deep, cuts int                 // questions being answered, and those cut short by a circle
	partial    map[partialKey]*typ // answers that may lack a part, see once
	parts      map[string]int      // of pairs from outside, in the language of the linked file
	based      map[graph.Handle]*based
	wholes     map[graph.Handle]graph.Handle
	derivers   map[levelKey][]levelKey
	impls      *lang.Language // of the linked file, where it lets types from outside get members
	from       *lang.Language // of the linked file
	linked     *filectx
	site       standing                   // of what is being worked out, see assumed
	reach      map[graph.Handle]bool      // see inReach
	derefing   int                        // see derefs
	blankets   []blanketed                // see blanketsInReach
	handings   map[int32]*handing         // by the calls of the linked file
	askedOf    map[uint32][]uint32        // see namesAsked
	haveAll    map[uint32]*typ            // see havingAll
	spelt      map[string][]graph.ScopeID // see regionsOf
}

// maxSteps bounds the work on one reference, maxSearches the searches for it, maxNested those inside of one
// another: types and modules may stand for one another in circles of any kind.
const (
	maxSteps    = 4000
	maxSearches = 20000
	maxNested   = 100
)

// descend begins a search that may lead to others and in the end to itself, and reports whether it may
// go on; if so, ascend ends it.
func (k *linker) descend() bool {
	if k.nested >= maxNested || k.searches >= maxSearches {
		k.cuts++
		return false
	}
	k.nested++
	k.searches++
	return true
}

func (k *linker) ascend() { k.nested-- }

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
		if b, ok := k.inFile(c, name, nil); ok && (len(b.hs) == 0 || !k.isOwnObject(b.hs[0])) {
			return b
		}
		return ownModule(c)
	}
	if plain, ok := strings.CutSuffix(name, called); ok && c.l.MethodsApart && c.l.ImplicitThis {
		return k.bareMethod(c, plain)
	}
	if b, ok := k.inFile(c, name, nil); ok {
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
	if b, ok := k.everywhere(c, name); ok {
		return b
	}
	if b, ok := k.whereIncluded(c, name); ok {
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
	return k.outside(c, plain+called)
}

// outside is a name that nothing in the workspace explains. It leads outside where the file
// imports a whole module from there, or one whose path holds the name.
func (k *linker) outside(c *filectx, name string) binding {
	name, method := strings.CutSuffix(name, called)
	if c.l.Arity {
		name = plainName(name)
	}
	for i := range c.f.Imports {
		mod := c.f.Str(c.f.Imports[i].Module)
		if c.f.Imports[i].Flags&graph.Star != 0 && c.l.Known != nil && c.l.Known.Has(mod+"."+name) {
			return external(mod+"."+name, graph.NoModule)
		}
	}
	for i := range c.f.Imports {
		im := &c.f.Imports[i]
		mod := c.f.Str(im.Module)
		guess := im.Off == 0 && im.Local != 0 && im.Name == 0 && strings.Contains(path.Base(mod), name)
		if method && c.l.Phases && im.Flags&graph.StaticOf == 0 { // brings types
			continue
		}
		if (guess || im.Flags&graph.Star != 0) && len(k.modules(c, int32(i))) == 0 {
			return external(mod+"."+name, graph.NoModule)
		}
	}
	if c.l.AbsentIsExternal || c.l.LibraryFunction != nil && c.l.LibraryFunction(name) || c.l.LibraryMacros[name] != nil {
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
