package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

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

// imported resolves import i of c to what it names: nothing, where that leads to the import itself.
func (k *linker) imported(c *filectx, i int32, seen sought) binding {
	key := importKeyOf(i)
	if !c.enter(key) {
		k.cuts++
		return unresolved(graph.NotFound)
	}
	defer c.leave(key)
	at := k.site
	k.site = standing{c, c.f.Imports[i].In, i}
	b := k.importedFrom(c, i, seen)
	k.site = at
	return b
}

func (k *linker) importedFrom(c *filectx, i int32, seen sought) binding {
	im := &c.f.Imports[i]
	name := importKey(c.l, im.Flags, c.f.Str(im.Name))
	if im.Module == 0 && !c.l.NestedSpaces { // an export of this file's own name under another
		b, _ := k.inFile(c, name, seen)
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
		seen = sought{} // for all the modules together
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
	b := k.inModule(moduleOf(t), name, nil)
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
