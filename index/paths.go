package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// pathModule is where a module leads that is named by a path of names: the first is looked up where
// the path stands, each further one in what the names before it mean.
func (k *linker) pathModule(c *filectx, im *graph.Imported, text string) (*typ, bool) {
	names := strings.Split(text, c.l.Separator)
	if c.l.Separator == "" || im.Flags&graph.Include != 0 || strings.Contains(names[0], " ") {
		return nil, false
	}
	t := k.pathRoot(c, im, names[0])
	for len(names) > 1 && names[0] == "" { // written with what parts names before the first
		names = names[1:]
		t = k.fromRoots(c, im, names[0])
	}
	for _, n := range names[1:] {
		if n == "super" {
			t = k.around(t)
		} else {
			b := k.memberOfModule(t, n)
			if c.l.ClosedModules {
				b = k.ofSort(b, graph.TypeUse)
			}
			t = k.typeOfBinding(b)
		}
		if t = strip(t); t == nil || t.kind == tExternal {
			return nil, true
		}
	}
	return t, true
}

// pathRoot is what the first name of a path means.
func (k *linker) pathRoot(c *filectx, im *graph.Imported, name string) *typ {
	switch name {
	case "crate":
		return k.placeOf(c, im, name)
	case "self":
		return k.moduleAround(c, im.In)
	case "super":
		return k.around(k.moduleAround(c, im.In))
	case "":
		return nil
	}
	b := k.name(c, name, im.In)
	if c.l.ClosedModules {
		b = k.ofSort(b, graph.TypeUse)
	}
	if b.found() {
		if t := strip(k.typeOfBinding(b)); t != nil && (t.kind == tModule || t.kind == tMeta || t.kind == tPack) {
			return t
		}
	}
	return k.fromRoots(c, im, name)
}

// fromRoots is what a name means at the root of all paths: a module that is found by its name, or one in
// what older editions take for the root.
func (k *linker) fromRoots(c *filectx, im *graph.Imported, name string) *typ {
	if t := k.placeOf(c, im, name); t != nil {
		return t
	}
	if root := k.placeOf(c, im, c.l.Separator); root != nil {
		if b := k.memberOfModule(root, name); b.found() {
			return strip(k.typeOfBinding(b))
		}
	}
	return nil
}

// placeOf is the module that the language's own rules find for a name.
func (k *linker) placeOf(c *filectx, im *graph.Imported, name string) *typ {
	for _, m := range k.placesOf(c, im, name) {
		return k.moduleType(c, m)
	}
	return nil
}

// moduleAround is the module in which symbol in of c stands: a symbol of the file, or the file.
func (k *linker) moduleAround(c *filectx, in int32) *typ {
	for s := in; s >= 0; s = c.f.Symbols[s].Container {
		if y := &c.f.Symbols[s]; y.Kind == graph.Module || y.Kind == graph.Namespace {
			return &typ{kind: tMeta, h: graph.Handle{File: c.id, Index: s}}
		}
	}
	return &typ{kind: tModule, h: graph.Handle{File: c.id, Index: graph.FileItself}}
}

// around is the module that holds module t.
func (k *linker) around(t *typ) *typ {
	switch {
	case t == nil:
		return nil
	case t.kind == tMeta:
		if c, s := k.sym(t.h); s != nil {
			return k.moduleAround(c, s.Container)
		}
	case t.kind == tModule:
		if c := k.ctx(t.h.File); c != nil {
			return k.placeOf(c, &graph.Imported{In: graph.None}, "super")
		}
	}
	return nil
}

// memberOfModule is the member of that name of a module, or of a type in its place.
func (k *linker) memberOfModule(t *typ, name string) binding {
	if t == nil {
		return unresolved(graph.NotFound)
	}
	switch t.kind {
	case tModule, tPack:
		return k.inModule(moduleOf(t), name, nil)
	case tMeta, tNamed:
		if c, s := k.sym(t.h); s != nil && (s.Kind == graph.Module || s.Kind == graph.Namespace) {
			if b, ok := k.inNamespace(c, t.h.Index, name); ok {
				return b
			}
			if std := c.f.Str(s.Name); std == c.l.Standard && std != "" && s.Container < 0 { // adds to what is outside
				return external(std+"."+name, graph.NoModule)
			}
			return unresolved(graph.NotFound)
		}
		if hits := k.member(t, name); len(hits) > 0 {
			return k.fromMembers(hits)
		}
	case tExternal, tBuiltin:
		return external(t.name+"."+name, graph.NoModule)
	}
	return unresolved(graph.NotFound)
}

// inNamespace looks a name up among what namespace symbol s of c holds: its own definitions and
// imports, then what it imports whole.
func (k *linker) inNamespace(c *filectx, s int32, name string) (binding, bool) {
	if c.l.ExternalLinkage {
		return k.inSpaces(c, c, s, name)
	}
	return k.inMembers(c, c.sc.members(s), name)
}

// inMembers is inNamespace for the scope of a namespace's members, as c sees it.
func (k *linker) inMembers(c *filectx, scope graph.ScopeID, name string) (binding, bool) {
	if hs := k.look(scope.Key(name)); len(hs) > 0 {
		if b := k.bound(c, hs, graph.ByScope); b.found() || b.status == graph.External {
			return b, true
		}
	}
	return k.starsOf(c, scope, name)
}

// starsOf looks a name up in what the namespace with that scope of members imports whole.
func (k *linker) starsOf(c *filectx, scope graph.ScopeID, name string) (binding, bool) {
	if c.l.Separator == "" {
		return binding{}, false
	}
	for _, h := range k.builtStars(k.look(scope.Key(star))) {
		hc := k.ctx(h.File)
		if h.Index >= 0 || hc == nil || !hc.enter(starKey(h.Index, name)) {
			continue
		}
		for _, m := range k.modules(hc, -1-h.Index) {
			if b := k.inModule(m, name, nil); b.found() {
				hc.leave(starKey(h.Index, name))
				b.reason = graph.ByStar
				return b, true
			}
		}
		hc.leave(starKey(h.Index, name))
	}
	return binding{}, false
}

// starKey marks the search of a name in a wildcard import as being under way.
func starKey(i int32, name string) int64 {
	return int64(graph.NewHash().Int(uint64(uint32(i))).String(name).Sum() | 1<<63)
}

// rootOrMacro is what a name means that no scope holds: a macro, or the root of a path that leads outside.
func (k *linker) rootOrMacro(c *filectx, e *graph.Expr, b binding) binding {
	name := c.f.Str(e.Name)
	switch {
	case e.Role == graph.MacroUse && b.reason != graph.Builtin:
		if m, ok := k.macro(c, name); ok {
			return m
		}
	case e.Role == graph.Import && b.status == graph.Unresolved:
		return external(name, graph.NoModule)
	}
	return b
}

// macro finds a macro by its name alone: they are seen by what is written after them, in the whole
// program.
func (k *linker) macro(c *filectx, name string) (binding, bool) {
	hs := k.look(graph.Scope("macro", c.l.Name).Key(name))
	if len(hs) == 0 {
		return binding{}, false
	}
	b := k.bound(c, k.nearest(c, hs), graph.ByUniqueName)
	if len(b.hs) > 1 {
		b.hs = b.hs[:1]
	}
	return b, true
}
