package readtools

import "testing"

func TestSmoke(t *testing.T) {
	w := openTree(t, map[string]string{
		"a/a.go": "package a\n\n// Foo does.\nfunc Foo(x int) int {\n\treturn x + 1 // needle\n}\n\ntype T struct{ n int }\n\nfunc (t *T) Bar() { Foo(t.n) }\n",
		"b/b.go": "package b\n\nimport \"m/a\"\n\nfunc Use() { a.Foo(1); a.Foo(2) }\n",
		"go.mod": "module m\n",
		"c.yml":  "server:\n  port: 80\n  list:\n  - name: x\n",
		"x.txt":  "needle one\ntwo\nneedle three\n",
	})
	t.Log("\n" + must(t, w, Grep, GrepParams{Pattern: "needle", Context: 1}).Text())
	t.Log("\n" + must(t, w, Grep, GrepParams{Pattern: "Foo|Bar", In: "symbols"}).Text())
	t.Log("\n" + must(t, w, Grep, GrepParams{Pattern: "Foo", In: "references"}).Text())
	t.Log("\n" + must(t, w, Grep, GrepParams{Pattern: "server.port", In: "config"}).Text())
	t.Log("\n" + must(t, w, Discover, DiscoverParams{}).Text())
	t.Log("\n" + must(t, w, Discover, DiscoverParams{Query: "ago"}).Text())
	t.Log("\n" + must(t, w, Open, OpenParams{Target: []string{"a/a.go", "T.Bar", "nope"}}).Text())
	t.Log("\n" + must(t, w, Open, OpenParams{Target: []string{"a/a.go"}, View: "outline"}).Text())
	for _, p := range []OpenParams{{Target: []string{"nope.go"}}, {Target: []string{"../x"}}, {Target: []string{"Fooo"}}, {Target: []string{"a"}}} {
		_, err := run(t, w, Open, p)
		t.Logf("%v: %v", p.Target, err)
	}
}
