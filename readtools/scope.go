package readtools

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// globs decide about paths: the last one that matches wins, a leading ! excludes, and a
// path that none matches is in unless there is a glob that includes.
type globs struct {
	list     []glob
	includes bool
}

type glob struct {
	pattern string
	exclude bool
}

// newGlobs reads globs in ripgrep's manner: one without a slash holds in any folder, one
// with a slash inside from the root on, and one that ends in a slash for all below.
func newGlobs(include, exclude []string) (*globs, error) {
	g := &globs{}
	for _, p := range include {
		rest, not := strings.CutPrefix(p, "!")
		if err := g.add(rest, not); err != nil {
			return nil, err
		}
	}
	for _, p := range exclude {
		if err := g.add(strings.TrimPrefix(p, "!"), true); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *globs) add(pattern string, exclude bool) error {
	p, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/")
	switch trimmed := strings.TrimPrefix(p, "/"); {
	case trimmed != p:
		p = trimmed
	case !strings.Contains(p, "/"):
		p = "**/" + p
	}
	if below {
		p += "/**"
	}
	if p == "" || !doublestar.ValidatePattern(p) {
		return usage("write it as in *.go, src/** or !**/*_test.go", "the glob %q is malformed", pattern)
	}
	g.list = append(g.list, glob{p, exclude})
	g.includes = g.includes || !exclude
	return nil
}

// match reports whether a path is in.
func (g *globs) match(p string) bool {
	for i := len(g.list) - 1; i >= 0; i-- {
		if gl := &g.list[i]; gl.match(p) {
			return !gl.exclude
		}
	}
	return !g.includes
}

// match reports whether the glob matches the path or, to exclude, a folder above it.
func (g *glob) match(p string) bool {
	if doublestar.MatchUnvalidated(g.pattern, p) {
		return true
	}
	for d := path.Dir(p); g.exclude && d != "."; d = path.Dir(d) {
		if doublestar.MatchUnvalidated(g.pattern, d) {
			return true
		}
	}
	return false
}

// scope is what a call may look at.
type scope struct {
	paths    []string // folders and files, cleaned
	globs    *globs
	language string
	hidden   bool
	ignored  bool
}

// newScope checks the arguments that narrow a call.
func newScope(s *workspace.Snapshot, paths, include, exclude []string, language string) (*scope, error) {
	g, err := newGlobs(include, exclude)
	if err != nil {
		return nil, err
	}
	sc := &scope{globs: g}
	for _, given := range paths {
		p, err := relative(s.Root(), given)
		if err != nil {
			return nil, err
		}
		sc.paths = append(sc.paths, p)
	}
	sc.language, err = languageName(s, language)
	return sc, err
}

// languageName is the proper name of a language; a name that is none is a usage error.
func languageName(s *workspace.Snapshot, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	if l := lang.Named(name); l != nil {
		return l.Name, nil
	}
	known := map[string]bool{}
	for i := range s.Files() {
		if l := s.Files()[i].Language; l != "" {
			known[l] = true
		}
	}
	if known[name] {
		return name, nil
	}
	for _, l := range lang.All() {
		known[l.Name] = true
	}
	names := make([]string, 0, len(known))
	for l := range known {
		names = append(names, l)
	}
	slices.Sort(names)
	return "", usage("give one of: "+strings.Join(names, ", ")+"; or narrow by glob", "no language is called %q", name)
}

// narrows reports whether the scope is less than the whole project.
func (sc *scope) narrows() bool {
	return len(sc.paths) > 0 || len(sc.globs.list) > 0 || sc.language != ""
}

// holds reports whether a path of the project is in scope.
func (sc *scope) holds(p, language string) bool {
	if sc.language != "" && language != sc.language || !sc.globs.match(p) {
		return false
	}
	return len(sc.paths) == 0 || slices.ContainsFunc(sc.paths, func(dir string) bool { return below(p, dir) })
}

// candidate is a file in scope. Known is nil for a file that is none of the project's.
type candidate struct {
	search.Target
	known *graph.File
}

// files are the files in scope, in the order of a walk: by path, part by part. Paths that
// are named but not part of the project are looked for among what is hidden and ignored.
func (sc *scope) files(ctx context.Context, s *workspace.Snapshot) ([]candidate, error) {
	var out []candidate
	seen := map[string]bool{}
	add := func(p string, known *graph.File, explicit bool) {
		if !seen[p] && (explicit || sc.fits(p, languageOf(p, known))) {
			seen[p] = true
			out = append(out, candidate{search.Target{Path: p, Explicit: explicit}, known})
		}
	}
	for _, p := range sc.paths {
		if p == "." {
			continue
		}
		if err := sc.named(ctx, s, p, add); err != nil {
			return nil, err
		}
	}
	if err := sc.walked(ctx, s, add); err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b candidate) int { return search.ComparePaths(a.Path, b.Path) })
	return out, nil
}

// languageOf is the language of a file that may not be known to the graph.
func languageOf(p string, known *graph.File) string {
	if known != nil {
		return known.Language
	}
	if l := lang.Detect(p, nil); l != nil {
		return l.Name
	}
	return ""
}

func (sc *scope) fits(p, language string) bool {
	return (sc.language == "" || language == sc.language) && sc.globs.match(p)
}

// walked adds what a walk of the tree gives.
func (sc *scope) walked(ctx context.Context, s *workspace.Snapshot, add func(string, *graph.File, bool)) error {
	all := len(sc.paths) == 0 || slices.Contains(sc.paths, ".")
	for i := range s.Files() {
		f := &s.Files()[i]
		if all || slices.ContainsFunc(sc.paths, func(dir string) bool { return below(f.Path, dir) }) {
			add(f.Path, f, false)
		}
	}
	if !sc.hidden && !sc.ignored {
		return nil
	}
	l, err := s.Tree(ctx, sc.hidden, sc.ignored)
	if err != nil {
		return err
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Type == ignore.File && (sc.hidden || !e.Hidden) && (sc.ignored || !e.Ignored) && (all || slices.ContainsFunc(sc.paths, func(dir string) bool { return below(e.Path, dir) })) {
			add(e.Path, fileAt(s, e.Path), false)
		}
	}
	return nil
}

// named adds the files that a path means by itself: a file, or what lies in a folder that
// is not part of the project.
func (sc *scope) named(ctx context.Context, s *workspace.Snapshot, p string, add func(string, *graph.File, bool)) error {
	if f := fileAt(s, p); f != nil {
		add(p, f, true)
		return nil
	}
	if isFolder(s, p) {
		return nil
	}
	_, err := s.Read(ctx, p)
	switch {
	case err == nil:
		add(p, nil, true)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return noPath(s, p)
	case !errors.Is(err, search.ErrNotRegular):
		return PathError(p, err)
	}
	l, err := s.Tree(ctx, true, true)
	if err != nil {
		return err
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Type == ignore.File && e.Path != p && below(e.Path, p) && (sc.hidden || !dotted(e.Path[len(p)+1:])) {
			add(e.Path, fileAt(s, e.Path), false)
		}
	}
	return nil
}

// dotted reports whether a part of a path begins with a dot.
func dotted(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }

// compareScores puts the better score first, and among equals the lesser name.
func compareScores(a, b float64, x, y string) int {
	return cmp.Or(cmp.Compare(b, a), cmp.Compare(x, y))
}
