//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/cmd/codegraph/agents"
)

// integrationsCommand is `codegraph integrations`.
func (a *app) integrationsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "integrations", Short: "The merged view of integrations.yaml, and the hints that follow from it",
		Long: "Reads integrations.yaml of the user and of the project; the project's entry replaces the user's of the\n" +
			"same name whole. Prints what each integration is for, and the hint lines in the form in which the agent\n" +
			"puts them into its prompt. Exits with 1 if our own tools are not preferred, with 2 if a file is wrong.",
		Args: a.noArgs,
		RunE: func(*cobra.Command, []string) error {
			d, err := a.agentDirs(false)
			if err != nil {
				return err
			}
			return a.printIntegrations(agents.Integrations(d))
		},
	}
}

func (a *app) printIntegrations(m *agents.Merged) error {
	lacks := m.SelfCheck()
	if len(lacks) > 0 {
		a.code = exitNothing
	}
	if len(m.Problems) > 0 {
		a.code = exitTrouble
	}
	if a.json {
		return a.printJSON(struct {
			*agents.Merged
			Preferred bool     `json:"preferred"` // our tools over Grep, Glob and Read
			Lacks     []string `json:"lacks"`
		}{m, len(lacks) == 0, append([]string{}, lacks...)})
	}
	var b strings.Builder
	for _, e := range m.Integrations {
		fmt.Fprintf(&b, "%s (%s, %s:%d)\n  capabilities: %s\n  preferOver:   %s\n", e.Name, e.Scope, e.Path, e.Line, orNone(e.Capabilities), orNone(e.PreferOver))
		if e.Replaces != "" {
			fmt.Fprintf(&b, "  replaces:     %s\n", e.Replaces)
		}
	}
	for _, h := range m.Hints {
		b.WriteString(h + "\n")
	}
	for _, p := range m.Problems {
		fmt.Fprintf(&b, "wrong: %v\n", p)
	}
	if len(lacks) == 0 {
		b.WriteString("self-check: mcp__codegraph__* is preferred over Grep, Glob and Read\n")
	}
	for _, l := range lacks {
		fmt.Fprintf(&b, "self-check: %s; run `codegraph install --agent mirri-code`\n", l)
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
