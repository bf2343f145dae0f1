package readtools

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
)

// counted is the share of a file's score that the count of the words in its text has; the ranked
// index, which knows only that a word is there, has the rest.
const counted = 0.3

// looked is a file of a ranking with its text in lower case, nil if there is none to be had.
type looked struct {
	scored
	text []byte
}

// wholeNames are the names in a question that have several words, in lower case: few texts have
// one, so it tells more than its words do.
func wholeNames(q string) []string {
	var out []string
	for _, w := range namesIn(q) {
		if name := strings.ToLower(w); len(splitWords(w)) > 1 && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// lookInto reads files and orders them anew, by the ranking and by BM25 over their texts
// (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; k1 1.2, b .75). The
// scores lie between 0 and 1.
func (e *exploring) lookInto(files []scored, words []string) ([]looked, error) {
	if err := e.loadScored(files); err != nil {
		return nil, err
	}
	asked := aboutTests(words)
	out := make([]looked, len(files))
	paths := make([]string, len(files))
	for i, f := range files {
		out[i].scored = f
		file := e.file(f.h.File)
		if file == nil {
			continue
		}
		paths[i] = strings.ToLower(file.Path)
		if src := e.source(file.Path); src != nil {
			out[i].text = lower(src.data)
		}
	}
	counts := fitOfTexts(out, paths, words)
	for i := range counts {
		counts[i] *= standing(e.file(out[i].h.File), asked)
	}
	best, most := 0.0, 0.0
	for i := range out {
		best, most = max(best, out[i].score), max(most, counts[i])
	}
	for i := range out {
		out[i].score = (1-counted)*out[i].score/max(best, 1e-9) + counted*counts[i]/max(most, 1e-9)
	}
	slices.SortStableFunc(out, func(a, b looked) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}

// lower is a text in lower case; as it is where that would move its places, for letters whose
// cases differ in length.
func lower(text []byte) []byte {
	if low := bytes.ToLower(text); len(low) == len(text) {
		return low
	}
	return text
}

// fitOfTexts is BM25 of each file; a word is as rare as it is among these files.
func fitOfTexts(files []looked, paths, words []string) []float64 {
	mean := 0.0
	for i := range files {
		mean += float64(len(files[i].text)) / float64(len(files))
	}
	out := make([]float64, len(files))
	counts := make([]float64, len(files))
	for _, w := range words {
		part := []byte(stem(w))
		have := 0.0
		for i := range files {
			counts[i] = float64(bytes.Count(files[i].text, part) + strings.Count(paths[i], string(part)))
			if counts[i] > 0 {
				have++
			}
		}
		rare := math.Log(1 + (float64(len(files))-have+0.5)/(have+0.5))
		for i, n := range counts {
			out[i] += rare * n * 2.2 / (n + 1.2*(0.25+0.75*float64(len(files[i].text))/max(mean, 1)))
		}
	}
	return out
}
