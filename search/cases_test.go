package search

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// grepLines returns the numbers of the matching lines of data.
func grepLines(t *testing.T, opt Options, data string) []int {
	t.Helper()
	p, err := Compile(opt)
	if err != nil {
		t.Fatalf("compile %q: %v", opt.Patterns, err)
	}
	res, skip, err := SearchBytes(context.Background(), p, []byte(data), BufferOptions{})
	if err != nil || skip != nil {
		t.Fatalf("search %q: %v %v", opt.Patterns, skip, err)
	}
	var lines []int
	for _, m := range res.Matches {
		lines = append(lines, m.Line)
	}
	return lines
}

// The values are those of the project's grep cases.
func TestCases(t *testing.T) {
	const box = "from m import open_box\nopen_box(1)\n\n# nothing\nclose_box(2)\n"
	for _, c := range []struct {
		opt  Options
		data string
		want []int
	}{
		{Options{Patterns: []string{"^key"}}, "\xEF\xBB\xBFkey = 1\nother = 2\nkey = 3\n", []int{1, 3}},
		{Options{Patterns: []string{"total;$"}}, "begin\r\n  x := total;\r\n  y := total; { kept }\r\nend.\r\n", []int{2}},
		{Options{Patterns: []string{"total;$"}}, "begin\n  x := total;\n  y := total; { kept }\nend.\n", []int{2}},
		{Options{Patterns: []string{"^begin$"}}, "begin\r\n  x\r\nend.\r\n", []int{1}},
		{Options{Patterns: []string{`end\.`}, WholeLine: true}, "begin\r\n  x\r\nend.\r\n", []int{3}},
		{Options{Patterns: []string{"open_box|close_box"}}, box, []int{1, 2, 5}},
		{Options{Patterns: []string{"open_box|close_box("}, Literal: true}, box + "open_box|close_box(\n", []int{6}},
		{Options{Patterns: []string{`cost,(.|\n)`}, Multiline: true}, "cost,\nname,4\nname,cost,3\n", []int{1, 3}},
		{Options{Patterns: []string{`cost,\n`}, Multiline: true}, "cost,\nname,4\nname,cost,3\n", []int{1}},
		{Options{Patterns: []string{`4\nname`}, Multiline: true}, "cost,\nname,4\nname,cost,3\n", []int{2}},
		{Options{Patterns: []string{"^.$"}}, "ab\n§\n\nxy", []int{2}},
		{Options{Patterns: []string{"étage"}, Literal: true, IgnoreCase: true}, "étage\nÉTAGE\nÉtage\netage\n", []int{1, 2, 3}},
		{Options{Patterns: []string{"σοφοσ"}, Literal: true, IgnoreCase: true}, "x\nσοφος\nΣΟΦΟΣ\n", []int{2, 3}},
		{Options{Patterns: []string{"STRAßE"}, Literal: true, IgnoreCase: true}, "STRASSE\nstraße\n", []int{2}},
	} {
		t.Run(fmt.Sprint(c.opt.Patterns), func(t *testing.T) {
			if got := grepLines(t, c.opt, c.data); !slices.Equal(got, c.want) {
				t.Errorf("lines %v, want %v", got, c.want)
			}
		})
	}
}
