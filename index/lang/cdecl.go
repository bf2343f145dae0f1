package lang

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// cDeclared is what a declarator says: the name's node, the type, and the parameters where
// the name is that of a function.
type cDeclared struct {
	name, typ, params int32
}

// cDeclarator takes a declarator apart, from the outside in.
func cDeclarator(b *Builder, d, typ int32) cDeclared {
	params, before := graph.None, typ
	for d >= 0 {
		inner := b.Field(d, "declarator")
		switch b.Kind(d) {
		case "identifier", "field_identifier", "type_identifier", "primitive_type":
			if params >= 0 {
				return cDeclared{d, before, params}
			}
			return cDeclared{d, typ, graph.None}
		case "pointer_declarator", "abstract_pointer_declarator":
			cOther(b, params)
			typ = b.Expr(graph.Expr{Op: graph.OpPointer, X: typ, Off: b.Off(d)})
			params = graph.None
		case "array_declarator", "abstract_array_declarator":
			cOther(b, params)
			if size := b.Field(d, "size"); size >= 0 {
				b.Value(size, graph.Read, false)
			}
			typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: b.Off(d)})
			params = graph.None
		case "function_declarator", "abstract_function_declarator":
			cOther(b, params)
			params, before = b.Field(d, "parameters"), typ
			typ = b.Expr(graph.Expr{Op: graph.OpFunc, X: typ, Off: b.Off(d)})
			for c := b.First(d); c >= 0; c = b.Next(d, c) {
				if c != inner && c != params {
					b.Visit(c)
				}
			}
		case "parenthesized_declarator", "attributed_declarator", "abstract_parenthesized_declarator":
			inner = graph.None
			for c := b.First(d); c >= 0 && inner < 0; c = b.Next(d, c) {
				if dk := b.rule(c).Do; dk != Comment && dk != Skip && !strings.HasPrefix(b.Kind(c), "ms_") {
					inner = c
				}
			}
		default:
			b.Visit(d)
			d = graph.None
			continue
		}
		d = inner
	}
	cOther(b, params)
	return cDeclared{graph.None, typ, graph.None}
}

// cOther takes the parameters of a function type, whose names are seen nowhere else.
func cOther(b *Builder, params int32) {
	if params < 0 {
		return
	}
	b.push(funcFrame, graph.None)
	b.visitChildren(params)
	b.pop()
}

// cHas reports whether n has the storage class word.
func cHas(b *Builder, n int32, word string) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "storage_class_specifier") && string(b.t.Text(c)) == word {
			return true
		}
	}
	return false
}

// cFunction is a function with its body.
func cFunction(b *Builder, n int32) bool {
	if b.InFunction() && b.Is(b.Field(n, "type"), "type_identifier") {
		return cMacroBlock(b, n)
	}
	doc := b.doc
	b.doc = docRun{}
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	d := cDeclarator(b, b.Field(n, "declarator"), typ)
	if d.name < 0 || d.params < 0 {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.InField(c, "body") {
				b.Visit(c)
			}
		}
		cOther(b, d.params)
		return true
	}
	b.doc = doc
	sym := b.Symbol(graph.Function, d.name, n, "")
	b.cNamedByMacro(d.name)
	s := b.Sym(sym)
	s.Type = d.typ
	if cHas(b, n, "static") || b.cStaticMacro(n) || s.Flags&graph.NestedDef != 0 {
		s.Flags |= graph.FileLocal
	}
	b.bindNested(sym)
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "body"):
			b.Sym(sym).Body = b.Off(c)
			b.doc = docRun{}
			b.visitChildren(c)
		case b.Is(c, "declaration"): // old-style parameters
			b.Visit(c)
		}
	}
	b.pop()
	return true
}

// cMacroBlock is a macro's call and a block behind it, which look like a function in a function.
func cMacroBlock(b *Builder, n int32) bool {
	b.Value(b.Field(n, "type"), graph.Call, false)
	if d := b.Field(n, "declarator"); d >= 0 {
		for i := d; i < int32(b.t.Nodes[d].Next); i++ {
			if k := b.rule(i).Do; k == Ident || k == TypeIdent {
				b.Value(i, graph.Read, false)
			}
		}
	}
	if body := b.Field(n, "body"); body >= 0 {
		b.Visit(body)
	}
	return true
}

// cDeclaration declares variables and functions.
func cDeclaration(b *Builder, n int32) bool {
	static, extern := cHas(b, n, "static"), cHas(b, n, "extern")
	doc := b.doc
	typ := graph.None
	if t := b.Field(n, "type"); t >= 0 {
		first := true
		for c := b.First(n); c >= 0 && first; c = b.Next(n, c) {
			if b.InField(c, "declarator") {
				first = false
				cHold(b, t, c, extern)
			}
		}
		typ = cHeldType(b, n, t, graph.Variable, static, extern)
	}
	held := b.Scratch[1]
	b.Scratch[1] = graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "declarator") {
			continue
		}
		b.doc = doc
		d, value := c, graph.None
		if b.Is(c, "init_declarator") {
			d, value = b.Field(c, "declarator"), b.Field(c, "value")
		}
		if held >= 0 {
			b.Sym(held).Type = cDeclarator(b, d, b.Sym(held).Type).typ
			if value >= 0 {
				cValueOf(b, value, b.Expr(graph.Expr{Op: graph.OpSymbol, X: held, Off: b.Off(d)}))
			}
			held = graph.None
			continue
		}
		extent := n
		if t := b.Field(n, "type"); t >= 0 {
			extent = cExtent(b, n, t, c)
		}
		cDeclare(b, extent, cDeclarator(b, d, typ), value, static, extern)
	}
	b.doc = docRun{}
	return true
}

// cDeclare declares one name at file level or in a function.
func cDeclare(b *Builder, n int32, d cDeclared, value int32, static, extern bool) {
	if d.name < 0 {
		if value >= 0 {
			b.Value(value, graph.Read, false)
		}
		return
	}
	if d.params >= 0 {
		cPrototype(b, n, d, static)
		return
	}
	if b.InFunction() {
		if extern {
			return
		}
		l := b.ownParam(b.nodeStr(d.name))
		if l >= 0 && b.F.Locals[l].Type < 0 {
			b.F.Locals[l].Type = d.typ
		} else {
			l = b.Local(b.nodeStr(d.name), b.Off(d.name), d.typ, graph.None, 0)
		}
		if value >= 0 {
			v := cValueOf(b, value, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(d.name)}))
			b.F.Locals[l].Init = v
		}
		return
	}
	sym := b.Symbol(graph.Variable, d.name, n, "")
	b.cNamedByMacro(d.name)
	s := b.Sym(sym)
	s.Type = d.typ
	cLinkage(s, static, extern && value < 0)
	if value >= 0 {
		in := b.in
		b.in = sym
		cValueOf(b, value, b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(d.name)}))
		b.in = in
	}
}

// cStaticMacro reports whether a macro before the definition at node n stands for the word static: by what the
// file says of it or, if another file defines it, by its name.
func (b *Builder) cStaticMacro(n int32) bool {
	src, whole := b.t.Src, b.whole()
	i := int(b.Off(n))
	for i > 0 && src[i-1] <= ' ' && src[i-1] != cDead && whole[i-1] != '#' && whole[i-1] != '/' {
		i--
	}
	for _, t := range cScan(whole[i:b.Off(n)]) {
		if t.kind != 'i' {
			continue
		}
		word := string(whole[i+t.from : i+t.to])
		m := b.defines().at(word, b.Off(n))
		if m == nil && (strings.HasSuffix(word, "STATIC") || strings.HasSuffix(word, "STATIC_INLINE")) {
			return true
		}
		if m != nil && slices.ContainsFunc(m.text, func(t cToken) bool { return b.macroDefs.word(t) == "static" }) {
			return true
		}
	}
	return false
}

// cNamedByMacro notes that the name at node n, of what is declared there, is another one that a macro of the file
// stands for.
func (b *Builder) cNamedByMacro(n int32) {
	if m := b.defines().at(b.Text(n), b.Off(n)); m != nil && !m.function && m.unlikely == 0 && len(m.text) == 1 {
		b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Read, Name: b.nodeStr(n), Off: b.Off(n), X: graph.None})
	}
}

func cLinkage(s *graph.Symbol, static, extern bool) {
	if static {
		s.Flags = s.Flags&^graph.Exported | graph.FileLocal
	}
	if extern {
		s.Flags |= graph.Declaration
	}
}

// ownParam is the parameter of that name in the innermost function, or None.
func (b *Builder) ownParam(name uint32) int32 {
	if l := b.ownLocal(name); l >= 0 && b.F.Locals[l].Flags&graph.Param != 0 && b.frame().kind == funcFrame {
		return l
	}
	return graph.None
}

// cPrototype declares a function that is defined elsewhere. In a function it says nothing new.
func cPrototype(b *Builder, n int32, d cDeclared, static bool) {
	if b.InFunction() {
		cOther(b, d.params)
		return
	}
	sym := b.Symbol(graph.Function, d.name, n, "")
	b.cNamedByMacro(d.name)
	s := b.Sym(sym)
	s.Type = d.typ
	s.Flags |= graph.Declaration
	cLinkage(s, static, true)
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	b.pop()
}

func cParameter(b *Builder, n int32) bool {
	t := b.Field(n, "type")
	d := cDeclarator(b, b.Field(n, "declarator"), b.Type(t, graph.TypeUse))
	cOther(b, d.params)
	if d.name < 0 && b.Field(n, "declarator") < 0 && b.Text(t) == "void" {
		return true
	}
	name, off := uint32(0), b.Off(n)
	if d.name >= 0 {
		name, off = b.nodeStr(d.name), b.Off(d.name)
	}
	b.Local(name, off, d.typ, graph.None, graph.Param)
	return true
}

func cVariadic(b *Builder, n int32) bool {
	b.Local(0, b.Off(n), graph.None, graph.None, graph.Param|graph.VariadicParam)
	return true
}
