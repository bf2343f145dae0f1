package workspace

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// memory is a graph.Store in memory, for a root whose state folder cannot be written. It
// lives as long as the process.
type memory struct {
	updating sync.Mutex      // one refresh at a time; guards listing and format
	listing  *ignore.Listing // that now was made from
	format   string
	tried    time.Time // when the state folder was tried last; guarded by Workspace.mu

	mu  sync.Mutex // guards what follows
	ids map[string]graph.FileID
	now *overlay
}

var _ graph.Store = (*memory)(nil)

func newMemory(format string) *memory {
	m := &memory{ids: map[string]graph.FileID{}, format: format}
	m.now = &overlay{over: map[graph.FileID]bool{}, next: m.idsOf}
	return m
}

// reset forgets everything that was put.
func (m *memory) reset(format string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.format, m.listing = format, nil
	m.now = &overlay{over: map[graph.FileID]bool{}, next: m.idsOf, gen: m.now.gen}
}

// idsOf gives ids out.
func (m *memory) idsOf(paths []string) []graph.FileID {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]graph.FileID, len(paths))
	for i, p := range paths {
		id, ok := m.ids[p]
		if !ok {
			id = graph.FileID(len(m.ids))
			m.ids[p] = id
		}
		out[i] = id
	}
	return out
}

// View implements graph.Store.
func (m *memory) View(_ context.Context, f func(graph.Reader) error) error {
	m.mu.Lock()
	now := m.now
	m.mu.Unlock()
	return f(now)
}

// Apply implements graph.Store.
func (m *memory) Apply(_ context.Context, b *graph.Batch) (graph.Gen, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	records := maps.Clone(m.now.put)
	if records == nil {
		records = map[graph.FileID]*graph.FileRecord{}
	}
	for _, id := range b.Delete {
		delete(records, id)
	}
	for i := range b.Put {
		records[b.Put[i].File.ID] = &b.Put[i]
	}
	whole := &graph.Batch{Meta: maps.Clone(m.now.meta)}
	if whole.Meta == nil {
		whole.Meta = map[string][]byte{}
	}
	maps.Copy(whole.Meta, b.Meta)
	for _, r := range records {
		whole.Put = append(whole.Put, *r)
	}
	next, err := newOverlay(nil, whole)
	if err != nil {
		return 0, err
	}
	next.gen, next.next = m.now.gen+1, m.idsOf
	m.now = next
	return next.gen, nil
}

// Close implements graph.Store.
func (m *memory) Close() error { return nil }
