package readtools

import (
	"fmt"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// fewSites is how many callers and callees a symbol's view names.
const fewSites = 12

// symbolView shows a symbol so that the answer suffices: its source with the doc comment, its
// other parts, its members, who calls or uses it and what it calls.
func (e *exploring) symbolView(hs []graph.Handle) error {
	e.res.Focus = "symbol"
	h := hs[0]
	e.res.Subject = e.symbol(h)
	if e.res.Subject == nil {
		return nil
	}
	e.res.Subject.Doc = e.docOf(h)
	entries := []entry{func() (ExploreItem, bool) { return e.sourceItem(h, e.page.budget/2) }}
	for _, other := range hs[1:] {
		entries = append(entries, func() (ExploreItem, bool) { return e.sourceItem(other, e.page.budget/8) })
	}
	if _, s := e.def(h); s.Kind.Type() || s.Kind == graph.Module || s.Kind == graph.Namespace {
		for _, m := range e.members(h) {
			entries = append(entries, func() (ExploreItem, bool) {
				it, ok := e.symbolItem(m)
				it.Edge = &Edge{Role: "member", Certain: true, Confidence: 1}
				return it, ok
			})
		}
	}
	if e.page.from == 0 {
		if err := e.uses(hs); err != nil {
			return err
		}
		if err := e.calls(h); err != nil {
			return err
		}
	}
	e.list(entries)
	return nil
}

// sourceItem shows a definition with its source, at most so many bytes of it.
func (e *exploring) sourceItem(h graph.Handle, most int) (ExploreItem, bool) {
	it, ok := e.symbolItem(h)
	if !ok {
		return it, false
	}
	it.Edge = &Edge{Role: "definition", Certain: true, Confidence: 1}
	_, s := e.def(h)
	if s.Flags&graph.Declaration != 0 {
		it.Edge.Role = "declaration"
	}
	text, whole := e.sourceOf(h, most)
	it.Text = text
	if !whole {
		it.Note = "cut; the whole with read_open target: " + it.Symbol.ID
	}
	return it, true
}

// sourceOf is the source of a definition with its doc comment, in whole lines.
func (rd *reading) sourceOf(h graph.Handle, most int) (text string, whole bool) {
	_, s := rd.def(h)
	t := rd.source(rd.pathOf(h.File))
	if s == nil || t == nil {
		return "", false
	}
	from := s.Start
	if s.DocEnd > s.DocStart && s.DocStart < from {
		from = s.DocStart
	}
	first, _ := t.place(from)
	last, _ := t.place(max(from, s.End-1))
	var lines []string
	size := 0
	for n := first; n <= last; n++ {
		l := t.line(n)
		if size += len(l) + 1; size > most && n > first {
			return strings.Join(lines, "\n"), false
		}
		lines = append(lines, cutText(l, max(most, 200)))
	}
	return strings.Join(lines, "\n"), true
}

// uses adds a section about who uses the subject.
func (e *exploring) uses(hs []graph.Handle) error {
	all, err := e.gather(hs, func(graph.Role) bool { return true }, 0)
	if err != nil {
		return err
	}
	e.hidden(all)
	var calls, others []siteHit
	files := map[graph.FileID]bool{}
	for _, h := range all {
		if !e.inScope(h.File) {
			continue
		}
		files[h.File] = true
		if called(h.Role) {
			calls = append(calls, h)
		} else {
			others = append(others, h)
		}
	}
	title := fmt.Sprintf("used by: %s and %s in %s", count(len(calls), "call"), count(len(others), "other reference"), count(len(files), "file"))
	var lines []string
	shown := append(calls, others...)
	for i := range shown[:min(fewSites, len(shown))] {
		if l := e.siteLine(&shown[i]); l != "" {
			lines = append(lines, l)
		}
	}
	if len(shown) > fewSites {
		lines = append(lines, fmt.Sprintf("... and %s more: focus: references", thousands(len(shown)-fewSites)))
	}
	e.res.Sections = append(e.res.Sections, Section{Title: title, Lines: lines})
	return nil
}

// siteLine is a reference on one line.
func (e *exploring) siteLine(h *siteHit) string {
	it, ok := e.siteItem(h, 160)
	if !ok {
		return ""
	}
	line := fmt.Sprintf("%s:%d: %s", quotePath(it.Path), it.Line, strings.TrimSpace(it.Text))
	if it.Symbol != nil {
		line += "  [" + it.Edge.Role + " in " + qualified(it.Symbol) + "]"
	} else {
		line += "  [" + it.Edge.Role + "]"
	}
	if !it.Edge.Certain {
		line += "  (possible: " + it.Edge.Reason + ")"
	}
	return line
}

// calls adds a section about what the subject calls.
func (e *exploring) calls(h graph.Handle) error {
	_, s := e.def(h)
	if !s.Kind.Callable() {
		return nil
	}
	sites, err := e.sitesOut(h)
	if err != nil {
		return err
	}
	var inside []string
	external := map[string]bool{}
	var outside []string
	seen := map[graph.Handle]bool{}
	for i := range sites {
		if len(sites[i].Targets) == 0 {
			if n := exprName(e.factsOf(sites[i].File), sites[i].Expr); n != "" && !external[n] {
				external[n] = true
				outside = append(outside, n)
			}
			continue
		}
		t := e.resolve(sites[i].Targets[0])
		if t.Index < 0 || t.Index == graph.FileItself || seen[t] {
			continue
		}
		seen[t] = true
		if sym := e.symbol(t); sym != nil && len(inside) < 2*fewSites {
			inside = append(inside, fmt.Sprintf("%s %s  %s:%d", sym.Kind, qualified(sym), quotePath(sym.Path), sym.Line))
		}
	}
	if len(inside)+len(outside) == 0 {
		return nil
	}
	if len(outside) > 0 {
		inside = append(inside, "outside the project or not bound: "+cutText(strings.Join(outside, ", "), 400))
	}
	e.res.Sections = append(e.res.Sections, Section{Title: fmt.Sprintf("calls: %s", count(len(seen), "symbol")), Lines: inside})
	return nil
}
