package index_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/bolt"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
	"github.com/codegraph-dev/codegraph/index"
)

// drafter opens a new store that can make its first generation in parts.
func drafter(t *testing.T) graph.Drafter {
	t.Helper()
	s, err := bolt.Open(filepath.Join(t.TempDir(), "graph.db"), bolt.Options{Cache: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestFirstInParts makes first generations of which more and less is held in memory: all are
// the same, and what comes after is, too.
func TestFirstInParts(t *testing.T) {
	files := fixtures(t)
	for _, held := range []int{1, 30_000, 400_000, 1 << 30} {
		t.Run(fmt.Sprint(held), func(t *testing.T) {
			files := maps.Clone(files)
			s := drafter(t)
			e := engine(files, s)
			e.Held = held
			last := map[string]index.Progress{}
			var mu sync.Mutex
			e.Progress = func(p index.Progress) {
				mu.Lock()
				defer mu.Unlock()
				last[p.Phase] = p
			}
			r := update(t, e, index.Change{Put: append(slices.Collect(maps.Keys(files)), "not/there.go")})
			if r.Generation != 1 || r.Changed != len(files) || r.Read != len(files) {
				t.Errorf("report %+v of %d files", r, len(files))
			}
			if got, want := dump(t, s), fresh(t, files); got != want {
				t.Fatal("made in parts it differs: " + firstDifference(got, want))
			}
			if p := last["link"]; p.Total != len(files) {
				t.Errorf("last progress %+v of %d files", p, len(files))
			}
			files["go/store/store.go"] += "\nfunc Added() {}\n"
			if r := update(t, e, index.Change{Put: []string{"go/store/store.go"}}); r.Changed != 1 || r.Generation != 2 {
				t.Errorf("report %+v of a change", r)
			}
			if got, want := dump(t, s), fresh(t, files); got != want {
				t.Error("after a change it differs: " + firstDifference(got, want))
			}
		})
	}
}

// TestFirstCancelled cancels the making of a first generation in each phase: the store stays
// empty, and the next one is right.
func TestFirstCancelled(t *testing.T) {
	files := fixtures(t)
	s := drafter(t)
	put := index.Change{Put: slices.Collect(maps.Keys(files))}
	empty := dump(t, s)
	for _, at := range []index.Progress{{Phase: "read", Done: 1}, {Phase: "read", Done: len(files) / 2}, {Phase: "link", Done: 1}, {Phase: "link", Done: len(files) / 2}, {Phase: "write"}} {
		ctx, cancel := context.WithCancel(context.Background())
		e := engine(files, s)
		e.Held = 30_000
		e.Progress = func(p index.Progress) {
			if p.Phase == at.Phase && p.Done == at.Done {
				cancel()
			}
		}
		if _, err := e.Update(ctx, put); err == nil {
			t.Fatalf("cancelled at %+v, and yet it succeeded", at)
		}
		cancel()
		if got := dump(t, s); got != empty {
			t.Errorf("cancelled at %+v, the store holds:\n%s", at, got)
		}
	}
	e := engine(files, s)
	e.Held = 30_000
	update(t, e, put)
	if got, want := dump(t, s), fresh(t, files); got != want {
		t.Error("after cancelled ones it differs: " + firstDifference(got, want))
	}
}

// batches is a store that says only when asked that a draft is not possible.
type batches struct{ graph.Store }

func (batches) Draft(context.Context) (graph.Draft, error) { return nil, errors.ErrUnsupported }

func TestFirstAsBatch(t *testing.T) {
	files := fixtures(t)
	s := graphtest.NewMemory()
	e := engine(files, batches{s})
	e.Held = 30_000
	update(t, e, index.Change{Put: slices.Collect(maps.Keys(files))})
	if got, want := dump(t, s), fresh(t, files); got != want {
		t.Error("it differs: " + firstDifference(got, want))
	}
}
