package index

import (
	"cmp"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// A macro may be defined again and again. What a mention of it means is the last definition before it, in the
// order in which files are included; one that stands for those who have none yet makes no difference to those
// who have.

// inclusion is a file that another includes: at is where the file's own #include leads to it.
type inclusion struct {
	id   graph.FileID
	at   uint32
	rare bool // only under a condition that seldom holds
}

// inclusions are the files that c includes, each behind those that it includes itself.
func (k *linker) inclusions(c *filectx) []inclusion {
	if c.order != nil {
		return c.order
	}
	c.order = []inclusion{}
	seen := map[graph.FileID]bool{c.id: true}
	var walk func(x *filectx, at uint32, rare bool)
	walk = func(x *filectx, at uint32, rare bool) {
		imports := k.stars(x)
		slices.SortStableFunc(imports, func(i, j int32) int { return cmp.Compare(x.f.Imports[i].ModuleOff, x.f.Imports[j].ModuleOff) })
		for _, i := range imports {
			im := &x.f.Imports[i]
			if im.Flags&graph.Include == 0 {
				continue
			}
			if x == c {
				at = im.ModuleOff
			}
			for _, m := range k.modules(x, i) {
				y := k.ctx(m.file)
				if y == nil || seen[m.file] || len(seen) > maxIncluded {
					continue
				}
				seen[m.file] = true
				seldom := rare || im.Flags&graph.Seldom != 0
				walk(y, at, seldom)
				c.order = append(c.order, inclusion{m.file, at, seldom})
			}
		}
	}
	walk(c, 0, false)
	return c.order
}

// definition is a macro's definition as a file sees it: where, and how unlikely it is.
type definition struct {
	h    graph.Handle
	at   uint32
	rank int
	s    *graph.Symbol
}

// lastDefined puts the macro of a name that a mention at offset off of c means before the others in b.
func (k *linker) lastDefined(c *filectx, name string, off uint32, b binding) binding {
	if len(b.hs) == 0 || c.l.Inclusion {
		return b
	}
	if _, s := k.sym(b.hs[0]); s == nil || s.Kind != graph.Macro {
		return b
	}
	defs := k.definitions(c, name, off)
	if len(defs) < 2 {
		return b
	}
	var best *definition
	for i := range defs {
		d := &defs[i]
		switch {
		case best == nil, d.rank < best.rank:
			best = d
		case d.rank == best.rank && d.rank == 0 && d.s.Flags&graph.Optional == 0:
			best = d
		}
	}
	if best.h == b.hs[0] {
		return b
	}
	hs := []graph.Handle{best.h}
	for _, h := range b.hs {
		if h != best.h && h.File == best.h.File {
			hs = append(hs, h)
		}
	}
	b.hs = hs
	if best.h.File != c.id {
		b.reason = graph.ByInclude
	}
	return b
}

// definitions are the macros of that name that c sees at offset off, in the order in which they take effect.
func (k *linker) definitions(c *filectx, name string, off uint32) []definition {
	byFile := map[graph.FileID][]graph.Handle{}
	files := 0
	for _, key := range [...]graph.Key{c.sc.space.Key(localName + name), c.sc.file.Key(name)} {
		for _, h := range k.look(key) {
			if _, s := k.sym(h); s == nil || s.Kind != graph.Macro || hasHandle(byFile[h.File], h) {
				continue
			}
			if byFile[h.File] == nil {
				files++
			}
			byFile[h.File] = append(byFile[h.File], h)
		}
	}
	if files < 2 && len(byFile[c.id]) < 2 {
		return nil
	}
	var out []definition
	add := func(id graph.FileID, at uint32, rare bool) {
		for _, h := range byFile[id] {
			x, s := k.sym(h)
			d := definition{h: h, at: at, s: s, rank: x.variant}
			if id == c.id {
				d.at = s.NameOff
			}
			if rare || s.Flags&graph.Conditional != 0 {
				d.rank++
			}
			if s.Flags&(graph.Rarer|graph.Unbuilt) != 0 {
				d.rank++
			}
			if d.at < off {
				out = append(out, d)
			}
		}
	}
	if files > 1 || byFile[c.id] == nil {
		for _, in := range k.inclusions(c) {
			add(in.id, in.at, in.rare)
		}
	}
	add(c.id, 0, false)
	slices.SortStableFunc(out, func(a, b definition) int { return cmp.Compare(a.at, b.at) })
	return out
}
