package index

import (
	"slices"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// libraryMember is a member of a value whose type lies outside the workspace. It remembers the
// value, since for collections what the member yields follows from what they hold.
func libraryMember(t *typ, name string) *typ {
	name = strings.TrimSuffix(name, called)
	if t.name != "" {
		name = t.name + "." + name
	}
	return &typ{kind: tExternal, name: name, elem: t}
}

// memberOfLibrary is the type that a collection of type t has as a member of that name, or nil.
func (k *linker) memberOfLibrary(c *filectx, t *typ, name string) *typ {
	if t != nil && t.kind == tMeta {
		t = k.plainType(named(t.h, t.args...))
	}
	if t == nil || t.kind != tExternal {
		return nil
	}
	key, elem := k.held(t)
	switch c.l.LibraryTypes[name] {
	case lang.YieldKey:
		return key
	case lang.YieldElem:
		return elem
	case lang.YieldEntry:
		if key != nil {
			return &typ{kind: tExternal, name: "pair", args: []*typ{key, elem}}
		}
		return elem
	}
	return nil
}

// outsideBase is the first type outside the workspace, with type arguments, that t is made of.
func (k *linker) outsideBase(t *typ, depth int) *typ {
	if t == nil || t.kind != tNamed || depth > 6 {
		return nil
	}
	if u := k.underlying(t); u != nil {
		if u.kind == tNamed {
			return k.outsideBase(u, depth+1)
		}
		return u
	}
	for _, b := range k.allBases(t) {
		if b != nil && b.kind == tExternal && len(b.args) > 0 {
			return b
		}
		if o := k.outsideBase(b, depth+1); o != nil {
			return o
		}
	}
	return nil
}

// held is what a collection holds: its element and, for maps, its key.
func (k *linker) held(t *typ) (key, elem *typ) {
	if t = strip(t); t == nil {
		return nil, nil
	}
	switch t.kind {
	case tArray, tChan:
		return nil, t.elem
	case tDict:
		return t.key, t.elem
	case tTuple:
		return nil, union(t.args...)
	case tUnion:
		var keys, elems []*typ
		for _, p := range t.args {
			k1, e1 := k.held(p)
			keys, elems = append(keys, k1), append(elems, e1)
		}
		return union(keys...), union(elems...)
	case tExternal:
		switch n := len(t.args); n {
		case 0:
		case 1:
			return nil, t.args[0]
		default:
			return t.args[0], t.args[n-1]
		}
	}
	return nil, nil
}

// yields is the result of calling something from outside the workspace.
func (k *linker) yields(t *typ, c *filectx, e *graph.Expr) *typ {
	if c != nil && slices.Contains(c.l.Operated, lastName(t.name)) && (t.elem == nil || t.elem.kind == tBuiltin) { // a class
		return &typ{kind: tExternal, name: t.name}
	}
	out := &typ{kind: tExternal, name: t.name + called}
	function, plain := k.ofFunction(t, c, e)
	if c == nil || t.elem == nil && !plain {
		if t.elem == nil {
			out.args = t.args
		}
		return out
	}
	recv, how := strip(t.elem), c.l.Library[lastName(t.name)]
	if recv != nil && (recv.kind == tNamed || recv.kind == tParam) && slices.Contains(c.l.Unwrapping, lastName(t.name)) {
		return recv
	}
	if plain {
		recv, how = strip(k.value(c, c.f.List(e.Kids)[0])), function
	}
	if k.nullMember(recv, lastName(t.name)) >= 0 {
		return present(recv)
	}
	if c.l.Phases {
		if x, ok := k.libraryCallOf(c, t, exprIndex(c, e)); ok {
			if r := x.result(); r != nil {
				return r
			}
		}
	}
	known, whole := k.knownResult(c, recv, lastName(t.name))
	if known != nil && whole {
		return known
	}
	key, elem := k.held(recv)
	switch how {
	case lang.YieldIter:
		return &typ{kind: tExternal, name: "iterator", args: []*typ{elem}}
	case lang.YieldIterKeys:
		return &typ{kind: tExternal, name: "iterator", args: []*typ{key}}
	case lang.YieldSame:
		if t := k.kept(c, e); t != nil {
			return sequence(t)
		}
		if known != nil && elem != nil {
			known.args = []*typ{elem}
			return known
		}
		return recv
	case lang.YieldElem:
		if t := k.kept(c, e); t != nil {
			return t
		}
		return elem
	case lang.YieldList:
		return sequence(elem)
	case lang.YieldKeys:
		return sequence(key)
	case lang.YieldPairs:
		return sequence(&typ{kind: tExternal, name: "pair", args: []*typ{key, elem}})
	case lang.YieldKey:
		return key
	case lang.YieldPointer:
		if elem == nil { // of characters
			elem = constant(&typ{kind: tBuiltin, name: "char"})
		}
		return pointerTo(elem)
	case lang.YieldFirst:
		return first(recv)
	case lang.YieldEntry:
		if key != nil {
			return &typ{kind: tExternal, name: "pair", args: []*typ{key, elem}}
		}
		return elem
	case lang.YieldEach:
		if key != nil {
			elem = &typ{kind: tTuple, args: []*typ{key, elem}}
		}
		return sequence(elem)
	case lang.YieldCounted:
		return sequence(&typ{kind: tTuple, args: []*typ{{kind: tBuiltin, name: "usize"}, elem}})
	case lang.YieldZipped:
		var other *typ
		if e != nil && len(c.f.List(e.Kids)) > 0 {
			other = k.element(k.value(c, c.f.List(e.Kids)[0]), false, 0)
		}
		return sequence(&typ{kind: tTuple, args: []*typ{elem, other}})
	case lang.YieldMapped:
		return sequence(k.returned(c, e))
	case lang.YieldFlat:
		return sequence(k.element(k.returned(c, e), false, 0))
	case lang.YieldResult:
		if slices.Contains(c.l.Folds, lastName(t.name)) {
			return k.folded(c, t, e)
		}
		return k.returned(c, e)
	case lang.YieldJoined:
		return k.joined(c, e)
	case lang.YieldFlatElem:
		return sequence(k.element(elem, false, 0))
	case lang.YieldMap:
		return &typ{kind: tDict, key: &typ{kind: tBuiltin, name: "string"}, elem: k.part(elem, 1)}
	case lang.YieldAll:
		return union(k.values(c, c.f.List(e.Kids))...)
	case lang.YieldListed:
		if r := k.returned(c, e); r != nil && len(c.f.List(e.Kids)) > 1 {
			return sequence(r)
		}
		return sequence(k.element(recv, false, 0))
	case lang.YieldMappedSame:
		return &typ{kind: tExternal, name: recv.name, args: []*typ{k.returned(c, e)}}
	}
	if known != nil {
		return known
	}
	if r, ok := c.l.Results[lastName(t.name)]; ok {
		if of, list := strings.CutSuffix(r, "[]"); list {
			return sequence(&typ{kind: tBuiltin, name: of})
		}
		return &typ{kind: tBuiltin, name: r}
	}
	return out
}

// knownResult is what the language's library is known to yield for a method of a value of type t, or nil.
func (k *linker) knownResult(c *filectx, t *typ, method string) (out *typ, whole bool) {
	if c.l.Known == nil || t == nil || t.kind != tExternal && t.kind != tBuiltin {
		return nil, false
	}
	r, whole := c.l.Known.Result(t.name, strings.TrimSuffix(method, called))
	if r == "" {
		return nil, false
	}
	return knownType(c.l, r, t.args, nil), whole
}

// knownType is the type that the table of a library spells; $0 in it is the first of args, and hole makes
// of %0 the first type argument of the call, which is not known yet.
func knownType(l *lang.Language, text string, args []*typ, hole func(int) *typ) *typ {
	if of, list := strings.CutSuffix(text, "[]"); list {
		return sequence(knownType(l, of, args, hole))
	}
	if text == "?" {
		return nil
	}
	if n, ok := strings.CutPrefix(text, "%"); ok {
		if i, err := strconv.Atoi(n); err == nil && hole != nil {
			return hole(i)
		}
		return nil
	}
	if n, ok := strings.CutPrefix(text, "$"); ok {
		if i, err := strconv.Atoi(n); err == nil && i < len(args) {
			return args[i]
		}
		return nil
	}
	name, rest, applied := strings.Cut(text, "<")
	out := &typ{kind: tExternal, name: name}
	if _, ok := l.Builtins[name]; ok {
		out.kind = tBuiltin
	}
	if !applied {
		return out
	}
	depth, from := 0, 0
	rest = strings.TrimSuffix(rest, ">")
	for i := 0; i <= len(rest); i++ {
		switch {
		case i == len(rest) || rest[i] == ',' && depth == 0:
			out.args = append(out.args, knownType(l, rest[from:i], args, hole))
			from = i + 1
		case rest[i] == '<':
			depth++
		case rest[i] == '>':
			depth--
		}
	}
	return out
}

// knownAttribute is the type of an attribute that the language's library is known to give to values of
// type t, or nil.
func (k *linker) knownAttribute(t *typ, name string) *typ {
	l := k.from
	if l == nil || l.Known == nil {
		return nil
	}
	of := t.name
	switch t.kind {
	case tArray:
		of = l.Core.Array
	case tExternal, tBuiltin:
	default:
		return nil
	}
	if r, whole := l.Known.Result(of, "."+name); r != "" && whole {
		return knownType(l, r, t.args, nil)
	}
	return nil
}

// first is the first type argument of a type from outside, or the element of a sequence.
func first(t *typ) *typ {
	if t != nil && t.kind == tExternal && len(t.args) > 0 {
		return t.args[0]
	}
	if t != nil && t.kind == tArray {
		return t.elem
	}
	return nil
}

func sequence(elem *typ) *typ { return &typ{kind: tArray, elem: elem} }

// returned is what the first function among the arguments of a call returns.
func (k *linker) returned(c *filectx, e *graph.Expr) *typ {
	if e == nil {
		return nil
	}
	for _, a := range c.f.List(e.Kids) {
		if t := k.value(c, a); t != nil && (t.kind == tFunc || t.kind == tCallable || t.kind == tMeta) {
			return k.result(t, nil, nil)
		}
	}
	return nil
}

// passed is what the function that is argument arg of a call of t gets as its parameter par.
func (k *linker) passed(c *filectx, t *typ, arg, par int) *typ {
	if t = strip(t); t == nil {
		return nil
	}
	if t.kind != tExternal {
		if arg == graph.LastArg && c.l.Levels {
			return k.handed(c, t, par)
		}
		if par == graph.ArgReceiver {
			return k.ranOn(k.taken(t, arg))
		}
		p := k.parameter(k.taken(t, arg), par)
		if t.kind == tCallable && c.l.TraitsDeclare && t.elem != nil {
			p = k.subst(p, k.argsFor(t.h, t.elem), 0)
		}
		if t.key != nil {
			return k.asReceiver(p, t.key)
		}
		return k.asReceiver(p, t.elem)
	}
	elements := c.l.Callbacks[lastName(t.name)]
	switch {
	case t.elem == nil || par > 5:
		return nil
	case elements&lang.CallbackSelf != 0 && par == 0:
		return t.elem
	case elements>>par&1 == 0:
		return nil
	}
	if r := strip(t.elem); elements&lang.CallbackFirst != 0 && r != nil && r.kind == tExternal {
		return first(r)
	}
	_, elem := k.held(t.elem)
	return elem
}

// ranOn is what functions of type t are run on, where t says so.
func (k *linker) ranOn(t *typ) *typ {
	if t = strip(t); t != nil && t.kind == tNamed {
		if u := k.underlying(t); u != nil {
			t = u
		}
	}
	if t == nil || t.kind != tFunc || t.fc.f.Exprs[t.expr].N != graph.HasReceiver {
		return nil
	}
	kids := t.fc.f.List(t.fc.f.Exprs[t.expr].Kids)
	return k.value(t.fc, kids[len(kids)-1])
}

// taken is the type of what a call of t takes as argument arg.
func (k *linker) taken(t *typ, arg int) *typ {
	if t = strip(t); t == nil {
		return nil
	}
	switch t.kind {
	case tCallable:
		if fc, s := k.sym(t.h); s != nil {
			return k.subst(k.takenBy(fc, s, t.elem, arg), k.bindList(fc, s.TypeParams, t.args), 0)
		}
	case tMeta:
		mc, _ := k.sym(t.h)
		if mc == nil {
			return nil
		}
		for _, name := range mc.l.Constructors {
			for _, x := range k.member(named(t.h, t.args...), name) {
				if fc, s := k.sym(x.h); s != nil {
					return k.takenBy(fc, s, x.recv, arg)
				}
			}
		}
	case tFunc:
		return k.parameter(t, arg)
	case tNamed:
		if c, _ := k.sym(t.h); c != nil && len(c.l.CallMembers) > 0 {
			return k.parameter(t, arg)
		}
	}
	return nil
}

// boundBy binds the type parameters of a called function in t, what expression i says that the call
// takes: from the call's other arguments and, where the call's value is that of a variable with a
// declared type, from that.
func (k *linker) boundBy(c *filectx, i int32, t *typ) *typ {
	if t == nil || t.kind != tFunc && !open(t, 0) {
		return t
	}
	callee := c.f.Exprs[i].X
	of := strip(k.value(c, callee))
	if of == nil || of.kind != tCallable || len(of.args) > 0 {
		return t
	}
	fc, s := k.sym(of.h)
	if s == nil || s.TypeParams == 0 {
		return t
	}
	call := callOf(c.f, i)
	if call < 0 {
		return t
	}
	bound := env{}
	if in := c.f.Exprs[call].In; in >= 0 && c.f.Symbols[in].Init == call && c.f.Symbols[in].Type >= 0 && s.Type >= 0 {
		unify(k.typeExpr(fc, s.Type), k.typeExpr(c, c.f.Symbols[in].Type), bound, 0)
	}
	for p, x := range k.inferArgs(fc, s, of, c, &c.f.Exprs[call]) {
		if _, ok := bound[p]; !ok {
			bound[p] = x
		}
	}
	return k.subst(t, bound, 0)
}

// callOf is the call whose argument expression i, an OpArg or OpTaken, speaks of, or None.
func callOf(f *graph.Facts, i int32) int32 {
	for call := i + 1; int(call) < len(f.Exprs); call++ {
		if e := &f.Exprs[call]; e.X == f.Exprs[i].X && (e.Op == graph.OpCall || e.Op == graph.OpNew) {
			return call
		}
	}
	return graph.None
}

// takenAs is the type of the parameter of that name of what a call of t calls.
func (k *linker) takenAs(t *typ, name string) *typ {
	h, recv := graph.Handle{Index: graph.None}, (*typ)(nil)
	switch t = strip(t); {
	case t == nil:
		return nil
	case t.kind == tCallable:
		h, recv = t.h, t.elem
	case t.kind == tMeta:
		mc, _ := k.sym(t.h)
		if mc == nil {
			return nil
		}
		for _, made := range mc.l.Constructors {
			if hits := k.member(named(t.h, t.args...), made); len(hits) > 0 {
				h, recv = hits[0].h, hits[0].recv
				break
			}
		}
	}
	fc, s := k.sym(h)
	if s == nil {
		return nil
	}
	for _, p := range fc.f.List(s.Params) {
		if l := &fc.f.Locals[p]; l.Type >= 0 && fc.f.Str(l.Name) == name {
			return k.subst(k.typeExpr(fc, l.Type), k.bindArgs(recv), 0)
		}
	}
	return nil
}

// takenBy is the type of parameter arg of symbol s, found in recv.
func (k *linker) takenBy(fc *filectx, s *graph.Symbol, recv *typ, arg int) *typ {
	i := 0
	params := fc.f.List(s.Params)
	for n, p := range params {
		l := &fc.f.Locals[p]
		if l.Flags&graph.SelfParam != 0 {
			continue
		}
		if i == arg || arg == graph.LastArg && n == len(params)-1 || arg != graph.LastArg && l.Flags&graph.VariadicParam != 0 {
			if l.Type < 0 {
				return nil
			}
			t := k.typeExpr(fc, l.Type)
			if l.Flags&graph.VariadicParam != 0 && t != nil && t.kind == tArray {
				t = t.elem
			}
			return k.subst(t, k.bindArgs(recv), 0)
		}
		i++
	}
	return nil
}

// parameter is the type of parameter n of a function type.
func (k *linker) parameter(t *typ, n int) *typ {
	if t = strip(t); t == nil || !k.descend() {
		return nil
	}
	defer k.ascend()
	if k.from != nil && k.from.Targets {
		if fn, _ := k.functionOf(t); fn != nil && n < len(fn.params) {
			return fn.params[n]
		}
		return nil
	}
	switch t.kind {
	case tExternal:
		if k.from != nil && n == 0 {
			if i, ok := k.from.Components[lastName(t.name)]; ok && i < len(t.args) {
				return t.args[i]
			}
		}
		if k.from != nil && len(t.args) > 0 && slices.Contains(k.from.Quotes, lastName(t.name)) {
			return k.parameter(t.args[0], n)
		}
	case tParam:
		if of := t.fc.f.Locals[t.expr].Type; of >= 0 && t.fc.l.TraitsDeclare {
			return k.parameter(k.typeExpr(t.fc, of), n)
		}
	case tFunc:
		if kids := t.fc.f.List(t.fc.f.Exprs[t.expr].Kids); n < len(kids) {
			return k.subst(k.value(t.fc, kids[n]), t.env, 0)
		}
	case tCallable:
		if fc, s := k.sym(t.h); s != nil {
			return k.takenBy(fc, s, t.elem, n)
		}
	case tUnion:
		for _, p := range t.args {
			if r := k.parameter(p, n); r != nil {
				return r
			}
		}
	case tNamed:
		if u := k.underlying(t); u != nil {
			return k.subst(k.parameter(u, n), k.bindArgs(t), 0)
		}
		if c, _ := k.sym(t.h); c != nil {
			for _, m := range c.l.CallMembers {
				for _, x := range k.member(t, callKey(c.l, m)) {
					return k.parameter(k.typeOfHit(x), n)
				}
			}
		}
		return k.onlyMethod(t, n)
	}
	return nil
}

// onlyMethod is parameter n of the single abstract method of an interface.
func (k *linker) onlyMethod(t *typ, n int) *typ {
	c, m := k.soleMethod(t)
	if m == nil {
		return nil
	}
	if params := c.f.List(m.Params); n < len(params) && c.f.Locals[params[n]].Type >= 0 {
		return k.subst(k.typeExpr(c, c.f.Locals[params[n]].Type), k.bindArgs(t), 0)
	}
	return nil
}

// soleMethod is the abstract method of an interface that has just one.
func (k *linker) soleMethod(t *typ) (*filectx, *graph.Symbol) {
	c, s := k.sym(t.h)
	if s == nil || s.Kind != graph.Interface {
		return nil, nil
	}
	k.look(c.sc.members(t.h.Index).Key(everyMember))
	var found *graph.Symbol
	for i := range c.f.Symbols {
		m := &c.f.Symbols[i]
		if m.Container == t.h.Index && m.Kind == graph.Method && m.Flags&(graph.Static|graph.Computed) == 0 && m.Body == 0 {
			if found != nil {
				return nil, nil
			}
			found = m
		}
	}
	return c, found
}
