package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Where modules are closed, names of types and modules, of values and of macros are apart: one module may
// hold a module, a function and a macro of one name, and an import brings all of them.

// sort of names that are apart.
const (
	typeNames uint8 = 1 << iota
	valueNames
	macroNames
)

// sorts are the sorts of names that a symbol's name is of.
func sorts(s *graph.Symbol) uint8 {
	switch {
	case s == nil:
	case s.Kind == graph.Macro:
		return macroNames
	case s.Kind.Callable() || s.Kind == graph.Constant || s.Kind == graph.Variable || s.Kind == graph.Field:
		return valueNames
	case s.Kind == graph.EnumMember || s.Kind == graph.Struct || s.Kind == graph.TypeAlias || s.Kind == graph.Class:
		return typeNames | valueNames
	default:
		return typeNames
	}
	return 0
}

// sortOf is the sort of names that a mention in that role is of.
func sortOf(role graph.Role) uint8 {
	switch role {
	case graph.TypeUse, graph.Inherit:
		return typeNames
	case graph.Call, graph.Read, graph.Write:
		return valueNames
	case graph.MacroUse:
		return macroNames
	}
	return 0
}

// ofSort keeps, of what a name means, what a mention in that role can mean: nothing, where that is a value
// or a macro and a type is asked for, or no macro for a macro.
func (k *linker) ofSort(b binding, role graph.Role) binding {
	want := sortOf(role)
	var fit []graph.Handle
	found := uint8(0)
	for _, h := range b.hs {
		_, s := k.sym(h)
		of := sorts(s)
		found |= of
		if of&want != 0 || want == 0 && s != nil && s.Kind != graph.Module {
			fit = append(fit, h)
		}
	}
	switch {
	case len(b.hs) == 0 || len(fit) == len(b.hs):
	case len(fit) > 0:
		b.hs = fit
	case want == macroNames || want == typeNames && found&typeNames == 0:
		return unresolved(graph.NotFound)
	}
	return b
}

// withNamesakes are symbols of c, and of what its imports of their name bring what is of other sorts.
func (k *linker) withNamesakes(c *filectx, symbols []graph.Handle, imports []int32, seen sought) []graph.Handle {
	if len(imports) == 0 || !c.l.ClosedModules {
		return symbols
	}
	have := uint8(0)
	for _, h := range symbols {
		_, s := k.sym(h)
		have |= sorts(s)
	}
	out := slices.Clone(symbols)
	for _, i := range imports {
		if have == typeNames|valueNames|macroNames || c.busy[importKeyOf(i)] {
			continue
		}
		for _, h := range k.imported(c, i, seen).hs {
			if _, s := k.sym(h); sorts(s)&have == 0 && !slices.Contains(out, h) {
				out = append(out, h)
			}
		}
	}
	return out
}

// importKeyOf marks the search of what import i brings as being under way.
func importKeyOf(i int32) int64 { return int64(i)<<1 | 1<<42 }

// sortedName is ofSort for a free name: what the language predeclares may bear it, too, and a macro that
// another makes has a name that only the other's use shows.
func (k *linker) sortedName(c *filectx, b binding, name string, role graph.Role) binding {
	if !b.found() {
		return b
	}
	fit := k.ofSort(b, role)
	if fit.found() {
		return fit
	}
	if fit = k.predeclared(c, name); role != graph.MacroUse || fit.status == graph.External {
		return fit
	}
	if m, ok := k.macro(c, name); ok {
		return m
	}
	return b
}

// closedModule reports whether t is a module of closed ones.
func (k *linker) closedModule(t *typ) bool {
	if t = strip(t); t == nil || t.kind != tMeta {
		return t != nil && t.kind == tModule
	}
	_, s := k.sym(t.h)
	return s != nil && s.Kind == graph.Module
}
