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

// completed is what the positional arguments of a verb name.
type completed struct {
	paths, symbols bool
	after          int // arguments before the first that does
}

// completions are those of the tools that have any.
var completions = map[string]completed{
	"read_open": {paths: true, symbols: true}, "codebase_explore": {paths: true, symbols: true}, "grep": {paths: true, after: 1},
	"write_file": {paths: true}, "replace_block": {paths: true}, "delete_path": {paths: true}, "move_path": {paths: true},
}

// complete completes a verb's positional arguments from the index: paths, one folder at a
// time, and names of symbols.
func (a *app) complete(names completed) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) < names.after {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return a.completeNames(c, names, word)
	}
}

func (a *app) completeNames(c *cobra.Command, names completed, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	err := a.peek(c.Context(), func(s *workspace.Snapshot) (err error) {
		if names.paths {
			out = paths(s.Files(), word)
		}
		if !names.symbols {
			return nil
		}
		found, err := symbols(c.Context(), s, word)
		out = append(out, found...)
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
