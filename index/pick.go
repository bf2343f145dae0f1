package index

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// linkage chooses among the definitions with external linkage: those of the file itself, then
// definitions before declarations.
func (k *linker) linkage(c *filectx, hs []graph.Handle) binding {
	var own, defs []graph.Handle
	for _, h := range hs {
		hc, s := k.sym(h)
		if s == nil {
			continue
		}
		if s.Kind == graph.Namespace { // may be anywhere
			return k.bound(c, hs, graph.ByLinkage)
		}
		if s.Flags&graph.Conditional != 0 && s.Flags&graph.Declaration == 0 && slices.ContainsFunc(hs, k.likelyDefined) {
			continue
		}
		if hc.id == c.id && s.Flags&graph.Declaration == 0 {
			own = append(own, h)
		}
		if s.Flags&graph.Declaration == 0 {
			defs = append(defs, h)
		}
	}
	switch {
	case len(own) > 0:
		return k.bound(c, own, graph.ByScope)
	case len(defs) == 1:
		return k.bound(c, append(defs, k.prototypes(c, hs)...), graph.ByLinkage)
	case len(defs) > 1:
		defs = k.linkedWith(c, defs, hs)
		b := k.bound(c, defs, graph.ByLinkage)
		if !k.alternatives(defs) {
			b.status, b.reason = graph.Possible, graph.Ambiguous
		}
		return b
	}
	return k.bound(c, k.nearest(c, hs), graph.ByLinkage)
}

// prototypes are the functions among hs that are declared in what c includes.
func (k *linker) prototypes(c *filectx, hs []graph.Handle) []graph.Handle {
	var out []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s != nil && s.Kind == graph.Function && s.Flags&graph.Declaration != 0 && h.File != c.id && k.included(c)[h.File] {
			out = append(out, h)
		}
	}
	return out
}

// nearest orders handles by how close their files are in the tree.
func (k *linker) nearest(c *filectx, hs []graph.Handle) []graph.Handle {
	out := append([]graph.Handle(nil), hs...)
	near := func(h graph.Handle) int {
		f := k.u.File(h.File)
		if f == nil {
			return -1
		}
		return commonFolders(c.path, f.Path)
	}
	sort.SliceStable(out, func(i, j int) bool { return near(out[i]) > near(out[j]) })
	return out
}

func commonFolders(a, b string) int {
	n, depth := 0, 1+strings.Count(path.Dir(b), "/")
	for {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if !moreA || !moreB || x != y {
			if n == 0 && !moreA && !moreB { // both at the root
				n = 1
			}
			break
		}
		n, a, b = n+1, restA, restB
	}
	return n*8 - depth
}

// bound is a binding to symbols of which imports among them are followed.
func (k *linker) bound(c *filectx, hs []graph.Handle, r graph.Reason) binding {
	return k.boundAmong(c, hs, r, nil)
}

// boundAmong is bound on the way to a name for which those in seen were looked for.
func (k *linker) boundAmong(c *filectx, hs []graph.Handle, r graph.Reason, seen sought) binding {
	var out []graph.Handle
	var miss *binding
	for _, h := range hs {
		if h.Index < 0 {
			if len(hs) > 1 && k.needless(h, hs) {
				continue
			}
			if hc := k.ctx(h.File); hc != nil && (!c.l.Inclusion || hc == c || hc.f.Imports[-1-h.Index].In >= 0 || k.included(c)[h.File]) {
				b := k.imported(hc, -1-h.Index, seen)
				if b.mod != nil {
					return b
				}
				out = append(out, b.hs...)
				miss = &b
			}
			continue
		}
		if b := k.otherName(c, h); b.found() {
			if b.mod != nil {
				return b
			}
			out = append(out, b.hs...)
			continue
		}
		if h.Index != graph.FileItself {
			out = append(out, h)
		}
	}
	if miss != nil && (len(out) == 0 || miss.status == graph.External && k.allLeftOut(out)) {
		return *miss
	}
	if c.l.Inclusion {
		out = k.seen(c, out)
	}
	if len(out) > 1 && c.l.Homes != nil {
		out = k.atHome(c, out)
	}
	return binding{hs: k.order(c, out), status: graph.Certain, reason: r}
}

// needless reports whether h is an import that the usual build leaves out while it has another of hs.
func (k *linker) needless(h graph.Handle, hs []graph.Handle) bool {
	return k.unbuilt(h) && slices.ContainsFunc(hs, func(x graph.Handle) bool { return !k.unbuilt(x) })
}

// atHome keeps, of copies of a type in several files, the file's own, else that of the file in which the
// language looks for it.
func (k *linker) atHome(c *filectx, hs []graph.Handle) []graph.Handle {
	byPath := map[string]graph.Handle{}
	name, folders := "", true
	for _, h := range hs {
		hc, s := k.sym(h)
		if s == nil || !s.Kind.Type() && s.Kind != graph.Function || s.Container >= 0 || byPath[hc.path] != (graph.Handle{}) {
			return hs
		}
		folders = folders && s.Kind.Type()
		if hc.id == c.id {
			return []graph.Handle{h}
		}
		byPath[hc.path] = h
		if name = hc.f.Path(h.Index); hc.f.Package != "" {
			name = hc.f.Package + "." + name
		}
	}
	homes := c.l.Homes(lang.ModuleQuery{From: c.path, Module: name, Config: k.config})
	for _, p := range homes {
		if h, ok := byPath[p]; ok {
			return []graph.Handle{h}
		}
		if at, ok := strings.CutSuffix(p, "/"); ok && folders && !strings.HasPrefix(p, lang.NoHome) {
			if h, ok := soleBelow(at, byPath, homes); ok {
				return []graph.Handle{h}
			}
		}
	}
	return hs
}

// soleBelow is the only one of byPath in a folder, but for those in folders that are no homes.
func soleBelow(folder string, byPath map[string]graph.Handle, homes []string) (graph.Handle, bool) {
	var found graph.Handle
	n := 0
	for p, h := range byPath {
		if folder != "" && !strings.HasPrefix(p, folder+"/") || slices.ContainsFunc(homes, func(x string) bool {
			left, ok := strings.CutPrefix(x, lang.NoHome)
			return ok && strings.HasPrefix(p, left)
		}) {
			continue
		}
		found = h
		n++
	}
	return found, n == 1
}

// order puts the likeliest of several definitions of one thing first: a definition before
// declarations, this file before others, files for every system before those for one.
func (k *linker) order(c *filectx, hs []graph.Handle) []graph.Handle {
	if len(hs) < 2 {
		return hs
	}
	if c.l.Merges && len(hs) > maxParts && !k.isOverload(c, hs[0]) {
		hs = c.firstParts(hs)
	}
	rank := func(h graph.Handle) int {
		hc, s := k.sym(h)
		if s == nil {
			return 100
		}
		r := 0
		if s.Flags&graph.Declaration != 0 {
			r += 8
		}
		if s.Flags&graph.Conditional != 0 {
			r += 4
		}
		if s.Flags&graph.Rarer != 0 {
			r++
		}
		if s.Flags&graph.AssignedMember != 0 { // what declares it goes first
			r++
		}
		if s.Flags&graph.Sole != 0 { // its namesake is the type
			r++
		}
		if k.unbuilt(h) {
			r += 64
		}
		if s.Kind == graph.TypeAlias && c.l.Inclusion { // hides a tag of its name
			r -= 12
		}
		if specialises(hc, s) {
			r += 32
		}
		if hc.id != c.id {
			r += 2
		}
		return r + 16*hc.variant
	}
	type placed struct {
		h          graph.Handle
		rank, near int
		path       string
	}
	all := make([]placed, len(hs))
	for i, h := range hs {
		all[i] = placed{h: h, rank: rank(h)}
		if f := k.u.File(h.File); f != nil {
			all[i].path = f.Path
			if c.l.Inclusion {
				all[i].near = commonFolders(c.path, f.Path)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		if a.path == b.path && c.l.Redefines {
			return cmp.Or(cmp.Compare(a.rank, b.rank), k.inForce(a.h, b.h))
		}
		if a.path == b.path {
			return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.h.Index, b.h.Index))
		}
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.near, a.near), strings.Compare(a.path, b.path))
	})
	out := make([]graph.Handle, len(all))
	for i := range all {
		out[i] = all[i].h
	}
	return out
}

// inForce compares two definitions of one name in one file, where the last callable or type is in force:
// before variables, and those that set a property behind all others.
func (k *linker) inForce(a, b graph.Handle) int {
	sort := func(h graph.Handle) int {
		_, s := k.sym(h)
		switch {
		case s == nil || !s.Kind.Callable() && !s.Kind.Type():
			return 1
		case s.Flags&graph.Setter != 0:
			return 2
		}
		return 0
	}
	x, y := sort(a), sort(b)
	if x == y && x == 0 {
		return cmp.Compare(b.Index, a.Index)
	}
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.Index, b.Index))
}

// isOverload reports whether h is one of what bears a name of a callable, each of which is another thing.
func (k *linker) isOverload(c *filectx, h graph.Handle) bool {
	_, s := k.sym(h)
	return c.l.Overloads && s != nil && s.Kind.Callable()
}

// firstParts are, of many declarations of one thing in the order of their files, the file's own and the first.
func (c *filectx) firstParts(hs []graph.Handle) []graph.Handle {
	out := make([]graph.Handle, 0, maxParts)
	for _, own := range []bool{true, false} {
		for _, h := range hs {
			if len(out) == maxParts {
				return out
			}
			if own == (h.File == c.id) {
				out = append(out, h)
			}
		}
	}
	return out
}
