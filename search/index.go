package search

import "context"

// A DocID names a document of an index. Whoever feeds the index gives it out,
// one for each path, and keeps it while the path lives.
type DocID = uint32

// Candidates are the documents that may fulfil a query.
type Candidates struct {
	All  bool    // nothing can be ruled out: every document is a candidate
	Docs []DocID // ascending; nil when All
}

// An Index narrows a search. Its answer may hold documents that do not match,
// and holds every document that it was given and whose present text, as given,
// fulfils the query, those that it could not index included. What has changed
// since then the caller adds.
type Index interface {
	Candidates(ctx context.Context, q Query) (Candidates, error)
}
