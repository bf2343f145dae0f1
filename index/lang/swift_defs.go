package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// swiftClass defines a class, struct, enum, actor or protocol; an extension adds its members to the
// type that it names, and its protocols to that type's bases.
func swiftClass(b *Builder, n int32) bool {
	flags := swiftModifiers(b, n)
	if b.Has(n, "extension") {
		return swiftExtension(b, n)
	}
	kind := graph.Class
	switch {
	case b.Is(n, "protocol_declaration"):
		kind = graph.Interface
	case b.Has(n, "struct"):
		kind = graph.Struct
	case b.Has(n, "enum"):
		kind = graph.Enum
	}
	name := b.Child(n, "type_identifier")
	if name < 0 {
		return false
	}
	if b.InType() {
		flags |= graph.Static
	}
	sym := b.Symbol(kind, name, n, "")
	kotlinFlags(b, sym, flags)
	b.bindNested(sym)
	b.push(typeFrame, sym)
	swiftParts(b, sym, n)
	b.pop()
	return true
}

func swiftExtension(b *Builder, n int32) bool {
	typ := b.Field(n, "name")
	if typ < 0 {
		return false
	}
	b.doc = docRun{}
	sym := b.Symbol(graph.Class, typ, n, ImplName)
	b.Sym(sym).Flags |= graph.Anonymous
	b.push(typeFrame, sym)
	t := b.Type(typ, graph.TypeUse)
	b.Sym(sym).Owner = t
	swiftParts(b, sym, n)
	b.pop()
	return true
}

// swiftParts takes what a type's declaration says besides its name.
func swiftParts(b *Builder, sym, n int32) {
	if c := b.Child(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "inheritance_specifier":
			if t := b.Type(b.First(c), graph.Inherit); t >= 0 {
				b.AddBases(sym, t)
			}
		case "type_constraints":
			b.visitChildren(c)
		case "class_body", "enum_class_body", "protocol_body":
			b.body(sym, c)
		}
	}
}

// swiftTypeParam is a type parameter, visible in its own bound.
func swiftTypeParam(b *Builder, n int32) bool {
	id := b.Find(n, "type_identifier")
	if id < 0 {
		return true
	}
	l := b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if swiftIsType(b, c) && c > id {
			t := b.Type(c, graph.TypeUse)
			b.F.Locals[l].Type = t
		}
	}
	return true
}

// swiftConstraint is `T: P` or `T.X == U` behind `where`.
func swiftConstraint(b *Builder, n int32) bool {
	c := b.First(n)
	if c < 0 {
		return true
	}
	subject := b.Field(c, "constrained_type")
	l := graph.None
	if name := b.First(subject); name >= 0 && b.Next(subject, name) < 0 {
		l = b.local(b.nodeStr(name))
	}
	for x := b.First(c); x >= 0; x = b.Next(c, x) {
		if !swiftIsType(b, x) {
			continue
		}
		if t := b.Type(x, graph.TypeUse); l >= 0 && b.F.Locals[l].Type < 0 {
			b.F.Locals[l].Type = t
		}
	}
	return true
}

// swiftFunction defines a function, method, initializer or subscript.
func swiftFunction(b *Builder, n int32) bool {
	flags := swiftModifiers(b, n)
	kind := b.rule(n).Kind
	if kind == graph.Function && b.InType() {
		kind = graph.Method
	}
	name, text, off := swiftName(b, n)
	if text == "" && name < 0 {
		return false
	}
	sym := b.Symbol(kind, name, n, text)
	if name < 0 {
		b.Sym(sym).NameOff = off
	}
	body := b.Child(n, "function_body", "computed_property")
	if body < 0 && b.InType() {
		flags |= graph.Abstract
	}
	if b.Is(n, "subscript_declaration") {
		flags |= graph.Computed
		if in := b.frame().sym; in >= 0 && b.Sym(in).Kind == graph.Interface {
			flags |= graph.Abstract
		}
	}
	kotlinFlags(b, sym, flags)
	b.bindNested(sym)
	b.push(funcFrame, sym)
	if c := b.Child(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	from := len(b.F.Locals)
	last := graph.None
	labels := ""
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "parameter"):
			last = swiftParam(b, c)
			labels += swiftLabel(b, c) + ":"
		case b.InField(c, "default_value"):
			swiftDefault(b, last, c)
		case b.Is(c, "type_constraints"):
			b.visitChildren(c)
		case swiftIsType(b, c):
			t := b.Type(c, graph.TypeUse)
			b.Sym(sym).Type = t
		}
	}
	b.KeepParams(sym, from)
	if labels != "" {
		b.Sym(sym).Init = b.Literal(n, labels)
	}
	if body >= 0 {
		b.Sym(sym).Body = b.Off(body)
		swiftCode(b, body, b.Sym(sym).Type)
	}
	b.pop()
	return true
}

// swiftName is the name of a callable: a node, or the text of a keyword or operator and its place.
func swiftName(b *Builder, n int32) (name int32, text string, off uint32) {
	word := ""
	switch b.Kind(n) {
	case "init_declaration":
		word = "init"
	case "deinit_declaration":
		word = "deinit"
	case "subscript_declaration":
		word = "subscript"
	default:
		if c := b.Field(n, "name"); b.Is(c, "simple_identifier") {
			return c, "", 0
		}
	}
	start := b.Off(n)
	if m := b.Child(n, "modifiers"); m >= 0 {
		start = b.Node(m).End
	}
	rest := b.src[start:b.Node(n).End]
	if word != "" {
		return graph.None, word, start + uint32(max(0, bytes.Index(rest, []byte(word))))
	}
	i := bytes.Index(rest, []byte("func"))
	if i < 0 {
		return graph.None, "", 0
	}
	rest, start = rest[i+4:], start+uint32(i+4)
	op := bytes.TrimLeft(rest, " \t")
	start += uint32(len(rest) - len(op))
	if end := bytes.IndexAny(op, "( \t\n"); end > 0 {
		op = op[:end]
	}
	if len(op) > 1 && op[len(op)-1] == '<' { // func ==<T>
		op = op[:len(op)-1]
	} else if i := strings.LastIndexByte(string(op), '<'); i > 0 && op[len(op)-1] == '>' && wordByte(op[i+1]) {
		op = op[:i]
	}
	return graph.None, string(op), start
}

// swiftLabel is what calls write before the argument for the parameter at n: _ for nothing.
func swiftLabel(b *Builder, n int32) string {
	if c := b.Field(n, "external_name"); c >= 0 {
		return b.Text(c)
	}
	return b.Text(b.Child(n, "simple_identifier"))
}

// swiftParam binds a parameter and gives its local.
func swiftParam(b *Builder, n int32) int32 {
	typ, name := graph.None, graph.None
	flags := graph.Param
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "name") && b.Is(c, "simple_identifier"):
			name = c
		case swiftIsType(b, c):
			typ = b.Type(c, graph.TypeUse)
			if bytes.HasSuffix(bytes.TrimSpace(b.t.Text(n)), []byte("...")) {
				flags |= graph.VariadicParam
				typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: b.Off(c)})
			}
		case b.Is(c, "attribute"), b.Is(c, "modifiers"):
			b.Visit(c)
		}
	}
	if name < 0 || b.Text(name) == "_" {
		return b.Local(0, b.Off(n), typ, graph.None, flags)
	}
	return b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, flags)
}

func swiftDefault(b *Builder, l, n int32) {
	typ := graph.None
	if l >= 0 {
		typ = b.F.Locals[l].Type
	}
	v := swiftExpect(b, n, typ)
	if l >= 0 {
		b.F.Locals[l].Flags |= graph.OptionalParam
		b.F.Locals[l].Init = v
	}
}

// swiftCode takes the body at n of what has a value of type typ.
func swiftCode(b *Builder, n, typ int32) {
	saved := b.Scratch
	b.Scratch[1] = typ
	b.doc = docRun{}
	only := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "statements") {
			if x := b.First(c); x >= 0 && b.Next(c, x) < 0 && b.rule(x).Hook == nil {
				only = x
			}
		}
	}
	if only >= 0 {
		swiftExpect(b, only, typ)
	} else {
		b.visitChildren(n)
	}
	b.Scratch = saved
}

// swiftEntry defines the cases of an enum; what one holds are its parameters.
func swiftEntry(b *Builder, n int32) bool {
	flags := swiftModifiers(b, n)
	doc := b.doc
	sym := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "name") && b.Is(c, "simple_identifier"):
			b.doc = doc
			sym = b.Symbol(graph.EnumMember, c, n, "")
			kotlinFlags(b, sym, flags|graph.Static)
		case b.Is(c, "enum_type_parameters") && sym >= 0:
			b.push(funcFrame, sym)
			from := len(b.F.Locals)
			label := graph.None
			for x := b.First(c); x >= 0; x = b.Next(c, x) {
				if b.Is(x, "simple_identifier") {
					label = x
				} else if swiftIsType(b, x) {
					l := b.Local(0, b.Off(x), b.Type(x, graph.TypeUse), graph.None, graph.Param)
					if label >= 0 {
						b.F.Locals[l].Name = b.nodeStr(label)
					}
					label = graph.None
				} else {
					b.Value(x, graph.Read, false)
				}
			}
			b.KeepParams(sym, from)
			b.pop()
		case b.InField(c, "raw_value"):
			b.Value(c, graph.Read, false)
		}
	}
	b.doc = docRun{}
	return true
}

func swiftAlias(b *Builder, n int32) bool {
	flags := swiftModifiers(b, n)
	name := b.Child(n, "type_identifier")
	if name < 0 {
		return false
	}
	assoc := b.Is(n, "associatedtype_declaration")
	if assoc {
		flags |= graph.Abstract
	}
	sym := b.Symbol(graph.TypeAlias, name, n, "")
	kotlinFlags(b, sym, flags)
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.Child(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	for c := b.Next(n, name); c >= 0; c = b.Next(n, c) {
		if swiftIsType(b, c) {
			t := b.Type(c, graph.TypeUse)
			b.Sym(sym).Type = t
		} else if b.Is(c, "type_constraints") {
			b.visitChildren(c)
		}
	}
	b.pop()
	return true
}
