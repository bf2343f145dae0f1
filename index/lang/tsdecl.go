package lang

import "github.com/codegraph-dev/codegraph/graph"

// Declarations that only TypeScript has: types, enums, namespaces, signatures and parameters with more to them.

// tsAlias: an object type written out in an alias has its members in the alias itself.
func tsAlias(b *Builder, n int32) bool {
	name, value := b.Field(n, "name"), b.Field(n, "value")
	if name < 0 {
		return false
	}
	sym := b.Symbol(graph.TypeAlias, name, n, "")
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	if b.Is(value, "object_type") && tsIndexed(b, value) < 0 {
		b.visitChildren(value)
	} else {
		t := b.Type(value, graph.TypeUse)
		b.Sym(sym).Type = t
	}
	b.pop()
	return true
}

// The names of the members that run when a value of a type is called, and when something is made
// of it as of a class.
const (
	tsCallName = "(call)"
	tsNewName  = "(new)"
)

// tsSignature: a type that can be called, or of which something can be made, has a member for it
// without a name of its own.
func tsSignature(name string) func(b *Builder, n int32) bool {
	return func(b *Builder, n int32) bool {
		if b.EnclosingType() < 0 {
			return false
		}
		sym := b.Symbol(graph.Method, graph.None, n, name)
		b.Sym(sym).Flags |= graph.Abstract | graph.Anonymous
		b.Body(sym, n, nil)
		return true
	}
}

func tsEnum(b *Builder, n int32) bool {
	name, body := b.Field(n, "name"), b.Field(n, "body")
	if name < 0 || body < 0 {
		return false
	}
	sym := b.Define(n)
	b.Sym(sym).Body = b.Off(body)
	b.push(typeFrame, sym)
	tsEnumerators(b, body)
	b.pop()
	return true
}

func tsEnumerators(b *Builder, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.rule(c).Do == Comment:
			b.comment(c)
			continue
		case b.Is(c, "enum_assignment"):
			if name := b.Field(c, "name"); name >= 0 {
				sym := b.Symbol(graph.EnumMember, name, c, scriptName(b, name))
				tsEnumerated(b, sym, name)
				in := b.in
				b.in = sym
				b.Value(b.Field(c, "value"), graph.Read, false)
				b.in = in
			}
		case b.InField(c, "name"):
			tsEnumerated(b, b.Symbol(graph.EnumMember, c, c, scriptName(b, c)), c)
		default:
			b.Visit(c)
		}
		b.doc = docRun{}
	}
}

// tsEnumerated: those that follow in the enum may name a member without the enum.
func tsEnumerated(b *Builder, sym, name int32) {
	l := b.Local(b.Sym(sym).Name, b.Off(name), graph.None, graph.None, 0)
	b.F.Locals[l].Symbol = sym
}

// tsNamespace: a dotted name opens one namespace in another; a quoted one declares a module.
func tsNamespace(b *Builder, n int32) bool {
	name, body := b.Field(n, "name"), b.Field(n, "body")
	if name < 0 {
		return false
	}
	var syms []int32
	open := func(c int32, kind graph.Kind, text string) {
		sym := b.Symbol(kind, c, n, text)
		b.bindNested(sym)
		b.push(typeFrame, sym)
		syms = append(syms, sym)
	}
	switch b.Kind(name) {
	case "string":
		open(name, graph.Module, scriptString(b, name))
	case "nested_identifier":
		for i := name + 1; i < int32(b.t.Nodes[name].Next); i++ {
			if d := b.rule(i).Do; d == Ident {
				open(i, graph.Namespace, "")
			}
		}
	default:
		open(name, graph.Namespace, "")
	}
	if body >= 0 {
		b.Sym(syms[len(syms)-1]).Body = b.Off(body)
		b.visitChildren(body)
	}
	for range syms {
		b.pop()
	}
	return true
}

// tsAmbient: what follows `declare` is a definition like any other; what `declare global` holds is seen
// by all files.
func tsAmbient(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "statement_block") {
			from := len(b.F.Symbols)
			b.visitChildren(c)
			scriptEverywhere(b, from)
		} else if b.Kind(c) != "declare" {
			b.Visit(c)
		}
	}
	return true
}

// scriptEverywhere lets all files see the definitions from symbol from on that are in no other.
func scriptEverywhere(b *Builder, from int) {
	for i := from; i < len(b.F.Symbols); i++ {
		if s := &b.F.Symbols[i]; s.Container < 0 && s.Flags&graph.NestedDef == 0 {
			s.Flags |= graph.Everywhere | graph.Exported
		}
	}
}

// tsImportAlias is `import x = A.B`.
func tsImportAlias(b *Builder, n int32) bool {
	name := b.First(n)
	if name < 0 {
		return true
	}
	of := b.Next(n, name)
	if b.InFunction() {
		b.DeclareLocal(name, graph.None, b.Value(of, graph.Read, true))
		return true
	}
	sym := b.Symbol(graph.Namespace, name, n, "")
	v := b.Value(of, graph.Read, true)
	b.Sym(sym).Init = v
	return true
}

// tsParameter: a parameter of a constructor with an access modifier is a field too.
func tsParameter(b *Builder, n int32) bool {
	r := b.rule(n)
	pattern := b.Field(n, "pattern")
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "decorator") {
			scriptDecorator(b, c)
		}
	}
	if b.Is(pattern, "this") {
		if t := b.Field(n, "type"); t >= 0 {
			typ := b.Type(t, graph.TypeUse)
			b.Local(b.Str("this"), b.Off(pattern), typ, graph.None, 0)
		}
		return true
	}
	if b.Is(pattern, "rest_pattern") {
		typ := graph.None
		if t := b.Field(n, "type"); t >= 0 {
			typ = b.Type(t, graph.TypeUse)
		}
		scriptRest(b, pattern, typ)
		return true
	}
	from := len(b.F.Locals)
	b.parameter(n, r)
	owner := b.EnclosingType()
	if pattern < 0 || owner < 0 || b.in < 0 || b.F.Symbols[b.in].Kind != graph.Constructor || len(b.F.Locals) == from {
		return true
	}
	if !b.Has(n, "accessibility_modifier", "override_modifier", "readonly") || b.rule(pattern).Do != Ident {
		return true
	}
	l := b.F.Locals[from]
	s := graph.Symbol{Kind: graph.Field, Name: b.nodeStr(pattern), NameOff: b.Off(pattern), Start: b.Off(n), End: b.t.Nodes[n].End,
		Container: owner, Type: l.Type, Init: l.Init, Owner: graph.None, Flags: graph.Exported}
	sym := b.addSymbol(s, b.qual(owner))
	scriptAccess(b, n, sym)
	b.F.Locals[from].Symbol = sym // to name the parameter is to name the field
	return true
}

func tsTypeParameter(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	// A constraint may name a later parameter.
	for i := n; int(i) < len(b.t.Nodes) && (b.Is(i, "type_parameter") || b.Is(i, "comment")); i = int32(b.t.Nodes[i].Next) {
		if id := b.Field(i, "name"); id >= 0 && b.blockLocal(b.nodeStr(id)) < 0 {
			b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
		}
	}
	l := b.blockLocal(b.nodeStr(name))
	if c := b.Field(n, "constraint"); c >= 0 {
		t := b.Type(c, graph.TypeUse)
		b.F.Locals[l].Type = t
	}
	if c := b.Field(n, "value"); c >= 0 {
		t := b.Type(c, graph.TypeUse)
		b.F.Locals[l].Init = t
	}
	return true
}
