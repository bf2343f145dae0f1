package trigram

import (
	"context"
	"math/bits"
	"slices"

	"github.com/codegraph-dev/codegraph/search"
)

// Candidates returns the documents that may fulfil q, those on the always-scan
// list included. It fails with ErrCorrupt rather than leave one out.
func (s *Store) Candidates(ctx context.Context, q search.Query) (c search.Candidates, err error) {
	switch q.Op {
	case search.QueryAll:
		return search.Candidates{All: true}, nil
	case search.QueryNone:
		return search.Candidates{}, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := []uint32{}
	err = guard(func() error {
		for _, l := range s.levels {
			set, all, err := l.eval(ctx, q)
			if err != nil {
				return err
			}
			out = l.live(l.always, out)
			if all {
				out = l.live(l.indexed, out)
				continue
			}
			for w, b := range set {
				for ; b != 0; b &= b - 1 {
					if id := l.indexed[w<<6|bits.TrailingZeros64(b)]; !l.dead.has(id) {
						out = append(out, id)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		return search.Candidates{}, err
	}
	slices.Sort(out)
	return search.Candidates{Docs: out}, nil
}

// ordSet is a set of ordinals as bits; nil is the empty set.
type ordSet []uint64

// empty reports whether the set has no member.
func (o ordSet) empty() bool { return !slices.ContainsFunc(o, func(w uint64) bool { return w != 0 }) }

// eval returns the ordinals of the documents that fulfil q, or all.
func (s *segment) eval(ctx context.Context, q search.Query) (set ordSet, all bool, err error) {
	switch q.Op {
	case search.QueryAll:
		return nil, true, nil
	case search.QueryNone:
		return nil, false, nil
	case search.QueryOr:
		return s.evalOr(ctx, q)
	}
	return s.evalAnd(ctx, q)
}

// evalOr unites.
func (s *segment) evalOr(ctx context.Context, q search.Query) (ordSet, bool, error) {
	set := make(ordSet, (len(s.indexed)+63)/64)
	for _, t := range q.Trigrams {
		if err := ctx.Err(); err != nil {
			return nil, false, context.Cause(ctx)
		}
		b, err := s.postings(uint32(t))
		if err != nil {
			return nil, false, err
		}
		if err := s.eachOrdinal(b, func(o uint32) { set[o>>6] |= 1 << (o & 63) }); err != nil {
			return nil, false, err
		}
	}
	for _, p := range q.Parts {
		other, all, err := s.eval(ctx, p)
		if err != nil || all {
			return nil, all, err
		}
		for i, w := range other {
			set[i] |= w
		}
	}
	return set, false, nil
}

// evalAnd intersects, the shortest lists first.
func (s *segment) evalAnd(ctx context.Context, q search.Query) (ordSet, bool, error) {
	lists := make([][]byte, len(q.Trigrams))
	for i, t := range q.Trigrams {
		b, err := s.postings(uint32(t))
		if err != nil || b == nil {
			return nil, false, err
		}
		lists[i] = b
	}
	slices.SortFunc(lists, func(a, b []byte) int { return len(a) - len(b) })
	var set ordSet
	all := true
	meet := func(other ordSet) {
		if all {
			set, all = other, false
			return
		}
		for i := range set {
			if i < len(other) {
				set[i] &= other[i]
			} else {
				set[i] = 0
			}
		}
	}
	for _, b := range lists {
		if err := ctx.Err(); err != nil {
			return nil, false, context.Cause(ctx)
		}
		other := make(ordSet, (len(s.indexed)+63)/64)
		if err := s.eachOrdinal(b, func(o uint32) { other[o>>6] |= 1 << (o & 63) }); err != nil {
			return nil, false, err
		}
		if meet(other); set.empty() {
			return nil, false, nil
		}
	}
	for _, p := range q.Parts {
		other, allOther, err := s.eval(ctx, p)
		if err != nil {
			return nil, false, err
		}
		if !allOther {
			if meet(other); set.empty() {
				return nil, false, nil
			}
		}
	}
	return set, all, nil
}
