package lang

import "github.com/codegraph-dev/codegraph/graph"

// cppClass is class, struct, union or enum in the place of a type: a definition where it has a body.
func cppClass(b *Builder, n int32, role graph.Role) int32 {
	name := b.Field(n, "name")
	if b.Field(n, "body") < 0 {
		return b.Type(name, role)
	}
	sym := cppDefineClass(b, n, name, n)
	return b.Expr(graph.Expr{Op: graph.OpObject, X: sym, Off: b.Off(n)})
}

// cppClassAlone is such a specifier as a declaration of its own; without a body it declares.
func cppClassAlone(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if b.Field(n, "body") >= 0 || name < 0 {
		if sym := cppDefineClass(b, n, name, n); name < 0 && b.Is(n, "enum_specifier") {
			_ = sym
		}
		return true
	}
	if !b.Is(name, "type_identifier") || b.InFunction() {
		b.Type(name, graph.TypeUse)
		return true
	}
	sym := b.Symbol(b.rule(n).Kind, name, n, "")
	b.Sym(sym).Flags |= graph.Declaration
	return true
}

// cppDefineClass defines the type at spec under the name at id; node is the whole definition.
func cppDefineClass(b *Builder, spec, id, node int32) int32 {
	kind := b.rule(spec).Kind
	owner, qual := graph.None, ""
	special := uint32(0)
	if id >= 0 && b.Is(id, "qualified_identifier") { // struct Outer::Inner {...}
		var d cppDeclared
		cppNamed(b, id, &d)
		if len(d.scope) > 0 {
			owner, qual = cppOwner(b, d.scope)
		}
		id = d.name
	} else if id >= 0 && b.Is(id, "template_type") {
		special = b.values(id, &slot{fields: []uint16{b.l.g.fields["arguments"]}}, true)
		id = b.Field(id, "name")
	}
	text := ""
	if id < 0 {
		text = "(" + kind.String() + ")"
	}
	sym := b.Symbol(kind, id, node, text)
	s := b.Sym(sym)
	if id < 0 {
		s.Flags |= graph.Anonymous
	}
	if qual != "" {
		b.requalify(sym, qual)
		s.Owner = owner
	}
	if special != 0 { // what it is a specialisation for
		x := b.Expr(graph.Expr{Op: graph.OpIndex, X: graph.None, Kids: special, Off: b.Off(id)})
		b.Sym(sym).Init = x
	}
	b.bindNested(sym)
	body := b.Field(spec, "body")
	if body < 0 {
		return sym
	}
	b.Sym(sym).Body = b.Off(body)
	scratch, doc := b.Scratch, b.doc
	b.doc = docRun{}
	if base := b.Field(spec, "base"); base >= 0 {
		b.Type(base, graph.TypeUse)
	}
	b.push(typeFrame, sym)
	for c := b.First(spec); c >= 0; c = b.Next(spec, c) {
		if b.Is(c, "base_class_clause") {
			cppBases(b, sym, c)
		}
	}
	b.visitChildren(body)
	b.pop()
	b.Scratch, b.doc = scratch, doc
	return sym
}

func cppBases(b *Builder, sym, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if d := b.rule(c).Do; d == Skip || d == Comment {
			continue
		}
		if t := b.Type(c, graph.Inherit); t >= 0 {
			b.AddBases(sym, t)
		}
	}
}

// cppEnumerator is a constant: in its enum where that is scoped, else around it.
func cppEnumerator(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	sym := b.Symbol(graph.EnumMember, name, n, "")
	s := b.Sym(sym)
	enum := s.Container
	if enum >= 0 && !cppScoped(b, enum) {
		old := b.F.Strings[s.Qual] + "." + b.F.Strings[s.Name]
		b.paths[old]--
		outer := b.F.Strings[b.F.Symbols[enum].Qual]
		s.Qual = b.Str(outer)
		path := b.F.Path(sym)
		b.paths[path]++
		s.Ordinal = b.paths[path]
		if b.F.Symbols[enum].Flags&graph.NestedDef != 0 {
			cOutliveEnum(b, sym)
		}
	}
	cEnumValue(b, n, sym)
	return true
}

// cppScoped reports whether the enum sym is written `enum class`.
func cppScoped(b *Builder, sym int32) bool {
	s := &b.F.Symbols[sym]
	words := 0
	for i := int(s.Start); i < len(b.src) && b.src[i] != '{'; {
		if !cLetter(b.src[i]) {
			i++
			continue
		}
		from := i
		for i < len(b.src) && (cLetter(b.src[i]) || b.src[i] >= '0' && b.src[i] <= '9') {
			i++
		}
		if w := string(b.src[from:i]); w == "class" || w == "struct" {
			return true
		}
		if words++; words > 2 {
			break
		}
	}
	return false
}
