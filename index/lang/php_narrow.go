package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// What tests say of the types of what they ask after, where they hold and where they fail.

// phpIf: where the test fails, in other branches and, if the tested one always leaves, behind it, what it
// denies holds.
func phpIf(b *Builder, n int32) bool {
	if b.doc.end > 0 {
		phpStatement(b, n)
	}
	cond, body := b.Field(n, "condition"), b.Field(n, "body")
	b.Value(cond, graph.Read, false)
	phpWhere(b, cond, func() { b.Visit(body) })
	alone := true
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.InField(c, "alternative") {
			alone = false
			b.Branch(func() {
				phpNarrow(b, cond, false)
				b.Visit(c)
			})
		}
	}
	if alone && phpLeaves(b, body) {
		phpNarrow(b, cond, false)
	}
	return true
}

// phpElseIf is a test and what runs where it holds.
func phpElseIf(b *Builder, n int32) bool {
	cond := b.Field(n, "condition")
	b.Value(cond, graph.Read, false)
	phpWhere(b, cond, func() { b.Visit(b.Field(n, "body")) })
	return true
}

// phpNarrow narrows what the condition at n proves by holding, or by not holding.
func phpNarrow(b *Builder, n int32, holds bool) {
	if n < 0 || !b.InFunction() {
		return
	}
	both, either := []string{"&&", "and"}, []string{"||", "or"}
	if !holds { // what is denied of several is denied of each, and the other way round
		both, either = either, both
	}
	switch {
	case b.Is(n, "parenthesized_expression"):
		phpNarrow(b, b.First(n), holds)
	case b.Is(n, "unary_op_expression") && b.Has(n, "!"):
		phpNarrow(b, b.Field(n, "argument"), !holds)
	case b.Is(n, "binary_expression") && b.Has(n, both...):
		phpNarrow(b, b.Field(n, "left"), holds)
		phpNarrow(b, b.Field(n, "right"), holds)
	case b.Is(n, "binary_expression") && b.Has(n, either...):
		b.narrowEither(phpTests(b, n, nil, !holds))
	case holds:
		b.narrow(n)
	}
}

// phpTests adds to out the tests of types at n that stand beside each other: joined by ||, or denied and
// joined by &&.
func phpTests(b *Builder, n int32, out []int32, denied bool) []int32 {
	join := []string{"||", "or"}
	if denied {
		join = []string{"&&", "and"}
	}
	switch {
	case b.Is(n, "parenthesized_expression"):
		return phpTests(b, b.First(n), out, denied)
	case b.Is(n, "binary_expression") && b.Has(n, join...):
		return phpTests(b, b.Field(n, "right"), phpTests(b, b.Field(n, "left"), out, denied), denied)
	case denied && b.Is(n, "unary_op_expression") && b.Has(n, "!"):
		return phpTests(b, b.Field(n, "argument"), out, false)
	}
	return append(out, n)
}

// narrowEither narrows what each of several tests asks after to any of their types.
func (b *Builder) narrowEither(tests []int32) {
	var kids []int32
	x := graph.None
	for _, t := range tests {
		if !b.Is(t, "binary_expression") || !b.Has(t, "instanceof") || x >= 0 && b.Text(x) != b.Text(b.Field(t, "left")) {
			return
		}
		x = b.Field(t, "left")
		if k := b.typeQuiet(b.Field(t, "right")); k >= 0 {
			kids = append(kids, k)
		}
	}
	if name := b.Str(b.Text(x)); len(kids) == len(tests) && x >= 0 && (b.rule(x).Do != Ident || b.local(name) >= 0) {
		either := b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(x)})
		b.Local(name, b.Off(x), either, graph.None, graph.Narrowed)
	}
}

// phpWhere runs f where the condition at n holds.
func phpWhere(b *Builder, n int32, f func()) {
	b.Branch(func() {
		phpNarrow(b, n, true)
		f()
	})
}
