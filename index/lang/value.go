package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// Value takes node n as a value. Names in it become references with the given role. Where
// want is false only references are kept, and the result is None.
func (b *Builder) Value(n int32, role graph.Role, want bool) int32 {
	if n < 0 {
		return graph.None
	}
	if b.nest++; b.nest > maxNest {
		b.tooDeep(n)
		b.nest--
		return graph.None
	}
	e := b.value(n, role, want)
	b.nest--
	return e
}

func (b *Builder) value(n int32, role graph.Role, want bool) int32 {
	r := b.rule(n)
	if r.Eval != nil {
		return r.Eval(b, n, role, want)
	}
	switch r.Do {
	case Skip, Comment:
		return graph.None
	case Ident, TypeIdent:
		return b.Name(n, role, want)
	case Member:
		return b.member(n, r, role, true)
	case CallExpr, NewExpr:
		return b.call(n, r, want)
	case IndexExpr:
		x := b.Value(b.child(n, &r.of), graph.Read, want)
		kids := b.values(n, &r.args, false)
		return b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Kids: kids, Off: b.Off(n)})
	case GenericType:
		return b.generic(n, r, role)
	case SliceExpr:
		return b.unary(n, r, graph.OpSlice, want)
	case UnaryExpr:
		return b.unary(n, r, r.Op, want)
	case BinaryExpr:
		return b.binary(n, r, want)
	case CastExpr:
		v := b.Value(b.child(n, &r.value), graph.Read, want)
		t := b.Type(b.child(n, &r.typ), graph.TypeUse)
		return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(t), Off: b.Off(n)})
	case CondExpr:
		return b.conditional(n, r, want)
	case LiteralExpr:
		b.visitChildren(n)
		if !want {
			return graph.None
		}
		return b.Literal(n, r.Lit)
	case SeqExpr, MapExpr, TupleExpr:
		return b.collection(n, r, want)
	case ParenExpr:
		return b.paren(n, role, want)
	case LambdaExpr:
		return b.lambda(n, r, want)
	case SelfExpr:
		return b.ifWanted(true, graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	case SuperExpr:
		return b.ifWanted(true, graph.Expr{Op: graph.OpSuper, X: graph.None, Off: b.Off(n)})
	case InstanceOf:
		b.Value(b.child(n, &r.left), graph.Read, false)
		b.Type(b.child(n, &r.right), graph.TypeUse)
		return graph.None
	case PointerType, ArrayType, MapType, ChanType, FuncType, UnionType, StructType:
		return b.Type(n, graph.TypeUse)
	case Assign:
		return b.assignValue(n, r, want)
	case Pass:
		return b.pass(n, role, want)
	case Pair:
		b.Value(b.child(n, &r.left), graph.Read, false)
		return b.Value(b.child(n, &r.right), graph.Read, want)
	case Comprehension:
		b.push(blockFrame, graph.None)
		v := b.comprehension(n, r, want)
		b.pop()
		return v
	default:
		b.visit(n)
		return graph.None
	}
}

func (b *Builder) ifWanted(want bool, e graph.Expr) int32 {
	if !want {
		return graph.None
	}
	return b.Expr(e)
}

// pass hands an only child's value through; several children are just visited.
func (b *Builder) pass(n int32, role graph.Role, want bool) int32 {
	c := b.First(n)
	if c >= 0 && b.Next(n, c) < 0 {
		return b.Value(c, role, want)
	}
	b.visitChildren(n)
	return graph.None
}

func (b *Builder) paren(n int32, role graph.Role, want bool) int32 {
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Comment {
			v = b.Value(c, role, want)
		}
	}
	return v
}

// Name takes the identifier at n: a local, or a reference to something outside.
func (b *Builder) Name(n int32, role graph.Role, want bool) int32 {
	text := b.t.Text(n)
	if len(text) == 0 || b.l.Blank && len(text) == 1 && text[0] == '_' {
		return graph.None
	}
	name := b.nodeStr(n)
	l := b.local(name)
	if l >= 0 && (role == graph.TypeUse || role == graph.Inherit) && !b.l.AssignDeclares {
		l = b.localType(name)
	}
	if l >= 0 {
		if loc := &b.F.Locals[l]; loc.Symbol != graph.None || b.imported(loc.Init) {
			return b.Expr(graph.Expr{Op: graph.OpLocal, Role: role, X: l, Name: name, Off: b.Off(n)})
		} else if loc.Flags&graph.SelfParam != 0 {
			return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
		}
		return b.ifWanted(want, graph.Expr{Op: graph.OpLocal, X: l, Name: name, Off: b.Off(n)})
	}
	return b.Expr(graph.Expr{Op: graph.OpName, Role: role, Name: name, Off: b.Off(n), X: graph.None})
}

// localType is the visible local of that name that can stand for a type: a type parameter, a
// nested definition or an import. Variables of that name are passed over: a parameter may bear
// its own type's name.
func (b *Builder) localType(name uint32) int32 {
	for i := len(b.names) - 1; i >= 0; i-- {
		if b.names[i].name != name {
			continue
		}
		l := &b.F.Locals[b.names[i].local]
		if l.Flags&graph.TypeParam != 0 || l.Symbol >= 0 || l.Init >= 0 && b.F.Exprs[l.Init].Op == graph.OpImport || b.typeParams {
			return b.names[i].local
		}
	}
	return graph.None
}

// imported reports whether expression e is what an import brought in, under whatever condition.
func (b *Builder) imported(e int32) bool {
	if e < 0 {
		return false
	}
	x := &b.F.Exprs[e]
	if x.Op == graph.OpUnion && x.N == 1 {
		for _, k := range b.F.List(x.Kids) {
			if b.F.Exprs[k].Op != graph.OpImport {
				return false
			}
		}
		return true
	}
	if x.Op == graph.OpMember && b.l.AssignedModules && x.X >= 0 { // one name of a module that is taken whole
		x = &b.F.Exprs[x.X]
	}
	return x.Op == graph.OpImport && (b.l.AssignedModules || b.F.Imports[x.X].Flags&graph.Assigned == 0)
}

func (b *Builder) member(n int32, r *compiled, role graph.Role, value bool) int32 {
	of, name := b.child(n, &r.of), b.child(n, &r.name)
	var x int32
	if value {
		x = b.Value(of, graph.Read, true)
	} else {
		x = b.Type(of, graph.TypeUse)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != of && c != name {
			b.Visit(c)
		}
	}
	if name < 0 {
		return x
	}
	if d := b.rule(name).Do; d != Ident && d != TypeIdent && d != Pass && d != SelfExpr && d != Skip {
		return b.Value(name, role, true)
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
}

// call takes a call or construction. Its arguments are kept where the value is wanted or
// their number chooses among overloads; N is their number plus one.
func (b *Builder) call(n int32, r *compiled, want bool) int32 {
	var x int32
	op := graph.OpCall
	if r.Do == NewExpr {
		op = graph.OpNew
		x = b.callee(b.child(n, &r.typ), graph.Call, false)
	} else {
		x = b.callee(b.child(n, &r.of), graph.Call, true)
	}
	args := b.child(n, &r.args)
	var kids uint32
	count := 0
	if args >= 0 {
		kids, count = b.argumentList(args, x)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != args && !b.in1(c, &r.of) && !b.in1(c, &r.typ) {
			b.Visit(c)
		}
	}
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: op, X: x, Kids: kids, N: uint16(min(count+1, 1<<16-1)), Off: b.Off(n)})
}

// callee takes what is called: the name at its end is the call's reference.
func (b *Builder) callee(n int32, role graph.Role, value bool) int32 {
	if n < 0 {
		return graph.None
	}
	if value {
		return b.Value(n, role, true)
	}
	return b.Type(n, role)
}

// argumentList takes the arguments of a call of callee: their values and their number.
func (b *Builder) argumentList(n, callee int32) (uint32, int) {
	var buf [8]int32
	kids := buf[:0]
	if d := b.rule(n).Do; d != Pass && d != TupleExpr && d != SeqExpr {
		kids = append(kids, b.argument(n, callee, 0))
		return b.List(kids...), 1
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Comment || d == Skip {
			continue
		}
		kids = append(kids, b.argument(c, callee, len(kids)))
	}
	return b.List(kids...), len(kids)
}

// argument takes argument k of a call. The parameters of a function that is passed are what
// the callee says that it passes to it.
func (b *Builder) argument(n, callee int32, k int) int32 {
	v := b.Value(n, graph.Read, true)
	if v < 0 || callee < 0 || k > 0xff {
		return v
	}
	taken := func() int32 {
		return b.Expr(graph.Expr{Op: graph.OpTaken, X: callee, N: uint16(k), Off: b.Off(n)})
	}
	fn, name := v, uint32(0)
	if e := b.F.Exprs[v]; e.Op == graph.OpNamed {
		fn, name = e.X, e.Name
	}
	if b.F.Exprs[fn].Op != graph.OpFunc {
		b.expect(v, taken)
		return v
	}
	for j, p := range b.F.List(b.F.Exprs[fn].Kids) {
		l := b.F.Exprs[p].X
		if j > 0xff || b.F.Exprs[p].Op != graph.OpLocal || b.F.Locals[l].Type >= 0 || b.F.Locals[l].Init >= 0 {
			continue
		}
		init := b.Expr(graph.Expr{Op: graph.OpArg, X: callee, Name: name, N: uint16(k<<8 | j), Off: b.Off(n)})
		b.F.Locals[l].Init = init
	}
	if b.l.Contextual || b.l.Targets {
		b.expectResult(b.F.Exprs[v], taken)
	}
	return v
}

// values takes the children of n in slot s, or below them where they are lists.
func (b *Builder) values(n int32, s *slot, types bool) uint32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.in1(c, s) {
			continue
		}
		if b.rule(c).Do == Pass && b.First(c) >= 0 {
			for k := b.First(c); k >= 0; k = b.Next(c, k) {
				kids = append(kids, b.either(k, types))
			}
			continue
		}
		kids = append(kids, b.either(c, types))
	}
	return b.List(kids...)
}

func (b *Builder) either(n int32, typ bool) int32 {
	if typ {
		return b.Type(n, graph.TypeUse)
	}
	return b.Value(n, graph.Read, true)
}
