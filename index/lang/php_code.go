package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

func phpNameValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	return phpName(b, n, role)
}

func phpNameType(b *Builder, n int32, role graph.Role) int32 {
	if strings.EqualFold(b.Text(n), "self") {
		return phpSelfType(b, b.Off(n))
	}
	return phpName(b, n, role)
}

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
	if !b.bindsLocals() {
		return false
	}
	b.php.said = nil
	for _, v := range d.vars {
		name := v.name
		if a := b.First(n); name == "" && b.Is(a, "assignment_expression") && b.Is(b.Field(a, "left"), "variable_name") {
			name = b.Text(b.Field(a, "left"))
		}
		if name != "" && v.typ >= 0 {
			b.phpSays(n, name, v.typ)
		}
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
		b.forget(left)
	case "variable_name":
		if b.Text(left) != "$this" {
			b.phpSet(left, v)
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
	b.Branch(func() {
		for c := b.Next(n, of); c >= 0; c = b.Next(n, c) {
			if c != target || b.InField(c, "body") {
				b.Visit(c)
			}
		}
	})
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
