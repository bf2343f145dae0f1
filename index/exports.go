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
	sc := scopesOf(p, f)
	sh := shaper{f: f, seen: map[int32]bool{}, conds: conditions(f)}
	type place struct {
		container int32
		qual      uint32
		base      graph.ScopeID
	}
	owners := map[place]graph.ScopeID{}
	l := lang.Named(f.Language)
	far := l != nil && l.FarMembers
	out = exportBuild(out, l, p, f)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		at := place{s.Container, s.Qual, sc.base(int32(i))}
		scope, ok := owners[at]
		if !ok || s.Container < 0 {
			scope = sc.owner(int32(i))
			owners[at] = scope
		}
		shape := sh.symbol(int32(i))
		if far {
			if o := ownerExpr(f, int32(i)); o >= 0 {
				scope = farScope(l, ownerName(f, o))
				if l.ExtendsTypes && s.Container < 0 {
					out = append(out, graph.Export{Key: sc.base(int32(i)).Key(f.Str(s.Name)), Index: int32(i), Shape: shape})
				}
			}
		}
		name := symbolKey(l, s.Kind, keyName(l, f, int32(i)))
		if s.Flags&graph.Tag != 0 { // a tag leads to its definition from any file
			name = tagged + name
			if s.Flags&graph.NestedDef == 0 {
				out = append(out, graph.Export{Key: sc.space.Key(name), Index: int32(i), Shape: shape})
			}
		}
		out = sc.forIncluders(out, l, p, int32(i), shape)
		out = sc.inRegions(out, l, int32(i), shape)
		if s.Kind == graph.Namespace && s.Flags&graph.Anonymous != 0 {
			continue
		}
		if far && l.Inclusion && s.Kind == graph.Constructor {
			out = append(out, graph.Export{Key: scope.Key(lang.ConstructorName), Index: int32(i), Shape: shape})
			continue
		}
		out = append(out, graph.Export{Key: scope.Key(name), Index: int32(i), Shape: shape})
		if s.Container >= 0 && l != nil && l.Contextual && s.Kind.Type() && f.Symbols[s.Container].Kind == graph.Module {
			out = append(out, graph.Export{Key: augments.Key(name), Index: int32(i), Shape: shape})
		}
		if l != nil && l.TypesApart && s.Kind.Type() {
			out = append(out, graph.Export{Key: scope.Key(typeKey(l, name)), Index: int32(i), Shape: shape})
		}
		if s.Kind == graph.Macro && l != nil && l.ClosedModules {
			out = append(out, graph.Export{Key: graph.Scope("macro", l.Name).Key(name), Index: int32(i), Shape: shape})
		}
		if l != nil && l.UniqueNames && s.Flags&graph.NestedDef == 0 && (s.Kind.Callable() || s.Kind == graph.Property) {
			out = append(out, graph.Export{Key: nameScope(l).Key(name), Index: int32(i), Shape: shape})
		}
		if l != nil && l.Merges && s.Bases != 0 && s.Flags&graph.NestedDef == 0 {
			out = append(out, graph.Export{Key: sc.members(int32(i)).Key(everyBase), Index: int32(i), Shape: shape})
		}
		if l != nil && l.Levels && typeLikeKind(l, s) {
			out = exportBases(out, l, f, int32(i), shape)
		}
		if s.Flags&graph.Extension != 0 && l != nil {
			out = append(out, graph.Export{Key: extensions(l).Key(name), Index: int32(i), Shape: shape})
		}
		if s.Flags&graph.Default != 0 {
			out = append(out, graph.Export{Key: sc.file.Key(byDefault), Index: int32(i), Shape: shape})
		}
	}
	out = append(out, sc.interfaces()...)
	imports := graph.NewHash()
	for i := range f.Imports {
		im := &f.Imports[i]
		shape := sh.conditions(graph.NewHash().Int(sh.imported(im)), graph.ConditionOfImport(int32(i)), im.In).Sum()
		if im.Flags&graph.EveryFile != 0 && l != nil {
			name := star
			if im.Local != 0 {
				name = f.Str(im.Local)
			}
			out = append(out, graph.Export{Key: everyFile(l).Key(name), Index: int32(-1 - i), Shape: shape})
			if l.TypesApart && name != star {
				out = append(out, graph.Export{Key: everyFile(l).Key(typeKey(l, name)), Index: int32(-1 - i), Shape: shape})
			}
		}
		imports = imports.Int(shape).Int(uint64(min(im.Off, 1)))
		scope := sc.file
		if im.In >= 0 && l != nil && l.Separator != "" {
			scope = sc.members(im.In)
		}
		if im.Flags&graph.Star != 0 && im.Local == 0 || im.Flags&graph.Include != 0 {
			out = append(out, graph.Export{Key: scope.Key(star), Index: int32(-1 - i), Shape: shape})
		}
		if im.Local != 0 && (im.In < 0 || scope != sc.file && !f.Symbols[im.In].Kind.Callable()) {
			out = append(out, graph.Export{Key: scope.Key(importKey(l, im.Flags, f.Str(im.Local))), Index: int32(-1 - i), Shape: shape})
			if l != nil && l.TypesApart {
				out = append(out, graph.Export{Key: scope.Key(typeKey(l, f.Str(im.Local))), Index: int32(-1 - i), Shape: shape})
			}
			if l != nil && l.Inclusion && im.In < 0 { // for those that include it
				out = append(out, graph.Export{Key: sc.space.Key(f.Str(im.Local)), Index: int32(-1 - i), Shape: shape})
			}
		}
	}
	if len(f.Imports) > 0 {
		out = append(out, graph.Export{Key: sc.file.Key(everyImport), Index: graph.FileItself, Shape: imports.Sum()})
	}
	return out
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
