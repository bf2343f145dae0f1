package lang

import (
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
)

func TestJava(t *testing.T) {
	testFacts(t, []factsCase{
		{why: "types and their members", path: "X.java", src: `package a.b;
/** Doc. */
@Anno(value = "x", of = Foo.class)
public abstract class X<T extends Comparable<T>> extends Base<T> implements I, a.J<String> {
  private static final int A = 1, b[] = {1};
  static { foo(); }
  public X(int a, String... rest) throws E1 { super(a); this.A = a; }
  abstract <U> U gen(U u);
  protected class Inner { }
  enum En implements I { ONE(1) { void q() {} }, TWO; En(int x) {} int f; }
  record R(int a, B c) { R { check(a); } }
  @interface An { String value() default "x"; int K = 3; }
  interface In extends I { default void d() {} int C = 1; void m(); }
}
`, symbols: []string{"4 class X abstract", "5 field X.A static private", "5 field X.b static private", "7 constructor X.X", "8 method X.gen abstract",
			"9 class X.Inner protected", "10 enum X.En static", "10 enum member X.En.ONE static", "10 class X.En.ONE.(class) anonymous", "10 method X.En.ONE.(class).q",
			"10 enum member X.En.TWO static", "10 constructor X.En.En", "10 field X.En.f", "11 class X.R static", "11 field X.R.a private", "11 method X.R.a",
			"11 field X.R.c private", "11 method X.R.c", "11 constructor X.R.R", "12 annotation X.An static", "12 method X.An.value abstract", "12 field X.An.K static",
			"13 interface X.In static", "13 method X.In.d", "13 field X.In.C static", "13 method X.In.m abstract"},
			refs: []string{"3 type Anno", "3 read value", "3 read of", "3 type Foo", "4 type Comparable", "4 inherit Base", "4 inherit I", "4 type a", "4 inherit J", "4 type String",
				"6 call foo", "7 type String", "7 type E1", "7 write A", "10 inherit I", "11 type B", "11 call check", "12 type String", "13 inherit I"}},
		{why: "a local is no reference, a method of its name is one", path: "X.java", src: `class X {
  void m(Foo foo, List<? super Bar> l) {
    int i = 0, j = i;
    var v = foo.bar(i);
    foo(v);
    for (Foo f : l) f.run();
    for (int k = 0; k < j; k++) { }
    lbl: while (true) { break lbl; }
    try (Reader r = open(); r) { } catch (E1 | E2 e) { e.p(); }
    F g = (x, y) -> x.foo(y); F z = x -> x;
    if (v instanceof Foo f2 && f2.ok()) f2.go();
    switch (v) { case ONE: q(); break; default: }
    switch (v) { case Foo f3 -> f3.y(); case R(int a1, var b1) -> b1.z(); default -> { } }
    foo::size; Foo::new; this::m;
  }
}
`, symbols: []string{"1 class X", "2 method X.m"},
			refs: []string{"2 type Foo", "2 type List", "2 type Bar", "4 call bar", "5 call foo", "6 type Foo", "6 call run", "9 type Reader", "9 call open", "9 type E1", "9 type E2",
				"9 call p", "10 type F", "10 call foo", "10 type F", "11 type Foo", "11 call ok", "11 call go", "12 read ONE", "12 call q", "13 type Foo", "13 call y",
				"13 type R", "13 call z", "14 read size", "14 type Foo", "14 read m"}},
		{why: "making things", path: "X.java", src: `class X {
  Object o = new a.Foo<Bar>(1) { int f = x; @Override public void m() { g(); } };
  Object p = outer.new Inner();
  int[] q = new int[n], r = {1}; Foo[][] s = new Foo[]{ new Foo() };
  void m() { class Loc { } new Loc(); X.this.m(); super.m(); I.super.m(); a.b.C.stat(); x.y = (Foo) z; i++; }
}
`, symbols: []string{"1 class X", "2 field X.o", "2 class X.o.(class) anonymous", "2 field X.o.(class).f", "2 method X.o.(class).m", "3 field X.p", "4 field X.q", "4 field X.r",
			"4 field X.s", "5 method X.m", "5 class X.m.Loc"},
			refs: []string{"2 type Object", "2 type a", "2 inherit Foo", "2 type Bar", "2 read x", "2 type Override", "2 call g", "3 type Object", "3 read outer", "3 call Inner",
				"4 read n", "4 type Foo", "4 type Foo", "4 call Foo", "5 call Loc", "5 type X", "5 call m", "5 call m", "5 type I", "5 call m", "5 read a", "5 read b", "5 read C",
				"5 call stat", "5 read x", "5 write y", "5 type Foo", "5 read z", "5 write i"}},
		{why: "imports", path: "X.java", src: `import java.util.*;
import java.util.Map.Entry;
import static a.C.foo;
import static a.C.*;
`, imports: []string{"=java.util: star", "Entry=java.util.Map.Entry:", "foo=a.C:foo static", "=a.C: star static"}, refs: []string{}},
		{why: "a broken part does not take the rest with it", path: "X.java", src: `class X {
  void a() { int x = ; }
  void b( { c(); }
  void d() { }
}
`},
	})
}

func TestJavaCallsSayHowManyArguments(t *testing.T) {
	f := factsOf(t, "X.java", "class X { void m() { f(null, 1); g(); new X(a); h(x -> { }); } }")
	var n []int
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Op == graph.OpCall || e.Op == graph.OpNew {
			n = append(n, int(e.N)-1)
		}
	}
	if len(n) != 4 || n[0] != 2 || n[1] != 0 || n[2] != 1 || n[3] != 1 {
		t.Errorf("numbers of arguments are %v", n)
	}
}

func TestJavaModules(t *testing.T) {
	c := javaModules(ModuleQuery{Module: "a.b.C.D", Import: &graph.Imported{}})
	if len(c) != 4 || c[0].Scope != graph.Scope("java", "a.b.C") || c[0].Member != "D" || c[1].Member != "C.D" || c[3].Scope != graph.Scope("java", "") {
		t.Errorf("candidates are %v", c)
	}
	c = javaModules(ModuleQuery{Module: "a.b", Import: &graph.Imported{Flags: graph.Star}})
	if len(c) != 3 || c[0].Scope != graph.Scope("java", "a.b") || c[0].Member != "" {
		t.Errorf("candidates of a package are %v", c)
	}
}
