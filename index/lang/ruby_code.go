package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

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
	if b.rbTemplate(n) {
		return graph.None
	}
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
	if b.rbTemplate(n) {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: b.rbReceiver(b.Off(n)), Name: b.nodeStr(n), Off: b.Off(n)})
}

func rbConstant(b *Builder, n int32, role graph.Role, want bool) int32 {
	if b.rbTemplate(n) {
		return graph.None
	}
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
	if name < 0 || b.rbTemplate(name) {
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
	if b.rbOwner() < 0 || b.rbTemplate(n) {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: b.rbReceiver(b.Off(n)), Name: b.nodeStr(n), Off: b.Off(n)})
}

func rbGlobal(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Expr(graph.Expr{Op: graph.OpName, Role: role, Name: b.nodeStr(n), Off: b.Off(n), X: graph.None})
}

// rbSuper calls what the method around it overrides; super without a list passes the same arguments.
func rbSuper(b *Builder, n int32, role graph.Role, want bool) int32 {
	s := b.in
	for s >= 0 && !b.Sym(s).Kind.Callable() {
		s = b.Sym(s).Container
	}
	if s >= 0 && b.Sym(s).Kind != graph.Constructor {
		b.Sym(s).Flags |= graph.Override
	}
	return b.Expr(graph.Expr{Op: graph.OpSuper, Role: graph.Call, Name: b.nodeStr(n), X: graph.None, Off: b.Off(n)})
}

// rbCall is a call with or without a receiver; a block is its last argument.
func rbCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	recv, method, args, block := b.Field(n, "receiver"), b.Field(n, "method"), b.Field(n, "arguments"), b.Field(n, "block")
	name := b.Text(method)
	x, sent := graph.None, graph.None
	switch {
	case method >= 0 && b.Is(method, "super"):
		x = rbSuper(b, method, role, want)
	case method < 0: // x.(1)
		if rbOwnBlock(b, recv) {
			rbHands(b, args)
			return graph.None
		}
		x = b.Value(recv, graph.Read, true)
	case recv < 0:
		if name == "class_methods" && rbClassMethods(b, n, block) {
			return graph.None
		}
		if o := b.rbOwner(); name == "included" && block >= 0 && o >= 0 && b.InType() {
			rbGives(b, o, block, "")
		}
		if name == "refine" && block >= 0 && rbRefine(b, n, args, block) {
			return graph.None
		}
		x = b.rbSelfCall(method)
		if rbDirective(b, n, args, name) {
			return graph.None
		}
	default:
		if of := rbReopened(b, recv, name); of && block >= 0 {
			rbReopen(b, n, recv, method, block)
			return graph.None
		}
		if rbMixInto(b, n, recv, args) {
			return graph.None
		}
		if name == "call" && rbOwnBlock(b, recv) {
			b.Value(recv, graph.Read, false)
			rbHands(b, args)
			return graph.None
		}
		r := b.Value(recv, graph.Read, true)
		if b.rbTemplate(method) {
			break
		}
		x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: r, Name: b.nodeStr(method), Off: b.Off(method)})
		if name == "class" && args < 0 {
			return x
		}
	}
	if y, at := rbSent(b, x, name, args); at >= 0 {
		if x, sent = y, at; name == "method" || name == "public_method" {
			return x
		}
	}
	kids, count := rbArguments(b, args, sent, x, name)
	switch name {
	case "push", "append", "unshift", "prepend", "add":
		if len(kids) > 0 {
			rbAdds(b, recv, kids[0])
		}
	}
	if recv >= 0 && block >= 0 && rbLoop(b, recv, block, name) {
		defer func(loops []rubyLoop) { b.ruby.loops = loops }(b.ruby.loops[:len(b.ruby.loops)-1])
	}
	if block >= 0 {
		rbPassed(b, x, name, kids)
		rbRunOn(b, n, x, name)
		kids = append(kids, b.argument(block, x, graph.LastArg))
		b.Scratch[rbGiven], b.ruby.next = 0, 0
	}
	if x < 0 {
		return graph.None
	}
	if recv < 0 && (name == "lambda" || name == "proc") && block >= 0 {
		return kids[len(kids)-1]
	}
	return b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: b.List(kids...), N: uint16(max(count, 0)), Off: b.Off(n)})
}

// rbSent is the member that a call of x, send or method, names by its first argument, and that
// argument; None for other calls.
func rbSent(b *Builder, x int32, name string, args int32) (member, at int32) {
	role := graph.Call
	switch name {
	case "send", "__send__", "public_send":
	case "method", "public_method":
		role = graph.Read
	default:
		return graph.None, graph.None
	}
	at = b.First(args)
	word, off := rbWord(b, at)
	if x < 0 || word == "" || b.Is(at, "identifier") || b.Is(at, "constant") {
		return graph.None, graph.None
	}
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: b.F.Exprs[x].X, Name: b.Str(word), Off: off}), at
}

// rbArguments are the arguments of a call of x but for the one at skip, and one more than the number
// of those that have a place, less than that where nobody knows.
func rbArguments(b *Builder, args, skip, x int32, name string) (kids []int32, count int) {
	count = 1
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		k := len(kids)
		switch b.Kind(c) {
		case "comment":
			continue
		case "splat_argument", "forward_argument":
			count = -len(b.src)
		case "block_argument":
			k = graph.LastArg
			rbPassesOn(b, c, x, name)
		case "pair", "hash_splat_argument":
		default:
			if c == skip {
				continue
			}
			count++
		}
		kids = append(kids, b.argument(c, x, k))
	}
	return kids, count
}

// rbPassed notes what the well-known method name, member x of its receiver, passes to its block
// that is no element of a collection: its receiver, or its first argument.
func rbPassed(b *Builder, x int32, name string, args []int32) {
	v, at := graph.None, int32(0)
	switch name {
	case "tap", "then", "yield_self":
		if x >= 0 && b.F.Exprs[x].Op == graph.OpMember {
			v = b.F.Exprs[x].X
		}
	case "inject", "reduce":
		if len(args) > 0 {
			v = args[0]
		}
	case "each_with_object", "with_object":
		if len(args) > 0 {
			v, at = args[0], 1
		}
	}
	b.Scratch[rbGiven] = 0
	if v >= 0 {
		b.Scratch[rbGiven], b.Scratch[rbGivenAt] = v+1, at
	}
}

// rbBlock is a block: a function without a name.
func rbBlock(b *Builder, n int32, role graph.Role, want bool) int32 {
	given, at := b.Scratch[rbGiven]-1, b.Scratch[rbGivenAt]
	b.Scratch[rbGiven] = 0
	outer := b.ruby.on
	rbEnterBlock(b)
	b.push(funcFrame, graph.None)
	from := len(b.F.Locals)
	if p := b.Field(n, "parameters"); p >= 0 {
		b.lambdaParams(p)
	}
	var params []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Flags&graph.Param != 0 {
			if given >= 0 && len(params) == int(at) && l.Init < 0 {
				l.Init = given
			}
			params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: int32(i), Off: l.Off}))
		}
	}
	result := b.Of(graph.OpTypeOf, n, b.Value(b.Field(n, "body"), graph.Read, want))
	b.pop()
	b.ruby.on = outer
	return b.ifWanted(want, graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
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

// rbRefine is `refine C do ... end`: what the block defines files that use the module around see as members
// of C.
func rbRefine(b *Builder, n, args, block int32) bool {
	c := b.First(args)
	if !b.Is(c, "constant") && !b.Is(c, "scope_resolution") {
		return false
	}
	b.Value(c, graph.Read, false)
	in := b.in
	b.in = graph.None
	sym := rbType(b, graph.Class, c, n)
	if sym >= 0 {
		b.Sym(sym).Flags |= graph.Declaration
		b.rbMembers(sym, n, func() { rbBody(b, sym, b.Field(block, "body")) })
	}
	b.in = in
	return true
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
	y := b.Value(r, graph.Read, b.Has(n, "<<"))
	if b.Has(n, "<<") {
		rbAdds(b, l, y)
	}
	op := b.Child(n, "<<", "+", "-", "*", "==", "<", ">", "<=", ">=", "=~")
	if op >= 0 && x >= 0 && b.F.Exprs[x].Op != graph.OpLiteral {
		m := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Call, X: x, Name: b.nodeStr(op), Off: b.Off(op)})
		return b.Expr(graph.Expr{Op: graph.OpCall, X: m, N: 2, Off: b.Off(n)})
	}
	return x
}
