package readtools

import (
	"fmt"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// maxUnusedFiles bounds the files whose definitions one answer looks at.
const maxUnusedFiles = 2000

// entryNames are what runs without being named: where programs begin.
var entryNames = []string{"main", "init", "Main"}

// unused lists the definitions in scope that nothing refers to. What may be used from
// outside, or without being named, is left out and counted.
func (e *exploring) unused() error {
	files, at, err := e.dependents()
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f *graph.File) bool { return f.Symbols == 0 || f.Test || f.Generated })
	if len(files) > maxUnusedFiles {
		e.atLeast("%s after the first %s; give path", count(len(files)-maxUnusedFiles, "file"), thousands(maxUnusedFiles))
		files = files[:maxUnusedFiles]
	}
	found, err := e.unreferenced(files, at)
	if err != nil {
		return err
	}
	entries := make([]entry, len(found))
	for i, h := range found {
		entries[i] = func() (ExploreItem, bool) { return e.unusedItem(h) }
	}
	e.list(entries)
	return nil
}

// unreferenced are the definitions without references from anywhere but themselves.
func (e *exploring) unreferenced(files []*graph.File, at string) ([]graph.Handle, error) {
	left := map[string]int{}
	var hs []graph.Handle
	var targets []graph.Target
	for chunk := range slices.Chunk(files, 256) {
		ids := make([]graph.FileID, len(chunk))
		for i, f := range chunk {
			ids[i] = f.ID
		}
		if err := e.load(ids...); err != nil {
			return nil, err
		}
		for _, id := range ids {
			f := e.facts[id]
			for i := range symbolCount(f) {
				h := graph.Handle{File: id, Index: int32(i)}
				if why := e.spared(f, &f.Symbols[i]); why != "" {
					left[why]++
					continue
				}
				hs = append(hs, h)
				targets = append(targets, graph.Target{File: id, Hash: f.TargetHash(int32(i))})
			}
		}
	}
	where := quotePath(at)
	if at == "." {
		where = "the whole project"
	}
	e.res.note("looked for references to " + count(len(hs), "definition") + " in " + where)
	referrers, err := e.r.Referrers(targets)
	if err != nil {
		return nil, err
	}
	var out []graph.Handle
	for i, h := range hs {
		if e.onlyItself(h, referrers[i]) {
			out = append(out, h)
		}
	}
	out, err = e.withoutDispatch(out, left)
	for _, why := range sortedCounts(left) {
		e.left("%s: %s", why, thousands(left[why]))
	}
	return out, err
}

func symbolCount(f *graph.Facts) int {
	if f == nil {
		return 0
	}
	return len(f.Symbols)
}

func sortedCounts(m map[string]int) []string {
	set := map[string]bool{}
	for k := range m {
		set[k] = true
	}
	return sortedKeys(set)
}

// spared says why a definition is not looked at, in the words of what it is.
func (e *exploring) spared(f *graph.Facts, s *graph.Symbol) string {
	name := f.Str(s.Name)
	switch {
	case name == "" || name == "_" || s.Flags&graph.Anonymous != 0:
		return "nameless definitions"
	case s.Kind == graph.Package || s.Kind == graph.Module || s.Kind == graph.Namespace || s.Kind == graph.TypeParameter:
		return "packages and modules"
	case s.Flags&graph.Test != 0:
		return "tests"
	case slices.Contains(entryNames, name) || s.Kind == graph.Constructor || len(name) > 4 && name[:2] == "__" && name[len(name)-2:] == "__":
		return "entry points and constructors"
	case s.Flags&graph.Abstract != 0:
		return "members of interfaces"
	case s.Kind == graph.Field && s.Flags&graph.Embedded != 0:
		return "embedded fields"
	case s.Flags&graph.Exported != 0 && s.Flags&(graph.Private|graph.FileLocal|graph.NestedDef) == 0:
		return "exported definitions"
	}
	return ""
}

// onlyItself reports whether all references to a symbol come from inside it.
func (e *exploring) onlyItself(h graph.Handle, files []graph.FileID) bool {
	if len(files) == 0 {
		return true
	}
	if len(files) > 1 || files[0] != h.File {
		return false
	}
	hits, err := e.direct([]graph.Handle{h}, func(graph.Role) bool { return true }, 0)
	if err != nil {
		return false
	}
	f := e.factsOf(h.File)
	return !slices.ContainsFunc(hits, func(s siteHit) bool {
		return s.Expr < 0 || !f.Within(f.Exprs[s.Expr].In, h.Index)
	})
}

// withoutDispatch leaves out methods that may be called through what they implement.
func (e *exploring) withoutDispatch(hs []graph.Handle, left map[string]int) ([]graph.Handle, error) {
	var out []graph.Handle
	for _, h := range hs {
		if _, s := e.def(h); s.Kind == graph.Method {
			ups, err := e.dispatchers(h)
			if err != nil {
				return nil, err
			}
			if len(ups) > 0 {
				left["overrides and implementations of interfaces"]++
				continue
			}
		}
		out = append(out, h)
	}
	return out, nil
}

// unusedItem shows a definition, and whether its name stands elsewhere all the same.
func (e *exploring) unusedItem(h graph.Handle) (ExploreItem, bool) {
	it, ok := e.symbolItem(h)
	if !ok {
		return it, false
	}
	it.Edge = &Edge{Role: "unused", Reason: "no reference", Certain: true, Confidence: 0.9}
	if e.gaveUp() {
		return it, true
	}
	n, err := e.otherMentions(it.Symbol.Name, h)
	if err == nil && n > 0 {
		it.Edge.Certain, it.Edge.Confidence = false, 0.5
		it.Note = fmt.Sprintf("not certain: %s by this name could not be bound", count(n, "mention"))
	}
	return it, true
}

func (e *exploring) gaveUp() bool { return e.ctx.Err() != nil }

// otherMentions counts the mentions of a name that could not be bound to anything.
func (e *exploring) otherMentions(name string, h graph.Handle) (int, error) {
	if !identifier.MatchString(name) {
		return 0, nil
	}
	files, known, err := e.fewFilesWith(name)
	if err != nil || !known {
		return maxMentions, err
	}
	sites, err := e.mentionsIn(name, files)
	n := 0
	for i := range sites {
		if sites[i].Status == graph.Unresolved && e.file(sites[i].File).Language == e.file(h.File).Language {
			n++
		}
	}
	return n, err
}
