//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/codegraph-dev/codegraph/readtools"
)

// rgText is the matches of grep as ripgrep prints them with line numbers: on a terminal below
// the name of their file, elsewhere a line each, path:line:text, with a dash in place of the
// colons around a line that does not match.
func (st style) rgText(r *readtools.GrepResult) string {
	var b strings.Builder
	for _, f := range r.Files {
		b.WriteString(st.path(f, 0) + "\n")
	}
	for _, c := range r.Counts {
		fmt.Fprintf(&b, "%s:%d\n", st.path(c.Path, 0), c.Count)
	}
	for i := range r.Matches {
		m := &r.Matches[i]
		var prev *readtools.Match
		if i > 0 {
			prev = &r.Matches[i-1]
		}
		b.WriteString(st.between(prev, m))
		if m.Binary {
			fmt.Fprintf(&b, "%s: %s\n", st.path(m.Path, 0), st.safe(m.Text))
			continue
		}
		for j, l := range m.Before {
			b.WriteString(st.line(m.Path, m.Line-len(m.Before)+j, "-", st.safe(l)))
		}
		for j, l := range strings.Split(strings.TrimSuffix(m.Text, "\n"), "\n") {
			text := st.safe(strings.TrimSuffix(l, "\r"))
			if j == 0 && m.EndLine == 0 && !m.Clipped {
				text = st.spans(strings.TrimSuffix(l, "\r"), m.Spans)
			}
			b.WriteString(st.line(m.Path, m.Line+j, ":", text))
		}
		for j, l := range m.After {
			b.WriteString(st.line(m.Path, max(m.Line, m.EndLine)+1+j, "-", st.safe(l)))
		}
	}
	return b.String()
}

// between is what stands between two matches: on a terminal the name of the next file, and
// the sign of a gap where there are lines of context.
func (st style) between(prev, m *readtools.Match) string {
	gap := ""
	if prev != nil && len(prev.After)+len(m.Before) > 0 && (prev.Path != m.Path || m.Line-len(m.Before) > max(prev.Line, prev.EndLine)+len(prev.After)+1) {
		gap = "--\n"
	}
	if !st.terminal || prev != nil && prev.Path == m.Path {
		return gap
	}
	if prev != nil {
		gap = "\n"
	}
	if m.Binary {
		return gap
	}
	return gap + st.path(m.Path, 0) + "\n"
}

// path is a file's name.
func (st style) path(path string, line int) string {
	return st.link(st.paint(pathColour, st.safe(path)), path, line)
}

// line is a line of a file.
func (st style) line(path string, n int, sign, text string) string {
	number := st.link(st.paint(lineColour, fmt.Sprint(n)), path, n)
	if st.terminal {
		return number + sign + text + "\n"
	}
	return path + sign + number + sign + text + "\n"
}

// spans colours what matched in a line: pairs of byte offsets, in order.
func (st style) spans(line string, spans [][2]int) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s[0] < at || s[1] < s[0] || s[1] > len(line) {
			break
		}
		b.WriteString(st.safe(line[at:s[0]]) + st.paint(matchColour, st.safe(line[s[0]:s[1]])))
		at = s[1]
	}
	return b.String() + st.safe(line[at:])
}
