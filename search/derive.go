package search

import "slices"

// The derivation of a query follows Russ Cox's codesearch. For each node of the
// tree we keep
//
//	empty   whether it may match the empty text,
//	exact   every text it can match, or nil when there are too many,
//	prefix  texts of which each match begins with one,
//	suffix  texts of which each match ends with one,
//	query   a condition on the trigrams of any text that contains a match.
//
// When exact is known, prefix and suffix are not kept. Sets that grow too large
// are first turned into trigrams, which go to query, and then cut down to their
// first or last two bytes. All texts are bytes of UTF-8; ignoring case is done
// on characters, by fold orbit, before they are spelt as bytes.

// Bounds on the sets; beyond them they are cut down.
const (
	maxMembers = 64  // characters of a class that are enumerated
	maxExact   = 7   // exact texts kept
	maxSet     = 20  // prefixes or suffixes kept
	maxTexts   = 500 // texts that are turned into trigrams
)

// facts is what is known of a node.
type facts struct {
	empty  bool
	exact  []string // nil: unknown
	prefix []string
	suffix []string
	query  Query
}

// deriveQuery returns the query of a tree.
func deriveQuery(n *node) Query {
	f := analyze(n)
	f.simplify(true)
	f.spill()
	return f.query
}

// anyText knows nothing.
func anyText() facts { return facts{empty: true, prefix: []string{""}, suffix: []string{""}} }

// emptyText is a condition on a place.
func emptyText() facts { return facts{empty: true, exact: []string{""}} }

// analyze derives the facts of a node.
func analyze(n *node) facts {
	var f facts
	switch n.op {
	case opEmpty, opLook:
		return emptyText()
	case opRune, opSet:
		f = analyzeSet(n)
	case opConcat:
		f = emptyText()
		for _, s := range n.subs {
			f = both(f, analyze(s))
			f.simplify(false)
		}
	case opAlt:
		f = analyze(n.subs[0])
		for _, s := range n.subs[1:] {
			f = either(f, analyze(s))
			f.simplify(false)
		}
	case opRepeat:
		f = analyzeRepeat(n)
	}
	f.simplify(false)
	return f
}

// analyzeSet derives the facts of one character.
func analyzeSet(n *node) facts {
	if n.op == opSet && len(n.set) == 0 {
		return facts{exact: []string{}, query: Query{Op: QueryNone}}
	}
	members := n.members(maxMembers)
	if members == nil {
		return facts{prefix: []string{""}, suffix: []string{""}}
	}
	var f facts
	for _, r := range members {
		f.exact = append(f.exact, string(r))
	}
	f.exact = clean(f.exact)
	return f
}

// analyzeRepeat derives the facts of x{n,m}.
func analyzeRepeat(n *node) facts {
	sub := n.subs[0]
	switch {
	case n.max == 0:
		return emptyText()
	case n.min == 0 && n.max == 1:
		return either(analyze(sub), emptyText())
	case n.min == 0:
		return anyText()
	}
	one := analyze(sub)
	f := one
	for i := 1; i < min(n.min, 4); i++ {
		f = both(f, one)
		f.simplify(false)
	}
	if n.max == n.min && n.min <= 4 {
		return f
	}
	// More of it may follow: the beginning and the end are what is sure.
	if f.exact != nil {
		f.prefix, f.suffix = f.exact, f.exact
		f.exact = nil
	}
	return f
}

// both derives the facts of x followed by y.
func both(x, y facts) facts {
	if x.query.Op == QueryNone || y.query.Op == QueryNone {
		return facts{exact: []string{}, query: Query{Op: QueryNone}}
	}
	f := facts{empty: x.empty && y.empty, query: x.query.and(y.query)}
	if x.exact != nil && y.exact != nil {
		f.exact = cross(x.exact, y.exact)
		return f
	}
	xp, xs, yp, ys := x.prefixes(), x.suffixes(), y.prefixes(), y.suffixes()
	switch {
	case x.exact != nil:
		f.prefix = cross(x.exact, yp)
	case x.empty:
		f.prefix = clean(slices.Concat(xp, yp))
	default:
		f.prefix = xp
	}
	switch {
	case y.exact != nil:
		f.suffix = cross(xs, y.exact)
	case y.empty:
		f.suffix = clean(slices.Concat(ys, xs))
	default:
		f.suffix = ys
	}
	if x.exact == nil && y.exact == nil && shortest(xs)+shortest(yp) >= 3 {
		f.query = f.query.and(trigramsOf(cross(xs, yp)))
	}
	return f
}

// either derives the facts of x|y.
func either(x, y facts) facts {
	if x.query.Op == QueryNone {
		return y
	}
	if y.query.Op == QueryNone {
		return x
	}
	f := facts{empty: x.empty || y.empty}
	switch {
	case x.exact != nil && y.exact != nil:
		f.exact = clean(slices.Concat(x.exact, y.exact))
	case x.exact != nil: // its texts become trigrams, else the or would lie
		x.query = x.query.and(trigramsOf(x.exact))
	case y.exact != nil:
		y.query = y.query.and(trigramsOf(y.exact))
	}
	if f.exact == nil {
		f.prefix = clean(slices.Concat(x.prefixes(), y.prefixes()))
		f.suffix = clean(slices.Concat(x.suffixes(), y.suffixes()))
	}
	f.query = x.query.or(y.query)
	return f
}

// prefixes returns what a match begins with, whatever is kept.
func (f *facts) prefixes() []string {
	if f.exact != nil {
		return f.exact
	}
	return f.prefix
}

// suffixes returns what a match ends with, whatever is kept.
func (f *facts) suffixes() []string {
	if f.exact != nil {
		return f.exact
	}
	return f.suffix
}

// simplify turns what is too large to keep into trigrams. With force, all
// exact texts that can give trigrams do.
func (f *facts) simplify(force bool) {
	if f.exact != nil {
		n := shortest(f.exact)
		if len(f.exact) > maxExact || n >= 4 || n >= 3 && force {
			f.query = f.query.and(trigramsOf(f.exact))
			f.prefix, f.suffix = f.exact, f.exact
			f.exact = nil
		} else {
			return
		}
	}
	f.prefix = f.shorten(f.prefix, func(s string, n int) string { return s[:n] })
	f.suffix = f.shorten(f.suffix, func(s string, n int) string { return s[len(s)-n:] })
}

// spill puts the trigrams of the sets that are left into the query.
func (f *facts) spill() {
	f.query = f.query.and(trigramsOf(f.prefixes()))
	f.query = f.query.and(trigramsOf(f.suffixes()))
}

// shorten turns a set into trigrams and cuts its texts to two bytes, then to
// one and to none while there are too many.
func (f *facts) shorten(set []string, cut func(s string, n int) string) []string {
	f.query = f.query.and(trigramsOf(set))
	for n := 2; ; n-- {
		out := make([]string, len(set))
		for i, s := range set {
			out[i] = cut(s, min(n, len(s)))
		}
		if out = clean(out); len(out) <= maxSet {
			return out
		}
	}
}

// trigramsOf returns the condition that a text contains one of the given ones.
// A text under three bytes makes it void.
func trigramsOf(texts []string) Query {
	if len(texts) > maxTexts || shortest(texts) < 3 {
		return MatchAll()
	}
	q, single := Query{Op: QueryNone}, []Trigram(nil)
	for _, s := range texts {
		var ts []Trigram
		for i := 0; i+3 <= len(s); i++ {
			if t := MakeTrigram(s[i], s[i+1], s[i+2]); !t.HasLF() {
				ts = append(ts, t)
			}
		}
		switch ts = union(ts, nil); len(ts) {
		case 0:
			return MatchAll()
		case 1:
			single = append(single, ts[0])
		default:
			q = q.or(Query{Op: QueryAnd, Trigrams: ts})
		}
	}
	if len(single) > 0 {
		q = q.or(Query{Op: QueryOr, Trigrams: union(single, nil)})
	}
	return q
}

// cross returns every text of a followed by one of b.
func cross(a, b []string) []string {
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return clean(out)
}

// clean sorts a set and drops duplicates.
func clean(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return slices.Compact(s)
}

// shortest is the length of the shortest text, 0 of no text.
func shortest(s []string) int {
	if len(s) == 0 {
		return 0
	}
	n := len(s[0])
	for _, x := range s {
		n = min(n, len(x))
	}
	return n
}
