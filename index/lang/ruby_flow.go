package lang

import (
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

// rbIf is if, unless and ?: with their branches.
func rbIf(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.Field(n, "condition")
	b.Value(cond, graph.Read, false)
	yes, no := graph.None, graph.None
	if b.Is(n, "unless") {
		cond = graph.None
	}
	rbAmong(b, cond, func() {
		rbNarrowing(b, cond, func() { yes = b.Value(b.Field(n, "consequence"), graph.Read, want) })
	}, func() { no = b.Value(b.Field(n, "alternative"), graph.Read, want) })
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
	if b.in >= 0 && b.Sym(b.in).Kind.Callable() {
		b.addReturn(b.in, v)
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
