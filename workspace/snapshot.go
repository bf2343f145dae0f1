package workspace

import (
	"context"
	"sync"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// Snapshot is a workspace as one answer sees it: the graph and the text indexes of one
// generation, and the bytes on disk. It may be used by several goroutines and is valid until
// the function that it was given to returns.
type Snapshot struct {
	w       *Workspace
	ctx     context.Context
	listing *ignore.Listing
	saved   *saved // the listing that was saved with the index; of a workspace that does not stay
	graph   graph.KeyReader
	files   []graph.File
	text    search.Index
	ranked  Ranked
	fresh   bool
	version version // of the stores

	mu    sync.Mutex // guards what follows
	notes []string
	read  map[string]*File
	bytes int64               // of the files in read
	sums  map[string][32]byte // of all files that were read
	trees [4]*ignore.Listing  // by hidden and ignored
	moved []string            // files whose bytes are not those that the graph was made from
}

// Root is the absolute path of the workspace's root.
func (s *Snapshot) Root() string { return s.w.root }

// Generation counts the index's changes; 0 means that there is no index yet.
func (s *Snapshot) Generation() graph.Gen { return s.graph.Gen() }

// Fresh reports whether the index stood for the files on disk when the View began. If it
// did not, Notes say why.
func (s *Snapshot) Fresh() bool { return s.fresh }

// Notes are what a reader of the answer should know about the snapshot, in words.
func (s *Snapshot) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.notes...)
}

// Files are the files of the project in the order of their paths: neither ignored nor
// hidden. The slice must not be changed.
func (s *Snapshot) Files() []graph.File { return s.files }

// Graph answers questions about code. Files that changed and could not be indexed in time
// are in it as their bytes are now, but without links, or without facts and with a Skip that
// says so; so no place that it names is out of date.
func (s *Snapshot) Graph() graph.KeyReader { return s.graph }

// Text proposes candidates for a text search, by file id. Nil means that every file is a
// candidate.
func (s *Snapshot) Text() search.Index { return s.text }

// Ranked answers questions in words; nil if there is no such index now.
func (s *Snapshot) Ranked() Ranked { return s.ranked }

// Skips are the paths that the walk could not or did not look into, and why.
func (s *Snapshot) Skips() []ignore.Skip { return s.listing.Skips }

// Tree lists the tree with what Files leaves out: hidden and ignored names, as asked for.
// Without either it is the listing that Files was made from, folders included.
func (s *Snapshot) Tree(ctx context.Context, hidden, ignored bool) (*ignore.Listing, error) {
	if !hidden && !ignored {
		return s.listing, nil
	}
	k := 0
	if hidden {
		k |= 1
	}
	if ignored {
		k |= 2
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trees[k] != nil {
		return s.trees[k], nil
	}
	o := s.w.scanOptions()
	o.Hidden, o.IncludeIgnored = hidden, ignored
	l, err := ignore.Scan(ctx, s.w.root, o, nil)
	if err == nil {
		s.trees[k] = l
	}
	return l, err
}

// Ranked is a text index that ranks what it finds for a question in words.
type Ranked interface {
	// Rank returns at most limit hits, the best first.
	Rank(ctx context.Context, question string, limit int) ([]Hit, error)
}

// Hit is a symbol, or with Index graph.FileItself a file, that fits a question.
type Hit struct {
	graph.Handle
	Score float64
}
