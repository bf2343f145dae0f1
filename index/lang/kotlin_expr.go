package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// kotlinNavigation is a.b or a?.b.
func kotlinNavigation(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	x := b.Value(of, graph.Read, true)
	for c := b.Next(n, of); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "navigation_suffix") {
			x = kotlinSuffix(b, c, x, role)
		}
	}
	return x
}

// kotlinSuffix is the member of x that the suffix at n names.
func kotlinSuffix(b *Builder, n, x int32, role graph.Role) int32 {
	id := b.First(n)
	if id < 0 {
		return x
	}
	if !b.Is(id, "simple_identifier") {
		return b.Value(id, role, true)
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
}

// kotlinCall is f(x), f<T>(x) { ... } or f { ... }: a function behind the parentheses is the last
// argument.
func kotlinCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	fn, suffix := b.First(n), b.Child(n, "call_suffix")
	if suffix < 0 {
		return b.Value(fn, graph.Read, want)
	}
	lists := []int32{suffix}
	if inner := b.Child(fn, "call_suffix"); b.Is(fn, "call_expression") && inner >= 0 && !b.Has(suffix, "value_arguments") && !b.Has(inner, "annotated_lambda") {
		fn, lists = b.First(fn), []int32{inner, suffix}
	}
	x := b.Value(fn, graph.Call, true)
	var kids []int32
	for _, list := range lists {
		for c := b.First(list); c >= 0; c = b.Next(list, c) {
			switch b.Kind(c) {
			case "type_arguments":
				if types := kotlinTypeArgs(b, c); x >= 0 {
					x = b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: types, Off: b.Off(c)})
				}
			case "value_arguments":
				kids = kotlinArguments(b, c, x, kids)
			case "annotated_lambda", "lambda_literal":
				kids = append(kids, kotlinPassed(b, c, x, kids, graph.LastArg))
			}
		}
	}
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(kids...), N: uint16(min(len(kids)+1, 1<<16-1)), Off: b.Off(n)})
}

// kotlinArguments appends the arguments at n of a call of callee.
func kotlinArguments(b *Builder, n, callee int32, kids []int32) []int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "value_argument") {
			continue
		}
		v := b.First(c)
		for x := v; x >= 0; x = b.Next(c, x) {
			if b.rule(x).Do != Comment {
				v = x
			}
		}
		if b.Is(v, "spread_expression") {
			v = b.First(v)
		}
		if v >= 0 {
			kids = append(kids, kotlinPassed(b, v, callee, kids, len(kids)))
		}
	}
	return kids
}

// kotlinInfix is a f b, the call a.f(b).
func kotlinInfix(b *Builder, n int32, role graph.Role, want bool) int32 {
	var part [3]int32
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Comment && k < 3 {
			part[k] = c
			k++
		}
	}
	if k < 3 || !b.Is(part[1], "simple_identifier") {
		b.visitChildren(n)
		return graph.None
	}
	left := b.Value(part[0], graph.Read, true)
	x := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: left, Name: b.nodeStr(part[1]), Off: b.Off(part[1])})
	arg := b.argument(part[2], x, 0)
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(arg), N: 2, Off: b.Off(n)})
}

func kotlinIndexed(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	x := b.Value(of, graph.Read, true)
	for c := b.Next(n, of); c >= 0; c = b.Next(n, c) {
		x = kotlinElement(b, c, x)
	}
	return x
}

// kotlinElement is the element of x that the suffix at n names.
func kotlinElement(b *Builder, n, x int32) int32 {
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		kids = append(kids, b.Value(c, graph.Read, true))
	}
	return b.ifWanted(x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
}

// kotlinReference is T::m, x::m, ::f or T::class.
func kotlinReference(b *Builder, n int32, role graph.Role, want bool) int32 {
	of, last := b.First(n), graph.None
	for c := of; c >= 0; c = b.Next(n, c) {
		last = c
	}
	text := b.t.Text(n)
	switch {
	case last < 0:
		return graph.None
	case bytes.HasSuffix(text, []byte("::class")):
		t := b.Type(of, graph.TypeUse)
		return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpLiteral, Name: b.Str("KClass"), X: graph.None, Off: b.Off(n)})
	case of == last && bytes.HasPrefix(text, []byte("::")):
		return b.Name(last, graph.Read, want)
	case of == last:
		return b.Value(of, graph.Read, want)
	}
	x := graph.None
	if b.local(b.nodeStr(of)) >= 0 {
		x = b.Name(of, graph.Read, true)
	} else {
		x = b.Value(of, graph.Read, true)
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: x, Name: b.nodeStr(last), Off: b.Off(last), N: graph.MeansCallable})
}

func kotlinCast(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.First(n), graph.Read, want)
	t := b.Type(kotlinTypeIn(b, n), graph.TypeUse)
	return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(t), Off: b.Off(n)})
}

// kotlinCheck is x is T or x in xs.
func kotlinCheck(b *Builder, n int32, role graph.Role, want bool) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			b.Type(c, graph.TypeUse)
		} else {
			b.Value(c, graph.Read, false)
		}
	}
	if !want {
		return graph.None
	}
	return b.Literal(n, "Boolean")
}

// kotlinBinary takes all operands; the value is like the first, or the text that is added to.
func kotlinBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	first := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if v := b.Value(c, graph.Read, want); first < 0 {
			first = v
		}
	}
	if b.Is(n, "range_expression") {
		return graph.None
	}
	return first
}

// kotlinTest takes all operands; what the first of an && shows of types holds in the next.
func kotlinTest(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Scope(func() {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			b.Value(c, graph.Read, false)
			switch b.Kind(n) {
			case "conjunction_expression":
				kotlinNarrow(b, c, true)
			case "disjunction_expression":
				kotlinNarrow(b, c, false)
			}
		}
	})
	if !want {
		return graph.None
	}
	return b.Literal(n, "Boolean")
}

// kotlinUnary is !x, -x, x++ or x!!.
func kotlinUnary(b *Builder, n int32, role graph.Role, want bool) int32 {
	text := b.t.Text(n)
	if bytes.HasPrefix(text, []byte("++")) || bytes.HasPrefix(text, []byte("--")) || bytes.HasSuffix(text, []byte("++")) || bytes.HasSuffix(text, []byte("--")) {
		role = graph.Write
	} else if !bytes.HasSuffix(text, []byte("!!")) {
		role = graph.Read
	}
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if x := b.Value(c, role, want); x >= 0 {
			v = x
		}
	}
	return v
}

// kotlinThis is this, or this@Outer.
func kotlinThis(b *Builder, n int32, role graph.Role, want bool) int32 {
	if c := b.Child(n, "type_identifier"); c >= 0 {
		name := b.nodeStr(c)
		for in := b.in; in >= 0; in = b.F.Symbols[in].Container {
			if s := &b.F.Symbols[in]; s.Name == name && s.Kind.Callable() && s.Owner >= 0 {
				return b.Of(graph.OpInstance, n, s.Owner)
			} else if s.Name == name && s.Kind.Type() {
				return b.Of(graph.OpInstance, n, b.Name(c, graph.TypeUse, true))
			}
		}
		return graph.None
	}
	if b.Scratch[0] > 0 {
		if on := b.F.List(uint32(b.Scratch[0]))[0]; b.F.Exprs[on].Op != graph.OpArg {
			return on
		}
	}
	return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
}

// kotlinAssign is x = v, x.y = v, x[i] += v.
func kotlinAssign(b *Builder, n int32) bool {
	left := b.First(n)
	if left < 0 {
		return true
	}
	v := graph.None
	for c := b.Next(n, left); c >= 0; c = b.Next(n, c) {
		v = b.Value(c, graph.Read, true)
	}
	target := b.First(left)
	if target < 0 || !b.Is(left, "directly_assignable_expression") {
		b.AssignTo(left, v, graph.None)
		return true
	}
	if b.Next(left, target) < 0 && b.Is(target, "simple_identifier") && b.local(b.nodeStr(target)) < 0 {
		kotlinName(b, target, graph.Write, true)
		return true
	}
	if b.Next(left, target) < 0 {
		b.AssignTo(target, v, graph.None)
		return true
	}
	x := b.Value(target, graph.Read, true)
	for c := b.Next(left, target); c >= 0; c = b.Next(left, c) {
		role := graph.Read
		if b.Next(left, c) < 0 {
			role = graph.Write
		}
		if b.Is(c, "navigation_suffix") {
			x = kotlinSuffix(b, c, x, role)
		} else {
			x = kotlinElement(b, c, x)
		}
	}
	return true
}
