package bolt

import (
	"path/filepath"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
)

func openNew(t testing.TB) graph.Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "graph.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) { graphtest.Run(t, openNew) }

// TestConformanceCached has a cache so small that what is in it goes again and again.
func TestConformanceCached(t *testing.T) {
	graphtest.Run(t, func(t testing.TB) graph.Store {
		t.Helper()
		s, err := Open(filepath.Join(t.TempDir(), "graph.db"), Options{Cache: 2000})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
