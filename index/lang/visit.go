package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// Visit takes node n for what it means where it stands: a definition, a statement, or an
// expression whose value nobody wants.
func (b *Builder) Visit(n int32) {
	if b.nest++; b.nest > maxNest {
		b.tooDeep(n)
		b.nest--
		return
	}
	b.visit(n)
	b.nest--
}

func (b *Builder) tooDeep(n int32) {
	nd := &b.t.Nodes[n]
	if k := len(b.F.Errors); k > 0 && b.F.Errors[k-1].Reason == "nested too deep" {
		return
	}
	b.F.Errors = append(b.F.Errors, graph.ErrorSpan{Start: nd.Start, End: nd.End, Reason: "nested too deep"})
}

func (b *Builder) visit(n int32) {
	r := b.rule(n)
	if r.Hook != nil && r.Hook(b, n) {
		return
	}
	switch r.Do {
	case Skip, Comment:
	case Pass, Wrap:
		b.visitChildren(n)
	case Block:
		b.push(blockFrame, graph.None)
		b.hoist(n, false)
		b.visitChildren(n)
		b.pop()
	case Define:
		b.Define(n)
	case Declare:
		b.declare(n, r)
	case Assign:
		b.assign(n, r)
	case Parameter:
		b.parameter(n, r)
	case Iterate:
		b.iterate(n, r)
	case Bind:
		b.bind(n, r)
	case Return:
		b.returns(n, r)
	case Labeled:
		for c, i := b.First(n), 0; c >= 0; c, i = b.Next(n, c), i+1 {
			if i > 0 {
				b.Visit(c)
			}
		}
	case If:
		b.branch(n, r)
	case ImportDecl:
		b.visitChildren(n)
	default:
		b.Value(n, graph.Read, false)
	}
}

// VisitChildren visits all children of n.
func (b *Builder) VisitChildren(n int32) { b.visitChildren(n) }

// visitChildren visits the children of n and keeps the run of comments before each.
func (b *Builder) visitChildren(n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		r := b.rule(c)
		if r.Do == Comment {
			b.comment(c)
			continue
		}
		if b.doc.end > 0 && !b.adjacent(b.doc.end, b.t.Nodes[c].Start) {
			b.doc = docRun{}
		}
		doc := b.doc
		b.Visit(c)
		if r.Do != Pass && r.Do != Skip || b.doc == doc {
			b.doc = docRun{}
		}
	}
}

// comment extends the run of comments that may be the next definition's doc. A comment
// behind code on its own line belongs to that code.
func (b *Builder) comment(c int32) {
	nd := &b.t.Nodes[c]
	line := b.src[:nd.Start]
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	}
	if len(bytes.TrimSpace(line)) > 0 && b.doc.end == 0 {
		return
	}
	if b.doc.end == 0 || !b.adjacent(b.doc.end, nd.Start) {
		b.doc.start = nd.Start
	}
	b.doc.end = nd.End
}

// adjacent reports whether only white space without an empty line stands between two offsets.
func (b *Builder) adjacent(from, to uint32) bool {
	if to < from {
		return true
	}
	lines := 0
	for _, c := range b.src[from:to] {
		switch c {
		case '\n':
			if lines++; lines > 1 {
				return false
			}
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// iterate binds the loop's names to the elements of what it runs over, then visits the rest.
func (b *Builder) iterate(n int32, r *compiled) {
	left, right := b.child(n, &r.left), b.child(n, &r.right)
	value := graph.None
	if right >= 0 {
		value = b.Value(right, graph.Read, true)
	}
	if left >= 0 {
		typ := graph.None
		if c := b.child(n, &r.typ); c >= 0 {
			typ = b.Type(c, graph.TypeUse)
		}
		elem := b.Of(graph.OpElem, n, value)
		if b.rule(left).Do == Ident && typ >= 0 {
			b.DeclareLocal(left, typ, elem)
		} else if b.l.AssignDeclares {
			b.AssignTo(left, elem, typ)
		} else {
			b.BindPattern(left, elem)
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != left && c != right && !b.in1(c, &r.typ) {
			b.Visit(c)
		}
	}
}

// bind binds a name in a pattern, a catch clause, a with item.
func (b *Builder) bind(n int32, r *compiled) {
	typ, init := graph.None, graph.None
	if c := b.child(n, &r.typ); c >= 0 {
		typ = b.Type(c, graph.TypeUse)
	}
	if c := b.child(n, &r.value); c >= 0 {
		init = b.Value(c, graph.Read, true)
		if r.Op != graph.NoOp {
			init = b.Of(r.Op, n, init)
		}
	}
	if c := b.child(n, &r.name); c >= 0 {
		if d := b.rule(c).Do; (d == Ident || d == TypeIdent) && !b.l.AssignDeclares {
			b.DeclareLocal(c, typ, init)
		} else {
			b.AssignTo(c, init, typ)
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.in1(c, &r.typ) && !b.in1(c, &r.value) && !b.in1(c, &r.name) {
			b.Visit(c)
		}
	}
}

// nameless reports whether the innermost function is one without a name, whose result nothing else says.
func (b *Builder) nameless() bool {
	for i := len(b.frames) - 1; i >= 0; i-- {
		if f := &b.frames[i]; f.kind == funcFrame {
			return f.sym < 0
		}
	}
	return false
}

// infers reports whether the result of the innermost function is that of its return statements. Where a
// function without a declared result is rare, those of the others are not kept.
func (b *Builder) infers() bool {
	if !b.l.InferReturns || !b.l.Hides {
		return b.l.InferReturns || b.nameless()
	}
	for i := len(b.frames) - 1; i >= 0; i-- {
		if f := &b.frames[i]; f.kind == funcFrame {
			return f.sym < 0 || b.Sym(f.sym).Type < 0
		}
	}
	return false
}

// targeted reports whether the value at n may be a function that takes its types from where it stands.
func (b *Builder) targeted(n int32) bool {
	switch b.rule(n).Do {
	case LambdaExpr, CondExpr, ParenExpr:
		return true
	}
	return false
}

func (b *Builder) returns(n int32, r *compiled) {
	c := b.child(n, &r.value)
	if c < 0 {
		for c = b.First(n); c >= 0 && b.rule(c).Do == Comment; {
			c = b.Next(n, c)
		}
	}
	if c < 0 {
		return
	}
	v := b.Value(c, graph.Read, b.infers() || b.l.Targets && b.targeted(c))
	for i := len(b.frames) - 1; i >= 0; i-- {
		if f := &b.frames[i]; f.kind == funcFrame {
			if f.sym >= 0 {
				if t := b.Sym(f.sym).Type; t >= 0 {
					b.expect(v, b.typeContext(t))
				}
				b.addReturn(f.sym, v)
			} else if v >= 0 && len(f.rets) < 8 {
				f.rets = append(f.rets, v)
			}
			return
		}
	}
}

// addReturn notes a value that symbol sym returns.
func (b *Builder) addReturn(sym, v int32) {
	if v < 0 || sym < 0 || !b.l.InferReturns || b.l.Hides && b.Sym(sym).Type >= 0 {
		return
	}
	old := b.F.List(b.Sym(sym).Returns)
	if len(old) >= 8 {
		return
	}
	list := b.List(append(append([]int32{}, old...), v)...)
	b.Sym(sym).Returns = list
}
