package graphtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/codegraph-dev/codegraph/graph"
)

// Run is the conformance suite. open gives a new, empty store each time it is called; the
// suite closes it.
func Run(t *testing.T, open func(t testing.TB) graph.Store) {
	for _, c := range []struct {
		name string
		test func(*testing.T, graph.Store)
	}{
		{"Empty", testEmpty},
		{"PutReplaceDelete", testPutReplaceDelete},
		{"IDsStay", testIDsStay},
		{"Generations", testGenerations},
		{"Meta", testMeta},
		{"Atomic", testAtomic},
		{"Snapshot", testSnapshot},
		{"Ended", testEnded},
		{"Named", testNamed},
		{"ManyFilesOfOneKey", testManyFiles},
		{"Concurrent", testConcurrent},
		{"OneQuestion", testOneQuestion},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			defer closeStore(t, s)
			c.test(t, s)
		})
	}
	t.Run("Model", func(t *testing.T) { testModel(t, open) })
	t.Run("Order", func(t *testing.T) { testOrder(t, open) })
}

func closeStore(t testing.TB, s graph.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// World builds batches for a store by path. Its paths are those of its universe.
type World struct {
	Universe
	Size  Size
	Store graph.Store
}

// NewWorld is a world of n paths over s.
func NewWorld(s graph.Store, n int, size Size) *World {
	w := &World{Store: s, Size: size}
	for i := range n {
		w.Paths = append(w.Paths, fmt.Sprintf("dir%d/file%d.toy", i%3, i))
	}
	for i := range size.Keys {
		w.Keys = append(w.Keys, RandomKey(i))
	}
	for i := range size.Names {
		w.Hashes = append(w.Hashes, uint32(graph.NewHash().String("").String(RandomName(i)).Int(1).Sum()))
	}
	w.MetaKey = []string{"", "a", "b"}
	return w
}

// Change says what becomes of paths: the seed of a random record, or 0 to delete.
type Change map[int]uint64

// Batch is the batch that makes the change.
func (w *World) Batch(c Change) (*graph.Batch, error) {
	b := &graph.Batch{}
	err := w.Store.View(context.Background(), func(r graph.Reader) error {
		ids, err := r.FileIDs(w.Paths)
		if err != nil {
			return err
		}
		for i, seed := range c {
			if seed == 0 {
				b.Delete = append(b.Delete, ids[i])
				continue
			}
			b.Put = append(b.Put, RandomRecord(rand.New(rand.NewPCG(seed, 1)), w.Paths[i], ids[i], ids, w.Size))
		}
		return nil
	})
	return b, err
}

// Apply makes the change.
func (w *World) Apply(c Change) (graph.Gen, error) {
	b, err := w.Batch(c)
	if err != nil {
		return 0, err
	}
	return w.Store.Apply(context.Background(), b)
}

// Describe is everything that the store answers.
func (w *World) Describe() (text string, err error) {
	err = w.Store.View(context.Background(), func(r graph.Reader) error {
		text, err = Describe(r, w.Universe)
		return err
	})
	return text, err
}

func must[T any](t rapid.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// apply makes the change and fails t if it cannot.
func (w *World) apply(t rapid.TB, c Change) graph.Gen {
	t.Helper()
	gen, err := w.Apply(c)
	return must(t, gen, err)
}

func (w *World) describe(t rapid.TB) string {
	t.Helper()
	text, err := w.Describe()
	return must(t, text, err)
}

// equal fails t unless both worlds answer the same.
func equal(t rapid.TB, what string, got, want *World) {
	t.Helper()
	if g, m := got.describe(t), want.describe(t); g != m {
		t.Fatalf("%s: %s", what, firstDifference(g, m))
	}
}

// firstDifference is the first line in which two texts differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// pair is the store under test beside the model.
func pair(s graph.Store, n int, size Size) (store, model *World) {
	return NewWorld(s, n, size), NewWorld(NewMemory(), n, size)
}

func testEmpty(t *testing.T, s graph.Store) {
	w, m := pair(s, 4, Small)
	equal(t, "empty store", w, m)
	w.apply(t, nil)
	m.apply(t, nil)
	equal(t, "empty batch", w, m)
}

func testPutReplaceDelete(t *testing.T, s graph.Store) {
	w, m := pair(s, 6, Small)
	for i, c := range []Change{
		{0: 1, 1: 2, 2: 3, 3: 4}, {1: 5}, {2: 0}, {2: 0}, {2: 3, 4: 9}, {0: 0, 1: 0, 2: 0, 3: 0, 4: 0}, {5: 7, 0: 1},
	} {
		w.apply(t, c)
		m.apply(t, c)
		equal(t, fmt.Sprint("after change ", i), w, m)
	}
}

func testIDsStay(t *testing.T, s graph.Store) {
	w := NewWorld(s, 5, Small)
	ids := func(paths ...string) (ids []graph.FileID) {
		err := s.View(context.Background(), func(r graph.Reader) (err error) {
			ids, err = r.FileIDs(paths)
			return err
		})
		return must(t, ids, err)
	}
	first := ids(w.Paths[:3]...)
	if again := ids(w.Paths[:3]...); !slices.Equal(first, again) {
		t.Errorf("ids of new paths change before they are put: %v, %v", first, again)
	}
	if twice := ids("x", "x"); twice[0] != twice[1] {
		t.Errorf("one path has two ids in one answer: %v", twice)
	}
	w.apply(t, Change{0: 1, 1: 2, 2: 3})
	w.apply(t, Change{1: 0})
	all := ids(append(w.Paths, "y", "x")...)
	if !slices.Equal(all[:3], first) {
		t.Errorf("ids were %v, are %v", first, all[:3])
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != len(w.Paths)+2 {
		t.Errorf("paths share ids: %v", all)
	}
	other := &graph.Batch{Put: []graph.FileRecord{{File: graph.File{ID: first[0], Path: w.Paths[1]}}}}
	if _, err := s.Apply(context.Background(), other); err == nil {
		t.Error("a file was put under the id of another path")
	}
	wild := &graph.Batch{Put: []graph.FileRecord{{File: graph.File{ID: 1 << 30, Path: "wild"}}}}
	if _, err := s.Apply(context.Background(), wild); err == nil {
		t.Error("a file was put under an id that FileIDs did not give")
	}
}

func testGenerations(t *testing.T, s graph.Store) {
	w := NewWorld(s, 3, Small)
	gen := func() (g graph.Gen) {
		err := s.View(context.Background(), func(r graph.Reader) error { g = r.Gen(); return nil })
		return must(t, g, err)
	}
	for want := gen() + 1; want < 5; want++ {
		if got := w.apply(t, Change{int(want) % 3: uint64(want)}); got != want || gen() != want {
			t.Errorf("Apply gives generation %d, View has %d, want %d", got, gen(), want)
		}
	}
}

func testMeta(t *testing.T, s graph.Store) {
	read := func() string {
		var out string
		err := s.View(context.Background(), func(r graph.Reader) error {
			vs, err := r.Meta("a", "", "b")
			out = fmt.Sprintf("%q %v", vs, vs[2] == nil)
			return err
		})
		return must(t, out, err)
	}
	for _, c := range []struct {
		meta map[string][]byte
		want string
	}{
		{map[string][]byte{"a": []byte("1"), "": []byte("2")}, `["1" "2" ""] true`},
		{map[string][]byte{"a": nil, "b": {}}, `["" "2" ""] false`},
		{map[string][]byte{"b": nil, "never": nil}, `["" "2" ""] true`},
	} {
		_, err := s.Apply(context.Background(), &graph.Batch{Meta: c.meta})
		if must(t, 0, err); read() != c.want {
			t.Errorf("after %q: %s, want %s", c.meta, read(), c.want)
		}
	}
}

// testAtomic: a batch that cannot be applied, or whose context has ended, leaves nothing.
func testAtomic(t *testing.T, s graph.Store) {
	w := NewWorld(s, 4, Small)
	w.apply(t, Change{0: 1, 1: 2})
	before := w.describe(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := must(t, 0, nil)
	_ = b
	good, err := w.Batch(Change{2: 5, 0: 7, 1: 0})
	must(t, good, err)
	if _, err := s.Apply(ctx, good); !errors.Is(err, context.Canceled) {
		t.Errorf("Apply with an ended context: %v", err)
	}
	twice := &graph.Batch{Put: append(slices.Clone(good.Put), good.Put...), Delete: good.Delete, Meta: map[string][]byte{"a": {1}}}
	if _, err := s.Apply(context.Background(), twice); err == nil {
		t.Error("one file was put twice")
	}
	bad := &graph.Batch{Put: append(slices.Clone(good.Put), graph.FileRecord{File: graph.File{ID: 99, Path: "nowhere"}}), Delete: good.Delete}
	if _, err := s.Apply(context.Background(), bad); err == nil {
		t.Error("a file without an id from FileIDs was put")
	}
	if after := w.describe(t); after != before {
		t.Errorf("failed batches left something: %s", firstDifference(after, before))
	}
}

// testSnapshot: a View keeps its generation while batches are applied, and what it gave
// stays valid after it.
func testSnapshot(t *testing.T, s graph.Store) {
	w := NewWorld(s, 4, Small)
	w.apply(t, Change{0: 1, 1: 2, 2: 3})
	var facts []*graph.Facts
	var was string
	err := s.View(context.Background(), func(r graph.Reader) error {
		before, err := Describe(r, w.Universe)
		must(t, before, err)
		w.apply(t, Change{0: 9, 1: 0, 3: 4})
		after, err := Describe(r, w.Universe)
		must(t, after, err)
		if before != after {
			t.Errorf("a View changed: %s", firstDifference(after, before))
		}
		ids, err := r.FileIDs(w.Paths)
		must(t, ids, err)
		facts, err = r.Facts(ids)
		was = fmt.Sprintf("%+v", facts[0])
		return err
	})
	must(t, 0, err)
	for i := range uint64(20) {
		w.apply(t, Change{0: i + 50, 1: i + 70, 2: i + 90, 3: i + 110})
	}
	if is := fmt.Sprintf("%+v", facts[0]); is != was {
		t.Errorf("facts changed after their View:\n got %s\nwant %s", is, was)
	}
}

func testEnded(t *testing.T, s graph.Store) {
	var r graph.Reader
	must(t, 0, s.View(context.Background(), func(x graph.Reader) error { r = x; return nil }))
	if _, err := r.Files(); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("a Reader after its View: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err := s.View(ctx, func(r graph.Reader) error {
		cancel()
		_, err := r.Facts([]graph.FileID{0})
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a View whose context has ended: %v", err)
	}
	sentinel := errors.New("mine")
	if err := s.View(context.Background(), func(graph.Reader) error { return sentinel }); !errors.Is(err, sentinel) {
		t.Errorf("View does not give back its function's error: %v", err)
	}
	must(t, 0, s.Close())
	if err := s.View(context.Background(), func(graph.Reader) error { return nil }); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("View of a closed store: %v", err)
	}
	if _, err := s.Apply(context.Background(), &graph.Batch{}); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("Apply to a closed store: %v", err)
	}
}

func testNamed(t *testing.T, s graph.Store) {
	size := Size{Symbols: 60, Exprs: 1, Names: 900, Keys: 4}
	w, m := pair(s, 80, size)
	c := Change{}
	for i := range w.Paths {
		c[i] = uint64(i + 1)
	}
	w.apply(t, c)
	m.apply(t, c)
	equal(t, "many names", w, m)
	err := s.View(context.Background(), func(r graph.Reader) error {
		kept, calls := 0, 0
		err := r.Named(func(n string) bool {
			if strings.HasSuffix(n, "7") {
				kept++
				return true
			}
			return false
		}, func(n string, at []graph.Handle) bool {
			if calls++; !strings.HasSuffix(n, "7") || len(at) == 0 {
				t.Errorf("called with %q, which was not kept, or without symbols: %v", n, at)
			}
			return true
		})
		if calls == 0 || kept != calls {
			t.Errorf("%d names kept, %d calls", kept, calls)
		}
		must(t, 0, err)
		calls = 0
		err = r.Named(func(string) bool { return true }, func(string, []graph.Handle) bool { calls++; return calls < 3 })
		if calls != 3 {
			t.Errorf("%d calls, stopped after 3", calls)
		}
		return err
	})
	must(t, 0, err)
}

// testManyFiles: keys with more files than any part of a store holds together.
func testManyFiles(t *testing.T, s graph.Store) {
	size := Size{Symbols: 2, Exprs: 4, Names: 4, Keys: 3}
	w, m := pair(s, 2500, size)
	c := Change{}
	for i := range w.Paths {
		c[i] = uint64(i + 1)
	}
	w.apply(t, c)
	m.apply(t, c)
	equal(t, "all files", w, m)
	c = Change{}
	for i := 0; i < len(w.Paths); i += 3 {
		c[i] = uint64(i % 2 * (i + 7))
	}
	w.apply(t, c)
	m.apply(t, c)
	equal(t, "after a change of every third", w, m)
}

// testConcurrent: readers see whole generations while one writes.
func testConcurrent(t *testing.T, s graph.Store) {
	w := NewWorld(s, 6, Small)
	changes := []Change{{0: 1, 1: 2, 2: 3}, {0: 4, 3: 5}, {1: 0, 4: 6}, {0: 7, 1: 8, 5: 9}, {2: 0, 3: 0}, {2: 10, 0: 11}}
	model := NewWorld(NewMemory(), 6, Small)
	want := map[graph.Gen]string{0: model.describe(t)}
	for _, c := range changes {
		want[model.apply(t, c)] = model.describe(t)
	}
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for last := false; !last; {
				select {
				case <-done:
					last = true
				default:
				}
				err := s.View(context.Background(), func(r graph.Reader) error {
					got, err := Describe(r, w.Universe)
					if err == nil && got != want[r.Gen()] {
						err = fmt.Errorf("generation %d: %s", r.Gen(), firstDifference(got, want[r.Gen()]))
					}
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for _, c := range changes {
		w.apply(t, c)
	}
	close(done)
	wg.Wait()
}

// testOneQuestion: one question about many things gives what many questions give.
func testOneQuestion(t *testing.T, s graph.Store) {
	w := NewWorld(s, 8, Small)
	w.apply(t, Change{0: 1, 1: 2, 2: 3, 3: 4, 5: 6})
	must(t, 0, s.View(context.Background(), func(r graph.Reader) error {
		ids, err := r.FileIDs(w.Paths)
		must(t, ids, err)
		ids = append(ids, 4_000_000_000, graph.NoFile)
		all, err := r.Facts(ids)
		must(t, all, err)
		for i, id := range ids {
			one, err := r.Facts([]graph.FileID{id})
			if must(t, one, err); fmt.Sprintf("%+v", one[0]) != fmt.Sprintf("%+v", all[i]) {
				t.Errorf("facts of %d differ when asked for alone", id)
			}
		}
		keys := append(slices.Clone(w.Keys), 0, 1<<64-1)
		found, err := r.Lookup(keys)
		must(t, found, err)
		for i, k := range keys {
			one, err := r.Lookup([]graph.Key{k})
			if must(t, one, err); !slices.Equal(one[0], found[i]) {
				t.Errorf("lookup of %x differs when asked alone", k)
			}
		}
		return nil
	}))
}

// testModel: after any batches, a store answers as the model does.
func testModel(t *testing.T, open func(testing.TB) graph.Store) {
	rapid.Check(t, func(rt *rapid.T) {
		s := open(t)
		defer closeStore(t, s)
		w, m := pair(s, 8, Small)
		for range rapid.IntRange(1, 6).Draw(rt, "batches") {
			c := drawChange(rt, len(w.Paths))
			w.apply(rt, c)
			m.apply(rt, c)
			equal(rt, "after batch", w, m)
		}
	})
}

func drawChange(rt *rapid.T, paths int) Change {
	return rapid.MapOfN(rapid.IntRange(0, paths-1), rapid.Uint64Range(0, 8), 0, paths).Draw(rt, "change")
}

// testOrder: the same files give the same answers whatever batches led to them.
func testOrder(t *testing.T, open func(testing.TB) graph.Store) {
	rapid.Check(t, func(rt *rapid.T) {
		direct, detour := open(t), open(t)
		defer closeStore(t, direct)
		defer closeStore(t, detour)
		a, b := NewWorld(direct, 6, Small), NewWorld(detour, 6, Small)
		final := Change{}
		slices.Reverse(b.Paths) // ids are given in another order
		for range rapid.IntRange(1, 5).Draw(rt, "batches") {
			c := drawChange(rt, len(a.Paths))
			for i, seed := range c {
				final[i] = seed
			}
			mirrored := Change{}
			for i, seed := range c {
				mirrored[len(a.Paths)-1-i] = seed
			}
			must(rt, 0, applyMirrored(b, mirrored))
		}
		a.apply(rt, final)
		slices.Reverse(b.Paths)
		equal(rt, "another order", b, a)
	})
}

// applyMirrored makes a change in a world whose paths are reversed, with the records that
// a world with the paths in order would have.
func applyMirrored(w *World, c Change) error {
	b, err := w.Batch(nil)
	if err != nil {
		return err
	}
	err = w.Store.View(context.Background(), func(r graph.Reader) error {
		ids, err := r.FileIDs(w.Paths)
		if err != nil {
			return err
		}
		peers := slices.Clone(ids)
		slices.Reverse(peers)
		for i, seed := range c {
			if seed == 0 {
				b.Delete = append(b.Delete, ids[i])
				continue
			}
			b.Put = append(b.Put, RandomRecord(rand.New(rand.NewPCG(seed, 1)), w.Paths[i], ids[i], peers, w.Size))
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = w.Store.Apply(context.Background(), b)
	return err
}
