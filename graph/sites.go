package graph

import (
	"context"
	"fmt"
	"slices"
)

// Site is one reference: where a name is mentioned, and what became of it.
type Site struct {
	File FileID
	// Expr is the expression of the file's facts, or for the names of import i: -1-2*i its
	// module, -2-2*i its member.
	Expr int32
	// In is the named callable that the reference belongs to: the innermost one around it;
	// None at file level or in a type outside its methods.
	In     int32
	Off    uint32 // of the name
	Name   uint32 // index into the file's strings
	Role   Role
	Also   Role // see Link
	Status Status
	Reason Reason
	// Targets are what it refers to.
	Targets []Target
}

// Callable is the innermost named callable among symbol i and those around it, or None.
func (f *Facts) Callable(i int32) int32 {
	for i != None {
		s := &f.Symbols[i]
		if s.Kind.Callable() && s.Flags&Anonymous == 0 && f.Strings[s.Name] != "" {
			return i
		}
		i = s.Container
	}
	return None
}

// Within reports whether symbol i is outer or lies in it.
func (f *Facts) Within(i, outer int32) bool {
	for i != None && i != outer {
		i = f.Symbols[i].Container
	}
	return i != None
}

// Sites calls g with each reference of file id, those of imports last.
func Sites(id FileID, f *Facts, l *Links, g func(Site)) {
	if f == nil || l == nil {
		return
	}
	for i := range l.Refs {
		k := &l.Refs[i]
		e := &f.Exprs[k.Expr]
		g(Site{File: id, Expr: int32(k.Expr), In: f.Callable(e.In), Off: e.Off, Name: e.Name, Role: k.role(e), Also: k.Also,
			Status: k.Status, Reason: k.Reason, Targets: l.Targets[k.First : k.First+uint32(k.N)]})
	}
	last := uint32(0)
	for i := range min(len(l.Imports), len(f.Imports)) {
		k, m := &l.Imports[i], &f.Imports[i]
		s := Site{File: id, Expr: int32(-1 - 2*i), In: f.Callable(m.In), Off: m.ModuleOff, Name: m.Module, Role: Import, Status: k.Status, Reason: k.Reason}
		if k.Module != NoFile {
			s.Targets = []Target{ModuleTarget(k.Module)}
			s.Status = Certain
		}
		// The module's own name may name the member, and several members may share it.
		if own := k.Module == NoFile && k.N > 0 && m.NameOff == 0 && m.Off == 0; !own && m.ModuleOff != last {
			g(s)
			last = m.ModuleOff
		}
		if whole := f.Strings[m.Name] == "" && k.N == 0 && k.Module != NoFile && m.Flags&Assigned == 0; whole && m.Off != 0 && m.Local != 0 && m.Off != m.ModuleOff {
			s.Expr, s.Off, s.Name = int32(-2-2*i), m.Off, m.Local // a name for all of the module
			g(s)
		}
		if f.Strings[m.Name] != "" || k.N > 0 {
			s.Expr, s.Off, s.Name = int32(-2-2*i), m.NameOff, m.Name
			switch {
			case m.NameOff != 0:
			case m.Off != 0: // the name in this file stands for the module's own, or its default
				s.Off, s.Name = m.Off, m.Local
			case m.ModuleOff != 0:
				if s.Off = m.ModuleOff; f.Strings[m.Name] == "" {
					if s.Name = m.Local; s.Name == 0 { // all names of a type
						s.Name = m.Module
					}
				}
			default: // exported again, without a place of its own
				continue
			}
			s.Status, s.Targets = k.Status, l.Targets[k.First:k.First+uint32(k.N)]
			g(s)
		}
	}
}

// role is how the name of expression e is used: as linking found, or else as it looks.
func (k *Link) role(e *Expr) Role {
	if k.Role != NoRole {
		return k.Role
	}
	return e.Role
}

// In gives, for each target, the references to it, in the order of their files as the
// store has it, then of their places. It asks the store three questions.
func In(ctx context.Context, r Reader, targets []Target) ([][]Site, error) {
	c := newContents(ctx, r)
	sites, err := c.in(targets)
	if err != nil {
		return nil, fmt.Errorf("find references to %d symbols: %w", len(targets), err)
	}
	return sites, nil
}

// Out gives, for each handle, the references inside the symbol's extent, in the order of
// their places; for a file (FileItself) all of its references. Those of other callables
// within have another In. It asks the store two questions.
func Out(ctx context.Context, r Reader, handles []Handle) ([][]Site, error) {
	c := newContents(ctx, r)
	sites, err := c.out(handles)
	if err != nil {
		return nil, fmt.Errorf("find references in %d symbols: %w", len(handles), err)
	}
	return sites, nil
}

// Resolve finds the symbols that the targets are now; one that is no more, or whose file
// has changed, has index None. It asks the store one question.
func Resolve(ctx context.Context, r Reader, targets []Target) ([]Handle, error) {
	c := newContents(ctx, r)
	hs, err := c.resolve(targets)
	if err != nil {
		return nil, fmt.Errorf("find %d symbols: %w", len(targets), err)
	}
	return hs, nil
}

// contents keeps what was read of files, so that each is asked for once, and what is
// missing in one question.
type contents struct {
	ctx    context.Context
	r      Reader
	facts  map[FileID]*Facts
	links  map[FileID]*Links
	hashes map[FileID]map[uint32]int32
}

func newContents(ctx context.Context, r Reader) *contents {
	return &contents{ctx, r, map[FileID]*Facts{}, map[FileID]*Links{}, map[FileID]map[uint32]int32{}}
}

// Fill asks for what of files is not in have, in one question, and puts the answers there.
func Fill[T any](have map[FileID]T, files []FileID, ask func([]FileID) ([]T, error)) error {
	var missing []FileID
	for _, id := range files {
		if _, ok := have[id]; !ok {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	missing = slices.Compact(missing)
	if len(missing) == 0 {
		return nil
	}
	got, err := ask(missing)
	if err != nil {
		return err
	}
	for i, id := range missing {
		have[id] = got[i]
	}
	return nil
}

// load is Fill, unless the question is over.
func load[T any](c *contents, have map[FileID]T, files []FileID, ask func([]FileID) ([]T, error)) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	return Fill(have, files, ask)
}

func (c *contents) loadFacts(files []FileID) error { return load(c, c.facts, files, c.r.Facts) }
func (c *contents) loadLinks(files []FileID) error { return load(c, c.links, files, c.r.Links) }

func (c *contents) in(targets []Target) ([][]Site, error) {
	referrers, err := c.r.Referrers(targets)
	if err != nil {
		return nil, err
	}
	var files []FileID
	seen := map[FileID]bool{}
	wanted := make(map[Target][]int, len(targets))
	for i, t := range targets {
		wanted[t] = append(wanted[t], i)
		for _, id := range referrers[i] {
			if !seen[id] {
				seen[id] = true
				files = append(files, id)
			}
		}
	}
	if err := c.loadFacts(files); err != nil {
		return nil, err
	}
	if err := c.loadLinks(files); err != nil {
		return nil, err
	}
	out := make([][]Site, len(targets))
	for _, id := range files {
		Sites(id, c.facts[id], c.links[id], func(s Site) {
			for n, t := range s.Targets {
				if n > 0 && t == s.Targets[n-1] {
					continue
				}
				for _, i := range wanted[t] {
					out[i] = append(out[i], s)
				}
			}
		})
	}
	return out, nil
}

func (c *contents) out(handles []Handle) ([][]Site, error) {
	var files []FileID
	for _, h := range handles {
		files = append(files, h.File)
	}
	if err := c.loadFacts(files); err != nil {
		return nil, err
	}
	if err := c.loadLinks(files); err != nil {
		return nil, err
	}
	out := make([][]Site, len(handles))
	for i, h := range handles {
		f := c.facts[h.File]
		if f == nil || h.Index < 0 || h.Index != FileItself && int(h.Index) >= len(f.Symbols) {
			continue
		}
		Sites(h.File, f, c.links[h.File], func(s Site) {
			if h.Index == FileItself || f.Within(f.inner(s.Expr), h.Index) {
				out[i] = append(out[i], s)
			}
		})
	}
	return out, nil
}

// inner is the innermost symbol around a site's expression or import.
func (f *Facts) inner(expr int32) int32 {
	if expr >= 0 {
		return f.Exprs[expr].In
	}
	return f.Imports[(-1-expr)/2].In
}

func (c *contents) resolve(targets []Target) ([]Handle, error) {
	var files []FileID
	for _, t := range targets {
		files = append(files, t.File)
	}
	if err := c.loadFacts(files); err != nil {
		return nil, err
	}
	out := make([]Handle, len(targets))
	for i, t := range targets {
		out[i] = c.handle(t)
	}
	return out, nil
}

// handle is the symbol that t is, of a file whose facts are loaded.
func (c *contents) handle(t Target) Handle {
	if t == ModuleTarget(t.File) {
		return Handle{t.File, FileItself}
	}
	m, ok := c.hashes[t.File]
	if !ok {
		m = targetIndex(c.facts[t.File])
		c.hashes[t.File] = m
	}
	if i, ok := m[t.Hash]; ok {
		return Handle{t.File, i}
	}
	return Handle{t.File, None}
}

// targetIndex maps the target hashes of f's symbols to their indexes.
func targetIndex(f *Facts) map[uint32]int32 {
	m := make(map[uint32]int32, len(symbolsOf(f)))
	for i := range symbolsOf(f) {
		h := f.TargetHash(int32(i))
		if _, ok := m[h]; !ok {
			m[h] = int32(i)
		}
	}
	return m
}

// target is the target that means h, of a file whose facts are loaded.
func (c *contents) target(h Handle) (Target, bool) {
	f := c.facts[h.File]
	if h.Index == FileItself {
		return ModuleTarget(h.File), true
	}
	if f == nil || h.Index < 0 || int(h.Index) >= len(f.Symbols) {
		return Target{}, false
	}
	return Target{h.File, f.TargetHash(h.Index)}, true
}
