package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

func scalaIdentifier(b *Builder, n int32, role graph.Role, want bool) int32 {
	switch string(b.t.Text(n)) {
	case "this":
		if role == graph.Call { // a constructor that runs another
			return graph.None
		}
		return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	case "super":
		return b.Expr(graph.Expr{Op: graph.OpSuper, X: graph.None, Off: b.Off(n)})
	}
	return b.Name(n, role, want)
}

// scalaWildcard is _ in an expression: the parameter of the function around it.
func scalaWildcard(b *Builder, n int32, role graph.Role, want bool) int32 {
	if l := b.local(b.Str("_")); l >= 0 {
		return b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)})
	}
	return graph.None
}

// scalaStable is a.b in a pattern.
func scalaStable(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if x < 0 {
			x = b.Value(c, graph.Read, true)
			continue
		}
		x = b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(c), Off: b.Off(c)})
	}
	return x
}

// scalaField is a.b; Outer.this is the enclosing value.
func scalaField(b *Builder, n int32, role graph.Role, want bool) int32 {
	value, field := b.Field(n, "value"), b.Field(n, "field")
	if field >= 0 && b.Text(field) == "this" {
		return b.Of(graph.OpInstance, n, b.Type(value, graph.TypeUse))
	}
	x := b.Value(value, graph.Read, true)
	if field < 0 {
		return x
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(field), Off: b.Off(field)})
}

// scalaCall is f(x), f { ... } or f: ...; further lists of arguments are calls of what it yields.
func scalaCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	fn, args := b.Field(n, "function"), b.Field(n, "arguments")
	if b.Is(fn, "call_expression") { // a further list
		v := b.Value(fn, graph.Read, true)
		scalaArguments(b, args, scalaCallee(b, v), nil)
		return v
	}
	x := b.Value(fn, graph.Call, true)
	kids := scalaArguments(b, args, x, nil)
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(kids...), N: uint16(min(len(kids)+1, 1<<16-1)), Off: b.Off(n)})
}

// scalaCallee is what the call v calls.
func scalaCallee(b *Builder, v int32) int32 {
	if v >= 0 && b.F.Exprs[v].Op == graph.OpCall {
		return b.F.Exprs[v].X
	}
	return graph.None
}

// scalaArguments appends the arguments at n of a call of callee.
func scalaArguments(b *Builder, n, callee int32, kids []int32) []int32 {
	switch b.Kind(n) {
	case "arguments":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.rule(c).Do == Comment {
				continue
			}
			v := c
			if b.Is(c, "assignment_expression") { // by name
				v = b.Field(c, "right")
			}
			if v >= 0 {
				kids = append(kids, scalaArgument(b, v, callee, len(kids)))
			}
		}
	case "":
	case "colon_argument":
		kids = append(kids, scalaColon(b, n, callee))
	default:
		kids = append(kids, scalaArgument(b, n, callee, len(kids)))
	}
	return kids
}

// scalaArgument takes an argument; one with a _ in it is a function.
func scalaArgument(b *Builder, n, callee int32, k int) int32 {
	holes := scalaHoles(b, n)
	if holes == 0 || b.Is(n, "wildcard") {
		return b.argument(n, callee, k)
	}
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	l := b.Local(b.Str("_"), b.Off(n), graph.None, graph.None, graph.InnerParam)
	kid := b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)})
	v := b.Value(n, graph.Read, true)
	b.pop()
	if holes == 1 && callee >= 0 && k <= 0xff {
		init := b.Expr(graph.Expr{Op: graph.OpArg, X: callee, N: uint16(k << 8), Off: b.Off(n)})
		b.F.Locals[l].Init = init
	}
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: b.Of(graph.OpTypeOf, n, v), Kids: b.List(kid), Off: b.Off(n)})
}

// scalaHoles is how many _ stand in the expression at n itself, not in an argument or function in it.
func scalaHoles(b *Builder, n int32) int {
	count := 0
	for i := n; i < int32(b.Node(n).Next); {
		switch b.Kind(i) {
		case "wildcard":
			count++
		case "arguments", "lambda_expression", "case_block", "block", "ascription_expression", "type_arguments", "instance_expression":
			if i != n {
				i = int32(b.Node(i).Next)
				continue
			}
			return 0
		}
		i++
	}
	return count
}

// scalaColon is an argument behind a colon: x => and lines, or just lines.
func scalaColon(b *Builder, n, callee int32) int32 {
	start := b.Field(n, "lambda_start")
	if start < 0 {
		v := graph.None
		b.Scope(func() {
			for c := b.First(n); c >= 0; c = b.Next(n, c) {
				v = b.Value(c, graph.Read, true)
			}
		})
		return v
	}
	return scalaFunctionOf(b, n, start, callee)
}

// scalaFunctionOf is the anonymous function with the parameters at params and the rest of n as body.
func scalaFunctionOf(b *Builder, n, params, callee int32) int32 {
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	var kids []int32
	add := func(id, typ int32) {
		l := b.Local(b.nodeStr(id), b.Off(id), typ, graph.None, graph.InnerParam)
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(id)}))
		if callee >= 0 && typ < 0 {
			init := b.Expr(graph.Expr{Op: graph.OpArg, X: callee, N: uint16(len(kids) - 1), Off: b.Off(id)})
			b.F.Locals[l].Init = init
		}
	}
	if b.Is(params, "bindings") {
		for c := b.First(params); c >= 0; c = b.Next(params, c) {
			if id := b.Field(c, "name"); id >= 0 {
				add(id, b.Type(b.Field(c, "type"), graph.TypeUse))
			}
		}
	} else if b.Is(params, "identifier") || b.Is(params, "wildcard") {
		add(params, graph.None)
	}
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != params && b.rule(c).Do != Comment {
			v = b.Value(c, graph.Read, true)
		}
	}
	b.pop()
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: b.Of(graph.OpTypeOf, n, v), Kids: b.List(kids...), Off: b.Off(n)})
}

func scalaLambda(b *Builder, n int32, role graph.Role, want bool) int32 {
	return scalaFunctionOf(b, n, b.Field(n, "parameters"), graph.None)
}

// scalaGeneric is f[T]: a cast, a test, or a function with type arguments.
func scalaGeneric(b *Builder, n int32, role graph.Role, want bool) int32 {
	fn := b.Field(n, "function")
	types := b.Field(n, "type_arguments")
	method := b.Text(b.Field(fn, "field"))
	x := b.Value(fn, role, true)
	if b.Text(fn) == "super" {
		b.Type(b.First(types), graph.TypeUse)
		return x
	}
	var kids []int32
	for c := b.First(types); c >= 0; c = b.Next(types, c) {
		kids = append(kids, b.Type(c, graph.TypeUse))
	}
	switch {
	case method == "asInstanceOf" && len(kids) == 1 && kids[0] >= 0:
		return b.Expr(graph.Expr{Op: graph.OpCast, X: x, Kids: b.List(kids...), Off: b.Off(n)})
	case method == "isInstanceOf":
		return b.Literal(n, "Boolean")
	}
	return b.ifWanted(x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
}

// scalaInfix is a f b, the call a.f(b), or an operator's.
func scalaInfix(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, op, right := b.Field(n, "left"), b.Field(n, "operator"), b.Field(n, "right")
	x := b.Value(left, graph.Read, true)
	if op < 0 || right < 0 {
		return x
	}
	text := b.Text(op)
	if b.Is(op, "operator_identifier") {
		switch {
		case strings.ContainsAny(text, "<>!=&|") && strings.Trim(text, "<>!=&|") == "":
			b.Value(right, graph.Read, false)
			return b.Literal(n, "Boolean")
		case strings.Trim(text, "+-*/%=") == "":
			b.Value(right, graph.Read, false)
			return x
		case text[len(text)-1] == ':': // a method of what stands behind it
			y := b.Value(right, graph.Read, true)
			f := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: y, Name: b.nodeStr(op), Off: b.Off(op)})
			return b.Expr(graph.Expr{Op: graph.OpCall, X: f, Kids: b.List(x), N: 2, Off: b.Off(n)})
		}
	}
	f := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: x, Name: b.nodeStr(op), Off: b.Off(op)})
	arg := scalaArgument(b, right, f, 0)
	return b.Expr(graph.Expr{Op: graph.OpCall, X: f, Kids: b.List(arg), N: 2, Off: b.Off(n)})
}

func scalaPrefix(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		v = b.Value(c, graph.Read, want)
	}
	return v
}

// scalaPostfix is a f, a member without a dot.
func scalaPostfix(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	x := b.Value(of, graph.Read, true)
	if id := b.Next(n, of); b.Is(id, "identifier") {
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
	}
	return x
}

// scalaNew is new T(x), which with a body makes a value of a class of its own.
func scalaNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	body := b.Child(n, "template_body")
	how := graph.Call
	if body >= 0 {
		how = graph.Inherit
	}
	var types, kids []int32
	count := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case c == body || b.rule(c).Do == Comment:
		case b.Is(c, "arguments"):
			callee := graph.None
			if len(types) > 0 {
				callee = types[0]
			}
			if kids = scalaArguments(b, c, callee, kids); count == 0 {
				count = len(kids)
			}
		case b.Is(c, "compound_type"):
			for x := b.First(c); x >= 0; x = b.Next(c, x) {
				types = append(types, b.Type(x, how))
			}
		default:
			types = append(types, b.Type(c, how))
		}
	}
	if body >= 0 || len(types) > 1 {
		sym := b.Symbol(graph.Class, graph.None, n, "(class)")
		b.Sym(sym).Flags |= graph.Anonymous
		for _, t := range types {
			if t >= 0 {
				b.AddBases(sym, t)
			}
		}
		b.push(typeFrame, sym)
		if body >= 0 {
			b.visitChildren(body)
		}
		b.pop()
		return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
	}
	if len(types) == 0 || types[0] < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpNew, X: types[0], Kids: b.List(kids...), N: uint16(min(count+1, 1<<16-1)), Off: b.Off(n)})
}

func scalaAscription(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	v := b.Value(of, graph.Read, want)
	t := graph.None
	if c := b.Next(n, of); c >= 0 && !b.Is(c, "repeated_parameter_type") {
		t = b.Type(c, graph.TypeUse)
	}
	if t < 0 {
		return v
	}
	return b.Expr(graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(t), Off: b.Off(n)})
}

func scalaInterpolated(b *Builder, n int32, role graph.Role, want bool) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "interpolated_string") {
			b.visitChildren(c)
		}
	}
	if s := b.Text(b.Field(n, "interpolator")); s != "s" && s != "f" && s != "raw" {
		return graph.None
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("String"), X: graph.None, Off: b.Off(n)})
}

// scalaNull has no type of its own.
func scalaNull(b *Builder, n int32, role graph.Role, want bool) int32 { return graph.None }
