package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// csMethod is a method, a constructor or a function inside of one.
func csMethod(b *Builder, n int32) bool {
	r := *b.rule(n)
	name := b.child(n, &r.name)
	if name < 0 {
		return false
	}
	flags := csFlags(b, n)
	if x := b.Child(n, "explicit_interface_specifier"); x >= 0 {
		if t := b.First(x); t >= 0 {
			b.Type(t, graph.TypeUse)
		}
		flags |= graph.Private | graph.Override // a member of the interface alone
	}
	if r.Kind == graph.Method && b.Field(n, "body") < 0 {
		flags |= graph.Abstract
	}
	if first := b.Child(b.Field(n, "parameters"), "parameter"); first >= 0 && r.Kind == graph.Method {
		for c := b.First(first); c >= 0; c = b.Next(first, c) {
			if b.Is(c, "modifier") && b.Text(c) == "this" {
				flags |= graph.Extension
			}
		}
	}
	r.Flags |= flags
	b.csShow(b.define(n, &r, name, ""), 0)
	return true
}

// csEnter takes the constraints of a method's type parameters, a parameter array, which the
// grammar leaves loose, and what a constructor hands on to another.
func csEnter(b *Builder, sym, n int32) {
	csConstraints(b, n)
	if p := b.Field(n, "parameters"); p >= 0 {
		if name := b.Field(p, "name"); name >= 0 && b.Is(p, "parameter_list") {
			typ := b.Type(b.Field(p, "type"), graph.TypeUse)
			l := b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, graph.Param|graph.VariadicParam)
			ids := b.F.List(b.Sym(sym).Params)
			kept := make([]int32, 0, len(ids)+1)
			for _, id := range ids {
				if b.F.Locals[id].Name != b.F.Locals[l].Name {
					kept = append(kept, id)
				}
			}
			list := b.List(append(kept, l)...)
			b.Sym(sym).Params = list
		}
	}
	init := b.Child(n, "constructor_initializer")
	if init < 0 {
		return
	}
	x := graph.None
	if c := b.Child(init, "base"); c >= 0 {
		x = b.Expr(graph.Expr{Op: graph.OpSuper, Role: graph.Call, Name: b.nodeStr(c), X: graph.None, Off: b.Off(c)})
	} else if c := b.Child(init, "this"); c >= 0 {
		x = b.Expr(graph.Expr{Op: graph.OpSelf, Role: graph.Call, Name: b.nodeStr(c), X: graph.None, Off: b.Off(c)})
	}
	if args := b.Child(init, "argument_list"); args >= 0 {
		kids, count := b.argumentList(args, graph.None)
		if x >= 0 {
			b.Expr(graph.Expr{Op: graph.OpCall, X: x, Kids: kids, N: uint16(count + 1), Off: b.Off(init)})
		}
	}
}

// csOperator is an operator, a conversion or a finalizer: nobody calls it by a name.
func csOperator(b *Builder, n int32) bool {
	r := *b.rule(n)
	r.Flags |= csFlags(b, n)
	text := strings.Join(strings.Fields(string(b.src[b.Off(n):b.Off(max(b.Field(n, "parameters"), n))])), " ")
	if i := strings.LastIndex(text, "operator"); i >= 0 {
		text = text[i:]
	} else {
		text = "~" + b.Text(b.Field(n, "name"))
	}
	b.csShow(b.define(n, &r, graph.None, text), 0)
	return true
}

// csIndexer is this[...]: a method without a name that indexing runs.
func csIndexer(b *Builder, n int32) bool {
	flags := csFlags(b, n)
	at := b.Child(n, "this")
	sym := b.Symbol(graph.Method, at, n, "this[]")
	b.csShow(sym, flags)
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	b.Sym(sym).Type = typ
	b.push(funcFrame, sym)
	if p := b.Field(n, "parameters"); p >= 0 {
		b.Params(sym, p)
	}
	csAccessors(b, n)
	b.pop()
	return true
}

// csProperty is a property or an event with accessors.
func csProperty(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	flags := csFlags(b, n)
	if x := b.First(b.Child(n, "explicit_interface_specifier")); x >= 0 {
		b.Type(x, graph.TypeUse)
		flags |= graph.Private | graph.Override // a member of the interface alone
	}
	sym := b.Symbol(graph.Property, name, n, "")
	b.csShow(sym, flags)
	in := b.in
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	b.in = in
	b.Sym(sym).Type = typ
	b.push(funcFrame, sym)
	csAccessors(b, n)
	b.pop()
	return true
}

// csAccessors takes the bodies of a property, in which value is what is assigned.
func csAccessors(b *Builder, n int32) {
	if v := b.Field(n, "value"); v >= 0 {
		b.Value(v, graph.Read, false)
	}
	list := b.Field(n, "accessors")
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		body := b.Field(c, "body")
		if body < 0 {
			continue
		}
		b.Scope(func() {
			if text := b.Text(c); !strings.Contains(text[:min(len(text), int(b.Off(body)-b.Off(c)))], "get") {
				b.Local(b.Str("value"), b.Off(c), b.Sym(b.in).Type, graph.None, graph.Param)
			}
			b.Visit(body)
		})
	}
}

// csField declares fields, constants or events.
func csField(b *Builder, n int32) bool {
	flags := csFlags(b, n)
	kind := graph.Field
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "modifier") && b.Text(c) == "const" {
			kind = graph.Constant
		}
	}
	decl := b.Child(n, "variable_declaration")
	if decl < 0 {
		return true
	}
	typ := b.Type(b.Field(decl, "type"), graph.TypeUse)
	doc := b.doc
	for c := b.First(decl); c >= 0; c = b.Next(decl, c) {
		name := b.Field(c, "name")
		if !b.Is(c, "variable_declarator") || name < 0 {
			continue
		}
		b.doc = doc
		sym := b.Symbol(kind, name, n, "")
		b.csShow(sym, flags)
		b.Sym(sym).Type = typ
		in := b.in
		b.in = sym
		init := csInitializer(b, c, typ)
		b.in = in
		b.Sym(sym).Init = init
	}
	b.doc = docRun{}
	return true
}

// csInitializer is the value of declarator n of a variable of type typ.
func csInitializer(b *Builder, n, typ int32) int32 {
	v := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "name") || b.Is(c, "=") || b.Is(c, "tuple_pattern") || b.rule(c).Do == Comment:
		case b.Is(c, "bracketed_argument_list"):
			b.Value(c, graph.Read, false)
		case b.Is(c, "implicit_object_creation_expression"):
			v = csMake(b, c, typ)
		default:
			v = b.Value(c, graph.Read, true)
		}
	}
	return v
}

func csConstant(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	flags := csFlags(b, n)
	sym := b.Symbol(graph.EnumMember, name, n, "")
	b.Sym(sym).Flags |= flags | graph.Static
	in := b.in
	b.in = sym
	for c := b.Next(n, name); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "=") {
			b.Value(c, graph.Read, false)
		}
	}
	b.in = in
	return true
}

// csParameter binds a parameter; a value after its name is its default.
func csParameter(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	csFlags(b, n)
	flags := graph.Param
	typ := b.Type(b.Field(n, "type"), graph.TypeUse)
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "name") || b.InField(c, "type") || b.Is(c, "attribute_list") || b.Is(c, "="):
		case b.Is(c, "modifier"):
			if b.Text(c) == "params" {
				flags |= graph.VariadicParam
			}
		case b.rule(c).Do != Comment:
			b.Value(c, graph.Read, false)
			flags |= graph.OptionalParam
		}
	}
	if name < 0 {
		b.Local(0, b.Off(n), typ, graph.None, flags)
		return true
	}
	b.Local(b.nodeStr(name), b.Off(name), typ, graph.None, flags)
	return true
}

// csImplicit is the parameter of a lambda that is only a name.
func csImplicit(b *Builder, n int32) bool {
	b.Local(b.nodeStr(n), b.Off(n), graph.None, graph.None, graph.Param)
	return true
}
