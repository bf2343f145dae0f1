package lang

import (
	"path"

	"github.com/codegraph-dev/codegraph/graph"
)

// config makes the facts of a configuration file. Each fact is a symbol, exported in the
// scope ("config", base name), with a literal as its value.
type config struct{ f *graph.Facts }

func newConfig(language, p string) *config {
	return &config{&graph.Facts{Language: language, Package: "config:" + path.Base(p), Strings: []string{""}, Lists: []int32{0}}}
}

// add notes that name, which stands at off in the file, means value.
func (c *config) add(kind graph.Kind, name, value string, off uint32, length int) {
	f := c.f
	f.Strings = append(f.Strings, name, value)
	k := uint32(len(f.Strings))
	f.Exprs = append(f.Exprs, graph.Expr{Op: graph.OpLiteral, Name: k - 1, Off: off, X: graph.None, In: int32(len(f.Symbols))})
	ord := uint16(1)
	for i := range f.Symbols {
		if f.Strings[f.Symbols[i].Name] == name {
			ord++
		}
	}
	f.Symbols = append(f.Symbols, graph.Symbol{Kind: kind, Name: k - 2, NameOff: off, Start: off, End: off + uint32(length), Container: graph.None,
		Type: graph.None, Init: int32(len(f.Exprs) - 1), Owner: graph.None, Ordinal: ord, Flags: graph.Exported})
}

// ConfigScope is the scope of a configuration file's facts, and whether f are such facts.
func ConfigScope(f *graph.Facts) (graph.ScopeID, bool) {
	const prefix = "config:"
	if len(f.Package) > len(prefix) && f.Package[:len(prefix)] == prefix {
		return graph.Scope("config", f.Package[len(prefix):]), true
	}
	return 0, false
}

// ConfigValue is the value of symbol i of a configuration file.
func ConfigValue(f *graph.Facts, i int32) string {
	if e := f.Symbols[i].Init; e >= 0 && f.Exprs[e].Op == graph.OpLiteral {
		return f.Str(f.Exprs[e].Name)
	}
	return ""
}
