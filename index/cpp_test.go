package index_test

import "testing"

func TestCppLinks(t *testing.T) {
	runLinkCases(t, []linkCase{
		{"out-of-line members belong to their class, wherever they stand", tree{
			"tank.h":   "#pragma once\nnamespace plant {\nclass Tank {\n public:\n  Tank();\n  void fill(int n = 1);\n  struct Gauge { int read(const Tank& t) const; };\n  void note() const;\n  int n_;\n};\n}\n",
			"tank.cpp": "#include \"tank.h\"\nnamespace plant {\nTank::Tank() : n_(0) { note(); }\nint Tank::Gauge::read(const Tank& t) const { t.note(); return t.n_; }\nvoid Tank::note() const {}\n}\nvoid plant::Tank::fill(int n) { note(); n_ = n; }\n",
			"use.cpp":  "#include \"tank.h\"\nusing namespace plant;\nvoid f(Tank* t, Tank::Gauge g) { t->fill(); g.read(*t); plant::Tank u; u.note(); }\n",
		}, map[string]string{
			"tank.cpp:3 note": "tank.cpp:5,tank.h:8",
			"tank.cpp:3 n_":   "tank.h:9",
			"tank.cpp:4 note": "tank.cpp:5,tank.h:8",
			"tank.cpp:7 note": "tank.cpp:5,tank.h:8",
			"use.cpp:3 fill":  "tank.cpp:7,tank.h:6",
			"use.cpp:3 read":  "tank.cpp:4,tank.h:7",
			"use.cpp:3 note":  "tank.cpp:5,tank.h:8",
			"use.cpp:3 Gauge": "tank.h:7",
		}},
		{"macros are seen where they are included, functions of that name elsewhere", tree{
			"trace.h":   "#define CHECK(x) do { (void)(x); } while (0)\n",
			"work.cpp":  "#include \"trace.h\"\nvoid work() { CHECK(1); }\n",
			"other.cpp": "void CHECK(int v) {}\nvoid late() { CHECK(2); }\n",
		}, map[string]string{
			"work.cpp:2 CHECK":  "trace.h:1",
			"other.cpp:2 CHECK": "other.cpp:1",
		}},
		{"overloads are told apart by number, type and constness", tree{
			"o.cpp": `struct A {}; struct B : A {};
void f(int a);
void f(int a, int b = 2);
void f(const char* s);
void f(A* a);
struct S { int* get(); const int* get() const; void c() const { get(); } void n() { get(); } };
void g(B* b, const S& k, S& s) { f("x"); f(b); f(1, 2); k.get(); s.get(); }
`,
		}, map[string]string{
			"o.cpp:7 f":   "o.cpp:4 | o.cpp:5 | o.cpp:3",
			"o.cpp:6 get": "o.cpp:6 | o.cpp:6",
			"o.cpp:7 get": "o.cpp:6 | o.cpp:6",
		}},
		{"names are hidden by those of nearer scopes", tree{
			"h.cpp": `int x;
namespace n { int x; namespace m { void f() { x; ::x; } } namespace { int only; } void g() { only; } }
struct Base { int v; void m(int); };
struct D : Base { void m(); void t() { m(); v; this->v; } };
namespace alias = n::m;
void h() { alias::f(); using n::g; g(); }
enum E { Red }; enum class C { Blue };
int i = Red + (int)E::Red + (int)C::Blue;
`,
		}, map[string]string{
			"h.cpp:2 x":    "h.cpp:2 | h.cpp:1",
			"h.cpp:2 only": "h.cpp:2",
			"h.cpp:4 m":    "h.cpp:4",
			"h.cpp:4 v":    "h.cpp:3 | h.cpp:3",
			"h.cpp:6 f":    "h.cpp:2",
			"h.cpp:6 g":    "h.cpp:2",
			"h.cpp:8 Red":  "h.cpp:7 | h.cpp:7",
			"h.cpp:8 Blue": "h.cpp:7",
		}},
		{"what is made, pointed to and run over has the type that it says", tree{
			"t.cpp": `#include <vector>
#include <map>
struct T { void go(); T* next; static T* make(); };
template <typename U> struct Box { U value; U* operator->(); };
void f(std::vector<T> v, std::map<int, T> m, std::unique_ptr<T> p, Box<T> b) {
  auto q = T::make(); q->next->go();
  for (auto& e : v) { e.go(); }
  for (auto& kv : m) kv.second.go();
  p->go(); b.value.go(); b->go(); v[0].go();
  auto u = std::make_unique<T>(); u->go();
  auto l = [&](T& a) { a.go(); };
  (new T)->go(); static_cast<T*>(nullptr)->go();
}
`,
		}, map[string]string{
			"t.cpp:6 go":  "t.cpp:3",
			"t.cpp:7 go":  "t.cpp:3",
			"t.cpp:8 go":  "t.cpp:3",
			"t.cpp:9 go":  "t.cpp:3 | t.cpp:3 | t.cpp:3 | t.cpp:3",
			"t.cpp:10 go": "t.cpp:3",
			"t.cpp:11 go": "t.cpp:3",
			"t.cpp:12 go": "t.cpp:3 | t.cpp:3",
		}},
		{"making a value runs a constructor", tree{
			"c.cpp": "struct P { P(int a); P(int a, int b); };\nstruct Q : P { Q() : P(1) {} };\nvoid f() { new P(1); P(1, 2); P x(3); }\n",
		}, map[string]string{
			"c.cpp:3 P": "c.cpp:1 | c.cpp:1 | c.cpp:1",
			"c.cpp:2 P": "c.cpp:1 | c.cpp:1",
		}},
		{"attribute macros, torn conditions and long raw strings lose nothing", tree{
			"m.cpp": `#define API __attribute__((visibility("default")))
class API Wheel { public: Wheel(); void turn(int by) GUARDED(mu); int pos() const; };
class API Mill final : public Wheel { public: int grind() { turn(1); return pos(); } };
static const char* k = R"PANEL_TEXT_BLOCK(
struct NotReal { int fake; };
)PANEL_TEXT_BLOCK";
API void Wheel::turn(int by) {
#ifdef A
  if (by) {
#else
  if (!by) {
#endif
    pos();
  }
}
`,
		}, map[string]string{
			"m.cpp:2 API":   "m.cpp:1",
			"m.cpp:3 turn":  "m.cpp:7,m.cpp:2",
			"m.cpp:3 pos":   "m.cpp:2",
			"m.cpp:3 Wheel": "m.cpp:2",
			"m.cpp:13 pos":  "m.cpp:2",
		}},
		{"what has internal linkage belongs to its file", tree{
			"a.cpp": "static void help() {}\nvoid a() { help(); shared(); }\n",
			"b.cpp": "namespace { void help() {} }\nvoid b() { help(); }\nvoid shared() {}\n",
			"c.cpp": "void c() { help(); }\n",
		}, map[string]string{
			"a.cpp:2 help":   "a.cpp:1",
			"a.cpp:2 shared": "b.cpp:3",
			"b.cpp:2 help":   "b.cpp:1",
			"c.cpp:1 help":   "unresolved not-found",
		}},
	})
}
