package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// scalaModifiers are the flags of the modifiers of n; its annotations are visited.
func scalaModifiers(b *Builder, n int32) graph.Flags {
	f := graph.Exported
	doc := b.doc
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "annotation") {
			b.Visit(c)
		}
	}
	b.doc = doc
	m := b.Child(n, "modifiers")
	if m < 0 {
		return f
	}
	text := b.t.Text(m)
	if a := b.Child(m, "access_modifier"); a >= 0 {
		switch {
		case bytes.HasPrefix(b.t.Text(a), []byte("protected")):
			f |= graph.Protected
		case !bytes.Contains(b.t.Text(a), []byte("[")) || bytes.Contains(b.t.Text(a), []byte("[this]")):
			f = f&^graph.Exported | graph.Private
		}
	}
	if bytes.Contains(text, []byte("abstract")) {
		f |= graph.Abstract
	}
	return f
}

// scalaClass defines a class, a trait, an enum or an object.
func scalaClass(b *Builder, n int32) bool {
	flags := scalaModifiers(b, n)
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	if b.Is(n, "object_definition") || b.Is(n, "package_object") {
		flags |= graph.Sole
	}
	sym := b.Symbol(b.rule(n).Kind, name, n, "")
	kotlinFlags(b, sym, flags)
	b.bindNested(sym)
	b.push(typeFrame, sym)
	scalaParts(b, sym, n)
	b.pop()
	return true
}

// scalaParts takes what the definition of a type says besides its name.
func scalaParts(b *Builder, sym, n int32) {
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	scalaPrimary(b, sym, n)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "extends_clause":
			scalaBases(b, sym, c)
		case "derives_clause":
			b.Visit(c)
		case "arguments":
			b.Value(c, graph.Read, false)
		case "template_body", "enum_body", "with_template_body":
			b.body(sym, c)
		}
	}
}

func scalaBases(b *Builder, sym, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "arguments"):
			scalaArguments(b, c, graph.None, nil)
		case b.Is(c, "compound_type"):
			scalaBases(b, sym, c)
		case b.InField(c, "type"), b.InField(c, "base"), b.InField(c, "extra"):
			if t := b.Type(c, graph.Inherit); t >= 0 {
				b.AddBases(sym, t)
			}
		}
	}
}

// scalaPrimary defines the constructor in a class's head; its parameters are members of the class.
func scalaPrimary(b *Builder, class, n int32) {
	first := b.Child(n, "class_parameters")
	if first < 0 {
		return
	}
	doc := b.doc
	b.doc = docRun{}
	ctor := b.Symbol(graph.Constructor, graph.None, first, "this")
	b.Sym(ctor).Flags |= graph.Anonymous
	b.push(funcFrame, ctor)
	from := len(b.F.Locals)
	var params []int32
	for c, k := first, 0; c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "class_parameters") {
			continue
		}
		for p := b.First(c); p >= 0; p = b.Next(c, p) {
			if b.Is(p, "class_parameter") {
				scalaModifiers(b, p)
				scalaParam(b, p, k > 0)
				params = append(params, p)
			}
		}
		k++
	}
	b.KeepParams(ctor, from)
	list := b.F.List(b.Sym(ctor).Params)
	b.pop()
	open := b.Has(n, "case") || b.Sym(class).Kind == graph.EnumMember
	for i, p := range params {
		name := b.Field(p, "name")
		if name < 0 || i >= len(list) {
			continue
		}
		flags := scalaQuiet(b, p)
		if !open && !b.Has(p, "val", "var") {
			flags = graph.Private
		}
		sym := b.Symbol(graph.Property, name, p, "")
		kotlinFlags(b, sym, flags)
		b.Sym(sym).Type = b.F.Locals[list[i]].Type
	}
	b.doc = doc
}

// scalaQuiet are the flags of the modifiers of n, whose annotations were visited before.
func scalaQuiet(b *Builder, n int32) graph.Flags {
	if m := b.Child(n, "modifiers"); m >= 0 && bytes.HasPrefix(b.t.Text(m), []byte("private")) {
		return graph.Private
	}
	return graph.Exported
}

// scalaParam binds a parameter; one of a later list may be left out of a call.
func scalaParam(b *Builder, n int32, later bool) {
	name, typ := b.Field(n, "name"), graph.None
	flags := graph.Param
	if c := b.Field(n, "type"); c >= 0 {
		typ = b.Type(c, graph.TypeUse)
		if b.Is(c, "repeated_parameter_type") {
			flags |= graph.VariadicParam
			typ = b.Expr(graph.Expr{Op: graph.OpArray, X: typ, Off: b.Off(c)})
		}
	}
	init := graph.None
	if c := b.Field(n, "default_value"); c >= 0 {
		init = b.Value(c, graph.Read, true)
		flags |= graph.OptionalParam
	}
	if later {
		flags |= graph.OptionalParam
	}
	if name >= 0 {
		b.Local(b.nodeStr(name), b.Off(name), typ, init, flags)
	} else {
		b.Local(0, b.Off(n), typ, init, flags)
	}
}

// scalaParamLists binds the parameters of sym below n.
func scalaParamLists(b *Builder, sym, n int32) {
	from := len(b.F.Locals)
	k := 0
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "parameters") {
			continue
		}
		text := b.t.Text(c)
		later := k > 0 || bytes.HasPrefix(text, []byte("(using ")) || bytes.HasPrefix(text, []byte("(implicit "))
		for p := b.First(c); p >= 0; p = b.Next(c, p) {
			switch {
			case b.Is(p, "parameter"):
				scalaModifiers(b, p)
				scalaParam(b, p, later)
			case b.rule(p).Do != Comment: // a type alone
				b.Local(0, b.Off(p), b.Type(p, graph.TypeUse), graph.None, graph.Param|graph.OptionalParam)
			}
		}
		k++
	}
	b.KeepParams(sym, from)
}

// scalaEnumCase is a case of an enum, which may hold values.
func scalaEnumCase(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	sym := b.Symbol(graph.EnumMember, name, n, "")
	b.Sym(sym).Flags |= graph.Static
	b.push(typeFrame, sym)
	scalaParts(b, sym, n)
	b.Sym(sym).Bases = 0 // an enum's case is a value of the enum
	b.pop()
	return true
}

// scalaFunction defines a function or method; def this is a constructor.
func scalaFunction(b *Builder, n int32) bool {
	flags := scalaModifiers(b, n)
	name := b.Field(n, "name")
	if name < 0 {
		return false
	}
	kind := graph.Function
	if b.InType() {
		kind = graph.Method
		if b.Text(name) == "this" {
			kind = graph.Constructor
		}
		if b.Is(n, "function_declaration") {
			flags |= graph.Abstract
		}
	}
	sym := b.Symbol(kind, name, n, "")
	kotlinFlags(b, sym, flags)
	b.bindNested(sym)
	scalaCallable(b, sym, n)
	return true
}

func scalaCallable(b *Builder, sym, n int32) {
	b.push(funcFrame, sym)
	if c := b.Field(n, "type_parameters"); c >= 0 {
		b.TypeParams(sym, c)
	}
	scalaParamLists(b, sym, n)
	if c := b.Field(n, "return_type"); c >= 0 {
		t := b.Type(c, graph.TypeUse)
		b.Sym(sym).Type = t
	}
	if !b.Has(n, "parameters") { // read like a field
		b.Sym(sym).Flags |= graph.Computed
	}
	if c := b.Field(n, "body"); c >= 0 {
		b.Sym(sym).Body = b.Off(c)
		b.doc = docRun{}
		v := b.Value(c, graph.Read, true)
		b.addReturn(sym, v)
	}
	b.pop()
}

// scalaExtension: what an extension defines belongs to the type of its parameter, where nothing else
// holds it.
func scalaExtension(b *Builder, n int32) bool {
	f := *b.frame()
	b.push(f.kind, f.sym)
	in, space := b.in, b.space
	from := len(b.F.Locals)
	if c := b.Field(n, "type_parameters"); c >= 0 {
		scalaTypeParams(b, c)
	}
	of := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "parameters") {
			continue
		}
		for p := b.First(c); p >= 0; p = b.Next(c, p) {
			if b.Is(p, "parameter") {
				scalaParam(b, p, false)
				if l := &b.F.Locals[len(b.F.Locals)-1]; of < 0 {
					of = l.Type
				}
			}
		}
	}
	for i := from; i < len(b.F.Locals); i++ {
		b.F.Locals[i].Flags &^= graph.Param
	}
	if b.AtFile() && of >= 0 {
		if b.space = typePath(b.F, of); space != "" && b.space != "" {
			b.space = space + "." + b.space
		}
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.InField(c, "body") {
			continue
		}
		before := len(b.F.Symbols)
		b.Visit(c)
		if before < len(b.F.Symbols) && of >= 0 && b.F.Symbols[before].Kind.Callable() {
			b.F.Symbols[before].Owner = of
		}
	}
	b.in, b.space = in, space
	b.pop()
	b.doc = docRun{}
	return true
}

// typePath is the dotted path of names in type expression e, without type arguments.
func typePath(f *graph.Facts, e int32) string {
	if e < 0 {
		return ""
	}
	switch x := &f.Exprs[e]; x.Op {
	case graph.OpIndex:
		return typePath(f, x.X)
	case graph.OpMember:
		if p := typePath(f, x.X); p != "" {
			return p + "." + f.Strings[x.Name]
		}
		return f.Strings[x.Name]
	case graph.OpName, graph.OpLiteral:
		return f.Strings[x.Name]
	}
	return ""
}
