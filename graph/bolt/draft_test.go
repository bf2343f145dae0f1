package bolt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
)

// drafted gives a batch to a draft in parts of n files. It stops before Commit if commit is not set.
func drafted(t rapid.TB, s *Store, b *graph.Batch, limit, n int, commit bool) {
	t.Helper()
	ctx := context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	d, err := s.draft(ctx, limit)
	check(err)
	defer func() { check(d.Close()) }()
	for part := range slices.Chunk(b.Put, n) {
		check(d.PutFacts(ctx, part))
	}
	check(d.View(ctx, func(facts func(graph.FileID) (*graph.Facts, error)) error {
		for _, r := range b.Put {
			f, err := facts(r.File.ID)
			if err == nil && (f == nil) != (r.Facts == nil) {
				err = errors.New("the facts that were put are not there")
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
	for part := range slices.Chunk(b.Put, n) {
		check(d.PutLinks(ctx, part))
	}
	if commit {
		gen, err := d.Commit(ctx, b.Meta)
		check(err)
		if gen != 1 {
			t.Fatalf("generation %d, want 1", gen)
		}
	}
}

// TestDraft: a first generation made in parts answers what one made in a batch does, and
// nothing before it is committed; one that is given up leaves an empty store, also when it is
// opened again, and what is written then is right.
func TestDraft(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprintf("graph%d.db", n))
		s, err := Open(path, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		w, m := graphtest.NewWorld(s, 12, graphtest.Small), graphtest.NewWorld(graphtest.NewMemory(), 12, graphtest.Small)
		change := graphtest.Change(rapid.MapOfN(rapid.IntRange(0, 11), rapid.Uint64Range(1, 20), 1, 12).Draw(rt, "files"))
		same := func(when string) {
			got, err := w.Describe()
			if err != nil {
				rt.Fatal(when, err)
			}
			if want, _ := m.Describe(); got != want {
				rt.Fatalf("%s: got\n%s\nwant\n%s", when, got, want)
			}
		}
		batch := func() *graph.Batch {
			b, err := w.Batch(change)
			if err != nil {
				rt.Fatal(err)
			}
			b.Meta = map[string][]byte{"a": []byte("1")}
			return b
		}
		limit, part := rapid.IntRange(1, 40).Draw(rt, "limit"), rapid.IntRange(1, 5).Draw(rt, "part")
		if rapid.Bool().Draw(rt, "given up before") {
			drafted(rt, s, batch(), limit, part, false)
			same("a draft that was given up")
			if rapid.Bool().Draw(rt, "opened again") {
				if err := s.Close(); err != nil {
					rt.Fatal(err)
				}
				if s, err = Open(path, Options{}); err != nil {
					rt.Fatal(err)
				}
				w.Store = s
				same("a draft that was given up, opened again")
			}
		}
		b, err := m.Batch(change)
		if err != nil {
			rt.Fatal(err)
		}
		b.Meta = map[string][]byte{"a": []byte("1")}
		if _, err := m.Store.Apply(context.Background(), b); err != nil {
			rt.Fatal(err)
		}
		if rapid.Bool().Draw(rt, "as a batch") {
			if _, err := s.Apply(context.Background(), batch()); err != nil {
				rt.Fatal(err)
			}
		} else {
			drafted(rt, s, batch(), limit, part, true)
		}
		same("first generation")
		if d, err := s.Draft(context.Background()); err == nil {
			_ = d.Close()
			rt.Fatal("a draft over a generation")
		}
		next := graphtest.Change(rapid.MapOfN(rapid.IntRange(0, 11), rapid.Uint64Range(0, 20), 1, 12).Draw(rt, "change"))
		for _, x := range []*graphtest.World{w, m} {
			if _, err := x.Apply(next); err != nil {
				rt.Fatal(err)
			}
		}
		same("second generation")
	})
}
