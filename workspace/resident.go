package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// resident is what a workspace that stays keeps between calls: the tree, and the stores,
// open. The graph's lock is then its own, so that nobody else reads it; Yield lends it out.
//
// A store that is open for writing serves any number of readers of earlier generations at
// the same time; so a long read keeps no write waiting, nor a write a read.
type resident struct {
	w    *Workspace
	tree *tree

	mu     sync.Mutex // guards what follows
	graph  *shared[graph.Store]
	file   os.FileInfo // of graph
	text   *shared[TextStore]
	token  []byte // of text
	stamps []stamp
	ranked *shared[RankedStore]
	lent   int // how often the stores are lent out: then they are opened for each call
	used   time.Time
	closed bool

	audited atomic.Int64 // files
	reached string       // by the audit; used by the loop alone

	loop context.CancelFunc // ends what follows the tree
	over sync.WaitGroup
}

// shared is something open that several use; it is closed when all have done with it and it
// has been dropped.
type shared[T interface{ Close() error }] struct {
	it    T
	users int // guarded by resident.mu; one more while it is not dropped
	gone  chan struct{}
}

func share[T interface{ Close() error }](it T) *shared[T] {
	return &shared[T]{it: it, users: 1, gone: make(chan struct{})}
}

func newResident(w *Workspace) *resident {
	ctx, cancel := context.WithCancel(context.Background())
	r := &resident{w: w, tree: newTree(w), loop: cancel, used: time.Now()}
	r.over.Go(func() { r.keepUp(ctx) })
	return r
}

// close lets go of everything.
func (r *resident) close() error {
	r.loop()
	r.over.Wait()
	err := r.tree.save(context.Background())
	r.tree.close()
	err = errors.Join(err, r.drop())
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	return err
}

// release gives one use of s back.
func release[T interface{ Close() error }](r *resident, s *shared[T]) error {
	r.mu.Lock()
	s.users--
	last := s.users == 0
	r.mu.Unlock()
	if !last {
		return nil
	}
	return s.end()
}

// end closes what nobody uses any more.
func (s *shared[T]) end() error {
	defer close(s.gone)
	return s.it.Close()
}

// drop closes the stores as soon as nobody uses them, and returns when they are closed.
func (r *resident) drop() error {
	r.mu.Lock()
	g, t, k := r.graph, r.text, r.ranked
	r.graph, r.text, r.ranked = nil, nil, nil
	r.mu.Unlock()
	return errors.Join(dropped(r, g), dropped(r, t), dropped(r, k))
}

func dropped[T interface{ Close() error }](r *resident, s *shared[T]) error {
	if s == nil {
		return nil
	}
	err := release(r, s)
	<-s.gone
	return err
}

// forget lets go of the stores without waiting for those who read, and reports whether any was
// open.
func (r *resident) forget() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	open := r.graph != nil || r.text != nil || r.ranked != nil
	replaced(r.graph)
	replaced(r.text)
	replaced(r.ranked)
	r.graph, r.text, r.ranked = nil, nil, nil
	return open
}

// replaced gives up the owner's use of s, which nobody waits for; resident.mu is held.
func replaced[T interface{ Close() error }](s *shared[T]) {
	if s == nil {
		return
	}
	if s.users--; s.users == 0 {
		_ = s.end() // nothing that was written depends on it
	}
}

// renewGraph lets go of the graph if nobody uses it. Of one that was made in parts, which were read
// again, the whole file would count as this process's memory.
func (r *resident) renewGraph() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.graph != nil && r.graph.users == 1 {
		replaced(r.graph)
		r.graph = nil
	}
}

// openGraph is the graph, open.
func (r *resident) openGraph(readOnly bool, wait time.Duration) (graph.Store, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, graph.ErrClosed
	}
	r.used = time.Now()
	path := r.w.state.path(graphName)
	if r.lent > 0 {
		return r.w.options.Stores.Graph(path, readOnly, wait)
	}
	if now, err := os.Stat(path); r.graph != nil && (err != nil || !os.SameFile(now, r.file)) {
		replaced(r.graph) // somebody took the file away
		r.graph = nil
	}
	if r.graph == nil {
		s, err := r.w.options.Stores.Graph(path, false, wait)
		if err != nil {
			return nil, err
		}
		if r.file, err = os.Stat(path); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		r.graph = share(s)
	}
	r.graph.users++
	return &heldGraph{r.graph.it, r, r.graph}, nil
}

// heldGraph is one use of the open graph.
type heldGraph struct {
	graph.Store
	r *resident
	s *shared[graph.Store]
}

// Draft implements graph.Drafter.
func (h *heldGraph) Draft(ctx context.Context) (graph.Draft, error) {
	if d, ok := h.Store.(graph.Drafter); ok {
		return d.Draft(ctx)
	}
	return nil, errors.ErrUnsupported
}

// Close implements graph.Store.
func (h *heldGraph) Close() error { return release(h.r, h.s) }

// openText is the text index at the state that a token names.
func (r *resident) openText(token []byte) (TextStore, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.text == nil || !bytes.Equal(r.token, token) || !unchanged(r.stamps) {
		stamps := stampsIn(r.w.state.path(textName))
		t, err := r.w.options.Stores.Text(r.w.state.path(textName), token)
		if err != nil {
			return nil, err
		}
		replaced(r.text)
		r.text, r.token, r.stamps = share(t), bytes.Clone(token), stamps
	}
	r.text.users++
	return &heldText{r.text.it, r, r.text}, nil
}

// stamp is a file of the text index as it was opened. The files never change; so one that did
// is damaged, and to open it again shows that.
type stamp struct {
	path string
	size int64
	time time.Time
}

func stampsIn(dir string) []stamp {
	var out []stamp
	entries, _ := os.ReadDir(dir) // to open them says what is wrong
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			out = append(out, stamp{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
		}
	}
	return out
}

func unchanged(stamps []stamp) bool {
	for _, s := range stamps {
		if info, err := os.Lstat(s.path); err != nil || info.Size() != s.size || !info.ModTime().Equal(s.time) {
			return false
		}
	}
	return true
}

// heldText is one use of the open text index.
type heldText struct {
	TextStore
	r *resident
	s *shared[TextStore]
}

// Close implements Keeper.
func (h *heldText) Close() error { return release(h.r, h.s) }

// openRanked is the ranked index, open for reading and writing. It has one state, the newest.
func (r *resident) openRanked(token []byte) (RankedStore, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lent > 0 {
		return r.w.options.Stores.Ranked(r.w.state.path(rankedName), token)
	}
	if r.ranked == nil {
		k, err := r.w.options.Stores.Ranked(r.w.state.path(rankedName), token)
		if err != nil {
			return nil, err
		}
		k.Keep()
		r.ranked = share(k)
	}
	r.ranked.users++
	return &heldRanked{r.ranked.it, r, r.ranked}, nil
}

// heldRanked is one use of the open ranked index.
type heldRanked struct {
	RankedStore
	r *resident
	s *shared[RankedStore]
}

// Close implements Keeper.
func (h *heldRanked) Close() error { return release(h.r, h.s) }

// Yield closes the stores of a resident workspace when the calls under way have ended, so
// that another process can use them too, until resume is called. Meanwhile they are opened
// for each call, as in a workspace that does not stay.
func (w *Workspace) Yield() (resume func(), err error) {
	r := w.resident
	if r == nil {
		return func() {}, nil
	}
	r.mu.Lock()
	r.lent++
	r.mu.Unlock()
	var once sync.Once
	return func() {
		once.Do(func() {
			r.mu.Lock()
			r.lent--
			r.mu.Unlock()
		})
	}, r.drop()
}

// isLent reports whether another process may use the stores.
func (r *resident) isLent() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lent > 0
}

// How a resident workspace keeps up with its tree: a change is indexed when nothing more has
// changed for settle, or after patience, and the stores are closed after rest without a call.
const (
	settle   = 40 * time.Millisecond
	patience = 500 * time.Millisecond
	rest     = 30 * time.Second
)

// keepUp brings the index up to changes as they are told, so that the next question finds it
// done, until ctx ends.
func (r *resident) keepUp(ctx context.Context) {
	tick := time.NewTicker(rest / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.restAfter(ctx, rest)
			continue
		case <-r.tree.changes():
		}
		if !r.settled(ctx) {
			return
		}
		if r.behind(ctx) {
			if _, err := r.w.Refresh(ctx, Quick); err != nil && !errors.Is(err, context.Canceled) {
				r.w.log("the index could not be brought up to a change: %v", err)
			}
		}
	}
}

// settled waits until nothing more changes; false means that ctx ended.
func (r *resident) settled(ctx context.Context) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return false
		case <-r.tree.changes():
		case <-time.After(settle):
			return true
		}
	}
	return true
}

// behind reports whether the index is known not to stand for the tree any more. As long as
// nobody asked anything, it is not known.
func (r *resident) behind(ctx context.Context) bool {
	if r.tree.version() == noVersion {
		return false
	}
	if _, err := r.tree.now(ctx); err != nil {
		return false
	}
	return r.tree.stale(r.tree.version()) != nil
}

// auditFiles is how many files are compared with the index before a rest.
const auditFiles = 50

// restAfter closes the stores if there was no call for some time, so that a workspace at rest
// holds little memory and no lock. Before that it compares some files with the index, and
// saves what the next process can begin with.
func (r *resident) restAfter(ctx context.Context, idle time.Duration) {
	r.mu.Lock()
	due := r.graph != nil && time.Since(r.used) >= idle
	r.mu.Unlock()
	if !due {
		return
	}
	a, next, err := r.w.Check(ctx, r.reached, auditFiles)
	if err == nil {
		r.reached = next
		r.audited.Add(int64(a.Looked))
	} else if ctx.Err() == nil {
		r.w.log("files could not be compared with the index: %v", err)
	}
	if err := r.tree.save(ctx); err != nil && ctx.Err() == nil {
		r.w.log("the listing could not be saved: %v", err)
	}
	if err := r.drop(); err != nil {
		r.w.log("the stores could not be closed: %v", err)
	}
	if f := r.w.options.Rest; f != nil {
		f()
	}
}

// openGraph opens the graph for one use.
func (w *Workspace) openGraph(readOnly bool, wait time.Duration) (graph.Store, error) {
	if w.resident != nil {
		return w.resident.openGraph(readOnly, wait)
	}
	return w.options.Stores.Graph(w.state.path(graphName), readOnly, wait)
}

// openText opens the text index for reading.
func (w *Workspace) openText(token []byte) (TextStore, error) {
	if w.resident != nil {
		return w.resident.openText(token)
	}
	return w.options.Stores.Text(w.state.path(textName), token)
}

// openRanked opens the ranked index for one use.
func (w *Workspace) openRanked(token []byte) (RankedStore, error) {
	if w.resident != nil {
		return w.resident.openRanked(token)
	}
	return w.options.Stores.Ranked(w.state.path(rankedName), token)
}

// wipe takes away every index. It is called by the holder of update.lock.
func (w *Workspace) wipe() error {
	if w.resident != nil {
		if err := w.resident.drop(); err != nil {
			w.log("a store that is built again did not close: %v", err)
		}
	}
	return w.state.wipe()
}

var _ search.Index = (*heldText)(nil)

// hasGraph reports whether the file of the graph is there.
func (w *Workspace) hasGraph() error {
	if _, err := os.Stat(w.state.path(graphName)); err != nil {
		return fmt.Errorf("open graph: %w", os.ErrNotExist)
	}
	return nil
}
