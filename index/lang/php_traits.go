package lang

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// phpCase is a case of an enum, or a constant of one (see phpPrepare).
func phpCase(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	kind := graph.EnumMember
	if strings.HasPrefix(b.Text(n), phpEnumConst) {
		kind = graph.Constant
		if e := b.First(n); e >= 0 && b.Node(e).Kind == KindError && b.Is(b.First(e), "name") {
			phpEnumOther(b, n, e, name)
			return true
		}
	}
	sym := b.Symbol(kind, name, n, "")
	b.Sym(sym).Flags |= graph.Static
	b.phpInit(sym, b.Field(n, "value"))
	if kind == graph.Constant {
		phpEnumValue(b, sym, n)
	}
	return true
}

// phpEnumOther is a constant of an enum that is set to a constant of a class: the grammar takes the
// name of the latter for that of a case, and has an error for what stands before it.
func phpEnumOther(b *Builder, n, broken, member int32) {
	name := b.First(broken)
	sym := b.Symbol(graph.Constant, name, n, "")
	b.Sym(sym).Flags |= graph.Static
	nd := b.Node(n)
	b.F.Errors = slices.DeleteFunc(b.F.Errors, func(e graph.ErrorSpan) bool { return e.Start >= nd.Start && e.End <= nd.End && e.End > 0 })
	in := b.in
	b.in = sym
	v := graph.None
	if of := b.Next(broken, name); of >= 0 {
		v = phpMemberOf(b, phpName(b, of, graph.TypeUse), member, graph.Read)
	}
	b.in = in
	b.Sym(sym).Init = v
}

// phpEnumValue takes the value of a constant of an enum where the grammar, which takes it for a
// case, has an error in its place.
func phpEnumValue(b *Builder, sym, n int32) {
	nd := b.Node(n)
	b.F.Errors = slices.DeleteFunc(b.F.Errors, func(e graph.ErrorSpan) bool { return e.Start >= nd.Start && e.End <= nd.End && e.End > 0 })
	in := b.in
	b.in = sym
	v := graph.None
	for i := n + 1; i < int32(nd.Next); i++ {
		if b.Node(i).Kind != KindError {
			continue
		}
		for c := b.First(i); c >= 0; c = b.Next(i, c) {
			next := b.Next(i, c)
			switch {
			case !b.Is(c, "name") && !b.Is(c, "qualified_name"):
				b.Visit(c)
			case next >= 0 && b.Is(next, "name"):
				v = phpMemberOf(b, phpName(b, c, graph.TypeUse), next, graph.Read)
				c = next
			default:
				v = phpName(b, c, graph.Read)
			}
		}
		i = int32(b.Node(i).Next) - 1
	}
	b.in = in
	if v >= 0 {
		b.Sym(sym).Init = v
	}
}

// phpTraits: the members of a used trait are the class's own, before inherited ones. A rule that
// renames or chooses one is a member that stands for it.
func phpTraits(b *Builder, n int32) bool {
	owner := b.EnclosingType()
	if owner < 0 {
		return false
	}
	var ids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "use_list") {
			if t := b.Type(c, graph.Inherit); t >= 0 {
				ids = append(ids, t)
			}
			continue
		}
		for k := b.First(c); k >= 0; k = b.Next(c, k) {
			phpTraitRule(b, k, ids)
		}
	}
	old := b.F.List(b.Sym(owner).Bases)
	list := b.List(append(ids, old...)...)
	b.Sym(owner).Bases = list
	return true
}

// phpTraitRule is `T::m insteadof U`, `T::m as n` or `m as n` among the used traits ids.
func phpTraitRule(b *Builder, n int32, ids []int32) {
	what := b.First(n)
	if what < 0 {
		return
	}
	of, member := graph.None, what
	if b.Is(what, "class_constant_access_expression") {
		of = b.Type(b.First(what), graph.TypeUse)
		member = b.Next(what, b.First(what))
	} else if len(ids) == 1 {
		of = ids[0]
	} else if len(ids) > 1 {
		of = b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(ids...), Off: b.Off(n)})
	}
	if member < 0 || of < 0 {
		return
	}
	of = b.Expr(graph.Expr{Op: graph.OpInstance, X: of, Off: b.Off(n)})
	target := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, N: graph.MeansCallable, X: of, Name: b.nodeStr(member), Off: b.Off(member)})
	name := member
	for c := b.Next(n, what); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(n, "use_instead_of_clause"):
			b.Type(c, graph.TypeUse)
		case b.Is(c, "name"):
			name = c
		}
	}
	if b.Is(n, "use_as_clause") && name == member { // only another visibility
		return
	}
	sym := b.Symbol(graph.Method, name, n, "")
	b.Sym(sym).Init = target
	b.Sym(sym).Flags |= graph.Alias
}
