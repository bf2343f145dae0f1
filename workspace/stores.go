package workspace

import (
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/search"
)

// Stores open the stores of a state folder. The program that uses a workspace decides which
// they are. Their errors are graph.ErrLocked, graph.ErrVersion, graph.ErrCorrupt, possibly
// wrapped, or of the file system.
type Stores struct {
	// Graph opens the graph in a file. For writing it makes the file if there is none;
	// wait bounds how long it waits for the file's lock.
	Graph func(path string, readOnly bool, wait time.Duration) (graph.Store, error)
	// Text opens the text index in a folder at the state that a token names; a nil token
	// means empty. Nil if the program has none.
	Text func(dir string, token []byte) (TextStore, error)
	// Ranked opens the ranked text index likewise; nil if the program has none.
	Ranked func(dir string, token []byte) (RankedStore, error)
}

// Keeper is a text index in a folder. Sweep removes what the state named by a token does not
// need; nobody reads an older state any more.
type Keeper interface {
	index.TextIndex
	Sweep(token []byte) error
	Close() error
}

// TextStore is a text index that proposes candidates.
type TextStore interface {
	Keeper
	search.Index
}

// RankedStore is a text index that ranks.
type RankedStore interface {
	Keeper
	Ranked
	// Keep lets it hold its files open for reading and writing until Close, so that one
	// may be read from while it is written to.
	Keep()
}
