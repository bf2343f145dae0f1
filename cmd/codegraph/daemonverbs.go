//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace/daemon"
)

// daemonCommand is `codegraph daemon`.
func (a *app) daemonCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "daemon", Short: "The process that works for all on one root", Args: noVerb,
		Long: "One process a root keeps the index for all who work on that root: agents and shells. It is started by whoever\n" +
			"needs it first, and ends when nothing came for a while (5 minutes; daemon_idle in .codegraph.yaml, or\n" +
			"$CODEGRAPH_DAEMON_IDLE). Every verb works without it, too: --daemon=off.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var all bool
	add := func(use, short string, run func(ctx context.Context, all bool) error) {
		v := &cobra.Command{Use: use, Short: short, Args: a.noArgs, RunE: func(c *cobra.Command, _ []string) error { return run(c.Context(), all) }}
		v.Flags().BoolVar(&all, "all", false, "of all roots")
		c.AddCommand(v)
	}
	add("status", "Whether a daemon runs, and what it does", a.daemonStatus)
	add("stop", "End the daemon; what it is at is done again by the next one", a.daemonStop)
	add("logs", "What the daemon has to say", a.daemonLogs)
	list := &cobra.Command{Use: "list", Short: "The daemons of all roots", Args: a.noArgs, RunE: func(c *cobra.Command, _ []string) error {
		return a.daemonList()
	}}
	c.AddCommand(list, a.daemonRunCommand())
	return c
}

// placesOf are the place of the call's root, or those of all daemons that run.
func (a *app) placesOf(all bool) ([]*daemon.Place, error) {
	if all {
		records, err := daemon.List()
		if err != nil {
			return nil, unavailable(err)
		}
		var out []*daemon.Place
		for _, r := range records {
			out = append(out, r.Place())
		}
		return out, nil
	}
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	p, err := placeOf(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &readtools.Error{Code: "usage", Message: "there is no folder " + root, Next: "give the root's folder: `codegraph -C DIR ...`"}
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return []*daemon.Place{p}, nil
}

func unavailable(err error) error {
	return &readtools.Error{Code: "unavailable", Message: err.Error(), Next: "everything works without a daemon, too"}
}

// reports asks daemons for their state; of those that do not answer there is none.
func reports(ctx context.Context, places []*daemon.Place) []*daemon.Report {
	out := []*daemon.Report{}
	for _, p := range places {
		if r, err := p.Ask(ctx, daemon.Hello{Self: self(), Verb: daemon.Status}); err == nil {
			out = append(out, r)
		}
	}
	return out
}

// daemonResult is what the status of a root says of its daemon.
type daemonResult struct {
	*daemon.Report        // nil if none runs
	Mode           string `json:"mode"`              // auto or off
	Trouble        string `json:"trouble,omitempty"` // why none can be had
}

// daemonOf is what there is to say of the daemon of a root.
func (a *app) daemonOf(ctx context.Context, root string) *daemonResult {
	r := &daemonResult{Mode: a.daemon}
	p, err := placeOf(root)
	if err == nil {
		r.Report, err = p.Ask(ctx, daemon.Hello{Self: self(), Verb: daemon.Status})
	}
	if err != nil && !errors.Is(err, daemon.ErrNone) {
		r.Trouble = err.Error()
	}
	return r
}

func (r *daemonResult) text() string {
	switch {
	case r.Report != nil:
		text := fmt.Sprintf("pid %d, version %s, %d clients; ends after %s without work", r.PID, r.Version, r.Clients, time.Duration(r.IdleExit*float64(time.Second)))
		return strings.Join(append([]string{text}, r.Notes...), "; ")
	case r.Trouble != "":
		return "none can be had: " + r.Trouble
	case r.Mode == daemonOff:
		return "none runs, none is wanted (--daemon=off)"
	}
	return "none runs; the next question starts one"
}

func (a *app) daemonStatus(ctx context.Context, all bool) error {
	places, err := a.placesOf(all)
	if err != nil {
		return err
	}
	found := reports(ctx, places)
	if len(found) == 0 {
		a.code = exitNothing
	}
	if a.json {
		return a.printJSON(map[string]any{"daemons": found})
	}
	if len(found) == 0 {
		_, err = fmt.Fprintln(a.out, "no daemon runs"+map[bool]string{true: "", false: " for " + first(places)}[all])
		return err
	}
	for i, r := range found {
		if i > 0 {
			_, _ = fmt.Fprintln(a.out)
		}
		if _, err = fmt.Fprint(a.out, reportText(r)); err != nil {
			return err
		}
	}
	return nil
}

func first(places []*daemon.Place) string {
	if len(places) == 0 {
		return "any root"
	}
	return places[0].Root
}

// reportText is a daemon's state in words.
func reportText(r *daemon.Report) string {
	round := func(seconds float64) time.Duration {
		return time.Duration(seconds * float64(time.Second)).Round(time.Second)
	}
	text := fmt.Sprintf("root     %s\ndaemon   pid %d, for %s\nversion  %s\nclients  %d, calls under way %d\nidle     %s of %s\nsocket   %s\nlog      %s\n",
		r.Root, r.PID, time.Since(r.Started).Round(time.Second), r.Version, r.Clients, r.Busy, round(r.Idle), round(r.IdleExit), r.Socket, r.Log)
	for _, n := range r.Notes {
		text += "note     " + n + "\n"
	}
	return text
}

func (a *app) daemonStop(ctx context.Context, all bool) error {
	places, err := a.placesOf(all)
	if err != nil {
		return err
	}
	stopped := []string{}
	for _, p := range places {
		_, err := p.Ask(ctx, daemon.Hello{Self: self(), Verb: daemon.Stop})
		switch {
		case err == nil:
			stopped = append(stopped, p.Root)
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, daemon.ErrNone):
			return unavailable(err)
		}
	}
	if len(stopped) == 0 {
		a.code = exitNothing
	}
	if a.json {
		return a.printJSON(map[string]any{"stopped": stopped})
	}
	for _, root := range stopped {
		if _, err := fmt.Fprintln(a.out, "stopped the daemon of "+root); err != nil {
			return err
		}
	}
	if len(stopped) == 0 {
		_, err = fmt.Fprintln(a.out, "no daemon runs")
	}
	return err
}

func (a *app) daemonList() error {
	all, err := daemon.List()
	if err != nil {
		return unavailable(err)
	}
	if len(all) == 0 {
		a.code = exitNothing
	}
	if a.json {
		if all == nil {
			all = []daemon.Record{}
		}
		return a.printJSON(map[string]any{"daemons": all})
	}
	if len(all) == 0 {
		_, err = fmt.Fprintln(a.out, "no daemon runs")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "PID\tFOR\tVERSION\tROOT")
	for _, r := range all {
		_, _ = fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", r.PID, time.Since(r.Started).Round(time.Second), r.Version, r.Root)
	}
	return w.Flush()
}

func (a *app) daemonLogs(_ context.Context, all bool) error {
	places, err := a.placesOf(all)
	if err != nil {
		return err
	}
	type logText struct {
		Root  string   `json:"root"`
		Path  string   `json:"path"`
		Lines []string `json:"lines"`
	}
	logs := []logText{}
	for _, p := range places {
		var text []byte
		for _, name := range []string{p.Log() + ".1", p.Log()} {
			if b, err := os.ReadFile(name); err == nil {
				text = append(text, b...)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return unavailable(err)
			}
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			logs = append(logs, logText{p.Root, p.Log(), strings.Split(string(text), "\n")})
		}
	}
	if len(logs) == 0 {
		a.code = exitNothing
	}
	if a.json {
		return a.printJSON(map[string]any{"logs": logs})
	}
	for _, l := range logs {
		if all {
			_, _ = fmt.Fprintf(a.out, "== %s\n", l.Root)
		}
		if _, err := fmt.Fprintln(a.out, strings.Join(l.Lines, "\n")); err != nil {
			return err
		}
	}
	return nil
}
