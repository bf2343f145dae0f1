package index_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
	"github.com/codegraph-dev/codegraph/index"
)

var (
	seeds = flag.Int("seeds", 6, "how many random sequences of changes")
	seed  = flag.Uint64("seed", 1, "the first seed")
	steps = flag.Int("steps", 25, "how many changes a sequence has")
)

// tree is a workspace in memory: bytes by path.
type tree map[string]string

// engine is an engine over a tree.
func engine(t tree, s graph.Store) *index.Engine {
	return &index.Engine{Store: s, Workers: 2, Read: func(_ context.Context, path string, _ []byte) ([]byte, error) {
		text, ok := t[path]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return []byte(text), nil
	}}
}

func update(t *testing.T, e *index.Engine, c index.Change) *index.Report {
	t.Helper()
	r, err := e.Update(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func dump(t *testing.T, s graph.Store) string {
	t.Helper()
	var b bytes.Buffer
	err := s.View(context.Background(), func(r graph.Reader) error { return graph.Dump(context.Background(), r, &b) })
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fresh is the dump of an index made from nothing.
func fresh(t *testing.T, files tree) string {
	t.Helper()
	s := graphtest.NewMemory()
	update(t, engine(files, s), index.Change{Put: slices.Collect(maps.Keys(files))})
	return dump(t, s)
}

// fixtures reads the fixture repositories.
func fixtures(t *testing.T) tree {
	t.Helper()
	root := filepath.Join("..", "testdata", "fixtures")
	files := tree{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestIncrementalEqualsFresh changes files at random, updates the index after each change
// and compares its dump with that of an index made from nothing: law 5.
func TestIncrementalEqualsFresh(t *testing.T) {
	start := fixtures(t)
	for i := range *seeds {
		n := *seed + uint64(i)
		t.Run(fmt.Sprintf("seed=%d", n), func(t *testing.T) {
			t.Parallel()
			s := drafter(t)
			m := &mutator{rnd: rand.New(rand.NewPCG(n, 5)), files: maps.Clone(start)}
			e := engine(m.files, s)
			update(t, e, index.Change{Put: slices.Collect(maps.Keys(m.files))})
			for step := range *steps {
				before := maps.Clone(m.files)
				what := m.change()
				r := update(t, e, difference(before, m.files))
				got, want := dump(t, s), fresh(t, m.files)
				if got != want {
					t.Fatalf("step %d, %s: %d changed, %d relinked; the index differs from a fresh one:\n%s", step, what, r.Changed, r.Relinked, firstDifference(got, want))
				}
			}
		})
	}
}

// difference is the change from one tree to another.
func difference(a, b tree) (c index.Change) {
	for p, text := range b {
		if old, ok := a[p]; !ok || old != text {
			c.Put = append(c.Put, p)
		}
	}
	for p := range a {
		if _, ok := b[p]; !ok {
			c.Delete = append(c.Delete, p)
		}
	}
	return c
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; i < len(g) || i < len(w); i++ {
		x, y := "(end)", "(end)"
		if i < len(g) {
			x = g[i]
		}
		if i < len(w) {
			y = w[i]
		}
		if x != y {
			in := ""
			for k := min(i, len(g)-1); k >= 0 && in == ""; k-- {
				if !strings.HasPrefix(g[k], " ") {
					in = g[k]
				}
			}
			return fmt.Sprintf("line %d, in %s\n got %s\nwant %s", i+1, in, x, y)
		}
	}
	return "none"
}

// mutator changes a tree at random.
type mutator struct {
	rnd   *rand.Rand
	files tree
	past  []tree
}

// change makes one change, in one to three files, and says what it did.
func (m *mutator) change() string {
	m.past = append(m.past, maps.Clone(m.files))
	var did []string
	for range 1 + m.rnd.IntN(3) {
		p := m.pick()
		if p == "" {
			return m.revert()
		}
		switch m.rnd.IntN(12) {
		case 0:
			delete(m.files, p)
			did = append(did, "delete "+p)
		case 1:
			to := m.newName(p)
			m.files[to] = m.files[p]
			delete(m.files, p)
			did = append(did, "rename "+p+" to "+to)
		case 2:
			to := m.newName(p)
			m.files[to] = m.files[p]
			did = append(did, "copy "+p+" to "+to)
		case 3:
			q := m.pick()
			m.files[p], m.files[q] = m.files[q], m.files[p]
			did = append(did, "swap "+p+" and "+q)
		case 4:
			did = append(did, m.revert())
		case 5, 6, 7:
			did = append(did, m.renameWord(p))
		default:
			did = append(did, m.editLines(p))
		}
	}
	return strings.Join(did, ", ")
}

func (m *mutator) pick() string {
	paths := slices.Sorted(maps.Keys(m.files))
	if len(paths) == 0 {
		return ""
	}
	return paths[m.rnd.IntN(len(paths))]
}

// newName is another path with the same extension: beside the file, or where another one is.
func (m *mutator) newName(p string) string {
	dir := path.Dir(p)
	if m.rnd.IntN(2) == 0 {
		dir = path.Dir(m.pick())
	}
	base := path.Base(p)
	if m.rnd.IntN(2) == 0 {
		base = fmt.Sprintf("n%d%s", m.rnd.IntN(5), path.Ext(p))
	}
	return path.Join(dir, base)
}

// revert brings back an earlier state of everything.
func (m *mutator) revert() string {
	at := m.rnd.IntN(len(m.past))
	clear(m.files)
	maps.Copy(m.files, m.past[at])
	return fmt.Sprintf("revert to %d", at)
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// renameWord gives a word of a file the spelling of another word of some file, once or
// everywhere in the file.
func (m *mutator) renameWord(p string) string {
	text := m.files[p]
	from := word.FindAllStringIndex(text, -1)
	to := word.FindAllString(m.files[m.pick()], -1)
	if len(from) == 0 || len(to) == 0 {
		return "nothing"
	}
	at := from[m.rnd.IntN(len(from))]
	old, by := text[at[0]:at[1]], to[m.rnd.IntN(len(to))]
	if m.rnd.IntN(2) == 0 {
		m.files[p] = text[:at[0]] + by + text[at[1]:]
	} else {
		m.files[p] = regexp.MustCompile(`\b`+old+`\b`).ReplaceAllLiteralString(text, by)
	}
	return "rename " + old + " to " + by + " in " + p
}

// editLines deletes, doubles or exchanges lines, or adds one of another file.
func (m *mutator) editLines(p string) string {
	lines := strings.SplitAfter(m.files[p], "\n")
	i, j := m.rnd.IntN(len(lines)), m.rnd.IntN(len(lines))
	what := ""
	switch m.rnd.IntN(4) {
	case 0:
		lines = slices.Delete(lines, min(i, j), max(i, j)/2+min(i, j)/2+1)
		what = "delete lines of "
	case 1:
		lines = slices.Insert(lines, i, lines[j])
		what = "double a line of "
	case 2:
		lines[i], lines[j] = lines[j], lines[i]
		what = "exchange lines of "
	default:
		other := strings.SplitAfter(m.files[m.pick()], "\n")
		lines = slices.Insert(lines, i, other[m.rnd.IntN(len(other))])
		what = "add a line to "
	}
	m.files[p] = strings.Join(lines, "")
	return what + p
}

// TestUpdateInProportion checks that an edit which changes no name's meaning touches its own
// file only.
func TestUpdateInProportion(t *testing.T) {
	files := fixtures(t)
	s := graphtest.NewMemory()
	e := engine(files, s)
	update(t, e, index.Change{Put: slices.Collect(maps.Keys(files))})
	p := "go/store/store.go"
	files[p] = "// Moved down.\n\n" + files[p]
	if r := update(t, e, index.Change{Put: []string{p}}); r.Changed != 1 || r.Relinked != 0 {
		t.Errorf("moved text: %d changed, %d relinked", r.Changed, r.Relinked)
	}
	if r := update(t, e, index.Change{Put: []string{p}}); r.Changed != 0 || r.Generation != 2 {
		t.Errorf("nothing changed: %d changed, generation %d", r.Changed, r.Generation)
	}
	files[p] = strings.ReplaceAll(files[p], "ErrMissing", "ErrAbsent")
	if r := update(t, e, index.Change{Put: []string{p}}); r.Changed != 1 || r.Relinked == 0 || r.Relinked > 4 {
		t.Errorf("renamed variable: %d changed, %d relinked", r.Changed, r.Relinked)
	}
}

// TestCancelledUpdate checks that an update which is cancelled at any file leaves the store
// as it was.
func TestCancelledUpdate(t *testing.T) {
	files := fixtures(t)
	s := graphtest.NewMemory()
	update(t, engine(files, s), index.Change{Put: slices.Collect(maps.Keys(files))})
	want := dump(t, s)
	paths := slices.Sorted(maps.Keys(files))
	for _, p := range paths {
		files[p] += "\n"
	}
	for stop := range len(paths) {
		ctx, cancel := context.WithCancel(context.Background())
		e := engine(files, s)
		read := e.Read
		var mu sync.Mutex
		n := 0
		e.Read = func(ctx context.Context, path string, buf []byte) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			if n++; n > stop {
				cancel()
			}
			return read(ctx, path, buf)
		}
		if _, err := e.Update(ctx, index.Change{Put: paths}); err == nil {
			t.Fatal("a cancelled update succeeded")
		}
		cancel()
	}
	if got := dump(t, s); got != want {
		t.Error("the store changed:\n" + firstDifference(got, want))
	}
}
