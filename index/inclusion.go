package index

import (
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Where files are included as text, all share one space of names. What a file sees of it is what
// it defines and includes; of several definitions of one thing, those it sees go first.

// maxIncluded bounds the files that one file is followed to include.
const maxIncluded = 400

// included are the files that c includes, directly or not, and c itself.
func (k *linker) included(c *filectx) map[graph.FileID]bool {
	if c.included != nil {
		return c.included
	}
	c.included = map[graph.FileID]bool{c.id: true}
	queue := []*filectx{c}
	for len(queue) > 0 && len(c.included) < maxIncluded {
		x := queue[0]
		queue = queue[1:]
		for _, h := range k.look(x.sc.file.Key(star)) {
			if h.File != x.id || h.Index >= 0 || x.f.Imports[-1-h.Index].Flags&graph.Include == 0 {
				continue
			}
			for _, m := range k.modules(x, -1-h.Index) {
				if y := k.ctx(m.file); y != nil && !c.included[m.file] {
					c.included[m.file] = true
					queue = append(queue, y)
				}
			}
		}
	}
	return c.included
}

// ownLinkage reports whether symbol h is seen only where its file is.
func (k *linker) ownLinkage(h graph.Handle) bool {
	c, s := k.sym(h)
	for s != nil {
		if s.Flags&graph.FileLocal != 0 {
			return true
		}
		if s.Container < 0 {
			return false
		}
		s = &c.f.Symbols[s.Container]
	}
	return false
}

// seen keeps, of symbols of one name, those that c can mean.
func (k *linker) seen(c *filectx, hs []graph.Handle) []graph.Handle {
	if len(hs) == 0 || len(hs) == 1 && (hs[0].File == c.id || !k.ownLinkage(hs[0])) {
		return hs
	}
	in := k.included(c)
	var out []graph.Handle
	own, near := false, false
	var macros []graph.Handle
	for _, h := range hs {
		if h.File != c.id && !in[h.File] && k.ownLinkage(h) {
			continue
		}
		if _, s := k.sym(h); s != nil && s.Kind == graph.Macro && s.Flags&graph.Conditional == 0 {
			macros = append(macros, h)
		}
		out = append(out, h)
		own = own || h.File == c.id && k.defines(h)
		near = near || in[h.File] && k.defines(h)
	}
	out = k.declaredIn(in, out)
	switch {
	case len(macros) > 0: // stand for anything of their name
		return macros
	case !own && !near:
		return out
	}
	isNear := func(x graph.Handle) bool { return own && x.File == c.id || !own && in[x.File] }
	space := func(x graph.Handle) bool { // any number of files may add to one
		_, s := k.sym(x)
		return s != nil && s.Kind == graph.Namespace
	}
	spaces := slices.ContainsFunc(out, func(x graph.Handle) bool { return isNear(x) && space(x) })
	kept := out[:0:0]
	for _, h := range out {
		switch {
		case isNear(h) || !k.defines(h):
			kept = append(kept, h)
		case space(h):
			if !spaces {
				kept = append(kept, h)
			}
		case !k.rivals(h, out, isNear):
			kept = append(kept, h)
		}
	}
	return kept
}

// declaredIn leaves out the callables that none of the files in declares, if these declare others of the name:
// what is called is declared before.
func (k *linker) declaredIn(in map[graph.FileID]bool, hs []graph.Handle) []graph.Handle {
	var near []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s != nil && s.Kind.Callable() && in[h.File] {
			near = append(near, h)
		}
	}
	if len(near) == 0 || len(near) == len(hs) {
		return hs
	}
	var out []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || !s.Kind.Callable() || in[h.File] || slices.ContainsFunc(near, func(x graph.Handle) bool { return k.sameParams(x, h) }) {
			out = append(out, h)
		}
	}
	return out
}

// defines reports whether h is more than a declaration.
func (k *linker) defines(h graph.Handle) bool {
	_, s := k.sym(h)
	return s != nil && s.Flags&graph.Declaration == 0
}

// rivals reports whether one of the near symbols defines what h does, too.
func (k *linker) rivals(h graph.Handle, hs []graph.Handle, near func(graph.Handle) bool) bool {
	c, s := k.sym(h)
	for _, x := range hs {
		if xc, y := k.sym(x); x != h && y != nil && near(x) && !specialises(c, s) && !specialises(xc, y) && k.defines(x) && s.Kind.Callable() == y.Kind.Callable() &&
			(s.Kind == graph.TypeAlias) == (y.Kind == graph.TypeAlias) && (!s.Kind.Callable() || k.sameParams(h, x)) {
			return true
		}
	}
	return false
}

// sameParams reports whether two callables take the same, as far as is known.
func (k *linker) sameParams(a, b graph.Handle) bool {
	ac, as := k.sym(a)
	bc, bs := k.sym(b)
	if as == nil || bs == nil {
		return false
	}
	ap, bp := ac.f.List(as.Params), bc.f.List(bs.Params)
	if len(ap) != len(bp) || (as.Flags^bs.Flags)&graph.ReadOnly != 0 {
		return false
	}
	for i := range ap {
		p, q := k.typeExpr(ac, ac.f.Locals[ap[i]].Type), k.typeExpr(bc, bc.f.Locals[bp[i]].Type)
		if p != nil && q != nil && !k.alike(p, q, 0) {
			return false
		}
	}
	return true
}

// alike reports whether two types are the same; several declarations of a type are one.
func (k *linker) alike(p, q *typ, depth int) bool {
	if p == nil || q == nil || depth > 6 {
		return true
	}
	if p.kind == tNamed && q.kind == tNamed && p.h != q.h {
		return k.oneType(p.h, q.h)
	}
	if p.kind == tPointer && q.kind == tPointer {
		return k.alike(p.elem, q.elem, depth+1)
	}
	if p.kind == tExternal && q.kind == tExternal {
		return lastName(p.name) == lastName(q.name)
	}
	return p.kind == q.kind && (p.kind != tBuiltin || p.name == q.name)
}

// localName stands before names that a file shows to those that include it, in the space that it shares
// with files of a language where inclusion is no matter of scopes.
const localName = "\x00local "

// forIncluders adds what symbol i of the file at p answers for the sake of another language with which
// it shares a space: a header's own names, and types by their tags.
func (sc *scopes) forIncluders(out []graph.Export, l *lang.Language, p string, i int32, shape uint64) []graph.Export {
	s := &sc.f.Symbols[i]
	if l == nil || !l.ExternalLinkage || s.Flags&graph.NestedDef != 0 {
		return out
	}
	name := sc.f.Str(s.Name)
	switch {
	case !l.Inclusion && s.Flags&graph.FileLocal != 0 && s.Qual == 0 && path.Ext(p) != ".c":
		out = append(out, graph.Export{Key: sc.space.Key(localName + name), Index: i, Shape: shape})
	case l.Inclusion && s.Container < 0 && s.Kind.Type() && s.Kind != graph.TypeAlias:
		out = append(out, graph.Export{Key: sc.space.Key(tagged + name), Index: i, Shape: shape})
	}
	return out
}

// whereIncluded looks a name that header c does not have among those of other headers: whatever includes c
// includes them before it.
func (k *linker) whereIncluded(c *filectx, name string) (binding, bool) {
	if !c.l.ExternalLinkage || c.l.Inclusion || path.Ext(c.path) == ".c" {
		return binding{}, false
	}
	hs := k.nearest(c, k.look(c.sc.space.Key(localName+name)))
	if len(hs) == 0 {
		return binding{}, false
	}
	b := k.bound(c, hs, graph.ByInclude)
	for _, h := range hs[1:] {
		if h.File != hs[0].File {
			b.status, b.reason = graph.Possible, graph.Ambiguous
		}
	}
	return b, b.found()
}

// using is a wildcard import at file level, of a file that another includes.
type using struct {
	c *filectx
	i int32
}

// inUsings looks a name up in the namespaces that c or what it includes imports whole.
func (k *linker) inUsings(c *filectx, name string) (binding, bool) {
	if c.usings == nil {
		c.usings = []using{}
		var in []*filectx
		for id := range k.included(c) {
			if x := k.ctx(id); x != nil {
				in = append(in, x)
			}
		}
		slices.SortFunc(in, func(a, b *filectx) int { return strings.Compare(a.path, b.path) })
		for _, x := range in {
			for _, h := range k.look(x.sc.file.Key(star)) {
				if h.File == x.id && h.Index < 0 && x.f.Imports[-1-h.Index].Flags&graph.Include == 0 {
					c.usings = append(c.usings, using{x, -1 - h.Index})
				}
			}
		}
	}
	for _, u := range c.usings {
		if !u.c.enter(starKey(-1-u.i, name)) {
			continue
		}
		for _, m := range k.modules(u.c, u.i) {
			if b := k.inModule(m, name, nil); b.found() {
				u.c.leave(starKey(-1-u.i, name))
				b.reason = graph.ByStar
				return b, true
			}
		}
		u.c.leave(starKey(-1-u.i, name))
	}
	return binding{}, false
}
