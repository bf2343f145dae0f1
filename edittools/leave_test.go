package edittools

import (
	"maps"
	"strings"
	"testing"
)

// leavingSources are a Go module in which files go from package to package.
var leavingSources = map[string]string{
	"go.mod":      "module ex.org/m\n\ngo 1.22\n",
	"a/a.go":      "package a\n\nimport \"fmt\"\n\n// Keep stays.\ntype Keep struct{ N int }\n\nfunc (k Keep) Show() { fmt.Println(k.N, Step(k.N)) }\n",
	"a/step.go":   "package a\n\n// Step goes.\nfunc Step(n int) int { return n + 1 }\n",
	"a/back.go":   "package a\n\nimport \"strings\"\n\n// Back needs what stays.\nfunc Back(k *Keep) string { return strings.Repeat(\"x\", k.N) }\n",
	"a/hid.go":    "package a\n\nfunc hidden() int { return 1 }\n\n// Open opens.\nfunc Open() int { return hidden() }\n",
	"a/use.go":    "package a\n\n// Use uses.\nfunc Use() int { return hidden() }\n",
	"a/meth.go":   "package a\n\n// Hide hides.\nfunc (k Keep) Hide() {}\n",
	"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestStep(t *testing.T) {\n\tif Step(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
	"b/b.go":      "package b\n\nimport (\n\t\"os\"\n\n\t\"ex.org/m/a\"\n)\n\n// B calls.\nfunc B() int {\n\tos.Getenv(\"x\")\n\treturn a.Step(2)\n}\n",
	"c/c.go":      "package c\n\nimport \"ex.org/m/a\"\n\n// C calls.\nfunc C() int { return a.Step(a.Keep{N: 1}.N) }\n",
	"d/d.go":      "package d\n",
	"main.go":     "package main\n\nimport (\n\t\"ex.org/m/a\"\n)\n\nfunc main() { println(a.Back(&a.Keep{}), a.Back(nil)) }\n",
}

// TestLeave moves Go files to other packages; each text is to be in a file afterwards, or the move is
// refused with words.
func TestLeave(t *testing.T) {
	for _, c := range []struct {
		from, to string
		refused  string
		want     map[string]string
	}{
		{"a/step.go", "d/step.go", "", map[string]string{
			"d/step.go": "package d\n", "a/a.go": "import (\n\t\"fmt\"\n\n\t\"ex.org/m/d\"\n)\n", "a/a_test.go": "d.Step(1)", "b/b.go": "import (\n\t\"os\"\n\n\t\"ex.org/m/d\"\n)",
			"c/c.go": "return d.Step(a.Keep{N: 1}.N)"}},
		{"a/step.go", "new/x/step.go", "", map[string]string{"new/x/step.go": "package x\n", "c/c.go": "\"ex.org/m/new/x\"", "a/a.go": "x.Step(k.N)"}},
		{"a/back.go", "d/back.go", "", map[string]string{
			"d/back.go": "func Back(k *a.Keep) string", "main.go": "\"ex.org/m/a\"\n\t\"ex.org/m/d\"\n)\n\nfunc main() { println(d.Back(&a.Keep{}), d.Back(nil)) }"}},
		{"a/step.go", "b/step.go", "", map[string]string{"b/b.go": "import (\n\t\"os\"\n)\n\n// B calls.\nfunc B() int {\n\tos.Getenv(\"x\")\n\treturn Step(2)", "a/a.go": "b.Step(k.N)"}},
		{"a/hid.go", "d/hid.go", "hidden is used at a/use.go:4 and not exported", nil},
		{"a/use.go", "d/use.go", "hidden is used at a/use.go:4 and not exported", nil},
		{"a/meth.go", "d/meth.go", "Hide is a method of Keep, which stays", nil},
		{"a/a.go", "d/a.go", "Hide is a method of Keep, which would go", nil},
		{"a/step.go", "main2.go", "package main cannot be imported", nil},
		{"b/b.go", "a/b.go", "", map[string]string{"a/b.go": "package a\n\nimport (\n\t\"os\"\n)\n\n// B calls.\nfunc B() int {\n\tos.Getenv(\"x\")\n\treturn Step(2)"}},
	} {
		b := newBench(t, leavingSources)
		before := b.tree()
		_, err := run(b, MovePath, MoveParams{From: c.from, To: c.to, UpdateReferences: true})
		if c.refused != "" {
			if code(err) != codePrecondition || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s to %s: got %v, want a refusal with %q", c.from, c.to, err, c.refused)
			}
			equal(t, b.tree(), before)
			continue
		}
		if err != nil {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
			continue
		}
		for p, want := range c.want {
			if got := b.get(p); !strings.Contains(got, want) {
				t.Errorf("%s to %s: %s: got %q, want %q in it", c.from, c.to, p, got, want)
			}
		}
		b.undoLast()
		if got := b.tree(); !maps.Equal(got, before) {
			t.Errorf("%s to %s, taken back: got %v", c.from, c.to, got)
		}
	}
}

// TestLeaveCircle refuses a move after which packages would import each other.
func TestLeaveCircle(t *testing.T) {
	b := newBench(t, map[string]string{
		"go.mod": "module ex.org/m\n", "a/a.go": "package a\n\ntype T struct{}\n\nfunc A() { B() }\n", "a/b.go": "package a\n\nfunc B() { _ = T{} }\n", "d/d.go": "package d\n"})
	_, err := run(b, MovePath, MoveParams{From: "a/b.go", To: "d/b.go", UpdateReferences: true})
	if code(err) != codePrecondition || !strings.Contains(err.Error(), "import itself") {
		t.Errorf("got %v", err)
	}
}

// TestHiddenJava refuses to part names that only their package sees.
func TestHiddenJava(t *testing.T) {
	b := newBench(t, map[string]string{
		"s/p/A.java": "package p;\npublic class A { int n; protected int m; public int o; int f() { return new B().n; } }\n",
		"s/p/B.java": "package p;\npublic class B { int n; }\n",
		"s/p/C.java": "package p;\npublic class C extends A { int f(A a) { return m; } }\n",
		"s/p/D.java": "package p;\npublic class D { int f(A a) { return a.o; } }\n",
		"s/p/F.java": "package p;\npublic class F extends G { void h() {} }\n", "s/p/G.java": "package p;\npublic class G extends H { }\n",
		"s/p/H.java": "package p;\npublic class H { void h() {} }\n",
		"s/p/E.java": "package p;\npublic class E { int f(A a) { return a.m; } }\n",
	})
	for from, why := range map[string]string{"A": "n is used at s/p/A.java:2", "B": "n is used at s/p/A.java:2", "C": "", "D": "", "E": "m is used at s/p/E.java:2", "F": "h at s/p/F.java:2 overrides"} {
		_, err := run(b, MovePath, MoveParams{From: "s/p/" + from + ".java", To: "s/q/" + from + ".java", UpdateReferences: true, Common: Common{DryRun: true}})
		if why == "" && err != nil || why != "" && (code(err) != codePrecondition || !strings.Contains(err.Error(), why)) {
			t.Errorf("%s: got %v, want %q", from, err, why)
		}
	}
}
