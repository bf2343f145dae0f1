package readtools

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// hotspots lists what most hangs on: the definitions at a path by how many others, in other files,
// refer to them for certain, and beside them the files by how many other files do. Tests are
// counted apart and rank nothing.
func (e *exploring) hotspots() error {
	scope, at, err := e.dependents()
	if err != nil {
		return err
	}
	w := &weights{of: map[graph.Target]*weight{}, file: map[graph.FileID]*weight{}, uses: map[graph.Handle]int{}, fanOut: map[graph.FileID]int{}}
	scope = slices.DeleteFunc(e.withSymbols(scope), func(f *graph.File) bool { return f.Test })
	err = e.everyFile(e.withSymbols(filesOfGraph(e.s, ".")), w.take)
	if errors.Is(err, errLate) && e.page.from == 0 {
		so := e.fileSpots(w, scope)
		so.Title = "so far at least " + so.Title
		e.res.Sections = append(e.res.Sections, so)
	}
	if err != nil {
		return err
	}
	spots, err := e.spots(w, scope)
	if err != nil {
		return err
	}
	if w.possible > 0 {
		e.left("%s that are possible, not certain", count(w.possible, "reference"))
	}
	if e.page.from == 0 {
		e.res.Sections = append(e.res.Sections, e.fileSpots(w, scope))
	}
	where := quotePath(at)
	if at == "." {
		where = "the project"
	}
	e.res.note("definitions of " + where + " by how many definitions of other files refer to them, tests apart; a call through an interface counts for the interface's method")
	entries := make([]entry, len(spots))
	for i, s := range spots {
		entries[i] = func() (ExploreItem, bool) { return e.spotItem(w, &s) }
	}
	e.list(entries)
	return nil
}

// weight is what hangs on something: how many definitions refer to it, in how many files and
// folders, and of tests how many apart.
type weight struct {
	users, files, testUsers, testFiles int
	folders                            map[string]bool
}

func (w *weight) add(file *graph.File, users int) {
	if file.Test {
		w.testUsers += users
		w.testFiles++
		return
	}
	w.users += users
	w.files++
	if w.folders == nil {
		w.folders = map[string]bool{}
	}
	w.folders[folderOf(file.Path)] = true
}

// text says how much hangs on something.
func (w *weight) text() string {
	s := fmt.Sprintf("%s in %s of %s", count(w.users, "user"), count(w.files, "file"), count(len(w.folders), "folder"))
	if w.testUsers > 0 {
		s += fmt.Sprintf("; in tests %s in %s", count(w.testUsers, "user"), count(w.testFiles, "file"))
	}
	return s
}

// weights are what hangs on each definition and file, by references from other files, and how many
// definitions and files of others each refers to itself.
type weights struct {
	of       map[graph.Target]*weight
	file     map[graph.FileID]*weight
	uses     map[graph.Handle]int
	fanOut   map[graph.FileID]int
	possible int
}

// take counts the references of a file.
func (w *weights) take(file *graph.File, f *graph.Facts, l *graph.Links) {
	type edge struct {
		from graph.Handle
		to   graph.Target
	}
	seen := map[edge]bool{}
	users, files := map[graph.Target]int{}, map[graph.FileID]map[graph.Handle]bool{}
	graph.Sites(file.ID, f, l, func(s graph.Site) {
		for _, t := range s.Targets {
			if t.File == file.ID {
				continue
			}
			if s.Status != graph.Certain {
				w.possible++
				continue
			}
			from := holderIn(f, &s)
			if t == graph.ModuleTarget(t.File) && f.Package != "" {
				continue // an import of a package is none of a file
			}
			if files[t.File] == nil {
				files[t.File] = map[graph.Handle]bool{}
			}
			files[t.File][from] = true
			if s.Role == graph.Import || seen[edge{from, t}] {
				continue
			}
			seen[edge{from, t}] = true
			users[t]++
			w.uses[from]++
		}
	})
	for t, n := range users {
		if w.of[t] == nil {
			w.of[t] = &weight{}
		}
		w.of[t].add(file, n)
	}
	for id, from := range files {
		if w.file[id] == nil {
			w.file[id] = &weight{}
		}
		w.file[id].add(file, len(from))
	}
	w.fanOut[file.ID] = len(files)
}

// spot is a definition with what hangs on it.
type spot struct {
	h graph.Handle
	*weight
}

// spots are the definitions of files that others refer to, the heaviest first.
func (e *exploring) spots(w *weights, files []*graph.File) ([]spot, error) {
	var out []spot
	members, tested := 0, 0
	err := e.everyFile(files, func(file *graph.File, f *graph.Facts, _ *graph.Links) {
		taken := map[graph.Target]bool{}
		for i := range f.Symbols {
			t := graph.Target{File: file.ID, Hash: f.TargetHash(int32(i))}
			x := w.of[t]
			if x == nil || taken[t] {
				continue
			}
			taken[t] = true
			switch k := f.Symbols[i].Kind; {
			case k == graph.Field || k == graph.Property || k == graph.EnumMember || k == graph.TypeParameter || k == graph.Package:
				members++
			case x.users == 0:
				tested++
			default:
				out = append(out, spot{graph.Handle{File: file.ID, Index: int32(i)}, x})
			}
		}
	})
	if members > 0 {
		e.left("%s and the like", count(members, "field"))
	}
	if tested > 0 {
		e.left("%s that only tests refer to from other files", count(tested, "definition"))
	}
	slices.SortFunc(out, func(a, b spot) int {
		return cmp.Or(cmp.Compare(b.users, a.users), cmp.Compare(b.files, a.files), cmp.Compare(b.testUsers, a.testUsers), e.compareHandles(a.h, b.h))
	})
	return out, err
}

func (e *exploring) spotItem(w *weights, s *spot) (ExploreItem, bool) {
	it, ok := e.symbolItem(s.h)
	if !ok {
		return it, false
	}
	it.Score = float64(s.users)
	parts := []string{s.text()}
	if n := w.uses[s.h]; n > 0 {
		parts = append(parts, "uses "+thousands(n)+" of other files")
	}
	it.Note = strings.Join(append(parts, count(it.Symbol.EndLine-it.Symbol.StartLine+1, "line")), "; ")
	return it, true
}

// fileSpots are the files that most others refer to.
func (e *exploring) fileSpots(w *weights, files []*graph.File) Section {
	files = slices.DeleteFunc(slices.Clone(files), func(f *graph.File) bool { return w.file[f.ID] == nil || w.file[f.ID].files == 0 })
	slices.SortStableFunc(files, func(a, b *graph.File) int {
		x, y := w.file[a.ID], w.file[b.ID]
		return cmp.Or(cmp.Compare(y.files, x.files), cmp.Compare(y.users, x.users), strings.Compare(a.Path, b.Path))
	})
	s := Section{Title: count(len(files), "file") + " that other files refer to"}
	for _, f := range files {
		s.Lines = append(s.Lines, fmt.Sprintf("%s: %s; uses %s; %s, %s", quotePath(f.Path), w.file[f.ID].text(), count(w.fanOut[f.ID], "file"), count(int(f.Lines), "line"), count(int(f.Symbols), "definition")))
	}
	s.Lines = few(s.Lines)
	return s
}
