package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// converts scores how well an argument of type a fits a parameter of type p where values and
// pointers are told apart: 0 unknown, more for better, unfit for not at all. References are
// as what they refer to.
func (k *linker) converts(p, a *typ, depth int) int {
	p, a = k.plainType(p), k.plainType(a)
	switch {
	case p == nil || a == nil || depth > 8:
		return 0
	case p.kind == tParam: // takes just that type, if no other does
		return 9
	case a.kind == tParam:
		return 1
	case p.kind == tUnion || a.kind == tUnion:
		return k.eitherConverts(p, a, depth)
	case isPointer(p) && isPointer(a):
		return k.pointerConverts(p.elem, a.elem, depth)
	case isPointer(p):
		if a.kind == tBuiltin && a.name == lang.NullLiteral {
			return 3
		}
		if a.kind == tExternal || a.kind == tNamed && k.class(a) {
			return unfit + 1
		}
		return unfit
	case isPointer(a):
		switch {
		case p.kind == tBuiltin && p.name == "bool":
			return 1
		case p.kind == tBuiltin:
			return unfit
		case p.kind == tExternal:
			return k.madeOfPointer(p)
		}
		return k.makesFrom(p, a, depth)
	case p.kind == tNamed && a.kind == tNamed:
		if p.h == a.h || k.oneType(p.h, a.h) {
			return 10
		}
		if r := k.descends(a, p, 0); r > 0 {
			return r
		}
		if k.class(p) {
			return k.makesFrom(p, a, depth)
		}
		return unfit
	case p.kind == tBuiltin && a.kind == tBuiltin:
		return arithmetic(p.name, a.name)
	case p.kind == tExternal && a.kind == tBuiltin && a.name != lang.NullLiteral && len(p.args) == 0 && slices.Contains(k.from.Operated, lastName(p.name)):
		return unfit
	case p.kind == tExternal && a.kind == tExternal:
		return k.externalConverts(lastName(p.name), lastName(a.name), 0)
	case p.kind == tExternal && a.kind != tExternal && k.kinless(lastName(p.name)):
		return unfit
	case p.kind == tExternal && a.kind == tNamed:
		if k.leadsOut(a, map[graph.Handle]bool{}, 0) {
			return 0
		}
		return -4
	case p.kind == tNamed && (a.kind == tBuiltin || a.kind == tExternal):
		if k.class(p) {
			return k.makesFrom(p, a, depth)
		}
		return unfit
	case p.kind == tBuiltin && a.kind == tNamed:
		if k.class(a) {
			return -4
		}
		return 3
	}
	return 0
}

// eitherConverts is converts where several types are possible: the best of them counts.
func (k *linker) eitherConverts(p, a *typ, depth int) int {
	best := unfit
	if p.kind == tUnion {
		for _, q := range p.args {
			best = max(best, k.converts(q, a, depth+1))
		}
		return best
	}
	for _, q := range a.args {
		best = max(best, k.converts(p, q, depth+1))
	}
	return best
}

// externalConverts is converts for types from outside, of which some derive from each other.
func (k *linker) externalConverts(p, a string, depth int) int {
	if p == a {
		return 10 - min(depth, 8)
	}
	known := false
	for _, b := range k.from.LibraryBases[a] {
		known = true
		if r := k.externalConverts(p, b, depth+1); r > 0 && depth < 8 {
			return r
		}
	}
	if _, ok := k.from.LibraryBases[p]; known || ok { // no kin of the other
		return unfit
	}
	return 0
}

// kinless reports whether values of the type of that name from outside are made of no others.
func (k *linker) kinless(name string) bool {
	bases, ok := k.from.LibraryBases[name]
	return ok && len(bases) == 0
}

// madeOfPointer scores a pointer where a value of type p from outside is asked for: text is made of one.
func (k *linker) madeOfPointer(p *typ) int {
	last := lastName(p.name)
	switch {
	case len(k.from.LibraryBases[last]) > 0 || k.kinless(last):
		return unfit
	case slices.Contains(k.from.Operated, last) && len(p.args) == 0:
		return 5
	}
	return 0
}

// plainType is the type behind aliases.
func (k *linker) plainType(t *typ) *typ {
	for range 8 {
		if t == nil || t.kind != tNamed {
			break
		}
		u := k.underlying(t)
		if u == nil {
			break
		}
		t = u
	}
	return t
}

// makesFrom scores how likely a value of class p is made from one of type a: one of its constructors
// takes it.
func (k *linker) makesFrom(p, a *typ, depth int) int {
	c, _ := k.sym(p.h)
	if p.kind != tNamed || c == nil || depth > 0 {
		return -4
	}
	best := -4
	if s := &c.f.Symbols[p.h.Index]; (isPointer(a) || a.kind == tBuiltin) && s.Bases == 0 && s.Flags&graph.Declaration == 0 {
		best = unfit // nothing else makes one
	}
	for _, name := range c.l.Constructors {
		for _, x := range k.own(p, name, graph.ByConstructor) {
			xc, s := k.sym(x.h)
			if s == nil || !takes(xc, s, 1) {
				continue
			}
			params := xc.f.List(s.Params)
			if len(params) == 0 {
				continue
			}
			pt := k.typeExpr(xc, xc.f.Locals[params[0]].Type)
			if q := k.plainType(pt); q != nil && q.kind == tNamed && (q.h == p.h || k.oneType(q.h, p.h)) {
				continue // a copy
			}
			if r := k.converts(pt, a, depth+1); r > 0 {
				best = max(best, 2)
			} else if r == 0 {
				best = max(best, 0)
			}
		}
	}
	return best
}

func isPointer(t *typ) bool { return t.kind == tPointer || t.kind == tArray }

func (k *linker) class(t *typ) bool {
	_, s := k.sym(t.h)
	return s != nil && s.Kind != graph.Enum
}

func (k *linker) pointerConverts(p, a *typ, depth int) int {
	p, a = k.plainType(p), k.plainType(a)
	switch {
	case p == nil || a == nil:
		return 0
	case a.konst && !p.konst && p.kind == a.kind:
		return unfit
	case p.kind == tBuiltin && p.name == "void":
		return 2
	case p.kind == tBuiltin && a.kind == tBuiltin:
		if arithmetic(p.name, a.name) == 10 {
			return sameConst(p, a, 10)
		}
		return unfit
	case p.kind == tNamed && a.kind == tNamed:
		if p.h == a.h || k.oneType(p.h, a.h) {
			return sameConst(p, a, 10)
		}
		if r := k.descends(a, p, 0); r > 0 {
			return sameConst(p, a, r)
		}
		return unfit
	case p.kind == tBuiltin || a.kind == tBuiltin:
		if p.kind == tNamed || a.kind == tNamed {
			return unfit
		}
		return 0
	}
	return k.converts(p, a, depth+1)
}

// sameConst is a score less one where only the parameter promises to change nothing.
func sameConst(p, a *typ, score int) int {
	if p.konst != a.konst {
		return score - 1
	}
	return score
}

// descends scores how near base p is to class a; 0 for none.
func (k *linker) descends(a, p *typ, depth int) int {
	if depth > 12 {
		return 0
	}
	bs, _ := k.bases(a)
	for _, b := range bs {
		if b.kind != tNamed {
			continue
		}
		if b.h == p.h || k.oneType(b.h, p.h) {
			return max(8-depth, 2)
		}
		if r := k.descends(b, p, depth+1); r > 0 {
			return r
		}
	}
	return 0
}

// arithmetic scores a conversion between built-in types.
func arithmetic(p, a string) int {
	p, a = number(p), number(a)
	switch {
	case p == a:
		return 10
	case p == "void" || a == "void":
		return unfit
	case p == "bool" || a == "bool":
		return 2
	case floating(p) == floating(a):
		return 4
	}
	return 3
}

// number is a built-in type without words that change nothing.
func number(s string) string {
	w := strings.Fields(s)
	var out []string
	for _, x := range w {
		if x != "signed" && (x != "int" || len(w) == 1) {
			out = append(out, x)
		}
	}
	if s == lang.NullLiteral {
		return "int"
	}
	return strings.Join(out, " ")
}

func floating(s string) bool { return strings.HasSuffix(s, "double") || s == "float" }
