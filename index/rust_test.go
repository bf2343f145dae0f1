package index_test

import "testing"

func TestRustLinks(t *testing.T) {
	runLinkCases(t, []linkCase{
		{"modules are files, paths lead through them", tree{
			"Cargo.toml":   "[package]\nname = \"my-app\"\n",
			"src/lib.rs":   "mod a;\npub use a::deep::Thing as Renamed;\npub fn top() { a::deep::run(); }\n",
			"src/a/mod.rs": "pub mod deep;\n",
			"src/a/deep.rs": `pub struct Thing;
pub fn run() { super::super::top(); crate::top(); }
mod tests { use super::*; fn t() { run(); } fn u() { lost(); } }
fn lost() {}
`,
			"tests/it.rs": "use my_app::{self, Renamed};\nfn t(r: Renamed) { my_app::top(); }\n",
		}, map[string]string{
			"src/lib.rs:3 run":      "src/a/deep.rs:2",
			"src/lib.rs:3 a":        "src/lib.rs:1",
			"src/a/deep.rs:2 top":   "src/lib.rs:3 | src/lib.rs:3",
			"src/a/deep.rs:3 run":   "src/a/deep.rs:2",
			"tests/it.rs:2 top":     "src/lib.rs:3",
			"tests/it.rs:2 Renamed": "src/a/deep.rs:1",
		}},
		{"a module inside a file sees its own names only", tree{
			"src/lib.rs": "fn f() {}\nmod m {\n fn g() { f(); }\n fn h() { super::f(); self::g(); }\n}\n",
		}, map[string]string{
			"src/lib.rs:3 f": "unresolved not-found",
			"src/lib.rs:4 f": "src/lib.rs:1",
			"src/lib.rs:4 g": "src/lib.rs:3",
		}},
		{"impl blocks add to types of other files, generic or not", tree{
			"src/lib.rs":  "mod more;\npub struct A<T> { pub x: T }\npub struct B;\nfn f(a: A<B>) { a.go(); a.x.stop(); A::make().go(); }\n",
			"src/more.rs": "use crate::{A, B};\nimpl<T> A<T> {\n pub fn go(&self) { self.x; }\n pub fn make() -> Self { Self::make() }\n}\nimpl B { pub fn stop(&self) {} }\n",
		}, map[string]string{
			"src/lib.rs:4 go":    "src/more.rs:3 | src/more.rs:3",
			"src/lib.rs:4 stop":  "src/more.rs:6",
			"src/lib.rs:4 make":  "src/more.rs:4",
			"src/more.rs:3 x":    "src/lib.rs:2",
			"src/more.rs:4 make": "src/more.rs:4",
		}},
		{"a call names what the trait declares, and the block that implements it", tree{
			"src/lib.rs": `trait T { fn a(&self); fn b(&self) { self.a(); } }
struct S;
impl T for S { fn a(&self) {} }
fn f<X: T>(x: X, s: S, d: &dyn T) { x.a(); s.b(); d.a(); }
fn g<X>(x: X, s: S) where X: T { x.b(); s.a(); }
impl std::fmt::Display for S { fn fmt(&self, f: &mut std::fmt::Formatter) {} }
fn h(s: S) { s.fmt(); s.to_string(); }
`,
		}, map[string]string{
			"src/lib.rs:1 a":         "src/lib.rs:1",
			"src/lib.rs:4 a":         "src/lib.rs:1 | src/lib.rs:1",
			"src/lib.rs:4 b":         "src/lib.rs:1",
			"src/lib.rs:5 b":         "src/lib.rs:1",
			"src/lib.rs:5 a":         "src/lib.rs:1,src/lib.rs:3",
			"src/lib.rs:7 fmt":       "external",
			"src/lib.rs:7 to_string": "external",
		}},
		{"patterns bind, shadow and compare", tree{
			"src/lib.rs": `enum E { One, Two(S, i32), Three { s: S } }
struct S { v: i32 }
impl S { fn m(&self) {} }
fn f(e: E, o: Option<S>) -> Result<S, E> {
 match e { E::One => {} E::Two(ref s, _) => s.m(), E::Three { s } => s.m() }
 if let Some(x) = o { x.m(); }
 let S { v } = make()?;
 let x = make()?;
 let x = x.v;
 let e = vec![S { v: 1 }];
 for s in e.iter() { s.m(); }
 e.iter().map(|s| s.m());
 x
}
fn make() -> Result<S, E> { Err(E::One) }
`,
		}, map[string]string{
			"src/lib.rs:5 m":   "src/lib.rs:3 | src/lib.rs:3",
			"src/lib.rs:5 One": "src/lib.rs:1",
			"src/lib.rs:6 m":   "src/lib.rs:3",
			"src/lib.rs:9 v":   "src/lib.rs:2",
			"src/lib.rs:11 m":  "src/lib.rs:3",
			"src/lib.rs:12 m":  "src/lib.rs:3",
		}},
		{"fields and methods have names apart", tree{
			"src/lib.rs": "struct A { n: B }\nstruct B { k: u8 }\nimpl A { fn n(&self) -> &B { &self.n } }\nimpl B { fn k(&self) {} }\nfn f(a: A) { a.n().k(); a.n.k(); a.n.k; }\n",
		}, map[string]string{
			"src/lib.rs:3 n": "src/lib.rs:1",
			"src/lib.rs:5 n": "src/lib.rs:3 | src/lib.rs:1 | src/lib.rs:1",
			"src/lib.rs:5 k": "src/lib.rs:4 | src/lib.rs:4 | src/lib.rs:2",
		}},
		{"items in a block are seen in all of it, imports in a function only there", tree{
			"src/lib.rs": "mod m { pub fn far() {} pub enum K { P, Q } }\nfn f() { inner(); use m::far; fn inner() {} far(); }\nfn g(k: m::K) { use m::K::*; match k { P => 1, Q => 2 }; far(); }\n",
		}, map[string]string{
			"src/lib.rs:2 inner": "src/lib.rs:2",
			"src/lib.rs:2 far":   "src/lib.rs:1",
			"src/lib.rs:3 P":     "src/lib.rs:1",
			"src/lib.rs:3 far":   "unresolved not-found",
		}},
		{"macros are used, and what they are given is read", tree{
			"src/lib.rs": "macro_rules! twice { ($x:expr) => { $x; $x } }\nstruct S;\nimpl S { fn m(&self) -> u8 { 1 } }\nfn f(s: S) { twice!(s.m()); println!(\"{}\", go(s.m())); }\nfn go(x: u8) {}\n",
		}, map[string]string{
			"src/lib.rs:4 twice":   "src/lib.rs:1",
			"src/lib.rs:4 m":       "src/lib.rs:3 | src/lib.rs:3",
			"src/lib.rs:4 go":      "src/lib.rs:5",
			"src/lib.rs:4 println": "external",
		}},
		{"macros are seen in the modules below, crates everywhere", tree{
			"Cargo.toml": "[package]\nname = \"mine\"\n",
			"src/lib.rs": "#[macro_use]\nmacro_rules! tri { ($e:expr) => { $e } }\nmod low;\npub fn f() {}\n",
			"src/low.rs": "use serde::ser;\nfn g() { tri!(1); }\n",
			"tests/t.rs": "fn t() { mine::f(); }\n",
		}, map[string]string{
			"src/low.rs:2 tri":   "src/lib.rs:2",
			"src/low.rs:1 serde": "external",
			"tests/t.rs:1 f":     "src/lib.rs:4",
		}},
		{"what a bound from outside promises is outside", tree{
			"src/lib.rs": "use serde::Visitor;\nfn f<V: Visitor>(v: V) -> V::Value { v.visit() }\nfn g<T>(t: T) { t.visit(); }\n",
		}, map[string]string{
			"src/lib.rs:2 Value": "external",
			"src/lib.rs:2 visit": "external",
			"src/lib.rs:3 visit": "unresolved not-found",
		}},
		{"what is left out of the usual build comes last", tree{
			"src/lib.rs": "#[cfg(windows)]\nfn f() {}\n#[cfg(not(windows))]\nfn f() {}\nfn g() { f(); }\n",
		}, map[string]string{
			"src/lib.rs:5 f": "src/lib.rs:4,src/lib.rs:2",
		}},
	})
}
