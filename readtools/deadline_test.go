package readtools

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

// slowGraph is a graph each of whose questions takes a while.
type slowGraph struct {
	graph.KeyReader
	each time.Duration
}

func (r slowGraph) Facts(ids []graph.FileID) ([]*graph.Facts, error) {
	time.Sleep(r.each)
	return r.KeyReader.Facts(ids)
}

func (r slowGraph) Links(ids []graph.FileID) ([]*graph.Links, error) {
	time.Sleep(r.each)
	return r.KeyReader.Links(ids)
}

func (r slowGraph) Referrers(ts []graph.Target) ([][]graph.FileID, error) {
	time.Sleep(r.each)
	return r.KeyReader.Referrers(ts)
}

func (r slowGraph) Named(keep func(string) bool, f func(string, []graph.Handle) bool) error {
	time.Sleep(r.each)
	return r.KeyReader.Named(keep, f)
}

// slowDisk is a file system each of whose files takes a while.
type slowDisk struct {
	disk
	each time.Duration
}

func (d slowDisk) Open(ctx context.Context, path string, buf []byte) ([]byte, search.FileMeta, error) {
	if err := pause(ctx, d.each); err != nil {
		return nil, search.FileMeta{}, err
	}
	return d.disk.Open(ctx, path, buf)
}

func (d slowDisk) Read(ctx context.Context, path string) (*workspace.File, error) {
	if err := pause(ctx, d.each); err != nil {
		return nil, err
	}
	return d.disk.Read(ctx, path)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// slowTree is a project with many callers of one function, tests at several distances, circles and
// configuration.
func slowTree() map[string]string {
	files := map[string]string{
		"go.mod":       "module m\n",
		"core/core.go": "package core\n\n// Deep is used by all.\nfunc Deep() int { return 1 }\n\ntype Face interface{ Do() }\n\nfunc lonely() {}\n",
	}
	for i := range 70 {
		p := fmt.Sprintf("p%03d", i)
		files[p+"/a.go"] = fmt.Sprintf("package %s\n\nimport \"m/core\"\n\ntype T struct{}\n\nfunc (T) Do() { core.Deep() }\n\nfunc Use() int { return core.Deep() + core.Deep() }\n\nfunc unused() {}\n", p)
		files[p+"/a_test.go"] = fmt.Sprintf("package %s\n\nimport \"testing\"\n\nfunc TestUse(t *testing.T) { help() }\n\nfunc help() { Use() }\n", p)
		files[p+"/app.yaml"] = fmt.Sprintf("server:\n  port: %d\n", i)
	}
	return files
}

// asked is one call of a tool with what its answer shows, an item each.
type asked struct {
	name string
	call func(ctx context.Context, s *workspace.Snapshot, slow time.Duration, p Page) (Head, []string, error)
}

func slowGrep(p GrepParams) asked {
	return asked{"grep in " + p.In + " " + p.Output + p.Pattern, func(ctx context.Context, s *workspace.Snapshot, slow time.Duration, page Page) (Head, []string, error) {
		p.Page = page
		g, err := newGrepping(ctx, s, p)
		if err != nil {
			return Head{}, nil, err
		}
		g.disk, g.r = slowDisk{s, slow}, slowGraph{s.Graph(), slow}
		r, err := g.run()
		if err != nil {
			return Head{}, nil, err
		}
		var out []string
		for _, m := range r.Matches {
			out = append(out, fmt.Sprintf("%s:%d:%d %s", m.Path, m.Line, m.Column, m.Role))
		}
		for _, c := range r.Counts {
			out = append(out, fmt.Sprintf("%s: %d", c.Path, c.Count))
		}
		return r.Head, append(out, r.Files...), nil
	}}
}

func slowExplore(p ExploreParams) asked {
	return asked{"explore " + p.Focus, func(ctx context.Context, s *workspace.Snapshot, slow time.Duration, page Page) (Head, []string, error) {
		p.Page, p.IncludeTests = page, true
		e, err := newExploring(ctx, s, p)
		if err != nil {
			return Head{}, nil, err
		}
		e.disk, e.r = slowDisk{s, slow}, slowGraph{s.Graph(), slow}
		r, err := e.answer()
		if err != nil {
			return Head{}, nil, err
		}
		var out []string
		for _, it := range r.Items {
			id := ""
			if it.Symbol != nil {
				id = it.Symbol.ID
			}
			out = append(out, fmt.Sprintf("%s:%d:%d %s %d", it.Path, it.Line, it.Column, id, it.Depth))
		}
		return r.Head, out, nil
	}}
}

func slowOpen(p OpenParams) asked {
	return asked{"open " + p.View, func(ctx context.Context, s *workspace.Snapshot, slow time.Duration, page Page) (Head, []string, error) {
		p.Page = page
		o, err := newOpening(ctx, s, p)
		if err != nil {
			return Head{}, nil, err
		}
		o.disk, o.r = slowDisk{s, slow}, slowGraph{s.Graph(), slow}
		r, err := o.run()
		if err != nil {
			return Head{}, nil, err
		}
		var out []string
		for _, it := range r.Items {
			out = append(out, it.Target)
		}
		return r.Head, out, nil
	}}
}

// TestSlow asks every tool in every mode over a slow store and a slow disk, on a clock that is
// not the world's: no call fails, each ends soon after its time once it has something to show, and
// the pages together are the answer of a fast one, nothing twice and nothing lost.
func TestSlow(t *testing.T) {
	w := openTree(t, slowTree())
	must(t, w, Discover, DiscoverParams{}) // the index is there
	var targets []string
	for i := range 40 {
		targets = append(targets, fmt.Sprintf("p%03d/a.go", i))
	}
	all := []asked{
		slowGrep(GrepParams{Pattern: "Deep", In: "text", Output: "lines"}),
		slowGrep(GrepParams{Pattern: "De+p", In: "text", Output: "lines", Path: []string{"p010", "core", "p060"}}),
		slowGrep(GrepParams{Pattern: "[a-z]", In: "text", Output: "lines"}),
		slowGrep(GrepParams{Pattern: "Deep", In: "text", Output: "files"}),
		slowGrep(GrepParams{Pattern: "Deep", In: "text", Output: "count"}),
		slowGrep(GrepParams{Pattern: "Use", In: "symbols"}),
		slowGrep(GrepParams{Pattern: "Deep", In: "references"}),
		slowGrep(GrepParams{Pattern: "server.port", In: "config"}),
		slowOpen(OpenParams{Target: targets, View: "source"}),
		slowOpen(OpenParams{Target: targets, View: "outline"}),
	}
	for _, focus := range focuses {
		p := ExploreParams{Focus: focus, Query: "core.Deep"}
		switch focus {
		case "overview", "cycles", "unused", "hotspots":
			p.Query = ""
		case "implementations", "hierarchy":
			p.Query = "core.Face"
		case "path":
			p.Query, p.To = "p000/a_test.go#TestUse", "core.Deep"
		case "dependencies":
			p.Query, p.Path = "", "core"
		case "callees":
			p.Query = "p001/a.go#Use"
		case "changes":
			p.Query = "core/core.go"
		}
		all = append(all, slowExplore(p))
	}
	cut := 0
	err := w.View(t.Context(), func(s *workspace.Snapshot) error { // in the world's time, which the files have
		for _, a := range all {
			t.Run(a.name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { cut += askSlowly(t, s, a) }) })
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if cut < len(all) {
		t.Errorf("only %d answers were cut by time: the store is not slow", cut)
	}
}

const (
	slowTime = 3 * time.Second
	slowEach = 400 * time.Millisecond
)

func askSlowly(t *testing.T, s *workspace.Snapshot, a asked) int {
	pages := func(slow time.Duration, p Page) (items []string, cut int) {
		for n := 0; ; n++ {
			if n > 1000 {
				t.Fatal("the cursors do not end")
			}
			begun := time.Now()
			h, some, err := a.call(p.When(t.Context()), s, slow, p)
			if err != nil {
				t.Fatalf("page %d: %v", n+1, err)
			}
			if took := time.Since(begun); n == 0 && slow > 0 && took > slowTime+20*slowEach {
				t.Errorf("the first page took %v to show %d", took, len(some))
			}
			if h.Cursor != "" && !h.Complete && len(h.Notes) == 0 {
				t.Errorf("page %d is cut and does not say why", n+1)
			}
			if strings.Contains(strings.Join(h.Notes, "\n"), "was over") {
				cut++
			}
			items = append(items, some...)
			if p.Cursor = h.Cursor; p.Cursor == "" {
				return items, cut
			}
		}
	}
	want, _ := pages(0, Page{Budget: maxBudget, Limit: 10000, TimeoutMS: 60000})
	got, cut := pages(slowEach, Page{TimeoutMS: int(slowTime.Milliseconds())})
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%d items in pages, %d at once; the first of each: %q, %q", len(got), len(want), got[:min(3, len(got))], want[:min(3, len(want))])
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("item %d is %s, want %s", i, got[i], want[i])
				break
			}
		}
	}
	return cut
}
