package readtools

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// nameMatcher finds a pattern in names.
type nameMatcher struct {
	re      *regexp.Regexp
	literal string // where re is nil
}

// newNameMatcher reads the pattern of a call as one over names.
func newNameMatcher(p *GrepParams) (*nameMatcher, error) {
	pattern, err := search.Compile(search.Options{Patterns: []string{p.Pattern}, Literal: p.Literal, IgnoreCase: p.IgnoreCase,
		SmartCase: p.SmartCase, Word: p.Word})
	if err != nil {
		return nil, patternError(err, p.Literal)
	}
	if p.Literal && !pattern.FoldsCase() && !p.Word {
		return &nameMatcher{literal: p.Pattern}, nil
	}
	src := p.Pattern
	if p.Literal {
		src = regexp.QuoteMeta(src)
	}
	if p.Word {
		src = `\b(?:` + src + `)\b`
	}
	if pattern.FoldsCase() {
		src = "(?i)" + src
	}
	re, err := regexp.Compile(src)
	if err != nil {
		return nil, usage("fix the regular expression (RE2 syntax), or search for it as plain text with literal: true", "pattern %q: %v", p.Pattern, err)
	}
	return &nameMatcher{re: re}, nil
}

func (m *nameMatcher) match(name string) bool {
	if m.re == nil {
		return strings.Contains(name, m.literal)
	}
	return m.re.MatchString(name)
}

// span is the first match in a name.
func (m *nameMatcher) span(name string) (start, end int) {
	if m.re == nil {
		i := strings.Index(name, m.literal)
		return i, i + len(m.literal)
	}
	at := m.re.FindStringIndex(name)
	if at == nil {
		return 0, len(name)
	}
	return at[0], at[1]
}

// symbols searches the names of definitions.
func (g *grepping) symbols() error {
	m, err := newNameMatcher(&g.p)
	if err != nil {
		return err
	}
	if err := g.checkPaths(); err != nil {
		return err
	}
	hs, err := g.namedBy(m.match)
	if err != nil {
		return err
	}
	if g.p.Invert {
		g.res.note("invert is ignored for names of definitions")
	}
	all := make([]Match, len(hs))
	for i, h := range hs {
		all[i].Path = g.pathOf(h.File)
	}
	g.countScope()
	from, _ := g.page.window(len(all))
	i := from - 1
	var window []graph.Handle
	if g.p.Output == "lines" {
		_, to := g.page.window(len(all))
		window = hs[from:to]
	}
	if err := g.loadHandles(window); err != nil {
		return err
	}
	g.list(all, func(hit *Match) bool {
		i++
		return g.atName(hit, hs[i], m)
	})
	return nil
}

// countScope counts the files that had a chance, and notes the sources whose names the index
// lacks.
func (g *grepping) countScope() {
	var lacking []Skip
	for i := range g.s.Files() {
		f := &g.s.Files()[i]
		if !g.scope.holds(f.Path, f.Language) {
			continue
		}
		switch {
		case f.Symbols > 0:
			g.res.SearchedFiles++
		case f.Language != "" && f.Skip != "":
			lacking = append(lacking, Skip{Path: f.Path, Reason: "not indexed: " + f.Skip})
		}
	}
	g.res.skip(lacking)
}

// checkPaths makes sure that the paths named are there: an answer from the graph must not
// say that nothing matches below a folder that does not exist.
func (g *grepping) checkPaths() error {
	for _, p := range g.scope.paths {
		if fileAt(g.s, p) == nil && !isFolder(g.s, p) {
			if _, err := g.files(); err != nil {
				return err
			}
			g.res.note(quotePath(p) + " is not part of the project: hidden and ignored files are searched as text only")
		}
	}
	return nil
}

// namedBy are the symbols in scope whose names fit, in the order of their places.
func (g *grepping) namedBy(keep func(string) bool) ([]graph.Handle, error) {
	inScope := map[graph.FileID]bool{}
	for i := range g.s.Files() {
		f := &g.s.Files()[i]
		inScope[f.ID] = g.scope.holds(f.Path, f.Language)
	}
	var hs []graph.Handle
	err := g.r.Named(keep, func(name string, at []graph.Handle) bool {
		if name == "" {
			return true
		}
		for _, h := range at {
			if inScope[h.File] && h.Index >= 0 && h.Index != graph.FileItself {
				hs = append(hs, h)
			}
		}
		return true
	})
	slices.SortFunc(hs, func(a, b graph.Handle) int {
		if a.File != b.File {
			return search.ComparePaths(g.pathOf(a.File), g.pathOf(b.File))
		}
		return cmp.Compare(a.Index, b.Index)
	})
	return slices.Compact(hs), err
}

// atName completes the match of a definition's name.
func (g *grepping) atName(m *Match, h graph.Handle, names *nameMatcher) bool {
	f, s := g.def(h)
	if m.Symbol = g.symbol(h); m.Symbol == nil {
		return false
	}
	start, end := names.span(f.Str(s.Name))
	g.placeMatch(m, s.NameOff, start, end)
	return true
}

// placeMatch sets the line of a place, its span and the lines around it.
func (g *grepping) placeMatch(m *Match, off uint32, start, end int) {
	t := g.source(m.Path)
	m.Line, m.Column = t.place(off)
	raw := t.raw(m.Line)
	from, to := min(m.Column-1+start, len(raw)), min(m.Column-1+end, len(raw))
	clipped, clip := search.ClipText(string(raw), search.Span{Start: from, End: to}, g.page.maxText())
	hit := lineMatch(m.Path, &search.Match{Line: m.Line, EndLine: m.Line, Column: m.Column, Text: clipped, Clip: clip,
		Spans: []search.Span{{Start: from, End: to}}})
	m.Text, m.Spans, m.Clipped, m.Base64 = hit.Text, hit.Spans, hit.Clipped, hit.Base64
	before, after := g.around()
	for l := max(1, m.Line-before); l < m.Line; l++ {
		m.Before = append(m.Before, t.line(l))
	}
	for l := m.Line + 1; l <= min(m.Line+after, t.total()); l++ {
		m.After = append(m.After, t.line(l))
	}
}
