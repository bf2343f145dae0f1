package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

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
			if hs := k.inBody(k.look(c.sc.members(s).Key(name)), in); len(hs) > 0 && !k.laterThan(c, hs, name) {
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

// inBody keeps, of a type's members, those that are names in its own body, but for the one whose value is
// being told: that has the name of something outside.
func (k *linker) inBody(hs []graph.Handle, in int32) []graph.Handle {
	var out []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || s.Flags&graph.AssignedMember == 0 && (h.Index != in || s.Kind.Type()) {
			out = append(out, h)
		}
	}
	return out
}

// laterThan reports whether the members hs of a type's body are defined behind the name that is looked up,
// which means something in the file or to the language, too.
func (k *linker) laterThan(c *filectx, hs []graph.Handle, name string) bool {
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || s.NameOff < k.at {
			return false
		}
	}
	_, ok := c.l.Builtins[name]
	if !ok {
		_, ok = k.inFile(c, name, nil)
	}
	return ok
}

// inFile looks a name up among what only this file sees: imports and file-local symbols (and
// all of a file module's symbols). Those in seen were looked for on the way.
func (k *linker) inFile(c *filectx, name string, seen sought) (binding, bool) {
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
		if c.f.Imports[i].Flags&graph.ExportOnly == 0 {
			imports = append(imports, i)
		}
	}
	imports = k.builtImports(c, imports)
	if len(symbols) > 0 && (len(imports) == 0 || !k.allLeftOut(symbols)) {
		return k.bound(c, k.withNamesakes(c, symbols, imports, seen), graph.ByScope), true
	}
	var miss binding
	for _, i := range imports {
		b := k.imported(c, i, seen)
		if b.found() && (!k.leftOut(b) || len(imports) == 1) {
			return b, true
		}
		if !miss.found() {
			miss = b
		}
	}
	switch {
	case len(symbols) > 0 && miss.status != graph.External:
		return k.bound(c, symbols, graph.ByScope), true
	case len(imports) > 0:
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
		if name == c.l.Standard && len(b.hs) > 0 {
			if _, s := k.sym(b.hs[0]); s == nil || s.Kind != graph.Namespace { // a macro for old compilers
				return k.predeclared(c, name), true
			}
		}
		return b, b.found()
	}
	if c.l.ExternalLinkage {
		if b, ok := k.inStars(c, name, true, map[graph.FileID]bool{}); ok && !k.unlikelyMacro(b.hs) {
			return b, true
		}
		if c.l.LibraryFunction != nil && c.l.LibraryFunction(name) && !k.replaced(c, hs) {
			return external(name, graph.NoModule), true
		}
		return k.linkage(c, hs), true
	}
	return k.bound(c, hs, graph.ByPackage), true
}

// everywhere looks a name up among those that all files of the language see. What the language itself
// predeclares stays what it is.
func (k *linker) everywhere(c *filectx, name string) (binding, bool) {
	if c.l.EverySpace == 0 || c.sc.space == c.l.EverySpace {
		return binding{}, false
	}
	if _, ok := c.l.Builtins[name]; ok {
		return binding{}, false
	}
	var hs []graph.Handle
	for _, h := range k.look(c.l.EverySpace.Key(name)) {
		if _, s := k.sym(h); s != nil && s.Flags&graph.Everywhere != 0 {
			hs = append(hs, h)
		}
	}
	if len(hs) == 0 {
		return binding{}, false
	}
	return k.bound(c, hs, graph.ByScope), true
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
	var less binding // a definition that is hardly ever compiled
	for _, i := range k.stars(c) {
		im := &c.f.Imports[i]
		for _, m := range k.modules(c, i) {
			if im.Flags&graph.Include != 0 {
				b, ok := k.inInclude(m, name, localOnly, seen)
				if ok && (im.Flags&graph.Seldom == 0 && !k.unlikely(b.hs)) {
					return b, true
				}
				if ok && !less.found() {
					less = b
				}
				continue
			}
			if b := k.inModule(m, name, nil); b.found() {
				if c.l.Overloads && k.hidden(c, b) {
					continue
				}
				b.reason = graph.ByStar
				return b, true
			}
		}
	}
	return less, less.found()
}

// stars are the imports of c that bring all names of something, as they stand. Where conditions
// decide which are built, they hang on the mention that asks; else they are found once.
func (k *linker) stars(c *filectx) []int32 {
	if c.starred {
		return c.wholes
	}
	var out []int32
	for _, h := range k.builtStars(k.look(c.sc.file.Key(star))) {
		if h.File == c.id && h.Index < 0 {
			out = append(out, -1-h.Index)
		}
	}
	slices.Sort(out)
	if c.l.Built == nil {
		c.starred, c.wholes = true, out
	}
	return out
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
