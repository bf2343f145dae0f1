package workspace

import (
	"context"
	"encoding/binary"
	"io"
	"os"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
)

// Standing is how the index stands, as far as that is known without a look at the files.
type Standing struct {
	// Generation is that of the last update that ended, by whatever process; 0 if there
	// has been none.
	Generation graph.Gen
	// Updating says that this process brings the index up to date now, since Since.
	Updating bool
	Since    time.Time
	// Written is when the index was last written, by whatever process, in nanoseconds; 0
	// if there is none. It tells of an update of a process that keeps the generation to
	// itself for a while.
	Written int64
}

// Standing tells how the index stands. It costs a look at two files, so it may be asked
// again and again.
func (w *Workspace) Standing() Standing {
	w.mu.Lock()
	out := Standing{}
	if w.update != nil {
		out.Updating, out.Since = true, w.update.since
	}
	m := w.memory
	w.mu.Unlock()
	if info, err := os.Stat(w.state.path(graphName)); err == nil {
		out.Written = info.ModTime().UnixNano()
	}
	if w.resident != nil && m == nil && !w.resident.isLent() {
		if v := w.resident.tree.version(); v != noVersion {
			out.Generation = v.gen
			return out
		}
	}
	if m == nil {
		out.Generation = w.state.generation()
		return out
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	out.Generation = m.now.gen
	return out
}

// generation is the generation that the saved listing goes with; 0 if there is none.
func (s *state) generation() graph.Gen {
	f, err := os.Open(s.path(listingName))
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, listingHead)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(listingMagic)]) != listingMagic {
		return 0
	}
	return graph.Gen(binary.LittleEndian.Uint64(head[len(listingMagic)+buildSize:]))
}

// budgetKey is the context's key for a budget of its own.
type budgetKey struct{}

// Within gives the Views of a context a budget of their own in place of Options.Budget: how
// long they wait for the index to become fresh before they answer from what there is, while
// the work goes on. It is for questions whose answer is worth less than the wait.
func Within(ctx context.Context, budget time.Duration) context.Context {
	return context.WithValue(ctx, budgetKey{}, budget)
}

// firstKey is the context's key for a limit of the wait for a first index.
type firstKey struct{}

// AtFirst limits how long the Views of a context wait as long as there is no index at all. It is for
// questions that can be answered without one.
func AtFirst(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, firstKey{}, most)
}

// budget is how long a View with ctx waits; 0 means as long as it takes.
func (w *Workspace) budget(ctx context.Context) time.Duration {
	if d, ok := ctx.Value(budgetKey{}).(time.Duration); ok {
		return d
	}
	if w.options.First > 0 && w.Standing().Generation == 0 {
		if most, ok := ctx.Value(firstKey{}).(time.Duration); ok {
			return min(most, w.options.First)
		}
		return w.options.First
	}
	return w.options.Budget
}

// SkipPending is the graph.File.Skip of a file that will be indexed and is not yet.
const SkipPending = skipPending
