package lang

import "github.com/codegraph-dev/codegraph/graph"

// csVariables declares local variables.
func csVariables(b *Builder, n int32) bool {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "variable_declarator") {
			continue
		}
		init := csInitializer(b, c, typ)
		if name := b.Field(c, "name"); name >= 0 {
			b.DeclareLocal(name, typ, init)
		} else if p := b.Child(c, "tuple_pattern"); p >= 0 {
			b.BindPattern(p, init)
		}
	}
	return true
}

// csBound is what a catch clause catches.
func csBound(b *Builder, n int32) bool {
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	if name := b.Field(n, "name"); name >= 0 {
		b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, 0)
	}
	return true
}

func csForEach(b *Builder, n int32) bool {
	b.Scope(func() {
		v := b.Value(b.Field(n, "right"), graph.Read, true)
		typ := b.Type(b.Field(n, "type"), graph.TypeUse)
		elem := b.Of(graph.OpElem, n, v)
		if left := b.Field(n, "left"); b.Is(left, "identifier") {
			b.DeclareLocal(left, typ, elem)
		} else if left >= 0 {
			b.BindPattern(left, elem)
		}
		if body := b.Field(n, "body"); body >= 0 {
			b.Visit(body)
		}
	})
	return true
}

func csQualified(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csDot(b, b.Value(b.Field(n, "qualifier"), graph.Read, true), b.Field(n, "name"), role)
}

func csGlobal(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csGlobalType(b, n, role)
}

func csGenericValue(b *Builder, n int32, role graph.Role, want bool) int32 {
	id, list := b.Child(n, "identifier"), b.Child(n, "type_argument_list")
	if id < 0 {
		return graph.None
	}
	return csApply(b, n, b.Name(id, role, true), list)
}

func csMember(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.Field(n, "expression"), graph.Read, true)
	return csDot(b, x, b.Field(n, "name"), role)
}

// csConditionalAccess is x?.rest: what binds in the rest binds to x.
func csConditionalAccess(b *Builder, n int32, role graph.Role, want bool) int32 {
	cond := b.Field(n, "condition")
	x := b.Value(cond, graph.Read, true)
	saved := b.Scratch[1]
	b.Scratch[1] = x
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if c != cond {
			v = b.Value(c, role, true)
		}
	}
	b.Scratch[1] = saved
	return v
}

func csBinding(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csDot(b, b.Scratch[1], b.Field(n, "name"), role)
}

func csElementBinding(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Scratch[1]
	b.visitChildren(n)
	return b.ifWanted(want && x >= 0, graph.Expr{Op: graph.OpIndex, X: x, Off: b.Off(n)})
}

func csArgument(b *Builder, n int32, role graph.Role, want bool) int32 {
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "name") && !b.Is(c, "name_colon") {
			v = b.Value(c, graph.Read, want)
		}
	}
	return v
}

// csNew is new T(...) with an initializer.
func csNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.callee(b.Field(n, "type"), graph.Call, false)
	return csMade(b, n, x, b.Field(n, "arguments"), b.Field(n, "initializer"))
}

// csImplicitNew is new(...) where nothing says of what.
func csImplicitNew(b *Builder, n int32, role graph.Role, want bool) int32 {
	return csMake(b, n, graph.None)
}

// csMake is new(...) of type typ.
func csMake(b *Builder, n, typ int32) int32 {
	return csMade(b, n, typ, b.Child(n, "argument_list"), b.Child(n, "initializer_expression"))
}

func csMade(b *Builder, n, x, args, init int32) int32 {
	var kids uint32
	count := 0
	if args >= 0 {
		kids, count = b.argumentList(args, x)
	}
	e := graph.None
	if x >= 0 {
		e = b.Expr(graph.Expr{Op: graph.OpNew, X: x, Kids: kids, N: uint16(count + 1), Off: b.Off(n)})
	}
	if init >= 0 {
		csMembers(b, init, e)
	}
	return e
}

// csMembers takes an initializer of value x: its assignments are to members of x.
func csMembers(b *Builder, n, x int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		left, right := b.Field(c, "left"), b.Field(c, "right")
		if !b.Is(c, "assignment_expression") || !b.Is(left, "identifier") || x < 0 {
			b.Value(c, graph.Read, false)
			continue
		}
		m := b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, X: x, Name: b.nodeStr(left), Off: b.Off(left)})
		if b.Is(right, "initializer_expression") {
			csMembers(b, right, m)
		} else {
			b.Value(right, graph.Read, false)
		}
	}
}

// csWith is x with { A = v }, a changed copy of x.
func csWith(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "with_initializer") {
			x = b.Value(c, graph.Read, true)
			continue
		}
		name := b.First(c)
		if name < 0 {
			continue
		}
		if x >= 0 && b.Is(name, "identifier") {
			b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, X: x, Name: b.nodeStr(name), Off: b.Off(name)})
		}
		for k := b.Next(c, name); k >= 0; k = b.Next(c, k) {
			if !b.Is(k, "=") {
				b.Value(k, graph.Read, false)
			}
		}
	}
	return x
}

// csAnonymous is new { A = v, x.B }: only its values are known.
func csAnonymous(b *Builder, n int32, role graph.Role, want bool) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if next := b.Next(n, c); next >= 0 && b.Is(next, "=") || b.Is(c, "=") {
			continue
		}
		b.Value(c, graph.Read, false)
	}
	return graph.None
}

func csNewArray(b *Builder, n int32, role graph.Role, want bool) int32 {
	t := b.Type(b.Field(n, "type"), graph.TypeUse)
	if init := b.Child(n, "initializer_expression"); init >= 0 {
		b.Value(init, graph.Read, false)
	}
	if rank := b.Find(n, "array_rank_specifier"); rank >= 0 {
		b.visitChildren(rank)
	}
	return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpCast, X: graph.None, Kids: b.List(t), Off: b.Off(n)})
}

func csSequence(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Value(b.Child(n, "initializer_expression"), graph.Read, want)
}

func csAwait(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Of(graph.OpAwait, n, b.Value(b.First(n), graph.Read, want))
}

func csBinary(b *Builder, n int32, role graph.Role, want bool) int32 {
	l, r := b.Field(n, "left"), b.Field(n, "right")
	lit := ""
	switch {
	case b.Has(n, "is"):
		b.Value(l, graph.Read, false)
		b.Type(r, graph.TypeUse)
		lit = "bool"
	case b.Has(n, "as"):
		v := b.Value(l, graph.Read, want)
		t := b.Type(r, graph.TypeUse)
		return b.ifWanted(want && t >= 0, graph.Expr{Op: graph.OpCast, X: v, Kids: b.List(t), Off: b.Off(n)})
	case b.Has(n, "&&", "||", "==", "!=", "<", ">", "<=", ">="):
		lit = "bool"
		b.Value(l, graph.Read, false)
		b.Value(r, graph.Read, false)
	default:
		x, y := b.Value(l, graph.Read, want), b.Value(r, graph.Read, want)
		if x >= 0 {
			return x
		}
		return y
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str(lit), X: graph.None, Off: b.Off(n)})
}

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
