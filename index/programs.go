package index

import (
	"path"

	"github.com/codegraph-dev/codegraph/graph"
)

// A tree may hold several programs, each with its own definition of a name that is seen outside of its
// file. Which one a file is linked with shows in what it includes and where it lies.

// replaced reports whether file c means hs by the name of a function of the system's library: it defines
// it, or includes what declares it, and the workspace defines it.
func (k *linker) replaced(c *filectx, hs []graph.Handle) bool {
	defined := false
	for _, h := range hs {
		if k.likelyDefined(h) {
			if h.File == c.id {
				return true
			}
			defined = true
		}
	}
	if !defined {
		return false
	}
	in := k.included(c)
	for _, h := range hs {
		if _, s := k.sym(h); s != nil && in[h.File] && s.Flags&graph.Conditional == 0 {
			return true
		}
	}
	return false
}

// linkedWith are, of the definitions of a name with external linkage in several files, those that c is
// likeliest linked with: they see a declaration of the name that c sees, or stand in its folder; those for
// other systems make way. All are kept that nothing tells apart, the nearest first.
func (k *linker) linkedWith(c *filectx, defs, all []graph.Handle) []graph.Handle {
	var declared []graph.FileID
	in := k.included(c)
	for _, h := range all {
		if in[h.File] && !k.defines(h) {
			declared = append(declared, h.File)
		}
	}
	best, most := []graph.Handle(nil), -1
	for _, h := range k.nearest(c, defs) {
		hc := k.ctx(h.File)
		score := 0
		if path.Dir(hc.path) == path.Dir(c.path) {
			score++
		}
		for _, d := range declared {
			if k.included(hc)[d] {
				score += 2
				break
			}
		}
		if hc.variant <= c.variant {
			score += 4
		}
		switch {
		case score > most:
			best, most = []graph.Handle{h}, score
		case score == most:
			best = append(best, h)
		}
	}
	return best
}

// alternatives reports whether hs, definitions of one name, stand in one file: a program has one of them.
func (k *linker) alternatives(hs []graph.Handle) bool {
	for _, h := range hs {
		if h.File != hs[0].File {
			return false
		}
	}
	return true
}

// forOthers reports whether hs are nothing but macros that a usual system defines already.
func (k *linker) forOthers(hs []graph.Handle) bool {
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || s.Kind != graph.Macro || s.Flags&graph.Unbuilt == 0 {
			return false
		}
	}
	return len(hs) > 0
}
