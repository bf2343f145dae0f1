package readtools

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// The most files of a ranking that are looked into, and the most symbols that one of them gives.
const (
	askFiles   = 32
	askPerFile = 3
)

// symbolPower is how much the order within a file counts against the order of the files: below
// one, a middling symbol of the best file stands before a good one of a middling file.
const symbolPower = 0.7

// How much a word counts where it stands in a symbol: in its name, its doc, its body.
const (
	nameWeight = 3.0
	docWeight  = 1.5
	bodyWeight = 1.0
)

// heard is a symbol with the words of the question that stand in it.
type heard struct {
	h     graph.Handle
	file  float64   // the file's score, 1 is the most
	words []float64 // by word: the weight of the best place it stands in
	kind  graph.Kind

	start, end uint32 // where it stands
	score      float64
}

// intoSymbols looks into the files of a ranking, the best first, for the definitions that have the
// question's words. A word counts by how few of them have it; where nothing in a file does,
// the file stands for itself.
func (e *exploring) intoSymbols(q string, files []scored) ([]scored, error) {
	words := append(questionWords(q), wholeNames(q)...)
	files = e.outsideTests(files, words)
	look, err := e.lookInto(files[:min(len(files), askFiles)], words)
	if err != nil {
		return nil, err
	}
	var all []heard
	for i := range look {
		all = append(all, e.hear(&look[i], words)...)
	}
	out := bestOf(all, rarity(all, len(words)))
	for _, f := range look {
		if !slices.ContainsFunc(out, func(s scored) bool { return s.h.File == f.h.File }) {
			out = append(out, f.scored)
		}
	}
	return append(out, files[len(look):]...), nil
}

// outsideTests sets aside tests, examples and generated files; a question about tests means tests.
func (e *exploring) outsideTests(files []scored, words []string) []scored {
	asked := aboutTests(words)
	out := slices.Clone(files)
	for i := range out {
		out[i].score *= standing(e.file(out[i].h.File), asked)
	}
	slices.SortStableFunc(out, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return out
}

func aboutTests(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return stem(w) == "test" })
}

// standing is what a file's words count: less in tests, examples and generated files, which
// speak of what others do.
func standing(f *graph.File, asked bool) float64 {
	if f != nil && (f.Test && !asked || f.Generated || strings.Contains(f.Path, "example")) {
		return 0.25
	}
	return 1
}

// hear finds the words in each of a file's definitions.
func (e *exploring) hear(f *looked, words []string) []heard {
	facts, low := e.factsOf(f.h.File), f.text
	if facts == nil || low == nil {
		return nil
	}
	var out []heard
	for i := range facts.Symbols {
		s := &facts.Symbols[i]
		if s.Flags&(graph.NestedDef|graph.Anonymous) != 0 || s.Start > s.End || int(s.End) > len(low) || s.DocStart > s.DocEnd || int(s.DocEnd) > len(low) {
			continue
		}
		x := heard{h: graph.Handle{File: f.h.File, Index: int32(i)}, file: f.score, kind: s.Kind, start: s.Start, end: s.End}
		body := low[s.Start:s.End]
		if s.Kind.Type() || s.Kind == graph.Namespace || s.Kind == graph.Module {
			body = body[:min(len(body), 400)] // what it holds speaks for itself
		}
		x.words = places(words, strings.ToLower(facts.Path(int32(i))), low[s.DocStart:s.DocEnd], body)
		if x.words != nil {
			out = append(out, x)
		}
	}
	return out
}

// places tells for each word the weight of the best place it stands in; nil if none does.
func places(words []string, name string, doc, body []byte) []float64 {
	var out []float64
	for k, w := range words {
		w = stem(w)
		weight := 0.0
		switch {
		case strings.Contains(name, w):
			weight = nameWeight
		case bytes.Contains(doc, []byte(w)):
			weight = docWeight
		case bytes.Contains(body, []byte(w)):
			weight = bodyWeight
		default:
			continue
		}
		if out == nil {
			out = make([]float64, len(words))
		}
		out[k] = weight
	}
	return out
}

// rarity is, by word, the logarithm of how few definitions have it (inverse document
// frequency, as in BM25).
func rarity(all []heard, words int) []float64 {
	out := make([]float64, words)
	for k := range out {
		n := 0
		for i := range all {
			if all[i].words[k] > 0 {
				n++
			}
		}
		out[k] = math.Log(1 + (float64(len(all))-float64(n)+0.5)/(float64(n)+0.5))
	}
	return out
}

// bestOf ranks the definitions, a few of each file, and not what stands in the text of another.
func bestOf(all []heard, rare []float64) []scored {
	most := 0.0
	for _, r := range rare {
		most += r * nameWeight
	}
	for i := range all {
		x := &all[i]
		sum := 0.0
		for k, w := range x.words {
			sum += w * rare[k]
		}
		// A long body has any word; a score is worth less the longer it is.
		length := 1 / (1 + 0.15*math.Log2(1+float64(x.end-x.start)/2000))
		if !x.kind.Callable() && !x.kind.Type() {
			length /= 2 // a field or constant is rarely the answer itself
		}
		x.score = x.file * math.Pow(sum/max(most, 1e-9)*length, symbolPower)
	}
	slices.SortStableFunc(all, func(a, b heard) int { return cmp.Compare(b.score, a.score) })
	taken := map[graph.FileID][]heard{}
	var out []scored
	for _, x := range all {
		before := taken[x.h.File]
		if len(before) == askPerFile || slices.ContainsFunc(before, x.repeats) {
			continue
		}
		taken[x.h.File] = append(before, x)
		out = append(out, scored{x.h, x.score})
	}
	return out
}

// shownWhole is the size of a text, in bytes, that an answer has room for.
const shownWhole = 1200

// repeats reports whether one of two definitions of a file stands in the text that is shown of
// the other.
func (x heard) repeats(y heard) bool {
	if x.end-x.start < y.end-y.start {
		x, y = y, x
	}
	return x.start <= y.start && y.end <= x.end && x.end-x.start <= shownWhole
}
