//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/cmd/codegraph/agents"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// installed is what `codegraph install` and `uninstall` print with --json.
type installed struct {
	DryRun   bool              `json:"dry_run"`
	Applied  bool              `json:"applied"`
	Plan     *agents.Plan      `json:"plan"`
	Outcomes []*agents.Outcome `json:"outcomes"`
}

// registration are the flags of install and uninstall.
type registration struct {
	agents  []string
	scope   string
	dry     bool
	guide   bool
	edits   string
	program string
}

// installCommand is `codegraph install`.
func (a *app) installCommand() *cobra.Command {
	var r registration
	c := &cobra.Command{
		Use: "install", Short: "Register the server in the agents that are found here",
		Long: "Shows what would change in the agents' configuration files, asks, changes it, starts the server as the\n" +
			"agent would and calls a tool; an agent for which that fails gets its files back. What is in the files\n" +
			"stays byte for byte; a backup lies beside each. `codegraph uninstall` takes it all back.\n\n" +
			"Agents: " + strings.Join(agents.Names(), ", ") + ".",
		Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.install(c, r) },
	}
	a.registrationFlags(c, &r)
	c.Flags().StringVar(&r.program, "command", "", "the program that agents start; default: this one")
	c.Flags().StringVar(&r.edits, "edits", "", "the policy for the edit tools: off, ask (each edit is asked for), host (the agent asks its user itself)")
	c.Flags().BoolVar(&r.guide, "guide", true, "with --scope project, a marked block in the project's agent file (AGENTS.md, CLAUDE.md); --guide=false leaves it out")
	_ = c.RegisterFlagCompletionFunc("edits", cobra.FixedCompletions([]string{"off", "ask", "host"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// uninstallCommand is `codegraph uninstall`.
func (a *app) uninstallCommand() *cobra.Command {
	var r registration
	c := &cobra.Command{
		Use: "uninstall", Short: "Take the server out of the agents again",
		Long: "Brings back each file as it was before, byte for byte, unless somebody else changed it since: then only\n" +
			"the entry is taken out. Without --scope at both levels, without --agent from all agents.",
		Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.uninstall(c, r) },
	}
	a.registrationFlags(c, &r)
	return c
}

func (a *app) registrationFlags(c *cobra.Command, r *registration) {
	c.Flags().StringSliceVar(&r.agents, "agent", nil, "an agent's name; may be given more than once; default: those that are found")
	c.Flags().StringVar(&r.scope, "scope", "", "user or project")
	c.Flags().BoolVar(&r.dry, "dry-run", false, "only show what would change")
	c.Flags().BoolVarP(&a.yes, "yes", "y", false, "change it without asking")
	_ = c.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions(agents.Names(), cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions([]string{string(agents.User), string(agents.Project)}, cobra.ShellCompDirectiveNoFileComp))
}

func (a *app) install(c *cobra.Command, r registration) error {
	o, err := a.registration(c, r)
	if err != nil {
		return err
	}
	if o.Scope == "" {
		o.Scope = agents.User
	}
	a.askPolicy(&o, r)
	p, err := agents.Make(o)
	if err != nil {
		return noAgent(err)
	}
	done := installed{DryRun: r.dry, Plan: p, Outcomes: []*agents.Outcome{}}
	if yes, err := a.agree(p, r.dry, "Make these changes?"); err != nil || !yes {
		return a.printInstalled(done, err)
	}
	done.Outcomes, err = agents.Install(c.Context(), o)
	done.Applied = true
	return a.printInstalled(done, err)
}

func (a *app) uninstall(c *cobra.Command, r registration) error {
	o, err := a.registration(c, r)
	if err != nil {
		return err
	}
	p, err := agents.MakeRemoval(o)
	if err != nil {
		return noAgent(err)
	}
	done := installed{DryRun: r.dry, Plan: p, Outcomes: []*agents.Outcome{}}
	if yes, err := a.agree(p, r.dry, "Take this out?"); err != nil || !yes {
		return a.printInstalled(done, err)
	}
	all, err := agents.Uninstall(o)
	for _, out := range all {
		if out.State != "absent" {
			done.Outcomes = append(done.Outcomes, out)
		}
	}
	done.Applied = true
	if len(done.Outcomes) == 0 && err == nil {
		a.code = exitNothing
	}
	return a.printInstalled(done, err)
}

func noAgent(err error) error {
	if errors.Is(err, agents.ErrNone) {
		return &readtools.Error{Code: "not_found", Message: err.Error(), Next: "name one: `codegraph install --agent NAME [--scope project]`"}
	}
	return err
}

// registration are the options that the flags mean.
func (a *app) registration(c *cobra.Command, r registration) (o agents.Options, err error) {
	if r.scope != "" && r.scope != string(agents.User) && r.scope != string(agents.Project) {
		return o, a.usage(c, fmt.Sprintf("--scope is user or project, not %q", r.scope))
	}
	if r.edits != "" && !slices.Contains([]string{"off", "ask", "host"}, r.edits) {
		return o, a.usage(c, fmt.Sprintf("--edits is off, ask or host, not %q", r.edits))
	}
	if o.Dirs, err = a.agentDirs(r.scope == string(agents.Project)); err != nil {
		return o, err
	}
	o.Agents, o.Scope, o.Guide, o.Edits, o.Command = r.agents, agents.Scope(r.scope), r.guide, r.edits, r.program
	if o.Command == "" {
		o.Command, err = program(o.Scope)
	}
	return o, err
}

// agentDirs are the folders of the agents; the project is the root, if it is one or if it
// is asked for.
func (a *app) agentDirs(project bool) (agents.Dirs, error) {
	root, err := a.root()
	if err != nil {
		return agents.Dirs{}, err
	}
	if root, err = filepath.Abs(root); err != nil {
		return agents.Dirs{}, err
	}
	state, err := workspace.StateHome("")
	if len(a.roots) == 0 && !project && !marked(root) {
		root = ""
	}
	if err != nil {
		return agents.Dirs{}, err
	}
	return agents.System(root, state)
}

// marked reports whether a folder says that it is a root.
func marked(dir string) bool {
	return slices.ContainsFunc([]string{".git", ".hg", ".jj", ".codegraph.yaml"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// program is how agents start this program: by its path, since an agent with windows may not
// have the shell's PATH; in files that are shared by its name, if the shell finds it so.
func program(s agents.Scope) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w; give --command", err)
	}
	if s != agents.Project {
		return self, nil
	}
	if found, err := exec.LookPath(agents.Name); err == nil {
		here, err1 := os.Stat(self)
		there, err2 := os.Stat(found)
		if err1 == nil && err2 == nil && os.SameFile(here, there) {
			return agents.Name, nil
		}
	}
	return self, nil
}

// askPolicy asks a person at a terminal for the edit policy.
func (a *app) askPolicy(o *agents.Options, r registration) {
	if r.edits != "" || r.dry || a.yes || a.json || !terminal(a.in) || !terminal(a.err) {
		return
	}
	_, _ = fmt.Fprint(a.err, "When an agent wants to edit files through codegraph: off (never), ask (you are asked each time)"+
		"\nor host (the agent asks you itself)? [ask] ")
	switch word := a.readLine(); word {
	case "off", "host":
		o.Edits = word
	}
}
