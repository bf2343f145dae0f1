package index

import (
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Where files are included as text, all share one space of names. What a file sees of it is what
// it defines and includes; of several definitions of one thing, those it sees go first.

// maxIncluded bounds the files that one file is followed to include.
const maxIncluded = 400

// included are the files that c includes, directly or not, and c itself.
func (k *linker) included(c *filectx) map[graph.FileID]bool {
	if c.included != nil {
		return c.included
	}
	c.included = map[graph.FileID]bool{c.id: true}
	queue := []*filectx{c}
	for len(queue) > 0 && len(c.included) < maxIncluded {
		x := queue[0]
		queue = queue[1:]
		for _, h := range k.look(x.sc.file.Key(star)) {
			if h.File != x.id || h.Index >= 0 || x.f.Imports[-1-h.Index].Flags&graph.Include == 0 {
				continue
			}
			for _, m := range k.modules(x, -1-h.Index) {
				if y := k.ctx(m.file); y != nil && !c.included[m.file] {
					c.included[m.file] = true
					queue = append(queue, y)
				}
			}
		}
	}
	return c.included
}

// ownLinkage reports whether symbol h is seen only where its file is.
func (k *linker) ownLinkage(h graph.Handle) bool {
	c, s := k.sym(h)
	for s != nil {
		if s.Flags&graph.FileLocal != 0 {
			return true
		}
		if s.Container < 0 {
			return false
		}
		s = &c.f.Symbols[s.Container]
	}
	return false
}

// seen keeps, of symbols of one name, those that c can mean.
func (k *linker) seen(c *filectx, hs []graph.Handle) []graph.Handle {
	if len(hs) == 0 || len(hs) == 1 && (hs[0].File == c.id || !k.ownLinkage(hs[0])) {
		return hs
	}
	in := k.included(c)
	var out []graph.Handle
	own, near := false, false
	var macros []graph.Handle
	for _, h := range hs {
		if h.File != c.id && !in[h.File] && k.ownLinkage(h) {
			continue
		}
		if _, s := k.sym(h); s != nil && s.Kind == graph.Macro && s.Flags&graph.Conditional == 0 {
			macros = append(macros, h)
		}
		out = append(out, h)
		own = own || h.File == c.id && k.defines(h)
		near = near || in[h.File] && k.defines(h)
	}
	out = k.declaredIn(in, out)
	switch {
	case len(macros) > 0: // stand for anything of their name
		return macros
	case !own && !near:
		return out
	}
	kept := out[:0:0]
	for _, h := range out {
		far := own && h.File != c.id || !own && !in[h.File]
		if !far || !k.defines(h) || !k.rivals(h, out, func(x graph.Handle) bool { return own && x.File == c.id || !own && in[x.File] }) {
			kept = append(kept, h)
		}
	}
	return kept
}

// declaredIn leaves out the callables that none of the files in declares, if these declare others of the name:
// what is called is declared before.
func (k *linker) declaredIn(in map[graph.FileID]bool, hs []graph.Handle) []graph.Handle {
	var near []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s != nil && s.Kind.Callable() && in[h.File] {
			near = append(near, h)
		}
	}
	if len(near) == 0 || len(near) == len(hs) {
		return hs
	}
	var out []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || !s.Kind.Callable() || in[h.File] || slices.ContainsFunc(near, func(x graph.Handle) bool { return k.sameParams(x, h) }) {
			out = append(out, h)
		}
	}
	return out
}

// defines reports whether h is more than a declaration.
func (k *linker) defines(h graph.Handle) bool {
	_, s := k.sym(h)
	return s != nil && s.Flags&graph.Declaration == 0
}

// rivals reports whether one of the near symbols defines what h does, too.
func (k *linker) rivals(h graph.Handle, hs []graph.Handle, near func(graph.Handle) bool) bool {
	_, s := k.sym(h)
	for _, x := range hs {
		if _, y := k.sym(x); x != h && y != nil && near(x) && k.defines(x) && s.Kind.Callable() == y.Kind.Callable() &&
			(s.Kind == graph.TypeAlias) == (y.Kind == graph.TypeAlias) && (!s.Kind.Callable() || k.sameParams(h, x)) {
			return true
		}
	}
	return false
}

// sameParams reports whether two callables take the same, as far as is known.
func (k *linker) sameParams(a, b graph.Handle) bool {
	ac, as := k.sym(a)
	bc, bs := k.sym(b)
	if as == nil || bs == nil {
		return false
	}
	ap, bp := ac.f.List(as.Params), bc.f.List(bs.Params)
	if len(ap) != len(bp) || (as.Flags^bs.Flags)&graph.ReadOnly != 0 {
		return false
	}
	for i := range ap {
		p, q := k.typeExpr(ac, ac.f.Locals[ap[i]].Type), k.typeExpr(bc, bc.f.Locals[bp[i]].Type)
		if p != nil && q != nil && !k.alike(p, q, 0) {
			return false
		}
	}
	return true
}

// alike reports whether two types are the same; several declarations of a type are one.
func (k *linker) alike(p, q *typ, depth int) bool {
	if p == nil || q == nil || depth > 6 {
		return true
	}
	if p.kind == tNamed && q.kind == tNamed && p.h != q.h {
		return k.oneType(p.h, q.h)
	}
	if p.kind == tPointer && q.kind == tPointer {
		return k.alike(p.elem, q.elem, depth+1)
	}
	if p.kind == tExternal && q.kind == tExternal {
		return lastName(p.name) == lastName(q.name)
	}
	return p.kind == q.kind && (p.kind != tBuiltin || p.name == q.name)
}

// calledOf keeps, of the overloads in b, the one that a call means: its definition, then what
// declares it.
func (k *linker) calledOf(c *filectx, b binding, call *graph.Expr) binding {
	var hits []hit
	for _, h := range b.hs {
		if _, s := k.sym(h); s == nil || !s.Kind.Callable() {
			return b
		}
		hits = append(hits, hit{h: h, recv: b.t})
	}
	if len(hits) < 2 || call.N == 0 {
		return b
	}
	fit := k.byConst(c, k.overload(c, hits, call), call)
	b.hs = b.hs[:0:0]
	for _, x := range fit {
		for _, y := range hits { // defaults of parameters stand in declarations only
			if k.defines(y.h) && !k.defines(x.h) && !hasHandle(b.hs, y.h) && k.sameParams(x.h, y.h) {
				b.hs = append(b.hs, y.h)
			}
		}
		if !hasHandle(b.hs, x.h) {
			b.hs = append(b.hs, x.h)
		}
	}
	b.hs = k.order(c, b.hs)
	k.declaredFirst(b.hs)
	switch n := k.distinct(b.hs); {
	case n > maxChoice:
		return unresolved(graph.Ambiguous)
	case n > 1:
		b.status, b.reason = graph.Possible, graph.Ambiguous
		return b
	}
	if len(fit) < len(hits) {
		b.reason = graph.ByOverload
	}
	return b
}

// declaredFirst puts a declaration first where several files define what is meant, for different systems.
func (k *linker) declaredFirst(hs []graph.Handle) {
	at := slices.IndexFunc(hs, func(h graph.Handle) bool { return !k.defines(h) })
	if len(hs) < 3 || at < 2 || hs[0].File == hs[1].File || !k.sameParams(hs[0], hs[1]) || !k.sameParams(hs[0], hs[at]) {
		return
	}
	h := hs[at]
	copy(hs[1:at+1], hs[:at])
	hs[0] = h
}

// maxChoice is how many overloads a call may mean; of more, which is so where it depends on what a template
// is made for, none is named.
const maxChoice = 3

// distinct counts the callables among hs that take different things, up to one more than may be meant.
func (k *linker) distinct(hs []graph.Handle) int {
	var kinds []graph.Handle
	for _, h := range hs {
		if !slices.ContainsFunc(kinds, func(x graph.Handle) bool { return k.sameParams(x, h) }) {
			if kinds = append(kinds, h); len(kinds) > maxChoice {
				break
			}
		}
	}
	return len(kinds)
}

// constIn reports whether the method around symbol in of c changes nothing.
func (k *linker) constIn(c *filectx, in int32) bool {
	for s := in; s >= 0; s = c.f.Symbols[s].Container {
		if y := &c.f.Symbols[s]; y.Kind == graph.Method {
			return y.Flags&graph.ReadOnly != 0
		}
	}
	return false
}

// byConst keeps, of overloads that take the same, those for a receiver that may be changed, or those
// for one that may not.
func (k *linker) byConst(c *filectx, hits []hit, call *graph.Expr) []hit {
	if len(hits) < 2 || call.X < 0 || !c.l.Hides {
		return hits
	}
	konst := false
	switch x := &c.f.Exprs[callee(c.f, call.X)]; x.Op {
	case graph.OpName:
		konst = k.constIn(c, x.In)
	case graph.OpMember:
		t := strip(k.value(c, x.X))
		konst = t != nil && t.konst
	}
	var fit []hit
	for _, x := range hits {
		if _, s := k.sym(x.h); s != nil && (s.Flags&graph.ReadOnly != 0) == konst {
			fit = append(fit, x)
		}
	}
	if len(fit) == 0 {
		return hits
	}
	return fit
}

func hasHandle(hs []graph.Handle, h graph.Handle) bool {
	for _, x := range hs {
		if x == h {
			return true
		}
	}
	return false
}

// made are the constructors of the type in b that a call or initializer runs, before the type.
func (k *linker) made(c *filectx, b binding, call *graph.Expr) binding {
	if len(b.hs) == 0 {
		return b
	}
	_, s := k.sym(b.hs[0])
	if s == nil || !s.Kind.Type() || s.Kind == graph.Enum {
		return b
	}
	t := strip(k.symbolType(b.hs[0]))
	if t != nil && t.kind == tExternal && s.Kind == graph.TypeAlias {
		return external(t.name, graph.ByConstructor)
	}
	if t == nil || t.kind != tNamed {
		return b
	}
	var ctors binding
	for _, name := range c.l.Constructors {
		for _, x := range k.own(t, name, graph.ByConstructor) {
			if xc, xs := k.sym(x.h); call == nil || takes(xc, xs, int(call.N)-1) {
				ctors.hs = append(ctors.hs, x.h)
			}
		}
	}
	if len(ctors.hs) == 0 { // one that is not written
		return b
	}
	ctors.status, ctors.reason, ctors.t = graph.Certain, graph.ByConstructor, t
	if call != nil {
		ctors = k.calledOf(c, ctors, call)
	} else {
		ctors.hs = k.order(c, ctors.hs)
	}
	return ctors
}

// enumerators finds a constant of enum t that is defined around it.
func (k *linker) enumerators(c *filectx, t *typ, name string, r graph.Reason) []hit {
	for _, h := range k.look(c.sc.owner(t.h.Index).Key(name)) {
		if hc, s := k.sym(h); s != nil && hc.id == c.id && s.Kind == graph.EnumMember && s.Container == t.h.Index {
			return []hit{{h: h, recv: t, reason: r}}
		}
	}
	return nil
}

// aroundOwner looks a name up in what encloses type t, a member of which stands elsewhere.
func (k *linker) aroundOwner(from *filectx, t *typ, name string) (binding, bool) {
	c, s := k.sym(t.h)
	if s == nil {
		return binding{}, false
	}
	for i := s.Container; i >= 0; i = c.f.Symbols[i].Container {
		switch y := &c.f.Symbols[i]; {
		case y.Kind == graph.Namespace:
			if b, ok := k.inSpaces(from, c, i, name); ok {
				return b, true
			}
		case y.Kind.Type():
			if m := k.member(named(graph.Handle{File: c.id, Index: i}), name); len(m) > 0 {
				return k.fromMembers(m), true
			}
		}
	}
	if o := strip(k.typeExpr(c, s.Owner)); o != nil && o.kind == tNamed && o.h != t.h { // a type that is itself defined out of line
		if m := k.member(o, name); len(m) > 0 {
			return k.fromMembers(m), true
		}
		return k.aroundOwner(from, o, name)
	}
	return binding{}, false
}

// pointed is what a value of type t points to: an element, or what its own members say.
func (k *linker) pointed(c *filectx, t *typ) *typ {
	if len(c.l.DerefCalls) == 0 || t == nil {
		return deref(t)
	}
	switch t.kind {
	case tExternal:
		if len(t.args) > 0 && lastName(t.name) != "pair" {
			return t.args[0]
		}
	case tNamed:
		for _, m := range c.l.DerefCalls {
			if r := k.calling(t, m); r != nil {
				return strip(r)
			}
		}
	}
	return deref(t)
}

// localName stands before names that a file shows to those that include it, in the space that it shares
// with files of a language where inclusion is no matter of scopes.
const localName = "\x00local "

// forIncluders adds what symbol i of the file at p answers for the sake of another language with which
// it shares a space: a header's own names, and types by their tags.
func (sc *scopes) forIncluders(out []graph.Export, l *lang.Language, p string, i int32, shape uint64) []graph.Export {
	s := &sc.f.Symbols[i]
	if l == nil || !l.ExternalLinkage || s.Flags&graph.NestedDef != 0 {
		return out
	}
	name := sc.f.Str(s.Name)
	switch {
	case !l.Inclusion && s.Flags&graph.FileLocal != 0 && s.Qual == 0 && path.Ext(p) != ".c":
		out = append(out, graph.Export{Key: sc.space.Key(localName + name), Index: i, Shape: shape})
	case l.Inclusion && s.Container < 0 && s.Kind.Type() && s.Kind != graph.TypeAlias:
		out = append(out, graph.Export{Key: sc.space.Key(tagged + name), Index: i, Shape: shape})
	}
	return out
}

// whereIncluded looks a name that header c does not have among those of other headers: whatever includes c
// includes them before it.
func (k *linker) whereIncluded(c *filectx, name string) (binding, bool) {
	if !c.l.ExternalLinkage || c.l.Inclusion || path.Ext(c.path) == ".c" {
		return binding{}, false
	}
	hs := k.nearest(c, k.look(c.sc.space.Key(localName+name)))
	if len(hs) == 0 {
		return binding{}, false
	}
	b := k.bound(c, hs, graph.ByInclude)
	for _, h := range hs[1:] {
		if h.File != hs[0].File {
			b.status, b.reason = graph.Possible, graph.Ambiguous
		}
	}
	return b, b.found()
}

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

// using is a wildcard import at file level, of a file that another includes.
type using struct {
	c *filectx
	i int32
}

// inUsings looks a name up in the namespaces that c or what it includes imports whole.
func (k *linker) inUsings(c *filectx, name string) (binding, bool) {
	if c.usings == nil {
		c.usings = []using{}
		var in []*filectx
		for id := range k.included(c) {
			if x := k.ctx(id); x != nil {
				in = append(in, x)
			}
		}
		slices.SortFunc(in, func(a, b *filectx) int { return strings.Compare(a.path, b.path) })
		for _, x := range in {
			for _, h := range k.look(x.sc.file.Key(star)) {
				if h.File == x.id && h.Index < 0 && x.f.Imports[-1-h.Index].Flags&graph.Include == 0 {
					c.usings = append(c.usings, using{x, -1 - h.Index})
				}
			}
		}
	}
	for _, u := range c.usings {
		if !u.c.enter(starKey(-1-u.i, name)) {
			continue
		}
		for _, m := range k.modules(u.c, u.i) {
			if b := k.inModule(m, name, nil); b.found() {
				u.c.leave(starKey(-1-u.i, name))
				b.reason = graph.ByStar
				return b, true
			}
		}
		u.c.leave(starKey(-1-u.i, name))
	}
	return binding{}, false
}

// argument is argument n of a call.
type argument struct{ call, n int32 }

// handedOver are the plain names among the arguments of calls, in a language with macros.
func handedOver(c *filectx) map[int32]argument {
	if !c.l.ExternalLinkage {
		return nil
	}
	out := map[int32]argument{}
	for i := range c.f.Exprs {
		e := &c.f.Exprs[i]
		if e.Op != graph.OpCall || e.X < 0 || c.f.Exprs[e.X].Op != graph.OpName {
			continue
		}
		for n, kid := range c.f.List(e.Kids) {
			if kid >= 0 && c.f.Exprs[kid].Op == graph.OpName && c.f.Exprs[kid].Role == graph.Read {
				out[kid] = argument{int32(i), int32(n)}
			}
		}
	}
	return out
}

// calledByMacro reports whether the function that b means is what a macro calls: it is argument a of the macro.
func (k *linker) calledByMacro(c *filectx, a argument, b binding) bool {
	if len(b.hs) == 0 {
		return false
	}
	if _, s := k.sym(b.hs[0]); s == nil || s.Kind != graph.Function {
		return false
	}
	callee := &c.f.Exprs[c.f.Exprs[a.call].X]
	for _, h := range k.name(c, c.f.Str(callee.Name), callee.In).hs {
		hc, s := k.sym(h)
		if s == nil || s.Kind != graph.Macro {
			return false
		}
		if params := hc.f.List(s.Params); int(a.n) < len(params) {
			return hc.f.Locals[params[a.n]].Flags&graph.Called != 0
		}
	}
	return false
}
