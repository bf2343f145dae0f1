package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// Define builds the definition at n as its rule says.
func (b *Builder) Define(n int32) int32 {
	r := b.rule(n)
	return b.define(n, r, b.child(n, &r.name), "")
}

// DefineAs builds the definition at n as its rule says, under the name of node name or, where
// that is None, under text.
func (b *Builder) DefineAs(n, name int32, text string) int32 {
	return b.define(n, b.rule(n), name, text)
}

func (b *Builder) define(n int32, r *compiled, name int32, text string) int32 {
	kind := r.Kind
	if r.Member != 0 && b.InType() {
		kind = r.Member
	}
	if name < 0 && text == "" {
		if kind.Callable() {
			return b.lambda(n, r, false)
		}
		text = "(" + kind.String() + ")"
	}
	sym := b.Symbol(kind, name, n, text)
	s := b.Sym(sym)
	s.Flags |= r.Flags
	if name < 0 && text[0] == '(' {
		s.Flags |= graph.Anonymous
	}
	b.bindNested(sym)
	b.Body(sym, n, r)
	return sym
}

// Body fills symbol sym with the parts of node n: parameters, result, bases, members, code.
func (b *Builder) Body(sym, n int32, r *compiled) {
	if r == nil {
		r = b.rule(n)
	}
	kind := funcFrame
	if k := b.Sym(sym).Kind; !k.Callable() {
		kind = typeFrame
	}
	b.push(kind, sym)
	if c := b.child(n, &r.typeParams); c >= 0 {
		b.TypeParams(sym, c)
	}
	b.bases(sym, n, r)
	if c := b.child(n, &r.params); c >= 0 {
		b.Params(sym, c)
	}
	if c := b.child(n, &r.result); c >= 0 {
		t := graph.None
		b.Signature(func() { t = b.Type(c, graph.TypeUse) })
		b.Sym(sym).Type = t
	}
	if kind == funcFrame && b.l.Enter != nil {
		b.l.Enter(b, sym, n)
	}
	if c := b.child(n, &r.typ); c >= 0 {
		t := b.Type(c, graph.TypeUse)
		b.Sym(sym).Type = t
	}
	if c := b.child(n, &r.value); c >= 0 {
		v := b.Value(c, graph.Read, true)
		b.Sym(sym).Init = v
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, &r.body) {
			b.body(sym, c)
		}
	}
	b.pop()
}

// Signature runs f, which takes a part of the innermost callable's signature, in the scope
// that signatures belong to.
func (b *Builder) Signature(f func()) {
	if !b.l.OuterSignature || b.frame().kind != funcFrame {
		f()
		return
	}
	in := b.in
	b.in = b.frame().in
	f()
	b.in = in
}

func (b *Builder) body(sym, c int32) {
	s := b.Sym(sym)
	if s.Body == 0 {
		s.Body = b.t.Nodes[c].Start
	}
	if b.l.DocString != "" {
		b.docString(sym, c)
	}
	b.doc = docRun{}
	switch b.rule(c).Do {
	case Block, Pass:
		if b.frame().kind == funcFrame {
			b.hoist(c, false)
		} else if b.l.AttributesByAssignment {
			b.noteAhead(sym, c)
		}
		b.visitChildren(c)
	default: // an expression as body is what it returns
		v := b.Value(c, graph.Read, b.l.InferReturns)
		if t := b.Sym(sym).Type; t >= 0 {
			b.expect(v, b.typeContext(t))
		}
		b.addReturn(sym, v)
	}
	b.doc = docRun{}
}

// noteAhead notes the members that the body at n of type sym defines by itself: what methods
// assign to these is no definition, even where it stands above.
func (b *Builder) noteAhead(sym, n int32) {
	end := int32(b.t.Nodes[n].Next)
	for i := n + 1; i < end; {
		r := b.rule(i)
		switch r.Do {
		case Define:
			if c := b.child(i, &r.name); c >= 0 {
				b.ahead[member{sym, b.nodeStr(c)}] = true
			}
			i = int32(b.t.Nodes[i].Next)
			continue
		case LambdaExpr, Comprehension, Skip, Comment:
			i = int32(b.t.Nodes[i].Next)
			continue
		case Assign, Declare:
			for _, s := range [...]*slot{&r.left, &r.name} {
				if c := b.child(i, s); c >= 0 && b.rule(c).Do == Ident {
					b.ahead[member{sym, b.nodeStr(c)}] = true
				}
			}
		}
		i++
	}
}

// docString takes the first string of a body for the doc.
func (b *Builder) docString(sym, body int32) {
	c := b.First(body)
	for c >= 0 && b.rule(c).Do == Comment {
		c = b.Next(body, c)
	}
	if c < 0 {
		return
	}
	if k := b.First(c); k >= 0 && b.rule(c).Do == Pass {
		c = k
	}
	if b.Is(c, b.l.DocString) {
		s := b.Sym(sym)
		s.DocStart, s.DocEnd = b.t.Nodes[c].Start, b.t.Nodes[c].End
	}
}

// bases notes what sym extends, implements or embeds.
func (b *Builder) bases(sym, n int32, r *compiled) {
	if r.bases.empty() {
		return
	}
	var ids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, &r.bases) {
			ids = b.BaseTypes(c, ids)
		}
	}
	b.AddBases(sym, ids...)
}

// BaseTypes appends the type expressions below c, with the role of bases, to ids.
func (b *Builder) BaseTypes(c int32, ids []int32) []int32 {
	switch b.rule(c).Do {
	case Ident, TypeIdent, Member, GenericType, IndexExpr, CallExpr, PointerType, StructType:
		if t := b.Type(c, graph.Inherit); t >= 0 {
			ids = append(ids, t)
		}
	case Skip, Comment, LiteralExpr:
	case Pair: // keyword argument
		b.visit(c)
	default:
		for k := b.First(c); k >= 0; k = b.Next(c, k) {
			ids = b.BaseTypes(k, ids)
		}
	}
	return ids
}

// AddBases appends bases to those of sym.
func (b *Builder) AddBases(sym int32, ids ...int32) {
	if len(ids) == 0 {
		return
	}
	old := b.F.List(b.Sym(sym).Bases)
	list := b.List(append(append([]int32{}, old...), ids...)...)
	b.Sym(sym).Bases = list
}
