package main

import (
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// A shell waits while a word is completed, so an index that is not there in time is not
// waited for.
const (
	completeBudget = time.Second
	mostCompleted  = 100
)

// targets are the tools whose positional arguments name paths and symbols.
var targets = []string{"read_open", "codebase_explore"}

// completeTargets completes paths, one folder at a time, and names of symbols, from the index.
func (a *app) completeTargets(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	err := a.peek(c.Context(), func(s *workspace.Snapshot) error {
		out = paths(s.Files(), word)
		names, err := symbols(c.Context(), s, word)
		out = append(out, names...)
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if len(out) == 1 && strings.HasSuffix(out[0], "/") {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return out, directive
}

// peek runs f over a snapshot without a word to anybody.
func (a *app) peek(ctx context.Context, f func(*workspace.Snapshot) error) error {
	a.err = io.Discard
	w, err := a.open(ctx, func(o *workspace.Options) { o.Budget = completeBudget })
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	return w.View(ctx, f)
}

// paths are the files and folders that a word is the beginning of.
func paths(files []graph.File, word string) []string {
	var out []string
	for _, f := range files {
		rest, ok := strings.CutPrefix(f.Path, word)
		if !ok {
			continue
		}
		p := f.Path
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			p = word + rest[:i+1]
		}
		if len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), mostCompleted)]
}

// symbols are the names of definitions that a word is the beginning of.
func symbols(ctx context.Context, s *workspace.Snapshot, word string) ([]string, error) {
	if word == "" || strings.ContainsAny(word, "/:#") {
		return nil, nil
	}
	p := readtools.GrepParams{Pattern: "^" + regexp.QuoteMeta(word), In: "symbols", Output: "lines"}
	p.Limit = mostCompleted
	r, err := readtools.Grep(ctx, s, p)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, m := range r.Matches {
		if m.Symbol != nil && strings.HasPrefix(m.Symbol.Name, word) {
			out = append(out, m.Symbol.Name+"\t"+m.Symbol.Kind+" in "+m.Path)
		}
	}
	slices.Sort(out)
	return slices.CompactFunc(out, func(x, y string) bool {
		x, _, _ = strings.Cut(x, "\t")
		y, _, _ = strings.Cut(y, "\t")
		return x == y
	}), nil
}
