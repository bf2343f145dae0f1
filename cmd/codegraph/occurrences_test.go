package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A name that stands on a line for a local and for a field is answered for the field's column
// alone; a name that stands there once needs no such word.
func TestOccurrencesByColumn(t *testing.T) {
	t.Setenv("CODEGRAPH_HOME", t.TempDir())
	root := t.TempDir()
	text := "package p\n\ntype s struct{ depth, depth2 int }\n\nfunc (x s) m() int {\n\tdepth := x.depth\n\treturn depth + x.depth2\n}\n"
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := call(t, "export", "--format", "occurrences", "--daemon=off", "-C", root)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	var got []string
	for line := range strings.Lines(out) {
		if strings.Contains(line, `"depth`) {
			head, _, _ := strings.Cut(line, `,"role"`)
			got = append(got, strings.TrimSpace(head))
		}
	}
	want := []string{
		`{"t":"ans","file":"a.go","line":6,"name":"depth","defs":[]}`,
		`{"t":"ans","file":"a.go","line":6,"col":13,"name":"depth","defs":[["a.go",3,"depth"]]`,
		`{"t":"ans","file":"a.go","line":7,"col":19,"name":"depth2","defs":[["a.go",3,"depth2"]]`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
