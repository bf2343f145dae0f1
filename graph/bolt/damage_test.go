package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
)

const damageFiles = 60

// undamaged is a store's bytes, with the history of some batches behind them, and all that
// it answers and did answer before its last batch.
func undamaged(t testing.TB) (data []byte, answers, before string) {
	path := filepath.Join(t.TempDir(), "graph.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := graphtest.NewWorld(s, damageFiles, graphtest.Small)
	for seed := range uint64(4) {
		c := graphtest.Change{}
		for i := range w.Paths {
			if seed == 0 || i%5 == int(seed) {
				c[i] = uint64(i)*7 + seed
			}
		}
		if before, err = w.Describe(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	if answers, err = w.Describe(); err == nil {
		err = s.Close()
	}
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data, answers, before
}

// answersOf is what the store in data answers, from its own process's point of view a
// store like any other; it puts a file as well if write is set.
func answersOf(t testing.TB, data []byte, write bool) (string, error) {
	path := filepath.Join(t.TempDir(), "graph.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }()
	w := graphtest.NewWorld(s, damageFiles, graphtest.Small)
	if write {
		if _, err := w.Apply(graphtest.Change{1: 77, 2: 0}); err != nil {
			return "", err
		}
		if _, err := w.Apply(graphtest.Change{1: 8, 2: 14}); err != nil { // as it was
			return "", err
		}
	}
	return w.Describe()
}

// usedBytes is how much of a store's file has ever been written; what follows is room.
func usedBytes(t testing.TB, data []byte) int {
	path := filepath.Join(t.TempDir(), "graph.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	tx, err := s.db.Begin(false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	return int(tx.Size())
}

// TestFlippedBits: whatever bit of the file is wrong, the store answers as before (the bit
// was in a page not in use), says that it is corrupt, or, where the newest meta page is
// hit, answers as before the last batch: that is how a torn write looks.
func TestFlippedBits(t *testing.T) {
	data, want, before := undamaged(t)
	rounds := 250
	if testing.Short() {
		rounds = 60
	}
	used := usedBytes(t, data)
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for i := range rounds {
		at, bit := r.IntN(used), byte(1)<<r.IntN(8)
		if i%3 == 0 { // the heads of pages are where bbolt is hurt
			at = at&^4095 + r.IntN(200)
		}
		bad := bytes.Clone(data)
		bad[at] ^= bit
		got, err := answersOf(t, bad, i%4 == 1)
		switch {
		case errors.Is(err, graph.ErrCorrupt), errors.Is(err, graph.ErrVersion):
			found++
		case err != nil:
			t.Errorf("byte %d bit %x: %v", at, bit, err)
		case i%4 != 1 && got != want && (at >= 8192 || got != before):
			t.Errorf("byte %d bit %x: the answers are others", at, bit)
		}
	}
	t.Logf("%d of %d flips were noticed, the others did not matter", found, rounds)
}

// TestMisledPages has each place of each branch page lead where another one does: the pages that are
// found are whole, but not the ones that were looked for. No question takes them for right then, and
// no change goes in circles.
func TestMisledPages(t *testing.T) {
	const branch, head, elem = 1, 16, 16 // bbolt: flags of a page, sizes of its head and of an element
	data, want, _ := undamaged(t)
	le := binary.LittleEndian
	misled := 0
	for page := 2 * 4096; page < usedBytes(t, data); page += 4096 {
		if le.Uint16(data[page+8:]) != branch {
			continue
		}
		n := int(le.Uint16(data[page+10:]))
		for i := range n {
			for _, j := range []int{i - 1, i + 1} {
				if j < 0 || j >= n {
					continue
				}
				misled++
				bad := bytes.Clone(data)
				copy(bad[page+head+i*elem+8:][:8], data[page+head+j*elem+8:])
				for _, write := range []bool{false, true} {
					got, err := answersOf(t, bad, write)
					if !errors.Is(err, graph.ErrCorrupt) && (err != nil || !write && got != want) {
						t.Errorf("page %d leads from %d to %d, write %v: %v", page/4096, i, j, write, err)
					}
				}
			}
		}
	}
	if misled == 0 {
		t.Error("the store has no branch pages")
	}
}

// TestTruncated: a file that was cut short is corrupt, not a fault.
func TestTruncated(t *testing.T) {
	data, want, _ := undamaged(t)
	for n := 0; n < len(data); n += 1 + len(data)/37 {
		got, err := answersOf(t, data[:n], false)
		if n == 0 {
			continue // a new store
		}
		if !errors.Is(err, graph.ErrCorrupt) && (err != nil || got != want) {
			t.Errorf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// TestCutUnderneath: a file that is cut short while it is open is corrupt, not a fault.
func TestCutUnderneath(t *testing.T) {
	data, _, _ := undamaged(t)
	path := filepath.Join(t.TempDir(), "graph.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 8192); err != nil {
		t.Fatal(err)
	}
	w := graphtest.NewWorld(s, damageFiles, graphtest.Small)
	if _, err := w.Describe(); !errors.Is(err, graph.ErrCorrupt) {
		t.Errorf("View: %v", err)
	}
	if _, err := s.Apply(context.Background(), &graph.Batch{Meta: map[string][]byte{"a": {1}}}); !errors.Is(err, graph.ErrCorrupt) {
		t.Errorf("Apply: %v", err)
	}
	if _, err := w.Describe(); !errors.Is(err, graph.ErrCorrupt) {
		t.Errorf("View after Apply: %v", err)
	}
	if err := s.Close(); err != nil && !errors.Is(err, graph.ErrCorrupt) {
		t.Errorf("Close: %v", err)
	}
	again, err := Open(filepath.Join(filepath.Dir(path), "new.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.db")
	if _, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("read-only open of no file: %v", err)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{}, {ReadOnly: true}, {Timeout: 120 * time.Millisecond}} {
		start := time.Now()
		if _, err := Open(path, opt); !errors.Is(err, graph.ErrLocked) {
			t.Errorf("open while open: %v", err)
		}
		if took := time.Since(start); took < opt.Timeout/2 || took > opt.Timeout+10*time.Second {
			t.Errorf("waited %v, not %v", took, opt.Timeout)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	one, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	two, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, graph.ErrLocked) {
		t.Errorf("open for writing while open for reading: %v", err)
	}
	if _, err := one.Apply(context.Background(), &graph.Batch{}); err == nil {
		t.Error("applied a batch to a store opened for reading")
	}
	if _, err := graphtest.NewWorld(one, 2, graphtest.Small).Describe(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(one.Close(), two.Close(), two.Close()); err != nil {
		t.Error(err)
	}
}

func TestVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := s.db.Begin(true)
	if err == nil {
		err = errors.Join(tx.Bucket(bucketMeta).Put(keyFormat, []byte("codegraph graph 0 little 00")), tx.Commit(), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, graph.ErrVersion) {
		t.Errorf("open of another format: %v", err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("not a database. "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, graph.ErrCorrupt) {
		t.Errorf("open of something else: %v", err)
	}
}

// TestReopen: what was applied is there when the store is opened again, ids included.
func TestReopen(t *testing.T) {
	data, want, _ := undamaged(t)
	for range 2 {
		got, err := answersOf(t, data, false)
		if err != nil || got != want {
			t.Fatalf("after opening again the answers are others (%v)", err)
		}
	}
}

// TestKilled: a process that dies while it writes leaves a store of some generation whole.
func TestKilled(t *testing.T) {
	if path := os.Getenv("GRAPH_BOLT_KILLED"); path != "" {
		writeForEver(t, path)
	}
	path := filepath.Join(t.TempDir(), "graph.db")
	for round := range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "GRAPH_BOLT_KILLED="+path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(150+37*round) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		s, err := Open(path, Options{Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		w := graphtest.NewWorld(s, 40, graphtest.Small)
		var seed [][]byte
		err = s.View(context.Background(), func(r graph.Reader) (err error) { seed, err = r.Meta("a"); return err })
		if err != nil {
			t.Fatal(err)
		}
		m := graphtest.NewWorld(graphtest.NewMemory(), 40, graphtest.Small)
		if seed[0] != nil {
			putAll(t, m, binary.BigEndian.Uint64(seed[0]))
		}
		got, err := w.Describe()
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := m.Describe(); got != want {
			t.Errorf("round %d: the store is not the generation that it says it is (%x)", round, seed[0])
		}
		_ = s.Close()
	}
}

// putAll puts every file of w as the seed has it, and the seed.
func putAll(t testing.TB, w *graphtest.World, seed uint64) {
	c := graphtest.Change{}
	for i := range w.Paths {
		c[i] = seed
	}
	b, err := w.Batch(c)
	if err == nil {
		b.Meta = map[string][]byte{"a": binary.BigEndian.AppendUint64(nil, seed)}
		_, err = w.Store.Apply(context.Background(), b)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func writeForEver(t testing.TB, path string) {
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := graphtest.NewWorld(s, 40, graphtest.Small)
	for seed := uint64(1); ; seed++ {
		putAll(t, w, seed)
	}
}
