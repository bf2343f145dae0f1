package workspace

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/codegraph-dev/codegraph/graph"
)

// overlay is a graph with a batch laid over it, in memory. It stands for the files that
// changed since the graph under it was made, or, over nothing, for a whole index where the
// state folder cannot be used. It is immutable once made.
type overlay struct {
	base  graph.KeyReader // nil for nothing
	gen   graph.Gen
	put   map[graph.FileID]*graph.FileRecord
	over  map[graph.FileID]bool // put or taken away
	files []graph.File          // by path
	meta  map[string][]byte
	next  func([]string) []graph.FileID // ids, where there is no base

	once   sync.Once // makes what follows, from put alone
	lookup map[graph.Key][]graph.Handle
	asks   map[graph.Key][]graph.FileID
	refs   map[graph.Target][]graph.FileID
	names  map[string][]graph.Handle
}

var _ graph.KeyReader = (*overlay)(nil)

// newOverlay lays b over base.
func newOverlay(base graph.KeyReader, b *graph.Batch) (*overlay, error) {
	o := &overlay{base: base, put: map[graph.FileID]*graph.FileRecord{}, over: map[graph.FileID]bool{}, meta: b.Meta}
	put := make([]graph.File, len(b.Put))
	for i := range b.Put {
		o.put[b.Put[i].File.ID] = &b.Put[i]
		o.over[b.Put[i].File.ID] = true
		put[i] = b.Put[i].File
	}
	slices.SortFunc(put, func(a, b graph.File) int { return strings.Compare(a.Path, b.Path) })
	for _, id := range b.Delete {
		o.over[id] = true
	}
	if base != nil {
		o.gen = base.Gen()
		files, err := base.Files()
		if err != nil {
			return nil, err
		}
		o.files = make([]graph.File, 0, len(files)+len(put))
		for i := range files {
			if f := &files[i]; !o.over[f.ID] {
				for len(put) > 0 && put[0].Path < f.Path {
					o.files, put = append(o.files, put[0]), put[1:]
				}
				o.files = append(o.files, *f)
			}
		}
	}
	o.files = append(o.files, put...)
	return o, nil
}

// index makes the tables of what was put.
func (o *overlay) index() {
	o.lookup, o.asks = map[graph.Key][]graph.Handle{}, map[graph.Key][]graph.FileID{}
	o.refs, o.names = map[graph.Target][]graph.FileID{}, map[string][]graph.Handle{}
	for _, f := range o.files { // in the order of paths
		r := o.put[f.ID]
		if r == nil {
			continue
		}
		for _, x := range r.Exports {
			o.lookup[x.Key] = append(o.lookup[x.Key], graph.Handle{File: f.ID, Index: x.Index})
		}
		for _, k := range r.Reads {
			o.asks[k] = append(o.asks[k], f.ID)
		}
		if r.Facts != nil {
			for i := range r.Facts.Symbols {
				name := r.Facts.Str(r.Facts.Symbols[i].Name)
				o.names[name] = append(o.names[name], graph.Handle{File: f.ID, Index: int32(i)})
			}
		}
		if r.Links != nil {
			o.addRefs(f.ID, r.Links)
		}
	}
}

func (o *overlay) addRefs(id graph.FileID, l *graph.Links) {
	add := func(t graph.Target) {
		if s := o.refs[t]; len(s) == 0 || s[len(s)-1] != id {
			o.refs[t] = append(s, id)
		}
	}
	for _, t := range l.Targets {
		add(t)
	}
	for _, im := range l.Imports {
		if im.Module != graph.NoFile {
			add(graph.ModuleTarget(im.Module))
		}
	}
}

// Gen implements graph.Reader.
func (o *overlay) Gen() graph.Gen { return o.gen }

// Meta implements graph.Reader.
func (o *overlay) Meta(keys ...string) ([][]byte, error) {
	out := make([][]byte, len(keys))
	if o.base != nil {
		var err error
		if out, err = o.base.Meta(keys...); err != nil {
			return nil, err
		}
	}
	for i, k := range keys {
		if v, ok := o.meta[k]; ok {
			out[i] = v
		}
	}
	return out, nil
}

// Files implements graph.Reader.
func (o *overlay) Files() ([]graph.File, error) { return o.files, nil }

// FileIDs implements graph.Reader.
func (o *overlay) FileIDs(paths []string) ([]graph.FileID, error) {
	if o.base == nil {
		return o.next(paths), nil
	}
	return o.base.FileIDs(paths)
}

// each asks the base for the ids that are not laid over and fills in those that are.
func each[T any](o *overlay, ids []graph.FileID, ask func([]graph.FileID) ([]T, error), of func(*graph.FileRecord) T) ([]T, error) {
	out := make([]T, len(ids))
	var rest []graph.FileID
	var at []int
	for i, id := range ids {
		switch {
		case !o.over[id]:
			rest, at = append(rest, id), append(at, i)
		case o.put[id] != nil:
			out[i] = of(o.put[id])
		}
	}
	if o.base == nil || len(rest) == 0 {
		return out, nil
	}
	got, err := ask(rest)
	if err != nil {
		return nil, err
	}
	for k, i := range at {
		out[i] = got[k]
	}
	return out, nil
}

// Facts implements graph.Reader.
func (o *overlay) Facts(ids []graph.FileID) ([]*graph.Facts, error) {
	return each(o, ids, func(r []graph.FileID) ([]*graph.Facts, error) { return o.base.Facts(r) },
		func(r *graph.FileRecord) *graph.Facts { return r.Facts })
}

// Links implements graph.Reader.
func (o *overlay) Links(ids []graph.FileID) ([]*graph.Links, error) {
	return each(o, ids, func(r []graph.FileID) ([]*graph.Links, error) { return o.base.Links(r) },
		func(r *graph.FileRecord) *graph.Links { return r.Links })
}

// Exports implements graph.KeyReader.
func (o *overlay) Exports(ids []graph.FileID) ([][]graph.Export, error) {
	return each(o, ids, func(r []graph.FileID) ([][]graph.Export, error) { return o.base.Exports(r) },
		func(r *graph.FileRecord) []graph.Export { return r.Exports })
}

// Reads implements graph.KeyReader.
func (o *overlay) Reads(ids []graph.FileID) ([][]graph.Key, error) {
	return each(o, ids, func(r []graph.FileID) ([][]graph.Key, error) { return o.base.Reads(r) },
		func(r *graph.FileRecord) []graph.Key { return r.Reads })
}

// merge lays handles of put files over those of the base.
func (o *overlay) merge(base, put []graph.Handle) []graph.Handle {
	out := make([]graph.Handle, 0, len(base)+len(put))
	for _, h := range base {
		if !o.over[h.File] {
			out = append(out, h)
		}
	}
	if len(put) == 0 {
		return out
	}
	paths := o.paths()
	out = append(out, put...)
	slices.SortStableFunc(out, func(a, b graph.Handle) int {
		return cmp.Or(strings.Compare(paths[a.File], paths[b.File]), cmp.Compare(a.Index, b.Index))
	})
	return out
}

func (o *overlay) paths() map[graph.FileID]string {
	m := make(map[graph.FileID]string, len(o.files))
	for i := range o.files {
		m[o.files[i].ID] = o.files[i].Path
	}
	return m
}

// Lookup implements graph.Reader.
func (o *overlay) Lookup(keys []graph.Key) ([][]graph.Handle, error) {
	o.once.Do(o.index)
	out := make([][]graph.Handle, len(keys))
	if o.base != nil {
		var err error
		if out, err = o.base.Lookup(keys); err != nil {
			return nil, err
		}
	}
	for i, k := range keys {
		out[i] = o.merge(out[i], o.lookup[k])
	}
	return out, nil
}

// Named implements graph.Reader.
func (o *overlay) Named(keep func(string) bool, f func(string, []graph.Handle) bool) error {
	o.once.Do(o.index)
	mine := make([]string, 0, len(o.names))
	for n := range o.names {
		if keep(n) {
			mine = append(mine, n)
		}
	}
	slices.Sort(mine)
	stopped := false
	upTo := func(name string, last bool) bool {
		for len(mine) > 0 && (last || mine[0] < name) {
			if !f(mine[0], o.names[mine[0]]) {
				stopped = true
				return false
			}
			mine = mine[1:]
		}
		return true
	}
	if o.base != nil {
		err := o.base.Named(keep, func(name string, at []graph.Handle) bool {
			if !upTo(name, false) {
				return false
			}
			var put []graph.Handle
			if len(mine) > 0 && mine[0] == name {
				put, mine = o.names[name], mine[1:]
			}
			if at = o.merge(at, put); len(at) > 0 && !f(name, at) {
				stopped = true
				return false
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	if !stopped {
		upTo("", true)
	}
	return nil
}

// mergeFiles are the files of a table's row: those of the base that are not laid over, and those of the put ones.
func (o *overlay) mergeFiles(base, put []graph.FileID) []graph.FileID {
	out := make([]graph.FileID, 0, len(base)+len(put))
	for _, id := range base {
		if !o.over[id] {
			out = append(out, id)
		}
	}
	return append(out, put...)
}

// Referrers implements graph.Reader.
func (o *overlay) Referrers(targets []graph.Target) ([][]graph.FileID, error) {
	o.once.Do(o.index)
	out := make([][]graph.FileID, len(targets))
	if o.base != nil {
		var err error
		if out, err = o.base.Referrers(targets); err != nil {
			return nil, err
		}
	}
	for i, t := range targets {
		out[i] = o.mergeFiles(out[i], o.refs[t])
		if len(o.refs[t]) > 0 {
			paths := o.paths()
			slices.SortFunc(out[i], func(a, b graph.FileID) int { return strings.Compare(paths[a], paths[b]) })
		}
	}
	return out, nil
}

// Askers implements graph.Reader.
func (o *overlay) Askers(keys []graph.Key) ([]graph.FileID, error) {
	o.once.Do(o.index)
	var out []graph.FileID
	if o.base != nil {
		base, err := o.base.Askers(keys)
		if err != nil {
			return nil, err
		}
		out = o.mergeFiles(base, nil)
	}
	for _, k := range keys {
		out = append(out, o.asks[k]...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
