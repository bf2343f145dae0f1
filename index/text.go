package index

import (
	"context"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
)

// Document is a file as text indexes are given it. Text and Facts are only valid during the
// call; Facts is nil where there are none.
type Document struct {
	File  *graph.File
	Text  search.Text
	Facts *graph.Facts
}

// TextIndex is a text index that moves together with the graph. What it writes is not seen
// until the graph's batch has put its token, under its name, into the store's meta.
type TextIndex interface {
	// Name is the key of the token in the store's meta.
	Name() string
	// Begin starts a change.
	Begin() TextBatch
}

// TextBatch is a change of a text index.
type TextBatch interface {
	// Add puts a document in place of any earlier one of its id. It is called from several
	// goroutines and fails only if the change cannot go on.
	Add(d Document) error
	// Remove takes a document away.
	Remove(id graph.FileID) error
	// Apply writes the change beside what is there and returns the token that names both.
	Apply(ctx context.Context) (token []byte, err error)
	// Discard gives a change up that is not applied.
	Discard() error
}
