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

// declare makes symbols or locals of a declaration's names.
func (b *Builder) declare(n int32, r *compiled) {
	typ := graph.None
	if c := b.child(n, &r.typ); c >= 0 {
		typ = b.Type(c, graph.TypeUse)
	}
	names := &r.name
	if names.empty() {
		names = &r.left
	}
	b.declareNames(n, r, names, typ)
}

func (b *Builder) declareNames(n int32, r *compiled, names *slot, typ int32) {
	count := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, names) {
			count++
		}
	}
	vals := &r.value
	if vals.empty() {
		vals = &r.right
	}
	v := b.child(n, vals)
	if count == 1 && v >= 0 && b.InFunction() {
		init := b.Value(v, graph.Read, true)
		b.declareOne(b.child(n, names), n, r, typ, init)
		return
	}
	// At file or type level the initializer belongs to the (first) symbol, so symbols come first.
	var syms []int32
	var locals []int32
	init := graph.None
	if b.InFunction() && v >= 0 {
		init = b.Value(v, graph.Read, true)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.in1(c, names) {
			continue
		}
		if b.InFunction() {
			part := init
			if count > 1 {
				part = b.Part(c, init, len(locals))
			}
			locals = append(locals, b.declareOne(c, n, r, typ, part))
			continue
		}
		syms = append(syms, b.declareOne(c, n, r, typ, graph.None))
	}
	if b.InFunction() || v < 0 {
		return
	}
	in := b.in
	if len(syms) > 0 && syms[0] >= 0 {
		b.in = syms[0]
	}
	init = b.Value(v, graph.Read, true)
	b.in = in
	for k, s := range syms {
		if s < 0 {
			continue
		}
		part := init
		if len(syms) > 1 {
			part = b.Part(n, init, k)
		}
		b.Sym(s).Init = part
	}
}

// declareOne declares the name or pattern at c: a local inside functions (the result is the
// local), a symbol elsewhere (the result is the symbol, None for patterns).
func (b *Builder) declareOne(c, n int32, r *compiled, typ, init int32) int32 {
	d := b.rule(c).Do
	if d != Ident && d != TypeIdent {
		b.declarePattern(c, n, r, init)
		return graph.None
	}
	if b.l.Blank && string(b.t.Text(c)) == "_" {
		return graph.None
	}
	if b.InFunction() {
		return b.DeclareLocal(c, typ, init)
	}
	kind := r.Kind
	if r.Member != 0 && b.InType() {
		kind = r.Member
	}
	doc := b.doc
	s := b.Symbol(kind, c, n, "")
	b.doc = doc
	b.Sym(s).Type, b.Sym(s).Init = typ, init
	b.Sym(s).Flags |= r.Flags
	return s
}

// DeclareLocal declares the local named at c, or fills the one that hoisting made.
func (b *Builder) DeclareLocal(c, typ, init int32) int32 {
	name := b.nodeStr(c)
	if l := b.hoisted(name); l >= 0 {
		if typ >= 0 {
			b.F.Locals[l].Type = typ
		}
		b.addInit(l, init)
		return l
	}
	return b.Local(name, b.Off(c), typ, init, 0)
}

// hoisted finds the local that hoisting made for a declaration here.
func (b *Builder) hoisted(name uint32) int32 {
	if !b.l.Hoist {
		return graph.None
	}
	if l := b.blockLocal(name); l >= 0 {
		return l
	}
	if b.l.AssignDeclares {
		return b.ownLocal(name)
	}
	return graph.None
}

// declarePattern declares every name of a destructuring pattern.
func (b *Builder) declarePattern(c, n int32, r *compiled, value int32) {
	b.pattern(c, value, func(name, v int32) { b.declareOne(name, n, r, graph.None, v) })
}

// BindPattern binds the names of a pattern as locals; value is what is taken apart.
func (b *Builder) BindPattern(c, value int32) {
	b.pattern(c, value, func(name, v int32) { b.DeclareLocal(name, graph.None, v) })
}

// pattern walks a destructuring pattern and calls leaf for each name with its value.
func (b *Builder) pattern(c, value int32, leaf func(name, value int32)) {
	r := b.rule(c)
	switch r.Do {
	case Skip, Comment:
	case Ident, TypeIdent:
		leaf(c, value)
	case TupleExpr, SeqExpr:
		b.eachPart(c, value, func(x, v int32) { b.pattern(x, v, leaf) })
	case MapExpr:
		for x := b.First(c); x >= 0; x = b.Next(c, x) {
			v := value
			if id := b.shorthand(x); id >= 0 {
				v = b.memberOf(value, id, graph.Read)
			}
			b.pattern(x, v, leaf)
		}
	case Pair: // { key: pattern }
		key, val := b.child(c, &r.left), b.child(c, &r.right)
		if key >= 0 && b.rule(key).Do != Ident {
			b.Value(key, graph.Read, false)
			key = graph.None
		}
		if val >= 0 {
			b.pattern(val, b.memberOf(value, key, graph.Read), leaf)
		}
	case Declare, Bind, Parameter: // shorthand with default, nested binding
		if x := b.child(c, &r.value); x >= 0 {
			b.Value(x, graph.Read, false)
		}
		if x := b.child(c, &r.name); x >= 0 {
			b.pattern(x, value, leaf)
		}
	case Member, IndexExpr, CallExpr, LiteralExpr:
		b.Value(c, graph.Write, false)
	default:
		for x := b.First(c); x >= 0; x = b.Next(c, x) {
			b.pattern(x, value, leaf)
		}
	}
}

// shorthand is the name that both takes a member and is bound to it, in a map pattern's part
// x, or None.
func (b *Builder) shorthand(x int32) int32 {
	switch r := b.rule(x); r.Do {
	case Ident:
		return x
	case Declare, Bind, Parameter:
		if id := b.child(x, &r.name); id >= 0 && b.rule(id).Do == Ident {
			return id
		}
	}
	return graph.None
}

// memberOf adds value.key, where key is a node that spells a name.
func (b *Builder) memberOf(value, key int32, role graph.Role) int32 {
	if value < 0 || key < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: value, Name: b.nodeStr(key), Off: b.Off(key)})
}

// assign takes an assignment, which declares its names where the language says so.
func (b *Builder) assign(n int32, r *compiled) {
	typ := graph.None
	if c := b.child(n, &r.typ); c >= 0 {
		typ = b.Type(c, graph.TypeUse)
	}
	left, right := b.child(n, &r.left), b.child(n, &r.right)
	if left < 0 {
		b.visitChildren(n)
		return
	}
	if b.l.AssignDeclares && !b.bindsLocals() && b.rule(left).Do == Ident {
		b.assignSymbol(n, left, right, typ, r)
		return
	}
	b.assignBoth(left, right, typ)
}

// bindsLocals reports whether a plain name that is assigned to here is a local.
func (b *Builder) bindsLocals() bool {
	return b.InFunction() || b.l.FileLocals && b.AtFile()
}

// assignBoth assigns the value at right, if there is one, to the target at left. What the
// target defines comes before what the value does.
func (b *Builder) assignBoth(left, right, typ int32) int32 {
	if b.l.AttributesByAssignment && b.rule(left).Do == Member {
		e := b.Value(left, graph.Write, true)
		b.selfAttribute(left, e, graph.None, typ)
		v := b.Value(right, graph.Read, true)
		b.selfAttribute(left, e, v, typ)
		return v
	}
	v := b.Value(right, graph.Read, true)
	b.AssignTo(left, v, typ)
	return v
}

// assignSymbol assigns to a plain name at file or type level: its first assignment defines it.
func (b *Builder) assignSymbol(n, left, right, typ int32, r *compiled) {
	in := b.in
	b.in = b.frame().sym
	name := b.nodeStr(left)
	sym := b.memberSymbol(b.in, name)
	first := sym < 0
	if first {
		sym = b.declareOne(left, n, r, typ, graph.None)
	} else {
		b.Sym(sym).Flags &^= graph.AssignedMember
		b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Write, Name: name, Off: b.Off(left), X: graph.None})
	}
	if right >= 0 {
		if first {
			b.in = sym
		}
		v := b.Value(right, graph.Read, true)
		b.moreInit(sym, typ, v)
	}
	b.in = in
}

// assignMember assigns value to the plain name at left at file or type level.
func (b *Builder) assignMember(left, value, typ int32) {
	b.moreInit(b.memberAt(left), typ, value)
}

// memberAt is the file's or type's symbol that the plain name at left assigns to; the first
// mention defines it.
func (b *Builder) memberAt(left int32) int32 {
	in, doc := b.in, b.doc
	b.in = b.frame().sym
	name := b.nodeStr(left)
	sym := b.memberSymbol(b.in, name)
	if sym >= 0 {
		b.Sym(sym).Flags &^= graph.AssignedMember
		b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Write, Name: name, Off: b.Off(left), X: graph.None})
	} else if b.InType() {
		sym = b.Symbol(graph.Field, left, left, "")
	} else {
		sym = b.Symbol(graph.Variable, left, left, "")
	}
	b.in, b.doc = in, doc
	return sym
}

// memberSymbol is the last symbol of that name directly inside container in, or None.
func (b *Builder) memberSymbol(in int32, name uint32) int32 {
	if s, ok := b.named[member{in, name}]; ok {
		return s
	}
	return graph.None
}

// eachPart calls f with each child of a pattern and the part of value that it takes. A list
// of one takes the value itself where the rule says so.
func (b *Builder) eachPart(c, value int32, f func(x, value int32)) {
	first := b.First(c)
	if first >= 0 && b.Next(c, first) < 0 && b.rule(c).Op == graph.OpSelf {
		f(first, value)
		return
	}
	k, end := 0, b.t.Nodes[c].Start
	for x := first; x >= 0; x = b.Next(c, x) {
		if d := b.rule(x).Do; d == Comment || d == Skip {
			continue
		}
		if gap := b.src[end:max(end, b.t.Nodes[x].Start)]; b.l.Holes && bytes.IndexByte(gap, '/') < 0 {
			k += max(0, bytes.Count(gap, []byte(","))-min(k, 1))
		}
		end = b.t.Nodes[x].End
		f(x, b.Part(x, value, k))
		k++
	}
}

// AssignTo assigns value, of declared type typ, to the target at left.
func (b *Builder) AssignTo(left, value, typ int32) {
	switch b.rule(left).Do {
	case Ident:
		b.assignName(left, value, typ)
	case TupleExpr, SeqExpr:
		b.eachPart(left, value, func(x, v int32) { b.AssignTo(x, v, graph.None) })
	case MapExpr:
		from := len(b.F.Exprs)
		b.pattern(left, value, func(x, v int32) {
			if int(v) >= from && b.Off(x) == b.F.Exprs[v].Off { // a shorthand is the variable's name, too, which goes first
				b.F.Exprs[v].Role = graph.NoRole
			}
			b.assignName(x, v, graph.None)
		})
	case ParenExpr, Pass:
		for x := b.First(left); x >= 0; x = b.Next(left, x) {
			b.AssignTo(x, value, typ)
		}
	default:
		e := b.Value(left, graph.Write, value >= 0 || typ >= 0)
		if e >= 0 {
			b.expect(value, func() int32 { return e })
		}
		b.selfAttribute(left, e, value, typ)
	}
}

func (b *Builder) assignName(left, value, typ int32) {
	if b.l.Blank && string(b.t.Text(left)) == "_" {
		return
	}
	if b.l.AssignDeclares && !b.bindsLocals() {
		b.assignMember(left, value, typ)
		return
	}
	name := b.nodeStr(left)
	if l := b.local(name); l >= 0 && (!b.l.AssignDeclares || b.isOuter(name) || b.ownLocal(name) >= 0) {
		l = b.widen(l)
		if typ >= 0 {
			b.F.Locals[l].Type = typ
		}
		if b.F.Locals[l].Symbol != graph.None {
			b.Expr(graph.Expr{Op: graph.OpLocal, Role: graph.Write, X: l, Name: name, Off: b.Off(left)})
		}
		b.addInit(l, value)
		return
	}
	if b.l.AssignDeclares && !b.isOuter(name) {
		b.Local(name, b.Off(left), typ, value, 0)
		return
	}
	if b.l.AssignDeclares && b.memberSymbol(graph.None, name) < 0 { // the first assignment to a global
		s := graph.Symbol{Kind: graph.Variable, Name: name, NameOff: b.Off(left), Start: b.Off(left), End: b.t.Nodes[left].End,
			Container: graph.None, Type: typ, Init: value, Owner: graph.None, Flags: graph.Exported}
		b.addSymbol(s, "")
		return
	}
	if b.l.AssignDeclares {
		b.moreInit(b.memberSymbol(graph.None, name), typ, value)
	}
	b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Write, Name: name, Off: b.Off(left), X: graph.None})
}

// Outer marks a name of the current function as one of an outer scope (global, nonlocal).
func (b *Builder) Outer(name uint32) { b.names = append(b.names, bound{name | outerBit, graph.None}) }

const outerBit = 1 << 31

func (b *Builder) isOuter(name uint32) bool {
	for i := len(b.names) - 1; i >= b.funcBase(); i-- {
		if b.names[i].name == name|outerBit {
			return true
		}
	}
	return false
}

// widen undoes the narrowing of local l, which is assigned to: it is the variable itself.
func (b *Builder) widen(l int32) int32 {
	if b.F.Locals[l].Flags&graph.Narrowed == 0 {
		return l
	}
	name := b.F.Locals[l].Name
	for i := len(b.names) - 1; i >= 0; i-- {
		if x := b.names[i]; x.name == name && b.F.Locals[x.local].Flags&graph.Narrowed == 0 {
			b.names = append(b.names, x)
			return x.local
		}
	}
	return l
}

// selfAttribute defines a member of the enclosing type where a method first assigns it.
func (b *Builder) selfAttribute(left, e, value, typ int32) {
	if e < 0 || !b.l.AttributesByAssignment {
		return
	}
	m := b.F.Exprs[e]
	owner := b.EnclosingType()
	if m.Op != graph.OpMember || m.X < 0 || owner < 0 || !b.isReceiver(m.X, owner) {
		return
	}
	if s := b.memberSymbol(owner, m.Name); s >= 0 {
		b.moreInit(s, typ, value)
		return
	}
	if b.ahead[member{owner, m.Name}] { // the type's own body defines it further down
		return
	}
	s := graph.Symbol{Kind: graph.Field, Name: m.Name, NameOff: m.Off, Start: b.Off(left), End: b.t.Nodes[left].End,
		Container: owner, Type: typ, Init: value, Owner: graph.None, Flags: graph.Exported | graph.AssignedMember}
	b.addSymbol(s, b.qual(owner))
	b.F.Exprs[e].Role = graph.NoRole
}

// isReceiver reports whether expression x is the receiver, or the type owner that a method
// of the type itself receives.
func (b *Builder) isReceiver(x, owner int32) bool {
	e := b.F.Exprs[x]
	if e.Op != graph.OpLocal || e.X < 0 {
		return e.Op == graph.OpSelf
	}
	l := b.F.Locals[e.X]
	return l.Flags&graph.Param != 0 && l.Init >= 0 && b.F.Exprs[l.Init].Op == graph.OpSymbol && b.F.Exprs[l.Init].X == owner
}

// moreInit gives a variable another value.
func (b *Builder) moreInit(sym, typ, value int32) {
	s := b.Sym(sym)
	if s.Kind.Callable() || s.Kind.Type() {
		return
	}
	if typ >= 0 && s.Type < 0 {
		s.Type = typ
	}
	init := b.anyOf(s.Init, value)
	b.Sym(sym).Init = init
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
	v := b.Value(c, graph.Read, b.l.InferReturns)
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
	if v < 0 || sym < 0 || !b.l.InferReturns {
		return
	}
	old := b.F.List(b.Sym(sym).Returns)
	if len(old) >= 8 {
		return
	}
	list := b.List(append(append([]int32{}, old...), v)...)
	b.Sym(sym).Returns = list
}

// hoist binds, before their declarations are reached, the names that node n's own scope
// declares. With deep, only those that belong to the whole function.
func (b *Builder) hoist(n int32, deep bool) {
	if !b.l.Hoist {
		return
	}
	end, whole := int32(b.t.Nodes[n].Next), int32(0)
	for i := n + 1; i < end; {
		next := int32(b.t.Nodes[i].Next)
		r := b.rule(i)
		switch r.Do {
		case Define:
			if c := b.child(i, &r.name); c >= 0 && !deep {
				b.hoistName(c, symbolToCome)
			}
			i = next
		case LambdaExpr, MapExpr, Skip, Comment:
			i = next
		case Comprehension:
			if i++; !b.l.AssignDeclares { // else assignments inside belong to the function
				i = next
			}
		case Block:
			if b.frame().kind == funcFrame {
				if b.Has(i, "var") {
					b.hoistTargets(i, r)
				}
				b.hoist(i, true)
			}
			i = next
		case Declare, Assign, Iterate, Bind:
			if (r.Do == Declare || b.l.AssignDeclares) && (!deep || r.Op == graph.OpUnion || i < whole) {
				b.hoistTargets(i, r)
			}
			i++
		default:
			if r.Op == graph.OpUnion { // declarations that belong to the whole function
				whole = next
			}
			i++
		}
	}
}

func (b *Builder) hoistTargets(n int32, r *compiled) {
	sym := graph.None
	if b.l.HoistValues {
		if v := b.child(n, &r.value); v >= 0 && b.rule(v).Do == LambdaExpr {
			sym = symbolToCome
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.in1(c, &r.name) || b.in1(c, &r.left) {
			b.hoistPattern(c, sym)
		}
	}
}

// hoistPattern hoists the names of a pattern; a plain name is one that sym says.
func (b *Builder) hoistPattern(c, sym int32) {
	switch r := b.rule(c); r.Do {
	case Ident:
		b.hoistName(c, sym)
	case TupleExpr, SeqExpr, MapExpr, ParenExpr, Pass:
		for x := b.First(c); x >= 0; x = b.Next(c, x) {
			b.hoistPattern(x, graph.None)
		}
	case Pair:
		if x := b.child(c, &r.right); x >= 0 {
			b.hoistPattern(x, graph.None)
		}
	case Declare, Bind, Parameter:
		if x := b.child(c, &r.name); x >= 0 {
			b.hoistPattern(x, graph.None)
		}
	}
}

func (b *Builder) hoistName(c, sym int32) {
	name := b.nodeStr(c)
	if b.frame().kind == fileFrame || b.frame().kind == typeFrame || b.isOuter(name) {
		return
	}
	l := b.blockLocal(name)
	if l < 0 {
		l = b.Local(name, b.Off(c), graph.None, graph.None, 0)
	}
	if sym != graph.None && b.F.Locals[l].Symbol < 0 {
		b.F.Locals[l].Symbol = sym
	}
}
