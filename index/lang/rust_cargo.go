package lang

import (
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// The beginnings of the names of facts of a Cargo.toml: that the crate in a folder is of a newer edition than
// the first, that there is a crate, and the features that its usual build has.
const (
	editionKey = "edition "
	packageKey = "package "
	featureKey = "feature "
)

// cargoToml makes facts of a Cargo.toml: the names under which the crate, and the crates of the
// workspace that it depends on under other names, are known, and the files that begin them.
func cargoToml(p string, src []byte) *graph.Facts {
	c := newConfig("rust", p)
	features := cargoFeatures{}
	var section, pkg, lib, root string
	var at uint32
	off := uint32(0)
	dir := path.Dir(p)
	for _, line := range strings.SplitAfter(string(src), "\n") {
		text := strings.TrimSpace(line)
		if i := strings.Index(text, " #"); i >= 0 {
			text = strings.TrimSpace(text[:i])
		}
		if section == "features" && features.line(text) {
			off += uint32(len(line))
			continue
		}
		if strings.HasPrefix(text, "[") {
			section = strings.Trim(text, "[] ")
		}
		key, value, ok := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"'`)
		switch {
		case !ok:
		case section == "package" && key == "name":
			pkg, at = value, off+uint32(strings.Index(line, value))
		case section == "package" && strings.HasPrefix(key, "edition") && value != "2015":
			c.add(graph.Module, editionKey+dir, value, off, len(key))
		case section == "lib" && key == "name":
			lib = value
		case section == "lib" && key == "path":
			root = value
		case strings.HasSuffix(section, "dependencies"):
			cargoDependency(c, dir, key, value, off+uint32(strings.Index(line, key)))
		}
		off += uint32(len(line))
	}
	if pkg != "" {
		c.add(graph.Module, packageKey+dir, pkg, at, len(pkg))
		for _, f := range features.usual() {
			c.add(graph.Module, featureKey+dir+" "+f, "on", at, len(pkg))
		}
	}
	if lib == "" {
		lib = pkg
	}
	if root == "" {
		root = "src/lib.rs"
	}
	if lib != "" {
		c.add(graph.Module, strings.ReplaceAll(lib, "-", "_"), path.Join(dir, root), at, len(pkg))
	}
	return c.f
}

// cargoDependency notes a crate in a folder of the workspace that is known here by another name.
func cargoDependency(c *config, dir, key, value string, off uint32) {
	where, renamed := tomlInline(value, "path"), tomlInline(value, "package")
	if where == "" || renamed == "" {
		return
	}
	c.add(graph.Namespace, strings.ReplaceAll(key, "-", "_"), path.Join(dir, where, "src/lib.rs"), off, len(key))
}

// tomlInline is the string that an inline table has for a key.
func tomlInline(table, key string) string {
	for _, part := range strings.Split(strings.Trim(table, "{} "), ",") {
		if k, v, ok := strings.Cut(part, "="); ok && strings.TrimSpace(k) == key {
			return strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return ""
}

// cargoFeatures are the features of a crate and what each turns on. An array may go over several lines; the
// feature whose array is open has the name "".
type cargoFeatures map[string][]string

// line takes a line of the table of features, unless it begins another.
func (f cargoFeatures) line(text string) bool {
	name := ""
	if open := f[""]; len(open) > 0 {
		name = open[0]
	} else {
		if strings.HasPrefix(text, "[") {
			return false
		}
		key, value, ok := strings.Cut(text, "=")
		if !ok {
			return true
		}
		name, text = strings.Trim(strings.TrimSpace(key), `"'`), value
		f[name] = []string{}
		f[""] = []string{name}
	}
	if i := strings.IndexByte(text, '#'); i >= 0 {
		text = text[:i]
	}
	for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '"' || r == '\'' }) {
		if part = strings.TrimSpace(part); part != "" && !strings.ContainsAny(part, "[], \t") && i >= 0 {
			f[name] = append(f[name], part)
		}
	}
	if strings.Contains(text, "]") {
		delete(f, "")
	}
	return true
}

// usual are the features of the usual build: the default ones, those of the feature "full" where there is
// one, and all that these turn on, in the order in which they are met.
func (f cargoFeatures) usual() []string {
	var out []string
	seen := map[string]bool{}
	todo := []string{"default", "full"}
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		on, ok := f[name]
		if seen[name] || !ok && (name == "default" || name == "full") {
			continue
		}
		seen[name] = true
		out = append(out, name)
		for _, n := range on {
			n = strings.TrimPrefix(n, "dep:")
			crate, _, of := strings.Cut(n, "/")
			if of && strings.HasSuffix(crate, "?") { // only if something else turns it on
				continue
			}
			todo = append(todo, crate)
		}
	}
	return out
}
