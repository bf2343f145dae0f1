package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Keys are made of names. Where methods have names of their own, those end in called; where the
// case of callables and types does not matter, their names are in lower case, and those of types,
// which have names of their own there, end in typed.
const (
	called = "()"
	typed  = ":"
	made   = "{}" // ends the names of constructors that are not found by their names
)

// callKey is the name of a callable in keys.
func callKey(l *lang.Language, name string) string {
	if l.FoldCase {
		name = strings.ToLower(name)
	}
	if l.MethodsApart {
		name += called
	}
	return name
}

// typeKey is the name of a type in keys.
func typeKey(l *lang.Language, name string) string {
	if l.FoldCase {
		return strings.ToLower(name) + typed
	}
	if l.TypesApart {
		return name + typed
	}
	return name
}

// keyName is the name of symbol i of f in keys, but for what its kind adds: of a type that of its
// parameters, too, where types of one name differ in them.
func keyName(l *lang.Language, f *graph.Facts, i int32) string {
	s := &f.Symbols[i]
	if l == nil || !l.Arity || s.TypeParams == 0 || !s.Kind.Type() {
		return f.Str(s.Name)
	}
	return lang.WithArity(f.Str(s.Name), len(f.List(s.TypeParams)))
}

// applied is the name of expression e as that of a type applied to as many arguments.
func applied(c *filectx, e *graph.Expr) string {
	name := c.f.Str(e.Name)
	if !c.l.Arity {
		return name
	}
	return lang.WithArity(name, e.Applied())
}

// symbolKey is the name of a symbol of that kind in keys.
func symbolKey(l *lang.Language, kind graph.Kind, name string) string {
	switch {
	case l == nil:
	case kind == graph.Constructor && l.MakersApart:
		return name + made
	case kind.Callable():
		return callKey(l, name)
	case kind.Type() && l.FoldCase:
		return typeKey(l, name)
	}
	return name
}

// importKey is a name of an import in keys: a type's, unless the import says otherwise.
func importKey(l *lang.Language, flags graph.ImportFlags, name string) string {
	switch {
	case l == nil || !l.FoldCase || flags&graph.Values != 0 || name == "":
		return name
	case flags&graph.Callables != 0:
		return callKey(l, name)
	}
	return typeKey(l, name)
}

// spelled is the name of expression e, which stands for a value, in keys: by how it is mentioned.
func spelled(c *filectx, e *graph.Expr) string {
	name := applied(c, e)
	switch {
	case e.Op == graph.OpName && e.N == tagName:
		return tagged + name
	case e.Role == graph.Call || e.Op == graph.OpMember && e.N == graph.MeansCallable:
		return callKey(c.l, name)
	case e.Role == graph.TypeUse || e.Role == graph.Inherit:
		return typeKey(c.l, name)
	}
	return name
}

// nameOfType is the name of expression e in keys where it stands for a type.
func nameOfType(c *filectx, e *graph.Expr) string {
	if e.Op == graph.OpName && e.N == tagName {
		return tagged + c.f.Str(e.Name)
	}
	return typeKey(c.l, applied(c, e))
}

// mentioned is the name of reference e in keys; call is the expression that calls it, or -1.
func mentioned(c *filectx, e *graph.Expr, call int32) string {
	switch {
	case call >= 0 && c.f.Exprs[call].Op == graph.OpNew:
		return nameOfType(c, e)
	case call < 0 && e.Role == graph.Call && e.N != graph.MeansCallable && e.N != tagName: // run by no call: a decorator, an annotation
		return c.f.Str(e.Name)
	}
	return spelled(c, e)
}

// valueName resolves the free name that expression e, which stands for a value, is.
func (k *linker) valueName(c *filectx, e *graph.Expr) binding {
	return k.nameOn(c, e, spelled(c, e))
}

// nameOn resolves the free name e, spelled name in keys, that may be a member of what the functions
// around it are run on. Where that is not known, what else bears the name is only possible.
func (k *linker) nameOn(c *filectx, e *graph.Expr, name string) binding {
	unknown := false
	for _, on := range c.f.List(e.Kids) {
		t := strip(k.value(c, on))
		if t == nil {
			unknown = unknown || c.f.Exprs[on].Op != graph.OpArg
			continue
		}
		if hits := k.member(t, name); len(hits) > 0 {
			return k.fromMembers(hits)
		}
		unknown = unknown || k.leadsOut(t, map[graph.Handle]bool{}, 0)
	}
	b := k.nameOf(c, name, e)
	switch {
	case c.l.ClosedModules:
		b = k.sortedName(c, b, name, e.Role)
	case (c.l.Hides || c.l.Phases) && (e.Role == graph.TypeUse || e.Role == graph.Inherit):
		b = k.typeAround(c, name, inOf(c, e), b)
	}
	if c.l.ClosedModules && (e.Role == graph.Call || e.Role == graph.Read) && k.noValue(b) {
		if _, ok := c.l.Builtins[name]; ok {
			return external(name, graph.NoModule)
		}
	}
	if unknown && b.status == graph.Certain && len(b.hs) > 0 {
		if _, s := k.sym(b.hs[0]); s != nil && !s.Kind.Type() {
			b.status = graph.Possible
		}
	}
	return b
}

// noValue reports whether b names types that are no values: names of those are apart.
func (k *linker) noValue(b binding) bool {
	for _, h := range b.hs {
		if _, s := k.sym(h); s == nil || s.Kind != graph.Enum && s.Kind != graph.Trait {
			return false
		}
	}
	return len(b.hs) > 0
}

// typeName resolves the free name that expression e, which stands for a type, is.
func (k *linker) typeName(c *filectx, e *graph.Expr) binding {
	b := k.nameOf(c, nameOfType(c, e), e)
	switch {
	case c.l.ClosedModules:
		return k.sortedName(c, b, nameOfType(c, e), graph.TypeUse)
	case c.l.Hides || c.l.Phases:
		return k.typeAround(c, nameOfType(c, e), inOf(c, e), b)
	}
	return k.systemType(c, e, b)
}

// systemType is what b says that type e is, or the system's type of that name, if the workspace has one for
// other systems only.
func (k *linker) systemType(c *filectx, e *graph.Expr, b binding) binding {
	if c.l.LibraryType == nil || len(b.hs) == 0 || !c.l.LibraryType(c.f.Str(e.Name)) {
		return b
	}
	for _, h := range b.hs {
		if hc, s := k.sym(h); s == nil || s.Flags&graph.Conditional == 0 && hc.variant <= c.variant {
			return b
		}
	}
	return external(c.f.Str(e.Name), graph.NoModule)
}

// nameOf resolves the free name e, which is called name in keys.
func (k *linker) nameOf(c *filectx, name string, e *graph.Expr) binding {
	at := k.at
	k.at = e.Off
	b := k.name(c, name, inOf(c, e))
	k.at = at
	return k.inLibrary(c, e, name, b)
}

// plainName is a name in keys as the source has it, but for its case.
func plainName(key string) string {
	return lang.WithoutArity(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(key, called), typed), made))
}

// spaceType is the namespace of that dotted path as a value.
func (k *linker) spaceType(c *filectx, path string) *typ {
	return &typ{kind: tPack, pkg: k.root(c).Path(path), name: path, fc: c, h: graph.Handle{File: graph.NoFile, Index: graph.FileItself}}
}

// root is the scope of the namespace that holds all others of c's language.
func (k *linker) root(c *filectx) graph.ScopeID {
	return c.l.SpaceOf("", &graph.Facts{Language: c.l.Name})
}

// inRoot looks a name up in the namespace that holds all others.
func (k *linker) inRoot(c *filectx, name string) (binding, bool) {
	root := k.root(c)
	if root == c.sc.space {
		return binding{}, false
	}
	hs := k.look(root.Key(name))
	return k.bound(c, hs, graph.ByPackage), len(hs) > 0
}

// fromSpace looks a name up in the module or namespace t.
func (k *linker) fromSpace(c *filectx, t *typ, name string) binding {
	b := k.moduleMember(t, name)
	if !b.found() && b.status != graph.External && c.l.AbsentIsExternal {
		return external(plainName(name), graph.NoModule)
	}
	return b
}
