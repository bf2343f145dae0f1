package lang

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/codegraph-dev/codegraph/graph"
)

var updateOutlines = flag.Bool("update", false, "rewrite the wanted parts of case files")

// outlined parses one file and builds its facts as an index does.
func outlined(t *testing.T, p string, src []byte) *graph.Facts {
	t.Helper()
	l := Detect(p, src)
	if l == nil {
		t.Fatalf("%s: no language", p)
	}
	whole := src
	if l.Prepare != nil {
		src = l.Prepare(src)
	}
	parser := NewParser()
	defer parser.Close()
	tree, err := parser.Parse(l.Grammar(), src, 10*time.Second)
	if err != nil {
		t.Fatalf("%s: %v", p, err)
	}
	tree.Whole = whole
	return NewBuilder().Build(l, tree)
}

var shownFlags = []struct {
	flag graph.Flags
	name string
}{
	{graph.Exported, "exported"}, {graph.Default, "default"}, {graph.Static, "static"}, {graph.Abstract, "abstract"}, {graph.Declaration, "declaration"},
	{graph.FileLocal, "local"}, {graph.NestedDef, "nested"}, {graph.Async, "async"}, {graph.Generator, "generator"}, {graph.Computed, "get"}, {graph.Setter, "set"},
	{graph.Private, "private"}, {graph.Protected, "protected"}, {graph.Tag, "tag"}, {graph.Conditional, "conditional"},
}

// outline lists the definitions of a file: lines, kind, path, flags and doc; then its
// imports and the errors.
func outline(src []byte, f *graph.Facts) string {
	var out strings.Builder
	table := graph.NewLineTable(src)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		line, col := table.Position(s.NameOff)
		first, _ := table.Position(s.Start)
		last, _ := table.Position(s.End)
		fmt.Fprintf(&out, "%d:%d %d-%d %s %s", line, col, first, last, s.Kind, f.Scope(int32(i)))
		for _, x := range shownFlags {
			if s.Flags&x.flag != 0 {
				out.WriteString(" " + x.name)
			}
		}
		if s.DocEnd > 0 {
			fmt.Fprintf(&out, " %q", src[s.DocStart:s.DocEnd])
		}
		out.WriteByte('\n')
	}
	for _, im := range f.Imports {
		fmt.Fprintf(&out, "import %q of %q as %q flags %d\n", f.Str(im.Name), f.Str(im.Module), f.Str(im.Local), im.Flags)
	}
	for _, e := range f.Errors {
		line, _ := table.Position(e.Start)
		fmt.Fprintf(&out, "error in line %d: %s\n", line, e.Reason)
	}
	return out.String()
}

// TestOutlines runs the case files: archives of one source and, in the file `want`, what is
// defined and imported in it.
func TestOutlines(t *testing.T) {
	names, err := filepath.Glob("testdata/outline/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no case files", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := slices.DeleteFunc(slices.Clone(a.Files), func(f txtar.File) bool { return f.Name == "want" })
			got := outline(files[0].Data, outlined(t, files[0].Name, files[0].Data))
			if *updateOutlines {
				a.Files = append(files[:1:1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := a.Files[len(a.Files)-1].Data; !bytes.Equal([]byte(got), want) {
				t.Errorf("outline differs; got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestRules holds each language's table to the kinds and fields of its grammar.
func TestRules(t *testing.T) {
	for _, l := range []*Language{typescript, tsx, javascript, c} {
		if bad := l.unknown(); len(bad) > 0 {
			t.Errorf("%s: %v", l.Name, bad)
		}
	}
}

// TestParserStops gives parsers sources on which some versions of them never ended.
func TestParserStops(t *testing.T) {
	parser := NewParser()
	defer parser.Close()
	for _, src := range []string{"{ try { go() } catch { (, q\n", "{ try { } catch { (, z", strings.Repeat("{(", 5000)} {
		for _, l := range []*Language{javascript, typescript, tsx, c} {
			start := time.Now()
			_, err := parser.Parse(l.Grammar(), []byte(src), 2*time.Second)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%s: %.20q took %v (%v)", l.Name, src, took, err)
			}
		}
	}
}

// TestPrepareKeepsOffsets: blanking changes no length and no line.
func TestPrepareKeepsOffsets(t *testing.T) {
	for _, src := range []string{"", "#if", "#if 0\nint x;", "API int f(", "#ifdef A\nif (x) {\n#else\nif (y) {\n#endif\n}\n", "int f(IN(", "\"", "/*", "#define A /* x \\\n y */ 1\n",
		"enum { A(", "struct {", "void f(void) ATTR(1", "#if 1\n#else\n#elif 2\n}\n#endif", "x\\", "#\\"} {
		got := cPrepare([]byte(src))
		if len(got) != len(src) || strings.Count(string(got), "\n") != strings.Count(src, "\n") {
			t.Errorf("%q became %q", src, got)
		}
	}
}
