package lang

import (
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// phpArray is an array: a tuple where its elements have no keys, else a sequence of any of them.
func phpArray(b *Builder, n int32, role graph.Role, want bool) int32 {
	if m := phpMethodPair(b, n); m >= 0 {
		return m
	}
	op := graph.OpTuple
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Comment || b.Is(c, ",") || b.Is(c, "=>") {
			continue
		}
		var v int32
		if b.Is(c, "array_element_initializer") {
			if b.Has(c, "=>", "variadic_unpacking") {
				op = graph.OpArray
			}
			for x := b.First(c); x >= 0; x = b.Next(c, x) {
				v = b.Value(x, graph.Read, want)
			}
			if b.Has(c, "variadic_unpacking") && v >= 0 {
				v = b.Of(graph.OpElem, c, v)
			}
		} else {
			v = b.Value(c, graph.Read, want)
		}
		if want && len(kids) < 8 {
			kids = append(kids, v)
		} else {
			op = graph.OpArray
		}
	}
	if op == graph.OpArray || len(kids) == 0 {
		op = graph.OpArray
		known := kids[:0]
		for _, v := range kids {
			if v >= 0 {
				known = append(known, v)
			}
		}
		kids = known
	}
	return b.ifWanted(want, graph.Expr{Op: op, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// phpMethodPair is [$this, 'name'] or [C::class, 'name'], a method that may be called like a function, or None.
func phpMethodPair(b *Builder, n int32) int32 {
	var parts [2]int32
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do == Comment || b.Is(c, ",") {
			continue
		}
		if k == 2 || !b.Is(c, "array_element_initializer") || b.Has(c, "=>") {
			return graph.None
		}
		parts[k] = b.First(c)
		k++
	}
	if k != 2 || !b.Is(parts[1], "string") {
		return graph.None
	}
	name, of := b.First(parts[1]), parts[0]
	isClass := b.Is(of, "class_constant_access_expression") && b.Text(b.Next(of, b.First(of))) == "class"
	if !isClass && b.Text(of) != "$this" || !b.Is(name, "string_content") || b.Next(parts[1], name) >= 0 || !phpIdent(b.Text(name)) {
		return graph.None
	}
	x := graph.None
	if isClass {
		x = phpScope(b, b.First(of))
	} else {
		x = b.Value(of, graph.Read, true)
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, N: graph.MeansCallable, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
}

// phpIdent reports whether text is a name.
func phpIdent(text string) bool {
	for i := range len(text) {
		if !identByte(text[i]) || i == 0 && text[i] >= '0' && text[i] <= '9' {
			return false
		}
	}
	return text != ""
}

// phpMemberOf is the member named at name of x. A computed name is only evaluated.
func phpMemberOf(b *Builder, x, name int32, role graph.Role) int32 {
	if name < 0 {
		return graph.None
	}
	if !b.Is(name, "name") {
		b.Value(name, graph.Read, false)
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
}

func phpMember(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := phpMemberOf(b, b.Value(b.Field(n, "object"), graph.Read, true), b.Field(n, "name"), role)
	if role == graph.Read && x >= 0 {
		return b.narrowed(n, x)
	}
	return x
}

// phpScope is what stands before ::, a class's name or a value.
func phpScope(b *Builder, n int32) int32 {
	switch b.Kind(n) {
	case "name", "qualified_name", "relative_scope":
		return phpName(b, n, graph.TypeUse)
	}
	return b.Value(n, graph.Read, true)
}

func phpStaticProperty(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := phpScope(b, b.Field(n, "scope"))
	name := b.Field(n, "name")
	if b.Is(name, "variable_name") {
		name = b.First(name)
	}
	return phpMemberOf(b, x, name, role)
}

// phpConstant is C::NAME; C::class is the class's name.
func phpConstant(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	if of < 0 {
		return graph.None
	}
	x := phpScope(b, of)
	name := b.Next(n, of)
	if b.Text(name) == "class" {
		if x >= 0 && want { // what is made of it is a value of the class
			return b.Of(graph.OpInstance, n, x)
		}
		return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("string"), X: graph.None, Off: b.Off(n)})
	}
	return phpMemberOf(b, x, name, graph.Read)
}

// phpCall is a call of a function or of a value. define makes a constant, assert proves what it is told.
func phpCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	of, args := b.Field(n, "function"), b.Field(n, "arguments")
	x := graph.None
	switch b.Kind(of) {
	case "name", "qualified_name":
		x = phpName(b, of, graph.Call)
		switch strings.ToLower(b.Text(of)) {
		case "define":
			phpDefine(b, n, args)
		case "assert":
			if b.InFunction() && args >= 0 {
				e := phpApply(b, n, graph.OpCall, x, args)
				phpNarrow(b, b.First(b.First(args)), true)
				return e
			}
		}
	default:
		x = b.Value(of, graph.Read, true)
	}
	return phpApply(b, n, graph.OpCall, x, args)
}

// phpApply is a call or construction of x.
func phpApply(b *Builder, n int32, op graph.Op, x, args int32) int32 {
	if args >= 0 && b.Has(args, "variadic_placeholder") { // the function itself
		if x >= 0 && b.F.Exprs[x].Op == graph.OpMember {
			b.F.Exprs[x].N = graph.MeansCallable
		}
		return x
	}
	var kids uint32
	count := 0
	if args >= 0 {
		kids, count = b.argumentList(args, x)
	}
	if x < 0 {
		return graph.None
	}
	if len(b.F.List(kids)) == 0 {
		kids = 0
	}
	return b.Expr(graph.Expr{Op: op, X: x, Kids: kids, N: uint16(min(count+1, 1<<16-1)), Off: b.Off(n)})
}

// phpDefine is define('NAME', value).
func phpDefine(b *Builder, n, args int32) {
	str := b.Child(b.Child(args, "argument"), "string")
	name := b.Child(str, "string_content")
	if name < 0 || b.phpSpace() != "" || strings.Contains(b.Text(name), `\`) {
		return
	}
	b.phpGlobal(n, func() {
		sym := b.Symbol(graph.Constant, name, n, "")
		b.Sym(sym).Flags |= graph.Static
	})
}

func phpMethodCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := graph.None
	if of := b.Field(n, "scope"); of >= 0 {
		x = phpScope(b, of)
	} else {
		x = b.Value(b.Field(n, "object"), graph.Read, true)
	}
	name := b.Field(n, "name")
	if name >= 0 && !b.Is(name, "name") && b.Field(n, "scope") >= 0 && b.Is(name, "variable_name") {
		b.Value(name, graph.Read, false)
		name = graph.None
	}
	return phpApply(b, n, graph.OpCall, phpMemberOf(b, x, name, graph.Call), b.Field(n, "arguments"))
}

func phpArgument(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "name") {
			v = b.Value(c, graph.Read, want)
		}
	}
	return v
}

// phpNew is new C(...), or an anonymous class.
func phpNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	args := b.Child(n, "arguments")
	if body := b.Child(n, "declaration_list"); body >= 0 {
		if args >= 0 {
			b.argumentList(args, graph.None)
		}
		return phpAnonymous(b, n, body)
	}
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "name", "qualified_name", "relative_scope":
			x = phpName(b, c, graph.Call)
		case "arguments":
		default: // of the class that a value names
			x = b.Of(graph.OpTypeOf, c, b.Value(c, graph.Call, true))
		}
	}
	return phpApply(b, n, graph.OpNew, x, args)
}

func phpAnonymous(b *Builder, n, body int32) int32 {
	doc := b.doc
	b.doc = docRun{}
	sym := b.Symbol(graph.Class, graph.None, n, "(class)")
	b.Sym(sym).Flags |= graph.Anonymous
	b.push(typeFrame, sym)
	var ids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "base_clause") || b.Is(c, "class_interface_clause") {
			ids = b.BaseTypes(c, ids)
		}
	}
	b.AddBases(sym, ids...)
	b.visitChildren(body)
	b.pop()
	b.doc = doc
	return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
}

func phpSubscript(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	x := b.Value(of, graph.Read, want)
	if of >= 0 {
		for c := b.Next(n, of); c >= 0; c = b.Next(n, c) {
			b.Value(c, graph.Read, false)
		}
	}
	x = b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, N: phpPlace(b, n, of), Off: b.Off(n)})
	if role == graph.Read && x >= 0 {
		return b.narrowed(n, x)
	}
	return x
}

// phpPlace is the number that indexes what stands at of, plus one; 0 for other keys.
func phpPlace(b *Builder, n, of int32) uint16 {
	if of < 0 || !b.Is(b.Next(n, of), "integer") {
		return 0
	}
	i, err := strconv.ParseUint(b.Text(b.Next(n, of)), 0, 8)
	if err != nil {
		return 0
	}
	return uint16(i) + 1
}

// phpBinary: the right operand of && is reached only where the left one holds.
func phpBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	l, r := b.Field(n, "left"), b.Field(n, "right")
	switch {
	case b.Has(n, "instanceof"):
		b.Value(l, graph.Read, false)
		phpScope(b, r)
		return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("bool"), X: graph.None, Off: b.Off(n)})
	case b.Has(n, "??"):
		x, y := b.Value(l, graph.Read, want), b.Value(r, graph.Read, want)
		if x < 0 || y < 0 {
			return max(x, y)
		}
		return b.ifWanted(want, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(x, y), Off: b.Off(n)})
	case b.Has(n, "&&", "and"):
		b.Value(l, graph.Read, false)
		phpWhere(b, l, func() { b.Value(r, graph.Read, false) })
	case b.Has(n, "||", "or"):
		b.Value(l, graph.Read, false)
		b.Branch(func() {
			phpNarrow(b, l, false)
			b.Value(r, graph.Read, false)
		})
	default:
		b.Value(l, graph.Read, false)
		b.Value(r, graph.Read, false)
	}
	lit := "int"
	if b.Has(n, ".") {
		lit = "string"
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str(lit), X: graph.None, Off: b.Off(n)})
}

func phpConditional(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond, yes, no := b.Field(n, "condition"), b.Field(n, "body"), b.Field(n, "alternative")
	x := b.Value(cond, graph.Read, want && yes < 0)
	if yes >= 0 {
		phpWhere(b, cond, func() { x = b.Value(yes, graph.Read, want) })
	}
	y := graph.None
	b.Branch(func() {
		phpNarrow(b, cond, false)
		y = b.Value(no, graph.Read, want)
	})
	if x < 0 || y < 0 {
		return max(x, y)
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(x, y), Off: b.Off(n)})
}

func phpMatch(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.Field(n, "condition")
	b.Value(cond, graph.Read, false)
	tests := phpIsTrue(b, cond)
	var kids []int32
	body := b.Field(n, "body")
	for c := b.First(body); c >= 0; c = b.Next(body, c) {
		if v := phpArm(b, c, tests, want); v >= 0 {
			kids = append(kids, v)
		}
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return b.ifWanted(want && len(kids) > 0, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

func phpCast(b *Builder, n int32, role graph.Role, want bool) int32 {
	lit := b.Text(b.Field(n, "type"))
	v := b.Value(b.Field(n, "value"), graph.Read, want && (lit == "array" || lit == "object"))
	switch {
	case !want:
		return graph.None
	case lit == "object":
		return v
	case lit == "array" && v >= 0:
		return v
	}
	return b.Literal(n, lit)
}
