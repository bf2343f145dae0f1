package index

import (
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

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
	if im.Flags&graph.Inner != 0 {
		q.Opened = c.opened()
	}
	var out []module
	for _, cand := range c.l.Modules(q) {
		if m, ok := k.place(c, cand); ok {
			out = append(out, m)
		}
	}
	return out
}

// opened are the namespaces whose names all code of the file sees by its imports.
func (c *filectx) opened() []string {
	var out []string
	for i := range c.f.Imports {
		if im := &c.f.Imports[i]; im.Flags&graph.Star != 0 && im.Flags&(graph.StaticOf|graph.Inner) == 0 {
			out = append(out, c.f.Str(im.Module))
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
	case cand.Filled && len(k.look(cand.Scope.Key(everyName))) == 0:
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
