package index

import (
	"cmp"
	"slices"
	"sync"

	"github.com/codegraph-dev/codegraph/graph"
)

// universe is the workspace as it will be after an update: the store with the changed files
// laid over it. It answers from several goroutines. Handles come in the order of paths, so that
// an answer does not depend on how it came about.
type universe struct {
	reader  graph.KeyReader
	whole   bool                                     // nothing of the store shows through
	drafted func(graph.FileID) (*graph.Facts, error) // facts that are in a draft and not in over
	files   []*graph.File                            // by id; nil for those that are gone or never were
	over    map[graph.FileID]*graph.Facts            // of the changed files; nil for deleted ones
	rank    []uint32                                 // by id: the order of paths; of all files
	spans   map[graph.Key]span                       // of the changed files' exports in handles
	hands   []graph.Handle

	mu     sync.RWMutex // guards what follows
	looked map[graph.Key][]graph.Handle
	facts  map[graph.FileID]*graph.Facts
	failed error
}

// span is a range of universe.hands.
type span struct{ from, n uint32 }

func newUniverse(u *update) (*universe, error) {
	v := &universe{
		reader: u.reader,
		over:   make(map[graph.FileID]*graph.Facts, len(u.records)+len(u.deleted)),
		looked: map[graph.Key][]graph.Handle{}, facts: map[graph.FileID]*graph.Facts{},
	}
	for _, id := range u.deleted {
		v.over[id] = nil
	}
	for _, r := range u.records {
		v.over[r.File.ID] = r.Facts
	}
	for _, r := range u.relink {
		v.facts[r.File.ID] = r.Facts
	}
	v.whole = v.rankFiles(u.old, u.records) == len(u.records)
	v.table(u.records)
	return v, nil
}

// rankFiles makes the tables of files from those of the store and the changed ones, both in
// the order of paths, and returns how many there are.
func (v *universe) rankFiles(old []graph.File, records []*graph.FileRecord) int {
	n := graph.FileID(0)
	for i := range old {
		n = max(n, old[i].ID+1)
	}
	for _, r := range records {
		n = max(n, r.File.ID+1)
	}
	v.files, v.rank = make([]*graph.File, n), make([]uint32, n)
	count := 0
	place := func(f *graph.File) {
		v.files[f.ID], v.rank[f.ID] = f, uint32(count)
		count++
	}
	for i := range old {
		f := &old[i]
		for len(records) > 0 && records[0].File.Path < f.Path {
			place(&records[0].File)
			records = records[1:]
		}
		if _, changed := v.over[f.ID]; !changed {
			place(f)
		}
	}
	for _, r := range records {
		place(&r.File)
	}
	return count
}

// table makes the exports of the changed files answer by key.
func (v *universe) table(records []*graph.FileRecord) {
	type row struct {
		key graph.Key
		h   graph.Handle
	}
	n := 0
	for _, r := range records {
		n += len(r.Exports)
	}
	rows := make([]row, 0, n)
	for _, r := range records {
		for _, x := range r.Exports {
			rows = append(rows, row{x.Key, graph.Handle{File: r.File.ID, Index: x.Index}})
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.key, b.key), v.compare(a.h, b.h)) })
	v.hands = make([]graph.Handle, n)
	v.spans = make(map[graph.Key]span, n/2)
	for from := 0; from < n; {
		to := from
		for ; to < n && rows[to].key == rows[from].key; to++ {
			v.hands[to] = rows[to].h
		}
		v.spans[rows[from].key] = span{uint32(from), uint32(to - from)}
		from = to
	}
}

// compare is the order in which handles are answered.
func (v *universe) compare(a, b graph.Handle) int {
	return cmp.Or(cmp.Compare(v.rank[a.File], v.rank[b.File]), cmp.Compare(a.Index, b.Index))
}

// changed are the handles of changed files that answer a key.
func (v *universe) changed(key graph.Key) []graph.Handle {
	s := v.spans[key]
	return v.hands[s.from : s.from+s.n : s.from+s.n]
}

// Lookup implements Universe.
func (v *universe) Lookup(key graph.Key) []graph.Handle {
	if v.whole {
		return v.changed(key)
	}
	v.mu.RLock()
	h, ok := v.looked[key]
	v.mu.RUnlock()
	if ok {
		return h
	}
	base, err := v.reader.Lookup([]graph.Key{key})
	if err != nil {
		v.fail(err)
		return nil
	}
	h = v.merge(base[0], v.changed(key))
	v.mu.Lock()
	v.looked[key] = h
	v.mu.Unlock()
	return h
}

// merge lays the handles of changed files over those of the store.
func (v *universe) merge(base, changed []graph.Handle) []graph.Handle {
	out := make([]graph.Handle, 0, len(base)+len(changed))
	for _, h := range base {
		if _, ok := v.over[h.File]; !ok {
			out = append(out, h)
		}
	}
	out = append(out, changed...)
	slices.SortFunc(out, v.compare)
	return out
}

// Facts implements Universe.
func (v *universe) Facts(id graph.FileID) *graph.Facts {
	f, ok := v.over[id]
	switch {
	case f == nil && v.drafted != nil:
		f, err := v.drafted(id)
		if err != nil {
			v.fail(err)
		}
		return f
	case ok || v.whole:
		return f
	}
	v.mu.RLock()
	f, ok = v.facts[id]
	v.mu.RUnlock()
	if ok {
		return f
	}
	facts, err := v.reader.Facts([]graph.FileID{id})
	if err != nil {
		v.fail(err)
		return nil
	}
	v.mu.Lock()
	v.facts[id] = facts[0]
	v.mu.Unlock()
	return facts[0]
}

// File implements Universe.
func (v *universe) File(id graph.FileID) *graph.File {
	if int(id) >= len(v.files) {
		return nil
	}
	return v.files[id]
}

// fail keeps the first error: the answers of a Universe have no place for one.
func (v *universe) fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed == nil {
		v.failed = err
	}
}

func (v *universe) err() error {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.failed
}
