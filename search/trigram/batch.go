package trigram

import (
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/codegraph-dev/codegraph/search"
)

// spillPairs is the number of postings that a batch gathers in memory before it
// writes a segment: with about six bytes each this bounds a batch to some 50 MB.
const spillPairs = 8 << 20

// A Batch gathers changes for Store.Apply. Its methods may be called by several
// goroutines; what is said last of a document holds. A batch that is not
// applied is to be discarded.
type Batch struct {
	store   *Store
	limit   int       // spillPairs, less in tests
	scratch sync.Pool // of *extractor

	mu      sync.Mutex // guards what follows
	entries []entry
	pairs   int
	spilled []*spill
	spills  sync.WaitGroup
	closed  bool
}

// spill is a segment that is being written, or has been.
type spill struct {
	ref ref
	err error
}

// extractor is the scratch of one goroutine.
type extractor struct {
	set trigramSet
	buf []byte
}

// NewBatch starts a batch.
func (s *Store) NewBatch() *Batch {
	b := &Batch{store: s, limit: spillPairs}
	b.scratch.New = func() any { return new(extractor) }
	return b
}

// errClosed says that a batch was used after Apply or Discard.
var errClosed = errors.New("batch is closed")

// Add says that the document id has this text, whether it is new or changed.
func (b *Batch) Add(id search.DocID, text search.Text) error {
	x := b.scratch.Get().(*extractor)
	var e entry
	e, x.buf = extract(id, text, &x.set, x.buf)
	b.scratch.Put(x)
	return b.put(e)
}

// AddUnindexed puts the document id on the always-scan list: its text is not
// known, or not worth indexing.
func (b *Batch) AddUnindexed(id search.DocID) error {
	return b.put(entry{id: id, kind: kindAlways})
}

// Remove says that there is no document id any more.
func (b *Batch) Remove(id search.DocID) error {
	return b.put(entry{id: id, kind: kindRemoved})
}

// put takes an entry in, and writes a segment when enough have gathered.
func (b *Batch) put(e entry) error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return errClosed
	}
	b.entries = append(b.entries, e)
	b.pairs += e.n
	if b.pairs < b.limit {
		b.mu.Unlock()
		return nil
	}
	sp, entries := b.spill()
	b.spills.Add(1)
	b.mu.Unlock()
	defer b.spills.Done()
	b.write(sp, entries)
	return sp.err
}

// spill takes the entries out for a segment of their own.
func (b *Batch) spill() (*spill, []entry) {
	sp := &spill{ref: ref{number: b.store.take()}}
	b.spilled = append(b.spilled, sp)
	entries := b.entries
	b.entries, b.pairs = nil, 0
	return sp, entries
}

// write writes a segment of entries.
func (b *Batch) write(sp *spill, entries []entry) {
	w, err := createSegment(b.store.dir, sp.ref.number)
	if err != nil {
		sp.err = err
		return
	}
	w.writeEntries(newestEntries(entries))
	sp.ref.size, sp.ref.sum, sp.err = w.finish()
}

// close writes what is left and returns the batch's segments, oldest first.
func (b *Batch) close() ([]ref, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errClosed
	}
	b.closed = true
	b.spills.Wait()
	if len(b.entries) > 0 {
		sp, entries := b.spill()
		b.write(sp, entries)
	}
	var refs []ref
	var err error
	for _, sp := range b.spilled {
		refs = append(refs, sp.ref)
		err = errors.Join(err, sp.err)
	}
	return refs, err
}

// Discard gives up a batch and removes what it has written.
func (b *Batch) Discard() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	b.spills.Wait()
	var err error
	for _, sp := range b.spilled {
		err = errors.Join(err, os.Remove(filepath.Join(b.store.dir, segmentName(sp.ref.number))))
		b.store.settle([]ref{sp.ref})
	}
	b.entries = nil
	return err
}
