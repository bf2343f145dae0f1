package edittools

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// edgesOf counts the bound references of a whole graph.
func edgesOf(t *testing.T, r graph.KeyReader) map[edgeKey]int {
	t.Helper()
	files, err := r.Files()
	if err != nil {
		t.Fatal(err)
	}
	var ids []graph.FileID
	for _, f := range files {
		ids = append(ids, f.ID)
	}
	sites, err := newSide(context.Background(), r, nil).sites(ids)
	if err != nil {
		t.Fatal(err)
	}
	out := map[edgeKey]int{}
	for _, x := range sites {
		for _, to := range x.to {
			out[edgeKey{x.from, to, x.role}]++
		}
	}
	return out
}

func (b *bench) edges() (edges map[edgeKey]int, dump string) {
	var out bytes.Buffer
	err := b.w.View(b.t.Context(), func(s *workspace.Snapshot) error {
		edges = edgesOf(b.t.(*testing.T), s.Graph())
		out.Reset()
		return graph.Dump(b.t.Context(), s.Graph(), &out)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return edges, out.String()
}

// TestDelta makes random edits of small programs and compares each delta with the
// difference of two whole graphs, and the graph that it came from with that of the index.
func TestDelta(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	words := []string{"a", "b", "Add", "Sub", "x", "mod", "f", "Foo", "v", "other"}
	b := newBench(t, sources)
	names := slices.Sorted(maps.Keys(sources))
	for i := range 60 {
		before, _ := b.edges()
		name := names[rnd.IntN(len(names))]
		var plan Planner
		switch rnd.IntN(6) {
		case 0:
			plan = func(ctx context.Context, s *workspace.Snapshot) (*Plan, error) {
				return DeletePath(ctx, s, DeleteParams{Path: name})
			}
		case 1:
			plan = func(ctx context.Context, s *workspace.Snapshot) (*Plan, error) {
				return WriteFile(ctx, s, WriteParams{Path: name, Content: sources[name], Overwrite: true})
			}
		default:
			old, now := words[rnd.IntN(len(words))], words[rnd.IntN(len(words))]
			plan = func(ctx context.Context, s *workspace.Snapshot) (*Plan, error) {
				return ReplaceBlock(ctx, s, ReplaceParams{Path: name, Old: old, New: now, Occurrence: "1"})
			}
		}
		after, dump := previewed(t, b, plan)
		if after == nil {
			continue
		}
		r, err := Run(t.Context(), b.w, Call{Tool: "test", Ask: yes}, plan)
		if err != nil {
			t.Fatal(err)
		}
		now, fresh := b.edges()
		if !maps.Equal(after, now) || dump != fresh {
			t.Fatalf("%d: the graph of the plan is not that of the index\n%s", i, firstLine(dump, fresh))
		}
		if got, want := deltaText(r.Delta), differenceText(before, now); got != want {
			t.Fatalf("%d: %s\ngot\n%swant\n%s", i, r.Diff, got, want)
		}
	}
}

func previewed(t *testing.T, b *bench, plan Planner) (edges map[edgeKey]int, dump string) {
	t.Helper()
	err := b.w.View(t.Context(), func(s *workspace.Snapshot) error {
		p, err := plan(t.Context(), s)
		if err != nil || len(p.Changes) == 0 {
			return nil
		}
		v, err := workspace.PreviewOf(t.Context(), s, p.Planned)
		if err != nil {
			return err
		}
		edges = edgesOf(t, v.After)
		var out bytes.Buffer
		err = graph.Dump(t.Context(), v.After, &out)
		dump = out.String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return edges, dump
}

func firstLine(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d: %q and %q", i, x[i], y[i])
		}
	}
	return "the lengths differ"
}

func differenceText(before, after map[edgeKey]int) string {
	d := maps.Clone(after)
	for k, n := range before {
		d[k] -= n
	}
	var lines []string
	for k, n := range d {
		if n != 0 {
			lines = append(lines, fmt.Sprintf("%+d %s -> %s %s\n", n, k.from, k.to, k.role))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func deltaText(d Delta) string {
	var lines []string
	for _, e := range d.EdgesGained {
		lines = append(lines, fmt.Sprintf("%+d %s -> %s %s\n", e.Count, e.From, e.To, e.Role))
	}
	for _, e := range d.EdgesLost {
		lines = append(lines, fmt.Sprintf("%+d %s -> %s %s\n", -e.Count, e.From, e.To, e.Role))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func TestDeltaTells(t *testing.T) {
	b := newBench(t, map[string]string{
		"go.mod": "module ex.org/m\n", "a/a.go": "package a\n\nfunc Add(x int) int { return x }\n\nfunc Other() {}\n",
		"b.go": "package m\n\nimport \"ex.org/m/a\"\n\nfunc B() int { return a.Add(1) }\n", "b_test.go": "package m\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { B() }\n",
	})
	dry := Common{DryRun: true}
	r, err := run(b, ReplaceBlock, ReplaceParams{Path: "a/a.go", Old: "return x }", New: "return x + }", Common: dry})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Delta.SyntaxErrors) != 1 || !strings.Contains(r.Text(), "SYNTAX ERROR a/a.go:3") || r.Applied {
		t.Errorf("a syntax error: %+v", r)
	}
	strict := ReplaceParams{Path: "a/a.go", Old: "return x }", New: "return x + }", Common: Common{Check: "strict"}}
	before := b.tree()
	for _, strict.DryRun = range []bool{true, false} {
		_, err := run(b, ReplaceBlock, strict)
		if told := fmt.Sprint(err); code(err) != codePrecondition || !strings.Contains(told, "a/a.go:3:") {
			t.Errorf("check: strict: %v", err)
		}
		equal(t, b.tree(), before)
	}
	strict.New = "return x + 1 }"
	if r, err := run(b, ReplaceBlock, strict); err != nil || !r.Applied {
		t.Errorf("check: strict, a sound edit: %v", err)
	}
	if len(r.Delta.Callers) != 1 || r.Delta.Callers[0].ID != "b.go#B" || len(r.Delta.Tests) != 1 || r.Delta.Tests[0].ID != "b_test.go#TestB" {
		t.Errorf("callers and tests: %+v", r.Delta)
	}
	r, err = run(b, DeletePath, DeleteParams{Path: "a", Recursive: true, Common: dry})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(r.Delta.Broken, func(x, y Broken) int { return cmp.Compare(x.Line, y.Line) })
	if len(r.Delta.Broken) != 2 || r.Delta.Broken[1].Path != "b.go" || r.Delta.Broken[1].Was != "a/a.go#Add" {
		t.Errorf("broken: %+v", r.Delta.Broken)
	}
}
