package readtools

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestChangesByGit takes, without a query, what differs from git's index: an edited, a new and a
// missing file, not one that was only touched.
func TestChangesByGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git here to make a repository with")
	}
	root := t.TempDir()
	writeTree(t, root, map[string]string{"go.mod": "module m\n", "same.go": "package m\n\nfunc Same() {}\n", "edit.go": "package m\n\nfunc Edit() {}\n",
		"gone.go": "package m\n\nfunc Gone() {}\n", "edit_test.go": "package m\n\nimport \"testing\"\n\nfunc TestEdit(t *testing.T) { Edit() }\n"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		cmd := exec.Command(git, args...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	writeTree(t, root, map[string]string{"same.go": "package m\n\nfunc Same() {}\n", "edit.go": "package m\n\nfunc Edit() { Same() }\n", "new.go": "package m\n\nfunc New() {}\n"})
	if err := os.Remove(filepath.Join(root, "gone.go")); err != nil {
		t.Fatal(err)
	}
	res := must(t, openRoot(t, root), Explore, ExploreParams{Focus: "changes", IncludeTests: true})
	var got []string
	for _, it := range res.Items {
		got = append(got, it.Edge.Role+" "+it.Symbol.Name)
	}
	if want := []string{"changed Edit", "call TestEdit", "changed New"}; !slices.Equal(got, want) {
		t.Errorf("items %v, want %v", got, want)
	}
	files := slices.Clone(res.Sections[0].Lines)
	slices.Sort(files)
	if want := []string{"edit.go: changed", "gone.go: gone", "new.go: new"}; !slices.Equal(files, want) {
		t.Errorf("files %v, want %v", files, want)
	}
	if tests := strings.Join(res.Sections[1].Lines, "; "); tests != "edit_test.go:5 TestEdit (1 step away)" {
		t.Errorf("tests: %s", tests)
	}
	if res.Bound != "at least" {
		t.Errorf("bound %s, though what is staged is not known", res.Bound)
	}
}

// TestParseDiff reads hunks by their lengths, not by what their lines look like.
func TestParseDiff(t *testing.T) {
	got := parseDiff("--- a/q.sql\n+++ b/q.sql\n@@ -2,3 +2,2 @@ select\n one\n--- two\n-three\n+++ four\n\\ No newline at end of file\n--- /dev/null\n+++ \"b/n\\303\\266.txt\"\n@@ -0,0 +1 @@\n+x\n")
	if len(got) != 2 {
		t.Fatalf("%d files", len(got))
	}
	if a, b := got[0].before, got[0].after; a.path != "a/q.sql" || !slices.Equal(a.lines, []int{3, 4}) || !slices.Equal(b.lines, []int{3}) || b.text[3] != "++ four" || len(a.gaps)+len(b.gaps) != 0 {
		t.Errorf("before %+v, after %+v", a, b)
	}
	if a, b := got[1].before, got[1].after; a.path != "" || b.path != "b/nö.txt" || !slices.Equal(b.lines, []int{1}) {
		t.Errorf("before %+v, after %+v", a, b)
	}
}

// FuzzParseDiff finds no text that parsing fails on, and lines of files begin at 0.
func FuzzParseDiff(f *testing.F) {
	f.Add("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range parseDiff(text) {
			for _, n := range slices.Concat(d.before.lines, d.after.lines) {
				if n < 0 {
					t.Fatalf("line %d", n)
				}
			}
		}
	})
}
