package readtools

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// references lists every use of the subject with its role, and accounts for every textual
// occurrence of its name.
func (e *exploring) references(hs []graph.Handle) error {
	all, left, err := e.gatherUntil(hs, func(graph.Role) bool { return true }, 0, e.enoughSites(nil))
	if err != nil {
		return err
	}
	if left > 0 {
		e.atLeast("references in %s that were not looked at", count(left, "file"))
	}
	f, s := e.def(hs[0])
	if name := f.Str(s.Name); identifier.MatchString(name) {
		e.res.Account, err = e.account(name, e.withConstructors(hs), all)
		switch {
		case e.page.missed(err):
			e.atLeast("an account of all places where %s stands as a word", name)
			e.hidden(all)
			e.listSites(all)
			return nil
		case err != nil:
			return err
		}
		if n := e.res.Account.Unresolved; n > 0 {
			e.atLeast("%s of the name that could not be bound to any definition (grep in: references shows them)", count(n, "mention"))
		}
	}
	e.hidden(all)
	e.listSites(all)
	return nil
}

// account says where every textual occurrence of a name went. Each occurrence as a whole word
// counts once; those bound to the subject under another name are references, not occurrences.
func (e *exploring) account(name string, subject []graph.Handle, hits []siteHit) (*Account, error) {
	files, found, err := e.filesWith(name)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.FileID, len(files))
	for i, f := range files {
		ids[i] = f.ID
	}
	if err := e.load(ids...); err != nil {
		return nil, err
	}
	if err := e.loadLinks(ids...); err != nil {
		return nil, err
	}
	targets := map[graph.Target]bool{}
	for _, t := range e.targets(subject) {
		targets[t] = true
	}
	possible := map[place]bool{}
	for i := range hits {
		if hits[i].rank() > 0 {
			possible[place{hits[i].File, hits[i].Off}] = true
		}
	}
	a := &Account{Name: name}
	for i, f := range files {
		c := e.classes(f, name, targets, possible)
		for k := range found[i].Matches {
			e.countLine(a, &found[i], &found[i].Matches[k], c)
		}
	}
	a.Total = a.Definitions + a.Bound + a.Possible + a.Other + a.Unresolved + a.External + a.Text + a.Local
	return a, nil
}

// place is an offset in a file.
type place struct {
	file graph.FileID
	off  uint32
}

// class is what an occurrence of a name is. The order is that of precedence: what the
// references say counts before what the definitions say.
type class uint8

const (
	classText class = iota
	classLocal
	classOther
	classDefinition
	classExternal
	classUnresolved
	classOtherRef
	classPossible
	classBound
)

// classes are what the facts of a file say of the occurrences of a name in it, by offset.
func (e *exploring) classes(file *graph.File, name string, subject map[graph.Target]bool, possible map[place]bool) map[uint32]class {
	out := map[uint32]class{}
	f := e.facts[file.ID]
	if f == nil {
		return out
	}
	set := func(off uint32, c class) { out[off] = max(out[off], c) }
	for i := range f.Locals {
		if f.Str(f.Locals[i].Name) == name {
			set(f.Locals[i].Off, classLocal)
		}
	}
	for i := range f.Exprs {
		if x := &f.Exprs[i]; x.Op == graph.OpLocal && x.Role == graph.NoRole && f.Str(x.Name) == name {
			set(x.Off, classLocal)
		}
	}
	for i := range f.Symbols {
		if s := &f.Symbols[i]; f.Str(s.Name) == name {
			c := classOther
			if subject[graph.Target{File: file.ID, Hash: f.TargetHash(int32(i))}] {
				c = classDefinition
			}
			set(s.NameOff, c)
		}
	}
	graph.Sites(file.ID, f, e.links[file.ID], func(s graph.Site) {
		switch {
		case slices.ContainsFunc(s.Targets, func(t graph.Target) bool { return subject[t] }):
			c := classBound
			if s.Status != graph.Certain {
				c = classPossible
			}
			set(s.Off, c)
		case possible[place{file.ID, s.Off}]:
			set(s.Off, classPossible)
		case s.Status == graph.External:
			set(s.Off, classExternal)
		case s.Status == graph.Unresolved:
			set(s.Off, classUnresolved)
		default:
			set(s.Off, classOtherRef)
		}
	})
	return out
}

// countLine counts the occurrences of a line. Mentions of variables that leave no trace in the
// facts are told from comments by their place: a variable of that name is visible there.
func (e *exploring) countLine(a *Account, file *search.FileResult, m *search.Match, classes map[uint32]class) {
	bom := 0
	if file.BOM {
		bom = 3
	}
	for _, s := range m.Spans {
		off := uint32(int(m.Off) + bom + s.Start)
		c, ok := classes[off]
		if !ok && e.inLocalScope(file.Path, a.Name, off) && !quoted(m.Text[:s.Start]) {
			c = classLocal
		}
		switch c {
		case classBound:
			a.Bound++
		case classPossible:
			a.Possible++
		case classOther, classOtherRef:
			a.Other++
		case classUnresolved:
			a.Unresolved++
		case classExternal:
			a.External++
		case classDefinition:
			a.Definitions++
		case classLocal:
			a.Local++
		default:
			a.Text++
		}
	}
}

// quoted reports whether what follows the beginning of a line is likely text: a quote is open,
// or a sign begins a comment.
func quoted(front string) bool {
	if t := strings.TrimLeft(front, " \t"); strings.HasPrefix(t, "#") || strings.HasPrefix(t, "*") || strings.Contains(t, "//") || strings.Contains(t, "/*") {
		return true
	}
	open := byte(0)
	for i := 0; i < len(front); i++ {
		switch c := front[i]; {
		case c == '\\':
			i++
		case open == 0 && (c == '"' || c == '\'' || c == '`'):
			open = c
		case c == open:
			open = 0
		}
	}
	return open != 0
}

// inLocalScope reports whether a variable of that name was bound before off in the callable
// around it.
func (e *exploring) inLocalScope(path, name string, off uint32) bool {
	file := fileAt(e.s, path)
	if file == nil || e.facts[file.ID] == nil {
		return false
	}
	f := e.facts[file.ID]
	in := f.Callable(f.Enclosing(off))
	if in == graph.None || off < f.Symbols[in].Body {
		return false
	}
	return slices.ContainsFunc(f.Locals, func(l graph.Local) bool {
		return f.Str(l.Name) == name && l.Off < off && l.In != graph.None && f.Within(l.In, in) && l.Symbol == graph.None
	})
}
