package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
)

var walkFiles = map[string]string{
	"a.toy": `import "b" b.toy b.toy#helper
func main
  -> call b.toy#helper
  -> call b.toy#Type.run
  -> call ? missing
  func lambda anonymous
    -> call a.toy#loop
func loop
  -> call a.toy#loop
  -> call a.toy#main
-> read b.toy#Type
`,
	"b.toy": `func helper
  -> call b.toy#Type.run possible
class Type
  -> inherit c.toy#Base
  method run
    func inner
      -> call c.toy#deep
    -> call c.toy#gone
`,
	"c.toy": `func deep
class Base
`,
}

// walkText is a walk as lines.
func walkText(w *graph.Walked) string {
	var b strings.Builder
	for _, n := range w.Nodes {
		fmt.Fprintf(&b, "%d %s\n", n.Depth, n.ID)
	}
	for _, e := range w.Edges {
		fmt.Fprintf(&b, "%s -> %s", w.Nodes[e.From].ID, w.Nodes[e.To].ID)
		for _, s := range e.Sites {
			fmt.Fprintf(&b, " %s@%d", s.Role, s.Off)
		}
		b.WriteByte('\n')
	}
	if w.Left != (graph.Left{}) {
		fmt.Fprintf(&b, "left %+v\n", w.Left)
	}
	return b.String()
}

func TestWalk(t *testing.T) {
	y, s := openToy(t, walkFiles)
	for _, c := range []struct {
		name, start string
		opt         graph.WalkOptions
		want        string
	}{
		{"callers", "b.toy#Type.run", graph.WalkOptions{Depth: 5}, `
0 b.toy#Type.run
1 a.toy#main
1 b.toy#helper
2 a.toy#loop
2 a.toy
a.toy#main -> b.toy#Type.run call@68
a.toy#main -> b.toy#helper call@45
a.toy#main -> a.toy#loop call@139
b.toy#helper -> b.toy#Type.run call@17
a.toy#loop -> a.toy#main call@191
a.toy#loop -> a.toy#loop call@170
a.toy -> b.toy#helper import@7
`},
		{"one step", "b.toy#Type.run", graph.WalkOptions{}, `
0 b.toy#Type.run
1 a.toy#main
1 b.toy#helper
a.toy#main -> b.toy#Type.run call@68
b.toy#helper -> b.toy#Type.run call@17
left {Deeper:2}
`},
		{"certain", "b.toy#Type.run", graph.WalkOptions{CertainOnly: true}, `
0 b.toy#Type.run
1 a.toy#main
a.toy#main -> b.toy#Type.run call@68
left {Deeper:1 Possible:1}
`},
		{"callees", "a.toy#main", graph.WalkOptions{Direction: graph.Outward, Depth: 9, Roles: []graph.Role{graph.Call}}, `
0 a.toy#main
1 a.toy#loop
1 b.toy#helper
1 b.toy#Type.run
left {Unresolved:1 Gone:1}
`},
		{"too many", "a.toy#main", graph.WalkOptions{Direction: graph.Outward, Nodes: 2}, `
0 a.toy#main
1 a.toy#loop
a.toy#main -> a.toy#loop call@139
left {Deeper:1 Nodes:2 Unresolved:1}
`},
		{"class", "b.toy#Type", graph.WalkOptions{Direction: graph.Outward}, `
0 b.toy#Type
1 c.toy#deep
1 c.toy#Base
b.toy#Type -> c.toy#deep call@118
b.toy#Type -> c.toy#Base inherit@62
left {Deeper:2 Gone:1}
`},
		{"importers", "b.toy", graph.WalkOptions{}, `
0 b.toy
1 a.toy
a.toy -> b.toy import@7
left {Deeper:1}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			view(t, s, func(r graph.Reader) error {
				hs, err := graph.Resolve(context.Background(), r, []graph.Target{y.target(c.start)})
				if err != nil {
					return err
				}
				w, err := graph.Walk(context.Background(), r, hs, c.opt)
				if err != nil {
					return err
				}
				got := walkText(w)
				for _, zero := range []string{"Deeper", "Nodes", "Kept", "Unresolved", "External", "Possible", "Gone"} {
					got = strings.ReplaceAll(got, " "+zero+":0", "")
					got = strings.ReplaceAll(got, "{"+zero+":0 ", "{")
				}
				if c.name == "callees" { // only its nodes
					got = strings.Join(slices.DeleteFunc(strings.SplitAfter(got, "\n"), func(l string) bool { return strings.Contains(l, "->") }), "")
				}
				if got != c.want[1:] {
					t.Errorf("got\n%s\nwant\n%s", got, c.want[1:])
				}
				return nil
			})
		})
	}
}

func TestWalkKeep(t *testing.T) {
	y, s := openToy(t, walkFiles)
	view(t, s, func(r graph.Reader) error {
		hs, err := graph.Resolve(context.Background(), r, []graph.Target{y.target("b.toy#Type.run")})
		if err != nil {
			return err
		}
		w, err := graph.Walk(context.Background(), r, hs, graph.WalkOptions{Depth: 9, Keep: func(f *graph.File, _ *graph.Facts, _ int32) bool { return f.Path != "a.toy" }})
		if err == nil && (len(w.Nodes) != 2 || w.Left.Kept != 2) {
			t.Errorf("%s", walkText(w))
		}
		return err
	})
}

// TestWalkQuestions: a level costs a few questions, however many symbols it has.
func TestWalkQuestions(t *testing.T) {
	files := map[string]string{"root.toy": "func root\n"}
	for i := range 50 {
		files[fmt.Sprintf("f%d.toy", i)] = fmt.Sprintf("func g%d\n  -> call root.toy#root\nfunc h%d\n  -> call f%d.toy#g%d\n", i, i, i, i)
	}
	y, s := openToy(t, files)
	view(t, s, func(r graph.Reader) error {
		w, err := graph.Walk(context.Background(), r, []graph.Handle{{File: y.ids["root.toy"]}}, graph.WalkOptions{Depth: 2})
		if err == nil && len(w.Nodes) != 101 {
			t.Errorf("%d nodes", len(w.Nodes))
		}
		return err
	})
	if got, want := fmt.Sprint(s.Calls()), "map[Facts:2 Files:1 Links:1 Referrers:2]"; got != want {
		t.Errorf("questions: %s, want %s", got, want)
	}
}

func TestInOut(t *testing.T) {
	y, s := openToy(t, walkFiles)
	ctx := context.Background()
	text := func(sites [][]graph.Site) string {
		var b strings.Builder
		for _, list := range sites {
			for _, x := range list {
				fmt.Fprintf(&b, "%d:%d in %d %s %s; ", x.File, x.Off, x.In, x.Role, x.Status)
			}
			b.WriteString("| ")
		}
		return b.String()
	}
	view(t, s, func(r graph.Reader) error {
		in, err := graph.In(ctx, r, []graph.Target{y.target("b.toy#helper"), y.target("b.toy#nothing"), y.target("c.toy#Base"), graph.ModuleTarget(y.ids["b.toy"])})
		if err != nil {
			return err
		}
		want := "0:45 in 0 call certain; 0:7 in -1 import certain; | | 1:62 in -1 inherit certain; | 0:7 in -1 import certain; | "
		if got := text(in); got != want {
			t.Errorf("In:\n got %s\nwant %s", got, want)
		}
		out, err := graph.Out(ctx, r, []graph.Handle{{File: y.ids["b.toy"], Index: 1}, {File: y.ids["a.toy"], Index: 1}, {File: y.ids["a.toy"], Index: 99}, {File: 77}})
		want = "1:62 in -1 inherit certain; 1:118 in 3 call certain; 1:141 in 2 call certain; | 0:139 in 0 call certain; | | | "
		if got := text(out); got != want {
			t.Errorf("Out:\n got %s\nwant %s", got, want)
		}
		return err
	})
}
