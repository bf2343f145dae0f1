package search

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// A Target is a file to search.
type Target struct {
	Path     string
	Explicit bool // named by the caller: searched even when it is binary
}

// SearchOptions say how a set of files is searched. Keep and Explicit of the
// embedded options are set by the Searcher.
type SearchOptions struct {
	BufferOptions
	Skip        int  // leave out so many entries in front (see Limit)
	Limit       int  // keep so many entries: matching lines, or files by Count and Files; 0: all
	StopAtLimit bool // do not search on for the totals when Limit is reached
	// Late, when it is closed, ends the search after the targets at the front that are done by
	// then, at least one. The result is of those alone, and that is no error.
	Late <-chan struct{}
}

// A Result is what a search found: the entries kept, and the totals over all.
type Result struct {
	Files        []FileResult // those with entries, in the order of the targets
	Skipped      []Skip       // in the order of the targets
	Targets      int          // files asked for
	Front        int          // targets that the result is of: all of them, unless Late came
	Searched     int          // files read and searched
	Bytes        int64        // their size
	MatchedFiles int          // files with a match
	Lines        int          // matching lines, beyond Limit too
	Spans        int          // matches; a line beyond Limit counts once
	Complete     bool         // every target was searched or is in Skipped for a reason of its own
}

// A Searcher verifies candidates in their present bytes.
type Searcher struct {
	Source  Source
	Workers int // files searched at once; 0: as many as there are processors
}

// Search searches the targets, which the caller has put in the order wanted
// (see ComparePaths), and returns what it has even when ctx ends before the
// search does: then with the error of ctx and Complete false.
func (s *Searcher) Search(ctx context.Context, p *Pattern, targets []Target, opt SearchOptions) (*Result, error) {
	r := &run{s: s, p: p, targets: targets, opt: opt, slots: make([]slot, len(targets)), stop: newStopper(ctx)}
	r.stop.late = opt.Late
	workers := s.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var wg sync.WaitGroup
	for range min(workers, len(targets)) {
		wg.Go(func() { r.work(ctx) })
	}
	wg.Wait()
	if ctx.Err() == nil && r.stop.stopped() {
		r.slots = r.slots[:r.front]
	}
	res := r.result()
	res.Complete = res.Complete && res.Front == res.Targets
	if !res.Complete && ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	return res, nil
}

// slot is the outcome of one target.
type slot struct {
	done bool
	res  *FileResult // nil without a match
	skip *Skip
	size int64
}

// run is one search under way.
type run struct {
	s       *Searcher
	p       *Pattern
	targets []Target
	opt     SearchOptions
	stop    *stopper
	next    atomic.Int64 // the next target to take
	full    atomic.Bool  // the entries up to some target fill the limit

	mu    sync.Mutex // guards what follows
	slots []slot
	front int // slots before it are done
	kept  int // entries in them
}

// work searches targets until there are none left.
func (r *run) work(ctx context.Context) {
	var buf []byte
	for {
		i := int(r.next.Add(1)) - 1
		if i >= len(r.targets) || r.stop.stopped() {
			return
		}
		full := r.full.Load()
		if full && r.opt.StopAtLimit {
			return
		}
		var out slot
		out, buf = r.search(ctx, r.targets[i], buf, full)
		if !out.done {
			return
		}
		r.settle(i, out)
	}
}

// search reads and searches one target.
func (r *run) search(ctx context.Context, t Target, buf []byte, full bool) (slot, []byte) {
	data, meta, err := r.s.Source.Open(ctx, t.Path, buf)
	if err != nil {
		if r.stop.stopped() {
			return slot{}, buf
		}
		skip := skipFor(t.Path, err)
		return slot{done: true, skip: &skip}, buf
	}
	opt := r.opt.BufferOptions
	opt.Explicit = t.Explicit
	if r.opt.Limit > 0 {
		opt.Keep = r.opt.Skip + r.opt.Limit
	}
	if full {
		opt.Keep = -1
	}
	res, skip, err := searchText(ctx, r.p, Decode(data), opt, r.stop)
	if cap(data) > cap(buf) {
		buf = data[:0]
	}
	out := slot{done: err == nil, size: int64(len(data))}
	if skip != nil {
		skip.Path = t.Path
		out.skip = skip
	} else if res.Matched() {
		res.Path, res.Meta = t.Path, meta
		out.res = &res
	}
	return out, buf
}

// settle records an outcome, and notes when the limit is reached by the targets
// up to a place all of whose predecessors are done.
func (r *run) settle(i int, out slot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slots[i] = out
	for r.front < len(r.slots) && r.slots[r.front].done {
		r.stop.some.Store(true)
		if res := r.slots[r.front].res; res != nil {
			r.kept += entries(res, r.opt.Mode)
		}
		r.front++
	}
	if r.opt.Limit > 0 && r.kept >= r.opt.Skip+r.opt.Limit {
		r.full.Store(true)
	}
}

// entries counts what a file adds to the limit.
func entries(res *FileResult, mode Mode) int {
	if mode != Lines || res.Binary {
		return 1
	}
	n := 0
	for i := range res.Matches {
		if !res.Matches[i].Context {
			n++
		}
	}
	return n
}

// result gathers the outcomes and cuts them to what was asked for.
func (r *run) result() *Result {
	out := &Result{Targets: len(r.targets), Front: len(r.slots), Complete: true}
	skip, take := r.opt.Skip, r.opt.Limit
	if take <= 0 {
		take = int(^uint(0) >> 1)
	}
	for i := range r.slots {
		s := &r.slots[i]
		switch {
		case !s.done:
			out.Complete = false
			out.Skipped = append(out.Skipped, Skip{Path: r.targets[i].Path, Reason: SkipStopped})
			continue
		case s.skip != nil:
			out.Skipped = append(out.Skipped, *s.skip)
			continue
		}
		out.Searched++
		out.Bytes += s.size
		if s.res == nil {
			continue
		}
		out.MatchedFiles++
		out.Lines += s.res.Lines
		out.Spans += s.res.Spans
		n := entries(s.res, r.opt.Mode)
		if n > skip && take > 0 {
			if r.opt.Mode == Lines && !s.res.Binary {
				s.res.window(skip, take)
			}
			out.Files = append(out.Files, *s.res)
		}
		take -= min(take, max(0, n-skip))
		skip -= min(skip, n)
	}
	return out
}

// window leaves out the first skip matching lines and keeps the next take, with
// their context.
func (r *FileResult) window(skip, take int) {
	from, to, seen := 0, len(r.Matches), 0
	for i := range r.Matches {
		if r.Matches[i].Context {
			continue
		}
		if seen++; seen == skip {
			from = i + 1
		}
		if seen == skip+take {
			to = i + 1
		}
	}
	if to < len(r.Matches) {
		r.More = true
		for to < len(r.Matches) && r.Matches[to].Context && r.Matches[to].Line == r.Matches[to-1].EndLine+1 {
			to++
		}
	}
	r.Matches = r.Matches[from:to]
}

// ComparePaths orders slash-separated paths as a walk in order of names does:
// component by component, so that all of a folder stands together.
func ComparePaths(a, b string) int {
	for {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		if !moreA || !moreB {
			return len(restA) - len(restB)
		}
		a, b = restA, restB
	}
}
