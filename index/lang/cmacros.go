package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// cUsual are parts of the names of macros that are defined more often than not.
var cUsual = []string{"__GNUC__", "__clang__", "__linux", "__unix", "__STDC", "_POSIX", "HAVE_", "__x86_64", "__cplusplus"}

// cCondition is conditional code with whole statements. Of two definitions of one thing, that
// under a macro which somebody would have to define for it is the less likely one.
func cCondition(b *Builder, n int32) bool {
	other := b.Field(n, "alternative")
	cond := b.Field(n, "condition")
	if cond < 0 {
		cond = b.Field(n, "name")
	}
	text := b.Text(cond)
	usual, asks := false, strings.Contains(text, "defined") && !strings.Contains(text, "!") || b.Is(n, "preproc_ifdef") && strings.HasPrefix(b.Text(n), "#ifdef")
	for _, u := range cUsual {
		usual = usual || strings.Contains(text, u)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		from := len(b.F.Symbols)
		if b.rule(c).Do == Comment {
			b.comment(c)
			continue
		}
		doc := b.doc
		b.Visit(c)
		if b.doc == doc {
			b.doc = docRun{}
		}
		if other < 0 || !asks || (c == other) != usual {
			continue
		}
		for i := from; i < len(b.F.Symbols); i++ {
			if s := &b.F.Symbols[i]; s.Kind == graph.Macro { // of functions, the other is often a stub
				s.Flags |= graph.Conditional
			}
		}
	}
	return true
}

// cFinish notes the macros that were blanked before the parse.
func cFinish(b *Builder) {
	whole, src := b.t.Whole, b.t.Src
	if len(whole) != len(src) {
		return
	}
	for i := range b.F.Symbols {
		cExtend(&b.F.Symbols[i], src, whole)
	}
	for i := 0; i < len(src); i++ {
		if src[i] != cGone || whole[i] == cGone || whole[i] <= ' ' {
			continue
		}
		from := i
		for i < len(src) && src[i] == cGone && whole[i] != '\n' {
			i++
		}
		cMacros(b, whole[from:i], uint32(from))
	}
}

// cMacros notes the names in text, a directive or names from a head, as uses of macros.
func cMacros(b *Builder, text []byte, at uint32) {
	toks := cScan(text)
	if len(toks) == 1 && toks[0].kind == '#' {
		i := 1
		for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
			i++
		}
		for i < len(text) && cLetter(text[i]) {
			i++
		}
		cMacros(b, text[i:], at+uint32(i))
		return
	}
	for _, t := range toks {
		word := string(text[t.from:t.to])
		if t.kind != 'i' || word == "defined" {
			continue
		}
		b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Read, Name: b.Str(word), Off: at + uint32(t.from), X: graph.None})
	}
}

// cExtend makes the macros that were blanked before a definition part of it.
func cExtend(s *graph.Symbol, src, whole []byte) {
	for i := int(s.Start) - 1; i >= 0 && src[i] <= ' ' && src[i] != cDead; i-- {
		switch {
		case whole[i] == '#':
			return
		case whole[i] > ' ':
			s.Start = uint32(i)
		}
	}
}
