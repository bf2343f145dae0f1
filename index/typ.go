package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// typ is what linking knows of a value. nil is: nothing.
type typ struct {
	kind  tkind
	h     graph.Handle  // named, meta, callable, object: the symbol; module: the file
	pkg   graph.ScopeID // pack: the scope
	args  []*typ        // named, external: type arguments; tuple, union: the parts
	elem  *typ          // pointer, array, dict, channel: the element; callable, external member: the receiver
	key   *typ          // dict: the key; callable: the type it was asked of
	name  string        // builtin, external
	fc    *filectx      // function, param: where expr or local is
	konst bool          // a value that may not be changed
	null  bool          // a value that may be missing
	guess bool          // what names or some calls suggest, no more
	expr  int32         // function: the expression; param: the local
	env   env           // function: what the type parameters in it are bound to
	facet *facet        // the members that it has of those of its symbol; nil for all
}

// facet leaves members out: those of the names, or all but those.
type facet struct {
	names string // each between blanks
	only  bool
}

// lacks reports whether t is a facet without the member of that name.
func (t *typ) lacks(name string) bool {
	return t.facet != nil && strings.Contains(t.facet.names, " "+name+" ") != t.facet.only
}

// through is t seen through f, each part of a union by itself.
func (f *facet) through(t *typ) *typ {
	if f == nil || t == nil || t.kind != tUnion && t.facet != nil {
		return t
	}
	n := *t
	if t.kind != tUnion {
		n.facet = f
		return &n
	}
	n.args = make([]*typ, len(t.args))
	for i, p := range t.args {
		n.args[i] = f.through(p)
	}
	return &n
}

type tkind uint8

const (
	tNamed    tkind = iota + 1 // a value of a type
	tMeta                      // a type as a value
	tSuper                     // a value seen as its base types
	tThis                      // a value of the receiver's type, which may be a subtype of the symbol's
	tCallable                  // a function or method as a value
	tModule                    // a file as a module
	tPack                      // a package that many files share
	tPointer
	tArray
	tDict
	tChan
	tFunc // an anonymous function
	tTuple
	tUnion
	tBuiltin  // a type or function of the language
	tExternal // something outside the workspace
	tParam    // a type parameter
	tHole     // a type argument that is still open: that of number expr&7 of call expr>>3 of fc
	tLookup   // the type of a member of elem, which holds type parameters; key is what is known before they are bound
)

func named(h graph.Handle, args ...*typ) *typ { return &typ{kind: tNamed, h: h, args: args} }

// strip removes pointers and references, and takes the type of a receiver for that of its symbol.
func strip(t *typ) *typ {
	for t != nil && t.kind == tPointer {
		t = t.elem
	}
	switch {
	case t == nil:
	case t.kind == tHole:
		return nil
	case t.kind == tThis:
		n := named(t.h, t.args...)
		n.guess = t.guess
		return n
	case t.kind == tLookup:
		return strip(t.key)
	}
	return t
}

// guessed is t as a guess.
func guessed(t *typ) *typ {
	if t == nil || t.guess {
		return t
	}
	n := *t
	n.guess = true
	if t.kind == tUnion {
		n.args = make([]*typ, len(t.args))
		for i, p := range t.args {
			n.args[i] = guessed(p)
		}
	}
	return &n
}

// suggested reports whether t is, or may be, a guess.
func suggested(t *typ) bool {
	if t == nil || t.guess {
		return t != nil
	}
	if t.kind == tUnion {
		for _, p := range t.args {
			if p.guess {
				return true
			}
		}
	}
	return false
}

// union is any of the parts; nothing known of a part is left out.
func union(parts ...*typ) *typ {
	var out []*typ
	for _, p := range parts {
		if p == nil || p.kind == tBuiltin && p.name == nullName {
			continue
		}
		if p.kind == tUnion {
			for _, q := range p.args {
				out = addPart(out, q)
			}
			continue
		}
		out = addPart(out, p)
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return &typ{kind: tUnion, args: out}
}

// nullName is the name of the type whose only value is no value.
const nullName = "null"

const maxUnion = 8

func addPart(parts []*typ, p *typ) []*typ {
	for _, q := range parts {
		if same(p, q, 0) {
			return parts
		}
	}
	if len(parts) >= maxUnion {
		return parts
	}
	return append(parts, p)
}

func same(a, b *typ, depth int) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || depth > 6 || a.kind != b.kind || a.h != b.h || a.pkg != b.pkg || a.name != b.name || a.expr != b.expr || a.fc != b.fc || !a.facet.same(b.facet) || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !same(a.args[i], b.args[i], depth+1) {
			return false
		}
	}
	return same(a.elem, b.elem, depth+1) && same(a.key, b.key, depth+1)
}

func (f *facet) same(g *facet) bool { return f == g || f != nil && g != nil && *f == *g }

// env binds type parameters, which are locals of a file, to types.
type env map[param]*typ

type param struct {
	file  graph.FileID
	local int32
}

// paramOf is the key of a type parameter or an open type argument.
func paramOf(t *typ) param {
	if t.kind == tHole {
		return param{t.fc.id, -1 - t.expr}
	}
	return param{t.fc.id, t.expr}
}

// subst puts the bound types in the place of type parameters.
func (k *linker) subst(t *typ, e env, depth int) *typ {
	if t == nil || len(e) == 0 || depth > 8 {
		return t
	}
	if t.kind == tParam || t.kind == tHole {
		if x, ok := e[paramOf(t)]; ok {
			return x
		}
		return t
	}
	if t.kind == tFunc {
		n := *t
		n.env = env{}
		for p, x := range e {
			n.env[p] = x
		}
		for p, x := range t.env {
			n.env[p] = k.subst(x, e, depth+1)
		}
		return &n
	}
	if t.kind == tLookup {
		return k.lookedUp(t, e, depth)
	}
	if t.elem == nil && t.key == nil && len(t.args) == 0 {
		return t
	}
	n := *t
	n.elem, n.key = k.subst(t.elem, e, depth+1), k.subst(t.key, e, depth+1)
	n.args = make([]*typ, len(t.args))
	for i, a := range t.args {
		n.args[i] = k.subst(a, e, depth+1)
	}
	return &n
}

// lookedUp is the type of a member of what holds type parameters, once e binds them.
func (k *linker) lookedUp(t *typ, e env, depth int) *typ {
	of := k.subst(t.elem, e, depth+1)
	if open(of, 0) {
		n := *t
		n.elem = of
		return &n
	}
	if k.linked != nil && k.linked.l.Hides {
		return k.memberNamed(strip(of), t.name)
	}
	if hits := k.member(of, t.name); len(hits) > 0 {
		return k.typeOfHit(hits[0])
	}
	return nil
}

// unify binds the type parameters in pattern so that it fits t.
func unify(pattern, t *typ, e env, depth int) {
	if pattern == nil || t == nil || depth > 6 {
		return
	}
	if pattern.kind == tParam || pattern.kind == tHole {
		p := paramOf(pattern)
		if _, ok := e[p]; !ok {
			e[p] = t
		}
		return
	}
	if pattern.kind == tPointer && t.kind != tPointer {
		unify(pattern.elem, t, e, depth+1)
		return
	}
	unify(pattern.elem, t.elem, e, depth+1)
	unify(pattern.key, t.key, e, depth+1)
	for i := range min(len(pattern.args), len(t.args)) {
		unify(pattern.args[i], t.args[i], e, depth+1)
	}
}

// open reports whether t holds type parameters.
func open(t *typ, depth int) bool {
	if t == nil || depth > 6 {
		return false
	}
	if t.kind == tParam || t.kind == tHole || t.kind == tLookup || open(t.elem, depth+1) || open(t.key, depth+1) {
		return true
	}
	for _, a := range t.args {
		if open(a, depth+1) {
			return true
		}
	}
	return false
}
