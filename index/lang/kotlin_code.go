package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

func kotlinAlias(b *Builder, n int32) bool {
	flags := kotlinModifiers(b, n)
	name := b.Child(n, "type_identifier")
	if name < 0 {
		return false
	}
	sym := b.Symbol(graph.TypeAlias, name, n, "")
	kotlinFlags(b, sym, flags)
	b.push(typeFrame, sym)
	if c := b.Child(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			t := b.Type(c, graph.TypeUse)
			b.Sym(sym).Type = t
		}
	}
	b.pop()
	return true
}

// kotlinProperty declares properties, or in functions variables.
func kotlinProperty(b *Builder, n int32) bool {
	flags := kotlinModifiers(b, n)
	name := b.Child(n, "variable_declaration", "multi_variable_declaration")
	if name < 0 {
		return true
	}
	value := kotlinInit(b, n, name)
	if b.InFunction() {
		v := kotlinInitValue(b, value)
		kotlinDeclare(b, name, v, 0)
		return true
	}
	if b.Is(name, "multi_variable_declaration") {
		var syms []int32
		for c := b.First(name); c >= 0; c = b.Next(name, c) {
			if b.Is(c, "variable_declaration") {
				syms = append(syms, kotlinField(b, c, n, graph.None, flags))
			}
		}
		v := b.Value(value, graph.Read, true)
		for k, s := range syms {
			part := b.Part(n, v, k)
			b.Sym(s).Init = part
		}
		return true
	}
	sym := kotlinField(b, name, n, kotlinExtended(b, n, name), flags)
	in := b.in
	b.push(blockFrame, graph.None)
	b.in = sym
	if t := b.Sym(sym).Type; t >= 0 && b.F.Exprs[t].N == graph.HasReceiver && b.F.Exprs[t].Op == graph.OpFunc && b.Is(value, "lambda_literal") {
		kids := b.F.List(b.F.Exprs[t].Kids)
		b.Scratch[1] = kids[len(kids)-1]
	}
	v := kotlinInitValue(b, value)
	b.Scratch[1] = graph.None
	b.Sym(sym).Init = v
	for c := b.Next(n, name); c >= 0; c = b.Next(n, c) {
		if k := b.Kind(c); k == "getter" || k == "setter" {
			kotlinAccess(b, sym, c)
		}
	}
	b.pop()
	b.in = in
	return true
}

// kotlinField adds the property named at c.
func kotlinField(b *Builder, c, n, recv int32, flags graph.Flags) int32 {
	kind := graph.Property
	if kotlinHas(b, n, "const") {
		kind = graph.Constant
	}
	sym := kotlinSymbol(b, kind, b.Child(c, "simple_identifier"), n, recv)
	if in := b.frame().sym; b.InType() && in >= 0 && b.Sym(in).Kind == graph.Interface {
		flags |= graph.Abstract
	}
	kotlinFlags(b, sym, flags)
	in := b.in
	b.push(blockFrame, graph.None)
	b.in = sym
	if tp := b.Child(n, "type_parameters"); tp >= 0 {
		b.TypeParams(sym, tp)
	}
	kotlinOwner(b, sym, recv)
	t := kotlinDeclared(b, c)
	b.Sym(sym).Type = t
	b.pop()
	b.in = in
	return sym
}

// kotlinDeclared is the type in a declaration of one variable, or None.
func kotlinDeclared(b *Builder, n int32) int32 {
	t := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			t = b.Type(c, graph.TypeUse)
		} else if b.Is(c, "type_modifiers") {
			b.Visit(c)
		}
	}
	return t
}

// kotlinInit is the initializer of a property, or what it delegates to, or None.
func kotlinInit(b *Builder, n, name int32) int32 {
	for c := b.Next(n, name); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "getter", "setter", "type_constraints":
		default:
			if b.rule(c).Do != Comment {
				return c
			}
		}
	}
	return graph.None
}

// kotlinInitValue is the value of an initializer. What a property delegates to is no value of it,
// unless it is just computed late.
func kotlinInitValue(b *Builder, n int32) int32 {
	if !b.Is(n, "property_delegate") {
		return b.Value(n, graph.Read, true)
	}
	call := b.First(n)
	v := b.Value(call, graph.Read, true)
	if v >= 0 && b.Text(b.First(call)) == "lazy" && b.F.Exprs[v].Op == graph.OpCall {
		if args := b.F.List(b.F.Exprs[v].Kids); len(args) > 0 {
			return b.Expr(graph.Expr{Op: graph.OpCall, X: args[len(args)-1], Off: b.Off(n)})
		}
	}
	return graph.None
}

// kotlinAccessor is a getter or setter on a line of its own: that of the property before.
func kotlinAccessor(b *Builder, n int32) bool {
	for i := int32(len(b.F.Symbols)) - 1; i >= 0; i-- {
		s := b.F.Symbols[i]
		if s.Kind == graph.Property && s.Container == b.in && s.Start < b.Off(n) {
			in := b.in
			b.push(blockFrame, graph.None)
			b.in = i
			kotlinAccess(b, i, n)
			b.pop()
			b.in = in
			b.Sym(i).End = max(b.Sym(i).End, b.Node(n).End)
			return true
		}
	}
	return false
}

// kotlinAccess takes the code of a getter or setter of property sym.
func kotlinAccess(b *Builder, sym, n int32) {
	kotlinModifiers(b, n)
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	field := b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)})
	b.Local(b.Str("field"), b.Off(n), graph.None, field, 0)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "parameter_with_optional_type", "parameter":
			id := b.Child(c, "simple_identifier")
			if t := kotlinDeclared(b, c); id >= 0 {
				b.Local(b.nodeStr(id), b.Off(id), t, field, 0)
			}
		case "simple_identifier":
			b.Local(b.nodeStr(c), b.Off(c), graph.None, field, 0)
		case "function_body":
			if b.Is(n, "getter") && b.src[b.Off(c)] == '=' {
				v := b.Value(b.First(c), graph.Read, true)
				if b.Sym(sym).Init < 0 {
					b.Sym(sym).Init = v
				}
			} else {
				kotlinFunctionBody(b, graph.None, c)
			}
		default:
			if kotlinIsType(b, c) {
				b.Type(c, graph.TypeUse)
			}
		}
	}
	b.pop()
}

// kotlinDeclare binds the variables declared at n to value or its parts.
func kotlinDeclare(b *Builder, n, value int32, flags graph.LocalFlags) {
	switch b.Kind(n) {
	case "variable_declaration":
		id := b.Child(n, "simple_identifier")
		if t := kotlinDeclared(b, n); id >= 0 && b.Text(id) != "_" {
			b.Local(b.nodeStr(id), b.Off(id), t, value, flags)
		}
	case "multi_variable_declaration":
		k := 0
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.Is(c, "variable_declaration") {
				kotlinDeclare(b, c, b.Part(c, value, k), flags)
				k++
			}
		}
	}
}

// kotlinTakeParams binds the parameters of sym below n.
func kotlinTakeParams(b *Builder, sym, n int32) {
	from := len(b.F.Locals)
	if n >= 0 {
		kotlinParameters(b, n)
	}
	b.KeepParams(sym, from)
}

// kotlinParameters binds parameters; a default stands behind its parameter, `vararg` before.
func kotlinParameters(b *Builder, n int32) bool {
	variadic, last := false, graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "parameter_modifiers"):
			variadic = bytes.Contains(b.t.Text(c), []byte("vararg"))
			b.visitChildren(c)
		case b.Is(c, "parameter"):
			id, t := kotlinParam(b, c)
			flags := graph.Param
			if variadic {
				flags |= graph.VariadicParam
				t = b.Expr(graph.Expr{Op: graph.OpArray, X: t, Off: b.Off(c)})
			}
			if last = graph.None; id >= 0 {
				last = b.Local(b.nodeStr(id), b.Off(id), t, graph.None, flags)
			}
			variadic = false
		case b.rule(c).Do != Comment && b.Kind(c) != "vararg":
			v := b.Value(c, graph.Read, true)
			if last >= 0 {
				b.F.Locals[last].Flags |= graph.OptionalParam
				b.F.Locals[last].Init = v
			}
		}
	}
	return true
}

// kotlinParam is the name's node and the type of a parameter.
func kotlinParam(b *Builder, n int32) (id, typ int32) {
	return b.Child(n, "simple_identifier"), kotlinDeclared(b, n)
}
