//go:build unix

package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/workspace"
)

// stageResult is where a tool stands in the run of a call, and if it stops, why.
type stageResult struct {
	Name       string `json:"name"`
	Verb       string `json:"verb"`
	Registered bool   `json:"registered"`
	Public     bool   `json:"public"`
	Available  bool   `json:"available"`
	Exposed    bool   `json:"exposed"`
	Approval   string `json:"approval"` // none, ask, host or off
	Reason     string `json:"reason,omitempty"`
}

// toolsCommand is `codegraph tools`: the chain from registry to approval, for each tool.
func (a *app) toolsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "tools", Short: "Where each tool stands: registered, public, available, exposed, approval", Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			policy, reason := workspace.PolicyOff, ""
			err := a.withFiles(c.Context(), func(w *workspace.Workspace) (err error) {
				policy, err = w.Policy()
				return err
			})
			if err != nil {
				reason = asError(err).Message
			}
			return a.printChain(stages(a.tools(), policy, reason))
		},
	}
}

// stages follows each tool through the chain. broken says why the workspace cannot be used.
func stages(tools []tool, policy workspace.Policy, broken string) []stageResult {
	var out []stageResult
	for _, t := range tools {
		r := stageResult{Name: t.Name, Verb: t.verb, Registered: true, Public: true, Available: broken == "", Reason: broken, Approval: "none"}
		if !t.Hints.ReadOnly {
			r.Approval = string(policy)
			if policy == workspace.PolicyOff && broken == "" {
				r.Available, r.Reason = false, "edits: off, in .codegraph.yaml or the user's configuration"
			}
		}
		r.Exposed = r.Registered && r.Public // the list is the same for every client; a call tells what is not available
		out = append(out, r)
	}
	return out
}

func (a *app) printChain(list []stageResult) error {
	if a.json {
		return a.printJSON(map[string]any{"tools": list})
	}
	w := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "TOOL\tVERB\tREGISTERED\tPUBLIC\tAVAILABLE\tEXPOSED\tAPPROVAL\tREASON")
	word := map[bool]string{true: "yes", false: "no"}
	for _, r := range list {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, r.Verb, word[r.Registered], word[r.Public], word[r.Available], word[r.Exposed], r.Approval, r.Reason)
	}
	return w.Flush()
}
