package index

import (
	"time"

	"github.com/codegraph-dev/codegraph/graph"
)

// Change says which files an update looks at. Put are paths that are new or may have
// changed; those with the hash that the store knows are left alone. Delete are paths that are
// gone. Meta is set in the same generation.
type Change struct {
	Put    []string
	Delete []string
	Meta   map[string][]byte
}

// Skip is a file that has no facts although it should, or that has them only in part.
type Skip struct {
	Path   string
	Reason string
}

// Report says what an update did.
type Report struct {
	Generation graph.Gen // of the store after it
	Read       int       // files read
	Bytes      int64     // their size
	Changed    int       // files that are new or differ
	Deleted    int       // files taken away
	Relinked   int       // further files that were linked anew
	Skips      []Skip    // among the changed files, by path
	Partial    []Skip    // changed files with syntax errors, by path
	Phases     []Phase   // how long each part took
}

// Phase is a part of an update with its duration.
type Phase struct {
	Name string
	Wall time.Duration
}

// Progress is how far an update is. Total is 0 where it is not known.
type Progress struct {
	Phase string // "read", "link" or "write"
	Done  int
	Total int
}
