package readtools

import (
	"fmt"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// impactDepth is how many steps a change is followed when a call gives no depth.
const impactDepth = 3

// reached is a symbol, or with Index FileItself the code of a file outside any callable, that
// a change can reach, with the reference that leads there.
type reached struct {
	h     graph.Handle
	hit   siteHit
	depth int
}

// impact lists what refers to the subject, what refers to that, and so on, by distance, with
// the files and tests among it.
func (e *exploring) impact(hs []graph.Handle) error {
	all, err := e.reach(hs, e.depth(impactDepth), e.page.enough)
	if err != nil {
		return err
	}
	files, tests := map[string]bool{}, map[string]bool{}
	var entries []entry
	left := 0
	for _, r := range all {
		f := e.file(r.h.File)
		if f == nil {
			continue
		}
		if f.Test {
			tests[f.Path] = true
		}
		if !e.inScope(r.h.File) {
			left++
			continue
		}
		if !f.Test {
			files[f.Path] = true
		}
		entries = append(entries, func() (ExploreItem, bool) { return e.reachedItem(&r) })
	}
	if left > 0 {
		e.left("%s in tests or outside the scope", count(left, "symbol"))
	}
	if err := e.unbound(hs); err != nil {
		return err
	}
	if e.page.from == 0 {
		e.res.Sections = append(e.res.Sections,
			Section{Title: e.atLeastIfCut() + count(len(files), "file") + " of code reached", Lines: few(sortedKeys(files))},
			Section{Title: e.atLeastIfCut() + count(len(tests), "test file") + " reached", Lines: few(sortedKeys(tests))})
	}
	e.list(entries)
	return nil
}

// few are the first of many lines.
func few(lines []string) []string {
	if n := len(lines); n > 2*fewSites {
		return append(lines[:2*fewSites:2*fewSites], fmt.Sprintf("... and %s more", thousands(n-2*fewSites)))
	}
	return lines
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// reach follows references against their direction, breadth first, until enough says so of the
// number of symbols in scope.
func (e *exploring) reach(hs []graph.Handle, depth int, enough func(int) bool) ([]reached, error) {
	seen := map[graph.Handle]bool{}
	for _, h := range hs {
		seen[h] = true
	}
	var out []reached
	level, shown := hs, 0
	for d := 1; d <= depth && len(level) > 0; d++ {
		hits, left, err := e.referring(level, d, func(hits []siteHit) bool {
			return e.page.timer.found() && enough(shown+e.newIn(seen, hits))
		})
		if err != nil {
			return nil, err
		}
		level = nil
		for _, hit := range hits {
			h := e.holder(&hit)
			if seen[h] {
				continue
			}
			seen[h] = true
			if len(out) >= maxVisited {
				e.atLeast("what lies beyond the first %s", count(maxVisited, "symbol"))
				return out, nil
			}
			out = append(out, reached{h, hit, d})
			level = append(level, h)
			if e.inScope(h.File) {
				shown++
			}
		}
		if left > 0 {
			e.atLeast("what lies %s or more away, which was not all looked for", count(d, "step"))
			return out, nil
		}
	}
	if len(level) > 0 {
		e.left("what lies more than %s away (depth)", count(depth, "step"))
	}
	return out, nil
}

// referring are the references to a level: to the subject also those through dispatch.
func (e *exploring) referring(level []graph.Handle, depth int, enough func([]siteHit) bool) (hits []siteHit, left int, err error) {
	every := func(graph.Role) bool { return true }
	if depth == 1 {
		return e.gatherUntil(level, every, depth, enough)
	}
	hits, left, err = e.hits(e.wants(level), every, depth, enough)
	return e.distinct(hits), left, err
}

// newIn counts the holders of hits that may be shown and were not seen.
func (e *exploring) newIn(seen map[graph.Handle]bool, hits []siteHit) int {
	found := map[graph.Handle]bool{}
	for i := range hits {
		if h := e.holder(&hits[i]); !seen[h] && e.inScope(h.File) {
			found[h] = true
		}
	}
	return len(found)
}

// holder is what a reference belongs to: the callable around it, else the definition around
// it, else the file.
func (e *exploring) holder(hit *siteHit) graph.Handle {
	return holderIn(e.factsOf(hit.File), &hit.Site)
}

// holderIn is the holder of a reference in a file of these facts, which may be nil.
func holderIn(f *graph.Facts, site *graph.Site) graph.Handle {
	if site.In != graph.None {
		return graph.Handle{File: site.File, Index: site.In}
	}
	if site.Expr >= 0 && f != nil {
		if in := f.Exprs[site.Expr].In; in != graph.None && f.Str(f.Symbols[in].Name) != "" {
			if s := &f.Symbols[in]; s.Container != graph.None && !s.Kind.Callable() && f.Symbols[s.Container].Kind.Type() {
				in = s.Container // a field's type is its owner's matter
			}
			return graph.Handle{File: site.File, Index: in}
		}
	}
	return graph.Handle{File: site.File, Index: graph.FileItself}
}

func (e *exploring) reachedItem(r *reached) (ExploreItem, bool) {
	it, ok := e.siteItem(&r.hit, e.page.maxText())
	if !ok {
		return it, false
	}
	it.Depth = r.depth
	it.Symbol = nil
	if r.h.Index != graph.FileItself {
		it.Symbol = e.short(r.h)
	}
	if f := e.file(r.h.File); f.Test {
		it.Note = "test"
	}
	return it, true
}

// trail finds the shortest chain of calls from the subject to another symbol.
func (e *exploring) trail(from []graph.Handle) error {
	if e.p.To == "" {
		return usage("give to: the symbol to reach", "focus: path needs a symbol to reach")
	}
	subject, dir := e.res.Subject, e.dir
	e.dir = "."
	to, err := e.subject(e.p.To)
	e.res.Subject, e.dir = subject, dir
	if err != nil {
		return err
	}
	steps, err := e.shortest(from, to)
	if err != nil {
		return err
	}
	if steps == nil {
		e.atLeast("calls that could not be bound, and calls of function values")
		e.res.note("no chain of calls leads from " + e.p.Query + " to " + e.p.To + "; try the other way round, or focus: impact")
	}
	var entries []entry
	for i := range steps {
		entries = append(entries, func() (ExploreItem, bool) { return e.siteItem(&steps[i], e.page.maxText()) })
	}
	e.list(entries)
	return nil
}
