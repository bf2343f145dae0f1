package lang

import (
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// swiftIdentifier is a name, or behind a dot that nothing stands before a member of the expected type.
func swiftIdentifier(b *Builder, n int32, role graph.Role, want bool) int32 {
	if off := b.Off(n); off > 0 && b.src[off-1] == '.' && (off < 2 || b.src[off-2] != '.') {
		return swiftImplicit(b, n, role)
	}
	return b.Name(n, role, want)
}

func swiftImplicit(b *Builder, n int32, role graph.Role) int32 {
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: b.Scratch[0], Name: b.nodeStr(n), Off: b.Off(n)})
}

func swiftPrefix(b *Builder, n int32, role graph.Role, want bool) int32 {
	target := b.Field(n, "target")
	if b.src[b.Off(n)] == '.' && b.Is(target, "simple_identifier") {
		return swiftImplicit(b, target, role)
	}
	if b.src[b.Off(n)] == '&' {
		role = graph.Write
	} else {
		role = graph.Read
	}
	return b.Value(target, role, want)
}

// swiftChain is f(x) { ... }, x[i], a.b, a?.b, a.0 or a!: a value with suffixes. The grammar binds
// suffixes less than operators: they are the last operand's.
func swiftChain(b *Builder, n int32, role graph.Role, want bool) int32 {
	return swiftSuffixed(b, n, nil, role)
}

// swiftSuffixed takes the value at n as if the suffixes of the nodes behind followed it.
func swiftSuffixed(b *Builder, n int32, behind []int32, role graph.Role) int32 {
	switch b.Kind(n) {
	case "call_expression":
		if b.Child(n, "call_suffix") >= 0 {
			return swiftSuffixed(b, b.First(n), append([]int32{n}, behind...), role)
		}
	case "navigation_expression", "postfix_expression":
		if t := b.Field(n, "target"); !swiftIsType(b, t) {
			return swiftSuffixed(b, t, append([]int32{n}, behind...), role)
		}
	case "prefix_expression":
		if b.src[b.Off(n)] != '.' && len(behind) > 0 {
			return swiftSuffixed(b, b.Field(n, "target"), behind, role)
		}
	default:
		if r := b.rule(n); r.Do == BinaryExpr && len(behind) > 0 {
			return swiftOperands(b, n, behind)
		}
	}
	how := role
	if len(behind) > 0 {
		how = swiftHow(b, behind, role)
	}
	var x int32
	if t := b.Field(n, "target"); b.Is(n, "navigation_expression") && swiftIsType(b, t) {
		x = swiftMember(b, n, b.Type(t, graph.TypeUse), how)
	} else {
		x = b.Value(n, how, true)
	}
	for i, s := range behind {
		x = swiftSuffix(b, s, x, swiftHow(b, behind[i+1:], role))
	}
	return x
}

// swiftHow is how a value is used that the suffixes of the nodes behind follow.
func swiftHow(b *Builder, behind []int32, role graph.Role) graph.Role {
	for _, s := range behind {
		switch {
		case b.Is(s, "postfix_expression"):
		case b.Is(s, "call_expression") && b.src[b.Off(b.Child(s, "call_suffix"))] != '[':
			return graph.Call
		default:
			return graph.Read
		}
	}
	return role
}

// swiftOperands takes the operands of the operator at n; suffixes behind follow the last.
func swiftOperands(b *Builder, n int32, behind []int32) int32 {
	first, second := b.Field(n, "lhs"), b.Field(n, "rhs")
	if first < 0 {
		first, second = b.Field(n, "value"), b.Field(n, "if_nil")
	}
	left := b.Value(first, graph.Read, true)
	saved := b.Scratch
	b.Scratch[0] = left
	right := swiftSuffixed(b, second, behind, graph.Read)
	b.Scratch = saved
	switch {
	case b.rule(n).Eval != nil:
		return b.Literal(n, "Bool")
	case left < 0:
		return right
	}
	return left
}

// swiftSuffix applies the suffix of node n to x.
func swiftSuffix(b *Builder, n, x int32, role graph.Role) int32 {
	switch b.Kind(n) {
	case "call_expression":
		suffix := b.Child(n, "call_suffix")
		if b.src[b.Off(suffix)] != '[' {
			return swiftApply(b, n, x, suffix)
		}
		kids := swiftArguments(b, suffix, graph.None, nil)
		return b.ifWanted(x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
	case "navigation_expression":
		return swiftMember(b, n, x, role)
	}
	return x
}

// swiftMember is the member of x that the suffix of n names.
func swiftMember(b *Builder, n, x int32, role graph.Role) int32 {
	id := b.First(b.Field(n, "suffix"))
	switch {
	case id < 0 || b.Text(id) == "self":
		return x
	case b.Is(id, "integer_literal"):
		k, err := strconv.Atoi(b.Text(id))
		if err != nil {
			return graph.None
		}
		return b.Part(id, x, k)
	case !b.Is(id, "simple_identifier"):
		return b.Value(id, role, true)
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
}

// swiftKeyPath is \A.b: a value of A whose members are named.
func swiftKeyPath(b *Builder, n int32, role graph.Role, want bool) int32 {
	c := b.First(n)
	if c < 0 {
		return graph.None
	}
	return b.Of(graph.OpInstance, n, b.Type(c, graph.TypeUse))
}

// swiftConstruct is A<B>(x).
func swiftConstruct(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Type(b.Field(n, "constructed_type"), graph.Call)
	return swiftApply(b, n, x, b.Child(n, "constructor_suffix"))
}

// swiftApply is the call of x with the arguments in suffix, whose labels are its name.
func swiftApply(b *Builder, n, x, suffix int32) int32 {
	var labels strings.Builder
	kids := swiftArguments(b, suffix, x, &labels)
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Name: b.Str(labels.String()), Kids: b.List(kids...), N: uint16(min(len(kids)+1, 1<<16-1)), Off: b.Off(n)})
}

// swiftArguments takes the arguments in the suffix of a call of callee, and notes their labels: _ for
// none, * where a function behind the parentheses may be any.
func swiftArguments(b *Builder, suffix, callee int32, labels *strings.Builder) []int32 {
	saved := b.Scratch
	b.Scratch[0] = graph.None
	var kids []int32
	note := func(label string) {
		if labels != nil {
			labels.WriteString(label + ":")
		}
	}
	label := "*"
	for c := b.First(suffix); c >= 0; c = b.Next(suffix, c) {
		switch b.Kind(c) {
		case "simple_identifier": // of the function that follows
			label = b.Text(c)
		case "lambda_literal":
			note(label)
			at := len(kids)
			if label == "*" {
				at = graph.LastArg
			}
			kids = append(kids, b.argument(c, callee, at))
			label = "*"
		case "value_arguments":
			for a := b.First(c); a >= 0; a = b.Next(c, a) {
				if v, name := swiftArgument(b, a); v >= 0 {
					note(name)
					if b.Scratch[0] = graph.None; callee >= 0 && b.src[b.Off(v)] == '.' {
						b.Scratch[0] = b.Expr(graph.Expr{Op: graph.OpTaken, X: callee, N: uint16(len(kids)), Off: b.Off(v)})
					}
					kids = append(kids, b.argument(v, callee, len(kids)))
				}
			}
		}
	}
	b.Scratch = saved
	return kids
}

// swiftArgument is the value and the label of the argument at n.
func swiftArgument(b *Builder, n int32) (value int32, label string) {
	value, label = graph.None, "_"
	if !b.Is(n, "value_argument") {
		return value, label
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "value_argument_label") {
			label = b.Text(c)
		} else if b.rule(c).Do != Comment {
			value = c
		}
	}
	return value, label
}

// swiftLambda is { x, y in ... }; without parameters they are $0, $1, ...
func swiftLambda(b *Builder, n int32, role graph.Role, want bool) int32 {
	saved := b.Scratch
	b.Scratch[0], b.Scratch[1] = graph.None, graph.None
	if c := b.Field(n, "captures"); c >= 0 {
		for x := b.First(c); x >= 0; x = b.Next(c, x) {
			b.Value(b.Field(x, "value"), graph.Read, false)
		}
	}
	b.push(funcFrame, graph.None)
	b.frame().sym = graph.None
	var params []int32
	add := func(name, off uint32, t int32) {
		l := b.Local(name, off, t, graph.None, graph.InnerParam)
		params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: off}))
	}
	result := graph.None
	sig := b.Field(n, "type")
	for c := b.First(sig); c >= 0; c = b.Next(sig, c) {
		if swiftIsType(b, c) {
			result = b.Type(c, graph.TypeUse)
			continue
		}
		for p := b.First(c); p >= 0; p = b.Next(c, p) {
			id, t := graph.None, graph.None
			for x := b.First(p); x >= 0; x = b.Next(p, x) {
				if b.Is(x, "simple_identifier") {
					id = x
				} else if swiftIsType(b, x) {
					t = b.Type(x, graph.TypeUse)
				}
			}
			if id >= 0 {
				add(b.nodeStr(id), b.Off(id), t)
			}
		}
	}
	if sig < 0 {
		for k := range swiftImplicitParams(b, n) {
			add(b.Str("$"+strconv.Itoa(k)), b.Off(n), graph.None)
		}
	}
	b.Scratch[1] = result
	if c := b.Child(n, "statements"); c >= 0 {
		if v := b.Value(c, graph.Read, want); v >= 0 && result < 0 {
			result = b.Of(graph.OpTypeOf, n, v)
		}
	}
	b.pop()
	b.Scratch = saved
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

// swiftImplicitParams is how many of $0, $1, ... the function at n itself mentions.
func swiftImplicitParams(b *Builder, n int32) int {
	count := 0
	for i := n + 1; i < int32(b.Node(n).Next); {
		if b.Is(i, "lambda_literal") {
			i = int32(b.Node(i).Next)
			continue
		}
		if text := b.t.Text(i); len(text) > 1 && len(text) < 4 && text[0] == '$' {
			if k, err := strconv.Atoi(string(text[1:])); err == nil {
				count = max(count, k+1)
			}
		}
		i++
	}
	return count
}
