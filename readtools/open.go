package readtools

import (
	"context"
	_ "embed" // the description
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

// OpenDescription is what a model reads about read_open.
//
//go:embed read_open.md
var OpenDescription string

// openLimit is how many targets one answer opens when a call gives no limit.
const openLimit = 50

// Open opens known targets: files, lines of files, symbols. An error of one of several
// targets is in its item; that of an only target is Open's own. Its error is an *Error, or the
// context's.
func Open(ctx context.Context, s *workspace.Snapshot, p OpenParams) (*OpenResult, error) {
	o, err := newOpening(ctx, s, p)
	if err != nil {
		return nil, err
	}
	return o.run()
}

func newOpening(ctx context.Context, s *workspace.Snapshot, p OpenParams) (*opening, error) {
	o := &opening{reading: newReading(ctx, s, p.Page), p: p, res: &OpenResult{Head: newHead(s)}}
	var err error
	if o.p.View, err = oneOf("view", p.View, "source", "outline", "signature"); err != nil {
		return nil, err
	}
	if p.Context < 0 {
		return nil, usage("give the number of lines", "context cannot be negative")
	}
	if len(p.Target) == 0 {
		return nil, usage("give target: a path, path:LINE, path:A-B or a symbol", "there is nothing to open")
	}
	bare := p
	bare.Page = Page{}
	o.page, err = newPage(ctx, s, &o.res.Head, "read_open", bare, p.Page, openLimit)
	o.timer = o.page.timer
	return o, err
}

func (o *opening) run() (*OpenResult, error) {
	if err := o.open(); err != nil {
		return nil, err
	}
	o.page.tellTime(&o.res.Head)
	return o.res, nil
}

// opening is one run of read_open.
type opening struct {
	*reading
	p    OpenParams
	page page
	left int // characters of text that may still be shown
	res  *OpenResult
}

// cursorNote is the room that the line with the cursor takes, and what is said of the time.
const cursorNote = 300

// open opens the targets of the page. The first always has room; what does not fit of a
// later one is left for the next page.
func (o *opening) open() error {
	o.left = o.page.budget - cursorNote
	for _, n := range o.res.Notes {
		o.left -= len(n) + len("note: \n")
	}
	from, to := o.page.window(len(o.p.Target))
	shown := 0
	for i, target := range o.p.Target[from:to] {
		if i > 0 && o.left <= 0 || o.page.late(from+i) {
			break
		}
		item, err := o.target(target, i == 0)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(o.p.Target) == 1 {
				return err
			}
			item = o.fits(&OpenItem{Target: target, Candidates: e.Candidates, Error: e}, i == 0)
		}
		if item == nil { // no room
			break
		}
		o.res.Items = append(o.res.Items, *item)
		shown++
	}
	o.page.turn(o.s, &o.res.Head, shown, len(o.p.Target))
	return nil
}

// The forms of a path with lines: path:LINE, path:A-B, path:A- and path:LINE:COLUMN.
var (
	lineRange  = regexp.MustCompile(`^(.+):(\d+)(?:(-)(\d*))?$`)
	lineColumn = regexp.MustCompile(`^(.+):(\d+)()():\d+$`)
)

// target opens one target. It gives nil if there is no room for it, unless first is set.
func (o *opening) target(target string, first bool) (*OpenItem, error) {
	if strings.TrimSpace(target) == "" {
		return nil, usage("give a path, path:LINE, path:A-B or a symbol", "a target is empty")
	}
	f, err := o.read(target)
	if err == nil {
		return o.file(target, f, 0, 0, first)
	}
	fileErr := err
	for _, form := range []*regexp.Regexp{lineRange, lineColumn} {
		m := form.FindStringSubmatch(target)
		if m == nil {
			continue
		}
		f, err := o.read(m[1])
		if err == nil {
			a, b, err := lineNumbers(m)
			if err != nil {
				return nil, err
			}
			return o.file(target, f, a, b, first)
		}
		if !missing(err) {
			return nil, err
		}
		fileErr = err // of the shorter path
	}
	if !missing(fileErr) {
		return nil, fileErr
	}
	return o.symbolTarget(target, first)
}

// missing reports whether an error says that there is no such file, so that the target may
// still be a symbol.
func missing(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == codeNotFound
}

// lineNumbers are the lines of path:LINE, path:A-B and path:A-; an open end is 1<<30.
func lineNumbers(m []string) (a, b int, err error) {
	a, err = strconv.Atoi(m[2])
	b = a
	if err == nil && m[3] != "" {
		b = 1 << 30
		if m[4] != "" {
			b, err = strconv.Atoi(m[4])
		}
	}
	if err != nil || a < 1 || b < a {
		return 0, 0, usage("give path:A-B with 1 <= A <= B", "%s is no range of lines", m[0][len(m[1])+1:])
	}
	return a, b, nil
}

// read reads the file that a caller named.
func (o *opening) read(given string) (*workspace.File, error) {
	p, err := relative(o.s.Root(), given)
	if err != nil {
		return nil, err
	}
	f, err := o.disk.Read(o.ctx, p)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, search.ErrNotRegular) && (p == "." || isFolder(o.s, p)) {
		return nil, &Error{Code: codePrecondition, Message: fmt.Sprintf("%s is a folder", quotePath(p)),
			Next: fmt.Sprintf("list it with read_discover path: %q", p)}
	}
	if errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "not a directory") || strings.Contains(err.Error(), "name too long") {
		return nil, noPath(o.s, p)
	}
	return nil, PathError(p, err)
}

// symbolTarget opens what a selector means.
func (o *opening) symbolTarget(target string, first bool) (*OpenItem, error) {
	hs, err := o.find(target)
	if err != nil {
		return nil, err
	}
	if len(hs) == 0 {
		if looksLikePath(target) {
			return nil, noPath(o.s, strings.TrimPrefix(bareTarget(target), "./"))
		}
		return nil, o.notFound(target)
	}
	groups := o.oneThing(hs)
	if len(groups) > 1 {
		return nil, o.ambiguous(target, groups)
	}
	o.usualFirst(groups[0])
	return o.symbolItem(target, groups[0], first)
}

// bareTarget is a target without its lines.
func bareTarget(target string) string {
	return lineRange.ReplaceAllString(lineColumn.ReplaceAllString(target, "$1"), "$1")
}

// looksLikePath reports whether a target that means nothing was meant as a file.
func looksLikePath(target string) bool {
	file := bareTarget(target)
	return !strings.ContainsAny(target, "#(") && (strings.Contains(file, "/") || file != target || languageOf(file, nil) != "" || formatOf(file) != nil)
}

// symbolItem opens a symbol: its first definition, and names its other parts.
func (o *opening) symbolItem(target string, hs []graph.Handle, first bool) (*OpenItem, error) {
	h := hs[0]
	sym := o.symbol(h)
	file := o.reading.file(h.File)
	if sym == nil || file == nil {
		return nil, &Error{Code: codePrecondition, Message: fmt.Sprintf("%s is not where it was indexed; the file has changed", target), Next: "call again"}
	}
	f, err := o.disk.Read(o.ctx, file.Path)
	if err != nil {
		return nil, PathError(file.Path, err)
	}
	sym.Doc = o.docOf(h)
	item := o.describe(target, f)
	item.Symbol = sym
	for _, other := range hs[1:] {
		if s := o.symbol(other); s != nil {
			item.Candidates = append(item.Candidates, *s)
		}
	}
	switch o.p.View {
	case "outline":
		o.outline(item, o.members(h))
		return o.fits(item, first), nil
	case "signature":
		item.Text = sym.Signature
		if sym.Doc != "" {
			item.Text = sym.Doc + "\n\n" + sym.Signature
		}
		item.Lines = [2]int{sym.StartLine, sym.StartLine + strings.Count(sym.Signature, "\n")}
		return o.fits(item, first), nil
	}
	start := sym.StartLine
	if _, s := o.def(h); s.DocEnd > s.DocStart && s.DocStart < s.Start {
		if t := o.source(file.Path); t != nil {
			start, _ = t.place(s.DocStart)
		}
	}
	return o.lines(item, f, start-o.p.Context, sym.EndLine+o.p.Context, first)
}
