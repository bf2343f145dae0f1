package lang

import (
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// phpNamespace: a file's namespace is its package. In a file of several, the path of each is
// part of the path of what it holds.
func phpNamespace(b *Builder, n int32) bool {
	name := phpDotted(b.Text(b.Field(n, "name")))
	if b.Scratch[0] < 0 { // the first: are there others?
		b.Scratch[0] = 0
		for c := b.First(0); c >= 0; c = b.Next(0, c) {
			if b.Is(c, "namespace_definition") && phpDotted(b.Text(b.Field(c, "name"))) != name {
				b.Scratch[0] = 1
			}
		}
	}
	if b.Scratch[0] == 1 {
		b.space = name
	} else {
		b.F.Package = name
	}
	b.doc = docRun{}
	if body := b.Field(n, "body"); body >= 0 {
		b.visitChildren(body)
	}
	return true
}

// phpSpace is the dotted path of the namespace at this place.
func (b *Builder) phpSpace() string {
	if b.Scratch[0] == 1 {
		return b.space
	}
	return b.F.Package
}

// phpDotted is a name with backslashes as a dotted path.
func phpDotted(name string) string {
	name = strings.Join(strings.Fields(name), "")
	return strings.ReplaceAll(strings.Trim(name, `\`), `\`, ".")
}

// phpUse is `use A\B as C, D\E`, `use A\{B, C as D}`, and the same of functions and constants.
func phpUse(b *Builder, n int32) bool {
	var flags graph.ImportFlags
	prefix := ""
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		switch b.Kind(c) {
		case "function":
			flags = graph.Callables
		case "const":
			flags = graph.Values
		case "namespace_name":
			prefix = phpDotted(b.Text(c))
		case "namespace_use_clause":
			phpImport(b, c, prefix, flags)
		case "namespace_use_group":
			for k := b.First(c); k >= 0; k = b.Next(c, k) {
				phpImport(b, k, prefix, flags)
			}
		}
	}
	return true
}

// phpImport is one name of a use declaration; prefix is the path of its group.
func phpImport(b *Builder, n int32, prefix string, flags graph.ImportFlags) {
	switch {
	case b.Has(n, "function"):
		flags = graph.Callables
	case b.Has(n, "const"):
		flags = graph.Values
	}
	what := b.Child(n, "qualified_name", "namespace_name", "name")
	last := phpLast(b, what)
	if last < 0 {
		return
	}
	full := phpDotted(b.Text(what))
	if prefix != "" {
		full = prefix + "." + full
	}
	name := b.Text(last)
	imp := graph.Imported{Local: b.Str(name), Name: b.Str(name), NameOff: b.Off(last), Flags: flags, In: graph.None,
		Module: b.Str(strings.TrimSuffix(strings.TrimSuffix(full, name), "."))}
	if alias := b.First(b.Child(n, "namespace_aliasing_clause")); alias >= 0 {
		imp.Local, imp.Off = b.nodeStr(alias), b.Off(alias)
	}
	b.F.Imports = append(b.F.Imports, imp)
}

// phpLast is the node of the last part of the name at n.
func phpLast(b *Builder, n int32) int32 {
	if n < 0 || b.Is(n, "name") {
		return n
	}
	last := graph.None
	for c := b.First(n); c >= 0; c = b.Next(n, c) {
		if b.Is(c, "name") {
			last = c
		}
	}
	return last
}

// phpModules: the module of an import is a namespace; a file that is included may be found
// beside the one that includes it, or from the root.
func phpModules(q ModuleQuery) []Candidate {
	if !strings.ContainsAny(q.Module, "/") && !strings.HasSuffix(q.Module, ".php") {
		return []Candidate{{Scope: graph.Scope("php", "").Path(q.Module), Space: q.Module}}
	}
	beside, rooted := path.Join(path.Dir(q.From), q.Module), path.Clean(q.Module)
	for _, p := range []string{beside, rooted} {
		if q.File(p) {
			return []Candidate{{Path: p}}
		}
	}
	return nil
}

// phpInclude: a file whose path is written out is imported.
func phpInclude(b *Builder, n int32) bool {
	b.visitChildren(n)
	text := b.Text(n)
	str := b.Find(n, "string_content")
	if str < 0 || strings.Count(text, "'")+strings.Count(text, `"`) != 2 || strings.Contains(text, "$") {
		return true
	}
	p := strings.TrimPrefix(b.Text(str), "/")
	for range strings.Count(text, "dirname(__DIR__") {
		p = "../" + p
	}
	for range max(strings.Count(text, "dirname(")-1, 0) {
		p = "../" + p
	}
	if strings.Contains(text, "__DIR__") || strings.Contains(text, "dirname(__FILE__)") || strings.HasPrefix(p, ".") {
		p = "./" + p
	}
	b.F.Imports = append(b.F.Imports, graph.Imported{Module: b.Str(p), ModuleOff: b.Off(str), In: b.in})
	return true
}

// phpName is the thing of that role that the name at n means: one written with backslashes in
// the namespace that it spells out, another by the rules for plain names.
func phpName(b *Builder, n int32, role graph.Role) int32 {
	text := b.Text(n)
	switch strings.ToLower(text) {
	case "self":
		return b.Expr(graph.Expr{Op: graph.OpSelf, X: graph.None, Off: b.Off(n)})
	case "static":
		return b.Expr(graph.Expr{Op: graph.OpSelf, N: 1, X: graph.None, Off: b.Off(n)})
	case "parent":
		return b.Expr(graph.Expr{Op: graph.OpSuper, X: graph.None, Off: b.Off(n)})
	}
	last := phpLast(b, n)
	if last < 0 {
		return graph.None
	}
	if role == graph.Read {
		switch strings.ToLower(b.Text(last)) {
		case "true", "false", "null", "__dir__", "__file__", "__line__", "__class__", "__function__", "__method__", "__namespace__":
			return b.Literal(n, "string")
		}
	}
	return phpNamed(b, text, b.nodeStr(last), b.Off(last), role)
}

// phpSelfType is the type around the code: of a trait, that of what uses it.
func phpSelfType(b *Builder, off uint32) int32 {
	if o := b.EnclosingType(); o >= 0 && b.Sym(o).Kind != graph.Trait {
		return b.Expr(graph.Expr{Op: graph.OpSymbol, X: o, Off: off})
	}
	return b.Expr(graph.Expr{Op: graph.OpSelf, N: 1, X: graph.None, Off: off})
}

// phpNamed is the thing of that role that text, whose last part is name, means.
func phpNamed(b *Builder, text string, name, off uint32, role graph.Role) int32 {
	space, qualified := phpPath(b, text)
	if !qualified {
		return b.Expr(graph.Expr{Op: graph.OpName, Role: role, Name: name, Off: off, X: graph.None})
	}
	in := b.Expr(graph.Expr{Op: graph.OpSpace, Name: b.Str(space), Off: off, X: graph.None})
	return b.Expr(graph.Expr{Op: graph.OpMember, Role: role, X: in, Name: name, Off: off})
}

// phpPath is the dotted path of the namespace that text spells before its last part, and
// whether it does.
func phpPath(b *Builder, text string) (string, bool) {
	text = strings.Join(strings.Fields(text), "")
	i := strings.LastIndexByte(text, '\\')
	if i < 0 {
		if b.Scratch[0] == 1 && phpAlias(b, text) == nil {
			return b.space, true
		}
		return "", false
	}
	if text[0] == '\\' {
		return phpDotted(text[:i]), true
	}
	first, rest, _ := strings.Cut(phpDotted(text[:i]), ".")
	space := b.phpSpace()
	if strings.EqualFold(first, "namespace") {
		first, rest, _ = strings.Cut(rest, ".")
	} else if imp := phpAlias(b, first); imp != nil {
		space, first = b.F.Strings[imp.Module], b.F.Strings[imp.Name]
	}
	for _, part := range []string{first, rest} {
		if part != "" && space != "" {
			space += "."
		}
		space += part
	}
	return space, true
}

// phpAlias is the import of a type or namespace under that name, or nil.
func phpAlias(b *Builder, name string) *graph.Imported {
	for i := range b.F.Imports {
		imp := &b.F.Imports[i]
		if imp.Local != 0 && imp.Flags&(graph.Callables|graph.Values) == 0 && strings.EqualFold(b.F.Strings[imp.Local], name) {
			return imp
		}
	}
	return nil
}
