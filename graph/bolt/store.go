package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	bbolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/codegraph-dev/codegraph/graph"
)

// Options are how a store is opened.
type Options struct {
	// ReadOnly takes the file's shared lock and never writes; the file must exist.
	ReadOnly bool
	// Timeout bounds the wait for the file's lock; 0 tries once.
	Timeout time.Duration
	// Cache is how many bytes of facts, as they are in the file, are kept decoded.
	Cache int
}

// Store is a graph.Store in one file.
type Store struct {
	db      *bbolt.DB
	file    *os.File // of db
	catalog catalog
	listing atomic.Pointer[listing]
	facts   factCache

	apply  sync.Mutex   // one Apply at a time
	open   sync.RWMutex // held for reading by every View and Apply, for writing by Close
	closed bool         // guarded by open
	broken atomic.Bool  // bbolt panicked while it held its locks: they may be held for good
}

var _ graph.Drafter = (*Store)(nil)

// Open opens the store in the file at path, and makes it if it is not there. An error is
// graph.ErrLocked, graph.ErrVersion, graph.ErrCorrupt or of the file system. The caller
// removes a file of another version or a corrupt one before it opens it anew.
func Open(path string, opt Options) (*Store, error) {
	s := &Store{facts: factCache{room: opt.Cache}}
	if opt.ReadOnly {
		if fi, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("open graph store: %w", err)
		} else if fi.Size() == 0 {
			return nil, fmt.Errorf("open graph store %s: %w", path, corrupt("the file is empty"))
		}
	}
	err := guard(func() (err error) {
		s.db, err = bbolt.Open(path, 0o600, s.boltOptions(path, opt))
		return err
	})
	if err == nil {
		err = guard(func() error { return s.check(opt.ReadOnly) })
	}
	if err != nil {
		s.abandon()
		return nil, fmt.Errorf("open graph store %s: %w", path, openError(err))
	}
	return s, nil
}

// boltOptions are bbolt's options. The free list is kept in the file: without it every
// open reads the whole file. The map is made larger than the file, which costs nothing
// where it is only addresses, because to enlarge it later waits for all Views to end.
func (s *Store) boltOptions(path string, opt Options) *bbolt.Options {
	o := *bbolt.DefaultOptions
	o.ReadOnly = opt.ReadOnly
	o.Timeout = max(opt.Timeout, 1)
	o.FreelistType = bbolt.FreelistMapType
	o.NoStatistics = true
	o.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag, mode)
		s.file = f
		return f, err
	}
	if fi, err := os.Stat(path); !opt.ReadOnly && runtime.GOOS != "windows" && ^uint(0)>>32 != 0 {
		o.InitialMmapSize = 1 << 30
		if err == nil {
			o.InitialMmapSize += 2 * int(fi.Size())
		}
	}
	return &o
}

// check makes an empty file a store, or checks that a file is one.
func (s *Store) check(readOnly bool) error {
	s.db.AllocSize = 4 << 20
	if err := checkFile(s.file); err != nil {
		return err
	}
	tx, err := s.db.Begin(false)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if meta := tx.Bucket(bucketMeta); meta != nil {
		if got := meta.Get(keyFormat); string(got) != format {
			return fmt.Errorf("%w: %q, not %q", graph.ErrVersion, got, format)
		}
		_, err := openBuckets(tx)
		return err
	}
	if k, _ := tx.Cursor().First(); k != nil || readOnly {
		return corrupt("bucket meta is missing")
	}
	return s.db.Update(create)
}

// openError is what a failure to open means to the caller.
func openError(err error) error {
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return graph.ErrLocked
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch):
		return corrupt("%v", err)
	}
	return err
}

// abandon lets go of what a failed Open holds.
func (s *Store) abandon() {
	if s.db != nil {
		_ = guard(s.db.Close)
	}
	if s.file != nil {
		_ = s.file.Close()
	}
}

// Close waits for Views and Apply to end, and lets go of the file.
func (s *Store) Close() error {
	s.open.Lock()
	defer s.open.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.broken.Load() {
		return s.file.Close() // bbolt may wait for ever
	}
	if err := guard(s.db.Close); err != nil {
		return fmt.Errorf("close graph store: %w", err)
	}
	return nil
}

// enter begins a View or an Apply; if it succeeds the caller calls s.open.RUnlock.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.open.RLock()
	switch {
	case s.closed:
		s.open.RUnlock()
		return graph.ErrClosed
	case s.broken.Load():
		s.open.RUnlock()
		return corrupt("a write failed half-way")
	}
	return nil
}

// View calls f with a Reader of the newest generation. The Reader may be used by several
// goroutines that f awaits. A View may be open while Apply runs, and keeps its generation.
func (s *Store) View(ctx context.Context, f func(graph.Reader) error) error {
	return s.view(&reader{ctx: ctx, store: s}, func(r *reader) error { return f(r) })
}

func (s *Store) view(r *reader, f func(*reader) error) error {
	if err := s.enter(r.ctx); err != nil {
		return err
	}
	defer s.open.RUnlock()
	if err := guard(r.begin); err != nil {
		if r.tx != nil {
			_ = guard(r.tx.Rollback)
		} else if errors.Is(err, graph.ErrCorrupt) {
			s.broken.Store(true)
		}
		return fmt.Errorf("read graph store: %w", err)
	}
	defer func() { _ = guard(r.end) }()
	return f(r)
}
