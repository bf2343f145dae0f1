package readtools

import (
	"fmt"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Bounds of an answer about changes: the definitions that are looked at, and those for each of
// which its own tests are counted.
const (
	maxChanged = 300
	maxCounted = 30
)

// changes lists the definitions that a change set touches, each with the places that use it and
// are not part of the change; and of all together the tests that reach them and what else a change
// of them could reach.
func (e *exploring) changes() error {
	set, err := e.changeSet()
	if err != nil {
		return err
	}
	hs, err := e.touched(set)
	if err != nil {
		return err
	}
	users, err := e.usersOutside(hs)
	if err != nil {
		return err
	}
	way, err := e.testsOf(hs, e.depth(testsDepth), func(int) bool { return e.page.overdue() })
	if err != nil {
		return err
	}
	var entries []entry
	sites := 0
	for i, h := range hs[:len(users)] {
		hits := users[i]
		sites += len(hits)
		entries = append(entries, func() (ExploreItem, bool) { return e.changedItem(h, hits, i < maxCounted, way) })
		for k := range hits {
			entries = append(entries, func() (ExploreItem, bool) { return e.siteItem(&hits[k], e.page.maxText()) })
		}
	}
	if n := len(hs) - len(users); n > 0 {
		e.atLeast("%s whose uses were not looked for", count(n, "definition"))
	}
	e.res.note(fmt.Sprintf("%s in %s; %s%s elsewhere to look at", count(len(hs), "definition"), count(len(set), "file"), e.atLeastIfCut(), count(sites, "use")))
	if e.page.from == 0 {
		if err := e.changeSections(set, hs, way); err != nil {
			return err
		}
	}
	e.list(entries)
	return nil
}

// touched are the definitions that changed lines lie in, or for files whose lines are not known all
// that they define.
func (e *exploring) touched(set []changedFile) ([]graph.Handle, error) {
	var out []graph.Handle
	whole, outside, gone := 0, 0, 0
	for _, c := range set {
		f := fileAt(e.s, c.path)
		if c.how == "gone" {
			gone++
		}
		if f == nil || f.Language == "" || f.Test && !e.p.IncludeTests {
			continue
		}
		facts, t := e.factsOf(f.ID), e.source(c.path)
		if facts == nil || t == nil {
			continue
		}
		if c.all {
			whole++
			out = append(out, outermost(f.ID, facts)...)
			continue
		}
		in := definitionsAt(facts, t, &c)
		for _, i := range in {
			if i == graph.None {
				outside++
			} else {
				out = append(out, graph.Handle{File: f.ID, Index: i})
			}
		}
	}
	if whole > 0 {
		e.left("which lines changed in %s: all that is defined there is taken (give a unified diff as query for the lines)", count(whole, "file"))
	}
	if outside > 0 {
		e.left("%s outside of any definition", count(outside, "change"))
	}
	if gone > 0 {
		e.atLeast("what used the definitions of %s that is gone", count(gone, "file"))
	}
	out = e.sorted(out)
	if len(out) > maxChanged {
		e.atLeast("%s after the first %s; give path", count(len(out)-maxChanged, "definition"), thousands(maxChanged))
		out = out[:maxChanged]
	}
	return out, nil
}

// outermost are the callables, types and values of a file; members without a body go with their
// types.
func outermost(id graph.FileID, f *graph.Facts) []graph.Handle {
	var out []graph.Handle
	for i := range f.Symbols {
		if byItself(f, int32(i)) {
			out = append(out, graph.Handle{File: id, Index: int32(i)})
		}
	}
	return out
}

// byItself reports whether a definition is looked at by itself.
func byItself(f *graph.Facts, i int32) bool {
	s := &f.Symbols[i]
	switch s.Kind {
	case graph.Package, graph.Module, graph.Namespace, graph.TypeParameter:
		return false
	case graph.Field, graph.EnumMember, graph.Property:
		if s.Container != graph.None {
			return false
		}
	}
	return f.Str(s.Name) != "" && s.Flags&(graph.NestedDef|graph.Anonymous) == 0
}

// definitionsAt are the definitions that changed lines of a file lie in, and those that lines are
// missing inside of; None for what is in none.
func definitionsAt(f *graph.Facts, t *source, c *changedFile) []int32 {
	var out []int32
	for _, n := range c.lines {
		out = append(out, definitionAt(f, t, n))
	}
	for _, n := range c.gaps {
		i := definitionAt(f, t, n)
		if i != definitionAt(f, t, n-1) {
			i = graph.None
		}
		out = append(out, i)
	}
	return out
}

// definitionAt is the innermost definition around a line, with the comment above it.
func definitionAt(f *graph.Facts, t *source, line int) int32 {
	best, size := graph.None, 0
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if !byItself(f, int32(i)) {
			continue
		}
		start := s.Start
		if s.DocEnd > s.DocStart {
			start = min(start, s.DocStart)
		}
		from, _ := t.place(start)
		to, _ := t.place(max(s.Start, s.End-1))
		if from <= line && line <= to && (best == graph.None || to-from < size) {
			best, size = int32(i), to-from
		}
	}
	return best
}

// chunkChanged is of how many definitions the uses are looked for at once.
const chunkChanged = 32

// usersOutside are the places that use each of the definitions and lie in none that changes: calls
// of what is called, any use but imports of all else. Where the time is over they are those of the
// first definitions.
func (e *exploring) usersOutside(hs []graph.Handle) (users [][]siteHit, err error) {
	changed := map[graph.Handle]bool{}
	for _, h := range hs {
		changed[h] = true
	}
	n := 0
	for chunk := range slices.Chunk(hs, chunkChanged) {
		if e.page.enough(n) {
			break
		}
		lists, err := e.gatherEach(chunk, func(h graph.Handle, r graph.Role) bool {
			_, s := e.def(h)
			return called(r) || s != nil && !s.Kind.Callable() && r != graph.Import
		})
		if err != nil {
			return nil, err
		}
		for _, hits := range lists {
			hits = slices.DeleteFunc(hits, func(x siteHit) bool { return !e.inScope(x.File) || changed[e.holder(&x)] })
			users = append(users, hits)
			n += 1 + len(hits)
		}
	}
	return users, nil
}

// changedItem shows a changed definition with the numbers of what hangs on it.
func (e *exploring) changedItem(h graph.Handle, hits []siteHit, counted bool, way *testWays) (ExploreItem, bool) {
	it, ok := e.symbolItem(h)
	if !ok {
		return it, false
	}
	it.Edge = &Edge{Role: "changed", Certain: true, Confidence: 1}
	files := map[graph.FileID]bool{}
	for i := range hits {
		files[hits[i].File] = true
	}
	it.Note = count(len(hits), "use") + " elsewhere in " + count(len(files), "file")
	if counted {
		it.Note += ", reached by " + way.orMore() + count(way.reaching(e, h, e.depth(testsDepth)), "test")
	}
	return it, true
}

// orMore is what stands in front of a number of tests.
func (w *testWays) orMore() string {
	if w.whole {
		return ""
	}
	return "at least "
}

// changeSections tell of all changes together: the files, the tests that reach them, and what else
// they could reach.
func (e *exploring) changeSections(set []changedFile, hs []graph.Handle, way *testWays) error {
	s := Section{Title: count(len(set), "file")}
	for _, c := range set {
		s.Lines = append(s.Lines, quotePath(c.path)+": "+c.how)
	}
	s.Lines = few(s.Lines)
	changed := slices.DeleteFunc(slices.Clone(hs), func(h graph.Handle) bool { // tests themselves
		_, s := e.def(h)
		return !e.isTest(h) || !s.Kind.Callable()
	})
	found := append(changed, way.found...)
	tests := Section{Title: way.orMore() + count(len(found), "test") + " to run"}
	for _, h := range found {
		line := quotePath(e.pathOf(h.File))
		if sym := e.short(h); h.Index != graph.FileItself && sym != nil {
			line = fmt.Sprintf("%s:%d %s", line, sym.Line, qualified(sym))
		}
		how := "changed itself"
		if d := way.depth[h]; d > 0 {
			how = count(d, "step") + " away"
		}
		tests.Lines = append(tests.Lines, line+" ("+how+")")
	}
	tests.Lines = few(tests.Lines)
	over := false
	all, err := e.reach(hs, e.depth(impactDepth), func(int) bool {
		over = over || e.page.overdue()
		return over
	})
	if err != nil {
		return err
	}
	files := map[string]bool{}
	for _, r := range all {
		files[e.pathOf(r.h.File)] = true
	}
	more := ""
	if over {
		more = "at least "
	}
	impact := Section{Title: fmt.Sprintf("%s%s in %s could be reached by the changes (focus: impact of each says which)", more, count(len(all), "symbol"), count(len(files), "file"))}
	e.res.Sections = append(e.res.Sections, s, tests, impact)
	return nil
}
