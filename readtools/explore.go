package readtools

import (
	"context"
	_ "embed" // the description
	"errors"
	"fmt"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// ExploreDescription is what a model reads about codebase_explore.
//
//go:embed codebase_explore.md
var ExploreDescription string

// exploreLimit is how many items an answer shows when a call gives no limit.
const exploreLimit = 100

// focuses are the relations that codebase_explore answers, the first by default.
var focuses = []string{"auto", "overview", "symbol", "callers", "callees", "references", "implementations", "hierarchy", "impact",
	"path", "dependencies", "cycles", "unused", "hotspots", "tests", "changes"}

// Explore answers about the structure of the code base. Its error is an *Error, or the
// context's.
func Explore(ctx context.Context, s *workspace.Snapshot, p ExploreParams) (*ExploreResult, error) {
	e, err := newExploring(ctx, s, p)
	if err != nil {
		return nil, err
	}
	return e.answer()
}

func (e *exploring) answer() (*ExploreResult, error) {
	switch err := e.run(); {
	case errors.Is(err, errLate):
		e.page.unfinished(e.s, &e.res.Head)
	case err != nil:
		return nil, err
	}
	e.finish()
	return e.res, nil
}

// exploring is one run of codebase_explore.
type exploring struct {
	*reading
	p    ExploreParams
	page page
	dir  string // folder or file that narrows the answer, "." for none
	res  *ExploreResult
}

func newExploring(ctx context.Context, s *workspace.Snapshot, p ExploreParams) (*exploring, error) {
	e := &exploring{reading: newReading(ctx, s, p.Page), p: p, dir: ".", res: &ExploreResult{Head: newHead(s), Bound: "exact", Items: []ExploreItem{}}}
	var err error
	if e.p.Focus, err = oneOf("focus", p.Focus, focuses...); err != nil {
		return nil, err
	}
	if p.Depth < 0 {
		return nil, usage("give the number of steps, or leave depth out", "depth cannot be negative")
	}
	if p.Path != "" {
		if e.dir, err = relative(s.Root(), p.Path); err != nil {
			return nil, err
		}
		if fileAt(s, e.dir) == nil && !isFolder(s, e.dir) {
			return nil, noPath(s, e.dir)
		}
	}
	bare := p
	bare.Page = Page{}
	e.page, err = newPage(ctx, s, &e.res.Head, "codebase_explore", bare, p.Page, exploreLimit)
	e.timer = e.page.timer
	return e, err
}

// inParts are the focuses of a symbol whose items are found one after the other, so that an answer may
// end between two of them, as tests, changes and unused may. The others are answered as a whole or
// not yet.
var inParts = []string{"callers", "references", "impact"}

func (e *exploring) run() error {
	e.res.Focus = e.p.Focus
	e.whole = slices.Contains([]string{"auto", "overview", "dependencies", "cycles", "hotspots"}, e.p.Focus)
	switch e.p.Focus {
	case "auto":
		return e.auto()
	case "overview":
		return e.overview()
	case "dependencies":
		return e.dependencies()
	case "cycles":
		return e.cycles()
	case "unused":
		return e.unused()
	case "hotspots":
		return e.hotspots()
	case "tests":
		return e.tests()
	case "changes":
		return e.changes()
	}
	hs, err := e.subject(e.p.Query)
	if err != nil {
		return err
	}
	e.whole = !slices.Contains(inParts, e.p.Focus)
	switch e.p.Focus {
	case "symbol":
		return e.symbolView(hs)
	case "callers":
		return e.callers(hs)
	case "callees":
		return e.callees(hs)
	case "references":
		return e.references(hs)
	case "implementations":
		return e.implementations(hs)
	case "hierarchy":
		return e.hierarchy(hs)
	case "impact":
		return e.impact(hs)
	}
	return e.trail(hs)
}

// finish tells what was left out in a form common to all answers.
func (e *exploring) finish() {
	if e.page.tellTime(&e.res.Head); e.page.cut || e.page.over {
		e.res.Bound = "at least"
	}
	if e.gone > 0 {
		e.atLeast("%s where the file has changed since it was indexed; call again", count(e.gone, "place"))
	}
	if !e.s.Fresh() {
		e.atLeast("what changed since the index was made")
	}
	if len(e.res.Left) > 0 && e.res.Bound != "exact" {
		e.res.Complete = false
	}
}

// left tells something that the answer leaves out by its nature.
func (e *exploring) left(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.res.Left, text) {
		e.res.Left = append(e.res.Left, text)
	}
}

// atLeast tells something that the answer would have to hold but may not.
func (e *exploring) atLeast(format string, args ...any) {
	e.res.Bound = "at least"
	e.left(format, args...)
}

// atLeastIfCut is what stands in front of a number that may be larger.
func (e *exploring) atLeastIfCut() string {
	if e.page.cut {
		return "at least "
	}
	return ""
}

// depth is how many steps to follow.
func (e *exploring) depth(otherwise int) int {
	if e.p.Depth > 0 {
		return min(e.p.Depth, 20)
	}
	return otherwise
}

// subject is the one thing that the query means. A name that means several is refused with
// its candidates; path may tell which is meant.
func (e *exploring) subject(query string) ([]graph.Handle, error) {
	hs, err := e.find(query)
	if err != nil {
		return nil, err
	}
	if len(hs) == 0 {
		if p, err := relative(e.s.Root(), query); err == nil && (fileAt(e.s, p) != nil || isFolder(e.s, p)) {
			return nil, e.noSymbol(p)
		}
		return nil, e.notFound(query)
	}
	if e.dir != "." {
		var in []graph.Handle
		for _, h := range hs {
			if below(e.pathOf(h.File), e.dir) {
				in = append(in, h)
			}
		}
		if len(in) == 0 && fileAt(e.s, e.dir) != nil {
			return nil, e.elsewhere(query, hs)
		}
		if len(in) > 0 {
			hs = in
		}
	}
	groups := e.oneThing(hs)
	if len(groups) > 1 {
		return nil, e.ambiguous(query, groups)
	}
	e.usualFirst(groups[0])
	e.res.Subject = e.symbol(groups[0][0])
	if e.res.Subject == nil {
		return nil, &Error{Code: codePrecondition, Message: fmt.Sprintf("%s is not where it was indexed; the file has changed", query), Next: "call again"}
	}
	if n := e.parts(groups[0]); n > 1 {
		e.res.note(fmt.Sprintf("%s has %s (declarations, overloads or variants), taken together", quotePath(query), count(n, "definition")))
	}
	return groups[0], nil
}

// noSymbol is the error for a path where a symbol is asked for.
func (e *exploring) noSymbol(p string) error {
	what := "folder"
	if fileAt(e.s, p) != nil {
		what = "file"
	}
	return usage(fmt.Sprintf("ask of a definition in it (codebase_explore query: %q alone shows them), or give the path with focus: changes, tests or dependencies", p),
		"%s is a %s, and focus: %s asks of a symbol", quotePath(p), what, e.p.Focus)
}

// parts is how many definitions a subject has; a type's constructors are no parts of it.
func (e *exploring) parts(hs []graph.Handle) int {
	n := len(hs)
	if _, s := e.def(hs[0]); s != nil && s.Kind.Type() {
		for _, h := range hs[1:] {
			if isConstructor(e.reading, h) {
				n--
			}
		}
	}
	return n
}

// elsewhere is the error for a symbol that the file named does not define.
func (e *exploring) elsewhere(query string, hs []graph.Handle) error {
	err := e.ambiguous(query, e.oneThing(hs))
	err.Code = codeNotFound
	err.Message = fmt.Sprintf("%s defines no %s; others do", quotePath(e.dir), query)
	return err
}

// inScope reports whether a place may be shown: below the folder, and no test where tests
// are left out. A file as path tells which symbol is meant and leaves nothing out.
func (e *exploring) inScope(id graph.FileID) bool {
	f := e.file(id)
	if f == nil || f.Test && !e.p.IncludeTests {
		return false
	}
	return e.dir == "." || fileAt(e.s, e.dir) != nil || below(f.Path, e.dir)
}

// entry is an item before it is shown: making it reads its file.
type entry func() (ExploreItem, bool)

// list shows the page of the entries, which are all there are.
func (e *exploring) list(all []entry) {
	e.whole = false
	e.timer.show()
	from, to := e.page.window(len(all))
	var page []ExploreItem
	var next []int
	for i, make := range all[from:to] {
		if len(page) > 0 && e.timer.late() {
			to = from + i
			e.res.note("fewer items are shown than the limit allows, since the time of the call was over")
			break
		}
		if it, ok := make(); ok {
			page, next = append(page, it), append(next, i+1)
		}
	}
	n := fit(page, e.page.budget, func(i int) int { return len(itemText(prevItem(page, i), &page[i], e.res.Focus)) })
	taken := to - from
	if n < len(page) {
		taken = next[n-1]
	}
	e.res.Items = append(e.res.Items, page[:n]...)
	e.page.turn(e.s, &e.res.Head, taken, len(all))
	e.res.Shown = n
}

func prevItem(items []ExploreItem, i int) *ExploreItem {
	if i == 0 {
		return nil
	}
	return &items[i-1]
}
