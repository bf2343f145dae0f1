package lang

import "github.com/codegraph-dev/codegraph/graph"

// scriptClass is a class declaration.
func scriptClass(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	scriptDeclareClass(b, n, name, "")
	return true
}

func scriptDeclareClass(b *Builder, n, name int32, text string) int32 {
	decorators := scriptDecorators(b, n)
	sym := b.Symbol(graph.Class, name, n, text)
	b.Sym(sym).Flags |= b.rule(n).Flags
	b.bindNested(sym)
	scriptDecorate(b, sym, decorators)
	b.Body(sym, n, nil)
	return sym
}

// scriptDecorators are the decorators below n and right before it, in their order. A comment
// before the first is the doc of what they decorate.
func scriptDecorators(b *Builder, n int32) []int32 {
	var all []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "decorator") {
			all = append(all, c)
		}
	}
	first := n
	for i := n - 1; i > 0 && int32(b.t.Nodes[i].Next) <= first; i-- {
		if !b.Is(i, "decorator") || int32(b.t.Nodes[i].Next) != first {
			continue
		}
		all = append([]int32{i}, all...)
		first = i
	}
	if c := first - 1; first < n && c > 0 && b.rule(c).Do == Comment && b.adjacent(b.t.Nodes[c].End, b.Off(first)) {
		b.doc = docRun{}
		b.comment(c)
	}
	return all
}

// scriptDecorate makes decorators part of the definition that they stand before.
func scriptDecorate(b *Builder, sym int32, decorators []int32) {
	if len(decorators) == 0 {
		return
	}
	s := b.Sym(sym)
	s.Start = min(s.Start, b.Off(decorators[0]))
	in := b.in
	b.in = sym
	for _, d := range decorators {
		scriptDecorator(b, d)
	}
	b.in = in
}

// scriptClassValue is a class expression.
func scriptClassValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	doc := b.doc
	b.doc = docRun{}
	b.push(blockFrame, graph.None)
	name, text := b.Field(n, "name"), ""
	if name < 0 {
		text = "(class)"
	}
	sym := scriptDeclareClass(b, n, name, text)
	if name < 0 {
		b.Sym(sym).Flags |= graph.Anonymous
	}
	b.pop()
	b.doc = doc
	return b.ifWanted(want, graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)})
}

// scriptNamedClass is a class that is assigned to the name at name (or text).
func scriptNamedClass(b *Builder, name int32, text string, extent, n int32) int32 {
	sym := b.Symbol(graph.Class, name, extent, text)
	b.bindNested(sym)
	own := b.Field(n, "name")
	if own >= 0 {
		b.push(blockFrame, graph.None)
		l := b.Local(b.nodeStr(own), b.Off(own), graph.None, graph.None, 0)
		b.F.Locals[l].Symbol = sym
	}
	b.Body(sym, n, nil)
	if own >= 0 {
		b.pop()
	}
	return sym
}

// scriptStatic is a block that runs when the class is made.
func scriptStatic(b *Builder, n int32) bool {
	b.push(funcFrame, graph.None)
	if body := b.Field(n, "body"); body >= 0 {
		b.hoist(body, false)
		b.visitChildren(body)
	}
	b.pop()
	return true
}

// scriptMethod is a method, constructor or accessor, or the signature of one.
func scriptMethod(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	decorators := scriptDecorators(b, n)
	kind, owner := graph.Method, graph.NoKind
	if b.in >= 0 {
		owner = b.F.Symbols[b.in].Kind
	}
	if owner == graph.Class && string(b.t.Text(name)) == "constructor" && !b.Has(n, "static") {
		kind = graph.Constructor
	}
	sym := b.Symbol(kind, name, n, scriptName(b, name))
	s := b.Sym(sym)
	if b.Is(name, "string") {
		s.NameOff++
	}
	switch {
	case b.Is(n, "method_signature") && owner == graph.Class:
		s.Flags |= graph.Declaration
	case b.Is(n, "method_signature"):
		s.Flags |= graph.Abstract
	case b.Has(n, "get"):
		s.Flags |= graph.Computed
	case b.Has(n, "set"):
		s.Flags |= graph.Setter
	}
	scriptAccess(b, n, sym)
	scriptDecorate(b, sym, decorators)
	if b.Is(name, "computed_property_name") {
		b.Value(b.First(name), graph.Read, false)
	}
	flags := b.Sym(sym).Flags
	scriptBody(b, sym, n)
	if b.Is(n, "method_signature") {
		b.Sym(sym).Flags = flags
	}
	return true
}

// scriptField is a field of a class or a property of a type; one whose value is a function is a method.
func scriptField(b *Builder, n int32) bool {
	name, typ, value := b.Field(n, "name"), b.Field(n, "type"), b.Field(n, "value")
	if name < 0 {
		name = b.Field(n, "property")
	}
	if name < 0 {
		return false
	}
	decorators := scriptDecorators(b, n)
	kind, fn := b.rule(n).Kind, scriptUnwrap(b, value)
	if scriptIsFunction(b, fn) {
		kind = graph.Method
	}
	sym := b.Symbol(kind, name, n, scriptName(b, name))
	if b.Is(name, "string") {
		b.Sym(sym).NameOff++
	}
	scriptAccess(b, n, sym)
	scriptDecorate(b, sym, decorators)
	if b.Is(name, "computed_property_name") {
		b.Value(b.First(name), graph.Read, false)
	}
	if kind == graph.Method {
		scriptBody(b, sym, fn)
		scriptDeclaredAs(b, sym, typ)
		return true
	}
	scriptTypeAndValue(b, sym, typ, value)
	return true
}

// scriptAccess notes the modifiers of the member at n.
func scriptAccess(b *Builder, n, sym int32) {
	s := b.Sym(sym)
	if m := b.Child(n, "accessibility_modifier"); m >= 0 {
		switch b.Text(m) {
		case "private":
			s.Flags = s.Flags&^graph.Exported | graph.Private
		case "protected":
			s.Flags |= graph.Protected
		}
	}
	if name := b.F.Str(s.Name); len(name) > 0 && name[0] == '#' {
		s.Flags = s.Flags&^graph.Exported | graph.Private
	}
	if b.Has(n, "static") {
		s.Flags |= graph.Static
	}
	if b.Has(n, "abstract") {
		s.Flags |= graph.Abstract
	}
}

// scriptObject is an object literal: a value whose members are definitions. They belong to
// the symbol that the literal initialises, or else to one without a name.
func scriptObject(b *Builder, n int32, role graph.Role, want bool) int32 {
	sym := scriptHolder(b, n)
	if sym < 0 && !b.Has(n, "pair", "method_definition", "shorthand_property_identifier") {
		return scriptSpreads(b, n, want)
	}
	doc := b.doc
	b.doc = docRun{}
	if sym < 0 {
		sym = b.Symbol(graph.Struct, graph.None, n, "(object)")
		b.Sym(sym).Flags |= graph.Anonymous
	}
	b.push(typeFrame, sym)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "comment":
			b.comment(c)
			continue
		case "pair":
			scriptPair(b, c)
		case "shorthand_property_identifier":
			member := b.Symbol(graph.Field, c, c, "")
			in := b.in
			b.in = member
			v := b.Value(c, graph.Read, true)
			b.in = in
			b.Sym(member).Init = v
		case "spread_element":
			if v := b.Value(b.First(c), graph.Read, true); v >= 0 {
				b.AddBases(sym, b.Of(graph.OpTypeOf, c, v))
			}
		default:
			b.Visit(c)
		}
		b.doc = docRun{}
	}
	b.pop()
	b.doc = doc
	return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
}

// scriptSpreads is an object literal without members of its own: what it copies.
func scriptSpreads(b *Builder, n int32, want bool) int32 {
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "spread_element") {
			if x := b.Value(b.First(c), graph.Read, want); v < 0 {
				v = x
			}
		} else {
			b.Visit(c)
		}
	}
	return v
}

// scriptPair is one member of an object literal.
func scriptPair(b *Builder, n int32) {
	key, value := b.Field(n, "key"), b.Field(n, "value")
	if key < 0 || b.Is(key, "computed_property_name") || b.Is(key, "number") {
		if key >= 0 {
			b.Value(b.First(key), graph.Read, false)
		}
		b.Value(value, graph.Read, false)
		return
	}
	text := scriptName(b, key)
	if fn := scriptUnwrap(b, value); scriptIsFunction(b, fn) {
		kind := graph.Method
		if b.Is(fn, "arrow_function") { // has no receiver of its own
			kind = graph.Function
		}
		scriptDefine(b, kind, key, text, n, fn)
		return
	}
	sym := b.Symbol(graph.Field, key, n, text)
	if text != "" {
		b.Sym(sym).NameOff++
	}
	scriptTypeAndValue(b, sym, graph.None, value)
}
