//go:build unix

package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/workspace"
)

// statusResult is what `codegraph status --json` prints.
type statusResult struct {
	Root       string                           `json:"root"`
	State      string                           `json:"state"`
	Generation uint64                           `json:"generation"`
	Fresh      bool                             `json:"fresh"`
	Notes      []string                         `json:"notes"`
	Files      int                              `json:"files"`
	Symbols    int                              `json:"symbols"`
	References map[string]int                   `json:"references"`
	Languages  map[string]index.LanguageSummary `json:"languages"`
	Partial    []skipResult                     `json:"partial"`
	Skipped    []skipResult                     `json:"skipped"`
	Sizes      map[string]int64                 `json:"sizes"`
	Unresolved map[string]int                   `json:"unresolved,omitempty"`
	Daemon     *daemonResult                    `json:"daemon,omitempty"`
}

// statusCommand is `codegraph status`.
func (a *app) statusCommand() *cobra.Command {
	var unresolved bool
	c := &cobra.Command{
		Use: "status", Short: "What the index holds, and what it does not", Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := statusJob.run(c.Context(), a, statusAsk{unresolved})
			if err != nil {
				return err
			}
			r.Daemon = a.daemonOf(c.Context(), r.Root)
			if a.json {
				return a.printJSON(r)
			}
			_, err = fmt.Fprint(a.out, r.text())
			return err
		},
	}
	c.Flags().BoolVar(&unresolved, "unresolved", false, "also why references are not resolved, counted")
	return c
}

// statusAsk says what a status shall tell besides what it always does.
type statusAsk struct {
	Unresolved bool `json:"unresolved"`
}

// statusJob tells how the index is. Who asks that while a daemon makes it wants to know just that.
var statusJob = job[statusAsk, *statusResult]{name: "status", soon: mcpBudget, do: func(ctx context.Context, w *workspace.Workspace, q statusAsk) (r *statusResult, err error) {
	err = w.View(ctx, func(s *workspace.Snapshot) (err error) {
		r, err = status(ctx, w, s, q.Unresolved)
		return err
	})
	return r, err
}}

func status(ctx context.Context, w *workspace.Workspace, s *workspace.Snapshot, unresolved bool) (*statusResult, error) {
	sum, err := index.Summarize(s.Graph())
	if err != nil {
		return nil, err
	}
	r := &statusResult{
		Root: s.Root(), State: w.State(), Generation: uint64(s.Generation()), Fresh: s.Fresh(), Notes: s.Notes(), Files: sum.Files, Symbols: sum.Symbols,
		References: map[string]int{}, Languages: sum.Language, Partial: skips(sum.Partial), Skipped: skips(sum.Skipped), Sizes: w.Sizes(),
	}
	if r.Notes == nil {
		r.Notes = []string{}
	}
	for i, n := range sum.Refs {
		r.References[graph.Status(i).String()] = n
	}
	for _, k := range s.Skips() {
		r.Skipped = append(r.Skipped, skipResult{k.Path, string(k.Reason)})
	}
	if unresolved {
		r.Unresolved, err = countReasons(ctx, s)
	}
	return r, err
}

// countReasons counts the unresolved references by reason.
func countReasons(ctx context.Context, s *workspace.Snapshot) (map[string]int, error) {
	out := map[string]int{}
	for _, f := range s.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		links, err := s.Graph().Links([]graph.FileID{f.ID})
		if err != nil {
			return nil, err
		}
		if links[0] == nil {
			continue
		}
		for _, l := range links[0].Refs {
			if l.Status == graph.Unresolved {
				out[l.Reason.String()]++
			}
		}
	}
	return out, nil
}

// mostSkips is how many skipped files of a reason the text names.
const mostSkips = 10

func (r *statusResult) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "root        %s\nstate       %s\ngeneration  %d%s\n", r.Root, r.State, r.Generation, map[bool]string{true: "", false: " (not fresh)"}[r.Fresh])
	if r.Daemon != nil {
		fmt.Fprintf(&b, "daemon      %s\n", r.Daemon.text())
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note        %s\n", n)
	}
	fmt.Fprintf(&b, "files       %d\nsymbols     %d\n", r.Files, r.Symbols)
	for _, k := range []string{"certain", "possible", "external", "unresolved"} {
		fmt.Fprintf(&b, "references  %-10s %d\n", k, r.References[k])
	}
	for _, k := range slices.Sorted(maps.Keys(r.Unresolved)) {
		fmt.Fprintf(&b, "unresolved  %-10s %d\n", k, r.Unresolved[k])
	}
	for _, k := range slices.Sorted(maps.Keys(r.Languages)) {
		l := r.Languages[k]
		fmt.Fprintf(&b, "language    %-10s %d files, %d lines, %d symbols\n", k, l.Files, l.Lines, l.Symbols)
	}
	for _, k := range slices.Sorted(maps.Keys(r.Sizes)) {
		fmt.Fprintf(&b, "size        %-10s %.1f MB\n", k, float64(r.Sizes[k])/1e6)
	}
	writeSkips(&b, "partial", r.Partial)
	writeSkips(&b, "skipped", r.Skipped)
	return b.String()
}

// writeSkips lists files by reason, the first few of each by name.
func writeSkips(b *strings.Builder, word string, list []skipResult) {
	by := map[string][]string{}
	for _, s := range list {
		by[s.Reason] = append(by[s.Reason], s.Path)
	}
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		paths := by[reason]
		fmt.Fprintf(b, "%-11s %s: %d files\n", word, reason, len(paths))
		for i, p := range paths {
			if i == mostSkips {
				fmt.Fprintf(b, "              and %d more; --json lists all\n", len(paths)-i)
				break
			}
			fmt.Fprintf(b, "              %s\n", p)
		}
	}
}
