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
