package lang

import (
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// csFlags are the flags of the modifiers of member n; its attributes are visited.
func csFlags(b *Builder, n int32) graph.Flags {
	var f graph.Flags
	doc := b.doc
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "attribute_list":
			b.visitChildren(c)
		case "modifier":
			switch b.Text(c) {
			case "private":
				f |= graph.Private
			case "protected":
				f |= graph.Protected
			case "static", "const":
				f |= graph.Static
			case "abstract":
				f |= graph.Abstract
			case "async":
				f |= graph.Async
			case "override":
				f |= graph.Override
			case "file":
				f |= graph.FileLocal
			}
		}
	}
	b.doc = doc
	return f
}

// csShow settles who sees symbol sym: members are private unless they, or their interface, say otherwise.
func (b *Builder) csShow(sym int32, f graph.Flags) {
	s := b.Sym(sym)
	s.Flags |= f
	if s.Flags&(graph.Private|graph.Protected) != 0 {
		s.Flags &^= graph.Exported
	}
}

// csType is a class, struct, interface, record or enum; several parts of one add up.
func csType(b *Builder, n int32) bool {
	r := b.rule(n)
	name := b.child(n, &r.name)
	if name < 0 {
		return false
	}
	kind := r.Kind
	if b.Is(n, "record_declaration") && b.Has(n, "struct") {
		kind = graph.Struct
	}
	flags := csFlags(b, n)
	sym := b.Symbol(kind, name, n, "")
	b.csShow(sym, flags)
	b.bindNested(sym)
	b.push(typeFrame, sym)
	if c := b.Child(n, "type_parameter_list"); c >= 0 {
		b.TypeParams(sym, c)
	}
	csConstraints(b, n)
	params := b.Child(n, "parameter_list")
	for c := b.First(params); c >= 0; c = b.Next(params, c) {
		csComponent(b, n, c)
	}
	if c := b.Child(n, "base_list"); c >= 0 && kind != graph.Enum {
		csBases(b, sym, c)
	}
	if body := b.Field(n, "body"); body >= 0 {
		b.Sym(sym).Body = b.Off(body)
		b.doc = docRun{}
		b.visitChildren(body)
		b.doc = docRun{}
	}
	b.pop()
	return true
}

func csBases(b *Builder, sym, n int32) {
	var ids []int32
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		typ := c
		if b.Is(c, "primary_constructor_base_type") {
			typ = b.Field(c, "type")
			if args := b.Child(c, "argument_list"); args >= 0 {
				b.argumentList(args, graph.None)
			}
		}
		if typ < 0 || b.rule(typ).Do == Comment {
			continue
		}
		if t := b.Type(typ, graph.Inherit); t >= 0 {
			ids = append(ids, t)
		}
	}
	b.AddBases(sym, ids...)
}

// csComponent is a parameter of a type's own: a property of a record, a field of other types.
func csComponent(b *Builder, n, c int32) {
	name := b.Field(c, "name")
	if name < 0 {
		return
	}
	flags := csFlags(b, c)
	typ := b.Type(b.Field(c, "type"), graph.TypeUse)
	kind := graph.Field
	if b.Is(n, "record_declaration") {
		kind = graph.Property
	} else {
		flags |= graph.Private
	}
	sym := b.Symbol(kind, name, c, "")
	b.csShow(sym, flags)
	b.Sym(sym).Type = typ
}

// csConstraints notes what type parameters are bound to.
func csConstraints(b *Builder, n int32) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if !b.Is(c, "type_parameter_constraints_clause") {
			continue
		}
		id := b.Child(c, "identifier")
		var kids []int32
		for k := b.First(c); k >= 0; k = b.Next(c, k) {
			if x := b.First(k); b.Is(k, "type_parameter_constraint") && x >= 0 && !b.Is(x, "constructor_constraint") {
				if t := b.Type(x, graph.TypeUse); t >= 0 {
					kids = append(kids, t)
				}
			}
		}
		if l := b.local(b.nodeStr(max(id, 0))); id >= 0 && l >= 0 && len(kids) > 0 {
			t := kids[0]
			if len(kids) > 1 {
				t = b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(kids...), Off: b.Off(c)})
			}
			b.F.Locals[l].Type = t
		}
	}
}

func csTypeParam(b *Builder, n int32) bool {
	if id := b.Field(n, "name"); id >= 0 {
		b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, graph.TypeParam)
	}
	return true
}

// csDelegate is a named function type.
func csDelegate(b *Builder, n int32) bool {
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	flags := csFlags(b, n)
	sym := b.Symbol(graph.TypeAlias, name, n, "")
	b.csShow(sym, flags|graph.Distinct)
	b.push(typeFrame, sym)
	if c := b.Child(n, "type_parameter_list"); c >= 0 {
		b.TypeParams(sym, c)
	}
	csConstraints(b, n)
	result := b.Type(b.Field(n, "type"), graph.TypeUse)
	from := len(b.F.Locals)
	b.push(funcFrame, graph.None)
	if p := b.Field(n, "parameters"); p >= 0 {
		b.visitChildren(p)
	}
	b.pop()
	t := b.csFunction(n, from, result)
	b.Sym(sym).Type = t
	b.pop()
	return true
}

// csFunction is a function type whose parameters are the locals since from.
func (b *Builder) csFunction(n int32, from int, result int32) int32 {
	var params []int32
	for i := from; i < len(b.F.Locals); i++ {
		if l := &b.F.Locals[i]; l.Flags&graph.Param != 0 {
			l.Flags = l.Flags&^graph.Param | graph.InnerParam // of no function of the file
			params = append(params, b.Expr(graph.Expr{Op: graph.OpLocal, X: int32(i), Off: l.Off}))
		}
	}
	return b.Expr(graph.Expr{Op: graph.OpFunc, X: result, Kids: b.List(params...), Off: b.Off(n)})
}

// csGeneric is a type applied to arguments; those of the library for functions are function types.
func csGeneric(b *Builder, n int32, role graph.Role) int32 {
	id, list := b.Child(n, "identifier"), b.Child(n, "type_argument_list")
	if id < 0 {
		return graph.None
	}
	return csApply(b, n, csTypeNamed(b, b.Name(id, role, true), list), list)
}

// csPlainType is the name of a type; one of the library's stands for functions of nothing.
func csPlainType(b *Builder, n int32, role graph.Role) int32 {
	x := b.Name(n, role, true)
	if x >= 0 && role == graph.TypeUse && b.Text(n) == "Action" && b.F.Exprs[x].Op == graph.OpName {
		return b.csFunction(n, len(b.F.Locals), b.Literal(n, "void"))
	}
	return x
}

// WithArity is the name of a type in keys and in the paths of imports: with the number of its parameters,
// as libraries spell it.
func WithArity(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + "`" + strconv.Itoa(n)
}

// WithoutArity is a name without that number.
func WithoutArity(name string) string {
	i := strings.LastIndexByte(name, '`')
	if i < 0 || i == len(name)-1 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}

// csTypeNamed notes that the name x of a type is applied to the type arguments in list.
func csTypeNamed(b *Builder, x, list int32) int32 {
	if x < 0 || list < 0 {
		return x
	}
	if e := &b.F.Exprs[x]; e.Op == graph.OpName || e.Op == graph.OpMember {
		e.N = graph.AppliedTo(csArguments(b, list))
	}
	return x
}

// csArguments is how many type arguments list has; in typeof(T<,>) they are not named.
func csArguments(b *Builder, list int32) int {
	n, named := 1, 0
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		switch {
		case b.Is(c, ","):
			n++
		case b.rule(c).Do != Comment && !b.Is(c, "<") && !b.Is(c, ">"):
			named++
		}
	}
	return max(named, n)
}

// csApply is x applied to the type arguments in list.
func csApply(b *Builder, n, x, list int32) int32 {
	var kids []int32
	for c := b.First(list); c >= 0; c = b.Next(list, c) {
		if b.rule(c).Do != Comment && !b.Is(c, "<") && !b.Is(c, ">") {
			kids = append(kids, b.Type(c, graph.TypeUse))
		}
	}
	if x < 0 {
		return graph.None
	}
	if b.F.Exprs[x].Op == graph.OpName && len(kids) > 0 {
		result, params := graph.None, kids
		switch b.F.Strings[b.F.Exprs[x].Name] {
		case "Func":
			result, params = kids[len(kids)-1], kids[:len(kids)-1]
		case "Action":
			result = b.Literal(n, "void")
		case "Predicate":
			result = b.Literal(n, "bool")
		default:
			return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
		}
		from := len(b.F.Locals)
		for _, p := range params {
			b.Local(0, b.Off(n), p, graph.None, graph.Param)
		}
		return b.csFunction(n, from, result)
	}
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: b.List(kids...), Off: b.Off(n)})
}

// csNullable is T?, of which a value may be missing.
func csNullable(b *Builder, n int32, role graph.Role) int32 {
	t := b.Type(b.First(n), role)
	if t < 0 {
		return t
	}
	return b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: b.List(t), N: graph.MeansNull, Off: b.Off(n)})
}

func csElement(b *Builder, n int32, role graph.Role) int32 {
	return b.Type(b.Field(n, "type"), graph.TypeUse)
}

func csQualifiedType(b *Builder, n int32, role graph.Role) int32 {
	return csDot(b, b.Type(b.Field(n, "qualifier"), graph.TypeUse), b.Field(n, "name"), role, true)
}

// csGlobalType is global::A, a name in the namespace that holds all others.
func csGlobalType(b *Builder, n int32, role graph.Role) int32 {
	name := b.Field(n, "name")
	if b.Text(b.Field(n, "alias")) != "global" || name < 0 {
		return csDot(b, b.Type(b.Field(n, "alias"), graph.TypeUse), name, role, true)
	}
	return csDot(b, b.Expr(graph.Expr{Op: graph.OpSpace, X: graph.None, Off: b.Off(n)}), name, role, true)
}

// csDot is x.name, which may be applied to type arguments: a type, or a member.
func csDot(b *Builder, x, name int32, role graph.Role, typ bool) int32 {
	if name < 0 {
		return x
	}
	id, list := name, graph.None
	if b.Is(name, "generic_name") {
		id, list = b.Child(name, "identifier"), b.Child(name, "type_argument_list")
	}
	if id < 0 {
		return x
	}
	m := b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: x, Name: b.nodeStr(id), Off: b.Off(id)})
	if list >= 0 {
		if typ {
			csTypeNamed(b, m, list)
		}
		return csApply(b, name, m, list)
	}
	return m
}
