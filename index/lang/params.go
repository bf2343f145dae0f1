package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// TypeParams binds the type parameters below n.
func (b *Builder) TypeParams(sym, n int32) {
	var ids []int32
	from := len(b.F.Locals)
	b.typeParams = true
	if r := b.rule(n); r.Hook == nil || !r.Hook(b, n) {
		b.visitChildren(n)
	}
	b.typeParams = false
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.In == sym {
			l.Flags = l.Flags&^graph.Param | graph.TypeParam
			ids = append(ids, int32(i))
		}
	}
	list := b.List(ids...)
	if s := b.Sym(sym); s.TypeParams == 0 {
		s.TypeParams = list
	}
}

// Params binds the parameters below n (or n itself, a single parameter).
func (b *Builder) Params(sym, n int32) {
	from := len(b.F.Locals)
	if r := b.rule(n); r.Do == Ident {
		b.Local(b.nodeStr(n), b.Off(n), graph.None, graph.None, graph.Param)
	} else if r.Do == Parameter {
		b.Visit(n)
	} else {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.rule(c).Do == Ident {
				b.Local(b.nodeStr(c), b.Off(c), graph.None, graph.None, graph.Param)
			} else {
				b.Visit(c)
			}
		}
	}
	b.KeepParams(sym, from)
}

// KeepParams notes the parameters of sym among the locals from the given one on.
func (b *Builder) KeepParams(sym int32, from int) {
	var ids []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Flags&graph.Param != 0 && l.In == sym {
			ids = append(ids, int32(i))
		}
	}
	list := b.List(ids...)
	b.Sym(sym).Params = list
}

// parameter binds the names of one parameter declaration; one without a name still counts.
func (b *Builder) parameter(n int32, r *compiled) {
	typ, init := graph.None, graph.None
	b.Signature(func() {
		if c := b.child(n, &r.typ); c >= 0 {
			typ = b.Type(c, graph.TypeUse)
		}
		if c := b.child(n, &r.value); c >= 0 {
			init = b.Value(c, graph.Read, true)
		}
	})
	flags := graph.Param
	if r.Op == graph.OpVariadic {
		flags |= graph.VariadicParam
		if typ >= 0 {
			typ = b.Of(graph.OpArray, n, typ)
		} else {
			typ = b.Expr(graph.Expr{Op: graph.OpArray, X: graph.None, Off: b.Off(n)})
		}
	}
	if b.child(n, &r.value) >= 0 {
		flags |= graph.OptionalParam
	}
	if r.Flags&graph.Optional != 0 {
		flags |= graph.OptionalParam
	}
	named := false
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, &r.name) {
			named = true
			if d := b.rule(c).Do; d == Ident || d == TypeIdent {
				b.Local(b.nodeStr(c), b.Off(c), typ, init, flags)
			} else {
				l := b.Local(0, b.Off(n), typ, init, flags)
				b.BindPattern(c, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)}))
			}
		}
	}
	if !named {
		b.Local(0, b.Off(n), typ, init, flags)
	}
}
