package graphtest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Universe is what may be asked of a store: what Describe asks for.
type Universe struct {
	Paths   []string
	Keys    []graph.Key
	Hashes  []uint32 // of targets, asked for in every path
	MetaKey []string
}

// Describe is everything that r answers about u, as text without file ids: two stores with
// the same content give the same.
func Describe(r graph.Reader, u Universe) (string, error) {
	d := &description{r: r, u: u}
	for _, part := range []func() error{d.files, d.perFile, d.lookups, d.links, d.names} {
		if err := part(); err != nil {
			return "", err
		}
	}
	return d.b.String(), nil
}

type description struct {
	b    strings.Builder
	r    graph.Reader
	u    Universe
	ids  []graph.FileID
	path map[graph.FileID]string
}

func (d *description) line(format string, args ...any) { fmt.Fprintf(&d.b, format+"\n", args...) }

func (d *description) files() error {
	ids, err := d.r.FileIDs(d.u.Paths)
	if err != nil {
		return err
	}
	d.ids, d.path = ids, map[graph.FileID]string{}
	for i, id := range ids {
		if other, ok := d.path[id]; ok && other != d.u.Paths[i] {
			return fmt.Errorf("id %d is that of %s and %s", id, other, d.u.Paths[i])
		}
		d.path[id] = d.u.Paths[i]
	}
	files, err := d.r.Files()
	for _, f := range files {
		if d.path[f.ID] != f.Path {
			return fmt.Errorf("file %s has id %d, which is of %q", f.Path, f.ID, d.path[f.ID])
		}
		f.ID = 0
		d.line("file %+v", f)
	}
	meta, merr := d.r.Meta(d.u.MetaKey...)
	for i, v := range meta {
		d.line("meta %q %v %q", d.u.MetaKey[i], v != nil, v)
	}
	if err == nil {
		err = merr
	}
	return err
}

func (d *description) perFile() error {
	facts, err := d.r.Facts(d.ids)
	if err != nil {
		return err
	}
	links, err := d.r.Links(d.ids)
	if err != nil {
		return err
	}
	for i, p := range d.u.Paths {
		if facts[i] != nil {
			d.line("facts %s %s", p, flat(*facts[i]))
		}
		if links[i] != nil {
			d.line("links %s %+v", p, links[i].Refs)
			for _, l := range links[i].Imports {
				d.line("  import %s %d %d %s %s", d.pathOf(l.Module), l.First, l.N, l.Status, l.Reason)
			}
			for _, t := range links[i].Targets {
				d.line("  target %s %x", d.pathOf(t.File), t.Hash)
			}
		}
	}
	k, ok := d.r.(graph.KeyReader)
	if !ok {
		return nil
	}
	exports, err := k.Exports(d.ids)
	if err != nil {
		return err
	}
	reads, err := k.Reads(d.ids)
	for i, p := range d.u.Paths {
		d.line("exports %s %v reads %v", p, exports[i], reads[i])
	}
	return err
}

// flat is f as text in which nil and empty slices look the same.
func flat(f graph.Facts) string {
	v := reflect.ValueOf(f)
	var b strings.Builder
	for i := range v.NumField() {
		fmt.Fprintf(&b, "%s=%q ", v.Type().Field(i).Name, fmt.Sprintf("%+v", v.Field(i)))
	}
	return b.String()
}

func (d *description) pathOf(id graph.FileID) string {
	if id == graph.NoFile {
		return "-"
	}
	if p, ok := d.path[id]; ok {
		return p
	}
	return fmt.Sprintf("unknown id %d", id)
}

func (d *description) handles(hs []graph.Handle) string {
	var b strings.Builder
	for _, h := range hs {
		fmt.Fprintf(&b, " %s:%d", d.pathOf(h.File), h.Index)
	}
	return b.String()
}

func (d *description) pathsOf(ids []graph.FileID, sorted bool) string {
	var ps []string
	for _, id := range ids {
		ps = append(ps, d.pathOf(id))
	}
	if sorted {
		slices.Sort(ps)
	}
	return strings.Join(ps, " ")
}

func (d *description) lookups() error {
	found, err := d.r.Lookup(d.u.Keys)
	if err != nil {
		return err
	}
	for i, hs := range found {
		d.line("lookup %x%s", d.u.Keys[i], d.handles(hs))
		askers, err := d.r.Askers(d.u.Keys[i : i+1])
		if err != nil {
			return err
		}
		if !slices.IsSorted(askers) {
			return fmt.Errorf("askers of %x are not sorted: %v", d.u.Keys[i], askers)
		}
		d.line("askers %x %s", d.u.Keys[i], d.pathsOf(askers, true))
	}
	askers, err := d.r.Askers(d.u.Keys)
	d.line("askers of all %s", d.pathsOf(askers, true))
	return err
}

func (d *description) links() error {
	var targets []graph.Target
	for _, id := range d.ids {
		targets = append(targets, graph.ModuleTarget(id))
		for _, h := range d.u.Hashes {
			targets = append(targets, graph.Target{File: id, Hash: h})
		}
	}
	refs, err := d.r.Referrers(targets)
	for i, ids := range refs {
		d.line("referrers %s %x: %s", d.pathOf(targets[i].File), targets[i].Hash, d.pathsOf(ids, false))
	}
	return err
}

func (d *description) names() error {
	return d.r.Named(func(string) bool { return true }, func(name string, at []graph.Handle) bool {
		d.line("named %q%s", name, d.handles(at))
		return true
	})
}
