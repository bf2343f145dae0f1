package edittools

import (
	"context"
	_ "embed"
	"fmt"
	"path"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace"
)

// MoveDescription is what a model reads of move_path.
//
//go:embed move_path.md
var MoveDescription string

// MoveParams are the arguments of move_path.
type MoveParams struct {
	From             string `json:"from" pos:"1" required:"true" doc:"the file, link or folder to move, relative to the root"`
	To               string `json:"to" pos:"2" required:"true" doc:"where it goes; into it, if that is a folder"`
	Overwrite        bool   `json:"overwrite,omitempty" doc:"replace a file that is there"`
	UpdateReferences bool   `json:"update_references,omitempty" default:"true" doc:"rewrite imports and references that provably mean what moves"`
	Common
}

// MovePath plans a move, with the references to what moves.
func MovePath(ctx context.Context, s *workspace.Snapshot, p MoveParams) (*Plan, error) {
	from, to, err := moveEnds(ctx, s, &p)
	if err != nil {
		return nil, err
	}
	plan := newPlan("move_path")
	if from.Path == to.Path {
		plan.note("%s is moved onto itself; nothing changes", from.Given)
		return plan, nil
	}
	over := to.State
	if sameFile(from, to) {
		over = workspace.State{} // one name in another spelling
	}
	if err := checkMove(&p, from, to, over); err != nil {
		return nil, err
	}
	plan.Changes = []workspace.Change{{Op: workspace.OpMove, Path: from.Path, To: to.Path, Base: from.State, Over: over}}
	if err := plan.moved(ctx, s, from, to); err != nil {
		return nil, err
	}
	if p.UpdateReferences {
		if !s.Fresh() && len(plan.Moved) > 0 {
			return nil, failed(codeUnavailable, "repeat the call, or give update_references: false to move without them", "the index is not up to date yet, so what refers to %s is not known", p.From)
		}
		return plan, plan.updateReferences(ctx, s)
	}
	return plan, nil
}

// moveEnds are the two ends of a move; a folder that exists takes the thing in.
func moveEnds(ctx context.Context, s *workspace.Snapshot, p *MoveParams) (from, to *workspace.Place, err error) {
	if from, err = workspace.Look(ctx, s, p.From, false); err != nil {
		return nil, nil, explain(p.From, err)
	}
	if from.State.Type == workspace.Absent {
		return nil, nil, missing(p.From)
	}
	if err := checkExpect(p.Expect, from); err != nil {
		return nil, nil, err
	}
	if to, err = workspace.Look(ctx, s, p.To, false); err != nil {
		return nil, nil, explain(p.To, err)
	}
	into := to.State.Type == workspace.Folder || strings.HasSuffix(p.To, "/")
	if into && to.Path != from.Path && !sameFile(from, to) {
		if to, err = workspace.Look(ctx, s, path.Join(to.Path, path.Base(from.Path)), false); err != nil {
			return nil, nil, explain(p.To, err)
		}
	}
	return from, to, nil
}

// sameFile reports whether two spellings mean one thing on disk.
func sameFile(a, b *workspace.Place) bool {
	return a.State.Type != workspace.Absent && a.State.Is(b.State) && strings.EqualFold(a.Path, b.Path) && workspace.SameThing(a, b)
}

func checkMove(p *MoveParams, from, to *workspace.Place, over workspace.State) error {
	switch {
	case from.State.Type == workspace.Special:
		return failed(codePrecondition, "move it with another program", "%s is a pipe or a device, not a file; it is refused", p.From)
	case strings.HasPrefix(to.Path, from.Path+"/"):
		return failed(codeUsage, "choose a place outside of it", "%s cannot be moved into itself (%s)", from.Path, to.Path)
	case from.State.Type == workspace.Folder:
		if err := ownTree(from); err != nil {
			return err
		}
	}
	switch over.Type {
	case "", workspace.Absent:
		return nil
	case workspace.Folder, workspace.Special:
		return failed(codePrecondition, "choose another place, or delete it first", "%s exists already and is a %s", to.Path, over.Type)
	}
	if !p.Overwrite {
		return failed(codePrecondition, "choose another place, or repeat the call with overwrite: true", "%s exists already, with sha256 %s", to.Path, to.State.Sum())
	}
	if from.State.Type == workspace.Folder {
		return failed(codePrecondition, "choose another place, or delete it first", "%s exists already and is no folder", to.Path)
	}
	return nil
}

// moved tells what a move does, file by file.
func (p *Plan) moved(ctx context.Context, s *workspace.Snapshot, from, to *workspace.Place) error {
	if to.State.Type == workspace.Regular && !sameFile(from, to) {
		p.addDiff(fileDiff(to.Path, false, to.Data, to.Path, true, nil))
	}
	return eachFile(ctx, s, from, func(f *workspace.Place) error {
		dest := to.Path + strings.TrimPrefix(f.Path, from.Path)
		before := string(workspace.Absent)
		if dest == to.Path && !sameFile(from, to) {
			before = sumOf(to.State)
		}
		p.Files = append(p.Files,
			File{Path: f.Path, Before: sumOf(f.State), After: string(workspace.Absent)},
			File{Path: dest, Before: before, After: sumOf(f.State)})
		p.watch(f.Path)
		p.watch(dest)
		p.addDiff(fmt.Sprintf("rename from %s\nrename to %s\n", f.Path, dest))
		if f.State.Type == workspace.Regular {
			p.Moved[f.Path] = dest
			p.Planned[f.Path] = nil
			p.Planned[dest] = notNil(f.Data)
		}
		return nil
	})
}
