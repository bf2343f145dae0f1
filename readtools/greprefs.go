package readtools

import (
	"cmp"
	"errors"
	"regexp"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// maxNamed bounds the symbols whose uses one pattern asks for.
const maxNamed = 2000

// references searches uses: of the symbols that the pattern means as a selector, or else of
// all whose names it matches. Mentions of a plain name that could not be bound, or that lead
// outside, are uses too, with the status that says so.
func (g *grepping) references() error {
	m, err := newNameMatcher(&g.p)
	if err != nil {
		return err
	}
	if err := g.checkPaths(); err != nil {
		return err
	}
	g.countScope()
	plain := identifier.MatchString(g.p.Pattern)
	hs, err := g.subjects(m)
	if err != nil {
		return err
	}
	sites, err := g.sitesOf(hs)
	if err != nil {
		return err
	}
	if plain && !g.p.Word && !g.p.IgnoreCase {
		more, err := g.mentions(g.p.Pattern)
		if errors.Is(err, errLate) {
			g.res.note("so far at least " + count(len(g.inOrder(sites)), "use"))
		}
		if err != nil {
			return err
		}
		sites = append(sites, more...)
	}
	g.sites(g.inOrder(sites))
	return nil
}

// identifier matches what is a name in most languages and no regular expression.
var identifier = regexp.MustCompile(`^[\pL_$][\pL\pN_$]*$`)

// subjects are the symbols that the pattern means.
func (g *grepping) subjects(m *nameMatcher) ([]graph.Handle, error) {
	hs, err := g.find(g.p.Pattern)
	if err != nil || len(hs) > 0 {
		return hs, err
	}
	var out []graph.Handle
	err = g.r.Named(m.match, func(_ string, at []graph.Handle) bool {
		for _, h := range at {
			if h.Index >= 0 && h.Index != graph.FileItself {
				out = append(out, h)
			}
		}
		return len(out) < maxNamed
	})
	if len(out) >= maxNamed {
		g.res.Complete = false
		g.res.note("uses of the first " + thousands(len(out)) + " matching names only; make the pattern narrower")
	}
	if err != nil {
		return nil, err
	}
	return out, g.loadHandles(out)
}

// sitesOf are the references to the symbols.
func (g *grepping) sitesOf(hs []graph.Handle) ([]graph.Site, error) {
	var out []graph.Site
	_, err := g.sitesUntil(g.targets(hs), func(_ int, s *graph.Site) { out = append(out, *s) }, func() bool { return false })
	return out, err
}

// mentions are the references by a name that have no target in the project.
func (rd *reading) mentions(name string) ([]graph.Site, error) {
	files, _, err := rd.filesWith(name)
	if err != nil {
		return nil, err
	}
	return rd.mentionsIn(name, files)
}

// mentionsIn are those in the files.
func (rd *reading) mentionsIn(name string, files []*graph.File) ([]graph.Site, error) {
	var ids []graph.FileID
	for _, f := range files {
		ids = append(ids, f.ID)
	}
	if err := rd.load(ids...); err != nil {
		return nil, err
	}
	if err := rd.loadLinks(ids...); err != nil {
		return nil, err
	}
	var out []graph.Site
	for _, id := range ids {
		f := rd.facts[id]
		graph.Sites(id, f, rd.links[id], func(s graph.Site) {
			if len(s.Targets) == 0 && f.Str(s.Name) == name {
				out = append(out, s)
			}
		})
	}
	return out, nil
}

// filesWith are the files of the project in whose text a name stands as a whole word, with
// the lines.
func (rd *reading) filesWith(name string) ([]*graph.File, []search.FileResult, error) {
	p, err := search.Compile(search.Options{Patterns: []string{name}, Literal: true, Word: true})
	if err != nil {
		return nil, nil, patternError(err, true)
	}
	fits, err := candidates(rd, p)
	if err != nil {
		return nil, nil, err
	}
	var targets []search.Target
	for i := range rd.s.Files() {
		if f := &rd.s.Files()[i]; fits(f.ID) {
			targets = append(targets, search.Target{Path: f.Path})
		}
	}
	opt := search.SearchOptions{}
	opt.MaxSpans = 1 << 20
	ctx, cancel := rd.timer.within(rd.ctx)
	defer cancel()
	found, err := (&search.Searcher{Source: rd.disk}).Search(ctx, p, targets, opt)
	if err != nil {
		return nil, nil, lateError(ctx, err)
	}
	var files []*graph.File
	for i := range found.Files {
		files = append(files, fileAt(rd.s, found.Files[i].Path))
	}
	return files, found.Files, nil
}

// inOrder are the sites in scope, each place once, by path and place.
func (g *grepping) inOrder(sites []graph.Site) []graph.Site {
	sites = slices.DeleteFunc(sites, func(s graph.Site) bool {
		f := g.file(s.File)
		return f == nil || !g.scope.holds(f.Path, f.Language)
	})
	slices.SortStableFunc(sites, func(a, b graph.Site) int {
		if a.File != b.File {
			return search.ComparePaths(g.pathOf(a.File), g.pathOf(b.File))
		}
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Role, b.Role))
	})
	return slices.CompactFunc(sites, func(a, b graph.Site) bool { return a.File == b.File && a.Off == b.Off && a.Role == b.Role })
}

// sites lists references.
func (g *grepping) sites(sites []graph.Site) {
	all := make([]Match, len(sites))
	for i := range sites {
		all[i].Path = g.pathOf(sites[i].File)
	}
	from, _ := g.page.window(len(all))
	i := from - 1
	g.list(all, func(m *Match) bool {
		i++
		return g.atSite(m, &sites[i])
	})
}

// atSite completes the match of a reference.
func (g *grepping) atSite(m *Match, s *graph.Site) bool {
	f := g.factsOf(s.File)
	t := g.source(m.Path)
	if f == nil || t == nil || !t.holds(s.Off, f.Str(s.Name)) {
		g.gone++
		return false
	}
	g.placeMatch(m, s.Off, 0, len(f.Str(s.Name)))
	m.Role, m.Status, m.Reason = s.Role.String(), s.Status.String(), s.Reason.String()
	if in := f.Enclosing(s.Off); in != graph.None {
		if c := f.Callable(in); c != graph.None {
			in = c
		}
		m.Symbol = brief(g.file(s.File), f, in)
	}
	if len(s.Targets) > 0 {
		m.Target = g.symbol(g.resolve(s.Targets[0]))
	}
	return true
}
