package index

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// underlying is the type behind a named type that is written in terms of another.
func (k *linker) underlying(t *typ) *typ {
	c, s := k.sym(t.h)
	if s == nil || s.Kind != graph.TypeAlias || s.Type < 0 {
		return nil
	}
	return k.subst(k.typeExpr(c, s.Type), k.bindArgs(t), 0)
}

// promoted finds a member at the shallowest depth of embedding.
func (k *linker) promoted(t *typ, name string) []hit {
	return k.promotedIn(t, name, map[graph.Handle]bool{})
}

// promotedIn is promoted without the types in seen: types may be written in terms of each other.
func (k *linker) promotedIn(t *typ, name string, seen map[graph.Handle]bool) []hit {
	level := []*typ{t}
	for depth := 0; len(level) > 0 && depth < 12; depth++ {
		var found []hit
		var next []*typ
		for _, x := range level {
			if seen[x.h] {
				continue
			}
			seen[x.h] = true
			r := graph.ByReceiver
			if depth > 0 {
				r = graph.ByEmbedding
			}
			found = append(found, k.own(x, name, r)...)
			if u := strip(k.underlying(x)); u != nil && (u.kind == tNamed) {
				found = append(found, k.fieldsOf(u, name, seen)...)
			}
			bs, _ := k.bases(x)
			next = append(next, bs...)
		}
		if len(found) > 0 {
			return found
		}
		level = next
	}
	return nil
}

// throughMacros puts before the members of t that a macro among its own stands for that macro: they stand there
// as much as in its text.
func (k *linker) throughMacros(t *typ, found []hit, name string) []graph.Handle {
	if _, s := k.sym(found[0].recv.h); s == nil || s.Kind != graph.Macro || t.h == found[0].recv.h {
		return nil
	}
	c, s := k.sym(t.h)
	for i := t.h.Index + 1; s.Bases != 0 && int(i) < len(c.f.Symbols) && c.f.Symbols[i].Start < s.End; i++ {
		y := &c.f.Symbols[i]
		if y.Container != t.h.Index || y.Flags&graph.Embedded == 0 {
			continue
		}
		if m := strip(k.typeExpr(c, y.Type)); m != nil && len(k.member(m, name)) > 0 {
			return []graph.Handle{{File: c.id, Index: i}}
		}
	}
	return nil
}

// fieldsOf are the members that a distinct type takes over from the type it is made of: the
// fields of a struct, the methods of an interface, but no methods of a type.
func (k *linker) fieldsOf(u *typ, name string, seen map[graph.Handle]bool) []hit {
	var out []hit
	for _, x := range k.promotedIn(u, name, seen) {
		_, s := k.sym(x.h)
		_, owner := k.sym(x.recv.h)
		if s != nil && (!s.Kind.Callable() || x.reason == graph.ByEmbedding || owner != nil && owner.Kind == graph.Interface) {
			out = append(out, x)
		}
	}
	return out
}
