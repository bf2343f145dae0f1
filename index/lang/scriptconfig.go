package lang

import (
	"encoding/json"
	"path"
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// How the script languages find the file behind a module's name.

var (
	scriptConfigs  = []string{"package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json", "tsconfig.app.json"}
	scriptSuffixes = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.mts", ".d.cts", ".json"}
	scriptSources  = map[string][]string{".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx", ".d.ts"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"}}
)

// scriptModules: a relative name is a path; any other is looked for among the paths of the
// compiler's configuration, then among the packages of the workspace.
func scriptModules(q ModuleQuery) []Candidate {
	mod, _, _ := strings.Cut(q.Module, "?")
	mod = strings.TrimPrefix(mod, "node:")
	switch {
	case mod == "":
		return nil
	case strings.HasPrefix(mod, "."):
		return scriptFile(q, path.Join(path.Dir(q.From), mod))
	case strings.HasPrefix(mod, "/"):
		return scriptFile(q, mod[1:])
	}
	if c := scriptPaths(q, mod); c != nil {
		return c
	}
	return scriptPackage(q, mod)
}

// scriptFile is the file at p, with what may be left out of its name added.
func scriptFile(q ModuleQuery, p string) []Candidate {
	if p == "." {
		p = ""
	}
	if p != "" {
		ext := path.Ext(p)
		if scriptSources[ext] != nil || ext == ".json" || ext == ".ts" || ext == ".tsx" || ext == ".mts" || ext == ".cts" {
			if q.File(p) {
				return []Candidate{{Path: p}}
			}
		}
		for _, e := range scriptSources[ext] {
			if f := strings.TrimSuffix(p, ext) + e; q.File(f) {
				return []Candidate{{Path: f}}
			}
		}
		for _, e := range scriptSuffixes {
			if q.File(p + e) {
				return []Candidate{{Path: p + e}}
			}
		}
		if !q.Folder(p) {
			return nil
		}
	}
	if c := scriptMain(q, p); c != nil {
		return c
	}
	return scriptIndex(q, p)
}

func scriptIndex(q ModuleQuery, dir string) []Candidate {
	for _, e := range scriptSuffixes {
		if f := path.Join(dir, "index"+e); q.File(f) {
			return []Candidate{{Path: f}}
		}
	}
	return nil
}

// scriptMain is the main file that the package.json of the folder names.
func scriptMain(q ModuleQuery, dir string) []Candidate {
	file := path.Join(dir, "package.json")
	if !q.File(file) {
		return nil
	}
	for _, key := range []string{"exports .", "source", "module", "main", "types"} {
		for _, h := range q.Config(graph.Scope("config", "package.json"), key) {
			if h.Path == file && h.Value != dir {
				if c := scriptBuilt(q, dir, h.Value); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

// scriptBuilt is the file p of the package at dir or, where that is a build's product, its source.
func scriptBuilt(q ModuleQuery, dir, p string) []Candidate {
	if c := scriptFile(q, p); c != nil {
		return c
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(p, dir), "/")
	first, rest, ok := strings.Cut(rel, "/")
	if !ok || strings.Contains(first, ".") {
		return nil
	}
	for i := 0; i < 2; i++ {
		if c := scriptFile(q, path.Join(dir, "src", rest)); c != nil {
			return c
		}
		if _, rest, ok = strings.Cut(rest, "/"); !ok { // dist/esm/x
			return nil
		}
	}
	return nil
}

// scriptPaths follows baseUrl and paths of the nearest configuration above the file.
func scriptPaths(q ModuleQuery, mod string) []Candidate {
	var hits []ConfigHit
	look := func(name, rest string) {
		for _, cfg := range scriptConfigs[1:] {
			for _, h := range q.Config(graph.Scope("config", cfg), name) {
				if dir := path.Dir(h.Path); dir == "." || strings.HasPrefix(q.From, dir+"/") {
					hits = append(hits, ConfigHit{h.Path, strings.Replace(h.Value, "*", rest, 1)})
				}
			}
		}
	}
	look(mod, "")
	for i := len(mod) - 1; i >= 0; i-- {
		if i == 0 || strings.IndexByte("/@~#$-:", mod[i-1]) >= 0 {
			look(mod[:i]+"*", mod[i:])
		}
	}
	sort.SliceStable(hits, func(i, j int) bool { return len(path.Dir(hits[i].Path)) > len(path.Dir(hits[j].Path)) })
	for _, h := range hits {
		if c := scriptFile(q, h.Value); c != nil {
			return c
		}
	}
	hits = hits[:0]
	look("baseUrl", "")
	for _, h := range hits {
		if c := scriptFile(q, path.Join(h.Value, mod)); c != nil {
			return c
		}
	}
	return nil
}

// scriptPackage is a package of the workspace, or a file of one.
func scriptPackage(q ModuleQuery, mod string) []Candidate {
	scope := graph.Scope("config", "package.json")
	if mod[0] == '#' {
		for _, h := range scriptPattern(q, mod) {
			if dir := path.Dir(h.Path); dir == "." || strings.HasPrefix(q.From, dir+"/") {
				if c := scriptBuilt(q, dir, h.Value); c != nil {
					return c
				}
			}
		}
		return nil
	}
	for name, rest := mod, ""; ; {
		for _, h := range q.Config(scope, name) {
			dir := path.Dir(h.Path)
			if path.Clean(h.Value) != dir {
				continue
			}
			if c := scriptPackageFile(q, h.Path, dir, rest); c != nil {
				return c
			}
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return nil
		}
		name, rest = name[:i], path.Join(name[i+1:], rest)
	}
}

func scriptPackageFile(q ModuleQuery, file, dir, rest string) []Candidate {
	if dir == "." {
		dir = ""
	}
	if rest == "" {
		if c := scriptMain(q, dir); c != nil {
			return c
		}
		if c := scriptIndex(q, path.Join(dir, "src")); c != nil {
			return c
		}
		return scriptIndex(q, dir)
	}
	for _, h := range scriptPattern(q, "exports ./"+rest) {
		if h.Path == file {
			if c := scriptBuilt(q, dir, h.Value); c != nil {
				return c
			}
		}
	}
	if c := scriptFile(q, path.Join(dir, rest)); c != nil {
		return c
	}
	return scriptFile(q, path.Join(dir, "src", rest))
}

// scriptPattern looks a key of exports or imports up, whole and with a star for its end.
func scriptPattern(q ModuleQuery, key string) []ConfigHit {
	scope := graph.Scope("config", "package.json")
	hits := append([]ConfigHit{}, q.Config(scope, key)...)
	for i := len(key) - 1; i > 0; i-- {
		if key[i-1] != '/' {
			continue
		}
		for _, h := range q.Config(scope, key[:i]+"*") {
			hits = append(hits, ConfigHit{h.Path, strings.ReplaceAll(h.Value, "*", key[i:])})
		}
	}
	return hits
}

// scriptConfig makes facts of package.json (its name, main files and exports) and of the
// compiler's configuration (baseUrl, paths). Values are paths from the root.
func scriptConfig(p string, src []byte) *graph.Facts {
	c := newConfig("typescript", p)
	dir := path.Dir(p)
	clean := jsonWithoutComments(src)
	put := func(kind graph.Kind, name, key, value string) {
		off := max(strings.Index(string(clean), `"`+key+`"`), 0)
		c.add(kind, name, value, uint32(off), len(key)+2)
	}
	if path.Base(p) == "package.json" {
		scriptPackageFacts(clean, dir, put)
		return c.f
	}
	var t struct {
		CompilerOptions struct {
			BaseURL *string             `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	// A member of another type than expected is left out; the others are kept.
	_ = json.Unmarshal(clean, &t)
	base := dir
	if u := t.CompilerOptions.BaseURL; u != nil {
		base = path.Join(dir, *u)
		put(graph.Field, "baseUrl", "baseUrl", base)
	}
	for _, k := range sortedKeys(t.CompilerOptions.Paths) {
		for _, v := range t.CompilerOptions.Paths[k] {
			put(graph.Namespace, k, k, path.Join(base, v))
		}
	}
	return c.f
}

func scriptPackageFacts(src []byte, dir string, put func(kind graph.Kind, name, key, value string)) {
	var t map[string]any
	if json.Unmarshal(src, &t) != nil {
		return
	}
	if name, ok := t["name"].(string); ok && name != "" {
		put(graph.Module, name, "name", dir)
	}
	for _, k := range []string{"source", "module", "main", "types"} {
		if v, ok := t[k].(string); ok {
			put(graph.Field, k, k, path.Join(dir, v))
		}
	}
	if v, ok := t["exports"].(string); ok {
		put(graph.Field, "exports .", "exports", path.Join(dir, v))
	}
	for _, part := range []struct{ key, prefix string }{{"exports", "exports "}, {"imports", ""}} {
		m, _ := t[part.key].(map[string]any)
		for _, k := range sortedKeys(m) {
			if k == "" || k[0] != '.' && k[0] != '#' {
				if part.key == "exports" { // conditions of the package itself
					for _, v := range conditionTargets(m) {
						put(graph.Field, "exports .", part.key, path.Join(dir, v))
					}
				}
				break
			}
			for _, v := range conditionTargets(m[k]) {
				put(graph.Field, part.prefix+k, k, path.Join(dir, v))
			}
		}
	}
}

// conditionTargets are the paths that a value of exports leads to under any condition.
func conditionTargets(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, x := range v {
			all = append(all, conditionTargets(x)...)
		}
		return all
	case map[string]any:
		var all []string
		for _, k := range sortedKeys(v) {
			all = append(all, conditionTargets(v[k])...)
		}
		return all
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// jsonWithoutComments blanks comments and commas before closing brackets, which
// configuration files may have; every offset stays.
func jsonWithoutComments(src []byte) []byte {
	out := append([]byte{}, src...)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	comma := -1
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
			comma = -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			end := "\n"
			if out[i+1] == '*' {
				end = "*/"
			}
			to := len(out)
			if k := strings.Index(string(out[i+2:]), end); k >= 0 {
				to = i + 2 + k + len(end)
			}
			blank(i, to)
			i = to - 1
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
			comma = -1
		case c > ' ':
			comma = -1
		}
	}
	return out
}
