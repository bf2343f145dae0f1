package index

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// A region is what stands between two macros of which the first opens namespaces. The file that uses
// them may not be the one that defines them, so the path of names of what is in a region lacks those
// namespaces. It answers under a path in which the macros stand for what they open, too, and a macro that
// opens namespaces answers under their path: so that what is looked up in a namespace is also looked up in
// its regions. Regions may stand in namespaces, in each other, and hold namespaces.

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
	if s.Kind == graph.Constructor || s.Kind == graph.Namespace && s.Flags&graph.Anonymous != 0 {
		return out
	}
	if p, ok := sc.region(s.Container); ok {
		owner := strings.TrimPrefix(strings.TrimPrefix(sc.f.Str(s.Qual), p.plain()), ".") // of what is defined out of line
		out = append(out, graph.Export{Key: regions.Path(joined(p.String(), owner)).Key(sc.f.Str(s.Name)), Index: i, Shape: shape})
	}
	return out
}

// spelling is a path of namespaces, outermost first, in which macros stand for those that they open.
type spelling []step

type step struct {
	name  string
	macro bool
}

func (p spelling) String() string {
	out := ""
	for _, x := range p {
		out = joined(out, x.name)
	}
	return out
}

// plain is the path without the macros.
func (p spelling) plain() string {
	out := ""
	for _, x := range p {
		if !x.macro {
			out = joined(out, x.name)
		}
	}
	return out
}

// region is the spelling of the path of namespace in, and whether it is in a region.
func (sc *scopes) region(in int32) (p spelling, ok bool) {
	for ; in >= 0; in = sc.f.Symbols[in].Container {
		s := &sc.f.Symbols[in]
		if s.Kind != graph.Namespace {
			return nil, false
		}
		macro := s.Flags&graph.Anonymous != 0
		p, ok = append(p, step{sc.f.Str(s.Name), macro}), ok || macro
	}
	slices.Reverse(p)
	return p, ok
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
		spaces = nil
	}
	if p, ok := c.sc.region(s); ok {
		spaces = append(spaces, regions.Path(p.String()))
		if path = k.opened(c, p); path != "" && y.Flags&graph.NestedDef == 0 {
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

// opened is the path of the namespaces that p spells in c; empty if one of its macros opens none.
func (k *linker) opened(c *filectx, p spelling) string {
	out := ""
	for _, x := range p {
		if x.macro {
			if x.name = k.openedBy(c, x.name); x.name == "" {
				return ""
			}
		}
		out = joined(out, x.name)
	}
	return out
}

// openedBy is the path of the namespaces that the macro of that name opens; empty if it opens none.
func (k *linker) openedBy(c *filectx, macro string) string {
	for _, key := range [...]string{macro, localName + macro} {
		for _, h := range k.look(c.sc.space.Key(key)) {
			if hc, s := k.sym(h); s != nil && s.Kind == graph.Macro && s.Init >= 0 && hc.f.Exprs[s.Init].Op == graph.OpSpace {
				return hc.f.Str(hc.f.Exprs[s.Init].Name)
			}
		}
	}
	return ""
}

// maxSpellings bounds the ways in which macros spell one path.
const maxSpellings = 16

// regionsOf are the regions that are parts of the namespace of that path.
func (k *linker) regionsOf(path string) []graph.ScopeID {
	if out, ok := k.spelt[path]; ok {
		return out
	}
	var out []graph.ScopeID
	for _, p := range k.spellings(path) {
		if p != path {
			out = append(out, regions.Path(p))
		}
	}
	if k.spelt == nil {
		k.spelt = map[string][]graph.ScopeID{}
	}
	k.spelt[path] = out
	return out
}

// spellings are the ways to spell a path with the macros that open parts of it, and without any.
func (k *linker) spellings(path string) []string {
	if path == "" {
		return []string{""}
	}
	var out []string
	first, _, _ := strings.Cut(path, ".")
	for outer := path; outer != "" && len(out) < maxSpellings; outer = outerSpace(outer) {
		var heads []string
		if outer == first {
			heads = append(heads, outer)
		}
		for _, h := range k.look(openers.Key(outer)) {
			if hc, s := k.sym(h); s != nil && !slices.Contains(heads, hc.f.Str(s.Name)) {
				heads = append(heads, hc.f.Str(s.Name))
			}
		}
		if len(heads) == 0 {
			continue
		}
		for _, rest := range k.spellings(strings.TrimPrefix(path[len(outer):], ".")) {
			for _, head := range heads {
				out = append(out, joined(head, rest))
			}
		}
	}
	return out[:min(len(out), maxSpellings)]
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
