package readtools

import (
	"cmp"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// siteHit is a reference to a subject: directly, or through a method that the subject
// implements or overrides.
type siteHit struct {
	graph.Site
	target  graph.Handle
	through graph.Handle // what is named at the site, where that is not the target
	reason  string       // where it replaces the site's own
	depth   int
}

// called reports whether a reference runs its target.
func called(r graph.Role) bool { return r == graph.Call || r == graph.MacroUse }

// withConstructors adds to types what runs when they are made.
func (rd *reading) withConstructors(hs []graph.Handle) []graph.Handle {
	out := slices.Clone(hs)
	for _, h := range hs {
		_, s := rd.def(h)
		if s == nil || !s.Kind.Type() {
			continue
		}
		for _, m := range rd.members(h) {
			if isConstructor(rd, m) && !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// gather finds the references to the symbols in the roles kept, those through dispatch
// included, each place once.
func (rd *reading) gather(hs []graph.Handle, keep func(graph.Role) bool, depth int) ([]siteHit, error) {
	direct := rd.withConstructors(hs)
	hits, err := rd.direct(direct, keep, depth)
	if err != nil {
		return nil, err
	}
	for _, h := range hs {
		ups, err := rd.dispatchers(h)
		if err != nil {
			return nil, err
		}
		for _, up := range ups {
			more, err := rd.direct([]graph.Handle{up.h}, called, depth)
			if err != nil {
				return nil, err
			}
			for _, hit := range more {
				hit.through, hit.target, hit.reason = up.h, h, up.reason
				if keep(hit.Role) {
					hits = append(hits, hit)
				}
			}
		}
	}
	return rd.distinct(hits), nil
}

// direct are the references to the symbols themselves.
func (rd *reading) direct(hs []graph.Handle, keep func(graph.Role) bool, depth int) ([]siteHit, error) {
	var targets []graph.Target
	var of []graph.Handle
	for _, h := range hs {
		if t, ok := rd.target(h); ok {
			targets, of = append(targets, t), append(of, h)
		}
	}
	lists, err := rd.sitesIn(targets)
	if err != nil {
		return nil, err
	}
	var out []siteHit
	for i, sites := range lists {
		for _, s := range sites {
			if keep(s.Role) {
				out = append(out, siteHit{Site: s, target: of[i], depth: depth})
			}
		}
	}
	return out, nil
}

// distinct puts hits in the order of depth, path and place, and keeps of those at one place
// the surest.
func (rd *reading) distinct(hits []siteHit) []siteHit {
	slices.SortStableFunc(hits, func(a, b siteHit) int {
		if c := cmp.Compare(a.depth, b.depth); c != 0 {
			return c
		}
		if a.File != b.File {
			return search.ComparePaths(rd.pathOf(a.File), rd.pathOf(b.File))
		}
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Role, b.Role), cmp.Compare(a.rank(), b.rank()))
	})
	return slices.CompactFunc(hits, func(a, b siteHit) bool {
		return a.depth == b.depth && a.File == b.File && a.Off == b.Off && a.Role == b.Role
	})
}

// rank is less for surer hits.
func (h *siteHit) rank() int {
	switch {
	case h.reason != "":
		return 2
	case h.Status != graph.Certain:
		return 1
	}
	return 0
}

// siteItem shows a reference: the place, the callable around it, what it refers to.
func (rd *reading) siteItem(h *siteHit, most int) (ExploreItem, bool) {
	it, ok := rd.placeItem(h, most)
	if !ok {
		return it, false
	}
	if h.In != graph.None {
		it.Symbol = rd.short(graph.Handle{File: h.File, Index: h.In})
	}
	it.Target = rd.name(h.target)
	if h.reason != "" {
		it.Edge.Reason, it.Edge.Certain = h.reason, false
		it.Edge.Confidence *= possibleShare
		if up := rd.symbol(h.through); up != nil {
			it.Note = "through " + up.ID
		}
	}
	return it, true
}

// lineText is a line, or the part of a long one that is around a column.
func lineText(t *source, line, column, most int) string {
	text, _ := search.ClipText(string(t.raw(line)), search.Span{Start: column - 1, End: column - 1}, most)
	return valid([]byte(text))
}
