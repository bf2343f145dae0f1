package index

import (
	"cmp"
	"context"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// link finds the files to link and links them.
func (u *update) link(ctx context.Context) error {
	keys, err := u.changedKeys()
	if err != nil {
		return err
	}
	if err := u.askers(keys); err != nil {
		return err
	}
	u.report.Relinked = len(u.relink)
	if u.uni, err = newUniverse(u); err != nil {
		return err
	}
	all := slices.Concat(u.records, u.relink)
	failed := make([]bool, len(all))
	err = u.parallel(ctx, stretch{phase: "link", to: len(all), of: len(all)}, func(w *worker, i int) error {
		r := all[i]
		if w.l == nil {
			w.l = NewLinker(u.uni)
		}
		if r.Facts != nil && !linkOne(w, r) {
			failed[i] = true
		}
		return u.uni.err()
	})
	if err != nil {
		return err
	}
	u.uni = nil // its tables are free while the rest is written
	u.noteLinked(all, failed)
	return u.readTallies()
}

// noteLinked counts what linking made of files, and reports those where it failed.
func (u *update) noteLinked(all []*graph.FileRecord, failed []bool) {
	for i, r := range all {
		if failed[i] {
			u.report.Partial = append(u.report.Partial, Skip{r.File.Path, "linking failed"})
		}
		u.tally[r.File.ID] = tallyOf(r)
	}
}

// linkOne links the file of r and reports whether that went well. A defect met on one file
// must not cost the others, so after a panic the file has no links.
func linkOne(w *worker, r *graph.FileRecord) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			w.l, r.Links, r.Reads = nil, &graph.Links{}, nil
		}
	}()
	r.Links, r.Reads = w.l.Link(r.File.ID)
	return true
}

// answer is what one file says to a key, in a form that does not depend on the file's
// indexes: links that hold it stay right as long as it does not change.
type answer struct {
	key   graph.Key
	what  uint64
	shape uint64
}

// answers are the answers of a file's exports, in their order.
func answers(f *graph.Facts, exports []graph.Export) []answer {
	out := make([]answer, len(exports))
	for i, x := range exports {
		out[i] = answer{key: x.Key, shape: x.Shape, what: 1 << 40}
		switch {
		case x.Index == graph.FileItself:
		case x.Index < 0:
			out[i].what |= 1 << 41
		case f != nil:
			out[i].what = uint64(f.TargetHash(x.Index))
		}
	}
	return out
}

// compareExports is the order of a file's exports: by key, then by place.
func compareExports(a, b graph.Export) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Index, b.Index))
}

// changedKeys are the keys to which some changed or deleted file answers otherwise than it
// did, sorted. A store without files has none, since nobody asked.
func (u *update) changedKeys() ([]graph.Key, error) {
	if len(u.old) == 0 {
		return nil, nil
	}
	ids := make([]graph.FileID, 0, len(u.records)+len(u.deleted))
	for _, r := range u.records {
		ids = append(ids, r.File.ID)
	}
	ids = append(ids, u.deleted...)
	exports, err := u.reader.Exports(ids)
	if err != nil {
		return nil, err
	}
	facts, err := u.reader.Facts(ids)
	if err != nil {
		return nil, err
	}
	var keys []graph.Key
	for i := range ids {
		was := exports[i]
		slices.SortFunc(was, compareExports)
		var is []answer
		if i < len(u.records) {
			is = answers(u.records[i].Facts, u.records[i].Exports)
		}
		keys = appendDifferent(keys, answers(facts[i], was), is)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// appendDifferent appends the keys that a and b, sorted by key, answer differently.
func appendDifferent(keys []graph.Key, a, b []answer) []graph.Key {
	for len(a) > 0 || len(b) > 0 {
		var k graph.Key
		if len(b) == 0 || len(a) > 0 && a[0].key <= b[0].key {
			k = a[0].key
		} else {
			k = b[0].key
		}
		x, y := run(a, k), run(b, k)
		if !slices.Equal(a[:x], b[:y]) {
			keys = append(keys, k)
		}
		a, b = a[x:], b[y:]
	}
	return keys
}

// run is how many answers at the front are to key k.
func run(a []answer, k graph.Key) int {
	n := 0
	for n < len(a) && a[n].key == k {
		n++
	}
	return n
}

// askers makes records of the unchanged files whose links asked for any of the keys.
func (u *update) askers(keys []graph.Key) error {
	if len(keys) == 0 {
		return nil
	}
	ids, err := u.reader.Askers(keys)
	if err != nil {
		return err
	}
	skip := make(map[graph.FileID]bool, len(u.records)+len(u.deleted))
	for _, r := range u.records {
		skip[r.File.ID] = true
	}
	for _, id := range u.deleted {
		skip[id] = true
	}
	ids = slices.DeleteFunc(ids, func(id graph.FileID) bool { return skip[id] })
	facts, err := u.reader.Facts(ids)
	if err != nil {
		return err
	}
	exports, err := u.reader.Exports(ids)
	if err != nil {
		return err
	}
	at := make(map[graph.FileID]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	records := make([]*graph.FileRecord, len(ids))
	for _, f := range u.old {
		if i, ok := at[f.ID]; ok {
			records[i] = &graph.FileRecord{File: f, Facts: facts[i], Exports: exports[i]}
		}
	}
	u.relink = append(u.relink, records...)
	return nil
}
