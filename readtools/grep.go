package readtools

import (
	"context"
	_ "embed" // the description
	"errors"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace"
)

// GrepDescription is what a model reads about grep.
//
//go:embed grep.md
var GrepDescription string

// The limits of grep when a call gives none.
const (
	grepLines = 200
	grepFiles = 1000
)

// Grep searches file text, names of definitions, uses of a symbol or configuration keys. Its
// error is an *Error, or the context's.
func Grep(ctx context.Context, s *workspace.Snapshot, p GrepParams) (*GrepResult, error) {
	g, err := newGrepping(ctx, s, p)
	if err != nil {
		return nil, err
	}
	return g.run()
}

func (g *grepping) run() (_ *GrepResult, err error) {
	switch g.p.In {
	case "symbols":
		err = g.symbols()
	case "references":
		err = g.references()
	case "config":
		err = g.config()
	default:
		err = g.text()
	}
	if errors.Is(err, errLate) {
		g.page.unfinished(g.s, &g.res.Head)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	g.page.tellTime(&g.res.Head)
	g.tellUnsearched()
	if (g.p.In == "symbols" || g.p.In == "references") && !g.s.Fresh() {
		g.res.Complete = false // the notes say why
	}
	g.res.present(g.p.Output)
	return g.res, nil
}

// tellUnsearched says of a search without a match where it did not look, and how to.
func (g *grepping) tellUnsearched() {
	var where, how []string
	for _, part := range []struct {
		searched  bool
		where, as string
	}{{g.p.Hidden, "dot files", "hidden: true"}, {g.p.IncludeIgnored, "ignored files", "include_ignored: true"}} {
		if !part.searched {
			where, how = append(where, part.where), append(how, part.as)
		}
	}
	if g.res.Total == 0 && g.res.Cursor == "" && g.page.from == 0 && len(where) > 0 && (g.p.In == "text" || g.p.In == "config") {
		g.res.note(strings.Join(where, " and ") + " were not searched (" + strings.Join(how, ", ") + ")")
	}
}

// present makes the list that was asked for one that is there, if empty.
func (r *GrepResult) present(output string) {
	switch {
	case output == "lines" && r.Matches == nil:
		r.Matches = []Match{}
	case output == "files" && r.Files == nil:
		r.Files = []string{}
	case output == "count" && r.Counts == nil:
		r.Counts = []FileCount{}
	}
}

// When is how a call's View waits, and how long the call works.
func (p GrepParams) When(ctx context.Context) context.Context {
	if p.In == "" || p.In == "text" {
		ctx = workspace.AtFirst(ctx, firstWait)
	}
	return p.Page.When(ctx)
}

// grepping is one run of grep.
type grepping struct {
	*reading
	p     GrepParams
	page  page
	scope *scope
	res   *GrepResult
}

func newGrepping(ctx context.Context, s *workspace.Snapshot, p GrepParams) (*grepping, error) {
	g := &grepping{reading: newReading(ctx, s, p.Page), p: p, res: &GrepResult{Head: newHead(s)}}
	var err error
	if g.p.In, err = oneOf("in", p.In, "text", "symbols", "references", "config"); err != nil {
		return nil, err
	}
	if g.p.Output, err = oneOf("output", p.Output, "lines", "files", "count"); err != nil {
		return nil, err
	}
	if min(p.Context, p.Before, p.After) < 0 {
		return nil, usage("give the number of lines", "context, before and after cannot be negative")
	}
	if g.scope, err = newScope(s, p.Path, p.Glob, p.Exclude, p.Language); err != nil {
		return nil, err
	}
	g.scope.hidden, g.scope.ignored = p.Hidden, p.IncludeIgnored
	bare := p
	bare.Page = Page{}
	limit := grepLines
	if g.p.Output != "lines" {
		limit = grepFiles
	}
	g.page, err = newPage(ctx, s, &g.res.Head, "grep", bare, p.Page, limit)
	g.timer = g.page.timer
	return g, err
}

// files are the files in scope. Listing what is hidden or ignored may take all the time.
func (g *grepping) files() ([]candidate, error) {
	ctx, cancel := g.timer.within(g.ctx)
	defer cancel()
	files, err := g.scope.files(ctx, g.s)
	return files, lateError(ctx, err)
}

// around is how many lines of context to show before and after a match.
func (g *grepping) around() (before, after int) {
	const most = 1000
	before, after = g.p.Context, g.p.Context
	if g.p.Before > 0 {
		before = g.p.Before
	}
	if g.p.After > 0 {
		after = g.p.After
	}
	return min(before, most), min(after, most)
}

// list puts matches, all there are, into the result in the form that is asked for.
// complete makes the shown ones whole; one that it returns false for is dropped.
func (g *grepping) list(all []Match, complete func(m *Match) bool) {
	counts := countFiles(all)
	g.res.FilesMatched = len(counts)
	if g.p.Output != "lines" {
		g.listFiles(counts, len(all))
		return
	}
	g.timer.show()
	from, to := g.page.window(len(all))
	var page []Match
	var next []int // for each of the page, where an answer goes on after it
	for i, m := range all[from:to] {
		if len(page) > 0 && g.timer.late() {
			to = from + i
			g.res.note("fewer places are shown than the limit allows, since the time of the call was over")
			break
		}
		if complete == nil || complete(&m) {
			page, next = append(page, m), append(next, i+1)
		}
	}
	n := g.show(page, len(all))
	taken := to - from
	if n < len(page) {
		taken = next[n-1]
	}
	g.page.turn(g.s, &g.res.Head, taken, len(all))
	g.res.Shown = n
	g.dropped()
}

// dropped tells how many places are not what the graph says any more.
func (g *grepping) dropped() {
	if g.gone > 0 {
		g.res.Complete = false
		g.res.note(count(g.gone, "place") + " left out: the file has changed there since it was indexed; call again")
	}
}

// show lists those of the matches that fit, and says how many.
func (g *grepping) show(page []Match, total int) int {
	n := fit(page, g.page.budget, func(i int) int { return len(matchText(prevMatch(page, i), &page[i])) })
	g.res.Matches = page[:n]
	g.page.turn(g.s, &g.res.Head, n, total)
	return n
}

// listFiles lists files or their counts instead of lines.
func (g *grepping) listFiles(counts []FileCount, lines int) {
	from, to := g.page.window(len(counts))
	page := counts[from:to]
	page = page[:fit(page, g.page.budget, func(i int) int { return len(page[i].Path) + 10 })]
	g.setFiles(page, len(counts), lines)
}

func (g *grepping) setFiles(page []FileCount, files, lines int) {
	g.page.turn(g.s, &g.res.Head, len(page), files)
	if g.p.Output == "count" {
		g.res.Counts, g.res.Total = page, lines
		return
	}
	for _, c := range page {
		g.res.Files = append(g.res.Files, c.Path)
	}
}

func prevMatch(ms []Match, i int) *Match {
	if i == 0 {
		return nil
	}
	return &ms[i-1]
}

// countFiles counts matches by file, in the order of the files.
func countFiles(all []Match) []FileCount {
	var out []FileCount
	for i := range all {
		if n := len(out); n > 0 && out[n-1].Path == all[i].Path {
			out[n-1].Count++
		} else {
			out = append(out, FileCount{all[i].Path, 1})
		}
	}
	return out
}

// skip notes files that were left out, many of one reason as a number.
func (h *Head) skip(all []Skip) {
	const most = 20
	count := map[string]int{}
	for _, s := range all {
		count[s.Reason]++
	}
	told := map[string]bool{}
	for _, s := range all {
		if s.Reason != "binary" {
			h.Complete = false
		}
		switch n := count[s.Reason]; {
		case n <= most:
			h.Skipped = append(h.Skipped, s)
		case !told[s.Reason]:
			told[s.Reason] = true
			h.Skipped = append(h.Skipped, Skip{Reason: s.Reason, Count: n})
		}
	}
	slices.SortStableFunc(h.Skipped, func(a, b Skip) int { return compareScores(0, 0, a.Path, b.Path) })
}
