package readtools

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// implementations lists, of an interface or class, the types below it; of a method, what
// implements or overrides it; of anything that has them, the interfaces and methods above.
func (e *exploring) implementations(hs []graph.Handle) error {
	var down, up []related
	for _, h := range hs {
		_, s := e.def(h)
		var d, u []related
		var err error
		switch {
		case s.Kind.Type():
			d, u, err = e.typesAround(h)
		case s.Kind == graph.Method || s.Kind == graph.Property || s.Kind == graph.Field:
			d, u, err = e.methodsAround(h)
		default:
			e.res.note("a " + s.Kind.String() + " has no implementations; ask for a type or a method")
		}
		if err != nil {
			return err
		}
		down, up = e.merge(down, d), e.merge(up, u)
	}
	e.listRelated(e.byDepth(down), "implementation", e.byDepth(up), "implements")
	return nil
}

// typesAround are the types that implement a type, or if it is concrete, what it implements.
func (e *exploring) typesAround(h graph.Handle) (down, up []related, err error) {
	_, s := e.def(h)
	down, err = e.nominal(h, e.depth(maxBases))
	if err != nil {
		return nil, nil, err
	}
	if e.semantics(h.File).Promote && s.Kind != graph.Interface {
		down = nil // to embed is not to implement
	}
	kept := down[:0]
	for _, d := range down {
		if _, t := e.def(d.h); t != nil && t.Kind != graph.Interface {
			kept = append(kept, d)
		}
	}
	down = kept
	more, partial, err := e.structural(h)
	if err != nil {
		return nil, nil, err
	}
	if partial {
		e.atLeast("methods that the interface takes from outside the workspace were not compared")
	}
	down = e.merge(down, more)
	if s.Kind == graph.Interface {
		return down, nil, nil
	}
	up, err = e.interfacesOf(h, "")
	if err != nil {
		return nil, nil, err
	}
	bases, _, err := e.allBases(h)
	for _, b := range bases {
		if _, t := e.def(b); t != nil && (t.Kind == graph.Interface || t.Kind == graph.Trait) {
			up = e.merge(up, []related{{h: b, reason: "declared", sure: true, depth: 1}})
		}
	}
	return down, up, err
}

// merge adds those that are not there yet.
func (e *exploring) merge(all, more []related) []related {
	seen := map[graph.Handle]bool{}
	for _, a := range all {
		seen[a.h] = true
	}
	for _, m := range more {
		if !seen[m.h] {
			seen[m.h] = true
			all = append(all, m)
		}
	}
	return all
}

// methodsAround are the methods that implement or override one, and those that it does.
func (e *exploring) methodsAround(h graph.Handle) (down, up []related, err error) {
	f, s := e.def(h)
	t, ok := e.owner(h)
	if !ok {
		return nil, nil, nil
	}
	types, _, err := e.typesAround(t)
	if err != nil {
		return nil, nil, err
	}
	seen := map[graph.Handle]bool{h: true}
	for _, d := range types {
		for _, m := range e.member(d.h, f.Str(s.Name)) {
			if !seen[m] && e.fits(m, h) {
				seen[m] = true
				down = append(down, related{h: m, reason: d.reason, sure: d.sure, depth: d.depth})
			}
		}
	}
	ups, err := e.dispatchers(h)
	for _, u := range ups {
		u.sure, u.depth = true, 1
		up = append(up, u)
	}
	return down, up, err
}

// listRelated shows what is below, then what is above.
func (e *exploring) listRelated(down []related, downRole string, up []related, upRole string) {
	var entries []entry
	tests := 0
	for _, part := range []struct {
		all  []related
		role string
	}{{up, upRole}, {down, downRole}} {
		for _, r := range part.all {
			if f := e.file(r.h.File); f != nil && f.Test && !e.p.IncludeTests {
				tests++
				continue
			}
			if e.inScope(r.h.File) {
				entries = append(entries, func() (ExploreItem, bool) { return e.relatedItem(&r, part.role) })
			}
		}
	}
	if tests > 0 {
		e.left("%s in tests (include_tests: true shows them)", count(tests, "symbol"))
	}
	e.list(entries)
}

// relatedItem shows a symbol with the edge that led to it; its text is its first line.
func (e *exploring) relatedItem(r *related, role string) (ExploreItem, bool) {
	it, ok := e.symbolItem(r.h)
	if !ok {
		return it, false
	}
	it.Depth = r.depth
	it.Edge = &Edge{Role: role, Reason: r.reason, Certain: r.sure, Confidence: 0.95}
	if !r.sure {
		it.Edge.Confidence *= possibleShare
	}
	return it, true
}

// symbolItem shows a symbol at its place, with the line of its name.
func (rd *reading) symbolItem(h graph.Handle) (ExploreItem, bool) {
	s := rd.symbol(h)
	if s == nil {
		return ExploreItem{}, false
	}
	it := ExploreItem{Symbol: s, Path: s.Path, Line: s.Line, Column: s.Column}
	if t := rd.source(s.Path); t != nil {
		it.Text = lineText(t, s.Line, s.Column, 400)
	}
	return it, true
}

// hierarchy lists the bases of a type, those outside of the project by name, and its
// subtypes, each to the depth asked for.
func (e *exploring) hierarchy(hs []graph.Handle) error {
	var entries []entry
	depth := e.depth(maxBases)
	var types []graph.Handle
	for _, h := range hs {
		_, s := e.def(h)
		if t, ok := e.owner(h); ok && !s.Kind.Type() {
			h = t
		} else if !s.Kind.Type() {
			return usage("ask for a type; for a method focus: implementations", "%s is a %s and has no bases", e.res.Subject.ID, s.Kind)
		}
		if !slices.Contains(types, h) {
			types = append(types, h)
		}
	}
	for _, h := range types {
		up, err := e.basesUp(h, depth)
		if err != nil {
			return err
		}
		down, err := e.nominal(h, depth)
		if err != nil {
			return err
		}
		entries = append(entries, up...)
		for _, r := range e.byDepth(down) {
			if e.inScope(r.h.File) {
				entries = append(entries, func() (ExploreItem, bool) { return e.relatedItem(&r, "derived") })
			}
		}
		if e.semantics(h.File).Structural {
			e.left("types that satisfy an interface without naming it (focus: implementations)")
		}
	}
	e.list(entries)
	return nil
}

// basesUp are the entries of a type's bases, breadth first.
func (e *exploring) basesUp(h graph.Handle, depth int) ([]entry, error) {
	var entries []entry
	seen := map[graph.Handle]bool{h: true}
	level := []graph.Handle{h}
	for d := 1; d <= depth && len(level) > 0; d++ {
		var next []graph.Handle
		for _, t := range level {
			bs, err := e.bases(t)
			if err != nil {
				return nil, err
			}
			for _, b := range bs {
				if b.inside && seen[b.Handle] {
					continue
				}
				if b.inside {
					seen[b.Handle] = true
					next = append(next, b.Handle)
				}
				entries = append(entries, func() (ExploreItem, bool) { return e.baseItem(&b, d) })
			}
		}
		level = next
	}
	return entries, nil
}

// baseItem shows a base: the symbol, or the name of what lies outside, at the place where it
// is named.
func (e *exploring) baseItem(b *base, depth int) (ExploreItem, bool) {
	if !b.inside {
		it, ok := e.placeItem(&siteHit{Site: b.site, depth: depth}, e.page.maxText())
		it.External = b.name
		if it.Edge != nil {
			it.Edge.Role = "base"
		}
		return it, ok
	}
	it, ok := e.symbolItem(b.Handle)
	it.Depth, it.Edge = depth, edge(e.languageOf(b.site.File), &b.site)
	it.Edge.Role = "base"
	return it, ok
}
