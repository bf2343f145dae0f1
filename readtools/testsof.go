package readtools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// testsDepth is how many steps tests are followed back when a call gives no depth.
const testsDepth = 6

// tests lists the tests from which the subject, or what the files of a path define, is reached.
func (e *exploring) tests() error {
	hs, named, err := e.tested()
	if err != nil {
		return err
	}
	way, err := e.testsOf(hs, e.depth(testsDepth), e.page.enough)
	if err != nil {
		return err
	}
	var entries []entry
	files := map[string]int{}
	for _, h := range way.found {
		if !e.shown(h) {
			continue
		}
		files[e.pathOf(h.File)]++
		entries = append(entries, func() (ExploreItem, bool) { return e.testItem(way, h) })
	}
	if n := len(way.found) - len(entries); n > 0 {
		e.left("%s outside %s", count(n, "test"), quotePath(e.dir))
	}
	if named {
		if err := e.unbound(hs); err != nil {
			return err
		}
	}
	if len(entries) == 0 && !e.page.cut {
		e.res.note("no test was found that reaches it")
	}
	if e.page.from == 0 && len(entries) > 0 {
		s := Section{Title: "tests in " + e.atLeastIfCut() + count(len(files), "file")}
		for _, p := range sortedCounts(files) {
			s.Lines = append(s.Lines, quotePath(p)+": "+thousands(files[p]))
		}
		s.Lines = few(s.Lines)
		e.res.Sections = append(e.res.Sections, s)
	}
	e.list(entries)
	return nil
}

// shown reports whether a test lies where the call looks.
func (e *exploring) shown(h graph.Handle) bool {
	return below(e.pathOf(h.File), e.dir) || fileAt(e.s, e.dir) != nil
}

// tested are the definitions that the call asks the tests of; named says that it names one.
func (e *exploring) tested() (hs []graph.Handle, named bool, err error) {
	given := cmp.Or(strings.TrimSpace(e.p.Query), e.dir)
	p, err := relative(e.s.Root(), given)
	if err != nil || fileAt(e.s, p) == nil && !isFolder(e.s, p) {
		hs, err := e.subject(given)
		return hs, true, err
	}
	if e.p.Query == "" {
		e.dir = "."
	}
	files := slices.DeleteFunc(filesOfGraph(e.s, p), func(f *graph.File) bool { return f.Test })
	hs, err = e.definitions(files)
	e.res.note("tests of the " + count(len(hs), "definition") + " in " + quotePath(p))
	e.atLeast("tests that reach one of them by a call that could not be bound")
	return hs, false, err
}

// definitions are what files define, without what is inside of functions.
func (e *exploring) definitions(files []*graph.File) ([]graph.Handle, error) {
	ids := make([]graph.FileID, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	if err := e.load(ids...); err != nil {
		return nil, err
	}
	var out []graph.Handle
	for _, id := range ids {
		f := e.facts[id]
		for i := range symbolCount(f) {
			if s := &f.Symbols[i]; f.Str(s.Name) != "" && s.Flags&(graph.NestedDef|graph.Anonymous) == 0 && s.Kind != graph.Package {
				out = append(out, graph.Handle{File: id, Index: int32(i)})
			}
		}
	}
	return out, nil
}

// testWays are the tests from which some symbols are reached, nearest first, and for all that
// reaches them the reference by which it does in the fewest steps.
type testWays struct {
	found []graph.Handle
	step  map[graph.Handle]siteHit
	depth map[graph.Handle]int
	into  map[graph.Handle]map[inEdge]bool // by what is referred to
	helps map[graph.Handle]bool            // what other tests refer to
	whole bool                             // all within the depth was looked at
}

// inEdge is who refers to something, and whether only as a type.
type inEdge struct {
	from graph.Handle
	typ  bool
}

// testsOf follows references against their direction, breadth first, to the definitions and
// files that are tests. What only helps other tests that are found is none itself. It ends where
// enough says so of the number of tests that will be shown whatever else is found.
func (e *exploring) testsOf(hs []graph.Handle, depth int, enough func(int) bool) (*testWays, error) {
	w := &testWays{step: map[graph.Handle]siteHit{}, depth: map[graph.Handle]int{}, into: map[graph.Handle]map[inEdge]bool{}, helps: map[graph.Handle]bool{}}
	for _, h := range hs {
		w.depth[h] = 0
	}
	level := hs
	for d := 1; d <= depth && len(level) > 0; d++ {
		final := 0 // tests that are shown, whatever is found from here on
		for _, h := range w.found {
			if (w.depth[h] < d-1 || w.depth[h] == d-1 && e.flaggedTest(h)) && !w.helps[h] && e.shown(h) {
				final++
			}
		}
		hits, left, err := e.gatherUntil(level, func(r graph.Role) bool { return r != graph.Import && (d == 1 || r != graph.TypeUse) }, d, func(hits []siteHit) bool {
			return e.page.timer.found() && enough(final+e.newTests(w, hits, d))
		})
		if err != nil {
			return nil, err
		}
		if level = w.take(e, hits, d, len(hs)+maxVisited); level == nil {
			e.atLeast("what lies beyond the first %s", count(maxVisited, "symbol"))
			return w.sorted(e), nil
		}
		if left > 0 {
			w.found = slices.DeleteFunc(w.found, func(h graph.Handle) bool {
				return w.depth[h] >= d-1 && !e.flaggedTest(h) || w.depth[h] == d && d > 1
			})
			e.atLeast("tests %s or more away, which were not all looked for", count(d, "step"))
			return w.sorted(e), nil
		}
	}
	w.whole = true
	if len(level) > 0 {
		e.atLeast("tests more than %s away (depth)", count(depth, "step"))
	}
	loaded := map[graph.FileID]bool{}
	for h := range w.depth {
		if h.Index == graph.FileItself && w.depth[h] > 0 && !e.isTest(h) {
			loaded[h.File] = true
		}
	}
	if len(loaded) > 0 {
		e.left("tests that only load a file whose top-level code reaches it (%s)", count(len(loaded), "file"))
	}
	return w.sorted(e), nil
}

// newTests counts the tests that are shown by the references found of a level that is not
// done: those that refer to the subject itself.
func (e *exploring) newTests(w *testWays, hits []siteHit, depth int) int {
	if depth > 1 {
		return 0
	}
	found := map[graph.Handle]bool{}
	for i := range hits {
		if h := e.holder(&hits[i]); w.depth[h] == 0 && e.flaggedTest(h) && e.shown(h) {
			found[h] = true
		}
	}
	return len(found)
}

// take adds what refers to a level and gives the next one; nil where there is no room for more than
// most.
func (w *testWays) take(e *exploring, hits []siteHit, d, most int) (next []graph.Handle) {
	next = []graph.Handle{}
	for i := range hits {
		h, to := e.holder(&hits[i]), hits[i].target
		test := e.isTest(h)
		if _, s := e.def(to); test && h != to && (s == nil || s.Flags&graph.Test == 0) {
			w.helps[to] = true
		}
		if w.into[to] == nil {
			w.into[to] = map[inEdge]bool{}
		}
		w.into[to][inEdge{h, hits[i].Role == graph.TypeUse}] = true
		if _, seen := w.depth[h]; seen {
			continue
		}
		if len(w.depth) >= most {
			return nil
		}
		w.depth[h], w.step[h] = d, hits[i]
		if test {
			w.found = append(w.found, h)
		}
		if h.Index != graph.FileItself {
			next = append(next, h)
		}
	}
	return next
}

// reaching counts the tests that reach one of the symbols that the ways were looked for from.
func (w *testWays) reaching(e *exploring, h graph.Handle, depth int) int {
	seen, helps := map[graph.Handle]bool{h: true}, map[graph.Handle]bool{}
	var tests []graph.Handle
	level := []graph.Handle{h}
	for d := 1; d <= depth && len(level) > 0; d++ {
		var next []graph.Handle
		for _, to := range level {
			_, s := e.def(to)
			for x := range w.into[to] {
				if x.typ && d > 1 {
					continue
				}
				test := e.isTest(x.from)
				if test && x.from != to && (s == nil || s.Flags&graph.Test == 0) {
					helps[to] = true
				}
				if seen[x.from] {
					continue
				}
				seen[x.from] = true
				if test {
					tests = append(tests, x.from)
				}
				if x.from.Index != graph.FileItself {
					next = append(next, x.from)
				}
			}
		}
		level = next
	}
	return len(slices.DeleteFunc(tests, func(t graph.Handle) bool { return helps[t] }))
}

// sorted puts the tests in order, at one distance those that say they are tests first, and takes
// out those that only help others.
func (w *testWays) sorted(e *exploring) *testWays {
	w.found = slices.DeleteFunc(w.found, func(h graph.Handle) bool { return w.helps[h] })
	flagged := map[bool]int{true: 0, false: 1}
	slices.SortFunc(w.found, func(a, b graph.Handle) int {
		return cmp.Or(cmp.Compare(w.depth[a], w.depth[b]), cmp.Compare(flagged[e.flaggedTest(a)], flagged[e.flaggedTest(b)]),
			search.ComparePaths(e.pathOf(a.File), e.pathOf(b.File)), cmp.Compare(a.Index, b.Index))
	})
	return w
}

// flaggedTest reports whether a definition says that it is a test.
func (e *exploring) flaggedTest(h graph.Handle) bool {
	_, s := e.def(h)
	return s != nil && s.Flags&graph.Test != 0
}

// isTest reports whether a definition or a file's own code is part of the tests.
func (e *exploring) isTest(h graph.Handle) bool {
	if f := e.file(h.File); f != nil && f.Test {
		return true
	}
	for f, s := e.def(h); s != nil; f, s = e.def(h) {
		if s.Flags&graph.Test != 0 {
			return true
		}
		h.Index = f.Symbols[h.Index].Container
	}
	return false
}

// chain are the references that lead from a test to what is tested.
func (w *testWays) chain(h graph.Handle) []siteHit {
	var out []siteHit
	for w.depth[h] > 0 {
		hit := w.step[h]
		out = append(out, hit)
		h = hit.target
	}
	return out
}

// testItem shows a test at the first reference of its way; the edge stands for all of the way, which
// is as certain as its least certain step.
func (e *exploring) testItem(w *testWays, h graph.Handle) (ExploreItem, bool) {
	way := w.chain(h)
	it, ok := e.siteItem(&way[0], e.page.maxText())
	if !ok {
		return it, false
	}
	it.Depth, it.Symbol = len(way), nil
	if h.Index != graph.FileItself {
		it.Symbol = e.short(h)
	}
	var then []string
	for i := range way[1:] {
		step, ok := e.siteItem(&way[i+1], 0)
		if !ok {
			return it, false
		}
		if it.Edge.Certain && !step.Edge.Certain {
			it.Edge.Certain, it.Edge.Reason = false, step.Edge.Reason
		}
		it.Edge.Confidence *= step.Edge.Confidence
		then = append(then, e.stepText(&way[i+1], &step))
	}
	it.Edge.Confidence = float64(int(it.Edge.Confidence*1000)) / 1000
	if len(then) > 0 {
		it.Note = strings.Join(append([]string{it.Note}, then...), ", then ")
		it.Note = strings.TrimPrefix(it.Note, ", ")
	}
	return it, true
}

// stepText is a step of a way in words.
func (e *exploring) stepText(hit *siteHit, it *ExploreItem) string {
	why := it.Edge.Reason
	if !it.Edge.Certain {
		why = "possible: " + why
	}
	to := ""
	if it.Target != nil {
		to = qualified(it.Target)
	}
	if it.Edge.Role != graph.Call.String() {
		why = it.Edge.Role + ", " + why
	}
	return fmt.Sprintf("%s at %s:%d (%s)", to, quotePath(it.Path), it.Line, why)
}
