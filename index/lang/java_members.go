package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// javaDefine takes the modifiers, which stand in the scope around, then the definition.
func javaDefine(b *Builder, n int32) bool {
	r := *b.rule(n)
	r.Flags |= javaModifiers(b, n)
	in := b.Enclosing()
	inInterface := b.InType() && in >= 0 && (b.Sym(in).Kind == graph.Interface || b.Sym(in).Kind == graph.Annotation)
	if inInterface && r.Flags&graph.Private == 0 {
		r.Flags |= graph.Exported
	}
	switch {
	case inInterface && r.Kind == graph.Method && b.Field(n, "body") < 0:
		r.Flags |= graph.Abstract
	case r.Kind.Type() && (r.Kind != graph.Class || inInterface) && b.InType():
		r.Flags |= graph.Static
	}
	if c := b.Field(n, "permits"); c >= 0 {
		b.Visit(c)
	}
	b.define(n, &r, b.child(n, &r.name), "")
	return true
}

// javaModifiers are the flags of the modifiers of n; annotations among them are visited.
func javaModifiers(b *Builder, n int32) graph.Flags {
	m := b.Child(n, "modifiers")
	if m < 0 {
		return 0
	}
	doc := b.doc
	var f graph.Flags
	for c := b.First(m); c >= 0; c = b.Next(m, c) {
		switch b.Kind(c) {
		case "public":
			f |= graph.Exported
		case "protected":
			f |= graph.Exported | graph.Protected
		case "private":
			f |= graph.Private
		case "static":
			f |= graph.Static
		case "abstract":
			f |= graph.Abstract
		case "annotation", "marker_annotation":
			b.Visit(c)
		}
	}
	b.doc = doc
	return f
}

// javaEnter takes the exceptions that a callable declares.
func javaEnter(b *Builder, sym, n int32) {
	if c := b.Child(n, "throws"); c >= 0 {
		b.Visit(c)
	}
}

// javaTypes takes all children of n as types.
func javaTypes(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "this") {
			b.Type(c, graph.TypeUse)
		}
	}
	return true
}

// javaRecord: the components of a record are its fields and the methods that read them.
func javaRecord(b *Builder, n int32) bool {
	r := b.rule(n)
	name := b.child(n, &r.name)
	if name < 0 {
		return false
	}
	flags := javaModifiers(b, n)
	if b.InType() {
		flags |= graph.Static
	}
	sym := b.Symbol(graph.Class, name, n, "")
	b.Sym(sym).Flags |= flags
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.child(n, &r.typeParams); c >= 0 {
		b.TypeParams(sym, c)
	}
	b.bases(sym, n, r)
	params := b.Field(n, "parameters")
	for c := b.First(params); c >= 0; c = b.Next(params, c) {
		javaComponent(b, c)
	}
	saved := b.Scratch
	b.Scratch[0] = params
	if c := b.child(n, &r.body); c >= 0 {
		b.body(sym, c)
	}
	b.Scratch = saved
	b.pop()
	return true
}

func javaComponent(b *Builder, c int32) {
	javaModifiers(b, c)
	typ, name := javaTypeOf(b, c)
	if name < 0 {
		return
	}
	field := b.Symbol(graph.Field, name, c, "")
	b.Sym(field).Type = typ
	b.Sym(field).Flags |= graph.Private
	read := b.Symbol(graph.Method, name, c, "")
	b.Sym(read).Type = typ
	b.Sym(read).Flags |= graph.Exported
}

// javaCompact: a record's compact constructor has the components as its parameters.
func javaCompact(b *Builder, n int32) bool {
	r := b.rule(n)
	name := b.child(n, &r.name)
	if name < 0 {
		return false
	}
	sym := b.Symbol(graph.Constructor, name, n, "")
	b.Sym(sym).Flags |= javaModifiers(b, n)
	b.push(funcFrame, sym)
	if params := b.Scratch[0]; params >= 0 {
		from := len(b.F.Exprs)
		b.Params(sym, params)
		for i := from; i < len(b.F.Exprs); i++ {
			b.F.Exprs[i].Role = graph.NoRole
		}
	}
	if c := b.child(n, &r.body); c >= 0 {
		b.body(sym, c)
	}
	b.pop()
	return true
}

// javaConstant is a constant of an enum, which may have arguments and a body of its own.
func javaConstant(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	enum := b.Enclosing()
	flags := javaModifiers(b, n)
	sym := b.Symbol(graph.EnumMember, name, n, "")
	b.Sym(sym).Flags |= flags | graph.Static | graph.Exported
	in := b.in
	b.in = sym
	if args := b.Field(n, "arguments"); args >= 0 {
		b.argumentList(args, graph.None)
	}
	if body := b.Field(n, "body"); body >= 0 {
		javaAnonymous(b, body, b.Expr(graph.Expr{Op: graph.OpSymbol, X: enum, Off: b.Off(n)}))
	}
	b.in = in
	return true
}

// javaAnonymous defines the anonymous class whose body is at n and whose base is given.
func javaAnonymous(b *Builder, n, base int32) int32 {
	doc := b.doc
	b.doc = docRun{}
	sym := b.Symbol(graph.Class, graph.None, n, "(class)")
	b.Sym(sym).Flags |= graph.Anonymous
	if base >= 0 {
		b.AddBases(sym, base)
	}
	b.push(typeFrame, sym)
	b.visitChildren(n)
	b.pop()
	b.doc = doc
	return sym
}

// javaField declares fields. All names of one declaration share its type.
func javaField(b *Builder, n int32) bool {
	flags := javaModifiers(b, n)
	if in := b.Enclosing(); in >= 0 && (b.Sym(in).Kind == graph.Interface || b.Sym(in).Kind == graph.Annotation) {
		flags |= graph.Static | graph.Exported
	}
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	doc := b.doc
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "declarator") {
			continue
		}
		name := b.Field(c, "name")
		if name < 0 {
			continue
		}
		b.doc = doc
		sym := b.Symbol(graph.Field, name, n, "")
		b.Sym(sym).Flags |= flags
		b.Sym(sym).Type = javaDimensions(b, c, typ)
		in := b.in
		b.in = sym
		v := b.Value(b.Field(c, "value"), graph.Read, true)
		if t := b.Sym(sym).Type; t >= 0 {
			b.expect(v, b.typeContext(t))
		}
		b.in = in
		b.Sym(sym).Init = v
	}
	return true
}

// javaDimensions is typ as an array of as many dimensions as the brackets at n say.
func javaDimensions(b *Builder, n, typ int32) int32 {
	d := b.Field(n, "dimensions")
	if d < 0 {
		d = b.Child(n, "dimensions")
	}
	if d < 0 {
		return typ
	}
	for c := b.First(d); c >= 0; c = b.Next(d, c) {
		if strings.HasSuffix(b.Kind(c), "annotation") {
			b.Visit(c)
		}
	}
	for range strings.Count(b.Text(d), "[") {
		typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: b.Off(n)})
	}
	return typ
}

// javaTypeParam is a type parameter, visible in its own bound.
func javaTypeParam(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if strings.HasSuffix(b.Kind(c), "annotation") {
			b.Visit(c)
		}
	}
	id := b.Child(n, "type_identifier", "identifier")
	if id < 0 {
		return true
	}
	l := b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
	if bound := b.Child(n, "type_bound"); bound >= 0 {
		t := b.listType(bound, graph.OpUnion)
		b.F.Locals[l].Type = t
	}
	return true
}
