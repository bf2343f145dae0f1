package readtools

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/codegraph-dev/codegraph/graph"
)

// askHits is how many symbols and files a question in words finds at most.
const askHits = 60

// ask answers a question in words: the symbols and files that fit it best, with source.
func (e *exploring) ask(q string) error {
	e.res.Focus = "auto"
	hits, err := e.rank(q)
	if err != nil {
		return err
	}
	if len(hits) == 0 && identifier.MatchString(q) {
		return e.notFound(q)
	}
	if err := e.loadScored(hits); err != nil {
		return err
	}
	if len(hits) > 0 {
		e.res.note("ranked by how well names, paths and text fit the words; not a complete list")
	}
	e.res.Bound = "at least"
	room := e.page.budget / 6
	entries := make([]entry, len(hits))
	for i, h := range hits {
		entries[i] = func() (ExploreItem, bool) {
			it, ok := e.rankedItem(h, room)
			if i >= 2 {
				room = e.page.budget / 20
			}
			return it, ok
		}
	}
	e.list(entries)
	if len(hits) == 0 {
		e.left("nothing fits these words; try grep")
	}
	return nil
}

// scored is a symbol or file with how well it fits.
type scored struct {
	h     graph.Handle
	score float64
}

func (e *exploring) loadScored(hits []scored) error {
	hs := make([]graph.Handle, len(hits))
	for i := range hits {
		hs[i] = hits[i].h
	}
	return e.loadHandles(hs)
}

func (e *exploring) rankedItem(h scored, most int) (ExploreItem, bool) {
	if h.h.Index == graph.FileItself {
		f := e.file(h.h.File)
		if f == nil {
			return ExploreItem{}, false
		}
		return ExploreItem{Path: f.Path, Score: h.score, Note: "file, " + count(int(f.Lines), "line")}, true
	}
	it, ok := e.symbolItem(h.h)
	if !ok {
		return it, false
	}
	text, whole := e.sourceOf(h.h, most)
	it.Text, it.Score = text, h.score
	if !whole {
		it.Note = "cut; the whole with read_open target: " + it.Symbol.ID
	}
	return it, true
}

// rank asks the ranked text index, or without one the names alone.
func (e *exploring) rank(q string) ([]scored, error) {
	var out []scored
	if r := e.s.Ranked(); r != nil {
		hits, err := r.Rank(e.ctx, q, askHits)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			out = append(out, scored{h.Handle, h.Score})
		}
		out = slices.DeleteFunc(out, func(h scored) bool { return !e.inScope(h.h.File) })
		if len(out) == 0 {
			return nil, nil
		}
		return e.intoSymbols(q, out)
	}
	return e.rankNames(q)
}

// stopWords say nothing about what is asked for.
var stopWords = map[string]bool{"a": true, "an": true, "the": true, "is": true, "are": true, "of": true, "in": true, "on": true, "to": true,
	"and": true, "or": true, "how": true, "where": true, "what": true, "which": true, "who": true, "why": true, "when": true, "does": true,
	"do": true, "it": true, "for": true, "by": true, "with": true, "this": true, "that": true, "from": true, "be": true, "was": true}

// rankNames fits the words to names of symbols, by the share of the question that a name
// covers and the share of the name that is covered.
func (e *exploring) rankNames(q string) ([]scored, error) {
	words := questionWords(q)
	if len(words) == 0 {
		return nil, nil
	}
	var out []scored
	scores := map[string]float64{}
	err := e.r.Named(func(n string) bool {
		s := nameScore(n, words)
		if s > 0 {
			scores[n] = s
		}
		return s > 0
	}, func(n string, at []graph.Handle) bool {
		for _, h := range at {
			if f := e.file(h.File); f != nil && e.inScope(h.File) && h.Index >= 0 && h.Index != graph.FileItself {
				out = append(out, scored{h, scores[n] * e.placeScore(f, words)})
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), e.compareHandles(a.h, b.h)) })
	return out[:min(len(out), askHits)], nil
}

// namesIn are the names and words of a text, as they stand.
func namesIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}

// questionWords are the words of a question that say something, in lower case; names in it
// are taken apart.
func questionWords(q string) []string {
	var out []string
	for _, w := range namesIn(q) {
		for _, part := range splitWords(w) {
			if !stopWords[part] && len(part) > 1 && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}

// nameScore is how well a name fits words.
func nameScore(name string, words []string) float64 {
	any := false
	low := strings.ToLower(name)
	for _, w := range words {
		any = any || strings.Contains(low, stem(w))
	}
	if !any {
		return 0
	}
	parts := splitWords(name)
	hit := 0
	for _, w := range words {
		if slices.ContainsFunc(parts, func(p string) bool { return p == w || strings.HasPrefix(p, stem(w)) && len(stem(w)) >= 3 }) {
			hit++
		}
	}
	if hit == 0 {
		return 0
	}
	return float64(hit)/float64(len(words)) + 0.5*float64(hit)/float64(max(hit, len(parts)))
}

// stem is a word without its ending.
func stem(w string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if t := strings.TrimSuffix(w, end); t != w && len(t) >= 3 {
			return t
		}
	}
	return w
}

// placeScore favours paths that fit and code that is neither test nor generated.
func (e *exploring) placeScore(f *graph.File, words []string) float64 {
	s := 1.0
	low := strings.ToLower(f.Path)
	for _, w := range words {
		if strings.Contains(low, stem(w)) {
			s += 0.2
		}
	}
	if f.Test {
		s *= 0.5
	}
	if f.Generated {
		s *= 0.4
	}
	return s
}
