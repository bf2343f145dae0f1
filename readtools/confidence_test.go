package readtools

import (
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
)

// The table that ships must hold what was measured, and an answer that was rarely seen must
// lean on the wider measure, never on nothing.
func TestConfidence(t *testing.T) {
	if n := len(confidences()); n < 50 {
		t.Fatalf("the table has %d entries", n)
	}
	for k, x := range confidences() {
		if x.right < 0 || x.right > x.all {
			t.Errorf("%+v: %v right of %v", k, x.right, x.all)
		}
	}
	certain := &graph.Site{Role: graph.Call, Status: graph.Certain, Reason: graph.ByReceiver, Targets: make([]graph.Target, 1)}
	possible := &graph.Site{Role: graph.Call, Status: graph.Possible, Reason: graph.ByUnion, Targets: make([]graph.Target, 1)}
	for _, language := range []string{"go", "a language without a measure"} {
		c, p := edge(language, certain), edge(language, possible)
		if c.Confidence < 0.9 || c.Confidence > 1 || p.Confidence <= 0 || p.Confidence >= c.Confidence {
			t.Errorf("%s: certain %.3f, possible %.3f", language, c.Confidence, p.Confidence)
		}
	}
	if e := edge("go", &graph.Site{Status: graph.Unresolved}); e.Confidence != 0 {
		t.Errorf("a reference without a target has confidence %.3f", e.Confidence)
	}
}
