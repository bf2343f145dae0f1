package edittools

import (
	"context"

	"github.com/codegraph-dev/codegraph/graph"
)

// side is one of the two graphs that are compared, with what was read of it.
type side struct {
	ctx   context.Context
	r     graph.KeyReader
	bytes func(path string) []byte
	files []*graph.File
	facts map[graph.FileID]*graph.Facts
	index map[graph.FileID]map[uint32]int32 // symbols by their target hash
	lines map[string]graph.LineTable
}

// site is a reference in words that do not depend on the store.
type site struct {
	path, from, in string // from: the symbol or file that it belongs to; in: its path of names
	name, role     string
	to             []string // ids of what it leads to, in the workspace
	off            uint32
	status         graph.Status
	reason         graph.Reason
}

func newSide(ctx context.Context, r graph.KeyReader, bytes func(string) []byte) *side {
	return &side{ctx: ctx, r: r, bytes: bytes, facts: map[graph.FileID]*graph.Facts{}, index: map[graph.FileID]map[uint32]int32{}, lines: map[string]graph.LineTable{}}
}

// file is a file by its id.
func (v *side) file(id graph.FileID) (graph.File, error) {
	if v.files == nil {
		all, err := v.r.Files()
		if err != nil {
			return graph.File{}, err
		}
		n := graph.FileID(0)
		for i := range all {
			n = max(n, all[i].ID+1)
		}
		v.files = make([]*graph.File, n)
		for i := range all {
			v.files[all[i].ID] = &all[i]
		}
	}
	if int(id) >= len(v.files) || v.files[id] == nil {
		return graph.File{}, nil
	}
	return *v.files[id], nil
}

// load reads the facts of files in one question.
func (v *side) load(ids []graph.FileID) error {
	var missing []graph.FileID
	for _, id := range ids {
		if _, ok := v.facts[id]; !ok {
			v.facts[id] = nil
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return v.ctx.Err()
	}
	got, err := v.r.Facts(missing)
	if err != nil {
		return err
	}
	for i, id := range missing {
		v.facts[id] = got[i]
	}
	return v.ctx.Err()
}

// sites are the references of files.
func (v *side) sites(ids []graph.FileID) ([]site, error) {
	if err := v.load(ids); err != nil {
		return nil, err
	}
	links, err := v.r.Links(ids)
	if err != nil {
		return nil, err
	}
	var targets []graph.FileID
	for _, l := range links {
		if l != nil {
			for _, t := range l.Targets {
				targets = append(targets, t.File)
			}
			for _, im := range l.Imports {
				if im.Module != graph.NoFile {
					targets = append(targets, im.Module)
				}
			}
		}
	}
	if err := v.load(targets); err != nil {
		return nil, err
	}
	var out []site
	for i, id := range ids {
		f, err := v.file(id)
		if err != nil {
			return nil, err
		}
		facts := v.facts[id]
		graph.Sites(id, facts, links[i], func(s graph.Site) { out = append(out, v.siteOf(f.Path, facts, &s)) })
	}
	return out, nil
}

func (v *side) siteOf(path string, f *graph.Facts, s *graph.Site) site {
	x := site{path: path, from: path, name: f.Str(s.Name), role: s.Role.String(), off: s.Off, status: s.Status, reason: s.Reason}
	if s.In != graph.None {
		x.from = f.IDOf(path, s.In)
		x.in = x.from
	}
	if s.Status == graph.External {
		return x
	}
	for n, t := range s.Targets {
		if n == 0 || t != s.Targets[n-1] {
			x.to = append(x.to, v.id(t))
		}
	}
	return x
}

// id is the id of what a target means.
func (v *side) id(t graph.Target) string {
	f, err := v.file(t.File)
	if err != nil || t == graph.ModuleTarget(t.File) {
		return f.Path
	}
	if i, ok := v.symbolsBy(t.File)[t.Hash]; ok {
		return v.facts[t.File].IDOf(f.Path, i)
	}
	return f.Path + "#?"
}

func (v *side) symbolsBy(id graph.FileID) map[uint32]int32 {
	m, ok := v.index[id]
	if !ok {
		m = map[uint32]int32{}
		if f := v.facts[id]; f != nil {
			for i := len(f.Symbols) - 1; i >= 0; i-- {
				m[f.TargetHash(int32(i))] = int32(i)
			}
		}
		v.index[id] = m
	}
	return m
}

// place is the line and column of a site.
func (v *side) place(s *site) (line, column int) { return v.at(s.path, s.off) }

func (v *side) line(s *site) int {
	line, _ := v.place(s)
	return line
}

// at is the line and column of an offset in a file.
func (v *side) at(path string, off uint32) (line, column int) {
	t, ok := v.lines[path]
	if !ok {
		t = graph.NewLineTable(v.bytes(path))
		v.lines[path] = t
	}
	return t.Position(off)
}
