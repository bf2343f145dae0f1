package lang

import (
	"github.com/codegraph-dev/codegraph/graph"
)

func csIsPattern(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := b.Value(b.Field(n, "expression"), graph.Read, true)
	csMatch(b, b.Field(n, "pattern"), v)
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("bool"), X: graph.None, Off: b.Off(n)})
}

// csMatch takes a pattern that value v is matched against.
func csMatch(b *Builder, n, v int32) {
	switch b.Kind(n) {
	case "":
	case "identifier", "qualified_name", "generic_name":
		b.Type(n, graph.TypeUse)
	case "constant_pattern":
		if c := b.First(n); b.Is(c, "identifier") || b.Is(c, "qualified_name") {
			b.Type(c, graph.TypeUse)
		} else {
			b.visitChildren(n)
		}
	case "declaration_pattern", "var_pattern":
		csPattern(b, n, v)
	case "recursive_pattern":
		csProperties(b, n, v)
	default: // not, and, or, parentheses, lists
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			csMatch(b, c, v)
		}
	}
}

// csPattern binds the name of a pattern: of its type, or of what it is matched against.
func csPattern(b *Builder, n, v int32) {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	if name := b.Field(n, "name"); name >= 0 && b.Is(name, "identifier") {
		b.Local(b.nodeStr(name), b.Off(name), typ, v, 0)
	} else if p := b.Child(n, "tuple_pattern", "parenthesized_variable_designation"); p >= 0 {
		b.BindPattern(p, v)
	}
}

// csProperties is T { A: pattern } name: the names in it are members of T, or of the value.
func csProperties(b *Builder, n, v int32) {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	if typ >= 0 {
		v = b.Expr(graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(typ), Off: b.Off(n)})
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "property_pattern_clause") && !b.Is(c, "positional_pattern_clause") {
			continue
		}
		for s := b.First(c); s >= 0; s = b.Next(c, s) {
			key := b.First(s)
			m := graph.None
			if b.Is(key, "identifier") && v >= 0 && b.Is(c, "property_pattern_clause") {
				m = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: v, Name: b.nodeStr(key), Off: b.Off(key)})
				key = b.Next(s, key)
			}
			for ; key >= 0; key = b.Next(s, key) {
				csMatch(b, key, m)
			}
		}
	}
	if name := b.Field(n, "name"); name >= 0 {
		b.Local(b.nodeStr(name), b.Off(name), typ, v, 0)
	}
}

func csRecursive(b *Builder, n int32, role graph.Role, want bool) int32 {
	csProperties(b, n, graph.None)
	return graph.None
}

// csDeclared declares a variable in the midst of an expression.
func csDeclared(b *Builder, n int32, role graph.Role, want bool) int32 {
	csPattern(b, n, graph.None)
	return graph.None
}

func csTypeOnly(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Type(b.Field(n, "type"), graph.TypeUse)
	return graph.None
}

func csTypeOf(b *Builder, n int32, role graph.Role, want bool) int32 {
	b.Type(b.Field(n, "type"), graph.TypeUse)
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("Type"), X: graph.None, Off: b.Off(n)})
}

// csSwitch is x switch { pattern => value, ... }.
func csSwitch(b *Builder, n int32, role graph.Role, want bool) int32 {
	of := b.First(n)
	x := b.Value(of, graph.Read, true)
	var kids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "switch_expression_arm") {
			continue
		}
		b.Scope(func() {
			last := graph.None
			for k := b.First(c); k >= 0; k = b.Next(c, k) {
				last = k
			}
			for k := b.First(c); k >= 0; k = b.Next(c, k) {
				switch {
				case k == last:
					if v := b.Value(k, graph.Read, want); v >= 0 {
						kids = append(kids, v)
					}
				case b.Is(k, "when_clause"):
					b.Visit(k)
				default:
					csMatch(b, k, x)
				}
			}
		})
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return b.ifWanted(want && len(kids) > 0, graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

// csQuery is from x in xs where ... select ...: a sequence of what it selects.
func csQuery(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	b.Scope(func() {
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			switch b.Kind(c) {
			case "from_clause", "join_clause":
				csFrom(b, c)
			case "let_clause":
				name := b.First(c)
				init := graph.None
				for k := b.Next(c, name); k >= 0; k = b.Next(c, k) {
					if !b.Is(k, "=") {
						init = b.Value(k, graph.Read, true)
					}
				}
				b.Local(b.nodeStr(name), b.Off(name), graph.None, init, 0)
			case "select_clause", "group_clause":
				for k := b.First(c); k >= 0; k = b.Next(c, k) {
					if x := b.Value(k, graph.Read, want); v < 0 {
						v = x
					}
				}
			default:
				b.visitChildren(c)
			}
		}
	})
	return b.ifWanted(want, graph.Expr{Op: graph.OpArray, X: graph.None, Kids: b.List(max(v, graph.None)), Off: b.Off(n)})
}

// csFrom is `from T x in xs`: x is each of xs.
func csFrom(b *Builder, n int32) {
	name := b.Field(n, "name")
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	first := true
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.InField(c, "name") || b.InField(c, "type") {
			if name < 0 {
				name = c
			}
			continue
		}
		if name < 0 && b.Is(c, "identifier") {
			name = c
			continue
		}
		v := b.Value(c, graph.Read, true)
		if first && name >= 0 {
			b.Local(b.nodeStr(name), b.Off(name), typ, b.Of(graph.OpElem, n, v), 0)
		}
		first = false
	}
}
