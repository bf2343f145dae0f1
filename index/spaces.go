package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Where namespaces nest, a file's code stands in the namespace of its package or, in a file of
// several, in the one that the path of what is around it begins with.

// everyFile is the scope of what files import for all files of a language.
func everyFile(l *lang.Language) graph.ScopeID { return graph.Scope("every file", l.Name) }

// extensions is the scope of what is called like a member of its first parameter.
func extensions(l *lang.Language) graph.ScopeID { return graph.Scope("extension", l.Name) }

// spaceKey is the key of the namespace of that dotted path: who answers has names in it.
func spaceKey(l *lang.Language, path string) graph.Key { return graph.Scope("space", l.Name).Key(path) }

// exportSpaces are the keys of the namespaces that the file has names in, and of those around them.
func exportSpaces(out []graph.Export, l *lang.Language, f *graph.Facts, shape uint64) []graph.Export {
	if l != nil && l.SpaceAnswers {
		return append(out, graph.Export{Key: l.SpaceOf("", f).Key(everyName), Index: graph.FileItself, Shape: shape})
	}
	if l == nil || !l.NestedSpaces {
		return out
	}
	seen := map[string]bool{"": true}
	add := func(path string) {
		for !seen[path] {
			seen[path] = true
			out = append(out, graph.Export{Key: spaceKey(l, path), Index: graph.FileItself, Shape: shape})
			path = outerSpace(path)
		}
	}
	add(f.Package)
	if f.Package == "" {
		for i := range f.Symbols {
			if f.Symbols[i].Container < 0 {
				add(f.Str(f.Symbols[i].Qual))
			}
		}
	}
	return out
}

// outerSpace is the path of the namespace around the one of that path; empty for the root.
func outerSpace(path string) string { return path[:max(strings.LastIndexByte(path, '.'), 0)] }

// spaceOf is the path of the namespace in which symbol in of c, or its code, stands.
func spaceOf(c *filectx, in int32) string {
	if c.f.Package != "" || in < 0 {
		return c.f.Package
	}
	for c.f.Symbols[in].Container >= 0 {
		in = c.f.Symbols[in].Container
	}
	return c.f.Str(c.f.Symbols[in].Qual)
}

// inOuter looks a name up in the namespaces around symbol in, from the inside out.
func (k *linker) inOuter(c *filectx, name string, in int32) (binding, bool) {
	root := k.root(c)
	for path := spaceOf(c, in); ; path = outerSpace(path) {
		if hs := k.look(root.Path(path).Key(name)); len(hs) > 0 {
			return k.bound(c, hs, graph.ByPackage), true
		}
		if path == "" {
			return binding{}, false
		}
	}
}

// spaceNamed is the namespace of that name in one of those around symbol in, or nil.
func (k *linker) spaceNamed(c *filectx, name string, in int32) *typ {
	if !c.l.OuterSpaces {
		return nil
	}
	for path := spaceOf(c, in); ; path = outerSpace(path) {
		if t := k.innerSpace(c, path, name); t != nil || path == "" {
			return t
		}
	}
}

// innerSpace is the namespace of that name in the one of that path, or nil.
func (k *linker) innerSpace(c *filectx, path, name string) *typ {
	if path != "" {
		name = path + "." + name
	}
	if len(k.look(spaceKey(c.l, name))) == 0 {
		return nil
	}
	return k.spaceType(c, name)
}

// inEveryFile looks a name up in what some file imports for all.
func (k *linker) inEveryFile(c *filectx, name string) (binding, bool) {
	if !c.l.OuterSpaces {
		return binding{}, false
	}
	for _, at := range []string{name, star} {
		for _, h := range k.look(everyFile(c.l).Key(at)) {
			hc := k.ctx(h.File)
			if hc == nil || h.Index >= 0 {
				continue
			}
			i := -1 - h.Index
			if at == name {
				if b := k.imported(hc, i, nil); b.found() {
					return b, true
				}
				continue
			}
			for _, m := range k.modules(hc, i) {
				if b := k.inModule(m, name, nil); b.found() {
					b.reason = graph.ByStar
					return b, true
				}
			}
		}
	}
	return binding{}, false
}

// extended are what expression e calls like a member of a value of type t that has none of that name.
func (k *linker) extended(c *filectx, e *graph.Expr, t *typ, name string) []hit {
	if !c.l.OuterSpaces || e.Role != graph.Call || t == nil || t.kind == tModule || t.kind == tPack || t.kind == tMeta ||
		len(k.look(extensions(c.l).Key(name))) == 0 || len(k.member(t, name)) > 0 || k.knownMember(c.l, t, name) {
		return nil
	}
	return k.extension(c, t, name, e.In)
}

// knownMember reports whether values of type t are known to have a method of that name from outside.
func (k *linker) knownMember(l *lang.Language, t *typ, name string) bool {
	if l.Known == nil {
		return false
	}
	switch t.kind {
	case tArray:
		return l.Known.Member(l.Core.Array, name)
	case tExternal, tBuiltin:
		return l.Known.Member(t.name, name)
	}
	return false
}

// extension finds what is called like a member of that name of a value of type t: of what fits,
// that which fits best, if its namespace is around the mention in symbol in, or imported.
func (k *linker) extension(c *filectx, t *typ, name string, in int32) []hit {
	if !c.l.OuterSpaces || t == nil {
		return nil
	}
	var out []hit
	best := 0
	for _, h := range k.look(extensions(c.l).Key(name)) {
		hc, s := k.sym(h)
		if s == nil || s.Flags&graph.Extension == 0 || s.Flags&graph.Unbuilt != 0 && h.File != c.id || !k.sees(c, in, spaceOf(hc, h.Index)) {
			continue
		}
		params := hc.f.List(s.Params)
		if len(params) == 0 {
			continue
		}
		fit := k.extends(c, k.typeExpr(hc, hc.f.Locals[params[0]].Type), strip(t))
		if fit > best {
			best, out = fit, nil
		}
		if fit == best && fit > 0 {
			out = append(out, hit{h: h, recv: t, reason: graph.ByReceiver})
		}
	}
	return out
}

// extends scores how well a value of type a may be the first parameter, of type p.
func (k *linker) extends(c *filectx, p, a *typ) int {
	if p == nil || a == nil {
		return 0
	}
	if p.kind == tParam && p.fc.f.Locals[p.expr].Type >= 0 {
		return k.extends(c, k.typeExpr(p.fc, p.fc.f.Locals[p.expr].Type), a)
	}
	if fit := k.assignable(c.l, p, a, 0); fit > 0 {
		return fit
	}
	if p.kind == tExternal && (a.kind == tArray || a.kind == tExternal && len(a.args) > 0 && len(p.args) == len(a.args)) && strings.HasPrefix(lastName(p.name), "I") {
		return 1
	}
	return 0
}

// sees reports whether code in symbol in of c sees what the namespace of that path extends.
func (k *linker) sees(c *filectx, in int32, path string) bool {
	for s := spaceOf(c, in); ; s = outerSpace(s) {
		if s == path {
			return true
		}
		if s == "" {
			break
		}
	}
	scope := k.root(c).Path(path)
	for i := range c.f.Imports {
		if k.opens(c, int32(i), scope) {
			return true
		}
	}
	for _, h := range k.look(everyFile(c.l).Key(star)) {
		if hc := k.ctx(h.File); hc != nil && h.Index < 0 && k.opens(hc, -1-h.Index, scope) {
			return true
		}
	}
	return false
}

// opens reports whether import i of c takes the names of a namespace, whose scope is given, whole.
func (k *linker) opens(c *filectx, i int32, scope graph.ScopeID) bool {
	if c.f.Imports[i].Flags&graph.Star == 0 {
		return false
	}
	for _, m := range k.modules(c, i) {
		if m.scope.Path(m.member) == scope {
			return true
		}
	}
	return false
}

// makerRef is what a constructor calls when it hands on to another one: of its own type, or of
// the base of it.
func (k *linker) makerRef(c *filectx, e *graph.Expr) binding {
	t := k.self(c, e.In)
	if t == nil {
		return unresolved(graph.NoType)
	}
	if e.Op == graph.OpSuper {
		bs, known := k.bases(t)
		t = nil
		for _, b := range bs {
			if _, s := k.sym(b.h); s != nil && s.Kind != graph.Interface {
				t = b
				break
			}
		}
		if t == nil && !known {
			return external(c.f.Str(e.Name), graph.ByInheritance)
		}
		if t == nil {
			return unresolved(graph.NotFound)
		}
	}
	tc, s := k.sym(t.h)
	if s == nil {
		return unresolved(graph.NotFound)
	}
	if hits := k.own(named(t.h, t.args...), symbolKey(tc.l, graph.Constructor, tc.f.Str(s.Name)), graph.ByConstructor); len(hits) > 0 {
		return k.fromMembers(hits)
	}
	return binding{hs: []graph.Handle{t.h}, status: graph.Certain, reason: graph.ByConstructor}
}
