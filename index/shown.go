package index

import (
	"slices"

	"github.com/codegraph-dev/codegraph/index/lang"
)

// What a test of its type leaves of what a value may be.

// narrowTo is a value of type t that a test has shown to be of type to: what t says where that is more.
func (k *linker) narrowTo(t, to *typ) *typ {
	if t == nil || to == nil {
		return to
	}
	if own := keep(t, func(p *typ) bool { return k.isA(p, to) }); own != nil {
		return own
	}
	return to
}

// without is a value of type t that is of none of the types: where nothing would be left of t, t.
func (k *linker) without(t *typ, types []*typ) *typ {
	t = strip(t)
	if t == nil || t.kind != tUnion {
		return t
	}
	return keep(t, func(p *typ) bool {
		return !slices.ContainsFunc(types, func(to *typ) bool { return k.isA(p, to) })
	})
}

// keep is the union of the parts of t that f holds for; nil for none.
func keep(t *typ, f func(*typ) bool) *typ {
	t = strip(t)
	if t == nil || t.kind != tUnion {
		if t != nil && f(t) {
			return t
		}
		return nil
	}
	var parts []*typ
	for _, p := range t.args {
		if f(strip(p)) {
			parts = append(parts, p)
		}
	}
	return union(parts...)
}

// isA reports whether a value of type t is known to be one of type to.
func (k *linker) isA(t, to *typ) bool {
	if to = strip(to); t == nil || to == nil {
		return false
	}
	switch to.kind {
	case tUnion:
		return slices.ContainsFunc(to.args, func(p *typ) bool { return k.isA(t, p) })
	case tNamed:
		return t.kind == tNamed && slices.ContainsFunc(k.linearization(t), func(b *typ) bool { return b.h == to.h })
	case tBuiltin, tExternal:
		name := lastName(to.name)
		shape := lang.ShapeOf(k.from, name)
		switch t.kind {
		case tArray:
			return shape == lang.ShapeSequence
		case tDict:
			return shape == lang.ShapeMap
		case tTuple:
			return shape == lang.ShapeTuple
		case tBuiltin, tExternal:
			return lastName(t.name) == name
		}
	}
	return false
}
