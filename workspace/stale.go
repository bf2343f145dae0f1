package workspace

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/search"
)

// What is laid over an index that is not fresh, so that no answer is out of date: the
// changed files as their bytes are now. A few are extracted at once, without links; of more
// than that it is only said that they are not indexed.
const (
	layFiles = 64
	layBytes = 4 << 20
)

const (
	skipPending = "not indexed yet"
	skipUnread  = index.SkipUnreadable
	skipLarge   = index.SkipTooLarge
)

// staleFiles are the files that an index does not stand for; with all it is not known which
// those are.
type staleFiles struct {
	put, gone []string
	all       bool
}

// lay lays what changed over g, which may be nil, and calls f.
func (w *Workspace) lay(ctx context.Context, s *Snapshot, g graph.KeyReader, stale *staleFiles, f func(*Snapshot) error) error {
	put, gone := []string(nil), []string(nil)
	if stale == nil || stale.all {
		for i := range s.listing.Entries {
			if e := &s.listing.Entries[i]; isFile(e) {
				put = append(put, e.Path)
			}
		}
	} else {
		put, gone = stale.put, stale.gone
	}
	var old map[string]graph.File
	next := newMemory("").idsOf
	if g != nil {
		files, err := g.Files()
		if err != nil {
			return err
		}
		old = make(map[string]graph.File, len(files))
		for _, x := range files {
			old[x.Path] = x
		}
		if stale.all {
			gone = missing(old, put)
		}
		put = w.reallyChanged(ctx, put, old)
	}
	b, err := w.layBatch(g, next, put, gone, old, s)
	if err != nil {
		return err
	}
	o, err := newOverlay(g, b)
	if err != nil {
		return err
	}
	o.next = next
	s.graph, s.files, s.fresh = o, o.files, len(b.Put)+len(b.Delete) == 0 && g != nil
	if s.text != nil {
		var changed []search.DocID
		for i := range b.Put {
			changed = append(changed, search.DocID(b.Put[i].File.ID))
		}
		s.text = always(s.text, o.files, changed)
	}
	return f(s)
}

// missing are the paths of old that are not among put.
func missing(old map[string]graph.File, put []string) []string {
	have := make(map[string]bool, len(put))
	for _, p := range put {
		have[p] = true
	}
	var out []string
	for p := range old {
		if !have[p] {
			out = append(out, p)
		}
	}
	return out
}

// reallyChanged leaves out the files whose bytes have the hash that the index knows.
func (w *Workspace) reallyChanged(ctx context.Context, put []string, old map[string]graph.File) []string {
	var buf []byte
	return slices.DeleteFunc(put, func(p string) bool {
		o, ok := old[p]
		if !ok || ctx.Err() != nil {
			return false
		}
		f, err := w.readFile(ctx, p, buf, maxRead)
		if err != nil {
			return false
		}
		buf = f.Data[:0]
		return sha256.Sum256(f.Data) == o.Hash
	})
}

// layBatch makes the records of the changed files.
func (w *Workspace) layBatch(g graph.KeyReader, next func([]string) []graph.FileID, put, gone []string, old map[string]graph.File, s *Snapshot) (*graph.Batch, error) {
	ids := next(put)
	if g != nil {
		var err error
		if ids, err = g.FileIDs(put); err != nil {
			return nil, err
		}
	}
	b := &graph.Batch{}
	for _, p := range gone {
		if o, ok := old[p]; ok {
			b.Delete = append(b.Delete, o.ID)
		}
	}
	x := index.Extractor{Limits: w.limits(), Language: w.language()}
	defer x.Close()
	spent := int64(0)
	for i, p := range put {
		e, _ := s.listing.Lookup(p)
		r := graph.FileRecord{File: graph.File{ID: ids[i], Path: p, Size: e.Size, Skip: skipPending}}
		if l := lang.Detect(p, nil); l != nil {
			r.File.Language, r.File.Test = l.Name, l.IsTest(p)
		}
		if len(put) <= layFiles && spent+e.Size <= layBytes {
			if f, err := w.readFile(s.ctx, p, nil, layBytes); err == nil {
				spent += e.Size
				ex := x.Extract(p, f.Data)
				r.File, r.Facts = ex.File, ex.Facts
				r.File.ID = ids[i]
			}
		}
		r.Exports = index.Exports(p, r.Facts)
		b.Put = append(b.Put, r)
	}
	if n := len(b.Put) + len(b.Delete); n > 0 && g != nil {
		s.notes = append(s.notes, fmt.Sprintf("%d files changed since the index was made; what refers to them may be missing", n))
	}
	return b, nil
}

// widened is an index that proposes further documents always.
type widened struct {
	search.Index
	ids []search.DocID
}

// Candidates implements search.Index.
func (x *widened) Candidates(ctx context.Context, q search.Query) (search.Candidates, error) {
	c, err := x.Index.Candidates(ctx, q)
	if err != nil || c.All {
		return c, err
	}
	c.Docs = slices.Concat(c.Docs, x.ids)
	slices.Sort(c.Docs)
	c.Docs = slices.Compact(c.Docs)
	return c, nil
}

// lazyRanked opens the ranked index at the first question.
type lazyRanked struct {
	open func() (RankedStore, error)

	once sync.Once
	x    RankedStore
	err  error
}

// Rank implements Ranked.
func (l *lazyRanked) Rank(ctx context.Context, question string, limit int) ([]Hit, error) {
	l.once.Do(func() { l.x, l.err = l.open() })
	if l.err != nil {
		return nil, l.err
	}
	return l.x.Rank(ctx, question, limit)
}

func (l *lazyRanked) close() {
	if l.x != nil {
		_ = l.x.Close()
	}
}

// inMemory reports whether the index is kept in memory.
func (w *Workspace) inMemory() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.memory != nil
}

// againAfter is how long the index is kept in memory before the state folder is tried again.
const againAfter = 30 * time.Second

// tryAgain tries the state folder again, beside the answers from memory, if it was not tried for
// some time. Only a workspace that stays lives to see what comes of it.
func (w *Workspace) tryAgain() {
	w.mu.Lock()
	due := w.memory != nil && w.resident != nil && time.Since(w.memory.tried) >= againAfter
	if due {
		w.memory.tried = time.Now()
	}
	w.mu.Unlock()
	if due {
		w.join(Quick).leave()
	}
}

// leaveMemory goes back to the state folder after an update of it.
func (w *Workspace) leaveMemory() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.memory != nil {
		w.memory = nil
		w.log("the state folder can be used again")
	}
}

// useMemory keeps the index in memory until the state folder can be used again.
func (w *Workspace) useMemory(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.memory == nil {
		w.memory = newMemory("")
		w.memory.tried = time.Now()
		w.log("%v; the index is kept in memory", why)
	}
}

// viewMemory brings the index in memory up to date and calls f.
func (w *Workspace) viewMemory(ctx context.Context, s *Snapshot, f func(*Snapshot) error) error {
	w.mu.Lock()
	m := w.memory
	if m == nil { // the state folder has come back this moment; the next question finds it
		m = newMemory("")
	}
	w.mu.Unlock()
	if err := m.refresh(ctx, w, s); err != nil {
		return err
	}
	s.notes = append(s.notes, fmt.Sprintf("the state folder %s cannot be written; the index was made in memory for this process", w.state.dir))
	return m.View(ctx, func(r graph.Reader) (err error) {
		s.graph = r.(*overlay)
		if s.files, err = r.Files(); err != nil {
			return err
		}
		s.fresh = true
		return f(s)
	})
}

// refresh brings m up to the files of a snapshot.
func (m *memory) refresh(ctx context.Context, w *Workspace, s *Snapshot) error {
	m.updating.Lock()
	defer m.updating.Unlock()
	if f := w.format(); m.format != f {
		m.reset(f)
	}
	var c index.Change
	if m.listing == nil {
		for i := range s.listing.Entries {
			if e := &s.listing.Entries[i]; isFile(e) {
				c.Put = append(c.Put, e.Path)
			}
		}
	} else {
		c.Put, c.Delete = differences(m.listing, s.listing)
	}
	if len(c.Put)+len(c.Delete) > 0 {
		if _, err := w.engine(m).Update(ctx, c); err != nil {
			return err
		}
	}
	m.listing = s.listing
	return nil
}
