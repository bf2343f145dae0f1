package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// Apply implements graph.Store. It returns after the batch is on the disk; on an error
// nothing of it is there. Ids of the batch must come from FileIDs of this store.
func (s *Store) Apply(ctx context.Context, b *graph.Batch) (graph.Gen, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.open.RUnlock()
	s.apply.Lock()
	defer s.apply.Unlock()
	recs, err := encodeBatch(ctx, b)
	if err != nil {
		return 0, fmt.Errorf("apply batch: %w", err)
	}
	b.Put = nil // encoded; the caller's records need not stay in memory beside their frames
	gen, err := s.write(&writer{ctx: ctx, store: s}, func(w *writer) error { return w.apply(b, recs) })
	if err != nil {
		return 0, fmt.Errorf("apply batch: %w", err)
	}
	return gen, nil
}

// write calls f in one write transaction and returns the generation after it.
func (s *Store) write(w *writer, f func(*writer) error) (gen graph.Gen, err error) {
	var tx *bbolt.Tx
	finished := false
	err = guard(func() (err error) {
		if tx, err = s.db.Begin(true); err != nil {
			finished = true
			return err
		}
		if err = w.begin(tx); err == nil {
			err = f(w)
		}
		if err == nil {
			err = tx.Commit()
			gen = w.state.gen
		}
		finished = true
		return err
	})
	if err != nil {
		undone := error(nil)
		if tx != nil {
			undone = errors.New("rollback panicked")
			_ = guard(func() error {
				if undone = tx.Rollback(); errors.Is(undone, bbolt.ErrTxClosed) {
					undone = nil
				}
				return nil
			})
		}
		s.broken.Store(!finished || undone != nil)
	}
	return gen, err
}

// writer is one write transaction.
type writer struct {
	ctx   context.Context
	store *Store
	draft bool // goes on with a draft
	b     *buckets
	state *state
	paths []string // by id, of all ids given out

	lookup, asks, refs []change[uint64]
	names              []change[string]
}

func (w *writer) begin(tx *bbolt.Tx) (err error) {
	if w.b, err = openBuckets(tx); err != nil {
		return err
	}
	if w.state, err = decodeState(w.b.meta.Get(keyState)); err != nil {
		return err
	}
	if !w.draft && w.b.meta.Get(keyDraft) != nil {
		if w.b, err = clearDraft(tx); err != nil {
			return err
		}
	}
	for _, b := range []*bbolt.Bucket{w.b.files, w.b.facts, w.b.links, w.b.keys, w.b.lookup, w.b.asks, w.b.refs, w.b.names} {
		b.FillPercent = fill
	}
	w.paths, err = w.store.catalog.all(w.b.files, w.state.next)
	return err
}

func (w *writer) apply(b *graph.Batch, recs []record) error {
	changed := make(map[graph.FileID]*record, len(recs)+len(b.Delete))
	for _, id := range b.Delete {
		if uint32(id) < w.state.next {
			changed[id] = nil
		}
	}
	for i := range recs {
		if err := w.promised(&recs[i].file); err != nil {
			return err
		}
		changed[recs[i].file.ID] = &recs[i]
	}
	ids := slices.Sorted(maps.Keys(changed))
	for _, id := range ids {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.replace(id, changed[id]); err != nil {
			return err
		}
	}
	if err := w.tables(); err != nil {
		return err
	}
	err := w.places(ids, func(id graph.FileID) (place, bool) {
		rec, ok := changed[id]
		if rec == nil {
			return place{}, ok
		}
		return place{file: rec.file, live: true, hasFacts: rec.facts != nil, hasLinks: rec.links != nil}, true
	})
	if err != nil {
		return err
	}
	return w.finish(b.Meta)
}

// promised checks that a file has the id that FileIDs gave to its path.
func (w *writer) promised(f *graph.File) error {
	if int(f.ID) >= len(w.paths) || w.paths[f.ID] != f.Path {
		return fmt.Errorf("file %s has id %d, which is not from FileIDs", f.Path, f.ID)
	}
	return nil
}

// replace puts rec's frames in place of file id's, or takes them away, and notes what
// that changes in the tables.
func (w *writer) replace(id graph.FileID, rec *record) error {
	if rec == nil {
		rec = &record{}
	}
	key := idKey(uint32(id))
	if err := w.noteNames(id, key, rec); err != nil {
		return err
	}
	if err := w.noteLinks(id, key, rec); err != nil {
		return err
	}
	if err := w.noteKeys(id, key, rec); err != nil {
		return err
	}
	return errors.Join(put(w.b.facts, key, rec.facts), put(w.b.links, key, rec.links), put(w.b.keys, key, rec.keys))
}

// put stores frame under key, or takes away what is there if frame is nil. What is there
// already is not written again.
func put(b *bbolt.Bucket, key, frame []byte) error {
	old := b.Get(key)
	switch {
	case frame == nil && old == nil, old != nil && bytes.Equal(old, frame):
		return nil
	case frame == nil:
		return b.Delete(key)
	}
	return b.Put(key, frame)
}

func (w *writer) noteNames(id graph.FileID, key []byte, rec *record) error {
	old := w.b.facts.Get(key)
	if old == nil {
		w.names = appendChanges(w.names, id, nil, rec.names)
		return nil
	}
	if bytes.Equal(old, rec.facts) {
		return nil
	}
	f, err := decodeFacts(id, old)
	if err == nil {
		w.names = appendChanges(w.names, id, distinctNames(f), rec.names)
	}
	return err
}

func (w *writer) noteLinks(id graph.FileID, key []byte, rec *record) error {
	old := w.b.links.Get(key)
	if old == nil {
		w.refs = appendChanges(w.refs, id, nil, rec.targets)
		return nil
	}
	if bytes.Equal(old, rec.links) {
		return nil
	}
	l, err := decodeLinks(id, old)
	if err == nil {
		w.refs = appendChanges(w.refs, id, distinctTargets(l), rec.targets)
	}
	return err
}

func (w *writer) noteKeys(id graph.FileID, key []byte, rec *record) error {
	var was, is fileKeys
	var err error
	old := w.b.keys.Get(key)
	if old != nil {
		if was, err = openKeys(id, old); err != nil {
			return err
		}
	}
	if rec.keys != nil {
		if is, err = openKeys(id, rec.keys); err != nil {
			return err
		}
	}
	w.lookup = appendChanges(w.lookup, id, was.exportKeys(), is.exportKeys())
	w.asks = appendChanges(w.asks, id, was.reads(), is.reads())
	return nil
}

// tables makes the noted changes.
func (w *writer) tables() error {
	for _, t := range []struct {
		table   *hashTable
		bucket  *bbolt.Bucket
		changes []change[uint64]
	}{{tableLookup, w.b.lookup, w.lookup}, {tableAsks, w.b.asks, w.asks}, {tableRefs, w.b.refs, w.refs}} {
		sortChanges(t.changes)
		if err := t.table.apply(t.bucket, t.changes); err != nil {
			return err
		}
	}
	sortChanges(w.names)
	return tableNames.apply(w.b.names, w.names)
}

// places writes the chunks of the changed ids and of the promised ones; now says what is at a
// changed id.
func (w *writer) places(ids []graph.FileID, now func(graph.FileID) (p place, changed bool)) error {
	was, next := w.state.next, uint32(len(w.paths))
	chunks := make(map[uint32]bool)
	for _, id := range ids {
		chunks[uint32(id)/filesPerChunk] = true
	}
	for id := was; id < next; id++ {
		chunks[id/filesPerChunk] = true
	}
	for _, n := range slices.Sorted(maps.Keys(chunks)) {
		var places []place
		var err error
		if n*filesPerChunk < was {
			if places, err = appendChunk(nil, w.b.files, n, was); err != nil {
				return err
			}
		}
		for id := n*filesPerChunk + uint32(len(places)); id < min((n+1)*filesPerChunk, next); id++ {
			places = append(places, place{})
		}
		for i := range places {
			id := graph.FileID(n*filesPerChunk + uint32(i))
			if p, changed := now(id); p.live {
				places[i] = p
			} else if changed || uint32(id) >= was {
				places[i] = place{file: graph.File{Path: w.paths[id]}}
			}
		}
		if err := w.b.files.Put(idKey(n), encodeChunk(n, places)); err != nil {
			return err
		}
	}
	w.state.next = next
	return nil
}

// finish sets the Meta values and the state.
func (w *writer) finish(meta map[string][]byte) error {
	for _, key := range slices.Sorted(maps.Keys(meta)) {
		k, v := noteKey(key), meta[key]
		w.state.note(key, v != nil)
		var frame []byte
		if v != nil {
			frame = sealFrame(append(beginFrame(nil), v...), saltKey(tagMeta, "notes", k))
		}
		if err := put(w.b.notes, k, frame); err != nil {
			return err
		}
	}
	w.state.gen++
	return w.b.meta.Put(keyState, w.state.encode())
}
