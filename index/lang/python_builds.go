package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// pyBranches notes what stands in branches that a usual interpreter never takes, a recent one on Linux, or
// that a type checker passes over: other branches define the same names for it.
func pyBranches(b *Builder) {
	if !bytes.Contains(b.src, []byte("version_info")) && !bytes.Contains(b.src, []byte("TYPE_CHECKING")) &&
		!bytes.Contains(b.src, []byte("sys.platform")) && !bytes.Contains(b.src, []byte("os.name")) {
		return
	}
	for n := int32(0); int(n) < len(b.t.Nodes); n++ {
		if b.Is(n, "if_statement") {
			pyUntaken(b, n)
		}
	}
}

// pyUntaken notes the branches of the statement at n that are not taken.
func pyUntaken(b *Builder, n int32) {
	note := func(n int32) { b.untaken = append(b.untaken, docRun{b.Node(n).Start, b.Node(n).End}) }
	taken, open := pyTest(b, b.Field(n, "condition"))
	if body := b.Field(n, "consequence"); open && !taken && body >= 0 {
		note(body)
	}
	done := open && taken
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case !b.InField(c, "alternative"):
		case done:
			note(c)
		case b.Is(c, "elif_clause"):
			taken, open := pyTest(b, b.Field(c, "condition"))
			if body := b.Field(c, "consequence"); open && !taken && body >= 0 {
				note(body)
			}
			done = open && taken
		}
	}
}

// pyBuilds marks what those branches hold as left out.
func pyBuilds(b *Builder) {
	if len(b.untaken) == 0 {
		return
	}
	for i := range b.F.Symbols {
		if s := &b.F.Symbols[i]; b.leftOut(s.NameOff) {
			s.Flags |= graph.Unbuilt
		}
	}
	for i := range b.F.Imports {
		im := &b.F.Imports[i]
		if b.leftOut(max(im.Off, im.NameOff, im.ModuleOff)) {
			im.Flags |= graph.UnbuiltImport
		}
	}
}

// pyTest is what a test comes to, if that is known before the program runs.
func pyTest(b *Builder, n int32) (holds, known bool) {
	if n < 0 {
		return false, false
	}
	switch b.Kind(n) {
	case "parenthesized_expression":
		return pyTest(b, b.First(n))
	case "not_operator":
		holds, known = pyTest(b, b.Field(n, "argument"))
		return !holds, known
	}
	if b.Is(n, "boolean_operator") { // one operand may decide alone
		or := b.Has(n, "or")
		l, lok := pyTest(b, b.Field(n, "left"))
		r, rok := pyTest(b, b.Field(n, "right"))
		if lok && l == or || rok && r == or {
			return or, true
		}
		return !or, lok && rok
	}
	text := strings.Join(strings.Fields(b.Text(n)), " ")
	switch text {
	case "TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING":
		return true, true
	}
	if rest, ok := strings.CutPrefix(text, `sys.platform.startswith(`); ok {
		return strings.HasPrefix("linux", strings.Trim(rest, `"')`)), true
	}
	parts := strings.SplitN(text, " ", 3)
	if len(parts) != 3 {
		return false, false
	}
	switch left, op, right := parts[0], parts[1], parts[2]; left {
	case "sys.platform":
		return pyEqual(op, strings.Trim(right, `"'`), "linux")
	case "os.name":
		return pyEqual(op, strings.Trim(right, `"'`), "posix")
	case "sys.version_info", "sys.version_info[:2]":
		return pyNewer(op, strings.Trim(right, "()"), pyMinor)
	case "sys.version_info[0]", "sys.version_info.major":
		return pyNewer(op, right, 0)
	}
	return false, false
}

// pyMinor is the minor version of a recent interpreter; its major one is 3.
const pyMinor = 13

func pyEqual(op, a, b string) (holds, known bool) {
	switch op {
	case "==":
		return a == b, true
	case "!=":
		return a != b, true
	}
	return false, false
}

// pyNewer compares version 3.minor with one that is written as a list of numbers.
func pyNewer(op, version string, minor int) (holds, known bool) {
	var than [2]int
	for i, part := range strings.Split(version, ",") {
		part = strings.TrimSpace(part)
		if i > 1 || part == "" {
			continue
		}
		for _, r := range part {
			if r < '0' || r > '9' || than[i] > 1000 {
				return false, false
			}
			than[i] = than[i]*10 + int(r-'0')
		}
	}
	major := minor == 0 // only that is compared
	less := 3 < than[0] || 3 == than[0] && minor < than[1]
	same := 3 == than[0] && minor == than[1]
	switch op {
	case ">=":
		return !less, true
	case ">":
		return !less && !same, true
	case "<":
		return less, true
	case "<=":
		return less || same, true
	case "==", "!=":
		return same == (op == "=="), major
	}
	return false, false
}
