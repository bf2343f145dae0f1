package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func newLedger(t *testing.T, n int) *ledger {
	t.Helper()
	l := &ledger{dir: filepath.Join(t.TempDir(), evidenceName), wait: time.Minute, bytes: 2000, keep: 4}
	if err := l.make(); err != nil {
		t.Fatal(err)
	}
	for range n {
		l.add(t)
	}
	return l
}

func (l *ledger) add(t *testing.T) *Entry {
	t.Helper()
	e := &Entry{Tool: "grep", Time: time.Unix(1e9, 0).UTC(), Outcome: "done", Read: []Consulted{{Path: "a.go", Lines: "1-3"}}}
	if err := l.append(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return e
}

func (l *ledger) audit(t *testing.T) *Audit {
	t.Helper()
	a, err := l.verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &a.Audit
}

// copyOf is a copy of the ledger to damage.
func (l *ledger) copyOf(t *testing.T) *ledger {
	t.Helper()
	c := *l
	c.dir = filepath.Join(t.TempDir(), evidenceName)
	if err := os.CopyFS(c.dir, os.DirFS(l.dir)); err != nil {
		t.Fatal(err)
	}
	return &c
}

func (l *ledger) rewrite(t *testing.T, name string, change func([]byte) []byte) {
	t.Helper()
	p := filepath.Join(l.dir, name)
	b, err := os.ReadFile(p)
	if err == nil {
		err = os.WriteFile(p, change(b), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, l *ledger) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestRotation fills many segments: the newest stay, and the chain holds over all.
func TestRotation(t *testing.T) {
	l := newLedger(t, 100)
	a := l.audit(t)
	if !a.Sound || len(a.Notes) > 0 || a.Segments != l.keep || a.Last != 100 || a.First <= 1 || a.Entries != int(a.Last-a.First+1) {
		t.Errorf("%+v", a)
	}
}

// TestFlippedByte flips a bit of every third byte of a ledger of several segments; each flip is
// found.
func TestFlippedByte(t *testing.T) {
	l := newLedger(t, 9)
	for _, name := range names(t, l) {
		data, err := os.ReadFile(filepath.Join(l.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(data); i += 3 {
			l.rewrite(t, name, func(b []byte) []byte {
				b[i] ^= 1 << (i % 8)
				return b
			})
			if a := l.audit(t); a.Sound {
				t.Errorf("byte %d of %s, %q: not found", i, name, data[i])
			}
			l.rewrite(t, name, func([]byte) []byte { return data })
		}
	}
	if a := l.audit(t); !a.Sound {
		t.Errorf("%+v", a)
	}
}

// TestRemovedLine takes away each line, each segment and the head; a later entry hides none of
// it.
func TestRemovedLine(t *testing.T) {
	l := newLedger(t, 30)
	check := func(c *ledger, what string) {
		t.Helper()
		if a := c.audit(t); a.Sound {
			t.Errorf("%s: not found: %+v", what, a)
		}
		if what == headName {
			return // made again by the next entry, which says so
		}
		c.add(t)
		if a := c.audit(t); a.Sound {
			t.Errorf("%s, and one more entry: not found: %+v", what, a)
		}
	}
	for _, name := range names(t, l) {
		c := l.copyOf(t)
		if err := os.Remove(filepath.Join(c.dir, name)); err != nil {
			t.Fatal(err)
		}
		check(c, name)
		if name == headName {
			continue
		}
		data, _ := os.ReadFile(filepath.Join(l.dir, name))
		for i := range bytes.Count(data, []byte("\n")) {
			c := l.copyOf(t)
			c.rewrite(t, name, func(b []byte) []byte {
				lines := bytes.SplitAfter(b, []byte("\n"))
				return bytes.Join(slices.Delete(lines, i, i+1), nil)
			})
			check(c, fmt.Sprintf("line %d of %s", i, name))
		}
	}
	c := l.copyOf(t)
	if err := os.Remove(filepath.Join(c.dir, headName)); err != nil {
		t.Fatal(err)
	}
	if e := c.add(t); !strings.Contains(e.Repair, "head") || e.Seq != 31 {
		t.Errorf("after the head: %+v", e)
	}
}

// TestCutOff is every state in which kill -9 can leave an append: any part of the line is
// written and the head is the old one, also where a segment begins. The next entry mends it, the chain holds, and only
// what was never whole is lost.
func TestCutOff(t *testing.T) {
	for before := range 9 { // the seventh or so begins a segment
		l := newLedger(t, before)
		old := l.copyOf(t)
		l.add(t)
		segments, err := l.segments()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(l.path(segments[len(segments)-1]))
		now, _ := os.ReadFile(filepath.Join(l.dir, name))
		was, _ := os.ReadFile(filepath.Join(old.dir, name)) // none if the segment is new
		for n := len(was); n <= len(now); n = cutNext(n, len(was), len(now)) {
			c := old.copyOf(t)
			if err := os.WriteFile(filepath.Join(c.dir, name), now[:n], 0o600); err != nil {
				t.Fatal(err)
			}
			if a := c.audit(t); before > 0 && !a.Sound {
				t.Errorf("%d before, %d bytes: %+v", before, n-len(was), a)
			}
			e := c.add(t)
			want := uint64(before + 1)
			if n == len(now) {
				want++
			}
			if a := c.audit(t); !a.Sound || e.Seq != want || a.Last != want {
				t.Errorf("%d before, %d bytes: entry %d, want %d, %+v", before, n-len(was), e.Seq, want, a)
			}
		}
	}
}

// cutNext is the next length to cut at: all near the ends of the line, some between.
func cutNext(n, from, to int) int {
	if n < from+3 || n >= to-3 {
		return n + 1
	}
	return min(n+29, to-3)
}

// TestEvidenceAtOnce adds entries from several processes and goroutines at once.
func TestEvidenceAtOnce(t *testing.T) {
	const each = 200
	if dir := os.Getenv("LEDGER_DIR"); dir != "" {
		l := &ledger{dir: dir, wait: time.Minute, bytes: 20000, keep: 1000}
		for range each {
			l.add(t)
		}
		return
	}
	l := newLedger(t, 0)
	l.bytes, l.keep = 20000, 1000
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestEvidenceAtOnce$")
			cmd.Env = append(os.Environ(), "LEDGER_DIR="+l.dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		all.Go(func() {
			for range each {
				if err := l.append(context.Background(), &Entry{Tool: "open"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if a := l.audit(t); !a.Sound || a.Entries != 6*each || len(a.Notes) > 0 {
		t.Errorf("%+v", a)
	}
}

// TestRanges writes line ranges.
func TestRanges(t *testing.T) {
	for want, list := range map[string][]Shown{
		"":                      nil,
		"3":                     {{"", 3, 0}},
		"1-4,9":                 {{"", 9, 9}, {"", 3, 4}, {"", 1, 2}},
		"2-7":                   {{"", 2, 7}, {"", 3, 4}},
		"1,3,5,7,9,11,13,15-19": {{"", 1, 1}, {"", 3, 3}, {"", 5, 5}, {"", 7, 7}, {"", 9, 9}, {"", 11, 11}, {"", 13, 13}, {"", 15, 15}, {"", 17, 17}, {"", 19, 19}},
	} {
		if got := Ranges(list); got != want {
			t.Errorf("%v: got %q, want %q", list, got, want)
		}
	}
}
