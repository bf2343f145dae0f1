package readtools

import (
	"os"
	"testing"
)

func TestSmokeExplore(t *testing.T) {
	yard, err := os.ReadFile("/work/shared/cases/res-go-interface-impl/tree/yard/yard.go")
	if err != nil {
		t.Skip()
	}
	w := openTree(t, map[string]string{
		"a/a.go":       "package a\n\n// Foo does.\nfunc Foo(x int) int {\n\treturn x + 1 // needle Foo\n}\n\ntype T struct{ n int }\n\nfunc (t *T) Bar() { Foo(t.n) }\n\nfunc unusedOne() {}\n",
		"b/b.go":       "package b\n\nimport (\n\t\"fmt\"\n\t\"m/a\"\n)\n\nfunc Use() { a.Foo(1); a.Foo(2); fmt.Println(1) }\n\nvar x = a.Foo(3)\n\nfunc main() { Use() }\n",
		"go.mod":       "module m\n",
		"yard/yard.go": string(yard),
	})
	for _, p := range []ExploreParams{
		{}, {Query: "Foo"}, {Query: "Foo", Focus: "callers"}, {Query: "b.main", Focus: "callees", Depth: 2}, {Query: "Foo", Focus: "references"},
		{Query: "Mover", Focus: "implementations"}, {Query: "Cart", Focus: "implementations"}, {Query: "Cart.Move", Focus: "implementations"},
		{Query: "Mover.Move", Focus: "implementations"}, {Query: "Cart.Move", Focus: "callers"}, {Query: "Sled.Move", Focus: "callers"},
		{Query: "Van", Focus: "hierarchy"}, {Query: "Cart", Focus: "hierarchy"}, {Query: "Foo", Focus: "impact"},
		{Query: "main", Focus: "path", To: "Foo"}, {Query: "b", Focus: "dependencies"}, {Query: "a", Focus: "dependencies"}, {Query: "", Focus: "unused"},
		{Query: "a/a.go"}, {Query: "where does the cart move"}, {Query: "panic\n at a/a.go:5\n b/b.go:8"}, {Query: "Move", Focus: "callers"}, {Query: "Mooover", Focus: "callers"},
	} {
		p.IncludeTests = true
		res, err := run(t, w, Explore, p)
		if err != nil {
			t.Logf("%s %q: ERROR %v", p.Focus, p.Query, err)
			continue
		}
		t.Logf("---- %s %q\n%s", p.Focus, p.Query, res.Text())
	}
}
