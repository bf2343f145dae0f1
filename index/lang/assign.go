package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// assign takes an assignment, which declares its names where the language says so.
func (b *Builder) assign(n int32, r *compiled) {
	typ := graph.None
	if c := b.child(n, &r.typ); c >= 0 {
		typ = b.Type(c, graph.TypeUse)
	}
	b.assignTyped(n, r, typ, b.read)
}

// read takes node n as a value.
func (b *Builder) read(n int32) int32 { return b.Value(n, graph.Read, true) }

// assignTyped takes the assignment at n to what is declared to be of type typ; take takes its value.
func (b *Builder) assignTyped(n int32, r *compiled, typ int32, take func(n int32) int32) {
	left, right := b.child(n, &r.left), b.child(n, &r.right)
	if left < 0 {
		b.visitChildren(n)
		return
	}
	if b.l.AssignDeclares && !b.bindsLocals() && b.rule(left).Do == Ident {
		b.assignSymbol(n, left, right, typ, r, take)
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
	if b.l.NarrowMembers && b.rule(left).Do == Member {
		defer b.forget(left)
	}
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
func (b *Builder) assignSymbol(n, left, right, typ int32, r *compiled, take func(n int32) int32) {
	in := b.in
	b.in = b.frame().sym
	name := b.nodeStr(left)
	sym := b.definedBefore(b.in, name, b.Off(left))
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
		b.moreInit(sym, typ, take(right))
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
	sym := b.definedBefore(b.in, name, b.Off(left))
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

// definedBefore is the symbol that an assignment at off to that name in container in means, or None. What
// only an unusual build has is no definition for what others have.
func (b *Builder) definedBefore(in int32, name, off uint32) int32 {
	sym := b.memberSymbol(in, name)
	if sym >= 0 && b.leftOut(b.Sym(sym).NameOff) && !b.leftOut(off) {
		return graph.None
	}
	return sym
}

// leftOut reports whether the usual build leaves out what stands at off.
func (b *Builder) leftOut(off uint32) bool {
	for _, s := range b.untaken {
		if off >= s.start && off < s.end {
			return true
		}
	}
	return false
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
	} else if s := b.memberSymbol(graph.None, name); s >= 0 && b.l.Contextual && b.unset(s) {
		b.moreInit(s, graph.None, value)
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
	if b.l.Linearized { // a base may declare it
		b.F.Exprs[e].N = graph.MeansDefinition
		return
	}
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
	if l.Flags&graph.Param == 0 || l.Init < 0 {
		return false
	}
	init := b.F.Exprs[l.Init]
	return init.Op == graph.OpSymbol && init.X == owner || init.Op == graph.OpSelf
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

// unset reports whether variable sym was declared without a type and a value: what it is set to says what it holds.
func (b *Builder) unset(sym int32) bool {
	s := b.Sym(sym)
	if s.Kind != graph.Variable || s.Type >= 0 {
		return false
	}
	return s.Init < 0 || b.F.Exprs[s.Init].Op == graph.OpUnion && b.F.Exprs[s.Init].N == 1 || b.F.Exprs[s.Init].Off > s.NameOff && b.F.Exprs[s.Init].Off > s.End
}
