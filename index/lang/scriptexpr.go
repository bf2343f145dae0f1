package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// scriptCall: require("m") and import("m") are modules, everything else is a call.
func scriptCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	if imp := scriptModuleCall(b, n); imp >= 0 {
		return b.ifWanted(want, graph.Expr{Op: graph.OpImport, X: imp, Off: b.Off(n)})
	}
	r := b.rule(n)
	if ta := b.Field(n, "type_arguments"); ta >= 0 {
		return scriptGenericCall(b, n, r, graph.OpCall, b.Field(n, "function"), ta)
	}
	return b.call(n, r, want)
}

func scriptNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	r := b.rule(n)
	if ta := b.Field(n, "type_arguments"); ta >= 0 {
		return scriptGenericCall(b, n, r, graph.OpNew, b.Field(n, "constructor"), ta)
	}
	return b.call(n, r, want)
}

// scriptGenericCall is a call or construction with explicit type arguments.
func scriptGenericCall(b *Builder, n int32, r *compiled, op graph.Op, of, args int32) int32 {
	x := b.callee(of, graph.Call, op == graph.OpCall)
	var types []int32
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		types = append(types, b.Type(c, graph.TypeUse))
	}
	if x >= 0 {
		x = b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(types...), N: graph.MeansTypes, Off: b.Off(n)})
	}
	var kids uint32
	count := 0
	if a := b.Field(n, "arguments"); a >= 0 {
		kids, count = b.argumentList(a, x)
	}
	if x < 0 {
		return graph.None
	}
	return b.Expr(graph.Expr{Op: op, X: x, Kids: kids, N: uint16(min(count+1, 1<<16-1)), Off: b.Off(n)})
}

// scriptSubscript: a literal string as index names a member.
func scriptSubscript(b *Builder, n int32, role graph.Role, want bool) int32 {
	index := b.Field(n, "index")
	if b.Is(index, "string") && b.Find(index, "escape_sequence") < 0 {
		x := b.Value(b.Field(n, "object"), graph.Read, true)
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.Str(scriptString(b, index)), Kids: b.List(b.Literal(index, "string")), Off: b.Off(index) + 1})
	}
	x := b.Value(b.Field(n, "object"), graph.Read, want)
	k, at := b.Value(index, graph.Read, want), uint16(0)
	if text := b.t.Text(max(index, 0)); b.Is(index, "number") && len(text) == 1 {
		at = uint16(text[0]-'0') + 1
	}
	return b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(k), N: at, Off: b.Off(n)})
}

func scriptAwait(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if v := b.Value(c, graph.Read, want); v >= 0 {
			x = v
		}
	}
	if !want {
		return graph.None
	}
	return b.Of(graph.OpAwait, n, x)
}

func scriptUnary(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Value(b.Field(n, "argument"), graph.Read, false)
	if !want {
		return graph.None
	}
	switch {
	case len(b.t.Text(n)) == 0:
		return graph.None
	case b.t.Text(n)[0] == '!':
		return b.Literal(n, "boolean")
	case b.t.Text(n)[0] == 't':
		return b.Literal(n, "string")
	case b.t.Text(n)[0] == 'v' || b.t.Text(n)[0] == 'd':
		return graph.None
	}
	return b.Literal(n, "number")
}

// scriptBinary: the logical operators yield one of their operands.
func scriptBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	switch {
	case b.Has(n, "||", "??"):
		x := b.Value(left, graph.Read, want)
		b.push(blockFrame, graph.None)
		if b.Has(n, "||") {
			b.narrowNot(left)
		}
		y := b.Value(right, graph.Read, want)
		b.pop()
		if x < 0 || y < 0 {
			return max(x, y)
		}
		return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(x, y), Off: b.Off(n)})
	case b.Has(n, "&&"):
		b.push(blockFrame, graph.None)
		b.Value(left, graph.Read, false)
		b.narrow(left)
		y := b.Value(right, graph.Read, want)
		b.pop()
		return y
	}
	b.Value(left, graph.Read, false)
	b.Value(right, graph.Read, false)
	return graph.None
}

// scriptTernary is one of two values, each where the test holds or does not.
func scriptTernary(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.Field(n, "condition")
	b.Value(cond, graph.Read, false)
	b.push(blockFrame, graph.None)
	b.narrow(cond)
	x := b.Value(b.Field(n, "consequence"), graph.Read, want)
	b.pop()
	b.push(blockFrame, graph.None)
	b.narrowNot(cond)
	y := b.Value(b.Field(n, "alternative"), graph.Read, want)
	b.pop()
	if x < 0 || y < 0 {
		return max(x, y)
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(x, y), Off: b.Off(n)})
}

// scriptStatement is an expression that stands as a statement: what a call asserts holds behind it.
func scriptStatement(b *Builder, n int32) bool {
	b.visitChildren(n)
	c := b.First(n)
	if !b.Is(c, "call_expression") || !b.InFunction() {
		return true
	}
	if fn := b.t.Text(b.Field(c, "function")); containsFold(fn, "assert") || containsFold(fn, "invariant") { // as such functions are called
		b.narrowShown(c, b.Field(c, "arguments"))
	}
	return true
}

// containsFold reports whether s has word, which is in lower case, in any case.
func containsFold(s []byte, word string) bool { return bytes.Contains(bytes.ToLower(s), []byte(word)) }

func scriptYield(b *Builder, n int32, role graph.Role, want bool) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		v := b.Value(c, graph.Read, b.infers())
		if v >= 0 && b.rule(c).Do != Comment {
			if !b.Has(n, "*") {
				v = b.Expr(graph.Expr{Op: graph.OpArray, X: graph.None, Kids: b.List(v), Off: b.Off(n)})
			}
			b.yielded(v)
		}
	}
	return graph.None
}

func scriptYields(b *Builder, n int32) bool {
	scriptYield(b, n, graph.Read, false)
	return true
}

// yielded says that the function around here is a generator that yields what is in v.
func (b *Builder) yielded(v int32) {
	for i := len(b.frames) - 1; i >= 0; i-- {
		f := &b.frames[i]
		if f.kind != funcFrame {
			continue
		}
		if f.sym >= 0 {
			b.addReturn(f.sym, v)
		} else if len(f.rets) < 8 {
			f.rets = append(f.rets, v)
		}
		return
	}
}

func scriptSpread(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.First(n), graph.Read, want)
	if !want || v < 0 {
		return graph.None
	}
	return b.Of(graph.OpElem, n, v)
}

func scriptUpdate(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Value(b.Field(n, "argument"), graph.Write, false)
	if !want {
		return graph.None
	}
	return b.Literal(n, "number")
}

func scriptAssignment(b *Builder, n int32) bool {
	scriptAssigned(b, n, graph.Write, false)
	return true
}

func scriptAssigned(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if left < 0 || right < 0 {
		b.visitChildren(n)
		return graph.None
	}
	return scriptAssign(b, n, left, right)
}

// scriptAssign is an assignment that defines no member. A function that becomes a member of
// something all the same goes by the member's name.
func scriptAssign(b *Builder, n, left, right int32) int32 {
	v := graph.None
	fn, prop := scriptUnwrap(b, right), b.Field(left, "property")
	if b.Is(left, "member_expression") && prop >= 0 && scriptIsFunction(b, fn) {
		b.push(blockFrame, graph.None)
		sym := b.Symbol(graph.Function, prop, n, "")
		scriptBody(b, sym, fn)
		b.pop()
		v = b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(fn)})
	} else {
		v = b.Value(right, graph.Read, true)
	}
	b.AssignTo(left, v, graph.None)
	return v
}

func scriptAugment(b *Builder, n int32) bool {
	scriptAugmented(b, n, graph.Write, false)
	return true
}

// scriptAugmented is x += y and its like, of which ||=, &&= and ??= may replace the value.
func scriptAugmented(b *Builder, n int32, role graph.Role, want bool) int32 {
	left, right := b.Field(n, "left"), b.Field(n, "right")
	if op := b.t.Src[b.t.Nodes[max(left, 0)].End:b.t.Nodes[max(right, 0)].Start]; left >= 0 && right >= 0 && containsAny(op, "|&?") && containsTwice(op) {
		v := b.Value(right, graph.Read, true)
		b.AssignTo(left, v, graph.None)
		return v
	}
	b.Value(left, graph.Write, false)
	b.Value(right, graph.Read, false)
	return graph.None
}

func containsAny(s []byte, chars string) bool {
	for _, c := range s {
		for i := range len(chars) {
			if c == chars[i] {
				return true
			}
		}
	}
	return false
}

// containsTwice reports whether an operator character stands there twice in a row, as in ||=.
func containsTwice(s []byte) bool {
	for i := 1; i < len(s); i++ {
		if s[i] == s[i-1] && (s[i] == '|' || s[i] == '&' || s[i] == '?') {
			return true
		}
	}
	return false
}

// scriptDecorator: what a decorator names is called.
func scriptDecorator(b *Builder, n int32) bool {
	doc := b.doc
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Ident || d == Member {
			b.Value(c, graph.Call, false)
		} else {
			b.Visit(c)
		}
	}
	b.doc = doc
	return true
}

// scriptElement is an opening tag: one in lower case is the platform's own.
func scriptElement(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case c != name:
			b.Visit(c)
		case b.rule(c).Do == Ident:
			if !scriptLower(b.t.Text(c)) {
				b.Value(c, graph.Call, false)
			}
		default:
			b.Value(c, graph.Call, false)
		}
	}
	return true
}

// scriptElementEnd is a closing tag, which names the component once more.
func scriptElementEnd(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 || b.rule(name).Do == Ident && scriptLower(b.t.Text(name)) {
		return true
	}
	b.Value(name, graph.Read, false)
	return true
}

// scriptLower reports whether a tag is the platform's own.
func scriptLower(tag []byte) bool { return len(tag) == 0 || tag[0] >= 'a' && tag[0] <= 'z' }

func scriptAttribute(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d != Ident {
			b.Visit(c)
		}
	}
	return true
}

// scriptThis is the receiver, or what the function around it says that it is run on.
func scriptThis(b *Builder, n int32, role graph.Role, want bool) int32 {
	if l := b.local(b.Str("this")); l >= 0 && b.F.Locals[l].In == b.in && b.F.Locals[l].Flags&graph.Narrowed == 0 && b.F.Locals[l].Type >= 0 {
		return b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(n)})
	}
	return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
}
