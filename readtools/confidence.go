package readtools

import "github.com/codegraph-dev/codegraph/graph"

// Reasons that this package adds to those of graph: a call that may be dispatched to a
// method, since it is made through what the method implements or overrides.
const (
	reasonInterface = "interface"
	reasonOverride  = "override"
)

// confidences are the shares of right answers by reason, until they are measured by
// language and role. A certain binding is as sure as the way that found it.
var confidences = map[graph.Reason]float64{
	graph.ByScope: 0.99, graph.ByPackage: 0.99, graph.ByImport: 0.99, graph.ByStar: 0.9, graph.ByModule: 0.99,
	graph.ByReceiver: 0.97, graph.ByInferred: 0.93, graph.BySelf: 0.98, graph.ByInheritance: 0.95, graph.ByEmbedding: 0.97,
	graph.ByInclude: 0.95, graph.ByLinkage: 0.95, graph.ByUniqueName: 0.7, graph.ByMerged: 0.95, graph.ByUnion: 0.8,
	graph.ByConstructor: 0.97, graph.ByOverload: 0.9,
}

// possibleShare is how much of it is left where a reference has several possible targets.
const possibleShare = 0.5

// edge describes why a site is in an answer.
func edge(s *graph.Site) *Edge {
	e := &Edge{Role: s.Role.String(), Reason: s.Reason.String(), Certain: s.Status == graph.Certain || s.Status == graph.External}
	if len(s.Targets) > 0 {
		e.Confidence = confidences[s.Reason]
		if e.Confidence == 0 {
			e.Confidence = 0.8
		}
		if s.Status == graph.Possible {
			e.Confidence *= possibleShare
		}
	}
	return e
}
