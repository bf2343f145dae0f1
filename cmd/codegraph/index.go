//go:build unix

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/workspace"
)

// indexResult is what `codegraph index --json` prints.
type indexResult struct {
	Root       string         `json:"root"`
	Generation uint64         `json:"generation"`
	Files      int            `json:"files"`
	Read       int            `json:"read"`
	Bytes      int64          `json:"bytes"`
	Changed    int            `json:"changed"`
	Deleted    int            `json:"deleted"`
	Relinked   int            `json:"relinked"`
	Rebuilt    string         `json:"rebuilt,omitempty"`
	Partial    []skipResult   `json:"partial"`
	Skipped    []skipResult   `json:"skipped"`
	Seconds    float64        `json:"seconds"`
	Phases     []phaseSeconds `json:"phases"`
}

type skipResult struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type phaseSeconds struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// indexCommand is `codegraph index`.
func (a *app) indexCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use: "index", Short: "Bring the index up to the files on disk, reading every file",
		Long: "Reads every file of the workspace and indexes those whose bytes changed. The other verbs do the same\n" +
			"by themselves for files whose size or times changed; this one also finds changes that left both as they were.",
		Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.index(c.Context(), verbose) },
	}
	c.Flags().BoolVar(&verbose, "verbose", false, "also how long each part took")
	return c
}

func (a *app) index(ctx context.Context, verbose bool) error {
	r, err := indexJob.run(ctx, a, none{})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(r)
	}
	a.printIndex(r, verbose)
	return nil
}

// none is what there is to say of a job that is always the same.
type none struct{}

// indexJob brings the index up to the files on disk, reading every file.
var indexJob = job[none, *indexResult]{name: "index", do: func(ctx context.Context, w *workspace.Workspace, _ none) (*indexResult, error) {
	r, err := w.Refresh(ctx, workspace.Full)
	if err != nil {
		return nil, err
	}
	return indexed(w.Root(), r), nil
}}

func indexed(root string, r *workspace.Report) *indexResult {
	out := &indexResult{
		Root: root, Generation: uint64(r.Generation), Files: r.Files, Read: r.Read, Bytes: r.Bytes, Changed: r.Changed, Deleted: r.Deleted,
		Relinked: r.Relinked, Rebuilt: r.Rebuilt, Partial: skips(r.Partial), Skipped: skips(r.Skips), Seconds: r.Took.Seconds(),
	}
	for _, p := range r.Phases {
		out.Phases = append(out.Phases, phaseSeconds{p.Name, p.Wall.Seconds()})
	}
	return out
}

func skips(in []index.Skip) []skipResult {
	out := []skipResult{}
	for _, s := range in {
		out = append(out, skipResult{s.Path, s.Reason})
	}
	return out
}

func (a *app) printIndex(r *indexResult, verbose bool) {
	_, _ = fmt.Fprintf(a.out, "%s: %d files, generation %d, %.1f s\n", r.Root, r.Files, r.Generation, r.Seconds)
	if r.Changed+r.Deleted == 0 {
		_, _ = fmt.Fprintln(a.out, "nothing changed")
	} else {
		_, _ = fmt.Fprintf(a.out, "%d files changed, %d deleted, %d more linked anew\n", r.Changed, r.Deleted, r.Relinked)
	}
	if n := len(r.Partial) + len(r.Skipped); n > 0 {
		_, _ = fmt.Fprintf(a.out, "%d of the changed files only partly indexed, %d without facts; `codegraph status` lists them\n", len(r.Partial), len(r.Skipped))
	}
	if verbose {
		for _, p := range r.Phases {
			_, _ = fmt.Fprintf(a.out, "  %-6s %v\n", p.Name, time.Duration(p.Seconds*float64(time.Second)).Round(time.Millisecond))
		}
	}
}
