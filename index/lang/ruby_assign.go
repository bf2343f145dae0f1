package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// rbDestructured binds the names of a parameter that is taken apart.
func rbDestructured(b *Builder, n int32) bool {
	l := b.Local(0, b.Off(n), graph.None, graph.None, graph.Param)
	v := b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)})
	rbTake(b, n, v)
	return true
}

// rbAssign is left = right; a constant that a class is made for is that class.
func rbAssign(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if b.Is(left, "constant") && b.Is(right, "call") {
		if kind := rbMakes(b, right); kind != graph.NoKind {
			sym := rbType(b, kind, left, n)
			b.rbMembers(sym, n, func() { rbMadeOf(b, sym, right) })
			return b.ifWanted(want, graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)})
		}
	}
	if b.Is(left, "constant") {
		return rbConst(b, n, left, right)
	}
	v := b.Value(right, graph.Read, true)
	rbAssignTo(b, left, v)
	return v
}

// rbConst defines a constant of the class around it, or of all.
func rbConst(b *Builder, n, left, right int32) int32 {
	sym := rbMember(b, graph.Constant, b.Text(left), b.Off(left), n)
	b.Sym(sym).Flags |= graph.Static
	b.doc = docRun{}
	in := b.in
	b.in = sym
	v := b.Value(right, graph.Read, true)
	b.in = in
	b.Sym(sym).Init = v
	if list, ok := rbList(b, right); ok {
		if b.ruby.shared.lists == nil {
			b.ruby.shared.lists = map[int32][]string{}
		}
		b.ruby.shared.lists[sym] = list
	}
	return v
}

// rbAssignTo gives the target at left the value v.
func rbAssignTo(b *Builder, left, v int32) {
	switch b.Kind(left) {
	case "identifier":
		name := b.nodeStr(left)
		if l := b.rbLocal(name); l >= 0 {
			b.addInit(b.widen(l), v)
		} else {
			b.Local(name, b.Off(left), graph.None, v, 0)
		}
	case "instance_variable", "class_variable":
		rbAttribute(b, left, v)
	case "global_variable":
		if s := b.memberSymbol(graph.None, b.nodeStr(left)); s >= 0 {
			rbGlobal(b, left, graph.Write, false)
			b.moreInit(s, graph.None, v)
			return
		}
		s := graph.Symbol{Kind: graph.Variable, Name: b.nodeStr(left), NameOff: b.Off(left), Start: b.Off(left), End: b.Node(left).End,
			Container: graph.None, Type: graph.None, Init: v, Owner: graph.None, Flags: graph.Exported}
		b.addSymbol(s, "")
	case "constant":
		sym := rbMember(b, graph.Constant, b.Text(left), b.Off(left), left)
		b.Sym(sym).Flags |= graph.Static
		b.Sym(sym).Init = v
	case "left_assignment_list", "destructured_left_assignment":
		rbTake(b, left, v)
	case "rest_assignment":
		if c := rbLast(b, left); c >= 0 {
			rbAssignTo(b, c, b.Of(graph.OpSlice, left, v))
		}
	case "call":
		rbSet(b, left, v)
	case "element_reference":
		b.Value(left, graph.Write, false)
		if v >= 0 {
			rbHolds(b, b.Field(left, "object"), b.Expr(graph.Expr{Op: graph.OpMap, X: graph.None, Kids: b.List(v), Off: b.Off(left)}))
		}
	case "":
	default:
		b.Value(left, graph.Write, false)
	}
}

// rbHolds: the variable at n is also a collection like v, which something was added to.
func rbHolds(b *Builder, n, v int32) {
	switch b.Kind(n) {
	case "identifier":
		if l := b.rbLocal(b.nodeStr(n)); l >= 0 && b.F.Locals[l].Init >= 0 {
			b.addInit(l, v)
		}
	case "instance_variable", "class_variable":
		if s := b.memberSymbol(b.rbOwner(), b.nodeStr(n)); s >= 0 {
			b.moreInit(s, graph.None, v)
		}
	}
}

// rbAdds: the variable at n is also a sequence of the value v, which was added to it.
func rbAdds(b *Builder, n, v int32) {
	if k := b.Kind(n); v >= 0 && (k == "identifier" || k == "instance_variable" || k == "class_variable") {
		rbHolds(b, n, b.Expr(graph.Expr{Op: graph.OpArray, X: graph.None, Kids: b.List(v), Off: b.Off(n)}))
	}
}

// rbSet is x.name = v, a call of name=.
func rbSet(b *Builder, n, v int32) {
	recv, method := b.Field(n, "receiver"), b.Field(n, "method")
	if recv < 0 || method < 0 {
		b.Value(n, graph.Read, false)
		return
	}
	if o := b.rbOwner(); o >= 0 && v >= 0 && b.ruby.on == 0 && (b.Is(recv, "self") || b.Is(recv, "constant") && b.nodeStr(recv) == b.Sym(o).Name) {
		b.ruby.shared.sets = append(b.ruby.shared.sets, rubySet{o, v, b.nodeStr(method)})
	}
	x := b.Value(recv, graph.Read, true)
	b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, X: x, Name: b.nodeStr(method), Off: b.Off(method)})
	if args := b.Field(n, "arguments"); args >= 0 {
		b.Value(args, graph.Read, false)
	}
}

// rbAttribute: the first assignment to a variable of an object defines it.
func rbAttribute(b *Builder, left, v int32) {
	owner := b.rbOwner()
	if owner < 0 {
		return
	}
	if s := b.memberSymbol(owner, b.nodeStr(left)); s >= 0 {
		rbVariable(b, left, graph.Write, false)
		b.moreInit(s, graph.None, v)
		return
	}
	sym := rbMember(b, graph.Field, b.Text(left), b.Off(left), left)
	s := b.Sym(sym)
	s.Init, s.DocStart, s.DocEnd = v, 0, 0
	if b.Is(left, "class_variable") {
		s.Flags |= graph.Static
	}
}

// rbTake assigns the parts of v to the names in a list.
func rbTake(b *Builder, n, v int32) {
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Comment {
			continue
		}
		switch b.Kind(c) {
		case "splat_parameter":
			if name := b.Field(c, "name"); name >= 0 {
				b.Local(b.nodeStr(name), b.Off(name), graph.None, b.Of(graph.OpSlice, c, v), 0)
			}
		case "rest_assignment":
			rbAssignTo(b, c, v)
		case "destructured_parameter":
			rbTake(b, c, b.Part(c, v, k))
		default:
			if b.Is(n, "destructured_parameter") && b.Is(c, "identifier") {
				b.Local(b.nodeStr(c), b.Off(c), graph.None, b.Part(c, v, k), 0)
			} else {
				rbAssignTo(b, c, b.Part(c, v, k))
			}
		}
		k++
	}
}

// rbOperatorAssign is a op= b; of these ||= and &&= give the variable a value of another type.
func rbOperatorAssign(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if !b.Has(n, "||=", "&&=") {
		b.Value(right, graph.Read, false)
		v := graph.None
		if !b.Is(left, "constant") {
			v = b.Value(left, graph.Write, want)
		}
		return v
	}
	old := graph.None
	switch b.Kind(left) {
	case "identifier":
		if l := b.rbLocal(b.nodeStr(left)); l >= 0 {
			old = b.ifWanted(want, graph.Expr{Op: graph.OpLocal, X: l, Name: b.nodeStr(left), Off: b.Off(left)})
		}
	case "call":
		b.Value(left, graph.Read, false)
	case "instance_variable", "class_variable":
		self := b.rbReceiver(b.Off(left))
		old = b.ifWanted(want, graph.Expr{Op: graph.OpMember, X: self, Name: b.nodeStr(left), Off: b.Off(left)})
	case "constant":
		return rbConst(b, n, left, right)
	}
	v := b.Value(right, graph.Read, true)
	rbAssignTo(b, left, v)
	return b.either2(old, v, n)
}
