// Package searchtest is the conformance suite of search.Index and the
// brute-force oracle that every indexed search must equal.
//
// It holds no data of its own: texts and patterns are drawn at random, from
// alphabets small enough that they meet. It is for tests alone.
package searchtest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/codegraph-dev/codegraph/search"
)

// Subject is an index under test.
type Subject interface {
	search.Index
	// Update makes the texts of put the texts of their documents, and removes
	// the documents of remove. Queries see it afterwards.
	Update(ctx context.Context, put map[search.DocID][]byte, remove []search.DocID) error
	// Reopen closes the index and opens what is durable of it.
	Reopen() error
	// Close ends the test of it.
	Close() error
}

// TestIndex runs the suite. open returns an empty index each time.
func TestIndex(t *testing.T, open func() (Subject, error)) {
	t.Run("random", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) { testRandom(rt, open) })
	})
	t.Run("empty", func(t *testing.T) {
		s := mustOpen(t, open)
		if c, err := s.Candidates(t.Context(), mustCompile(t, "abc").Query()); err != nil || c.All || len(c.Docs) > 0 {
			t.Errorf("an empty index proposes %+v, %v", c, err)
		}
	})
	t.Run("removed", func(t *testing.T) { testRemoved(t, mustOpen(t, open)) })
	t.Run("cancelled", func(t *testing.T) { testCancelled(t, mustOpen(t, open)) })
}

// fataler is what testing.T and rapid.T share.
type fataler interface {
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// mustOpen opens a subject for the length of a test.
func mustOpen(t fataler, open func() (Subject, error)) Subject {
	s, err := open()
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// mustCompile compiles a pattern that is known to be good.
func mustCompile(t fataler, pattern string) *search.Pattern {
	p, err := search.Compile(search.Options{Patterns: []string{pattern}})
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	return p
}

// testRandom changes an index at random and compares it with the oracle.
func testRandom(t *rapid.T, open func() (Subject, error)) {
	ctx := context.Background()
	s := mustOpen(t, open)
	docs := map[search.DocID][]byte{}
	for range rapid.IntRange(1, 6).Draw(t, "updates") {
		put := map[search.DocID][]byte{}
		for range rapid.IntRange(0, 8).Draw(t, "changed") {
			id := search.DocID(rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8, 70, 1000, 65536, 200000}).Draw(t, "id"))
			put[id] = DrawText(t)
		}
		var remove []search.DocID
		for id := range docs {
			if _, again := put[id]; !again && rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
				remove = append(remove, id)
			}
		}
		slices.Sort(remove)
		if err := s.Update(ctx, put, remove); err != nil {
			t.Fatalf("update: %v", err)
		}
		for id, text := range put {
			docs[id] = text
		}
		for _, id := range remove {
			delete(docs, id)
		}
		if rapid.IntRange(0, 3).Draw(t, "reopen") == 0 {
			if err := s.Reopen(); err != nil {
				t.Fatalf("reopen: %v", err)
			}
		}
		for range 4 {
			CheckQuery(t, s, docs, DrawOptions(t))
		}
	}
}

// CheckQuery compares an indexed search with brute force over docs.
func CheckQuery(t fataler, idx search.Index, docs map[search.DocID][]byte, opt search.Options) {
	p, err := search.Compile(opt)
	if err != nil {
		return // the pattern is no pattern
	}
	c, err := idx.Candidates(context.Background(), p.Query())
	if err != nil {
		t.Fatalf("candidates of %s: %v", p, err)
	}
	if !slices.IsSorted(c.Docs) {
		t.Fatalf("candidates of %s are not sorted: %v", p, c.Docs)
	}
	for _, id := range c.Docs {
		if _, ok := docs[id]; !ok {
			t.Fatalf("document %d is proposed for %s and does not exist", id, p)
		}
	}
	for _, id := range BruteForce(p, docs) {
		if _, ok := slices.BinarySearch(c.Docs, id); !ok && !c.All {
			t.Fatalf("document %d, %q, matches %s (%+v) and is not proposed; query %v", id, docs[id], p, opt, p.Query())
		}
	}
}

// BruteForce returns the documents that match, by searching all of them.
func BruteForce(p *search.Pattern, docs map[search.DocID][]byte) []search.DocID {
	var out []search.DocID
	for id, text := range docs {
		res, skip, err := search.SearchBytes(context.Background(), p, text, search.BufferOptions{Mode: search.Files})
		if err == nil && skip == nil && res.Matched() {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// testRemoved checks that a removed document, and the former text of a changed
// one, are not proposed for ever.
func testRemoved(t *testing.T, s Subject) {
	ctx := t.Context()
	for i := range 30 {
		put := map[search.DocID][]byte{7: fmt.Appendf(nil, "version%04d\n", i), 9: []byte("constant\n")}
		if err := s.Update(ctx, put, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Update(ctx, nil, []search.DocID{9}); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][]search.DocID{"version0029": {7}, "version0003": nil, "constant": nil} {
		c, err := s.Candidates(ctx, mustCompile(t, pattern).Query())
		if err != nil || c.All || !slices.Equal(c.Docs, want) {
			t.Errorf("candidates of %s: %+v, %v; want %v", pattern, c, err, want)
		}
	}
}

// testCancelled checks that a query that nobody waits for ends with the reason.
func testCancelled(t *testing.T, s Subject) {
	if err := s.Update(t.Context(), map[search.DocID][]byte{1: []byte("some text\n")}, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := s.Candidates(ctx, mustCompile(t, "some text").Query()); err == nil && len(c.Docs) != 1 {
		t.Errorf("a cancelled query answers %+v without an error", c)
	}
}
