package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A repository of two commits: the second one's message, without its trailers, finds the file
// that it changed in the tree of the first.
func TestHistoryQuestions(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	repo := filepath.Join(dir, "repo")
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return string(out[:max(0, len(out)-1)])
	}
	write := func(path, text string) {
		t.Helper()
		full := filepath.Join(repo, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(repo, 0o700); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	write("server/pool.go", "package server\n\ntype ConnPool struct{ idle int }\n")
	write("server/log.go", "package server\n\n// The pool of workers that log; a pool of pools.\n")
	write("server/pool_test.go", "package server\n\n// ConnPool ConnPool ConnPool\n")
	git("add", ".")
	git("commit", "-qm", "begin")
	base := git("rev-parse", "HEAD")
	write("server/pool.go", "package server\n\ntype ConnPool struct{ idle, busy int }\n")
	git("commit", "-qam", "let ConnPool count\n\nReviewed-by: log log log")
	data, err := json.Marshal(map[string]any{"repository": "a/b", "base": base, "suffixes": []string{".go"},
		"questions": []map[string]any{{"commit": git("rev-parse", "HEAD"), "files": []string{"server/pool.go"}}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "list.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := readHistory(file, filepath.Join(repo, ".git"))
	if err != nil {
		t.Fatal(err)
	}
	tree := filepath.Join(dir, "tree")
	if err := list.checkout(t.Context(), tree); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(tree, "server", "pool.go")); err != nil || string(got) != "package server\n\ntype ConnPool struct{ idle int }\n" {
		t.Errorf("the base's file: %q %v", got, err)
	}
	plain, err := newBM25(tree, list.source)
	if err != nil {
		t.Fatal(err)
	}
	if got := plain.rank(list.Questions[0].message); !slices.Equal(got, []string{"server/pool.go", "server/log.go"}) {
		t.Errorf("ranked %q", got)
	}
}

func TestRanking(t *testing.T) {
	var r ranking
	r.add([]string{"a", "b"}, []string{"a", "c"})
	r.add([]string{"a", "b"}, []string{"b"})
	r.add(nil, []string{"b"})
	if got, want := r.String(), "  0.333   0.667      0.500   0.500"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNameParts(t *testing.T) {
	for name, want := range map[string][]string{"HTTPServer": {"HTTP", "Server"}, "fooBar2": {"foo", "Bar2"}, "ABC": {"ABC"}, "Xy": {"Xy"}} {
		if got := nameParts(name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
