package lang

import "github.com/codegraph-dev/codegraph/graph"

// cTag is struct, union or enum: a definition where it has a body, else a use of its tag.
// Tags are visible outside what they stand in.
func cTag(b *Builder, n int32, role graph.Role) int32 {
	name, body := b.Field(n, "name"), b.Field(n, "body")
	if body < 0 {
		if name < 0 {
			return graph.None
		}
		e := b.Name(name, role, true)
		if e >= 0 && b.F.Exprs[e].Op == graph.OpName {
			b.F.Exprs[e].N = 1 // a tag, no other type's name
		}
		return e
	}
	kind := b.rule(n).Kind
	sym := graph.None
	if name >= 0 {
		sym = cTopSymbol(b, kind, name, n, "")
		b.Sym(sym).Flags |= graph.Tag
	} else if b.Scratch[0] == n {
		sym = b.Scratch[1]
	} else {
		sym = cTopSymbol(b, kind, graph.None, n, "("+kind.String()+")")
		b.Sym(sym).Flags |= graph.Anonymous
	}
	b.Scratch[0] = graph.None
	cMembers(b, sym, body)
	return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
}

// cTopSymbol adds a definition that is visible in the whole file, or in the block that it stands in.
func cTopSymbol(b *Builder, kind graph.Kind, name, node int32, text string) int32 {
	in := b.in
	if !b.InFunction() {
		b.in = graph.None
	}
	sym := b.Symbol(kind, name, node, text)
	b.in = in
	b.Sym(sym).Flags |= graph.FileLocal
	b.bindNested(sym)
	return sym
}

// cMembers takes the members of sym below body.
func cMembers(b *Builder, sym, body int32) {
	scratch, doc := b.Scratch, b.doc
	b.doc = docRun{}
	b.push(typeFrame, sym)
	b.cParts(body, b.t.Nodes[body].Start+1, b.t.Nodes[body].End)
	b.pop()
	b.Scratch, b.doc = scratch, doc
}

// cTagAlone is a type specifier that declares nothing but itself.
func cTagAlone(b *Builder, n int32) bool {
	b.Type(n, graph.TypeUse)
	return true
}

// cEnumerator is a constant: visible where its enum is, not inside it.
func cEnumerator(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	sym := b.Symbol(graph.EnumMember, name, n, "")
	s := b.Sym(sym)
	owner := s.Container
	s.Flags |= graph.FileLocal
	s.Qual = 0
	if owner >= 0 && b.F.Symbols[owner].Flags&graph.NestedDef != 0 {
		cOutliveEnum(b, sym)
	}
	cEnumValue(b, n, sym)
	return true
}

// cOutliveEnum makes member sym of an enum in a function a local that is seen behind the enum, too.
func cOutliveEnum(b *Builder, sym int32) {
	s := b.Sym(sym)
	s.Flags |= graph.NestedDef
	l := b.Local(s.Name, s.NameOff, graph.None, graph.None, 0)
	b.F.Locals[l].Symbol = sym
	for i := len(b.frames) - 1; i > 0 && b.frames[i].kind == typeFrame; i-- {
		b.frames[i].base++
	}
}

// cEnumValue reads the value that n gives to enum member sym.
func cEnumValue(b *Builder, n, sym int32) {
	if v := b.Field(n, "value"); v >= 0 {
		in := b.in
		b.in = sym
		b.Value(v, graph.Read, false)
		b.in = in
	}
}

// cWhole is the type of what declarator c declares: typ, or of a function that yields typ where it
// has params.
func cWhole(b *Builder, c, params, typ int32) int32 {
	if params < 0 {
		return typ
	}
	cOther(b, params)
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: typ, Off: b.Off(c)})
}

// cAnonymous is the specifier with a body but no tag at t, or None.
func cAnonymous(b *Builder, t int32) int32 {
	switch b.Kind(t) {
	case "struct_specifier", "union_specifier", "enum_specifier":
		if b.Field(t, "name") < 0 && b.Field(t, "body") >= 0 {
			return t
		}
	}
	return graph.None
}

// cHold notes that the members of the tagless type at t belong to what declarator c declares.
func cHold(b *Builder, t, c int32, extern bool) {
	b.Scratch[0], b.Scratch[1] = graph.None, graph.None
	if cAnonymous(b, t) < 0 || b.InFunction() {
		return
	}
	d := c
	if b.Is(c, "init_declarator") {
		d = b.Field(c, "declarator")
	}
	for d >= 0 {
		switch b.Kind(d) {
		case "identifier", "field_identifier", "type_identifier":
			b.Scratch[0], b.Scratch[2] = t, d
			return
		case "pointer_declarator", "array_declarator":
			d = b.Field(d, "declarator")
		default:
			return
		}
	}
}

// cHeldType is the type at t. Where cHold found a name for it, that is defined first, and
// left in Scratch[1].
func cHeldType(b *Builder, n, t int32, kind graph.Kind, static, extern bool) int32 {
	if b.Scratch[0] != t {
		return b.Type(t, graph.TypeUse)
	}
	name := b.Scratch[2]
	var sym int32
	if kind == graph.Field {
		sym = b.Symbol(kind, name, n, "")
	} else {
		sym = b.Symbol(kind, name, n, "")
		cLinkage(b.Sym(sym), static, extern)
	}
	b.Scratch[0], b.Scratch[1] = t, sym
	typ := b.Type(t, graph.TypeUse)
	b.Sym(sym).Type = typ
	b.Scratch[1] = sym
	return typ
}

// cTypedef names types. One without a tag is called like its first name.
func cTypedef(b *Builder, n int32) bool {
	t := b.Field(n, "type")
	if t < 0 {
		return false
	}
	doc := b.doc
	own := graph.None
	if spec := cAnonymous(b, t); spec >= 0 {
		for c := b.First(n); c >= 0 && own < 0; c = b.Next(n, c) {
			if b.InField(c, "declarator") && b.Is(c, "type_identifier") {
				own = c
			}
		}
	}
	typ := graph.None
	if own >= 0 {
		sym := cTopSymbol(b, b.rule(t).Kind, own, n, "")
		b.Scratch[0], b.Scratch[1] = t, sym
		typ = b.Type(t, graph.TypeUse)
		b.Scratch[1] = graph.None
	} else {
		typ = b.Type(t, graph.TypeUse)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "declarator") || c == own {
			continue
		}
		d := cDeclarator(b, c, typ)
		full := cWhole(b, c, d.params, d.typ)
		if d.name >= 0 {
			b.doc = doc
			sym := cTopSymbol(b, graph.TypeAlias, d.name, cExtent(b, n, t, c), "")
			b.Sym(sym).Type = full
		}
	}
	b.doc = docRun{}
	return true
}

// cField declares members. A member without a name gives its own members to what it stands in.
func cField(b *Builder, n int32) bool {
	t := b.Field(n, "type")
	if t < 0 {
		return false
	}
	doc, first := b.doc, graph.None
	for c := b.First(n); c >= 0 && first < 0; c = b.Next(n, c) {
		if b.InField(c, "declarator") {
			first = c
		}
	}
	if first < 0 {
		if a := cAnonymous(b, t); a >= 0 && b.in >= 0 && !b.Is(a, "enum_specifier") {
			b.visitChildren(b.Field(a, "body"))
		} else {
			b.Type(t, graph.TypeUse)
		}
	} else {
		cHold(b, t, first, false)
	}
	typ := graph.None
	if first >= 0 {
		typ = cHeldType(b, n, t, graph.Field, false, false)
	}
	held := b.Scratch[1]
	b.Scratch[1] = graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "declarator") && held >= 0:
			b.Sym(held).Type = cDeclarator(b, c, b.Sym(held).Type).typ
			held = graph.None
		case b.InField(c, "declarator"):
			d := cDeclarator(b, c, typ)
			full := cWhole(b, c, d.params, d.typ)
			if d.name >= 0 {
				b.doc = doc
				sym := b.Symbol(graph.Field, d.name, cExtent(b, n, t, c), "")
				b.Sym(sym).Type = full
			}
		case b.Is(c, "bitfield_clause"):
			b.Visit(c)
		}
	}
	return true
}

// cExtent is the extent of what declarator c of n declares: all of n, unless the type at t is
// defined there, too.
func cExtent(b *Builder, n, t, c int32) int32 {
	if b.Field(t, "body") >= 0 {
		return c
	}
	return n
}

func cSized(b *Builder, n int32, role graph.Role) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "type_identifier") {
			b.Type(c, role)
		}
	}
	return b.Literal(n, b.Text(n))
}

// cDescribed is a type with the declarator of nothing.
func cDescribed(b *Builder, n int32, role graph.Role) int32 {
	t := b.Type(b.Field(n, "type"), role)
	if d := b.Field(n, "declarator"); d >= 0 {
		return cDeclarator(b, d, t).typ
	}
	return t
}

func cDescribedAlone(b *Builder, n int32) bool {
	b.Type(n, graph.TypeUse)
	return true
}

// cMacroType is MACRO(type) in the place of a type.
func cMacroType(b *Builder, n int32, role graph.Role) int32 {
	b.Value(b.Field(n, "name"), graph.Call, false)
	b.Type(b.Field(n, "type"), graph.TypeUse)
	return graph.None
}

func cPointer(b *Builder, n int32, role graph.Role, want bool) int32 {
	x := b.Value(b.Field(n, "argument"), graph.Read, want)
	if !want || x < 0 {
		return graph.None
	}
	if b.Has(n, "*") {
		return b.Of(graph.OpDeref, n, x)
	}
	return b.Of(graph.OpAddr, n, x)
}

func cUpdate(b *Builder, n int32, role graph.Role, want bool) int32 {
	return b.Value(b.Field(n, "argument"), graph.Write, want)
}

func cSizeof(b *Builder, n int32, role graph.Role, want bool) int32 {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.InField(c, "type") {
			b.Type(c, graph.TypeUse)
		} else {
			b.Value(c, graph.Read, false)
		}
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("unsigned long"), X: graph.None, Off: b.Off(n)})
}

// cCompound is (T){...}.
func cCompound(b *Builder, n int32, role graph.Role, want bool) int32 {
	t := b.Type(b.Field(n, "type"), graph.TypeUse)
	e := b.Of(graph.OpInstance, n, t)
	if v := b.Field(n, "value"); v >= 0 {
		cValueOf(b, v, e)
	}
	return e
}

// cInitializer is a braced list whose type nothing tells.
func cInitializer(b *Builder, n int32, role graph.Role, want bool) int32 {
	cList(b, n, graph.None)
	return graph.None
}

// cValueOf takes the value at v, which initialises of.
func cValueOf(b *Builder, v, of int32) int32 {
	if b.Is(v, "initializer_list") {
		cList(b, v, of)
		return graph.None
	}
	return b.Value(v, graph.Read, true)
}

// cList takes the parts of a braced list that initialises of. A designator names a member of it.
func cList(b *Builder, n, of int32) {
	from := b.Off(n) + 1
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		b.cGap(from, b.Off(c), false)
		from = b.t.Nodes[c].End
		switch b.Kind(c) {
		case "initializer_pair":
			at := of
			for d := b.First(c); d >= 0; d = b.Next(c, d) {
				switch b.Kind(d) {
				case "field_designator":
					if id := b.First(d); id >= 0 {
						at = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Write, X: at, Name: b.nodeStr(id), Off: b.Off(id)})
					}
				case "subscript_designator", "subscript_range_designator":
					b.visitChildren(d)
					at = b.Of(graph.OpElem, d, at)
				default:
					if b.InField(d, "value") {
						cValueOf(b, d, at)
					}
				}
			}
		case "initializer_list":
			cList(b, c, b.Of(graph.OpElem, c, of))
		case "comment":
		default:
			b.Value(c, graph.Read, false)
		}
	}
	b.cGap(from, b.t.Nodes[n].End, false)
}

// cLabeled is a label before a statement.
func cLabeled(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "label") {
			b.Visit(c)
		}
	}
	return true
}
