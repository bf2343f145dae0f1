package edittools

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// hunk says that lines [from, to) of a text became others.
type hunk struct {
	from, to int
	lines    []string
}

// noNewline is what a diff says after a last line without an end.
const noNewline = `\ No newline at end of file`

// hunks are the changes from one text to another, read from their diff.
func hunks(old, now []byte) []hunk {
	r := hunkReader{}
	for line := range strings.SplitAfterSeq(string(diff.Diff("a", old, "b", now)), "\n") {
		r.take(line)
	}
	r.flush()
	return r.out
}

// hunkReader reads a diff line by line.
type hunkReader struct {
	out  []hunk
	open *hunk
	at   int  // the line of the old text
	body bool // past the head
	plus bool // the last line was an added one
}

func (r *hunkReader) take(line string) {
	switch {
	case line == "":
		return
	case strings.HasPrefix(line, "@@ -"):
		r.flush()
		r.at, r.body = hunkStart(line), true
	case !r.body:
	case strings.HasPrefix(line, noNewline):
		if r.plus {
			n := len(r.open.lines) - 1
			r.open.lines[n] = strings.TrimSuffix(r.open.lines[n], "\n")
		}
	case line[0] == '-':
		r.change()
		r.at++
		r.open.to = r.at
	case line[0] == '+':
		r.change()
		r.open.lines = append(r.open.lines, line[1:])
	default:
		r.flush()
		r.at++
	}
	r.plus = r.body && line[0] == '+'
}

func (r *hunkReader) change() {
	if r.open == nil {
		r.open = &hunk{from: r.at, to: r.at}
	}
}

func (r *hunkReader) flush() {
	if r.open != nil {
		r.out, r.open = append(r.out, *r.open), nil
	}
}

// hunkStart is the 0-based line at which a hunk begins: "@@ -3,4 +3,5 @@".
func hunkStart(line string) int {
	from, _, _ := strings.Cut(strings.TrimPrefix(line, "@@ -"), " ")
	start, count, both := strings.Cut(from, ",")
	n, _ := strconv.Atoi(start)
	if both && count == "0" {
		return n // nothing of the old text: after line n
	}
	return n - 1
}

// merge makes both changes of a text. ok is false if they meet; at is the 1-based line of
// the old text where.
func merge(old, ours, theirs []byte) (out []byte, at int, ok bool) {
	a, b := hunks(old, ours), hunks(old, theirs)
	for _, x := range a {
		for _, y := range b {
			if x.from <= y.to && y.from <= x.to && !same(x, y) {
				return nil, y.from + 1, false
			}
		}
	}
	all := slices.CompactFunc(sorted(append(a, b...)), same)
	lines := strings.SplitAfter(string(old), "\n")
	if n := len(lines) - 1; lines[n] == "" {
		lines = lines[:n]
	}
	var w bytes.Buffer
	done := 0
	for _, h := range all {
		for _, l := range lines[done:h.from] {
			w.WriteString(l)
		}
		for _, l := range h.lines {
			w.WriteString(l)
		}
		done = h.to
	}
	for _, l := range lines[done:] {
		w.WriteString(l)
	}
	return w.Bytes(), 0, true
}

func same(x, y hunk) bool { return x.from == y.from && x.to == y.to && slices.Equal(x.lines, y.lines) }

func sorted(hs []hunk) []hunk {
	slices.SortStableFunc(hs, func(a, b hunk) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return hs
}
