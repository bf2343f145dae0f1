package readtools

import (
	"path"
	"strings"
	"unicode"
)

// pathScorer tells how well paths fit a query of words, each a part of a path. Every word has
// to fit somewhere; how it fits decides, best first: the whole base name, the name without its
// extension, a prefix of the name, humps and beginnings of its words, a part of the name,
// the same in a folder of the path, letters in order within the name. Short paths come first
// among equals.
type pathScorer struct {
	words []string // in lower case
	whole string
}

func newPathScorer(query string) *pathScorer {
	q := strings.ToLower(strings.TrimSpace(query))
	sc := &pathScorer{whole: strings.TrimPrefix(q, "./")}
	sc.words = strings.FieldsFunc(q, func(r rune) bool { return unicode.IsSpace(r) })
	return sc
}

// The scores of the ways to fit. A way in a folder counts less.
const (
	scoreWhole  = 100.0
	scoreStem   = 90.0
	scorePrefix = 70.0
	scoreHumps  = 60.0
	scoreWord   = 55.0
	scorePart   = 45.0
	scoreOrder  = 15.0
	scorePath   = 120.0 // the query is the whole path
	scoreTail   = 110.0 // or its last parts

	folderShare = 0.6
)

// score is 0 for a path that does not fit.
func (sc *pathScorer) score(p string) float64 {
	if len(sc.words) == 0 {
		return 0
	}
	low := strings.ToLower(p)
	shorter := 1 / (1 + float64(len(p))/1000)
	switch {
	case low == sc.whole:
		return scorePath * shorter
	case strings.Contains(sc.whole, "/") && strings.HasSuffix(low, "/"+sc.whole):
		return scoreTail * shorter
	}
	base := path.Base(p)
	sum := 0.0
	for _, w := range sc.words {
		s := scoreParts(w, p, low, base)
		if s == 0 {
			return 0
		}
		sum += s
	}
	return sum / float64(len(sc.words)) * shorter
}

// scoreParts is how a word fits: in the base name, in a folder, or over several parts.
func scoreParts(w, p, low, base string) float64 {
	if strings.Contains(w, "/") {
		if i := strings.Index(low, w); i >= 0 {
			if i == 0 || low[i-1] == '/' {
				return scorePrefix
			}
			return scorePart
		}
		return scoreSegments(w, p)
	}
	best := scoreName(w, base)
	if best >= scorePart {
		return best
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		best = max(best, scoreName(w, path.Base(dir))*folderShare)
	}
	return best
}

// scoreSegments fits a/b/c to parts of a path in order, each to one.
func scoreSegments(w, p string) float64 {
	parts := strings.Split(p, "/")
	sum, n := 0.0, 0
	for seg := range strings.SplitSeq(w, "/") {
		if seg == "" {
			continue
		}
		s := 0.0
		for s == 0 && len(parts) > 0 {
			s = scoreName(seg, parts[0])
			parts = parts[1:]
		}
		if s == 0 {
			return 0
		}
		sum, n = sum+s, n+1
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n) / 2
}

// scoreName is how a word in lower case fits one part of a path.
func scoreName(w, name string) float64 {
	low := strings.ToLower(name)
	stem := strings.TrimSuffix(low, path.Ext(low))
	fill := float64(len(w)) / float64(max(1, len(low)))
	switch i := strings.Index(low, w); {
	case low == w:
		return scoreWhole
	case stem == w:
		return scoreStem
	case i == 0:
		return scorePrefix + 10*fill
	case i != 0 && w != "" && low != "" && w[0] == low[0] && inOrder(w, low) && humps(w, name):
		return scoreHumps + 5*fill
	case i > 0 && !alnum(low[i-1]):
		return scoreWord + 5*fill
	case i > 0:
		return scorePart + 5*fill
	case len(w) >= 3 && inOrder(w, low):
		return scoreOrder * (0.5 + fill/2)
	}
	return 0
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// inOrder reports whether the letters of w occur in s in their order.
func inOrder(w, s string) bool {
	for _, r := range w {
		i := strings.IndexRune(s, r)
		if i < 0 {
			return false
		}
		s = s[i+len(string(r)):]
	}
	return true
}

// humps reports whether w is made of beginnings of words of the name, in order and from the
// first on: fb, fooba and fba for FooBar, foo_bar and foo-bar.
func humps(w, name string) bool {
	words := splitWords(name)
	return len(words) > 1 && fitHumps([]rune(w), words, 0)
}

func fitHumps(w []rune, words []string, tries int) bool {
	if len(w) == 0 {
		return true
	}
	if len(words) == 0 || tries > 20 {
		return false
	}
	first := []rune(words[0])
	for n := min(len(w), len(first)); n > 0; n-- {
		if string(w[:n]) == string(first[:n]) && fitHumps(w[n:], words[1:], tries+1) {
			return true
		}
	}
	return false
}

// splitWords are the words of a name in lower case: parted where a sign stands, where an
// upper-case letter follows a lower-case one or begins a word after others, and around digits.
func splitWords(name string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.ToLower(string(cur)))
			cur = cur[:0]
		}
	}
	rs := []rune(name)
	for i, r := range rs {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(rs[i-1]) || unicode.IsDigit(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]) && unicode.IsUpper(rs[i-1])):
			flush()
		case i > 0 && unicode.IsDigit(r) != unicode.IsDigit(rs[i-1]) && unicode.IsLetter(rs[i-1]) == unicode.IsDigit(r):
			flush()
		}
		cur = append(cur, r)
	}
	flush()
	return out
}
