package edittools

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace"
)

// UndoParams are the arguments of undo.
type UndoParams struct {
	EditID string `json:"edit_id" required:"true" doc:"the edit to take back"`
	Common
}

// Frozen is the call as it is approved and recorded.
func (p UndoParams) Frozen() UndoParams {
	p.Common = p.frozen()
	return p
}

// Undo plans to take back an edit, keeping what was changed since. Where both changed the
// same lines it is refused, with the place.
func Undo(ctx context.Context, s *workspace.Snapshot, p UndoParams) (*Plan, error) {
	rec, err := workspace.RecordOf(s, p.EditID)
	if err != nil {
		return nil, err
	}
	if rec == nil {
		return nil, failed(codeNotFound, "run `codegraph undo --list`", "the journal has no edit %q", p.EditID)
	}
	if rec.NoUndo != "" {
		return nil, failed(codePrecondition, "restore it from version control", "edit %s cannot be taken back: %s", p.EditID, rec.NoUndo)
	}
	plan := newPlan("undo")
	plan.Undoes = rec.ID
	u := &undo{ctx: ctx, s: s, plan: plan}
	for i := len(rec.Steps) - 1; i >= 0; i-- {
		if rec.Steps[i].Op == workspace.OpMove {
			if err := u.move(&rec.Steps[i]); err != nil {
				return nil, err
			}
		}
	}
	for i := len(rec.Steps) - 1; i >= 0; i-- {
		if rec.Steps[i].Op != workspace.OpMove {
			if err := u.step(&rec.Steps[i]); err != nil {
				return nil, err
			}
		}
	}
	return plan, u.folders(rec)
}

// folders takes away the folders that were made for the edit, if nothing else is in them.
func (u *undo) folders(rec *workspace.Record) error {
	var made []string
	for i := range rec.Steps {
		made = append(made, rec.Steps[i].Made...)
	}
	slices.SortFunc(made, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	gone := map[string]bool{}
	for _, p := range slices.Compact(made) {
		at, err := u.look(p)
		if err != nil {
			return err
		}
		if at.State.Type != workspace.Folder || !u.empties(p, at.Entries, gone) {
			continue
		}
		gone[p] = true
		u.plan.Changes = append(u.plan.Changes, workspace.Change{Op: workspace.OpDelete, Path: p, Base: workspace.State{Type: workspace.Folder, Hash: sha256.Sum256(nil)}})
	}
	return nil
}

// empties reports whether the undo leaves nothing in a folder.
func (u *undo) empties(dir string, entries []string, gone map[string]bool) bool {
	for p, data := range u.plan.Planned {
		if data != nil && strings.HasPrefix(p, dir+"/") {
			return false
		}
	}
	for _, e := range entries {
		p := path.Join(dir, e)
		if u.back(p) != p || gone[p] {
			continue
		}
		if data, ok := u.plan.Planned[p]; !ok || data != nil {
			return false
		}
	}
	return true
}

// undo plans one undo. Moves go back first, so that the paths of the other steps are those
// from before the edit; until then they are looked up where they are now.
type undo struct {
	ctx   context.Context
	s     *workspace.Snapshot
	plan  *Plan
	moves []*workspace.Step
}

// now is the path at which a file stands that will be at p.
func (u *undo) now(p string) string {
	for _, m := range u.moves {
		if p == m.Path || strings.HasPrefix(p, m.Path+"/") {
			return m.To + strings.TrimPrefix(p, m.Path)
		}
	}
	return p
}

// back is the path at which a file will stand that is at p now.
func (u *undo) back(p string) string {
	for _, m := range u.moves {
		if p == m.To || strings.HasPrefix(p, m.To+"/") {
			return m.Path + strings.TrimPrefix(p, m.To)
		}
	}
	return p
}

func (u *undo) look(p string) (*workspace.Place, error) {
	at, err := workspace.Look(u.ctx, u.s, p, false)
	if err != nil {
		return nil, explain(p, err)
	}
	return at, nil
}

func (u *undo) conflict(p, format string, args ...any) error {
	return failed(codePrecondition, "change "+p+" by hand, or take back the later edits first (`codegraph undo --list`)",
		"conflict: %s", fmt.Sprintf(format, args...))
}

func (u *undo) move(m *workspace.Step) error {
	at, err := u.look(m.To)
	if err != nil {
		return err
	}
	old, err := u.look(m.Path)
	if err != nil {
		return err
	}
	switch {
	case at.State.Type != m.Base.Type:
		return u.conflict(m.To, "%s was moved to %s, where there is no %s now", m.Path, m.To, m.Base.Type)
	case old.State.Type != workspace.Absent && !sameFile(at, old):
		return u.conflict(m.Path, "%s was moved to %s, and something else is at %s now", m.Path, m.To, m.Path)
	}
	u.plan.Changes = append(u.plan.Changes, workspace.Change{Op: workspace.OpMove, Path: m.To, To: m.Path, Base: at.State})
	if err := u.plan.moved(u.ctx, u.s, at, old); err != nil {
		return err
	}
	u.moves = append(u.moves, m)
	if m.Over.Type == workspace.Regular || m.Over.Type == workspace.Link {
		return u.restore(&workspace.Place{Given: m.To, Path: m.To, State: workspace.State{Type: workspace.Absent}}, m.Over, m.Target)
	}
	return nil
}

func (u *undo) step(s *workspace.Step) error {
	to := u.back(s.Path)
	at, err := u.look(u.now(to))
	if err != nil {
		return err
	}
	at.Path, at.Given = to, to
	switch s.Op {
	case workspace.OpDelete:
		return u.deleted(s, at)
	case workspace.OpWrite:
		return u.written(s, at)
	}
	if at.State.Type == workspace.Absent {
		return nil
	}
	u.plan.Changes = append(u.plan.Changes, workspace.Change{Op: workspace.OpDelete, Path: to, Base: at.State})
	return u.plan.deleted(u.ctx, u.s, at)
}

// written takes back the writing of a file.
func (u *undo) written(s *workspace.Step, at *workspace.Place) error {
	ours := at.State.Type == workspace.Regular && at.State.Sum() == s.After
	switch {
	case s.Base.Type == workspace.Absent && at.State.Type == workspace.Absent:
		return nil
	case s.Base.Type == workspace.Absent && ours:
		u.plan.Changes = append(u.plan.Changes, workspace.Change{Op: workspace.OpDelete, Path: at.Path, Base: at.State})
		return u.plan.deleted(u.ctx, u.s, at)
	case s.Base.Type == workspace.Absent:
		return u.conflict(at.Path, "%s was made by this edit and changed since", at.Path)
	case at.State.Type != workspace.Regular:
		return u.conflict(at.Path, "%s was changed by this edit and is %s now", at.Path, at.State.Type)
	case at.State.Sum() == s.Base.Sum:
		return nil
	}
	before, err := u.bytes(s.Base.Sum)
	if err != nil {
		return err
	}
	if !ours {
		after, err := u.bytes(s.After)
		if err != nil {
			return err
		}
		merged, line, ok := merge(after, at.Data, before)
		if !ok {
			return u.conflict(at.Path, "%s was changed since at the same place, near line %d:\n%s", at.Path, line, fileDiff(at.Path, false, after, at.Path, false, at.Data))
		}
		before = merged
	}
	if !bytes.Equal(before, at.Data) {
		u.plan.write(at, before)
	}
	return nil
}

// deleted brings back what an edit deleted.
func (u *undo) deleted(s *workspace.Step, at *workspace.Place) error {
	if at.State.Type != workspace.Absent {
		return u.conflict(at.Path, "%s was deleted by this edit and is there again", at.Path)
	}
	if s.Base.Type != workspace.Folder {
		return u.restore(at, s.Base, s.Target)
	}
	if len(s.Kept) == 0 {
		u.plan.Changes = append(u.plan.Changes, workspace.Change{Op: workspace.OpFolder, Path: at.Path})
	}
	for i, k := range s.Kept {
		sub := &workspace.Place{Path: path.Join(at.Path, k.Path), State: workspace.State{Type: workspace.Absent}}
		sub.Given = sub.Path
		was := workspace.Was{Type: workspace.Regular, Sum: k.Sum, Mode: k.Mode.Perm()}
		switch {
		case k.Mode&fs.ModeSymlink != 0:
			was.Type = workspace.Link
		case k.Mode.IsDir() && i+1 < len(s.Kept) && strings.HasPrefix(s.Kept[i+1].Path, k.Path+"/"):
			continue // made with what is in it
		case k.Mode.IsDir():
			u.plan.Changes = append(u.plan.Changes, workspace.Change{Op: workspace.OpFolder, Path: sub.Path})
			continue
		}
		if err := u.restore(sub, was, k.Target); err != nil {
			return err
		}
	}
	return nil
}

// restore brings back a file or a link at a place where nothing is.
func (u *undo) restore(at *workspace.Place, was workspace.Was, target string) error {
	if was.Type == workspace.Link {
		u.plan.Changes = append(u.plan.Changes, workspace.Change{Op: workspace.OpLink, Path: at.Path, Data: []byte(target)})
		u.plan.Files = append(u.plan.Files, File{Path: at.Path, Before: string(workspace.Absent), After: string(workspace.Link)})
		u.plan.addDiff(fmt.Sprintf("new link %s -> %s\n", at.Path, target))
		return nil
	}
	data, err := u.bytes(was.Sum)
	if err != nil {
		return err
	}
	u.plan.write(at, data)
	u.plan.Changes[len(u.plan.Changes)-1].Mode = was.Mode
	return nil
}

func (u *undo) bytes(sum string) ([]byte, error) {
	if _, err := hex.DecodeString(sum); err != nil || sum == "" {
		return nil, failed(codePrecondition, "restore it from version control", "the journal has no bytes to bring back")
	}
	data, err := workspace.KeptBytes(u.s, sum)
	if err != nil {
		return nil, failed(codePrecondition, "restore it from version control", "%s", err)
	}
	return data, nil
}
