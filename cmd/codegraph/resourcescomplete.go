//go:build unix

package main

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// completePath completes the path of a file: first the paths that begin with what was typed,
// then those that read_discover finds for it, the best first.
func completePath(ctx context.Context, s *workspace.Snapshot, typed string) (mcpserver.Completion, error) {
	files := s.Files()
	at, _ := slices.BinarySearchFunc(files, typed, func(f graph.File, p string) int { return strings.Compare(f.Path, p) })
	var c mcpserver.Completion
	for _, f := range files[at:] {
		if !strings.HasPrefix(f.Path, typed) {
			break
		}
		if c.Total++; c.Total <= mostCompleted {
			c.Values = append(c.Values, f.Path)
		}
	}
	if typed == "" || c.Total >= mostCompleted {
		return c, nil
	}
	p := readtools.DiscoverParams{Query: typed, Type: "file"}
	p.Limit = mostCompleted
	r, err := readtools.Discover(ctx, s, p)
	if err != nil {
		return c, err
	}
	for _, e := range r.Entries {
		if !slices.Contains(c.Values, e.Path) && len(c.Values) < mostCompleted {
			c.Values = append(c.Values, e.Path)
		}
	}
	c.Total, c.More = 0, r.Total > r.Shown // two lists that overlap have no total that is known
	if !c.More {
		c.Total = len(c.Values)
	}
	return c, nil
}

// completeID completes the id of a symbol. What looks like the beginning of an id (a path, or
// a path and names) is completed to ids that begin so; a word to the ids of the symbols whose
// names begin with it, then of those that have it anywhere, whatever its case.
func completeID(ctx context.Context, s *workspace.Snapshot, typed string) (mcpserver.Completion, error) {
	p := readtools.GrepParams{In: "symbols", Output: "lines", IgnoreCase: true, Pattern: regexp.QuoteMeta(typed)}
	p.Limit, p.Budget = mostCompleted, mostBytes
	file, names, within := strings.Cut(typed, "#")
	switch {
	case within:
		p.Path = []string{file}
		p.Pattern = "^" + regexp.QuoteMeta(names[strings.LastIndexAny(names, ".")+1:])
	case strings.Contains(typed, "/"):
		p.Pattern = "."
		p.Glob = []string{literalGlob(typed) + "*", literalGlob(typed) + "*/**"}
	case typed == "":
		p.Pattern = "."
	}
	r, err := readtools.Grep(ctx, s, p)
	if err != nil {
		if e := asError(err); within && e.Code == "not_found" {
			return mcpserver.Completion{}, nil // the file is not there, so it has no symbols
		}
		return mcpserver.Completion{}, err
	}
	c := mcpserver.Completion{Total: r.Total}
	var found []*readtools.Symbol
	for i := range r.Matches {
		if m := &r.Matches[i]; m.Symbol != nil {
			found = append(found, m.Symbol)
		}
	}
	if within {
		all := len(found)
		found = slices.DeleteFunc(found, func(x *readtools.Symbol) bool { return !strings.HasPrefix(x.ID, typed) })
		if c.More = r.Total > all; !c.More {
			c.Total = len(found)
		}
	}
	slices.SortStableFunc(found, func(x, y *readtools.Symbol) int { return cmp.Compare(beginning(x, typed), beginning(y, typed)) })
	for _, x := range found {
		c.Values = append(c.Values, x.ID)
	}
	return c, nil
}

// beginning orders symbols: those whose names begin with a word before the others.
func beginning(s *readtools.Symbol, word string) int {
	if len(s.Name) >= len(word) && strings.EqualFold(s.Name[:len(word)], word) {
		return 0
	}
	return 1
}

// literalGlob is a glob that matches a text alone.
func literalGlob(s string) string {
	return regexp.MustCompile(`[\\*?\[\]{}!]`).ReplaceAllString(s, `\$0`)
}
