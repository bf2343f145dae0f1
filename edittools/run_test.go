package edittools

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/workspace"
)

func code(err error) string {
	var told *Error
	if errors.As(err, &told) {
		return told.Code
	}
	return ""
}

// call runs write_file under a frozen call.
func (b *bench) call(c Call, p WriteParams) (*Result, error) {
	if c.Tool == "" {
		c.Tool = "write_file"
	}
	if c.InputHash == "" {
		c.InputHash = "h"
	}
	return Run(context.Background(), b.w, c, func(ctx context.Context, s *workspace.Snapshot) (*Plan, error) { return WriteFile(ctx, s, p) })
}

// TestApprovalMatrix approves a call and repeats it with one thing changed at a time: only
// the very call is made, and once.
func TestApprovalMatrix(t *testing.T) {
	p := WriteParams{Path: "f", Content: "new\n", Overwrite: true}
	same := func(b *bench) {}
	for name, c := range map[string]struct {
		first, again Call
		params       WriteParams
		between      func(b *bench)
		code         string
	}{
		"the same, unnamed":    {params: p, between: same},
		"the same, named":      {Call{ID: "1", Named: true}, Call{ID: "1", Named: true}, p, same, ""},
		"another request id":   {Call{ID: "s/1"}, Call{ID: "s/2"}, p, same, ""},
		"another call id":      {Call{ID: "1", Named: true}, Call{ID: "2", Named: true}, p, same, codeApproval},
		"named only again":     {Call{}, Call{ID: "2", Named: true}, p, same, codeApproval},
		"another tool":         {Call{}, Call{Tool: "replace_block"}, p, same, codeApproval},
		"another input hash":   {Call{}, Call{InputHash: "i"}, p, same, codeApproval},
		"another content":      {params: WriteParams{Path: "f", Content: "newer\n", Overwrite: true}, between: same, code: codeApproval},
		"another path":         {params: WriteParams{Path: "g", Content: "new\n", Overwrite: true}, between: same, code: codeApproval},
		"the target changed":   {params: p, between: func(b *bench) { b.put("f", "mine\n") }, code: codeApproval},
		"nobody answered":      {params: p, between: nil, code: codeApproval},
		"denied":               {params: p, between: func(b *bench) { b.deny = true }, code: codeDenied},
		"edits switched off":   {params: p, between: func(b *bench) { b.put(".codegraph.yaml", "edits: off\n") }, code: codeDenied},
		"the user's is strict": {params: p, between: func(b *bench) { b.put("../conf/codegraph/config.yaml", "edits: off\n") }, code: codeDenied},
	} {
		b := newBench(t, map[string]string{"f": "old\n"})
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(filepath.Dir(b.root), "conf"))
		r, err := b.call(c.first, p)
		if err != nil || r.Applied || r.Approval.State != ApprovalRequired || b.get("f") != "old\n" {
			t.Fatalf("%s: asked: %+v, %v", name, r, err)
		}
		if c.between != nil {
			c.between(b)
			if _, err := b.w.Decide(t.Context(), r.Approval.ID, !b.deny, "test"); err != nil {
				t.Fatal(err)
			}
		}
		before := b.tree()
		c.again.Approval = r.Approval.ID
		r2, err := b.call(c.again, c.params)
		if got := code(err); got != c.code {
			t.Errorf("%s: got %v, want code %q", name, err, c.code)
			continue
		}
		if c.code != "" {
			equal(t, b.tree(), before)
			continue
		}
		if !r2.Applied || b.get("f") != "new\n" {
			t.Errorf("%s: %+v", name, r2)
		}
		b.put("f", "old\n")
		r3, err := b.call(c.again, c.params)
		if c.again.Named {
			if err != nil || !r3.Replayed || r3.EditID != r2.EditID || b.get("f") != "old\n" {
				t.Errorf("%s: the same call again: %+v, %v", name, r3, err)
			}
		} else if code(err) != codeApproval || b.get("f") != "old\n" {
			t.Errorf("%s: the approval was taken twice: %v", name, err)
		}
	}
}

func TestPolicyHost(t *testing.T) {
	b := newBench(t, map[string]string{".codegraph.yaml": "edits: host\n", "f": "old\n"})
	r, err := b.call(Call{Host: true}, WriteParams{Path: "f", Content: "new\n", Overwrite: true})
	if err != nil || !r.Applied || r.Approval.State != ApprovalByHost {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = b.call(Call{}, WriteParams{Path: "f", Content: "newer\n", Overwrite: true})
	if err != nil || r.Applied || r.Approval.State != ApprovalRequired {
		t.Errorf("from a shell: %+v, %v", r, err)
	}
	for _, p := range []string{".codegraph.yaml", ".github/workflows/x.yml", "sub/.env", ".mcp.json"} {
		r, err = b.call(Call{Host: true}, WriteParams{Path: p, Content: "edits: host\n\n", Overwrite: true})
		if err != nil || r.Applied || r.Approval.State != ApprovalRequired {
			t.Errorf("%s: %+v, %v", p, r, err)
		}
	}
}

// TestAnswers asks a person at once.
func TestAnswers(t *testing.T) {
	b := newBench(t, map[string]string{"f": "old\n"})
	p := WriteParams{Path: "f", Content: "new\n", Overwrite: true}
	var asked Question
	answer := func(w Word) Call {
		return Call{Ask: func(_ context.Context, q Question) (Answer, error) {
			asked = q
			return Answer{w, "test"}, nil
		}}
	}
	if _, err := b.call(answer(No), p); code(err) != codeDenied || b.get("f") != "old\n" {
		t.Errorf("no: %v", err)
	}
	if asked.Diff == "" || len(asked.Paths) != 1 {
		t.Errorf("the question: %+v", asked)
	}
	if r, err := b.call(answer(Nobody), p); err != nil || r.Approval.State != ApprovalRequired {
		t.Errorf("nobody: %+v, %v", r, err)
	}
	if r, err := b.call(answer(Yes), p); err != nil || !r.Applied || r.Approval.By != "test" {
		t.Errorf("yes: %+v, %v", r, err)
	}
	p.DryRun, p.Content = true, "x"
	asked = Question{}
	if r, err := b.call(Call{DryRun: true, Ask: answer(Yes).Ask}, p); err != nil || r.Applied || asked.ID != "" {
		t.Errorf("a dry run: %+v, %v", r, err)
	}
}

// TestApprovalsBounded asks often: of what is settled only the newest stay, and what can still be
// used is never among what goes.
func TestApprovalsBounded(t *testing.T) {
	b := newBench(t, map[string]string{"f": "old\n"})
	p := WriteParams{Path: "f", Content: "new\n", Overwrite: true}
	open, err := b.call(Call{}, p)
	if err != nil {
		t.Fatal(err)
	}
	for range 110 {
		no := Call{InputHash: "n", Ask: func(context.Context, Question) (Answer, error) { return Answer{No, "test"}, nil }}
		if _, err := b.call(no, p); code(err) != codeDenied {
			t.Fatal(err)
		}
	}
	all, err := b.w.Approvals(t.Context())
	if err != nil || len(all) != 101 || all[100].ID != open.Approval.ID {
		t.Errorf("%d approvals, %v", len(all), err)
	}
}

// TestApprovalExpires answers in time and comes too late.
func TestApprovalExpires(t *testing.T) {
	b := newBench(t, map[string]string{"f": "old\n"})
	p := WriteParams{Path: "f", Content: "new\n", Overwrite: true}
	r, err := b.call(Call{}, p)
	if err == nil {
		_, err = b.w.Decide(t.Context(), r.Approval.ID, true, "test")
	}
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(b.w.State(), "approvals", r.Approval.ID+".json")
	a := workspace.Approval{}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &a)
	}
	a.Expires = time.Now().Add(-time.Second)
	if data, err = json.Marshal(a); err == nil {
		err = os.WriteFile(name, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.call(Call{Approval: r.Approval.ID}, p); code(err) != codeApproval || b.get("f") != "old\n" {
		t.Errorf("an approval that expired: %v", err)
	}
}
