package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// cppFunction is a function with its body.
func cppFunction(b *Builder, n int32) bool {
	if cppMacroBody(b, n) {
		return true
	}
	doc := b.doc
	b.doc = docRun{}
	typ, _ := cppType(b, n)
	d := cppDeclarator(b, b.Field(n, "declarator"), typ)
	if d.name < 0 {
		b.visitChildren(n)
		return true
	}
	if d.params < 0 && b.Has(n, "pure_virtual_clause") { // the grammar's idea of a field that is set to 0
		b.doc = doc
		cppDeclare(b, n, d, graph.None, false)
		b.doc = docRun{}
		return true
	}
	if d.params < 0 { // not understood: its body still counts
		b.visitIf(b.Field(n, "body"))
		return true
	}
	b.doc = doc
	sym := cppCallable(b, n, d)
	if b.InFunction() {
		b.bindNested(sym)
	}
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "field_initializer_list"):
			cppInitializers(b, c)
		case b.InField(c, "body") || b.Is(c, "try_statement"):
			b.Sym(sym).Body = b.Off(c)
			b.doc = docRun{}
			b.visitChildren(c)
		case b.Is(c, "default_method_clause") || b.Is(c, "delete_method_clause"):
		}
	}
	b.pop()
	return true
}

// cppCallable adds the symbol of a function or method that is declared or defined at n.
func cppCallable(b *Builder, n int32, d cppDeclared) int32 {
	kind := graph.Function
	name := d.text
	if name == "" {
		name = b.Text(d.name)
	}
	within := ""
	if t := b.frame().sym; b.InType() && t >= 0 {
		kind, within = graph.Method, b.F.Strings[b.Sym(t).Name]
	}
	owner := graph.None
	qual := ""
	if len(d.scope) > 0 {
		kind = graph.Method
		owner, qual = cppOwner(b, d.scope)
		within = qual[strings.LastIndexByte(qual, '.')+1:]
	}
	if kind == graph.Method && name == within {
		kind = graph.Constructor
	}
	in := b.in
	sym := b.Symbol(kind, d.name, n, d.text)
	s := b.Sym(sym)
	if len(d.scope) > 0 {
		b.requalify(sym, qual)
		s.Owner = owner
		if cppKnownNamespace(b, d.scope) {
			s.Kind, s.Owner = graph.Function, graph.None
		}
	}
	b.in = in
	s.Type = d.typ
	if d.reads {
		s.Flags |= graph.ReadOnly
	}
	if cHas(b, n, "static") {
		if kind == graph.Function {
			s.Flags = s.Flags&^graph.Exported | graph.FileLocal
		} else {
			s.Flags |= graph.Static
		}
	}
	return sym
}

// cppKnownNamespace reports whether the file has declared the namespace of that path.
func cppKnownNamespace(b *Builder, scope []int32) bool {
	last := b.Text(scope[len(scope)-1])
	for i := range b.F.Symbols {
		if s := &b.F.Symbols[i]; s.Kind == graph.Namespace && b.F.Strings[s.Name] == last {
			return true
		}
	}
	return false
}

// cppOwner is the expression that names what owns an out-of-line definition, and its path.
func cppOwner(b *Builder, scope []int32) (int32, string) {
	x, path := graph.None, ""
	for i, n := range scope {
		id := n
		if b.Is(n, "template_type") {
			id = b.Field(n, "name")
		}
		if i == 0 {
			x = b.Type(n, graph.TypeUse)
		} else {
			x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.TypeUse, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
			path += "."
		}
		path += b.Text(id)
	}
	return x, path
}

// requalify moves symbol sym to the path qual inside what encloses it.
func (b *Builder) requalify(sym int32, qual string) {
	s := b.Sym(sym)
	old := b.F.Strings[s.Qual]
	delete(b.named, member{s.Container, s.Name})
	if old != "" {
		qual = old + "." + qual
		old += "."
	}
	name := b.F.Strings[s.Name]
	b.paths[old+name]--
	s.Qual = b.Str(qual)
	b.paths[qual+"."+name]++
	s.Ordinal = b.paths[qual+"."+name]
}

// cppInitializers take the members and bases that a constructor initialises.
func cppInitializers(b *Builder, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "field_initializer") {
			continue
		}
		id := b.First(c)
		for x := id; x >= 0; x = b.Next(c, x) {
			switch {
			case x != id:
				b.Visit(x)
			case b.Is(x, "field_identifier"):
				b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Write, Name: b.nodeStr(x), Off: b.Off(x), X: graph.None})
			case b.Is(x, "template_method"): // a base's
				cppStep(b, x, graph.TypeUse, graph.None, true)
			default:
				b.Type(x, graph.TypeUse)
			}
		}
	}
}

// cppPrototype declares a function or method that is defined elsewhere.
func cppPrototype(b *Builder, n int32, d cppDeclared, value int32) {
	if b.InFunction() && !b.InType() {
		cOther(b, d.params)
		return
	}
	if len(d.scope) > 0 { // an explicit specialisation or a friend
		cOther(b, d.params)
		return
	}
	sym := cppCallable(b, n, d)
	s := b.Sym(sym)
	if value >= 0 && b.Text(value) == "0" || b.Has(n, "pure_virtual_clause") {
		s.Flags |= graph.Abstract
	} else {
		s.Flags |= graph.Declaration
	}
	b.push(funcFrame, sym)
	b.Params(sym, d.params)
	b.pop()
}

// cppOperands takes what looks like the declarator of a parameter but is the second half of `a::x && b::y`, an
// argument of a macro; it reports whether it does.
func cppOperands(b *Builder, d int32) bool {
	if d < 0 || !b.Is(d, "reference_declarator") {
		return false
	}
	any := false
	for i := d + 1; i < int32(b.Node(d).Next); i++ {
		if b.Is(i, "qualified_identifier") {
			any = true
			b.Value(i, graph.Read, false)
			i = int32(b.Node(i).Next) - 1
		}
	}
	return any
}

func cppParameter(b *Builder, n int32) bool {
	typ, _ := cppType(b, n)
	d := cppDeclarator(b, b.Field(n, "declarator"), typ)
	cOther(b, d.params)
	t := b.Field(n, "type")
	if d.name < 0 && b.Field(n, "declarator") < 0 && b.Text(t) == "void" {
		return true
	}
	flags := graph.Param
	if v := b.Field(n, "default_value"); v >= 0 {
		b.Value(v, graph.Read, false)
		flags |= graph.OptionalParam
	}
	if b.Is(n, "variadic_parameter_declaration") {
		flags |= graph.VariadicParam
	}
	name, off := uint32(0), b.Off(n)
	if cppOperands(b, b.Field(n, "declarator")) {
		return true
	}
	if d.name >= 0 {
		name, off = b.nodeStr(d.name), b.Off(d.name)
	}
	b.Local(name, off, d.typ, graph.None, flags)
	return true
}
