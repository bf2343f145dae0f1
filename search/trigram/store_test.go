package trigram

import (
	"context"
	"os"
	"testing"

	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/search/searchtest"
)

// subject lets the conformance suite change a store.
type subject struct {
	*Store
	dir   string
	token []byte
	limit int
}

func newSubject(limit int) func() (searchtest.Subject, error) {
	return func() (searchtest.Subject, error) {
		dir, err := os.MkdirTemp("", "trigram")
		if err != nil {
			return nil, err
		}
		s, err := Open(dir, nil)
		return &subject{Store: s, dir: dir, limit: limit}, err
	}
}

func (s *subject) Update(ctx context.Context, put map[search.DocID][]byte, remove []search.DocID) error {
	b := s.NewBatch()
	b.limit = s.limit
	for id, raw := range put {
		if err := b.Add(id, search.Decode(raw)); err != nil {
			return err
		}
	}
	for _, id := range remove {
		if err := b.Remove(id); err != nil {
			return err
		}
	}
	token, err := s.Apply(ctx, b)
	if err != nil {
		return err
	}
	s.token = token
	return s.Sweep(token)
}

func (s *subject) Reopen() error {
	if err := s.Store.Close(); err != nil {
		return err
	}
	var err error
	s.Store, err = Open(s.dir, s.token)
	return err
}

func (s *subject) Close() error {
	s.Store.Close()
	return os.RemoveAll(s.dir)
}

func TestConformance(t *testing.T)         { searchtest.TestIndex(t, newSubject(spillPairs)) }
func TestConformanceSpilling(t *testing.T) { searchtest.TestIndex(t, newSubject(20)) }
