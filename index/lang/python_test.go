package lang

import (
	"slices"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
)

func TestPython(t *testing.T) {
	testFacts(t, []factsCase{
		{why: "what a module defines", path: "m.py", src: `"""About."""
X = 1
Y, (Z, *W) = f()
A = B = X
X = 2
if cond:
    C: int = 3
    def g(): pass
else:
    def g(): pass
for i in A: pass
with open(B) as h: pass
while (n := 1): pass
print([k for k in A if k])
`, symbols: []string{"2 variable X", "3 variable Y", "3 variable Z", "3 variable W", "4 variable A", "4 variable B", "7 variable C", "8 function g", "10 function g",
			"11 variable i", "12 variable h", "13 variable n"},
			refs: []string{"3 call f", "4 read X", "5 write X", "6 read cond", "7 type int", "11 read A", "12 call open", "12 read B", "14 call print", "14 read A"}},
		{why: "what a class defines", path: "m.py", src: `class Box(Base, Generic[T], metaclass=Meta):
    """A box."""
    size = 1
    kind: Kind
    def __init__(self, a: Item = make()):
        self.a, other = a, 1
        self.size = 2
        self.b: int
    @property
    def width(self): return self.a
    @width.setter
    def width(self, v): self.a = v
    @staticmethod
    def make(a): return a
    @classmethod
    def of(cls, a):
        cls.count = a
        return cls(a)
    @abstractmethod
    async def go(self): pass
    def each(self): yield self.size
    class Inner:
        def deep(me): return me.x
`, symbols: []string{"1 class Box", "3 field Box.size", "4 field Box.kind", "5 constructor Box.__init__", "6 field Box.a", "8 field Box.b", "10 method Box.width computed",
			"12 method Box.width setter", "14 method Box.make static", "16 method Box.of static", "17 field Box.count", "20 method Box.go abstract async",
			"21 method Box.each generator", "22 class Box.Inner", "23 method Box.Inner.deep"},
			refs: []string{"1 inherit Base", "1 inherit Generic", "1 type T", "1 read Meta", "4 type Kind", "5 type Item", "5 call make", "6 write a", "7 write size", "8 write b",
				"8 type int", "9 call property", "10 read a", "11 read width", "12 write a", "13 call staticmethod", "15 call classmethod", "17 write count", "19 call abstractmethod",
				"21 read size", "23 read x"}},
		{why: "locals, parameters and keyword names are no references", path: "m.py", src: `def f(a, *args, b=D, **kw):
    global G
    G = a
    c = a + b
    for x, (y, *z) in c: pass
    lam = lambda p, q=E: p.r + q
    [c for c in a if c]
    {k: v for k, v in kw}
    try: pass
    except (Err, m.Other) as e: e.args
    import os.path as p, sys
    p.join(sys)
    call(key=a, *args, **kw)
    def inner():
        nonlocal c
        c = 1
        late()
    def late(): inner()
    c += 1
    del a
`, symbols: []string{"1 function f", "3 variable G", "14 function f.inner", "18 function f.late"},
			refs: []string{"1 read D", "6 read E", "6 read r", "10 read Err", "10 read m", "10 read Other", "10 read args", "12 read p", "12 call join", "12 read sys",
				"13 call call", "17 call late", "18 call inner"}},
		{why: "patterns bind plain names and read dotted ones", path: "m.py", src: `def f(a):
    match a:
        case Point(x=0, y=yy) if yy: pass
        case [1, *rest] | (2, q): pass
        case {"k": v, **kk}: pass
        case mod.Const as z: z
        case str(): a.upper
        case _: pass
`, symbols: []string{"1 function f"}, refs: []string{"3 type Point", "6 read mod", "6 read Const", "7 type str", "7 read upper"}},
		{why: "annotations, also as strings", path: "m.py", src: `from typing import Literal, cast
def f(a: "Foo", b: t.Optional["m.Bar"], c: 'List["Baz"]') -> "A | None":
    d: Literal["x"] = cast("Q", a)
    e = f"{a.b!r:>{W}} {f()}"
`, refs: []string{"2 type Foo", "2 type t", "2 type Optional", "2 read m", "2 type Bar", "2 type List", "2 type A",
			"3 type Literal", "3 call cast", "3 type Q", "4 read b", "4 read W", "4 call f"}},
		{why: "imports", path: "m.py", src: `import os, a.b as c, d.e.f
from . import x
from .m import *
from ..n.o import (p as q,
    r)
`, imports: []string{"os=os:", "=a:", "c=a.b:", "d=d:", "=d.e:", "=d.e.f:", "x=.:x", "=.m: star", "=..n:", "q=..n.o:p", "r=..n.o:r"}, refs: []string{}},
		{why: "decorators run for the definition", path: "m.py", src: `@app.route("/", view=V)
def f(): pass
@dec
class C: pass
`, symbols: []string{"2 function f", "4 class C"}, refs: []string{"1 read app", "1 call route", "1 read V", "3 call dec"}},
		{why: "a broken part does not take the rest with it", path: "m.py", src: "def a(): pass\nx = (1,, 2\ndef b(:\n    c()\nclass D:\n    def e(self): pass\n"},
	})
}

func TestPythonDetails(t *testing.T) {
	src := `@dec
def f(n=build()):
    """Says."""
    return n
class C:
    def m(self):
        if isinstance(self.x, A) and isinstance(q, (A, B)): pass
        for q in y:
            if not isinstance(q, A): continue
            q.run()
`
	f := factsOf(t, "m.py", src)
	s := f.Symbols[0]
	if s.Start != 0 {
		t.Errorf("a decorated function begins at %d, not at its decorator", s.Start)
	}
	if doc := src[s.DocStart:s.DocEnd]; doc != `"""Says."""` {
		t.Errorf("doc is %q", doc)
	}
	for i := range f.Exprs {
		if e := &f.Exprs[i]; f.Str(e.Name) == "build" && e.In != graph.None {
			t.Errorf("a default is made in %s, not outside", f.Path(e.In))
		}
	}
	if !slices.ContainsFunc(f.Locals, func(l graph.Local) bool { return f.Str(l.Name) == "q" && l.Flags&graph.Narrowed != 0 && l.Type >= 0 }) {
		t.Error("isinstance does not narrow")
	}
}

func TestPythonModules(t *testing.T) {
	files := map[string]bool{}
	for _, p := range []string{"pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py", "tool/run.py", "tool/help.py", "src/lib/__init__.py", "json.py", "stub/s.pyi"} {
		files[p] = true
	}
	q := func(from, module string) string {
		c := pyModules(ModuleQuery{From: from, Module: module, File: func(p string) bool { return files[p] }, Folder: func(string) bool { return false }})
		if len(c) == 0 {
			return ""
		}
		return c[0].Path
	}
	for _, c := range [][3]string{
		{"pkg/sub/b.py", ".", "pkg/sub/__init__.py"},
		{"pkg/sub/b.py", "..a", "pkg/a.py"},
		{"pkg/__init__.py", ".sub.b", "pkg/sub/b.py"},
		{"pkg/sub/b.py", "pkg.a", "pkg/a.py"},
		{"pkg/sub/b.py", "a", ""},
		{"tool/run.py", "help", "tool/help.py"},
		{"tool/run.py", "pkg", "pkg/__init__.py"},
		{"tool/run.py", "lib", "src/lib/__init__.py"},
		{"tool/run.py", "stub.s", "stub/s.pyi"},
		{"tool/run.py", "json", ""},
		{"pkg/a.py", "json", "json.py"},
		{"pkg/a.py", "....x", ""},
	} {
		if got := q(c[0], c[1]); got != c[2] {
			t.Errorf("%s in %s is %q, want %q", c[1], c[0], got, c[2])
		}
	}
}
