package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// circleForms are, by the ending of a language's files, declarations in which A, B and C stand for any of a
// few names and M for a module or file. Drawn at random they stand for one another in circles of every
// kind, most of which no compiler would take, and which sources that are being written have all the same.
var circleForms = map[string][]string{
	"rs": {"fn A(x: B, y: A) { x.C(|z| z.A().B()); for z in y { z.B().C(); } y[0].B(); let C = x?.A(); C.B(); match y { A(B) => B.C() } }", "impl Iterator for A { type Item = B; fn next(&mut self) -> Option<A::Item> { self.B().next() } }", "impl Index<A> for B { type Output = C; }", "impl<T> A for B<T> where T: C { }", "pub use self::A::B;", "pub use super::A;", "pub use crate::M::A;", "pub use crate::M::*;", "pub use super::*;", "pub mod A { pub use super::B; pub use self::C::A; }",
		"pub mod A { pub use super::B::*; pub mod B { pub use super::super::C::*; } }", "pub type A = B<C>;", "pub struct A { B: C, C: B }", "pub struct A(B);", "pub trait A: B { type C; fn B(&self) -> Self::C; }",
		"impl Deref for A { type Target = B; fn deref(&self) -> &B { self.C() } }", "impl<T> Deref for A<T> { type Target = A<A<T>>; }", "impl<T: A> B for T { type C = T::C; }", "impl A for B { type C = A; fn B(&self) -> C { self.B().C() } }",
		"impl A { pub fn B(&self) -> C { self.C().A().B.C } }", "fn A() -> B { let A = B().C(); A.B().C }", "macro_rules! A { () => { B!() } }", "fn C<T: A>(x: T) where T: B { x.C().A().B(); A::B(); B::C::A(); }"},
	"ts": {"const A: B = (x) => x.C(); for (const B of C()) { B.A() }", "export function A(x: B, y: C) { y((z) => z.A().B()); x[0].C(); for (const z of x) { z.B() } const { B, C: [D] } = x; D.A(); return x! as A }", "export async function* A(): B { yield (await B()).C; }", "export type A = Parameters<B>[0] | ReturnType<C> | Awaited<A>", "export { A as B } from './M'", "export * from './M'", "export { default } from './M'", "export { default as A } from './M'", "import A from './M'", "import { A } from './M'", "import * as A from './M'; export { A }",
		"export default A", "export { A as default }", "export const A = B.C", "export let A = B()", "export type A = B<C>", "export type A<T> = T extends B ? A<C> : A<B<T>>", "export interface A extends B { C: A; B(): C }",
		"export class A extends B { C = this.B().A; B(): C { return this.C.B().A() } }", "export function A() { return B().C }", "namespace A { export import B = C; export const A = B.C }", "import A = B.C", "export type A = typeof B['C']",
		"export type A = { [K in keyof B]: A[K] }", "A.B.C(); B().A().C; new A().B()", "export = A", "const A = ({ B }: C) => B(A)"},
	"js": {"function A(x) { x.B((z) => z.C().A()); for (const z of B()) { z.A() } return C[0].B() }", "/** @typedef {B} A */ /** @type {A} */ const C = B((x) => x.A())", "module.exports = require('./M')", "module.exports = A", "exports.A = require('./M').B", "const A = require('./M')", "const { A, B } = require('./M')", "exports = module.exports = A; A.B = C", "A.prototype = B.prototype", "A.prototype.B = C.A",
		"Object.assign(A, B, C)", "Object.assign(module.exports, require('./M'))", "function A() { return B() } A.B = A.C", "A = B; B = C; C = A", "class A extends B { C() { return this.A().C() } }", "const A = B ? C : A; A.B().C()", "export * from './M'", "export default A"},
	"py": {"for A in B: A.C()", "with A as B: B.C()", "def A(x: B, y: 'C') -> 'A':\n    for z in y: z.B()\n    x[0].C(lambda z: z.A())\n    return [z.B() for z in x]", "class A:\n    def __getitem__(self, i) -> B: return self[i]\n    def __iter__(self) -> C: return iter(B())\n    def __enter__(self): return C()\n    def __call__(self): return self()", "async def A(): return (await B()).C", "from M import A", "from M import A as B", "from .M import *", "from M import *", "import M as A", "A = B", "A = B.C()", "class A(B): C = A", "class A(B, C):\n    def B(self): return self.C().A()\n    A = B", "class A(B[C]): pass", "def A(): return B().C",
		"def A(x: B) -> C: return x.A().B()", "A: B = C", "A.B = C.A", "@A\ndef B(): return A(B)", "@A.B\nclass C(A): pass", "A = Union[B, C]", "A = type('A', (B,), {})", "A().B().C()", "class A(A.B): pass", "def __getattr__(A): return B"},
	"go":    {"func C(x A, y B) { for _, z := range x { z.B() }; x[0].C(); (<-y).A(); y(func(z A) B { return z.C() }); z := x.(B); z.A() }", "type A map[B]C", "type A func(B) C", "type A []A", "type A chan B", "type A = B", "type A B", "type A struct { B; *C }", "type A struct { B C }", "type A interface { B; C() A }", "func (a A) B() C { return a.C().A().B }", "func A() B { return C().B }", "var A = B.C", "var A, B = B(), A", "type A[T any] struct { B[A[T]] }", "type A[T B] = C[T]", "const A = B", "func B[T A](x T) { x.C().A() }"},
	"java":  {"interface A<T extends B<T>> { B<A<T>> C(A<C> x); default void B(C x) { C(y -> y.A().B()); for (var z : x) { z.B(); } } }", "class A implements Iterable<B> { void B(A x) { for (var y : x) { y.C(B::A); } } }", "class A extends B { C A; C B() { return this.C().A; } }", "interface A extends B, C { A B(); }", "class A<T extends A<T>> extends B<C<T>> { class B extends A<T> { C c; } }", "class A extends A.B { static class B extends A {} }", "class A { B C() { var A = B().C(); return A.B().A; } static class C extends A.C {} }", "enum A implements B { C; A B() { return C.B(); } }", "record A(B C) implements C { }", "import M.A;", "import M.*;", "import static M.A.*;"},
	"cs":    {"class A { void B(C x) { foreach (var z in x) { z.A(); } x[0].B(); x.C(y => y.A().B()); var (D, E) = x; D.A(); } }", "class A { B this[int i] => this[i].C; A GetEnumerator() => B; B Current => C; }", "class A { static implicit operator B(A x) => x.C; }", "using A = B;", "using B = M.A;", "using M;", "using static M.A;", "global using M;", "namespace M { class A : B { C B => this.C.A; } }", "class A : B, C { B C() { return this.C().A.B(); } }", "interface A : B { C A { get; } }", "class A<T> : B<A<A<T>>> where T : C { T C; }", "class A { class B : A { class C : B { } } }", "static class A { static B C(this A x) { return x.C().C(); } }", "delegate A B(C c);", "record A(B C) : C(A);"},
	"c":     {"A f(B x, C *y) { x[0].A(); y->B(x); return *y->C; }", "typedef A B[3];", "typedef A *B;", "#include \"M.h\"", "#define A B", "#define A B()", "#define A(x) B(x)", "typedef A B;", "typedef struct A B;", "typedef A (*B)(C);", "struct A { struct B C; B A; };", "A B(C c) { return c->B->C; }", "extern A B;", "A B = C;", "__typeof__(A) B;", "int A(void) { return B()->C.A(); }"},
	"cpp":   {"void g(A x, B y) { for (auto z : x) { z.B(); } y[0].C(); x([](auto z) { return z.A(); }); auto [D, E] = y; D.A(); (*y).C(); }", "struct A { B operator[](int); C begin(); A operator()(B); B operator*(); };", "template<class T> struct A { using B = typename T::C; B C(); }; typedef A<B> C;", "#include \"M.h\"", "using A = B;", "using namespace A;", "using A::B;", "namespace A = B;", "namespace A { using namespace B; using C::A; }", "namespace A { inline namespace B { using namespace A; } }", "typedef A B;", "struct A : B { C A; C* B() { return this->C()->A; } };", "template<class T> struct A : B<A<T>> { typedef typename B<T>::C C; };", "template<class T> using A = B<C<T>>;", "struct A { B* operator->(); };", "auto A() { return B().C; }", "decltype(A) B;", "struct A::B : C {};", "void f() { A a; a->B()->C(); auto C = a.B(); C->A(); }", "struct A { using B::B; using C = A::C; };"},
	"php":   {"foreach (A::B() as $C) { $C->A(); } $A = array_map(fn($x) => $x->B(), $C); $C[0]->A();", "/** @implements IteratorAggregate<B> */ class A { function B(C $x) { foreach ($x as $y) { $y->C(fn(A $z) => $z->B()); } } }", "use A as B;", "use M\\A;", "namespace M;", "class A extends B { use C; public B $C; }", "trait A { use B { C as A; } }", "interface A extends B, C {}", "class_alias('A', 'B');", "/** @mixin A */ class B extends C { function A(): static { return $this->B()->C; } }", "function A(): B { return B()->C(); }", "/** @method A B() @property C $A */ class A extends B {}", "$A = B::C(); $A->B()->C;", "class A { const B = C::A; /** @return A<B> */ function C() { return self::B; } }", "require 'M.php';"},
	"rb":    {"A.each { |x| x.B.C }", "def B(x) x.map(&:C).A[0].B; yield A.new; end", "class A\n def each; yield B.new; end\n def C; each { |x| x.C }; end\nend", "B = A.new.C", "A.class_eval do\n include B\nend", "A = B", "A = B::C", "class A < B\n def C; A.new.B; end\nend", "module A\n include B\n extend C\nend", "class A\n include A::B\nend", "module A\n B = A\n module C\n  include A\n end\nend", "A.include B", "class << A\n include B\nend", "alias A B", "class A\n alias_method :B, :C\n delegate :A, to: :B\n attr_reader :C\nend", "A::B.C.A", "require_relative 'M'", "class A < Struct.new(:B)\nend", "module A\n def self.included(b) b.extend C end\nend", "def A; B.C; end"},
	"kt":    {"fun A(x: B, y: A) { x.C { it.A().B() }; for (z in y) { z.B() }; y[0].C(); val (D, E) = x; D.A() }", "class A { operator fun get(i: Int): B = this[i].C; operator fun iterator(): C = B(); operator fun invoke(): A = this() }", "typealias A = (B) -> C", "val A: B = { x -> x.C() }", "import M.A", "import M.*", "typealias A = B<C>", "class A : B() { val C = A().B }", "open class A : B by C", "interface A : B, C { fun B(): A }", "fun A.B(): C = this.C().A", "val A = B.C", "class A { companion object : B() }", "object A : B { fun C() = A.B().C() }", "fun <T : A> B(x: T) = x.C()"},
	"swift": {"func C(x: A, y: B) { for z in x { z.B() }; x[0].C(); y { $0.A().B() }; let (D, E) = x; D.A(); guard let F = y as? A else { return }; F.B() }", "struct A { subscript(i: Int) -> B { self[i].C }; func callAsFunction() -> C { self() } }", "typealias A = (B) -> C", "import M", "typealias A = B<C>", "class A : B { var C: A; func B() -> C { return self.C().A } }", "protocol A : B { associatedtype C : A; func B() -> C }", "extension A : B { typealias C = A.C }", "struct A { var B: C { C().A } }", "let A = B.C", "func A() -> B { B().C() }", "enum A : B { case C(A) }", "extension A where B == C { func C() {} }"},
	"scala": {"def C(x: A, y: B) = { for (z <- x) z.B(); x(0).C(); y(z => z.A().B()); x match { case A(B) => B.C() } }", "class A { def apply(x: B): C = this(x).A }", "type A = B => C", "import M.A", "import M._", "import A._", "export A.*", "type A = B[C]", "class A extends B with C { def B = this.C.A }", "trait A extends B { self: C => def C: A; type B = A }", "object A extends B { import C._; val B = C.A }", "val A = B.C", "def A(x: B) = x.C().A", "implicit class A(x: B) { def C = x.A }", "package M { object A extends C }", "package object M extends A"},
}

// TestCirclesEnd links sources in which names stand for one another in circles: each is answered, in
// whatever way. A search without an end fills the stack, which no process survives.
func TestCirclesEnd(t *testing.T) {
	for ending, forms := range circleForms {
		t.Run(ending, func(t *testing.T) {
			for seed := range uint64(40) {
				newSources(t, circle(rand.New(rand.NewPCG(seed, 1)), ending, forms)).links()
			}
		})
	}
}

// circle draws a few files of declarations over a few names.
func circle(r *rand.Rand, ending string, forms []string) []txtar.File {
	draw := func(names ...string) string { return names[r.IntN(len(names))] }
	files := []txtar.File{{Name: "Cargo.toml", Data: []byte("[package]\nname = \"demo\"\n")}, {Name: "go.mod", Data: []byte("module demo\n")}}
	for _, module := range []string{"m", "n", "lib"} {
		var text strings.Builder
		if ending == "go" {
			text.WriteString("package demo\n")
		}
		if ending == "php" {
			text.WriteString("<?php\n")
		}
		for range 3 + r.IntN(12) {
			names := strings.NewReplacer("A", draw("A", "B", "C"), "B", draw("A", "B", "C"), "C", draw("A", "B", "C"), "M", draw("m", "n", "lib"))
			text.WriteString(names.Replace(forms[r.IntN(len(forms))]) + "\n")
		}
		files = append(files, txtar.File{Name: fmt.Sprintf("src/%s.%s", module, ending), Data: []byte(text.String())})
	}
	return files
}
