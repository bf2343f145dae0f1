package lang

import "github.com/codegraph-dev/codegraph/graph"

// What a file of JavaScript exports by assignment, to `module.exports` as a whole or to members of it. The
// words on the left are mentions of what the assignment exports.

// jsIsExports reports whether n is `module.exports`, or `exports` itself.
func jsIsExports(b *Builder, n int32) bool {
	if n < 0 {
		return false
	}
	if b.Is(n, "identifier") {
		return string(b.t.Text(n)) == "exports" && b.local(b.nodeStr(n)) < 0
	}
	if !b.Is(n, "member_expression") {
		return false
	}
	of := b.Field(n, "object")
	return b.Is(of, "identifier") && string(b.t.Text(of)) == "module" && string(b.t.Text(b.Field(n, "property"))) == "exports" && b.local(b.nodeStr(of)) < 0
}

// jsExports is `module.exports = v` or `exports.x = v`.
func jsExports(b *Builder, n, left, right int32) (int32, bool) {
	if jsIsExports(b, left) {
		v := jsWholeExports(b, n, right)
		if !b.Is(scriptUnwrap(b, right), "identifier") {
			jsOwnObject(b, left, v)
		}
		return v, true
	}
	of := b.Field(left, "object")
	if !b.Is(left, "member_expression") || !jsIsExports(b, of) {
		return graph.None, false
	}
	owner := jsExportsSymbol(b, of)
	v := jsDefineMember(b, n, left, right, owner)
	sym, named := b.memberSymbol(owner, b.nodeStr(b.Field(left, "property"))), scriptUnwrap(b, right)
	if !b.Is(named, "identifier") {
		named = graph.None
	}
	if named >= 0 && sym >= 0 && b.F.Symbols[sym].Kind == graph.Field {
		b.Sym(sym).Flags |= graph.Alias
	}
	switch {
	case !b.Is(of, "identifier"):
		b.Value(of, graph.Read, false)
	case named >= 0:
		s, imp := jsNamed(b, b.nodeStr(named), sym)
		jsMeans(b, of, s, imp)
	default:
		jsMeans(b, of, sym, graph.None)
	}
	return v, true
}

// jsMeans says that the word at n, by which a file means what it exports, stands for symbol sym, or
// else for import imp.
func jsMeans(b *Builder, n, sym, imp int32) {
	init := graph.None
	if sym < 0 {
		if imp < 0 {
			return
		}
		init = b.Expr(graph.Expr{Op: graph.OpImport, X: imp, Off: b.Off(n)})
	}
	l := b.Local(0, b.Off(n), graph.None, init, 0)
	b.F.Locals[l].Name, b.F.Locals[l].Symbol = b.nodeStr(n), sym
	b.Expr(graph.Expr{Op: graph.OpLocal, Role: graph.Read, Name: b.nodeStr(n), X: l, Off: b.Off(n)})
}

// jsNamed is the file's definition of that name, or its import, or else the symbol other.
func jsNamed(b *Builder, name uint32, other int32) (sym, imp int32) {
	if s := b.memberSymbol(graph.None, name); s >= 0 {
		return s, graph.None
	}
	for i := range b.F.Imports {
		if b.F.Imports[i].Local == name {
			return graph.None, int32(i)
		}
	}
	return other, graph.None
}

// jsSettle: what `exports.x = name` names may stand behind it. The word `exports` means that all the same,
// and it is exported.
func jsSettle(b *Builder) {
	for i := range b.F.Symbols {
		s := &b.F.Symbols[i]
		if s.Flags&graph.Alias == 0 || s.Init < 0 || s.Container < 0 || b.F.Symbols[s.Container].Flags&graph.Default == 0 {
			continue
		}
		named, _ := jsNamed(b, b.F.Exprs[s.Init].Name, graph.None)
		if named < 0 {
			continue
		}
		b.F.Symbols[named].Flags |= scriptExported
		for j := range b.F.Locals {
			if l := &b.F.Locals[j]; l.Symbol == int32(i) {
				l.Symbol = named
			}
		}
	}
}

// jsOwnObject is the left side of `module.exports = value`: the module is what it is set to, and the word
// behind the dot the file itself.
func jsOwnObject(b *Builder, left, value int32) {
	if b.Is(left, "identifier") {
		b.Value(left, graph.Read, false)
		return
	}
	if value >= 0 && b.F.Exprs[value].Op == graph.OpSymbol {
		jsMeans(b, b.Field(left, "object"), b.F.Exprs[value].X, graph.None)
	}
	name := b.Field(left, "property")
	b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Read, Name: b.nodeStr(name), Off: b.Off(name), X: graph.None})
}

// jsWholeExports is the value of `module.exports = right`.
func jsWholeExports(b *Builder, n, right int32) int32 {
	if b.Is(right, "assignment_expression") {
		v := b.Value(right, graph.Read, true)
		if v >= 0 && b.F.Exprs[v].Op == graph.OpSymbol && b.Scratch[2] < 0 && b.AtFile() { // something that is defined on the way
			b.Scratch[2] = b.F.Exprs[v].X
			b.Sym(b.Scratch[2]).Flags |= graph.Default
		}
		return v
	}
	v := scriptUnwrap(b, right)
	name := b.Field(v, "name")
	switch {
	case b.Is(v, "identifier"):
		e := b.Value(v, graph.Read, true)
		return e
	case b.Scratch[2] >= 0 || !b.AtFile():
		return b.Value(right, graph.Read, true)
	case scriptIsFunction(b, v):
		text := ""
		if name < 0 {
			text = jsExportsName
		}
		b.Scratch[2] = int32(len(b.F.Symbols))
		sym := scriptDefine(b, graph.Function, name, text, n, v)
		b.Sym(sym).Flags |= graph.Default
		return b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(v)})
	case b.Is(v, "class"):
		text := ""
		if name < 0 {
			text = jsExportsName
		}
		b.Scratch[2] = int32(len(b.F.Symbols))
		sym := scriptNamedClass(b, name, text, n, v)
		b.Sym(sym).Flags |= graph.Default
		return b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(v)})
	}
	sym := jsExportsSymbol(b, n)
	b.Sym(sym).End = b.t.Nodes[n].End
	scriptTypeAndValue(b, sym, graph.None, right)
	if b.Is(v, "object") {
		jsAliases(b, v, sym)
	}
	return b.Expr(graph.Expr{Op: graph.OpSymbol, X: sym, Off: b.Off(n)})
}

// jsAliases: an exported literal that only lists names of the file, as in `{ a, b }`, exports what they name.
func jsAliases(b *Builder, literal, sym int32) {
	for c := b.First(literal); c >= 0; c = b.Next(literal, c) {
		if !b.Is(c, "shorthand_property_identifier") && !b.Is(c, "comment") {
			return
		}
	}
	for i := sym + 1; int(i) < len(b.F.Symbols); i++ {
		if s := &b.F.Symbols[i]; s.Container == sym {
			s.Flags |= graph.Alias
		}
	}
}

// jsExportChain is the value in `module.exports = value` that a variable of the file is set
// to, or None.
func jsExportChain(b *Builder, value int32) int32 {
	if !b.AtFile() || b.Scratch[2] >= 0 || !b.l.AssignedModules {
		return graph.None
	}
	whole := false
	for b.Is(value, "assignment_expression") {
		whole = whole || jsIsExports(b, b.Field(value, "left"))
		value = b.Field(value, "right")
	}
	if !whole || b.Is(value, "identifier") {
		return graph.None
	}
	return value
}

// jsExportsName is what the module's value is called where it has no name of its own.
const jsExportsName = "exports"

// jsExportsSymbol is the symbol whose members the module exports: what `module.exports`
// was set to, or one made for it here.
func jsExportsSymbol(b *Builder, n int32) int32 {
	if b.Scratch[2] >= 0 {
		return b.Scratch[2]
	}
	if name := jsExportedName(b); name >= 0 {
		for i := range b.F.Symbols {
			if s := &b.F.Symbols[i]; s.Container < 0 && b.F.Str(s.Name) == b.Text(name) {
				b.Scratch[2] = int32(i)
				s.Flags |= graph.Default
				return int32(i)
			}
		}
	}
	in, doc := b.in, b.doc
	b.in, b.doc = graph.None, docRun{}
	sym := b.Symbol(graph.Struct, graph.None, n, jsExportsName)
	b.in, b.doc = in, doc
	b.Sym(sym).Flags |= graph.Anonymous | graph.Default
	b.Sym(sym).Flags &^= graph.NestedDef
	b.Scratch[2] = sym
	return sym
}

// jsExportedName is the name in the file's `module.exports = name`, or None.
func jsExportedName(b *Builder) int32 {
	name, _ := jsExportedAs(b)
	return name
}

// jsExportedAs is the name in the file's `module.exports = name`, and the words that are set to it.
func jsExportedAs(b *Builder) (name int32, words []int32) {
	for c := b.First(0); c >= 0; c = b.Next(0, c) {
		if !b.Is(c, "expression_statement") {
			continue
		}
		whole := false
		words = nil
		for x := b.First(c); b.Is(x, "assignment_expression"); {
			left, right := b.Field(x, "left"), b.Field(x, "right")
			if left >= 0 && b.Text(left) == "module.exports" {
				whole, words = true, append(words, b.Field(left, "object"), b.Field(left, "property"))
			}
			if whole && b.Is(right, "identifier") {
				return right, words
			}
			x = right
		}
	}
	return graph.None, nil
}

// jsFinish: what `module.exports` names is the module's default.
func jsFinish(b *Builder) {
	if len(b.t.Nodes) > 0 {
		if name, words := jsExportedAs(b); name >= 0 {
			sym, imp := jsNamed(b, b.nodeStr(name), graph.None)
			for _, w := range words {
				jsMeans(b, w, sym, imp)
			}
			scriptExportAs(b, b.nodeStr(name), "default")
			if b.Scratch[2] < 0 {
				b.Scratch[2] = 0
			}
		}
	}
	jsSettle(b)
	scriptFinish(b)
	jsDocTypes(b)
}
