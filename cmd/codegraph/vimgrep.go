//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/codegraph-dev/codegraph/readtools"
)

// vimgrep is the matches of grep in the form of ripgrep's --vimgrep: a line for each match,
// also where several are on one line of a file.
func vimgrep(r *readtools.GrepResult) string {
	var b strings.Builder
	for _, m := range r.Matches {
		columns := []int{max(m.Column, 1)}
		if len(m.Spans) > 1 && !m.Clipped && m.EndLine == 0 {
			columns = nil
			for _, s := range m.Spans {
				columns = append(columns, s[0]+1)
			}
		}
		for _, c := range columns {
			fmt.Fprintf(&b, "%s:%d:%d:%s\n", m.Path, m.Line, c, strings.TrimRight(m.Text, "\r\n"))
		}
	}
	for _, f := range r.Files {
		b.WriteString(f + "\n")
	}
	for _, c := range r.Counts {
		fmt.Fprintf(&b, "%s:%d\n", c.Path, c.Count)
	}
	return b.String()
}
