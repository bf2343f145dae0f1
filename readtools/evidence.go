package readtools

import (
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace"
)

// SetEvidence names the entry of the ledger that the answer has.
func (h *Head) SetEvidence(id string) { h.Evidence = id }

// Places are the lines of files that the answer shows: none, since it names paths.
func (r *DiscoverResult) Places() []workspace.Shown { return nil }

// Places are the lines of files that the answer shows.
func (r *GrepResult) Places() []workspace.Shown {
	var out []workspace.Shown
	for i := range r.Matches {
		m := &r.Matches[i]
		out = append(out, workspace.Shown{Path: m.Path, From: m.Line - len(m.Before), To: max(m.Line, m.EndLine) + len(m.After)})
	}
	for _, p := range r.Files {
		out = append(out, workspace.Shown{Path: p})
	}
	for _, c := range r.Counts {
		out = append(out, workspace.Shown{Path: c.Path})
	}
	return out
}

// Places are the lines of files that the answer shows.
func (r *OpenResult) Places() []workspace.Shown {
	var out []workspace.Shown
	for i := range r.Items {
		m := &r.Items[i]
		if m.Path == "" {
			continue
		}
		out = append(out, workspace.Shown{Path: m.Path, From: m.Lines[0], To: m.Lines[1]})
		for _, s := range m.Outline {
			out = append(out, workspace.Shown{Path: m.Path, From: s.Line, To: s.Line})
		}
	}
	return out
}

// Places are the lines of files that the answer shows.
func (r *ExploreResult) Places() []workspace.Shown {
	var out []workspace.Shown
	for i := range r.Items {
		m := &r.Items[i]
		switch {
		case m.Path != "":
			out = append(out, workspace.Shown{Path: m.Path, From: m.Line, To: m.Line + strings.Count(m.Text, "\n")})
		case m.Symbol != nil && m.Symbol.Path != "" && m.Text != "":
			out = append(out, workspace.Shown{Path: m.Symbol.Path, From: m.Symbol.Line, To: m.Symbol.Line})
		}
	}
	return out
}

// Frozen is the call as it is recorded: its paths in one spelling.
func (p DiscoverParams) Frozen(root string) DiscoverParams {
	p.Path = frozenPath(root, p.Path)
	return p
}

// Frozen is the call as it is recorded: its paths in one spelling.
func (p GrepParams) Frozen(root string) GrepParams {
	p.Path = frozenAll(root, p.Path, frozenPath)
	return p
}

// Frozen is the call as it is recorded: its paths in one spelling.
func (p OpenParams) Frozen(root string) OpenParams {
	p.Target = frozenAll(root, p.Target, frozenTarget)
	return p
}

// Frozen is the call as it is recorded: its paths in one spelling.
func (p ExploreParams) Frozen(root string) ExploreParams {
	p.Path = frozenPath(root, p.Path)
	return p
}

// frozenPath is a path relative to the root; one that leads outside stays as it is.
func frozenPath(root, given string) string {
	if p, err := relative(root, given); err == nil && given != "" {
		return p
	}
	return given
}

// frozenTarget is a target without the root that it may begin with.
func frozenTarget(root, given string) string {
	p, below := strings.CutPrefix(given, root+"/")
	if below || strings.HasPrefix(p, "./") {
		return path.Clean(p)
	}
	return given
}

func frozenAll(root string, given []string, frozen func(root, given string) string) []string {
	out := make([]string, len(given))
	for i, p := range given {
		out[i] = frozen(root, p)
	}
	return out
}
