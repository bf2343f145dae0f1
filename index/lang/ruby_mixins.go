package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// rbMixIn: the last module to be included is searched first, and before the superclass. What extends
// the class is a base of the class as a value; a module that extends itself has its methods itself.
func rbMixIn(b *Builder, args, skip int32, name string) {
	owner := b.rbOwner()
	var ids []int32
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		if c == skip {
			continue
		}
		if b.Is(c, "self") {
			if name == "extend" {
				b.Sym(owner).Flags |= graph.Static
			}
			continue
		}
		if !b.Is(c, "constant") && !b.Is(c, "scope_resolution") {
			b.Value(c, graph.Read, false)
			continue
		}
		t := b.Type(c, graph.Inherit)
		switch {
		case t < 0:
			continue
		case name == "extend" || b.Scratch[rbOpen] == 1:
			t = b.Of(graph.OpTypeOf, c, t)
		case name == "prepend":
			t = b.Expr(graph.Expr{Op: graph.OpInstance, X: t, N: graph.Prepended, Off: b.Off(c)})
		}
		ids = append(ids, t)
	}
	list := b.List(append(ids, b.F.List(b.Sym(owner).Bases)...)...)
	b.Sym(owner).Bases = list
}

// rbMixes is the method of a class by which a call at n mixes something in, called by its name or
// sent; sent is then the node of that name.
func rbMixes(b *Builder, n int32) (name string, sent int32) {
	name, sent = b.Text(b.Field(n, "method")), graph.None
	switch name {
	case "send", "__send__", "public_send":
		sent = b.First(b.Field(n, "arguments"))
		name, _ = rbWord(b, sent)
	}
	switch name {
	case "include", "prepend", "extend":
		return name, sent
	}
	return "", sent
}

// rbMixInto takes Name.include(Module) and the like: the class is opened again for that.
func rbMixInto(b *Builder, n, recv, args int32) bool {
	name, sent := rbMixes(b, n)
	if name == "" || args < 0 || !b.Is(recv, "constant") && !b.Is(recv, "scope_resolution") {
		return false
	}
	x := b.Value(recv, graph.Read, true)
	method := b.Field(n, "method")
	b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: x, Name: b.nodeStr(method), Off: b.Off(method)})
	if sym := rbType(b, graph.Class, recv, n); sym >= 0 {
		b.Sym(sym).Flags |= graph.Declaration
		b.rbMembers(sym, n, func() { rbMixIn(b, args, sent, name) })
	}
	return true
}

// rbClassHook is a hook that Ruby runs on a class: it tells what those that include the module get,
// and what the parameter is.
func rbClassHook(b *Builder, owner, sym, n int32, name string) {
	switch name {
	case "included", "prepended":
		rbGives(b, owner, n, b.Text(b.First(b.Field(n, "parameters"))))
	case "inherited": // a subclass
		if params := b.F.List(b.Sym(sym).Params); len(params) > 0 && b.F.Locals[params[0]].Init < 0 {
			in := b.in
			b.in = sym
			init := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
			b.in = in
			b.F.Locals[params[0]].Init = init
		}
	}
}

// rbGives notes what the code below n, a hook of module owner, mixes into base, or into itself where
// it is run on that, as all of it is for an empty base.
func rbGives(b *Builder, owner, n int32, base string) {
	for i := n + 1; i < int32(b.Node(n).Next); i++ {
		if !b.Is(i, "call") {
			continue
		}
		name, sent := rbMixes(b, i)
		recv := b.Field(i, "receiver")
		if name == "" || recv >= 0 && (b.Text(recv) != base || base == "") || recv < 0 && base != "" && !rbEvaluated(b, n, i, base) {
			continue
		}
		args := b.Field(i, "arguments")
		for x := b.First(args); x >= 0; x = b.Next(args, x) {
			if x == sent || !b.Is(x, "constant") && !b.Is(x, "scope_resolution") {
				continue
			}
			in := b.in
			b.in = owner
			e := b.Of(graph.OpEnter, x, b.typeQuiet(x))
			if e >= 0 && name != "extend" {
				b.F.Exprs[e].N = graph.EnterIncluded
			}
			b.AddBases(owner, e)
			b.in = in
		}
	}
}

// rbEvaluated reports whether node i stands in a block below n that is run on base.
func rbEvaluated(b *Builder, n, i int32, base string) bool {
	for c := n + 1; c < i; c++ {
		if b.Is(c, "call") && int32(b.Node(c).Next) > i && rbRuns(b.Text(b.Field(c, "method"))) && b.Text(b.Field(c, "receiver")) == base {
			return true
		}
	}
	return false
}

// rbConcern: where a module says so, what it calls ClassMethods extends those that include it.
func rbConcern(b *Builder, sym int32) {
	for _, e := range b.F.List(b.Sym(sym).Bases) {
		x := &b.F.Exprs[e]
		if x.Op != graph.OpTypeOf || x.X < 0 || b.F.Strings[b.F.Exprs[x.X].Name] != "Concern" {
			continue
		}
		if m := b.memberSymbol(sym, b.Str("ClassMethods")); m >= 0 {
			s := b.Expr(graph.Expr{Op: graph.OpSymbol, X: m, Off: b.Sym(m).NameOff})
			b.AddBases(sym, b.Expr(graph.Expr{Op: graph.OpEnter, X: s, Off: b.Sym(m).NameOff}))
		}
		return
	}
}

// rbClassMethods is `class_methods do ... end`: a module ClassMethods.
func rbClassMethods(b *Builder, n, block int32) bool {
	owner := b.rbOwner()
	if owner < 0 || !b.InType() || block < 0 {
		return false
	}
	sym := rbMember(b, graph.Module, "ClassMethods", b.Off(b.Field(n, "method")), n)
	b.Sym(sym).Flags |= graph.Anonymous
	b.rbMembers(sym, n, func() { rbBody(b, sym, b.Field(block, "body")) })
	return true
}
