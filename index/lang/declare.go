package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

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
