package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

func cppQualified(b *Builder, n int32, role graph.Role, want bool) int32 {
	return cppQualifiedIn(b, n, role, graph.None, false)
}

func cppQualifiedType(b *Builder, n int32, role graph.Role) int32 {
	return cppQualifiedIn(b, n, role, graph.None, true)
}

// cppQualifiedIn is a path of names: a member of each name is the next. x is what stands before it.
func cppQualifiedIn(b *Builder, n int32, role graph.Role, x int32, typ bool) int32 {
	scope, name := b.Field(n, "scope"), b.Field(n, "name")
	root := scope < 0 && x < 0
	if scope >= 0 {
		x = cppStep(b, scope, graph.TypeUse, x, true)
	}
	if name < 0 {
		return x
	}
	if b.Is(name, "qualified_identifier") {
		return cppQualifiedIn(b, name, role, x, typ)
	}
	e := cppStep(b, name, role, x, typ)
	if root && e >= 0 && b.F.Exprs[e].Op == graph.OpName { // ::name is no name of what it stands in
		b.F.Exprs[e].In = graph.None
	}
	return e
}

// cppStep is the name at n as a member of x, or alone.
func cppStep(b *Builder, n int32, role graph.Role, x int32, typ bool) int32 {
	id, args := n, graph.None
	switch b.Kind(n) {
	case "template_type", "template_function", "template_method":
		id, args = b.Field(n, "name"), n
	case "dependent_name":
		return cppStep(b, b.First(n), role, x, typ)
	case "decltype", "operator_cast":
		b.Visit(n)
		return graph.None
	}
	if id < 0 {
		return graph.None
	}
	e := graph.None
	switch {
	case x >= 0:
		name := b.nodeStr(id)
		if b.Is(id, "operator_name") {
			name = b.Str(strings.Join(strings.Fields(b.Text(id)), ""))
		}
		e = b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: name, Off: b.Off(id)})
	case b.Is(id, "operator_name"):
		return graph.None
	default:
		e = b.Name(id, role, true)
	}
	if args < 0 || e < 0 {
		return e
	}
	kids := cppArguments(b, args, b.Text(id))
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: e, Kids: kids, Off: b.Off(n)})
}

// cppHolders are types that stand for what they point to or may hold.
var cppHolders = cSet("unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr", "scoped_ptr", "intrusive_ptr", "scoped_refptr", "reference_wrapper", "not_null")

// cppArguments are template arguments. Of smart pointers and sequences the first one counts.
func cppArguments(b *Builder, n int32, name string) uint32 {
	list := b.Field(n, "arguments")
	if list < 0 {
		return 0
	}
	var kids []int32
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		if b.rule(c).Do == Comment {
			continue
		}
		t := b.Type(c, graph.TypeUse)
		if len(kids) > 0 && (cppHolders[name] || cppSequences[name]) || len(kids) > 1 && cppMaps[name] {
			continue
		}
		kids = append(kids, t)
	}
	return b.List(kids...)
}

func cppGeneric(b *Builder, n int32, role graph.Role) int32 {
	return cppStep(b, n, role, graph.None, true)
}

func cppGenericValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	return cppStep(b, n, role, graph.None, false)
}

func cppDecltype(b *Builder, n int32, role graph.Role) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Skip {
			return b.Of(graph.OpTypeOf, n, b.Value(c, graph.Read, true))
		}
	}
	return graph.None
}

// cppDescribed is a type with the declarator of nothing.
func cppDescribed(b *Builder, n int32, role graph.Role) int32 {
	t := cppConst(b, n, b.Type(b.Field(n, "type"), role))
	if d := b.Field(n, "declarator"); d >= 0 {
		return cppDeclarator(b, d, t).typ
	}
	return t
}

// cppField is x.name or x->name.
func cppField(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.Field(n, "argument"), graph.Read, true)
	f := b.Field(n, "field")
	if f < 0 {
		return x
	}
	if b.Has(n, "->") {
		x = b.Of(graph.OpDeref, n, x)
	}
	switch b.Kind(f) {
	case "field_identifier":
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(f), Off: b.Off(f)})
	case "destructor_name":
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.Str(strings.Join(strings.Fields(b.Text(f)), "")), Off: b.Off(f)})
	case "qualified_identifier": // x.Base::name
		b.Type(b.Field(f, "scope"), graph.TypeUse)
		if id := b.Field(f, "name"); id >= 0 && x >= 0 {
			return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
		}
		return graph.None
	}
	if x < 0 {
		b.Visit(f)
		return graph.None
	}
	return cppStep(b, f, role, x, false)
}

// cppCall is a call, a cast written like one, or a maker of a smart pointer.
func cppCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.Field(n, "function")
	if of < 0 {
		return graph.None
	}
	if b.Is(of, "primitive_type") || b.Is(of, "sized_type_specifier") {
		b.visitIf(b.Field(n, "arguments"))
		return b.Type(of, graph.TypeUse)
	}
	f := of
	if b.Is(f, "qualified_identifier") && b.Text(b.Field(f, "scope")) == "std" {
		f = b.Field(f, "name")
	}
	if b.Is(f, "template_function") {
		switch name := b.Text(b.Field(f, "name")); name {
		case "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "make_unique", "make_shared", "static_pointer_cast", "dynamic_pointer_cast", "get", "any_cast":
			list := b.Field(f, "arguments")
			if list < 0 || name == "get" {
				break
			}
			t := b.Type(b.First(list), graph.TypeUse)
			b.argumentList(b.Field(n, "arguments"), graph.None)
			return b.Of(graph.OpInstance, n, t)
		}
	}
	if name := b.Text(f); (name == "move" || name == "forward" || name == "ref" || name == "cref") && f != of {
		kids, _ := b.argumentList(b.Field(n, "arguments"), graph.None)
		if list := b.F.List(kids); len(list) == 1 {
			return list[0]
		}
		return graph.None
	}
	return b.call(n, b.rule(n), want)
}

// cppNew makes a value and yields a pointer to it.
func cppNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	e := b.call(n, b.rule(n), want)
	if !want {
		return graph.None
	}
	return b.Of(graph.OpAddr, n, e)
}

// cppBraced is T{...}.
func cppBraced(b *Builder, n int32, role graph.Role, want bool) int32 {
	t := b.Type(b.Field(n, "type"), graph.Call)
	v := b.Field(n, "value")
	if t < 0 {
		b.visitIf(v)
		return graph.None
	}
	if kids, ok := cppListed(b, v); ok {
		return b.Expr(graph.Expr{Op: graph.OpNew, X: t, Kids: kids, N: uint16(len(b.F.List(kids)) + 1), Off: b.Off(n)})
	}
	e := b.Expr(graph.Expr{Op: graph.OpNew, X: t, Off: b.Off(n)})
	if v >= 0 {
		cList(b, v, e)
	}
	return e
}

// cppListed are the values in the braces at n, if these are more than one and nothing but values.
func cppListed(b *Builder, n int32) (uint32, bool) {
	if n < 0 {
		return 0, false
	}
	count := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch d := b.rule(c).Do; {
		case b.Is(c, "initializer_pair") || b.Is(c, "initializer_list"):
			return 0, false
		case d != Skip && d != Comment:
			count++
		}
	}
	if count < 2 {
		return 0, false
	}
	kids, n2 := b.argumentList(n, graph.None)
	return kids, n2 > 1
}

// NullLiteral is the type of a literal that may also be a pointer to nothing: an int.
const NullLiteral = "0"

func cppNumber(b *Builder, n int32, role graph.Role, want bool) int32 {
	if !want {
		return graph.None
	}
	text := strings.ToLower(b.Text(n))
	switch {
	case text == "0":
		return b.Literal(n, NullLiteral)
	case strings.HasPrefix(text, "0x"):
		return b.Literal(n, "int")
	case strings.HasSuffix(text, "f"):
		return b.Literal(n, "float")
	case strings.ContainsAny(text, ".e"):
		return b.Literal(n, "double")
	}
	return b.Literal(n, "int")
}

func cppString(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.visitChildren(n)
	if !want {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpPointer, X: b.Literal(n, "char"), Off: b.Off(n)})
}

// cppLambda is an anonymous function; what it captures under a new name is a variable inside.
func cppLambda(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.push(blockFrame, graph.None)
	if caps := b.Field(n, "captures"); caps >= 0 {
		for c := b.First(caps); c >= 0; c = b.Next(caps, c) {
			if b.Is(c, "assignment_expression") {
				v := b.Value(b.Field(c, "right"), graph.Read, true)
				if id := b.Field(c, "left"); id >= 0 && b.Is(id, "identifier") {
					b.Local(b.nodeStr(id), b.Off(id), graph.None, v, 0)
				}
			} else if b.Is(c, "identifier") {
				b.Value(c, graph.Read, false)
			}
		}
	}
	e := b.lambda(n, b.rule(n), want)
	b.pop()
	return e
}

// cppFor binds the loop's variable to the elements of what it runs over.
func cppFor(b *Builder, n int32) bool {
	b.Scope(func() {
		b.visitIf(b.Field(n, "initializer"))
		v := b.Value(b.Field(n, "right"), graph.Read, true)
		typ, auto := cppType(b, n)
		d := cppDeclarator(b, b.Field(n, "declarator"), typ)
		elem := graph.None
		if v >= 0 {
			m := b.Expr(graph.Expr{Op: graph.OpMember, X: v, Name: b.Str("begin"), Off: b.Off(n)})
			elem = b.Of(graph.OpDeref, n, b.Expr(graph.Expr{Op: graph.OpCall, X: m, N: 1, Off: b.Off(n)}))
		}
		switch {
		case d.parts >= 0:
			cppParts(b, d.parts, elem)
		case d.name >= 0 && auto:
			b.Local(b.nodeStr(d.name), b.Off(d.name), graph.None, elem, 0)
		case d.name >= 0:
			b.Local(b.nodeStr(d.name), b.Off(d.name), d.typ, graph.None, 0)
		}
		b.visitIf(b.Field(n, "body"))
	})
	return true
}

// visitIf visits n unless it is None.
func (b *Builder) visitIf(n int32) {
	if n >= 0 {
		b.Visit(n)
	}
}

var (
	cppSequences = cSet("vector", "list", "deque", "set", "unordered_set", "multiset", "initializer_list", "span", "array", "queue", "stack", "priority_queue", "optional", "forward_list", "atomic", "function", "future", "promise", "StatusOr", "basic_string")
	cppMaps      = cSet("map", "unordered_map", "multimap", "unordered_multimap")
)

// cppLibrary is what well-known members of the standard library yield.
var cppLibrary = func() map[string]Yield {
	m := map[string]Yield{}
	add := func(y Yield, names string) {
		for _, w := range strings.Fields(names) {
			m[w] = y
		}
	}
	add(YieldEntry, "begin end cbegin cend rbegin rend find lower_bound upper_bound insert emplace erase")
	add(YieldElem, "front back at top value get load lock emplace_back")
	add(YieldSame, "substr")
	add(YieldPointer, "data c_str")
	return m
}()

var (
	// cppLibraryTypes are members of the standard library's collections that are types. An iterator is
	// taken for what it points to.
	cppLibraryTypes = map[string]Yield{
		"iterator": YieldEntry, "const_iterator": YieldEntry, "reverse_iterator": YieldEntry, "const_reverse_iterator": YieldEntry,
		"value_type": YieldEntry, "reference": YieldEntry, "const_reference": YieldEntry, "mapped_type": YieldElem, "key_type": YieldKey,
	}
	// cppLibraryBases are the standard library's streams, and what is made of nothing else.
	cppLibraryBases = map[string][]string{
		"istream": {"ios"}, "ostream": {"ios"}, "iostream": {"istream", "ostream"}, "ifstream": {"istream"}, "ofstream": {"ostream"},
		"fstream": {"iostream"}, "va_list": nil, "istringstream": {"istream"}, "ostringstream": {"ostream"}, "stringstream": {"iostream"},
	}
)
