package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// In languages with levels, what a value is asked for may be found in no type that is known of it: a
// module asks what includes it, a class what derives from it, and of many values only the name is
// known. Each file answers for the last name of each base of its types, and for the names of its
// types as variables are called.

// derivedScope is the scope of the types that have a base, by the base's last name.
func derivedScope(l *lang.Language) graph.ScopeID { return graph.Scope("derived", l.Name) }

// wordScope is the scope of types by their names without case and underscores.
func wordScope(l *lang.Language) graph.ScopeID { return graph.Scope("word", l.Name) }

// exportBases are the keys under which type i is found by its bases and by its name.
func exportBases(out []graph.Export, l *lang.Language, f *graph.Facts, i int32, shape uint64) []graph.Export {
	s := &f.Symbols[i]
	if s.Flags&graph.NestedDef == 0 && (s.Kind == graph.Class || s.Kind == graph.Module) {
		out = append(out, graph.Export{Key: wordScope(l).Key(plainWord(f.Str(s.Name))), Index: i, Shape: shape})
	}
	var names []string
	for _, e := range f.List(s.Bases) {
		if name := baseName(f, e); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
			out = append(out, graph.Export{Key: derivedScope(l).Key(name), Index: i, Shape: shape})
		}
	}
	return out
}

// baseName is the last name of the base that expression e names.
func baseName(f *graph.Facts, e int32) string {
	for e >= 0 {
		switch x := &f.Exprs[e]; x.Op {
		case graph.OpName, graph.OpMember:
			return f.Str(x.Name)
		case graph.OpTypeOf, graph.OpEnter, graph.OpInstance:
			e = x.X
		default:
			return ""
		}
	}
	return ""
}

func plainWord(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }

// maxDerived bounds how many types that derive from one are looked at.
const maxDerived = 64

// deriving are the types that have what of names as a base, at whatever remove, the nearest first.
func (k *linker) deriving(of levelKey) []levelKey {
	of.h = k.whole(of.h)
	if d, ok := k.derivers[of]; ok {
		return d
	}
	if k.derivers == nil {
		k.derivers = map[levelKey][]levelKey{}
	}
	k.derivers[of] = nil
	var out []levelKey
	seen := map[levelKey]bool{of: true}
	for todo := []levelKey{of}; len(todo) > 0 && len(out) < maxDerived; todo = todo[1:] {
		for _, d := range k.derivedFrom(todo[0]) {
			if !seen[d] {
				seen[d] = true
				out, todo = append(out, d), append(todo, d)
			}
		}
	}
	k.derivers[of] = out
	return out
}

// derivedFrom are the types that themselves name of as a base.
func (k *linker) derivedFrom(of levelKey) []levelKey {
	c, s := k.sym(of.h)
	if s == nil {
		return nil
	}
	var out []levelKey
	name := c.f.Str(s.Name)
	for n, x := range k.look(derivedScope(c.l).Key(name)) {
		xc, y := k.sym(x)
		if y == nil {
			continue
		}
		if n > 4*maxDerived {
			break
		}
		for _, e := range xc.f.List(y.Bases) {
			if baseName(xc.f, e) != name {
				continue
			}
			given := xc.f.Exprs[e].Op == graph.OpEnter
			at := e
			if given {
				at = xc.f.Exprs[e].X
			}
			t := strip(k.typeExpr(xc, at))
			if t == nil || t.kind != tNamed && t.kind != tMeta || k.whole(t.h) != of.h {
				continue
			}
			switch {
			case given: // by what includes x
				included := xc.f.Exprs[e].N == graph.EnterIncluded
				for _, d := range k.deriving(levelKey{h: x}) {
					if included || !of.meta {
						out = append(out, levelKey{d.h, d.meta || of.meta || !included})
					}
				}
			case t.kind == tMeta && !of.meta: // extended
				out = append(out, levelKey{k.whole(x), true})
			case t.kind == tNamed:
				out = append(out, levelKey{k.whole(x), of.meta})
			}
		}
	}
	return out
}

func (l levelKey) typ() *typ {
	if l.meta {
		return &typ{kind: tMeta, h: l.h}
	}
	return named(l.h)
}

// below are the members of that name of the types that derive from t, which itself has none.
func (k *linker) below(t *typ, name string) []hit {
	if t == nil || t.kind != tNamed && t.kind != tMeta {
		return nil
	}
	c, s := k.sym(t.h)
	if s == nil || slices.Contains(c.l.TopMembers, name) {
		return nil
	}
	_, s = k.sym(k.whole(t.h))
	module := s != nil && s.Kind == graph.Module
	if c.l.Common[name] && !module {
		return nil
	}
	var out []hit
	all := true
	for _, d := range k.deriving(levelKey{t.h, meta(t)}) {
		hits := k.member(d.typ(), name)
		_, ds := k.sym(d.h)
		all = all && (len(hits) > 0 || ds != nil && ds.Kind == graph.Module)
		for _, x := range hits {
			x.reason = graph.ByInheritance
			if !contains(out, x.h) {
				out = append(out, x)
			}
		}
	}
	if len(out) > maxBelow {
		return nil
	}
	for i := range out {
		out[i].maybe = !module || !all || len(out) > 1
	}
	if len(out) > 1 && c.l.Levels {
		k.nearestFirst(t.h, out)
	}
	return out
}

// maxBelow is how many members of deriving types are told as what may be meant.
const maxBelow = 8

// nearestFirst puts first what belongs to the type around h.
func (k *linker) nearestFirst(h graph.Handle, hits []hit) {
	c, s := k.sym(h)
	around := c.f.Str(s.Qual)
	rank := func(x hit) int {
		xc, y := k.sym(x.h)
		if y != nil && xc.f.Str(y.Qual) == around {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return rank(a) - rank(b) })
}

// namesake is the type that expression x of c, of which nothing else is known, is called like: one of
// a namespace around it, else the only one of that name.
func (k *linker) namesake(c *filectx, x int32) *typ {
	if !c.l.UniqueNames || x < 0 {
		return nil
	}
	for _, word := range k.wordsOf(c, x) {
		if len(word) < 3 {
			continue
		}
		if h, ok := k.calledLike(c, word, c.f.Exprs[x].In); ok {
			return &typ{kind: tNamed, h: h, guess: true}
		}
	}
	return nil
}

func (k *linker) calledLike(c *filectx, word string, in int32) (graph.Handle, bool) {
	around := ""
	if in >= 0 {
		around = c.f.Path(in)
	}
	var best graph.Handle
	depth, n := -1, 0
	for _, h := range k.look(wordScope(c.l).Key(plainWord(word))) {
		hc, s := k.sym(h)
		if s == nil || s.Kind != graph.Class {
			continue
		}
		q := hc.f.Str(s.Qual)
		d := -1
		if q == "" || around == q || strings.HasPrefix(around, q+".") {
			d = len(q)
		}
		switch w := k.whole(h); {
		case n > 0 && w == best:
		case n == 0 || d > depth:
			best, depth, n = w, d, 1
		case d == depth:
			n++
		}
	}
	return best, n == 1
}

// wordsOf are the names by which the value of expression x is called: of a variable, an attribute or a
// method; of what a variable was set to; of the sequence that it is an element of, in the singular.
func (k *linker) wordsOf(c *filectx, x int32) []string {
	out := []string{wordOf(c, x)}
	if e := &c.f.Exprs[x]; e.Op == graph.OpLocal {
		switch init := c.f.Locals[e.X].Init; {
		case init < 0:
		case c.f.Exprs[init].Op == graph.OpArg || c.f.Exprs[init].Op == graph.OpElem:
			if of := c.f.Exprs[init].X; of >= 0 && c.f.Exprs[of].Op == graph.OpMember {
				of = c.f.Exprs[of].X
				if word := wordOf(c, of); strings.HasSuffix(word, "s") {
					out = append(out, singular(word))
				}
			}
		default:
			out = append(out, wordOf(c, init))
		}
	}
	return out
}

func singular(s string) string {
	if t, ok := strings.CutSuffix(s, "ies"); ok {
		return t + "y"
	}
	return strings.TrimSuffix(s, "s")
}
