package edittools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// near is a place that almost holds a text.
type near struct {
	line  int // 0-based
	score float64
}

// Bounds on the search for near places.
const (
	mostNear   = 3
	nearBudget = 4_000_000 // lines compared
	nearFloor  = 0.55

	fewLines    = 3 // of so many at most, each is compared by what it is like
	partFloor   = 4 // bytes of a line that is looked for in part of others, at least and at most
	partCeiling = 400
	partAlike   = 0.7
)

// nearMiss is the error for a text that does not stand in a file: the places that come
// nearest, and how they differ.
func nearMiss(path string, p *plain, old string) *Error {
	have := strings.Split(string(p.text), "\n")
	want := strings.Split(strings.Trim(old, "\n"), "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "no match: old does not stand in %s", path)
	found := nearPlaces(have, want)
	for _, n := range found {
		got := have[n.line:min(n.line+len(want), len(have))]
		fmt.Fprintf(&b, "\nnearest: line %d, which differs in %s\n%s", n.line+1, reason(want, got), shownDiff(want, got))
	}
	next := fmt.Sprintf("read the file again (read_open %s) and copy the text from it", path)
	if len(found) > 0 {
		next = fmt.Sprintf("copy the text from %s:%d-%d as it stands there; other white space is another text", path, found[0].line+1, found[0].line+len(want))
	}
	return failed(codePrecondition, next, "%s", strings.TrimSuffix(b.String(), "\n"))
}

// nearPlaces finds the windows of lines that are most like the wanted ones.
func nearPlaces(have, want []string) []near {
	if len(have)*len(want) > nearBudget {
		want = want[:max(1, nearBudget/max(1, len(have)))]
	}
	keys := make([]string, len(have))
	for i, l := range have {
		keys[i] = squeeze(l)
	}
	wanted := make([]string, len(want))
	for i, l := range want {
		wanted[i] = squeeze(l)
	}
	grams := make([]map[string]bool, len(wanted))
	for i, l := range wanted {
		grams[i] = gramsOf(l)
	}
	var out []near
	for i := range have {
		sum, equal := 0.0, 0
		for k := range wanted {
			switch {
			case i+k >= len(keys):
			case keys[i+k] == wanted[k]:
				sum, equal = sum+1, equal+1
			case len(wanted) <= fewLines:
				sum += likeness(grams[k], wanted[k], keys[i+k])
			}
		}
		score := sum / float64(len(wanted))
		if score >= nearFloor || float64(equal) > 0.3*float64(len(wanted)) && len(wanted) > fewLines {
			out = append(out, near{i, score})
		}
	}
	slices.SortStableFunc(out, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	return out[:min(len(out), mostNear)]
}

// likeness is how much a line is like a wanted one that it does not equal, or has a part that is; 0
// if hardly.
func likeness(grams map[string]bool, want, line string) float64 {
	if len(line) >= 4096 || !holdsMuch(grams, line) {
		return 0
	}
	score := alike(grams, line)
	if n := len(want); n >= partFloor && n <= partCeiling {
		if part := 1 - float64(partDistance(want, line))/float64(n); part >= partAlike {
			score = max(score, part)
		}
	}
	if score *= 0.9; score < nearFloor {
		return 0
	}
	return score
}

// holdsMuch reports whether a line has two fifths of the pairs of bytes. Any line does that is alike
// enough to be near, and nearly any with a part that is; most others are passed over by it quickly.
func holdsMuch(grams map[string]bool, line string) bool {
	n := 0
	for g := range grams {
		if strings.Contains(line, g) {
			n++
		}
	}
	return n > 0 && 5*n >= 2*len(grams)
}

// partDistance is the least number of edits that make want of some part of a line, after Sellers: a
// row of the usual table for each byte of want, where a part may begin and end anywhere.
func partDistance(want, line string) int {
	prev, row := make([]int, len(line)+1), make([]int, len(line)+1)
	for i := range len(want) {
		row[0] = i + 1
		for j := range len(line) {
			cost := 1
			if want[i] == line[j] {
				cost = 0
			}
			row[j+1] = min(prev[j]+cost, prev[j+1]+1, row[j]+1)
		}
		prev, row = row, prev
	}
	return slices.Min(prev)
}

// squeeze is a line without white space, in lower case.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

func gramsOf(s string) map[string]bool {
	m := map[string]bool{}
	for i := 0; i+2 <= len(s); i++ {
		m[s[i:i+2]] = true
	}
	return m
}

// alike is the share of pairs of bytes that a line has in common with the wanted ones.
func alike(want map[string]bool, s string) float64 {
	have := gramsOf(s)
	common := 0
	for g := range have {
		if want[g] {
			common++
		}
	}
	if len(want)+len(have) == 0 {
		return 0
	}
	return 2 * float64(common) / float64(len(want)+len(have))
}

// reason says in a few words how two runs of lines differ.
func reason(want, got []string) string {
	a, b := strings.Join(want, "\n"), strings.Join(got, "\n")
	trimmed := func(s []string) string {
		out := make([]string, len(s))
		for i, l := range s {
			out[i] = strings.TrimRight(l, " \t\r")
		}
		return strings.Join(out, "\n")
	}
	fields := func(s []string) string { return strings.Join(strings.Fields(strings.Join(s, "\n")), " ") }
	switch {
	case trimmed(want) == trimmed(got):
		return "blanks at the end of lines"
	case fields(want) == fields(got) && strings.Contains(a, "\t") != strings.Contains(b, "\t"):
		return "tabs against spaces"
	case fields(want) == fields(got):
		return "white space"
	case strings.EqualFold(a, b):
		return "upper and lower case"
	}
	return "its text"
}

// shownDiff sets the lines that differ against each other, with white space made visible.
func shownDiff(want, got []string) string {
	var b strings.Builder
	for i := range max(len(want), len(got)) {
		var w, g string
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w == g {
			continue
		}
		fmt.Fprintf(&b, "  old:  %s\n  file: %s\n", visible(w), visible(g))
		if b.Len() > 1200 {
			b.WriteString("  ...\n")
			break
		}
	}
	return b.String()
}

// visible shows the white space of a line that is easily taken for other white space.
func visible(s string) string {
	if len(s) > 300 {
		s = s[:300] + "..."
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.NewReplacer("\t", "→", " ", "·", "\r", "␍", "\u00a0", "⍽").Replace(s)
}
