package readtools

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/workspace"
)

var accountTree = map[string]string{
	"a/a.go": `package a

import "fmt"

// Count counts; Count is a word here.
func Count(x int) int { return x }

type T struct{ Count int }

func use(t T) {
	Count := 1
	fmt.Println("Count", Count, t.Count)
}

func other() { Count(2); fmt.Count() }

type I interface{ Count() }

func dyn(i I) { i.Count(); unknown.Count() }
`,
	"b/b.go":   "package b\n\nimport \"m/a\"\n\nvar f = a.Count\n",
	"go.mod":   "module m\n",
	"note.txt": "Count, Counter, Count\n",
}

// TestAccount holds the account of a name against a count of its words: the parts add up, and
// each mention of the subject is bound.
func TestAccount(t *testing.T) {
	w := openTree(t, accountTree)
	words := 0
	for _, data := range accountTree {
		words += len(regexp.MustCompile(`\bCount\b`).FindAllString(data, -1))
	}
	res := must(t, w, Explore, ExploreParams{Query: "a/a.go#Count", Focus: "references", IncludeTests: true})
	a := res.Account
	if a == nil {
		t.Fatal("no account")
	}
	want := Account{Name: "Count", Total: words, Definitions: 1, Bound: 2, Other: 4, Unresolved: 1, External: 1, Text: 5, Local: 2}
	if *a != want {
		t.Errorf("account %+v\nwant    %+v", *a, want)
	}
}

// TestFreshLines changes a file behind the index: no answer shows a line as it was.
func TestFreshLines(t *testing.T) {
	w := openTree(t, map[string]string{"a.go": "package a\n\nfunc F() {}\n\nfunc G() { F() }\n"})
	must(t, w, Explore, ExploreParams{Query: "F", Focus: "callers"})
	writeTree(t, w.Root(), map[string]string{"a.go": "package a\n\n// moved\n\nfunc F() {}\n\nfunc H() { F() }\n"})
	res := must(t, w, Explore, ExploreParams{Query: "F", Focus: "callers"})
	if len(res.Items) != 1 || res.Items[0].Line != 7 || res.Items[0].Symbol.Name != "H" {
		t.Errorf("callers after a change: %+v", res.Items)
	}
	if err := os.Remove(filepath.Join(w.Root(), "a.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, w, Explore, ExploreParams{Query: "F", Focus: "callers"}); codeOf(err) != "not_found" {
		t.Errorf("callers of what is gone: %v", err)
	}
}

// TestTruth checks every item of every focus on the package's own sources: its line stands
// in the file as it is.
func TestTruth(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "module github.com/codegraph-dev/codegraph\n"}
	for _, dir := range []string{"graph", "graph/bolt", "search", "readtools"} {
		paths, _ := filepath.Glob(filepath.Join(root, dir, "*.go"))
		for _, p := range paths {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			files[dir+"/"+filepath.Base(p)] = string(data)
		}
	}
	w := openTree(t, files)
	for _, p := range []ExploreParams{
		{Query: "graph.Facts.Str", Focus: "callers"}, {Query: "graph.Facts.Str", Focus: "references"}, {Query: "graph.Facts", Focus: "references"},
		{Query: "readtools.Explore", Focus: "callees", Depth: 3}, {Query: "graph.Reader", Focus: "implementations"}, {Query: "graph.KeyReader", Focus: "hierarchy"},
		{Query: "search.Compile", Focus: "impact"}, {Query: "readtools.Grep", Focus: "path", To: "search.Compile"}, {Query: "readtools", Focus: "dependencies"},
		{Query: "graph.Facts.Str", Focus: "tests"}, {Focus: "hotspots"}, {Focus: "unused"}, {}, {Query: "readtools/grep.go"}, {Query: "how are cursors decoded"},
	} {
		p.IncludeTests, p.Page = true, Page{Limit: 10000, Budget: 10 << 20}
		res := must(t, w, Explore, p)
		checkLines(t, w, p, res)
		if res.Text() == "" {
			t.Errorf("%+v: no text", p)
		}
	}
}

func checkLines(t *testing.T, w *workspace.Workspace, p ExploreParams, res *ExploreResult) {
	t.Helper()
	if len(res.Items) == 0 {
		t.Errorf("%+v: nothing", p)
	}
	err := w.View(t.Context(), func(s *workspace.Snapshot) error {
		rd := newReading(t.Context(), s, Page{})
		for _, it := range res.Items {
			if it.Line == 0 {
				continue
			}
			src := rd.source(it.Path)
			if src == nil || it.Line > src.total() {
				t.Errorf("%+v: %s:%d is no line", p, it.Path, it.Line)
				continue
			}
			if regexp.MustCompile(`^[^\n]*$`).MatchString(it.Text) && it.Text != "" && it.Text != src.line(it.Line) {
				t.Errorf("%+v: %s:%d is %q, not %q", p, it.Path, it.Line, src.line(it.Line), it.Text)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCallersOfAValue does not let a function without calls pass for one that nobody calls,
// where it is handed on as a value.
func TestCallersOfAValue(t *testing.T) {
	w := openTree(t, map[string]string{
		"a.go": "package a\n\nfunc plain() {}\n\nfunc handed() {}\n\nvar table = []func(){handed, handed}\n\nfunc Run() { table[0]() }\n",
	})
	for name, want := range map[string]string{"plain": "", "handed": "calls of it as a value, which 2 places hand on (focus: references shows where)"} {
		r := must(t, w, Explore, ExploreParams{Query: name, Focus: "callers"})
		if got := strings.Join(r.Left, "; "); r.Total != 0 || got != want {
			t.Errorf("%s: %d callers, left out: %s", name, r.Total, got)
		}
	}
}

// TestOutlineOfAStruct shows what a type is, not its members twice.
func TestOutlineOfAStruct(t *testing.T) {
	w := openTree(t, map[string]string{"a.go": "package a\n\ntype T struct {\n\t// A is.\n\tA int\n}\n\ntype P struct{ X, Y int }\n"})
	r := must(t, w, Open, OpenParams{Target: []string{"a.go"}, View: "outline"})
	var got []string
	for _, s := range r.Items[0].Outline {
		got = append(got, s.Signature)
	}
	if want := "type T struct|A int|type P struct{ X, Y int }|X, Y int|X, Y int"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}
