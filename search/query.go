package search

import (
	"fmt"
	"slices"
	"strings"
)

// A Trigram is three successive bytes of decoded text, the first one highest.
// A trigram that holds a line feed belongs to no query and need not be indexed.
type Trigram uint32

// MaxTrigram is the highest trigram.
const MaxTrigram Trigram = 1<<24 - 1

// MakeTrigram packs three bytes.
func MakeTrigram(a, b, c byte) Trigram {
	return Trigram(a)<<16 | Trigram(b)<<8 | Trigram(c)
}

// HasLF reports whether one of the three bytes is a line feed.
func (t Trigram) HasLF() bool { return t>>16 == '\n' || t>>8&0xFF == '\n' || t&0xFF == '\n' }

// String quotes the three bytes.
func (t Trigram) String() string {
	return fmt.Sprintf("%q", []byte{byte(t >> 16), byte(t >> 8), byte(t)})
}

// QueryOp says how the parts of a Query are joined.
type QueryOp uint8

// The kinds of queries.
const (
	QueryAll  QueryOp = iota // every document fulfils it: nothing is known
	QueryNone                // no document fulfils it
	QueryAnd                 // all trigrams and all parts
	QueryOr                  // any trigram or any part
)

// A Query is a condition on the set of trigrams of a text. It may hold for a
// text without a match, and never fails to hold for one with a match. Its zero
// value is QueryAll.
type Query struct {
	Op       QueryOp
	Trigrams []Trigram // sorted, distinct
	Parts    []Query   // of the other of And and Or
}

// MatchAll is the query that every document fulfils.
func MatchAll() Query { return Query{} }

// Holds evaluates the query on one text, given its trigrams.
func (q Query) Holds(has func(Trigram) bool) bool {
	switch q.Op {
	case QueryAll:
		return true
	case QueryNone:
		return false
	case QueryAnd:
		for _, t := range q.Trigrams {
			if !has(t) {
				return false
			}
		}
		for _, p := range q.Parts {
			if !p.Holds(has) {
				return false
			}
		}
		return true
	}
	return slices.ContainsFunc(q.Trigrams, has) ||
		slices.ContainsFunc(q.Parts, func(p Query) bool { return p.Holds(has) })
}

// String writes the query as trigrams, bars and parentheses.
func (q Query) String() string {
	switch q.Op {
	case QueryAll:
		return "all"
	case QueryNone:
		return "none"
	}
	sep := " "
	if q.Op == QueryOr {
		sep = "|"
	}
	var parts []string
	for _, t := range q.Trigrams {
		parts = append(parts, t.String())
	}
	for _, p := range q.Parts {
		parts = append(parts, "("+p.String()+")")
	}
	return strings.Join(parts, sep)
}

// and joins two queries that both hold.
func (q Query) and(r Query) Query { return join(QueryAnd, q, r) }

// or joins two queries of which one holds.
func (q Query) or(r Query) Query { return join(QueryOr, q, r) }

// join builds the And or Or of two queries and keeps it small.
func join(op QueryOp, a, b Query) Query {
	top, bottom := QueryAll, QueryNone // neutral and absorbing for And
	if op == QueryOr {
		top, bottom = bottom, top
	}
	switch {
	case a.Op == bottom || b.Op == bottom:
		return Query{Op: bottom}
	case a.Op == top:
		return b
	case b.Op == top:
		return a
	case a.equal(b), implies(a, b) && op == QueryAnd, implies(b, a) && op == QueryOr:
		return a
	case implies(b, a) && op == QueryAnd, implies(a, b) && op == QueryOr:
		return b
	}
	if a.single() && (b.Op == op || b.single()) {
		a.Op = op
	}
	if b.single() && a.Op == op {
		b.Op = op
	}
	if a.Op == op && b.Op == op {
		return Query{Op: op, Trigrams: union(a.Trigrams, b.Trigrams), Parts: uniqueParts(a.Parts, b.Parts)}
	}
	if b.Op == op {
		a, b = b, a
	}
	if a.Op == op {
		return Query{Op: op, Trigrams: a.Trigrams, Parts: uniqueParts(a.Parts, []Query{b})}
	}
	return factored(op, a, b)
}

// factored joins two queries of the other kind: what both have in common is
// said once, (x y)|(x z) being x(y|z).
func factored(op QueryOp, a, b Query) Query {
	common, onlyA, onlyB := split(a.Trigrams, b.Trigrams)
	if len(common) == 0 {
		return Query{Op: op, Parts: []Query{a, b}}
	}
	other := a.Op
	if len(onlyA)+len(a.Parts) == 0 || len(onlyB)+len(b.Parts) == 0 {
		return Query{Op: other, Trigrams: common}
	}
	a.Trigrams, b.Trigrams = onlyA, onlyB
	rest := join(op, a, b)
	return join(other, Query{Op: other, Trigrams: common}, rest)
}

// single reports whether the query is one trigram, which is And and Or alike.
func (q Query) single() bool { return len(q.Trigrams) == 1 && len(q.Parts) == 0 }

// equal reports whether two queries are written alike.
func (q Query) equal(r Query) bool {
	return q.Op == r.Op && slices.Equal(q.Trigrams, r.Trigrams) && slices.EqualFunc(q.Parts, r.Parts, Query.equal)
}

// implies reports whether a evidently implies b: an And of trigrams implies
// the And of some of them and the Or that has one of them.
func implies(a, b Query) bool {
	if len(a.Parts)+len(b.Parts) > 0 {
		return false
	}
	switch {
	case a.Op == QueryAnd && b.Op == QueryAnd:
		return len(union(a.Trigrams, b.Trigrams)) == len(a.Trigrams)
	case a.Op == QueryOr && b.Op == QueryOr:
		return len(union(a.Trigrams, b.Trigrams)) == len(b.Trigrams)
	case a.Op == QueryAnd && b.Op == QueryOr:
		common, _, _ := split(a.Trigrams, b.Trigrams)
		return len(common) > 0
	}
	return false
}

// union merges two sorted lists.
func union(a, b []Trigram) []Trigram {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// split sorts two sorted lists into what they share and what they do not.
func split(a, b []Trigram) (common, onlyA, onlyB []Trigram) {
	for _, t := range a {
		if _, ok := slices.BinarySearch(b, t); ok {
			common = append(common, t)
		} else {
			onlyA = append(onlyA, t)
		}
	}
	for _, t := range b {
		if _, ok := slices.BinarySearch(a, t); !ok {
			onlyB = append(onlyB, t)
		}
	}
	return common, onlyA, onlyB
}

// uniqueParts joins lists of parts without repeating one.
func uniqueParts(a, b []Query) []Query {
	out := slices.Clone(a)
	for _, p := range b {
		if !slices.ContainsFunc(out, p.equal) {
			out = append(out, p)
		}
	}
	return out
}
