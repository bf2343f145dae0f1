package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// pyOnly evaluates a node's only child under op.
func pyOnly(op graph.Op) func(b *Builder, n int32, role graph.Role, want bool) int32 {
	return func(b *Builder, n int32, role graph.Role, want bool) int32 {
		v := b.Value(b.First(n), graph.Read, want)
		if !want {
			return graph.None
		}
		return b.Of(op, n, v)
	}
}

// pyCall: super() and cast(T, v) are what their names say where nothing else has them.
func pyCall(b *Builder, n int32, role graph.Role, want bool) int32 {
	of, args := b.Field(n, "function"), b.Field(n, "arguments")
	switch {
	case b.Is(of, "identifier") && b.Text(of) == "super" && b.local(b.nodeStr(of)) < 0:
		b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Call, Name: b.nodeStr(of), Off: b.Off(of), X: graph.None})
		b.Value(args, graph.Read, false)
		return b.ifWanted(want, graph.Expr{Op: graph.OpSuper, X: graph.None, Off: b.Off(n)})
	case args >= 0 && pyIsCast(b, of):
		typ := b.First(args)
		if typ < 0 {
			break
		}
		b.Value(of, graph.Call, false)
		t := b.Type(typ, graph.TypeUse)
		v := graph.None
		if c := b.Next(args, typ); c >= 0 {
			v = b.Value(c, graph.Read, want)
		}
		return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(t), Off: b.Off(n)})
	}
	return b.call(n, b.rule(n), want)
}

func pyIsCast(b *Builder, of int32) bool {
	if b.Is(of, "attribute") {
		return b.Text(b.Field(of, "attribute")) == "cast" && pyTypingModule(b, b.Text(b.Field(of, "object")))
	}
	return b.Is(of, "identifier") && b.Text(of) == "cast" && pyTypingName(b, "cast") == "cast"
}

// pySubscript is an element, or with a slice a part, of a sequence.
func pySubscript(b *Builder, n int32, role graph.Role, want bool) int32 {
	r := b.rule(n)
	of := b.child(n, &r.of)
	x := b.Value(of, graph.Read, want)
	if t := pyForm(b, n, of, x); t >= 0 {
		return t
	}
	kids := b.values(n, &r.args, false)
	op := graph.OpIndex
	if b.Has(n, "slice") {
		op, kids = graph.OpSlice, 0
	}
	return b.ifWanted(want && x >= 0, graph.Expr{Op: op, X: x, Kids: kids, Off: b.Off(n)})
}

// pyBinary: `a | b` is either of two types, or made of the parts of two values.
func pyBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	r := *b.rule(n)
	if b.Has(n, "|") {
		r.Op = graph.OpUnion
	}
	return b.binary(n, &r, want)
}

func pyAugmented(b *Builder, n int32) bool {
	if left := b.Field(n, "left"); left >= 0 {
		b.Value(left, graph.Write, false)
		if b.Is(left, "identifier") && b.InFunction() && b.local(b.nodeStr(left)) < 0 && !b.isOuter(b.nodeStr(left)) {
			b.assignName(left, graph.None, graph.None)
		}
	}
	b.Value(b.Field(n, "right"), graph.Read, false)
	return true
}

func pyWalrus(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.Field(n, "value"), graph.Read, true)
	if name := b.Field(n, "name"); name >= 0 {
		b.AssignTo(name, v, graph.None)
	}
	return v
}

// pyForIn is a clause of a comprehension: its names are the comprehension's own.
func pyForIn(b *Builder, n int32) bool {
	v := b.Value(b.Field(n, "right"), graph.Read, true)
	if left := b.Field(n, "left"); left >= 0 {
		b.pattern(left, b.Of(graph.OpElem, n, v), func(name, v int32) {
			b.Local(b.nodeStr(name), b.Off(name), graph.None, v, 0)
		})
	}
	return true
}

// pyIfClause is the test of a comprehension or a case: what follows it knows that it holds.
func pyIfClause(b *Builder, n int32) bool {
	c := b.First(n)
	b.Value(c, graph.Read, false)
	if c >= 0 && b.InFunction() {
		b.narrow(c)
	}
	return true
}

func pyWithItem(b *Builder, n int32) bool {
	v := b.Field(n, "value")
	if !b.Is(v, "as_pattern") {
		return false
	}
	x := b.Of(graph.OpEnter, n, b.Value(b.First(v), graph.Read, true))
	if alias := b.Field(v, "alias"); alias >= 0 {
		b.AssignTo(alias, x, graph.None)
	}
	return true
}

// pyExcept binds the caught exception, which is gone after the clause.
func pyExcept(b *Builder, n int32) bool {
	from, bound, symbols := len(b.names), false, len(b.F.Symbols)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "as_pattern") {
			b.Visit(c)
			continue
		}
		t := b.Value(b.First(c), graph.Read, true)
		if t >= 0 && b.F.Exprs[t].Op == graph.OpTuple {
			b.F.Exprs[t].Op = graph.OpUnion
		}
		v := b.Of(graph.OpInstance, c, t)
		id := b.Find(b.Field(c, "alias"), "identifier")
		switch {
		case id < 0:
		case b.InFunction() && !b.isOuter(b.nodeStr(id)):
			b.Local(b.nodeStr(id), b.Off(id), graph.None, v, 0)
			bound = true
		default:
			b.assignName(id, v, graph.None)
		}
	}
	if bound {
		b.names = append(b.names[:from], b.names[from+1:]...)
	}
	for i := symbols; i < len(b.F.Symbols); i++ { // what the code that was tried defines goes first
		b.F.Symbols[i].Flags |= graph.Rarer
	}
	return true
}

func pyReturn(b *Builder, n int32) bool {
	in := b.in
	return in >= 0 && b.Sym(in).Flags&graph.Generator != 0 && b.visitAll(n)
}

// visitAll visits the children of n and is true.
func (b *Builder) visitAll(n int32) bool {
	b.visitChildren(n)
	return true
}

// pyYield: what a function yields is what its callers iterate over.
func pyYield(b *Builder, n int32, role graph.Role, want bool) int32 {
	c := b.First(n)
	v := b.Value(c, graph.Read, true)
	if strings.HasPrefix(b.Text(n), "yield from") {
		v = b.Of(graph.OpElem, n, v)
	}
	for i := len(b.frames) - 1; i >= 0; i-- {
		if f := &b.frames[i]; f.kind == funcFrame {
			if f.sym >= 0 {
				if s := b.Sym(f.sym); s.Type < 0 {
					s.Flags |= graph.Generator
					b.addReturn(f.sym, v)
				}
			}
			break
		}
	}
	return graph.None
}

func pyMatch(b *Builder, n int32) bool {
	subject := b.Field(n, "subject")
	v := b.Value(subject, graph.Read, true)
	saved := b.Scratch
	b.Scratch[1], b.Scratch[2] = v, subject
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "subject") {
			b.Visit(c)
		}
	}
	b.Scratch = saved
	return true
}

// pyCase: a pattern binds names to parts of the subject and may prove its class.
func pyCase(b *Builder, n int32) bool {
	from := len(b.names)
	v, subject := b.Scratch[1], b.Scratch[2]
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "case_pattern") {
			p := b.First(c)
			if t := pyPattern(b, c, v); t >= 0 && b.Is(p, "class_pattern") && b.Is(subject, "identifier") && b.InFunction() {
				if l := b.local(b.nodeStr(subject)); l >= 0 {
					b.Local(b.nodeStr(subject), b.Off(subject), t, graph.None, graph.Narrowed)
				}
			}
			continue
		}
		b.Visit(c)
	}
	kept := b.names[:from]
	for _, x := range b.names[from:] {
		if x.local < 0 || b.F.Locals[x.local].Flags&graph.Narrowed == 0 {
			kept = append(kept, x)
		}
	}
	b.names = kept
	return true
}

// pyPattern takes the pattern at n for the value v and returns the class that it proves, or None.
func pyPattern(b *Builder, n, v int32) int32 {
	switch b.Kind(n) {
	case "class_pattern":
		return pyClassPattern(b, n, v)
	case "dotted_name":
		first := b.First(n)
		if b.Next(n, first) < 0 { // a lone name is bound
			if b.Text(first) != "_" {
				b.AssignTo(first, v, graph.None)
			}
			return graph.None
		}
		pyDotted(b, n, graph.Read)
		return graph.None
	case "as_pattern":
		p := b.First(n)
		t := pyPattern(b, p, v)
		if t >= 0 {
			v = b.Of(graph.OpInstance, n, t)
		}
		if id := b.Next(n, p); id >= 0 {
			if b.Is(id, "as_pattern_target") {
				id = b.First(id)
			}
			b.AssignTo(id, v, graph.None)
		}
		return t
	case "splat_pattern":
		if id := b.Child(n, "identifier"); id >= 0 && b.Text(id) != "_" {
			b.AssignTo(id, graph.None, graph.None)
		}
		return graph.None
	case "case_pattern":
		t := graph.None
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			t = pyPattern(b, c, v)
		}
		return t
	case "list_pattern", "tuple_pattern":
		k := 0
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			pyPattern(b, c, b.Part(c, v, k))
			k++
		}
		return graph.None
	case "keyword_pattern":
		id := b.First(n)
		for c := b.Next(n, id); c >= 0; c = b.Next(n, c) {
			pyPattern(b, c, b.memberOf(v, id, graph.NoRole))
		}
		return graph.None
	case "union_pattern", "dict_pattern":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			pyPattern(b, c, graph.None)
		}
		return graph.None
	}
	b.Visit(n)
	return graph.None
}

func pyClassPattern(b *Builder, n, v int32) int32 {
	name := b.First(n)
	t := pyDotted(b, name, graph.TypeUse)
	if t >= 0 {
		v = b.Of(graph.OpInstance, n, t)
	}
	for c := b.Next(n, name); c >= 0; c = b.Next(n, c) {
		if k := b.First(c); b.Is(c, "case_pattern") && b.Is(k, "keyword_pattern") {
			pyPattern(b, c, v)
		} else {
			pyPattern(b, c, graph.None)
		}
	}
	return t
}

// pyDotted is the value of a dotted name; its last part has the role.
func pyDotted(b *Builder, n int32, role graph.Role) int32 {
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		r := graph.Read
		if b.Next(n, c) < 0 {
			r = role
		}
		if x < 0 {
			x = b.Name(c, r, true)
		} else {
			x = b.Expr(graph.Expr{Op: graph.OpMember, Role: r, X: x, Name: b.nodeStr(c), Off: b.Off(c)})
		}
	}
	return x
}
