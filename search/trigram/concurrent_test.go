package trigram

import (
	"fmt"
	"sync"
	"testing"

	"github.com/codegraph-dev/codegraph/search"
)

// Queries go on while batches are applied, merged and swept, and always see a
// document that is in every generation.
func TestQueriesWhileApplying(t *testing.T) {
	s, err := Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p, err := search.Compile(search.Options{Patterns: []string{"constant"}})
	if err != nil {
		t.Fatal(err)
	}
	apply := func(i int) {
		b := s.NewBatch()
		b.limit = 200
		var wg sync.WaitGroup
		for w := range 2 {
			wg.Go(func() {
				for k := range 10 {
					b.Add(uint32(100+w*10+k), search.Decode(fmt.Appendf(nil, "round %d of %d", i, k)))
				}
			})
		}
		b.Add(7, search.Decode(fmt.Appendf(nil, "constant %d", i)))
		wg.Wait()
		token, err := s.Apply(t.Context(), b)
		if err == nil {
			err = s.Sweep(token)
		}
		if err != nil {
			t.Error(err)
		}
	}
	apply(0)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				c, err := s.Candidates(t.Context(), p.Query())
				if err != nil || len(c.Docs) != 1 || c.Docs[0] != 7 {
					t.Errorf("candidates %+v, %v; want 7", c, err)
					return
				}
			}
		})
	}
	for i := range 60 {
		apply(i + 1)
	}
	close(done)
	wg.Wait()
	if st := s.Stats(); st.Docs != 21 || st.Segments > maxLevels+1 {
		t.Errorf("%+v, want 21 documents in few segments", st)
	}
}
