package lang

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// goFolders are Go's packages.
var goFolders = &Folders{
	Clause: goClause, Beside: "_test", Program: "main", Path: goPath, Name: goName, Visible: goVisible, Bound: goBound,
	Imports: goImports, Import: goAddImport, Drop: goDropImport, Qualifies: goQualifies, Mentions: goMentions,
}

// goFile parses a source; nil if that is not possible.
func goFile(src []byte, mode parser.Mode) (*ast.File, *token.File) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", src, mode)
	if err != nil || f == nil {
		return nil, nil
	}
	return f, set.File(f.FileStart)
}

func goClause(src []byte) (from, to int, ok bool) {
	f, at := goFile(src, parser.PackageClauseOnly)
	if f == nil {
		return 0, 0, false
	}
	return at.Offset(f.Name.Pos()), at.Offset(f.Name.End()), true
}

var goModule = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)

func goPath(dir string, read func(string) []byte) string {
	for d := dir; ; d = path.Dir(d) {
		if m := goModule.FindSubmatch(read(path.Join(d, "go.mod"))); m != nil {
			rest := strings.Trim(strings.TrimPrefix(dir, d), "/")
			if d == "." && dir != "." {
				rest = dir
			}
			return path.Join(string(m[1]), rest)
		}
		if d == "." || d == "/" {
			return ""
		}
	}
}

func goName(dir string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, path.Base(dir))
	if !token.IsIdentifier(name) {
		return ""
	}
	return name
}

func goVisible(importer, p string) bool {
	for rest, at := p, 0; ; {
		i := strings.Index(rest, "internal")
		if i < 0 {
			return true
		}
		start, end := at+i, at+i+len("internal")
		if (start == 0 || p[start-1] == '/') && (end == len(p) || p[end] == '/') {
			parent := strings.TrimSuffix(p[:start], "/")
			if importer != parent && !strings.HasPrefix(importer, parent+"/") {
				return false
			}
		}
		at, rest = end, p[end:]
	}
}

var goPragma = regexp.MustCompile(`(?m)^//go:(embed|linkname)\b`)

func goBound(src []byte) string {
	f, _ := goFile(src, parser.SkipObjectResolution)
	if f == nil {
		return "it cannot be parsed"
	}
	if m := goPragma.FindSubmatch(src); m != nil {
		return "it has a go:" + string(m[1]) + " directive"
	}
	for _, s := range f.Imports {
		switch {
		case s.Path.Value == `"C"`:
			return "it uses cgo"
		case s.Name != nil && s.Name.Name == ".":
			return "it has a dot import"
		}
	}
	return ""
}

func goImports(src []byte) []FolderImport {
	f, _ := goFile(src, parser.ImportsOnly)
	if f == nil {
		return nil
	}
	var out []FolderImport
	for _, s := range f.Imports {
		i := FolderImport{Path: goImportPath(s)}
		if s.Name != nil {
			i.Local = s.Name.Name
		}
		out = append(out, i)
	}
	return out
}

func goImportPath(s *ast.ImportSpec) string {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	return p
}

// goAddImport puts an import at its place in order among those it has the most in common with.
func goAddImport(src []byte, i FolderImport) []byte {
	f, at := goFile(src, parser.ImportsOnly)
	if f == nil {
		return src
	}
	spec := strconv.Quote(i.Path)
	if i.Local != "" {
		spec = i.Local + " " + spec
	}
	block := goImportBlock(f)
	switch {
	case block == nil && len(f.Decls) == 1: // one import without parentheses
		only := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ImportSpec)
		from, to := at.Offset(only.Pos()), at.Offset(only.End())
		one := insert(src[:from], from, "(\n\t"+string(src[from:to])+"\n)")
		return goAddImport(append(one, src[to:]...), i)
	case block == nil:
		return insert(src, lineEnd(src, at.Offset(f.Name.End())), "\n\nimport "+spec)
	}
	before, after := goNeighbours(block, at, src, i.Path)
	switch {
	case before != nil:
		return insert(src, lineEnd(src, at.Offset(before.End())), "\n\t"+spec)
	case after != nil:
		start := bytes.LastIndexByte(src[:at.Offset(after.Pos())], '\n') + 1
		return insert(src, start, "\t"+spec+"\n")
	}
	end := bytes.LastIndexByte(src[:at.Offset(block.Rparen)], '\n') + 1
	return insert(src, end, "\n\t"+spec+"\n")
}

// goImportBlock is the first declaration of imports in parentheses.
func goImportBlock(f *ast.File) *ast.GenDecl {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && g.Lparen.IsValid() {
			return g
		}
	}
	return nil
}

// goNeighbours are the import that a new one goes behind, or else the one that it goes before, in the
// group of lines that is most like it.
func goNeighbours(block *ast.GenDecl, at *token.File, src []byte, p string) (before, after *ast.ImportSpec) {
	best, group, line := -1, 0, 0 // below 0 nothing is like it: a group of its own
	groups := map[int][]*ast.ImportSpec{}
	chosen := 0
	for _, d := range block.Specs {
		s := d.(*ast.ImportSpec)
		if n := at.Line(s.Pos()); line > 0 && n > line+1 && bytes.Contains(src[at.Offset(at.LineStart(line)):at.Offset(s.Pos())], []byte("\n\n")) {
			group++
		}
		line = at.Line(s.End())
		groups[group] = append(groups[group], s)
		if like := commonSegments(goImportPath(s), p); like > best {
			best, chosen = like, group
		}
	}
	if best < 0 {
		return nil, nil
	}
	for _, s := range groups[chosen] {
		if goImportPath(s) < p {
			before = s
		} else if after == nil {
			after = s
		}
	}
	return before, after
}

func commonSegments(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if n == 0 && strings.Contains(x[0], ".") == strings.Contains(y[0], ".") {
		return 0
	}
	return 2*n - 1
}

func goDropImport(src []byte, p string) []byte {
	f, at := goFile(src, parser.ImportsOnly)
	if f == nil {
		return src
	}
	for _, d := range f.Decls {
		g := d.(*ast.GenDecl)
		i := slices.IndexFunc(g.Specs, func(s ast.Spec) bool { return goImportPath(s.(*ast.ImportSpec)) == p })
		if i < 0 {
			continue
		}
		var from, to token.Pos = g.Pos(), g.End()
		if len(g.Specs) > 1 {
			from, to = g.Specs[i].Pos(), g.Specs[i].End()
		}
		start := bytes.LastIndexByte(src[:at.Offset(from)], '\n') + 1
		end := min(lineEnd(src, at.Offset(to))+1, len(src))
		switch rest := src[end:]; {
		case bytes.HasPrefix(rest, []byte("\n")) && (len(g.Specs) == 1 || bytes.HasSuffix(src[:start], []byte("(\n"))):
			end++
		case bytes.HasPrefix(rest, []byte(")")) && bytes.HasSuffix(src[:start], []byte("\n\n")):
			start--
		}
		return append(bytes.Clone(src[:start]), src[end:]...)
	}
	return src
}

// goQualifies counts the selectors whose operand is the name of an import.
func goQualifies(src []byte, local string) int {
	f, _ := goFile(src, 0)
	if f == nil {
		return 0
	}
	n := 0
	ast.Inspect(f, func(x ast.Node) bool {
		if s, ok := x.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Name == local && id.Obj == nil {
				n++
			}
		}
		return true
	})
	return n
}

// goMentions reports whether a name occurs in a file, other than behind a dot.
func goMentions(src []byte, name string) bool {
	f, _ := goFile(src, parser.SkipObjectResolution)
	if f == nil {
		return true
	}
	found := false
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(x.X, func(y ast.Node) bool {
				id, ok := y.(*ast.Ident)
				found = found || ok && id.Name == name
				return !found
			})
			return false
		case *ast.Ident:
			found = found || x.Name == name && x != f.Name
		}
		return !found
	})
	return found
}

// lineEnd is where the line of an offset ends, in front of its line feed.
func lineEnd(src []byte, off int) int {
	if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
		return off + i
	}
	return len(src)
}

func insert(src []byte, at int, text string) []byte {
	return fmt.Appendf(nil, "%s%s%s", src[:at], text, src[at:])
}
