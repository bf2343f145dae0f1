package edittools

import (
	"context"
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace"
)

// DeleteDescription is what a model reads of delete_path.
//
//go:embed delete_path.md
var DeleteDescription string

// DeleteParams are the arguments of delete_path.
type DeleteParams struct {
	Path      string `json:"path" pos:"1" required:"true" doc:"the file, link or folder, relative to the root"`
	Recursive bool   `json:"recursive,omitempty" doc:"delete a folder with all that is in it"`
	Common
}

// DeletePath plans the deletion of a file, a link or a folder.
func DeletePath(ctx context.Context, s *workspace.Snapshot, p DeleteParams) (*Plan, error) {
	at, err := workspace.Look(ctx, s, p.Path, false)
	if err != nil {
		return nil, explain(p.Path, err)
	}
	if at.State.Type == workspace.Absent && p.Expect != string(workspace.Absent) {
		return nil, missing(p.Path)
	}
	if err := checkExpect(p.Expect, at); err != nil {
		return nil, err
	}
	plan := newPlan("delete_path")
	switch at.State.Type {
	case workspace.Absent:
		plan.note("there is nothing at %s; nothing changes", p.Path)
		return plan, nil
	case workspace.Special:
		return nil, failed(codePrecondition, "remove it with another program", "%s is a pipe or a device, not a file; it is refused", p.Path)
	case workspace.Folder:
		if len(at.Entries) > 0 && !p.Recursive {
			return nil, failed(codePrecondition, "repeat the call with recursive: true to delete all of it",
				"the folder %s is not empty: it has %d entries, such as %s", p.Path, len(at.Entries), at.Entries[0])
		}
		if err := ownTree(at); err != nil {
			return nil, err
		}
	}
	plan.Changes = []workspace.Change{{Op: workspace.OpDelete, Path: at.Path, Base: at.State}}
	return plan, plan.deleted(ctx, s, at)
}

// ownTree refuses folders that hold a repository of their own.
func ownTree(at *workspace.Place) error {
	for _, e := range at.Entries {
		if slices.ContainsFunc(strings.Split(e, "/"), func(n string) bool { return strings.EqualFold(n, ".git") || n == ".hg" || n == ".jj" || n == ".svn" }) {
			return failed(codeDenied, "use the commands of version control for it", "refused: %s holds version control data (%s)", at.Given, path.Join(at.Path, e))
		}
	}
	return nil
}

// deleted tells what a deletion takes away, file by file.
func (p *Plan) deleted(ctx context.Context, s *workspace.Snapshot, at *workspace.Place) error {
	return eachFile(ctx, s, at, func(f *workspace.Place) error {
		p.Files = append(p.Files, File{Path: f.Path, Before: sumOf(f.State), After: string(workspace.Absent)})
		p.watch(f.Path)
		switch f.State.Type {
		case workspace.Regular:
			p.Planned[f.Path] = nil
			p.addDiff(fileDiff(f.Path, false, f.Data, f.Path, true, nil))
		case workspace.Link:
			p.addDiff(fmt.Sprintf("deleted link %s -> %s\n", f.Path, f.Target))
		case workspace.Folder:
			p.addDiff(fmt.Sprintf("deleted folder %s\n", f.Path))
		}
		return nil
	})
}

// maxDiff bounds the diff of an edit of many files, in bytes.
const maxDiff = 1 << 20

func (p *Plan) addDiff(d string) {
	switch n := len(p.Diff); {
	case n+len(d) <= maxDiff:
		p.Diff += d
	case !strings.HasSuffix(p.Diff, leftOut):
		p.Diff += leftOut
	}
}

const leftOut = "... the diff is longer than what is shown; files lists all\n"

// eachFile calls f with a place, or for a folder with everything in it; folders themselves
// only where they are empty.
func eachFile(ctx context.Context, s *workspace.Snapshot, at *workspace.Place, f func(*workspace.Place) error) error {
	if at.State.Type != workspace.Folder || len(at.Entries) == 0 {
		return f(at)
	}
	for i, e := range at.Entries {
		if i+1 < len(at.Entries) && strings.HasPrefix(at.Entries[i+1], e+"/") {
			continue // a folder that is not empty
		}
		sub, err := workspace.Look(ctx, s, path.Join(at.Path, e), false)
		if err != nil {
			return explain(e, err)
		}
		if err := f(sub); err != nil {
			return err
		}
	}
	return nil
}
