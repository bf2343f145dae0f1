package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakeReplies is .fake.json in a workspace: what the fake program answers. The first rule
// whose words all stand among the arguments is used.
type fakeReplies struct {
	Rules []struct {
		When string          `json:"when"`
		Exit int             `json:"exit"`
		Out  json.RawMessage `json:"out"`
		Raw  string          `json:"raw"` // printed as it stands, in place of out
		Err  string          `json:"err"`
		Sh   string          `json:"sh"`   // run in the root first
		Kill bool            `json:"kill"` // end by a signal
	} `json:"rules"`
	MCP struct {
		Stdout    string                     `json:"stdout"`
		Stderr    string                     `json:"stderr"`
		Exit      int                        `json:"exit"`
		Deaf      bool                       `json:"deaf"`    // stay when the input ends
		Outline   string                     `json:"outline"` // a file whose functions every other request gets
		Responses map[string]json.RawMessage `json:"responses"`
	} `json:"mcp"`
}

// TestMain plays the program when the test binary is called by its name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "codegraph" {
		os.Exit(fake(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func fake(args []string) int {
	root := "."
	for i, a := range args {
		if a == "-C" && i+1 < len(args) {
			root = args[i+1]
		}
	}
	data, err := os.ReadFile(filepath.Join(root, ".fake.json"))
	if err != nil {
		data, err = os.ReadFile(".fake.json")
	}
	var f fakeReplies
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake:", err)
		return 9
	}
	if args[0] == "mcp" {
		return fakeServer(f)
	}
	said := " " + strings.Join(args, " ") + " "
next:
	for _, r := range f.Rules {
		for _, w := range strings.Fields(r.When) {
			if !strings.Contains(said, w) {
				continue next
			}
		}
		if r.Sh != "" {
			cmd := exec.Command("sh", "-c", r.Sh)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				fmt.Fprintln(os.Stderr, err, string(out))
			}
		}
		if r.Kill {
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		}
		fmt.Fprint(os.Stderr, r.Err)
		fmt.Print(r.Raw, string(r.Out))
		return r.Exit
	}
	fmt.Print("{}")
	return 0
}

func fakeServer(f fakeReplies) int {
	fmt.Fprint(os.Stderr, f.MCP.Stderr)
	fmt.Print(f.MCP.Stdout)
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal([]byte(line), &m) == nil && len(m.ID) > 0 {
			if r, ok := f.MCP.Responses[strings.Trim(string(m.ID), `"`)]; ok {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s`+"\n", m.ID, strings.ReplaceAll(strings.TrimPrefix(string(r), "{"), "\n", " "))
			} else if f.MCP.Outline != "" {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"structuredContent":{"items":[{"outline":[%s]}]}}}`+"\n", m.ID, outlineOf(f.MCP.Outline))
			}
		}
	}
	if f.MCP.Deaf {
		select {}
	}
	return f.MCP.Exit
}

// fakeRunner is a runner whose program is this test binary.
func fakeRunner(t *testing.T) *runner {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "codegraph")
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	return &runner{bin: bin, jobs: 2, limit: 30e9, out: os.Stderr}
}

// runOne writes a case folder and runs it: op is the operation with kind, args and steps,
// expect its expectation, replies the fake's answers.
func runOne(t *testing.T, r *runner, op, expect, replies string) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tree"), 0o755); err != nil {
		t.Fatal(err)
	}
	body := "id: one\ngenerate: |\n  printf 'one\\n' > a.txt\n  printf 'two\\n' > b.txt\n  mkdir d\n" +
		"operation: " + op + "\nexpect: " + expect + "\n"
	for name, data := range map[string]string{"case.yaml": body, "tree/.fake.json": replies} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := loadCase(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r.runCase(t.Context(), c).faults
}

// outlineOf lists the functions of a file as symbols.
func outlineOf(path string) string {
	data, _ := os.ReadFile(path)
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^def (\w+)`).FindAllStringSubmatch(string(data), -1) {
		out = append(out, fmt.Sprintf(`{"name":%q,"kind":"function"}`, m[1]))
	}
	return strings.Join(out, ",")
}
