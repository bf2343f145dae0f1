package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// enginePatterns exercise every instruction, with and without prefilters.
var enginePatterns = []string{
	"a", "ab|ba", "a*", "(a|b)*c", `\w+`, `\bk`, `k\b`, `\B.\B`, "(?i)k", "(?i)ks", "(?i)σ+", "[^a]", ".", "é|e", "日.", `\W\w`, "^a", "a$", "^$", "a?b?c?", "(?i)straße", `\s`, "[a-z]+[0-9]", "a{2,3}?", "(aa|a)(b|ab)", "x*y|z", `$\b`, `^\b`, `\b$`, `(?:$|a)\B`,
}

// randomText draws bytes that make words, case and UTF-8 meet.
func randomText(r *rand.Rand, n int) []byte {
	parts := []string{"a", "b", "c", "k", "K", "\u212A", "s", "ſ", "ß", "é", "\xff", "\xc3", "日", "σ", "Σ", " ", "_", "0", "x", "y", "z", "\n", "\r\n", "aab"}
	var b strings.Builder
	for range n {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return []byte(b.String())
}

// The automaton, the thread simulation and the prefilter must agree on any
// bytes.
func TestEnginesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, pattern := range enginePatterns {
		for _, opt := range []Options{{}, {Word: true}, {WholeLine: true}, {IgnoreCase: true}, {Multiline: true}, {CRLF: true}} {
			opt.Patterns = []string{pattern}
			p, err := Compile(opt)
			if err != nil {
				t.Fatal(err)
			}
			for range 30 {
				checkEngines(t, p, randomText(r, 30))
			}
		}
	}
}

// checkEngines compares the ways to search one text.
func checkEngines(t *testing.T, p *Pattern, text []byte) {
	t.Helper()
	walk := func(simulate, prefilter bool) string {
		q := *p.shallow()
		if !prefilter {
			q.pf = nil
		}
		m := newMatcher(&q)
		m.fwd.off = simulate
		var c collector
		res := FileResult{}
		c = collector{m: m, data: text, opt: BufferOptions{}, res: &res, line: 1}
		if q.multi {
			c.multiline()
		} else {
			c.lines()
		}
		return fmt.Sprintf("%+v", res.Matches)
	}
	want := walk(true, false)
	for i, got := range []string{walk(false, false), walk(false, true), walk(true, true)} {
		if got != want {
			t.Fatalf("%s %+v in %q, way %d:\n got %s\nwant %s", p, p.opt, text, i, got, want)
		}
	}
}

// shallow copies a pattern without its pool.
func (p *Pattern) shallow() *Pattern {
	return &Pattern{opt: p.opt, tree: p.tree, fwd: p.fwd, rev: p.rev, pf: p.pf, multi: p.multi, query: p.query}
}

// A pattern whose automaton explodes must still end, with the same answer.
func TestExplodingAutomaton(t *testing.T) {
	p, err := Compile(Options{Patterns: []string{`[01]*1[01]{14}[x-z]`}})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	text := make([]byte, 400_000)
	for i := range text {
		text[i] = "01"[r.IntN(2)]
		if i%200 == 199 {
			text[i] = '\n'
		}
	}
	copy(text[300_000:], "1111111111111111111x")
	res, _, err := SearchBytes(t.Context(), p, text, BufferOptions{})
	if err != nil || res.Lines != 1 {
		t.Fatalf("%d lines, %v; want 1", res.Lines, err)
	}
}

// Every code point that folds with others is closed over by fold.
func TestFoldIsComplete(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.SimpleFold(r) == r {
			continue
		}
		s := runeSet{{r, r}}.fold()
		for _, f := range orbit(r) {
			if !s.has(f) {
				t.Fatalf("the fold of %U lacks %U", r, f)
			}
		}
	}
}

// The sets behind \w, \d and \s are closed under folding, which lets the parser
// leave them alone when case is ignored.
func TestPerlClassesAreClosed(t *testing.T) {
	for _, c := range []byte("dswDSW") {
		s, _ := perlClass(c)
		if !s.fold().equal(s) {
			t.Errorf(`\%c is not closed under folding`, c)
		}
	}
}
