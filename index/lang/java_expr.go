package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

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
		return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpFunc, X: t, N: graph.AnyParams, Off: b.Off(n)})
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

// javaBinary: comparisons are boolean, sums with a string are strings, others are as wide as the wider operand.
func javaBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	l, r := b.Field(n, "left"), b.Field(n, "right")
	left := b.Value(l, graph.Read, want)
	right := b.Value(r, graph.Read, want)
	if !want || l < 0 || r < 0 {
		return graph.None
	}
	switch javaOperator(b.src[b.Node(l).End:b.Off(r)]) {
	case "&&", "||", "<", ">", "<=", ">=", "==", "!=":
		return b.Literal(n, "boolean")
	case "<<", ">>", ">>>":
		return b.Expr(graph.Expr{Op: graph.OpUnion, N: graph.MeansWider, X: graph.None, Kids: b.List(left), Off: b.Off(n)})
	case "+":
		for _, x := range [...]int32{left, right} {
			if x >= 0 && b.F.Exprs[x].Op == graph.OpLiteral && b.F.Strings[b.F.Exprs[x].Name] == "String" {
				return x
			}
		}
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, N: graph.MeansWider, X: graph.None, Kids: b.List(left, right), Off: b.Off(n)})
}

// javaOperator is the operator in what stands between two operands.
func javaOperator(between []byte) string {
	for i := 0; i < len(between); {
		if n := javaToken(between[i:]); n > 0 {
			i += n
		} else if strings.IndexByte("+-*/%&|^<>=!", between[i]) >= 0 {
			end := i + 1
			for end < len(between) && strings.IndexByte("&|<>=", between[end]) >= 0 {
				end++
			}
			return string(between[i:end])
		} else {
			i++
		}
	}
	return ""
}

// javaUnary is -x, +x, ~x or !x.
func javaUnary(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.Field(n, "operand"), graph.Read, want)
	if !want || v < 0 {
		return graph.None
	}
	if b.src[b.Off(n)] == '!' {
		return b.Literal(n, "boolean")
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, N: graph.MeansWider, X: graph.None, Kids: b.List(v), Off: b.Off(n)})
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

// javaLambda notes whether calling the function can or must yield a value.
func javaLambda(b *Builder, n int32, role graph.Role, want bool) int32 {
	f := b.lambda(n, b.rule(n), want)
	if f < 0 {
		return f
	}
	e, body := &b.F.Exprs[f], b.Field(n, "body")
	switch b.Kind(body) {
	case "method_invocation", "object_creation_expression", "assignment_expression", "update_expression":
	case "block":
		if e.X >= 0 {
			e.N = graph.Stated
		} else if !javaThrows(b, body) {
			e.N = graph.Resultless
		}
	default:
		e.N = graph.Stated
	}
	return f
}

// javaThrows reports whether the block at n ends by throwing or never.
func javaThrows(b *Builder, n int32) bool {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Comment && !b.Is(c, "{") && !b.Is(c, "}") {
			last = c
		}
	}
	return last >= 0 && (b.Is(last, "throw_statement") || b.Is(last, "while_statement") || b.Is(last, "return_statement"))
}
