package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// In Swift, Scratch[0] is the value of the type that stands before an unqualified `.member`, and
// Scratch[1] the type of what the code at hand returns.

// swiftExpect takes the value at n where one of type typ is wanted.
func swiftExpect(b *Builder, n, typ int32) int32 {
	saved := b.Scratch
	b.Scratch[0] = graph.None
	if typ >= 0 && n >= 0 {
		b.Scratch[0] = b.Of(graph.OpInstance, n, typ)
	}
	v := b.Value(n, graph.Read, true)
	b.Scratch = saved
	return v
}

// swiftAlike takes the value at n where one like value is wanted.
func swiftAlike(b *Builder, n, value int32) int32 {
	saved := b.Scratch
	b.Scratch[0] = value
	v := b.Value(n, graph.Read, true)
	b.Scratch = saved
	return v
}

// swiftProperty declares properties, or in functions variables: several patterns, each with a type,
// a value, or code.
func swiftProperty(b *Builder, n int32) bool {
	flags := swiftModifiers(b, n)
	doc := b.doc
	if in := b.frame().sym; b.InType() && in >= 0 && b.Sym(in).Kind == graph.Interface {
		flags |= graph.Abstract
	}
	constant := false
	pattern, typ, value, code := graph.None, graph.None, graph.None, graph.None
	flush := func() {
		if pattern >= 0 {
			b.doc = doc
			swiftDeclare(b, n, pattern, typ, value, code, flags, constant)
		}
		pattern, typ, value, code = graph.None, graph.None, graph.None, graph.None
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "value_binding_pattern"):
			constant = b.Text(c) == "let"
		case b.Is(c, "pattern"):
			flush()
			pattern = c
		case b.Is(c, "type_annotation"):
			typ = b.Type(c, graph.TypeUse)
		case b.Is(c, "computed_property"), b.Is(c, "willset_didset_block"):
			code = c
		case b.InField(c, "value"):
			value = c
		case b.Is(c, "type_constraints"):
			b.visitChildren(c)
		}
	}
	flush()
	b.doc = docRun{}
	return true
}

func swiftDeclare(b *Builder, n, pattern, typ, value, code int32, flags graph.Flags, constant bool) {
	id := b.Child(pattern, "simple_identifier")
	if b.InFunction() {
		v := swiftExpect(b, value, typ)
		if id >= 0 {
			b.Local(b.nodeStr(id), b.Off(id), typ, v, 0)
		} else {
			swiftPattern(b, pattern, v, true)
		}
		if code >= 0 {
			b.Scope(func() { swiftCode(b, code, typ) })
		}
		return
	}
	kind := graph.Property
	if !b.InType() {
		if kind = graph.Variable; constant {
			kind = graph.Constant
		}
	}
	if id < 0 { // a tuple of names
		v := b.Value(value, graph.Read, true)
		k := 0
		for c := b.First(pattern); c >= 0; c = b.Next(pattern, c) {
			if x := b.Child(c, "simple_identifier"); x >= 0 {
				sym := b.Symbol(kind, x, n, "")
				kotlinFlags(b, sym, flags)
				b.Sym(sym).Init = b.Part(c, v, k)
			}
			k++
		}
		return
	}
	sym := b.Symbol(kind, id, n, "")
	if code >= 0 && value < 0 {
		flags |= graph.Computed
	}
	kotlinFlags(b, sym, flags)
	b.Sym(sym).Type = typ
	in := b.in
	b.push(blockFrame, graph.None)
	b.in = sym
	v := swiftExpect(b, value, typ)
	b.Sym(sym).Init = v
	if code >= 0 {
		b.Sym(sym).Body = b.Off(code)
		swiftCode(b, code, typ)
	}
	b.pop()
	b.in = in
}

// swiftIsType reports whether n is a type, as the grammar writes them.
func swiftIsType(b *Builder, n int32) bool {
	switch b.Kind(n) {
	case "user_type", "optional_type", "array_type", "dictionary_type", "tuple_type", "function_type", "metatype", "opaque_type", "existential_type",
		"protocol_composition_type", "type_pack_expansion", "type_parameter_pack":
		return true
	}
	return false
}

// swiftUserType is A.B<C>; Self is the type of the receiver.
func swiftUserType(b *Builder, n int32, role graph.Role) int32 {
	if string(b.t.Text(n)) == "Self" {
		return b.Expr(graph.Expr{Op: graph.OpSelf, N: 1, X: graph.None, Off: b.Off(n)})
	}
	return kotlinUserType(b, n, role)
}

func swiftInner(b *Builder, n int32, role graph.Role) int32 {
	t := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if swiftIsType(b, c) {
			t = b.Type(c, role)
		}
	}
	return t
}

func swiftDictionaryType(b *Builder, n int32, role graph.Role) int32 {
	var part [2]int32
	k := 0
	for c := b.First(n); c >= 0 && k < 2; c = b.Next(n, c) {
		part[k] = b.Type(c, graph.TypeUse)
		k++
	}
	if k < 2 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpMap, X: part[0], Kids: b.List(part[1]), Off: b.Off(n)})
}

func swiftTupleType(b *Builder, n int32, role graph.Role) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		kids = append(kids, b.Type(c, graph.TypeUse))
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return b.Expr(graph.Expr{Op: graph.OpTuple, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

func swiftFuncType(b *Builder, n int32, role graph.Role) int32 {
	var kids []int32
	list := b.Field(n, "params")
	b.push(blockFrame, graph.None)
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		l := b.Local(0, b.Off(c), b.Type(c, graph.TypeUse), graph.None, graph.InnerParam)
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(c)}))
	}
	b.pop()
	result := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != list && swiftIsType(b, c) {
			result = b.Type(c, graph.TypeUse)
		}
	}
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(kids...), Off: b.Off(n)})
}

// swiftStatements visits statements; the last one's value is theirs.
func swiftStatements(b *Builder, n int32, role graph.Role, want bool) int32 {
	return kotlinStatements(b, n, role, want)
}

// swiftTransfer is return, throw, break or continue.
func swiftTransfer(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.InField(c, "result") {
			swiftExpect(b, c, b.Scratch[1])
		} else if !b.Is(c, "throw_keyword") && !b.Is(c, "statement_label") {
			b.Value(c, graph.Read, false)
		}
	}
	return true
}

func swiftAssign(b *Builder, n int32) bool {
	target, result := b.Field(n, "target"), b.Field(n, "result")
	left := graph.None
	if x := b.First(target); x >= 0 {
		if b.Is(x, "simple_identifier") && b.local(b.nodeStr(x)) >= 0 {
			v := swiftAlike(b, result, b.Name(x, graph.NoRole, true))
			b.AssignTo(x, v, graph.None)
			return true
		}
		left = b.Value(x, graph.Write, true)
	}
	swiftAlike(b, result, left)
	return true
}

// swiftTuple is (a, b: c); one value is just in parentheses.
func swiftTuple(b *Builder, n int32, role graph.Role, want bool) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "name") {
			kids = append(kids, b.Value(c, graph.Read, want))
		}
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpTuple, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

func swiftDictionary(b *Builder, n int32, role graph.Role, want bool) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		v := b.Value(c, graph.Read, want && b.InField(c, "value"))
		if v >= 0 && b.InField(c, "value") && len(kids) < maxValues {
			kids = append(kids, v)
		}
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpMap, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

func swiftRange(b *Builder, n int32) bool {
	b.visitChildren(n)
	return true
}

func swiftCheck(b *Builder, n int32, role graph.Role, want bool) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if swiftIsType(b, c) {
			b.Type(c, graph.TypeUse)
		} else {
			b.Value(c, graph.Read, false)
		}
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("Bool"), X: graph.None, Off: b.Off(n)})
}

// swiftCompare: the right side of a comparison is like the left.
func swiftCompare(b *Builder, n int32, role graph.Role, want bool) int32 {
	left := b.Value(b.Field(n, "lhs"), graph.Read, true)
	swiftAlike(b, b.Field(n, "rhs"), left)
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("Bool"), X: graph.None, Off: b.Off(n)})
}
