package workspace_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/bolt"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/workspace"
)

func staying(o *workspace.Options) { o.Resident = true }

// TestStayingSeesEachChange changes a tree at random, past the workspace, and asks at once:
// the graph is each time that of a fresh index.
func TestStayingSeesEachChange(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := newPlace(t, staying)
		p.write(".gitignore", "*.log\nout/\n")
		if err := os.Mkdir(filepath.Join(p.root, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		for step := range 40 {
			what := disturb(t, r, p.root)
			fresh := &place{t: t, root: p.root, home: t.TempDir()}
			fresh.open()
			got, want := p.see(), fresh.see()
			if got.dump != want.dump || got.texts != want.texts || !got.fresh {
				t.Fatalf("seed %d, step %d, %s:\n%+v\nwant\n%+v", seed, step, what, got, want)
			}
			if err := fresh.w.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// disturb makes one change in a tree and names it.
func disturb(t *testing.T, r *rand.Rand, root string) string {
	t.Helper()
	dirs := []string{"a", "b", "a/in", "out", "c/d/e"}
	dir := dirs[r.IntN(len(dirs))]
	name := fmt.Sprintf("%s/f%d.%s", dir, r.IntN(4), []string{"go", "txt", "log", "py"}[r.IntN(4)])
	full := filepath.Join(root, name)
	text := fmt.Sprintf("package p\n\n// needle %d\nfunc F%d() {}\n", r.IntN(3), r.IntN(5))
	var err error
	switch k := r.IntN(9); k {
	case 0, 1, 2:
		if err = os.MkdirAll(filepath.Dir(full), 0o755); err == nil {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		return "write " + name + fail(t, err)
	case 3: // as editors do
		if err = os.MkdirAll(filepath.Dir(full), 0o755); err == nil {
			if err = os.WriteFile(full+".tmp~", []byte(text), 0o644); err == nil {
				err = os.Rename(full+".tmp~", full)
			}
		}
		return "replace " + name + fail(t, err)
	case 4:
		_ = os.Remove(full)
		return "remove " + name
	case 5:
		err = os.RemoveAll(filepath.Join(root, dir))
		return "remove folder " + dir + fail(t, err)
	case 6:
		to := dirs[r.IntN(len(dirs))] + "2"
		_ = os.Rename(filepath.Join(root, dir), filepath.Join(root, to))
		_ = os.MkdirAll(filepath.Join(root, dir), 0o755)
		return "move folder " + dir + " to " + to
	case 7:
		err = os.WriteFile(filepath.Join(root, ".gitignore"), fmt.Appendf(nil, "*.log\nout/\nf%d.*\n", r.IntN(5)), 0o644)
		return "ignore otherwise" + fail(t, err)
	}
	_ = os.Chmod(full, 0o600)
	return "chmod " + name
}

func fail(t *testing.T, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return ""
}

// TestStayingAnswersOfOneGeneration asks from many goroutines while files change: the bytes,
// the graph and the text of each answer are of one moment.
func TestStayingAnswersOfOneGeneration(t *testing.T) {
	p := newPlace(t, staying)
	p.see()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			text := fmt.Sprintf("package a\n\n// needle\nfunc N%d() {}\n", i)
			if err := os.WriteFile(filepath.Join(p.root, "a/tmp~"), []byte(text), 0o644); err != nil {
				t.Error(err)
			}
			if err := os.Rename(filepath.Join(p.root, "a/tmp~"), filepath.Join(p.root, "a/n.go")); err != nil {
				t.Error(err)
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	for range 8 {
		wg.Go(func() {
			for last := graph.Gen(0); ctx.Err() == nil; {
				err := p.w.View(ctx, func(s *workspace.Snapshot) error {
					if s.Generation() < last {
						t.Errorf("generation %d after %d", s.Generation(), last)
					}
					last = s.Generation()
					return oneMoment(ctx, s)
				})
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// oneMoment checks that the symbols of a file are in the bytes that its snapshot names.
func oneMoment(ctx context.Context, s *workspace.Snapshot) error {
	for _, f := range s.Files() {
		if f.Path != "a/n.go" || f.Skip != "" {
			continue
		}
		facts, err := s.Graph().Facts([]graph.FileID{f.ID})
		if err != nil {
			return err
		}
		bytesOf, err := s.Read(ctx, f.Path)
		if err != nil {
			return err
		}
		if bytesOf.Meta.SHA256 != f.Hash {
			return nil // it changed meanwhile; the view is repeated
		}
		for i := range facts[0].Symbols {
			if name := facts[0].Str(facts[0].Symbols[i].Name); !bytes.Contains(bytesOf.Data, []byte(name)) {
				return fmt.Errorf("the graph has %s, the file %q", name, bytesOf.Data)
			}
		}
	}
	return nil
}

// TestStayingYields lets another process have the index, which takes over what the first made
// and the other way round.
func TestStayingYields(t *testing.T) {
	p := newPlace(t, staying)
	first := p.see()
	resume, err := p.w.Yield()
	if err != nil {
		t.Fatal(err)
	}
	other := &place{t: t, root: p.root, home: p.home}
	other.open(func(o *workspace.Options) { o.Resident = false })
	if got := other.see(); got.dump != first.dump || !got.fresh {
		t.Errorf("another process sees %+v", got)
	}
	p.write("c/c.go", "package c\n\nfunc C() {}\n")
	if got := other.see(); !strings.Contains(got.symbols, "c/c.go#C") {
		t.Errorf("another process sees %q", got.symbols)
	}
	if got := p.see(); !strings.Contains(got.symbols, "c/c.go#C") || !got.fresh {
		t.Errorf("while it is lent out: %+v", got)
	}
	if err := other.w.Close(); err != nil {
		t.Error(err)
	}
	resume()
	if got := p.see(); !strings.Contains(got.symbols, "c/c.go#C") || !got.fresh {
		t.Errorf("after the other's update: %+v", got)
	}
}

// TestCheck finds a change that nothing told of, and facts that are not those of the bytes.
func TestCheck(t *testing.T) {
	p := newPlace(t)
	p.see()
	c, next, err := p.w.Check(t.Context(), "", 2)
	if err != nil || c.Looked != 2 || len(c.Drifted)+len(c.Wrong) != 0 || next == "" {
		t.Fatalf("%+v, %q, %v", c, next, err)
	}
	c, next, err = p.w.Check(t.Context(), next, 0)
	if err != nil || c.Looked != 2 || next != "" {
		t.Fatalf("%+v, %q, %v", c, next, err)
	}
	damageFacts(t, p, "a/a.go")
	if c, _, err = p.w.Check(t.Context(), "", 0); err != nil || len(c.Wrong) != 1 || c.Wrong[0] != "a/a.go" {
		t.Fatalf("%+v, %v", c, err)
	}
	if got := p.see(); !strings.Contains(got.symbols, "a/a.go#Add") {
		t.Errorf("after the repair: %q", got.symbols)
	}
}

// damageFacts puts facts of other bytes into the store.
func damageFacts(t *testing.T, p *place, path string) {
	t.Helper()
	resume, err := p.w.Yield()
	if err != nil {
		t.Fatal(err)
	}
	defer resume()
	s, err := bolt.Open(filepath.Join(p.w.State(), "graph.db"), bolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var r graph.FileRecord
	err = s.View(t.Context(), func(g graph.Reader) error {
		files, err := g.Files()
		for _, f := range files {
			if f.Path == path {
				r.File = f
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	x := index.Extractor{}
	defer x.Close()
	r.Facts = x.Extract(path, []byte("package a\n\nfunc Wrong() {}\n")).Facts
	r.Links, r.Exports = &graph.Links{}, index.Exports(path, r.Facts)
	if _, err := s.Apply(t.Context(), &graph.Batch{Put: []graph.FileRecord{r}}); err != nil {
		t.Fatal(err)
	}
}

// TestEditsTakeTurns makes many edits at once, each of which takes part of the time for which
// a lock is waited: nobody is sent away, for they wait for each other and not for the lock.
func TestEditsTakeTurns(t *testing.T) {
	p := newPlace(t, func(o *workspace.Options) { o.Wait = 150 * time.Millisecond })
	p.see()
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			_, err := p.w.Commit(t.Context(), workspace.Edit{
				Tool: "write_file", Changes: []workspace.Change{{Op: workspace.OpWrite, Path: fmt.Sprintf("t%d.txt", i), Data: []byte("x\n")}},
				Seen: workspace.Seen{}, Again: func(*workspace.Snapshot) error { time.Sleep(20 * time.Millisecond); return nil },
			})
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if got, _ := filepath.Glob(filepath.Join(p.root, "t*.txt")); len(got) != 30 {
		t.Errorf("%d files", len(got))
	}
}

// TestStayingStateGone takes the state folder away under open stores: the next change finds a new
// one, and no answer is worse for it.
func TestStayingStateGone(t *testing.T) {
	p := newPlace(t, staying)
	p.see()
	for n := range 3 {
		if err := os.RemoveAll(p.w.State()); err != nil {
			t.Fatal(err)
		}
		p.write("a/new.go", fmt.Sprintf("package a\n\nfunc New%d() {}\n", n))
		if got := p.see(); got.dump != p.fresh() || !got.fresh || strings.Contains(got.notes, "in memory") {
			t.Errorf("%+v", got)
		}
		if _, err := os.Stat(filepath.Join(p.w.State(), "graph.db")); err != nil {
			t.Error(err)
		}
	}
}

// roomy is a store that writes only where there is room.
type roomy struct {
	graph.Store
	full *atomic.Bool
}

// Apply implements graph.Store.
func (s roomy) Apply(ctx context.Context, b *graph.Batch) (graph.Gen, error) {
	if s.full.Load() {
		return 0, syscall.ENOSPC
	}
	return s.Store.Apply(ctx, b)
}

// TestStayingDiskFull has no room for the graph for a while: answers come from memory, and from
// the state folder again once there is room.
func TestStayingDiskFull(t *testing.T) {
	var full atomic.Bool
	p := newPlace(t, staying, func(o *workspace.Options) {
		open := o.Stores.Graph
		o.Stores.Graph = func(path string, readOnly bool, wait time.Duration) (graph.Store, error) {
			if full.Load() {
				return nil, syscall.ENOSPC
			}
			s, err := open(path, readOnly, wait)
			return roomy{s, &full}, err
		}
	})
	p.see()
	full.Store(true)
	p.write("b/new.go", "package b\n\nfunc New() {}\n")
	if got := p.see(); got.dump != p.fresh() || !strings.Contains(got.notes, "in memory") {
		t.Errorf("%+v", got)
	}
	full.Store(false)
	for n := 0; ; n++ {
		p.write("a/new.go", fmt.Sprintf("package a\n\nfunc New%d() {}\n", n))
		got := p.see()
		if got.dump != p.fresh() {
			t.Fatalf("%+v", got)
		}
		if !strings.Contains(got.notes, "in memory") {
			break
		}
		if n == 200 {
			t.Fatal("the state folder is not used again")
		}
		time.Sleep(50 * time.Millisecond)
	}
}
