package index

import "github.com/codegraph-dev/codegraph/graph"

// Declarations that are one with others: those of a namespace or a type of one name, those that a file makes of a
// module that stands elsewhere, and names that stand for others.

// augments is the scope of the types that files add members to by declaring the module that they stand in once more.
var augments = graph.Scope("augment", "")

// merged are the members of t's symbol that other declarations give it that are one with it: a namespace of a
// function's name, or the same type in a declaration of its module in another file.
func (k *linker) merged(c *filectx, t *typ, name string, r graph.Reason) []hit {
	s := &c.f.Symbols[t.h.Index]
	var out []hit
	switch {
	case s.Flags&graph.NestedDef != 0:
	case s.Kind.Callable() && s.Ordinal > 1:
		for _, h := range k.look(c.sc.base(t.h.Index).Path(c.f.Path(t.h.Index)).Key(name)) {
			out = append(out, hit{h: h, recv: t, reason: r})
		}
	case (s.Kind == graph.Interface || s.Kind == graph.Class) && s.Container < 0:
		for _, h := range k.look(augments.Key(c.f.Str(s.Name))) {
			hc, y := k.sym(h)
			if y == nil || h.File == t.h.File || !k.declaresAgain(hc, y, t.h, c.f.Str(s.Name)) {
				continue
			}
			for _, m := range k.look(hc.sc.members(h.Index).Key(name)) {
				out = append(out, hit{h: m, recv: t, reason: r})
			}
		}
	case s.Container >= 0 && c.f.Symbols[s.Container].Kind == graph.Module:
		for _, m := range k.moduleAt(c, &graph.Imported{}, c.f.Str(c.f.Symbols[s.Container].Name)) {
			for _, h := range k.inModule(m, c.f.Str(s.Name), nil).hs {
				if h.File != t.h.File {
					return k.own(named(h, t.args...), name, r)
				}
			}
		}
	}
	return out
}

// declaresAgain reports whether the module around symbol y of c is one that gives symbol h out under that name.
func (k *linker) declaresAgain(c *filectx, y *graph.Symbol, h graph.Handle, name string) bool {
	for _, m := range k.moduleAt(c, &graph.Imported{}, c.f.Str(c.f.Symbols[y.Container].Name)) {
		if m.file == h.File || hasHandle(k.inModule(m, name, nil).hs, h) {
			return true
		}
	}
	return false
}

// global are the members that files of the workspace give to the language's own type of a value.
func (k *linker) global(t *typ, name string) []hit {
	l := k.from
	if l == nil || l.EverySpace == 0 || t.elem != nil {
		return nil
	}
	of, ok := l.GlobalTypes[t.name]
	if !ok {
		return nil
	}
	var out []hit
	for _, h := range k.look(l.EverySpace.Key(of)) {
		c, s := k.sym(h)
		if s == nil || s.Flags&graph.Everywhere == 0 || s.Kind != graph.Interface {
			continue
		}
		out = append(out, k.own(named(h), name, graph.ByReceiver)...)
		if len(out) > 0 || c == nil {
			return out
		}
	}
	if of == l.GlobalTypes["globalThis"] {
		for _, h := range k.look(l.EverySpace.Key(name)) {
			if _, s := k.sym(h); s != nil && s.Flags&graph.Everywhere != 0 && s.Container < 0 && !s.Kind.Type() {
				out = append(out, hit{h: h, reason: graph.ByReceiver})
			}
		}
	}
	return out
}

// moduleNamed is the module whose type t is another name of, or nil.
func (k *linker) moduleNamed(c *filectx, t *typ) *typ {
	if t == nil || t.kind != tMeta || !c.l.Contextual {
		return nil
	}
	if u := k.underlying(t); u != nil && u.kind == tModule {
		return u
	}
	return nil
}

// otherName is what symbol h is another name of, as the language lets a file give one (import x = A.B); nothing for
// other symbols.
func (k *linker) otherName(c *filectx, h graph.Handle) binding {
	if !c.l.Contextual || h.Index == graph.FileItself {
		return binding{}
	}
	hc, s := k.sym(h)
	if s == nil || s.Kind != graph.Namespace || s.Init < 0 {
		return binding{}
	}
	key := int64(h.Index)<<1 | 1<<43
	if !hc.enter(key) {
		k.cuts++
		return binding{}
	}
	defer hc.leave(key)
	return k.ref(hc, &hc.f.Exprs[s.Init], -1)
}
