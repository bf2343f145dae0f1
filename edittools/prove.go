package edittools

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// prove links the rewritten files and drops the rewriting of each in which a reference that
// was bound no longer leads where it led.
func (m *mover) prove() error {
	if len(m.spots) == 0 {
		return nil
	}
	planned := maps.Clone(m.plan.Planned)
	var ids []graph.FileID
	for id, spots := range m.spots {
		if len(spots) == 0 {
			continue
		}
		was, is := m.pathOf(id)
		planned[is] = rewritten(m.side.bytes(was), spots)
		ids = append(ids, id)
	}
	v, err := workspace.PreviewOf(m.ctx, m.s, planned)
	if err != nil {
		return err
	}
	bare, err := workspace.PreviewOf(m.ctx, m.s, m.plan.Planned)
	if err != nil {
		return err
	}
	m.plain = newSide(m.ctx, bare.After, nil)
	after := newSide(m.ctx, v.After, nil)
	slices.Sort(ids)
	for _, id := range ids {
		ok, err := m.proven(id, after)
		if err != nil {
			return err
		}
		if !ok {
			m.lost[id] = true
			delete(m.spots, id)
		}
	}
	return nil
}

// proven reports whether the rewriting of a file holds: every reference that led into what
// moves leads there again, or at least more of them than without it; then the file is
// named in a note, so that somebody looks at the rest.
func (m *mover) proven(id graph.FileID, after *side) (bool, error) {
	with, all, err := m.holding(id, after)
	if err != nil || with == all || m.strict {
		return with == all, err
	}
	without, _, err := m.holding(id, m.plain)
	if with > without {
		_, is := m.pathOf(id)
		m.plan.note("%s was rewritten, but only %d of its %d references could be proven to hold; look at it", is, with, all)
	}
	return with > without, err
}

// holding counts a file's references into the workspace, or for a file that stays those into
// what moves, and how many of them lead to the same things in another graph.
func (m *mover) holding(id graph.FileID, other *side) (hold, all int, err error) {
	_, is := m.pathOf(id)
	ids, err := other.r.FileIDs([]string{is})
	if err != nil {
		return 0, 0, err
	}
	old, err := m.side.sites([]graph.FileID{id})
	if err != nil {
		return 0, 0, err
	}
	now, err := other.sites(ids)
	if err != nil {
		return 0, 0, err
	}
	_, moves := m.moved[id]
	d := differ{plan: m.plan}
	led := map[string]int{}
	for i := range now {
		for _, to := range now[i].to {
			led[now[i].role+" "+to]++
		}
	}
	for i := range old {
		if m.strict && old[i].role == graph.Import.String() {
			continue
		}
		for _, to := range old[i].to {
			if file, _, _ := strings.Cut(to, "#"); !moves && m.plan.Moved[file] == "" {
				continue
			}
			all++
			k := old[i].role + " " + d.renamed(to)
			if led[k]--; led[k] >= 0 {
				hold++
			}
		}
	}
	return hold, all, nil
}

// write adds the rewritten files to the plan, and lists what was not rewritten.
func (m *mover) write() error {
	var ids []graph.FileID
	for id, spots := range m.spots {
		if len(spots) > 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b graph.FileID) int {
		_, x := m.pathOf(a)
		_, y := m.pathOf(b)
		return bytes.Compare([]byte(x), []byte(y))
	})
	for _, id := range ids {
		was, is := m.pathOf(id)
		at, err := workspace.Look(m.ctx, m.s, was, false)
		if err != nil {
			return explain(was, err)
		}
		if at.State.Type != workspace.Regular || !at.Writable {
			m.lost[id] = true
			continue
		}
		at.Path, at.Given = is, is
		m.plan.follow(at, rewritten(at.Data, m.spots[id]))
	}
	return m.unproven()
}

// follow adds the change of a file that refers to what moves; the file may move itself.
func (p *Plan) follow(at *workspace.Place, data []byte) {
	n := len(p.Files)
	p.write(at, data)
	for i := range p.Files[:n] {
		if f := &p.Files[i]; f.Path == at.Path && f.After != string(workspace.Absent) {
			f.After = sum(data)
			p.Files = p.Files[:n]
			return
		}
	}
}

// mostUnproven bounds the list of mentions.
const mostUnproven = 100

// unproven lists the lines that name what moved in files whose references could not be
// rewritten, and in text that is no code.
func (m *mover) unproven() error {
	var names [][]byte
	for from := range m.plan.Moved {
		names = append(names, []byte(from))
	}
	if m.whole != "" {
		names = [][]byte{[]byte(m.whole + "/")}
	}
	slices.SortFunc(names, bytes.Compare)
	files := m.s.Files()
	for i := range files {
		if len(m.plan.Unproven) >= mostUnproven {
			break
		}
		f := &files[i]
		if f.Size > 1<<20 || i > 20000 {
			continue
		}
		src := m.side.bytes(f.Path)
		if m.lost[f.ID] {
			m.importLines(f, src)
			continue
		}
		m.mentions(f.Path, src, names)
		m.unbound(f, src)
	}
	return m.ctx.Err()
}

// unbound lists the uses of the moved files' own names that the graph cannot bind, in files
// that refer to them: a module may be known there by its name alone.
func (m *mover) unbound(f *graph.File, src []byte) {
	if m.whole != "" || m.links[f.ID] == nil {
		return
	}
	stems := map[string]bool{}
	for from := range m.plan.Moved {
		stems[path.Base(withoutExt(from))] = true
	}
	graph.Sites(f.ID, m.side.facts[f.ID], m.links[f.ID], func(x graph.Site) {
		name := m.side.facts[f.ID].Str(x.Name)
		if x.Status == graph.Unresolved && stems[name] && int(x.Off) <= len(src) && len(m.plan.Unproven) < mostUnproven {
			m.mention(f.Path, src, int(x.Off))
		}
	})
}

// mentions lists the lines of a file that have one of the names.
func (m *mover) mentions(path string, src []byte, names [][]byte) {
	for _, name := range names {
		for at := 0; len(m.plan.Unproven) < mostUnproven; {
			i := bytes.Index(src[at:], name)
			if i < 0 {
				break
			}
			m.mention(path, src, at+i)
			at += i + len(name)
		}
	}
}

func (m *mover) mention(path string, src []byte, off int) {
	start := bytes.LastIndexByte(src[:off], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[off:], '\n'); i >= 0 {
		end = off + i
	}
	line := bytes.TrimSpace(src[start:min(end, start+200)])
	m.plan.Unproven = append(m.plan.Unproven, Mention{Path: path, Line: 1 + bytes.Count(src[:off], []byte("\n")), Text: string(bytes.ToValidUTF8(line, []byte("?")))})
}

// importLines lists the imports of a file that lead to what moves.
func (m *mover) importLines(f *graph.File, src []byte) {
	facts, links := m.side.facts[f.ID], m.links[f.ID]
	if facts == nil || links == nil {
		return
	}
	for i := range min(len(links.Imports), len(facts.Imports)) {
		k, im := &links.Imports[i], &facts.Imports[i]
		_, ok := m.moved[k.Module]
		for _, t := range links.Targets[k.First : k.First+uint32(k.N)] {
			_, there := m.moved[t.File]
			ok = ok || there
		}
		if off := max(im.ModuleOff, im.NameOff); ok && int(off) <= len(src) {
			m.mention(f.Path, src, int(off))
		}
	}
}
