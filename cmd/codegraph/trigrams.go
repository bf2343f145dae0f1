//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/search/trigram"
	"github.com/codegraph-dev/codegraph/workspace"
)

// trigrams fits the trigram index to what a workspace wants of a text index.
type trigrams struct{ *trigram.Store }

func openTrigrams(dir string, token []byte) (workspace.TextStore, error) {
	s, err := trigram.Open(dir, token)
	if err != nil {
		return nil, asDamage(err)
	}
	return trigrams{s}, nil
}

// asDamage gives the index's own damage the name that the workspace knows.
func asDamage(err error) error {
	if errors.Is(err, trigram.ErrCorrupt) {
		return fmt.Errorf("%w: %w", graph.ErrCorrupt, err)
	}
	return err
}

func (t trigrams) Name() string { return "trigram" }

// Candidates implements search.Index.
func (t trigrams) Candidates(ctx context.Context, q search.Query) (search.Candidates, error) {
	c, err := t.Store.Candidates(ctx, q)
	return c, asDamage(err)
}

// Begin implements index.TextIndex.
func (t trigrams) Begin() index.TextBatch { return trigramBatch{t.Store, t.NewBatch()} }

// trigramBatch is a change of the trigram index.
type trigramBatch struct {
	store *trigram.Store
	batch *trigram.Batch
}

// Add implements index.TextBatch.
func (b trigramBatch) Add(d index.Document) error {
	return b.batch.Add(search.DocID(d.File.ID), d.Text)
}

// Remove implements index.TextBatch.
func (b trigramBatch) Remove(id graph.FileID) error { return b.batch.Remove(search.DocID(id)) }

// Apply implements index.TextBatch.
func (b trigramBatch) Apply(ctx context.Context) ([]byte, error) {
	token, err := b.store.Apply(ctx, b.batch)
	return token, asDamage(err)
}

// Discard implements index.TextBatch.
func (b trigramBatch) Discard() error { return b.batch.Discard() }
