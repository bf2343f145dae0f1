package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// rbSequence is a run of statements: its value is that of the last.
func rbSequence(b *Builder, n int32, role graph.Role, want bool) int32 {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "comment", "heredoc_body", "rescue", "ensure", "else":
		default:
			last = c
		}
	}
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do == Comment {
			b.comment(c)
			continue
		}
		switch {
		case c == last:
			v = b.either2(v, b.Value(c, graph.Read, want), n)
		case b.Is(c, "rescue") || b.Is(c, "else") && last != c:
			v = b.either2(v, b.Value(c, graph.Read, want), n)
		default:
			b.Visit(c)
		}
		b.doc = docRun{}
	}
	return v
}

// either2 is a value that is x or y.
func (b *Builder) either2(x, y, n int32) int32 {
	if x < 0 || y < 0 || x == y {
		return max(x, y)
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(x, y), Off: b.Off(n)})
}

// rbLocal is the visible local of that name, or None: methods and classes see none from outside.
func (b *Builder) rbLocal(name uint32) int32 {
	base := 0
	for i := len(b.frames) - 1; i >= 0; i-- {
		if f := &b.frames[i]; f.kind == typeFrame || f.kind == funcFrame && f.sym >= 0 {
			base = f.base
			break
		}
	}
	for i := len(b.names) - 1; i >= base; i-- {
		if b.names[i].name == name {
			return b.names[i].local
		}
	}
	return graph.None
}

// rbIdentifier is a local or, where there is none of the name, a call of a method of self.
func rbIdentifier(b *Builder, n int32, role graph.Role, want bool) int32 {
	text := b.Text(n)
	if l := b.rbLocal(b.nodeStr(n)); l >= 0 {
		return b.ifWanted(want, graph.Expr{Op: graph.OpLocal, X: l, Name: b.nodeStr(n), Off: b.Off(n)})
	}
	switch text {
	case "__FILE__", "__method__", "__dir__":
		return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("String"), X: graph.None, Off: b.Off(n)})
	case "__LINE__", "block_given?":
		return graph.None
	}
	rbDirective(b, n, graph.None, text)
	m := b.rbSelfCall(n)
	if text == "class" {
		return m
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: m, N: 1, Off: b.Off(n)})
}

// rbSelfCall is the method of self named at n.
func (b *Builder) rbSelfCall(n int32) int32 {
	self := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: self, Name: b.nodeStr(n), Off: b.Off(n)})
}

func rbConstant(b *Builder, n int32, role graph.Role, want bool) int32 {
	if strings.ToUpper(b.Text(n)) != b.Text(n) && role == graph.Read {
		role = graph.TypeUse
	}
	return b.Expr(graph.Expr{Op: graph.OpName, Role: role, Name: b.nodeStr(n), Off: b.Off(n), X: graph.None})
}

func rbConstantType(b *Builder, n int32, role graph.Role) int32 {
	return rbConstant(b, n, role, true)
}

// rbScoped is A::B, or ::B from the root.
func rbScoped(b *Builder, n int32, role graph.Role, want bool) int32 {
	name := b.Field(n, "name")
	if name < 0 {
		return graph.None
	}
	x := graph.None
	if scope := b.Field(n, "scope"); scope >= 0 {
		x = b.Value(scope, graph.Read, true)
	} else {
		x = b.Expr(graph.Expr{Op: graph.OpSpace, Off: b.Off(n), X: graph.None})
	}
	if role == graph.Read && strings.ToUpper(b.Text(name)) != b.Text(name) {
		role = graph.TypeUse
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
}

func rbScopedType(b *Builder, n int32, role graph.Role) int32 { return rbScoped(b, n, role, true) }

// rbVariable is a variable of the object or of its class: a member of self.
func rbVariable(b *Builder, n int32, role graph.Role, want bool) int32 {
	if b.rbOwner() < 0 {
		return graph.None
	}
	self := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: self, Name: b.nodeStr(n), Off: b.Off(n)})
}

func rbGlobal(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Expr(graph.Expr{Op: graph.OpName, Role: role, Name: b.nodeStr(n), Off: b.Off(n), X: graph.None})
}

// rbSuper calls what the method around it overrides; super without a list passes the same arguments.
func rbSuper(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Expr(graph.Expr{Op: graph.OpSuper, Role: graph.Call, Name: b.nodeStr(n), X: graph.None, Off: b.Off(n)})
}

// rbCall is a call with or without a receiver; a block is its last argument.
func rbCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	recv, method, args, block := b.Field(n, "receiver"), b.Field(n, "method"), b.Field(n, "arguments"), b.Field(n, "block")
	name := b.Text(method)
	x := graph.None
	switch {
	case method >= 0 && b.Is(method, "super"):
		x = rbSuper(b, method, role, want)
	case method < 0: // x.(1)
		x = b.Value(recv, graph.Read, true)
	case recv < 0:
		x = b.rbSelfCall(method)
		if rbDirective(b, n, args, name) {
			return graph.None
		}
	default:
		if of := rbReopened(b, recv, name); of && block >= 0 {
			rbReopen(b, n, recv, method, block)
			return graph.None
		}
		r := b.Value(recv, graph.Read, true)
		x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: r, Name: b.nodeStr(method), Off: b.Off(method)})
		if name == "class" && args < 0 {
			return x
		}
	}
	var kids []int32
	count := 1
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		switch b.Kind(c) {
		case "comment":
			continue
		case "splat_argument", "forward_argument":
			count = -len(b.src)
		case "pair", "hash_splat_argument", "block_argument":
		default:
			count++
		}
		kids = append(kids, b.argument(c, x, len(kids)))
	}
	if block >= 0 {
		kids = append(kids, b.argument(block, x, len(kids)))
	}
	if x < 0 {
		return graph.None
	}
	if recv < 0 && (name == "lambda" || name == "proc") && block >= 0 {
		return kids[len(kids)-1]
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(kids...), N: uint16(max(count, 0)), Off: b.Off(n)})
}

// rbReopened reports whether a call's block holds definitions of the constant at recv.
func rbReopened(b *Builder, recv int32, name string) bool {
	switch name {
	case "class_eval", "module_eval", "class_exec":
		return b.Is(recv, "constant") || b.Is(recv, "scope_resolution")
	}
	return false
}

// rbReopen takes `Name.class_eval do ... end` for the class being opened again.
func rbReopen(b *Builder, n, recv, method, block int32) {
	x := b.Value(recv, graph.Read, true)
	b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: x, Name: b.nodeStr(method), Off: b.Off(method)})
	sym := rbType(b, graph.Class, recv, n)
	if sym < 0 {
		return
	}
	b.Sym(sym).Flags |= graph.Declaration
	b.rbMembers(sym, n, func() { rbBody(b, sym, b.Field(block, "body")) })
}

func rbSplat(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Of(graph.OpElem, n, b.Value(rbLast(b, n), graph.Read, want))
}

func rbIndex(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.Field(n, "object")
	x := b.Value(of, graph.Read, want)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != of {
			b.Value(c, graph.Read, false)
		}
	}
	return b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Off: b.Off(n)})
}

// rbPair is key and value; `x:` alone has the value of x.
func rbPair(b *Builder, n int32, role graph.Role, want bool) int32 {
	if k := b.Field(n, "key"); k >= 0 && !b.Is(k, "hash_key_symbol") {
		b.Value(k, graph.Read, false)
	}
	if v := b.Field(n, "value"); v >= 0 {
		return b.Value(v, graph.Read, want)
	}
	if k := b.Field(n, "key"); b.Is(k, "hash_key_symbol") {
		if b.rbLocal(b.nodeStr(k)) >= 0 {
			return rbIdentifier(b, k, role, want)
		}
		return b.Expr(graph.Expr{Op: graph.OpCall, X: b.rbSelfCall(k), N: 1, Off: b.Off(k)})
	}
	return graph.None
}

func rbLambda(b *Builder, n int32, role graph.Role, want bool) int32 {
	body := b.Field(n, "body")
	b.push(funcFrame, graph.None)
	from := len(b.F.Locals)
	if p := b.Field(n, "parameters"); p >= 0 {
		b.lambdaParams(p)
	}
	var params []int32
	for i := from; i < len(b.F.Locals); i++ {
		params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: int32(i), Off: b.F.Locals[i].Off}))
	}
	result := b.Of(graph.OpTypeOf, n, b.Value(b.Field(body, "body"), graph.Read, want))
	b.pop()
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

// rbDestructured binds the names of a parameter that is taken apart.
func rbDestructured(b *Builder, n int32) bool {
	l := b.Local(0, b.Off(n), graph.None, graph.None, graph.Param)
	v := b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)})
	rbTake(b, n, v)
	return true
}

// rbAssign is left = right; a constant that a class is made for is that class.
func rbAssign(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if b.Is(left, "constant") && b.Is(right, "call") {
		if kind := rbMakes(b, right); kind != graph.NoKind {
			sym := rbType(b, kind, left, n)
			b.rbMembers(sym, n, func() { rbMadeOf(b, sym, right) })
			return b.ifWanted(want, graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)})
		}
	}
	if b.Is(left, "constant") {
		return rbConst(b, n, left, right)
	}
	v := b.Value(right, graph.Read, true)
	rbAssignTo(b, left, v)
	return v
}

// rbConst defines a constant of the class around it, or of all.
func rbConst(b *Builder, n, left, right int32) int32 {
	sym := rbMember(b, graph.Constant, b.Text(left), b.Off(left), n)
	b.Sym(sym).Flags |= graph.Static
	b.doc = docRun{}
	in := b.in
	b.in = sym
	v := b.Value(right, graph.Read, true)
	b.in = in
	b.Sym(sym).Init = v
	return v
}

// rbAssignTo gives the target at left the value v.
func rbAssignTo(b *Builder, left, v int32) {
	switch b.Kind(left) {
	case "identifier":
		name := b.nodeStr(left)
		if l := b.rbLocal(name); l >= 0 {
			b.addInit(b.widen(l), v)
		} else {
			b.Local(name, b.Off(left), graph.None, v, 0)
		}
	case "instance_variable", "class_variable":
		rbAttribute(b, left, v)
	case "global_variable":
		if s := b.memberSymbol(graph.None, b.nodeStr(left)); s >= 0 {
			rbGlobal(b, left, graph.Write, false)
			b.moreInit(s, graph.None, v)
			return
		}
		s := graph.Symbol{Kind: graph.Variable, Name: b.nodeStr(left), NameOff: b.Off(left), Start: b.Off(left), End: b.Node(left).End,
			Container: graph.None, Type: graph.None, Init: v, Owner: graph.None, Flags: graph.Exported}
		b.addSymbol(s, "")
	case "constant":
		sym := rbMember(b, graph.Constant, b.Text(left), b.Off(left), left)
		b.Sym(sym).Flags |= graph.Static
		b.Sym(sym).Init = v
	case "left_assignment_list", "destructured_left_assignment":
		rbTake(b, left, v)
	case "rest_assignment":
		if c := rbLast(b, left); c >= 0 {
			rbAssignTo(b, c, b.Of(graph.OpSlice, left, v))
		}
	case "call":
		rbSet(b, left)
	case "":
	default:
		b.Value(left, graph.Write, false)
	}
}

// rbSet is x.name = v, a call of name=.
func rbSet(b *Builder, n int32) {
	recv, method := b.Field(n, "receiver"), b.Field(n, "method")
	if recv < 0 || method < 0 {
		b.Value(n, graph.Read, false)
		return
	}
	x := b.Value(recv, graph.Read, true)
	b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, X: x, Name: b.nodeStr(method), Off: b.Off(method)})
	if args := b.Field(n, "arguments"); args >= 0 {
		b.Value(args, graph.Read, false)
	}
}

// rbAttribute: the first assignment to a variable of an object defines it.
func rbAttribute(b *Builder, left, v int32) {
	owner := b.rbOwner()
	if owner < 0 {
		return
	}
	if s := b.memberSymbol(owner, b.nodeStr(left)); s >= 0 {
		rbVariable(b, left, graph.Write, false)
		b.moreInit(s, graph.None, v)
		return
	}
	sym := rbMember(b, graph.Field, b.Text(left), b.Off(left), left)
	s := b.Sym(sym)
	s.Init, s.DocStart, s.DocEnd = v, 0, 0
	if b.Is(left, "class_variable") {
		s.Flags |= graph.Static
	}
}

// rbTake assigns the parts of v to the names in a list.
func rbTake(b *Builder, n, v int32) {
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Comment {
			continue
		}
		switch b.Kind(c) {
		case "splat_parameter":
			if name := b.Field(c, "name"); name >= 0 {
				b.Local(b.nodeStr(name), b.Off(name), graph.None, b.Of(graph.OpSlice, c, v), 0)
			}
		case "rest_assignment":
			rbAssignTo(b, c, v)
		case "destructured_parameter":
			rbTake(b, c, b.Part(c, v, k))
		default:
			if b.Is(n, "destructured_parameter") && b.Is(c, "identifier") {
				b.Local(b.nodeStr(c), b.Off(c), graph.None, b.Part(c, v, k), 0)
			} else {
				rbAssignTo(b, c, b.Part(c, v, k))
			}
		}
		k++
	}
}

// rbOperatorAssign is a op= b; of these ||= and &&= give the variable a value of another type.
func rbOperatorAssign(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if !b.Has(n, "||=", "&&=") {
		b.Value(right, graph.Read, false)
		v := graph.None
		if !b.Is(left, "constant") {
			v = b.Value(left, graph.Write, want)
		}
		return v
	}
	old := graph.None
	switch b.Kind(left) {
	case "identifier":
		if l := b.rbLocal(b.nodeStr(left)); l >= 0 {
			old = b.ifWanted(want, graph.Expr{Op: graph.OpLocal, X: l, Name: b.nodeStr(left), Off: b.Off(left)})
		}
	case "call":
		b.Value(left, graph.Read, false)
	case "instance_variable", "class_variable":
		self := b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(left)})
		old = b.ifWanted(want, graph.Expr{Op: graph.OpMember, X: self, Name: b.nodeStr(left), Off: b.Off(left)})
	case "constant":
		return rbConst(b, n, left, right)
	}
	v := b.Value(right, graph.Read, true)
	rbAssignTo(b, left, v)
	return b.either2(old, v, n)
}

// rbBinary: of && the right operand is the value, of || either; comparisons are true or false.
func rbBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	l, r := b.Field(n, "left"), b.Field(n, "right")
	x := b.Value(l, graph.Read, true)
	switch {
	case b.Has(n, "||", "or"):
		return b.either2(x, b.Value(r, graph.Read, want), n)
	case b.Has(n, "&&", "and"):
		y := graph.None
		rbNarrowing(b, l, func() { y = b.Value(r, graph.Read, want) })
		return y
	}
	b.Value(r, graph.Read, false)
	op := b.Child(n, "<<", "+", "-", "*", "==", "<", ">", "<=", ">=", "=~")
	if op >= 0 && x >= 0 && b.F.Exprs[x].Op != graph.OpLiteral {
		m := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: x, Name: b.nodeStr(op), Off: b.Off(op)})
		return b.Expr(graph.Expr{Op: graph.OpCall, X: m, N: 2, Off: b.Off(n)})
	}
	return x
}

// rbIf is if, unless and ?: with their branches.
func rbIf(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.Field(n, "condition")
	b.Value(cond, graph.Read, false)
	yes, no := graph.None, graph.None
	if b.Is(n, "unless") {
		cond = graph.None
	}
	rbNarrowing(b, cond, func() { yes = b.Value(b.Field(n, "consequence"), graph.Read, want) })
	no = b.Value(b.Field(n, "alternative"), graph.Read, want)
	return b.either2(yes, no, n)
}

// rbModifier is `body if condition`: the condition runs first.
func rbModifier(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.Field(n, "condition")
	b.Value(cond, graph.Read, false)
	if !b.Is(n, "if_modifier") {
		cond = graph.None
	}
	v := graph.None
	rbNarrowing(b, cond, func() { v = b.Value(b.Field(n, "body"), graph.Read, want) })
	return v
}

// rbNarrowing runs f where the condition holds: x.is_a?(C), C === x and what && joins.
func rbNarrowing(b *Builder, cond int32, f func()) {
	from := len(b.names)
	rbProve(b, cond)
	f()
	rbForget(b, from)
}

// rbForget undoes narrowing since the time when so many names were bound.
func rbForget(b *Builder, from int) {
	kept := b.names[:from]
	for _, x := range b.names[from:] {
		if x.local < 0 || b.F.Locals[x.local].Flags&graph.Narrowed == 0 {
			kept = append(kept, x)
		}
	}
	b.names = kept
}

func rbProve(b *Builder, cond int32) {
	switch b.Kind(cond) {
	case "binary":
		if b.Has(cond, "&&", "and") {
			rbProve(b, b.Field(cond, "left"))
			rbProve(b, b.Field(cond, "right"))
		}
	case "parenthesized_statements":
		if c := b.First(cond); c >= 0 && b.Next(cond, c) < 0 {
			rbProve(b, c)
		}
	case "call":
		switch b.Text(b.Field(cond, "method")) {
		case "is_a?", "kind_of?", "instance_of?":
			rbIs(b, b.Field(cond, "receiver"), b.First(b.Field(cond, "arguments")))
		}
	}
}

// rbIs notes that the local at x is of the type at typ.
func rbIs(b *Builder, x, typ int32) {
	if !b.Is(x, "identifier") || !b.Is(typ, "constant") && !b.Is(typ, "scope_resolution") || b.rbLocal(b.nodeStr(x)) < 0 {
		return
	}
	if t := b.typeQuiet(typ); t >= 0 {
		b.Local(b.nodeStr(x), b.Off(x), t, graph.None, graph.Narrowed)
	}
}

func rbFor(b *Builder, n int32) bool {
	of := b.Field(n, "value")
	v := b.Value(b.First(of), graph.Read, true)
	rbAssignTo(b, b.Field(n, "pattern"), b.Of(graph.OpElem, n, v))
	b.Value(b.Field(n, "body"), graph.Read, false)
	return true
}

// rbReturn: several values are returned as a list.
func rbReturn(b *Builder, n int32) bool {
	args := b.First(n)
	if args < 0 {
		return true
	}
	v := graph.None
	if c := b.First(args); b.Is(args, "argument_list") && c >= 0 && b.Next(args, c) < 0 {
		v = b.Value(c, graph.Read, true)
	} else if kids, count := b.argumentList(args, graph.None); count > 0 {
		v = b.Expr(graph.Expr{Op: graph.OpTuple, X: graph.None, Kids: kids, Off: b.Off(n)})
	}
	for i := len(b.frames) - 1; i >= 0; i-- {
		if f := &b.frames[i]; f.kind == funcFrame && f.sym >= 0 {
			b.addReturn(f.sym, v)
			break
		}
	}
	return true
}

// rbRescue binds what is rescued.
func rbRescue(b *Builder, n int32, role graph.Role, want bool) int32 {
	var kids []int32
	ex := b.Field(n, "exceptions")
	for c := b.First(ex); c >= 0; c = b.Next(ex, c) {
		if b.Is(c, "constant") || b.Is(c, "scope_resolution") {
			kids = append(kids, b.Type(c, graph.TypeUse))
		} else {
			b.Value(c, graph.Read, false)
		}
	}
	if name := b.First(b.Field(n, "variable")); b.Is(name, "identifier") {
		typ := graph.None
		if len(kids) > 0 {
			typ = b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
		}
		b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, 0)
	} else if name >= 0 {
		rbAssignTo(b, name, graph.None)
	}
	return b.Value(b.Field(n, "body"), graph.Read, want)
}

// rbCase is case with when: in a branch for a class the value is of that class.
func rbCase(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.Field(n, "value")
	b.Value(of, graph.Read, false)
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "when":
			from, patterns, typ := len(b.names), 0, graph.None
			for p := b.First(c); p >= 0; p = b.Next(c, p) {
				if b.Is(p, "pattern") {
					b.visitChildren(p)
					typ = b.First(p)
					patterns++
				}
			}
			if patterns == 1 {
				rbIs(b, of, typ)
			}
			v = b.either2(v, b.Value(b.Field(c, "body"), graph.Read, want), n)
			rbForget(b, from)
		case "else":
			v = b.either2(v, b.Value(c, graph.Read, want), n)
		}
	}
	return v
}

// rbCaseMatch is case with in: its patterns bind names.
func rbCaseMatch(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.Value(b.Field(n, "value"), graph.Read, true)
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "in_clause":
			rbPattern(b, b.Field(c, "pattern"), of)
			if g := b.Field(c, "guard"); g >= 0 {
				b.Visit(g)
			}
			v = b.either2(v, b.Value(b.Field(c, "body"), graph.Read, want), n)
		case "else":
			v = b.either2(v, b.Value(c, graph.Read, want), n)
		}
	}
	return v
}

func rbMatch(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.Field(n, "value"), graph.Read, true)
	rbPattern(b, b.Field(n, "pattern"), v)
	return graph.None
}

// rbPattern binds the names of a pattern that value v is matched against.
func rbPattern(b *Builder, n, v int32) {
	switch b.Kind(n) {
	case "":
	case "identifier":
		b.Local(b.nodeStr(n), b.Off(n), graph.None, v, 0)
	case "as_pattern":
		val := b.Field(n, "value")
		rbPattern(b, val, v)
		if name := b.Field(n, "name"); name >= 0 {
			typ := graph.None
			if b.Is(val, "constant") || b.Is(val, "scope_resolution") {
				typ = b.typeQuiet(val)
			}
			b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, 0)
		}
	case "keyword_pattern":
		if val := b.Field(n, "value"); val >= 0 {
			rbPattern(b, val, graph.None)
		} else if k := b.Field(n, "key"); b.Is(k, "hash_key_symbol") {
			b.Local(b.nodeStr(k), b.Off(k), graph.None, graph.None, 0)
		}
	case "splat_parameter", "hash_splat_parameter":
		if name := b.Field(n, "name"); name >= 0 {
			b.Local(b.nodeStr(name), b.Off(name), graph.None, graph.None, 0)
		}
	case "array_pattern", "find_pattern", "hash_pattern", "alternative_pattern", "parenthesized_pattern":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			rbPattern(b, c, graph.None)
		}
	default:
		b.Value(n, graph.Read, false)
	}
}
