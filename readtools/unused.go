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
	var out []graph.Handle
	looked, done := 0, 0
	for chunk := range slices.Chunk(files, chunkFiles) {
		if e.page.enough(len(out)) {
			e.atLeast("%s that were not looked at", count(len(files)-done, "file"))
			break
		}
		some, n, err := e.unreferencedIn(chunk, left)
		if err != nil {
			return nil, err
		}
		out, looked, done = append(out, some...), looked+n, done+len(chunk)
	}
	where := quotePath(at)
	if at == "." {
		where = "the whole project"
	}
	e.res.note("looked for references to " + count(looked, "definition") + " in " + where)
	for _, why := range sortedCounts(left) {
		e.left("%s: %s", why, thousands(left[why]))
	}
	return out, nil
}

// unreferencedIn are those of some files, and how many definitions were looked at.
func (e *exploring) unreferencedIn(files []*graph.File, left map[string]int) (out []graph.Handle, looked int, err error) {
	ids := make([]graph.FileID, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	if err := e.load(ids...); err != nil {
		return nil, 0, err
	}
	var hs []graph.Handle
	var targets []graph.Target
	for _, id := range ids {
		f := e.facts[id]
		for i := range symbolCount(f) {
			if why := e.spared(f, &f.Symbols[i]); why != "" {
				left[why]++
				continue
			}
			hs = append(hs, graph.Handle{File: id, Index: int32(i)})
			targets = append(targets, graph.Target{File: id, Hash: f.TargetHash(int32(i))})
		}
	}
	referrers, err := e.r.Referrers(targets)
	if err != nil {
		return nil, 0, err
	}
	used := map[graph.FileID]map[graph.Target]bool{}
	for i, h := range hs {
		only, err := e.onlyItself(h, targets[i], referrers[i], used)
		if err != nil {
			return nil, 0, err
		}
		if only {
			out = append(out, h)
		}
	}
	out, err = e.withoutDispatch(out, left)
	return out, len(hs), err
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

// onlyItself reports whether all references to a symbol come from inside it; used keeps, by file, what is
// referred to there from elsewhere in it.
func (e *exploring) onlyItself(h graph.Handle, t graph.Target, files []graph.FileID, used map[graph.FileID]map[graph.Target]bool) (bool, error) {
	if len(files) == 0 {
		return true, nil
	}
	if len(files) > 1 || files[0] != h.File {
		return false, nil
	}
	in, ok := used[h.File]
	if !ok {
		if err := e.loadLinks(h.File); err != nil {
			return false, err
		}
		in = e.usedWithin(h.File)
		used[h.File] = in
	}
	return !in[t], nil
}

// usedWithin are the definitions of a file that something of it outside of them refers to.
func (e *exploring) usedWithin(id graph.FileID) map[graph.Target]bool {
	f, out := e.factsOf(id), map[graph.Target]bool{}
	graph.Sites(id, f, e.links[id], func(s graph.Site) {
		for _, t := range s.Targets {
			if h := e.resolve(t); t.File == id && (s.Expr < 0 || h.Index < 0 || h.Index == graph.FileItself || !f.Within(f.Exprs[s.Expr].In, h.Index)) {
				out[t] = true
			}
		}
	})
	return out
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
