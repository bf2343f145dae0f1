package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index/lang"
)

// Large is the error of Engine.Read for a file that is not to be held in memory.
type Large struct {
	Size int64
	Hash [32]byte // SHA-256 of its bytes
}

func (l *Large) Error() string { return "file is too large to be read" }

// Engine updates a store and the text indexes beside it. Its fields are set before the first
// update and not changed after; one update runs at a time.
type Engine struct {
	// Store holds the graph. Its readers must be graph.KeyReaders.
	Store graph.Store
	// Read returns the bytes of the file at a path as they are now. It may use buf and
	// return it, grown or not. It is called from several goroutines.
	Read func(ctx context.Context, path string, buf []byte) ([]byte, error)
	// Texts are the text indexes that move with the graph.
	Texts []TextIndex
	// Limits bound the work for one file.
	Limits Limits
	// Language decides whether facts are made for a language; nil means for all.
	Language func(name string) bool
	// Held is about how many bytes of facts a first generation holds in memory, if the store is a
	// graph.Drafter; what is more goes to the store before it is linked. 0 means all are held.
	Held int
	// Workers is how many files are worked on at once; 0 means one for each processor.
	Workers int
	// Progress, if not nil, is told how far an update is, from several goroutines.
	Progress func(Progress)
}

// Update looks at the files that the change names and brings the store up to what it finds.
// Without any difference the store keeps its generation, unless the change sets Meta.
// After an error, or when ctx ends, the store is as it was.
func (e *Engine) Update(ctx context.Context, c Change) (*Report, error) {
	u := &update{Engine: e, change: c, report: &Report{}, gone: map[string]bool{}, tally: map[graph.FileID]fileTally{}}
	err := e.Store.View(ctx, func(r graph.Reader) error {
		kr, ok := r.(graph.KeyReader)
		if !ok {
			return errors.New("the store gives no keys back")
		}
		u.reader = kr
		if err := u.begin(); err != nil || u.drafts() {
			return err
		}
		return u.prepare(ctx)
	})
	if err == nil && u.drafts() {
		err = u.first(ctx)
	}
	if err == nil {
		err = u.commit(ctx)
	}
	if u.draft != nil {
		err = errors.Join(err, u.draft.Close())
	}
	for _, t := range u.texts {
		err = errors.Join(err, t.Discard())
	}
	if err != nil {
		return nil, fmt.Errorf("update index: %w", err)
	}
	return u.report, nil
}

// update is one run of Update.
type update struct {
	*Engine
	change Change
	report *Report
	reader graph.KeyReader // valid while the batch is prepared

	paths   []string            // to look at, sorted
	ids     []graph.FileID      // of paths
	old     []graph.File        // the store's files, by path
	records []*graph.FileRecord // of new and changed files, by path
	relink  []*graph.FileRecord // of other files whose links are made anew
	deleted []graph.FileID
	gone    map[string]bool // paths of deleted
	texts   []TextBatch
	tally   map[graph.FileID]fileTally
	tallied map[string][]byte // the touched tables of tallies as they were
	uni     *universe
	draft   graph.Draft // of a first generation that is not held in memory
}

// prepare does all that reads the store.
func (u *update) prepare(ctx context.Context) error {
	if err := u.phase("read", func() error { return u.read(ctx) }); err != nil {
		return err
	}
	u.report.Generation = u.reader.Gen()
	if len(u.records)+len(u.deleted) == 0 {
		return nil
	}
	return u.phase("link", func() error { return u.link(ctx) })
}

func (u *update) phase(name string, f func() error) error {
	start := time.Now()
	err := f()
	u.report.Phases = append(u.report.Phases, Phase{Name: name, Wall: time.Since(start)})
	return err
}

// begin finds out what the store has.
func (u *update) begin() (err error) {
	if u.old, err = u.reader.Files(); err != nil {
		return err
	}
	u.paths = slices.Clone(u.change.Put)
	slices.Sort(u.paths)
	u.paths = slices.Compact(u.paths)
	if u.ids, err = u.reader.FileIDs(u.paths); err != nil {
		return err
	}
	for _, p := range u.change.Delete {
		u.forget(p)
	}
	for _, t := range u.Texts {
		u.texts = append(u.texts, t.Begin())
	}
	return nil
}

// read reads the named files and makes records of those that are new or differ.
func (u *update) read(ctx context.Context) error {
	if _, err := u.readFrom(ctx, 0, nil); err != nil {
		return err
	}
	for _, id := range u.deleted {
		for i, t := range u.texts {
			if err := t.Remove(id); err != nil {
				return fmt.Errorf("remove from text index %s: %w", u.Texts[i].Name(), err)
			}
		}
	}
	u.report.Changed, u.report.Deleted = len(u.records), len(u.deleted)
	return nil
}

// readFrom reads the files from the one at a place in u.paths on, until all are read or, where
// it is not nil, full says so of the records that were made. It returns the place of the next.
func (u *update) readFrom(ctx context.Context, from int, full func(*graph.FileRecord) bool) (next int, err error) {
	found := make([]*graph.FileRecord, len(u.paths)-from)
	gone := make([]bool, len(found))
	to := stretch{phase: "read", from: from, to: len(u.paths), of: len(u.paths), stop: new(atomic.Bool), next: &next}
	err = u.parallel(ctx, to, func(w *worker, i int) error {
		r, is, err := u.one(ctx, w, u.ids[i], u.paths[i])
		found[i-from], gone[i-from] = r, is
		if r != nil && full != nil && full(r) {
			to.stop.Store(true)
		}
		return err
	})
	if err != nil {
		return next, err
	}
	lang.Trim()
	for i, r := range found[:next-from] {
		switch {
		case gone[i]:
			u.forget(u.paths[from+i])
		case r != nil:
			u.records = append(u.records, r)
			u.note(r)
		}
	}
	return next, nil
}

// known is the store's file at a path.
func (u *update) known(path string) (graph.File, bool) {
	i, ok := slices.BinarySearchFunc(u.old, path, func(f graph.File, p string) int { return strings.Compare(f.Path, p) })
	if !ok {
		return graph.File{}, false
	}
	return u.old[i], true
}

// forget takes a file away, if the store has it.
func (u *update) forget(path string) {
	if f, ok := u.known(path); ok && !u.gone[path] {
		u.gone[path] = true
		u.deleted = append(u.deleted, f.ID)
	}
}

// note reports a changed file that is not wholly understood.
func (u *update) note(r *graph.FileRecord) {
	switch {
	case r.File.Skip != "":
		u.report.Skips = append(u.report.Skips, Skip{r.File.Path, r.File.Skip})
	case r.Facts != nil && len(r.Facts.Errors) > 0:
		u.report.Partial = append(u.report.Partial, Skip{r.File.Path, r.Facts.Errors[0].Reason})
	}
}

// worker is what one goroutine of an update keeps from file to file.
type worker struct {
	x     Extractor
	l     *Linker
	buf   []byte
	files int
	bytes int64
}

// one reads a file. It returns nothing if the file is as the store knows it.
func (u *update) one(ctx context.Context, w *worker, id graph.FileID, path string) (r *graph.FileRecord, gone bool, err error) {
	old, known := u.known(path)
	src, err := u.Read(ctx, path, w.buf)
	var ex Extracted
	var large *Large
	switch {
	case err == nil:
		w.files++
		w.bytes += int64(len(src))
		if cap(src) > cap(w.buf) && cap(src) <= 4<<20 {
			w.buf = src[:0]
		}
		hash := sha256.Sum256(src)
		if known && old.Hash == hash && old.Skip != SkipUnreadable {
			return nil, false, nil
		}
		ex = w.x.extract(path, src, hash)
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return nil, true, nil
	case errors.As(err, &large):
		ex.File = graph.File{Path: path, Size: large.Size, Hash: large.Hash, Skip: SkipTooLarge}
	default:
		ex.File = graph.File{Path: path, Skip: SkipUnreadable}
	}
	ex.File.ID = id
	if known && old == ex.File {
		return nil, false, nil
	}
	r = &graph.FileRecord{File: ex.File, Facts: ex.Facts, Exports: Exports(path, ex.Facts)}
	slices.SortFunc(r.Exports, compareExports)
	if err != nil {
		return r, false, nil
	}
	for _, t := range u.texts {
		if err := t.Add(Document{File: &r.File, Text: ex.Text, Facts: ex.Facts}); err != nil {
			return nil, false, fmt.Errorf("add %s to text index: %w", path, err)
		}
	}
	return r, false, nil
}

// stretch is some of the numbers that a phase goes through.
type stretch struct {
	phase    string
	from, to int
	of       int          // how many numbers the phase has
	stop     *atomic.Bool // when true, no more numbers are begun with; may be nil
	next     *int         // is set to the first number not begun with; may be nil
}

// parallel calls f for the numbers of a stretch from as many goroutines as there are workers.
// The first error ends it.
func (u *update) parallel(ctx context.Context, s stretch, f func(w *worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := u.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next, done atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex // guards the report
	next.Store(int64(s.from))
	done.Store(int64(s.from))
	for range min(workers, s.to-s.from) {
		wg.Go(func() {
			w := &worker{x: Extractor{Limits: u.Limits, Language: u.Language}}
			defer w.x.Close()
			for ctx.Err() == nil && (s.stop == nil || !s.stop.Load()) {
				i := int(next.Add(1)) - 1
				if i >= s.to {
					break
				}
				if err := f(w, i); err != nil {
					cancel(err)
				}
				u.tell(s.phase, int(done.Add(1)), s.of)
			}
			mu.Lock()
			u.report.Read += w.files
			u.report.Bytes += w.bytes
			mu.Unlock()
		})
	}
	wg.Wait()
	if s.next != nil {
		*s.next = min(int(next.Load()), s.to)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (u *update) tell(phase string, done, total int) {
	if u.Progress != nil {
		u.Progress(Progress{Phase: phase, Done: done, Total: total})
	}
}

// commit writes the text indexes and then the batch that makes all of it the store's next
// generation.
func (u *update) commit(ctx context.Context) error {
	if len(u.records)+len(u.deleted) == 0 && len(u.change.Meta) == 0 {
		return nil
	}
	return u.phase("write", func() error {
		u.tell("write", 0, 0)
		meta := maps.Clone(u.change.Meta)
		if meta == nil {
			meta = map[string][]byte{}
		}
		if len(u.records)+len(u.deleted) > 0 {
			for i, t := range slices.Clone(u.texts) {
				token, err := t.Apply(ctx)
				u.texts = u.texts[1:] // there is nothing left to discard
				if err != nil {
					return fmt.Errorf("write text index %s: %w", u.Texts[i].Name(), err)
				}
				meta[u.Texts[i].Name()] = token
			}
			maps.Copy(meta, u.tallies())
		}
		return u.apply(ctx, meta)
	})
}

func (u *update) apply(ctx context.Context, meta map[string][]byte) error {
	if u.draft != nil {
		gen, err := u.draft.Commit(ctx, meta)
		u.report.Generation = gen
		return err
	}
	b := &graph.Batch{Put: make([]graph.FileRecord, 0, len(u.records)+len(u.relink)), Delete: u.deleted, Meta: meta}
	for _, r := range u.records {
		b.Put = append(b.Put, *r)
	}
	for _, r := range u.relink {
		b.Put = append(b.Put, *r)
	}
	slices.SortFunc(b.Put, func(a, c graph.FileRecord) int { return strings.Compare(a.File.Path, c.File.Path) })
	u.records, u.relink = nil, nil // what the batch does not need is free while it is written
	gen, err := u.Store.Apply(ctx, b)
	if err != nil {
		return err
	}
	u.report.Generation = gen
	return nil
}
