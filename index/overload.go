package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// overload keeps, of several members of one name, those that take the call's number of
// arguments, and of these the ones whose parameter types fit best.
func (k *linker) overload(c *filectx, hits []hit, e *graph.Expr) []hit {
	if len(hits) < 2 || len(hits) > maxOverloads || e.N == 0 {
		return hits
	}
	if c.l.NearestFirst {
		if fit := k.counted(c, hits, e); len(fit) > 1 {
			return k.nearestFit(c, fit, e)
		} else if len(fit) == 1 {
			return fit
		}
		return hits
	}
	if c.l.Phases {
		return k.phased(c, hits, c.f.List(e.Kids))
	}
	n := int(e.N) - 1
	var fit []hit
	for _, x := range hits {
		if fc, s := k.sym(x.h); s != nil && s.Kind.Callable() && takes(fc, s, n) && (!c.l.Hides || k.deduces(fc, s, spelledArgs(c, e))) {
			fit = append(fit, x)
		}
	}
	if len(fit) == 0 {
		return hits
	}
	if labels := c.f.Str(e.Name); labels != "" {
		fit = k.labelled(fit, labels)
	}
	if len(fit) == 1 {
		return fit
	}
	return k.fitting(c, fit, c.f.List(e.Kids))
}

// spelledArgs is how many type arguments call e of c says.
func spelledArgs(c *filectx, e *graph.Expr) int {
	if e.X < 0 || c.f.Exprs[e.X].Op != graph.OpIndex {
		return 0
	}
	return len(c.f.List(c.f.Exprs[e.X].Kids))
}

// labelled keeps the hits whose labels are those of a call, less some that may be left out.
func (k *linker) labelled(hits []hit, labels string) []hit {
	var fit []hit
	for _, x := range hits {
		fc, s := k.sym(x.h)
		if s == nil || s.Init < 0 || fc.f.Exprs[s.Init].Op != graph.OpLiteral {
			continue
		}
		rest, ok := fc.f.Str(fc.f.Exprs[s.Init].Name), true
		for _, l := range strings.SplitAfter(labels, ":") {
			for ok && l != "" {
				var label string
				label, rest, ok = strings.Cut(rest, ":")
				if label+":" == l || l == "*:" {
					break
				}
			}
		}
		if ok {
			fit = append(fit, x)
		}
	}
	if len(fit) == 0 {
		return hits
	}
	return fit
}

// maxOverloads bounds the overloads that are told apart; of more, none is chosen.
const maxOverloads = 256

func takes(fc *filectx, s *graph.Symbol, n int) bool {
	least, most := 0, 0
	for _, p := range fc.f.List(s.Params) {
		flags := fc.f.Locals[p].Flags
		if flags&graph.SelfParam != 0 {
			continue
		}
		most++
		if flags&graph.VariadicParam != 0 {
			most = 1 << 20
		} else if flags&graph.OptionalParam == 0 {
			least++
		}
	}
	return n >= least && n <= most
}

// unfit is the score of an argument that a parameter cannot take.
const unfit = -10

// fitting keeps the hits whose parameters fit the arguments best; the order stays. One that
// gathers arguments in a list counts only where no other takes them.
func (k *linker) fitting(c *filectx, hits []hit, args []int32) []hit {
	best := -1 << 30
	var out []hit
	types := k.values(c, args)
	for _, x := range hits {
		score := k.fits(c.l, x, types)
		if score > best {
			best, out = score, nil
		}
		if score == best {
			out = append(out, x)
		}
	}
	return out
}

func (k *linker) fits(l *lang.Language, x hit, types []*typ) int {
	fc, s := k.sym(x.h)
	bound := k.bindArgs(x.recv)
	params := fc.f.List(s.Params)
	score := 0
	for i, p := range params {
		if i >= len(types) {
			break
		}
		local := &fc.f.Locals[p]
		if local.Type < 0 {
			continue
		}
		pt := k.subst(k.typeExpr(fc, local.Type), bound, 0)
		fit := k.assignable(l, pt, types[i], 0)
		if local.Flags&graph.VariadicParam != 0 {
			if pt != nil && pt.kind == tArray && (fit <= 0 || len(types) > len(params)) {
				fit = k.assignable(l, pt.elem, types[i], 0)
			}
			if l.Hides { // a list of any length, which is only the last choice of equals
				score--
			} else {
				score -= 50
			}
		}
		if fit <= unfit {
			score -= 1000
		}
		score += fit
	}
	if len(types) < len(params) && !l.Hides {
		score -= 50
	}
	if l.Hides && constrained(fc, s) {
		score -= 40
	}
	return score
}

// constrained reports whether a template has a parameter without a name: it is there for what it takes not to
// be taken for everything, so what takes an argument by itself goes before it.
func constrained(fc *filectx, s *graph.Symbol) bool {
	for _, p := range fc.f.List(s.TypeParams) {
		if fc.f.Locals[p].Name == 0 {
			return true
		}
	}
	return false
}

// assignable scores how well an argument of type a fits a parameter of type p: 0 unknown,
// more for better, unfit for not at all.
func (k *linker) assignable(l *lang.Language, p, a *typ, depth int) int {
	if l.Hides {
		return k.converts(p, a, depth)
	}
	p, a = strip(p), strip(a)
	switch {
	case p == nil || a == nil || depth > 12:
		return 0
	case l.ExactFunctions:
		if fit, decided := k.exactly(l, p, a, depth); decided {
			return fit
		}
	}
	switch {
	case a.kind == tParam:
		return k.assignable(l, p, k.boundOf(l, a), depth+1)
	case p.kind == tParam:
		fit := k.assignable(l, k.boundOf(l, p), a, depth+1)
		if fit <= unfit {
			return unfit
		}
		return max(fit-1, 1)
	case a.kind == tExternal && (a.elem != nil || strings.HasSuffix(a.name, ")")): // a member outside, or what a call of one yields
		return 0
	case p.kind == tUnion:
		best := unfit
		for _, q := range p.args {
			best = max(best, k.assignable(l, q, a, depth+1))
		}
		return best
	case a.kind == tUnion:
		best := unfit
		for _, q := range a.args {
			best = max(best, k.assignable(l, p, q, depth+1))
		}
		return best
	case p.kind == tBuiltin && p.name == l.Top:
		return 1
	case a.kind == tFunc || a.kind == tCallable:
		return k.functional(p, a)
	case l.Known != nil && outside(p) && outside(a) && len(l.Widens[a.name]) == 0:
		if steps, ok := l.Known.Distance(a.name, p.name); ok {
			return nearness(steps)
		}
		return k.unrelated(l, p, a)
	case p.kind == tBuiltin && a.kind == tBuiltin:
		return widening(l, p.name, a.name)
	case p.kind == tNamed && (a.kind == tNamed || a.kind == tMeta):
		return k.derived(l, p, a, depth)
	case p.kind == tArray && a.kind == tArray:
		if l.Unboxed[valueName(p.elem)] || l.Unboxed[valueName(a.elem)] {
			if valueName(p.elem) != valueName(a.elem) && a.elem != nil {
				return unfit
			}
		}
		if fit := k.assignable(l, p.elem, a.elem, depth+1); fit <= unfit {
			return unfit
		} else {
			return 5 + fit/2
		}
	case outside(p) && outside(a):
		return k.unrelated(l, p, a)
	case a.kind == tNamed && (p.kind == tExternal || p.kind == tBuiltin):
		return k.derived(l, p, a, depth)
	case p.kind == a.kind:
		return -2
	}
	return unfit
}

// outside reports whether t is a type of the language or of its library.
func outside(t *typ) bool { return t.kind == tExternal || t.kind == tBuiltin }

// nearness scores a type that many steps away from its base.
func nearness(steps int) int {
	if steps < 0 {
		return unfit
	}
	return max(10-steps, 1)
}

// unrelated scores an argument of type a for a parameter of type p, both from outside, of which it is
// not known whether one is the other.
func (k *linker) unrelated(l *lang.Language, p, a *typ) int {
	switch {
	case p.kind == tBuiltin && a.kind == tBuiltin:
		return widening(l, p.name, a.name)
	case p.kind == tExternal && a.kind == tExternal:
		if lastName(p.name) == lastName(a.name) {
			return 10
		}
		return -1
	case p.kind == tExternal && len(l.Widens[a.name]) > 0:
		return -5
	case p.kind == tBuiltin && l.Unboxed[p.name]:
		return unfit
	case p.kind == tBuiltin:
		return -2
	}
	return unfit
}

// boundOf is what all values of type parameter t are.
func (k *linker) boundOf(l *lang.Language, t *typ) *typ {
	if b := t.fc.f.Locals[t.expr].Type; b >= 0 {
		return k.typeExpr(t.fc, b)
	}
	if l.Top == "" {
		return nil
	}
	return &typ{kind: tBuiltin, name: l.Top}
}

// valueName is the name of a predeclared type, else empty.
func valueName(t *typ) string {
	if t == nil || t.kind != tBuiltin {
		return ""
	}
	return t.name
}

// widening scores a predeclared type as another: those that it widens to are listed, nearest first.
func widening(l *lang.Language, p, a string) int {
	if p == a {
		return 10
	}
	if i := slices.Index(l.Widens[a], p); i >= 0 {
		return max(8-i, 1)
	}
	if len(l.Widens) == 0 {
		return -3
	}
	return unfit
}

// derived scores a value of type a where p, or what derives from p, is asked for.
func (k *linker) derived(l *lang.Language, p, a *typ, depth int) int {
	if p.kind == tNamed && k.whole(p.h) == k.whole(a.h) {
		return 10
	}
	best, open := unfit, false
	for _, b := range k.allBases(a) {
		switch {
		case b == nil:
			open = true
		case b.kind == tNamed && (b.h == a.h || depth > 12): // a type of another arity, or a circle
		case b.kind == tNamed:
			if r := k.derived(l, p, b, depth+1); r > unfit {
				best = max(best, r-1)
			}
		case b.kind == p.kind && lastName(b.name) == lastName(p.name):
			best = max(best, 9)
		default:
			steps, ok := 0, false
			if l.Known != nil && outside(b) && outside(p) {
				steps, ok = l.Known.Distance(b.name, p.name)
			}
			if ok {
				best = max(best, nearness(steps)-1)
			}
			open = open || !ok
		}
	}
	if best == unfit && open && p.kind != tNamed {
		return -1
	}
	return best
}

// functional scores a function as an argument: an interface of one method takes it.
func (k *linker) functional(p, a *typ) int {
	switch p.kind {
	case tFunc:
		return 5
	case tNamed:
		pc, m := k.soleMethod(p)
		if m == nil || a.kind == tFunc && len(a.fc.f.List(a.fc.f.Exprs[a.expr].Kids)) != len(pc.f.List(m.Params)) {
			return unfit
		}
		return 3
	case tExternal:
		return 0
	}
	return unfit
}
