package readtools

import (
	_ "embed" // the table
	"strconv"
	"strings"
	"sync"

	"github.com/codegraph-dev/codegraph/graph"
)

// Reasons that this package adds to those of graph: a call that may be dispatched to a
// method, since it is made through what the method implements or overrides.
const (
	reasonInterface = "interface"
	reasonOverride  = "override"
)

// possibleShare is how much of a confidence is left where a call may be dispatched to one of
// several methods.
const possibleShare = 0.5

// confidenceTable holds, a line, a language, a role, a status, a reason, the share of right answers
// and their number, parted by tabs. `go run ./bench accuracy -fit` measures it against
// compilers and writes it.
//
//go:embed confidence.tsv
var confidenceTable string

// confidenceKey is what a confidence is measured by; a wider one has no language and role.
type confidenceKey struct{ language, role, status, reason string }

type measured struct{ right, all float64 }

// leastSeen is the number of answers below which a wider key speaks.
const leastSeen = 20

var confidences = sync.OnceValue(func() map[confidenceKey]measured {
	m := map[confidenceKey]measured{}
	for line := range strings.Lines(confidenceTable) {
		w := strings.Split(strings.TrimSpace(line), "\t")
		if len(w) != 6 || strings.HasPrefix(line, "#") {
			continue
		}
		share, err := strconv.ParseFloat(w[4], 64)
		n, err2 := strconv.ParseFloat(w[5], 64)
		if err != nil || err2 != nil {
			continue
		}
		for _, k := range []confidenceKey{{w[0], w[1], w[2], w[3]}, {"", "", w[2], w[3]}, {"", "", w[2], ""}} {
			was := m[k]
			m[k] = measured{was.right + share*n, was.all + n}
		}
	}
	return m
})

// confidence is the measured share of right answers for references bound like this one.
func confidence(language string, s *graph.Site) float64 {
	m := confidences()
	status := s.Status.String()
	for _, k := range []confidenceKey{{language, s.Role.String(), status, s.Reason.String()}, {"", "", status, s.Reason.String()}, {"", "", status, ""}} {
		if x := m[k]; x.all >= leastSeen {
			return float64(int(x.right/x.all*1000)) / 1000
		}
	}
	return 0.5
}

// edge describes why a site of a file in the given language is in an answer.
func edge(language string, s *graph.Site) *Edge {
	e := &Edge{Role: s.Role.String(), Reason: s.Reason.String(), Certain: s.Status == graph.Certain || s.Status == graph.External}
	if len(s.Targets) > 0 {
		e.Confidence = confidence(language, s)
	}
	return e
}
