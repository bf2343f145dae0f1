package edittools

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// packageAfter is the package that a moved file belongs to by its folder; ok is false if
// its package was not the path of its folder before.
func packageAfter(pkg, was, is string) (string, bool) {
	dir, name := segments(path.Dir(was)), strings.Split(pkg, ".")
	if len(name) > len(dir) || pkg == "" || !equalSegments(name, dir[len(dir)-len(name):]) {
		return "", false
	}
	root, to := dir[:len(dir)-len(name)], segments(path.Dir(is))
	if len(to) <= len(root) || !equalSegments(root, to[:len(root)]) {
		return "", false
	}
	return strings.Join(to[len(root):], "."), true
}

// packages follows a move where a file's package is the path of its folder.
func (m *mover) packages(id graph.FileID, f *graph.Facts, l *graph.Links, known *lang.Language, src []byte) {
	was, is := m.pathOf(id)
	clause := regexp.MustCompile(`(?m)^[ \t]*package[ \t]+(` + regexp.QuoteMeta(f.Package) + `)[ \t]*;?`).FindSubmatchIndex(src)
	now := f.Package
	if is != was && clause != nil {
		if pkg, ok := packageAfter(f.Package, was, is); ok && pkg != f.Package {
			now = pkg
			m.add(id, clause[2], clause[3], pkg)
		}
	}
	m.hidden(id, f, l)
	m.overriding(id, f)
	imports := m.namesInFull(id, f, l, src, now)
	if len(imports) == 0 || clause == nil || known.ImportLine == "" {
		return
	}
	var b strings.Builder
	end := newEnd(newPlain(src), 0)
	for _, name := range imports {
		b.WriteString(end + fmt.Sprintf(known.ImportLine, name))
	}
	m.add(id, clause[1], clause[1], b.String())
}

// namesInFull rewrites names that stand with their package, and returns those that have to
// be imported since they and the file are no longer in one package.
func (m *mover) namesInFull(id graph.FileID, f *graph.Facts, l *graph.Links, src []byte, now string) []string {
	need := map[string]bool{}
	graph.Sites(id, f, l, func(x graph.Site) {
		t, ok := m.topTarget(&x)
		if !ok {
			return
		}
		pkg := m.side.facts[t.File].Package
		was, is := m.pathOf(t.File)
		after := pkg
		if p, ok := packageAfter(pkg, was, is); ok {
			after = p
		}
		at := int(x.Off) - len(pkg) - 1
		switch name := f.Str(x.Name); {
		case pkg != "" && at >= 0 && string(src[at:x.Off]) == pkg+".":
			if after != pkg {
				m.add(id, at, int(x.Off)-1, after)
			}
		case x.Reason == graph.ByPackage && pkg == f.Package && after != now && after != "":
			need[after+"."+name] = true
		}
	})
	var out []string
	for name := range need {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// topTarget is the only definition of a package itself that a site refers to, besides members of it: making a value
// of a type refers to the type and to its constructor.
func (m *mover) topTarget(x *graph.Site) (top graph.Target, ok bool) {
	if x.Expr < 0 {
		return top, false
	}
	for _, t := range x.Targets {
		if m.side.load([]graph.FileID{t.File}) != nil || m.side.facts[t.File] == nil || ok && top.File != t.File {
			return top, false
		}
		if i, found := m.side.symbolsBy(t.File)[t.Hash]; found && m.side.facts[t.File].Symbols[i].Container == graph.None {
			if ok && top != t {
				return top, false
			}
			top, ok = t, true
		}
	}
	return top, ok
}

// packagesOf are a file's package before and after the move.
func (m *mover) packagesOf(id graph.FileID) (was, is string) {
	f := m.side.facts[id]
	if f == nil {
		return "", ""
	}
	from, to := m.pathOf(id)
	if pkg, ok := packageAfter(f.Package, from, to); ok {
		return f.Package, pkg
	}
	return f.Package, f.Package
}

// hidden refuses references to what only its own package sees, if the file and the thing would no longer be
// in one.
func (m *mover) hidden(id graph.FileID, f *graph.Facts, l *graph.Links) {
	was, is := m.packagesOf(id)
	inherits := map[graph.Handle]bool{}
	graph.Sites(id, f, l, func(x graph.Site) {
		for _, t := range x.Targets {
			if t.File == id || m.side.load([]graph.FileID{t.File}) != nil || m.side.facts[t.File] == nil {
				continue
			}
			wasTo, isTo := m.packagesOf(t.File)
			i, ok := m.side.symbolsBy(t.File)[t.Hash]
			if !ok || was != wasTo || is == isTo {
				continue
			}
			s := &m.side.facts[t.File].Symbols[i]
			if x.Role == graph.Inherit {
				inherits[graph.Handle{File: t.File, Index: i}] = true
			}
			open := s.Flags&graph.Exported != 0
			if s.Flags&graph.Protected != 0 {
				open = inherits[graph.Handle{File: t.File, Index: s.Container}]
			}
			if !open && x.Expr >= 0 {
				m.fault("%s is used at %s and is visible in package %s only", m.side.facts[t.File].Str(s.Name), m.where(id, x.Off), was)
			}
		}
	})
}

// overriding refuses to part a type from one whose methods it overrides although only their package sees them.
func (m *mover) overriding(id graph.FileID, f *graph.Facts) {
	was, is := m.packagesOf(id)
	var mine map[string]uint32
	for _, base := range m.bases(id) {
		b := m.side.facts[base]
		if wasTo, isTo := m.packagesOf(base); b == nil || was != wasTo || is == isTo {
			continue
		}
		if mine == nil {
			mine = methods(f, func(graph.Flags) bool { return true })
		}
		for name := range methods(b, func(flags graph.Flags) bool { return flags&(graph.Exported|graph.Private|graph.Static) == 0 }) {
			if off, ok := mine[name]; ok {
				m.fault("%s at %s overrides what is visible in package %s only", name[:strings.IndexByte(name, '/')], m.where(id, off), was)
			}
		}
	}
}

// methods are a file's methods with certain flags, by name and number of parameters, and where one of each is.
func methods(f *graph.Facts, with func(graph.Flags) bool) map[string]uint32 {
	out := map[string]uint32{}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Kind == graph.Method && with(s.Flags) {
			out[fmt.Sprintf("%s/%d", f.Str(s.Name), len(f.List(s.Params)))] = s.NameOff
		}
	}
	return out
}

// bases are the files of the types that those of a file inherit from, directly or not.
func (m *mover) bases(id graph.FileID) (out []graph.FileID) {
	seen := map[graph.FileID]bool{id: true}
	for todo := []graph.FileID{id}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		if m.side.load([]graph.FileID{at}) != nil || m.loadLinks([]graph.FileID{at}) != nil {
			return out
		}
		graph.Sites(at, m.side.facts[at], m.links[at], func(x graph.Site) {
			for _, t := range x.Targets {
				if x.Role == graph.Inherit && !seen[t.File] {
					seen[t.File] = true
					todo, out = append(todo, t.File), append(out, t.File)
				}
			}
		})
	}
	return out
}
