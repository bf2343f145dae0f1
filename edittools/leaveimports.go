package edittools

import (
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// want is the name by which a file knows an imported package; the import is added if it is not there.
func (v *leaving) want(id graph.FileID, p, name string) string {
	if i, ok := v.wanted[id][p]; ok {
		return localName(i, name)
	}
	for _, i := range v.rules.Imports(v.source(id)) {
		if i.Path == p && i.Local != "_" && i.Local != "." {
			return localName(i, name)
		}
	}
	local := name
	if v.taken(id, local) {
		if local += "pkg"; v.taken(id, local) {
			v.fault("%s has no free name for package %s", v.where(id, 0), name)
		}
	}
	i := lang.FolderImport{Path: p}
	if local != path.Base(p) {
		i.Local = local
	}
	if v.wanted[id] == nil {
		v.wanted[id] = map[string]lang.FolderImport{}
	}
	v.wanted[id][p] = i
	return local
}

func localName(i lang.FolderImport, name string) string {
	if i.Local != "" {
		return i.Local
	}
	return name
}

// taken reports whether a name cannot be that of an import in a file.
func (v *leaving) taken(id graph.FileID, name string) bool {
	_, is := v.packages(id)
	for _, o := range append(slices.Clone(v.home), append(v.host, v.x)...) {
		if _, at := v.packages(o); at == is && v.topsOf(o)[name] {
			return true
		}
	}
	return v.rules.Mentions(v.source(id), name)
}

// clause makes the file name its new package.
func (v *leaving) clause() {
	from, to, ok := v.rules.Clause(v.source(v.x))
	if !ok {
		v.fault("it has no package clause")
		return
	}
	v.add(v.x, from, to, v.packageTo())
}

// finish makes a file's text: its names, then its imports.
func (v *leaving) finish(id graph.FileID) {
	src := v.source(id)
	text := rewritten(src, settle(v.spots[id]))
	for _, p := range slices.Sorted(maps.Keys(v.wanted[id])) {
		text = v.rules.Import(text, v.wanted[id][p])
	}
	self := v.path
	if id == v.x {
		self = v.pathTo
	}
	for _, i := range v.rules.Imports(src) {
		switch p := i.Path; {
		case i.Local == "_":
		case i.Local == "." && (p == v.path || p == v.pathTo):
			v.fault("%s has a dot import of %s", v.where(id, 0), p)
		case p == self && (v.freed[id] || id == v.x && !v.beside):
			name := localName(i, v.nameOf(p))
			if v.rules.Qualifies(text, name) == 0 {
				text = v.rules.Drop(text, p)
			} else if id == v.x {
				v.fault("it uses %s, which it would be part of, where that cannot be followed", p)
			}
		}
	}
	delete(v.spots, id)
	if string(text) != string(src) {
		v.spots[id] = []spot{{0, len(src), string(text)}}
		v.texts[id] = text
	}
}

func (v *leaving) nameOf(p string) string {
	if p == v.pathTo {
		return v.nameTo
	}
	return v.name
}

// circles refuses what no build takes: packages that import each other, and imports that are not allowed.
func (v *leaving) circles() {
	folders := v.folders()
	inside := map[string]string{} // folders by how they are imported
	for dir := range folders {
		if p := v.rules.Path(dir, v.side.bytes); p != "" {
			inside[p] = dir
		}
	}
	c := &imports{v: v, folders: folders, inside: inside, found: map[string][]string{}}
	if c.reaches(v.dirTo, v.dirTo) {
		v.fault("package %s would import itself, by way of what it needs", v.nameTo)
	}
	for id := range v.texts {
		dir, test := c.at(id)
		for _, i := range v.rules.Imports(v.texts[id]) {
			if p := v.rules.Path(dir, v.side.bytes); (id == v.x || i.Path == v.pathTo) && !v.rules.Visible(p, i.Path) {
				v.fault("%s may not import %s", p, i.Path)
			}
			if to, ok := inside[i.Path]; ok && test && (to == dir || c.reaches(to, dir)) {
				v.fault("the tests in %s would import what imports %s", dir, dir)
			}
		}
	}
}

// folders are the files of the language by their folders after the move.
func (v *leaving) folders() map[string][]graph.FileID {
	out := map[string][]graph.FileID{}
	files := v.s.Files()
	for i := range files {
		f := &files[i]
		if v.code(f) {
			_, is := v.pathOf(f.ID)
			out[path.Dir(is)] = append(out[path.Dir(is)], f.ID)
		}
	}
	return out
}

// imports are which folders import which after the move.
type imports struct {
	v       *leaving
	folders map[string][]graph.FileID
	inside  map[string]string
	found   map[string][]string
}

// at is the folder of a file after the move; test says that it is a test inside its package.
func (c *imports) at(id graph.FileID) (dir string, test bool) {
	_, is := c.v.pathOf(id)
	f, err := c.v.side.file(id)
	facts := c.v.side.facts[id]
	return path.Dir(is), err == nil && f.Test && facts != nil && !strings.HasSuffix(facts.Package, c.v.rules.Beside)
}

// of are the folders that a folder imports, but for its tests.
func (c *imports) of(dir string) []string {
	if out, ok := c.found[dir]; ok {
		return out
	}
	var out []string
	for _, id := range c.folders[dir] {
		if f, err := c.v.side.file(id); err != nil || f.Test {
			continue
		}
		text, ok := c.v.texts[id]
		if !ok {
			text = c.v.source(id)
		}
		for _, i := range c.v.rules.Imports(text) {
			if d, ok := c.inside[i.Path]; ok {
				out = append(out, d)
			}
		}
	}
	c.found[dir] = out
	return out
}

// reaches reports whether one folder imports another, directly or not.
func (c *imports) reaches(from, to string) bool {
	seen := map[string]bool{}
	for todo := []string{from}; len(todo) > 0; {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, d := range c.of(dir) {
			if d == to {
				return true
			}
			if !seen[d] {
				seen[d] = true
				todo = append(todo, d)
			}
		}
	}
	return false
}
