package index

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/codegraph-dev/codegraph/graph"
)

// The facts of a large tree are more than fits in memory. So when the store has no generation
// yet and is a graph.Drafter, a first generation is made in parts: facts go to a draft of it as
// they are made, and while files are linked come back from there, some at a time. What stays in
// memory is, for each file, its exports, and the facts of as many files as fit in half of
// Engine.Held; a part is a quarter of it. What all fits in one part is linked where it is and
// is a batch like any other.

// linkerFiles is how many files each linker of a draft remembers.
const linkerFiles = 512

// drafts reports whether the update may make its generation in parts.
func (u *update) drafts() bool {
	_, ok := u.Store.(graph.Drafter)
	return ok && u.Held > 0 && u.reader.Gen() == 0 && len(u.paths) > 0
}

// first does what prepare does for a first generation, outside of any View: the parts of a
// draft may have the store enlarge its file, which waits for Views.
func (u *update) first(ctx context.Context) error {
	sizes, err := u.readFirst(ctx)
	if err != nil {
		return err
	}
	u.report.Changed = len(u.records)
	switch {
	case len(u.records) == 0:
		return nil
	case u.draft == nil:
		return u.phase("link", func() error { return u.link(ctx) })
	}
	return u.phase("link", func() error { return u.linkFirst(ctx, sizes) })
}

// readFirst reads all files. With a draft it returns how many bytes the facts of each record are.
func (u *update) readFirst(ctx context.Context) (sizes []int, err error) {
	whole := false
	err = u.phase("read", func() error {
		for next := 0; next < len(u.paths); {
			from := len(u.records)
			var size atomic.Int64
			next, err = u.readFrom(ctx, next, func(r *graph.FileRecord) bool {
				return !whole && r.Facts != nil && size.Add(int64(r.Facts.Bytes())) > int64(u.Held/4)
			})
			if err != nil || next == len(u.paths) && u.draft == nil {
				return err
			}
			if u.draft == nil {
				u.draft, err = u.Store.(graph.Drafter).Draft(ctx)
			}
			if whole = errors.Is(err, errors.ErrUnsupported); whole {
				continue
			}
			if err == nil {
				sizes, err = u.putPart(ctx, u.records[from:], sizes)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return sizes, err
}

// putPart puts the facts of some more records into the draft, appends their sizes to those
// before, and lets go of what is not held.
func (u *update) putPart(ctx context.Context, part []*graph.FileRecord, sizes []int) ([]int, error) {
	if err := u.draft.PutFacts(ctx, plain(part)); err != nil {
		return sizes, err
	}
	held := 0
	for _, n := range sizes {
		held += n
	}
	for _, r := range part {
		n := 0
		if r.Facts != nil {
			n = r.Facts.Bytes()
		}
		sizes = append(sizes, n)
		if held += n; held > u.Held/2 {
			r.Facts = nil
		}
	}
	return sizes, nil
}

// linkFirst links the records of a draft.
func (u *update) linkFirst(ctx context.Context, sizes []int) error {
	var err error
	if u.uni, err = newUniverse(u); err != nil {
		return err
	}
	for from := 0; from < len(u.records); {
		to, n := from, 0
		for ; to < len(u.records) && (to == from || n+sizes[to] <= u.Held/4); to++ {
			n += sizes[to]
		}
		if err := u.linkPart(ctx, from, to, sizes); err != nil {
			return err
		}
		from = to
	}
	u.uni = nil
	return u.readTallies()
}

// linkPart links some records and puts them into the draft.
func (u *update) linkPart(ctx context.Context, from, to int, sizes []int) error {
	part := u.records[from:to]
	failed := make([]bool, len(part))
	err := u.draft.View(ctx, func(facts func(graph.FileID) (*graph.Facts, error)) error {
		u.uni.drafted = facts
		return u.parallel(ctx, stretch{phase: "link", from: from, to: to, of: len(u.records)}, func(w *worker, i int) (err error) {
			r := u.records[i]
			if sizes[i] == 0 {
				return nil
			}
			if r.Facts == nil {
				if r.Facts, err = facts(r.File.ID); err == nil && r.Facts == nil {
					err = fmt.Errorf("%w: the facts of %s are gone from the draft", graph.ErrCorrupt, r.File.Path)
				}
			}
			if err != nil {
				return err
			}
			if w.l == nil {
				w.l = NewLinker(u.uni)
				w.l.Most = linkerFiles
			}
			failed[i-from] = !linkOne(w, r)
			return u.uni.err()
		})
	})
	if err != nil {
		return err
	}
	u.noteLinked(part, failed)
	if err := u.draft.PutLinks(ctx, plain(part)); err != nil {
		return err
	}
	for _, r := range part {
		r.Facts, r.Links, r.Reads, r.Exports = nil, nil, nil, nil
	}
	return nil
}

func plain(records []*graph.FileRecord) []graph.FileRecord {
	out := make([]graph.FileRecord, len(records))
	for i, r := range records {
		out[i] = *r
	}
	return out
}
