package bleve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
)

func put(t *testing.T, x *Index, docs map[graph.FileID]string, gone ...graph.FileID) []byte {
	t.Helper()
	b := x.Begin()
	var wg sync.WaitGroup
	for id, text := range docs {
		wg.Go(func() {
			b.Add(Document{File: &graph.File{ID: id, Path: fmt.Sprintf("dir/f%d.x", id)}, Text: []byte(text)})
		})
	}
	wg.Wait()
	for _, id := range gone {
		b.Remove(id)
	}
	token, err := b.Apply(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func ask(t *testing.T, dir string, token []byte, question string) []graph.FileID {
	t.Helper()
	x, err := Open(dir, token)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	hits, err := x.Rank(context.Background(), question, 10)
	if err != nil {
		t.Fatal(err)
	}
	var ids []graph.FileID
	for _, h := range hits {
		ids = append(ids, h.File)
	}
	return ids
}

func TestRankFollowsChanges(t *testing.T) {
	dir := t.TempDir()
	x, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := put(t, x, map[graph.FileID]string{1: "parseCookie reads HTTPCookies", 2: "render templates", 3: "cookie"})
	if got := ask(t, dir, first, "where are cookies parsed?"); len(got) != 2 || got[0] != 1 {
		t.Errorf("cookies parsed: %v, want 1 before 3", got)
	}
	if x, err = Open(dir, first); err != nil {
		t.Fatal(err)
	}
	second := put(t, x, map[graph.FileID]string{2: "now about cookies too"}, 1)
	if got := ask(t, dir, second, "cookie"); !slices.Contains(got, 2) || slices.Contains(got, 1) || !slices.Contains(got, 3) {
		t.Errorf("cookie after the change: %v, want 2 and 3", got)
	}
	if got := ask(t, dir, second, "render templates"); len(got) != 0 {
		t.Errorf("words of the old text still found in %v", got)
	}
}

// What was written and then not committed, by a process that was killed, serves as it is; its
// next change goes on from there. What was committed and is not there does not.
func TestAheadServesBehindDoesNot(t *testing.T) {
	dir := t.TempDir()
	x, _ := Open(dir, nil)
	first := put(t, x, map[graph.FileID]string{1: "alpha"})
	x, _ = Open(dir, first)
	put(t, x, map[graph.FileID]string{2: "beta"})
	if got := ask(t, dir, first, "alpha"); !slices.Equal(got, []graph.FileID{1}) {
		t.Errorf("alpha in an index that is ahead: %v", got)
	}
	x, _ = Open(dir, first)
	third := put(t, x, map[graph.FileID]string{2: "gamma"})
	if got := ask(t, dir, third, "beta gamma"); !slices.Equal(got, []graph.FileID{2}) {
		t.Errorf("after the next change: %v", got)
	}
	x, err := Open(dir, []byte(`{"folder":1,"revision":99}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Rank(context.Background(), "alpha", 5); !errors.Is(err, ErrBehind) {
		t.Errorf("ranking a state that was lost: %v, want ErrBehind", err)
	}
}

// A kept index is read from while it is written to, and sees what was written.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	x, _ := Open(dir, nil)
	x.Keep()
	put(t, x, map[graph.FileID]string{1: "alpha"})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 20 {
				if hits, err := x.Rank(context.Background(), "alpha", 5); err != nil || len(hits) == 0 {
					t.Errorf("%d: %v, %v", i, hits, err)
				}
			}
		})
	}
	for id := graph.FileID(2); id < 8; id++ {
		put(t, x, map[graph.FileID]string{id: "beta"})
	}
	wg.Wait()
	if hits, err := x.Rank(context.Background(), "beta", 10); err != nil || len(hits) != 6 {
		t.Errorf("beta: %v, %v", hits, err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

func TestDamageIsBehind(t *testing.T) {
	dir := t.TempDir()
	x, _ := Open(dir, nil)
	token := put(t, x, map[graph.FileID]string{1: "alpha"})
	if _, err := Open(dir, []byte("{")); !errors.Is(err, ErrBehind) {
		t.Errorf("a torn token: %v, want ErrBehind", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "1", "store", "root.bolt"), []byte("no store"), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := Open(dir, token)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Rank(context.Background(), "alpha", 5); !errors.Is(err, ErrBehind) {
		t.Errorf("a damaged index: %v, want ErrBehind", err)
	}
}

func TestSweepKeepsTheCommittedState(t *testing.T) {
	dir := t.TempDir()
	x, _ := Open(dir, nil)
	put(t, x, map[graph.FileID]string{1: "alpha"}) // never committed
	x, _ = Open(dir, nil)
	token := put(t, x, map[graph.FileID]string{2: "alpha"})
	x, err := Open(dir, token)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Sweep(); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, dir, token, "alpha"); !slices.Equal(got, []graph.FileID{2}) {
		t.Errorf("after the sweep: %v, want 2", got)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d folders are left, want 1", len(entries))
	}
}

func TestReadersShareTheIndex(t *testing.T) {
	dir := t.TempDir()
	x, _ := Open(dir, nil)
	token := put(t, x, map[graph.FileID]string{1: "alpha"})
	for range 2 {
		x, err := Open(dir, token)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		if hits, err := x.Rank(context.Background(), "alpha", 5); err != nil || len(hits) != 1 {
			t.Fatalf("%v, %v", hits, err)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"parseHTTPRequest":  {"pars", "http", "request"},
		"utf8_decodeRunes":  {"utf", "decod", "rune"},
		"Bücher über Äpfel": {"bücher", "über", "äpfel"},
		"queries, Indexes":  {"query", "index"},
		"running cookies":   {"run", "cooky"},
		"parsed parses":     {"pars", "pars"},
		"a.b-c":             nil,
	} {
		var got []string
		for _, tok := range (analyzer{}).Analyze([]byte(text)) {
			got = append(got, string(tok.Term))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
