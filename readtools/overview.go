package readtools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// overview shows what the code base is made of: languages, where programs begin, folders,
// the symbols that most files refer to, and tests.
func (e *exploring) overview() error {
	e.res.Focus = "overview"
	files := filesOfGraph(e.s, e.dir)
	e.res.Sections = append(e.res.Sections, languagesSection(files))
	mains, err := e.entryPoints()
	if err != nil {
		return err
	}
	e.res.Sections = append(e.res.Sections, mains, e.foldersSection(files))
	top, err := e.mostUsed(files)
	if err != nil {
		return err
	}
	e.res.Sections = append(e.res.Sections, testsSection(files))
	var entries []entry
	for _, u := range top {
		entries = append(entries, func() (ExploreItem, bool) {
			it, ok := e.symbolItem(u.h)
			it.Score, it.Note = float64(u.files), "referred to in "+count(u.files, "file")
			return it, ok
		})
	}
	e.list(entries)
	return nil
}

func languagesSection(files []*graph.File) Section {
	type sum struct{ files, lines, symbols int }
	by := map[string]*sum{}
	lines := 0
	for _, f := range files {
		name := f.Language
		if name == "" {
			name = "other files"
		}
		if by[name] == nil {
			by[name] = &sum{}
		}
		s := by[name]
		s.files, s.lines, s.symbols = s.files+1, s.lines+int(f.Lines), s.symbols+int(f.Symbols)
		lines += int(f.Lines)
	}
	names := make([]string, 0, len(by))
	for n := range by {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(by[b].symbols, by[a].symbols), cmp.Compare(a, b)) })
	out := Section{Title: fmt.Sprintf("languages (%s, %s)", count(len(files), "file"), count(lines, "line"))}
	for _, n := range names {
		s := by[n]
		out.Lines = append(out.Lines, fmt.Sprintf("%s: %s, %s, %s", n, count(s.files, "file"), count(s.lines, "line"), count(s.symbols, "symbol")))
	}
	return out
}

// entryPoints are the functions at top level with which programs begin.
func (e *exploring) entryPoints() (Section, error) {
	var hs []graph.Handle
	err := e.r.Named(func(n string) bool { return n == "main" || n == "Main" }, func(_ string, at []graph.Handle) bool {
		for _, h := range at {
			if f := e.file(h.File); h.Index >= 0 && h.Index != graph.FileItself && f != nil && !f.Test && below(f.Path, e.dir) {
				hs = append(hs, h)
			}
		}
		return true
	})
	if err != nil {
		return Section{}, err
	}
	const most = 200
	cut := len(hs) > most
	hs = e.sorted(hs)[:min(len(hs), most)]
	if err := e.loadHandles(hs); err != nil {
		return Section{}, err
	}
	var lines []string
	for _, h := range hs {
		if _, s := e.def(h); s != nil && s.Kind.Callable() && s.Flags&graph.NestedDef == 0 {
			if sym := e.symbol(h); sym != nil {
				lines = append(lines, fmt.Sprintf("%s:%d  %s", quotePath(sym.Path), sym.Line, sym.Signature))
			}
		}
	}
	title := "entry points: " + thousands(len(lines))
	if cut {
		title += " or more"
	}
	return Section{Title: title, Lines: few(lines)}, nil
}

// foldersSection are the folders with most lines of code, two deep.
func (e *exploring) foldersSection(files []*graph.File) Section {
	type sum struct{ files, lines, symbols int }
	by := map[string]*sum{}
	for _, f := range files {
		rest := f.Path
		if e.dir != "." {
			rest = strings.TrimPrefix(strings.TrimPrefix(f.Path, e.dir), "/")
		}
		parts := strings.Split(rest, "/")
		for n := 1; n <= min(2, len(parts)-1); n++ {
			d := strings.Join(parts[:n], "/")
			if by[d] == nil {
				by[d] = &sum{}
			}
			by[d].files, by[d].lines, by[d].symbols = by[d].files+1, by[d].lines+int(f.Lines), by[d].symbols+int(f.Symbols)
		}
	}
	names := make([]string, 0, len(by))
	for n := range by {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(by[b].symbols, by[a].symbols), cmp.Compare(a, b)) })
	out := Section{Title: "biggest of " + count(len(names), "folder")}
	for _, n := range names[:min(len(names), 2*fewSites)] {
		s := by[n]
		out.Lines = append(out.Lines, fmt.Sprintf("%s/: %s, %s, %s", n, count(s.files, "file"), count(s.lines, "line"), count(s.symbols, "symbol")))
	}
	return out
}

func testsSection(files []*graph.File) Section {
	dirs := map[string]int{}
	n := 0
	for _, f := range files {
		if f.Test {
			dirs[folderOf(f.Path)]++
			n++
		}
	}
	out := Section{Title: fmt.Sprintf("tests: %s in %s", count(n, "file"), count(len(dirs), "folder"))}
	names := sortedCounts(dirs)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(dirs[b], dirs[a]) })
	for _, d := range names[:min(len(names), 8)] {
		out.Lines = append(out.Lines, fmt.Sprintf("%s/: %s", d, count(dirs[d], "test file")))
	}
	return out
}

// used is a symbol with the number of files that refer to it.
type used struct {
	h     graph.Handle
	files int
}

// sampled is how many files are asked what they refer to, to find what is used most. The
// number that is shown is exact.
const sampled = 60

// mostUsed are the symbols that most files refer to, among those that a sample of the files
// refers to.
func (e *exploring) mostUsed(files []*graph.File) ([]used, error) {
	files = slices.DeleteFunc(slices.Clone(files), func(f *graph.File) bool { return f.Symbols == 0 || f.Test || f.Size > 1<<18 })
	if len(files) > sampled {
		step := float64(len(files)) / sampled
		picked := make([]*graph.File, sampled)
		for i := range picked {
			picked[i] = files[int(float64(i)*step)]
		}
		files = picked
		e.left("most used symbols are looked for in %s of the files; their numbers are exact", thousands(sampled))
	}
	ids := make([]graph.FileID, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	if err := e.loadLinks(ids...); err != nil {
		return nil, err
	}
	freq := map[graph.Target]int{}
	for _, id := range ids {
		seen := map[graph.Target]bool{}
		if l := e.links[id]; l != nil {
			for _, t := range l.Targets {
				if !seen[t] && t != graph.ModuleTarget(t.File) {
					seen[t] = true
					freq[t]++
				}
			}
		}
	}
	return e.byReferrers(freq)
}

// byReferrers orders the likeliest targets by the number of files that refer to them.
func (e *exploring) byReferrers(freq map[graph.Target]int) ([]used, error) {
	targets := make([]graph.Target, 0, len(freq))
	for t := range freq {
		if f := e.file(t.File); f != nil && below(f.Path, e.dir) && !f.Test {
			targets = append(targets, t)
		}
	}
	slices.SortFunc(targets, func(a, b graph.Target) int {
		return cmp.Or(cmp.Compare(freq[b], freq[a]), strings.Compare(e.pathOf(a.File), e.pathOf(b.File)), cmp.Compare(a.Hash, b.Hash))
	})
	targets = targets[:min(len(targets), 40)]
	lists, err := e.r.Referrers(targets)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.FileID, len(targets))
	for i, t := range targets {
		ids[i] = t.File
	}
	if err := e.load(ids...); err != nil {
		return nil, err
	}
	var out []used
	for i, t := range targets {
		if h := e.resolve(t); h.Index >= 0 && h.Index != graph.FileItself {
			out = append(out, used{h, len(lists[i])})
		}
	}
	slices.SortStableFunc(out, func(a, b used) int { return cmp.Compare(b.files, a.files) })
	return out[:min(len(out), 20)], nil
}
