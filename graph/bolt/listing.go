package bolt

import (
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// listing is the answer to Files, kept because most questions begin with it, with the chunks
// that it was made from. It does not change once made: the next one takes over from it the
// chunks whose frames are the same, and if no file came or went puts the changed files in
// place, since to order all of them anew costs more than all the rest of a small change.
type listing struct {
	gen    graph.Gen
	next   uint32 // ids given out
	files  []graph.File
	chunks []chunk
}

// chunk is a chunk of the table of files, decoded.
type chunk struct {
	stamp
	places []place
}

// list makes the listing of the reader's generation; was is that of another one, or nil.
func (r *reader) list(was *listing) (*listing, error) {
	l := &listing{gen: r.state.gen, next: r.state.next}
	if was == nil {
		was = &listing{}
	}
	var changed []int
	for n := uint32(0); n*filesPerChunk < l.next; n++ {
		at := stampOf(r.b.files.Get(idKey(n)))
		if int(n) < len(was.chunks) && was.chunks[n].stamp == at && len(was.chunks[n].places) == chunkSize(n, l.next) {
			l.chunks = append(l.chunks, was.chunks[n])
			continue
		}
		places, err := appendChunk(nil, r.b.files, n, l.next)
		if err != nil {
			return nil, err
		}
		l.chunks, changed = append(l.chunks, chunk{at, places}), append(changed, int(n))
	}
	var err error
	if l.files = l.patch(was, changed); l.files == nil {
		l.files, err = r.ordered(l.chunks)
	}
	return l, err
}

// patch is the files of was with those of the changed chunks in place; nil if files came or
// went.
func (l *listing) patch(was *listing, changed []int) []graph.File {
	if l.next != was.next {
		return nil
	}
	files := slices.Clone(was.files)
	for _, n := range changed {
		for i := range l.chunks[n].places {
			now, then := &l.chunks[n].places[i], &was.chunks[n].places[i]
			if now.live != then.live || now.file.Path != then.file.Path {
				return nil
			}
			if now.live && now.file != then.file {
				at, _ := slices.BinarySearchFunc(files, now.file.Path, func(f graph.File, p string) int { return strings.Compare(f.Path, p) })
				files[at] = now.file
			}
		}
	}
	return slices.Clip(files)
}

// ordered is the files of all chunks in the order of their paths.
func (r *reader) ordered(chunks []chunk) ([]graph.File, error) {
	rank, err := r.store.catalog.ranks(r.b.files, r.state.next)
	if err != nil {
		return nil, err
	}
	order := make([]*graph.File, len(rank))
	live := 0
	for _, c := range chunks {
		for i := range c.places {
			if p := &c.places[i]; p.live {
				order[rank[p.file.ID]] = &p.file
				live++
			}
		}
	}
	files := make([]graph.File, 0, live)
	for _, f := range order {
		if f != nil {
			files = append(files, *f)
		}
	}
	return files, nil
}
