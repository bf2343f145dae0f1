package readtools

import (
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Bounds of the search for a chain of calls.
const (
	maxTrail      = 20    // calls
	maxTrailNodes = 20000 // symbols
	maxAbstract   = 40    // abstract methods whose implementations are followed
)

// trails is a search for the shortest chain of calls, from both ends at once. A call of an
// abstract method may run each of its implementations; those steps are possible, not certain.
type trails struct {
	e        *exploring
	before   map[graph.Handle]siteHit // by symbol reached from the start: the call that reached it
	after    map[graph.Handle]siteHit // by symbol from which the end is reached: its call
	abstract int
	cut      bool
}

// shortest gives the calls of a shortest chain, nil if there is none.
func (e *exploring) shortest(from, to []graph.Handle) ([]siteHit, error) {
	t := &trails{e: e, before: map[graph.Handle]siteHit{}, after: map[graph.Handle]siteHit{}}
	to = e.withConstructors(to)
	for _, h := range from {
		t.before[h] = siteHit{}
	}
	for _, h := range to {
		t.after[h] = siteHit{}
		if _, ok := t.before[h]; ok {
			return []siteHit{}, nil
		}
	}
	front, back := from, to
	depth := e.depth(maxTrail)
	for range depth {
		if len(front) == 0 || len(back) == 0 {
			break
		}
		var err error
		var met *graph.Handle
		if len(front) <= len(back) {
			front, met, err = t.forward(front)
		} else {
			back, met, err = t.backward(back)
		}
		if err != nil || met != nil {
			return t.chain(met), err
		}
		if len(t.before)+len(t.after) > maxTrailNodes {
			e.atLeast("chains beyond the first %s", count(maxTrailNodes, "symbol"))
			return nil, nil
		}
	}
	if len(front) > 0 && len(back) > 0 {
		e.atLeast("chains of more than %s", count(depth, "call"))
	}
	if t.cut {
		e.atLeast("chains through implementations of more than %s", count(maxAbstract, "abstract method"))
	}
	return nil, nil
}

// forward follows the calls of the symbols of a level.
func (t *trails) forward(level []graph.Handle) (next []graph.Handle, met *graph.Handle, err error) {
	ids := make([]graph.FileID, len(level))
	for i, h := range level {
		ids[i] = h.File
	}
	if err := t.e.load(ids...); err != nil {
		return nil, nil, err
	}
	if err := t.e.loadLinks(ids...); err != nil {
		return nil, nil, err
	}
	for _, h := range level {
		sites, err := t.e.sitesOut(h)
		if err != nil {
			return nil, nil, err
		}
		for i := range sites {
			hits, err := t.targets(&sites[i])
			if err != nil {
				return nil, nil, err
			}
			for _, hit := range hits {
				hit.In = h.Index
				if _, ok := t.before[hit.target]; ok {
					continue
				}
				t.before[hit.target] = hit
				if _, ok := t.after[hit.target]; ok {
					return nil, &hit.target, nil
				}
				next = append(next, hit.target)
			}
		}
	}
	return next, nil, nil
}

// targets are what a call may run.
func (t *trails) targets(s *graph.Site) ([]siteHit, error) {
	var out []siteHit
	for _, target := range s.Targets {
		h := t.e.resolve(target)
		_, d := t.e.def(h)
		if d == nil {
			continue
		}
		out = append(out, siteHit{Site: *s, target: h})
		if _, known := t.before[h]; known || d.Flags&graph.Abstract == 0 {
			continue
		}
		if t.abstract++; t.abstract > maxAbstract {
			t.cut = true
			continue
		}
		down, _, err := t.e.methodsAround(h)
		if err != nil {
			return nil, err
		}
		for _, m := range down {
			out = append(out, siteHit{Site: *s, target: m.h, through: h, reason: reasonInterface})
		}
	}
	return out, nil
}

// backward follows the callers of the symbols of a level.
func (t *trails) backward(level []graph.Handle) (next []graph.Handle, met *graph.Handle, err error) {
	hits, err := t.e.direct(level, called, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, hit := range t.e.distinct(hits) {
		h := graph.Handle{File: hit.File, Index: hit.In}
		if _, ok := t.after[h]; ok || h.Index == graph.None {
			continue
		}
		t.after[h] = hit
		if _, ok := t.before[h]; ok {
			return nil, &h, nil
		}
		next = append(next, h)
	}
	return next, nil, nil
}

// chain are the calls from the start over the symbol where both searches met to the end.
func (t *trails) chain(met *graph.Handle) []siteHit {
	if met == nil {
		return nil
	}
	var out []siteHit
	for h := *met; ; {
		hit := t.before[h]
		if hit.Role == graph.NoRole {
			break
		}
		out = append(out, hit)
		h = graph.Handle{File: hit.File, Index: hit.In}
	}
	slices.Reverse(out)
	for h := *met; ; {
		hit := t.after[h]
		if hit.Role == graph.NoRole {
			break
		}
		out = append(out, hit)
		h = hit.target
	}
	for i := range out {
		out[i].depth = i + 1
	}
	return out
}
