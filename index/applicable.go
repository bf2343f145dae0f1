package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Where overloads of a type go before those of its bases, what a call means is told in steps: those that
// take as many arguments, or type arguments, as the call passes; of these the ones that can take arguments
// of such types; of these the ones of the most derived type; of these the best.

// extendee is what the value is that a call of c with callee expression x is made on, if symbol s is
// called like a member of it.
func (k *linker) extendee(c *filectx, x *graph.Expr, s *graph.Symbol) (*typ, bool) {
	if s.Flags&graph.Extension == 0 || x.Op != graph.OpMember || !c.l.OuterSpaces {
		return nil, false
	}
	t := strip(k.value(c, x.X))
	if t != nil && (t.kind == tMeta || t.kind == tPack || t.kind == tModule) {
		return nil, false
	}
	return t, true
}

// counted keeps the hits that take the number of arguments and type arguments of call e of c.
func (k *linker) counted(c *filectx, hits []hit, e *graph.Expr) []hit {
	n, given := int(e.N)-1, 0
	x := &c.f.Exprs[e.X]
	if x.Op == graph.OpIndex && x.X >= 0 && e.Op == graph.OpCall {
		given = len(c.f.List(x.Kids))
		x = &c.f.Exprs[callee(c.f, e.X)]
	}
	var fit []hit
	for _, h := range hits {
		fc, s := k.sym(h.h)
		if s == nil || !s.Kind.Callable() || given > 0 && len(fc.f.List(s.TypeParams)) != given && s.Kind != graph.Constructor {
			continue
		}
		m := n
		if _, ok := k.extendee(c, x, s); ok {
			m++
		}
		if takes(fc, s, m) {
			fit = append(fit, h)
		}
	}
	return k.built(fit)
}

// built leaves out what the usual build leaves out, where something else is there.
func (k *linker) built(hits []hit) []hit {
	var out []hit
	for _, x := range hits {
		if _, s := k.sym(x.h); s != nil && s.Flags&graph.Unbuilt == 0 {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return hits
	}
	return out
}

// scored is a hit and how well it fits.
type scored struct {
	hit
	score int
	fits  bool
}

// nearestFit is what call e of c means of hits, which take its number of arguments.
func (k *linker) nearestFit(c *filectx, hits []hit, e *graph.Expr) []hit {
	types := k.values(c, c.f.List(e.Kids))
	x := &c.f.Exprs[callee(c.f, e.X)]
	all := make([]scored, 0, len(hits))
	any := false
	for _, h := range hits {
		s := scored{hit: h}
		s.score, s.fits = k.applies(c, h, x, types, e)
		any = any || s.fits
		all = append(all, s)
	}
	if any {
		all = k.mostDerived(slices.DeleteFunc(all, func(s scored) bool { return !s.fits }))
	}
	best := slices.MaxFunc(all, func(a, b scored) int { return a.score - b.score }).score
	var out []hit
	for _, s := range all {
		if s.score == best {
			out = append(out, s.hit)
		}
	}
	if len(out) > 1 {
		out = k.special(c, out)
	}
	return out
}

// mostDerived keeps those of the type of the first that does not override another.
func (k *linker) mostDerived(all []scored) []scored {
	var of graph.Handle
	for _, s := range all {
		fc, y := k.sym(s.h)
		if y == nil || y.Container < 0 || y.Flags&graph.Override != 0 {
			continue
		}
		if fc.f.Symbols[y.Container].Kind == graph.Interface {
			return all
		}
		of = k.whole(graph.Handle{File: s.h.File, Index: y.Container})
		break
	}
	if of == (graph.Handle{}) {
		return all
	}
	var out []scored
	for _, s := range all {
		_, y := k.sym(s.h)
		own := y != nil && y.Container >= 0 && k.whole(graph.Handle{File: s.h.File, Index: y.Container}) == of
		if own || y != nil && y.Flags&graph.Override != 0 {
			out = append(out, s)
		}
	}
	return out
}

// parameterFor is which parameter of s takes argument i of args, which may name it; -1 for none. So many
// parameters stand before that of the first argument.
func parameterFor(c, fc *filectx, s *graph.Symbol, args []int32, i, before int) int {
	if args[i] < 0 || c.f.Exprs[args[i]].Op != graph.OpNamed {
		return before + i
	}
	name := c.f.Str(c.f.Exprs[args[i]].Name)
	return slices.IndexFunc(fc.f.List(s.Params), func(p int32) bool { return fc.f.Str(fc.f.Locals[p].Name) == name })
}

// applies scores how well hit x takes the arguments of call e, which have those types, and whether it can.
func (k *linker) applies(c *filectx, x hit, callee *graph.Expr, types []*typ, e *graph.Expr) (score int, ok bool) {
	fc, s := k.sym(x.h)
	args, before := c.f.List(e.Kids), 0
	if of, extends := k.extendee(c, callee, s); extends {
		types, before = append([]*typ{of}, types...), 1
	}
	bound := k.bindArgs(x.recv)
	params := fc.f.List(s.Params)
	ok = true
	spread := false
	for i, t := range types {
		if len(params) == 0 {
			break
		}
		at := i
		if i >= before {
			if at = parameterFor(c, fc, s, args, i-before, before); at < 0 {
				return unfit * 100, false
			}
		}
		local := &fc.f.Locals[params[min(at, len(params)-1)]]
		if local.Type < 0 {
			continue
		}
		pt := k.subst(k.typeExpr(fc, local.Type), bound, 0)
		fit := k.assignable(c.l, pt, t, 0)
		if local.Flags&graph.VariadicParam != 0 && pt != nil && pt.kind == tArray && (fit <= unfit || len(types) > len(params)) {
			fit, spread = k.assignable(c.l, pt.elem, t, 0), true
		}
		if fit <= unfit {
			ok = false
		}
		score += 4 * fit
	}
	switch last := len(params) - 1; {
	case spread || len(params) > len(types) && last >= 0 && fc.f.Locals[params[last]].Flags&graph.VariadicParam != 0:
		score -= 40
	case len(types) < len(params):
		score -= 20
	}
	if s.TypeParams != 0 {
		score--
	}
	return score, ok
}

// special keeps, of hits that fit alike, the one whose parameters are the most special.
func (k *linker) special(c *filectx, hits []hit) []hit {
	for i, x := range hits {
		best := true
		for j, y := range hits {
			if i != j && !k.moreSpecial(c.l, x, y) {
				best = false
				break
			}
		}
		if best {
			return hits[i : i+1]
		}
	}
	return hits
}

// moreSpecial reports whether every value that x takes y takes too, and not the other way round.
func (k *linker) moreSpecial(l *lang.Language, x, y hit) bool {
	xc, xs := k.sym(x.h)
	yc, ys := k.sym(y.h)
	px, py := xc.f.List(xs.Params), yc.f.List(ys.Params)
	more := false
	for i := range min(len(px), len(py)) {
		a := k.subst(k.typeExpr(xc, xc.f.Locals[px[i]].Type), k.bindArgs(x.recv), 0)
		b := k.subst(k.typeExpr(yc, yc.f.Locals[py[i]].Type), k.bindArgs(y.recv), 0)
		if a == nil || b == nil || same(a, b, 0) {
			continue
		}
		there, back := k.assignable(l, b, a, 0), k.assignable(l, a, b, 0)
		if there <= unfit {
			return false
		}
		more = more || back < there
	}
	return more || ys.TypeParams != 0 && xs.TypeParams == 0
}

// exactly scores an argument of type a for a parameter of type p by what exact languages say of
// type parameters, values that are none, functions and sequences; decided is false for others.
func (k *linker) exactly(l *lang.Language, p, a *typ, depth int) (fit int, decided bool) {
	switch {
	case a.kind == tArray && a.elem != nil && same(p, a, 0):
		return 10, true
	case a.kind == tBuiltin && a.name == nullName:
		return k.takesNull(l, p), true
	case p.null && !a.null:
		q := *p
		q.null = false
		if fit := k.assignable(l, &q, a, depth+1); fit > unfit {
			return max(fit-1, unfit+1), true
		}
		return unfit, true
	case a.null && !p.null && p.kind == tBuiltin && l.Unboxed[p.name]:
		return unfit, true
	case p.kind == tParam:
		return k.inferable(l, p, a, depth), true
	case a.kind == tUnion || p.kind == tUnion || a.kind == tParam:
		return 0, false
	case p.kind == tBuiltin && p.name == l.Top:
		return 1, true
	case a.kind == tFunc || a.kind == tCallable:
		return k.functionFits(l, p, a), true
	case p.kind == tFunc:
		if a.kind == tExternal && (a.elem != nil || a.name == l.Core.Delegate || strings.HasSuffix(a.name, called)) {
			return 0, true
		}
		if a.kind == tNamed && k.underlying(a) != nil {
			return 1, true
		}
		return unfit, true
	case a.kind == tArray && p.kind == tExternal:
		return k.sequenceFits(l, p, a, depth), true
	case a.kind == tExternal && p.kind == tExternal && len(a.args) > 0 && len(a.args) == len(p.args):
		for i := range a.args {
			if a.args[i] != nil && p.args[i] != nil && k.assignable(l, p.args[i], a.args[i], depth+1) <= unfit {
				return unfit, true
			}
		}
	case p.kind == tNamed && outside(a) && a.elem == nil && !strings.HasSuffix(a.name, called):
		return k.converted(l, p, a, depth), true
	}
	return 0, false
}

// takesNull scores the value that is none for a parameter of type p.
func (k *linker) takesNull(l *lang.Language, p *typ) int {
	switch {
	case p.null:
		return 1
	case p.kind == tBuiltin && l.Unboxed[p.name]:
		return unfit
	case p.kind == tNamed:
		if _, s := k.sym(p.h); s != nil && (s.Kind == graph.Struct || s.Kind == graph.Enum) {
			return unfit
		}
	case p.kind == tExternal && l.Known != nil:
		if steps, ok := l.Known.Distance(p.name, l.Core.Value); ok && steps >= 0 {
			return unfit
		}
	}
	return 1
}

// inferable scores an argument for a type parameter: of the called function itself anything that keeps
// its bounds, of a type only the same one.
func (k *linker) inferable(l *lang.Language, p, a *typ, depth int) int {
	if a.kind == tParam && a.fc == p.fc && a.expr == p.expr {
		return 10
	}
	if a.kind == tFunc {
		return unfit
	}
	local := &p.fc.f.Locals[p.expr]
	if local.In < 0 || !p.fc.f.Symbols[local.In].Kind.Callable() {
		return 0
	}
	if local.Type >= 0 {
		if k.assignable(l, k.typeExpr(p.fc, local.Type), a, depth+1) <= unfit {
			return unfit
		}
	}
	return 9
}

// functionFits scores a function as an argument: it has as many parameters as are asked for, and a
// result where one is.
func (k *linker) functionFits(l *lang.Language, p, a *typ) int {
	if p.kind == tNamed {
		if u := k.underlying(p); u != nil {
			p = u
		}
	}
	if p.kind == tExternal {
		if len(p.args) > 0 && slices.Contains(l.Quotes, lastName(p.name)) {
			return k.functionFits(l, p.args[0], a)
		}
		if steps, ok := l.Known.Distance(p.name, l.Core.Delegate); ok && steps <= 0 {
			return unfit
		}
		return 0
	}
	if p.kind != tFunc {
		return unfit
	}
	pe := &p.fc.f.Exprs[p.expr]
	want := len(p.fc.f.List(pe.Kids))
	if a.kind == tCallable {
		fc, s := k.sym(a.h)
		if s != nil && !takes(fc, s, want) {
			return 1 // another of its name may
		}
		return 5
	}
	ae := &a.fc.f.Exprs[a.expr]
	if len(a.fc.f.List(ae.Kids)) != want && ae.N != graph.AnyParams {
		return unfit
	}
	var result *typ
	if pe.X >= 0 {
		result = k.typeExpr(p.fc, pe.X)
	}
	void := pe.X < 0 || k.isVoid(result)
	later := result != nil && result.kind == tExternal && strings.HasSuffix(lastName(result.name), l.Core.Later)
	switch {
	case ae.N >= graph.Later && later:
		return k.laterFits(a, ae.N, len(result.args) > 0)
	case ae.N >= graph.Later:
		return 3
	case ae.N == graph.Resultless && !void:
		return unfit
	case ae.N == graph.Resultless:
		return 6
	case void && ae.X >= 0 && ae.N == graph.Stated:
		return unfit
	}
	got := k.result(a, nil, nil)
	switch {
	case k.isVoid(got) && void:
		return 7
	case k.isVoid(got):
		return unfit
	case void:
		return 3
	}
	return k.resultFits(l, got, k.subst(result, p.env, 0))
}

// laterFits scores function a of that N, which is to be awaited, where what is awaited is or is not asked to be a
// value. An expression that may stand by itself may be either.
func (k *linker) laterFits(a *typ, n uint16, value bool) int {
	if n != graph.LaterEither {
		if (n == graph.Later) == value {
			return 6
		}
		return unfit
	}
	got := k.result(a, nil, nil)
	nothing := k.isVoid(got) || got != nil && got.kind == tExternal && len(got.args) == 0 && lastName(got.name) == a.fc.l.Core.Later
	switch {
	case nothing && value:
		return unfit
	case nothing:
		return 6
	case value:
		return 5
	}
	return 4
}

// resultFits scores a function that yields got where one of that result is asked for.
func (k *linker) resultFits(l *lang.Language, got, result *typ) int {
	switch {
	case got == nil || result == nil || got.kind == tExternal && got.elem != nil:
		return 5
	case got.kind == tExternal && result.kind == tExternal && lastName(got.name) == lastName(result.name):
		if len(got.args) == len(result.args) {
			return 8
		}
		return 5
	case open(result, 0):
		return 5
	}
	fit := k.assignable(l, result, got, 2)
	if fit <= unfit {
		return unfit
	}
	return 4 + max(fit, 0)/3
}

// isVoid reports whether t is the type of what yields nothing.
func (k *linker) isVoid(t *typ) bool { return t != nil && t.kind == tBuiltin && t.name == "void" }

// sequenceFits scores an array for a parameter of type p from outside.
func (k *linker) sequenceFits(l *lang.Language, p, a *typ, depth int) int {
	steps, ok := l.Known.Distance(l.Core.List, p.name)
	if lastName(p.name) == l.Core.Array {
		return 5
	}
	if !ok || steps <= 0 {
		return unfit
	}
	if len(p.args) == 1 && a.elem != nil && p.args[0] != nil {
		fit := k.assignable(l, p.args[0], a.elem, depth+1)
		if fit <= unfit {
			return unfit
		}
		return 3 + fit/2
	}
	return 3
}

// converted scores a value from outside for a parameter of a type of the workspace: one that it converts to.
func (k *linker) converted(l *lang.Language, p, a *typ, depth int) int {
	_, s := k.sym(p.h)
	if s == nil || depth > 2 {
		return unfit
	}
	if u := k.underlying(p); u != nil {
		return unfit
	}
	pc, _ := k.sym(p.h)
	for _, x := range k.look(pc.sc.members(p.h.Index).Key("operator " + pc.f.Str(s.Name))) {
		fc, op := k.sym(x)
		if op == nil {
			continue
		}
		if params := fc.f.List(op.Params); len(params) == 1 && fc.f.Locals[params[0]].Type >= 0 {
			if fit := k.assignable(l, k.typeExpr(fc, fc.f.Locals[params[0]].Type), a, depth+1); fit > 0 {
				return 1
			}
		}
	}
	return unfit
}
