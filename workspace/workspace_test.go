package workspace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/bolt"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/search/trigram"
	"github.com/codegraph-dev/codegraph/workspace"
)

// text fits the trigram index to a workspace.
type text struct{ *trigram.Store }

func (t text) Name() string { return "trigram" }

func (t text) Begin() index.TextBatch { return batch{t.Store, t.NewBatch()} }

type batch struct {
	s *trigram.Store
	b *trigram.Batch
}

func (b batch) Add(d index.Document) error { return b.b.Add(search.DocID(d.File.ID), d.Text) }

func (b batch) Remove(id graph.FileID) error { return b.b.Remove(search.DocID(id)) }

func (b batch) Apply(ctx context.Context) ([]byte, error) { return b.s.Apply(ctx, b.b) }

func (b batch) Discard() error { return b.b.Discard() }

// resident says how the workspaces of the tests are opened.
var resident bool

// TestMain runs every test on a workspace that keeps nothing between calls, then on one that
// stays.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && os.Getenv("LEDGER_DIR") == "" { // which is of a process that a test started
		resident = true
		code = m.Run()
	}
	os.Exit(code)
}

func options(home string) workspace.Options {
	return workspace.Options{
		Home: home, Version: "test", Wait: 5 * time.Second, Resident: resident, Held: 4000,
		Stores: workspace.Stores{
			Graph: func(path string, readOnly bool, wait time.Duration) (graph.Store, error) {
				return bolt.Open(path, bolt.Options{ReadOnly: readOnly, Timeout: wait})
			},
			Text: func(dir string, token []byte) (workspace.TextStore, error) {
				s, err := trigram.Open(dir, token)
				if errors.Is(err, trigram.ErrCorrupt) {
					err = fmt.Errorf("%w: %w", graph.ErrCorrupt, err)
				}
				return text{s}, err
			},
		},
	}
}

// place is a workspace on disk under test.
type place struct {
	t          *testing.T
	root, home string
	w          *workspace.Workspace
}

func newPlace(t *testing.T, tune ...func(*workspace.Options)) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir(), home: t.TempDir()}
	p.write("go.mod", "module example.org/m\n")
	p.write("a/a.go", "package a\n\n// Add adds.\nfunc Add(x, y int) int { return x + y }\n")
	p.write("b/b.go", "package b\n\nimport \"example.org/m/a\"\n\nfunc Twice(x int) int { return a.Add(x, x) }\n")
	p.write("notes.txt", "needle in a text\n")
	p.open(tune...)
	return p
}

func (p *place) open(tune ...func(*workspace.Options)) {
	p.t.Helper()
	o := options(p.home)
	for _, f := range tune {
		f(&o)
	}
	w, err := workspace.Open(context.Background(), p.root, o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.w = w
	p.t.Cleanup(func() { _ = w.Close() })
}

func (p *place) write(path, text string) {
	p.t.Helper()
	full := filepath.Join(p.root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

type dumped string

// String keeps failures short.
func (d dumped) String() string { return fmt.Sprintf("(%d bytes)", len(d)) }

// seen is what a snapshot showed.
type seen struct {
	fresh   bool
	notes   string
	symbols string // names of all symbols, by path
	dump    dumped
	texts   string // files that are candidates for needle
}

func (p *place) see() seen {
	p.t.Helper()
	s, err := look(p.w)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

func look(w *workspace.Workspace) (out seen, err error) {
	ctx := context.Background()
	err = w.View(ctx, func(s *workspace.Snapshot) error {
		var names []string
		for _, f := range s.Files() {
			facts, err := s.Graph().Facts([]graph.FileID{f.ID})
			if err != nil {
				return err
			}
			if facts[0] == nil || f.Language == "" {
				continue
			}
			for i := range facts[0].Symbols {
				names = append(names, facts[0].IDOf(f.Path, int32(i)))
			}
		}
		var b bytes.Buffer
		if err := graph.Dump(ctx, s.Graph(), &b); err != nil {
			return err
		}
		c, err := candidates(ctx, s)
		out = seen{s.Fresh(), strings.Join(s.Notes(), "; "), strings.Join(names, " "), dumped(b.String()), c}
		return err
	})
	return out, err
}

func candidates(ctx context.Context, s *workspace.Snapshot) (string, error) {
	p, err := search.Compile(search.Options{Patterns: []string{"needle"}})
	if err != nil {
		return "", err
	}
	c := search.Candidates{All: true}
	if s.Text() != nil {
		if c, err = s.Text().Candidates(ctx, p.Query()); err != nil {
			return "", err
		}
	}
	var paths []string
	for _, f := range s.Files() {
		if c.All || slices.Contains(c.Docs, search.DocID(f.ID)) {
			data, _, err := s.Open(ctx, f.Path, nil)
			if err == nil && bytes.Contains(data, []byte("needle")) {
				paths = append(paths, f.Path)
			}
		}
	}
	return strings.Join(paths, " "), nil
}

// fresh is the dump of an index of the same root made from nothing.
func (p *place) fresh() dumped {
	p.t.Helper()
	w, err := workspace.Open(context.Background(), p.root, options(p.t.TempDir()))
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	s, err := look(w)
	if err != nil {
		p.t.Fatal(err)
	}
	return s.dump
}

const both = "a/a.go#Add b/b.go#Twice go.mod#example.org/m"

func TestViewFollowsDisk(t *testing.T) {
	p := newPlace(t)
	if s := p.see(); !s.fresh || s.symbols != both || s.texts != "notes.txt" {
		t.Fatalf("first view: %+v", s)
	}
	steps := []struct {
		name    string
		do      func()
		symbols string
		texts   string
	}{
		{"same size at once", func() { p.write("a/a.go", "package a\n\n// Add adds.\nfunc Sub(x, y int) int { return x + y }\n") },
			"a/a.go#Sub b/b.go#Twice go.mod#example.org/m", "notes.txt"},
		{"same size, times set back", func() {
			info, _ := os.Stat(filepath.Join(p.root, "a/a.go"))
			p.write("a/a.go", "package a\n\n// Add adds.\nfunc Add(x, y int) int { return x + y }\n")
			_ = os.Chtimes(filepath.Join(p.root, "a/a.go"), info.ModTime(), info.ModTime())
		}, both, "notes.txt"},
		{"new file", func() { p.write("c/c.go", "package c\n\nvar needle int\n") },
			"a/a.go#Add b/b.go#Twice c/c.go#needle go.mod#example.org/m", "c/c.go notes.txt"},
		{"renamed folder", func() { _ = os.Rename(filepath.Join(p.root, "c"), filepath.Join(p.root, "d")) },
			"a/a.go#Add b/b.go#Twice d/c.go#needle go.mod#example.org/m", "d/c.go notes.txt"},
		{"ignored", func() { p.write(".ignore", "d/\n") }, both, "notes.txt"},
		{"excluded", func() { p.write(".codegraph.yaml", "exclude: [b]\n") }, "a/a.go#Add go.mod#example.org/m", "notes.txt"},
		{"as it was", func() {
			_ = os.Remove(filepath.Join(p.root, ".codegraph.yaml"))
			_ = os.Remove(filepath.Join(p.root, ".ignore"))
			_ = os.RemoveAll(filepath.Join(p.root, "d"))
		}, both, "notes.txt"},
		{"other languages only", func() { p.write(".codegraph.yaml", "languages: [none]\n") }, "", "notes.txt"},
		{"all languages", func() { _ = os.Remove(filepath.Join(p.root, ".codegraph.yaml")) }, both, "notes.txt"},
	}
	for _, st := range steps {
		st.do()
		s := p.see()
		if !s.fresh || s.symbols != st.symbols || s.texts != st.texts {
			t.Errorf("%s: got %q and %q, fresh=%t; want %q and %q", st.name, s.symbols, s.texts, s.fresh, st.symbols, st.texts)
		}
		if st.symbols != "" && !strings.Contains(st.name, "languages") && s.dump != p.fresh() && !strings.Contains(st.name, "excluded") {
			t.Errorf("%s: the dump differs from a fresh index's", st.name)
		}
	}
}

// TestNothingChanged checks that views of a tree at rest leave the generation alone.
func TestNothingChanged(t *testing.T) {
	p := newPlace(t)
	gen := func() (g graph.Gen) {
		_ = p.w.View(context.Background(), func(s *workspace.Snapshot) error { g = s.Generation(); return nil })
		return g
	}
	for range 3 {
		if g := gen(); g != 1 {
			t.Fatalf("generation %d", g)
		}
	}
	r, err := p.w.Refresh(context.Background(), workspace.Full)
	if err != nil || r.Changed != 0 || r.Read != 4 || gen() != 1 {
		t.Errorf("full refresh: %+v, %v", r, err)
	}
}

// TestChangeDuringView checks that a view whose file changes under it runs again.
func TestChangeDuringView(t *testing.T) {
	p := newPlace(t)
	p.see()
	runs := 0
	err := p.w.View(context.Background(), func(s *workspace.Snapshot) error {
		if runs++; runs == 1 {
			p.write("a/a.go", "package a\n\nfunc Other() {}\n")
		}
		f, err := s.Read(context.Background(), "a/a.go")
		if err != nil {
			return err
		}
		if runs == 2 && f.Known.Hash != f.Meta.SHA256 {
			t.Error("the second snapshot is not of the new bytes")
		}
		return nil
	})
	if err != nil || runs != 2 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// TestDamage damages every state file in several ways; the next view builds again and is right.
func TestDamage(t *testing.T) {
	p := newPlace(t)
	want := p.see()
	damages := map[string]func(path string, size int64) error{
		"cut":     func(path string, size int64) error { return os.Truncate(path, size/2) },
		"emptied": func(path string, _ int64) error { return os.Truncate(path, 0) },
		"removed": func(path string, _ int64) error { return os.Remove(path) },
		"zeroed": func(path string, size int64) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteAt(make([]byte, min(size, 4096)), size/3)
				err = errors.Join(err, f.Close())
			}
			return err
		},
	}
	files := stateFiles(t, p.w.State())
	if len(files) < 4 {
		t.Fatalf("state files: %v", files)
	}
	for name, damage := range damages {
		for _, f := range files {
			info, err := os.Stat(f)
			if err != nil {
				continue // built again under another name
			}
			if err := damage(f, info.Size()); err != nil {
				t.Fatal(err)
			}
			if got := p.see(); got.symbols != want.symbols || got.texts != want.texts || got.dump != want.dump || !got.fresh {
				t.Errorf("%s %s: %+v", filepath.Base(f), name, got)
			}
		}
	}
}

func stateFiles(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNoState answers from memory where the state folder cannot be made, and follows changes.
func TestNoState(t *testing.T) {
	p := newPlace(t, func(o *workspace.Options) {
		file := filepath.Join(t.TempDir(), "file")
		_ = os.WriteFile(file, nil, 0o600)
		o.Home = file
	})
	if s := p.see(); s.symbols != both || s.texts != "notes.txt" || !strings.Contains(s.notes, "in memory") || s.dump != p.fresh() {
		t.Errorf("%+v", s)
	}
	p.write("a/a.go", "package a\n\nfunc More() {}\n")
	if s := p.see(); s.symbols != "a/a.go#More b/b.go#Twice go.mod#example.org/m" || s.dump != p.fresh() {
		t.Errorf("%+v", s)
	}
}

// TestBusy holds the lock of updates as another process would: what changed is answered from
// its bytes, the rest from the index, and the answer says so.
func TestBusy(t *testing.T) {
	short := func(o *workspace.Options) { o.Wait = 50 * time.Millisecond }
	p := newPlace(t, short)
	lock := p.lock()
	if s := p.see(); s.fresh || s.notes == "" || s.texts != "notes.txt" {
		t.Errorf("no index yet: %+v", s)
	}
	_ = lock.Close()
	if s := p.see(); !s.fresh || s.symbols != both {
		t.Errorf("lock given back: %+v", s)
	}
	lock = p.lock()
	p.write("a/a.go", "package a\n\nfunc Moved() {}\n\nvar needle = 1\n")
	_ = os.Remove(filepath.Join(p.root, "notes.txt"))
	if s := p.see(); s.fresh || s.notes == "" || s.texts != "a/a.go" || s.symbols != "a/a.go#Moved a/a.go#needle b/b.go#Twice go.mod#example.org/m" {
		t.Errorf("changed meanwhile: %+v", s)
	}
	_ = lock.Close()
	if s := p.see(); !s.fresh || s.dump != p.fresh() {
		t.Errorf("lock given back: %+v", s)
	}
}

func (p *place) lock() *os.File {
	p.t.Helper()
	_ = os.MkdirAll(p.w.State(), 0o700)
	f, err := os.OpenFile(filepath.Join(p.w.State(), "update.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return f
}

// TestTogether lets several workspaces work on one root while it changes: none takes the
// other's lock for damage, and in the end all see the same.
func TestTogether(t *testing.T) {
	var mu sync.Mutex
	var log []string
	p := newPlace(t)
	var wg sync.WaitGroup
	for range 4 {
		o := options(p.home)
		o.Log = func(line string) { mu.Lock(); log = append(log, line); mu.Unlock() }
		w, err := workspace.Open(context.Background(), p.root, o)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer func() { _ = w.Close() }()
			for range 15 {
				if _, err := look(w); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := range 30 {
		p.write("a/a.go", fmt.Sprintf("package a\n\nfunc Add%d() {}\n", n))
		time.Sleep(5 * time.Millisecond)
	}
	wg.Wait()
	if s := p.see(); !s.fresh || s.dump != p.fresh() {
		t.Errorf("%+v", s)
	}
	if len(log) > 0 {
		t.Errorf("rebuilt: %v", log)
	}
}

// TestBudget answers before the index is ready, and from the index when it is.
func TestBudget(t *testing.T) {
	gate := make(chan struct{})
	p := newPlace(t, func(o *workspace.Options) {
		o.Budget = 20 * time.Millisecond
		o.Progress = func(index.Progress) { <-gate }
	})
	if s := p.see(); s.fresh || !strings.Contains(s.notes, "ask again") || s.texts != "notes.txt" || s.symbols != both {
		t.Errorf("not ready: %+v", s)
	}
	close(gate)
	for range 100 {
		if s := p.see(); s.fresh {
			if s.symbols != both {
				t.Errorf("ready: %+v", s)
			}
			return
		}
	}
	t.Error("the index never got ready")
}

func TestConfined(t *testing.T) {
	p := newPlace(t)
	outside := filepath.Join(t.TempDir(), "secret")
	_ = os.WriteFile(outside, []byte("secret"), 0o600)
	_ = os.Symlink(outside, filepath.Join(p.root, "leak"))
	_ = os.Symlink("a/a.go", filepath.Join(p.root, "inside"))
	err := p.w.View(context.Background(), func(s *workspace.Snapshot) error {
		for _, path := range []string{"leak", "../secret", outside, "a/../../x"} {
			if _, err := s.Read(context.Background(), path); !errors.Is(err, workspace.ErrOutside) {
				t.Errorf("%s: %v", path, err)
			}
		}
		if _, err := s.Read(context.Background(), "a"); !errors.Is(err, workspace.ErrNotRegular) {
			t.Errorf("folder: %v", err)
		}
		if f, err := s.Read(context.Background(), "inside"); err != nil || !strings.HasPrefix(string(f.Data), "package a") {
			t.Errorf("link inside: %v", err)
		}
		if _, err := s.Read(context.Background(), "none"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("none: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestParseConfig(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"# nothing\n", ""},
		{"exclude: [a, b]\ninclude: x\nmax_file_size: 2MiB\nedits: off\n", ""},
		{"exclude: [a\n", "1"},
		{"exclude:\n  a: b\n", "2: exclude: want a list"},
		{"include: [1]\n", "1: include: want a list"},
		{"\n\nfoo: 1\n", `3: unknown key "foo"`},
		{"max_file_size: big\n", "1: max_file_size: want a number"},
		{"edits: maybe\n", "1: edits: want off, ask or host"},
		{"edits: ask\nedits: off\n", `2: key "edits" is there twice`},
		{"- a\n", "1: want keys"},
		{"languages: [nope]\n", "1: languages:"},
	} {
		_, err := workspace.ParseConfig([]byte(c.text), func(string) string { return "" })
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	c, err := workspace.ParseConfig([]byte("max_file_size: 2MiB\nedits: off\n"), nil)
	if err != nil || c.MaxFileSize != 2<<20 || c.Edits != "off" {
		t.Errorf("%+v, %v", c, err)
	}
}
