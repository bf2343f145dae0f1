//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// approvalsCommand is `codegraph approvals`: what waits for an answer, or one with its diff.
func (a *app) approvalsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "approvals [ID]", Short: "Edits that wait for an answer, or one of them with its diff", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withFiles(c.Context(), func(w *workspace.Workspace) error {
				all, err := w.Approvals(c.Context())
				if err != nil {
					return err
				}
				if len(args) == 1 {
					return a.showApproval(all, args[0])
				}
				return a.listApprovals(all)
			})
		},
	}
}

func (a *app) listApprovals(all []*workspace.Approval) error {
	if a.json {
		if all == nil {
			all = []*workspace.Approval{}
		}
		return a.printJSON(map[string]any{"approvals": all})
	}
	if len(all) == 0 {
		a.code = exitNothing
	}
	for _, p := range all {
		_, err := fmt.Fprintf(a.out, "%s  %-8s  %s  %s  %s\n", p.ID, p.State, p.Created.Local().Format(time.DateTime), p.Tool, pathList(p.Paths))
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *app) showApproval(all []*workspace.Approval, id string) error {
	for _, p := range all {
		if p.ID != id {
			continue
		}
		if a.json {
			return a.printJSON(p)
		}
		_, err := fmt.Fprintf(a.out, "%s  %s  %s  %s\n%s", p.ID, p.State, p.Tool, strings.Join(p.Paths, ", "), p.Diff)
		return err
	}
	return noApproval(id)
}

func noApproval(id string) error {
	return &readtools.Error{Code: "not_found", Message: fmt.Sprintf("there is no approval %q", id), Next: "run `codegraph approvals`"}
}

// decideCommand is `codegraph approve` and `codegraph deny`. Who approves sees the diff.
func (a *app) decideCommand(verb string) *cobra.Command {
	c := &cobra.Command{
		Use: verb + " ID", Short: map[string]string{"approve": "Allow an edit that waits for an answer, once", "deny": "Refuse an edit that waits for an answer"}[verb],
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withFiles(c.Context(), func(w *workspace.Workspace) error { return a.decide(c.Context(), w, args[0], verb == "approve") })
		},
	}
	c.Flags().BoolVarP(&a.yes, "yes", "y", false, "do not show the diff and ask again")
	return c
}

func (a *app) decide(ctx context.Context, w *workspace.Workspace, id string, approve bool) error {
	if approve && !a.yes && terminal(a.in) {
		all, err := w.Approvals(ctx)
		if err != nil {
			return err
		}
		for _, p := range all {
			if p.ID == id {
				_, _ = io.WriteString(a.err, p.Diff)
			}
		}
		if approve = a.confirm("Allow this edit?"); !approve {
			a.say("denied")
		}
	}
	p, err := w.Decide(ctx, id, approve, "codegraph approve")
	var ae *workspace.ApprovalError
	switch {
	case errors.As(err, &ae) && ae.State == "":
		return noApproval(id)
	case errors.As(err, &ae):
		return &readtools.Error{Code: "precondition", Message: ae.Error(), Next: "have the call made again, which asks anew"}
	case err != nil:
		return err
	case a.json:
		return a.printJSON(p)
	}
	_, err = fmt.Fprintf(a.out, "%s is %s; it holds for one call, until %s\n", p.ID, p.State, p.Expires.Local().Format(time.TimeOnly))
	return err
}
