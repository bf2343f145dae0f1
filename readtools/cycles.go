package readtools

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// cycles lists the circles of dependencies among the folders, and among the files, at a path. A
// file depends on another if it imports it or refers for certain to what it defines. Files of
// one folder that declare one package are compiled together, so what they need of each other
// closes no circle; neither do tests, on which no folder depends.
func (e *exploring) cycles() error {
	files, at, err := e.dependents()
	if err != nil {
		return err
	}
	files = e.withSymbols(files)
	byFile, declared, err := e.network(files)
	if err != nil {
		return err
	}
	byFolder := foldersOf(byFile, files, declared)
	ofFolders, ofFiles := byFolder.circles(), byFile.circles()
	where := quotePath(at)
	if at == "." {
		where = "the project"
	}
	e.res.note(fmt.Sprintf("%s of folders and %s of files among the %s of %s", count(len(ofFolders), "circle"), thousands(len(ofFiles)), count(len(files), "source file"), where))
	entries := e.circleEntries(nil, byFolder, ofFolders, "folders")
	e.list(e.circleEntries(entries, byFile, ofFiles, "files"))
	return nil
}

// network is what depends on what among the files, with the package that each declares.
func (e *exploring) network(files []*graph.File) (*network, []string, error) {
	names, declared, number := make([]string, len(files)), make([]string, len(files)), map[graph.FileID]int{}
	for i, f := range files {
		names[i], number[f.ID] = f.Path, i
	}
	g := newNetwork(names)
	possible := map[[2]graph.FileID]bool{}
	err := e.everyFile(files, func(file *graph.File, f *graph.Facts, l *graph.Links) {
		from := number[file.ID]
		declared[from] = f.Package
		graph.Sites(file.ID, f, l, func(s graph.Site) {
			for _, t := range s.Targets {
				to, in := number[t.File]
				switch {
				case !in || to == from:
				case s.Status != graph.Certain:
					possible[[2]graph.FileID{file.ID, t.File}] = true
				default:
					g.depend(from, to, &s)
				}
			}
		})
	})
	if err != nil {
		return nil, nil, err
	}
	e.onlyPossible(g, number, possible)
	if n := g.without(func(from, to int) bool {
		return declared[from] != "" && declared[from] == declared[to] && folderOf(names[from]) == folderOf(names[to])
	}); n > 0 {
		e.left("%s between files of one package", count(n, "dependency"))
	}
	return g, declared, nil
}

// depend notes a reference from one node to another.
func (g *network) depend(from, to int, s *graph.Site) {
	d := g.out[from][to]
	if d == nil {
		d = &dependency{}
		g.out[from][to] = d
	}
	if d.n++; d.n == 1 || s.Role == graph.Import && d.hit.Role != graph.Import {
		d.hit = siteHit{Site: *s}
		d.hit.Targets = slices.Clone(s.Targets[:1]) // the rest of the file's links need not be kept
	}
}

// without takes edges out of the network and counts them.
func (g *network) without(drop func(from, to int) bool) (n int) {
	for from, out := range g.out {
		for to := range out {
			if drop(from, to) {
				delete(out, to)
				n++
			}
		}
	}
	return n
}

// onlyPossible tells of dependencies that rest on references which are not certain.
func (e *exploring) onlyPossible(g *network, number map[graph.FileID]int, possible map[[2]graph.FileID]bool) {
	n := 0
	for p := range possible {
		if g.out[number[p[0]]][number[p[1]]] == nil {
			n++
		}
	}
	if n > 0 {
		e.left("%s of which no reference is certain", count(n, "dependency"))
	}
}

// foldersOf is what depends on what among the folders of the files that are no tests. Files of
// another package than most of their folder's, such as programs that write its sources, are
// apart.
func foldersOf(byFile *network, files []*graph.File, declared []string) *network {
	units := unitsOf(files, declared)
	names := slices.Sorted(slices.Values(units))
	names = slices.Compact(names)
	number := map[string]int{}
	for i, n := range names {
		number[n] = i
	}
	g := newNetwork(names)
	for from, out := range byFile.out {
		for _, to := range slices.Sorted(maps.Keys(out)) {
			if a, b := number[units[from]], number[units[to]]; a != b && !files[from].Test && !files[to].Test {
				g.join(a, b, out[to])
			}
		}
	}
	return g
}

// unitsOf names for each file the folder that it is of, and the package where that is not the
// folder's usual one.
func unitsOf(files []*graph.File, declared []string) []string {
	type unit struct{ folder, pkg string }
	size, usual := map[unit]int{}, map[string]string{}
	for i, f := range files {
		if !f.Test {
			size[unit{folderOf(f.Path), declared[i]}]++
		}
	}
	for u, n := range size {
		was, ok := usual[u.folder]
		if most := size[unit{u.folder, was}]; !ok || n > most || n == most && u.pkg < was {
			usual[u.folder] = u.pkg
		}
	}
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = folderOf(f.Path)
		if u := usual[out[i]]; !f.Test && declared[i] != u && declared[i] != "" {
			out[i] += " (package " + declared[i] + ")"
		}
	}
	return out
}

// join adds the references of a dependency to an edge.
func (g *network) join(from, to int, d *dependency) {
	was := g.out[from][to]
	if was == nil {
		g.out[from][to] = &dependency{d.hit, d.n}
		return
	}
	was.n += d.n
	if d.hit.Role == graph.Import && was.hit.Role != graph.Import {
		was.hit = d.hit
	}
}

// maxCircles is of how many circles the members are told; the edges are of all.
const maxCircles = 20

// circleEntries adds the edges of circles, and tells of each circle who is in it.
func (e *exploring) circleEntries(entries []entry, g *network, all []circle, what string) []entry {
	for i, c := range all {
		name := fmt.Sprintf("circle %d of %s", i+1, what)
		if e.page.from == 0 && i < maxCircles {
			e.res.Sections = append(e.res.Sections, circleSection(g, &c, name))
		}
		for _, x := range c.edges {
			entries = append(entries, func() (ExploreItem, bool) { return e.circleItem(g, &x, name) })
		}
	}
	return entries
}

func circleSection(g *network, c *circle, name string) Section {
	back := 0
	for _, x := range c.edges {
		if x.closes {
			back++
		}
	}
	how := map[bool]string{true: "no fewer could", false: "perhaps fewer could"}[c.least]
	verb := map[bool]string{true: "closes", false: "close"}[back == 1]
	s := Section{Title: fmt.Sprintf("%s: %s members, %s, of which %s %s it (%s)", name, thousands(len(c.members)), count(len(c.edges), "dependency"), thousands(back), verb, how)}
	for _, m := range c.members {
		s.Lines = append(s.Lines, quotePath(g.names[m]))
	}
	s.Lines = few(s.Lines)
	return s
}

func (e *exploring) circleItem(g *network, x *circleEdge, name string) (ExploreItem, bool) {
	it, ok := e.placeItem(&x.hit, e.page.maxText())
	if !ok {
		return it, false
	}
	parts := []string{name + ": " + quotePath(g.names[x.from]) + " -> " + quotePath(g.names[x.to]), count(x.n, "reference")}
	if x.closes {
		parts = append(parts, "closes it")
	}
	it.Note = strings.Join(parts, ", ")
	return it, true
}
