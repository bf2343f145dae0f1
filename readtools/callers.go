package readtools

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// maxVisited bounds the symbols that an answer follows.
const maxVisited = 5000

// callers lists the call sites of the subject, and of its callers to the depth asked for.
func (e *exploring) callers(hs []graph.Handle) error {
	var all []siteHit
	seen := map[graph.Handle]bool{}
	level := hs
	for _, h := range hs {
		seen[h] = true
	}
	depth := e.depth(1)
	for d := 1; d <= depth && len(level) > 0; d++ {
		hits, left, err := e.gatherUntil(level, called, d, e.enoughSites(all))
		if err != nil {
			return err
		}
		all = append(all, hits...)
		if left > 0 {
			e.atLeast("callers in %s", count(left, "file")+" that were not looked at")
			break
		}
		level = e.holders(hits, seen)
		if len(seen) > maxVisited {
			e.atLeast("callers beyond the first %s", thousands(maxVisited))
			break
		}
	}
	e.hidden(all)
	if err := e.asValue(hs); err != nil {
		return err
	}
	if err := e.unbound(hs); err != nil {
		return err
	}
	e.listSites(all)
	return nil
}

// enoughSites reports, with the sites of a search so far, whether the answer ends there: those in
// scope count, with the ones of earlier levels.
func (e *exploring) enoughSites(earlier []siteHit) func([]siteHit) bool {
	return func(hits []siteHit) bool {
		if !e.page.timer.found() {
			return false
		}
		n := 0
		for _, some := range [][]siteHit{earlier, e.distinct(slices.Clone(hits))} {
			for i := range some {
				if e.inScope(some[i].File) {
					n++
				}
			}
		}
		return e.page.enough(n)
	}
}

// asValue tells where the subject is handed on as a value, since who calls that is not told.
func (e *exploring) asValue(hs []graph.Handle) error {
	if _, s := e.def(hs[0]); s == nil || !s.Kind.Callable() {
		return nil
	}
	if e.page.overdue() {
		e.atLeast("calls of it as a value, which were not looked for")
		return nil
	}
	hits, err := e.direct(hs, func(r graph.Role) bool { return r == graph.Read }, 1)
	if err != nil {
		return err
	}
	if n := len(e.distinct(hits)); n > 0 {
		e.left("calls of it as a value, which %s (focus: references shows where)", map[bool]string{true: "1 place hands on", false: thousands(n) + " places hand on"}[n == 1])
	}
	return nil
}

// holders are the callables that hold hits in scope and were not seen before.
func (e *exploring) holders(hits []siteHit, seen map[graph.Handle]bool) []graph.Handle {
	var out []graph.Handle
	for i := range hits {
		h := graph.Handle{File: hits[i].File, Index: hits[i].In}
		if h.Index != graph.None && !seen[h] && e.inScope(h.File) {
			seen[h] = true
			out = append(out, h)
		}
	}
	return out
}

// hidden tells how many hits lie outside of the scope.
func (e *exploring) hidden(all []siteHit) {
	tests, outside := 0, 0
	for i := range all {
		f := e.file(all[i].File)
		switch {
		case f == nil || e.inScope(all[i].File):
		case f.Test && !e.p.IncludeTests:
			tests++
		default:
			outside++
		}
	}
	if tests > 0 {
		e.left("%s in tests (include_tests: true shows them)", count(tests, "site"))
	}
	if outside > 0 {
		e.left("%s outside %s", count(outside, "site"), quotePath(e.dir))
	}
}

// listSites shows references.
func (e *exploring) listSites(all []siteHit) {
	all = slices.DeleteFunc(all, func(h siteHit) bool { return !e.inScope(h.File) })
	entries := make([]entry, len(all))
	for i := range all {
		entries[i] = func() (ExploreItem, bool) { return e.siteItem(&all[i], e.page.maxText()) }
	}
	e.list(entries)
}

// maxMentions is how many files with a name in them are looked through for calls by that
// name which could not be bound.
const maxMentions = 300

// unbound tells how many calls by the subject's name could not be bound to anything, so that
// no number of callers is taken for all there may be.
func (e *exploring) unbound(hs []graph.Handle) error {
	f, s := e.def(hs[0])
	if s == nil {
		return nil
	}
	name := f.Str(s.Name)
	if !identifier.MatchString(name) {
		return nil
	}
	files, known, err := e.fewFilesWith(name)
	if err != nil {
		if e.page.missed(err) {
			e.atLeast("calls by the name %s that could not be bound, which were not looked for", name)
			return nil
		}
		return err
	}
	if !known {
		e.atLeast("calls by the name %s that could not be bound, if there are any: more than %s mention it (focus: references accounts for them)", name, count(maxMentions, "file"))
		return nil
	}
	sites, err := e.mentionsIn(name, files)
	if err != nil {
		return err
	}
	n := 0
	for i := range sites {
		if sites[i].Status == graph.Unresolved && called(sites[i].Role) && e.file(sites[i].File).Language == e.file(hs[0].File).Language {
			n++
		}
	}
	if n > 0 {
		e.atLeast("%s by the name %s that could not be bound to any definition (grep in: references shows them)", count(n, "call"), name)
	}
	return nil
}

// fewFilesWith are the files with a name in them; known is false where there are so many that
// it is not worth the time to look into them.
func (rd *reading) fewFilesWith(name string) (files []*graph.File, known bool, err error) {
	p, err := search.Compile(search.Options{Patterns: []string{name}, Literal: true, Word: true})
	if err != nil {
		return nil, false, patternError(err, true)
	}
	if rd.timer.late() {
		return nil, false, errLate
	}
	fits, err := candidates(rd, p)
	if err != nil {
		return nil, false, err
	}
	n := 0
	for i := range rd.s.Files() {
		if fits(rd.s.Files()[i].ID) {
			n++
		}
	}
	if n > maxMentions {
		return nil, false, nil
	}
	files, _, err = rd.filesWith(name)
	return files, true, err
}

// callees lists what the subject calls, with the place of each call.
func (e *exploring) callees(hs []graph.Handle) error {
	var entries []entry
	seen := map[graph.Handle]bool{}
	for _, h := range hs {
		seen[h] = true
	}
	level, depth := hs, e.depth(1)
	for d := 1; d <= depth && len(level) > 0; d++ {
		var next []graph.Handle
		for _, h := range level {
			sites, err := e.sitesOut(h)
			if err != nil {
				return err
			}
			for _, s := range sites {
				es, targets := e.callee(s, d)
				entries = append(entries, es...)
				for _, t := range targets {
					if !seen[t] && t.Index >= 0 && e.inScope(t.File) {
						seen[t] = true
						next = append(next, t)
					}
				}
			}
		}
		level = next
		if len(seen) > maxVisited {
			e.atLeast("callees beyond the first %s", thousands(maxVisited))
			break
		}
	}
	e.list(entries)
	return nil
}

// sitesOut are the calls that belong to a symbol: in a callable without those of other
// callables in it, in anything else all.
func (rd *reading) sitesOut(h graph.Handle) ([]graph.Site, error) {
	if err := rd.loadLinks(h.File); err != nil {
		return nil, err
	}
	f, s := rd.def(h)
	if s == nil {
		return nil, nil
	}
	own := f.Callable(h.Index) == h.Index
	var out []graph.Site
	graph.Sites(h.File, f, rd.links[h.File], func(site graph.Site) {
		if !called(site.Role) {
			return
		}
		if own && site.In == h.Index || !own && site.Expr >= 0 && f.Within(f.Exprs[site.Expr].In, h.Index) {
			out = append(out, site)
		}
	})
	slices.SortStableFunc(out, func(a, b graph.Site) int { return int(a.Off) - int(b.Off) })
	return out, nil
}

// callee are the entries of a call, one for each target.
func (e *exploring) callee(s graph.Site, depth int) ([]entry, []graph.Handle) {
	if len(s.Targets) == 0 {
		return []entry{func() (ExploreItem, bool) { return e.calleeItem(&s, nil, depth) }}, nil
	}
	var entries []entry
	var targets []graph.Handle
	for _, t := range s.Targets {
		h := e.resolve(t)
		if h.Index == graph.FileItself || slices.Contains(targets, h) {
			continue
		}
		targets = append(targets, h)
		entries = append(entries, func() (ExploreItem, bool) { return e.calleeItem(&s, &h, depth) })
	}
	return entries, targets
}

func (e *exploring) calleeItem(s *graph.Site, target *graph.Handle, depth int) (ExploreItem, bool) {
	hit := siteHit{Site: *s, depth: depth}
	f := e.factsOf(s.File)
	it, ok := e.placeItem(&hit, e.page.maxText())
	if !ok {
		return it, false
	}
	if target == nil {
		it.External = exprName(f, s.Expr)
		if s.Status == graph.Unresolved {
			it.Note = "not bound: " + s.Reason.String()
		}
		return it, true
	}
	if it.Symbol = e.symbol(*target); it.Symbol == nil {
		return it, false
	}
	if _, d := e.def(*target); d.Flags&graph.Abstract != 0 && s.Status == graph.Certain {
		it.Note = "may run any implementation (focus: implementations)"
	}
	return it, true
}

// placeItem is an item with the place and the edge of a site alone.
func (rd *reading) placeItem(h *siteHit, most int) (ExploreItem, bool) {
	f, file := rd.factsOf(h.File), rd.file(h.File)
	if f == nil || file == nil {
		return ExploreItem{}, false
	}
	t := rd.source(file.Path)
	if t == nil || !t.holds(h.Off, f.Str(h.Name)) {
		rd.gone++
		return ExploreItem{}, false
	}
	it := ExploreItem{Path: file.Path, Depth: h.depth, Edge: edge(file.Language, &h.Site)}
	it.Line, it.Column = t.place(h.Off)
	it.Text = lineText(t, it.Line, it.Column, most)
	return it, true
}

// exprName is how an expression reads: fmt.Println, a.b.c; what is no chain of names is left
// out in front.
func exprName(f *graph.Facts, i int32) string {
	if i < 0 || int(i) >= len(f.Exprs) {
		return ""
	}
	x := &f.Exprs[i]
	name := f.Str(x.Name)
	if x.Op == graph.OpMember && x.X >= 0 {
		switch f.Exprs[x.X].Op {
		case graph.OpName, graph.OpLocal, graph.OpMember:
			if front := exprName(f, x.X); front != "" {
				return front + "." + name
			}
		}
	}
	return name
}
