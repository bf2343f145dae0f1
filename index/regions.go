package index

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// A region is what stands between two macros of which the first opens namespaces. The file that uses
// them may not be the one that defines them, so the path of names of what is in a region lacks those
// namespaces. It answers under the macro's name, too, and a macro that opens namespaces answers under
// their path: so that what is looked up in a namespace is also looked up in its regions.

// openers is the scope of the macros that open the namespaces of a dotted path.
var openers = graph.Scope("opener", "")

// regions is the scope of the regions of macros, by their names.
var regions = graph.Scope("region", "")

// inRegions adds what symbol i answers for the sake of regions.
func (sc *scopes) inRegions(out []graph.Export, l *lang.Language, i int32, shape uint64) []graph.Export {
	if l == nil || !l.ExternalLinkage {
		return out
	}
	s := &sc.f.Symbols[i]
	if s.Kind == graph.Macro && s.Init >= 0 && sc.f.Exprs[s.Init].Op == graph.OpSpace {
		return append(out, graph.Export{Key: openers.Key(sc.f.Str(sc.f.Exprs[s.Init].Name)), Index: i, Shape: shape})
	}
	if m := sc.region(s.Container); m != "" {
		out = append(out, graph.Export{Key: regions.Path(joined(m, sc.f.Str(s.Qual))).Key(sc.f.Str(s.Name)), Index: i, Shape: shape})
	}
	return out
}

// region is the macro of the region in which namespace in, or what is directly in it, stands; empty
// for none.
func (sc *scopes) region(in int32) string {
	for ; in >= 0 && sc.f.Symbols[in].Kind == graph.Namespace; in = sc.f.Symbols[in].Container {
		if sc.f.Symbols[in].Flags&graph.Anonymous != 0 {
			return sc.f.Str(sc.f.Symbols[in].Name)
		}
	}
	return ""
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

// inSpaces looks a name up, as from sees it, in namespace s of c, in its own name and in the regions that
// are parts of it.
func (k *linker) inSpaces(from, c *filectx, s int32, name string) (binding, bool) {
	spaces := []graph.ScopeID{c.sc.members(s)}
	y := &c.f.Symbols[s]
	path := c.f.Path(s)
	if y.Flags&graph.Anonymous != 0 {
		path, spaces = "", nil
	}
	if m := c.sc.region(s); m != "" {
		spaces = append(spaces, regions.Path(joined(m, path)))
		full := k.opened(c, m)
		if full == "" {
			path = ""
		} else if path = joined(full, path); y.Flags&graph.NestedDef == 0 {
			spaces = append(spaces, c.sc.space.Path(path))
		}
	}
	spaces = append(spaces, k.regionsOf(path)...)
	var all []graph.Handle
	for _, sp := range spaces {
		all = append(all, k.look(sp.Key(name))...)
	}
	if len(all) > 0 {
		if b := k.bound(from, unique(all), graph.ByScope); b.found() || b.status == graph.External {
			return b, true
		}
	}
	for _, sp := range spaces {
		if b, ok := k.starsOf(from, sp, name); ok {
			return b, true
		}
	}
	return binding{}, false
}

// opened is the path of the namespaces that the macro of that name opens; empty if it opens none.
func (k *linker) opened(c *filectx, macro string) string {
	for _, key := range [...]string{macro, localName + macro} {
		for _, h := range k.look(c.sc.space.Key(key)) {
			if hc, s := k.sym(h); s != nil && s.Kind == graph.Macro && s.Init >= 0 && hc.f.Exprs[s.Init].Op == graph.OpSpace {
				return hc.f.Str(hc.f.Exprs[s.Init].Name)
			}
		}
	}
	return ""
}

// regionsOf are the regions that are parts of the namespace of that path.
func (k *linker) regionsOf(path string) []graph.ScopeID {
	var out []graph.ScopeID
	for outer := path; outer != ""; outer = outerSpace(outer) {
		seen := map[string]bool{}
		for _, h := range k.look(openers.Key(outer)) {
			hc, s := k.sym(h)
			if s == nil || seen[hc.f.Str(s.Name)] {
				continue
			}
			m := hc.f.Str(s.Name)
			seen[m] = true
			out = append(out, regions.Path(joined(m, strings.TrimPrefix(path[len(outer):], "."))))
		}
	}
	return out
}

// unique leaves out what comes again.
func unique(hs []graph.Handle) []graph.Handle {
	out := hs[:0:0]
	for _, h := range hs {
		if !hasHandle(out, h) {
			out = append(out, h)
		}
	}
	return out
}

// unlikelyMacro reports whether hs are nothing but macros that are hardly ever defined.
func (k *linker) unlikelyMacro(hs []graph.Handle) bool {
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || s.Kind != graph.Macro || s.Flags&graph.Conditional == 0 {
			return false
		}
	}
	return len(hs) > 0
}

// unlikely reports whether hs are nothing but definitions that are hardly ever compiled.
func (k *linker) unlikely(hs []graph.Handle) bool {
	for _, h := range hs {
		if _, s := k.sym(h); s == nil || s.Flags&graph.Conditional == 0 {
			return false
		}
	}
	return len(hs) > 0
}

// likelyDefined reports whether h is a definition that is compiled, as far as is known.
func (k *linker) likelyDefined(h graph.Handle) bool {
	_, s := k.sym(h)
	return s != nil && s.Flags&(graph.Conditional|graph.Declaration) == 0
}
