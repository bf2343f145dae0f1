package index_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
	"github.com/codegraph-dev/codegraph/index"
)

// linked is what became of every mention in the files: under `path:line name`, the places of its
// certain or possible targets as `path:line`, else its status and, unresolved, the reason. Several
// mentions of a name on a line are parted by ` | `.
func linked(t *testing.T, files tree) map[string]string {
	t.Helper()
	s := graphtest.NewMemory()
	update(t, engine(files, s), index.Change{Put: slices.Collect(maps.Keys(files))})
	out := map[string]string{}
	err := s.View(context.Background(), func(r graph.Reader) error {
		all, err := r.Files()
		if err != nil {
			return err
		}
		for i := range all {
			if err := linkedFile(r, files, all, &all[i], out); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func linkedFile(r graph.Reader, files tree, all []graph.File, f *graph.File, out map[string]string) error {
	facts, err := r.Facts([]graph.FileID{f.ID})
	if err != nil || facts[0] == nil {
		return err
	}
	links, err := r.Links([]graph.FileID{f.ID})
	if err != nil {
		return err
	}
	add := func(off uint32, name, what string) {
		key := fmt.Sprintf("%s:%d %s", f.Path, lineOf(files[f.Path], off), name)
		if old, ok := out[key]; ok {
			what = old + " | " + what
		}
		out[key] = what
	}
	for _, l := range links[0].Refs {
		e := facts[0].Exprs[l.Expr]
		what := l.Status.String()
		switch {
		case l.Status == graph.Unresolved:
			what += " " + l.Reason.String()
		case l.N > 0 && l.Status != graph.External:
			var at []string
			for _, tg := range links[0].Targets[l.First : l.First+uint32(l.N)] {
				p, err := placeOf(r, files, all, tg)
				if err != nil {
					return err
				}
				at = append(at, p)
			}
			what = strings.Join(at, ",")
		}
		add(e.Off, facts[0].Str(e.Name), what)
	}
	return nil
}

func placeOf(r graph.Reader, files tree, all []graph.File, tg graph.Target) (string, error) {
	facts, err := r.Facts([]graph.FileID{tg.File})
	if err != nil {
		return "", err
	}
	for _, f := range all {
		if f.ID != tg.File {
			continue
		}
		for i := range facts[0].Symbols {
			if facts[0].TargetHash(int32(i)) == tg.Hash {
				return fmt.Sprintf("%s:%d", f.Path, lineOf(files[f.Path], facts[0].Symbols[i].NameOff)), nil
			}
		}
		return f.Path, nil
	}
	return "?", nil
}

func lineOf(text string, off uint32) int { return 1 + strings.Count(text[:off], "\n") }

// linkCase is a rule of a language: what mentions in the files lead to.
type linkCase struct {
	why   string
	files tree
	want  map[string]string
}

func runLinkCases(t *testing.T, cases []linkCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			got := linked(t, c.files)
			for key, want := range c.want {
				if got[key] != want {
					t.Errorf("%s: got %q, want %q", key, got[key], want)
				}
			}
		})
	}
}
