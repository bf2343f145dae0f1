package edittools

import (
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// attribute is a module that moves, as its package knows it: where modules hold others, importing one makes it a
// member of the package, by its own name.
type attribute struct {
	id     graph.FileID
	parent string // the package's path of names, with slashes
	name   string
	now    string // the path of names from the package after the move; empty if it is outside of it
}

// attributesOf are the modules among what moves that a package, which stays, has as members.
func (m *mover) attributesOf() (out []attribute) {
	for id := range m.moved {
		was, is := m.pathOf(id)
		old, now := modulePath(was, true), modulePath(is, true)
		inside := m.whole != "" && len(old) > len(segments(m.whole))
		if len(old) < 2 || inside {
			continue
		}
		n := len(old) - 1
		a := attribute{id: id, parent: strings.Join(old[:n], "/"), name: old[n]}
		if len(now) > n && equalSegments(old[:n], now[:n]) {
			a.now = strings.Join(now[n:], ".")
		}
		out = append(out, a)
	}
	return out
}

// attributes follows modules that are named as members of their package: behind its name, or bare in the package's
// own file. Where they are no members of it any more, the places are listed.
func (m *mover) attributes(id graph.FileID, f *graph.Facts, l *graph.Links, known *lang.Language, src []byte) {
	if known.SubModule == nil {
		return
	}
	was, _ := m.pathOf(id)
	own := strings.Join(modulePath(was, true), "/")
	if path.Dir(was) != own {
		own = "" // it does not stand for its folder
	}
	for _, a := range m.attributesOf() {
		bound := slices.ContainsFunc(f.Imports, func(im graph.Imported) bool { return im.Flags&graph.Star == 0 && f.Str(im.Local) == a.name })
		graph.Sites(id, f, l, func(x graph.Site) {
			off, end := int(x.Off), int(x.Off)+len(a.name)
			if x.Expr < 0 || f.Str(x.Name) != a.name || end > len(src) || string(src[off:end]) != a.name {
				return
			}
			_, _, member := qualifier(src, off)
			means := slices.Contains(x.Targets, graph.ModuleTarget(a.id))
			bare := own == a.parent && !bound && (means || x.Status == graph.Unresolved)
			switch {
			case member && !means || !member && !bare:
			case slices.ContainsFunc(m.spots[id], func(s spot) bool { return s.from <= off && end <= s.to }): // written out in full
			case a.now == "":
				m.mention(was, src, off)
			case a.now != a.name:
				m.add(id, off, end, a.now)
			}
		})
	}
}
