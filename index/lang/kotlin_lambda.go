package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// In Kotlin, Scratch[0] is the list of what the functions around that are passed on may be run on,
// the innermost first, and Scratch[1] what the next such function may be run on.

// kotlinName is a name; in a function that is passed on it may be a member of what that is run on.
func kotlinName(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Name(n, role, want)
	if x >= 0 && b.Scratch[0] > 0 && b.F.Exprs[x].Op == graph.OpName {
		b.F.Exprs[x].Kids = uint32(b.Scratch[0])
	}
	return x
}

// kotlinPassed takes argument k, at n, of a call of callee, behind the arguments kids.
func kotlinPassed(b *Builder, n, callee int32, kids []int32, k int) int32 {
	on := graph.None
	if callee >= 0 && k <= graph.LastArg && (b.Is(n, "annotated_lambda") || b.Is(n, "lambda_literal")) {
		switch e := b.F.Exprs[callee]; b.F.Strings[e.Name] {
		case "apply", "run":
			if e.Op == graph.OpMember {
				on = e.X
			}
		case "with":
			if e.Op == graph.OpName && len(kids) == 1 {
				on = kids[0]
			}
		}
		if on < 0 {
			on = b.Expr(graph.Expr{Op: graph.OpArg, X: callee, N: uint16(k<<8 | graph.ArgReceiver), Off: b.Off(n)})
		}
	}
	b.Scratch[1] = on
	v := b.argument(n, callee, k)
	b.Scratch[1] = graph.None
	return v
}

// kotlinRunOn makes on the innermost value that names may be members of.
func kotlinRunOn(b *Builder, on int32) {
	if on < 0 {
		return
	}
	list := []int32{on}
	if b.Scratch[0] > 0 {
		list = append(list, b.F.List(uint32(b.Scratch[0]))...)
	}
	b.Scratch[0] = int32(b.List(list[:min(len(list), maxValues)]...))
}

// kotlinLambda is { a, b -> ... }; without parameters its one is `it`.
func kotlinLambda(b *Builder, n int32, role graph.Role, want bool) int32 {
	saved := b.Scratch
	kotlinRunOn(b, b.Scratch[1])
	b.Scratch[1] = graph.None
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	var params []int32
	add := func(name, off uint32, t int32) int32 {
		l := b.Local(name, off, t, graph.None, graph.InnerParam)
		params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: off}))
		return params[len(params)-1]
	}
	list := b.Child(n, "lambda_parameters")
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		switch b.Kind(c) {
		case "variable_declaration":
			if id := b.Child(c, "simple_identifier"); id >= 0 {
				add(b.nodeStr(id), b.Off(id), kotlinDeclared(b, c))
			}
		case "multi_variable_declaration":
			kotlinDeclare(b, c, add(0, b.Off(c), graph.None), 0)
		}
	}
	if list < 0 && b.src[b.Node(n).End-1] == '}' {
		add(b.Str("it"), b.Off(n), graph.None)
	}
	result := graph.None
	if c := b.Child(n, "statements"); c >= 0 {
		if v := b.Value(c, graph.Read, want); v >= 0 {
			result = b.Of(graph.OpTypeOf, n, v)
		}
	}
	b.pop()
	b.Scratch = saved
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

// kotlinAnonymous is fun(x: A): B { ... }.
func kotlinAnonymous(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.push(funcFrame, graph.None)
	b.frame().sym, b.frame().rets = graph.None, []int32{}
	from := len(b.F.Locals)
	result, list := graph.None, b.Child(n, "function_value_parameters")
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "function_body"):
			kotlinFunctionBody(b, graph.None, c)
		case kotlinIsType(b, c) && c < list:
			b.Type(c, graph.TypeUse)
		case kotlinIsType(b, c):
			result = b.Type(c, graph.TypeUse)
		default:
			b.Visit(c)
		}
	}
	var params []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Flags&graph.Param != 0 {
			l.Flags = l.Flags&^graph.Param | graph.InnerParam
			params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: int32(i), Off: l.Off}))
		}
	}
	if v := b.anyValue(n, b.frame().rets, want); result < 0 && v >= 0 {
		result = b.Of(graph.OpTypeOf, n, v)
	}
	b.pop()
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

// kotlinObject is object : T { ... }, a value of a class of its own.
func kotlinObject(b *Builder, n int32, role graph.Role, want bool) int32 {
	sym := b.Symbol(graph.Class, graph.None, n, "(object)")
	b.Sym(sym).Flags |= graph.Anonymous
	saved := b.Scratch
	b.Scratch[0] = graph.None
	b.push(typeFrame, sym)
	kotlinBases(b, sym, n)
	if c := b.Child(n, "class_body"); c >= 0 {
		b.visitChildren(c)
	}
	b.pop()
	b.Scratch = saved
	return b.ifWanted(want, graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
}
