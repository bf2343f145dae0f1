//go:build unix

package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/workspace"
)

// evidenceCommand is `codegraph evidence`: the ledger of calls.
func (a *app) evidenceCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "evidence", Short: "The ledger of calls: what each tool call read or changed",
		Long: "Every call of a tool leaves an entry in a ledger in the state folder: what was called, what came of it, and\n" +
			"which files were read or changed, with their SHA-256. The entries are chained by their hashes; verify finds\n" +
			"one that was changed or taken away. The ledger keeps the newest 16 MB.",
		Args: a.noArgs, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.evidenceList(), a.evidenceShow(), a.evidenceVerify())
	return c
}

func (a *app) evidenceList() *cobra.Command {
	var limit int
	var tool, path string
	c := &cobra.Command{
		Use: "list", Short: "List the entries, the newest first", Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit <= 0 {
				return a.usage(c, "--limit is a number above 0")
			}
			return a.withFiles(c.Context(), func(w *workspace.Workspace) error {
				list, total, err := w.EvidenceList(c.Context(), limit, func(e *workspace.Entry) bool {
					return (tool == "" || e.Tool == tool) && (path == "" || touches(e, path))
				})
				if err != nil {
					return err
				}
				return a.printEntries(list, total)
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 30, "most entries to list")
	c.Flags().StringVar(&tool, "tool", "", "only calls of this tool, by its full name")
	c.Flags().StringVar(&path, "path", "", "only calls that read or changed this file")
	return c
}

// touches reports whether a call read or changed a file.
func touches(e *workspace.Entry, path string) bool {
	for _, x := range e.Read {
		if x.Path == path {
			return true
		}
	}
	for _, x := range e.Changed {
		if x.Path == path {
			return true
		}
	}
	return false
}

func (a *app) printEntries(list []*workspace.Entry, total int) error {
	if len(list) == 0 {
		a.code = exitNothing
	}
	if a.json {
		if list == nil {
			list = []*workspace.Entry{}
		}
		return a.printJSON(map[string]any{"entries": list, "shown": len(list), "total": total})
	}
	t := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
	for _, e := range list {
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", e.ID, e.Time.Local().Format(time.DateTime), e.Tool, e.Outcome, entryPaths(e))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(list) < total {
		_, _ = fmt.Fprintf(a.err, "%d of %d; --limit shows more\n", len(list), total)
	}
	return nil
}

// entryPaths names some of the files of a call.
func entryPaths(e *workspace.Entry) string {
	var paths []string
	for _, x := range e.Changed {
		paths = append(paths, x.Path)
	}
	more := e.ChangedMore
	if len(paths) == 0 {
		more = e.ReadMore
		for _, x := range e.Read {
			paths = append(paths, x.Path)
		}
	}
	const few = 3
	if n := len(paths); n > few {
		paths, more = paths[:few], more+n-few
	}
	out := strings.Join(paths, ", ")
	if more > 0 {
		out += fmt.Sprintf(" and %d more", more)
	}
	return out
}

func (a *app) evidenceShow() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show one entry; ID is what a result calls evidence, or a number", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withFiles(c.Context(), func(w *workspace.Workspace) error {
				e, err := w.Evidence(c.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(e)
				}
				_, err = fmt.Fprint(a.out, entryText(e))
				return err
			})
		},
	}
}

// entryText is an entry as a person reads it.
func entryText(e *workspace.Entry) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-11s %s\n", name, value)
		}
	}
	line("entry", e.ID)
	line("tool", e.Tool)
	line("outcome", e.Outcome)
	line("time", e.Time.Local().Format("2006-01-02 15:04:05.000 -0700"))
	line("generation", fmt.Sprint(e.Generation))
	line("call", e.CallID)
	line("input", e.InputHash)
	line("edit", e.EditID)
	if p := e.Approval; p != nil {
		line("approval", strings.Join(strings.Fields(strings.Join([]string{p.State, p.ID, p.By}, " ")), " "))
	}
	line("mended", e.Repair)
	line("hash", e.Hash)
	line("previous", e.Prev)
	for _, x := range e.Changed {
		fmt.Fprintf(&b, "changed     %s%s %.12s -> %.12s\n", x.Path, colon(x.Lines), x.Before, x.After)
	}
	for _, x := range e.Read {
		sum := x.SHA256
		if x.Indexed {
			sum += " (as indexed; single lines of it were read)"
		}
		fmt.Fprintf(&b, "read        %s%s %s\n", x.Path, colon(x.Lines), sum)
	}
	if n := e.ReadMore + e.ChangedMore; n > 0 {
		fmt.Fprintf(&b, "            and %d more files\n", n)
	}
	return b.String()
}

func colon(lines string) string {
	if lines == "" {
		return ""
	}
	return ":" + lines
}

func (a *app) evidenceVerify() *cobra.Command {
	return &cobra.Command{
		Use: "verify", Short: "Check the whole ledger: every hash, the chain, and its end", Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withFiles(c.Context(), func(w *workspace.Workspace) error { return a.verifyEvidence(c.Context(), w) })
		},
	}
}

func (a *app) verifyEvidence(ctx context.Context, w *workspace.Workspace) error {
	audit, err := w.VerifyEvidence(ctx)
	if err != nil {
		return err
	}
	if !audit.Sound {
		a.code = exitTrouble
	}
	if a.json {
		return a.printJSON(audit)
	}
	var b strings.Builder
	switch {
	case audit.Sound && audit.Entries == 0:
		b.WriteString("sound: there are no entries yet\n")
	case audit.Sound:
		fmt.Fprintf(&b, "sound: %d entries (%d to %d), every hash and the chain hold\n", audit.Entries, audit.First, audit.Last)
	default:
		fmt.Fprintf(&b, "NOT SOUND: %d entries read\n", audit.Entries)
	}
	for _, f := range audit.Faults {
		b.WriteString("fault: " + f + "\n")
	}
	for _, n := range audit.Notes {
		b.WriteString("note: " + n + "\n")
	}
	_, err = a.out.Write([]byte(b.String()))
	return err
}
