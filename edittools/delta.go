package edittools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// Delta is what an edit does to the graph. The lists are cut at mostDelta entries; the
// totals are not.
type Delta struct {
	EdgesGained  []Edge   `json:"edges_gained"`
	EdgesLost    []Edge   `json:"edges_lost"`
	Broken       []Broken `json:"broken"`
	SyntaxErrors []Broken `json:"syntax_errors"`
	Callers      []Caller `json:"callers"`
	Tests        []Caller `json:"tests"`
	Totals       Totals   `json:"totals"`
	// Relinked is how many other files the edit gives new links.
	Relinked int `json:"relinked"`
}

// Totals are the lengths of the lists of a Delta before they were cut.
type Totals struct {
	EdgesGained  int `json:"edges_gained"`
	EdgesLost    int `json:"edges_lost"`
	Broken       int `json:"broken"`
	SyntaxErrors int `json:"syntax_errors"`
	Callers      int `json:"callers"`
	Tests        int `json:"tests"`
}

// Edge is a reference from one symbol or file to another. Where there are several of the
// same kind, Count says by how many the edit changes that.
type Edge struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Role  string `json:"role"`
	Path  string `json:"path"` // of the reference, after the edit or, for a lost one, before it
	Line  int    `json:"line"`
	Count int    `json:"count"`
}

// Broken is a reference that no longer leads where it led, or a place that is no longer
// understood.
type Broken struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Name   string `json:"name"`
	Role   string `json:"role,omitempty"`
	Reason string `json:"reason"`
	Was    string `json:"was,omitempty"` // what it led to
}

// Caller is a symbol, or a file, to look at.
type Caller struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	Line int    `json:"line"`
	Role string `json:"role,omitempty"` // how it uses what changed
	Of   string `json:"of,omitempty"`   // what it uses
}

const mostDelta = 50

// deltaOf computes what a plan does to the graph.
func deltaOf(ctx context.Context, s *workspace.Snapshot, p *Plan) (*Delta, error) {
	v, err := workspace.PreviewOf(ctx, s, p.Planned)
	if err != nil {
		return nil, fmt.Errorf("compute the effect of the edit: %w", err)
	}
	d := &differ{ctx: ctx, s: s, plan: p, delta: &Delta{},
		before: newSide(ctx, v.Before, func(path string) []byte { return bytesBefore(ctx, s, p, path) }),
		after:  newSide(ctx, v.After, func(path string) []byte { return bytesAfter(ctx, s, p, path) })}
	if err := d.compare(v); err != nil {
		return nil, fmt.Errorf("compute the effect of the edit: %w", err)
	}
	return d.delta.cut(), nil
}

func bytesBefore(ctx context.Context, s *workspace.Snapshot, p *Plan, path string) []byte {
	if f, err := s.Read(ctx, path); err == nil {
		return f.Data
	}
	return nil
}

func bytesAfter(ctx context.Context, s *workspace.Snapshot, p *Plan, path string) []byte {
	if b, ok := p.Planned[path]; ok {
		return b
	}
	return bytesBefore(ctx, s, p, path)
}

// differ compares two graphs in the files that an edit concerns.
type differ struct {
	ctx           context.Context
	s             *workspace.Snapshot
	plan          *Plan
	before, after *side
	delta         *Delta
	changed       []graph.Handle // symbols, before the edit, that it changes or takes away
}

// edgeKey is what makes two references the same edge.
type edgeKey struct{ from, to, role string }

// nameKey is what a reference is known by where it leads nowhere.
type nameKey struct{ path, in, name, role string }

func (d *differ) compare(v *workspace.Preview) error {
	var was, is []graph.FileID
	for _, f := range v.Files {
		is = append(is, f.ID)
	}
	was = slices.Clone(is)
	for _, f := range v.Gone {
		was = append(was, f.ID)
	}
	old, err := d.before.sites(was)
	if err != nil {
		return err
	}
	now, err := d.after.sites(is)
	if err != nil {
		return err
	}
	d.edges(old, now)
	d.broken(old, now)
	for _, f := range v.Files {
		if _, planned := d.plan.Planned[f.Path]; !planned {
			d.delta.Relinked++
		}
	}
	if err := d.symbols(v); err != nil {
		return err
	}
	return d.users()
}

// renamed is an id or a path as it is called after the edit.
func (d *differ) renamed(id string) string {
	path, rest, _ := strings.Cut(id, "#")
	to, ok := d.plan.Moved[path]
	switch {
	case !ok:
		return id
	case rest == "":
		return to
	}
	return to + "#" + rest
}

// edges compares the bound references as multisets, so that an edit which only moves text
// about has no effect.
func (d *differ) edges(old, now []site) {
	count := map[edgeKey]int{}
	first := map[edgeKey]*site{}
	for i := range old {
		for _, to := range old[i].to {
			k := edgeKey{d.renamed(old[i].from), d.renamed(to), old[i].role}
			count[k]--
			if first[k] == nil {
				first[k] = &old[i]
			}
		}
	}
	seen := map[edgeKey]*site{}
	for i := range now {
		for _, to := range now[i].to {
			k := edgeKey{now[i].from, to, now[i].role}
			count[k]++
			seen[k] = &now[i] // the last is the likeliest to be new
		}
	}
	for k, n := range count {
		switch {
		case n > 0:
			d.delta.EdgesGained = append(d.delta.EdgesGained, Edge{k.from, k.to, k.role, seen[k].path, d.after.line(seen[k]), n})
		case n < 0:
			d.delta.EdgesLost = append(d.delta.EdgesLost, Edge{k.from, k.to, k.role, first[k].path, d.before.line(first[k]), -n})
		}
	}
	order := func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.To, b.To), strings.Compare(a.From, b.From), strings.Compare(a.Role, b.Role))
	}
	slices.SortFunc(d.delta.EdgesGained, order)
	slices.SortFunc(d.delta.EdgesLost, order)
}

// broken finds references that led to something and now do not, and new ones that lead
// nowhere although their scope is known.
func (d *differ) broken(old, now []site) {
	type tally struct {
		bound, free int
		was         string
	}
	had := map[nameKey]*tally{}
	for i := range old {
		x := &old[i]
		k := nameKey{d.renamed(x.path), d.renamed(x.in), x.name, x.role}
		if had[k] == nil {
			had[k] = &tally{}
		}
		if len(x.to) > 0 {
			had[k].bound++
			had[k].was = x.to[0]
		} else {
			had[k].free++
		}
	}
	bound, free := map[nameKey]int{}, map[nameKey]int{}
	for i := range now {
		if x := &now[i]; len(x.to) > 0 {
			bound[nameKey{x.path, x.in, x.name, x.role}]++
		}
	}
	for i := range now {
		x := &now[i]
		k := nameKey{x.path, x.in, x.name, x.role}
		if len(x.to) > 0 {
			continue
		}
		free[k]++
		t := had[k]
		if t == nil {
			t = &tally{}
		}
		lost := t.bound > bound[k] && free[k] > t.free
		_, edited := d.plan.Planned[x.path]
		fresh := edited && free[k] > t.free && x.status == graph.Unresolved && (x.reason == graph.NotFound || x.reason == graph.Ambiguous)
		if !lost && !fresh {
			continue
		}
		line, column := d.after.place(x)
		b := Broken{Path: x.path, Line: line, Column: column, Name: x.name, Role: x.role, Reason: x.reason.String()}
		if lost {
			b.Was = t.was
		}
		d.delta.Broken = append(d.delta.Broken, b)
	}
	slices.SortFunc(d.delta.Broken, func(a, b Broken) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// cut counts the lists and bounds them.
func (d *Delta) cut() *Delta {
	d.Totals = Totals{len(d.EdgesGained), len(d.EdgesLost), len(d.Broken), len(d.SyntaxErrors), len(d.Callers), len(d.Tests)}
	d.EdgesGained, d.EdgesLost, d.Broken = atMost(d.EdgesGained), atMost(d.EdgesLost), atMost(d.Broken)
	d.SyntaxErrors, d.Callers, d.Tests = atMost(d.SyntaxErrors), atMost(d.Callers), atMost(d.Tests)
	return d
}

// atMost is a list of at most mostDelta entries, and never nil.
func atMost[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list[:min(len(list), mostDelta)]
}

func (d *Delta) text(b *strings.Builder) {
	for i, x := range d.Broken {
		if i == 0 {
			what := "1 reference now leads"
			if d.Totals.Broken > 1 {
				what = fmt.Sprintf("%d references now lead", d.Totals.Broken)
			}
			b.WriteString(what + " nowhere:\n")
		}
		if i == mostLines {
			fmt.Fprintf(b, "  and %d more\n", d.Totals.Broken-i)
			break
		}
		fmt.Fprintf(b, "  %s:%d:%d %s (%s)%s\n", x.Path, x.Line, x.Column, x.Name, x.Reason, was(x.Was))
	}
	if d.Totals.EdgesGained+d.Totals.EdgesLost > 0 {
		fmt.Fprintf(b, "edges: %d gained, %d lost\n", d.Totals.EdgesGained, d.Totals.EdgesLost)
		edgeLines(b, "+", d.EdgesGained)
		edgeLines(b, "-", d.EdgesLost)
	}
	callerLines(b, "users of what changed", d.Callers, d.Totals.Callers)
	callerLines(b, "tests that reach it", d.Tests, d.Totals.Tests)
}

func was(s string) string {
	if s == "" {
		return ""
	}
	return ", was " + s
}

func edgeLines(b *strings.Builder, sign string, list []Edge) {
	for i, e := range list {
		if i == mostLines/2 {
			return
		}
		fmt.Fprintf(b, "  %s %s -> %s (%s, line %d)\n", sign, e.From, e.To, e.Role, e.Line)
	}
}

func callerLines(b *strings.Builder, what string, list []Caller, total int) {
	for i, c := range list {
		if i == 0 {
			fmt.Fprintf(b, "%s: %d\n", what, total)
		}
		if i == mostLines/2 {
			fmt.Fprintf(b, "  and %d more\n", total-i)
			return
		}
		fmt.Fprintf(b, "  %s:%d %s\n", c.Path, c.Line, c.ID)
	}
}
