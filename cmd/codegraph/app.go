//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/index/lang"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// The exit codes.
const (
	exitDone        = 0
	exitNothing     = 1
	exitTrouble     = 2
	exitApproval    = 3
	exitInterrupted = 130
)

// app is one run of the program.
type app struct {
	in       io.Reader
	out, err io.Writer
	roots    []string // -C, as often as given
	json     bool
	yes      bool     // --yes
	vimgrep  bool     // --vimgrep
	noPager  bool     // --no-pager
	daemon   string   // --daemon
	release  []func() // done when the program ends
	code     int      // when no error says otherwise
}

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	a := &app{in: in, out: out, err: errOut}
	c := a.command()
	a.json = slices.Contains(args, "--json") // also where the arguments cannot be parsed
	c.SetArgs(args)
	c.SetIn(in)
	c.SetOut(out)
	c.SetErr(errOut)
	err := c.ExecuteContext(ctx)
	for _, release := range a.release {
		release()
	}
	switch {
	case err == nil:
		return a.code
	case ctx.Err() != nil:
		a.say("interrupted; the index is whole")
		return exitInterrupted
	}
	return a.fail(err)
}

// command is the program's tree of verbs.
func (a *app) command() *cobra.Command {
	c := &cobra.Command{
		Use: "codegraph", Short: "What a code base contains, how it hangs together, what a change would touch",
		SilenceErrors: true, SilenceUsage: true, SuggestionsMinimumDistance: 2, Args: noVerb, Version: version(),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.SetVersionTemplate("codegraph {{.Version}}\n")
	c.PersistentFlags().StringArrayVarP(&a.roots, "root", "C", nil, "the workspace's root; default: the nearest folder above with .git, .hg, .jj or .codegraph.yaml, or this folder")
	c.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as one JSON object")
	c.PersistentFlags().StringVar(&a.daemon, "daemon", "", "auto, to share one process a root, started on demand, or off (default $CODEGRAPH_DAEMON, else auto)")
	c.PersistentFlags().BoolVar(&a.noPager, "no-pager", false, "print at once, not with $CODEGRAPH_PAGER, $PAGER or less")
	c.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		a.page(c)
		return a.checkDaemon()
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return a.usage(c, err.Error()) })
	c.AddCommand(a.indexCommand(), a.statusCommand(), a.mcpCommand(), a.serveCommand(), a.exportCommand(), a.versionCommand(), a.benchCommand())
	for _, t := range a.tools() {
		c.AddCommand(a.toolCommand(t))
	}
	c.AddCommand(a.installCommand(), a.uninstallCommand(), a.integrationsCommand(), a.doctorCommand(), a.manCommand(), a.daemonCommand())
	c.AddCommand(a.toolsCommand(), a.undoCommand(), a.evidenceCommand(), a.approvalsCommand(), a.decideCommand("approve"), a.decideCommand("deny"))
	return c
}

// noVerb refuses words that are no verb.
func noVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	next := "run `codegraph --help` for the verbs"
	if s := c.SuggestionsFor(args[0]); len(s) > 0 {
		next = "did you mean `codegraph " + s[0] + "`?"
	}
	return &readtools.Error{Code: "usage", Message: fmt.Sprintf("there is no verb %q", args[0]), Next: next}
}

// usage is the error of a wrong call of a verb.
func (a *app) usage(c *cobra.Command, message string) error {
	return &readtools.Error{Code: "usage", Message: message, Next: "run `" + c.CommandPath() + " --help`"}
}

// noArgs refuses arguments.
func (a *app) noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return a.usage(c, fmt.Sprintf("%s takes no arguments, not %q", c.Name(), args[0]))
	}
	return nil
}

// say tells a person something, on standard error.
func (a *app) say(format string, args ...any) {
	_, _ = fmt.Fprintf(a.err, "codegraph: "+format+"\n", args...)
}

// fail tells an error and returns the exit code for it. With --json it is an object on
// standard output.
func (a *app) fail(err error) int {
	told := asError(err)
	if a.json {
		if a.printJSON(map[string]any{"error": told}) != nil {
			return exitTrouble
		}
	} else {
		a.say("%s", told.Message)
		if told.Next != "" {
			_, _ = fmt.Fprintf(a.err, "  %s\n", told.Next)
		}
		for i, s := range told.Candidates {
			if i == 20 {
				_, _ = fmt.Fprintf(a.err, "  and %d more\n", len(told.Candidates)-i)
				break
			}
			_, _ = fmt.Fprintf(a.err, "  %s (%s, %s:%d)\n", s.ID, s.Kind, s.Path, s.Line)
		}
	}
	switch told.Code {
	case "not_found":
		return exitNothing
	case "denied", "approval_required":
		return exitApproval
	}
	return exitTrouble
}

// asError gives every error a code and a next step.
func asError(err error) *readtools.Error {
	var told *readtools.Error
	var edit *edittools.Error
	switch {
	case errors.As(err, &told):
		return told
	case errors.As(err, &edit):
		return &readtools.Error{Code: edit.Code, Message: edit.Message, Next: edit.Next}
	case errors.Is(err, workspace.ErrNoRoot):
		return &readtools.Error{Code: "usage", Message: err.Error(), Next: "give the root's folder: `codegraph -C DIR ...`"}
	case errors.Is(err, workspace.ErrConfig):
		return &readtools.Error{Code: "usage", Message: err.Error(), Next: "correct .codegraph.yaml and call again"}
	case errors.Is(err, workspace.ErrNoEvidence):
		return &readtools.Error{Code: "not_found", Message: err.Error(), Next: "run `codegraph evidence list`; the oldest entries go as new ones come"}
	case errors.Is(err, workspace.ErrState):
		return &readtools.Error{Code: "unavailable", Message: err.Error(), Next: "make room there, or set " + workspace.HomeVariable + " to a folder that can be written; the read verbs work without"}
	case strings.HasPrefix(err.Error(), "unknown command"):
		return &readtools.Error{Code: "usage", Message: err.Error(), Next: "run `codegraph --help` for the verbs"}
	}
	return &readtools.Error{Code: "internal", Message: err.Error(), Next: "run `codegraph status` to see the state of the index"}
}

// printJSON prints one object on standard output.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// open opens the workspace that the call is about. Whoever uses its stores holds the daemon off.
func (a *app) open(ctx context.Context, tune func(*workspace.Options)) (*workspace.Workspace, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	return openRoot(ctx, root, func(o *workspace.Options) {
		o.Log = func(line string) { a.say("%s", line) }
		if tune != nil {
			tune(o)
		}
	})
}

// openRoot opens the workspace of a root with this program's stores.
func openRoot(ctx context.Context, root string, tune func(*workspace.Options)) (*workspace.Workspace, error) {
	o := workspace.Options{Stores: stores(), Version: buildID(), Language: properName}
	tune(&o)
	return workspace.Open(ctx, root, o)
}

// root is the folder that the call is about.
func (a *app) root() (string, error) {
	if n := len(a.roots); n > 0 {
		return a.roots[n-1], nil
	}
	return workspace.FindRoot(".")
}

// properName is the name of the language that a person means; "" if there is none.
func properName(name string) string {
	if l := lang.Named(name); l != nil {
		return l.Name
	}
	return ""
}

// terminal reports whether a stream is a terminal, or a pager in front of one.
func terminal(w any) bool {
	if _, ok := w.(*pager); ok {
		return true
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colour reports whether standard output takes colours.
func (a *app) colour() bool {
	return terminal(a.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
