//go:build unix

package main

import (
	"context"
	"errors"

	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
)

// The outcomes of calls in the ledger, besides the codes of errors.
const (
	outcomeDone      = "done"
	outcomeApplied   = "applied"
	outcomeDryRun    = "dry_run"
	outcomeUnchanged = "unchanged"
	outcomeReplayed  = "replayed"
	outcomeCancelled = "cancelled"
	outcomeWaits     = "approval_required"
)

// testimony is what will be in the ledger of a call that was frozen. A call whose arguments are
// refused never becomes one.
type testimony struct{ workspace.Entry }

// witness begins the testimony of a call with its frozen arguments.
func witness(ctx context.Context, tool string, frozen any) (*testimony, error) {
	hash, err := mcpserver.InputHash(frozen)
	if err != nil {
		return nil, err
	}
	return &testimony{workspace.Entry{Tool: tool, CallID: mcpserver.CallID(ctx), InputHash: hash, Outcome: outcomeDone}}, nil
}

// saw notes what was read of a snapshot, and which lines of it the answer shows. Only the last
// snapshot counts.
func (t *testimony) saw(s *workspace.Snapshot, shown []workspace.Shown) {
	t.Generation = uint64(s.Generation())
	t.Read, t.ReadMore = workspace.Reads(s, shown)
}

// edited notes what became of an edit; err is what it failed with, if it did.
func (t *testimony) edited(r *edittools.Result, err error) {
	t.Generation, t.EditID = r.Generation, r.EditID
	if a := r.Approval; a.State != "" {
		t.Approval = &workspace.Assent{State: a.State, Policy: a.Policy, ID: a.ID, By: a.By}
	}
	switch {
	case err != nil: // see end
		t.EditID = ""
	case r.Replayed:
		t.Outcome = outcomeReplayed
	case r.Applied:
		t.Outcome = outcomeApplied
		lines := r.NewLines()
		for _, f := range r.Files {
			t.Changed = append(t.Changed, workspace.Altered{Path: f.Path, Lines: workspace.Ranges(lines[f.Path]), Before: f.Before, After: f.After})
		}
		return
	case r.DryRun:
		t.Outcome = outcomeDryRun
	case r.Approval.State == edittools.ApprovalRequired:
		t.Outcome = outcomeWaits
	default:
		t.Outcome = outcomeUnchanged
	}
	known := map[string]bool{}
	for _, x := range t.Read {
		known[x.Path] = true
	}
	for _, f := range r.Files {
		if !known[f.Path] && len(f.Before) == 2*len(workspace.State{}.Hash) {
			t.Read = append(t.Read, workspace.Consulted{Path: f.Path, SHA256: f.Before})
		}
	}
}

// end puts the testimony into the ledger and returns its id. Where the ledger cannot be
// written the call goes on without, and its answer names no entry.
func (t *testimony) end(ctx context.Context, w *workspace.Workspace, err error) string {
	switch {
	case err == nil:
	case mcpserver.Asks(err):
		t.Outcome = outcomeWaits
	case ctx.Err() != nil:
		t.Outcome = outcomeCancelled
	default:
		t.Outcome = asError(err).Code
	}
	id, err := w.AddEvidence(ctx, t.Entry)
	if err != nil {
		w.Tell("the call is not in the ledger: " + err.Error())
	}
	return id
}

// evident names the entry of a call that failed in its error.
func evident(err error, id string) error {
	var read *readtools.Error
	var edit *edittools.Error
	if !errors.As(err, &read) && !errors.As(err, &edit) {
		return err
	}
	told := *asError(err)
	told.Evidence = id
	return &told
}
