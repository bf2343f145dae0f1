package bleve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	blevesearch "github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"

	"github.com/codegraph-dev/codegraph/graph"
)

// ErrBehind is the error for an index that is not in the state its token names: it has to be
// built anew. It is a graph.ErrCorrupt.
var ErrBehind = fmt.Errorf("%w: ranked index is not in the state that was committed", graph.ErrCorrupt)

// Index is the ranked index in a folder, in one committed state or in one that follows it. It
// may be used from several goroutines.
type Index struct {
	dir string

	mu       sync.RWMutex // guards what follows; held for reading while idx is used
	token    token
	keep     bool
	idx      blevesearch.Index
	writable bool // idx is open for writing, too
}

// token names a state.
type token struct {
	Folder   int `json:"folder"`
	Revision int `json:"revision"`
}

// Open names the state of the index in dir; an empty token means that there is none yet. The
// files are only opened when they are needed.
func Open(dir string, state []byte) (*Index, error) {
	if errRegister != nil {
		return nil, fmt.Errorf("register analyzer: %w", errRegister)
	}
	x := &Index{dir: dir}
	if len(state) == 0 {
		return x, nil
	}
	if err := json.Unmarshal(state, &x.token); err != nil {
		return nil, fmt.Errorf("%w: token %q", ErrBehind, state)
	}
	if _, err := os.Stat(x.folder()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBehind, err)
	}
	return x, nil
}

func (x *Index) folder() string { return filepath.Join(x.dir, strconv.Itoa(x.token.Folder)) }

// present is the token of the state that the index is in.
func (x *Index) present() token {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.token
}

// Keep lets the files stay open for reading and writing from their first use until Close.
func (x *Index) Keep() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.keep = true
}

// Close lets go of the files.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.close()
}

func (x *Index) close() error {
	if x.idx == nil {
		return nil
	}
	err := x.idx.Close()
	x.idx, x.writable = nil, false
	return err
}

var revisionKey = []byte("revision")

// use calls f with the files open.
func (x *Index) use(write bool, f func(idx blevesearch.Index) error) error {
	for {
		x.mu.RLock()
		if x.idx != nil && (!write || x.writable) {
			defer x.mu.RUnlock()
			return f(x.idx)
		}
		x.mu.RUnlock()
		if err := x.open(write); err != nil {
			return err
		}
	}
}

// open opens the present index, to read only or also to write.
func (x *Index) open(write bool) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.close(); err != nil {
		return err
	}
	write = write || x.keep
	idx, err := blevesearch.OpenUsing(x.folder(), map[string]any{"read_only": !write})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBehind, err)
	}
	if n, err := revision(idx); err != nil || n < x.token.Revision {
		return errors.Join(fmt.Errorf("%w: revision %d, want %d", ErrBehind, n, x.token.Revision), err, idx.Close())
	}
	x.idx, x.writable = idx, write
	return nil
}

func revision(idx blevesearch.Index) (int, error) {
	v, err := idx.GetInternal(revisionKey)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return 0, fmt.Errorf("%w: revision %q", ErrBehind, v)
	}
	return n, nil
}

// Sweep removes what the present state does not need.
func (x *Index) Sweep() error {
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	present := strconv.Itoa(x.present().Folder)
	for _, e := range entries {
		if e.Name() != present {
			if err := os.RemoveAll(filepath.Join(x.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// Document is a file as the index takes it. Facts may be nil. It is only read during Add.
type Document struct {
	File  *graph.File
	Text  []byte
	Facts *graph.Facts
}

// Batch is a change in the making.
type Batch struct {
	x       *Index
	mu      sync.Mutex // guards what follows
	puts    map[graph.FileID]fields
	deletes []graph.FileID
}

// Begin starts a change.
func (x *Index) Begin() *Batch { return &Batch{x: x, puts: map[graph.FileID]fields{}} }

// Add puts a document in place of any earlier one of its id. It may be called from several
// goroutines.
func (b *Batch) Add(d Document) {
	f := fieldsOf(d)
	b.mu.Lock()
	b.puts[d.File.ID] = f
	b.mu.Unlock()
}

// Remove takes a document away.
func (b *Batch) Remove(id graph.FileID) {
	b.mu.Lock()
	b.deletes = append(b.deletes, id)
	b.mu.Unlock()
}

// Apply writes the change and returns the token of the new state, in which x is from then on.
func (b *Batch) Apply(ctx context.Context) ([]byte, error) {
	var next token
	var err error
	if b.x.present().Folder == 0 {
		next, err = b.offline(ctx)
	} else {
		next, err = b.online(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("write ranked index: %w", err)
	}
	b.x.mu.Lock()
	b.x.token = next
	b.x.mu.Unlock()
	return json.Marshal(next)
}

// offline builds a new index in one go.
func (b *Batch) offline(ctx context.Context) (token, error) {
	next := token{Folder: b.free(), Revision: 1}
	dir := filepath.Join(b.x.dir, strconv.Itoa(next.Folder))
	if err := os.MkdirAll(b.x.dir, 0o700); err != nil {
		return token{}, err
	}
	w, err := blevesearch.NewBuilder(dir, newMapping(), map[string]any{"batchSize": 500, "mergeMax": 20, "buildPathPrefix": b.x.dir})
	if err != nil {
		return token{}, err
	}
	for id, f := range b.puts {
		if ctx.Err() != nil {
			return token{}, ctx.Err()
		}
		if err := w.Index(docID(id), f); err != nil {
			return token{}, err
		}
	}
	if err := w.Close(); err != nil {
		return token{}, err
	}
	idx, err := blevesearch.Open(dir)
	if err != nil {
		return token{}, err
	}
	return next, errors.Join(idx.SetInternal(revisionKey, []byte("1")), idx.Close())
}

// free is the number of a folder that does not exist.
func (b *Batch) free() int {
	n := b.x.present().Folder + 1
	for {
		if _, err := os.Lstat(filepath.Join(b.x.dir, strconv.Itoa(n))); err != nil {
			return n
		}
		n++
	}
}

// online changes the present index.
func (b *Batch) online(ctx context.Context) (next token, err error) {
	next.Folder = b.x.present().Folder
	err = b.x.use(true, func(idx blevesearch.Index) error {
		n, err := revision(idx)
		if err != nil {
			return err
		}
		next.Revision = n + 1
		batch := idx.NewBatch()
		for _, id := range b.deletes {
			batch.Delete(docID(id))
		}
		for id, f := range b.puts {
			if err := batch.Index(docID(id), f); err != nil {
				return err
			}
		}
		batch.SetInternal(revisionKey, []byte(strconv.Itoa(next.Revision)))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return idx.Batch(batch)
	})
	if !b.x.keep {
		err = errors.Join(err, b.x.Close())
	}
	return next, err
}

func docID(id graph.FileID) string { return strconv.FormatUint(uint64(id), 36) }

// newMapping says how fields are indexed: postings with frequencies, nothing stored.
func newMapping() mapping.IndexMapping {
	m := blevesearch.NewIndexMapping()
	m.DefaultAnalyzer = wordsName
	m.ScoringModel = "bm25"
	m.StoreDynamic, m.DocValuesDynamic, m.IndexDynamic = false, false, false
	doc := blevesearch.NewDocumentStaticMapping()
	for _, name := range fieldNames {
		f := blevesearch.NewTextFieldMapping()
		f.Analyzer, f.Store, f.IncludeTermVectors, f.IncludeInAll, f.DocValues = wordsName, false, false, false, false
		doc.AddFieldMappingsAt(name, f)
	}
	m.DefaultMapping = doc
	return m
}
