package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// tries is how often a View's function runs at most.
const tries = 3

// View calls f with a Snapshot of the workspace as it is now. If files changed since the
// index was made, the index is brought up to date first. f may be called again, with a newer
// snapshot, when a file changed while it ran or when a store turned out to be damaged; so it
// begins its answer anew each time, and only the last call counts.
func (w *Workspace) View(ctx context.Context, f func(*Snapshot) error) error {
	var notes []string
	wanted := generationWanted(ctx)
	late := w.deadline(ctx)
	for try := 1; ; try++ {
		again, early := false, false
		var seen version
		err := w.view(ctx, notes, func(s *Snapshot) error {
			seen = s.version
			if early = s.Generation() < wanted; early {
				return nil
			}
			err := f(s)
			if len(s.moved) > 0 && w.resident != nil {
				w.resident.tree.touched(s.moved)
			}
			again = len(s.moved) > 0 && s.fresh && try < tries && (err == nil || !damaged(err))
			return err
		})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case early && err == nil:
			if try--; !later(ctx, late) {
				notes = []string{fmt.Sprintf("generation %d was asked for and has not come", wanted)}
				wanted = 0
			}
		case again:
		case damaged(err) && try < tries:
			again, err := w.repair(ctx, err, seen)
			if err != nil {
				return err
			}
			if again {
				notes = []string{"the index was damaged and has been built again"}
			}
		default:
			return err
		}
	}
}

// wantedKey is the context's key for the generation that a View waits for.
type wantedKey struct{}

// AtLeast lets the Views of a context wait for a generation, as long as they would wait for
// the index to become fresh. A View that has waited in vain answers from what there is, and
// its Notes say so.
func AtLeast(ctx context.Context, g graph.Gen) context.Context {
	return context.WithValue(ctx, wantedKey{}, g)
}

func generationWanted(ctx context.Context) graph.Gen {
	g, _ := ctx.Value(wantedKey{}).(graph.Gen)
	return g
}

// later waits a moment; false means that it is late.
func later(ctx context.Context, late <-chan time.Time) bool {
	select {
	case <-late:
		return false
	case <-ctx.Done():
		return false
	case <-time.After(pollEvery):
		return true
	}
}

// version names a state of the index.
type version struct {
	build string
	gen   graph.Gen
}

// repair builds the index again after a reader met damage in the version seen, if that is
// what is still there: an update that was under way may have put another one in its place,
// and then only the reader was late. built reports whether it did.
func (w *Workspace) repair(ctx context.Context, damage error, seen version) (built bool, err error) {
	lock, err := w.state.lock(ctx, w.state.wait)
	if err != nil {
		return false, err
	}
	if w.sound(ctx, seen) {
		return false, lock.Close()
	}
	w.log("the index is built again: %s", reasonOf(damage))
	err = w.wipe()
	_ = lock.Close()
	if err != nil {
		return false, err
	}
	_, err = w.Refresh(ctx, Quick)
	var se *stateError
	if errors.As(err, &se) || errors.Is(err, errBusy) {
		err = nil // the view finds its way without
	}
	return true, err
}

// sound reports whether the index can be opened and is not the version seen.
func (w *Workspace) sound(ctx context.Context, seen version) bool {
	r := &refresh{w: w}
	if err := (&lease{w: w}).View(ctx, r.inspect); err != nil {
		return false
	}
	keepers, err := w.openKeepers(r.tokens)
	if err != nil || closeAll(keepers) != nil {
		return false
	}
	return version{string(r.build), r.gen} != seen
}

// view makes one snapshot and calls f with it.
func (w *Workspace) view(ctx context.Context, notes []string, f func(*Snapshot) error) error {
	if err := w.reload(); err != nil {
		return err
	}
	s := &Snapshot{w: w, ctx: ctx, read: map[string]*File{}, notes: notes}
	if err := w.observe(ctx, s); err != nil {
		return err
	}
	if w.inMemory() {
		w.tryAgain()
		return w.viewMemory(ctx, s, f)
	}
	late := w.deadline(ctx)
	for try := 1; ; try++ {
		ok, err := w.open(ctx, s, false, f)
		var se *stateError
		if !ok && unexpected(err) {
			w.useMemory(&stateError{err})
			return w.viewMemory(ctx, s, f)
		}
		if ok || ctx.Err() != nil {
			return err
		}
		why, err := w.await(ctx, late)
		switch {
		case errors.As(err, &se):
			w.useMemory(se)
			return w.viewMemory(ctx, s, f)
		case err != nil:
			return err
		}
		if err := w.observe(ctx, s); err != nil {
			return err
		}
		if why != "" || try == tries {
			if why != "" {
				s.notes = append(s.notes, why)
			}
			return w.viewAfter(ctx, s, why == "", f)
		}
	}
}

// observe looks at the tree for s.
func (w *Workspace) observe(ctx context.Context, s *Snapshot) (err error) {
	if w.resident != nil {
		s.listing, err = w.resident.tree.now(ctx)
		return err
	}
	s.saved = w.state.load()
	s.listing, err = ignore.Scan(ctx, w.root, w.scanOptions(), listingOf(s.saved))
	return err
}

// stale are the files that differ from the index of a version; nil if it stands for all.
func (s *Snapshot) stale(v version) *staleFiles {
	if s.w.resident != nil {
		return s.w.resident.tree.stale(v)
	}
	if !s.saved.fits([]byte(v.build), v.gen) {
		return &staleFiles{all: true}
	}
	put, gone := differences(s.saved.Listing, s.listing)
	if len(put)+len(gone) == 0 {
		return nil
	}
	return &staleFiles{put: put, gone: gone}
}

// deadline is when the time is over in which a View waits for the index to become fresh; nil
// means never.
func (w *Workspace) deadline(ctx context.Context) <-chan time.Time {
	if d := w.budget(ctx); d > 0 {
		return time.After(d)
	}
	return nil
}

// unexpected reports whether an error of opening the stores has no other way out than to do
// without them.
func unexpected(err error) bool {
	return err != nil && !damaged(err) && !errors.Is(err, graph.ErrClosed) && !errors.Is(err, errOld) && !errors.Is(err, graph.ErrLocked) && !errors.Is(err, os.ErrNotExist) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// viewAfter opens the index after an update, or after waiting for one in vain.
func (w *Workspace) viewAfter(ctx context.Context, s *Snapshot, fresh bool, f func(*Snapshot) error) error {
	ok, err := w.open(ctx, s, true, f)
	if ok || err != nil && !errors.Is(err, graph.ErrLocked) && !errors.Is(err, os.ErrNotExist) && !(damaged(err) && !fresh) {
		return err
	}
	s.notes = append(s.notes, "there is no index yet; text is searched in full")
	return w.lay(ctx, s, nil, nil, f)
}

// errOld: the index does not stand for the files on disk.
var errOld = errors.New("the index is not up to date")

// open opens the stores for reading and calls f with s, if the index stands for the
// files on disk, or, with any, whatever it stands for. ok reports whether f was called.
func (w *Workspace) open(ctx context.Context, s *Snapshot, any bool, f func(*Snapshot) error) (ok bool, err error) {
	if err := w.hasGraph(); err != nil {
		return false, err // an update says what is wrong, if something is
	}
	wait := w.state.wait
	if d := w.budget(ctx); d > 0 {
		wait = min(wait, d)
	}
	store, err := w.openGraph(true, wait)
	if err != nil {
		return false, err
	}
	defer func() { _ = store.Close() }()
	err = store.View(ctx, func(r graph.Reader) error {
		g, is := r.(graph.KeyReader)
		if !is {
			return errors.New("the graph store gives no keys back")
		}
		values, err := g.Meta(metaBuild, metaFormat, textName, rankedName)
		if err != nil {
			return err
		}
		s.version = graphVersion(values[0], g.Gen())
		stale := s.stale(s.version)
		if string(values[1]) != w.format() {
			stale = &staleFiles{all: true}
		}
		if g.Gen() == 0 || stale != nil && !any {
			return errOld
		}
		ok = true
		return w.withTexts(s, values[2], values[3], func() error {
			if stale != nil {
				return w.lay(ctx, s, g, stale, f)
			}
			if s.files, err = g.Files(); err != nil {
				return err
			}
			s.graph, s.fresh = g, true
			s.text = always(s.text, s.files, nil)
			return f(s)
		})
	})
	if errors.Is(err, errOld) && any {
		err = os.ErrNotExist // nothing is in it
	}
	return ok, err
}

// withTexts opens the text indexes for s while f runs.
func (w *Workspace) withTexts(s *Snapshot, text, ranked []byte, f func() error) error {
	if w.options.Stores.Text != nil {
		t, err := w.openText(text)
		if err != nil {
			return fmt.Errorf("open text index: %w", err)
		}
		defer func() { _ = t.Close() }()
		s.text = t
	}
	if w.options.Stores.Ranked != nil {
		s.ranked = &lazyRanked{open: func() (RankedStore, error) {
			return w.openRanked(ranked)
		}}
		defer s.ranked.(*lazyRanked).close()
	}
	defer func() { s.text, s.ranked = nil, nil }()
	return f()
}

// await waits for an update until it is late. why says in words why the index is still not
// fresh.
func (w *Workspace) await(ctx context.Context, late <-chan time.Time) (why string, err error) {
	u := w.join(Quick)
	select {
	case <-u.done:
	case <-late:
		return "the index is being brought up to date; ask again for an answer from the whole of it", nil
	case <-ctx.Done():
		if u.leave() {
			<-u.done
		}
		return "", ctx.Err()
	}
	if errors.Is(u.err, errBusy) || errors.Is(u.err, graph.ErrLocked) {
		return "another process is updating the index; ask again for an answer from the whole of it", nil
	}
	return "", u.err
}

// always adds to an index's candidates the files that it cannot answer for.
func always(x search.Index, files []graph.File, changed []search.DocID) search.Index {
	var ids []search.DocID
	for i := range files {
		if s := files[i].Skip; s == skipUnread || s == skipLarge && files[i].Lines == 0 {
			ids = append(ids, search.DocID(files[i].ID))
		}
	}
	if ids = append(ids, changed...); len(ids) == 0 || x == nil {
		return x
	}
	return &widened{x, ids}
}
