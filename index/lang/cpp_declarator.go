package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// cppDeclared is what a declarator says: the name's node and spelling, the path of what owns it,
// the type, and the parameters where the name is that of a function.
type cppDeclared struct {
	name   int32
	text   string  // where the node does not spell it
	scope  []int32 // nodes before a ::, outermost first
	typ    int32
	params int32
	parts  int32 // a structured binding
	deref  bool  // the type is wrapped in a pointer
	reads  bool  // a method that changes nothing
}

// cppDeclarator takes a declarator apart, from the outside in.
func cppDeclarator(b *Builder, d, typ int32) cppDeclared {
	out := cppDeclared{name: graph.None, typ: typ, params: graph.None, parts: graph.None}
	before := typ
	for d >= 0 {
		inner := b.Field(d, "declarator")
		switch b.Kind(d) {
		case "pointer_declarator", "abstract_pointer_declarator", "reference_declarator", "abstract_reference_declarator":
			cOther(b, out.params)
			out.params = graph.None
			if b.Is(d, "pointer_declarator") || b.Is(d, "abstract_pointer_declarator") { // a reference is what it refers to
				out.typ = cppWrap(b, graph.OpPointer, d, out.typ)
				out.deref = true
			}
			if inner < 0 {
				inner = cppInner(b, d)
			}
		case "array_declarator", "abstract_array_declarator":
			cOther(b, out.params)
			out.params = graph.None
			b.Value(b.Field(d, "size"), graph.Read, false)
			out.typ = cppWrap(b, graph.OpArray, d, out.typ)
		case "function_declarator", "abstract_function_declarator":
			cOther(b, out.params)
			out.params, before = b.Field(d, "parameters"), out.typ
			for c := b.First(d); c >= 0; c = b.Next(d, c) {
				if b.Is(c, "trailing_return_type") {
					before = b.Type(b.Find(c, "type_descriptor"), graph.TypeUse)
				} else if b.Is(c, "type_qualifier") {
					out.reads = out.reads || b.Text(c) == "const"
				} else if b.Is(c, "noexcept") || b.Is(c, "requires_clause") {
					b.Visit(c)
				}
			}
			out.typ = b.Expr(graph.Expr{Op: graph.OpFunc, X: before, Off: b.Off(d)})
		case "parenthesized_declarator", "attributed_declarator", "abstract_parenthesized_declarator", "variadic_declarator":
			inner = cppInner(b, d)
		default:
			cppNamed(b, d, &out)
			if out.params >= 0 {
				out.typ = before
			}
			return out
		}
		d = inner
	}
	cOther(b, out.params)
	out.params = graph.None
	return out
}

func cppWrap(b *Builder, op graph.Op, n, x int32) int32 {
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: op, X: x, Off: b.Off(n)})
}

// cppInner is the declarator inside d where no field names it.
func cppInner(b *Builder, d int32) int32 {
	for c := b.First(d); c >= 0; c = b.Next(d, c) {
		if dk := b.rule(c).Do; dk != Comment && dk != Skip && !strings.HasPrefix(b.Kind(c), "ms_") && !b.Is(c, "*") && !b.Is(c, "&") {
			return c
		}
		if b.Is(c, "destructor_name") {
			return c
		}
	}
	return graph.None
}

// cppNamed takes the name at the heart of a declarator.
func cppNamed(b *Builder, d int32, out *cppDeclared) {
	switch b.Kind(d) {
	case "identifier", "field_identifier", "type_identifier", "primitive_type":
		out.name = d
	case "destructor_name", "operator_name":
		out.name, out.text = d, strings.Join(strings.Fields(b.Text(d)), "")
		if rest, ok := strings.CutPrefix(out.text, "operator"); ok && rest != "" && cLetter(rest[0]) {
			out.text = "operator " + rest
		}
	case "operator_cast":
		t := b.Field(d, "type")
		out.name, out.text = d, "operator "+b.Text(t)
		out.typ = b.Type(t, graph.TypeUse)
		for c := b.Field(d, "declarator"); c >= 0; c = b.Field(c, "declarator") {
			if p := b.Field(c, "parameters"); p >= 0 {
				out.params = p
				break
			}
			out.typ = cppWrap(b, graph.OpPointer, c, out.typ)
		}
	case "template_function", "template_type":
		out.name = b.Field(d, "name")
		b.values(d, &slot{fields: []uint16{b.l.g.fields["arguments"]}}, true)
	case "qualified_identifier":
		if s := b.Field(d, "scope"); s >= 0 {
			out.scope = append(out.scope, s)
		}
		if x := b.Field(d, "name"); x >= 0 {
			cppNamed(b, x, out)
		}
	case "structured_binding_declarator":
		out.parts = d
	case "pointer_type_declarator", "dependent_name":
		if x := cppInner(b, d); x >= 0 {
			cppNamed(b, x, out)
		}
	default:
		b.Visit(d)
	}
}

// cppType is the type of a declaration; auto is none.
func cppType(b *Builder, n int32) (typ int32, auto bool) {
	t := b.Field(n, "type")
	if t < 0 {
		return graph.None, false
	}
	typ = b.Type(t, graph.TypeUse)
	return cppConst(b, n, typ), b.Is(t, "placeholder_type_specifier")
}

// cppConst is the type typ of n, where n says so of values that may not be changed.
func cppConst(b *Builder, n, typ int32) int32 {
	if typ < 0 {
		return typ
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_qualifier") && string(b.t.Text(c)) == "const" {
			return b.Expr(graph.Expr{Op: graph.OpUnion, N: graph.MeansConst, X: graph.None, Kids: b.List(typ), Off: b.Off(n)})
		}
	}
	return typ
}
