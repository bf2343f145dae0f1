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

// BenchmarkEvidence is what the ledger costs a read: the CPU time of an entry against that of the warm
// call, in one process, that it is about (%more-CPU; the bound is 5).
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
			if _, err := read(b.Context(), w, call); err != nil {
				b.Fatal(err)
			}
			var e workspace.Entry
			begun := used(b)
			for range b.N {
				var err error
				if e, err = read(b.Context(), w, call); err != nil {
					b.Fatal(err)
				}
			}
			calls := used(b) - begun
			begun = used(b)
			const times = 10 // an entry is too short for the clock
			for range b.N * times {
				if _, err := w.AddEvidence(b.Context(), e); err != nil {
					b.Fatal(err)
				}
			}
			entries := (used(b) - begun) / times
			b.ReportMetric(100*float64(entries)/float64(calls), "%more-CPU")
			b.ReportMetric(float64(entries.Microseconds())/float64(b.N), "CPU-µs/entry")
		})
	}
}

// read makes one call, and the entry that it would leave.
func read(ctx context.Context, w *workspace.Workspace, call func(context.Context, *workspace.Snapshot) ([]workspace.Shown, error)) (e workspace.Entry, err error) {
	err = w.View(ctx, func(s *workspace.Snapshot) error {
		shown, err := call(ctx, s)
		e.Read, e.ReadMore = workspace.Reads(s, shown)
		return err
	})
	return e, err
}

// used is the CPU time of this process so far.
func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
