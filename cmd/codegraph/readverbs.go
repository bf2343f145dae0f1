package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/workspace"
)

// viewer runs a function over a snapshot: for a verb on a workspace opened for the call, for
// a server on its own.
type viewer func(ctx context.Context, f func(*workspace.Snapshot) error) error

// tools is the table of tools for the verbs.
func (a *app) tools() []tool {
	return readTools(func(ctx context.Context, f func(*workspace.Snapshot) error) error {
		return a.view(ctx, func(_ *workspace.Workspace, s *workspace.Snapshot) error { return f(s) })
	})
}

// readTools are the read tools over a viewer.
func readTools(view viewer) []tool { return nil }

// extraFlags adds the flags that a verb takes for the sake of habit.
func (a *app) extraFlags(t tool, c *cobra.Command, values map[string]*flagValue) {
	if t.verb != "grep" {
		return
	}
	c.Flags().VarPF(&aliasValue{values["pattern"]}, "regexp", "e", "the pattern, for one that begins with a dash")
	l := c.Flags().VarPF(&fixedValue{values["output"], "files"}, "files-with-matches", "l", "only the paths of files with a match")
	n := c.Flags().VarPF(&fixedValue{values["output"], "count"}, "count", "c", "only the number of matching lines a file")
	number := c.Flags().BoolP("line-number", "n", true, "lines have their numbers; this is always so")
	_ = number
	l.NoOptDefVal, n.NoOptDefVal = "true", "true"
}

// aliasValue sets another flag.
type aliasValue struct{ *flagValue }

// fixedValue sets another flag to a fixed value.
type fixedValue struct {
	of    *flagValue
	value string
}

// String implements pflag.Value.
func (v *fixedValue) String() string { return "" }

// Type implements pflag.Value.
func (v *fixedValue) Type() string { return "bool" }

// Set implements pflag.Value.
func (v *fixedValue) Set(string) error { return v.of.Set(v.value) }
