package index

import "github.com/codegraph-dev/codegraph/graph"

// linear finds a member in the linearization of t: in each class before its bases, and in a base
// only after all the classes of t that derive from it. A member that is declared, with a type
// or as a definition, goes before one that only assignments make.
func (k *linker) linear(t *typ, name string) []hit {
	var assigned []hit
	for i, x := range k.linearization(t) {
		r := graph.ByReceiver
		if i > 0 {
			r = graph.ByInheritance
		} else if t.kind == tSuper {
			continue
		}
		out := k.own(x, name, r)
		if len(out) == 0 {
			continue
		}
		if k.declares(out) {
			return out
		}
		if assigned == nil {
			assigned = out
		}
	}
	return assigned
}

func (k *linker) declares(hits []hit) bool {
	for _, x := range hits {
		if _, s := k.sym(x.h); s != nil && (s.Kind.Callable() || s.Kind.Type() || s.Type >= 0) {
			return true
		}
	}
	return false
}

// maxLinear bounds the classes of one linearization.
const maxLinear = 200

// linearization are t and the classes that it derives from, in the order of their search.
func (k *linker) linearization(t *typ) []*typ {
	var all []*typ
	var walk func(t *typ, depth int)
	walk = func(t *typ, depth int) {
		if depth > 30 || len(all) > maxLinear {
			return
		}
		all = append(all, t)
		bs, _ := k.bases(t)
		for _, b := range bs {
			if b.kind == tUnion {
				for _, p := range b.args {
					if p.kind == tNamed || p.kind == tMeta {
						walk(k.likeKind(p, t), depth+1)
					}
				}
				continue
			}
			walk(k.likeKind(b, t), depth+1)
		}
	}
	walk(t, 0)
	last := map[graph.Handle]int{}
	for i, x := range all {
		last[x.h] = i
	}
	out := all[:0]
	for i, x := range all {
		if last[x.h] == i {
			out = append(out, x)
		}
	}
	return out
}

// likeKind is base b of t: a type as a value where t is one, else a value.
func (k *linker) likeKind(b, t *typ) *typ {
	n := *b
	n.kind = tNamed
	if t.kind == tMeta {
		n.kind = tMeta
	}
	return &n
}
