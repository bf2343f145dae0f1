package main

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/bolt"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// BenchmarkEvidence is what the ledger costs a read: the CPU time of warm calls in one process
// with an entry each against those without, as medians (%more-CPU; the bound is 5), and how long an entry takes.
func BenchmarkEvidence(b *testing.B) {
	w, err := workspace.Open(b.Context(), "..", workspace.Options{Home: b.TempDir(), Version: "bench", Stores: workspace.Stores{
		Graph: func(path string, readOnly bool, wait time.Duration) (graph.Store, error) {
			return bolt.Open(path, bolt.Options{ReadOnly: readOnly, Timeout: wait})
		},
	}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = w.Close() })
	calls := map[string]func(context.Context, *workspace.Snapshot) ([]workspace.Shown, error){
		"open": func(ctx context.Context, s *workspace.Snapshot) ([]workspace.Shown, error) {
			r, err := readtools.Open(ctx, s, readtools.OpenParams{Target: []string{"index/link.go:40-60"}})
			return r.Places(), err
		},
		"grep": func(ctx context.Context, s *workspace.Snapshot) ([]workspace.Shown, error) {
			r, err := readtools.Grep(ctx, s, readtools.GrepParams{Pattern: "func Link", Path: []string{"index"}})
			return r.Places(), err
		},
	}
	for name, call := range calls {
		b.Run(name, func(b *testing.B) {
			if _, err := read(b.Context(), w, call, false); err != nil {
				b.Fatal(err)
			}
			var cpu [2][]float64
			var entries time.Duration
			for range b.N {
				for i, entry := range []bool{false, true} {
					begun := used(b)
					d, err := read(b.Context(), w, call, entry)
					if err != nil {
						b.Fatal(err)
					}
					cpu[i] = append(cpu[i], (used(b) - begun).Seconds())
					entries += d
				}
			}
			b.ReportMetric(100*(percentile(cpu[1], 50)/percentile(cpu[0], 50)-1), "%more-CPU")
			b.ReportMetric(float64(entries.Microseconds())/float64(b.N), "µs/entry")
		})
	}
}

// read makes one call, with an entry if that is wanted, and says how long the entry took.
func read(ctx context.Context, w *workspace.Workspace, call func(context.Context, *workspace.Snapshot) ([]workspace.Shown, error), entry bool) (took time.Duration, err error) {
	var e workspace.Entry
	err = w.View(ctx, func(s *workspace.Snapshot) error {
		shown, err := call(ctx, s)
		begun := time.Now()
		if entry {
			e.Read, e.ReadMore = workspace.Reads(s, shown)
		}
		took = time.Since(begun)
		return err
	})
	if err != nil || !entry {
		return 0, err
	}
	begun := time.Now()
	_, err = w.AddEvidence(ctx, e)
	return took + time.Since(begun), err
}

// used is the CPU time of this process so far.
func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
