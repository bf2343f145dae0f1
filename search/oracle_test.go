package search_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/wasilibs/go-re2"
	"pgregory.net/rapid"

	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/search/searchtest"
)

// finder is what the oracles have in common.
type finder interface{ FindAllIndex(b []byte, n int) [][]int }

// searchAll returns line:start-end of every match.
func searchAll(t *testing.T, p *search.Pattern, text []byte) string {
	res, skip, err := search.SearchBytes(t.Context(), p, text, search.BufferOptions{MaxSpans: 1 << 20})
	if err != nil || skip != nil {
		return "skipped"
	}
	var out strings.Builder
	for _, m := range res.Matches {
		for _, s := range m.Spans {
			fmt.Fprintf(&out, "%d:%d-%d ", m.Line, s.Start, s.End)
		}
	}
	return out.String()
}

// oracleAll does the same with a regular expression, line by line.
func oracleAll(re finder, text []byte) string {
	var out strings.Builder
	line := 0
	for l := range bytes.Lines(text) {
		line++
		for _, m := range re.FindAllIndex(bytes.TrimSuffix(l, []byte("\n")), -1) {
			fmt.Fprintf(&out, "%d:%d-%d ", line, m[0], m[1])
		}
	}
	return out.String()
}

// checkOracle compares the engine with Go's regexp and with RE2 on text that all
// of them understand alike: ASCII without carriage returns.
func checkOracle(t *testing.T, pattern string, text []byte) {
	for i, b := range text {
		if b >= 0x80 || b == '\r' || b == '\v' || b == 0 { // \s of RE2 lacks the vertical tab
			text[i] = ' '
		}
	}
	p, err := search.Compile(search.Options{Patterns: []string{pattern}})
	if err != nil {
		return
	}
	std, err := regexp.Compile(pattern)
	if err != nil {
		return // a Unicode class by another name, a larger repetition
	}
	got := searchAll(t, p, bytes.Clone(text))
	if want := oracleAll(std, text); got != want {
		t.Fatalf("%q in %q:\n  got %s\n regexp %s", pattern, text, got, want)
	}
	if re, err := re2.Compile(pattern); err == nil {
		if want := oracleAll(re, text); got != want {
			t.Fatalf("%q in %q:\n got %s\n RE2 %s", pattern, text, got, want)
		}
	}
}

func TestEngineEqualsOracles(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		checkOracle(t, searchtest.DrawPattern(rt), searchtest.DrawText(rt))
	})
}

func FuzzPattern(f *testing.F) {
	f.Add("a*?b|c", []byte("aab cab\nbc"))
	f.Add("(?i:e.x|ex)", []byte("EX e1x"))
	f.Add(`\bfoo\b|^$`, []byte("foo foo_\n\nfoo"))
	f.Add(`a|$\b`, []byte("xB"))
	f.Fuzz(func(t *testing.T, pattern string, text []byte) { checkOracle(t, pattern, text) })
}

// FuzzQuery looks for a text that matches a pattern whose query it does not
// fulfil.
func FuzzQuery(f *testing.F) {
	f.Add("(?i:e.x|ex)", []byte("EX e1x"), byte(0))
	f.Add("foo(bar|baz)+qu?x", []byte("foobarbazqx"), byte(3))
	f.Fuzz(func(t *testing.T, pattern string, text []byte, mode byte) {
		checkQuery(t, search.Options{Patterns: []string{pattern}, IgnoreCase: mode&1 != 0, Multiline: mode&2 != 0, Word: mode&4 != 0, WholeLine: mode&8 != 0}, text)
	})
}

// checkQuery checks that a text with a match fulfils the query.
func checkQuery(t *testing.T, opt search.Options, raw []byte) {
	p, err := search.Compile(opt)
	if err != nil {
		return
	}
	res, skip, err := search.SearchBytes(t.Context(), p, raw, search.BufferOptions{Mode: search.Files})
	if err != nil || skip != nil || !res.Matched() {
		return
	}
	data := search.Decode(raw).Data
	has := func(g search.Trigram) bool {
		return bytes.Contains(data, []byte{byte(g >> 16), byte(g >> 8), byte(g)})
	}
	if q := p.Query(); !q.Holds(has) {
		t.Fatalf("%q matches %+v and does not fulfil %v", data, opt, q)
	}
}

func TestQueryIsConservative(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { checkQuery(t, searchtest.DrawOptions(rt), searchtest.DrawText(rt)) })
}
