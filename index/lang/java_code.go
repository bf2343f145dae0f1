package lang

import (
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
	if d := b.Child(b.Field(n, "type"), "dimensions"); d >= 0 && strings.Contains(b.Text(d), javaSpread) {
		flags |= graph.VariadicParam
	}
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
			t := javaDimensions(b, c, typ)
			if t >= 0 {
				b.expect(v, b.typeContext(t))
			}
			b.Local(b.nodeStr(name), b.Off(name), t, v, 0)
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
