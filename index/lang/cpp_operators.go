package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// An operator on a value of a class calls a member of it, or a function. What it is applied to is noted where
// it is a name that other files may know: as the member `operator@` of it, a mention without a role of its own.

// cppOperators are those between two operands that classes often define.
var cppOperators = cSet("<<", ">>", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "|", "&", "^")

// cppOperand is the value at n, to which operator op is applied.
func cppOperand(b *Builder, n int32, op string, role graph.Role, want bool) int32 {
	named := n >= 0 && (b.Is(n, "identifier") || b.Is(n, "field_expression") || b.Is(n, "qualified_identifier"))
	v := b.Value(n, role, want || named)
	if named && v >= 0 && b.F.Exprs[v].Op != graph.OpLocal {
		b.Expr(graph.Expr{Op: graph.OpMember, X: v, Name: b.Str("operator" + op), Off: b.Off(n)})
	}
	return v
}

// cppBinary: comparisons are true or false, anything else is like its left operand.
func cppBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if left < 0 || right < 0 {
		b.visitIf(left)
		b.visitIf(right)
		return graph.None
	}
	op := cppSign(b, left, right)
	if f := cppApplied(b, left, op, right); f >= 0 {
		x := b.Value(f, graph.Call, true)
		x = b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(b.Value(b.Field(left, "right"), graph.Read, true)), Off: b.Off(left)})
		kids, count := b.argumentList(right, x)
		return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: kids, N: uint16(count + 1), Off: b.Off(n)})
	}
	var v int32
	if cppOperators[op] {
		v = cppOperand(b, left, op, graph.Read, want)
	} else {
		v = b.Value(left, graph.Read, want)
	}
	r := b.Value(right, graph.Read, want)
	if !want {
		return graph.None
	}
	switch op {
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return b.Literal(n, "bool")
	}
	if v < 0 || b.F.Exprs[v].Op == graph.OpLiteral && r >= 0 {
		return r
	}
	return v
}

// cppSign is the operator between two operands.
func cppSign(b *Builder, left, right int32) string {
	return strings.TrimSpace(string(b.src[b.Node(left).End:b.Off(right)]))
}

// cppApplied is the member of which what looks like two comparisons is a call: x.f<1>(y), which nobody compares.
func cppApplied(b *Builder, left int32, op string, right int32) int32 {
	if op != ">" || !b.Is(left, "binary_expression") || !b.Is(right, "parenthesized_expression") {
		return graph.None
	}
	f, number := b.Field(left, "left"), b.Field(left, "right")
	if f < 0 || number < 0 || !b.Is(f, "field_expression") || !b.Is(number, "number_literal") || cppSign(b, f, number) != "<" {
		return graph.None
	}
	return f
}

// cppUnary is an operator before its operand.
func cppUnary(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Field(n, "argument")
	op := strings.TrimSpace(string(b.src[b.Off(n):b.Off(x)]))
	v := cppOperand(b, x, op, graph.Read, want)
	if want && op == "!" {
		return b.Literal(n, "bool")
	}
	return v
}

// cppUpdate adds or takes away one.
func cppUpdate(b *Builder, n int32, role graph.Role, want bool) int32 {
	return cppOperand(b, b.Field(n, "argument"), "++", graph.Write, want)
}

// cppPointer is *x or &x.
func cppPointer(b *Builder, n int32, role graph.Role, want bool) int32 {
	if !b.Has(n, "*") || want {
		return cPointer(b, n, role, want)
	}
	cppOperand(b, b.Field(n, "argument"), "*", graph.Read, false)
	return graph.None
}

// cppSubscript is x[i].
func cppSubscript(b *Builder, n int32, role graph.Role, want bool) int32 {
	r := b.rule(n)
	x := cppOperand(b, b.child(n, &r.of), "[]", graph.Read, want)
	kids := b.values(n, &r.args, false)
	return b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Kids: kids, Off: b.Off(n)})
}

// cppAssign: a variable that was declared without a value still has its declared type.
func cppAssign(b *Builder, n int32) bool {
	b.Value(b.Field(n, "right"), graph.Read, false)
	cppOperand(b, b.Field(n, "left"), "=", graph.Write, false)
	return true
}
