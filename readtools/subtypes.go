package readtools

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// maxBases bounds how far bases are followed.
const maxBases = 20

// base is a type that another extends, implements or embeds: a symbol, or what its name is
// where it is none of the project's.
type base struct {
	graph.Handle
	name   string
	site   graph.Site
	inside bool
}

// named is the expression that names the type in a base: Base for *pkg.Base[T].
func namedExpr(f *graph.Facts, i int32) int32 {
	for i >= 0 {
		switch f.Exprs[i].Op {
		case graph.OpIndex, graph.OpPointer, graph.OpCall, graph.OpNew, graph.OpAddr, graph.OpDeref, graph.OpInstance:
			i = f.Exprs[i].X
			continue
		}
		break
	}
	return i
}

// bases are the types that a type names as its own.
func (rd *reading) bases(h graph.Handle) ([]base, error) {
	f, s := rd.def(h)
	if s == nil {
		return nil, nil
	}
	list := f.List(s.Bases)
	if len(list) == 0 {
		return nil, nil
	}
	if err := rd.loadLinks(h.File); err != nil {
		return nil, err
	}
	named := map[int32]bool{}
	for _, b := range list {
		named[namedExpr(f, b)] = true
	}
	var out []base
	graph.Sites(h.File, f, rd.links[h.File], func(site graph.Site) {
		if !named[site.Expr] || site.Expr < 0 {
			return
		}
		inside := false
		for _, t := range site.Targets {
			if b := rd.resolve(t); b.Index >= 0 && b.Index != graph.FileItself {
				out = append(out, base{Handle: b, site: site, inside: true, name: f.Str(site.Name)})
				inside = true
			}
		}
		if !inside {
			out = append(out, base{name: exprName(f, site.Expr), site: site})
		}
	})
	return out, nil
}

// derived are the types that name one of the types as a base, with the place.
func (rd *reading) derived(hs []graph.Handle) ([]siteHit, error) {
	var fresh []graph.Handle
	for _, h := range hs {
		if _, ok := rd.heirs[h]; !ok {
			rd.heirs[h] = nil
			fresh = append(fresh, h)
		}
	}
	hits, err := rd.direct(fresh, func(r graph.Role) bool { return r == graph.Inherit }, 0)
	if err != nil {
		clear(rd.heirs)
		return nil, err
	}
	bearers := map[graph.FileID]map[int32]int32{}
	for _, h := range hits {
		m, ok := bearers[h.File]
		if !ok {
			m = baseBearers(rd.factsOf(h.File))
			bearers[h.File] = m
		}
		if i, ok := m[h.Expr]; ok {
			h.In = i
			rd.heirs[h.target] = append(rd.heirs[h.target], h)
		}
	}
	var out []siteHit
	for _, h := range hs {
		out = append(out, rd.heirs[h]...)
	}
	return out, nil
}

// baseBearers maps the expressions that name bases to the types that have them.
func baseBearers(f *graph.Facts) map[int32]int32 {
	m := map[int32]int32{}
	if f == nil {
		return m
	}
	for i := range f.Symbols {
		for _, b := range f.List(f.Symbols[i].Bases) {
			m[namedExpr(f, b)] = int32(i)
		}
	}
	return m
}

// allBases are the types of the project above a type, the nearest first.
func (rd *reading) allBases(h graph.Handle) (up []graph.Handle, leadsOut bool, err error) {
	seen := map[graph.Handle]bool{h: true}
	level := []graph.Handle{h}
	for range maxBases {
		var next []graph.Handle
		for _, t := range level {
			bs, err := rd.bases(t)
			if err != nil {
				return nil, false, err
			}
			for _, b := range bs {
				if !b.inside {
					leadsOut = true
				} else if !seen[b.Handle] {
					seen[b.Handle] = true
					up, next = append(up, b.Handle), append(next, b.Handle)
				}
			}
		}
		level = next
	}
	return up, leadsOut, nil
}

// owner is the type that a member belongs to; ok is false for what is no member of a type.
func (rd *reading) owner(h graph.Handle) (graph.Handle, bool) {
	f, s := rd.def(h)
	if s == nil {
		return graph.Handle{}, false
	}
	if s.Container != graph.None && f.Symbols[s.Container].Kind.Type() {
		return graph.Handle{File: h.File, Index: s.Container}, true
	}
	qual := f.Str(s.Qual)
	if qual == "" {
		return graph.Handle{}, false
	}
	front, name := "", qual
	if i := strings.LastIndexByte(qual, '.'); i >= 0 {
		front, name = qual[:i], qual[i+1:]
	}
	for i := range f.Symbols {
		if t := int32(i); f.Symbols[i].Kind.Type() && f.Path(t) == qual {
			return graph.Handle{File: h.File, Index: t}, true
		}
	}
	best, rank := graph.Handle{}, 0
	for _, t := range rd.lookup(rd.baseScope(h).Path(front).Key(name)) {
		g, d := rd.def(t)
		if d == nil || !d.Kind.Type() {
			continue
		}
		r := 1 // a definition for another system
		if g.Variant == f.Variant {
			r = 2
		}
		if r > rank {
			best, rank = t, r
		}
	}
	return best, rank > 0
}

// lookup are the symbols that export a key.
func (rd *reading) lookup(key graph.Key) []graph.Handle {
	got, err := rd.r.Lookup([]graph.Key{key})
	if err != nil || len(got) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(got[0]), func(h graph.Handle) bool { return h.Index < 0 || h.Index == graph.FileItself })
}

// ownMember are the members called name that a type has by itself: those that its file
// shows, and those that other files add under the plain name.
func (rd *reading) ownMember(h graph.Handle, name string) []graph.Handle {
	f, s := rd.def(h)
	if s == nil {
		return nil
	}
	var out []graph.Handle
	for _, i := range rd.byOwner(h.File)[ownedName{f.Path(h.Index), name}] {
		out = append(out, graph.Handle{File: h.File, Index: i})
	}
	for _, m := range rd.lookup(rd.memberScope(h).Key(name)) {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// ownedName is a member's name with the path of names of its owner.
type ownedName struct{ owner, name string }

// byOwner are a file's members by their owner and name.
func (rd *reading) byOwner(id graph.FileID) map[ownedName][]int32 {
	if m, ok := rd.owned[id]; ok {
		return m
	}
	m := map[ownedName][]int32{}
	if f := rd.factsOf(id); f != nil {
		for i := range f.Symbols {
			if q := f.Str(f.Symbols[i].Qual); q != "" {
				k := ownedName{q, f.Str(f.Symbols[i].Name)}
				m[k] = append(m[k], int32(i))
			}
		}
	}
	rd.owned[id] = m
	return m
}

// member are the members called name of a type: its own, or else those of its nearest bases.
func (rd *reading) member(h graph.Handle, name string) []graph.Handle {
	seen := map[graph.Handle]bool{h: true}
	level := []graph.Handle{h}
	for range maxBases {
		var found, next []graph.Handle
		for _, t := range level {
			found = append(found, rd.ownMember(t, name)...)
			bs, err := rd.bases(t)
			if err != nil {
				return nil
			}
			for _, b := range bs {
				if b.inside && !seen[b.Handle] {
					seen[b.Handle] = true
					next = append(next, b.Handle)
				}
			}
		}
		if len(found) > 0 || len(next) == 0 {
			return found
		}
		level = next
	}
	return nil
}

// methods are the callables among a type's own members, by name.
func (rd *reading) methods(h graph.Handle) []graph.Handle {
	f, s := rd.def(h)
	if s == nil {
		return nil
	}
	var out []graph.Handle
	for _, m := range rd.members(h) {
		if d := &f.Symbols[m.Index]; d.Kind == graph.Method && d.Flags&graph.Static == 0 {
			out = append(out, m)
		}
	}
	return out
}

// allMethods are the methods of a type and of those that it embeds or extends, the nearest
// of each name.
func (rd *reading) allMethods(h graph.Handle) (ms []graph.Handle, leadsOut bool, err error) {
	up, leadsOut, err := rd.allBases(h)
	seen := map[string]bool{}
	for _, t := range append([]graph.Handle{h}, up...) {
		for _, m := range rd.methods(t) {
			f, s := rd.def(m)
			if name := f.Str(s.Name); !seen[name] {
				seen[name] = true
				ms = append(ms, m)
			}
		}
	}
	return ms, leadsOut, err
}
