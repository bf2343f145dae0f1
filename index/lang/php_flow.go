package lang

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// A variable of PHP has, where the code runs straight on, the type of what was assigned to it last. So an
// assignment binds the name anew; one in a branch does so until the branch ends, and after that the variable
// is any of what it was before and what the branch assigned.

// phpNotes is what PHP's hooks note of the code that is read.
type phpNotes struct {
	said    []int32  // the locals that a doc comment tells of
	saidEnd uint32   // the end of the statement that the comment is for
	refs    []uint32 // the variables of the code around that the function without a name around here sets
}

// phpVisitBranch takes node n as code that may not run.
func phpVisitBranch(b *Builder, n int32) bool {
	b.Branch(func() { b.visitChildren(n) })
	return true
}

// phpSet assigns value v to the variable at left.
func (b *Builder) phpSet(left, v int32) {
	name := b.nodeStr(left)
	if l := b.ownLocal(name); l >= 0 && b.Off(left) < b.php.saidEnd && slices.Contains(b.php.said, l) {
		return
	}
	at := len(b.names) - 1
	for at >= b.funcBase() && (b.names[at].name != name || b.names[at].local < 0 || b.F.Locals[b.names[at].local].Flags&graph.Narrowed != 0) {
		at--
	}
	if l := b.phpOuter(name); l >= 0 {
		b.addInit(l, v)
	}
	if at < b.funcBase() || !b.bindsLocals() {
		b.AssignTo(left, v, graph.None)
		return
	}
	flags := graph.LocalFlags(0)
	if at < b.inBranch {
		b.addInit(b.names[at].local, v)
		flags = graph.Narrowed
	}
	b.Local(name, b.Off(left), graph.None, v, flags)
}

// phpSays notes that the doc comment of the statement at n gives variable name the type typ.
func (b *Builder) phpSays(n int32, name string, typ int32) {
	id := b.Str(name)
	l := b.ownLocal(id)
	switch {
	case l < 0:
		l = b.Local(id, b.Off(n), typ, graph.None, 0)
	case b.F.Locals[l].Type < 0 && b.F.Locals[l].Init < 0:
		b.F.Locals[l].Type = typ
	default:
		l = b.Local(id, b.Off(n), typ, graph.None, graph.Narrowed)
	}
	b.php.said, b.php.saidEnd = append(b.php.said, l), b.Node(n).End
}

// phpFor is a loop whose head stands before its body; what it does last is taken after that.
func phpFor(b *Builder, n int32) bool {
	body := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.InField(c, "body") && body < 0 {
			body = c
			continue
		}
		b.Visit(c)
	}
	if body >= 0 {
		b.Branch(func() { b.Visit(body) })
	}
	return true
}

// phpTry: what stands in a try may not run to its end.
func phpTry(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.InField(c, "body") || b.Is(c, "catch_clause") {
			b.Branch(func() { b.Visit(c) })
		} else {
			b.Visit(c)
		}
	}
	return true
}

// phpSwitch: in a case of switch (true) its test holds.
func phpSwitch(b *Builder, n int32) bool {
	cond := b.Field(n, "condition")
	b.Value(cond, graph.Read, false)
	tests := phpIsTrue(b, cond)
	body := b.Field(n, "body")
	for c := b.First(body); c >= 0; c = b.Next(body, c) {
		b.Branch(func() {
			value := b.Field(c, "value")
			for k := b.First(c); k >= 0; k = b.Next(c, k) {
				b.Visit(k)
				if k == value && tests {
					phpNarrow(b, k, true)
				}
			}
		})
	}
	return true
}

// phpIsTrue reports whether the expression at n is the word true.
func phpIsTrue(b *Builder, n int32) bool {
	for b.Is(n, "parenthesized_expression") {
		n = b.First(n)
	}
	return strings.EqualFold(b.Text(n), "true")
}

// phpArm is the value of an arm of a match; in one of match (true) its test holds.
func phpArm(b *Builder, n int32, tests, want bool) int32 {
	value, v := b.Field(n, "return_expression"), graph.None
	conds := b.Field(n, "conditional_expressions")
	if conds >= 0 {
		b.Visit(conds)
	}
	b.Branch(func() {
		if c := b.First(conds); tests && c >= 0 && b.Next(conds, c) < 0 {
			phpNarrow(b, c, true)
		}
		v = b.Value(value, graph.Read, want)
	})
	return v
}

// phpGlobals is `global $a, $b`: a doc comment of the function may say what they hold.
func phpGlobals(b *Builder, n int32) bool {
	if !b.InFunction() {
		return true
	}
	var d phpDoc
	if b.in >= 0 && b.Sym(b.in).DocEnd > 0 {
		d = phpDocOf(b, b.Sym(b.in).DocStart, b.Sym(b.in).DocEnd)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "variable_name") {
			continue
		}
		typ, ok := d.globals[b.Text(c)]
		if !ok {
			typ = graph.None
		}
		b.Local(b.nodeStr(c), b.Off(c), typ, graph.None, 0)
	}
	return true
}

// phpClosure is a function without a name; `use (&$a)` lets it set variables of the code around it.
func phpClosure(b *Builder, n int32, role graph.Role, want bool) int32 {
	outer := b.php.refs
	b.php.refs = nil
	uses := b.Child(n, "anonymous_function_use_clause")
	for c := b.First(uses); c >= 0; c = b.Next(uses, c) {
		if b.Is(c, "by_ref") {
			b.php.refs = append(b.php.refs, b.nodeStr(b.Child(c, "variable_name")))
		}
	}
	v := b.lambda(n, b.rule(n), want)
	b.php.refs = outer
	return v
}

// phpOuter is the variable of that name around a function that sets it there, or None.
func (b *Builder) phpOuter(name uint32) int32 {
	if !slices.Contains(b.php.refs, name) {
		return graph.None
	}
	for i := b.funcBase() - 1; i >= 0; i-- {
		if x := b.names[i]; x.name == name && x.local >= 0 && b.F.Locals[x.local].Flags&graph.Narrowed == 0 {
			return x.local
		}
	}
	return graph.None
}
