package index

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
	"github.com/codegraph-dev/codegraph/index/lang"
)

var updateGolden = flag.Bool("update", false, "rewrite the wanted parts of case files")

// sources are the files of a case as a Universe.
type sources struct {
	files []graph.File
	facts []*graph.Facts
	texts [][]byte
	keys  map[graph.Key][]graph.Handle
}

func (s *sources) Lookup(k graph.Key) []graph.Handle { return s.keys[k] }

func (s *sources) Facts(id graph.FileID) *graph.Facts {
	if int(id) < len(s.facts) {
		return s.facts[id]
	}
	return nil
}

func (s *sources) File(id graph.FileID) *graph.File {
	if int(id) < len(s.files) {
		return &s.files[id]
	}
	return nil
}

func newSources(t *testing.T, files []txtar.File) *sources {
	t.Helper()
	slices.SortFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	s := &sources{keys: map[graph.Key][]graph.Handle{}}
	p, b := lang.NewParser(), lang.NewBuilder()
	defer p.Close()
	for i, f := range files {
		var facts *graph.Facts
		l := lang.Detect(f.Name, f.Data)
		switch {
		case l == nil:
		case slices.Contains(l.Configs, filepath.Base(f.Name)):
			facts = l.Config(f.Name, f.Data)
		default:
			src := f.Data
			if l.Prepare != nil {
				src = l.Prepare(src)
			}
			tree, err := p.Parse(l.Grammar(), src, 10*time.Second)
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			tree.Whole = f.Data
			facts = b.Build(l, tree)
		}
		file := graph.File{ID: graph.FileID(i), Path: f.Name}
		if l != nil {
			file.Language = l.Name
		}
		s.files, s.facts, s.texts = append(s.files, file), append(s.facts, facts), append(s.texts, f.Data)
		for _, x := range Exports(f.Name, facts) {
			s.keys[x.Key] = append(s.keys[x.Key], graph.Handle{File: file.ID, Index: x.Index})
		}
	}
	return s
}

// id names a target.
func (s *sources) id(t graph.Target) string {
	f := s.facts[t.File]
	if t == graph.ModuleTarget(t.File) || f == nil {
		return s.files[t.File].Path
	}
	for i := range f.Symbols {
		if f.TargetHash(int32(i)) == t.Hash {
			return f.IDOf(s.files[t.File].Path, int32(i))
		}
	}
	return "?"
}

// links prints the reference sites of all files, but for what is built in.
func (s *sources) links() string {
	var out strings.Builder
	k := NewLinker(s)
	for i, f := range s.facts {
		if f == nil {
			continue
		}
		links, _ := k.Link(graph.FileID(i))
		table := graph.NewLineTable(s.texts[i])
		var lines []string
		graph.Sites(graph.FileID(i), f, links, func(x graph.Site) {
			if x.Reason == graph.Builtin || x.Expr < 0 && f.Str(x.Name) == "" {
				return
			}
			line, col := table.Position(x.Off)
			to := x.Reason.String()
			if len(x.Targets) > 0 {
				ids := make([]string, len(x.Targets))
				for j, t := range x.Targets {
					ids[j] = s.id(t)
				}
				to = strings.Join(ids, " ") + " " + to
			}
			role := x.Role.String()
			if x.Also != graph.NoRole {
				role += "+" + x.Also.String()
			}
			lines = append(lines, fmt.Sprintf("%s:%03d:%03d %s %s %s %s\n", s.files[i].Path, line, col, f.Str(x.Name), role, x.Status, to))
		})
		slices.Sort(lines)
		for _, l := range lines {
			out.WriteString(l)
		}
	}
	return out.String()
}

// TestLinks runs the case files: archives of sources, with a file `want` that lists each
// reference, what it is bound to, and why.
func TestLinks(t *testing.T) {
	names, err := filepath.Glob("testdata/link/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no case files", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var want []byte
			files := slices.DeleteFunc(slices.Clone(a.Files), func(f txtar.File) bool {
				if f.Name == "want" {
					want = f.Data
				}
				return f.Name == "want"
			})
			got := newSources(t, slices.Clone(files)).links()
			if *updateGolden {
				a.Files = append(files, txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if !bytes.Equal([]byte(got), want) {
				t.Errorf("links differ; got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
