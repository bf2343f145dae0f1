package edittools

import (
	"maps"
	"strings"
	"testing"
)

// sources are small projects of the languages whose references follow a move.
var sources = map[string]string{
	"src/com/x/Foo.java":  "package com.x;\npublic class Foo { public int v() { return Mate.one(); } }\n",
	"src/com/x/Make.java": "package com.x;\npublic class Make { Object o() { return new Made(1); } }\n",
	"src/com/x/Made.java": "package com.x;\npublic class Made { public Made(int n) {} }\n",
	"src/com/x/Mate.java": "package com.x;\npublic class Mate { public static int one() { return 1; } static Foo f() { return new Foo(); } }\n",
	"src/com/y/Use.java":  "package com.y;\nimport com.x.Foo;\nclass Use { int u() { return new Foo().v() + new com.x.Foo().v(); } }\n",
	"pkg/__init__.py":     "", "pkg/sub/__init__.py": "",
	"pkg/far/__init__.py": "",
	"pkg/sub/mod.py":      "def f():\n    return 1\n",
	"pkg/sub/other.py":    "from . import mod\nfrom .mod import f\nprint(mod.f(), f())\n",
	"main.py":             "import pkg.sub.mod\nfrom pkg.sub import mod\nfrom pkg.sub.mod import f\nimport pkg.sub.mod as m\nprint(pkg.sub.mod.f(), mod.f(), f(), m.f())\n",
	"js/a.ts":             "export const a = 1;\n",
	"js/b.ts":             "import {a} from \"./a\";\nexport * from \"./a.js\";\nconst b = require(\"./a\");\nconsole.log(a, b);\n",
	"js/d/index.ts":       "export const q = 1;\n",
	"js/c.ts":             "import {q} from \"./d\";\nconsole.log(q);\n",
	"js/t/x.ts":           "import {q} from \"../d\";\nimport {z} from \"..\";\nconsole.log(q, z);\n",
	"js/index.ts":         "export const z = 1;\n",
	"c/f.h":               "int f(void);\n",
	"c/f.c":               "#include \"f.h\"\nint f(void) { return 1; }\n",
	"go.mod":              "module ex.org/m\n",
	"go/a.go":             "package a\n\nfunc A() {}\n",
	"m.go":                "package main\n\nimport \"ex.org/m/go\"\n\nfunc main() { a.A() }\n",
	"notes.md":            "see pkg/sub/mod.py\n",
}

// TestMoveReferences moves files and folders; each text is to be in a file after the move.
func TestMoveReferences(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     map[string]string
	}{
		{"src/com/x/Foo.java", "src/com/z/Foo.java", map[string]string{
			"src/com/z/Foo.java": "package com.z;\nimport com.x.Mate;\n", "src/com/x/Mate.java": "package com.x;\nimport com.z.Foo;\n",
			"src/com/y/Use.java": "import com.z.Foo;\nclass Use { int u() { return new Foo().v() + new com.z.Foo().v(); } }"}},
		{"src/com/x/Make.java", "src/com/z/Make.java", map[string]string{"src/com/z/Make.java": "package com.z;\nimport com.x.Made;\n"}},
		{"src/com/x", "src/com/w", map[string]string{"src/com/w/Foo.java": "package com.w;\npublic class", "src/com/y/Use.java": "import com.w.Foo;"}},
		{"pkg/sub/mod.py", "pkg/far/mod2.py", map[string]string{
			"main.py":          "import pkg.far.mod2\nfrom pkg.far import mod2 as mod\nfrom pkg.far.mod2 import f\nimport pkg.far.mod2 as m\nprint(pkg.far.mod2.f(), mod.f()",
			"pkg/sub/other.py": "from ..far import mod2 as mod\nfrom ..far.mod2 import f\n"}},
		{"pkg/sub", "pkg/sub2", map[string]string{"main.py": "import pkg.sub2.mod\nfrom pkg.sub2 import mod\n", "pkg/sub2/other.py": sources["pkg/sub/other.py"]}},
		{"pkg/sub/other.py", "pkg/other.py", map[string]string{"pkg/other.py": "from .sub import mod\nfrom .sub.mod import f\n"}},
		{"js/a.ts", "js/e/a2.ts", map[string]string{"js/b.ts": "import {a} from \"./e/a2\";\nexport * from \"./e/a2.js\";\nconst b = require(\"./e/a2\");\n"}},
		{"js/b.ts", "js/e/b.ts", map[string]string{"js/e/b.ts": "import {a} from \"../a\";\nexport * from \"../a.js\";\nconst b = require(\"../a\");\n"}},
		{"js/index.ts", "js/t/f/index.ts", map[string]string{"js/t/x.ts": "from \"../d\";\nimport {z} from \"./f\";"}},
		{"js/d", "js/dd", map[string]string{"js/c.ts": "from \"./dd\";"}},
		{"c/f.h", "inc/f.h", map[string]string{"c/f.c": "#include \"../inc/f.h\"\n"}},
		{"c/f.c", "f.c", map[string]string{"f.c": "#include \"c/f.h\"\n"}},
		{"go", "lib/a", map[string]string{"m.go": "import \"ex.org/m/lib/a\"\n"}},
	} {
		b := newBench(t, sources)
		before := b.tree()
		r, err := run(b, MovePath, MoveParams{From: c.from, To: c.to, UpdateReferences: true})
		if err != nil {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
			continue
		}
		for p, want := range c.want {
			if got := b.get(p); !strings.Contains(got, want) {
				t.Errorf("%s to %s: %s: got %q, want %q in it", c.from, c.to, p, got, want)
			}
		}
		if len(r.Delta.Broken) > 0 {
			t.Errorf("%s to %s: broken: %+v", c.from, c.to, r.Delta.Broken)
		}
		if c.from == "pkg/sub/mod.py" && (len(r.Unproven) != 1 || r.Unproven[0].Path != "notes.md") {
			t.Errorf("unproven: %+v", r.Unproven)
		}
		b.undoLast()
		if got := b.tree(); !maps.Equal(got, before) {
			t.Errorf("%s to %s, taken back: got %v", c.from, c.to, got)
		}
	}
}

// TestMoveAlone leaves references alone when told.
func TestMoveAlone(t *testing.T) {
	b := newBench(t, sources)
	want := maps.Clone(b.tree())
	want["js/z.ts"] = want["js/a.ts"]
	delete(want, "js/a.ts")
	r, err := run(b, MovePath, MoveParams{From: "js/a.ts", To: "js/z.ts"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, b.tree(), want)
	if len(r.Delta.Broken) == 0 || r.Delta.Broken[0].Path != "js/b.ts" {
		t.Errorf("broken: %+v", r.Delta.Broken)
	}
}

// TestMoveAttributes follows modules that are members of their package because they are imported.
func TestMoveAttributes(t *testing.T) {
	files := map[string]string{
		"p/__init__.py": "from .one import *\nfrom .two import *\n__all__ = one.__all__ + two.__all__\n",
		"p/one.py":      "__all__ = ('f',)\ndef f(): pass\n",
		"p/two.py":      "from . import one\n__all__ = ('g',)\ndef g(): one.f()\n",
		"q/__init__.py": "",
		"use.py":        "import p\nimport p.one\nprint(p.one.f, p.two.g)\n",
	}
	for to, want := range map[string]map[string]string{
		"p/uno.py":     {"p/__init__.py": "from .uno import *\nfrom .two import *\n__all__ = uno.__all__ + two.__all__\n", "use.py": "import p\nimport p.uno\nprint(p.uno.f, p.two.g)\n"},
		"p/sub/one.py": {"p/__init__.py": "from .sub.one import *\nfrom .two import *\n__all__ = sub.one.__all__ + two.__all__\n", "use.py": "import p.sub.one\nprint(p.sub.one.f"},
	} {
		b := newBench(t, files)
		if _, err := run(b, MovePath, MoveParams{From: "p/one.py", To: to, UpdateReferences: true}); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if got := b.get(name); !strings.Contains(got, text) {
				t.Errorf("%s: %s: got %q, want %q in it", to, name, got, text)
			}
		}
	}
	b := newBench(t, files)
	r, err := run(b, MovePath, MoveParams{From: "p/one.py", To: "q/one.py", UpdateReferences: true})
	if err != nil || len(r.Unproven) == 0 || r.Unproven[0].Path != "p/__init__.py" || r.Unproven[0].Line != 3 {
		t.Errorf("out of the package: %+v, %v", r, err)
	}
}

// TestMovePackageName follows a package that is imported and used by its one name.
func TestMovePackageName(t *testing.T) {
	b := newBench(t, map[string]string{
		"p/__init__.py": "def f(): pass\n", "p/in.py": "import p\np.f()\n",
		"use.py": "import p, sys\nimport p as q\nfrom p import f\nprint(p.f, q.f, f, sys.p)\n",
	})
	if _, err := run(b, MovePath, MoveParams{From: "p", To: "r", UpdateReferences: true}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"r/in.py": "import r\nr.f()\n", "use.py": "import r, sys\nimport r as q\nfrom r import f\nprint(r.f, q.f, f, sys.p)\n"} {
		if got := b.get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
