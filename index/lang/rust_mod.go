package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// rustMod: a module with a body holds its items; one without leads to a file.
func rustMod(b *Builder, n int32) bool {
	attr := b.Scratch[0]
	b.Scratch[0] = graph.None
	name := b.Field(n, "name")
	if name < 0 {
		return true
	}
	sym := b.Symbol(graph.Module, name, n, "")
	b.bindNested(sym)
	s := b.Sym(sym)
	if b.Has(n, "visibility_modifier") {
		s.Flags |= graph.Exported
	}
	if rustHasAttribute(b, attr, "test") {
		s.Flags |= graph.Test
	}
	if body := b.Field(n, "body"); body >= 0 {
		s.Body = b.Off(body)
		b.push(fileFrame, sym)
		rustPrepare(b, body)
		b.visitChildren(body)
		b.pop()
		rustConditional(b, attr, sym)
		return true
	}
	module := "mod " + b.F.Path(sym)
	if p := rustPathAttribute(b, attr); p != "" {
		module = "path " + p
		if around, _, nested := rustCutLast(b.F.Path(sym)); nested { // modules around it stand for folders
			module = "inner " + strings.ReplaceAll(around, ".", "/") + "/" + p
		}
	}
	b.F.Imports = append(b.F.Imports, graph.Imported{Module: b.Str(module), In: b.in})
	init := b.Expr(graph.Expr{Op: graph.OpImport, X: int32(len(b.F.Imports) - 1), Off: b.Off(name)})
	b.Sym(sym).Init = init
	rustConditional(b, attr, sym)
	return true
}

// rustCutLast cuts the path of a symbol before its own name.
func rustCutLast(p string) (before, name string, found bool) {
	i := strings.LastIndexByte(p, '.')
	if i < 0 {
		return "", p, false
	}
	return p[:i], p[i+1:], true
}

// rustPathAttribute is the file that a path attribute names.
func rustPathAttribute(b *Builder, attr int32) string {
	for ; attr >= 0 && int(attr) < len(b.t.Nodes) && (b.Is(attr, "attribute_item") || b.rule(attr).Do == Comment); attr = int32(b.Node(attr).Next) {
		if a := b.Find(attr, "attribute"); b.Is(attr, "attribute_item") && a >= 0 && b.Text(b.First(a)) == "path" {
			if s := b.Find(a, "string_content"); s >= 0 {
				return b.Text(s)
			}
		}
	}
	return ""
}

// rustPrepare makes the macros' and items' names of a module's or block's own known before
// its first statement where they must be.
func rustPrepare(b *Builder, n int32) {
	if !b.InFunction() {
		return
	}
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "function_item", "struct_item", "enum_item", "union_item", "trait_item", "type_item", "const_item", "static_item", "mod_item", "function_signature_item":
			if id := b.Field(c, "name"); id >= 0 && b.Text(id) != "_" {
				l := b.Local(b.nodeStr(id), b.Off(id), graph.None, graph.None, 0)
				b.F.Locals[l].Symbol = symbolToCome
			}
		case "use_declaration":
			rustUse(b, c)
		}
	}
}
