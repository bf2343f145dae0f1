//go:build unix

package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/codegraph-dev/codegraph/workspace"
)

// leastMemory is what a daemon may use on the smallest machine. More than what the making of
// an index may use it never needs.
const leastMemory = 512 << 20

// limitMemory has the garbage collector keep a daemon within its memory, unless the user has
// set it. Most of the time little is in use; so the heap may grow by more than is usual
// between two collections.
func limitMemory(root string) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(indexGC)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(root))
	}
}

// memoryLimit is what the root's configuration says, or the user's, or a share of what there is.
func memoryLimit(root string) int64 {
	if n := setting(root, func(c *workspace.Config) int64 { return c.MemoryLimit }); n > 0 {
		return n
	}
	return min(max(machineMemory()/4, leastMemory), indexLimit)
}

// notes are what the workspace says of how it learns of changes.
func (l *lazyWorkspace) notes() []string {
	w, err := l.opened()
	if w == nil || err != nil || w.Watching() == nil {
		return nil
	}
	var out []string
	if w.Standing().Updating {
		out = append(out, "the index is brought up to date"+l.standing.words())
	}
	v := w.Watching()
	if v.Why != "" {
		out = append(out, "each question looks at all files: "+v.Why)
	} else {
		out = append(out, fmt.Sprintf("%d folders are watched", v.Folders))
	}
	if v.Lost > 0 {
		out = append(out, fmt.Sprintf("the system could not keep up %d times; all files were looked at then", v.Lost))
	}
	if v.Drift > 0 {
		out = append(out, fmt.Sprintf("%d changes were found that nothing had told of", v.Drift))
	}
	if v.Audited > 0 {
		out = append(out, fmt.Sprintf("%d files were extracted again and compared with the index", v.Audited))
	}
	return out
}
