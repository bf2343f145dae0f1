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
	return x.Op == graph.OpImport && b.F.Imports[x.X].Flags&graph.Assigned == 0
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
	if b.F.Exprs[v].Op != graph.OpFunc {
		b.expect(v, taken)
		return v
	}
	for j, p := range b.F.List(b.F.Exprs[v].Kids) {
		l := b.F.Exprs[p].X
		if j > 0xff || b.F.Exprs[p].Op != graph.OpLocal || b.F.Locals[l].Type >= 0 || b.F.Locals[l].Init >= 0 {
			continue
		}
		init := b.Expr(graph.Expr{Op: graph.OpArg, X: callee, N: uint16(k<<8 | j), Off: b.Off(n)})
		b.F.Locals[l].Init = init
	}
	if b.l.Contextual {
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

func (b *Builder) unary(n int32, r *compiled, op graph.Op, want bool) int32 {
	of := b.child(n, &r.of)
	x := b.Value(of, graph.Read, want)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != of {
			b.Visit(c)
		}
	}
	if !want || x < 0 {
		return graph.None
	}
	if op == graph.NoOp {
		return x
	}
	return b.Of(op, n, x)
}

func (b *Builder) binary(n int32, r *compiled, want bool) int32 {
	left := b.Value(b.child(n, &r.left), graph.Read, want && r.Lit == "")
	right := b.Value(b.child(n, &r.right), graph.Read, want && r.Lit == "")
	switch {
	case !want:
		return graph.None
	case r.Lit != "":
		return b.Literal(n, r.Lit)
	case r.Op == graph.OpUnion && left >= 0 && right >= 0:
		return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(left, right), Off: b.Off(n)})
	case left >= 0:
		return left
	}
	return right
}

func (b *Builder) conditional(n int32, r *compiled, want bool) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, &r.cond) {
			b.Value(c, graph.Read, false)
		} else if v := b.Value(c, graph.Read, want); v >= 0 {
			kids = append(kids, v)
		}
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return b.ifWanted(want && len(kids) > 0, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// collection takes a literal list, tuple or map. Of long ones the first elements stand for all.
func (b *Builder) collection(n int32, r *compiled, want bool) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Comment || d == Skip {
			continue
		}
		keep := want && (len(kids) < 8 || r.Do == TupleExpr)
		if v := b.Value(c, graph.Read, keep); keep && (v >= 0 || r.Do == TupleExpr) {
			kids = append(kids, v)
		}
	}
	if !want {
		return graph.None
	}
	op := graph.OpArray
	switch r.Do {
	case TupleExpr:
		if len(kids) == 1 && r.Op == graph.OpSelf { // a list of one is its element
			return kids[0]
		}
		op = graph.OpTuple
	case MapExpr:
		op = graph.OpMap
	}
	return b.Expr(graph.Expr{Op: op, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// comprehension binds the clauses first, wherever they stand, then takes the value.
func (b *Builder) comprehension(n int32, r *compiled, want bool) int32 {
	body := b.child(n, &r.body)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != body {
			b.Visit(c)
		}
	}
	v := b.Value(body, graph.Read, want)
	return b.ifWanted(want, graph.Expr{Op: r.Op, X: graph.None, Kids: b.List(v), Off: b.Off(n)})
}

// assignValue is an assignment used as a value.
func (b *Builder) assignValue(n int32, r *compiled, want bool) int32 {
	left, right := b.child(n, &r.left), b.child(n, &r.right)
	if left < 0 || right < 0 {
		b.assign(n, r)
		return graph.None
	}
	if b.l.AssignDeclares && !b.bindsLocals() && b.rule(left).Do == Ident {
		sym := b.memberAt(left)
		v := b.Value(right, graph.Read, true)
		b.moreInit(sym, graph.None, v)
		return v
	}
	return b.assignBoth(left, right, graph.None)
}

// lambda takes an anonymous function. Its body belongs to the named function around it.
func (b *Builder) lambda(n int32, r *compiled, want bool) int32 {
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	from := len(b.F.Locals)
	if c := b.child(n, &r.typeParams); c >= 0 {
		b.visitChildren(c)
	}
	if c := b.child(n, &r.params); c >= 0 {
		b.lambdaParams(c)
	}
	var params []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Flags&graph.Param != 0 {
			l.Flags = l.Flags&^graph.Param | graph.InnerParam
			params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: int32(i), Off: b.F.Locals[i].Off}))
		}
	}
	result := graph.None
	if c := b.child(n, &r.result); c >= 0 {
		result = b.Type(c, graph.TypeUse)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.in1(c, &r.body) {
			continue
		}
		if d := b.rule(c).Do; d == Block || d == Pass {
			b.hoist(c, false)
			b.visitChildren(c)
		} else if v := b.Value(c, graph.Read, want && result < 0); result < 0 && v >= 0 {
			result = b.Of(graph.OpTypeOf, c, v)
		}
	}
	if rets := b.frame().rets; want && result < 0 && len(rets) > 0 {
		all := b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(rets...), Off: b.Off(n)})
		result = b.Of(graph.OpTypeOf, n, all)
	}
	b.pop()
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

func (b *Builder) lambdaParams(n int32) {
	switch b.rule(n).Do {
	case Ident:
		b.Local(b.nodeStr(n), b.Off(n), graph.None, graph.None, graph.Param)
	case Parameter:
		b.Visit(n)
	default:
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.rule(c).Do == Ident {
				b.Local(b.nodeStr(c), b.Off(c), graph.None, graph.None, graph.Param)
			} else {
				b.Visit(c)
			}
		}
	}
}

// branch visits a test and its branches; a test of type narrows the name it tests.
func (b *Builder) branch(n int32, r *compiled) {
	if b.l.AssignDeclares {
		b.flatBranch(n, r)
		return
	}
	b.push(blockFrame, graph.None)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.in1(c, &r.cond):
			b.Value(c, graph.Read, false)
		case b.in1(c, &r.body):
			b.push(blockFrame, graph.None)
			if cond := b.child(n, &r.cond); cond >= 0 {
				b.narrow(cond)
			}
			b.Visit(c)
			b.pop()
		default:
			b.Visit(c)
		}
	}
	b.pop()
}

// flatBranch is branch where blocks are no scopes: what the test narrows is undone after the
// branch, what the branch declares stays.
func (b *Builder) flatBranch(n int32, r *compiled) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.in1(c, &r.cond):
			b.Value(c, graph.Read, false)
		case b.in1(c, &r.body):
			b.Narrowing(b.child(n, &r.cond), func() { b.Visit(c) })
		default:
			b.Visit(c)
		}
	}
}

// Narrowing runs f where the condition at cond holds; what it narrows is undone after it.
func (b *Builder) Narrowing(cond int32, f func()) {
	from := len(b.names)
	if cond >= 0 && b.InFunction() {
		b.narrow(cond)
	}
	if len(b.names) == from {
		f()
		return
	}
	f()
	kept := b.names[:from]
	for _, x := range b.names[from:] {
		if x.local < 0 || b.F.Locals[x.local].Flags&graph.Narrowed == 0 {
			kept = append(kept, x)
		}
	}
	b.names = kept
}

// narrow binds again, with the tested type, the locals that the condition proves to be of it.
func (b *Builder) narrow(n int32) {
	r := b.rule(n)
	switch r.Do {
	case ParenExpr, Pass:
		if c := b.First(n); c >= 0 && b.Next(n, c) < 0 {
			b.narrow(c)
		}
	case BinaryExpr:
		switch {
		case b.l.And != "" && b.Has(n, b.l.And):
			b.narrow(b.child(n, &r.left))
			b.narrow(b.child(n, &r.right))
		case b.l.Is != "" && b.Has(n, b.l.Is):
			b.narrowTo(b.child(n, &r.left), b.child(n, &r.right))
		}
	case InstanceOf:
		b.narrowTo(b.child(n, &r.left), b.child(n, &r.right))
	case CallExpr:
		if b.l.IsInstance != "" && b.Text(b.child(n, &r.of)) == b.l.IsInstance {
			if args := b.child(n, &r.args); args >= 0 {
				if x := b.First(args); x >= 0 {
					b.narrowTo(x, b.Next(args, x))
				}
			}
		}
	}
}

func (b *Builder) narrowTo(x, typ int32) {
	if x < 0 || typ < 0 {
		return
	}
	name := b.Str(b.Text(x))
	switch d := b.rule(x).Do; {
	case d == Member && b.l.NarrowMembers:
	case d != Ident || b.local(name) < 0:
		return
	}
	t := b.typeQuiet(typ)
	if t >= 0 && b.F.Exprs[t].Op == graph.OpTuple { // any of several types
		b.F.Exprs[t].Op = graph.OpUnion
	}
	if t >= 0 {
		b.Local(name, b.Off(x), t, graph.None, graph.Narrowed)
	}
}

// narrowed is x, the value of the member expression at n, or what a test has shown of it.
func (b *Builder) narrowed(n, x int32) int32 {
	l := b.local(b.Str(b.Text(n)))
	if l < 0 || b.F.Locals[l].Flags&graph.Narrowed == 0 {
		return x
	}
	return b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Name: b.F.Locals[l].Name, Off: b.Off(n)})
}

// forget undoes what tests have shown of the member expression at n, which is assigned to.
func (b *Builder) forget(n int32) {
	if name := b.Str(b.Text(n)); b.local(name) >= 0 {
		b.names = append(b.names, bound{name, graph.None})
	}
}

// typeQuiet is the type expression at n without references: they were taken before.
func (b *Builder) typeQuiet(n int32) int32 {
	from := len(b.F.Exprs)
	t := b.Type(n, graph.TypeUse)
	for i := from; i < len(b.F.Exprs); i++ {
		b.F.Exprs[i].Role = graph.NoRole
	}
	return t
}
