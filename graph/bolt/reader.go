package bolt

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// reader answers from one read transaction. Its methods may run in several goroutines.
type reader struct {
	ctx   context.Context
	store *Store
	tx    *bbolt.Tx
	b     *buckets
	state *state
	draft bool // reads what is not yet a generation
	ended atomic.Bool

	mu   sync.Mutex                // guards keys
	keys map[graph.FileID]fileKeys // opened already; they share the map's memory
}

var _ graph.KeyReader = (*reader)(nil)

func (r *reader) begin() (err error) {
	if r.tx, err = r.store.db.Begin(false); err != nil {
		return err
	}
	if r.b, err = openBuckets(r.tx); err == nil {
		r.state, err = decodeState(r.b.meta.Get(keyState))
	}
	if err != nil {
		_ = r.tx.Rollback()
	}
	r.keys = make(map[graph.FileID]fileKeys)
	return err
}

func (r *reader) end() error {
	r.ended.Store(true)
	return r.tx.Rollback()
}

// ask runs one question.
func (r *reader) ask(what string, f func() error) error {
	if r.ended.Load() {
		return graph.ErrClosed
	}
	if err := guard(f); err != nil {
		return fmt.Errorf("read %s from graph store: %w", what, err)
	}
	return nil
}

// each runs one question for n items; it ends when the View's context does.
func (r *reader) each(what string, n int, f func(i int) error) error {
	return r.ask(what, func() error {
		if r.state.gen == 0 && !r.draft { // whatever a draft has left is not there
			return r.ctx.Err()
		}
		for i := range n {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	})
}

// Gen implements graph.Reader.
func (r *reader) Gen() graph.Gen { return r.state.gen }

// Meta implements graph.Reader.
func (r *reader) Meta(keys ...string) ([][]byte, error) {
	out := make([][]byte, len(keys))
	err := r.each("meta", len(keys), func(i int) error {
		if _, ok := slices.BinarySearch(r.state.notes, keys[i]); !ok {
			return nil
		}
		k := noteKey(keys[i])
		v, err := openFrame(r.b.notes.Get(k), saltKey(tagMeta, "notes", k), "meta")
		out[i] = append([]byte{}, v...)
		return err
	})
	return out, err
}

// Files implements graph.Reader.
func (r *reader) Files() ([]graph.File, error) {
	if r.ended.Load() {
		return nil, graph.ErrClosed
	}
	if l := r.store.listing.Load(); l != nil && l.gen == r.state.gen {
		return l.files, r.ctx.Err()
	}
	var l *listing
	err := r.ask("files", func() (err error) {
		l, err = r.list(r.store.listing.Load())
		return err
	})
	if err != nil {
		return nil, err
	}
	r.store.listing.Store(l)
	return l.files, nil
}

// FileIDs implements graph.Reader.
func (r *reader) FileIDs(paths []string) (ids []graph.FileID, err error) {
	err = r.ask("file ids", func() error {
		ids, err = r.store.catalog.idsOf(r.b.files, r.state.next, paths)
		return err
	})
	return ids, err
}

// absent checks that file id has no frame of a kind; not to find one that is there is damage.
func (r *reader) absent(id graph.FileID, has func(*place) bool) error {
	if uint32(id) >= r.state.next {
		return nil
	}
	places, err := appendChunk(nil, r.b.files, uint32(id)/filesPerChunk, r.state.next)
	if err == nil && has(&places[id%filesPerChunk]) {
		err = corrupt("a frame of file %d is missing", id)
	}
	return err
}

// Facts implements graph.Reader.
func (r *reader) Facts(ids []graph.FileID) ([]*graph.Facts, error) {
	out := make([]*graph.Facts, len(ids))
	err := r.each("facts", len(ids), func(i int) (err error) {
		frame := r.b.facts.Get(idKey(uint32(ids[i])))
		if frame == nil {
			return r.absent(ids[i], func(p *place) bool { return p.live && p.hasFacts })
		}
		out[i], err = r.store.facts.decode(ids[i], frame)
		return err
	})
	return out, err
}

// Links implements graph.Reader.
func (r *reader) Links(ids []graph.FileID) ([]*graph.Links, error) {
	out := make([]*graph.Links, len(ids))
	err := r.each("links", len(ids), func(i int) (err error) {
		frame := r.b.links.Get(idKey(uint32(ids[i])))
		if frame == nil {
			return r.absent(ids[i], func(p *place) bool { return p.live && p.hasLinks })
		}
		out[i], err = decodeLinks(ids[i], frame)
		return err
	})
	return out, err
}

// keysOf are the keys of file id; they must not outlive the View.
func (r *reader) keysOf(id graph.FileID) (fileKeys, error) {
	r.mu.Lock()
	k, ok := r.keys[id]
	r.mu.Unlock()
	if ok {
		return k, nil
	}
	frame := r.b.keys.Get(idKey(uint32(id)))
	if frame == nil {
		return fileKeys{}, r.absent(id, func(p *place) bool { return p.live })
	}
	k, err := openKeys(id, frame)
	if err == nil {
		r.mu.Lock()
		r.keys[id] = k
		r.mu.Unlock()
	}
	return k, err
}

// Exports implements graph.KeyReader.
func (r *reader) Exports(ids []graph.FileID) ([][]graph.Export, error) {
	out := make([][]graph.Export, len(ids))
	err := r.each("exports", len(ids), func(i int) error {
		k, err := r.keysOf(ids[i])
		out[i] = k.exports()
		return err
	})
	return out, err
}

// Reads implements graph.KeyReader.
func (r *reader) Reads(ids []graph.FileID) ([][]graph.Key, error) {
	out := make([][]graph.Key, len(ids))
	err := r.each("reads", len(ids), func(i int) error {
		k, err := r.keysOf(ids[i])
		for j := range k.nReads {
			out[i] = append(out[i], graph.Key(k.read(j)))
		}
		return err
	})
	return out, err
}

// byPath puts files in the order of their paths.
func (r *reader) byPath(files []graph.FileID) error {
	if len(files) < 2 {
		return nil
	}
	rank, err := r.store.catalog.ranks(r.b.files, r.state.next)
	if err == nil {
		slices.SortFunc(files, func(a, b graph.FileID) int { return cmp.Compare(rank[a], rank[b]) })
	}
	return err
}

// Lookup implements graph.Reader. The handles of a key are in the order of their files'
// paths, then of their indexes.
func (r *reader) Lookup(keys []graph.Key) ([][]graph.Handle, error) {
	out := make([][]graph.Handle, len(keys))
	c := r.b.lookup.Cursor()
	var files []graph.FileID
	err := r.each("exports", len(keys), func(i int) (err error) {
		if files, err = tableLookup.appendFiles(files[:0], c, uint64(keys[i])); err != nil {
			return err
		}
		out[i], err = r.handles(files, func(dst []graph.Handle, id graph.FileID, k fileKeys) []graph.Handle {
			return k.appendExported(dst, id, uint64(keys[i]))
		})
		return err
	})
	return out, err
}

// handles are what find finds in each of the files; a table names no file without any.
func (r *reader) handles(files []graph.FileID, find func([]graph.Handle, graph.FileID, fileKeys) []graph.Handle) ([]graph.Handle, error) {
	if err := r.byPath(files); err != nil {
		return nil, err
	}
	var out []graph.Handle
	for _, id := range files {
		k, err := r.keysOf(id)
		if err != nil {
			return nil, err
		}
		before := len(out)
		if out = find(out, id, k); len(out) == before {
			return nil, corrupt("a table names file %d for a key that it has not", id)
		}
	}
	return out, nil
}

// Named implements graph.Reader. Names come in the order of their bytes, handles in the
// order of their files' paths, then of their indexes.
func (r *reader) Named(keep func(string) bool, f func(string, []graph.Handle) bool) error {
	if r.state.gen == 0 {
		return nil
	}
	w := tableNames.walk(r.b.names)
	var name string          // the last one seen; the next block may continue it
	var files []graph.FileID // of name
	pending := false         // name is kept, and f not yet called with it
	flush := func() (bool, error) {
		if !pending {
			return true, nil
		}
		pending = false
		var at []graph.Handle
		err := r.ask("names", func() (err error) {
			h := nameHash(name)
			at, err = r.handles(files, func(dst []graph.Handle, id graph.FileID, k fileKeys) []graph.Handle {
				return k.appendNamed(dst, id, h)
			})
			return err
		})
		return err == nil && f(name, at), err
	}
	for {
		if err := r.ask("names", w.next); err != nil {
			return err
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
		if w.done {
			_, err := flush()
			return err
		}
		for i, n := range w.block.lens {
			next := w.block.names[:n]
			w.block.names = w.block.names[n:]
			if i > 0 || next != name {
				if more, err := flush(); !more {
					return err
				}
				name, pending, files = next, keep(next), files[:0]
			}
			if pending {
				files = w.block.scanFiles(files, w.block.counts[i])
			} else {
				w.block.skipFiles(w.block.counts[i])
			}
		}
		if w.block.files.bad {
			return corrupt("names: malformed")
		}
	}
}

// Referrers implements graph.Reader. The files are in the order of their paths.
func (r *reader) Referrers(targets []graph.Target) ([][]graph.FileID, error) {
	out := make([][]graph.FileID, len(targets))
	c := r.b.refs.Cursor()
	err := r.each("referrers", len(targets), func(i int) (err error) {
		if out[i], err = tableRefs.appendFiles(nil, c, targetKey(targets[i])); err != nil {
			return err
		}
		return r.byPath(out[i])
	})
	return out, err
}

// Askers implements graph.Reader.
func (r *reader) Askers(keys []graph.Key) ([]graph.FileID, error) {
	var out []graph.FileID
	c := r.b.asks.Cursor()
	err := r.each("askers", len(keys), func(i int) (err error) {
		out, err = tableAsks.appendFiles(out, c, uint64(keys[i]))
		return err
	})
	slices.Sort(out)
	return slices.Compact(out), err
}
