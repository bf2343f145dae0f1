package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// What a message in a language with levels (levels.go) means: the members of its receiver by that name, or
// where the receiver is not known, what alone can be meant.

// receiver is the type of what expression e asks something of. What a function from outside
// returns may be anything.
func (k *linker) receiver(c *filectx, e *graph.Expr) *typ {
	t := strip(k.value(c, e.X))
	if t == nil || t.kind != tUnion {
		return ofAnything(t)
	}
	var parts []*typ
	for _, p := range t.args {
		parts = append(parts, ofAnything(p))
	}
	return union(parts...)
}

// ofAnything is t, or nil where t is what a function from outside returns.
func ofAnything(t *typ) *typ {
	if t != nil && t.kind == tExternal && strings.HasSuffix(t.name, called) {
		return nil
	}
	return t
}

// lexical is the type of the code around expression x, the receiver itself in a function that may
// be run on something else; nil for other receivers.
func (k *linker) lexical(c *filectx, x int32) *typ {
	if onSelf(c, x) && c.f.Exprs[x].Kids != 0 {
		return k.self(c, c.f.Exprs[x].In)
	}
	return nil
}

// onSelf reports whether expression x, None for what nobody knows, is the receiver.
func onSelf(c *filectx, x int32) bool { return x >= 0 && c.f.Exprs[x].Op == graph.OpSelf }

// message resolves the name of what is asked of the value before it; call is the call that asks, or -1.
func (k *linker) message(c *filectx, e *graph.Expr, call int32) binding {
	name := c.f.Str(e.Name)
	t := k.receiver(c, e)
	if t != nil && t.kind == tPack {
		return k.fromSpace(c, t, name)
	}
	hits := k.received(c, t, name, e.Role)
	if len(hits) == 0 {
		if out := k.lexical(c, e.X); out != nil {
			if hits = k.received(c, out, name, e.Role); len(hits) > 0 {
				t = out
			}
		}
	}
	if len(hits) > 0 {
		b := k.fromMembers(k.provided(t, name, hits))
		if b.reason == graph.ByReceiver {
			b.reason = k.how(c, e.X)
		}
		if suggested(t) {
			b.status, b.reason = graph.Possible, graph.ByUniqueName
		}
		return b
	}
	own := onSelf(c, e.X)
	if own || t == nil || t.kind != tMeta && t.kind != tNamed {
		if b, ok := k.ofAll(c, name, own); ok {
			return b
		}
	}
	if hits := k.below(t, k.written(c, e, name)); len(hits) > 0 {
		return k.fromMembers(hits)
	}
	if hits := k.inBlock(c, e, name); len(hits) > 0 {
		return k.fromMembers(hits)
	}
	switch {
	case c.l.Common[name] && (t != nil || own):
		return external(name, graph.Builtin)
	case t == nil:
		return k.uniqueName(c, e, call)
	case k.leadsOut(t, map[graph.Handle]bool{}, 0):
		return external(name, graph.ByInheritance)
	}
	for _, m := range c.l.Missing {
		if len(k.member(t, m)) > 0 {
			return unresolved(graph.Dynamic)
		}
	}
	if _, s := k.sym(t.h); own && t.kind == tNamed && s != nil && s.Kind == graph.Module { // what includes it may have it
		if b := k.uniqueName(c, e, call); len(b.hs) > 0 {
			return b
		}
		if b := k.ofNamesakes(c, t, name, call); len(b.hs) > 0 {
			return b
		}
	}
	return unresolved(graph.NotFound)
}

// written is the name of the member that expression e runs.
func (k *linker) written(c *filectx, e *graph.Expr, name string) string {
	if e.Role == graph.Write && c.l.Setter != "" && name != "" && name[0] != '@' {
		return name + c.l.Setter
	}
	return name
}

// ofAll is a member that every value has: a function of the root, for the value itself, or one
// that the workspace gives to the types of which every value is.
func (k *linker) ofAll(c *filectx, name string, own bool) (binding, bool) {
	if own {
		var fs []graph.Handle
		for _, h := range k.look(k.root(c).Key(name)) {
			if _, s := k.sym(h); s != nil && s.Kind.Callable() {
				fs = append(fs, h)
			}
		}
		if len(fs) > 0 {
			return k.bound(c, fs, graph.ByPackage), true
		}
	}
	w := levelWalk{k: k, name: name, seen: map[levelKey]bool{}}
	if hits := w.roots(c, false); len(hits) > 0 {
		return k.fromMembers(hits), true
	}
	return binding{}, false
}

// uniqueName is the only member of that name that the workspace has and that takes as many arguments
// as the call passes, if the library has none of that name; of several, the one that the others
// override. Before that, those of types that are called like what is asked.
func (k *linker) uniqueName(c *filectx, e *graph.Expr, call int32) binding {
	name := c.f.Str(e.Name)
	if !c.l.UniqueNames {
		return unresolved(graph.NoType)
	}
	if t := k.namesake(c, e.X); t != nil {
		if hits := k.received(c, t, name, e.Role); len(hits) > 0 {
			b := k.fromMembers(hits)
			b.status, b.reason = graph.Possible, graph.ByUniqueName
			return b
		}
	}
	hs := k.taking(k.look(nameScope(c.l).Key(name)), c, call)
	if len(hs) > maxTargets*4 {
		return k.ofAsked(c, e)
	}
	if fit := k.ofNamesake(hs, wordOf(c, e.X)); len(fit) > 0 {
		hs = fit
	} else if c.l.Common[name] {
		return k.ofAsked(c, e)
	}
	for _, h := range hs {
		if k.overriddenBy(h, hs) {
			return binding{hs: []graph.Handle{h}, status: graph.Possible, reason: graph.ByUniqueName}
		}
	}
	if hs = k.firsts(hs); len(hs) == 1 {
		return binding{hs: hs, status: graph.Possible, reason: graph.ByUniqueName}
	}
	return k.ofAsked(c, e)
}

// wordOf is the name by which expression x is called: of a variable, an attribute or a method.
func wordOf(c *filectx, x int32) string {
	if x < 0 {
		return ""
	}
	switch e := &c.f.Exprs[x]; e.Op {
	case graph.OpCall:
		return wordOf(c, e.X)
	case graph.OpMember, graph.OpLocal:
		return strings.TrimLeft(c.f.Str(e.Name), "@")
	}
	return ""
}

// ofNamesake are those of hs that belong to classes called like word, else those of classes in a
// module called so.
func (k *linker) ofNamesake(hs []graph.Handle, word string) []graph.Handle {
	var out, inside []graph.Handle
	if word = plainWord(word); word == "" {
		return nil
	}
	for _, h := range hs {
		c, s := k.sym(h)
		if s == nil || s.Container < 0 || s.Flags&graph.Static != 0 {
			continue
		}
		switch o := &c.f.Symbols[s.Container]; {
		case o.Kind != graph.Class:
		case plainWord(c.f.Str(o.Name)) == word:
			out = append(out, h)
		case plainWord(lastName(c.f.Str(o.Qual))) == word:
			inside = append(inside, h)
		}
	}
	if len(out) == 0 {
		return inside
	}
	return out
}

// taking are those of hs that take as many arguments as the call of c passes, where that is known.
func (k *linker) taking(hs []graph.Handle, c *filectx, call int32) []graph.Handle {
	if call < 0 || c.f.Exprs[call].N == 0 {
		return hs
	}
	n := int(c.f.Exprs[call].N) - 1
	var out []graph.Handle
	for _, h := range hs {
		if hc, s := k.sym(h); s != nil && (s.Kind.Callable() && takes(hc, s, n) || !s.Kind.Callable() && n == 0) {
			out = append(out, h)
		}
	}
	return out
}

// firsts are those of hs that are no more than themselves: that neither go on to what they override nor ask
// deriving types for one.
func (k *linker) firsts(hs []graph.Handle) []graph.Handle {
	var out []graph.Handle
	for _, h := range hs {
		if _, s := k.sym(h); s != nil && s.Flags&(graph.Override|graph.Abstract) == 0 {
			out = append(out, h)
		}
	}
	return out
}

// overriddenBy reports whether all of hs are members like h of its type or of ones that derive from it.
func (k *linker) overriddenBy(h graph.Handle, hs []graph.Handle) bool {
	c, s := k.sym(h)
	if s == nil {
		return false
	}
	for _, x := range hs {
		xc, y := k.sym(x)
		if y == nil || y.Flags&graph.Static != s.Flags&graph.Static || (y.Container < 0) != (s.Container < 0) {
			return false
		}
		if xc.f.Str(y.Qual) == c.f.Str(s.Qual) {
			continue
		}
		if y.Container < 0 || !k.derives(graph.Handle{File: x.File, Index: y.Container}, c.sc.owner(h.Index), map[graph.Handle]bool{}) {
			return false
		}
	}
	return true
}

// derives reports whether the type h has a base whose members are in scope; those in seen were asked.
func (k *linker) derives(h graph.Handle, scope graph.ScopeID, seen map[graph.Handle]bool) bool {
	if seen[h] {
		return false
	}
	seen[h] = true
	bs, _ := k.bases(named(h))
	for _, b := range bs {
		if c, s := k.sym(b.h); s != nil && (c.sc.members(b.h.Index) == scope || k.derives(b.h, scope, seen)) {
			return true
		}
	}
	return false
}
