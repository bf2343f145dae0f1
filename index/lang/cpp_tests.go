package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// A macro may define the function whose body stands behind it, as those of test frameworks do:
//
//	TEST(Suite, name) { ... }
//	TEST_F(Fixture, name) { ... }
//
// The function is called like the arguments. That of a fixture is run on one: its names may be members of
// the class that an argument names.

// cppMacroBody is such a function; it reports whether n is one.
func cppMacroBody(b *Builder, n int32) bool {
	d := b.Field(n, "declarator")
	if b.Field(n, "type") >= 0 || b.InType() || b.InFunction() || d < 0 || !b.Is(d, "function_declarator") {
		return false
	}
	name, params := b.Field(d, "declarator"), b.Field(d, "parameters")
	if name < 0 || !b.Is(name, "identifier") || params < 0 || !cppPlainNames(b, params) {
		return false
	}
	var args []int32
	for c := b.First(params); c >= 0; c = b.Next(params, c) {
		if t := b.Field(c, "type"); t >= 0 {
			args = append(args, t)
		}
	}
	if len(args) == 0 {
		return false
	}
	doc := b.doc
	b.doc = docRun{}
	b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Read, Name: b.nodeStr(name), Off: b.Off(name), X: graph.None})
	owner, called := graph.None, args[len(args)-1]
	if at := cppFixture(b.Text(name), len(args)); at >= 0 {
		owner = b.Type(args[at], graph.Inherit)
		called = args[1-at]
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = strings.ReplaceAll(b.Text(a), "::", "_")
	}
	b.doc = doc
	sym := b.Symbol(graph.Function, called, n, strings.Join(words, "_"))
	s := b.Sym(sym)
	s.Owner = owner
	s.Flags = s.Flags&^graph.Exported | graph.FileLocal
	b.push(funcFrame, sym)
	if body := b.Field(n, "body"); body >= 0 {
		b.Sym(sym).Body = b.Off(body)
		b.doc = docRun{}
		b.visitChildren(body)
	}
	b.pop()
	return true
}

// cppFixture is which of a macro's arguments, so many, is the class on which the function is run, as far as
// the macro's name tells; -1 for none.
func cppFixture(macro string, args int) int {
	switch {
	case args != 2:
		return -1
	case strings.HasPrefix(macro, "BOOST_FIXTURE_TEST"):
		return 1
	case strings.HasSuffix(macro, "TEST_F"), strings.HasSuffix(macro, "TEST_P"), strings.HasSuffix(macro, "TYPED_TEST"), strings.Contains(macro, "FIXTURE"):
		return 0
	}
	return -1
}
