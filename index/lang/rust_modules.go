package lang

import (
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// ImplName is the name of impl blocks, which have none.
const ImplName = "(impl)"

func rustExternCrate(b *Builder, n int32) bool {
	name, alias := b.Field(n, "name"), b.Field(n, "alias")
	attr := b.Scratch[0]
	b.Scratch[0] = graph.None
	if name < 0 || b.Is(name, "self") {
		return true
	}
	imp := graph.Imported{Module: b.nodeStr(name), ModuleOff: b.Off(name), Local: b.nodeStr(name), In: b.in}
	if alias >= 0 {
		imp.Local, imp.Off = b.nodeStr(alias), b.Off(alias)
	}
	if b.Has(n, "visibility_modifier") {
		imp.Flags |= graph.ReExport
	}
	from := len(b.F.Imports)
	rustAddImport(b, name, imp)
	rustConditionalImports(b, attr, from)
	return true
}

// rustAddImport adds an import. Inside a function its name is a local one.
func rustAddImport(b *Builder, n int32, imp graph.Imported) {
	b.F.Imports = append(b.F.Imports, imp)
	if !b.InFunction() || imp.Local == 0 {
		return
	}
	e := b.Expr(graph.Expr{Op: graph.OpImport, X: int32(len(b.F.Imports) - 1), Off: b.Off(n)})
	b.Local(imp.Local, b.Off(n), graph.None, e, 0)
}

// rustUse is a use declaration: one import for each name that it brings in.
func rustUse(b *Builder, n int32) bool {
	flags := graph.ImportFlags(0)
	attr := b.Scratch[0]
	b.Scratch[0] = graph.None
	if b.Has(n, "visibility_modifier") {
		flags |= graph.ReExport
	}
	if arg := b.Field(n, "argument"); arg >= 0 {
		u := rustUses{b, flags}
		from := len(b.F.Imports)
		u.tree(arg, "", graph.None)
		rustConditionalImports(b, attr, from)
	}
	return true
}

type rustUses struct {
	b     *Builder
	flags graph.ImportFlags
}

// tree takes the part at n of a use declaration, whose names are members of module mod, which
// expression x names.
func (u *rustUses) tree(n int32, mod string, x int32) {
	b := u.b
	switch b.Kind(n) {
	case "use_list":
		for c := b.First(n); c >= 0; c = b.Next(n, c) {
			u.tree(c, mod, x)
		}
	case "scoped_use_list":
		if p := b.Field(n, "path"); p >= 0 {
			mod, x = u.path(p, mod, x)
		} else if mod == "" {
			mod = "::"
		}
		if l := b.Field(n, "list"); l >= 0 {
			u.tree(l, mod, x)
		}
	case "use_wildcard":
		if c := b.First(n); c >= 0 {
			mod, _ = u.path(c, mod, x)
		}
		imp := graph.Imported{Module: b.Str(mod), Flags: u.flags | graph.Star, In: b.in}
		b.F.Imports = append(b.F.Imports, imp)
	case "use_as_clause":
		if p := b.Field(n, "path"); p >= 0 {
			u.leaf(p, b.Field(n, "alias"), mod, x)
		}
	case "identifier", "scoped_identifier", "self", "crate", "super":
		u.leaf(n, graph.None, mod, x)
	}
}

// path takes the modules that n names, one in the other.
func (u *rustUses) path(n int32, mod string, x int32) (string, int32) {
	b := u.b
	switch b.Kind(n) {
	case "crate", "super", "self":
		if mod != "" {
			return mod + "::" + b.Text(n), x
		}
		return b.Text(n), rustModule(b, n, b.Text(n))
	case "scoped_identifier":
		if p := b.Field(n, "path"); p >= 0 {
			mod, x = u.path(p, mod, x)
		} else if mod == "" {
			mod = "::"
		}
		n = b.Field(n, "name")
	}
	if n < 0 || b.Is(n, "super") || b.Is(n, "self") {
		return mod + "::" + b.Text(n), graph.None
	}
	if mod == "" {
		return b.Text(n), b.Expr(graph.Expr{Op: graph.OpName, Role: graph.Import, Name: b.nodeStr(n), Off: b.Off(n), X: graph.None})
	}
	if x >= 0 {
		x = b.Expr(graph.Expr{Op: graph.OpMember, Role: graph.Import, X: x, Name: b.nodeStr(n), Off: b.Off(n)})
	}
	return mod + "::" + b.Text(n), x
}

// leaf is a name that is brought in, maybe under another.
func (u *rustUses) leaf(n, alias int32, mod string, x int32) {
	b := u.b
	name := n
	if b.Is(n, "scoped_identifier") {
		if p := b.Field(n, "path"); p >= 0 {
			mod, _ = u.path(p, mod, x)
		} else if mod == "" {
			mod = "::"
		}
		name = b.Field(n, "name")
	}
	if name < 0 {
		return
	}
	imp := graph.Imported{Flags: u.flags, In: b.in}
	switch {
	case b.Is(name, "self") && mod != "": // the module itself
		i := strings.LastIndex(mod, "::")
		if i > 0 {
			imp.Module, imp.Name, imp.Local = b.Str(mod[:i]), b.Str(mod[i+2:]), b.Str(mod[i+2:])
		} else {
			imp.Module, imp.Local = b.Str(mod), b.Str(mod)
		}
	case mod == "":
		imp.Module, imp.ModuleOff, imp.Local = b.nodeStr(name), b.Off(name), b.nodeStr(name)
	default:
		imp.Module, imp.Name, imp.NameOff, imp.Local = b.Str(mod), b.nodeStr(name), b.Off(name), b.nodeStr(name)
	}
	if alias >= 0 {
		imp.Local, imp.Off = b.nodeStr(alias), b.Off(alias)
		if b.Text(alias) == "_" {
			imp.Local = 0
		}
	}
	rustAddImport(b, n, imp)
}

// rustModules finds the files of modules that are named by where they are: `mod a.b` is a module of the
// file, `path x.rs` a file beside it, `inner a/x.rs` one in the folder of its modules, crate and super are
// files above it, `::` is the root of paths in older editions, any other name is a crate.
func rustModules(q ModuleQuery) []Candidate {
	dir, own := rustFolder(q.From)
	m := q.Module
	switch {
	case strings.HasPrefix(m, "path "):
		return rustFiles(q, path.Join(path.Dir(q.From), m[len("path "):]))
	case strings.HasPrefix(m, "inner "):
		return rustFiles(q, path.Join(own, m[len("inner "):]))
	case m == "::":
		return rustOldRoot(q)
	case strings.HasPrefix(m, "mod "):
		p := path.Join(own, strings.ReplaceAll(m[len("mod "):], ".", "/"))
		out := rustFiles(q, p+".rs", path.Join(p, "mod.rs"))
		if len(out) == 0 && rustIsRoot(q, q.From) { // a test or program of its own beside its modules
			p = path.Join(dir, strings.ReplaceAll(m[len("mod "):], ".", "/"))
			out = rustFiles(q, p+".rs", path.Join(p, "mod.rs"))
		}
		return out
	case m == "self":
		return rustFiles(q, q.From)
	case m == "super":
		return rustParent(q, q.From)
	case m == "crate":
		return rustCrate(q, q.From)
	}
	var out []Candidate
	for _, h := range q.Config(graph.Scope("config", "Cargo.toml"), m) {
		out = append(out, rustFiles(q, h.Value)...)
	}
	return out
}

func rustFiles(q ModuleQuery, paths ...string) []Candidate {
	var out []Candidate
	for _, p := range paths {
		if q.File(p) {
			out = append(out, Candidate{Path: p})
		}
	}
	return out
}

// rustFolder is the folder of a file and the one in which its modules are.
func rustFolder(p string) (dir, own string) {
	dir = path.Dir(p)
	switch base := strings.TrimSuffix(path.Base(p), ".rs"); base {
	case "mod", "lib", "main":
		return dir, dir
	default:
		return dir, path.Join(dir, base)
	}
}

// rustIsRoot reports whether p is a crate's first file by its place or name.
func rustIsRoot(q ModuleQuery, p string) bool {
	switch path.Base(p) {
	case "lib.rs", "main.rs", "build.rs":
		return true
	case "mod.rs":
		return false
	}
	dir := path.Dir(p)
	switch path.Base(dir) {
	case "tests", "benches", "examples", "bin":
		return !q.File(path.Join(dir, "mod.rs")) && !q.File(dir+".rs")
	}
	return false
}

// rustParent is the module that holds the file at p: a file, or a module with a body in one.
func rustParent(q ModuleQuery, p string) []Candidate {
	file, inner := rustAbove(q, p)
	switch {
	case file == "":
		return nil
	case inner == "":
		return rustFiles(q, file)
	}
	return []Candidate{{Scope: FileScope(file), Member: inner}}
}

// maxInner is how deep modules with bodies are looked for that hold a file.
const maxInner = 6

// rustAbove is the file that declares the module whose file is p, and the dotted path of the modules with
// bodies in it around the declaration: these stand for folders.
func rustAbove(q ModuleQuery, p string) (file, inner string) {
	dir := path.Dir(p)
	if path.Base(p) == "mod.rs" {
		dir = path.Dir(dir)
	}
	for range maxInner {
		for _, f := range [...]string{path.Join(dir, "mod.rs"), dir + ".rs", path.Join(dir, "lib.rs"), path.Join(dir, "main.rs")} {
			if f != p && q.File(f) {
				return f, inner
			}
		}
		up := path.Dir(dir)
		if up == dir {
			break
		}
		inner = strings.TrimSuffix(path.Base(dir)+"."+inner, ".")
		dir = up
	}
	return "", ""
}

// rustCrate is the first file of the crate of the file at p.
func rustCrate(q ModuleQuery, p string) []Candidate {
	for range 64 {
		if rustIsRoot(q, p) {
			return rustFiles(q, p)
		}
		dir := path.Dir(p)
		if out := rustFiles(q, path.Join(dir, "lib.rs"), path.Join(dir, "main.rs")); len(out) > 0 {
			return out[:1]
		}
		up, _ := rustAbove(q, p)
		if up == "" {
			break
		}
		p = up
	}
	return nil
}

// rustOldRoot is the first file of the crate, if the crate is of an edition that looks paths up from there.
func rustOldRoot(q ModuleQuery) []Candidate {
	root := rustCrate(q, q.From)
	if len(root) == 0 {
		return nil
	}
	dir := path.Dir(root[0].Path)
	for range 3 {
		if len(q.Config(graph.Scope("config", "Cargo.toml"), editionKey+dir)) > 0 {
			return nil
		}
		dir = path.Dir(dir)
	}
	return root
}
