package lang

import "github.com/codegraph-dev/codegraph/graph"

// Type takes node n as a type. Names in it become references with the given role.
func (b *Builder) Type(n int32, role graph.Role) int32 {
	if n < 0 {
		return graph.None
	}
	if b.nest++; b.nest > maxNest {
		b.tooDeep(n)
		b.nest--
		return graph.None
	}
	t := b.typ(n, role)
	b.nest--
	return t
}

func (b *Builder) typ(n int32, role graph.Role) int32 {
	r := b.rule(n)
	if r.EvalType != nil {
		return r.EvalType(b, n, role)
	}
	switch r.Do {
	case Skip, Comment:
		return graph.None
	case LiteralExpr:
		if r.Lit == "" {
			return b.Literal(n, b.Text(n))
		}
		return b.Literal(n, r.Lit)
	case Ident, TypeIdent:
		return b.Name(n, role, true)
	case Member:
		return b.member(n, r, role, false)
	case GenericType, IndexExpr:
		return b.generic(n, r, role)
	case PointerType:
		return b.Of(graph.OpPointer, n, b.Type(b.part(n, &r.typ), role))
	case ArrayType:
		return b.arrayType(n, r)
	case MapType:
		k := b.Type(b.child(n, &r.left), graph.TypeUse)
		v := b.Type(b.child(n, &r.right), graph.TypeUse)
		return b.Expr(graph.Expr{Op: graph.OpMap, X: k, Kids: b.List(v), Off: b.Off(n)})
	case ChanType:
		return b.Of(graph.OpChan, n, b.Type(b.part(n, &r.typ), graph.TypeUse))
	case FuncType, LambdaExpr:
		return b.funcType(n, r)
	case UnionType, BinaryExpr, CondExpr:
		return b.listType(n, graph.OpUnion)
	case TupleExpr, SeqExpr:
		return b.listType(n, graph.OpTuple)
	case StructType:
		return b.structType(n, r)
	case ParenExpr, Pass, Wrap:
		return b.passType(n, role)
	case SelfExpr:
		return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	case UnaryExpr:
		return b.Type(b.child(n, &r.of), role)
	default:
		return b.Value(n, role, true)
	}
}

// part is the child of n in slot s or, where the slot is empty, the last child.
func (b *Builder) part(n int32, s *slot) int32 {
	if !s.empty() {
		return b.child(n, s)
	}
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Comment {
			last = c
		}
	}
	return last
}

func (b *Builder) passType(n int32, role graph.Role) int32 {
	t := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if x := b.Type(c, role); t < 0 {
			t = x
		}
	}
	return t
}

func (b *Builder) arrayType(n int32, r *compiled) int32 {
	if !r.value.empty() {
		if c := b.child(n, &r.value); c >= 0 {
			b.Value(c, graph.Read, false)
		}
	}
	x := b.Type(b.part(n, &r.typ), graph.TypeUse)
	return b.Expr(graph.Expr{Op: graph.OpArray, X: x, Off: b.Off(n)})
}

// generic is a generic type applied to arguments.
func (b *Builder) generic(n int32, r *compiled, role graph.Role) int32 {
	x := b.Type(b.child(n, &r.of), role)
	kids := b.values(n, &r.args, true)
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: kids, Off: b.Off(n)})
}

// funcType is a function type; its parameters' names are visible nowhere else.
func (b *Builder) funcType(n int32, r *compiled) int32 {
	b.push(funcFrame, graph.None)
	from := len(b.F.Locals)
	if c := b.child(n, &r.typeParams); c >= 0 {
		b.visitChildren(c)
	}
	if c := b.child(n, &r.params); c >= 0 {
		if b.rule(c).Do == Parameter {
			b.Visit(c)
		} else {
			b.visitChildren(c)
		}
	}
	var params []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Flags&graph.Param != 0 {
			l.Flags = l.Flags&^graph.Param | graph.InnerParam
			params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: int32(i), Off: l.Off}))
		}
	}
	result := b.Type(b.child(n, &r.result), graph.TypeUse)
	b.pop()
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

func (b *Builder) listType(n int32, op graph.Op) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if t := b.Type(c, graph.TypeUse); t >= 0 {
			kids = append(kids, t)
		} else if op == graph.OpTuple && b.rule(c).Do != Comment { // its place counts
			kids = append(kids, b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Off: b.Off(c)}))
		}
	}
	if len(kids) == 1 && op == graph.OpUnion {
		return kids[0]
	}
	return b.Expr(graph.Expr{Op: op, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// structType is an anonymous type with members: a symbol of its own holds them.
func (b *Builder) structType(n int32, r *compiled) int32 {
	doc := b.doc
	b.doc = docRun{}
	kind := r.Kind
	if kind == graph.NoKind {
		kind = graph.Struct
	}
	sym := b.Symbol(kind, graph.None, n, "("+kind.String()+")")
	b.Sym(sym).Flags |= graph.Anonymous | r.Flags
	b.push(typeFrame, sym)
	b.bases(sym, n, r)
	if c := b.child(n, &r.body); c >= 0 {
		b.visitChildren(c)
	} else if r.body.empty() {
		b.visitChildren(n)
	}
	b.pop()
	b.doc = doc
	return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
}

// Members visits the members of sym below n: a type written out in its definition.
func (b *Builder) Members(sym, n int32) {
	b.push(typeFrame, sym)
	b.visitChildren(n)
	b.pop()
}
