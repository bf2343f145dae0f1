package lang

import "github.com/codegraph-dev/codegraph/graph"

// Where a language lets a function leave the types of its parameters to the place where it
// stands (Contextual, Targets), expect hands it the type that the place asks for: that of the variable,
// the field, the parameter or the result that the function becomes, down through conditions,
// literals and functions that return functions.

// expect says that value v stands where one of the type of expression ctx() is asked for. The
// expression is made only where something needs it.
func (b *Builder) expect(v int32, ctx func() int32) {
	if v < 0 || !b.l.Contextual && !b.l.Targets {
		return
	}
	e := b.F.Exprs[v]
	switch e.Op {
	case graph.OpFunc:
		for j, p := range b.F.List(e.Kids) {
			if x := &b.F.Exprs[p]; x.Op == graph.OpLocal {
				b.expectParam(x.X, j, ctx)
			}
		}
		b.expectResult(e, ctx)
	case graph.OpUnion:
		for _, x := range b.F.List(e.Kids) {
			b.expect(x, ctx)
		}
	case graph.OpSymbol:
		b.expectCallable(e.X, ctx)
	case graph.OpObject:
		b.expectMembers(e.X, ctx)
	case graph.OpArray:
		for _, x := range b.F.List(e.Kids) {
			b.expect(x, func() int32 { return b.Expr(graph.Expr{Op: graph.OpElem, X: ctx(), Off: e.Off}) })
		}
	}
}

// expectResult expects of what the anonymous function e returns what calling ctx yields.
func (b *Builder) expectResult(e graph.Expr, ctx func() int32) {
	if e.X >= 0 && b.F.Exprs[e.X].Op == graph.OpTypeOf {
		b.expect(b.F.Exprs[e.X].X, b.calledContext(ctx, e.Off))
	}
}

func (b *Builder) calledContext(ctx func() int32, off uint32) func() int32 {
	return func() int32 { return b.Expr(graph.Expr{Op: graph.OpCall, X: ctx(), Off: off}) }
}

// expectCallable is expect for a function that is a symbol.
func (b *Builder) expectCallable(sym int32, ctx func() int32) {
	if sym < 0 || !b.l.Contextual || !b.F.Symbols[sym].Kind.Callable() {
		return
	}
	s := b.F.Symbols[sym]
	for j, l := range b.F.List(s.Params) {
		b.expectParam(l, j, ctx)
	}
	if s.Type < 0 {
		for _, r := range b.F.List(s.Returns) {
			b.expect(r, b.calledContext(ctx, s.NameOff))
		}
	}
}

// expectMembers expects of the members of the literal that is sym those of ctx.
func (b *Builder) expectMembers(sym int32, ctx func() int32) {
	if sym < 0 {
		return
	}
	end, methods := b.F.Symbols[sym].End, false
	for i := sym + 1; i < int32(len(b.F.Symbols)) && b.F.Symbols[i].Start < end; i++ {
		s := b.F.Symbols[i]
		if s.Container != sym {
			continue
		}
		member := func() int32 {
			return b.Expr(graph.Expr{Op: graph.OpMember, X: ctx(), Name: s.Name, Off: s.NameOff})
		}
		methods = methods || s.Kind == graph.Method
		if s.Kind.Callable() {
			b.expectCallable(i, member)
		} else if s.Type < 0 {
			b.expect(s.Init, member)
		}
	}
	if s := &b.F.Symbols[sym]; methods && b.l.ReceiverOf != "" && s.Kind == graph.Struct && s.Type < 0 {
		t := ctx()
		b.F.Symbols[sym].Type = t
	}
}

func (b *Builder) expectParam(l int32, n int, ctx func() int32) {
	if x := &b.F.Locals[l]; x.Type >= 0 || x.Init >= 0 || n > 0xff {
		return
	}
	init := b.Expr(graph.Expr{Op: graph.OpParam, X: ctx(), N: uint16(n), Off: b.F.Locals[l].Off})
	b.F.Locals[l].Init = init
}

// typeContext is the context in which a value of the type at expression t is asked for.
func (b *Builder) typeContext(t int32) func() int32 {
	return func() int32 {
		return b.Expr(graph.Expr{Op: graph.OpCast, X: graph.None, Kids: b.List(t), Off: b.F.Exprs[t].Off})
	}
}
