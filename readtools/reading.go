package readtools

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

// disk are the bytes of the files as they are now.
type disk interface {
	search.Source
	Read(ctx context.Context, path string) (*workspace.File, error)
}

// reading is what one run of a tool has read of its snapshot so far. It serves one
// goroutine.
type reading struct {
	ctx    context.Context
	s      *workspace.Snapshot
	r      graph.KeyReader
	disk   disk
	timer  *timer
	whole  bool // what is read is worth nothing in part: reading ends when the time is over
	files  map[graph.FileID]*graph.File
	facts  map[graph.FileID]*graph.Facts
	links  map[graph.FileID]*graph.Links
	texts  map[string]*source
	at     map[graph.FileID]map[uint32]int32 // symbols by the hash that links have
	owned  map[graph.FileID]map[ownedName][]int32
	ifaces map[string][]graph.Handle // see interfacesWith
	called map[string][]graph.Handle // what has a name: see methodsNamed
	needs  map[graph.Handle]needed   // see needsOf
	below  map[graph.Handle][]related
	heirs  map[graph.Handle][]siteHit // see derived
	gone   int                        // items dropped since they are not where the graph has them
}

func newReading(ctx context.Context, s *workspace.Snapshot, p Page) *reading {
	return &reading{ctx: ctx, s: s, r: s.Graph(), disk: s, timer: p.begin(ctx), facts: map[graph.FileID]*graph.Facts{},
		links: map[graph.FileID]*graph.Links{}, at: map[graph.FileID]map[uint32]int32{}, texts: map[string]*source{}, ifaces: map[string][]graph.Handle{}, owned: map[graph.FileID]map[ownedName][]int32{},
		called: map[string][]graph.Handle{}, needs: map[graph.Handle]needed{}, below: map[graph.Handle][]related{}, heirs: map[graph.Handle][]siteHit{}}
}

// file is a file of the project by its id, nil if there is none.
func (rd *reading) file(id graph.FileID) *graph.File {
	if rd.files == nil {
		all := rd.s.Files()
		rd.files = make(map[graph.FileID]*graph.File, len(all))
		for i := range all {
			rd.files[all[i].ID] = &all[i]
		}
	}
	return rd.files[id]
}

// languageOf is the language of a file of the project.
func (rd *reading) languageOf(id graph.FileID) string {
	if f := rd.file(id); f != nil {
		return f.Language
	}
	return ""
}

// load reads the facts of files in one question.
func (rd *reading) load(ids ...graph.FileID) error {
	return fill(rd, rd.facts, ids, rd.r.Facts)
}

// loadLinks reads the links of files in one question.
func (rd *reading) loadLinks(ids ...graph.FileID) error {
	return fill(rd, rd.links, ids, rd.r.Links)
}

func fill[T any](rd *reading, have map[graph.FileID]T, ids []graph.FileID, ask func([]graph.FileID) ([]T, error)) error {
	if err := rd.ctx.Err(); err != nil {
		return err
	}
	if len(ids) > 1 && rd.whole && rd.timer.late() { // one alone is a detail, whose lack would not be told
		return errLate
	}
	return graph.Fill(have, ids, ask)
}

// loadHandles reads the facts of the files of symbols.
func (rd *reading) loadHandles(hs []graph.Handle) error {
	ids := make([]graph.FileID, len(hs))
	for i, h := range hs {
		ids[i] = h.File
	}
	return rd.load(ids...)
}

// factsOf are the facts of a file, read when they are first asked for.
func (rd *reading) factsOf(id graph.FileID) *graph.Facts {
	if _, ok := rd.facts[id]; !ok {
		if err := rd.load(id); err != nil {
			return nil
		}
	}
	return rd.facts[id]
}

// def is the definition that a handle means, nil if there is none.
func (rd *reading) def(h graph.Handle) (*graph.Facts, *graph.Symbol) {
	f := rd.factsOf(h.File)
	if f == nil || h.Index < 0 || int(h.Index) >= len(f.Symbols) {
		return nil, nil
	}
	return f, &f.Symbols[h.Index]
}

// target is how links name a symbol.
func (rd *reading) target(h graph.Handle) (graph.Target, bool) {
	if h.Index == graph.FileItself {
		return graph.ModuleTarget(h.File), true
	}
	f, s := rd.def(h)
	if s == nil {
		return graph.Target{}, false
	}
	return graph.Target{File: h.File, Hash: f.TargetHash(h.Index)}, true
}

func (rd *reading) targets(hs []graph.Handle) []graph.Target {
	var out []graph.Target
	for _, h := range hs {
		if t, ok := rd.target(h); ok {
			out = append(out, t)
		}
	}
	return out
}

// resolve is the symbol that a target means now; its Index is None if there is none.
func (rd *reading) resolve(t graph.Target) graph.Handle {
	if t == graph.ModuleTarget(t.File) {
		return graph.Handle{File: t.File, Index: graph.FileItself}
	}
	m, ok := rd.at[t.File]
	if !ok {
		m = map[uint32]int32{}
		if f := rd.factsOf(t.File); f != nil {
			for i := len(f.Symbols) - 1; i >= 0; i-- {
				m[f.TargetHash(int32(i))] = int32(i)
			}
		}
		rd.at[t.File] = m
	}
	if i, ok := m[t.Hash]; ok {
		return graph.Handle{File: t.File, Index: i}
	}
	return graph.Handle{File: t.File, Index: graph.None}
}

// chunkSites is how many files are read between two looks whether enough is found.
const chunkSites = 64

// sitesUntil calls f with each reference to one of the targets, by its number, in the order of the
// files' paths, then of the places. It stops between two files when enough says so, and tells how
// many files with references are left.
func (rd *reading) sitesUntil(targets []graph.Target, f func(i int, s *graph.Site), enough func() bool) (left int, err error) {
	if len(targets) == 0 {
		return 0, nil
	}
	referrers, err := rd.r.Referrers(targets)
	if err != nil {
		return 0, err
	}
	wanted := map[graph.Target][]int{}
	var files []graph.FileID
	seen := map[graph.FileID]bool{}
	for i, t := range targets {
		wanted[t] = append(wanted[t], i)
		for _, id := range referrers[i] {
			if !seen[id] {
				seen[id] = true
				files = append(files, id)
			}
		}
	}
	rd.inOrderOfPaths(files)
	for len(files) > 0 {
		if enough() {
			return len(files), nil
		}
		chunk := files[:min(chunkSites, len(files))]
		files = files[len(chunk):]
		if err := rd.load(chunk...); err != nil {
			return 0, err
		}
		if err := rd.loadLinks(chunk...); err != nil {
			return 0, err
		}
		for _, id := range chunk {
			rd.sitesOfFile(id, wanted, f)
		}
	}
	return 0, nil
}

// sitesOfFile calls f with the references of a file to what is wanted, those of one place in the
// order in which they are wanted.
func (rd *reading) sitesOfFile(id graph.FileID, wanted map[graph.Target][]int, f func(i int, s *graph.Site)) {
	var found []int
	graph.Sites(id, rd.facts[id], rd.links[id], func(s graph.Site) {
		found = found[:0]
		for n, t := range s.Targets {
			if n == 0 || t != s.Targets[n-1] {
				found = append(found, wanted[t]...)
			}
		}
		slices.Sort(found)
		for _, i := range found {
			f(i, &s)
		}
	})
}

// semantics are the rules of a file's language.
func (rd *reading) semantics(id graph.FileID) *lang.Semantics {
	if f := rd.file(id); f != nil {
		if l := lang.Named(f.Language); l != nil {
			return &l.Semantics
		}
	}
	return &lang.Semantics{}
}

// source is a file's bytes as they are now, with its lines.
type source struct {
	path  string
	data  []byte
	lines graph.LineTable
	sum   [32]byte
	known *graph.File
	bom   uint32 // bytes of a mark in front of the first line's text

	conditions []lang.Condition // see source.condition
	parted     bool             // they are known
}

// source reads a file; nil if it cannot be read, which costs what was to be shown of it.
func (rd *reading) source(path string) *source {
	if t, ok := rd.texts[path]; ok {
		return t
	}
	var t *source
	if f, err := rd.disk.Read(rd.ctx, path); err == nil {
		t = &source{path: path, data: f.Data, lines: graph.NewLineTable(f.Data), sum: f.Meta.SHA256, known: f.Known}
		if bytes.HasPrefix(f.Data, []byte("\xef\xbb\xbf")) {
			t.bom = 3
		}
	}
	rd.texts[path] = t
	return t
}

// holds reports whether name stands at off: the bytes are those that the graph was made
// from, or the name is there all the same.
func (t *source) holds(off uint32, name string) bool {
	if int(off) > len(t.data) {
		return false
	}
	return t.known != nil && t.known.Hash == t.sum || bytes.HasPrefix(t.data[off:], []byte(name))
}

// place is the line and column of an offset; a mark in front of the text is no column.
func (t *source) place(off uint32) (line, column int) {
	line, column = t.lines.Position(min(off, uint32(len(t.data))))
	if line == 1 {
		column = max(1, column-int(t.bom))
	}
	return line, column
}

// total is the number of lines; a last one without an end counts.
func (t *source) total() int {
	n := len(t.lines)
	if n > 0 && int(t.lines[n-1]) == len(t.data) {
		n--
	}
	return n
}

// raw is the bytes of a line without its end and without a mark in front of the text.
func (t *source) raw(line int) []byte {
	if line < 1 || line > len(t.lines) {
		return nil
	}
	start, end := t.lines[line-1], uint32(len(t.data))
	if line < len(t.lines) {
		end = t.lines[line] - 1
	}
	if line == 1 {
		start = min(max(start, t.bom), end)
	}
	return bytes.TrimSuffix(t.data[start:end], []byte("\r"))
}

// line is a line's text as valid UTF-8.
func (t *source) line(n int) string { return valid(t.raw(n)) }

// valid is b as UTF-8, its bad bytes as U+FFFD, one for each.
func valid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}
