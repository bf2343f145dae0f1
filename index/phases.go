package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Where a language chooses among overloads in phases, a call means the most special of those that can take its
// arguments as they are; if there are none, of those that can take them once values and objects of them are
// put in the place of each other; if there are none either, of those that gather the last arguments in a
// sequence.

// aptness is how a parameter takes an argument.
type aptness uint8

const (
	never     aptness = iota
	loosely           // a value in the place of an object of it, or the other way round
	perhaps           // of one of them too little is known
	asItStand         // as it is
)

func sure(ok bool) aptness {
	if ok {
		return asItStand
	}
	return never
}

// candidate is an overload that can take the arguments of a call.
type candidate struct {
	hit
	params []*typ // one for each argument
	phase  int
	unsure bool
}

// phased keeps the hits that a call of c with these arguments means.
func (k *linker) phased(c *filectx, hits []hit, args []int32) []hit {
	types := k.values(c, args)
	var all []candidate
	for _, x := range k.notOverridden(hits) {
		for phase := 1; phase <= 3; phase += 2 {
			if cand, ok := k.applicable(c.l, x, types, phase == 3); ok {
				all = append(all, cand)
				break
			}
		}
	}
	if len(all) == 0 {
		return k.takers(hits, len(args))
	}
	first := slices.MinFunc(all, func(a, b candidate) int { return a.phase - b.phase }).phase
	all = slices.DeleteFunc(all, func(x candidate) bool { return x.phase > first })
	if len(all) > 1 {
		all = k.mostSpecial(c.l, all, types)
	}
	out := make([]hit, len(all))
	for i, x := range all {
		out[i] = x.hit
	}
	return out
}

// takers keeps the hits that take n arguments, if there are any.
func (k *linker) takers(hits []hit, n int) []hit {
	var out []hit
	for _, x := range hits {
		if fc, s := k.sym(x.h); takes(fc, s, n) {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return hits
	}
	return out
}

// applicable reports whether x can take arguments of those types, as many as it has parameters or, spread, any
// number of which the last are gathered.
func (k *linker) applicable(l *lang.Language, x hit, types []*typ, spread bool) (candidate, bool) {
	c := candidate{hit: x, phase: 1}
	fc, s := k.sym(x.h)
	params := fc.f.List(s.Params)
	last := len(params) - 1
	switch {
	case spread && (last < 0 || fc.f.Locals[params[last]].Flags&graph.VariadicParam == 0 || len(types) < last):
		return c, false
	case !spread && len(types) != len(params):
		return c, false
	}
	bound := k.bindArgs(x.recv)
	for i, t := range types {
		p := k.subst(k.typeExpr(fc, fc.f.Locals[params[min(i, last)]].Type), bound, 0)
		if spread && i >= last && p != nil && p.kind == tArray {
			p = p.elem
		}
		c.params = append(c.params, p)
		switch k.argumentFits(l, p, t) {
		case never:
			return c, false
		case loosely:
			c.phase = 2
		case perhaps:
			c.unsure = true
		}
	}
	if spread {
		c.phase = 3
	}
	return c, true
}

// argumentFits is how a parameter of type p takes an argument of type a.
func (k *linker) argumentFits(l *lang.Language, p, a *typ) aptness {
	p, a = strip(p), strip(a)
	switch {
	case p == nil || a == nil:
		return perhaps
	case a.kind == tFunc || a.kind == tCallable:
		return k.functionIs(l, p, a)
	case unboxed(l, p) && unboxed(l, a):
		return sure(p.name == a.name || slices.Contains(l.Widens[a.name], p.name))
	case a.kind == tBuiltin && a.name == nullName:
		return sure(!unboxed(l, p))
	case unboxed(l, p):
		return k.unboxes(l, p, a)
	case unboxed(l, a):
		switch k.isOne(l, boxOf(l, a), p, 0) {
		case never:
			return never
		case perhaps:
			if p.kind == tExternal && len(l.Widens[lastName(p.name)]) == 0 && l.Known != nil && l.Known.Has(p.name) {
				return never
			}
		}
		return loosely
	}
	return k.isOne(l, a, p, 0)
}

// unboxes is how a value of type p is taken out of an object of type a.
func (k *linker) unboxes(l *lang.Language, p, a *typ) aptness {
	switch {
	case a.kind == tParam || unknownOutside(a):
		return perhaps
	case !outside(a):
		return never
	}
	name := lastName(a.name)
	for of := range l.Unboxed {
		if box := boxOf(l, &typ{name: of}); box != nil && box.name == name {
			if of == p.name || slices.Contains(l.Widens[of], p.name) {
				return loosely
			}
			return never
		}
	}
	if l.Known != nil && len(l.Known.Bases(a.name)) > 0 || a.kind == tBuiltin {
		return never
	}
	return perhaps
}

// unboxed reports whether values of type t are no objects.
func unboxed(l *lang.Language, t *typ) bool { return t.kind == tBuiltin && l.Unboxed[t.name] }

// boxOf is the type of the objects that hold values of type t.
func boxOf(l *lang.Language, t *typ) *typ {
	for _, w := range l.Widens[t.name] {
		if !l.Unboxed[w] {
			return &typ{kind: tBuiltin, name: w}
		}
	}
	return nil
}

// unknownOutside reports whether t is something from outside of which no type is known.
func unknownOutside(t *typ) bool {
	return t.kind == tExternal && (t.name == "" || t.elem != nil || strings.HasSuffix(t.name, called))
}

// isOne is how sure it is that a value of type a, an object, is one of type p.
func (k *linker) isOne(l *lang.Language, a, p *typ, depth int) aptness {
	p, a = strip(p), strip(a)
	switch {
	case p == nil || a == nil || depth > 12:
		return perhaps
	case p.kind == tBuiltin && p.name == l.Top:
		return asItStand
	case p.kind == tParam:
		return k.isParam(l, a, p, depth)
	case a.kind == tUnion: // one of several: all must be
		worst := asItStand
		for _, x := range a.args {
			worst = min(worst, k.argumentFits(l, p, x))
		}
		return worst
	case p.kind == tUnion:
		best := never
		for _, x := range p.args {
			best = max(best, k.isOne(l, a, x, depth+1))
		}
		return best
	case a.kind == tParam:
		return k.isOne(l, k.boundOf(l, a), p, depth+1)
	case unknownOutside(a) || unknownOutside(p):
		return perhaps
	case unboxed(l, p) || unboxed(l, a):
		return sure(p.kind == a.kind && p.name == a.name)
	case a.kind == tArray && p.kind == tArray:
		return k.arrayIs(l, a, p, depth)
	case a.kind == tArray:
		return sure(outside(p) && slices.Contains(l.ArrayTypes, lastName(p.name)))
	case p.kind == tArray:
		return never
	case outside(a) && outside(p):
		return k.outsideIs(l, a.name, p.name)
	case outside(a):
		if k.knownType(l, a) {
			return never
		}
		return perhaps
	case a.kind == tNamed || a.kind == tMeta:
		return k.derivesAs(l, a, p, depth)
	}
	return perhaps
}

func (k *linker) knownType(l *lang.Language, t *typ) bool {
	if l.Known == nil {
		return false
	}
	_, known := l.Known.Distance(t.name, t.name)
	return known
}

func (k *linker) arrayIs(l *lang.Language, a, p *typ, depth int) aptness {
	switch x, y := strip(a.elem), strip(p.elem); {
	case x == nil || y == nil:
		if y != nil && unboxed(l, y) || x != nil && unboxed(l, x) {
			return perhaps
		}
		return perhaps
	case unboxed(l, x) || unboxed(l, y):
		return sure(x.kind == y.kind && x.name == y.name)
	}
	return k.isOne(l, a.elem, p.elem, depth+1)
}

// outsideIs is isOne for types of the language or from outside, by their names.
func (k *linker) outsideIs(l *lang.Language, a, p string) aptness {
	if lastName(a) == lastName(p) {
		return asItStand
	}
	if l.Known == nil {
		return perhaps
	}
	if steps, known := l.Known.Distance(a, p); known {
		return sure(steps >= 0)
	}
	_, aKnown := l.Known.Distance(a, a)
	_, pKnown := l.Known.Distance(p, p)
	switch {
	case aKnown && !pKnown: // the library knows nothing of it
		return never
	case pKnown && slices.Contains(l.Finals, lastName(p)):
		return never
	}
	return perhaps
}

// isParam is isOne for a type parameter: one of the called method stands for anything within its bound.
func (k *linker) isParam(l *lang.Language, a, p *typ, depth int) aptness {
	if a.kind == tParam && a.fc == p.fc && a.expr == p.expr {
		return asItStand
	}
	local := &p.fc.f.Locals[p.expr]
	if local.In < 0 || !p.fc.f.Symbols[local.In].Kind.Callable() {
		return perhaps
	}
	if local.Type < 0 {
		return asItStand
	}
	return k.isOne(l, a, k.typeExpr(p.fc, local.Type), depth+1)
}

// derivesAs is isOne for a type of the workspace, through its bases.
func (k *linker) derivesAs(l *lang.Language, a, p *typ, depth int) aptness {
	if p.kind == tNamed && k.whole(p.h) == k.whole(a.h) {
		return asItStand
	}
	_, s := k.sym(a.h)
	if s == nil {
		return perhaps
	}
	best := never
	if outside(p) && s.Kind == graph.Enum {
		best = k.outsideIs(l, l.EnumBase, p.name)
	}
	for _, b := range k.allBases(a) {
		switch b = strip(b); {
		case b == nil:
			best = max(best, perhaps)
		case b.kind == tNamed:
			best = max(best, k.derivesAs(l, b, p, depth+1))
		case p.kind == tNamed: // what comes from outside derives from nothing in the workspace
		default:
			best = max(best, k.isOne(l, b, p, depth+1))
		}
		if best == asItStand || depth > 12 {
			break
		}
	}
	return best
}

// functionIs is how sure it is that function a is a value of type p.
func (k *linker) functionIs(l *lang.Language, p, a *typ) aptness {
	if p.kind == tParam {
		local := &p.fc.f.Locals[p.expr]
		return sure(local.Type < 0 && local.In >= 0 && p.fc.f.Symbols[local.In].Kind.Callable())
	}
	fn, known := k.functionOf(p)
	switch {
	case fn == nil && known:
		return never
	case fn == nil:
		return perhaps
	case a.kind == tCallable:
		return k.methodIs(fn, a)
	}
	e := &a.fc.f.Exprs[a.expr]
	kids := a.fc.f.List(e.Kids)
	void := k.isVoid(fn.result)
	switch {
	case e.N == graph.AnyParams:
		return perhaps
	case len(kids) != len(fn.params):
		return never
	case e.N == graph.Resultless && !void, e.N == graph.Stated && void:
		return never
	case len(kids) > 0 && a.fc.f.Exprs[kids[0]].Op == graph.OpLocal && a.fc.f.Locals[a.fc.f.Exprs[kids[0]].X].Type < 0:
		return asItStand // what its parameters are follows from p
	}
	if !void && e.N == 0 && k.isVoid(k.result(a, nil, nil)) {
		return never
	}
	return asItStand
}

// methodIs is functionIs for a method as a value.
func (k *linker) methodIs(fn *function, a *typ) aptness {
	fc, s := k.sym(a.h)
	if s == nil {
		return perhaps
	}
	n := len(fn.params)
	if takes(fc, s, n) || n > 0 && a.elem != nil && a.elem.kind == tMeta && s.Flags&graph.Static == 0 && takes(fc, s, n-1) {
		return asItStand
	}
	return perhaps // another of its name may
}

// wider is the type of what an operator makes of operands of these types.
func (k *linker) wider(l *lang.Language, types []*typ) *typ {
	var out *typ
	for _, t := range types {
		if t = strip(t); t == nil {
			continue
		}
		if t.kind == tBuiltin && t.name == l.TextType {
			return t
		}
		for of := range l.Unboxed {
			if box := boxOf(l, &typ{name: of}); box != nil && t.kind == tBuiltin && box.name == t.name {
				t = &typ{kind: tBuiltin, name: of}
				break
			}
		}
		if slices.Contains(l.Widens[t.name], l.Promoted) && t.kind == tBuiltin && l.Unboxed[t.name] {
			t = &typ{kind: tBuiltin, name: l.Promoted}
		}
		if out == nil || slices.Contains(l.Widens[out.name], t.name) {
			out = t
		}
	}
	return out
}
