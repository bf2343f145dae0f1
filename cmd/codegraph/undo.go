//go:build unix

package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/workspace"
)

// undoResult is an edit as `codegraph undo --list --json` shows it.
type undoResult struct {
	ID     string    `json:"edit_id"`
	Tool   string    `json:"tool"`
	Time   time.Time `json:"time"`
	Paths  []string  `json:"paths"`
	Undoes string    `json:"undoes,omitempty"`
	NoUndo string    `json:"no_undo,omitempty"`
}

// undoCommand is `codegraph undo`.
func (a *app) undoCommand() *cobra.Command {
	var list, dry bool
	c := &cobra.Command{
		Use: "undo EDIT_ID", Short: "Take back an edit, keeping what was changed since",
		Long: "Takes back one edit of the journal. What was changed since stays; where both changed the same lines,\n" +
			"nothing is done and the place is shown. The journal keeps the last 500 edits.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if list || len(args) == 0 {
				return a.withFiles(c.Context(), a.listEdits)
			}
			t := undoTool(editor{open: a.with, ask: a.askPerson})
			return a.callTool(c.Context(), t, map[string]any{"edit_id": args[0], "dry_run": dry})
		},
	}
	c.Flags().BoolVar(&list, "list", false, "list the edits that can be taken back, the newest first")
	c.Flags().BoolVar(&dry, "dry-run", false, "only show what would change")
	c.Flags().BoolVarP(&a.yes, "yes", "y", false, "make the edit without asking")
	return c
}

// undoTool is the row behind `codegraph undo`, which is no tool of a model.
func undoTool(e editor) tool {
	return editRow(e, tool{Tool: mcpserver.Tool{Name: "undo", Title: "Undo", Description: "Takes back an edit."}}, edittools.Undo)
}

func (a *app) listEdits(w *workspace.Workspace) error {
	records, err := w.Edits()
	if err != nil {
		return err
	}
	edits := []undoResult{}
	for _, r := range records {
		e := undoResult{ID: r.ID, Tool: r.Tool, Time: r.Time, Undoes: r.Undoes, NoUndo: r.NoUndo}
		for i := range r.Steps {
			e.Paths = append(e.Paths, r.Steps[i].Path)
		}
		edits = append(edits, e)
	}
	if a.json {
		return a.printJSON(map[string]any{"edits": edits})
	}
	if len(edits) == 0 {
		a.code = exitNothing
	}
	for _, e := range edits {
		if _, err := fmt.Fprintf(a.out, "%s  %s  %-13s  %s\n", e.ID, e.Time.Local().Format(time.DateTime), e.Tool, pathList(e.Paths)); err != nil {
			return err
		}
	}
	return nil
}
