package workspace

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// Preview is the graph as an edit would leave it, made by the same update that will index
// the edit, over the snapshot's graph and in memory.
type Preview struct {
	Before, After graph.KeyReader
	// Files are the files whose records the edit changes, linked anew or not, by path;
	// Gone are those that it takes away.
	Files []graph.File
	Gone  []graph.File
}

// Planned is what an edit leaves of the files that it changes: bytes by path, nil for those
// that are gone.
type Planned map[string][]byte

// PreviewOf computes the graph that the planned bytes give.
func PreviewOf(ctx context.Context, s *Snapshot, planned Planned) (*Preview, error) {
	c := index.Change{}
	for _, p := range slices.Sorted(maps.Keys(planned)) {
		if planned[p] == nil {
			c.Delete = append(c.Delete, p)
			continue
		}
		if part, err := s.part(p); err != nil {
			return nil, err
		} else if part {
			c.Put = append(c.Put, p)
		}
	}
	store := &previewStore{base: s.graph}
	e := s.w.engine(store)
	e.Progress = nil
	e.Read = func(_ context.Context, path string, _ []byte) ([]byte, error) {
		b := planned[path]
		if b == nil {
			return nil, fs.ErrNotExist
		}
		return b, nil
	}
	if _, err := e.Update(ctx, c); err != nil {
		return nil, err
	}
	return store.preview()
}

// part reports whether a path is, or would be, a file of the project.
func (s *Snapshot) part(p string) (bool, error) {
	if s.known(p) != nil {
		return true, nil
	}
	e, err := ignore.Explain(s.w.root, p, s.w.scanOptions())
	return err == nil && e.Part(), err
}

// previewStore is a store that keeps the one batch that it is given in memory.
type previewStore struct {
	base  graph.KeyReader
	batch *graph.Batch
}

// View implements graph.Store.
func (v *previewStore) View(_ context.Context, f func(graph.Reader) error) error { return f(v.base) }

// Apply implements graph.Store.
func (v *previewStore) Apply(_ context.Context, b *graph.Batch) (graph.Gen, error) {
	if v.batch != nil {
		return 0, errors.New("a preview takes one change")
	}
	v.batch = b
	return v.base.Gen() + 1, nil
}

// Close implements graph.Store.
func (v *previewStore) Close() error { return nil }

func (v *previewStore) preview() (*Preview, error) {
	p := &Preview{Before: v.base, After: v.base}
	if v.batch == nil {
		return p, nil
	}
	after, err := newOverlay(v.base, v.batch)
	if err != nil {
		return nil, err
	}
	p.After = after
	for i := range v.batch.Put {
		p.Files = append(p.Files, v.batch.Put[i].File)
	}
	if len(v.batch.Delete) > 0 {
		files, err := v.base.Files()
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if slices.Contains(v.batch.Delete, f.ID) {
				p.Gone = append(p.Gone, f)
			}
		}
	}
	slices.SortFunc(p.Files, func(a, b graph.File) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}
