package lang

import (
	"bytes"
	"encoding/json"
	"path"
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Composer loads a class from the file that its name leads to. The facts of a composer.json are the
// prefixes of names, dotted, with the folders in which files of such names lie: of a namespace (PSR-4)
// what is behind the prefix is the path, of a package (PSR-0) all of the name is. Beside them, under names
// that no namespace has, are the files and folders all of whose classes it knows (a class map), those that
// it leaves out of that, and the files that it loads in any case.

var composerScope = graph.Scope("config", "composer.json")

// composerWhole ends the value of a prefix after which the whole name is the path.
const composerWhole = "*"

// The names of paths that belong to no prefix.
const (
	composerClasses = "*classmap"
	composerLeft    = "*exclude-from-classmap"
	composerFiles   = "*files"
)

// composerJSON makes the facts of a composer.json.
func composerJSON(p string, src []byte) *graph.Facts {
	c := newConfig("php", p)
	type loads struct {
		PSR4 map[string]json.RawMessage `json:"psr-4"`
		PSR0 map[string]json.RawMessage `json:"psr-0"`

		Classes json.RawMessage `json:"classmap"`
		Left    json.RawMessage `json:"exclude-from-classmap"`
		Files   json.RawMessage `json:"files"`
	}
	var doc struct {
		Autoload    loads `json:"autoload"`
		AutoloadDev loads `json:"autoload-dev"`
	}
	if err := json.Unmarshal(src, &doc); err != nil {
		c.f.Errors = append(c.f.Errors, graph.ErrorSpan{End: uint32(len(src)), Reason: "syntax error"})
		return c.f
	}
	for _, l := range []loads{doc.Autoload, doc.AutoloadDev} {
		composerPrefixes(c, p, src, l.PSR4, "")
		composerPrefixes(c, p, src, l.PSR0, composerWhole)
		composerPaths(c, p, src, composerClasses, l.Classes)
		composerPaths(c, p, src, composerLeft, l.Left)
		composerPaths(c, p, src, composerFiles, l.Files)
	}
	return c.f
}

// composerPaths adds the paths of a list under a name; a slash ends that of a folder.
func composerPaths(c *config, p string, src []byte, name string, list json.RawMessage) {
	var paths []string
	if json.Unmarshal(list, &paths) != nil {
		return
	}
	for _, x := range paths {
		spelled, _ := json.Marshal(x)
		off := max(bytes.Index(src, spelled), 0)
		x, _, some := strings.Cut(x, "*") // of any folders there
		at := path.Join(path.Dir(p), x)
		switch {
		case at == ".":
			at = "/"
		case some || path.Ext(at) == "":
			at += "/"
		}
		c.add(graph.Namespace, name, at, uint32(off), len(spelled))
	}
}

// composerPrefixes adds prefixes, each with one folder or a list of them.
func composerPrefixes(c *config, p string, src []byte, prefixes map[string]json.RawMessage, end string) {
	var names []string
	for name := range prefixes {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		var dirs []string
		if err := json.Unmarshal(prefixes[name], &dirs); err != nil {
			dirs = []string{""}
			if json.Unmarshal(prefixes[name], &dirs[0]) != nil {
				continue
			}
		}
		spelled, _ := json.Marshal(name)
		off := max(bytes.Index(src, spelled), 0)
		for _, d := range dirs {
			c.add(graph.Namespace, phpDotted(name), path.Join(path.Dir(p), d)+end, uint32(off), len(spelled))
		}
	}
}

// phpHomes are the files in which Composer looks for the class whose full dotted name is asked for, those
// of the nearest composer.json first: by its class map, in what it loads in any case, and by the name.
func phpHomes(q ModuleQuery) []string {
	type home struct{ root, path string }
	var homes []home
	for _, list := range []string{composerClasses, composerFiles} {
		for _, h := range q.Config(composerScope, list) {
			homes = append(homes, home{path.Dir(h.Path), h.Value})
		}
	}
	for prefix, rest := q.Module, ""; ; {
		for _, h := range q.Config(composerScope, prefix) {
			dir, whole := strings.CutSuffix(h.Value, composerWhole)
			name := rest
			if whole {
				name = q.Module
			}
			if name != "" {
				homes = append(homes, home{path.Dir(h.Path), path.Join(dir, strings.ReplaceAll(name, ".", "/")) + ".php"})
			}
		}
		if prefix == "" {
			break
		}
		i := strings.LastIndexByte(prefix, '.')
		last := prefix[i+1:]
		prefix = prefix[:max(i, 0)]
		if rest != "" {
			last += "." + rest
		}
		rest = last
	}
	sort.SliceStable(homes, func(i, j int) bool {
		return sharedFolders(q.From, homes[i].root+"/x") > sharedFolders(q.From, homes[j].root+"/x")
	})
	var out []string
	for _, h := range homes {
		out = append(out, h.path)
	}
	for _, h := range q.Config(composerScope, composerLeft) {
		out = append(out, NoHome+h.Value)
	}
	return out
}
