package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// call runs the program in this process.
func call(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// project is a small workspace with a state folder of its own.
func project(t *testing.T) string {
	t.Helper()
	t.Setenv("CODEGRAPH_HOME", t.TempDir())
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("..", "..", "testdata", "fixtures"))); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestVerbs calls every verb as a person and as a program would.
func TestVerbs(t *testing.T) {
	root := project(t)
	for _, c := range []struct {
		args string
		code int
		out  string // on standard output
		err  string // on standard error
	}{
		{"index", 0, "files changed", ""},
		{"index --json", 0, `"changed":0`, ""},
		{"status", 0, "references  certain", ""},
		{"status --json --unresolved", 0, `"fresh":true`, ""},
		{"grep ErrMissing", 0, "var ErrMissing", ""},
		{"grep errmissing -i -l", 0, "go/store/store.go", ""},
		{"grep errmissing -S -c --json", 0, `"counts":[`, ""},
		{"grep -e limit go", 0, "go/app/weight.go", ""},
		{"grep ErrMissing -C 1 --json", 0, `"before":["`, ""},
		{"grep no.such.text", 1, "", ""},
		{"grep a(", 2, "", "missing closing"},
		{"grep a( --json", 2, `{"error":{"code":"usage"`, ""},
		{"discover store", 0, "go/store", ""},
		{"open Memory.Put", 0, "func (m *Memory) Put", ""},
		{"open go/store/store.go --view outline", 0, "Getter", ""},
		{"open none.go", 1, "", "none.go"},
		{"open none.go --json", 1, `"code":"not_found"`, ""},
		{"explore Memory.Put --focus callers --json", 0, `"items":[`, ""},
		{"explore where are items kept", 0, "store", ""},
		{"export", 0, `{"t":"ans",`, ""},
		{"export --format dump", 0, "file go/app/main.go", ""},
		{"export --format none", 2, "", "occurrences and dump"},
		{"version", 0, "codegraph", ""},
		{"--version", 0, "codegraph ", ""},
		{"version --json", 0, `"languages":[`, ""},
		{"completion bash", 0, "bash completion", ""},
		{"bench parse", 0, `"cpu_seconds"`, ""},
		{"frobnicate", 2, "", `no verb "frobnicate"`},
		{"grap", 2, "", "did you mean"},
		{"index x", 2, "", "no arguments"},
		{"grep x --frob --json", 2, `"message":"unknown flag: --frob"`, ""},
		{"grep x --limit many", 2, "", "not a number"},
		{"grep x --output words", 2, "", "words"},
	} {
		code, out, errOut := call(t, append([]string{"-C", root}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errOut, c.err) {
			t.Errorf("codegraph %s: exit %d, want %d\nout: %.400s\nerr: %.400s", c.args, code, c.code, out, errOut)
		}
		if strings.Contains(c.args, "--json") && !json.Valid([]byte(out)) {
			t.Errorf("codegraph %s: no JSON object: %.400s", c.args, out)
		}
	}
}

// TestRoots names roots that are none.
func TestRoots(t *testing.T) {
	root := project(t)
	for _, r := range []string{filepath.Join(root, "none"), filepath.Join(root, "README.md")} {
		if code, _, e := call(t, "grep", "x", "-C", r); code != exitTrouble || !strings.Contains(e, r) {
			t.Errorf("%s: exit %d, %s", r, code, e)
		}
	}
	if err := os.WriteFile(filepath.Join(root, ".codegraph.yaml"), []byte("excludes: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, e := call(t, "index", "-C", root); code != exitTrouble || !strings.Contains(e, `.codegraph.yaml:1: unknown key "excludes"`) {
		t.Errorf("wrong configuration: exit %d, %s", code, e)
	}
}

// TestServe has a conversation over MCP: the handshake, the list of tools, a call.
func TestServe(t *testing.T) {
	root := project(t)
	var out, errOut bytes.Buffer
	in := strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"grep","arguments":{"pattern":"ErrMissing"}}}`,
	}, "\n") + "\n")
	a := &app{in: slow{in}, out: &out, err: &errOut, roots: []string{root}}
	if err := a.serve(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"protocolVersion":"2025-06-18"`, `"name":"codebase_explore"`, `var ErrMissing`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, &out)
		}
	}
}

// slow ends only after what was read had time to be answered.
type slow struct{ *strings.Reader }

func (s slow) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err != nil {
		time.Sleep(2 * time.Second)
	}
	return n, err
}

// TestInterrupt interrupts an index; the exit code says so, and the next call works.
func TestInterrupt(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	root, home := t.TempDir(), t.TempDir()
	copies(t, root, 12)
	cmd := exec.Command(bin, "index", "-C", root)
	cmd.Env = append(os.Environ(), "CODEGRAPH_HOME="+home)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); len(glob(t, home, "*/update.lock")) == 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond) // it has not begun
	}
	time.Sleep(50 * time.Millisecond)
	_ = cmd.Process.Signal(syscall.SIGINT)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted && code != exitDone {
		t.Errorf("exit %d", code)
	}
	got := output(t, home, "export", "--format", "dump", "-C", root)
	if want := output(t, t.TempDir(), "export", "--format", "dump", "-C", root); got != want {
		t.Error("the dump differs from a fresh index's")
	}
}
