package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// scopeOf is the key of a dotted path of names in a scope.
func scopeOf(s graph.ScopeID, dotted string) graph.Key {
	if i := strings.LastIndexByte(dotted, '.'); i >= 0 {
		return s.Path(dotted[:i]).Key(dotted[i+1:])
	}
	return s.Key(dotted)
}

// sought are the names that were looked for, each in its place, on the way to one: modules may export
// each other's names in a circle.
type sought map[graph.Key]bool

// again notes a name and reports whether it was looked for before.
func (s sought) again(key graph.Key) bool {
	if s[key] {
		return true
	}
	s[key] = true
	return false
}

// inModule looks a name up among what a module offers.
func (k *linker) inModule(m module, name string, seen sought) binding {
	if m.t != nil && m.t.kind != tModule {
		return k.memberOfModule(m.t, name)
	}
	if seen == nil {
		seen = sought{}
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
		if c == nil || seen.again(s.Key(name)) {
			return unresolved(graph.NotFound)
		}
		if len(hs) > 1 && c.l.Homes != nil && k.linked != nil {
			hs = k.atHome(k.linked, hs)
		}
		return k.boundAmong(c, hs, graph.ByModule, seen)
	}
	c := k.ctx(m.file)
	if c == nil || seen.again(c.sc.file.Key(name)) {
		return unresolved(graph.NotFound)
	}
	if name == byDefault {
		if hs := k.look(c.sc.file.Key(byDefault)); len(hs) > 0 {
			b := k.boundAmong(c, hs, graph.ByModule, seen)
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
			return k.boundAmong(c, hs, graph.ByModule, seen)
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
	return k.unbuilt(b.hs[0])
}

// allLeftOut reports whether the usual build leaves out each of the symbols.
func (k *linker) allLeftOut(hs []graph.Handle) bool {
	for _, h := range hs {
		if !k.unbuilt(h) {
			return false
		}
	}
	return len(hs) > 0
}

// builtImports are the imports of c that the usual build has, or all of them if it has none.
func (k *linker) builtImports(c *filectx, imports []int32) []int32 {
	if len(imports) < 2 {
		return imports
	}
	var built []int32
	for _, i := range imports {
		if !k.unbuilt(graph.Handle{File: c.id, Index: -1 - i}) {
			built = append(built, i)
		}
	}
	if len(built) == 0 {
		return imports
	}
	return built
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
func (k *linker) exported(c *filectx, name string, seen sought) (binding, bool) {
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
	imports = k.builtImports(c, imports)
	if len(imports) > 0 && (c.f.Imports[imports[0]].Flags&graph.ExportOnly != 0 || k.allLeftOut(symbols)) || len(symbols) == 0 {
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
		return k.boundAmong(c, k.withNamesakes(c, symbols, imports, seen), graph.ByModule, seen), true
	}
	return binding{}, false
}

// reExported looks for a name in what the module exports of others.
func (k *linker) reExported(c *filectx, name string, seen sought) binding {
	if name == byDefault {
		return unresolved(graph.NotFound)
	}
	lost := unresolved(graph.NotFound)
	for _, h := range k.builtStars(k.look(c.sc.file.Key(star))) {
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
