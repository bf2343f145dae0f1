package readtools

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// find gives the symbols that a selector means, in the order of preference.
func (rd *reading) find(selector string) ([]graph.Handle, error) {
	if strings.TrimSpace(selector) == "" {
		return nil, usage("give a name, Type.Method, pkg.Func or path#Name", "there is no symbol to look for")
	}
	found, err := graph.Find(rd.ctx, rd.r, selector, graph.FindOptions{Source: func(path string) ([]byte, error) {
		f, err := rd.s.Read(rd.ctx, path)
		if err != nil {
			return nil, err
		}
		return f.Data, nil
	}})
	if err != nil && !errors.Is(err, graph.ErrNoSource) {
		return nil, err
	}
	var hs, embedded []graph.Handle
	for i := range found {
		rd.facts[found[i].File.ID] = found[i].Facts
		if found[i].Symbol().Flags&graph.Embedded != 0 {
			embedded = append(embedded, found[i].Handle)
		} else {
			hs = append(hs, found[i].Handle)
		}
	}
	if len(hs) == 0 { // an embedded field bears the name of its type, which is what is meant
		return embedded, nil
	}
	return hs, nil
}

// oneThing parts symbols into those that are the same thing: parts, overloads and
// redefinitions of one path of names in one namespace, a declaration with its definitions,
// a type with its constructors. The groups come in the order of their first member.
func (rd *reading) oneThing(hs []graph.Handle) [][]graph.Handle {
	var keys []string
	group := map[string][]graph.Handle{}
	for _, h := range hs {
		k := rd.identity(h)
		if _, ok := group[k]; !ok {
			keys = append(keys, k)
		}
		group[k] = append(group[k], h)
	}
	var out [][]graph.Handle
	for _, k := range keys {
		if into := rd.typeOf(group[k], group); into != "" && into != k {
			group[into] = append(group[into], group[k]...)
			group[k] = nil
		}
	}
	for _, k := range keys {
		if len(group[k]) > 0 {
			out = append(out, group[k])
		}
	}
	return out
}

// usualFirst puts definitions for the usual system before those for others only.
func (rd *reading) usualFirst(hs []graph.Handle) {
	slices.SortStableFunc(hs, func(a, b graph.Handle) int {
		f, g := rd.factsOf(a.File), rd.factsOf(b.File)
		if f == nil || g == nil {
			return 0
		}
		return int(f.Variant) - int(g.Variant)
	})
}

// typeOf is the group of the type whose constructors hs are and whose name they bear.
func (rd *reading) typeOf(hs []graph.Handle, groups map[string][]graph.Handle) string {
	f, s := rd.def(hs[0])
	if s == nil || s.Container == graph.None || !isConstructor(rd, hs[0]) || f.Symbols[s.Container].Name != s.Name {
		return ""
	}
	k := rd.identity(graph.Handle{File: hs[0].File, Index: s.Container})
	if len(groups[k]) == 0 {
		return ""
	}
	return k
}

// isConstructor reports whether a symbol runs when its type is made.
func isConstructor(rd *reading, h graph.Handle) bool {
	f, s := rd.def(h)
	if s == nil {
		return false
	}
	return s.Kind == graph.Constructor || s.Kind.Callable() && s.Container != graph.None && f.Symbols[s.Container].Kind.Type() &&
		slices.Contains(rd.semantics(h.File).Constructors, f.Str(s.Name))
}

// identity is equal for symbols that are one thing.
func (rd *reading) identity(h graph.Handle) string {
	f, s := rd.def(h)
	if s == nil {
		return fmt.Sprint(h)
	}
	path := f.Path(h.Index)
	return fmt.Sprintf("%x %s %v", uint64(rd.baseScope(h)), path, s.Kind.Type())
}

// baseScope is the namespace in which a symbol's path of names begins: its file's own for
// what only the file sees.
func (rd *reading) baseScope(h graph.Handle) graph.ScopeID {
	f, s := rd.def(h)
	path := rd.pathOf(h.File)
	for k := h.Index; s != nil && k >= 0; k = f.Symbols[k].Container {
		if f.Symbols[k].Flags&(graph.FileLocal|graph.NestedDef) != 0 {
			return lang.FileScope(path)
		}
	}
	if l := lang.Named(f.Language); l != nil {
		return l.SpaceOf(path, f)
	}
	return lang.FileScope(path)
}

// memberScope is the scope of a type's members.
func (rd *reading) memberScope(h graph.Handle) graph.ScopeID {
	f, s := rd.def(h)
	if s == nil {
		return 0
	}
	return rd.baseScope(h).Path(f.Scope(h.Index))
}

// notFound is the error for a selector that means nothing, with the nearest names. As long
// as the index does not stand for the files, it is not known that there is no such symbol.
func (rd *reading) notFound(selector string) error {
	if !rd.s.Fresh() {
		return &Error{
			Code: codeUnavailable, Message: fmt.Sprintf("no symbol called %s is known yet: the index is being brought up to date", quotePath(selector)),
			Next: fmt.Sprintf("call again in a few seconds; until then grep pattern: %q finds it as text", lastName(selector)),
		}
	}
	e := &Error{Code: codeNotFound, Message: fmt.Sprintf("no symbol is called %s", quotePath(selector))}
	name := lastName(selector)
	near, err := rd.nearNames(name, 5)
	if err != nil {
		return err
	}
	e.Next = fmt.Sprintf("search for it: grep pattern: %q, or in: symbols with part of the name", name)
	if len(near) > 0 {
		var names []string
		e.Candidates = rd.symbols(near)
		for _, s := range e.Candidates {
			if !slices.Contains(names, qualified(&s)) {
				names = append(names, qualified(&s))
			}
		}
		e.Message += "; the nearest are " + strings.Join(names, ", ")
	}
	return e
}

// lastName is the last part of a selector.
func lastName(selector string) string {
	if i := strings.LastIndexAny(selector, `.#:/\>`); i >= 0 && i+1 < len(selector) {
		return selector[i+1:]
	}
	return selector
}

// qualified is a symbol's name with its owner.
func qualified(s *Symbol) string {
	if s.Container != "" {
		return s.Container + "." + s.Name
	}
	return s.Name
}

// nearNames are symbols whose names resemble name, the nearest first.
func (rd *reading) nearNames(name string, n int) ([]graph.Handle, error) {
	type near struct {
		name string
		h    graph.Handle
		d    int
	}
	low := strings.ToLower(name)
	most := min(3, (len(low)+1)/3+1)
	var all []near
	err := rd.r.Named(func(s string) bool { return nearness(low, s, most) < most }, func(s string, at []graph.Handle) bool {
		d := nearness(low, s, most)
		for _, h := range at[:min(len(at), 3)] {
			if h.Index >= 0 && h.Index != graph.FileItself {
				all = append(all, near{s, h, d})
			}
		}
		return len(all) < 500
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b near) int {
		if a.d != b.d {
			return a.d - b.d
		}
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return rd.compareHandles(a.h, b.h)
	})
	var out []graph.Handle
	for _, a := range all[:min(n, len(all))] {
		out = append(out, a.h)
	}
	return out, nil
}

// nearness is how far a name is from one in lower case; most if it is too far.
func nearness(low, name string, most int) int {
	if len(name)-len(low) >= most+8 || len(low)-len(name) >= most {
		return most
	}
	s := strings.ToLower(name)
	if s == low {
		return 0
	}
	if len(low) >= 4 && strings.Contains(s, low) {
		return 1
	}
	return max(1, editDistance(low, s, most))
}

// ambiguous is the error for a selector that means several things.
func (rd *reading) ambiguous(selector string, groups [][]graph.Handle) *Error {
	var firsts []graph.Handle
	for _, g := range groups {
		firsts = append(firsts, g[0])
	}
	const most = 20
	e := &Error{Code: codeAmbiguous, Message: fmt.Sprintf("%s means %d different symbols", quotePath(selector), len(groups))}
	e.Candidates = rd.symbols(firsts[:min(most, len(firsts))])
	e.Next = "repeat the call with the id of the one that is meant"
	if len(e.Candidates) > 0 {
		e.Next += fmt.Sprintf(", for example %q", e.Candidates[0].ID)
	}
	const told = 8
	for i, c := range e.Candidates[:min(told, len(e.Candidates))] {
		e.Message += fmt.Sprintf("%s %s %s", map[bool]string{true: ":", false: ","}[i == 0], c.Kind, c.ID)
	}
	if len(firsts) > told {
		e.Message += ", ..."
	}
	return e
}
