package readtools

import (
	"cmp"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// maxImplementers bounds the types that are held against an interface.
const maxImplementers = 3000

// related is a type or method that implements another, or that another implements.
type related struct {
	h      graph.Handle
	reason string
	sure   bool
	depth  int
	site   *siteHit // where it says so, if it does
}

// nominal are the types below a type by what they say, breadth first.
func (rd *reading) nominal(h graph.Handle, depth int) ([]related, error) {
	seen := map[graph.Handle]bool{h: true}
	level := []graph.Handle{h}
	var out []related
	for d := 1; d <= depth && len(level) > 0 && len(out) < maxImplementers; d++ {
		hits, err := rd.derived(level)
		if err != nil {
			return nil, err
		}
		level = nil
		for i := range hits {
			t := graph.Handle{File: hits[i].File, Index: hits[i].In}
			if !seen[t] {
				seen[t] = true
				level = append(level, t)
				out = append(out, related{h: t, reason: hits[i].Reason.String(), sure: hits[i].Status == graph.Certain, depth: d, site: &hits[i]})
			}
		}
	}
	return out, nil
}

// structural are the types that have every method of an interface, where the language lets
// that suffice. partial says that not every method of the interface is known.
func (rd *reading) structural(iface graph.Handle) (out []related, partial bool, err error) {
	_, s := rd.def(iface)
	sem := rd.semantics(iface.File)
	if s == nil || s.Kind != graph.Interface || !sem.Structural {
		return nil, false, nil
	}
	wanted, partial, err := rd.allMethods(iface)
	if err != nil || len(wanted) == 0 {
		return nil, partial, err
	}
	types, err := rd.candidateTypes(iface, wanted)
	if err != nil {
		return nil, false, err
	}
	for _, t := range types {
		if rd.satisfies(t, wanted) {
			out = append(out, related{h: t, reason: "structural", sure: sem.Promote && !partial, depth: 1})
		}
	}
	return out, partial, nil
}

// satisfies reports whether a type has a fitting member for each of the methods.
func (rd *reading) satisfies(t graph.Handle, wanted []graph.Handle) bool {
	for _, w := range wanted {
		f, s := rd.def(w)
		if !slices.ContainsFunc(rd.member(t, f.Str(s.Name)), func(m graph.Handle) bool { return rd.fits(m, w) }) {
			return false
		}
	}
	return true
}

// candidateTypes are the types with the rarest of the methods, or which embed one that has.
func (rd *reading) candidateTypes(iface graph.Handle, wanted []graph.Handle) ([]graph.Handle, error) {
	names := map[string]bool{}
	for _, w := range wanted {
		f, s := rd.def(w)
		names[f.Str(s.Name)] = true
	}
	var rarest []graph.Handle
	err := rd.r.Named(func(n string) bool { return names[n] }, func(_ string, at []graph.Handle) bool {
		if rarest == nil || len(at) < len(rarest) {
			rarest = slices.Clone(at)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	language := rd.file(iface.File).Language
	if rarest, err = rd.ofLanguage(rarest, language); err != nil {
		return nil, err
	}
	var owners []graph.Handle
	for _, m := range rarest {
		if t, ok := rd.owner(m); ok {
			owners = append(owners, t)
		}
	}
	all, err := rd.withDerived(owners, func(graph.Handle) bool { return true })
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t graph.Handle) bool {
		_, s := rd.def(t)
		return s == nil || s.Kind == graph.Interface || t == iface
	})
	return rd.sorted(all), nil
}

// withDerived are types and all that derive from them, each once, of those that keep lets in;
// about maxImplementers at most.
func (rd *reading) withDerived(types []graph.Handle, keep func(graph.Handle) bool) ([]graph.Handle, error) {
	seen := map[graph.Handle]bool{}
	var level, all []graph.Handle
	add := func(t graph.Handle) {
		if !seen[t] && keep(t) {
			seen[t] = true
			level = append(level, t)
		}
	}
	for _, t := range types {
		add(t)
	}
	for len(level) > 0 && len(seen) < maxImplementers {
		all = append(all, level...)
		hits, err := rd.derived(level)
		if err != nil {
			return nil, err
		}
		level = nil
		for _, h := range hits {
			add(graph.Handle{File: h.File, Index: h.In})
		}
	}
	return all, nil
}

// interfacesOf are the interfaces that a type satisfies without saying so.
func (rd *reading) interfacesOf(t graph.Handle, only string) ([]related, error) {
	sem := rd.semantics(t.File)
	if !sem.Structural {
		return nil, nil
	}
	names := map[string]bool{}
	if only != "" {
		names[only] = true
	} else {
		ms, _, err := rd.allMethods(t)
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			f, s := rd.def(m)
			names[f.Str(s.Name)] = true
		}
	}
	ifaces, err := rd.interfacesWith(names, rd.file(t.File).Language)
	if err != nil {
		return nil, err
	}
	var out []related
	for _, i := range ifaces {
		n, err := rd.needsOf(i)
		if err != nil {
			return nil, err
		}
		if i != t && len(n.methods) > 0 && rd.satisfies(t, n.methods) {
			out = append(out, related{h: i, reason: "structural", sure: sem.Promote && !n.partial, depth: 1})
		}
	}
	return out, nil
}

// needed is what an interface asks of a type; partial says that not all of it is known.
type needed struct {
	methods []graph.Handle
	partial bool
}

// needsOf is what an interface asks of a type, looked up once.
func (rd *reading) needsOf(iface graph.Handle) (needed, error) {
	if n, ok := rd.needs[iface]; ok {
		return n, nil
	}
	ms, partial, err := rd.allMethods(iface)
	n := needed{ms, partial}
	if err == nil {
		rd.needs[iface] = n
	}
	return n, err
}

// methodsNamed are the definitions of each of the names. Names that were not asked for before
// cost one walk over all names together.
func (rd *reading) methodsNamed(names map[string]bool) ([]graph.Handle, error) {
	missing := false
	for n := range names {
		if _, ok := rd.called[n]; !ok {
			rd.called[n] = nil
			missing = true
		}
	}
	if missing {
		err := rd.r.Named(func(n string) bool { return names[n] }, func(n string, at []graph.Handle) bool {
			rd.called[n] = slices.Clone(at)
			return true
		})
		if err != nil {
			clear(rd.called)
			return nil, err
		}
	}
	var out []graph.Handle
	for _, n := range sortedKeys(names) {
		out = append(out, rd.called[n]...)
	}
	return out, nil
}

// ofLanguage are the definitions in files of a language, with their facts loaded in one question.
func (rd *reading) ofLanguage(hs []graph.Handle, language string) ([]graph.Handle, error) {
	var out []graph.Handle
	for _, h := range hs {
		if f := rd.file(h.File); f != nil && f.Language == language && h.Index >= 0 && h.Index != graph.FileItself {
			out = append(out, h)
		}
	}
	return out, rd.loadHandles(out)
}

// learnMethods looks up at once what dispatchers will ask for one by one: the methods of the same
// names, the types below theirs, and what those say of their bases.
func (rd *reading) learnMethods(hs []graph.Handle) error {
	names := map[string]bool{}
	var types []graph.Handle
	var files []graph.FileID
	for _, h := range hs {
		f, s := rd.def(h)
		if s == nil || s.Kind != graph.Method || !rd.semantics(h.File).Structural {
			continue
		}
		if n := f.Str(s.Name); rd.called[n] == nil {
			names[n] = true
		}
		if t, ok := rd.owner(h); ok {
			types = append(types, t)
			files = append(files, t.File)
		}
	}
	if err := rd.loadLinks(files...); err != nil {
		return err
	}
	for range nominalDepth {
		heirs, err := rd.derived(types)
		if err != nil {
			return err
		}
		types = nil
		for i := range heirs {
			types = append(types, graph.Handle{File: heirs[i].File, Index: heirs[i].In})
		}
	}
	_, err := rd.methodsNamed(names)
	return err
}

// nominalDepth is how far below a type embedders are looked for that a call may run a method of it for.
const nominalDepth = 3

// interfacesWith are the interfaces with a method of one of the names, and those that embed
// them.
func (rd *reading) interfacesWith(names map[string]bool, language string) ([]graph.Handle, error) {
	key := language + " " + strings.Join(sortedKeys(names), " ")
	if known, ok := rd.ifaces[key]; ok {
		return known, nil
	}
	methods, err := rd.methodsNamed(names)
	if err != nil {
		return nil, err
	}
	if methods, err = rd.ofLanguage(methods, language); err != nil {
		return nil, err
	}
	var owners []graph.Handle
	for _, m := range methods {
		if _, s := rd.def(m); s != nil && s.Container != graph.None {
			owners = append(owners, graph.Handle{File: m.File, Index: s.Container})
		}
	}
	all, err := rd.withDerived(owners, func(t graph.Handle) bool {
		_, s := rd.def(t)
		return s != nil && s.Kind == graph.Interface
	})
	if err != nil {
		return nil, err
	}
	all = rd.sorted(all)
	rd.ifaces[key] = all
	return all, nil
}

// dispatchers are the methods through which a call may reach method h: those of the
// interfaces that its type satisfies, and those that it overrides.
func (rd *reading) dispatchers(h graph.Handle) ([]related, error) {
	f, s := rd.def(h)
	if s == nil || s.Kind != graph.Method && s.Kind != graph.Property || s.Flags&graph.Static != 0 {
		return nil, nil
	}
	t, ok := rd.owner(h)
	if !ok {
		return nil, nil
	}
	name := f.Str(s.Name)
	up, _, err := rd.allBases(t)
	if err != nil {
		return nil, err
	}
	var out []related
	if !rd.semantics(h.File).Promote { // what is embedded does not dispatch to its embedder
		for _, b := range up {
			for _, m := range rd.ownMember(b, name) {
				if rd.fits(h, m) {
					out = append(out, related{h: m, reason: reasonOverride})
				}
			}
		}
	}
	return rd.throughInterfaces(out, t, h, name)
}

// throughInterfaces adds the methods of interfaces that t, or a type that embeds it, satisfies
// with h.
func (rd *reading) throughInterfaces(out []related, t, h graph.Handle, name string) ([]related, error) {
	if !rd.semantics(h.File).Structural {
		return out, nil
	}
	if _, s := rd.def(t); s == nil || s.Kind == graph.Interface {
		return out, nil
	}
	below, ok := rd.below[t]
	if !ok {
		var err error
		if below, err = rd.nominal(t, nominalDepth); err != nil {
			return nil, err
		}
		rd.below[t] = below
	}
	types := []graph.Handle{t}
	for _, b := range below {
		if ms := rd.member(b.h, name); slices.Contains(ms, h) {
			types = append(types, b.h)
		}
	}
	seen := map[graph.Handle]bool{}
	for _, o := range out {
		seen[o.h] = true
	}
	for _, t := range types[:min(len(types), 50)] {
		ifaces, err := rd.interfacesOf(t, name)
		if err != nil {
			return nil, err
		}
		for _, i := range ifaces {
			for _, m := range rd.member(i.h, name) {
				if !seen[m] {
					seen[m] = true
					out = append(out, related{h: m, reason: reasonInterface})
				}
			}
		}
	}
	return out, nil
}

// byDepth puts related symbols in the order of their distance, then of their places.
func (rd *reading) byDepth(all []related) []related {
	slices.SortStableFunc(all, func(a, b related) int { return cmp.Or(cmp.Compare(a.depth, b.depth), rd.compareHandles(a.h, b.h)) })
	return all
}
