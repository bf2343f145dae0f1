package graphtest_test

import (
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/graphtest"
)

func TestMemory(t *testing.T) {
	graphtest.Run(t, func(testing.TB) graph.Store { return graphtest.NewMemory() })
}
