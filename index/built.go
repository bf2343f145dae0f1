package index

import (
	"path"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// A definition may be built under a condition that its file does not decide: what the crate's configuration,
// its build script or a macro of another file says. Then the condition is a fact, and whether the usual build
// has the definition is asked where it competes with another of its name.

// buildScope is the scope of what files say of the build of their folder.
func buildScope(l *lang.Language) graph.ScopeID { return graph.Scope("build", l.Name) }

// conditions are the conditions of the symbols and imports of f, by what they are of.
func conditions(f *graph.Facts) map[int32][]string {
	var out map[int32][]string
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Op == graph.OpBuilt && e.N == 0 {
			if out == nil {
				out = map[int32][]string{}
			}
			out[e.X] = append(out[e.X], f.Str(e.Name))
		}
	}
	return out
}

// exportBuild are the keys under which a file answers for what it says of the build.
func exportBuild(out []graph.Export, l *lang.Language, p string, f *graph.Facts) []graph.Export {
	if l == nil || l.Built == nil {
		return out
	}
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Op == graph.OpBuilt && e.N == graph.SaysOfBuild {
			key := buildScope(l).Key(path.Dir(p) + " " + f.Str(e.Name))
			out = append(out, graph.Export{Key: key, Index: graph.FileItself, Shape: graph.NewHash().String(p).Sum()})
		}
	}
	return out
}

// unbuilt reports whether the usual build leaves h, a symbol or an import, out. What stands under a condition
// itself is seen from there.
func (k *linker) unbuilt(h graph.Handle) bool {
	c := k.ctx(h.File)
	if c == nil || h.Index == graph.FileItself {
		return false
	}
	of, in := h.Index, graph.None
	if h.Index < 0 {
		im := &c.f.Imports[-1-h.Index]
		if im.Flags&graph.UnbuiltImport != 0 {
			return true
		}
		of, in = graph.ConditionOfImport(-1-h.Index), im.In
	} else {
		if c.f.Symbols[h.Index].Flags&graph.Unbuilt != 0 {
			return true
		}
		in = c.f.Symbols[h.Index].Container
	}
	conds := c.conditionsOf()
	if len(conds) == 0 {
		return false
	}
	for {
		for _, cond := range conds[of] {
			if !k.builtIf(c, cond) {
				return true
			}
		}
		if in < 0 {
			return false
		}
		of, in = in, c.f.Symbols[in].Container
	}
}

// builtTwin is symbol i of c, defined inside a body, or where the usual build leaves that out another of its
// name there that it has.
func (k *linker) builtTwin(c *filectx, i int32) int32 {
	s := &c.f.Symbols[i]
	if c.l.Built == nil || s.Container < 0 || !k.unbuilt(graph.Handle{File: c.id, Index: i}) {
		return i
	}
	for j := s.Container + 1; int(j) < len(c.f.Symbols) && c.f.Symbols[j].Start < c.f.Symbols[s.Container].End; j++ {
		if t := &c.f.Symbols[j]; j != i && t.Name == s.Name && t.Container == s.Container && t.Kind == s.Kind && !k.unbuilt(graph.Handle{File: c.id, Index: j}) {
			return j
		}
	}
	return i
}

// builtStars keeps, of imports of all names of something, those that the usual build has, if there are any.
func (k *linker) builtStars(hs []graph.Handle) []graph.Handle {
	var out []graph.Handle
	for _, h := range hs {
		if h.Index < 0 && !k.unbuilt(h) {
			out = append(out, h)
		}
	}
	if len(out) == 0 {
		return hs
	}
	return out
}

// conditionsOf are the conditions of the file.
func (in *fileinfo) conditionsOf() map[int32][]string {
	if !in.conditioned && in.l.Built != nil {
		in.conds = conditions(in.f)
	}
	in.conditioned = true
	return in.conds
}

// builtIf reports whether a condition in c holds for the usual build, or where the mention being linked stands.
func (k *linker) builtIf(c *filectx, cond string) bool {
	key := int64(graph.NewHash().String("built").String(cond).Sum() | 1<<63)
	if !c.enter(key) { // a macro that stands under what it sets itself
		k.cuts++
		return true
	}
	defer c.leave(key)
	q := lang.BuildQuery{From: c.path, Assumed: k.assumed(), Config: k.config, Said: func(dir, name string) bool {
		return len(k.look(buildScope(c.l).Key(dir+" "+name))) > 0
	}, Sets: func(macro string) []string { return k.setBy(c, macro) }}
	if len(q.Assumed) > 0 {
		return c.l.Built(q, cond)
	}
	if v, ok := c.built[cond]; ok {
		return v
	}
	cuts := k.cuts
	v := c.l.Built(q, cond)
	if k.cuts != cuts {
		return v
	}
	if c.built == nil {
		c.built = map[string]bool{}
	}
	c.built[cond] = v
	return v
}

// standing is where something stands that is being worked out: in a symbol of a file, or as an import.
type standing struct {
	c  *filectx
	in int32
	im int32 // None for all but imports
}

// assumed are the conditions under which that stands which is being worked out.
func (k *linker) assumed() []string {
	if k.site.c == nil {
		return nil
	}
	conds := k.site.c.conditionsOf()
	if len(conds) == 0 {
		return nil
	}
	var out []string
	if k.site.im != graph.None {
		out = append(out, conds[graph.ConditionOfImport(k.site.im)]...)
	}
	for s := k.site.in; s >= 0; s = k.site.c.f.Symbols[s].Container {
		out = append(out, conds[s]...)
	}
	return out
}

// setBy are the conditions that a macro sets for the items that it is handed.
func (k *linker) setBy(c *filectx, macro string) []string {
	b, ok := k.macro(c, macro)
	if !ok || len(b.hs) == 0 {
		return nil
	}
	mc, s := k.sym(b.hs[0])
	if s == nil {
		return nil
	}
	var out []string
	for i := range mc.f.Exprs {
		if e := &mc.f.Exprs[i]; e.Op == graph.OpBuilt && e.N == graph.SetsCondition && e.X == b.hs[0].Index {
			out = append(out, mc.f.Str(e.Name))
		}
	}
	return out
}
