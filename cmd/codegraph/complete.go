//go:build unix

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
	a.err = io.Discard // a shell shows nothing but the words
	out, err := completeJob.run(workspace.Within(c.Context(), completeBudget), a, completeAsk{word, names.paths, names.symbols})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	directive := cobra.ShellCompDirectiveNoFileComp
	if len(out) == 1 && strings.HasSuffix(out[0], "/") {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return out, directive
}

// completeAsk is a word to complete, and what it may name.
type completeAsk struct {
	Word    string `json:"word"`
	Paths   bool   `json:"paths"`
	Symbols bool   `json:"symbols"`
}

// completeJob completes a word from the index.
var completeJob = job[completeAsk, []string]{name: "complete", soon: completeBudget, do: func(ctx context.Context, w *workspace.Workspace, q completeAsk) (out []string, err error) {
	err = w.View(ctx, func(s *workspace.Snapshot) (err error) {
		out = nil
		if q.Paths {
			out = paths(s.Files(), q.Word)
		}
		if !q.Symbols {
			return nil
		}
		found, err := symbols(ctx, s, q.Word)
		out = append(out, found...)
		return err
	})
	return out, err
}}

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
