package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Policy says who decides about edits.
type Policy string

// The policies, the strictest first. The stricter one of the root's .codegraph.yaml and the
// user's own configuration holds; PolicyAsk where neither says anything.
const (
	PolicyOff  Policy = "off"  // nobody edits through this program
	PolicyAsk  Policy = "ask"  // a person is asked about each edit
	PolicyHost Policy = "host" // the program that calls asks its user itself
)

// Policy is the policy that holds for this root.
func (w *Workspace) Policy() (Policy, error) {
	user, err := userConfig()
	if err != nil {
		return PolicyOff, err
	}
	for _, p := range []Policy{PolicyOff, PolicyAsk, PolicyHost} {
		if string(p) == w.Config().Edits || string(p) == user.Edits {
			return p, nil
		}
	}
	return PolicyAsk, nil
}

// userConfig is the user's own configuration, codegraph/config.yaml in the user's folder of
// configurations; of it only edits counts.
func userConfig() (*Config, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return &Config{}, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "codegraph", "config.yaml"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return &Config{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the user's configuration: %w", bare(err))
	}
	c, err := ParseConfig(data, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: the user's codegraph/config.yaml:%w", ErrConfig, err)
	}
	return c, nil
}

// Bound is what an approval is for: this call, on these bytes, and no other.
type Bound struct {
	Tool string `json:"tool"`
	// CallID is the caller's own name for the call; empty if it gave none, and then only
	// the approval's id says which call is meant.
	CallID    string `json:"call_id"`
	InputHash string `json:"input_hash"` // of the arguments
	Target    string `json:"target"`     // of what would change: paths, bytes before and after
}

// Approval is a question to a person about one call, and its answer.
type Approval struct {
	ID string `json:"id"`
	Bound
	Paths   []string      `json:"paths"`
	Diff    string        `json:"diff"`
	State   ApprovalState `json:"state"`
	By      string        `json:"by,omitempty"` // how the answer was given
	Created time.Time     `json:"created"`
	Expires time.Time     `json:"expires"`
}

// ApprovalState is how far an approval has come.
type ApprovalState string

// The states of an approval. Only an approved one can be used, once.
const (
	Pending  ApprovalState = "pending"
	Approved ApprovalState = "approved"
	Denied   ApprovalState = "denied"
	Used     ApprovalState = "used"
	Expired  ApprovalState = "expired"
)

// ApprovalError says why an approval does not hold for a call.
type ApprovalError struct {
	ID    string
	State ApprovalState
	Why   string
}

// Error implements error.
func (e *ApprovalError) Error() string { return fmt.Sprintf("approval %s: %s", e.ID, e.Why) }

// Approvals lie as one file each in approvals/ of the state folder; approvals.lock is held
// while one changes. An answer is waited for, and then can be used, for approvalLife. Of those that
// nothing can come of any more, the newest approvalsKept of the last day stay.
const (
	approvalsName    = "approvals"
	approvalLockName = "approvals.lock"
	approvalLife     = 15 * time.Minute
	approvalKeep     = 24 * time.Hour
	approvalsKept    = 100
)

// RequestApproval makes the question about a call, or finds the one that waits already.
func (w *Workspace) RequestApproval(ctx context.Context, b Bound, paths []string, diff string) (*Approval, error) {
	var out *Approval
	err := w.withApprovals(ctx, func(all []*Approval, now time.Time) error {
		for _, a := range all {
			if a.Bound == b && (a.State == Pending) {
				out = a
				return nil
			}
		}
		out = &Approval{ID: "a" + lowerRandom(9), Bound: b, Paths: paths, Diff: diff, State: Pending, Created: now, Expires: now.Add(approvalLife)}
		return w.saveApproval(out)
	})
	return out, err
}

// Decide answers the question of an approval; by says who did and how.
func (w *Workspace) Decide(ctx context.Context, id string, approve bool, by string) (*Approval, error) {
	var out *Approval
	err := w.withApprovals(ctx, func(all []*Approval, now time.Time) error {
		a, err := findApproval(all, id)
		if err != nil {
			return err
		}
		if a.State != Pending {
			return &ApprovalError{a.ID, a.State, "it is " + string(a.State) + " already"}
		}
		if a.State = Denied; approve {
			a.State = Approved
		}
		a.By, a.Expires, out = by, now.Add(approvalLife), a
		return w.saveApproval(a)
	})
	return out, err
}

// UseApproval takes an approval for a call; it can be taken once. The error is an
// *ApprovalError that says what differs.
func (w *Workspace) UseApproval(ctx context.Context, id string, b Bound) (*Approval, error) {
	var out *Approval
	err := w.withApprovals(ctx, func(all []*Approval, _ time.Time) error {
		a, err := findApproval(all, id)
		if err != nil {
			return err
		}
		if why := a.unfit(b); why != "" {
			return &ApprovalError{a.ID, a.State, why}
		}
		a.State, out = Used, a
		return w.saveApproval(a)
	})
	return out, err
}

// unfit says why an approval is not for a call; empty if it is.
func (a *Approval) unfit(b Bound) string {
	switch {
	case a.State == Pending:
		return "nobody has answered yet"
	case a.State == Denied:
		return "it was denied"
	case a.State == Used:
		return "it was used already; each edit is approved anew"
	case a.State != Approved:
		return "it has expired"
	case a.Tool != b.Tool:
		return "it is for " + a.Tool
	case a.CallID != b.CallID:
		return "it is for another call (the call id differs)"
	case a.InputHash != b.InputHash:
		return "the arguments are not the approved ones"
	case a.Target != b.Target:
		return "what would change is no longer what was approved: the files changed since"
	}
	return ""
}

// Approvals are the approvals of the last day, the newest first.
func (w *Workspace) Approvals(ctx context.Context) ([]*Approval, error) {
	var out []*Approval
	err := w.withApprovals(ctx, func(all []*Approval, _ time.Time) error {
		out = all
		return nil
	})
	return out, err
}

func findApproval(all []*Approval, id string) (*Approval, error) {
	for _, a := range all {
		if a.ID == id {
			return a, nil
		}
	}
	return nil, &ApprovalError{id, "", "there is none of that id, or it is too old"}
}

// withApprovals calls f with all approvals, while nobody else changes them.
func (w *Workspace) withApprovals(ctx context.Context, f func(all []*Approval, now time.Time) error) error {
	if err := w.state.make(w.root); err != nil {
		return bareState(err)
	}
	if err := os.MkdirAll(w.state.path(approvalsName), 0o700); err != nil {
		return bareState(err)
	}
	lock, err := w.state.lockNamed(ctx, approvalLockName, w.state.wait)
	if err != nil {
		return fmt.Errorf("lock approvals: %w", bareState(err))
	}
	defer func() { _ = lock.Close() }()
	now := time.Now().UTC()
	return f(w.loadApprovals(now), now)
}

func (w *Workspace) loadApprovals(now time.Time) []*Approval {
	entries, _ := os.ReadDir(w.state.path(approvalsName))
	var out []*Approval
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), doneSuffix) {
			continue
		}
		name := filepath.Join(w.state.path(approvalsName), e.Name())
		data, err := os.ReadFile(name)
		a := &Approval{}
		if err != nil || json.Unmarshal(data, a) != nil || now.Sub(a.Created) > approvalKeep {
			_ = os.Remove(name)
			continue
		}
		if (a.State == Pending || a.State == Approved) && now.After(a.Expires) {
			a.State = Expired
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b *Approval) int { return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.ID, b.ID)) })
	settled := 0
	return slices.DeleteFunc(out, func(a *Approval) bool {
		if a.State == Pending || a.State == Approved {
			return false
		}
		if settled++; settled <= approvalsKept {
			return false
		}
		_ = os.Remove(w.state.path(filepath.Join(approvalsName, a.ID+doneSuffix))) // the next call tries again
		return true
	})
}

func (w *Workspace) saveApproval(a *Approval) error {
	data, err := json.Marshal(a)
	if err == nil {
		err = w.state.write(filepath.Join(approvalsName, a.ID+doneSuffix), data)
	}
	if err != nil {
		return fmt.Errorf("save approval: %w", bareState(err))
	}
	return nil
}
