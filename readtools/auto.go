package readtools

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// auto decides what a query asks for: nothing for an overview, a path, a symbol, the places
// of a stack trace, or else a question in words.
func (e *exploring) auto() error {
	q := strings.TrimSpace(e.p.Query)
	if q == "" {
		return e.overview()
	}
	if places := e.trace(q); len(places) > 0 && (strings.Contains(q, "\n") || len(places) > 1) {
		return e.places(places)
	}
	if p, err := relative(e.s.Root(), q); err == nil && p != "." {
		if f := fileAt(e.s, p); f != nil {
			return e.fileView(f)
		}
		if isFolder(e.s, p) {
			e.dir = p
			return e.overview()
		}
	}
	if !strings.ContainsAny(q, " \t\n") || strings.ContainsAny(q, "(<[") && len(strings.Fields(q)) < 4 {
		hs, err := e.find(q)
		if err != nil {
			return err
		}
		if len(hs) > 0 {
			if hs, err = e.subject(q); err != nil {
				return err
			}
			return e.symbolView(hs)
		}
	}
	return e.ask(q)
}

// tracePlace finds path:line in a stack trace, in the forms of many languages: Go, Java and
// JavaScript write path:line, Python `File "path", line N`.
var tracePlace = regexp.MustCompile(`File "([^"\n]+)", line (\d+)|([^\s()"'<>|:,]+\.[A-Za-z][A-Za-z0-9+]*):(\d+)`)

// tracePoint is a place that a trace names.
type tracePoint struct {
	file *graph.File
	line int
}

// trace are the places of a trace that lie in the project, in its order, each once.
func (e *exploring) trace(text string) []tracePoint {
	var out []tracePoint
	for _, m := range tracePlace.FindAllStringSubmatch(text, 200) {
		p, n := m[1]+m[3], m[2]+m[4]
		line, err := strconv.Atoi(n)
		if err != nil {
			continue
		}
		if f := e.tracedFile(p); f != nil && !slices.Contains(out, tracePoint{f, line}) {
			out = append(out, tracePoint{f, line})
		}
	}
	return out
}

// tracedFile is the only file of the project whose path ends as p does, which may be a path
// on another machine.
func (e *exploring) tracedFile(p string) *graph.File {
	p = strings.ReplaceAll(p, `\`, "/")
	if rel, err := relative(e.s.Root(), p); err == nil {
		if f := fileAt(e.s, rel); f != nil {
			return f
		}
	}
	for rest := strings.Trim(p, "/"); rest != ""; {
		var hit *graph.File
		n := 0
		for i := range e.s.Files() {
			if f := &e.s.Files()[i]; f.Path == rest || strings.HasSuffix(f.Path, "/"+rest) {
				hit, n = f, n+1
			}
		}
		if n == 1 {
			return hit
		}
		if n > 1 {
			return nil
		}
		_, after, more := strings.Cut(rest, "/")
		if !more {
			return nil
		}
		rest = after
	}
	return nil
}

// places shows the places of a stack trace with the symbols around them.
func (e *exploring) places(points []tracePoint) error {
	entries := make([]entry, len(points))
	for i, p := range points {
		entries[i] = func() (ExploreItem, bool) { return e.tracedItem(p) }
	}
	e.res.note("places of the trace that lie in the project, in its order")
	e.list(entries)
	return nil
}

func (e *exploring) tracedItem(p tracePoint) (ExploreItem, bool) {
	t := e.source(p.file.Path)
	if t == nil {
		return ExploreItem{}, false
	}
	it := ExploreItem{Path: p.file.Path, Line: p.line, Column: 1}
	if p.line > t.total() {
		it.Note = fmt.Sprintf("the file has only %s now", count(t.total(), "line"))
		return it, true
	}
	var lines []string
	for n := max(1, p.line-2); n <= min(t.total(), p.line+2); n++ {
		lines = append(lines, fmt.Sprintf("%d\t%s", n, t.line(n)))
	}
	it.Text = strings.Join(lines, "\n")
	if f := e.factsOf(p.file.ID); f != nil {
		if i := f.Callable(f.Enclosing(t.lines[p.line-1] + uint32(len(t.raw(p.line))))); i != graph.None {
			it.Symbol = e.symbol(graph.Handle{File: p.file.ID, Index: i})
		}
	}
	return it, true
}

// fileView shows a file as the outline of its symbols, and who imports it.
func (e *exploring) fileView(f *graph.File) error {
	e.res.Focus = "symbol"
	facts := e.factsOf(f.ID)
	var entries []entry
	if facts != nil {
		for i := range facts.Symbols {
			if s := &facts.Symbols[i]; facts.Str(s.Name) != "" && s.Flags&(graph.Anonymous|graph.NestedDef) == 0 {
				h := graph.Handle{File: f.ID, Index: int32(i)}
				entries = append(entries, func() (ExploreItem, bool) { return e.symbolItem(h) })
			}
		}
	} else {
		e.left("definitions: %s", map[bool]string{true: "no language is known for this file", false: f.Skip}[f.Skip == ""])
	}
	users, err := e.usersOf([]*graph.File{f})
	if err != nil {
		return err
	}
	e.res.Sections = append(e.res.Sections, Section{Title: fmt.Sprintf("%s: %s, %s, %s", f.Path, count(int(f.Lines), "line"), count(int(f.Size), "byte"), f.Language)},
		Section{Title: "used by " + count(len(users), "file"), Lines: e.pathLines(users)})
	e.list(entries)
	return nil
}

// pathLines are the paths of files, some of many.
func (e *exploring) pathLines(ids []graph.FileID) []string {
	var out []string
	for _, id := range ids {
		if p := e.pathOf(id); p != "" {
			out = append(out, quotePath(p))
		}
	}
	slices.Sort(out)
	if n := len(out); n > 2*fewSites {
		out = append(out[:2*fewSites], fmt.Sprintf("... and %s more: focus: dependencies", thousands(n-2*fewSites)))
	}
	return out
}
