package trigram

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/codegraph-dev/codegraph/search"
)

// level is a segment within an index: with the documents of it that newer
// segments have replaced. A level is immutable.
type level struct {
	*segment
	dead docSet
}

// A Store is an open index. Its methods may be called by several goroutines.
type Store struct {
	dir string

	writing sync.Mutex // held by Apply and Sweep

	mu     sync.RWMutex // guards levels; held for reading by each query
	levels []level      // oldest first

	names   sync.Mutex      // guards what follows
	next    uint64          // number of the next segment
	pending map[uint64]bool // segments written and not yet in a token
}

var _ search.Index = (*Store)(nil)

// Open opens the index that token names in the folder dir, which is created
// when it is missing. An empty token is an empty index.
func Open(dir string, token []byte) (*Store, error) {
	refs, err := decodeToken(token)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create index folder: %w", err)
	}
	s := &Store{dir: dir, pending: map[uint64]bool{}}
	for _, r := range refs {
		seg, err := openSegment(dir, r)
		if err != nil {
			s.Close()
			return nil, err
		}
		s.levels = push(s.levels, seg)
		s.next = max(s.next, r.number+1)
	}
	numbers, err := s.files()
	if err != nil {
		s.Close()
		return nil, err
	}
	for _, n := range numbers {
		s.next = max(s.next, n+1)
	}
	return s, nil
}

// push returns the levels with one more, newest, segment.
func push(levels []level, seg *segment) []level {
	out := make([]level, 0, len(levels)+1)
	for _, l := range levels {
		out = append(out, level{l.segment, l.dead.with(seg.all)})
	}
	return append(out, level{segment: seg})
}

// Close gives the files back. No query may be under way.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for _, l := range s.levels {
		err = errors.Join(err, l.close())
	}
	s.levels = nil
	return err
}

// files lists the numbers of the segments in the folder.
func (s *Store) files() ([]uint64, error) {
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("list index folder: %w", err)
	}
	var out []uint64
	for _, e := range list {
		name, ok := strings.CutSuffix(e.Name(), ".tri")
		if n, err := strconv.ParseUint(name, 16, 64); ok && err == nil && e.Name() == segmentName(n) {
			out = append(out, n)
		}
	}
	return out, nil
}

// take reserves the number of a new segment.
func (s *Store) take() uint64 {
	s.names.Lock()
	defer s.names.Unlock()
	n := s.next
	s.next++
	s.pending[n] = true
	return n
}

// Token returns the token of what the store now answers from.
func (s *Store) Token() []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return tokenOf(s.levels)
}

// tokenOf spells the segments of levels.
func tokenOf(levels []level) []byte {
	var refs []ref
	for _, l := range levels {
		refs = append(refs, l.ref)
	}
	return encodeToken(refs)
}

// Sweep removes the segments that token, the one committed, does not name.
// Segments that the store answers from and those of batches under way are kept.
func (s *Store) Sweep(token []byte) error {
	refs, err := decodeToken(token)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	numbers, err := s.files()
	if err != nil {
		return err
	}
	s.mu.RLock()
	for _, l := range s.levels {
		refs = append(refs, l.ref)
	}
	s.mu.RUnlock()
	s.names.Lock()
	defer s.names.Unlock()
	for _, n := range numbers {
		if s.pending[n] || slices.ContainsFunc(refs, func(r ref) bool { return r.number == n }) {
			continue
		}
		if e := os.Remove(filepath.Join(s.dir, segmentName(n))); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("sweep index: %w", e))
		}
	}
	return err
}

// Apply makes a batch part of the index: durable on return, seen by queries
// that begin afterwards. It returns the token to commit. The batch is spent,
// also when there is an error; the index is then as it was before.
func (s *Store) Apply(ctx context.Context, b *Batch) (token []byte, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	refs, err := b.close()
	defer s.settle(refs)
	if err != nil {
		return nil, err
	}
	s.mu.RLock()
	old := s.levels
	s.mu.RUnlock()
	levels := old
	var opened []*segment
	fail := func(err error) ([]byte, error) {
		for _, seg := range opened {
			seg.close()
		}
		return nil, err
	}
	for _, r := range refs {
		seg, err := openSegment(s.dir, r)
		if err != nil {
			return fail(err)
		}
		opened = append(opened, seg)
		levels = push(levels, seg)
	}
	if from, to := planMerge(levels); to-from > 1 {
		seg, err := s.merge(ctx, levels[from:to], from == 0)
		if err != nil {
			return fail(err)
		}
		opened = append(opened, seg)
		levels = replace(levels, from, to, seg)
	}
	if err := syncDir(s.dir); err != nil {
		return fail(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.levels = levels
	for _, seg := range opened {
		old = append(old[:len(old):len(old)], level{segment: seg})
	}
	for _, l := range old {
		if !slices.ContainsFunc(levels, func(x level) bool { return x.segment == l.segment }) {
			err = errors.Join(err, l.close())
		}
	}
	return tokenOf(levels), err
}

// settle forgets that segments are pending: a token may name them from now on.
func (s *Store) settle(refs []ref) {
	s.names.Lock()
	defer s.names.Unlock()
	for _, r := range refs {
		delete(s.pending, r.number)
	}
}

// replace puts one segment in place of levels from..to.
func replace(levels []level, from, to int, seg *segment) []level {
	var out []level
	for _, l := range levels[:from] {
		out = append(out, l) // what the merged segments replace is dead already
	}
	merged := level{segment: seg}
	for _, l := range levels[to:] {
		merged.dead = merged.dead.with(l.all)
	}
	return append(append(out, merged), levels[to:]...)
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync index folder: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) {
		return fmt.Errorf("sync index folder: %w", err)
	}
	return nil
}

// Binaries returns the documents that are in the index as binary, ascending.
func (s *Store) Binaries() []search.DocID { return s.list(func(l level) []uint32 { return l.binary }) }

// Always returns the documents that are candidates for every query, ascending.
func (s *Store) Always() []search.DocID { return s.list(func(l level) []uint32 { return l.always }) }

// list gathers the live documents of one list of each segment.
func (s *Store) list(of func(level) []uint32) []search.DocID {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []search.DocID
	for _, l := range s.levels {
		out = l.live(of(l), out)
	}
	slices.Sort(out)
	return out
}

// live appends the ids that no newer segment has replaced.
func (l level) live(ids, out []uint32) []uint32 {
	for _, id := range ids {
		if !l.dead.has(id) {
			out = append(out, id)
		}
	}
	return out
}

// Stats are figures about an index.
type Stats struct {
	Segments int
	Docs     int   // live documents, of any kind
	Bytes    int64 // size of the files
}

// Stats returns figures about the index.
func (s *Store) Stats() Stats {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st := Stats{Segments: len(s.levels)}
	for _, l := range s.levels {
		st.Bytes += int64(l.size)
		for _, ids := range [][]uint32{l.indexed, l.always, l.binary} {
			st.Docs += len(l.live(ids, nil))
		}
	}
	return st
}
