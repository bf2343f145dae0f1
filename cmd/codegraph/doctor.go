//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/cmd/codegraph/agents"
	"github.com/codegraph-dev/codegraph/workspace"
)

// finding is one line of `codegraph doctor`.
type finding struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Said string `json:"said"`
	Do   string `json:"do,omitempty"` // what to do about it
}

// doctorCommand is `codegraph doctor`.
func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check the program, its state, the index and the agents, and say what to do",
		Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			all := []finding{a.checkProgram(), a.checkState(), a.checkDaemonPlace(c.Context())}
			all = append(all, a.checkIndex(c.Context())...)
			more, err := a.checkAgents(c.Context())
			if err != nil {
				return err
			}
			return a.printFindings(append(all, more...))
		},
	}
}

func (a *app) printFindings(all []finding) error {
	sick := 0
	var b strings.Builder
	for _, f := range all {
		mark := "ok  "
		if !f.OK {
			mark, sick = "BAD ", sick+1
		}
		fmt.Fprintf(&b, "%s %-12s %s\n", mark, f.What, f.Said)
		if f.Do != "" {
			fmt.Fprintf(&b, "     %-12s %s\n", "", f.Do)
		}
	}
	if sick > 0 {
		a.code = exitTrouble
	}
	if a.json {
		return a.printJSON(map[string]any{"findings": all, "bad": sick})
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

func (a *app) checkProgram() finding {
	self, err := os.Executable()
	if err != nil {
		self = "this program"
	}
	return finding{What: "program", OK: true, Said: fmt.Sprintf("codegraph %s, %s, %s/%s, at %s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, self)}
}

// checkState looks whether the folder of all state is there and can be written.
func (a *app) checkState() finding {
	f := finding{What: "state"}
	dir, err := workspace.StateHome("")
	if err != nil {
		f.Said, f.Do = err.Error(), "set "+workspace.HomeVariable+" to a folder that can be written"
		return f
	}
	f.Said = dir
	for !there(dir) {
		dir = filepath.Dir(dir)
	}
	if f.OK = writable(dir); !f.OK {
		f.Said += " cannot be written"
		f.Do = "set " + workspace.HomeVariable + " to a folder that can be written; until then each process keeps an index in memory"
	}
	return f
}

// checkDaemonPlace looks whether a daemon can be met, and whether one is.
func (a *app) checkDaemonPlace(ctx context.Context) finding {
	f := finding{What: "daemon", OK: true}
	root, err := a.root()
	if err != nil {
		f.Said = "of which root is not known"
		return f
	}
	r := a.daemonOf(ctx, root)
	f.Said = r.text()
	if r.Trouble != "" {
		f.OK, f.Do = false, "set XDG_RUNTIME_DIR to a folder of your own with a short path; until then each process works for itself"
	}
	return f
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// checkIndex brings the root's index up to date and tells how it is.
func (a *app) checkIndex(ctx context.Context) []finding {
	found, err := checkJob.run(ctx, a, none{})
	if err != nil {
		told := asError(err)
		return []finding{{What: "index", Said: told.Message, Do: told.Next}}
	}
	return found
}

// checkJob compares the index with the files and tells how it is.
var checkJob = job[none, []finding]{name: "check", do: func(ctx context.Context, w *workspace.Workspace, _ none) (out []finding, err error) {
	compared := compare(ctx, w)
	err = w.View(ctx, func(s *workspace.Snapshot) error {
		r, err := status(ctx, w, s, false)
		if err == nil {
			out = []finding{indexFinding(r), compared, checkPolicy(w)}
		}
		return err
	})
	return out, err
}}

func indexFinding(r *statusResult) finding {
	f := finding{What: "index", OK: r.Fresh, Said: fmt.Sprintf("%s: %d files, %d symbols, generation %d", r.Root, r.Files, r.Symbols, r.Generation)}
	if !r.Fresh {
		f.Said += ", not fresh: " + strings.Join(r.Notes, "; ")
		f.Do = "run `codegraph index`"
	} else if n := len(r.Skipped) + len(r.Partial); n > 0 {
		f.Said += fmt.Sprintf(", %d files skipped or read in part", n)
		f.Do = "`codegraph status` says which and why"
	}
	return f
}

// compare extracts every file again and compares it with the index, which repairs what is found.
func compare(ctx context.Context, w *workspace.Workspace) finding {
	f := finding{What: "comparison"}
	c, _, err := w.Check(ctx, "", 0)
	switch {
	case err != nil:
		f.Said = "files could not be compared with the index: " + err.Error()
		f.Do = "run `codegraph index`"
	case len(c.Drifted)+len(c.Wrong) > 0:
		f.Said = fmt.Sprintf("%d of %d files had changed without a word, the index held wrong facts of %d; it is repaired", len(c.Drifted), c.Looked, len(c.Wrong))
		f.Do = "if this happens again, the disk or the memory may be at fault"
	default:
		f.OK, f.Said = true, fmt.Sprintf("the facts of %d files are those that their bytes give", c.Looked)
	}
	return f
}

func checkPolicy(w *workspace.Workspace) finding {
	p, err := w.Policy()
	if err != nil {
		return finding{What: "edits", Said: err.Error(), Do: "correct that file; until then no edit is made"}
	}
	means := map[workspace.Policy]string{
		workspace.PolicyOff: "no edit is made", workspace.PolicyAsk: "a person is asked before each edit", workspace.PolicyHost: "the agent asks its user itself",
	}
	return finding{What: "edits", OK: true, Said: fmt.Sprintf("%s: %s", p, means[p])}
}

// checkAgents starts the server of each agent that has it, as that agent would.
func (a *app) checkAgents(ctx context.Context) ([]finding, error) {
	d, err := a.agentDirs(false)
	if err != nil {
		return nil, err
	}
	var out []finding
	checks := map[string]*agents.Check{}
	for _, r := range agents.Registered(d) {
		if r.Problem != nil {
			out = append(out, finding{What: r.Agent, Said: r.Problem.Error(), Do: "correct that file; it is left alone until then"})
			continue
		}
		key := fmt.Sprintf("%q", r.Server)
		if checks[key] == nil {
			checks[key] = agents.Start(ctx, r.Server)
		}
		out = append(out, agentFinding(r, checks[key]))
	}
	if len(out) == 0 {
		out = append(out, finding{What: "agents", OK: true, Said: "no agent has the server", Do: "run `codegraph install`"})
	}
	if m := agents.Integrations(d); len(m.Files) > 0 {
		f := finding{What: "preference", OK: len(m.Problems) == 0, Said: strings.Join(m.SelfCheck(), "; "), Do: "run `codegraph integrations`"}
		if f.OK && f.Said == "" {
			f.Said, f.Do = "our tools are preferred over Grep, Glob and Read", ""
		}
		for _, p := range m.Problems {
			f.Said = p.Error()
		}
		out = append(out, f)
	}
	return out, nil
}

// slowest is the handshake that the least patient host waits for.
const slowest = 500

func agentFinding(r *agents.Registration, c *agents.Check) finding {
	f := finding{What: r.Agent, OK: true, Said: fmt.Sprintf("%s level, %s: the server answers in %d ms and has %d tools", r.Scope, r.Path, c.Handshake, len(c.Tools))}
	switch {
	case c.Err() != nil:
		f.OK, f.Said = false, fmt.Sprintf("%s level, %s: %v", r.Scope, r.Path, c.Err())
		f.Do = fmt.Sprintf("run `codegraph install --agent %s --scope %s`", r.Agent, r.Scope)
	case c.Handshake > slowest:
		f.Do = fmt.Sprintf("a host that waits %d ms for a server would drop it; try again when the machine is less busy", slowest)
	}
	return f
}
