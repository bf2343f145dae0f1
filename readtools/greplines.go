package readtools

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// text searches the text of the files in scope. The text index only leaves out files that
// cannot match; every line shown has been read now.
func (g *grepping) text() error {
	pattern, err := search.Compile(search.Options{Patterns: []string{g.p.Pattern}, Literal: g.p.Literal, IgnoreCase: g.p.IgnoreCase,
		SmartCase: g.p.SmartCase, Word: g.p.Word, Multiline: g.p.Multiline, Invert: g.p.Invert, CRLF: true})
	if err != nil {
		return patternError(err, g.p.Literal)
	}
	files, err := g.files()
	if err != nil {
		return err
	}
	g.res.SearchedFiles = len(files)
	targets, known, skips, err := g.narrow(files, pattern)
	if err != nil {
		return err
	}
	targets = targets[firstAt(targets, g.page.at):]
	late, stop := g.timer.over()
	defer stop()
	opt := search.SearchOptions{Skip: g.page.from, Limit: g.page.limit, Late: late}
	opt.Before, opt.After = g.around()
	opt.MaxText, opt.MaxSpans = g.page.maxText(), 100
	switch g.p.Output {
	case "files":
		opt.Mode = search.Files
	case "count":
		opt.Mode = search.Count
	}
	found, err := (&search.Searcher{Source: g.disk}).Search(g.ctx, pattern, targets, opt)
	if err != nil {
		return err
	}
	for _, k := range found.Skipped {
		skips = append(skips, skipped(k))
	}
	g.res.skip(skips)
	g.walkSkips()
	g.page.cut = found.Front < len(targets)
	g.res.FilesMatched = g.page.files + found.MatchedFiles
	g.lines(found, known)
	if g.page.cut {
		next := targets[found.Front].Path
		g.goOn(found, next)
		n := slices.IndexFunc(files, func(f candidate) bool { return f.Path == next })
		g.res.SearchedFiles = n
		g.res.note(fmt.Sprintf("searched %s of %s, those in front of %s", thousands(n), count(len(files), "file"), quotePath(next)))
	}
	return nil
}

// firstAt is the first of the targets that does not stand in front of a path.
func firstAt(targets []search.Target, at string) int {
	if at == "" {
		return 0
	}
	n := slices.IndexFunc(targets, func(t search.Target) bool { return search.ComparePaths(t.Path, at) >= 0 })
	if n < 0 {
		return len(targets)
	}
	return n
}

// goOn sets the cursor of a search that was cut in front of the file next: on with that file where
// all that was found is shown, else with what is not shown yet.
func (g *grepping) goOn(found *search.Result, next string) {
	entries := found.Lines
	if g.p.Output != "lines" {
		entries = found.MatchedFiles
	}
	if at := g.page.from + g.res.Shown; at >= entries {
		g.res.Cursor = encodeCursor(g.s.Generation(), position{from: at - entries, at: next, items: g.page.items + found.Lines, files: g.res.FilesMatched}, g.page.call)
	}
}

// skipped is a file that the search left out.
func skipped(k search.Skip) Skip {
	out := Skip{Path: k.Path, Reason: string(k.Reason)}
	if k.Err != nil && strings.Contains(k.Err.Error(), "permission") {
		out.Reason += ": permission denied"
	}
	return out
}

// walkSkips notes the paths that could not be walked.
func (g *grepping) walkSkips() {
	var out []Skip
	for _, k := range g.s.Skips() {
		if len(g.scope.paths) == 0 || slices.ContainsFunc(g.scope.paths, func(p string) bool { return below(k.Path, p) }) {
			out = append(out, Skip{Path: k.Path, Reason: string(k.Reason)})
		}
	}
	g.res.skip(out)
}

// narrow leaves out files that the text index says cannot match. Files that it knows to be
// binary are among those; they are told.
func (g *grepping) narrow(files []candidate, p *search.Pattern) ([]search.Target, map[string]*graph.File, []Skip, error) {
	fits, err := candidates(g.reading, p)
	if err != nil {
		return nil, nil, nil, err
	}
	var targets []search.Target
	var skips []Skip
	known := map[string]*graph.File{}
	for _, f := range files {
		if f.known == nil || f.Explicit || fits(f.known.ID) {
			targets = append(targets, f.Target)
			known[f.Path] = f.known
		} else if f.known.Skip == string(search.SkipBinary) {
			skips = append(skips, Skip{Path: f.Path, Reason: f.known.Skip})
		}
	}
	return targets, known, skips, nil
}

// candidates says which files of the project can match a pattern.
func candidates(rd *reading, p *search.Pattern) (func(graph.FileID) bool, error) {
	all := func(graph.FileID) bool { return true }
	q := p.Query()
	if rd.s.Text() == nil || q.Op == search.QueryAll {
		return all, nil
	}
	c, err := rd.s.Text().Candidates(rd.ctx, q)
	if err != nil || c.All {
		return all, err
	}
	docs := make(map[graph.FileID]bool, len(c.Docs))
	for _, d := range c.Docs {
		docs[graph.FileID(d)] = true
	}
	return func(id graph.FileID) bool { return docs[id] }, nil
}

// lines turns what was found into the result.
func (g *grepping) lines(found *search.Result, known map[string]*graph.File) {
	if g.p.Output != "lines" {
		var page []FileCount
		for _, f := range found.Files {
			page = append(page, FileCount{f.Path, f.Lines})
		}
		page = page[:fit(page, g.page.budget, func(i int) int { return len(page[i].Path) + 10 })]
		g.setFiles(page, found.MatchedFiles, g.page.items+found.Lines)
		if g.p.Output == "files" {
			g.res.Total = g.res.FilesMatched
		}
		return
	}
	var page []Match
	var at []offset
	for i := range found.Files {
		f := &found.Files[i]
		if f.Binary {
			page, at = append(page, Match{Path: f.Path, Binary: true, Text: "binary file matches"}), append(at, offset{})
			continue
		}
		ms, os := fileMatches(f, known[f.Path])
		page, at = append(page, ms...), append(at, os...)
	}
	n := fit(page, g.page.budget, func(i int) int { return len(matchText(prevMatch(page, i), &page[i])) + 40 })
	g.enclose(page[:n], at[:n])
	g.show(page[:n], found.Lines)
	g.res.Total = g.page.items + found.Lines
}

// offset is where a match begins in its file, for the graph; file is nil where the graph has
// nothing to say.
type offset struct {
	file *graph.File
	off  uint32
}

// fileMatches are the matches of a file with the lines around them, each line once.
func fileMatches(f *search.FileResult, known *graph.File) ([]Match, []offset) {
	var out []Match
	var at []offset
	var before []string
	last, bom := 0, 0
	if f.BOM {
		bom = 3
	}
	if f.Encoding != "utf-8" || known != nil && (known.Symbols == 0 || known.Size != f.Meta.Size) {
		known = nil
	}
	for i := range f.Matches {
		m := &f.Matches[i]
		if m.Context {
			if n := len(out); n > 0 && last+1 == m.Line && len(before) == 0 && afterRoom(f.Matches, i) {
				out[n-1].After = append(out[n-1].After, valid([]byte(m.Text)))
				last = m.Line
			} else {
				before = append(before, valid([]byte(m.Text)))
			}
			continue
		}
		hit := lineMatch(f.Path, m)
		hit.Before, before = before, nil
		out = append(out, hit)
		at = append(at, offset{known, uint32(int(m.Off) + bom + m.Column - 1)})
		last = m.EndLine
	}
	return out, at
}

// afterRoom reports whether the context line i belongs to the match before it: no gap lies
// between, which the caller has checked, and the next match is not nearer.
func afterRoom(ms []search.Match, i int) bool {
	back, ahead := 0, 0
	for k := i; k >= 0 && ms[k].Context; k-- {
		back++
	}
	for k := i; ; k++ {
		if k >= len(ms) || k > i && ms[k].Line != ms[k-1].EndLine+1 {
			return true
		}
		if !ms[k].Context {
			return back <= ahead
		}
		ahead++
	}
}

// lineMatch is a matching line as the result shows it.
func lineMatch(path string, m *search.Match) Match {
	out := Match{Path: path, Line: m.Line, Column: m.Column, Text: m.Text, Clipped: m.Clip != nil}
	if m.EndLine > m.Line {
		out.EndLine = m.EndLine
	}
	start := 0
	if m.Clip != nil {
		start = m.Clip.Start
	}
	bad := !utf8.ValidString(m.Text)
	if bad {
		out.Text, out.Base64 = valid([]byte(m.Text)), base64.StdEncoding.EncodeToString([]byte(m.Text))
	}
	for _, s := range m.Spans {
		a, b := min(max(s.Start-start, 0), len(m.Text)), min(max(s.End-start, 0), len(m.Text))
		if bad {
			a, b = len(valid([]byte(m.Text[:a]))), len(valid([]byte(m.Text[:b])))
		}
		if a < b || s.Start == s.End {
			out.Spans = append(out.Spans, [2]int{a, b})
		}
	}
	return out
}

// enclose names the definitions that the matches stand in.
func (g *grepping) enclose(page []Match, at []offset) {
	if g.page.overdue() {
		g.res.note("the definitions around the matches are not named")
		return
	}
	var ids []graph.FileID
	for i := range at {
		if at[i].file != nil {
			ids = append(ids, at[i].file.ID)
		}
	}
	if g.load(ids...) != nil {
		return
	}
	for i := range page {
		if file := at[i].file; file != nil {
			page[i].Symbol = g.enclosing(file, at[i].off)
		}
	}
}

// enclosing is the innermost definition around an offset, if the file is still what the
// graph was made from.
func (rd *reading) enclosing(file *graph.File, off uint32) *Symbol {
	f := rd.factsOf(file.ID)
	if f == nil {
		return nil
	}
	i := f.Enclosing(off)
	for i != graph.None && (f.Symbols[i].Flags&graph.Anonymous != 0 || f.Str(f.Symbols[i].Name) == "") {
		i = f.Symbols[i].Container
	}
	t := rd.source(file.Path)
	if i == graph.None || t == nil || !t.holds(f.Symbols[i].NameOff, f.Str(f.Symbols[i].Name)) {
		return nil
	}
	return brief(file, f, i)
}
