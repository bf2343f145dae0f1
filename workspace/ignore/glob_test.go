package ignore

import (
	"strings"
	"testing"
	"time"
)

// refMatch says by definition what glob.match finds by search.
func refMatch(g *glob, t int, text string, memo map[[2]int]bool) bool {
	key := [2]int{t, len(text)}
	if v, ok := memo[key]; ok {
		return v
	}
	v := false
	switch {
	case t == len(g.toks):
		v = text == ""
	case g.toks[t].kind == tokStar:
		for i := 0; !v && i <= len(text) && (i == 0 || text[i-1] != '/'); i++ {
			v = refMatch(g, t+1, text[i:], memo)
		}
	case g.toks[t].kind == tokDeep:
		for i := 0; !v && i <= len(text); i++ {
			v = refMatch(g, t+1, text[i:], memo)
		}
	case g.toks[t].kind == tokFolders:
		v = refMatch(g, t+1, text, memo)
		for i := 0; !v && i < len(text); i++ {
			v = text[i] == '/' && refMatch(g, t+1, text[i+1:], memo)
		}
	default:
		v = text != "" && g.one(&g.toks[t], text[0]) && refMatch(g, t+1, text[1:], memo)
	}
	memo[key] = v
	return v
}

func FuzzGlob(f *testing.F) {
	for _, s := range [][2]string{
		{"*a*b", "xaab"}, {"**/a/**/b", "a/x/a/b"}, {"a**/b*/**", "ac/bd/e"}, {"[a-c]*[!d]", "abe"}, {"**/*a/?*/**/b", "a/ca/d/e/b"},
		{`\*[\]]*`, "*]x"}, {"[[:alpha:]-z]**", "-/"}, {"***/x", "x"}, {`**\/x`, "/x"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pat, text string) {
		if len(pat) > 100 || len(text) > 200 {
			return
		}
		for _, path := range []bool{false, true} {
			for _, fold := range []bool{false, true} {
				g := compileGlob(pat, path, fold)
				if got, want := g.match(text), refMatch(&g, 0, text, map[[2]int]bool{}); got != want {
					t.Errorf("%q on %q (path %v): got %v, want %v", pat, text, path, got, want)
				}
			}
		}
	})
}

// FuzzPatterns parses whole ignore files and holds the look-up by name and ending against trying each pattern.
func FuzzPatterns(f *testing.F) {
	f.Add([]byte("a\n*.o\n!b.o\n/x/\n\\#\n#c\r\n[a-\n"), "x/b.o", true)
	f.Add([]byte(strings.Repeat("*.o\n!keep.o\nfoo/\nbar\n**/z\n", 3)), "q/keep.o", false)
	f.Fuzz(func(t *testing.T, data []byte, path string, isDir bool) {
		l := &list{data: data}
		at := strings.LastIndexByte(path, '/') + 1
		got := l.last(path, at, isDir)
		var want *pattern
		for i := range l.pats {
			if l.pats[i].match(path, path[at:], isDir, false) {
				want = &l.pats[i]
			}
		}
		if got != want {
			t.Errorf("%q on %q: got %v, want %v", data, path, got, want)
		}
	})
}

// TestMatchIsNotSlow gives the matcher what makes simple ones take for ever.
func TestMatchIsNotSlow(t *testing.T) {
	for _, pat := range []string{strings.Repeat("*a", 50) + "b", strings.Repeat("**/", 50) + "b", strings.Repeat("**/*a*/", 30) + "b"} {
		start := time.Now()
		g := compileGlob(pat, true, false)
		if g.match(strings.Repeat("aaa/", 1000)) {
			t.Errorf("%s matched", pat)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%s took %v", pat, d)
		}
	}
}

func TestParseConfigStops(t *testing.T) {
	got := ""
	parseConfig("[a \"b\\\"C\"]\r\nx = 1 ; c\r\ny\n[d.E] z=\" # \"q\\t\\\n r\nbad line\nw=1", func(k, v string) { got += k + "=" + v + "|" })
	if want := "a.b\"C.x=1|a.b\"C.y=true|d.e.z= # q\t r|"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
