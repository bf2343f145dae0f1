package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// kotlinClass defines a class, an interface, an enum or an object.
func kotlinClass(b *Builder, n int32) bool {
	flags := kotlinModifiers(b, n)
	kind := graph.Class
	switch {
	case b.Has(n, "interface"):
		kind = graph.Interface
	case b.Has(n, "enum"), b.Has(n, "enum_class_body"):
		kind = graph.Enum
	case kotlinHas(b, n, "annotation"):
		kind = graph.Annotation
	}
	name, text := b.Child(n, "type_identifier", "simple_identifier"), ""
	companion := b.Is(n, "companion_object")
	if companion || b.Is(n, "object_declaration") {
		flags |= graph.Sole
	}
	if name < 0 {
		if !companion {
			return false
		}
		text = "Companion"
	}
	outer := b.frame().sym
	sym := b.Symbol(kind, name, n, text)
	kotlinFlags(b, sym, flags)
	if b.InType() && !kotlinHas(b, n, "inner") {
		b.Sym(sym).Flags |= graph.Static
	}
	if companion && outer >= 0 && b.InType() { // its members are the class's, too
		b.AddBases(outer, b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)}))
	}
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.Child(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	if c := b.Child(n, "primary_constructor"); c >= 0 {
		kotlinPrimary(b, sym, c)
	}
	kotlinBases(b, sym, n)
	if c := b.Child(n, "type_constraints"); c >= 0 {
		b.Visit(c)
	}
	if c := b.Child(n, "class_body", "enum_class_body"); c >= 0 {
		b.body(sym, c)
	}
	b.pop()
	return true
}

// kotlinFlags gives symbol sym its flags; what is not said to be hidden is visible.
func kotlinFlags(b *Builder, sym int32, flags graph.Flags) {
	s := b.Sym(sym)
	s.Flags = s.Flags&^graph.Exported | flags
}

// kotlinBases takes what a class derives from, with what it passes to it.
func kotlinBases(b *Builder, sym, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "delegation_specifier") {
			continue
		}
		base := graph.None
		args := graph.None
		for x := b.First(c); x >= 0; x = b.Next(c, x) {
			switch b.Kind(x) {
			case "constructor_invocation":
				base, args = b.Child(x, "user_type"), b.Child(x, "value_arguments")
			case "explicit_delegation":
				base = b.First(x)
				if v := b.First(x); v >= 0 && b.Next(x, v) >= 0 {
					b.Value(b.Next(x, v), graph.Read, false)
				}
			default:
				base = x
			}
		}
		if t := b.Type(base, graph.Inherit); t >= 0 {
			b.AddBases(sym, t)
			kotlinArguments(b, args, graph.None, nil)
		}
	}
}

// kotlinPrimary defines the constructor in a class's head and the properties among its
// parameters. The other parameters are known in the class's initializers.
func kotlinPrimary(b *Builder, class, n int32) {
	flags := kotlinModifiers(b, n)
	doc := b.doc
	b.doc = docRun{}
	ctor := b.Symbol(graph.Constructor, graph.None, n, "constructor")
	kotlinFlags(b, ctor, flags|graph.Anonymous)
	b.push(funcFrame, ctor)
	from := len(b.F.Locals)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "class_parameter") {
			kotlinClassParam(b, c)
		}
	}
	b.KeepParams(ctor, from)
	b.pop()
	i := from
	for c := b.First(n); c >= 0 && i < len(b.F.Locals); c = b.Next(n, c) {
		if !b.Is(c, "class_parameter") {
			continue
		}
		for i < len(b.F.Locals)-1 && b.F.Locals[i].Flags&graph.Param == 0 {
			i++
		}
		l := b.F.Locals[i]
		if b.Has(c, "binding_pattern_kind") {
			sym := b.Symbol(graph.Property, b.Child(c, "simple_identifier"), c, "")
			kotlinFlags(b, sym, kotlinVisibility(b, c))
			b.Sym(sym).Type = l.Type
		} else {
			b.names = append(b.names, bound{l.Name, int32(i)})
		}
		i++
	}
	b.doc = doc
}

// kotlinVisibility are the flags of the modifiers of n, whose annotations were visited before.
func kotlinVisibility(b *Builder, n int32) graph.Flags {
	switch {
	case kotlinHas(b, n, "private"):
		return graph.Private
	case kotlinHas(b, n, "protected"):
		return graph.Exported | graph.Protected
	}
	return graph.Exported
}

func kotlinClassParam(b *Builder, n int32) {
	kotlinModifiers(b, n)
	id := b.Child(n, "simple_identifier")
	if id < 0 {
		return
	}
	flags, typ, init := graph.Param, graph.None, graph.None
	if m := b.Child(n, "modifiers"); m >= 0 && kotlinHas(b, n, "vararg") {
		flags |= graph.VariadicParam
	}
	for c := b.Next(n, id); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			typ = b.Type(c, graph.TypeUse)
		} else if b.rule(c).Do != Comment {
			init = b.Value(c, graph.Read, true)
			flags |= graph.OptionalParam
		}
	}
	if flags&graph.VariadicParam != 0 {
		typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: b.Off(n)})
	}
	b.Local(b.nodeStr(id), b.Off(id), typ, init, flags)
}

// kotlinSecondary is constructor(...) : this(...) { ... }.
func kotlinSecondary(b *Builder, n int32) bool {
	flags := kotlinModifiers(b, n)
	sym := b.Symbol(graph.Constructor, graph.None, n, "constructor")
	if m := b.Child(n, "modifiers"); m >= 0 { // the keyword stands behind them
		end := b.Node(m).End
		b.Sym(sym).NameOff = end + uint32(max(0, strings.Index(string(b.src[end:b.Node(n).End]), "constructor")))
	}
	kotlinFlags(b, sym, flags)
	b.push(funcFrame, sym)
	kotlinTakeParams(b, sym, b.Child(n, "function_value_parameters"))
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "constructor_delegation_call":
			b.Visit(c)
		case "statements":
			b.Sym(sym).Body = b.Off(c)
			b.visitChildren(c)
		}
	}
	b.pop()
	return true
}

func kotlinDelegation(b *Builder, n int32) bool {
	kotlinArguments(b, b.Child(n, "value_arguments"), graph.None, nil)
	return true
}

// kotlinEntry is an entry of an enum, which may have arguments and a body of its own.
func kotlinEntry(b *Builder, n int32) bool {
	name := b.Child(n, "simple_identifier")
	if name < 0 {
		return true
	}
	enum := b.frame().sym
	flags := kotlinModifiers(b, n)
	sym := b.Symbol(graph.EnumMember, name, n, "")
	kotlinFlags(b, sym, flags|graph.Static)
	in := b.in
	b.in = sym
	kotlinArguments(b, b.Child(n, "value_arguments"), graph.None, nil)
	if body := b.Child(n, "class_body"); body >= 0 {
		javaAnonymous(b, body, b.Expr(graph.Expr{Op: graph.OpSymbol, X: enum, Off: b.Off(n)}))
	}
	b.in = in
	return true
}

// kotlinFunction defines a function; one with a receiver belongs to the type that it extends.
func kotlinFunction(b *Builder, n int32) bool {
	name := b.Child(n, "simple_identifier")
	if name < 0 {
		return false
	}
	flags := kotlinModifiers(b, n)
	kind, body := graph.Function, b.Child(n, "function_body")
	if b.InType() {
		kind = graph.Method
		if in := b.frame().sym; body < 0 && in >= 0 && b.Sym(in).Kind == graph.Interface {
			flags |= graph.Abstract
		}
	}
	recv := kotlinExtended(b, n, name)
	sym := kotlinSymbol(b, kind, name, n, recv)
	kotlinFlags(b, sym, flags)
	b.bindNested(sym)
	b.push(funcFrame, sym)
	if c := b.Child(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	kotlinOwner(b, sym, recv)
	params := b.Child(n, "function_value_parameters")
	kotlinTakeParams(b, sym, params)
	for c := max(params, name); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			t := b.Type(c, graph.TypeUse)
			b.Sym(sym).Type = t
		} else if b.Is(c, "type_constraints") {
			b.Visit(c)
		}
	}
	kotlinFunctionBody(b, sym, body)
	b.pop()
	return true
}

// kotlinFunctionBody takes a body: `= value`, whose value is the result, or statements.
func kotlinFunctionBody(b *Builder, sym, body int32) {
	if body < 0 {
		return
	}
	if sym >= 0 && b.Sym(sym).Body == 0 {
		b.Sym(sym).Body = b.Off(body)
	}
	b.doc = docRun{}
	block := b.src[b.Off(body)] == '{'
	for c := b.First(body); c >= 0; c = b.Next(body, c) {
		if block || b.rule(c).Do == Comment {
			b.Visit(c)
		} else {
			v := b.Value(c, graph.Read, true)
			b.addReturn(sym, v)
		}
	}
}

// kotlinExtended is the type that stands before the name of an extension, or None.
func kotlinExtended(b *Builder, n, name int32) int32 {
	for c := b.First(n); c >= 0 && c != name; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			return c
		}
	}
	return graph.None
}

// kotlinSymbol adds a function or property; an extension's path is that of the type it extends.
func kotlinSymbol(b *Builder, kind graph.Kind, name, n, recv int32) int32 {
	if recv < 0 {
		return b.Symbol(kind, name, n, "")
	}
	var path []string
	for i := recv; i < int32(b.Node(recv).Next); i++ {
		if b.Is(i, "type_arguments") {
			i = int32(b.Node(i).Next) - 1
		} else if b.Is(i, "type_identifier") {
			path = append(path, b.Text(i))
		}
	}
	if tp := b.Child(n, "type_parameters"); tp >= 0 && len(path) == 1 {
		for c := b.First(tp); c >= 0; c = b.Next(tp, c) {
			if b.Text(b.Child(c, "type_identifier")) == path[0] { // it extends whatever there is
				path = nil
				break
			}
		}
	}
	space, in, outer := b.space, b.in, b.in
	b.space, b.in = strings.Join(path, "."), graph.None
	sym := b.Symbol(kind, name, n, "")
	b.space, b.in = space, in
	b.Sym(sym).Container = outer
	return sym
}

// kotlinOwner notes the type that sym extends.
func kotlinOwner(b *Builder, sym, recv int32) {
	if recv < 0 {
		return
	}
	t := b.Type(recv, graph.TypeUse)
	b.Sym(sym).Owner = t
}
