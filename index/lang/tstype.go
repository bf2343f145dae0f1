package lang

import "github.com/codegraph-dev/codegraph/graph"

// Types as TypeScript writes them.

// tsObjectType: the members of a type that is written out at a symbol's declaration belong to that symbol.
func tsObjectType(b *Builder, n int32, role graph.Role) int32 {
	sym := scriptHolder(b, n)
	if c := tsIndexed(b, n); c >= 0 {
		return tsIndexSignatureType(b, c)
	}
	if sym >= 0 {
		b.Members(sym, n)
		return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
	}
	if b.First(n) < 0 {
		return b.Expr(graph.Expr{Op: graph.OpObject, X: graph.None, Off: b.Off(n)})
	}
	saved := b.Scratch
	t := b.structType(n, b.rule(n))
	b.Scratch = saved
	return t
}

// tsGeneric is a generic type applied to arguments; Record is the language's word for a map.
func tsGeneric(b *Builder, n int32, role graph.Role) int32 {
	args := b.Field(n, "type_arguments")
	name := b.Text(b.Field(n, "name"))
	if keys := tsKeys(b, args); len(keys) > 0 && (name == b.l.Omits || name == b.l.Picks) {
		return tsPicked(b, n, args, keys, role)
	}
	if name != "Record" || args < 0 {
		return b.generic(n, b.rule(n), role)
	}
	b.Type(b.Field(n, "name"), role)
	var types []int32
	of := graph.None
	for c := b.First(args); c >= 0; c = b.Next(args, c) {
		if len(types) == 0 && b.Is(c, "index_type_query") && b.First(c) >= 0 {
			of = b.Type(b.First(c), graph.TypeUse)
			types = append(types, b.Literal(c, "string"))
			continue
		}
		types = append(types, b.Type(c, graph.TypeUse))
	}
	if len(types) != 2 {
		return graph.None
	}
	if of >= 0 {
		return b.Expr(graph.Expr{Op: graph.OpMap, X: types[0], Kids: b.List(types[1], of), Off: b.Off(n)})
	}
	return b.Expr(graph.Expr{Op: graph.OpMap, X: types[0], Kids: b.List(types[1]), Off: b.Off(n)})
}

// tsKeys are the strings that the second of two type arguments is made of, if it is of nothing else.
func tsKeys(b *Builder, args int32) []int32 {
	of := b.First(args)
	if of < 0 || b.Next(args, of) < 0 {
		return nil
	}
	from := b.Next(args, of)
	var keys []int32
	for i := from; i < int32(b.t.Nodes[from].Next); {
		switch {
		case b.Is(i, "union_type"), b.Is(i, "literal_type"), b.Is(i, "comment"):
			i++
		case b.Is(i, "string"):
			keys = append(keys, i)
			i = int32(b.t.Nodes[i].Next)
		default:
			return nil
		}
	}
	return keys
}

// tsPicked is a type without some of the members of another, or with them alone: an application to that type
// and to its members.
func tsPicked(b *Builder, n, args int32, keys []int32, role graph.Role) int32 {
	x := b.Type(b.Field(n, "name"), role)
	t := b.Type(b.First(args), graph.TypeUse)
	if x < 0 || t < 0 {
		return graph.None
	}
	kids := []int32{t}
	for _, c := range keys {
		kids = append(kids, b.Expr(graph.Expr{Op: graph.OpMember, X: t, Name: b.Str(scriptString(b, c)), Off: b.Off(c) + 1}))
	}
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
}

func tsTypeArguments(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		b.Type(c, graph.TypeUse)
	}
	return true
}

func tsLiteralType(b *Builder, n int32, role graph.Role) int32 {
	switch c := b.First(n); {
	case c < 0 || b.Is(c, "null") || b.Is(c, "undefined"):
		return graph.None
	default:
		return b.Value(c, graph.Read, true)
	}
}

func tsTemplateType(b *Builder, n int32, role graph.Role) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "template_type") {
			b.passType(c, graph.TypeUse)
		}
	}
	return b.Literal(n, "string")
}

func tsTypeQuery(b *Builder, n int32, role graph.Role) int32 {
	var v int32 = graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_arguments") {
			b.Visit(c)
		} else if x := b.Value(c, graph.Read, true); v < 0 {
			v = x
		}
	}
	return b.Of(graph.OpTypeOf, n, v)
}

func tsKeyOf(b *Builder, n int32, role graph.Role) int32 {
	b.passType(n, graph.TypeUse)
	return b.Literal(n, "string")
}

// tsLookup is T[K]: a member of T where K is a literal, else an element of T.
func tsLookup(b *Builder, n int32, role graph.Role) int32 {
	of := b.First(n)
	if of < 0 {
		return graph.None
	}
	t := b.Type(of, graph.TypeUse)
	key := b.Next(n, of)
	if key < 0 || t < 0 {
		return t
	}
	if lit := b.First(key); b.Is(key, "literal_type") && b.Is(lit, "string") {
		return b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Read, X: t, Name: b.Str(scriptString(b, lit)), Off: b.Off(lit) + 1})
	}
	if lit := b.First(key); b.Is(key, "literal_type") && b.Is(lit, "number") && len(b.t.Text(lit)) == 1 {
		return b.Expr(graph.Expr{Op: graph.OpTupleAt, X: t, N: uint16(b.t.Text(lit)[0] - '0'), Off: b.Off(lit)})
	}
	b.Type(key, graph.TypeUse)
	return b.Of(graph.OpElem, n, t)
}

// tsConditional is any of its two outcomes; what the condition infers is visible in the first.
func tsConditional(b *Builder, n int32, role graph.Role) int32 {
	var kids []int32
	b.push(blockFrame, graph.None)
	if right := b.Field(n, "right"); right >= 0 {
		for i := right; i < int32(b.t.Nodes[right].Next); i++ {
			if id := b.First(i); b.Is(i, "infer_type") && id >= 0 && b.blockLocal(b.nodeStr(id)) < 0 {
				b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
			}
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		t := b.Type(c, graph.TypeUse)
		if t >= 0 && (b.InField(c, "consequence") || b.InField(c, "alternative")) {
			kids = append(kids, t)
		}
	}
	b.pop()
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(n)})
}

func tsInfer(b *Builder, n int32, role graph.Role) int32 {
	id := b.First(n)
	if id < 0 {
		return graph.None
	}
	l := b.local(b.nodeStr(id))
	if l < 0 {
		l = b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
	}
	for c := b.Next(n, id); c >= 0; c = b.Next(n, c) {
		t := b.Type(c, graph.TypeUse)
		b.F.Locals[l].Type = t
	}
	return b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Off: b.Off(id)})
}

func tsPredicate(b *Builder, n int32, role graph.Role) int32 {
	name := b.Field(n, "name")
	if name >= 0 {
		b.Value(name, graph.Read, false)
	}
	t, yes := b.Type(b.Field(n, "type"), graph.TypeUse), b.Literal(n, "boolean")
	if t < 0 || name < 0 {
		return yes
	}
	return b.Expr(graph.Expr{Op: graph.OpShows, X: t, Name: b.nodeStr(name), Kids: b.List(yes), Off: b.Off(n)})
}

// tsAsserts is the result of a function that returns only where its parameter is what it says.
func tsAsserts(b *Builder, n int32, role graph.Role) int32 {
	shows := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_predicate") {
			shows = b.Type(c, graph.TypeUse)
		} else {
			b.Value(c, graph.Read, false)
		}
	}
	return shows
}
