package search

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// lateSource closes late when so many files have been opened.
type lateSource struct {
	memSource
	after  int64
	opened atomic.Int64
	once   sync.Once
	late   chan struct{}
}

func (s *lateSource) Open(ctx context.Context, path string, buf []byte) ([]byte, FileMeta, error) {
	if s.opened.Add(1) > s.after {
		s.once.Do(func() { close(s.late) })
	}
	return s.memSource.Open(ctx, path, buf)
}

// TestLate ends searches at all numbers of files: what is found is what a search of the files in
// front of the end finds, at least one is searched, and going on there finds the rest.
func TestLate(t *testing.T) {
	src, paths := memSource{}, []string{}
	for i := range 60 {
		p := fmt.Sprintf("f%02d", i)
		src[p], paths = strings.Repeat("key\nno\n", i%4), append(paths, p)
	}
	p := mustCompile(t, "key")
	for after := range int64(70) {
		lines, rest, calls := 0, paths, 0
		for len(rest) > 0 {
			s := &lateSource{memSource: src, after: after, late: make(chan struct{})}
			res, err := (&Searcher{Source: s, Workers: 1 + int(after%3)}).Search(t.Context(), p, targetsOf(rest...), SearchOptions{Late: s.late})
			if err != nil || res.Front < 1 || res.Complete != (res.Front == len(rest)) {
				t.Fatalf("after %d: %d of %d targets, complete %v: %v", after, res.Front, len(rest), res.Complete, err)
			}
			alone, err := (&Searcher{Source: src}).Search(t.Context(), p, targetsOf(rest[:res.Front]...), SearchOptions{})
			if err != nil || alone.Lines != res.Lines || len(alone.Files) != len(res.Files) {
				t.Fatalf("after %d: %d lines in front, want %d: %v", after, res.Lines, alone.Lines, err)
			}
			lines, rest, calls = lines+res.Lines, rest[res.Front:], calls+1
		}
		if want := 6 * 15; lines != want {
			t.Errorf("after %d: %d lines in %d calls, want %d", after, lines, calls, want)
		}
		if after == 0 && calls < 10 {
			t.Errorf("a search that is late at once took %d calls for %d files", calls, len(paths))
		}
	}
}

// TestLateInFile ends a search in the middle of its second file, which is large.
func TestLateInFile(t *testing.T) {
	src := memSource{"a": "key\n", "b": strings.Repeat(strings.Repeat("z", 200)+"\n", 1<<18)}
	s := &lateSource{memSource: src, after: 1, late: make(chan struct{})}
	res, err := (&Searcher{Source: s, Workers: 1}).Search(t.Context(), mustCompile(t, `[a-z]+[0-9]{20}|[x-z]+[^z]`), targetsOf("a", "b"), SearchOptions{Late: s.late})
	if err != nil || res.Front != 1 || res.Complete || len(res.Skipped) > 0 {
		t.Errorf("%+v, %v", res, err)
	}
}
