package readtools

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace"
)

// relative makes a path that a caller gave relative to the root; the root itself is ".".
func relative(root, given string) (string, error) {
	if strings.IndexByte(given, 0) >= 0 {
		return "", usage("give a path without a NUL", "the path %q holds a NUL", given)
	}
	p := given
	if rest, ok := strings.CutPrefix(p, root); ok && strings.HasPrefix(p, "/") && (rest == "" || rest[0] == '/') {
		p = strings.TrimLeft(rest, "/")
	}
	if strings.HasPrefix(p, "/") {
		return "", outside(given)
	}
	p = path.Clean(p)
	if p == ".." || strings.HasPrefix(p, "../") {
		return "", outside(given)
	}
	return p, nil
}

// below reports whether p is dir or lies in it.
func below(p, dir string) bool {
	return dir == "." || p == dir || len(p) > len(dir) && p[len(dir)] == '/' && p[:len(dir)] == dir
}

// folderOf is the folder of a path, "." for the root.
func folderOf(p string) string { return path.Dir(p) }

// quotePath shows a path, quoted where it could be misread.
func quotePath(p string) string {
	if q := strconv.Quote(p); len(q) != len(p)+2 || strings.TrimSpace(p) != p || p == "" || strings.HasSuffix(p, ":") {
		return q
	}
	return p
}

// fileAt is the file of the project at a path.
func fileAt(s *workspace.Snapshot, p string) *graph.File {
	files := s.Files()
	i, ok := slices.BinarySearchFunc(files, p, func(f graph.File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return nil
	}
	return &files[i]
}

// isFolder reports whether the project has files below p.
func isFolder(s *workspace.Snapshot, p string) bool {
	files := s.Files()
	if p == "." {
		return true
	}
	i, _ := slices.BinarySearchFunc(files, p+"/", func(f graph.File, p string) int { return strings.Compare(f.Path, p) })
	return i < len(files) && below(files[i].Path, p)
}

// noPath is the error for a path that is not there, with the nearest ones that are.
func noPath(s *workspace.Snapshot, p string) *Error {
	e := &Error{Code: codeNotFound, Message: fmt.Sprintf("there is no %s", quotePath(p)),
		Next: fmt.Sprintf("find it with read_discover query: %q", path.Base(p))}
	if near := nearPaths(s, p, 3); len(near) > 0 {
		e.Message += "; the nearest are " + strings.Join(near, ", ")
	}
	return e
}

// nearPaths are the paths of the project that fit p best.
func nearPaths(s *workspace.Snapshot, p string, n int) []string {
	sc := newPathScorer(p)
	type hit struct {
		path  string
		score float64
	}
	var hits []hit
	base := strings.ToLower(path.Base(p))
	for i := range s.Files() {
		f := &s.Files()[i]
		score := sc.score(f.Path)
		if d := editDistance(base, strings.ToLower(path.Base(f.Path)), 3); score == 0 && d < 3 {
			score = float64(3-d) / 10
		}
		if score > 0 {
			hits = append(hits, hit{f.Path, score})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return compareScores(a.score, b.score, a.path, b.path) })
	var out []string
	for _, h := range hits[:min(n, len(hits))] {
		out = append(out, quotePath(h.path))
	}
	return out
}

// editDistance is the number of edits between a and b, or most if it is more.
func editDistance(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	prev, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		best := row[0]
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(prev[j]+cost, prev[j+1]+1, row[j]+1)
			best = min(best, row[j+1])
		}
		if best >= most {
			return most
		}
		prev, row = row, prev
	}
	return min(prev[len(b)], most)
}
