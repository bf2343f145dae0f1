//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// editor is what the edit tools need of whoever calls them: the workspace, and somebody to
// ask.
type editor struct {
	open opener
	ask  func(ctx context.Context, q edittools.Question) (edittools.Answer, error)
	host func(ctx context.Context) bool // the caller is a program that may ask its user itself; nil for never
}

// editParams are the parameters of an edit tool.
type editParams[P any] interface {
	Given() edittools.Common
	Frozen() P
}

// editTools are the edit tools over an editor.
func editTools(e editor) []tool {
	return []tool{
		editRow(e, writeTool(), edittools.WriteFile),
		editRow(e, replaceTool(), edittools.ReplaceBlock),
		editRow(e, deleteTool(), edittools.DeletePath),
		editRow(e, moveTool(), edittools.MovePath),
	}
}

// editRow completes a row of the table from the tool's plan.
func editRow[P editParams[P]](e editor, t tool, plan func(context.Context, *workspace.Snapshot, P) (*edittools.Plan, error)) tool {
	t.Hints.Destructive = true
	t.Tool = mcpserver.Typed(t.Tool, func(ctx context.Context, p P) (out edittools.Result, text string, err error) {
		given := p.Given()
		call := edittools.Call{Tool: t.Name, ID: mcpserver.CallID(ctx), Named: mcpserver.CallNamed(ctx), Again: mcpserver.CallAgain(ctx), DryRun: given.DryRun, Strict: given.Check == "strict", Approval: given.Approval, Host: e.host != nil && e.host(ctx), Ask: e.ask}
		seen, err := witness(ctx, t.Name, p.Frozen())
		if err != nil {
			return out, "", err
		}
		call.InputHash = seen.InputHash
		err = e.open(ctx, func(w *workspace.Workspace) error {
			r, err := edittools.Run(ctx, w, call, func(ctx context.Context, s *workspace.Snapshot) (*edittools.Plan, error) {
				defer seen.saw(s, nil)
				return plan(ctx, s, p)
			})
			if r != nil {
				seen.edited(r, err)
			}
			id := seen.end(ctx, w, err)
			if err == nil {
				r.Evidence = id
				out, text = *r, r.Text()
			}
			return evident(err, id)
		})
		return out, text, err
	})
	return t
}

// with opens the workspace for one call.
func (a *app) with(ctx context.Context, f func(*workspace.Workspace) error) error {
	bar := a.progress()
	w, err := a.open(ctx, func(o *workspace.Options) { o.Progress = bar.tell })
	if err != nil {
		return err
	}
	a.release = append(a.release, holdOff(ctx, w.Root()))
	restore := paceMemory(memoryShare())
	err = f(w)
	restore()
	bar.done()
	return errors.Join(err, w.Close())
}

// withFiles opens the workspace for a call that needs no store, but only the files of the state
// folder, which every process may read and change.
func (a *app) withFiles(ctx context.Context, f func(*workspace.Workspace) error) error {
	w, err := a.open(ctx, nil)
	if err != nil {
		return err
	}
	return errors.Join(f(w), w.Close())
}

// askPerson asks whoever sits at the terminal.
func (a *app) askPerson(_ context.Context, q edittools.Question) (edittools.Answer, error) {
	if a.yes {
		return edittools.Answer{Word: edittools.Yes, By: "--yes"}, nil
	}
	if !terminal(a.in) || !terminal(a.err) {
		return edittools.Answer{}, nil
	}
	_, _ = io.WriteString(a.err, question(q))
	if a.confirm("Make this edit?") {
		return edittools.Answer{Word: edittools.Yes, By: "terminal"}, nil
	}
	return edittools.Answer{Word: edittools.No, By: "terminal"}, nil
}

// confirm asks a question at the terminal; anything but yes is no.
func (a *app) confirm(text string) bool {
	_, _ = fmt.Fprintf(a.err, "%s [y/N] ", text)
	line, _ := bufio.NewReader(a.in).ReadString('\n')
	word := strings.ToLower(strings.TrimSpace(line))
	return word == "y" || word == "yes"
}

// askClient asks the user of an MCP client.
func askClient(ctx context.Context, q edittools.Question) (edittools.Answer, error) {
	reply, err := mcpserver.Elicit(ctx, q.ID, question(q))
	switch {
	case err != nil:
		return edittools.Answer{}, err
	case reply == mcpserver.Accepted:
		return edittools.Answer{Word: edittools.Yes, By: "elicitation"}, nil
	case reply == mcpserver.Declined:
		return edittools.Answer{Word: edittools.No, By: "elicitation"}, nil
	}
	return edittools.Answer{}, nil
}

// mostAsked is how much of a diff a question shows.
const mostAsked = 8000

// question is what a person reads before an edit.
func question(q edittools.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s wants to change %s\n", q.Tool, pathList(q.Paths))
	for _, p := range q.Sensitive {
		fmt.Fprintf(&b, "TAKE CARE: %s can make programs run or change what is allowed.\n", p)
	}
	d := q.Diff
	if len(d) > mostAsked {
		d = strings.ToValidUTF8(d[:mostAsked], "") + fmt.Sprintf("\n... %d more bytes; `codegraph approvals %s` shows all\n", len(q.Diff)-mostAsked, q.ID)
	}
	b.WriteString(d)
	return b.String()
}

func pathList(paths []string) string {
	if len(paths) > 5 {
		return strings.Join(paths[:5], ", ") + fmt.Sprintf(" and %d more", len(paths)-5)
	}
	return strings.Join(paths, ", ")
}

// takeInput gives a parameter that was not given, and that the verb takes from standard
// input, what is there.
func (a *app) takeInput(t tool, values map[string]*flagValue) error {
	if t.input == "" || values[t.input].set {
		return nil
	}
	data, err := io.ReadAll(a.in)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	if !utf8.Valid(data) {
		return &readtools.Error{Code: "usage", Message: "standard input is not UTF-8, so its bytes could not be kept", Next: "give text in UTF-8"}
	}
	return values[t.input].Set(string(data))
}

// waits reports whether a result waits for an approval.
func waits(result any) bool {
	r, ok := result.(edittools.Result)
	return ok && r.Approval.State == edittools.ApprovalRequired
}
