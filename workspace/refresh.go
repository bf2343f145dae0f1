package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// Mode says how far a Refresh trusts the listing.
type Mode uint8

// The modes of a Refresh.
const (
	// Quick reads the files whose identity, size or times changed.
	Quick Mode = iota
	// Full reads every file.
	Full
)

// Report says what a Refresh did.
type Report struct {
	index.Report
	Files   int    // files of the project
	Rebuilt string // why the index was built from nothing; empty if it was not
	Took    time.Duration
}

// Refresh brings the index up to the files on disk. It waits for an update of another
// process up to Options.Wait. When ctx ends, the index is as it was.
func (w *Workspace) Refresh(ctx context.Context, mode Mode) (*Report, error) {
	for {
		u := w.join(mode)
		select {
		case <-u.done:
		case <-ctx.Done():
			if u.leave() {
				<-u.done
			}
			return nil, ctx.Err()
		}
		if u.mode >= mode || u.err != nil {
			return u.report, u.err
		}
	}
}

// refresh is one update, in the state folder. Stores that stay open are opened anew where one of
// them failed: their files may be gone, and what they hold after an error nobody knows.
func (w *Workspace) refresh(ctx context.Context, mode Mode) (*Report, error) {
	r, err := w.attempt(ctx, mode)
	if w.resident != nil && errors.Is(err, ErrState) && w.resident.forget() && ctx.Err() == nil {
		r, err = w.attempt(ctx, mode)
	}
	if err == nil {
		w.leaveMemory()
	}
	return r, err
}

// attempt is one try of an update.
func (w *Workspace) attempt(ctx context.Context, mode Mode) (*Report, error) {
	start := time.Now()
	if err := w.reload(); err != nil {
		return nil, err
	}
	if err := w.state.make(w.root); err != nil {
		return nil, &stateError{err}
	}
	lock, err := w.state.lock(ctx, w.state.wait)
	if err != nil {
		if errors.Is(err, errBusy) || ctx.Err() != nil {
			return nil, err
		}
		return nil, &stateError{err}
	}
	defer func() { _ = lock.Close() }()
	w.state.tidy()
	r := &refresh{w: w, mode: mode, report: &Report{}}
	err = r.run(ctx)
	if damaged(err) {
		r.report.Rebuilt = reasonOf(err)
		err = r.rebuild(ctx)
	}
	if err != nil {
		return nil, err
	}
	r.report.Took = time.Since(start)
	return r.report, nil
}

// refresh is one run of an update by the holder of update.lock.
type refresh struct {
	w      *Workspace
	mode   Mode
	report *Report
	build  []byte
	tokens map[string][]byte
	gen    graph.Gen
	whole  bool // every file is looked at
}

func (r *refresh) rebuild(ctx context.Context) error {
	r.w.log("the index is built again: %s", r.report.Rebuilt)
	if err := r.w.wipe(); err != nil {
		return &stateError{err}
	}
	return r.run(ctx)
}

// run looks at what changed and indexes it.
func (r *refresh) run(ctx context.Context) error {
	l := &lease{w: r.w}
	if err := l.ensure(); err != nil {
		return r.w.storeError(err)
	}
	if err := l.View(ctx, r.inspect); err != nil {
		return r.w.storeError(err)
	}
	if r.w.resident != nil {
		return r.follow(ctx, l)
	}
	prev := r.w.savedFor(r.build, r.gen)
	now, err := ignore.Scan(ctx, r.w.root, r.w.scanOptions(), listingOf(prev))
	if err != nil {
		return err
	}
	var stale *staleFiles
	if prev != nil {
		put, gone := differences(prev.Listing, now)
		stale = &staleFiles{put: put, gone: gone}
	}
	if err := r.index(ctx, l, r.change(stale, now)); err != nil {
		return r.w.storeError(err)
	}
	if err := r.w.state.save(&saved{Listing: now, build: r.build, gen: r.report.Generation}); err != nil {
		return &stateError{err}
	}
	return nil
}

// manyFiles is how many files an update takes memory for that is worth giving back at once.
const manyFiles = 1000

// savedFor is the listing that was saved with an index; nil if there is none.
func (w *Workspace) savedFor(build []byte, gen graph.Gen) *saved {
	s := w.state.load()
	if !s.fits(build, gen) {
		return nil
	}
	return s
}

// follow is the run of a workspace that knows what changed.
func (r *refresh) follow(ctx context.Context, l *lease) error {
	t := r.w.resident.tree
	if _, err := t.now(ctx); err != nil {
		return err
	}
	var prev *saved
	v := graphVersion(r.build, r.gen)
	known := t.version() == v
	if !known {
		prev = r.w.savedFor(r.build, r.gen)
	}
	now, stale, upTo := t.begin(v, prev)
	if stale == nil {
		stale = &staleFiles{}
	} else if stale.all {
		stale = nil
	}
	if err := r.index(ctx, l, r.change(stale, now)); err != nil {
		return r.w.storeError(err)
	}
	t.done(graphVersion(r.build, r.report.Generation), upTo)
	if f := r.w.options.Rest; f != nil && r.report.Changed > manyFiles {
		f()
	}
	if known || prev != nil {
		return nil // it is saved when there is time for it
	}
	if err := r.w.state.save(&saved{Listing: now, build: r.build, gen: r.report.Generation}); err != nil {
		return &stateError{err}
	}
	return nil
}

// listingOf is the listing of a saved one, which may be nil.
func listingOf(s *saved) *ignore.Listing {
	if s == nil {
		return nil
	}
	return s.Listing
}

// inspect reads what the store says of itself.
func (r *refresh) inspect(g graph.Reader) error {
	values, err := g.Meta(metaBuild, metaFormat, textName, rankedName)
	if err != nil {
		return err
	}
	r.gen, r.build = g.Gen(), values[0]
	if r.gen > 0 && (string(values[1]) != r.w.format() || len(r.build) != buildSize) {
		return errStale
	}
	r.tokens = map[string][]byte{textName: values[2], rankedName: values[3]}
	return nil
}

// format is all that facts depend on besides the files themselves.
func (w *Workspace) format() string {
	c := w.Config()
	languages := slices.Clone(c.Languages)
	slices.Sort(languages)
	return fmt.Sprintf("1 %s max=%d languages=%s text=%t ranked=%t", w.options.Version, c.MaxFileSize,
		strings.Join(languages, ","), w.options.Stores.Text != nil, w.options.Stores.Ranked != nil)
}

// change names the files that may differ from the store's; stale is nil if it is not known
// which those are.
func (r *refresh) change(stale *staleFiles, now *ignore.Listing) index.Change {
	var c index.Change
	if stale == nil || r.mode == Full {
		r.whole = true
		for i := range now.Entries {
			if e := &now.Entries[i]; isFile(e) {
				c.Put = append(c.Put, e.Path)
			}
		}
		r.report.Files = len(c.Put)
		return c
	}
	c.Put, c.Delete = stale.put, stale.gone
	for i := range now.Entries {
		if isFile(&now.Entries[i]) {
			r.report.Files++
		}
	}
	return c
}

// isFile reports whether an entry is a file of the project.
func isFile(e *ignore.Entry) bool { return e.Type == ignore.File && e.Part() }

// differences names the files that may have changed between a saved listing and now: put
// are those to look at, gone those that are no files of the project any more.
func differences(prev, now *ignore.Listing) (put, gone []string) {
	added, removed, changed := ignore.Diff(prev, now)
	for _, p := range slices.Concat(added, changed) {
		if e, ok := now.Lookup(p); ok && isFile(&e) {
			put = append(put, p)
		} else {
			gone = append(gone, p)
		}
	}
	gone = append(gone, removed...)
	for i := range prev.Entries {
		e := &prev.Entries[i]
		if isFile(e) && prev.Racy(e) {
			if n, ok := now.Lookup(e.Path); ok && isFile(&n) {
				put = append(put, e.Path)
			}
		}
	}
	slices.Sort(put)
	return slices.Compact(put), gone
}

// index runs the engine.
func (r *refresh) index(ctx context.Context, l *lease, c index.Change) (err error) {
	if err := r.addGone(ctx, l, &c); err != nil {
		return err
	}
	if r.gen == 0 {
		r.build = newBuild()
		c.Meta = map[string][]byte{metaBuild: r.build, metaFormat: []byte(r.w.format())}
	}
	if len(c.Put)+len(c.Delete)+len(c.Meta) == 0 {
		r.report.Generation = r.gen
		return nil
	}
	keepers, err := r.w.openKeepers(r.tokens)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll(keepers)) }()
	e := r.w.engine(l)
	for _, k := range keepers {
		e.Texts = append(e.Texts, k)
	}
	report, err := e.Update(ctx, c)
	if err != nil {
		return err
	}
	r.report.Report = *report
	return r.sweep(ctx, l, keepers)
}

// addGone adds to the deleted files those that the store has and the listing has not, where
// there was no listing to compare with.
func (r *refresh) addGone(ctx context.Context, l *lease, c *index.Change) error {
	if r.gen == 0 || !r.whole {
		return nil
	}
	have := make(map[string]bool, len(c.Put))
	for _, p := range c.Put {
		have[p] = true
	}
	return l.View(ctx, func(g graph.Reader) error {
		files, err := g.Files()
		for i := range files {
			if !have[files[i].Path] {
				c.Delete = append(c.Delete, files[i].Path)
			}
		}
		return err
	})
}

// engine is the engine that updates a store with the files of this workspace.
func (w *Workspace) engine(s graph.Store) *index.Engine {
	limits := w.limits()
	return &index.Engine{
		Store: s, Read: w.source(textLimit(limits)), Limits: limits,
		Language: w.language(), Workers: w.options.Workers, Progress: w.options.Progress,
		Held: cmp.Or(w.options.Held, heldFacts),
	}
}

const heldFacts = 160 << 20

// textLimit is the largest file that is read for an index.
func textLimit(l index.Limits) int64 { return max(64<<20, l.Facts) }

// language decides of which languages facts are made.
func (w *Workspace) language() func(string) bool {
	names := w.Config().Languages
	if len(names) == 0 {
		return nil
	}
	return func(name string) bool { return slices.Contains(names, name) }
}
