//go:build unix

package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// opener runs a function over the workspace: for a verb over one opened for the call, for a
// server over its own.
type opener func(ctx context.Context, f func(*workspace.Workspace) error) error

// tools is the table of tools for the verbs.
func (a *app) tools() []tool {
	return append(readTools(a.with), editTools(editor{open: a.with, ask: a.askPerson})...)
}

// readOnly are the hints of a tool that changes nothing and asks nobody outside.
var readOnly = mcpserver.Hints{ReadOnly: true, Idempotent: true}

// readTools are the read tools over an opener.
func readTools(open opener) []tool {
	return []tool{
		row(open, tool{verb: "discover", short: "Find folders and files, or see the shape of the tree", Tool: mcpserver.Tool{
			Name: "read_discover", Title: "Find files and folders", Description: readtools.DiscoverDescription}},
			readtools.Discover),
		row(open, tool{verb: "grep", short: "Search text, definitions, references or configuration keys", Tool: mcpserver.Tool{
			Name: "grep", Title: "Search text and symbols", Description: readtools.GrepDescription}},
			readtools.Grep),
		row(open, tool{verb: "open", short: "Read files, line ranges or definitions by name", Tool: mcpserver.Tool{
			Name: "read_open", Title: "Read files and symbols", Description: readtools.OpenDescription}},
			readtools.Open),
		row(open, tool{verb: "explore", short: "Ask how code hangs together and what a change would touch", Tool: mcpserver.Tool{
			Name: "codebase_explore", Title: "Explore the code base", Description: readtools.ExploreDescription}},
			readtools.Explore),
	}
}

// readParams are the parameters of a read tool.
type readParams[P any] interface {
	Frozen(root string) P
	When(ctx context.Context) context.Context
}

// readResult is the result of a read tool.
type readResult[R any] interface {
	*R
	Text() string
	Places() []workspace.Shown
	SetEvidence(id string)
}

// row completes a row of the table from the tool's function.
func row[P readParams[P], R any, A readResult[R]](open opener, t tool, run func(context.Context, *workspace.Snapshot, P) (*R, error)) tool {
	t.Hints = readOnly
	t.Tool = mcpserver.Typed(t.Tool, func(ctx context.Context, p P) (out R, text string, err error) {
		err = open(ctx, func(w *workspace.Workspace) error {
			call, err := witness(ctx, t.Name, p.Frozen(w.Root()))
			if err != nil {
				return err
			}
			var r *R
			ctx := p.When(ctx)
			err = w.View(ctx, func(s *workspace.Snapshot) error {
				var places []workspace.Shown
				if r, err = run(ctx, s, p); err == nil {
					places = A(r).Places()
				}
				call.saw(s, places)
				return err
			})
			id := call.end(ctx, w, err)
			if err == nil {
				A(r).SetEvidence(id)
				out, text = *r, A(r).Text()
			}
			return evident(err, id)
		})
		return out, text, err
	})
	return t
}

// extraFlags adds the flags that a verb takes for the sake of habit.
func (a *app) extraFlags(t tool, c *cobra.Command, values map[string]*flagValue) {
	if !t.Hints.ReadOnly {
		c.Flags().BoolVarP(&a.yes, "yes", "y", false, "make the edit without asking")
	}
	if t.verb != "grep" {
		return
	}
	c.Flags().VarPF(&aliasValue{values["pattern"]}, "regexp", "e", "the pattern, for one that begins with a dash")
	l := c.Flags().VarPF(&fixedValue{values["output"], "files"}, "files-with-matches", "l", "only the paths of files with a match")
	n := c.Flags().VarPF(&fixedValue{values["output"], "count"}, "count", "c", "only the number of matching lines a file")
	c.Flags().BoolP("line-number", "n", true, "lines have their numbers; this is always so")
	l.NoOptDefVal, n.NoOptDefVal = "true", "true"
	c.Flags().BoolVar(&a.vimgrep, "vimgrep", false, "one line a match, path:line:column:text, for editors")
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
