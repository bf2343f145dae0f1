package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

func phpNameValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	return phpName(b, n, role)
}

func phpNameType(b *Builder, n int32, role graph.Role) int32 { return phpName(b, n, role) }

// phpVariable is a variable: the receiver, a local, or one that only a run can tell.
func phpVariable(b *Builder, n int32, role graph.Role, want bool) int32 {
	if b.Text(n) == "$this" {
		return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	}
	if b.local(b.nodeStr(n)) < 0 {
		return graph.None
	}
	return b.Name(n, graph.NoRole, want)
}

// phpRun takes as a statement what eval takes as a value.
func phpRun(eval func(b *Builder, n int32, role graph.Role, want bool) int32) func(b *Builder, n int32) bool {
	return func(b *Builder, n int32) bool {
		eval(b, n, graph.Read, false)
		return true
	}
}

// phpStatic is a variable that lives from call to call.
func phpStatic(b *Builder, n int32) bool {
	phpAssignTo(b, b.Field(n, "name"), b.Value(b.Field(n, "value"), graph.Read, true))
	return true
}

// phpCatch binds what is caught, anew in each clause.
func phpCatch(b *Builder, n int32) bool {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	if name := b.Field(n, "name"); name >= 0 && b.bindsLocals() {
		b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, 0)
	}
	if body := b.Field(n, "body"); body >= 0 {
		b.Visit(body)
	}
	return true
}

// phpStatement: a doc comment before a statement may say what a variable holds.
func phpStatement(b *Builder, n int32) bool {
	if b.doc.end == 0 {
		return false
	}
	d := phpDocOf(b, b.doc.start, b.doc.end)
	b.doc = docRun{}
	if d.variable >= 0 && d.name == "" {
		if a := b.First(n); b.Is(a, "assignment_expression") && b.Is(b.Field(a, "left"), "variable_name") {
			d.name = b.Text(b.Field(a, "left"))
		}
	}
	if d.variable < 0 || d.name == "" || !b.bindsLocals() {
		return false
	}
	name := b.Str(d.name)
	if l := b.ownLocal(name); l >= 0 && b.F.Locals[l].Type < 0 && b.F.Locals[l].Init < 0 {
		b.F.Locals[l].Type = d.variable
	} else {
		b.Local(name, b.Off(n), d.variable, graph.None, 0)
	}
	return false
}

// phpAssign: assigning to a property of $this says what one holds that has no declared type.
func phpAssign(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if left < 0 || right < 0 {
		b.visitChildren(n)
		return graph.None
	}
	v := b.Value(right, graph.Read, true)
	phpAssignTo(b, left, v)
	return v
}

func phpAssignTo(b *Builder, left, v int32) {
	switch b.Kind(left) {
	case "list_literal", "array_creation_expression":
		phpTake(b, left, v)
	case "subscript_expression":
		if of := b.First(left); of >= 0 && b.Is(of, "variable_name") && v >= 0 {
			if l := b.ownLocal(b.nodeStr(of)); l >= 0 {
				b.addInit(l, b.Expr(graph.Expr{Op: graph.OpArray, X: graph.None, Kids: b.List(v), Off: b.Off(left)}))
			}
		} else if v >= 0 {
			phpHolds(b, of, b.Expr(graph.Expr{Op: graph.OpArray, X: graph.None, Kids: b.List(v), Off: b.Off(left)}))
		}
		b.Value(left, graph.Write, false)
	case "variable_name":
		if b.Text(left) != "$this" {
			b.AssignTo(left, v, graph.None)
		}
	default:
		b.Value(left, graph.Write, false)
		b.forget(left)
		phpHolds(b, left, v)
	}
}

// phpHolds notes that the property of $this (or self) at n is given value v.
func phpHolds(b *Builder, n, v int32) {
	owner := b.EnclosingType()
	if v < 0 || owner < 0 {
		return
	}
	name := graph.None
	switch {
	case b.Is(n, "member_access_expression") && b.Text(b.Field(n, "object")) == "$this":
		name = b.Field(n, "name")
	case b.Is(n, "scoped_property_access_expression") && b.Is(b.Field(n, "scope"), "relative_scope"):
		name = b.First(b.Field(n, "name"))
	}
	if name < 0 || !b.Is(name, "name") {
		return
	}
	if s := b.memberSymbol(owner, b.nodeStr(name)); s >= 0 && b.Sym(s).Kind == graph.Property {
		b.moreInit(s, graph.None, v)
	}
}

// phpTake assigns the parts of value v to the names in a list at n.
func phpTake(b *Builder, n, v int32) {
	k, keyed := 0, false
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		target := c
		if b.Is(c, ",") {
			k++
			keyed = false
			continue
		}
		if b.Is(c, "array_element_initializer") {
			keyed = b.Has(c, "=>")
			for x := b.First(c); x >= 0; x = b.Next(c, x) {
				target = x
			}
		} else if next := b.Next(n, c); next >= 0 && b.Is(next, "=>") {
			b.Value(c, graph.Read, false)
			keyed = true
			continue
		}
		if b.Is(c, "=>") || target < 0 {
			continue
		}
		part := b.Part(target, v, k)
		if keyed {
			part = b.Of(graph.OpElem, target, v)
		}
		phpAssignTo(b, target, part)
	}
}

// phpAugmented is `a op= b`; of these ??= gives the variable a value of another type.
func phpAugmented(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	v := b.Value(right, graph.Read, true)
	if b.Has(n, "??=") {
		phpAssignTo(b, left, v)
		return b.Value(left, graph.NoRole, want)
	}
	b.Value(left, graph.Write, false)
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("string"), X: graph.None, Off: b.Off(n)})
}

func phpUpdate(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Value(b.Field(n, "argument"), graph.Write, want)
}

// phpArray is an array: a tuple where its elements have no keys, else a sequence of any of them.
func phpArray(b *Builder, n int32, role graph.Role, want bool) int32 {
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
				b.narrow(b.First(args))
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
		default:
			b.Visit(c)
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
	return b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Off: b.Off(n)})
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
		b.Narrowing(l, func() { b.Value(r, graph.Read, false) })
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
		b.Narrowing(cond, func() { x = b.Value(yes, graph.Read, want) })
	}
	y := b.Value(no, graph.Read, want)
	if x < 0 || y < 0 {
		return max(x, y)
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(x, y), Off: b.Off(n)})
}

func phpMatch(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Value(b.Field(n, "condition"), graph.Read, false)
	var kids []int32
	body := b.Field(n, "body")
	for c := b.First(body); c >= 0; c = b.Next(body, c) {
		for k := b.First(c); k >= 0; k = b.Next(c, k) {
			if !b.InField(k, "return_expression") {
				b.Visit(k)
			} else if v := b.Value(k, graph.Read, want); v >= 0 {
				kids = append(kids, v)
			}
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

// phpForeach binds the loop's variables to the keys and elements of what it runs over.
func phpForeach(b *Builder, n int32) bool {
	if b.doc.end > 0 {
		phpStatement(b, n)
	}
	of := b.First(n)
	if of < 0 {
		return true
	}
	v := b.Value(of, graph.Read, true)
	target := b.Next(n, of)
	for target >= 0 && b.rule(target).Do == Comment {
		target = b.Next(n, target)
	}
	if target >= 0 && !b.InField(target, "body") {
		phpLoopVariables(b, target, v)
	}
	for c := b.Next(n, of); c >= 0; c = b.Next(n, c) {
		if c != target || b.InField(c, "body") {
			b.Visit(c)
		}
	}
	return true
}

func phpLoopVariables(b *Builder, n, v int32) {
	switch b.Kind(n) {
	case "pair":
		key := b.First(n)
		if v >= 0 {
			e := b.Of(graph.OpElem, n, v)
			b.F.Exprs[e].N = 1
			phpAssignTo(b, key, e)
		} else {
			phpAssignTo(b, key, graph.None)
		}
		for c := b.Next(n, key); c >= 0; c = b.Next(n, c) {
			if !b.Is(c, "=>") {
				phpLoopVariables(b, c, v)
			}
		}
	case "by_ref":
		phpLoopVariables(b, b.First(n), v)
	default:
		phpAssignTo(b, n, b.Of(graph.OpElem, n, v))
	}
}

// phpIf: where the tested branch always leaves, what follows knows that its test failed.
func phpIf(b *Builder, n int32) bool {
	cond := b.Field(n, "condition")
	for b.Is(cond, "parenthesized_expression") {
		cond = b.First(cond)
	}
	if !b.InFunction() || !b.Is(cond, "unary_op_expression") || !b.Has(cond, "!") || b.Field(n, "alternative") >= 0 || !phpLeaves(b, b.Field(n, "body")) {
		return false
	}
	b.flatBranch(n, b.rule(n))
	if c := b.Field(cond, "argument"); c >= 0 {
		b.narrow(c)
	}
	return true
}

// phpLeaves reports whether the statement at n ends by leaving the code around it.
func phpLeaves(b *Builder, n int32) bool {
	last := n
	if b.Is(n, "compound_statement") {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.rule(c).Do != Comment {
				last = c
			}
		}
	}
	switch b.Kind(last) {
	case "return_statement", "continue_statement", "break_statement":
		return true
	case "expression_statement":
		return b.Is(b.First(last), "throw_expression")
	}
	return b.Is(last, "throw_statement")
}

// phpEnumConst is how a constant of an enum looks after phpPrepare.
const phpEnumConst = "case  "

// phpPrepare: the grammar knows no constants in enums, so they become cases, which have the same shape.
func phpPrepare(src []byte) []byte {
	out := src
	for i := 0; ; {
		k := bytes.Index(src[i:], []byte("enum "))
		if k < 0 {
			return out
		}
		i += k + len("enum ")
		line := src[bytes.LastIndexByte(src[:i-len("enum ")], '\n')+1 : i-len("enum ")]
		open := bytes.IndexByte(src[i:], '{')
		if len(bytes.TrimSpace(line)) > 0 || open < 0 || bytes.ContainsAny(src[i:i+open], ";(") {
			continue
		}
		end := phpClosing(src, i+open)
		if bytes.Contains(src[i:end], []byte("const ")) {
			if &out[0] == &src[0] {
				out = append([]byte(nil), src...)
			}
			phpEnumConsts(out, i+open+1, end)
		}
		i = end
	}
}

// phpClosing is the offset of the brace that closes the one at open.
func phpClosing(src []byte, open int) int {
	depth := 0
	for i := open; i < len(src); i++ {
		switch src[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(src)
}

// phpEnumConsts makes cases of the constants that begin lines between two offsets.
func phpEnumConsts(out []byte, from, to int) {
	for i := from; ; i += len("const ") {
		k := bytes.Index(out[i:to], []byte("const "))
		if k < 0 {
			return
		}
		i += k
		line := bytes.LastIndexByte(out[:i], '\n') + 1
		switch strings.Join(strings.Fields(string(out[line:i])), " ") {
		case "", "public", "private", "protected", "final", "final public", "final protected", "public final":
			for j := line; j < i; j++ {
				if out[j] != '\t' {
					out[j] = ' '
				}
			}
			copy(out[i:], phpEnumConst)
		}
	}
}
