package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// rustTypeName is a type's name in a value position. Self stands for the type around it.
func rustTypeName(b *Builder, n int32, role graph.Role, want bool) int32 {
	return rustTypeNameType(b, n, role)
}

func rustTypeNameType(b *Builder, n int32, role graph.Role) int32 {
	switch string(b.t.Text(n)) {
	case "Self":
		return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	case "_":
		return graph.None
	}
	return b.Name(n, role, true)
}

// rustRoot is crate or super as the beginning of a path.
func rustRoot(b *Builder, n int32, role graph.Role, want bool) int32 {
	if !want {
		return graph.None
	}
	return rustModule(b, n, b.Text(n))
}

// rustModule is a module that is named by where it is: crate, self, super::super.
func rustModule(b *Builder, n int32, text string) int32 {
	name := b.Str(text)
	in := rustEnclosingMod(b)
	for i := range b.F.Imports {
		if im := &b.F.Imports[i]; im.Module == name && im.Local == 0 && im.Name == 0 && im.Flags == 0 && im.In == in {
			return b.Expr(graph.Expr{Op: graph.OpImport, X: int32(i), Off: b.Off(n)})
		}
	}
	b.F.Imports = append(b.F.Imports, graph.Imported{Module: name, In: in})
	return b.Expr(graph.Expr{Op: graph.OpImport, X: int32(len(b.F.Imports) - 1), Off: b.Off(n)})
}

func rustEnclosingMod(b *Builder) int32 {
	s := b.in
	for s >= 0 && b.F.Symbols[s].Kind != graph.Module {
		s = b.F.Symbols[s].Container
	}
	return s
}

// rustPath is a path of names as a value or a pattern.
func rustPath(b *Builder, n int32, role graph.Role, want bool) int32 {
	return rustPathType(b, n, role)
}

// rustPathType is a path of names.
func rustPathType(b *Builder, n int32, role graph.Role) int32 {
	name := b.Field(n, "name")
	if name < 0 {
		return graph.None
	}
	path := b.Field(n, "path")
	x := graph.None
	if path >= 0 {
		x = rustPrefix(b, path)
	} else {
		x = rustModule(b, n, "::")
	}
	if x < 0 {
		return graph.None
	}
	if b.Is(name, "super") {
		if e := b.F.Exprs[x]; e.Op == graph.OpImport {
			return rustModule(b, n, b.F.Str(b.F.Imports[e.X].Module)+"::super")
		}
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
}

// rustPrefix is what stands before the last name of a path.
func rustPrefix(b *Builder, n int32) int32 {
	switch b.Kind(n) {
	case "self", "crate", "super":
		return rustModule(b, n, b.Text(n))
	case "identifier":
		if b.Text(n) == "Self" {
			return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
		}
		// Variables and what comes before a :: never meet.
		if l := b.local(b.nodeStr(n)); l >= 0 && b.localType(b.nodeStr(n)) < 0 && !b.imported(b.F.Locals[l].Init) {
			return b.Expr(graph.Expr{Op: graph.OpName, Role: graph.TypeUse, Name: b.nodeStr(n), Off: b.Off(n), X: graph.None})
		}
		return b.Name(n, graph.TypeUse, true)
	case "scoped_identifier", "scoped_type_identifier":
		return rustPathType(b, n, graph.TypeUse)
	}
	return b.Type(n, graph.TypeUse)
}

// rustField is x.name; x.0 is a field of a tuple or tuple struct.
func rustField(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.Field(n, "value"), graph.Read, true)
	f := b.Field(n, "field")
	if f < 0 {
		return x
	}
	if b.Is(f, "integer_literal") {
		if x < 0 {
			return graph.None
		}
		return b.Expr(graph.Expr{Op: graph.OpMember, X: x, Name: b.nodeStr(f), Off: b.Off(f)})
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(f), Off: b.Off(f)})
}

// rustCall is a call. Self(...) makes a value; well-known constructors from outside hold what
// they are given.
func rustCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	r := b.rule(n)
	of := b.Field(n, "function")
	if of >= 0 && b.Is(of, "identifier") && b.Text(of) == "Self" {
		b.argumentList(b.Field(n, "arguments"), graph.None)
		x := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
		return b.Expr(graph.Expr{Op: graph.OpNew, X: x, Off: b.Off(n)})
	}
	e := b.call(n, r, want)
	if e < 0 {
		return e
	}
	if kids := b.F.List(b.F.Exprs[e].Kids); len(kids) == 1 {
		switch b.Text(of) {
		case "Some", "Ok", "Cell::new", "RefCell::new", "Mutex::new", "RwLock::new", "UnsafeCell::new":
			return rustHolder(b, n, kids[0], graph.None)
		case "Err":
			return rustHolder(b, n, graph.None, kids[0])
		}
		if rustSeenThrough[rustLastTwo(b.Text(of))] {
			return kids[0]
		}
	}
	return e
}

// rustSeenThrough are functions from outside that yield their argument, or what is seen as that.
var rustSeenThrough = rustWords(`Box::new Box::pin Box::from Box::leak Rc::new Rc::clone Rc::from Arc::new Arc::clone Arc::from Cow::Borrowed
	Cow::Owned Pin::new Pin::new_unchecked Pin::into_inner Pin::into_inner_unchecked Pin::get_mut Pin::get_ref Pin::as_mut Pin::into_ref
	CachePadded::new ManuallyDrop::new AssertUnwindSafe::new NonNull::from mem::take ptr::read identity black_box Arc::make_mut Rc::make_mut`)

// rustLastTwo are the last two names of a path.
func rustLastTwo(path string) string {
	if i := strings.LastIndex(path, "::"); i > 0 {
		if j := strings.LastIndex(path[:i], "::"); j >= 0 {
			return path[j+2:]
		}
	}
	return path
}

// rustHolder is a value from outside that holds another: Some(x), Box::new(x).
func rustHolder(b *Builder, n, first, second int32) int32 {
	t := func(v int32) int32 {
		if v < 0 {
			return b.Literal(n, "_")
		}
		return b.Of(graph.OpTypeOf, n, v)
	}
	kids := []int32{t(first)}
	if second >= 0 {
		kids = append(kids, t(second))
	}
	x := b.Literal(n, "Option")
	i := b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
	return b.Expr(graph.Expr{Op: graph.OpInstance, X: i, Off: b.Off(n)})
}

// rustTurbofish is f::<T>.
func rustTurbofish(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.Field(n, "function"), role, want)
	kids := rustArguments(b, b.Field(n, "type_arguments"))
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: kids, Off: b.Off(n)})
}

// rustArguments are type arguments; lifetimes are none.
func rustArguments(b *Builder, n int32) uint32 {
	if n < 0 {
		return 0
	}
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "lifetime") || b.rule(c).Do == Comment:
		case b.Is(c, "type_binding"):
			kids = append(kids, b.Type(b.Field(c, "type"), graph.TypeUse))
		default:
			kids = append(kids, b.Type(c, graph.TypeUse))
		}
	}
	return b.List(kids...)
}

func rustGeneric(b *Builder, n int32, role graph.Role, want bool) int32 {
	return rustGenericType(b, n, role)
}

func rustGenericType(b *Builder, n int32, role graph.Role) int32 {
	x := b.Type(b.Field(n, "type"), role)
	kids := rustArguments(b, b.Field(n, "type_arguments"))
	if x < 0 || kids == 0 {
		return x
	}
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: kids, Off: b.Off(n)})
}

func rustQualified(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Type(b.First(n), graph.TypeUse)
}

// rustQualifiedType is <T as Trait>: its members are the trait's.
func rustQualifiedType(b *Builder, n int32, role graph.Role) int32 {
	t := b.Type(b.Field(n, "type"), graph.TypeUse)
	if x := b.Type(b.Field(n, "alias"), graph.TypeUse); x >= 0 {
		return x
	}
	return t
}

// rustFuncType is fn(A) -> B, or Fn(A) -> B.
func rustFuncType(b *Builder, n int32, role graph.Role) int32 {
	var kids []int32
	if p := b.Field(n, "parameters"); p >= 0 {
		for c := b.First(p); c >= 0; c = b.Next(p, c) {
			switch {
			case b.rule(c).Do == Comment:
			case b.Is(c, "parameter"):
				kids = append(kids, rustInstance(b, b.Type(b.Field(c, "type"), graph.TypeUse)))
			default:
				kids = append(kids, rustInstance(b, b.Type(c, graph.TypeUse)))
			}
		}
	}
	result := b.Type(b.Field(n, "return_type"), graph.TypeUse)
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(kids...), Off: b.Off(n)})
}

func rustInstance(b *Builder, t int32) int32 {
	if t < 0 {
		return t
	}
	return b.Expr(graph.Expr{Op: graph.OpInstance, X: t, Off: b.F.Exprs[t].Off})
}

// rustIndex is x[i], or x[i..j], a part of x.
func rustIndex(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	x := b.Value(of, graph.Read, want)
	op := graph.OpIndex
	for c := b.Next(n, of); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "range_expression") {
			op = graph.OpSlice
		}
		b.Value(c, graph.Read, false)
	}
	if !want || x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: op, X: x, Off: b.Off(n)})
}

// rustStruct is Path { field: value, ..base }.
func rustStruct(b *Builder, n int32, role graph.Role, want bool) int32 {
	path := b.Type(b.Field(n, "name"), graph.TypeUse)
	body := b.Field(n, "body")
	for c := b.First(body); body >= 0 && c >= 0; c = b.Next(body, c) {
		switch b.Kind(c) {
		case "field_initializer":
			if f := b.Field(c, "field"); f >= 0 && b.Is(f, "field_identifier") {
				rustFieldOf(b, f, graph.Write, path, graph.None, b.nodeStr(f))
			}
			b.Value(b.Field(c, "value"), graph.Read, false)
		case "shorthand_field_initializer":
			b.Value(b.Child(c, "identifier"), graph.Read, false)
		case "base_field_initializer":
			b.Value(b.First(c), graph.Read, false)
		}
	}
	if path < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpNew, X: path, Off: b.Off(n)})
}

// rustTry is x?: what x holds if it went well.
func rustTry(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.First(n), graph.Read, want)
	if !want {
		return graph.None
	}
	return b.Part(n, x, 0)
}

func rustAwait(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.First(n), graph.Read, want)
	if !want {
		return graph.None
	}
	return b.Of(graph.OpAwait, n, x)
}

// rustReference is &x; a closure is passed on as what it is.
func rustReference(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.Field(n, "value"), graph.Read, want)
	if !want || x < 0 || b.F.Exprs[x].Op == graph.OpFunc {
		return x
	}
	return b.Of(graph.OpAddr, n, x)
}

func rustUnary(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	star := of >= 0 && b.Is(of, "*")
	if star {
		of = b.Next(n, of)
	}
	x := b.Value(of, role, want)
	if !want || x < 0 || !star {
		return x
	}
	return b.Of(graph.OpDeref, n, x)
}

// rustBinary has the type of its left operand; comparisons are true or false.
func rustBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	left := b.Value(b.Field(n, "left"), graph.Read, want)
	b.Value(b.Field(n, "right"), graph.Read, false)
	if !want {
		return graph.None
	}
	return left
}

// rustMacro is name!(...). Its tokens follow no grammar; the names in them are taken for what
// they would be in an expression.
func rustMacro(b *Builder, n int32, role graph.Role, want bool) int32 {
	m := b.Field(n, "macro")
	if m < 0 {
		return graph.None
	}
	name := b.Text(m)
	if name == rustTryMacro {
		name = "try"
	}
	x := graph.None
	if b.Is(m, "identifier") {
		x = b.Expr(graph.Expr{Op: graph.OpName, Role: graph.MacroUse, Name: b.Str(name), Off: b.Off(m), X: graph.None})
	} else {
		x = b.Value(m, graph.MacroUse, true)
	}
	if i := strings.LastIndex(name, "::"); i >= 0 {
		name = name[i+2:]
	}
	t := b.Child(n, "token_tree")
	v := graph.None
	if t >= 0 {
		v = rustTokens(b, t)
	}
	switch name {
	case "format":
		return b.Literal(n, "String")
	case "vec":
		return b.Of(graph.OpArray, n, b.Of(graph.OpTypeOf, n, v))
	case "ready", "try":
		return b.Part(n, v, 0)
	}
	if x < 0 || v < 0 || !want {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(v), N: 2, Off: b.Off(n)})
}
