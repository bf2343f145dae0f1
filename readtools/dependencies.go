package readtools

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// dependencies lists what the files at a path import, and which files use what they define.
// The path is the query, or else the argument path; a symbol stands for its file.
func (e *exploring) dependencies() error {
	files, at, err := e.dependents()
	if err != nil {
		return err
	}
	out, err := e.imports(files, at)
	if err != nil {
		return err
	}
	in, err := e.importers(files)
	if err != nil {
		return err
	}
	e.res.note(at + ": " + count(len(out), "import") + ", used by " + count(len(in), "file"))
	e.list(append(out, in...))
	return nil
}

// dependents are the files that the call is about, and their path.
func (e *exploring) dependents() ([]*graph.File, string, error) {
	given := e.p.Query
	if given == "" {
		given = e.dir
	}
	p, err := relative(e.s.Root(), given)
	if err == nil && (fileAt(e.s, p) != nil || isFolder(e.s, p)) {
		return filesOfGraph(e.s, p), p, nil
	}
	hs, findErr := e.find(given)
	if findErr != nil || len(hs) == 0 {
		if err == nil {
			err = noPath(e.s, p)
		}
		return nil, "", err
	}
	if hs, err = e.subject(given); err != nil {
		return nil, "", err
	}
	f := e.file(hs[0].File)
	return []*graph.File{f}, f.Path, nil
}

// imported is a module that files import: in the project at path to, or outside by its name.
type imported struct {
	to   string
	name string
	hit  siteHit // the first import
	n    int     // how many there are
}

// imports are the entries of what files import from elsewhere, each module once.
func (e *exploring) imports(files []*graph.File, at string) ([]entry, error) {
	all, err := e.imported(files, at)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *imported) int {
		if (a.to == "") != (b.to == "") {
			return strings.Compare(b.to, a.to)
		}
		return strings.Compare(a.to+a.name, b.to+b.name)
	})
	var entries []entry
	for _, im := range all {
		entries = append(entries, func() (ExploreItem, bool) { return e.importItem(im) })
	}
	return entries, nil
}

// imported are the modules that files import, without those at path at itself.
func (e *exploring) imported(files []*graph.File, at string) ([]*imported, error) {
	ids := make([]graph.FileID, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	if err := e.load(ids...); err != nil {
		return nil, err
	}
	if err := e.loadLinks(ids...); err != nil {
		return nil, err
	}
	var all []*imported
	seen := map[string]*imported{}
	for _, id := range ids {
		f := e.facts[id]
		graph.Sites(id, f, e.links[id], func(s graph.Site) {
			if s.Role != graph.Import || s.Expr >= 0 || (-1-s.Expr)%2 != 0 {
				return
			}
			im := &imported{name: f.Str(s.Name), hit: siteHit{Site: s}, n: 1}
			im.to = e.moduleAt(&s, im.name, len(files) > 1)
			if im.to != "" && below(im.to, at) {
				return
			}
			key := im.to
			if key == "" {
				key = "\x00" + im.name
			}
			if was := seen[key]; was != nil {
				was.n++
				return
			}
			seen[key] = im
			all = append(all, im)
		})
	}
	return all, nil
}

// moduleAt is where an imported module lies in the project: its file, or its folder where
// the import names that or where folders are asked for.
func (e *exploring) moduleAt(s *graph.Site, name string, folders bool) string {
	if len(s.Targets) == 0 {
		return ""
	}
	to := e.pathOf(s.Targets[0].File)
	if dir := folderOf(to); folders || name == dir || strings.HasSuffix(name, "/"+dir) {
		return dir
	}
	return to
}

func (e *exploring) importItem(im *imported) (ExploreItem, bool) {
	it, ok := e.placeItem(&im.hit, e.page.maxText())
	if !ok {
		return it, false
	}
	it.Edge.Role = "imports"
	it.External, it.Note = im.name, im.to
	if im.to != "" {
		it.External = ""
	}
	if im.n > 1 {
		it.Note = strings.TrimSpace(it.Note + " (" + count(im.n, "import") + ")")
	}
	return it, true
}

// importers are the entries of the files that use what the files define.
func (e *exploring) importers(files []*graph.File) ([]entry, error) {
	users, err := e.usersOf(files)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(users, func(a, b graph.FileID) int { return strings.Compare(e.pathOf(a), e.pathOf(b)) })
	var entries []entry
	for _, id := range users {
		f := e.file(id)
		if f == nil || f.Test && !e.p.IncludeTests {
			continue
		}
		entries = append(entries, func() (ExploreItem, bool) {
			return ExploreItem{Path: f.Path, Edge: &Edge{Role: "used by", Reason: "references", Certain: true, Confidence: 0.97}}, true
		})
	}
	return entries, nil
}

// usersOf are the other files with references to what the files define, or to the files
// themselves.
func (e *exploring) usersOf(files []*graph.File) ([]graph.FileID, error) {
	ids := make([]graph.FileID, len(files))
	inside := map[graph.FileID]bool{}
	for i, f := range files {
		ids[i], inside[f.ID] = f.ID, true
	}
	if err := e.load(ids...); err != nil {
		return nil, err
	}
	var targets []graph.Target
	for _, id := range ids {
		targets = append(targets, graph.ModuleTarget(id))
		if f := e.facts[id]; f != nil {
			for i := range f.Symbols {
				targets = append(targets, graph.Target{File: id, Hash: f.TargetHash(int32(i))})
			}
		}
	}
	lists, err := e.r.Referrers(targets)
	if err != nil {
		return nil, err
	}
	var out []graph.FileID
	for _, l := range lists {
		for _, id := range l {
			if !inside[id] {
				inside[id] = true
				out = append(out, id)
			}
		}
	}
	return out, nil
}
