package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// javaTypeName: var is no type but asks for the initializer's.
func javaTypeName(b *Builder, n int32, role graph.Role) int32 {
	if string(b.t.Text(n)) == "var" {
		return graph.None
	}
	return b.Name(n, role, true)
}

// javaScopedType is Outer.Inner or a.b.C; its last name has the role.
func javaScopedType(b *Builder, n int32, role graph.Role) int32 {
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case strings.HasSuffix(b.Kind(c), "annotation"):
			b.Visit(c)
		case x < 0:
			x = b.Type(c, graph.TypeUse)
		default:
			x = b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(c), Off: b.Off(c)})
		}
	}
	return x
}

func javaArrayType(b *Builder, n int32, role graph.Role) int32 {
	t := b.Type(b.Field(n, "element"), role)
	return javaDimensions(b, n, t)
}

func javaAnnotated(b *Builder, n int32, role graph.Role) int32 {
	t := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if strings.HasSuffix(b.Kind(c), "annotation") {
			b.Visit(c)
		} else {
			t = b.Type(c, role)
		}
	}
	return t
}

// javaWildcard is ?, ? extends T or ? super T: of what it holds only an upper bound is known.
func javaWildcard(b *Builder, n int32, role graph.Role) int32 {
	t := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "super") {
			t = b.Type(c, graph.TypeUse)
		}
	}
	return t
}

func javaAnnotation(b *Builder, n int32) bool {
	name, args := b.Field(n, "name"), b.Field(n, "arguments")
	t := b.Type(name, graph.TypeUse)
	of := b.Of(graph.OpInstance, n, t)
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		if !b.Is(c, "element_value_pair") {
			b.Value(c, graph.Read, false)
			continue
		}
		if key := b.Field(c, "key"); key >= 0 && of >= 0 {
			b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, N: graph.MeansCallable, X: of, Name: b.nodeStr(key), Off: b.Off(key)})
		}
		b.Value(b.Field(c, "value"), graph.Read, false)
	}
	return true
}

func javaAnnotationValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	javaAnnotation(b, n)
	return graph.None
}

// javaTypeOf takes the type in a declaration of one name, and finds the name.
func javaTypeOf(b *Builder, n int32) (typ, name int32) {
	typ, name = graph.None, b.Field(n, "name")
	t := b.Field(n, "type")
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "modifiers":
		case "variable_declarator":
			name = b.Field(c, "name")
		case "identifier":
			if name < 0 {
				name = c
			}
		default:
			if t < 0 && !b.InField(c, "value") && b.rule(c).Do != Comment {
				t = c
			}
		}
	}
	if t >= 0 {
		typ = b.Type(t, graph.TypeUse)
	}
	return javaDimensions(b, n, typ), name
}

func javaParameter(b *Builder, n int32) bool {
	javaModifiers(b, n)
	typ, name := javaTypeOf(b, n)
	flags := graph.Param
	if b.Is(n, "spread_parameter") {
		flags |= graph.VariadicParam
		typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: b.Off(n)})
	}
	if name >= 0 {
		b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, flags)
	} else {
		b.Local(0, b.Off(n), typ, graph.None, flags)
	}
	return true
}

// javaBound binds one name of a declared type: a resource, a caught exception, a pattern.
func javaBound(b *Builder, n int32) bool {
	if b.Is(n, "resource") && b.Field(n, "name") < 0 { // a variable declared before
		return b.visitAll(n)
	}
	javaModifiers(b, n)
	typ, name := javaTypeOf(b, n)
	init := b.Value(b.Field(n, "value"), graph.Read, true)
	if name >= 0 {
		b.Local(b.nodeStr(name), b.Off(name), typ, init, 0)
	}
	return true
}

func javaLocals(b *Builder, n int32) bool {
	javaModifiers(b, n)
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "declarator") {
			continue
		}
		v := b.Value(b.Field(c, "value"), graph.Read, true)
		if name := b.Field(c, "name"); name >= 0 {
			b.Local(b.nodeStr(name), b.Off(name), javaDimensions(b, c, typ), v, 0)
		}
	}
	return true
}

func javaForEach(b *Builder, n int32) bool {
	b.Scope(func() {
		javaModifiers(b, n)
		v := b.Value(b.Field(n, "value"), graph.Read, true)
		typ := b.Type(b.Field(n, "type"), graph.TypeUse)
		if name := b.Field(n, "name"); name >= 0 {
			b.Local(b.nodeStr(name), b.Off(name), javaDimensions(b, n, typ), b.Of(graph.OpElem, n, v), 0)
		}
		b.Visit(b.Field(n, "body"))
	})
	return true
}

func javaSwitch(b *Builder, n int32) bool {
	javaSwitchValue(b, n, graph.Read, false)
	return true
}

// javaSwitchValue: the labels of a switch may be members of what is switched on.
func javaSwitchValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	saved := b.Scratch
	b.Scratch[1] = b.Value(b.Field(n, "condition"), graph.Read, true)
	body := b.Field(n, "body")
	var kids []int32
	b.Scope(func() {
		for c := b.First(body); c >= 0; c = b.Next(body, c) {
			if v := javaCase(b, c, want); v >= 0 && len(kids) < maxValues {
				kids = append(kids, v)
			}
		}
	})
	b.Scratch = saved
	return b.ifWanted(want && len(kids) > 0, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// javaCase is one case; in the arrow form it may have a value.
func javaCase(b *Builder, n int32, want bool) int32 {
	if !b.Is(n, "switch_rule") {
		b.Visit(n)
		return graph.None
	}
	v := graph.None
	b.Scope(func() {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.Is(c, "expression_statement") {
				v = b.Value(b.First(c), graph.Read, want)
			} else {
				b.Visit(c)
			}
		}
	})
	return v
}

func javaLabel(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "identifier") {
			b.Visit(c)
			continue
		}
		name := b.nodeStr(c)
		e := graph.Expr{Op: graph.OpMember, Role: graph.Read, N: 1, X: b.Scratch[1], Name: name, Off: b.Off(c)}
		if b.local(name) >= 0 {
			e.N = 2
		}
		b.Expr(e)
	}
	return true
}

func javaRecordPattern(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "record_pattern_body") {
			b.visitChildren(c)
		} else {
			b.Type(c, graph.TypeUse)
		}
	}
	return true
}

// javaConstructorCall is this(...) or super(...).
func javaConstructorCall(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "arguments"):
			b.argumentList(c, graph.None)
		case b.Is(c, "type_arguments"):
			javaTypes(b, c)
		default:
			b.Value(c, graph.Read, false)
		}
	}
	return true
}

// javaFieldAccess is x.f; Outer.this is the enclosing instance.
func javaFieldAccess(b *Builder, n int32, role graph.Role, want bool) int32 {
	if f := b.Field(n, "field"); b.Is(f, "this") {
		return b.Of(graph.OpInstance, n, b.Type(b.Field(n, "object"), graph.TypeUse))
	}
	return b.member(n, b.rule(n), role, true)
}

// javaCall is m(...) or x.m(...): the name of a method is no variable's.
func javaCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	obj, name, args := b.Field(n, "object"), b.Field(n, "name"), b.Field(n, "arguments")
	e := graph.Expr{Op: graph.OpName, Role: graph.Call, X: graph.None}
	if obj >= 0 {
		e.Op = graph.OpMember
		if b.Has(n, "super") && !b.Is(obj, "super") { // Interface.super.m()
			e.X = b.Of(graph.OpInstance, n, b.Type(obj, graph.TypeUse))
		} else {
			e.X = b.Value(obj, graph.Read, true)
		}
	}
	if c := b.Field(n, "type_arguments"); c >= 0 {
		javaTypes(b, c)
	}
	x := graph.None
	if name >= 0 {
		e.Name, e.Off = b.nodeStr(name), b.Off(name)
		x = b.Expr(e)
	}
	var kids uint32
	count := 0
	if args >= 0 {
		kids, count = b.argumentList(args, x)
	}
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: kids, N: uint16(min(count+1, 1<<16-1)), Off: b.Off(n)})
}

// javaNew is new T(...), which with a body makes an anonymous subclass of T.
func javaNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	typ, args := b.Field(n, "type"), b.Field(n, "arguments")
	body := b.Child(n, "class_body")
	outer := graph.None
	if c := b.First(n); c >= 0 && c != typ && !strings.HasSuffix(b.Kind(c), "annotation") && !b.Is(c, "type_arguments") && !b.Is(c, "new") {
		outer = b.Value(c, graph.Read, true)
	}
	how := graph.Call
	if body >= 0 {
		how = graph.Inherit
	}
	var t int32
	if outer >= 0 && b.rule(typ).Do == TypeIdent { // a class inside the outer object's
		t = b.Expr(graph.Expr{Op: graph.OpMember, Role: how, X: outer, Name: b.nodeStr(typ), Off: b.Off(typ)})
	} else {
		t = b.Type(typ, how)
	}
	var kids uint32
	count := 0
	if args >= 0 {
		kids, count = b.argumentList(args, t)
	}
	if body >= 0 {
		sym := javaAnonymous(b, body, t)
		return b.ifWanted(want, graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
	}
	if t < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpNew, X: t, Kids: kids, N: uint16(min(count+1, 1<<16-1)), Off: b.Off(n)})
}

// javaNewArray is new T[n] or new T[] {...}.
func javaNewArray(b *Builder, n int32, role graph.Role, want bool) int32 {
	t := b.Type(b.Field(n, "type"), graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "dimensions_expr":
			b.visitChildren(c)
			t = b.Expr(graph.Expr{Op: graph.OpArray, X: t, Off: b.Off(n)})
		case "dimensions":
			for range strings.Count(b.Text(c), "[") {
				t = b.Expr(graph.Expr{Op: graph.OpArray, X: t, Off: b.Off(n)})
			}
		}
	}
	b.Value(b.Field(n, "value"), graph.Read, false)
	return t
}

// javaMethodRef is x::m, a method as a value; T::new is the type's use.
func javaMethodRef(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	if of < 0 {
		return graph.None
	}
	last := of
	for c := of; c >= 0; c = b.Next(n, c) {
		last = c
	}
	if b.Is(last, "new") || last == of {
		t := b.Type(of, graph.TypeUse)
		return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpFunc, X: t, Off: b.Off(n)})
	}
	x := b.Value(of, graph.Read, true)
	if d := b.rule(of).Do; x < 0 && (d == GenericType || d == ArrayType || d == TypeIdent) {
		x = b.Type(of, graph.TypeUse)
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, N: graph.MeansCallable, X: x, Name: b.nodeStr(last), Off: b.Off(last)})
}

func javaUpdate(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Value(b.First(n), graph.Write, want)
}

// javaBinary: comparisons are boolean, sums with a string are strings.
func javaBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	l, r := b.Field(n, "left"), b.Field(n, "right")
	left := b.Value(l, graph.Read, want)
	right := b.Value(r, graph.Read, want)
	if !want || l < 0 || r < 0 {
		return graph.None
	}
	if bytes.ContainsAny(b.src[b.Node(l).End:b.Off(r)], "&|<>=!") {
		return b.Literal(n, "boolean")
	}
	for _, x := range [...]int32{left, right} {
		if x >= 0 && b.F.Exprs[x].Op == graph.OpLiteral {
			switch b.F.Strings[b.F.Exprs[x].Name] {
			case "String", "double":
				return x
			}
		}
	}
	return max(left, graph.None)
}

// javaInstanceOf may bind the tested value under a name.
func javaInstanceOf(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Value(b.Field(n, "left"), graph.Read, false)
	if p := b.Field(n, "pattern"); p >= 0 {
		b.Visit(p)
	}
	t := b.Type(b.Field(n, "right"), graph.TypeUse)
	if name := b.Field(n, "name"); name >= 0 {
		b.Local(b.nodeStr(name), b.Off(name), t, graph.None, 0)
	}
	if !want {
		return graph.None
	}
	return b.Literal(n, "boolean")
}

func javaClassLiteral(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Type(b.First(n), graph.TypeUse)
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("Class"), X: graph.None, Off: b.Off(n)})
}

func javaNumber(b *Builder, n int32, role graph.Role, want bool) int32 {
	if !want {
		return graph.None
	}
	text := strings.ToLower(b.Text(n))
	hex := strings.HasPrefix(text, "0x")
	switch {
	case strings.HasSuffix(text, "l"):
		return b.Literal(n, "long")
	case strings.HasSuffix(text, "f") && !hex:
		return b.Literal(n, "float")
	case strings.Contains(b.Kind(n), "floating"):
		return b.Literal(n, "double")
	}
	return b.Literal(n, "int")
}

// javaNull has no type of its own.
func javaNull(b *Builder, n int32, role graph.Role, want bool) int32 { return graph.None }
