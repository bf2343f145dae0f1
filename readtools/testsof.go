package readtools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// testsDepth is how many steps tests are followed back when a call gives no depth.
const testsDepth = 6

// tests lists the tests from which the subject, or what the files of a path define, is reached.
func (e *exploring) tests() error {
	hs, err := e.tested()
	if err != nil {
		return err
	}
	way, err := e.testsOf(hs, e.depth(testsDepth))
	if err != nil {
		return err
	}
	var entries []entry
	files := map[string]int{}
	for _, h := range way.found {
		if !below(e.pathOf(h.File), e.dir) && fileAt(e.s, e.dir) == nil {
			continue
		}
		files[e.pathOf(h.File)]++
		entries = append(entries, func() (ExploreItem, bool) { return e.testItem(way, h) })
	}
	if n := len(way.found) - len(entries); n > 0 {
		e.left("%s outside %s", count(n, "test"), quotePath(e.dir))
	}
	if len(entries) == 0 {
		e.res.note("no test was found that reaches it")
	}
	if e.page.from == 0 && len(entries) > 0 {
		s := Section{Title: "tests in " + count(len(files), "file")}
		for _, p := range sortedCounts(files) {
			s.Lines = append(s.Lines, quotePath(p)+": "+thousands(files[p]))
		}
		s.Lines = few(s.Lines)
		e.res.Sections = append(e.res.Sections, s)
	}
	e.list(entries)
	return nil
}

// tested are the definitions that the call asks the tests of.
func (e *exploring) tested() ([]graph.Handle, error) {
	given := cmp.Or(strings.TrimSpace(e.p.Query), e.dir)
	p, err := relative(e.s.Root(), given)
	if err != nil || fileAt(e.s, p) == nil && !isFolder(e.s, p) {
		hs, err := e.subject(given)
		if err != nil {
			return nil, err
		}
		return hs, e.unbound(hs)
	}
	if e.p.Query == "" {
		e.dir = "."
	}
	files := slices.DeleteFunc(filesOfGraph(e.s, p), func(f *graph.File) bool { return f.Test })
	hs, err := e.definitions(files)
	e.res.note("tests of the " + count(len(hs), "definition") + " in " + quotePath(p))
	e.atLeast("tests that reach one of them by a call that could not be bound")
	return hs, err
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
}

// testsOf follows references against their direction, breadth first, to the definitions and
// files that are tests. What only helps other tests that are found is none itself.
func (e *exploring) testsOf(hs []graph.Handle, depth int) (*testWays, error) {
	w := &testWays{step: map[graph.Handle]siteHit{}, depth: map[graph.Handle]int{}}
	for _, h := range hs {
		w.depth[h] = 0
	}
	helps := map[graph.Handle]bool{}
	level := hs
	loaded := map[graph.FileID]bool{}
	for d := 1; d <= depth && len(level) > 0; d++ {
		hits, err := e.gather(level, func(r graph.Role) bool { return r != graph.Import && (d == 1 || r != graph.TypeUse) }, d)
		if err != nil {
			return nil, err
		}
		level = nil
		for i := range hits {
			h := e.holder(&hits[i])
			test := e.isTest(h)
			if _, s := e.def(hits[i].target); test && h != hits[i].target && (s == nil || s.Flags&graph.Test == 0) {
				helps[hits[i].target] = true
			}
			if _, seen := w.depth[h]; seen {
				continue
			}
			if len(w.depth) >= len(hs)+maxVisited {
				e.atLeast("what lies beyond the first %s", count(maxVisited, "symbol"))
				return w.sorted(helps, e), nil
			}
			w.depth[h], w.step[h] = d, hits[i]
			if test {
				w.found = append(w.found, h)
			}
			if h.Index == graph.FileItself {
				if !test {
					loaded[h.File] = true
				}
				continue
			}
			level = append(level, h)
		}
	}
	if len(level) > 0 {
		e.atLeast("tests more than %s away (depth)", count(depth, "step"))
	}
	if len(loaded) > 0 {
		e.left("tests that only load a file whose top-level code reaches it (%s)", count(len(loaded), "file"))
	}
	return w.sorted(helps, e), nil
}

// sorted puts the tests in order and takes out those that only help others.
func (w *testWays) sorted(helps map[graph.Handle]bool, e *exploring) *testWays {
	w.found = slices.DeleteFunc(w.found, func(h graph.Handle) bool { return helps[h] })
	slices.SortFunc(w.found, func(a, b graph.Handle) int {
		return cmp.Or(cmp.Compare(w.depth[a], w.depth[b]), e.compareHandles(a, b))
	})
	return w
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
