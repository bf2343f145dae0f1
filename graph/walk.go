package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Direction is which way a Walk goes along references.
type Direction uint8

// The directions.
const (
	Inward  Direction = iota // to what refers to a symbol: callers, users, importers
	Outward                  // to what a symbol refers to: callees, types used, imports
)

// WalkOptions bound a Walk.
type WalkOptions struct {
	Direction Direction
	// Roles are the kinds of references to follow; none means all.
	Roles []Role
	// Depth is how many references away from a start a symbol may be; 0 means 1.
	Depth int
	// Nodes is how many symbols to give at most, starts included; 0 means 1000.
	Nodes int
	// CertainOnly leaves out references that have several possible targets.
	CertainOnly bool
	// Keep, if set, says whether a symbol may be part of the walk (i is FileItself for a
	// file). What it leaves out is counted.
	Keep func(file *File, f *Facts, i int32) bool
}

// Node is a symbol, or with index FileItself a file, that a walk has reached.
type Node struct {
	Handle
	ID    string
	File  File
	Facts *Facts
	Depth int // references from the nearest start
}

// Edge is all references of one node to another. From refers to To, in either direction
// of the walk.
type Edge struct {
	From, To int // indexes into Walked.Nodes
	Sites    []Site
}

// Left is what a walk leaves out.
type Left struct {
	Deeper     int // nodes at the greatest depth that were not followed further
	Nodes      int // symbols that were met but are not given, being too many
	Kept       int // symbols that Keep left out
	Unresolved int // references of followed nodes that could not be bound (Outward)
	External   int // references of followed nodes that lead out of the workspace (Outward)
	Possible   int // references that CertainOnly left out
	Gone       int // references to symbols that are no more
}

// Exact reports whether nothing was left out that the walk could have reached.
func (l Left) Exact() bool {
	return l.Deeper == 0 && l.Nodes == 0 && l.Unresolved == 0 && l.Possible == 0 && l.Gone == 0
}

// Walked is the result of a Walk: nodes by depth, then by path and place; edges by their
// nodes.
type Walked struct {
	Nodes []Node
	Edges []Edge
	Left  Left
}

// Walk goes from the starts along references, breadth first. A reference belongs to the
// named callable that it is in, or else to its file. Each level asks the store at most
// four questions, however many symbols it has.
func Walk(ctx context.Context, r Reader, starts []Handle, opt WalkOptions) (*Walked, error) {
	w := &walker{contents: newContents(ctx, r), opt: opt, at: map[Handle]int{}, edges: map[[2]int]int{}, out: map[Handle]bool{}}
	w.opt.Depth, w.opt.Nodes = cmp.Or(opt.Depth, 1), cmp.Or(opt.Nodes, 1000)
	if err := w.walk(starts); err != nil {
		return nil, fmt.Errorf("walk from %d symbols: %w", len(starts), err)
	}
	slices.SortFunc(w.res.Edges, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return &w.res, nil
}

// walker is one run of Walk.
type walker struct {
	*contents
	opt   WalkOptions
	files map[FileID]*File
	res   Walked
	at    map[Handle]int  // index into res.Nodes
	edges map[[2]int]int  // index into res.Edges
	out   map[Handle]bool // counted in Left.Nodes or Left.Kept
}

// step is one reference between two symbols, before it is known whether both are given.
type step struct {
	from, to Handle
	site     Site
}

func (w *walker) walk(starts []Handle) error {
	files, err := w.r.Files()
	if err != nil {
		return err
	}
	w.files = make(map[FileID]*File, len(files))
	for i := range files {
		w.files[files[i].ID] = &files[i]
	}
	var ids []FileID
	for _, h := range starts {
		ids = append(ids, h.File)
	}
	if err := w.loadFacts(ids); err != nil {
		return err
	}
	level := w.add(starts, 0)
	for depth := 1; depth <= w.opt.Depth && len(level) > 0; depth++ {
		var steps []step
		if w.opt.Direction == Inward {
			steps, err = w.inward(level)
		} else {
			steps, err = w.outward(level)
		}
		if err != nil {
			return err
		}
		level = w.take(steps, depth)
	}
	w.res.Left.Deeper = len(level)
	return nil
}

// add makes nodes of the handles that may be and are not nodes yet, and gives them.
func (w *walker) add(hs []Handle, depth int) []Handle {
	var fresh []Handle
	for _, h := range hs {
		file, f := w.files[h.File], w.facts[h.File]
		if _, ok := w.at[h]; ok || w.out[h] || file == nil || h.Index != FileItself && (f == nil || h.Index < 0 || int(h.Index) >= len(f.Symbols)) {
			continue
		}
		if depth > 0 && w.opt.Keep != nil && !w.opt.Keep(file, f, h.Index) {
			w.out[h] = true
			w.res.Left.Kept++
			continue
		}
		if len(w.res.Nodes) >= w.opt.Nodes {
			w.out[h] = true
			w.res.Left.Nodes++
			continue
		}
		n := Node{Handle: h, ID: file.Path, File: *file, Facts: f, Depth: depth}
		if h.Index != FileItself {
			n.ID = f.IDOf(file.Path, h.Index)
		}
		w.at[h] = len(w.res.Nodes)
		w.res.Nodes = append(w.res.Nodes, n)
		fresh = append(fresh, h)
	}
	return fresh
}

// take makes nodes and edges of the steps of one level; the new nodes are the next level.
func (w *walker) take(steps []step, depth int) []Handle {
	var met []Handle
	for _, s := range steps {
		met = append(met, s.from, s.to)
	}
	slices.SortFunc(met, w.compare)
	fresh := w.add(slices.Compact(met), depth)
	for _, s := range steps {
		from, ok := w.at[s.from]
		to, ok2 := w.at[s.to]
		if !ok || !ok2 {
			continue
		}
		k := [2]int{from, to}
		i, ok := w.edges[k]
		if !ok {
			i = len(w.res.Edges)
			w.edges[k] = i
			w.res.Edges = append(w.res.Edges, Edge{From: from, To: to})
		}
		w.res.Edges[i].Sites = append(w.res.Edges[i].Sites, s.site)
	}
	return fresh
}

// compare orders handles by path and place.
func (w *walker) compare(a, b Handle) int {
	if a.File == b.File {
		return cmp.Compare(a.Index, b.Index)
	}
	var x, y string
	if f := w.files[a.File]; f != nil {
		x = f.Path
	}
	if f := w.files[b.File]; f != nil {
		y = f.Path
	}
	return cmp.Compare(x, y)
}

// follow reports whether a reference is one to follow.
func (w *walker) follow(s *Site) bool {
	if len(w.opt.Roles) > 0 && !slices.Contains(w.opt.Roles, s.Role) {
		return false
	}
	if s.Status == Possible && w.opt.CertainOnly {
		w.res.Left.Possible++
		return false
	}
	return true
}

// holder is what a reference belongs to.
func holder(s *Site) Handle {
	if s.In == None {
		return Handle{s.File, FileItself}
	}
	return Handle{s.File, s.In}
}

func (w *walker) inward(level []Handle) ([]step, error) {
	var targets []Target
	var to []Handle
	for _, h := range level {
		if t, ok := w.target(h); ok {
			targets, to = append(targets, t), append(to, h)
		}
	}
	sites, err := w.in(targets)
	if err != nil {
		return nil, err
	}
	var steps []step
	for i := range sites {
		for j := range sites[i] {
			if s := &sites[i][j]; w.follow(s) {
				steps = append(steps, step{holder(s), to[i], *s})
			}
		}
	}
	return steps, nil
}

func (w *walker) outward(level []Handle) ([]step, error) {
	sites, err := w.contents.out(level)
	if err != nil {
		return nil, err
	}
	var kept []step
	var targets []Target
	for i, h := range level {
		for j := range sites[i] {
			s := &sites[i][j]
			if !w.own(h, s) || !w.follow(s) {
				continue
			}
			switch s.Status {
			case Unresolved:
				w.res.Left.Unresolved++
			case External:
				w.res.Left.External++
			}
			for _, t := range s.Targets {
				kept = append(kept, step{from: h, site: *s})
				targets = append(targets, t)
			}
		}
	}
	hs, err := w.resolve(targets)
	if err != nil {
		return nil, err
	}
	var steps []step
	for i, h := range hs {
		if kept[i].to = h; h.Index == None {
			w.res.Left.Gone++
			continue
		}
		steps = append(steps, kept[i])
	}
	return steps, nil
}

// own reports whether a reference inside h is h's own and not that of a callable within
// it, which is a node by itself. What is not a named callable has its whole extent for its own.
func (w *walker) own(h Handle, s *Site) bool {
	if h.Index == FileItself {
		return s.In == None
	}
	return s.In == h.Index || w.facts[h.File].Callable(h.Index) != h.Index
}
