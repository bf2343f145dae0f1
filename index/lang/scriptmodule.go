package lang

import "github.com/codegraph-dev/codegraph/graph"

// How files of the script languages bring in and give out names, in both module systems.

// scriptExported marks, until the file is done, what an export statement declares.
const scriptExported graph.Flags = 1 << 31

// scriptImport is an import declaration.
func scriptImport(b *Builder, n int32) bool {
	b.doc = docRun{}
	flags := graph.ImportFlags(0)
	if b.Has(n, "type") {
		flags |= graph.TypeOnly
	}
	if req := b.Child(n, "import_require_clause"); req >= 0 {
		if id := b.First(req); id >= 0 {
			imp := scriptModuleOf(b, b.Field(req, "source"), flags|graph.Assigned)
			imp.Local, imp.Off = b.nodeStr(id), b.Off(id)
			b.F.Imports = append(b.F.Imports, imp)
		}
		return true
	}
	source := b.Field(n, "source")
	if source < 0 {
		return true
	}
	clause := b.Child(n, "import_clause")
	if clause < 0 {
		b.F.Imports = append(b.F.Imports, scriptModuleOf(b, source, flags))
		return true
	}
	for c := b.First(clause); c >= 0; c = b.Next(clause, c) {
		imp := scriptModuleOf(b, source, flags)
		switch b.Kind(c) {
		case "identifier":
			imp.Local, imp.Off, imp.Name = b.nodeStr(c), b.Off(c), b.Str("default")
			imp.Flags |= graph.DefaultOf
		case "namespace_import":
			id := b.Child(c, "identifier")
			if id < 0 {
				continue
			}
			imp.Local, imp.Off = b.nodeStr(id), b.Off(id)
		case "named_imports":
			scriptSpecifiers(b, c, imp, 0)
			continue
		default:
			continue
		}
		b.F.Imports = append(b.F.Imports, imp)
	}
	return true
}

// scriptModuleOf begins an import of the module that the string at source names.
func scriptModuleOf(b *Builder, source int32, flags graph.ImportFlags) graph.Imported {
	imp := graph.Imported{Flags: flags, In: b.in}
	if source >= 0 {
		imp.Module, imp.ModuleOff = b.Str(scriptString(b, source)), b.Off(source)+1
	}
	return imp
}

// scriptSpecifiers adds an import for each `name as alias` below n, all like imp.
func scriptSpecifiers(b *Builder, n int32, imp graph.Imported, flags graph.ImportFlags) {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		name, alias := b.Field(c, "name"), b.Field(c, "alias")
		if name < 0 {
			continue
		}
		one := imp
		one.Flags |= flags
		if b.Has(c, "type") {
			one.Flags |= graph.TypeOnly
		}
		one.Name, one.NameOff = b.Str(scriptExportName(b, name)), b.Off(name)
		one.Local = one.Name
		if alias >= 0 {
			one.Local, one.Off = b.Str(scriptExportName(b, alias)), b.Off(alias)
		}
		if b.F.Str(one.Name) == "default" {
			one.Flags |= graph.DefaultOf
		}
		b.F.Imports = append(b.F.Imports, one)
	}
}

// scriptExportName is the name in an import or export list, which may be quoted.
func scriptExportName(b *Builder, n int32) string {
	if b.Is(n, "string") {
		return scriptString(b, n)
	}
	return b.Text(n)
}

// scriptExport is an export statement: of a declaration, a value, names of this file, or another module.
func scriptExport(b *Builder, n int32) bool {
	source := b.Field(n, "source")
	clause := b.Child(n, "export_clause")
	flags := graph.ReExport | graph.ExportOnly
	if b.Has(n, "type") {
		flags |= graph.TypeOnly
	}
	switch {
	case source >= 0 && clause >= 0:
		scriptSpecifiers(b, clause, scriptModuleOf(b, source, flags), 0)
	case source >= 0:
		imp := scriptModuleOf(b, source, flags)
		if ns := b.Child(n, "namespace_export"); ns >= 0 {
			if id := b.Child(ns, "identifier", "string"); id >= 0 {
				imp.Local, imp.Off = b.Str(scriptExportName(b, id)), b.Off(id)
			}
		} else {
			imp.Flags |= graph.Star
		}
		b.F.Imports = append(b.F.Imports, imp)
	case clause >= 0:
		for c := b.First(clause); c >= 0; c = b.Next(clause, c) {
			if name := b.Field(c, "name"); name >= 0 && b.rule(name).Do == Ident {
				b.Value(name, graph.Import, false)
			}
		}
	default:
		scriptExportOwn(b, n)
	}
	return true
}

// scriptExportOwn is the export of what stands in the statement itself.
func scriptExportOwn(b *Builder, n int32) {
	from, isDefault := len(b.F.Symbols), b.Has(n, "default")
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.InField(c, "declaration"):
			if d := b.rule(c).Do; d == Define && b.Field(c, "name") < 0 {
				scriptDefaultOf(b, n, c)
			} else {
				b.Visit(c)
			}
		case b.InField(c, "value"):
			scriptDefaultOf(b, n, c)
		case b.rule(c).Do == Comment:
			b.comment(c)
		case b.rule(c).Do == Ident: // export = x, export as namespace x
			b.Value(c, graph.Import, false)
		default:
			b.Visit(c)
		}
	}
	first := true
	for i := from; i < len(b.F.Symbols); i++ {
		s := &b.F.Symbols[i]
		if s.Container != b.in || s.Flags&graph.NestedDef != 0 {
			continue
		}
		s.Flags |= scriptExported
		if isDefault && first {
			s.Flags |= graph.Default
		}
		if first {
			s.Start = b.Off(n)
		}
		first = false
	}
}

// scriptDefaultOf is the value of `export default`: a definition without a name is called default.
func scriptDefaultOf(b *Builder, n, value int32) {
	v := scriptUnwrap(b, value)
	name := b.Field(v, "name")
	text := ""
	if name < 0 {
		text = "default"
	}
	switch k := b.Kind(v); {
	case k == "identifier":
		b.Value(v, graph.Import, false)
	case scriptIsFunction(b, v) || k == "function_declaration" || k == "generator_function_declaration":
		scriptDefine(b, graph.Function, name, text, n, v)
	case k == "class" || k == "class_declaration" || k == "abstract_class_declaration":
		sym := scriptNamedClass(b, name, text, n, v)
		scriptDecorate(b, sym, scriptDecorators(b, v))
	default:
		sym := b.Symbol(graph.Variable, graph.None, n, "default")
		b.Sym(sym).Flags |= graph.Anonymous
		scriptTypeAndValue(b, sym, graph.None, value)
	}
}

// scriptModuleCall is the import that the call at n is, or None: require("m") or import("m").
func scriptModuleCall(b *Builder, n int32) int32 {
	fn, args := b.Field(n, "function"), b.Field(n, "arguments")
	if fn < 0 || args < 0 || !b.Is(args, "arguments") {
		return graph.None
	}
	flags := graph.ImportFlags(0)
	switch {
	case b.Is(fn, "import"):
	case b.Is(fn, "identifier") && string(b.t.Text(fn)) == "require" && b.local(b.nodeStr(fn)) < 0:
		flags |= graph.Assigned
	default:
		return graph.None
	}
	arg := b.First(args)
	if !b.Is(arg, "string") {
		return graph.None
	}
	b.F.Imports = append(b.F.Imports, scriptModuleOf(b, arg, flags))
	return int32(len(b.F.Imports) - 1)
}

// scriptRequired: a file's variable that takes a whole module, or members of one, is an import.
func scriptRequired(b *Builder, name, value int32) bool {
	if value < 0 || !b.AtFile() {
		return false
	}
	call, member := value, graph.None
	if b.Is(call, "member_expression") {
		call, member = b.Field(value, "object"), b.Field(value, "property")
	}
	pattern := b.Is(name, "object_pattern")
	if !b.Is(call, "call_expression") || b.rule(name).Do != Ident && !pattern || pattern && member >= 0 || pattern && !scriptFlat(b, name) {
		return false
	}
	i := scriptModuleCall(b, call)
	if i < 0 {
		return false
	}
	imp := b.F.Imports[i]
	if !pattern {
		imp.Local, imp.Off = b.nodeStr(name), b.Off(name)
		if member >= 0 {
			imp.Name, imp.NameOff = b.nodeStr(member), b.Off(member)
		}
		b.F.Imports[i] = imp
		return true
	}
	b.F.Imports = b.F.Imports[:i]
	for c := b.First(name); c >= 0; c = b.Next(name, c) {
		if b.Is(c, "rest_pattern") { // all others
			sym := b.Symbol(graph.Constant, b.First(c), c, "")
			whole := imp
			whole.Local, whole.Off = 0, 0
			b.F.Imports = append(b.F.Imports, whole)
			v := b.Expr(graph.Expr{Op: graph.OpImport, X: int32(len(b.F.Imports) - 1), Off: b.Off(c)})
			b.Sym(sym).Init = v
			continue
		}
		one := imp
		key, val := c, graph.None
		if b.Is(c, "pair_pattern") {
			key, val = b.Field(c, "key"), b.Field(c, "value")
		}
		one.Name, one.NameOff = b.nodeStr(key), b.Off(key)
		one.Local = one.Name
		if val >= 0 {
			one.Local, one.Off = b.nodeStr(val), b.Off(val)
		}
		b.F.Imports = append(b.F.Imports, one)
	}
	return true
}

// scriptFlat reports whether a pattern only takes members, each under a name.
func scriptFlat(b *Builder, n int32) bool {
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch {
		case b.Is(c, "shorthand_property_identifier_pattern"), b.Is(c, "rest_pattern") && b.Is(b.First(c), "identifier"):
		case b.Is(c, "pair_pattern") && b.Is(b.Field(c, "key"), "property_identifier") && b.Is(b.Field(c, "value"), "identifier"):
		default:
			return false
		}
	}
	return b.First(n) >= 0
}

// scriptFinish settles what of a file is visible outside once all of it is known.
func scriptFinish(b *Builder) {
	module := len(b.F.Imports) > 0 || b.Scratch[2] >= 0
	for c := b.First(0); len(b.t.Nodes) > 0 && c >= 0; c = b.Next(0, c) {
		switch b.Kind(c) {
		case "import_statement":
			module = true
		case "export_statement":
			module = true
			scriptExportList(b, c)
		}
	}
	if !module {
		b.F.Package = scriptGlobal
		if b.l.EverySpace != 0 {
			scriptEverywhere(b, 0)
		}
	}
	for i := range b.F.Symbols {
		s := &b.F.Symbols[i]
		if module && s.Container < 0 && s.Flags&(graph.NestedDef|graph.Default|graph.Everywhere|scriptExported) == 0 {
			s.Flags &^= graph.Exported
		}
		s.Flags &^= scriptExported
	}
}

// scriptExportList exports names of this file: `export {a, b as c}`, `export default a`, `export = a`.
func scriptExportList(b *Builder, n int32) {
	if b.Field(n, "source") >= 0 {
		return
	}
	if clause := b.Child(n, "export_clause"); clause >= 0 {
		for c := b.First(clause); c >= 0; c = b.Next(clause, c) {
			name, alias := b.Field(c, "name"), b.Field(c, "alias")
			if name < 0 {
				continue
			}
			as := b.Text(name)
			if alias >= 0 {
				as = scriptExportName(b, alias)
			}
			scriptExportAs(b, b.nodeStr(name), as)
		}
		return
	}
	v := scriptUnwrap(b, b.Field(n, "value"))
	if v < 0 && b.Field(n, "declaration") < 0 {
		v = b.Child(n, "identifier")
	}
	if b.Is(v, "identifier") {
		scriptExportAs(b, b.nodeStr(v), "default")
	}
}

// scriptExportAs exports the file's name under another one, or its own.
func scriptExportAs(b *Builder, name uint32, as string) {
	found := false
	for i := range b.F.Symbols {
		s := &b.F.Symbols[i]
		if s.Container >= 0 || s.Name != name || s.Flags&graph.NestedDef != 0 {
			continue
		}
		found = true
		switch as {
		case "default":
			s.Flags |= graph.Default | scriptExported
		case b.F.Str(name):
			s.Flags |= scriptExported
		}
	}
	if found {
		if as != "default" && as != b.F.Str(name) {
			b.F.Imports = append(b.F.Imports, graph.Imported{Local: b.Str(as), Name: name, Flags: graph.ReExport | graph.ExportOnly, In: graph.None})
		}
		return
	}
	for i := range b.F.Imports {
		imp := b.F.Imports[i]
		if imp.Local != name || imp.Flags&graph.ExportOnly != 0 {
			continue
		}
		if as == b.F.Str(name) {
			b.F.Imports[i].Flags |= graph.ReExport
			return
		}
		imp.Local, imp.Off, imp.NameOff, imp.ModuleOff = b.Str(as), 0, 0, 0
		imp.Flags |= graph.ReExport | graph.ExportOnly
		b.F.Imports = append(b.F.Imports, imp)
		return
	}
}
