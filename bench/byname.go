package main

import (
	"cmp"
	"path"
	"slices"
)

// byName answers as binding by name alone would: any definition of that name, of the same file
// first, then of the same folder, then the first by path.
func byName(t *truth) *answers {
	named := map[string][]truthDef{}
	for _, d := range t.defs {
		if d.Kind != "namespace" {
			named[d.Name] = append(named[d.Name], d)
		}
	}
	a := &answers{refs: map[answerKey]answer{}}
	pick := func(file, name string) (truthDef, bool) {
		c := slices.Clone(named[name])
		c = slices.DeleteFunc(c, func(d truthDef) bool { return !callable[d.Kind] })
		if len(c) == 0 {
			return truthDef{}, false
		}
		return slices.MinFunc(c, func(x, y truthDef) int {
			return cmp.Or(notRank(x.File == file, y.File == file), notRank(path.Dir(x.File) == path.Dir(file), path.Dir(y.File) == path.Dir(file)),
				cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
		}), true
	}
	for _, e := range t.edges {
		if d, ok := pick(e.FromFile, e.ToName); ok && e.FromLine > 0 {
			a.edges = append(a.edges, answerEdge{FromFile: e.FromFile, FromLine: e.FromLine, ToFile: d.File, ToLine: d.Line, ToName: d.Name})
		}
	}
	// The calls that lead nowhere in the tree tempt it, too.
	for _, r := range t.none {
		if r.Kind != "call" {
			continue
		}
		from, ok := t.around(place{r.File, r.Line})
		if d, found := pick(r.File, r.Name); ok && found {
			a.edges = append(a.edges, answerEdge{FromFile: r.File, FromLine: from.Line, ToFile: d.File, ToLine: d.Line, ToName: d.Name})
		}
	}
	return a
}

var callable = map[string]bool{"function": true, "method": true, "constructor": true, "class": true, "struct": true, "macro": true, "type": true, "var": true, "field": true}

func notRank(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// around is the innermost callable that spans the place.
func (t *truth) around(at place) (truthDef, bool) {
	var best truthDef
	ok := false
	for _, d := range t.inFile(at.file) {
		if d.Start <= at.line && at.line <= d.End && (!ok || d.End-d.Start < best.End-best.Start) {
			best, ok = d, true
		}
	}
	return best, ok
}

// inFile are the callables of a file.
func (t *truth) inFile(file string) []truthDef {
	if t.callables == nil {
		t.callables = map[string][]truthDef{}
		for _, d := range t.defs {
			if d.Kind == "function" || d.Kind == "method" || d.Kind == "constructor" {
				t.callables[d.File] = append(t.callables[d.File], d)
			}
		}
	}
	return t.callables[file]
}
