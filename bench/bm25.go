package main

import (
	"cmp"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// bm25 ranks files by the words of their text and path, with the usual constants (k1 1.2,
// b .75). Names are taken apart into words and count whole beside.
type bm25 struct {
	files []string
	sizes []int
	mean  float64
	posts map[string][]posting
}

type posting struct {
	file, count int
}

func newBM25(root string, of func(path string) bool) (*bm25, error) {
	x := &bm25{posts: map[string][]posting{}}
	total := 0
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, full)
		if err != nil || !of(filepath.ToSlash(rel)) {
			return err
		}
		data, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		counts := map[string]int{}
		size := 0
		for _, w := range plainWords(rel + " " + string(data)) {
			counts[w]++
			size++
		}
		for w, n := range counts {
			x.posts[w] = append(x.posts[w], posting{len(x.files), n})
		}
		x.files, x.sizes, total = append(x.files, filepath.ToSlash(rel)), append(x.sizes, size), total+size
		return nil
	})
	x.mean = float64(max(1, total)) / float64(max(1, len(x.files)))
	return x, err
}

// rank returns the files that hold a word of the question, the best first, at most fifty.
func (x *bm25) rank(question string) []string {
	words := plainWords(question)
	slices.Sort(words)
	scores := map[int]float64{}
	for _, w := range slices.Compact(words) {
		posts := x.posts[w]
		rare := math.Log(1 + (float64(len(x.files)-len(posts))+.5)/(float64(len(posts))+.5))
		for _, p := range posts {
			n := float64(p.count)
			scores[p.file] += rare * n * 2.2 / (n + 1.2*(.25+.75*float64(x.sizes[p.file])/x.mean))
		}
	}
	var order []int
	for f := range scores {
		order = append(order, f)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	var out []string
	for _, f := range order[:min(50, len(order))] {
		out = append(out, x.files[f])
	}
	return out
}

var (
	plainWord = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*`)
	wordPart  = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)
)

// plainWords takes a text apart into words in lower case: each part of a name of more than one
// letter, and the name itself where it has several.
func plainWords(text string) []string {
	var out []string
	for _, w := range plainWord.FindAllString(text, -1) {
		parts := nameParts(w)
		for _, p := range parts {
			if len(p) > 1 {
				out = append(out, strings.ToLower(p))
			}
		}
		if len(parts) > 1 {
			out = append(out, strings.ToLower(w))
		}
	}
	return out
}

// nameParts takes a camel-case name apart; of a run of capitals the last begins the next word
// ("HTTPServer" is "HTTP", "Server").
func nameParts(name string) []string {
	var out []string
	for _, p := range wordPart.FindAllString(name, -1) {
		run := strings.IndexFunc(p, func(r rune) bool { return r < 'A' || r > 'Z' })
		if run > 1 && p[run] >= 'a' {
			out = append(out, p[:run-1], p[run-1:])
			continue
		}
		out = append(out, p)
	}
	return out
}
