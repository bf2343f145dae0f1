//go:build unix

package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/codegraph-dev/codegraph/cmd/codegraph/agents"
	"github.com/codegraph-dev/codegraph/readtools"
)

// readLine reads a line that a person types.
func (a *app) readLine() string {
	line, _ := bufio.NewReader(a.in).ReadString('\n')
	return strings.ToLower(strings.TrimSpace(line))
}

// agree shows a plan and asks whether to go on; with --json the plan is in the result. A plan
// that changes nothing needs no answer.
func (a *app) agree(p *agents.Plan, dry bool, ask string) (bool, error) {
	if !a.json {
		if err := a.showPlan(p); err != nil {
			return false, err
		}
	}
	if len(p.Problems) > 0 {
		a.code = exitTrouble
	}
	switch {
	case dry:
		return false, nil
	case p.Empty() || a.yes:
		return true, nil
	case !terminal(a.in) || !terminal(a.err):
		return false, &readtools.Error{Code: "approval_required", Message: "nothing was changed: there is nobody to ask", Next: "repeat with --yes"}
	case !a.confirm(ask):
		return false, &readtools.Error{Code: "denied", Message: "nothing was changed", Next: "use --dry-run to only see the plan"}
	}
	return true, nil
}

func (a *app) showPlan(p *agents.Plan) error {
	var b strings.Builder
	for _, c := range p.Changes {
		if c.Action == "none" {
			fmt.Fprintf(&b, "%s: %s has the entry already\n", c.Agent, c.Path)
			continue
		}
		fmt.Fprintf(&b, "%s: %s %s\n%s", c.Agent, c.Action, c.Path, a.paint(c.Diff))
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for _, x := range p.Problems {
		fmt.Fprintf(&b, "left alone: %v\n", x)
	}
	if p.Empty() && len(p.Problems) == 0 {
		b.WriteString("nothing to change\n")
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

// paint colours a diff on a terminal.
func (a *app) paint(d string) string {
	if !a.colour() {
		return d
	}
	var b strings.Builder
	for line := range strings.Lines(d) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "+++"), strings.HasPrefix(text, "---"):
			b.WriteString("\x1b[1m" + text + "\x1b[0m\n")
		case strings.HasPrefix(text, "+"):
			b.WriteString("\x1b[32m" + text + "\x1b[0m\n")
		case strings.HasPrefix(text, "-"):
			b.WriteString("\x1b[31m" + text + "\x1b[0m\n")
		case strings.HasPrefix(text, "@@"):
			b.WriteString("\x1b[36m" + text + "\x1b[0m\n")
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// printInstalled prints what was done. An error goes on to the caller.
func (a *app) printInstalled(done installed, err error) error {
	for _, o := range done.Outcomes {
		if o.State == "refused" || o.State == "rolled back" {
			a.code = exitTrouble
		}
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(done)
	}
	for _, o := range done.Outcomes {
		line := o.Agent + ": " + o.State
		if o.Reason != "" {
			line += ": " + o.Reason
		}
		if c := o.Check; c != nil && c.Err() == nil {
			line += fmt.Sprintf("; the server answered in %d ms and has %d tools", c.Handshake, len(c.Tools))
		}
		if _, err := fmt.Fprintln(a.out, line); err != nil {
			return err
		}
	}
	return nil
}
