package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// csVariables declares local variables.
func csVariables(b *Builder, n int32) bool {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "variable_declarator") {
			continue
		}
		init := csInitializer(b, c, typ)
		if name := b.Field(c, "name"); name >= 0 {
			b.DeclareLocal(name, typ, init)
		} else if p := b.Child(c, "tuple_pattern"); p >= 0 {
			b.BindPattern(p, init)
		}
	}
	return true
}

// csBound is what a catch clause catches.
func csBound(b *Builder, n int32) bool {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	if name := b.Field(n, "name"); name >= 0 {
		b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, 0)
	}
	return true
}

func csForEach(b *Builder, n int32) bool {
	b.Scope(func() {
		v := b.Value(b.Field(n, "right"), graph.Read, true)
		typ := b.Type(b.Field(n, "type"), graph.TypeUse)
		elem := b.Of(graph.OpElem, n, v)
		if left := b.Field(n, "left"); b.Is(left, "identifier") {
			b.DeclareLocal(left, typ, elem)
		} else if left >= 0 {
			b.BindPattern(left, elem)
		}
		if body := b.Field(n, "body"); body >= 0 {
			b.Visit(body)
		}
	})
	return true
}

func csQualified(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csDot(b, csQualifier(b, b.Field(n, "qualifier")), b.Field(n, "name"), role, false)
}

func csGlobal(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csGlobalType(b, n, role)
}

func csGenericValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	id, list := b.Child(n, "identifier"), b.Child(n, "type_argument_list")
	if id < 0 {
		return graph.None
	}
	return csApply(b, n, b.Name(id, role, true), list)
}

func csMember(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csDot(b, csQualifier(b, b.Field(n, "expression")), b.Field(n, "name"), role, false)
}

// csQualifier is what stands before a dot: where it is applied to type arguments, a type.
func csQualifier(b *Builder, n int32) int32 {
	switch b.Kind(n) {
	case "generic_name":
		return csGeneric(b, n, graph.Read)
	case "member_access_expression":
		if name := b.Field(n, "name"); b.Is(name, "generic_name") {
			return csDot(b, csQualifier(b, b.Field(n, "expression")), name, graph.Read, true)
		}
	}
	return b.Value(n, graph.Read, true)
}

// csConditionalAccess is x?.rest: what binds in the rest binds to x.
func csConditionalAccess(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.Field(n, "condition")
	x := b.Value(cond, graph.Read, true)
	saved := b.Scratch[1]
	b.Scratch[1] = x
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != cond {
			v = b.Value(c, role, true)
		}
	}
	b.Scratch[1] = saved
	return v
}

func csBinding(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csDot(b, b.Scratch[1], b.Field(n, "name"), role, false)
}

func csElementBinding(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Scratch[1]
	b.visitChildren(n)
	return b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Off: b.Off(n)})
}

func csArgument(b *Builder, n int32, role graph.Role, want bool) int32 {
	v, name := graph.None, graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "name_colon"):
			name = b.First(c)
		case b.InField(c, "name"):
			name = c
		default:
			v = b.Value(c, graph.Read, want)
		}
	}
	if name >= 0 && v >= 0 {
		v = b.Expr(graph.Expr{Op: graph.OpNamed, X: v, Name: b.nodeStr(name), Off: b.Off(n)})
	}
	return v
}

// csNew is new T(...) with an initializer.
func csNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.callee(b.Field(n, "type"), graph.Call, false)
	return csMade(b, n, x, b.Field(n, "arguments"), b.Field(n, "initializer"))
}

// csImplicitNew is new(...) where nothing says of what.
func csImplicitNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csMake(b, n, graph.None)
}

// csMake is new(...) of type typ.
func csMake(b *Builder, n, typ int32) int32 {
	return csMade(b, n, typ, b.Child(n, "argument_list"), b.Child(n, "initializer_expression"))
}

func csMade(b *Builder, n, x, args, init int32) int32 {
	var kids uint32
	count := 0
	if args >= 0 {
		kids, count = b.argumentList(args, x)
	}
	e := graph.None
	if x >= 0 {
		e = b.Expr(graph.Expr{Op: graph.OpNew, X: x, Kids: kids, N: uint16(count + 1), Off: b.Off(n)})
	}
	if init >= 0 {
		csMembers(b, init, e)
	}
	return e
}

// csMembers takes an initializer of value x: its assignments are to members of x.
func csMembers(b *Builder, n, x int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		left, right := b.Field(c, "left"), b.Field(c, "right")
		if !b.Is(c, "assignment_expression") || !b.Is(left, "identifier") || x < 0 {
			b.Value(c, graph.Read, false)
			continue
		}
		m := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, X: x, Name: b.nodeStr(left), Off: b.Off(left)})
		if b.Is(right, "initializer_expression") {
			csMembers(b, right, m)
		} else {
			b.Value(right, graph.Read, false)
		}
	}
}

// csWith is x with { A = v }, a changed copy of x.
func csWith(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "with_initializer") {
			x = b.Value(c, graph.Read, true)
			continue
		}
		name := b.First(c)
		if name < 0 {
			continue
		}
		if x >= 0 && b.Is(name, "identifier") {
			b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
		}
		for k := b.Next(c, name); k >= 0; k = b.Next(c, k) {
			if !b.Is(k, "=") {
				b.Value(k, graph.Read, false)
			}
		}
	}
	return x
}

// csAnonymous is new { A = v, x.B }: only its values are known.
func csAnonymous(b *Builder, n int32, role graph.Role, want bool) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if next := b.Next(n, c); next >= 0 && b.Is(next, "=") || b.Is(c, "=") {
			continue
		}
		b.Value(c, graph.Read, false)
	}
	return graph.None
}

func csNewArray(b *Builder, n int32, role graph.Role, want bool) int32 {
	t := b.Type(b.Field(n, "type"), graph.TypeUse)
	if init := b.Child(n, "initializer_expression"); init >= 0 {
		b.Value(init, graph.Read, false)
	}
	if rank := b.Find(n, "array_rank_specifier"); rank >= 0 {
		b.visitChildren(rank)
	}
	return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpCast, X: graph.None, Kids: b.List(t), Off: b.Off(n)})
}

func csSequence(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Value(b.Child(n, "initializer_expression"), graph.Read, want)
}

// csLambda is a function without a name; it notes what its body says of its result.
func csLambda(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.lambda(n, b.rule(n), want)
	if v < 0 {
		return v
	}
	body := b.Field(n, "body")
	if body < 0 {
		body = b.Child(n, "block")
	}
	e := &b.F.Exprs[v]
	switch m := b.Child(n, "modifier"); {
	case b.Is(n, "anonymous_method_expression") && b.Field(n, "parameters") < 0 && b.Child(n, "parameter_list") < 0:
		e.N = graph.AnyParams
	case m >= 0 && b.Text(m) == "async" && b.Is(body, "block"):
		if e.N = graph.Later; e.X < 0 && !csThrowsOnly(b, body) {
			e.N = graph.LaterResultless
		}
	case m >= 0 && b.Text(m) == "async":
		switch b.Kind(body) {
		case "invocation_expression", "await_expression", "assignment_expression", "object_creation_expression":
			e.N = graph.LaterEither
		default:
			e.N = graph.Later
		}
	case b.Is(body, "block"):
		if e.X < 0 && !csThrowsOnly(b, body) {
			e.N = graph.Resultless
		}
	case !csStatement(b.Kind(body)):
		e.N = graph.Stated
	}
	return v
}

// csStatement reports whether an expression of that kind may be a statement.
func csStatement(kind string) bool {
	switch kind {
	case "invocation_expression", "assignment_expression", "await_expression", "object_creation_expression", "postfix_unary_expression", "prefix_unary_expression",
		"conditional_access_expression", "throw_expression":
		return true
	}
	return false
}

// csThrowsOnly reports whether the last statement of block n leaves it by an error.
func csThrowsOnly(b *Builder, n int32) bool {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Comment {
			last = c
		}
	}
	return b.Is(last, "throw_statement")
}

// isString reports whether expression x is a literal text.
func (b *Builder) isString(x int32) bool {
	return x >= 0 && b.F.Exprs[x].Op == graph.OpLiteral && b.F.Strings[b.F.Exprs[x].Name] == "string"
}

// csNumber is a number of the type that its suffix says.
func csNumber(b *Builder, n int32, role graph.Role, want bool) int32 {
	text := strings.ToLower(b.Text(n))
	typ := "int"
	whole := b.Is(n, "integer_literal")
	hex := strings.HasPrefix(text, "0x")
	switch end := strings.TrimLeft(text, "0123456789abcdefx_."); {
	case hex && !strings.ContainsAny(text, "ul"):
	case strings.HasSuffix(text, "ul") || strings.HasSuffix(text, "lu"):
		typ = "ulong"
	case strings.HasSuffix(text, "l"):
		typ = "long"
	case strings.HasSuffix(text, "u"):
		typ = "uint"
	case end == "m":
		typ = "decimal"
	case strings.HasSuffix(text, "f"):
		typ = "float"
	case !whole || strings.HasSuffix(text, "d"):
		typ = "double"
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str(typ), X: graph.None, Off: b.Off(n)})
}

func csAwait(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Of(graph.OpAwait, n, b.Value(b.First(n), graph.Read, want))
}

func csBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	l, r := b.Field(n, "left"), b.Field(n, "right")
	lit := ""
	switch {
	case b.Has(n, "is"):
		b.Value(l, graph.Read, false)
		b.Type(r, graph.TypeUse)
		lit = "bool"
	case b.Has(n, "as"):
		v := b.Value(l, graph.Read, want)
		t := b.Type(r, graph.TypeUse)
		return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(t), Off: b.Off(n)})
	case b.Has(n, "&&", "||", "==", "!=", "<", ">", "<=", ">="):
		lit = "bool"
		b.Value(l, graph.Read, false)
		b.Value(r, graph.Read, false)
	default:
		x, y := b.Value(l, graph.Read, want), b.Value(r, graph.Read, want)
		if x < 0 || b.isString(y) && b.Has(n, "+") { // text is put together of anything
			return y
		}
		return x
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str(lit), X: graph.None, Off: b.Off(n)})
}
