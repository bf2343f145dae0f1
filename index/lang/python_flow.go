package lang

import "github.com/codegraph-dev/codegraph/graph"

// What tests say of the names in them, and how long that holds.

// pyNarrow binds again the names of which the condition at n says more where it holds or does not.
func pyNarrow(b *Builder, n int32, holds bool) {
	if n < 0 {
		return
	}
	switch b.Kind(n) {
	case "parenthesized_expression":
		pyNarrow(b, b.First(n), holds)
	case "not_operator":
		pyNarrow(b, b.Field(n, "argument"), !holds)
	case "boolean_operator":
		if b.Has(n, "and") == holds {
			pyNarrow(b, b.Field(n, "left"), holds)
			pyNarrow(b, b.Field(n, "right"), holds)
		}
	case "comparison_operator":
		pyNarrowByType(b, n, holds)
	case "call":
		x, t := pyTested(b, b.Field(n, "arguments"))
		if x < 0 || t < 0 {
			return
		}
		switch b.Text(b.Field(n, "function")) {
		case "isinstance":
			pyNarrowTo(b, x, t, holds)
		case "issubclass":
			if name := b.nodeStr(x); holds && b.Is(x, "identifier") && b.local(name) >= 0 {
				v := b.valueQuiet(t)
				if v >= 0 && b.F.Exprs[v].Op == graph.OpTuple {
					b.F.Exprs[v].Op = graph.OpUnion
				}
				b.Local(name, b.Off(x), graph.None, v, graph.Narrowed)
			}
		}
	}
}

// pyTested are the first two arguments of a call: of a named one the name.
func pyTested(b *Builder, args int32) (x, t int32) {
	if args < 0 || b.First(args) < 0 {
		return graph.None, graph.None
	}
	x = b.First(args)
	t = b.Next(args, x)
	if b.Is(x, "named_expression") {
		x = b.Field(x, "name")
	}
	return x, t
}

// pyNarrowByType is pyNarrow for `type(x) is T`.
func pyNarrowByType(b *Builder, n int32, holds bool) {
	call, t := b.First(n), graph.None
	if call >= 0 {
		t = b.Next(n, call)
	}
	if !holds || !b.Is(call, "call") || t < 0 || b.Next(n, t) >= 0 || b.Text(b.Field(call, "function")) != "type" || b.Has(n, "is not", "!=", "in", "not in") {
		return
	}
	if args := b.Field(call, "arguments"); args >= 0 && b.First(args) >= 0 {
		pyNarrowTo(b, b.First(args), t, true)
	}
}

// pyNarrowTo: x is, or is not, of one of the types at t.
func pyNarrowTo(b *Builder, x, t int32, holds bool) {
	name := b.Str(b.Text(x))
	switch b.Kind(x) {
	case "identifier":
		if b.local(name) < 0 {
			return
		}
	case "attribute":
	default:
		return
	}
	old := b.valueQuiet(x)
	typ := b.typeQuiet(t)
	if typ < 0 {
		return
	}
	types := []int32{typ}
	if e := b.F.Exprs[typ]; e.Op == graph.OpTuple { // any of several types
		b.F.Exprs[typ].Op = graph.OpUnion
		types = b.F.List(e.Kids)
	}
	switch {
	case holds:
		b.Local(name, b.Off(x), typ, old, graph.Narrowed)
	case old >= 0:
		but := b.Expr(graph.Expr{Op: graph.OpBut, X: old, Kids: b.List(types...), Off: b.Off(x)})
		b.Local(name, b.Off(x), graph.None, but, graph.Narrowed)
	}
}

// pyMember is a member, or what a test has shown of it.
func pyMember(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.member(n, b.rule(n), role, true)
	if x >= 0 && role != graph.Write {
		return b.narrowed(n, x)
	}
	return x
}

// pyIf: what the test says holds in its branch, the contrary in the others; and behind the statement
// whatever holds where no branch has left.
func pyIf(b *Builder, n int32) bool {
	cond := b.Field(n, "condition")
	if !b.InFunction() || cond < 0 {
		return false
	}
	from := len(b.names)
	b.Value(cond, graph.Read, false)
	failed := []int32{cond} // tests that have failed behind the statement
	left := pyBranch(b, n, cond, "consequence")
	onlyElse := false
	pyNarrow(b, cond, false)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case !b.InField(c, "alternative"):
		case b.Is(c, "elif_clause"):
			test := b.Field(c, "condition")
			b.Value(test, graph.Read, false)
			if pyBranch(b, c, test, "consequence") && left {
				failed = append(failed, test)
			} else {
				left = false
			}
			pyNarrow(b, test, false)
		default:
			onlyElse = pyBranch(b, c, graph.None, "body") && len(failed) == 1
		}
	}
	b.unnarrow(from)
	switch {
	case pyLeaves(b, b.Field(n, "consequence")):
		for _, test := range failed {
			pyNarrow(b, test, false)
		}
	case onlyElse && b.Child(n, "elif_clause") < 0:
		pyNarrow(b, cond, true)
	}
	return true
}

// pyBranch visits the block in that field of n, where the test at cond holds, and reports whether the
// block always leaves.
func pyBranch(b *Builder, n, cond int32, field string) bool {
	body := b.Field(n, field)
	if body < 0 {
		return false
	}
	from := len(b.names)
	if cond >= 0 {
		pyNarrow(b, cond, true)
	}
	b.Visit(body)
	b.unnarrow(from)
	return pyLeaves(b, body)
}

// pyWhile: behind a loop that nothing breaks its test has failed.
func pyWhile(b *Builder, n int32) bool {
	cond := b.Field(n, "condition")
	if !b.InFunction() || cond < 0 {
		return false
	}
	b.Value(cond, graph.Read, false)
	pyBranch(b, n, cond, "body")
	if c := b.Field(n, "alternative"); c >= 0 {
		b.Visit(c)
	}
	if b.Find(n, "break_statement") < 0 {
		pyNarrow(b, cond, false)
	}
	return true
}

// pyLeaves reports whether the block at n ends by leaving it.
func pyLeaves(b *Builder, n int32) bool {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Comment {
			last = c
		}
	}
	if last < 0 {
		return false
	}
	switch b.Kind(last) {
	case "return_statement", "raise_statement", "continue_statement", "break_statement":
		return true
	}
	return false
}

func pyAssert(b *Builder, n int32) bool {
	b.visitChildren(n)
	if c := b.First(n); c >= 0 && b.InFunction() {
		b.narrow(c)
	}
	return true
}

// pyBoolean: the right operand of `and` is reached only where the left one holds, that of `or` only where
// it does not.
func pyBoolean(b *Builder, n int32, role graph.Role, want bool) int32 {
	l, r := b.Field(n, "left"), b.Field(n, "right")
	and := b.Has(n, "and")
	left := b.Value(l, graph.Read, want)
	from := len(b.names)
	if b.InFunction() {
		pyNarrow(b, l, and)
	}
	right := b.Value(r, graph.Read, want)
	b.unnarrow(from)
	if and && right >= 0 { // the left one is the value only where it is false
		return right
	}
	if left < 0 || right < 0 {
		return max(left, right)
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(left, right), Off: b.Off(n)})
}

// pyConditional is `value if test else other`.
func pyConditional(b *Builder, n int32, role graph.Role, want bool) int32 {
	val := b.First(n)
	if val < 0 || b.Next(n, val) < 0 {
		b.visitChildren(n)
		return graph.None
	}
	cond := b.Next(n, val)
	b.Value(cond, graph.Read, false)
	v, other := graph.None, graph.None
	from := len(b.names)
	if b.InFunction() {
		pyNarrow(b, cond, true)
	}
	v = b.Value(val, role, want)
	b.unnarrow(from)
	if c := b.Next(n, cond); c >= 0 {
		if b.InFunction() {
			pyNarrow(b, cond, false)
		}
		other = b.Value(c, role, want)
		b.unnarrow(from)
	}
	if v < 0 || other < 0 {
		return max(v, other)
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(v, other), Off: b.Off(n)})
}
