package readtools

import (
	"context"
	_ "embed" // the description
	"errors"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// DiscoverDescription is what a model reads about read_discover.
//
//go:embed read_discover.md
var DiscoverDescription string

// The limits of read_discover when a call gives none.
const (
	discoverFound = 100
	discoverTree  = 150
)

// Discover finds paths by name, or shows the shape of the tree. Its error is an *Error, or
// the context's.
func Discover(ctx context.Context, s *workspace.Snapshot, p DiscoverParams) (*DiscoverResult, error) {
	d, err := newDiscovering(ctx, s, p)
	if err != nil {
		return nil, err
	}
	switch err := d.walk(); {
	case errors.Is(err, errLate):
		d.res.Entries = []DiscoverEntry{}
		d.page.unfinished(s, &d.res.Head)
		d.page.tellTime(&d.res.Head)
		return d.res, nil
	case err != nil:
		return nil, err
	}
	var all []DiscoverEntry
	if p.Query != "" {
		all = d.rank()
	} else {
		all = d.shape()
	}
	from, to := d.page.window(len(all))
	page := all[from:to]
	n := fit(page, d.page.budget, func(i int) int { return len(entryText(&page[i], "", p.Query != "")) })
	d.res.Entries = page[:n]
	d.page.turn(s, &d.res.Head, n, len(all))
	return d.res, nil
}

// discovering is one run of read_discover.
type discovering struct {
	ctx   context.Context
	s     *workspace.Snapshot
	p     DiscoverParams
	start string // the folder to start at
	scope *scope
	page  page
	res   *DiscoverResult

	entries []DiscoverEntry           // files, in the order of a walk
	dirs    map[string]*DiscoverEntry // folders by path, with sums
}

func newDiscovering(ctx context.Context, s *workspace.Snapshot, p DiscoverParams) (*discovering, error) {
	d := &discovering{ctx: ctx, s: s, p: p, start: ".", res: &DiscoverResult{Head: newHead(s)}, dirs: map[string]*DiscoverEntry{}}
	var err error
	if d.p.Type, err = oneOf("type", p.Type, "any", "file", "dir"); err != nil {
		return nil, err
	}
	if p.Depth < 0 {
		return nil, usage("give the number of folders, or leave depth out", "depth cannot be negative")
	}
	var paths []string
	if p.Path != "" {
		if d.start, err = relative(s.Root(), p.Path); err != nil {
			return nil, err
		}
		paths = []string{d.start}
	}
	if d.scope, err = newScope(s, paths, p.Glob, nil, p.Language); err != nil {
		return nil, err
	}
	d.scope.hidden, d.scope.ignored = p.Hidden, p.IncludeIgnored
	bare := p
	bare.Page = Page{}
	limit := discoverTree
	if p.Query != "" {
		limit = discoverFound
	}
	d.page, err = newPage(ctx, s, &d.res.Head, "read_discover", bare, p.Page, limit)
	return d, err
}

// walk gathers the files and folders in scope. Listing what is hidden or ignored may take all the time.
func (d *discovering) walk() error {
	ctx, cancel := d.page.timer.within(d.ctx)
	defer cancel()
	files, err := d.scope.files(ctx, d.s)
	if err != nil {
		return lateError(ctx, err)
	}
	narrowed := len(d.scope.globs.list) > 0 || d.scope.language != ""
	sizes, err := d.listed(ctx, narrowed)
	if err != nil {
		return lateError(ctx, err)
	}
	for _, f := range files {
		e := DiscoverEntry{Path: f.Path, Type: "file", Files: 1}
		if f.known != nil {
			e.Size, e.Lines, e.Language, e.Symbols = f.known.Size, int(f.known.Lines), f.known.Language, int(f.known.Symbols)
		} else {
			e.Size, e.Language = sizes[f.Path], languageOf(f.Path, nil)
		}
		d.entries = append(d.entries, e)
		d.addUp(&e, narrowed)
	}
	return nil
}

// listed adds the folders of the tree that hold no files of the project, and gives the sizes
// of files that the graph does not know. It is only worth its price where it can add.
func (d *discovering) listed(ctx context.Context, narrowed bool) (map[string]int64, error) {
	sizes := map[string]int64{}
	if narrowed && !d.p.Hidden && !d.p.IncludeIgnored && d.p.Type == "file" {
		return sizes, nil
	}
	known := d.start == "." || isFolder(d.s, d.start) || fileAt(d.s, d.start) != nil
	hidden, ignored := d.p.Hidden || !known, d.p.IncludeIgnored || !known
	l, err := d.s.Tree(ctx, hidden, ignored)
	if err != nil {
		return nil, err
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		switch {
		case e.Hidden && !hidden || e.Ignored && !ignored: // the listing names it all the same
		case e.Type == ignore.File && !e.Part():
			sizes[e.Path] = e.Size
		case e.Type == ignore.Dir && below(e.Path, d.start) && e.Path != d.start && d.scope.globs.match(e.Path) && d.scope.language == "":
			d.dirs[e.Path] = &DiscoverEntry{Path: e.Path, Type: "dir"}
		}
	}
	return sizes, nil
}

// addUp adds a file to the folders that it is in; where globs or a language narrow the call,
// folders count only what they let through.
func (d *discovering) addUp(e *DiscoverEntry, narrowed bool) {
	for dir := folderOf(e.Path); dir != "." && dir != d.start && below(dir, d.start); dir = folderOf(dir) {
		t := d.dirs[dir]
		if t == nil {
			if narrowed && !d.scope.globs.match(dir) && d.p.Query != "" {
				continue
			}
			t = &DiscoverEntry{Path: dir, Type: "dir"}
			d.dirs[dir] = t
		}
		t.Size, t.Lines, t.Files, t.Symbols = t.Size+e.Size, t.Lines+e.Lines, t.Files+1, t.Symbols+e.Symbols
	}
}

// depthOf is how many folders below the start a path is; 1 for what lies in it.
func (d *discovering) depthOf(p string) int {
	if d.start != "." {
		p = strings.TrimPrefix(p[len(d.start):], "/")
	}
	return strings.Count(p, "/") + 1
}

// all are the entries of the types asked for, no deeper than depth (0: any).
func (d *discovering) all(depth int) []DiscoverEntry {
	var out []DiscoverEntry
	add := func(e *DiscoverEntry) {
		if depth == 0 || d.depthOf(e.Path) <= depth {
			out = append(out, *e)
		}
	}
	if d.p.Type != "dir" {
		for i := range d.entries {
			d.entries[i].Files = 0
			add(&d.entries[i])
		}
	}
	if d.p.Type != "file" && (d.scope.language == "" || d.p.Type == "dir") {
		for _, e := range d.dirs {
			if !d.scope.globs.includes || d.scope.globs.match(e.Path) {
				add(e)
			}
		}
	}
	return out
}

// rank is what fits the query, the best first.
func (d *discovering) rank() []DiscoverEntry {
	sc := newPathScorer(d.p.Query)
	out := d.all(d.p.Depth)
	for i := range out {
		out[i].Score = sc.score(out[i].Path)
	}
	out = slices.DeleteFunc(out, func(e DiscoverEntry) bool { return e.Score <= 0 })
	slices.SortFunc(out, func(a, b DiscoverEntry) int { return compareScores(a.Score, b.Score, a.Path, b.Path) })
	return out
}

// shape is the tree: as deep as asked for, or as the limit allows, and told how deep.
func (d *discovering) shape() []DiscoverEntry {
	depth := d.p.Depth
	narrowed := len(d.scope.globs.list) > 0 || d.scope.language != "" || d.p.Type != "any"
	if depth == 0 && !narrowed {
		depth = d.deepest(d.page.limit)
	}
	out := d.all(depth)
	if !narrowed {
		out = withoutLinks(out)
	}
	treeOrder(out)
	if deeper := d.deeper(depth); deeper > 0 {
		d.res.note("cut at depth " + thousands(depth) + ": " + count(deeper, "file") + " lie deeper; give path to look into a folder, or depth: " + thousands(depth+1))
	}
	return out
}

// withoutLinks leaves out each folder that holds nothing but one other folder, whose path tells
// of it: `src/main/java/org/acme` is one entry, not five.
func withoutLinks(all []DiscoverEntry) []DiscoverEntry {
	children, folders := map[string]int{}, map[string]int{}
	for i := range all {
		up := folderOf(all[i].Path)
		children[up]++
		if all[i].Type == "dir" {
			folders[up]++
		}
	}
	return slices.DeleteFunc(all, func(e DiscoverEntry) bool {
		return e.Type == "dir" && children[e.Path] == 1 && folders[e.Path] == 1
	})
}

// treeOrder puts a folder's own files right behind it and before the folders in it.
func treeOrder(all []DiscoverEntry) {
	type keyed struct {
		key   []string
		entry DiscoverEntry
	}
	keys := make([]keyed, len(all))
	for i, e := range all {
		parts := strings.Split(e.Path, "/")
		for k := range parts {
			if k < len(parts)-1 || e.Type == "dir" {
				parts[k] = "\x01" + parts[k]
			} else {
				parts[k] = "\x00" + parts[k]
			}
		}
		keys[i] = keyed{parts, e}
	}
	slices.SortFunc(keys, func(a, b keyed) int { return slices.Compare(a.key, b.key) })
	for i := range keys {
		all[i] = keys[i].entry
	}
}

// deepest is the greatest depth whose entries fit a limit, at least 1.
func (d *discovering) deepest(limit int) int {
	var at []int
	note := func(p string) {
		n := d.depthOf(p)
		for len(at) <= n {
			at = append(at, 0)
		}
		at[n]++
	}
	for i := range d.entries {
		note(d.entries[i].Path)
	}
	for p := range d.dirs {
		note(p)
	}
	depth, sum := 1, 0
	for n := 1; n < len(at); n++ {
		if sum += at[n]; n > 1 && sum > limit {
			break
		}
		depth = n
	}
	return depth
}

func (d *discovering) deeper(depth int) int {
	n := 0
	for i := range d.entries {
		if depth > 0 && d.depthOf(d.entries[i].Path) > depth {
			n++
		}
	}
	return n
}

// filesOfGraph are the project's files below a path.
func filesOfGraph(s *workspace.Snapshot, dir string) []*graph.File {
	var out []*graph.File
	for i := range s.Files() {
		if f := &s.Files()[i]; below(f.Path, dir) {
			out = append(out, f)
		}
	}
	return out
}
