package bolt

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/codegraph-dev/codegraph/graph"
)

// record is a file of a batch as it is stored; frames that are not there are nil.
type record struct {
	file               graph.File
	facts, links, keys []byte
	names              []string // distinct, sorted
	targets            []uint64 // keys of refs, distinct, sorted
}

// encodeBatch encodes the files of a batch, on all processors.
func encodeBatch(ctx context.Context, b *graph.Batch) ([]record, error) {
	seen := make(map[graph.FileID]bool, len(b.Put))
	for i := range b.Put {
		f := &b.Put[i].File
		if seen[f.ID] {
			return nil, fmt.Errorf("file %s is put twice", f.Path)
		}
		seen[f.ID] = true
	}
	recs := make([]record, len(b.Put))
	return recs, onAll(ctx, len(recs), func(i int) { recs[i] = encodeRecord(&b.Put[i]) })
}

// onAll calls f for 0 to n-1, on all processors, until ctx ends.
func onAll(ctx context.Context, n int, f func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

func encodeRecord(r *graph.FileRecord) record {
	rec := encodeLinked(r)
	if r.Facts != nil {
		rec.facts = encodeFacts(r.File.ID, r.Facts)
	}
	return rec
}

// encodeLinked is encodeRecord without the frame of the facts.
func encodeLinked(r *graph.FileRecord) record {
	rec := record{file: r.File, keys: encodeKeys(r)}
	if r.Facts != nil {
		rec.names = distinctNames(r.Facts)
	}
	if r.Links != nil {
		rec.links = encodeLinks(r.File.ID, r.Links)
		rec.targets = distinctTargets(r.Links)
	}
	return rec
}

// distinctNames are the names of f's symbols.
func distinctNames(f *graph.Facts) []string {
	names := make([]string, 0, len(f.Symbols))
	for i := range f.Symbols {
		if n := f.Strings[f.Symbols[i].Name]; n != "" {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// distinctTargets are the keys in refs of what l links to, modules of imports included.
func distinctTargets(l *graph.Links) []uint64 {
	keys := make([]uint64, 0, len(l.Targets)+len(l.Imports))
	for _, t := range l.Targets {
		keys = append(keys, targetKey(t))
	}
	for _, m := range l.Imports {
		if m.Module != graph.NoFile {
			keys = append(keys, targetKey(graph.ModuleTarget(m.Module)))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// appendChanges appends what leads from the sorted keys that file id was paired with to
// those it is paired with now.
func appendChanges[K cmp.Ordered](dst []change[K], id graph.FileID, was, is []K) []change[K] {
	for len(was) > 0 || len(is) > 0 {
		switch {
		case len(is) == 0 || len(was) > 0 && was[0] < is[0]:
			dst = append(dst, change[K]{pair[K]{was[0], id}, true})
			was = was[1:]
		case len(was) == 0 || is[0] < was[0]:
			dst = append(dst, change[K]{pair[K]{is[0], id}, false})
			is = is[1:]
		default:
			was, is = was[1:], is[1:]
		}
	}
	return dst
}

func sortChanges[K cmp.Ordered](cs []change[K]) {
	slices.SortFunc(cs, func(a, b change[K]) int { return comparePairs(a.pair, b.pair) })
}

// fill is how full bbolt packs its pages. The blocks of tables are sized for it.
const fill = 1.0
