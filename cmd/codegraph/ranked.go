//go:build unix

package main

import (
	"context"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/search/bleve"
	"github.com/codegraph-dev/codegraph/workspace"
)

// ranked fits the ranked index to what a workspace wants of one.
type ranked struct {
	dir string
	x   *bleve.Index
}

func openRanked(dir string, token []byte) (workspace.RankedStore, error) {
	x, err := bleve.Open(dir, token)
	if err != nil {
		return nil, err
	}
	return ranked{dir, x}, nil
}

func (r ranked) Name() string { return "ranked" }

func (r ranked) Keep() { r.x.Keep() }

func (r ranked) Close() error { return r.x.Close() }

func (r ranked) Sweep(token []byte) error {
	x, err := bleve.Open(r.dir, token)
	if err != nil {
		return err
	}
	return x.Sweep()
}

func (r ranked) Begin() index.TextBatch { return rankedBatch{r.x.Begin()} }

func (r ranked) Rank(ctx context.Context, question string, limit int) ([]workspace.Hit, error) {
	found, err := r.x.Rank(ctx, question, limit)
	if err != nil {
		return nil, err
	}
	hits := make([]workspace.Hit, len(found))
	for i, h := range found {
		hits[i] = workspace.Hit{Handle: graph.Handle{File: h.File, Index: graph.FileItself}, Score: h.Score}
	}
	return hits, nil
}

type rankedBatch struct{ *bleve.Batch }

func (b rankedBatch) Add(d index.Document) error {
	b.Batch.Add(bleve.Document{File: d.File, Text: d.Text.Data, Facts: d.Facts})
	return nil
}

func (b rankedBatch) Remove(id graph.FileID) error {
	b.Batch.Remove(id)
	return nil
}

func (b rankedBatch) Discard() error { return nil }
