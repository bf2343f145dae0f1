package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

// kotlinStatements visits statements; the last one's value is theirs.
func kotlinStatements(b *Builder, n int32, role graph.Role, want bool) int32 {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.rule(c).Do != Comment {
			last = c
		}
	}
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.rule(c).Do == Comment:
			b.comment(c)
			continue
		case c == last && want && b.rule(c).Hook == nil || c == last && b.rule(c).Eval != nil:
			v = b.Value(c, graph.Read, want)
		default:
			b.Visit(c)
		}
		b.doc = docRun{}
	}
	return v
}

// kotlinBody is the body of a branch or loop, with the value of its last statement.
func kotlinBody(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	b.Scope(func() { v = kotlinStatements(b, n, role, want) })
	return v
}

func kotlinIf(b *Builder, n int32) bool {
	kotlinIfValue(b, n, graph.Read, false)
	return true
}

// kotlinIfValue takes a test and its branches. What the test shows of a variable's type holds in
// the first branch, and what it denies behind it, if the branch leaves.
func kotlinIfValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.First(n)
	for cond >= 0 && b.rule(cond).Do == Comment {
		cond = b.Next(n, cond)
	}
	if cond < 0 {
		return graph.None
	}
	b.Value(cond, graph.Read, false)
	var kids []int32
	first := true
	leaves := false
	for c := b.Next(n, cond); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "control_structure_body") {
			continue
		}
		b.Scope(func() {
			kotlinNarrow(b, cond, first)
			if v := b.Value(c, graph.Read, want); v >= 0 {
				kids = append(kids, v)
			}
		})
		if first {
			leaves = kotlinLeaves(b, c)
		}
		first = false
	}
	if leaves {
		kotlinNarrow(b, cond, false)
	}
	return b.anyValue(n, kids, want)
}

// anyValue is any of the values, as one expression; None where it is not wanted.
func (b *Builder) anyValue(n int32, kids []int32, want bool) int32 {
	if len(kids) == 1 && want {
		return kids[0]
	}
	return b.ifWanted(want && len(kids) > 0, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// kotlinLeaves reports whether the last statement below n leaves the block around it.
func kotlinLeaves(b *Builder, n int32) bool {
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		last = c
	}
	return b.Is(last, "jump_expression") || b.Is(last, "statements") && kotlinLeaves(b, last)
}

// kotlinNarrow binds the variables that the test at n, which turned out as holds says, shows to be
// of a type.
func kotlinNarrow(b *Builder, n int32, holds bool) {
	switch b.Kind(n) {
	case "parenthesized_expression":
		kotlinNarrow(b, b.First(n), holds)
	case "conjunction_expression", "disjunction_expression":
		if holds == b.Is(n, "conjunction_expression") {
			for c := b.First(n); c >= 0; c = b.Next(n, c) {
				kotlinNarrow(b, c, holds)
			}
		}
	case "prefix_expression":
		if b.src[b.Off(n)] == '!' {
			kotlinNarrow(b, b.First(n), !holds)
		}
	case "check_expression":
		if holds && b.Has(n, "is") || !holds && b.Has(n, "!is") {
			b.narrowTo(b.First(n), kotlinTypeIn(b, n))
		}
	}
}

// kotlinTypeIn is the first type among the children of n, or None.
func kotlinTypeIn(b *Builder, n int32) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if kotlinIsType(b, c) {
			return c
		}
	}
	return graph.None
}

func kotlinWhen(b *Builder, n int32) bool {
	kotlinWhenValue(b, n, graph.Read, false)
	return true
}

// kotlinWhenValue takes the entries of a `when`; a test of type shows what its subject is.
func kotlinWhenValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	var kids []int32
	b.Scope(func() {
		subject := graph.None
		if s := b.Child(n, "when_subject"); s >= 0 {
			v, name := graph.None, graph.None
			for c := b.First(s); c >= 0; c = b.Next(s, c) {
				switch {
				case b.Is(c, "variable_declaration"):
					name = c
				case b.rule(c).Do != Comment:
					v, subject = b.Value(c, graph.Read, true), c
				}
			}
			if name >= 0 {
				kotlinDeclare(b, name, v, 0)
				subject = b.Child(name, "simple_identifier")
			}
		}
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			if b.Is(c, "when_entry") {
				if v := kotlinWhenEntry(b, c, subject, want); v >= 0 && len(kids) < maxValues {
					kids = append(kids, v)
				}
			}
		}
	})
	return b.anyValue(n, kids, want)
}

func kotlinWhenEntry(b *Builder, n, subject int32, want bool) int32 {
	v := graph.None
	b.Scope(func() {
		tests := 0
		shown, cond := graph.None, graph.None
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			switch {
			case b.Is(c, "control_structure_body"):
				if tests == 1 {
					if shown >= 0 {
						b.narrowTo(subject, shown)
					}
					kotlinNarrow(b, cond, true)
				}
				v = b.Value(c, graph.Read, want)
			case b.Is(c, "when_condition"):
				tests++
				cond = b.First(c)
				if t := cond; b.Is(t, "type_test") {
					typ := kotlinTypeIn(b, t)
					b.Type(typ, graph.TypeUse)
					if b.Has(t, "is") {
						shown = typ
					}
					continue
				}
				b.visitChildren(c)
			default:
				b.Visit(c)
			}
		}
	})
	return v
}

// kotlinFor binds the loop's variables to elements of what it runs over.
func kotlinFor(b *Builder, n int32) bool {
	b.Scope(func() {
		name := b.Child(n, "variable_declaration", "multi_variable_declaration")
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			switch {
			case c == name || b.rule(c).Do == Comment || b.Is(c, "in"):
			case b.Is(c, "control_structure_body"):
				b.Visit(c)
			default:
				v := b.Value(c, graph.Read, true)
				kotlinDeclare(b, name, b.Of(graph.OpElem, n, v), 0)
			}
		}
	})
	return true
}

func kotlinCatch(b *Builder, n int32) bool {
	kotlinCatchValue(b, n, graph.Read, false)
	return true
}

func kotlinCatchValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	b.Scope(func() {
		id, typ := b.Child(n, "simple_identifier"), kotlinDeclared(b, n)
		if id >= 0 {
			b.Local(b.nodeStr(id), b.Off(id), typ, graph.None, 0)
		}
		if c := b.Child(n, "statements"); c >= 0 {
			v = b.Value(c, graph.Read, want)
		}
	})
	return v
}

// kotlinJump is return, throw, break or continue.
func kotlinJump(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Comment || d == Skip {
			continue
		}
		v := b.Value(c, graph.Read, true)
		if text := b.t.Text(n); len(text) > 6 && string(text[:6]) == "return" && text[6] != '@' {
			kotlinReturned(b, v)
		}
	}
	return true
}

// kotlinReturned notes a value that the named function around returns: `return` in a function that is
// passed on returns from the one around it.
func kotlinReturned(b *Builder, v int32) {
	for i := len(b.frames) - 1; i >= 0; i-- {
		f := &b.frames[i]
		switch {
		case f.kind == funcFrame && f.rets != nil:
			if v >= 0 {
				f.rets = append(f.rets, v)
			}
			return
		case f.kind == funcFrame && f.sym >= 0:
			b.addReturn(f.sym, v)
			return
		}
	}
}
