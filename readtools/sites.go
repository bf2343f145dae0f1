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

// want is what a search for references looks for: a symbol, or what a reference to it may mean by
// dispatch.
type want struct {
	target  graph.Target
	of      graph.Handle
	through graph.Handle // the method that is named instead of it
	reason  string
}

// gather finds the references to the symbols in the roles kept, those through dispatch
// included, each place once.
func (rd *reading) gather(hs []graph.Handle, keep func(graph.Role) bool, depth int) ([]siteHit, error) {
	hits, _, err := rd.gatherUntil(hs, keep, depth, never)
	return hits, err
}

// gatherUntil is gather until enough are found: of the files with references, in the order of their
// paths, the first ones, and how many are left.
func (rd *reading) gatherUntil(hs []graph.Handle, keep func(graph.Role) bool, depth int, enough func([]siteHit) bool) (hits []siteHit, left int, err error) {
	if err := rd.learnMethods(hs); err != nil {
		return nil, 0, err
	}
	wants, err := rd.allWants(hs)
	if err != nil {
		return nil, 0, err
	}
	hits, left, err = rd.hits(wants, keep, depth, enough)
	return rd.distinct(hits), left, err
}

// allWants are the symbols, their constructors, and what may mean them by dispatch.
func (rd *reading) allWants(hs []graph.Handle) ([]want, error) {
	wants := rd.wants(rd.withConstructors(hs))
	for _, h := range hs {
		ups, err := rd.dispatchers(h)
		if err != nil {
			return nil, err
		}
		for _, up := range ups {
			if t, ok := rd.target(up.h); ok {
				wants = append(wants, want{t, h, up.h, up.reason})
			}
		}
	}
	return wants, nil
}

// gatherEach is gather for each of the symbols by itself.
func (rd *reading) gatherEach(hs []graph.Handle, keep func(graph.Handle, graph.Role) bool) ([][]siteHit, error) {
	if err := rd.learnMethods(hs); err != nil {
		return nil, err
	}
	var wants []want
	var of []int
	for i, h := range hs {
		some, err := rd.allWants([]graph.Handle{h})
		if err != nil {
			return nil, err
		}
		wants = append(wants, some...)
		for range some {
			of = append(of, i)
		}
	}
	out := make([][]siteHit, len(hs))
	_, err := rd.eachHit(wants, func(i int, hit siteHit) {
		if h := of[i]; keep(hs[h], hit.Role) {
			out[h] = append(out[h], hit)
		}
	}, func() bool { return false })
	for i := range out {
		out[i] = rd.distinct(out[i])
	}
	return out, err
}

func never([]siteHit) bool { return false }

// wants are the symbols themselves.
func (rd *reading) wants(hs []graph.Handle) []want {
	var out []want
	for _, h := range hs {
		if t, ok := rd.target(h); ok {
			out = append(out, want{target: t, of: h})
		}
	}
	return out
}

// direct are the references to the symbols themselves.
func (rd *reading) direct(hs []graph.Handle, keep func(graph.Role) bool, depth int) ([]siteHit, error) {
	hits, _, err := rd.hits(rd.wants(hs), keep, depth, never)
	return hits, err
}

// hits are the references to what is wanted, in the order of files and places, until enough are
// found, and how many files are left.
func (rd *reading) hits(wants []want, keep func(graph.Role) bool, depth int, enough func([]siteHit) bool) (out []siteHit, left int, err error) {
	left, err = rd.eachHit(wants, func(_ int, hit siteHit) {
		if keep(hit.Role) {
			hit.depth = depth
			out = append(out, hit)
		}
	}, func() bool { return enough(out) })
	return out, left, err
}

// eachHit calls f with the references to what is wanted, by its number.
func (rd *reading) eachHit(wants []want, f func(i int, hit siteHit), enough func() bool) (left int, err error) {
	targets := make([]graph.Target, len(wants))
	for i := range wants {
		targets[i] = wants[i].target
	}
	return rd.sitesUntil(targets, func(i int, s *graph.Site) {
		if w := &wants[i]; w.reason == "" || called(s.Role) {
			f(i, siteHit{Site: *s, target: w.of, through: w.through, reason: w.reason})
		}
	}, enough)
}

// distinct puts hits in the order of depth, path and place, and keeps of those at one place
// the surest.
func (rd *reading) distinct(hits []siteHit) []siteHit {
	at := rd.placesOf(hits)
	slices.SortStableFunc(hits, func(a, b siteHit) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(at[a.File], at[b.File]), cmp.Compare(a.Off, b.Off), cmp.Compare(a.Role, b.Role), cmp.Compare(a.rank(), b.rank()))
	})
	return slices.CompactFunc(hits, func(a, b siteHit) bool {
		return a.depth == b.depth && a.File == b.File && a.Off == b.Off && a.Role == b.Role
	})
}

// placesOf numbers the files of hits in the order of their paths.
func (rd *reading) placesOf(hits []siteHit) map[graph.FileID]int {
	at := map[graph.FileID]int{}
	var files []graph.FileID
	for i := range hits {
		if _, ok := at[hits[i].File]; !ok {
			at[hits[i].File] = 0
			files = append(files, hits[i].File)
		}
	}
	rd.inOrderOfPaths(files)
	for i, id := range files {
		at[id] = i
	}
	return at
}

// inOrderOfPaths sorts files as answers show them.
func (rd *reading) inOrderOfPaths(files []graph.FileID) {
	slices.SortFunc(files, func(a, b graph.FileID) int { return search.ComparePaths(rd.pathOf(a), rd.pathOf(b)) })
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
