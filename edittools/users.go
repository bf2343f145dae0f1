package edittools

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// fileAt is the file at a path among files in the order of paths; zero if there is none.
func fileAt(files []graph.File, path string) graph.File {
	i, ok := slices.BinarySearchFunc(files, path, func(f graph.File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return graph.File{}
	}
	return files[i]
}

// symbols finds the definitions that the edit changes, and places that are no longer
// understood.
func (d *differ) symbols(v *workspace.Preview) error {
	all, err := v.Before.Files()
	if err != nil {
		return err
	}
	for _, f := range v.Files {
		if _, edited := d.plan.Planned[f.Path]; !edited {
			continue
		}
		was := fileAt(all, f.Path)
		if from := d.movedFrom(f.Path); from != "" {
			was = fileAt(all, from)
		}
		d.syntax(f, was)
		if was.Path != "" {
			if err := d.changedSymbols(was, &f); err != nil {
				return err
			}
		}
	}
	for _, f := range v.Gone {
		if d.plan.Moved[f.Path] == "" {
			if err := d.changedSymbols(f, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *differ) movedFrom(to string) string {
	for from, dest := range d.plan.Moved {
		if dest == to {
			return from
		}
	}
	return ""
}

// syntax tells the errors of a file that it did not have before.
func (d *differ) syntax(f, was graph.File) {
	if d.after.load([]graph.FileID{f.ID}) != nil || d.after.facts[f.ID] == nil {
		return
	}
	had := 0
	if was.Path != "" && d.before.load([]graph.FileID{was.ID}) == nil && d.before.facts[was.ID] != nil {
		had = len(d.before.facts[was.ID].Errors)
	}
	errs := d.after.facts[f.ID].Errors
	if len(errs) <= had {
		return
	}
	for _, e := range errs {
		line, column := d.after.at(f.Path, e.Start)
		d.delta.SyntaxErrors = append(d.delta.SyntaxErrors, Broken{Path: f.Path, Line: line, Column: column, Reason: e.Reason})
	}
}

// changedSymbols notes the symbols of a file whose own text differs or is gone.
func (d *differ) changedSymbols(was graph.File, is *graph.File) error {
	if err := d.before.load([]graph.FileID{was.ID}); err != nil {
		return err
	}
	now := map[string][32]byte{}
	if is != nil {
		if err := d.after.load([]graph.FileID{is.ID}); err != nil {
			return err
		}
		now = ownTexts(d.after.facts[is.ID], d.after.bytes(is.Path))
	}
	f := d.before.facts[was.ID]
	texts := ownTexts(f, d.before.bytes(was.Path))
	if f == nil {
		return nil
	}
	for i := range f.Symbols {
		k := symbolKey(f, int32(i))
		if h, ok := now[k]; !ok || h != texts[k] {
			d.changed = append(d.changed, graph.Handle{File: was.ID, Index: int32(i)})
		}
	}
	if is == nil {
		d.changed = append(d.changed, graph.Handle{File: was.ID, Index: graph.FileItself})
	}
	return nil
}

func symbolKey(f *graph.Facts, i int32) string { return f.IDOf("", i) }

// ownTexts are hashes of the symbols' texts without those of the symbols inside them.
func ownTexts(f *graph.Facts, src []byte) map[string][32]byte {
	out := map[string][32]byte{}
	if f == nil {
		return out
	}
	inside := make([][]int, len(f.Symbols))
	for i := range f.Symbols {
		if c := f.Symbols[i].Container; c >= 0 {
			inside[c] = append(inside[c], i)
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		var b bytes.Buffer
		at := min(int(s.Start), len(src))
		for _, k := range inside[i] {
			if from := int(f.Symbols[k].Start); from >= at && from <= len(src) {
				b.Write(src[at:from])
				at = min(int(f.Symbols[k].End), len(src))
			}
		}
		if end := min(int(s.End), len(src)); end > at {
			b.Write(src[at:end])
		}
		out[symbolKey(f, int32(i))] = sha256.Sum256(b.Bytes())
	}
	return out
}

// Bounds on the walk to the users of what changed.
const (
	testDepth = 8
	testNodes = 3000
)

// users finds who uses what changed, and the tests among all who reach it.
func (d *differ) users() error {
	if len(d.changed) == 0 {
		return nil
	}
	w, err := graph.Walk(d.ctx, d.before.r, d.changed, graph.WalkOptions{Depth: testDepth, Nodes: testNodes + len(d.changed),
		Roles: []graph.Role{graph.Call, graph.Read, graph.Write, graph.TypeUse, graph.Inherit, graph.Import, graph.MacroUse}})
	if err != nil {
		return err
	}
	starts := map[graph.Handle]bool{}
	for _, h := range d.changed {
		starts[h] = true
	}
	role, of := map[int]string{}, map[int]string{}
	for _, e := range w.Edges {
		if starts[w.Nodes[e.To].Handle] && len(e.Sites) > 0 && role[e.From] == "" {
			role[e.From], of[e.From] = e.Sites[0].Role.String(), w.Nodes[e.To].ID
		}
	}
	for i := range w.Nodes {
		n := &w.Nodes[i]
		c := Caller{ID: n.ID, Path: n.File.Path, Line: 1}
		if n.Index != graph.FileItself {
			c.Line, _ = d.before.at(n.File.Path, n.Facts.Symbols[n.Index].NameOff)
		}
		if n.Depth == 1 && !starts[n.Handle] {
			c.Role, c.Of = role[i], of[i]
			d.delta.Callers = append(d.delta.Callers, c)
		}
		if isTest(n) {
			c.Role, c.Of = "", ""
			d.delta.Tests = append(d.delta.Tests, c)
		}
	}
	return d.sortUsers()
}

// isTest reports whether a node is a test: a callable in test code.
func isTest(n *graph.Node) bool {
	if n.Index == graph.FileItself {
		return false
	}
	s := &n.Facts.Symbols[n.Index]
	return s.Kind.Callable() && (n.File.Test || s.Flags&graph.Test != 0)
}

func (d *differ) sortUsers() error {
	order := func(a, b Caller) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.ID, b.ID))
	}
	slices.SortFunc(d.delta.Callers, order)
	slices.SortFunc(d.delta.Tests, order)
	return nil
}
