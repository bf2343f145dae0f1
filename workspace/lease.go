package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// lease is a graph.Store for an update: it opens the file for reading during a View and for
// writing during Apply, so that others can read while the update works. Its user holds
// update.lock, hence no other writer comes between.
type lease struct {
	w     *Workspace
	asked []question // of FileIDs, in order
}

// question is a call of FileIDs with its answer.
type question struct {
	paths []string
	ids   []graph.FileID
}

var _ graph.Drafter = (*lease)(nil)

// ensure makes the file if it is not there.
func (l *lease) ensure() error {
	path := l.w.state.path(graphName)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s, err := l.w.openGraph(false, l.w.state.wait)
	if err != nil {
		return err
	}
	return s.Close()
}

// View implements graph.Store.
func (l *lease) View(ctx context.Context, f func(graph.Reader) error) error {
	s, err := l.w.openGraph(true, l.w.state.wait)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	return s.View(ctx, func(r graph.Reader) error {
		kr, ok := r.(graph.KeyReader)
		if !ok {
			return errors.New("the graph store gives no keys back")
		}
		return f(&leaseReader{KeyReader: kr, lease: l})
	})
}

// leaseReader notes which ids it gave out.
type leaseReader struct {
	graph.KeyReader
	lease *lease
}

// FileIDs implements graph.Reader.
func (r *leaseReader) FileIDs(paths []string) ([]graph.FileID, error) {
	ids, err := r.KeyReader.FileIDs(paths)
	if err == nil {
		r.lease.asked = append(r.lease.asked, question{slices.Clone(paths), ids})
	}
	return ids, err
}

// Apply implements graph.Store.
func (l *lease) Apply(ctx context.Context, b *graph.Batch) (graph.Gen, error) {
	s, err := l.w.openGraph(false, l.w.state.wait)
	if err != nil {
		return 0, err
	}
	gen, err := l.apply(ctx, s, b)
	return gen, errors.Join(err, s.Close())
}

func (l *lease) apply(ctx context.Context, s graph.Store, b *graph.Batch) (graph.Gen, error) {
	if err := l.askAgain(ctx, s); err != nil {
		return 0, err
	}
	return s.Apply(ctx, b)
}

// askAgain asks for the ids that View gave out, since they were promised by a store that is
// closed now.
func (l *lease) askAgain(ctx context.Context, s graph.Store) error {
	return s.View(ctx, func(r graph.Reader) error {
		for _, q := range l.asked {
			ids, err := r.FileIDs(q.paths)
			if err != nil {
				return err
			}
			if !slices.Equal(ids, q.ids) {
				return fmt.Errorf("the graph changed during an update: %w", graph.ErrLocked)
			}
		}
		return nil
	})
}

// Draft implements graph.Drafter. The store is open for writing until the draft is closed: for
// others there is nothing to be read before.
func (l *lease) Draft(ctx context.Context) (graph.Draft, error) {
	s, err := l.w.openGraph(false, l.w.state.wait)
	if err != nil {
		return nil, err
	}
	d, ok := s.(graph.Drafter)
	if !ok {
		return nil, errors.Join(errors.ErrUnsupported, s.Close())
	}
	err = l.askAgain(ctx, s)
	if err == nil {
		var draft graph.Draft
		if draft, err = d.Draft(ctx); err == nil {
			return &leaseDraft{draft, s, l.w.resident}, nil
		}
	}
	return nil, errors.Join(err, s.Close())
}

// leaseDraft is a draft that holds its store open.
type leaseDraft struct {
	graph.Draft
	store graph.Store
	r     *resident // nil in a workspace that does not stay
}

// Close implements graph.Draft.
func (d *leaseDraft) Close() error {
	err := errors.Join(d.Draft.Close(), d.store.Close())
	if d.r != nil {
		d.r.renewGraph()
	}
	return err
}

// Close implements graph.Store.
func (l *lease) Close() error { return nil }
