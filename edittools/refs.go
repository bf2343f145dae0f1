package edittools

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/workspace"
)

// How references follow a move
//
// For each file that imports what moves, and for each moved file, every import that the
// graph has bound is respelled in the manner in which it is written. The result is linked
// like any other edit, in memory: an import that then leads to the same file at its new
// path is proven. A file that gains nothing by it is left as it is, and its imports are
// listed; one that gains only in part is named in a note. Where a package is the path of its folder, the package clause follows, names that
// were written out in full are rewritten, and what was visible because both were in one
// package is imported.

// spot is one replacement in a file.
type spot struct {
	from, to int
	text     string
}

// mover follows the references of one move.
type mover struct {
	ctx   context.Context
	s     *workspace.Snapshot
	plan  *Plan
	side  *side
	moved map[graph.FileID]string // moved files and where they go
	whole string                  // the folder that moves, if one does
	links map[graph.FileID]*graph.Links
	spots map[graph.FileID][]spot
	lost  map[graph.FileID]bool // files with an import that cannot be respelled
	plain *side                 // the graph after the move without any rewriting
	// strict: what is not proven in full is refused, and imports prove nothing.
	strict bool
	faults []string // why the move is refused
}

// updateReferences adds to a planned move the changes of what refers to it.
func (p *Plan) updateReferences(ctx context.Context, s *workspace.Snapshot) error {
	m := &mover{ctx: ctx, s: s, plan: p, moved: map[graph.FileID]string{}, links: map[graph.FileID]*graph.Links{},
		spots: map[graph.FileID][]spot{}, lost: map[graph.FileID]bool{},
		side: newSide(ctx, s.Graph(), func(path string) []byte { return bytesBefore(ctx, s, p, path) })}
	if p.Changes[0].Base.Type == workspace.Folder {
		m.whole = p.Changes[0].Path
	}
	files := s.Files()
	for i := range files {
		if to, ok := p.Moved[files[i].Path]; ok {
			m.moved[files[i].ID] = to
		}
	}
	if len(m.moved) == 0 {
		return nil
	}
	users, err := m.users()
	if err != nil {
		return err
	}
	if v := m.leaver(); v != nil {
		if err := v.leave(users); err != nil {
			return err
		}
		m.strict = true
		if err := m.prove(); err != nil {
			return err
		}
		if len(m.lost) > 0 {
			for id := range m.lost {
				v.fault("the references of %s do not all lead to the same things afterwards", v.where(id, 0))
			}
			return v.refusal()
		}
		return m.write()
	}
	for _, id := range users {
		if err := m.file(id); err != nil {
			return err
		}
	}
	if err := m.refusal(); err != nil {
		return err
	}
	if err := m.prove(); err != nil {
		return err
	}
	for id := range m.moved {
		if f := m.side.facts[id]; m.lost[id] && f != nil && lang.Named(f.Language).PackagePath {
			m.fault("what it refers to could not be proven to be the same in its new package (%s)", m.where(id, 0))
		}
	}
	if err := m.refusal(); err != nil {
		return err
	}
	return m.write()
}

// fault notes why the move is refused.
func (m *mover) fault(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(m.faults, s) {
		m.faults = append(m.faults, s)
	}
}

// refusal is the error of a move that would not keep its meaning, whatever is rewritten; nil if there is
// nothing against it.
func (m *mover) refusal() error {
	const shown = 8
	if len(m.faults) == 0 {
		return nil
	}
	list, more := m.faults, ""
	if n := len(list) - shown; n > 0 {
		list, more = list[:shown], fmt.Sprintf("; and %d more", n)
	}
	c := &m.plan.Changes[0]
	return failed(codePrecondition, "make those names visible or move them too, choose another folder, or give update_references: false to move it alone",
		"%s cannot go to %s and keep its meaning, nothing was changed: %s%s", c.Path, c.To, strings.Join(list, "; "), more)
}

// where is a place of a file, in words.
func (m *mover) where(id graph.FileID, off uint32) string {
	p, _ := m.pathOf(id)
	line, _ := m.side.at(p, off)
	return fmt.Sprintf("%s:%d", p, line)
}

// users are the moved files and those that refer to anything in them.
func (m *mover) users() ([]graph.FileID, error) {
	var ids []graph.FileID
	for id := range m.moved {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	if err := m.side.load(ids); err != nil {
		return nil, err
	}
	var targets []graph.Target
	for _, id := range ids {
		targets = append(targets, graph.ModuleTarget(id))
		if f := m.side.facts[id]; f != nil {
			for i := range f.Symbols {
				targets = append(targets, graph.Target{File: id, Hash: f.TargetHash(int32(i))})
			}
		}
	}
	lists, err := m.s.Graph().Referrers(targets)
	if err != nil {
		return nil, err
	}
	ids = append(ids, slices.Concat(lists...)...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids, m.loadLinks(ids)
}

// loadLinks reads facts and links of files that are not there yet.
func (m *mover) loadLinks(ids []graph.FileID) error {
	if err := m.side.load(ids); err != nil {
		return err
	}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id graph.FileID) bool { return m.links[id] != nil })
	if len(ids) == 0 {
		return nil
	}
	links, err := m.s.Graph().Links(ids)
	for i, l := range links {
		m.links[ids[i]] = l
	}
	return err
}

// pathOf is a file's path before and after the move.
func (m *mover) pathOf(id graph.FileID) (was, is string) {
	f, err := m.side.file(id)
	if err != nil {
		return "", ""
	}
	if to, ok := m.moved[id]; ok {
		return f.Path, to
	}
	return f.Path, f.Path
}

// file collects what changes in one file.
func (m *mover) file(id graph.FileID) error {
	f, l := m.side.facts[id], m.links[id]
	if f == nil || l == nil {
		return m.ctx.Err()
	}
	was, _ := m.pathOf(id)
	src := m.side.bytes(was)
	known := lang.Named(f.Language)
	if known == nil || src == nil {
		return nil
	}
	m.imports(id, f, l, known, src)
	m.qualified(id, f, l, src)
	m.attributes(id, f, l, known, src)
	if known.PackagePath {
		m.packages(id, f, l, known, src)
	}
	m.spots[id] = settle(m.spots[id])
	return nil
}

func (m *mover) add(id graph.FileID, from, to int, text string) {
	m.spots[id] = append(m.spots[id], spot{from, to, text})
}

// question is the respelling of a module for one file.
func (m *mover) question(id, target graph.FileID, module string, l *lang.Language) respelling {
	r := respelling{module: module, dotted: l.SubModule != nil || l.PackagePath}
	r.from, r.fromTo = m.pathOf(id)
	r.file, r.fileTo = m.pathOf(target)
	r.folder = m.whole != "" && strings.HasPrefix(r.file, m.whole+"/")
	return r
}

// imports respells the modules of a file's imports.
func (m *mover) imports(id graph.FileID, f *graph.Facts, l *graph.Links, known *lang.Language, src []byte) {
	_, here := m.moved[id]
	for i := range min(len(l.Imports), len(f.Imports)) {
		im, k := &f.Imports[i], &l.Imports[i]
		module, target := f.Str(im.Module), k.Module
		named := false
		for _, t := range l.Targets[k.First : k.First+uint32(k.N)] {
			if _, ok := m.moved[t.File]; ok && t == graph.ModuleTarget(t.File) && t.File != target {
				target, named = t.File, true // the name is the module that moves
			}
			if target == graph.NoFile {
				target = t.File
			}
		}
		if target == graph.NoFile {
			continue
		}
		if _, there := m.moved[target]; !there && !here {
			continue
		}
		from, ok := moduleAt(src, im, module)
		if !ok {
			continue
		}
		if named {
			m.member(id, target, im, f, known, src, from)
			continue
		}
		q := m.question(id, target, module, known)
		if here && q.from != q.fromTo && q.file == q.fileTo && !strings.HasPrefix(module, ".") && strings.Contains(q.file, "/") && !strings.HasSuffix(q.file, module) {
			continue // spelled from the root; where the importing file is does not matter
		}
		if now := q.respell(); now != "" && now != module {
			m.add(id, from, from+len(module), now)
		}
	}
}

// member respells an import whose named member is a module that moves.
func (m *mover) member(id, target graph.FileID, im *graph.Imported, f *graph.Facts, known *lang.Language, src []byte, from int) {
	module, name := f.Str(im.Module), f.Str(im.Name)
	if known.SubModule == nil {
		return
	}
	whole := known.SubModule(module, name)
	now := m.question(id, target, whole, known).respell()
	cut := strings.LastIndexByte(now, '.')
	if now == "" || now == whole || cut < 0 {
		return
	}
	head, last := now[:cut], now[cut+1:]
	if head == "" || strings.Trim(head, ".") == "" {
		head = now[:cut+1]
	}
	if m.sharesModule(f, im, src, from) && head != module {
		m.lost[id] = true
		return
	}
	m.add(id, from, from+len(module), head)
	if at := int(im.NameOff); last != name && at+len(name) <= len(src) && string(src[at:at+len(name)]) == name {
		if f.Str(im.Local) == name {
			last += " as " + name
		}
		m.add(id, at, at+len(name), last)
	}
}

// sharesModule reports whether another import has the same place for its module.
func (m *mover) sharesModule(f *graph.Facts, im *graph.Imported, src []byte, from int) bool {
	for i := range f.Imports {
		o := &f.Imports[i]
		if o.Module != im.Module || o.Name == im.Name {
			continue
		}
		if at, ok := moduleAt(src, o, f.Str(o.Module)); ok && at == from {
			return true
		}
	}
	return false
}

// moduleAt finds where an import's module is written. Its place may be that of the last
// segment; one of dots alone has none, and stands before the name.
func moduleAt(src []byte, im *graph.Imported, module string) (int, bool) {
	off := im.ModuleOff
	if off == 0 && strings.Trim(module, ".") == "" && int(im.NameOff) <= len(src) {
		for at := int(im.NameOff); at > 0; {
			if at = bytes.LastIndex(src[:at], []byte(module)); at > 0 && src[at-1] != '.' {
				return at, true
			}
		}
	}
	last := len(module) - (strings.LastIndexByte(module, '.') + 1)
	for _, at := range []int{int(off), int(off) + last - len(module)} {
		if at >= 0 && at+len(module) <= len(src) && string(src[at:at+len(module)]) == module {
			return at, true
		}
	}
	return 0, false
}

// qualified rewrites modules that are written out where they are used.
func (m *mover) qualified(id graph.FileID, f *graph.Facts, l *graph.Links, src []byte) {
	spelled := map[string]string{}
	for _, s := range m.spots[id] {
		spelled[string(src[s.from:s.to])] = s.text
	}
	graph.Sites(id, f, l, func(x graph.Site) {
		if x.Expr < 0 || len(x.Targets) != 1 || x.Targets[0] != graph.ModuleTarget(x.Targets[0].File) {
			return
		}
		if _, ok := m.moved[x.Targets[0].File]; !ok {
			return
		}
		end := int(x.Off) + len(f.Str(x.Name))
		for old, now := range spelled {
			whole := strings.Contains(old, ".") || !strings.ContainsAny(now, " /") // else it is a member with a name of its own
			if at := end - len(old); whole && at >= 0 && end <= len(src) && string(src[at:end]) == old {
				m.add(id, at, end, now)
			}
		}
	})
}

// settle orders replacements and keeps, of those that overlap, the longest.
func settle(spots []spot) []spot {
	slices.SortFunc(spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), strings.Compare(a.text, b.text))
	})
	var out []spot
	for _, s := range spots {
		if n := len(out); n > 0 && s.from < out[n-1].to || n > 0 && s == out[n-1] {
			continue
		}
		out = append(out, s)
	}
	return out
}

// rewritten is a file's text with its replacements.
func rewritten(src []byte, spots []spot) []byte {
	var b bytes.Buffer
	at := 0
	for _, s := range spots {
		b.Write(src[at:s.from])
		b.WriteString(s.text)
		at = s.to
	}
	b.Write(src[at:])
	return b.Bytes()
}
