package graphtest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/codegraph-dev/codegraph/graph"
)

// Memory is a graph.Store in memory: maps and sorted slices, as plain as can be. Each
// generation is immutable; a View keeps its own.
type Memory struct {
	mu     sync.Mutex // guards what follows
	ids    map[string]graph.FileID
	paths  []string
	now    *generation
	closed bool
}

// generation is the content after one batch.
type generation struct {
	gen   graph.Gen
	files map[graph.FileID]graph.FileRecord
	meta  map[string][]byte

	once   sync.Once // makes what follows
	lookup map[graph.Key][]graph.Handle
	asks   map[graph.Key][]graph.FileID
	refs   map[graph.Target][]graph.FileID
	names  map[string][]graph.Handle
	order  []graph.FileID // by path
}

// NewMemory is an empty store.
func NewMemory() *Memory {
	return &Memory{
		ids: map[string]graph.FileID{},
		now: &generation{files: map[graph.FileID]graph.FileRecord{}, meta: map[string][]byte{}},
	}
}

// View implements graph.Store.
func (m *Memory) View(ctx context.Context, f func(graph.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	g, closed := m.now, m.closed
	m.mu.Unlock()
	if closed {
		return graph.ErrClosed
	}
	g.once.Do(g.index)
	r := &memoryReader{ctx: ctx, m: m, generation: g}
	defer func() { r.mu.Lock(); r.ended = true; r.mu.Unlock() }()
	return f(r)
}

// Apply implements graph.Store.
func (m *Memory) Apply(ctx context.Context, b *graph.Batch) (graph.Gen, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, graph.ErrClosed
	}
	next := &generation{gen: m.now.gen + 1, files: maps.Clone(m.now.files), meta: maps.Clone(m.now.meta)}
	for _, id := range b.Delete {
		delete(next.files, id)
	}
	seen := map[graph.FileID]bool{}
	for _, r := range b.Put {
		id := r.File.ID
		if int(id) >= len(m.paths) || m.paths[id] != r.File.Path {
			return 0, fmt.Errorf("file %s has id %d, which is not from FileIDs", r.File.Path, id)
		}
		if seen[id] {
			return 0, fmt.Errorf("file %s is put twice", r.File.Path)
		}
		seen[id] = true
		r.Exports = slices.Clone(r.Exports)
		slices.SortFunc(r.Exports, func(a, b graph.Export) int {
			return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Shape, b.Shape))
		})
		r.Exports = slices.Compact(r.Exports)
		r.Reads = slices.Clone(r.Reads)
		slices.Sort(r.Reads)
		r.Reads = slices.Compact(r.Reads)
		next.files[id] = r
	}
	for k, v := range b.Meta {
		if v == nil {
			delete(next.meta, k)
		} else {
			next.meta[k] = append([]byte{}, v...)
		}
	}
	m.now = next
	return next.gen, nil
}

// Close implements graph.Store.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

// index makes the answers to questions that are not about one file.
func (g *generation) index() {
	g.lookup = map[graph.Key][]graph.Handle{}
	g.asks = map[graph.Key][]graph.FileID{}
	g.refs = map[graph.Target][]graph.FileID{}
	g.names = map[string][]graph.Handle{}
	g.order = slices.SortedFunc(maps.Keys(g.files), func(a, b graph.FileID) int {
		return cmp.Compare(g.files[a].File.Path, g.files[b].File.Path)
	})
	for _, id := range g.order {
		r := g.files[id]
		for _, e := range r.Exports {
			g.lookup[e.Key] = appendNew(g.lookup[e.Key], graph.Handle{File: id, Index: e.Index})
		}
		for _, k := range r.Reads {
			g.asks[k] = appendNew(g.asks[k], id)
		}
		if r.Links != nil {
			for _, t := range r.Links.Targets {
				g.refs[t] = appendNew(g.refs[t], id)
			}
			for _, l := range r.Links.Imports {
				if t := graph.ModuleTarget(l.Module); l.Module != graph.NoFile {
					g.refs[t] = appendNew(g.refs[t], id)
				}
			}
		}
		if r.Facts != nil {
			for i := range r.Facts.Symbols {
				if n := r.Facts.Strings[r.Facts.Symbols[i].Name]; n != "" {
					g.names[n] = append(g.names[n], graph.Handle{File: id, Index: int32(i)})
				}
			}
		}
	}
}

// appendNew appends x unless it is the last already.
func appendNew[T comparable](s []T, x T) []T {
	if len(s) > 0 && s[len(s)-1] == x {
		return s
	}
	return append(s, x)
}

// memoryReader reads one generation.
type memoryReader struct {
	*generation
	ctx   context.Context
	m     *Memory
	mu    sync.Mutex // guards ended
	ended bool
}

var _ graph.KeyReader = (*memoryReader)(nil)

func (r *memoryReader) err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return graph.ErrClosed
	}
	return r.ctx.Err()
}

func (r *memoryReader) Gen() graph.Gen { return r.gen }

func (r *memoryReader) Meta(keys ...string) ([][]byte, error) {
	return each(r, keys, func(k string) []byte { return r.meta[k] })
}

func (r *memoryReader) Files() ([]graph.File, error) {
	return each(r, r.order, func(id graph.FileID) graph.File { return r.files[id].File })
}

func (r *memoryReader) FileIDs(paths []string) ([]graph.FileID, error) {
	m := r.m
	m.mu.Lock()
	defer m.mu.Unlock()
	return each(r, paths, func(p string) graph.FileID {
		id, ok := m.ids[p]
		if !ok {
			id = graph.FileID(len(m.paths))
			m.paths = append(m.paths, p)
			m.ids[p] = id
		}
		return id
	})
}

func (r *memoryReader) Facts(ids []graph.FileID) ([]*graph.Facts, error) {
	return each(r, ids, func(id graph.FileID) *graph.Facts { return r.files[id].Facts })
}

func (r *memoryReader) Links(ids []graph.FileID) ([]*graph.Links, error) {
	return each(r, ids, func(id graph.FileID) *graph.Links { return r.files[id].Links })
}

func (r *memoryReader) Exports(ids []graph.FileID) ([][]graph.Export, error) {
	return each(r, ids, func(id graph.FileID) []graph.Export { return r.files[id].Exports })
}

func (r *memoryReader) Reads(ids []graph.FileID) ([][]graph.Key, error) {
	return each(r, ids, func(id graph.FileID) []graph.Key { return r.files[id].Reads })
}

func (r *memoryReader) Lookup(keys []graph.Key) ([][]graph.Handle, error) {
	return each(r, keys, func(k graph.Key) []graph.Handle { return r.lookup[k] })
}

func (r *memoryReader) Referrers(targets []graph.Target) ([][]graph.FileID, error) {
	return each(r, targets, func(t graph.Target) []graph.FileID { return r.refs[t] })
}

func (r *memoryReader) Askers(keys []graph.Key) ([]graph.FileID, error) {
	var out []graph.FileID
	for _, k := range keys {
		out = append(out, r.asks[k]...)
	}
	slices.Sort(out)
	return slices.Compact(out), r.err()
}

func (r *memoryReader) Named(keep func(string) bool, f func(string, []graph.Handle) bool) error {
	for _, n := range slices.Sorted(maps.Keys(r.names)) {
		if err := r.err(); err != nil {
			return err
		}
		if keep(n) && !f(n, r.names[n]) {
			break
		}
	}
	return r.err()
}

// each answers one question for all of its items.
func each[Q, A any](r *memoryReader, qs []Q, answer func(Q) A) ([]A, error) {
	if err := r.err(); err != nil {
		return nil, err
	}
	out := make([]A, len(qs))
	for i, q := range qs {
		out[i] = answer(q)
	}
	return out, nil
}
