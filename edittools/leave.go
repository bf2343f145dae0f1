package edittools

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// How a file leaves its package
//
// Where the files of a folder are one package (lang.Folders), a file that goes to another folder changes
// packages. Its clause follows. A name that was visible because both sides were in one package gets
// the package's name before it and an import; one that stands behind the name of the old package gets that
// of the new one, or none inside it; imports that nothing needs any more go. All of it is proven by
// linking, and what cannot be so is refused, with the places: names that are not exported, methods apart from their
// type, names that the new package has already, packages that would import each other.

// leaving is a file on its way from one package to another.
type leaving struct {
	*mover
	rules        *lang.Folders
	export       func(name string) bool
	x            graph.FileID
	dir, dirTo   string // the folders
	name, nameTo string // what the packages there are called
	beside       bool   // the file's package stands beside that of its folder
	path, pathTo string // how the folders are imported
	home, host   []graph.FileID
	tops         map[graph.FileID]map[string]bool
	wanted       map[graph.FileID]map[string]lang.FolderImport // imports to add, by path
	freed        map[graph.FileID]bool                         // files that may need an import no more
	texts        map[graph.FileID][]byte                       // what becomes of the files
}

// leaver is the file of a move that leaves its package; nil if the move is none of that kind.
func (m *mover) leaver() *leaving {
	if m.whole != "" || len(m.moved) != 1 {
		return nil
	}
	for id := range m.moved {
		f := m.side.facts[id]
		was, is := m.pathOf(id)
		if f == nil || path.Dir(was) == path.Dir(is) {
			return nil
		}
		known := lang.Named(f.Language)
		if known == nil || known.Folders == nil {
			return nil
		}
		v := &leaving{mover: m, rules: known.Folders, export: known.Export, x: id, dir: path.Dir(was), dirTo: path.Dir(is),
			tops: map[graph.FileID]map[string]bool{}, wanted: map[graph.FileID]map[string]lang.FolderImport{},
			freed: map[graph.FileID]bool{}, texts: map[graph.FileID][]byte{}}
		v.name, v.beside = strings.CutSuffix(f.Package, v.rules.Beside)
		return v
	}
	return nil
}

// leave rewrites what refers to the file, and the file, or refuses.
func (v *leaving) leave(users []graph.FileID) error {
	if err := v.meet(); err != nil {
		return err
	}
	all := append(slices.Clone(users), append(v.home, v.host...)...)
	slices.Sort(all)
	all = slices.Compact(all)
	if err := v.loadLinks(all); err != nil {
		return err
	}
	v.apart()
	for _, id := range all {
		graph.Sites(id, v.side.facts[id], v.links[id], func(s graph.Site) { v.site(id, &s) })
	}
	if len(v.faults) == 0 {
		v.clause()
		for _, id := range all {
			v.finish(id)
		}
		v.circles()
	}
	return v.refusal()
}

// meet finds the files of both packages.
func (v *leaving) meet() error {
	var ids []graph.FileID
	files := v.s.Files()
	for i := range files {
		f := &files[i]
		switch dir := path.Dir(f.Path); {
		case f.ID == v.x || !v.code(f):
		case dir == v.dir:
			v.home = append(v.home, f.ID)
		case dir == v.dirTo:
			v.host = append(v.host, f.ID)
		default:
			continue
		}
		ids = append(ids, f.ID)
	}
	if err := v.side.load(ids); err != nil {
		return err
	}
	for _, id := range v.host {
		if f := v.side.facts[id]; f != nil && v.nameTo == "" && f.Package != "" && f.Variant == 0 {
			v.nameTo = strings.TrimSuffix(f.Package, v.rules.Beside)
		}
	}
	if v.nameTo == "" {
		v.nameTo = v.rules.Name(v.dirTo)
	}
	v.path, v.pathTo = v.rules.Path(v.dir, v.side.bytes), v.rules.Path(v.dirTo, v.side.bytes)
	src := v.source(v.x)
	switch why := v.rules.Bound(src); {
	case why != "":
		v.fault("%s", why)
	case v.nameTo == "":
		v.fault("the name of the folder is no name for a package")
	case v.path == "" || v.pathTo == "":
		v.fault("how the folders are imported cannot be told")
	}
	return nil
}

// code reports whether a file is code of the language, and no configuration.
func (v *leaving) code(f *graph.File) bool {
	x := v.side.facts[v.x].Language
	return f.Language == x && !slices.Contains(lang.Named(x).Configs, path.Base(f.Path))
}

func (v *leaving) source(id graph.FileID) []byte {
	was, _ := v.pathOf(id)
	return v.side.bytes(was)
}

// packages are the package of a file before and after the move, as folder and name.
func (v *leaving) packages(id graph.FileID) (was, is string) {
	f := v.side.facts[id]
	if f == nil {
		return "", ""
	}
	p, _ := v.pathOf(id)
	was = path.Dir(p) + ":" + f.Package
	if id != v.x {
		return was, was
	}
	return was, v.dirTo + ":" + v.packageTo()
}

// packageTo is the package that the file's clause names after the move.
func (v *leaving) packageTo() string {
	if v.beside {
		return v.nameTo + v.rules.Beside
	}
	return v.nameTo
}

// isTop reports whether a symbol is one of its package itself.
func isTop(f *graph.Facts, s *graph.Symbol) bool {
	return s.Container == graph.None && f.Str(s.Qual) == ""
}

// topsOf are the names of a file's own that its package has.
func (v *leaving) topsOf(id graph.FileID) map[string]bool {
	if t, ok := v.tops[id]; ok {
		return t
	}
	out := map[string]bool{}
	if f := v.side.facts[id]; f != nil {
		for i := range f.Symbols {
			if s := &f.Symbols[i]; isTop(f, s) && f.Str(s.Name) != "_" && f.Str(s.Name) != "init" {
				out[f.Str(s.Name)] = true
			}
		}
	}
	v.tops[id] = out
	return out
}

// apart finds what forbids the move whoever refers to the file: methods and types on two sides, names that are there
// already, methods that tie types together by a name that is not exported.
func (v *leaving) apart() {
	mine := v.topsOf(v.x)
	for _, id := range v.host {
		if _, is := v.packages(v.x); is != v.side.packageOf(id) {
			continue
		}
		for name := range mine {
			if v.topsOf(id)[name] {
				v.fault("package %s has a %s already", v.nameTo, name)
			}
		}
	}
	f := v.side.facts[v.x]
	own := map[string]bool{}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if of := f.Str(s.Qual); s.Kind == graph.Method && s.Container == graph.None && !mine[of] {
			v.fault("%s is a method of %s, which stays (%s)", f.Str(s.Name), of, v.where(v.x, s.NameOff))
		}
		if !isTop(f, s) && !v.export(f.Str(s.Name)) {
			own[f.Str(s.Name)] = true
		}
	}
	for _, id := range v.home {
		h := v.side.facts[id]
		if h == nil {
			continue
		}
		for i := range h.Symbols {
			s := &h.Symbols[i]
			switch name := h.Str(s.Name); {
			case s.Kind == graph.Method && s.Container == graph.None && mine[h.Str(s.Qual)]:
				v.fault("%s is a method of %s, which would go (%s)", name, h.Str(s.Qual), v.where(id, s.NameOff))
			case s.Kind == graph.Method && own[name]:
				v.fault("%s is a method of types on both sides and not exported (%s)", name, v.where(id, s.NameOff))
			}
		}
	}
}

// packageOf is the folder and package of a file.
func (d *side) packageOf(id graph.FileID) string {
	f, err := d.file(id)
	if err != nil || d.facts[id] == nil {
		return ""
	}
	return path.Dir(f.Path) + ":" + d.facts[id].Package
}

// site follows one reference.
func (v *leaving) site(id graph.FileID, s *graph.Site) {
	if s.Expr < 0 {
		return
	}
	name := v.side.facts[id].Str(s.Name)
	if s.Status == graph.Unresolved && !v.export(name) {
		v.unknown(id, s, name)
	}
	for _, t := range s.Targets {
		if v.side.load([]graph.FileID{t.File}) != nil || v.side.facts[t.File] == nil || id != v.x && t.File != v.x {
			continue
		}
		if i, ok := v.side.symbolsBy(t.File)[t.Hash]; ok && t.File != id {
			v.across(id, s, t.File, &v.side.facts[t.File].Symbols[i])
		}
	}
}

// unknown refuses a reference that is not understood and may be to what would be on the other side.
func (v *leaving) unknown(id graph.FileID, s *graph.Site, name string) {
	others := []graph.FileID{v.x}
	if id == v.x {
		others = v.home
	} else if !slices.Contains(v.home, id) {
		return
	}
	for _, o := range others {
		f := v.side.facts[o]
		if f == nil {
			continue
		}
		for i := range f.Symbols {
			if f.Str(f.Symbols[i].Name) == name {
				v.fault("%s is used at %s, may be the one of %s, and is not exported", name, v.where(id, s.Off), v.where(o, f.Symbols[i].NameOff))
				return
			}
		}
	}
}

// across follows a reference from one file into another, one of which moves.
func (v *leaving) across(id graph.FileID, s *graph.Site, to graph.FileID, sym *graph.Symbol) {
	name := v.side.facts[to].Str(sym.Name)
	was, is := v.packages(id)
	wasTo, isTo := v.packages(to)
	if was == wasTo && is != isTo && !v.export(name) {
		v.fault("%s is used at %s and not exported", name, v.where(id, s.Off))
		return
	}
	if !isTop(v.side.facts[to], sym) || was == wasTo && is == isTo {
		return
	}
	src := v.source(id)
	from, local, qualified := qualifier(src, int(s.Off))
	pathTo, nameTo := v.pathTo, v.nameTo
	if to != v.x {
		pathTo, nameTo = v.path, v.name
		if p, _ := v.pathOf(to); path.Dir(p) != v.dir && is != isTo {
			return // imported as before
		}
	}
	switch {
	case is == isTo: // one package now
		if qualified && was != wasTo {
			v.add(id, from, int(s.Off), "")
			v.freed[id] = true
		}
	case was == wasTo && qualified: // a member by an embedded type's name
	case !v.importable(id, to):
	case qualified && to == v.x:
		if l := v.want(id, pathTo, nameTo); l != local {
			v.add(id, from, from+len(local), l)
		}
		v.freed[id] = true
	case !qualified:
		v.add(id, int(s.Off), int(s.Off), v.want(id, pathTo, nameTo)+".")
	}
}

// importable refuses an import of what nothing can import.
func (v *leaving) importable(id, to graph.FileID) bool {
	_, is := v.packages(to)
	name := is[strings.LastIndexByte(is, ':')+1:]
	f, err := v.side.file(to)
	switch {
	case err != nil:
	case name == v.rules.Program:
		v.fault("package %s cannot be imported (%s)", name, f.Path)
	case strings.HasSuffix(name, v.rules.Beside) || f.Test:
		_, from := v.pathOf(id)
		v.fault("%s needs what tests declare in %s, which cannot be imported", from, f.Path)
	default:
		return true
	}
	return false
}

// qualifier is the name in front of the dot that an offset stands behind, and where it begins.
func qualifier(src []byte, off int) (from int, name string, ok bool) {
	if off > len(src) {
		return 0, "", false
	}
	head := bytes.TrimRight(src[:off], " \t\r\n")
	head, ok = bytes.CutSuffix(head, []byte("."))
	if !ok {
		return 0, "", false
	}
	head = bytes.TrimRight(head, " \t\r\n")
	from = bytes.LastIndexFunc(head, func(r rune) bool { return !isWord(r) }) + 1
	return from, string(head[from:]), true
}
