package lang

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
)

// factsCase is a source and what its facts must say: all symbols as `line kind path flags`,
// all references as `line role name`, all imports as `local=module:name flags`. A nil list is
// not looked at.
type factsCase struct {
	why     string
	path    string
	src     string
	symbols []string
	refs    []string
	imports []string
}

func testFacts(t *testing.T, cases []factsCase) {
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			f := factsOf(t, c.path, c.src)
			table := graph.NewLineTable([]byte(c.src))
			checkList(t, "symbols", c.symbols, symbolLines(f, table))
			checkList(t, "references", c.refs, refLines(t, f, table, c.src))
			checkList(t, "imports", c.imports, importLines(f))
		})
	}
}

// factsOf are the facts of src as a file at path.
func factsOf(t testing.TB, path, src string) *graph.Facts {
	t.Helper()
	l := Detect(path, []byte(src))
	if l == nil {
		t.Fatalf("no language for %s", path)
	}
	p := NewParser()
	defer p.Close()
	tree, err := p.Parse(l.Grammar(), []byte(src), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return NewBuilder().Build(l, tree)
}

func checkList(t *testing.T, what string, want, got []string) {
	t.Helper()
	if want == nil {
		return
	}
	if !slices.Equal(want, got) {
		t.Errorf("%s:\ngot\n\t%s\nwant\n\t%s", what, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func symbolLines(f *graph.Facts, table graph.LineTable) []string {
	names := []struct {
		f    graph.Flags
		word string
	}{{graph.Static, "static"}, {graph.Abstract, "abstract"}, {graph.Async, "async"}, {graph.Generator, "generator"}, {graph.Computed, "computed"},
		{graph.Setter, "setter"}, {graph.Private, "private"}, {graph.Protected, "protected"}, {graph.Declaration, "declaration"}, {graph.Anonymous, "anonymous"}}
	out := []string{}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		line, _ := table.Position(s.NameOff)
		text := fmt.Sprintf("%d %s %s", line, s.Kind, f.Path(int32(i)))
		for _, n := range names {
			if s.Flags&n.f != 0 {
				text += " " + n.word
			}
		}
		out = append(out, text)
	}
	return out
}

// refLines also checks that each reference stands where its name is written.
func refLines(t *testing.T, f *graph.Facts, table graph.LineTable, src string) []string {
	t.Helper()
	type place struct {
		off  uint32
		text string
	}
	var refs []place
	for i := range f.Exprs {
		e := &f.Exprs[i]
		if e.Role == graph.NoRole {
			continue
		}
		if !strings.HasPrefix(src[e.Off:], f.Str(e.Name)) {
			t.Errorf("reference %q at byte %d is not written there", f.Str(e.Name), e.Off)
		}
		line, _ := table.Position(e.Off)
		refs = append(refs, place{e.Off, fmt.Sprintf("%d %s %s", line, e.Role, f.Str(e.Name))})
	}
	slices.SortStableFunc(refs, func(a, b place) int { return int(a.off) - int(b.off) })
	out := []string{}
	for i, r := range refs {
		if i > 0 && r.off == refs[i-1].off {
			t.Errorf("two references at one place: %s, %s", refs[i-1].text, r.text)
		}
		out = append(out, r.text)
	}
	return out
}

func importLines(f *graph.Facts) []string {
	out := []string{}
	for i := range f.Imports {
		m := &f.Imports[i]
		text := f.Str(m.Local) + "=" + f.Str(m.Module) + ":" + f.Str(m.Name)
		if m.Flags&graph.Star != 0 {
			text += " star"
		}
		if m.Flags&graph.StaticOf != 0 {
			text += " static"
		}
		out = append(out, text)
	}
	return out
}

func TestTablesNameOnlyWhatTheGrammarHas(t *testing.T) {
	for _, l := range All() {
		if bad := l.unknown(); len(bad) > 0 {
			t.Errorf("%s: %s", l.Name, strings.Join(bad, "; "))
		}
	}
}

// TestDeepCalls prepares calls nested far deeper than anybody writes: that must not take the square of the time.
func TestDeepCalls(t *testing.T) {
	src := []byte("void g() {" + strings.Repeat("f(", 100000) + strings.Repeat(")", 100000) + "}")
	start := time.Now()
	if out := cPrepare(src); len(out) != len(src) {
		t.Fatalf("%d bytes became %d", len(src), len(out))
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
}
