package bolt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// A transaction of bbolt is in memory until it ends, and the changes of the tables must be
// sorted before they are made. So a first generation that does not fit in memory is made in
// several transactions, while the state says that there is no generation yet:
//
//	facts frames, a part of the files at a time
//	links and keys frames, a part of the files at a time
//	the table of names, whenever many have come together
//	the tables of hashes, a range of hashes at a time: what belongs to a range is found by
//	going through the frames of all files again
//	places, notes and the state with the new generation
//
// A draft is marked under keyDraft in meta; whatever writes next without going on with it
// empties the store first. Its transactions are not synced but for the last, before which
// everything is: what a failure of power leaves of a store without a generation is of no use.

const (
	draftCache = 24 << 20 // bytes of frames of which the facts are kept decoded
	maxChanges = 1 << 21  // changes of tables that are sorted at once
)

type draft struct {
	store  *Store
	limit  int // as maxChanges
	room   int // of the store's cache of facts, without the draft
	places []place
	pairs  [3]int // how many there may be in lookup, asks and refs
	names  []change[string]
	words  map[string]string // the names' strings, each once
	ended  bool
}

// Draft implements graph.Drafter.
func (s *Store) Draft(ctx context.Context) (graph.Draft, error) { return s.draft(ctx, maxChanges) }

func (s *Store) draft(ctx context.Context, limit int) (*draft, error) {
	d := &draft{store: s, limit: limit, words: map[string]string{}}
	_, err := d.write(&writer{ctx: ctx, store: s}, false, func(w *writer) error { return w.b.meta.Put(keyDraft, []byte{1}) })
	if err != nil {
		return nil, err
	}
	d.room = s.facts.resize(draftCache)
	return d, nil
}

// clearDraft empties the store but for what it says of itself.
func clearDraft(tx *bbolt.Tx) (*buckets, error) {
	for _, name := range contents {
		if err := tx.DeleteBucket(name); err != nil {
			return nil, err
		}
	}
	b, err := createContents(tx)
	if err != nil {
		return nil, err
	}
	return b, b.meta.Delete(keyDraft)
}

// write is one transaction of the draft. All that comes before the last one is synced with it.
func (d *draft) write(w *writer, last bool, f func(*writer) error) (gen graph.Gen, err error) {
	if d.ended {
		return 0, graph.ErrClosed
	}
	if err := d.store.enter(w.ctx); err != nil {
		return 0, err
	}
	defer d.store.open.RUnlock()
	d.store.apply.Lock()
	defer d.store.apply.Unlock()
	if last {
		err = guard(d.store.db.Sync)
	} else {
		d.store.db.NoSync = true
		defer func() { d.store.db.NoSync = false }()
	}
	if err == nil {
		gen, err = d.store.write(w, func(w *writer) error {
			if w.state.gen != 0 {
				return fmt.Errorf("a draft is for a store without a generation, this one is at %d", w.state.gen)
			}
			return f(w)
		})
	}
	if err != nil {
		return 0, fmt.Errorf("draft graph: %w", err)
	}
	return gen, nil
}

// goOn goes on with the draft in one transaction.
func (d *draft) goOn(ctx context.Context, last bool, f func(*writer) error) (graph.Gen, error) {
	return d.write(&writer{ctx: ctx, store: d.store, draft: true}, last, func(w *writer) error {
		if w.b.meta.Get(keyDraft) == nil {
			return errors.New("the draft is gone, since something else was written")
		}
		return f(w)
	})
}

func (d *draft) put(ctx context.Context, f func(*writer) error) error {
	_, err := d.goOn(ctx, false, f)
	return err
}

// PutFacts implements graph.Draft.
func (d *draft) PutFacts(ctx context.Context, files []graph.FileRecord) error {
	frames := make([][]byte, len(files))
	err := onAll(ctx, len(files), func(i int) {
		if files[i].Facts != nil {
			frames[i] = encodeFacts(files[i].File.ID, files[i].Facts)
		}
	})
	if err != nil {
		return err
	}
	return d.put(ctx, func(w *writer) error {
		for i, frame := range frames {
			if frame == nil {
				continue
			}
			if err := w.b.facts.Put(idKey(uint32(files[i].File.ID)), frame); err != nil {
				return err
			}
		}
		return nil
	})
}

// View implements graph.Draft.
func (d *draft) View(ctx context.Context, f func(func(graph.FileID) (*graph.Facts, error)) error) error {
	return d.store.view(&reader{ctx: ctx, store: d.store, draft: true}, func(r *reader) error {
		return f(func(id graph.FileID) (*graph.Facts, error) {
			got, err := r.Facts([]graph.FileID{id})
			if err != nil {
				return nil, err
			}
			return got[0], nil
		})
	})
}

// PutLinks implements graph.Draft.
func (d *draft) PutLinks(ctx context.Context, files []graph.FileRecord) error {
	recs := make([]record, len(files))
	err := onAll(ctx, len(files), func(i int) { recs[i] = encodeLinked(&files[i]) })
	if err != nil {
		return err
	}
	err = d.put(ctx, func(w *writer) error {
		for i := range recs {
			key := idKey(uint32(recs[i].file.ID))
			if err := errors.Join(put(w.b.links, key, recs[i].links), put(w.b.keys, key, recs[i].keys)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range recs {
		d.note(&files[i], &recs[i])
	}
	if len(d.names) >= d.limit {
		return d.putNames(ctx)
	}
	return nil
}

// note keeps what Commit needs of a file.
func (d *draft) note(f *graph.FileRecord, rec *record) {
	for int(rec.file.ID) >= len(d.places) {
		d.places = append(d.places, place{})
	}
	d.places[rec.file.ID] = place{file: rec.file, live: true, hasFacts: f.Facts != nil, hasLinks: rec.links != nil}
	d.pairs[0] += len(f.Exports)
	d.pairs[1] += len(f.Reads)
	d.pairs[2] += len(rec.targets)
	for i, n := range rec.names {
		word, ok := d.words[n]
		if !ok {
			word = strings.Clone(n)
			d.words[word] = word
		}
		rec.names[i] = word
	}
	d.names = appendChanges(d.names, rec.file.ID, nil, rec.names)
}

// putNames makes the changes of the table of names that have come together.
func (d *draft) putNames(ctx context.Context) error {
	sortChanges(d.names)
	err := d.put(ctx, func(w *writer) error { return tableNames.apply(w.b.names, d.names) })
	d.names = d.names[:0]
	clear(d.words)
	return err
}

// Commit implements graph.Draft.
func (d *draft) Commit(ctx context.Context, meta map[string][]byte) (graph.Gen, error) {
	d.store.facts.resize(0) // the facts are not needed any more
	err := d.putNames(ctx)
	for i, t := range []hashes{
		{tableLookup, func(b *buckets) *bbolt.Bucket { return b.lookup }, exportsIn},
		{tableAsks, func(b *buckets) *bbolt.Bucket { return b.asks }, readsIn},
		{tableRefs, func(b *buckets) *bbolt.Bucket { return b.refs }, targetsIn},
	} {
		for _, r := range ranges(d.pairs[i], d.limit) {
			if err == nil {
				err = d.putHashes(ctx, t, r[0], r[1])
			}
		}
	}
	if err != nil {
		return 0, err
	}
	return d.finish(ctx, meta)
}

// finish is the transaction that makes the draft a generation.
func (d *draft) finish(ctx context.Context, meta map[string][]byte) (graph.Gen, error) {
	return d.goOn(ctx, true, func(w *writer) error {
		ids := make([]graph.FileID, 0, len(d.places))
		for id := range d.places {
			if p := &d.places[id]; p.live {
				if err := w.promised(&p.file); err != nil {
					return err
				}
				ids = append(ids, graph.FileID(id))
			}
		}
		err := w.places(ids, func(id graph.FileID) (place, bool) {
			if int(id) < len(d.places) {
				return d.places[id], true
			}
			return place{}, true
		})
		return errors.Join(err, w.b.meta.Delete(keyDraft), w.finish(meta))
	})
}

// hashes is a table of hashes, and where its pairs are found.
type hashes struct {
	table  *hashTable
	bucket func(*buckets) *bbolt.Bucket
	keys   func(b *buckets, id graph.FileID) ([]uint64, error)
}

// ranges cuts the hashes into ranges that hold no more than limit of n pairs, about; each is
// its first and its last hash.
func ranges(n, limit int) [][2]uint64 {
	parts := n/limit + 1
	width := math.MaxUint64/uint64(parts) + 1 // 0 for one part
	out := make([][2]uint64, parts)
	for i := range out {
		out[i] = [2]uint64{uint64(i) * width, uint64(i+1)*width - 1}
	}
	out[parts-1][1] = math.MaxUint64
	return out
}

// putHashes writes one range of a table.
func (d *draft) putHashes(ctx context.Context, t hashes, first, last uint64) error {
	var changes []change[uint64]
	err := d.store.view(&reader{ctx: ctx, store: d.store, draft: true}, func(r *reader) error {
		return guard(func() error {
			for id := range d.places {
				if err := ctx.Err(); err != nil {
					return err
				}
				if !d.places[id].live {
					continue
				}
				keys, err := t.keys(r.b, graph.FileID(id))
				if err != nil {
					return err
				}
				for _, k := range keys {
					if first <= k && k <= last {
						changes = append(changes, change[uint64]{pair: pair[uint64]{k, graph.FileID(id)}})
					}
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	sortChanges(changes)
	return d.put(ctx, func(w *writer) error { return t.table.apply(t.bucket(w.b), changes) })
}

func exportsIn(b *buckets, id graph.FileID) ([]uint64, error) {
	k, err := openKeys(id, b.keys.Get(idKey(uint32(id))))
	return k.exportKeys(), err
}

func readsIn(b *buckets, id graph.FileID) ([]uint64, error) {
	k, err := openKeys(id, b.keys.Get(idKey(uint32(id))))
	return k.reads(), err
}

func targetsIn(b *buckets, id graph.FileID) ([]uint64, error) {
	frame := b.links.Get(idKey(uint32(id)))
	if frame == nil {
		return nil, nil
	}
	l, err := decodeLinks(id, frame)
	if err != nil {
		return nil, err
	}
	return distinctTargets(l), nil
}

// Close implements graph.Draft.
func (d *draft) Close() error {
	if !d.ended {
		d.ended = true
		d.store.facts.resize(d.room)
	}
	return nil
}
