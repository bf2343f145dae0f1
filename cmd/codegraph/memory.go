//go:build unix

package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"

	"github.com/codegraph-dev/codegraph/workspace"
)

// The pace of the garbage collector. The heap is short-lived facts on top of long-lived ones, so it
// may grow by more than is usual between two collections, until it is softLimit large. From there on
// memory counts for more than time: it may be half as large again as what is in use, up to what the
// user or the machine allows.
const (
	paceGC      = 150
	softLimit   = 384 << 20
	leastMemory = 512 << 20 // what the program may use on the smallest machine
	mostMemory  = 4 << 30   // and on the largest
)

// limitMemory has the garbage collector keep a daemon within its memory.
func limitMemory(root string) { paceMemory(memoryLimit(root)) }

// memoryLimit is what the root's configuration says, or the user's, or a share of what there is.
func memoryLimit(root string) int64 {
	if n := setting(root, func(c *workspace.Config) int64 { return c.MemoryLimit }); n > 0 {
		return n
	}
	return memoryShare()
}

func memoryShare() int64 { return min(max(machineMemory()/4, leastMemory), mostMemory) }

// paceMemory sets the garbage collector's pace, unless the user has, until stop is called. Memory
// that is not the collector's, such as that of the parser's trees, is left some room below most.
func paceMemory(most int64) (stop func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	percent, limit := debug.SetGCPercent(paceGC), debug.SetMemoryLimit(-1)
	most -= most / 8
	var stopped atomic.Bool
	var again func()
	again = func() {
		if stopped.Load() {
			return
		}
		debug.SetMemoryLimit(min(max(liveHeap()*3/2, softLimit), most))
		runtime.SetFinalizer(&collected{}, func(*collected) { again() })
	}
	again()
	return func() {
		stopped.Store(true)
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

// collected is garbage from the beginning: its finalizer runs after each collection.
type collected struct{ _ [16]byte }

// liveHeap is how many bytes the last collection found in use.
func liveHeap() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	if metrics.Read(sample); sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}
