package edittools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace"
)

// Call is one call of an edit tool, frozen: what it is known by, and who can be asked.
type Call struct {
	Tool string
	// ID names the call; Named says that the caller did so itself, so that it would use
	// the same name again for the same call.
	ID    string
	Named bool
	// Again says that the call may have been made before under this ID, and its answer lost.
	Again bool
	// InputHash is the hash of the arguments with their defaults, without the approval.
	InputHash string
	DryRun    bool
	Strict    bool   // an edit that adds syntax errors is refused
	Approval  string // the id of an approval that a person gave out of band
	// Host says that the caller is a program which may ask its user itself.
	Host bool
	// Ask asks a person. Nil, or the answer Nobody, means that nobody can be asked now.
	Ask func(ctx context.Context, q Question) (Answer, error)
}

// Question is what a person is asked about an edit.
type Question struct {
	ID    string // of the approval
	Tool  string
	Paths []string
	Diff  string
	// Sensitive names paths that deserve a second look.
	Sensitive []string
}

// Answer is a person's answer; By says how it was given.
type Answer struct {
	Word Word
	By   string
}

// Word is yes, no, or that there was nobody to say either.
type Word int

// The answers.
const (
	Nobody Word = iota
	Yes
	No
)

// Planner plans an edit over a snapshot.
type Planner func(ctx context.Context, s *workspace.Snapshot) (*Plan, error)

// Run takes an edit from its plan to its result.
func Run(ctx context.Context, w *workspace.Workspace, call Call, plan Planner) (*Result, error) {
	if !call.DryRun && (call.Named || call.Again) {
		if r := replay(ctx, w, call); r != nil {
			return r, nil
		}
	}
	for try := 1; ; try++ {
		d := &draft{call: &call, planner: plan}
		if err := w.View(ctx, func(s *workspace.Snapshot) error { return d.make(ctx, s) }); err != nil {
			return nil, explain("the path", err)
		}
		if call.DryRun || len(d.plan.Changes) == 0 {
			d.result.Approval.State = ApprovalNotNeeded
			return d.result, nil
		}
		ok, err := decide(ctx, w, &call, d.plan, d.result)
		if err != nil || !ok {
			return d.result, err
		}
		err = d.apply(ctx, w)
		if !errors.Is(err, errOther) || try == tries {
			return d.result, err
		}
	}
}

// tries is how often an edit is planned, and decided upon, while others change what it is about.
const tries = 5

// errOther: planned again, the edit is another one than was decided upon.
var errOther = failed(codeStale, "look at the paths again and repeat the call", "the workspace changed while the edit was on its way, and with it what the edit would do")

// draft is an edit that has been planned and not been made.
type draft struct {
	call    *Call
	planner Planner
	seen    workspace.Seen
	plan    *Plan
	result  *Result
}

// make plans the edit and computes its effect.
func (d *draft) make(ctx context.Context, s *workspace.Snapshot) error {
	p, err := d.planner(ctx, s)
	if err != nil {
		return err
	}
	r := &Result{Root: s.Root(), Generation: uint64(s.Generation()), Fresh: s.Fresh(), DryRun: d.call.DryRun, Diff: p.Diff, Files: p.Files, Replaced: p.Replaced,
		Unproven: p.Unproven, Notes: append(s.Notes(), p.Notes...)}
	delta, err := deltaOf(ctx, s, p)
	if err != nil {
		return err
	}
	if r.Delta = *delta; d.call.Strict && len(delta.SyntaxErrors) > 0 {
		return brokenSyntax(delta)
	}
	d.seen, d.plan, d.result = workspace.SeenIn(s), p, r
	return nil
}

// brokenSyntax is the refusal of a strict edit.
func brokenSyntax(d *Delta) error {
	first := d.SyntaxErrors[0]
	more := ""
	if n := d.Totals.SyntaxErrors - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return failed(codePrecondition, "mend the text and call again, or leave check out to make the edit all the same",
		"refused by check: strict, nothing was changed: the edit adds a syntax error at %s:%d:%d (%s)%s", first.Path, first.Line, first.Column, first.Reason, more)
}

// again plans the edit again, at its turn; the decision was for the very same changes.
func (d *draft) again(ctx context.Context, s *workspace.Snapshot) error {
	now := &draft{call: d.call, planner: d.planner}
	if err := now.make(ctx, s); err != nil {
		return err
	}
	if bound(d.call, now.plan) != bound(d.call, d.plan) {
		return errOther
	}
	now.result.Approval, now.result.Applied = d.result.Approval, d.result.Applied
	*d.result = *now.result
	return nil
}

// replay is the recorded result of a call that was made before.
func replay(ctx context.Context, w *workspace.Workspace, call Call) *Result {
	rec := w.EditOf(call.ID, call.InputHash)
	if rec == nil || len(rec.Result) == 0 {
		return nil
	}
	r := &Result{}
	if json.Unmarshal(rec.Result, r) != nil {
		return nil
	}
	r.Replayed = true
	_ = w.View(ctx, func(s *workspace.Snapshot) error { // for the generation alone
		r.Generation, r.Fresh = uint64(s.Generation()), s.Fresh()
		return nil
	})
	return r
}

// bound is what an approval of the plan is for.
func bound(call *Call, p *Plan) workspace.Bound {
	b := workspace.Bound{Tool: call.Tool, InputHash: call.InputHash}
	if call.Named {
		b.CallID = call.ID
	}
	h := sha256.New()
	for i := range p.Changes {
		c := &p.Changes[i]
		fmt.Fprintf(h, "%s %q %q %s %s %s %s %x\n", c.Op, c.Path, c.To, c.Base.Type, c.Base.Sum(), c.Over.Type, c.Over.Sum(), sha256.Sum256(c.Data))
	}
	b.Target = hex.EncodeToString(h.Sum(nil))
	return b
}

// decide asks whoever decides. ok means that the edit may be made; else the result says
// what is missing.
func decide(ctx context.Context, w *workspace.Workspace, call *Call, p *Plan, r *Result) (ok bool, err error) {
	policy, err := w.Policy()
	if err != nil {
		return false, err
	}
	r.Approval.Policy = string(policy)
	if policy == workspace.PolicyOff {
		return false, failed(codeDenied, "ask the user to allow edits (edits: ask in .codegraph.yaml or the user's codegraph/config.yaml)", "edits are switched off for this workspace")
	}
	if policy == workspace.PolicyHost && call.Host && len(p.Sensitive) == 0 {
		r.Approval.State = ApprovalByHost
		return true, nil
	}
	if call.Approval != "" {
		return useGrant(ctx, w, call, p, r)
	}
	return ask(ctx, w, call, p, r)
}

// useGrant takes the approval that the caller names.
func useGrant(ctx context.Context, w *workspace.Workspace, call *Call, p *Plan, r *Result) (bool, error) {
	a, err := w.UseApproval(ctx, call.Approval, bound(call, p))
	var ae *workspace.ApprovalError
	switch {
	case errors.As(err, &ae) && ae.State == workspace.Denied:
		return false, failed(codeDenied, "do not repeat the call; ask the user what to do instead", "%s", ae)
	case errors.As(err, &ae) && ae.State == workspace.Pending:
		return false, failed(codeApproval, "ask the user to run `codegraph approve "+ae.ID+"`, then repeat the call", "%s", ae)
	case errors.As(err, &ae):
		return false, failed(codeApproval, "repeat the call without approval to ask anew", "%s", ae)
	case err != nil:
		return false, err
	}
	r.Approval.State, r.Approval.ID, r.Approval.By = ApprovalApproved, a.ID, a.By
	return true, nil
}

// ask puts the question to a person, now or out of band.
func ask(ctx context.Context, w *workspace.Workspace, call *Call, p *Plan, r *Result) (bool, error) {
	b := bound(call, p)
	var paths []string
	for _, f := range p.Files {
		paths = append(paths, f.Path)
	}
	a, err := w.RequestApproval(ctx, b, paths, p.Diff)
	if err != nil {
		return false, err
	}
	if call.Ask != nil {
		answer, err := call.Ask(ctx, Question{ID: a.ID, Tool: call.Tool, Paths: paths, Diff: p.Diff, Sensitive: p.Sensitive})
		if err != nil {
			return false, err
		}
		if answer.Word != Nobody {
			return answered(ctx, w, a.ID, b, answer, r)
		}
	}
	r.Approval.State, r.Approval.ID, r.Approval.Expires = ApprovalRequired, a.ID, a.Expires
	r.Approval.Command = fmt.Sprintf("codegraph -C %s approve %s", quoteShell(w.Root()), a.ID)
	return false, nil
}

func answered(ctx context.Context, w *workspace.Workspace, id string, b workspace.Bound, answer Answer, r *Result) (bool, error) {
	if _, err := w.Decide(ctx, id, answer.Word == Yes, answer.By); err != nil {
		return false, failed(codeApproval, "repeat the call to ask anew", "%s", err)
	}
	if answer.Word == No {
		return false, failed(codeDenied, "do not repeat the call; ask the user what to do instead", "the user denied this edit")
	}
	if _, err := w.UseApproval(ctx, id, b); err != nil {
		return false, failed(codeApproval, "repeat the call to ask anew", "%s", err)
	}
	r.Approval.State, r.Approval.ID, r.Approval.By = ApprovalApproved, id, answer.By
	return true, nil
}

// apply commits the plan and completes the result.
func (d *draft) apply(ctx context.Context, w *workspace.Workspace) error {
	e := workspace.Edit{Tool: d.call.Tool, InputHash: d.call.InputHash, CallID: d.call.ID, Changes: d.plan.Changes, Undoes: d.plan.Undoes, Seen: d.seen}
	r := d.result
	r.Applied = true
	e.Again = func(s *workspace.Snapshot) error { return d.again(ctx, s) }
	e.Record = func(id string) []byte {
		r.EditID = id
		data, err := json.Marshal(r)
		if err != nil {
			return nil
		}
		return data
	}
	c, err := w.Commit(ctx, e)
	if err != nil {
		r.Applied, r.EditID = false, ""
		return explain(d.plan.Changes[0].Path, err)
	}
	r.Generation, r.Fresh, r.Notes = uint64(c.Generation), c.Fresh, append(r.Notes, c.Notes...)
	return nil
}

// quoteShell is a word as a shell takes it.
func quoteShell(s string) string {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '/' || r == '-' || r == '_' || r == '.') {
			return "'" + replaceQuotes(s) + "'"
		}
	}
	return s
}

func replaceQuotes(s string) string { return strings.ReplaceAll(s, "'", `'\''`) }

// Given are the shared parameters of a call.
func (c Common) Given() Common { return c }

// frozen is what of the shared parameters belongs to the call's identity: all but the
// approval, which is about the call.
func (c Common) frozen() Common {
	c.Approval = ""
	return c
}

// Frozen is the call as it is approved and recorded: its paths in one spelling.
func (p WriteParams) Frozen() WriteParams {
	p.Path, p.Common = path.Clean(p.Path), p.frozen()
	return p
}

// Frozen is the call as it is approved and recorded: its paths in one spelling.
func (p ReplaceParams) Frozen() ReplaceParams {
	p.Path, p.Common = path.Clean(p.Path), p.frozen()
	return p
}

// Frozen is the call as it is approved and recorded: its paths in one spelling.
func (p DeleteParams) Frozen() DeleteParams {
	p.Path, p.Common = path.Clean(p.Path), p.frozen()
	return p
}

// Frozen is the call as it is approved and recorded: its paths in one spelling.
func (p MoveParams) Frozen() MoveParams {
	into := strings.HasSuffix(p.To, "/")
	p.From, p.To, p.Common = path.Clean(p.From), path.Clean(p.To), p.frozen()
	if into {
		p.To += "/"
	}
	return p
}
