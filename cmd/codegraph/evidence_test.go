package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/workspace"
)

// entry is an entry of the ledger as `codegraph evidence show` gives it.
func entry(t *testing.T, root string, id any) (e workspace.Entry) {
	t.Helper()
	code, out, errOut := call(t, "-C", root, "evidence", "show", "--json", fmt.Sprint(id))
	if code != 0 || json.Unmarshal([]byte(out), &e) != nil {
		t.Fatalf("evidence show %v: exit %d: %s%s", id, code, out, errOut)
	}
	if e.ID != id {
		t.Errorf("the entry of %v says that it is %s", id, e.ID)
	}
	return e
}

func sumOf(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// TestEvidenceOfTools calls each tool over MCP: every result, also one of an error, names an
// entry that says what was read or changed.
func TestEvidenceOfTools(t *testing.T) {
	p := newPeer(t, map[string]string{"f.go": "package f\n\n// One is one.\nfunc One() int { return 1 }\n\nfunc two() int { return One() + One() }\n", ".codegraph.yaml": "edits: host\n"})
	p.hello(`{}`)
	calls := []struct{ tool, args, outcome, read, changed string }{
		{"read_discover", `{"query":"f"}`, "done", "", ""},
		{"grep", `{"pattern":"return 1"}`, "done", "f.go:4", ""},
		{"read_open", `{"target":["f.go:1-3"]}`, "done", "f.go:1-3", ""},
		{"codebase_explore", `{"query":"One","focus":"callers"}`, "done", "f.go:6", ""},
		{"read_open", `{"target":["none.go"]}`, "not_found", "", ""},
		{"replace_block", `{"path":"f.go","old":"return 1","new":"return 3","dry_run":true}`, "dry_run", "f.go:", ""},
		{"replace_block", `{"path":"f.go","old":"return 1","new":"return 3"}`, "applied", "f.go:", "f.go:4"},
		{"replace_block", `{"path":"f.go","old":"return 1","new":"return 3"}`, "precondition", "f.go:", ""},
		{"write_file", `{"path":"g.txt","content":"a\nb\n"}`, "applied", "", "g.txt:1-2"},
		{"write_file", `{"path":"../g.txt","content":"a"}`, "outside_workspace", "", ""},
		{"move_path", `{"from":"g.txt","to":"h.txt"}`, "applied", "g.txt:", "g.txt:,h.txt:"},
		{"delete_path", `{"path":"h.txt"}`, "applied", "h.txt:", "h.txt:"},
	}
	for i, c := range calls {
		r := p.say(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"toolCallId":"call %d"}}}`, 10+i, c.tool, c.args, i)
		id := at(r, "result.structuredContent.evidence")
		if at(r, "result.isError") == true {
			id = at(r, "result.structuredContent.error.evidence")
		}
		e := entry(t, p.root, id)
		if e.Tool != c.tool || e.Outcome != c.outcome || e.CallID != fmt.Sprintf("call %d", i) || len(e.InputHash) != 64 || int(e.Seq) != i+1 {
			t.Errorf("%s %s: %+v", c.tool, c.args, e)
		}
		var read, changed []string
		for _, x := range e.Read {
			read = append(read, x.Path+":"+x.Lines)
			if c.outcome == "done" && x.SHA256 != sumOf(t, filepath.Join(p.root, x.Path)) {
				t.Errorf("%s: %+v", c.tool, x)
			}
		}
		for _, x := range e.Changed {
			changed = append(changed, x.Path+":"+x.Lines)
			if c.tool == "replace_block" && (x.After != sumOf(t, filepath.Join(p.root, x.Path)) || x.Before == x.After) {
				t.Errorf("%s: %+v", c.tool, x)
			}
		}
		if got := strings.Join(read, ","); !strings.Contains(got, c.read) {
			t.Errorf("%s read %q, want %q", c.tool, got, c.read)
		}
		if got := strings.Join(changed, ","); got != c.changed {
			t.Errorf("%s changed %q, want %q", c.tool, got, c.changed)
		}
	}
	if code, out, _ := call(t, "-C", p.root, "evidence", "verify", "--json"); code != 0 || !strings.Contains(out, `"sound":true,"entries":12`) {
		t.Errorf("verify: exit %d: %s", code, out)
	}
}

// TestEvidenceVerbs reads the ledger from a shell, and finds what was done to it.
func TestEvidenceVerbs(t *testing.T) {
	root := project(t)
	step := func(args string, code int, want string) string {
		t.Helper()
		got, out, errOut := call(t, append([]string{"-C", root}, strings.Fields(args)...)...)
		if got != code || !strings.Contains(out+errOut, want) {
			t.Errorf("%s: exit %d, want %d; %q is not in\n%s%s", args, got, code, want, out, errOut)
		}
		return out
	}
	step("evidence list", 1, "")
	step("evidence verify", 0, "no entries yet")
	step("grep ErrMissing", 0, "store.go")
	step("open go/store/store.go:3", 0, "")
	step("grep ErrMissing ./go/store", 0, "")
	step("grep ErrMissing "+root+"/go/store/", 0, "")
	step("undo nothing", 1, "")
	var list struct{ Entries []workspace.Entry }
	if err := json.Unmarshal([]byte(step("evidence list --json --tool grep", 0, `"shown":3`)), &list); err != nil {
		t.Fatal(err)
	}
	if e := list.Entries; e[0].InputHash != e[1].InputHash || e[1].InputHash == e[2].InputHash {
		t.Error("a path in another spelling made another call, or two calls have one hash")
	}
	step("evidence list --path go/store/store.go", 0, "e2-")
	step("evidence show "+list.Entries[0].ID, 0, "go/store/store.go:")
	step("evidence show 1", 0, "outcome     done")
	step("evidence show e1-000000000000", 2, "was changed")
	step("evidence show 77", 1, "no such entry")
	step("evidence verify", 0, "sound: 5 entries (1 to 5)")

	logs, err := filepath.Glob(filepath.Join(os.Getenv("CODEGRAPH_HOME"), "*", "evidence", "*.log"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	b, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(b), "\n")
	if err := os.WriteFile(logs[0], []byte(strings.Join(lines[:len(lines)-2], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	step("evidence verify", 2, "entry 5 is missing at the end")
	step("evidence verify --json", 2, `"sound":false`)
}
