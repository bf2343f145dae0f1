package bleve

import (
	"context"
	"strconv"

	blevesearch "github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/codegraph-dev/codegraph/graph"
)

// Hit is a file that fits a question; scores compare within one answer only.
type Hit struct {
	File  graph.FileID
	Score float64
}

// boosts say how much a word counts in each field.
var boosts = map[string]float64{"path": 4, "names": 2, "docs": 1.2, "text": 2}

// Rank returns at most limit files for a question in words, the best first.
func (x *Index) Rank(ctx context.Context, question string, limit int) ([]Hit, error) {
	words := questionWords(question)
	if len(words) == 0 || x.present().Folder == 0 {
		return nil, nil
	}
	var parts []query.Query
	for _, w := range words {
		for _, name := range fieldNames {
			q := query.NewTermQuery(w)
			q.SetField(name)
			q.SetBoost(boosts[name])
			parts = append(parts, q)
		}
	}
	req := blevesearch.NewSearchRequestOptions(query.NewDisjunctionQuery(parts), limit, 0, false)
	req.SortBy([]string{"-_score", "_id"})
	var res *blevesearch.SearchResult
	err := x.use(false, func(idx blevesearch.Index) (err error) {
		res, err = idx.SearchInContext(ctx, req)
		return err
	})
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(res.Hits))
	for _, h := range res.Hits {
		if id, err := strconv.ParseUint(h.ID, 36, 32); err == nil {
			hits = append(hits, Hit{graph.FileID(id), h.Score})
		}
	}
	return hits, nil
}

// questionWords are the terms of a question without the words that every question has.
func questionWords(question string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range (analyzer{}).Analyze([]byte(question)) {
		if w := string(t.Term); !stopWords[w] && !seen[w] && len(out) < 64 {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

var stopWords = stopSet("the and for with that this from are was were has have had how what where when which who why does did can could " +
	"should would will into onto not but all any its their our your you use used using via when then than there here also only just is it in on of to by as at be or an if do so no we")

func stopSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, t := range (analyzer{}).Analyze([]byte(words)) {
		m[string(t.Term)] = true
	}
	return m
}
