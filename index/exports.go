package index

import (
	"path"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// The scopes of what every file exports besides its names.
var (
	pathScope   = graph.Scope("path", "")
	folderScope = graph.Scope("folder", "")
	baseScope   = graph.Scope("base", "")
)

// star is the name under which a file exports its wildcard imports, byDefault the one of a
// module's default export.
const (
	star      = "*"
	byDefault = "default"
	// everyImport is the name under which a file answers for all of its imports together.
	everyImport = "\x00imports"
	// everyBase is the name under which the declarations of a type that name bases answer, where a type
	// may have many.
	everyBase = "\x00bases"
	// everyName is the name under which a namespace answers for all files that have names in it.
	everyName = "\x00names"
	// everyMember is the name under which an interface answers for all of its members together.
	everyMember = "\x00members"
)

// tagged stands before names of a kind of their own: tags of types, see graph.Tag.
const tagged = "tag "

// Exports are the keys that the file at p answers: that it exists, its names in their
// scopes, and what it imports. f is nil for a file without facts.
func Exports(p string, f *graph.Facts) []graph.Export {
	self := graph.NewHash().String(p)
	if f != nil {
		self = self.String(f.Package)
	}
	shape := self.Sum()
	out := []graph.Export{
		{Key: pathScope.Key(p), Index: graph.FileItself, Shape: shape},
		{Key: folderScope.Key(path.Dir(p)), Index: graph.FileItself, Shape: shape},
		{Key: baseScope.Key(path.Base(p)), Index: graph.FileItself, Shape: shape},
	}
	if f == nil {
		return out
	}
	return exportNames(exportSpaces(out, lang.Named(f.Language), f, shape), p, f)
}

func exportNames(out []graph.Export, p string, f *graph.Facts) []graph.Export {
	x := &exporter{l: lang.Named(f.Language), path: p, f: f, sc: scopesOf(p, f), owners: map[ownerPlace]graph.ScopeID{},
		sh: shaper{f: f, seen: map[int32]bool{}, conds: conditions(f)}}
	if x.l == nil {
		x.l = &lang.Language{}
	}
	x.out = exportBuild(out, x.l, p, f)
	for i := range f.Symbols {
		x.symbol(int32(i))
	}
	x.out = append(x.out, x.sc.interfaces()...)
	imports := graph.NewHash()
	for i := range f.Imports {
		imports = imports.Int(x.imported(int32(i))).Int(uint64(min(f.Imports[i].Off, 1)))
	}
	if len(f.Imports) > 0 {
		x.add(x.sc.file.Key(everyImport), graph.FileItself, imports.Sum())
	}
	return x.out
}

// exporter gathers the keys under which a file answers.
type exporter struct {
	l      *lang.Language
	path   string
	f      *graph.Facts
	sc     scopes
	sh     shaper
	owners map[ownerPlace]graph.ScopeID
	out    []graph.Export
}

// ownerPlace is what the scope of a symbol hangs on.
type ownerPlace struct {
	container int32
	qual      uint32
	base      graph.ScopeID
}

func (x *exporter) add(key graph.Key, index int32, shape uint64) {
	x.out = append(x.out, graph.Export{Key: key, Index: index, Shape: shape})
}

// symbol adds the keys of a definition.
func (x *exporter) symbol(i int32) {
	l, f, s := x.l, x.f, &x.f.Symbols[i]
	scope, shape := x.owner(i), x.sh.symbol(i)
	if l.FarMembers {
		if o := ownerExpr(f, i); o >= 0 {
			scope = farScope(l, ownerName(f, o))
			if l.ExtendsTypes && s.Container < 0 {
				x.add(x.sc.base(i).Key(f.Str(s.Name)), i, shape)
			}
		}
	}
	name := symbolKey(l, s.Kind, keyName(l, f, i))
	if s.Flags&graph.Tag != 0 { // a tag leads to its definition from any file
		name = tagged + name
		if s.Flags&graph.NestedDef == 0 {
			x.add(x.sc.space.Key(name), i, shape)
		}
	}
	x.out = x.sc.forIncluders(x.out, l, x.path, i, shape)
	x.out = x.sc.inRegions(x.out, l, i, shape)
	switch {
	case s.Kind == graph.Namespace && s.Flags&graph.Anonymous != 0:
	case l.FarMembers && l.Inclusion && s.Kind == graph.Constructor:
		x.add(scope.Key(lang.ConstructorName), i, shape)
	default:
		x.add(scope.Key(name), i, shape)
		x.besides(i, scope, name, shape)
	}
}

// owner is the scope that a definition is a name of.
func (x *exporter) owner(i int32) graph.ScopeID {
	s := &x.f.Symbols[i]
	at := ownerPlace{s.Container, s.Qual, x.sc.base(i)}
	scope, ok := x.owners[at]
	if !ok || s.Container < 0 {
		scope = x.sc.owner(i)
		x.owners[at] = scope
	}
	return scope
}

// besides adds the keys of a definition for those who look for it from elsewhere than its scope.
func (x *exporter) besides(i int32, scope graph.ScopeID, name string, shape uint64) {
	l, f, s := x.l, x.f, &x.f.Symbols[i]
	if s.Container >= 0 && l.Contextual && s.Kind.Type() && f.Symbols[s.Container].Kind == graph.Module {
		x.add(augments.Key(name), i, shape)
	}
	if l.TypesApart && s.Kind.Type() {
		x.add(scope.Key(typeKey(l, name)), i, shape)
	}
	if s.Kind == graph.Macro && l.ClosedModules {
		x.add(graph.Scope("macro", l.Name).Key(name), i, shape)
	}
	if l.UniqueNames && s.Flags&graph.NestedDef == 0 && (s.Kind.Callable() || s.Kind == graph.Property) {
		x.add(nameScope(l).Key(name), i, shape)
	}
	if l.Merges && s.Bases != 0 && s.Flags&graph.NestedDef == 0 {
		x.add(x.sc.members(i).Key(everyBase), i, shape)
	}
	if l.Levels && typeLikeKind(l, s) {
		x.out = exportBases(x.out, l, f, i, shape)
	}
	if s.Flags&graph.Extension != 0 {
		x.add(extensions(l).Key(name), i, shape)
	}
	if s.Flags&graph.Default != 0 {
		x.add(x.sc.file.Key(byDefault), i, shape)
	}
}

// imported adds the keys of an import and returns its shape.
func (x *exporter) imported(i int32) uint64 {
	l, f, im := x.l, x.f, &x.f.Imports[i]
	shape := x.sh.conditions(graph.NewHash().Int(x.sh.imported(im)), graph.ConditionOfImport(i), im.In).Sum()
	local := f.Str(im.Local)
	if im.Flags&graph.EveryFile != 0 {
		name := star
		if im.Local != 0 {
			name = local
		}
		x.add(everyFile(l).Key(name), -1-i, shape)
		if l.TypesApart && name != star {
			x.add(everyFile(l).Key(typeKey(l, name)), -1-i, shape)
		}
	}
	scope := x.sc.file
	if im.In >= 0 && l.Separator != "" {
		scope = x.sc.members(im.In)
	}
	if im.Flags&graph.Star != 0 && im.Local == 0 || im.Flags&graph.Include != 0 {
		x.add(scope.Key(star), -1-i, shape)
	}
	if im.Local != 0 && (im.In < 0 || scope != x.sc.file && !f.Symbols[im.In].Kind.Callable()) {
		x.add(scope.Key(importKey(l, im.Flags, local)), -1-i, shape)
		if l.TypesApart {
			x.add(scope.Key(typeKey(l, local)), -1-i, shape)
		}
		if l.Inclusion && im.In < 0 { // for those that include it
			x.add(x.sc.space.Key(local), -1-i, shape)
		}
	}
	return shape
}

// interfaces answer for their members together.
func (sc *scopes) interfaces() []graph.Export {
	var out []graph.Export
	members := map[int32]graph.Hash{}
	for i := range sc.f.Symbols {
		y := &sc.f.Symbols[i]
		if y.Kind == graph.Interface {
			members[int32(i)] = graph.NewHash()
		} else if h, ok := members[y.Container]; ok {
			members[y.Container] = h.String(sc.f.Str(y.Name)).Int(uint64(y.Kind)).Int(uint64(y.Flags)).Int(uint64(min(y.Body, 1)))
		}
	}
	for i := range sc.f.Symbols {
		if h, ok := members[int32(i)]; ok {
			out = append(out, graph.Export{Key: sc.members(int32(i)).Key(everyMember), Index: int32(i), Shape: h.Sum()})
		}
	}
	return out
}

// scopes are where a file's definitions are looked up.
type scopes struct {
	f           *graph.Facts
	l           *lang.Language
	file, space graph.ScopeID
	every       graph.ScopeID // of what all files see, if there is such
	shared      bool          // what only this file sees is in the shared space, too
}

func scopesOf(p string, f *graph.Facts) scopes {
	sc := scopes{f: f, l: lang.Named(f.Language), file: lang.FileScope(p)}
	sc.space = sc.file
	if config, ok := lang.ConfigScope(f); ok {
		sc.space = config
	} else if l := sc.l; l != nil {
		sc.space, sc.every, sc.shared = l.SpaceOf(p, f), l.EverySpace, l.Inclusion
	}
	return sc
}

// base is the scope from which the path of names of symbol i starts: the file's own for what
// only the file sees, else the namespace that it shares.
func (sc *scopes) base(i int32) graph.ScopeID {
	for k := i; k >= 0; k = sc.f.Symbols[k].Container {
		if f := sc.f.Symbols[k].Flags; f&graph.NestedDef != 0 || f&graph.FileLocal != 0 && !sc.shared {
			return sc.file
		} else if f&graph.Everywhere != 0 {
			return sc.every
		}
	}
	return sc.space
}

// owner is the scope in which symbol i is a member.
func (sc *scopes) owner(i int32) graph.ScopeID {
	if sc.l != nil && sc.l.Arity {
		if in := sc.f.Symbols[i].Container; in >= 0 {
			return sc.members(in)
		}
	}
	return sc.base(i).Path(sc.f.Str(sc.f.Symbols[i].Qual))
}

// members is the scope of the members of symbol i.
func (sc *scopes) members(i int32) graph.ScopeID {
	if sc.l != nil && sc.l.Arity {
		return sc.owner(i).Sub(sc.f.Part(i, keyName(sc.l, sc.f, i)))
	}
	return sc.base(i).Path(sc.f.Scope(i))
}

// shaper hashes all that a reader of a symbol may see: not its place, not its text, but
// its kind, its types and the expressions that its type may be inferred from.
type shaper struct {
	f    *graph.Facts
	seen map[int32]bool // locals being expanded

	conds map[int32][]string // of symbols and imports
}

func (s *shaper) symbol(i int32) uint64 {
	clear(s.seen)
	y := &s.f.Symbols[i]
	h := graph.NewHash().Int(uint64(y.Kind)).Int(uint64(y.Flags)).Int(uint64(y.Ordinal)).String(s.f.Path(i))
	h = s.expr(h, y.Type, 0)
	h = s.expr(h, y.Init, 0)
	h = s.expr(h, y.Owner, 0)
	for _, list := range [...]uint32{y.Params, y.TypeParams} {
		ids := s.f.List(list)
		h = h.Int(uint64(len(ids)))
		for _, l := range ids {
			h = s.local(h, l, 0)
		}
	}
	for _, list := range [...]uint32{y.Bases, y.Returns} {
		h = s.exprs(h, s.f.List(list), 0)
	}
	return s.conditions(h, i, y.Container).Sum()
}

// conditions adds the conditions of what x is about and of the symbols around it, from in outward.
func (s *shaper) conditions(h graph.Hash, x, in int32) graph.Hash {
	if x >= 0 && s.f.Symbols[x].Kind == graph.Macro {
		for i := range s.f.Exprs {
			if e := &s.f.Exprs[i]; e.Op == graph.OpBuilt && e.N == graph.SetsCondition && e.X == x {
				h = h.String(s.f.Str(e.Name))
			}
		}
	}
	for len(s.conds) > 0 {
		for _, cond := range s.conds[x] {
			h = h.String(cond)
		}
		if in < 0 {
			break
		}
		x, in = in, s.f.Symbols[in].Container
	}
	return h
}

func (s *shaper) imported(im *graph.Imported) uint64 {
	return graph.NewHash().String("import").String(s.f.Str(im.Module)).String(s.f.Str(im.Name)).String(s.f.Str(im.Local)).Int(uint64(im.Flags)).Sum()
}

func (s *shaper) local(h graph.Hash, i int32, depth int) graph.Hash {
	l := &s.f.Locals[i]
	h = h.String(s.f.Str(l.Name)).Int(uint64(l.Flags))
	if s.seen[i] {
		return h
	}
	s.seen[i] = true
	h = s.expr(h, l.Type, depth+1)
	h = s.expr(h, l.Init, depth+1)
	if l.Symbol >= 0 {
		h = h.String(s.f.Path(l.Symbol))
	}
	return h
}

func (s *shaper) exprs(h graph.Hash, ids []int32, depth int) graph.Hash {
	h = h.Int(uint64(len(ids)))
	for _, e := range ids {
		h = s.expr(h, e, depth)
	}
	return h
}

func (s *shaper) expr(h graph.Hash, i int32, depth int) graph.Hash {
	if i < 0 || depth > maxShape {
		return h.Int(0)
	}
	e := &s.f.Exprs[i]
	h = h.Int(uint64(e.Op)<<32 | uint64(e.N)).String(s.f.Str(e.Name))
	if e.Op == graph.OpName || e.Op == graph.OpSelf || e.Op == graph.OpSuper {
		if e.In >= 0 {
			h = h.String(s.f.Path(e.In))
		}
	}
	switch e.Op {
	case graph.OpLocal:
		if e.X >= 0 {
			h = s.local(h, e.X, depth)
		}
	case graph.OpSymbol, graph.OpObject:
		if e.X >= 0 {
			h = h.String(s.f.Scope(e.X))
		}
	case graph.OpImport:
		if e.X >= 0 {
			h = h.Int(s.imported(&s.f.Imports[e.X]))
		}
	case graph.OpArg, graph.OpTaken: // see boundBy
		h = s.expr(h, e.X, depth+1)
		if call := callOf(s.f, i); call >= 0 {
			h = s.exprs(h, s.f.List(s.f.Exprs[call].Kids), depth+1)
			if in := s.f.Exprs[call].In; in >= 0 {
				h = s.expr(h, s.f.Symbols[in].Type, depth+1)
			}
		}
	default:
		h = s.expr(h, e.X, depth+1)
	}
	return s.exprs(h, s.f.List(e.Kids), depth+1)
}

// maxShape bounds how deep expressions are followed; linking follows them no deeper.
const maxShape = 40
