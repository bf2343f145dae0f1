package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"gopkg.in/yaml.v3"

	"github.com/codegraph-dev/codegraph/cmd/codegraph/agents"
)

// agentFile is where an agent has its configuration, how it reads it, and what may be in it.
type agentFile struct {
	path, key, before string
	decode            func([]byte, any) error
}

func readJSONC(b []byte, v any) error {
	b, err := hujson.Standardize(b)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// homes is what each agent reads, as its documentation says; relative to the home, or to the
// project where the agent has nothing at user level.
var homes = map[string]agentFile{
	"mirri-code":  {".mirri-code/mcp.json", "mcpServers", "{\n    // mine\n    \"mcpServers\": {\n        \"x\": {\"command\": \"y\"}, // last\n    },\n}\n", readJSONC},
	"claude-code": {".claude.json", "mcpServers", "{\n  \"numStartups\": 3,\n  \"projects\": {\"/p\": {\"a\": 1.50}}\n}", readJSONC},
	"codex":       {".codex/config.toml", "mcp_servers", "model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = 'o'\n\n# end", toml.Unmarshal},
	"gemini":      {".gemini/settings.json", "mcpServers", "{\"theme\":\"dark\"}", readJSONC},
	"opencode":    {".config/opencode/opencode.json", "mcp", "", readJSONC},
	"kimi-code":   {".kimi-code/mcp.json", "mcpServers", "{}", readJSONC},
	"cursor":      {".cursor/mcp.json", "mcpServers", "{\r\n\t\"mcpServers\": {}\r\n}\r\n", readJSONC},
	"vscode":      {".config/Code/User/mcp.json", "servers", "", readJSONC},
	"zed":         {".config/zed/settings.json", "context_servers", "// Zed\n{\n  \"theme\": \"One\",\n}\n", readJSONC},
	"windsurf":    {".codeium/windsurf/mcp_config.json", "mcpServers", "", readJSONC},
	"cline":       {".cline/data/settings/cline_mcp_settings.json", "mcpServers", "{\n  \"mcpServers\": {\n  }\n}\n", readJSONC},
	"agent-yaml":  {"agent.yaml", "mcp.servers", "name: a # mine\nmcp:\n    servers:\n        x: {command: y}\n# end\n", yaml.Unmarshal},
}

// tree is all that is in a folder: names, modes, links and bytes.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %v", p, st.Mode())
		if st.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %q", data)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// cleanHome is a home and a project of which the environment knows nothing.
func cleanHome(t *testing.T) (home, project string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	programPath(t) // before the home is another one, where go build would fill a cache
	dir := t.TempDir()
	home, project = filepath.Join(dir, "home"), filepath.Join(dir, "project")
	for _, d := range []string{home, filepath.Join(project, ".git")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(project, "main.txt"), []byte("hello\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	for _, v := range []string{"CODEGRAPH_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MIRRICODE_HOME", "KIMI_CODE_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"} {
		t.Setenv(v, "")
	}
	return home, project
}

// programPath is the program as agents start it.
func programPath(t *testing.T) string {
	t.Helper()
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

// TestInstallEach installs for each agent, plays the agent, uninstalls, and wants the home
// and the project to be what they were.
func TestInstallEach(t *testing.T) {
	for _, name := range agents.Names() {
		f, ok := homes[name]
		if !ok {
			t.Errorf("%s has no row in this test", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			home, project := cleanHome(t)
			path, scope := filepath.Join(home, f.path), "user"
			if name == "agent-yaml" {
				path, scope = filepath.Join(project, f.path), "project"
			}
			if f.before != "" {
				put(t, path, f.before)
			}
			before := tree(t, filepath.Dir(home))
			args := []string{"install", "--agent", name, "--scope", scope, "--command", programPath(t), "-C", project}
			if code, out, errOut := call(t, append(args, "--dry-run")...); code != 0 || !strings.Contains(out, "+++ "+path) || tree(t, filepath.Dir(home)) != before {
				t.Fatalf("dry run: exit %d\n%s%s", code, out, errOut)
			}
			code, out, errOut := call(t, append(args, "--yes")...)
			if code != 0 || !strings.Contains(out, name+": installed; the server answered") {
				t.Fatalf("exit %d\n%s%s", code, out, errOut)
			}
			playAgent(t, f, path, project)
			after := tree(t, filepath.Dir(home))
			if code, out, errOut := call(t, append(args, "--yes")...); code != 0 || !strings.Contains(out, name+": already") || tree(t, filepath.Dir(home)) != after {
				t.Errorf("a second time: exit %d\n%s%s", code, out, errOut)
			}
			if code, out, errOut := call(t, "uninstall", "--yes", "-C", project); code != 0 || !strings.Contains(out, name+": removed") {
				t.Errorf("uninstall: exit %d\n%s%s", code, out, errOut)
			}
			if got := tree(t, filepath.Dir(home)); got != before {
				t.Errorf("the home differs:\n%s\nbefore:\n%s", got, before)
			}
		})
	}
}

// projects is what each agent reads in a project, relative to it.
var projects = map[string]string{
	"mirri-code": ".mirri-code/mcp.json", "claude-code": ".mcp.json", "codex": ".codex/config.toml", "gemini": ".gemini/settings.json",
	"opencode": "opencode.json", "kimi-code": ".kimi-code/mcp.json", "cursor": ".cursor/mcp.json", "vscode": ".vscode/mcp.json",
	"zed": ".zed/settings.json", "agent-yaml": "agent.yaml",
}

// TestInstallClean does the same where the agent has no file yet, at each level that it has,
// and wants no file and no folder to be left.
func TestInstallClean(t *testing.T) {
	for _, name := range agents.Names() {
		for _, scope := range []string{"user", "project"} {
			t.Run(name+"/"+scope, func(t *testing.T) {
				home, project := cleanHome(t)
				f := homes[name]
				path := filepath.Join(home, f.path)
				if scope == "project" {
					path = filepath.Join(project, projects[name])
				}
				before := tree(t, filepath.Dir(home))
				code, out, errOut := call(t, "install", "--agent", name, "--scope", scope, "--command", programPath(t), "--yes", "-C", project)
				if there := scope == "user" && name != "agent-yaml" || scope == "project" && projects[name] != ""; !there {
					if code != exitNothing || tree(t, filepath.Dir(home)) != before {
						t.Errorf("a level that the agent has not: exit %d\n%s%s", code, out, errOut)
					}
					return
				}
				if code != 0 {
					t.Fatalf("exit %d\n%s%s", code, out, errOut)
				}
				playAgent(t, f, path, project)
				if code, out, errOut := call(t, "uninstall", "--yes", "-C", project); code != 0 || !strings.Contains(out, name+": removed") {
					t.Errorf("uninstall: exit %d\n%s%s", code, out, errOut)
				}
				if got := tree(t, filepath.Dir(home)); got != before {
					t.Errorf("the home differs:\n%s\nbefore:\n%s", got, before)
				}
			})
		}
	}
}

// playAgent reads the agent's configuration as the agent does, starts the server from it and
// calls read_discover.
func playAgent(t *testing.T, f agentFile, path, project string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := f.decode(text, &v); err != nil {
		t.Fatal(err)
	}
	for _, key := range append(strings.Split(f.key, "."), "codegraph") {
		v = v.(map[string]any)[key]
	}
	entry := v.(map[string]any)
	var argv []string
	switch c := entry["command"].(type) {
	case string:
		argv = []string{c}
	case []any:
		entry["args"], argv = c[1:], []string{c[0].(string)}
	}
	for _, a := range entry["args"].([]any) {
		argv = append(argv, strings.ReplaceAll(a.(string), "${workspaceFolder}", project))
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "CODEGRAPH_HOME="+t.TempDir())
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`)
	_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_discover","arguments":{"query":"main"}}}`)
	found := false
	for s := bufio.NewScanner(out); !found && s.Scan(); {
		found = strings.Contains(s.Text(), `"id":2`) && strings.Contains(s.Text(), "main.txt")
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil || !found {
		t.Errorf("%v: %v, found %v", argv, err, found)
	}
}

// TestInstallProject registers in a project for several agents, with the block in their agent
// files; an uninstall of one leaves what the others need.
func TestInstallProject(t *testing.T) {
	home, project := cleanHome(t)
	put(t, filepath.Join(project, "AGENTS.md"), "# Rules\n\nBe kind.")
	before := tree(t, filepath.Dir(home))
	args := []string{"install", "--agent", "codex,cursor,claude-code,mirri-code", "--scope", "project", "--edits", "off", "--yes", "--command", programPath(t), "-C", project}
	if code, out, errOut := call(t, args...); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errOut)
	}
	for path, want := range map[string]string{
		"AGENTS.md": "Be kind.\n\n<!-- codegraph:start -->", "CLAUDE.md": "codebase_explore", ".mcp.json": `"type": "stdio"`,
		".codex/config.toml": "[mcp_servers.codegraph]", ".codegraph.yaml": "edits: off", ".mirri-code/integrations.yaml": "preferOver: [Grep, Glob, Read]",
	} {
		text, err := os.ReadFile(filepath.Join(project, path))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, no %q in %s", path, err, want, text)
		}
	}
	if code, out, _ := call(t, "integrations", "-C", project); code != 0 || !strings.Contains(out, "- For `code.read`, prefer `mcp__codegraph__read_open`") {
		t.Errorf("integrations: exit %d\n%s", code, out)
	}
	if code, out, _ := call(t, "uninstall", "--agent", "codex", "--yes", "-C", project); code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
	text, err := os.ReadFile(filepath.Join(project, "AGENTS.md"))
	if err != nil || !strings.Contains(string(text), "codegraph:start") {
		t.Errorf("the block that Cursor needs is gone: %v %s", err, text)
	}
	if code, out, _ := call(t, "uninstall", "--yes", "-C", project); code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
	if got := tree(t, filepath.Dir(home)); got != before {
		t.Errorf("the project differs:\n%s\nbefore:\n%s", got, before)
	}
}

// TestUninstallChanged takes only the entry out of a file that somebody else changed since.
func TestUninstallChanged(t *testing.T) {
	home, project := cleanHome(t)
	path := filepath.Join(home, ".cursor", "mcp.json")
	put(t, path, "{\n  \"a\": 1\n}\n")
	if code, out, e := call(t, "install", "--agent", "cursor", "--yes", "--command", programPath(t), "-C", project); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, e)
	}
	text, _ := os.ReadFile(path)
	put(t, path, strings.Replace(string(text), "{\n", "{\n  \"new\": true, // theirs\n", 1))
	if code, out, e := call(t, "uninstall", "--yes", "-C", project); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, e)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "{\n  \"new\": true, // theirs\n  \"a\": 1\n}\n" {
		t.Errorf("%v %s", err, text)
	}
}

// TestInstallRefuses leaves malformed files alone, asks before it changes anything, and puts
// everything back when the server does not start.
func TestInstallRefuses(t *testing.T) {
	home, project := cleanHome(t)
	path := filepath.Join(home, ".claude.json")
	put(t, path, "{\n  \"a\": 1\n  \"b\": 2\n}\n")
	put(t, filepath.Join(home, ".codex", "config.toml"), "a = 1\n")
	before := tree(t, filepath.Dir(home))
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"install --agent claude-code --yes", exitTrouble, path + ":3:"},
		{"install --agent codex", exitApproval, "--yes"},
		{"install --agent codex --yes --command /no/such/program", exitTrouble, "rolled back"},
		{"install --agent codex --yes --command false", exitTrouble, "rolled back"},
		{"install --agent nobody", exitNothing, "mirri-code"},
		{"install --agent windsurf --scope project", exitNothing, "no configuration"},
		{"install --scope both", exitTrouble, "user or project"},
		{"uninstall --yes", exitTrouble, path + ":3:"},
	} {
		code, out, errOut := call(t, append(strings.Fields(c.args), "-C", project)...)
		if code != c.code || !strings.Contains(out+errOut, c.want) {
			t.Errorf("%s: exit %d, want %d and %s\n%s%s", c.args, code, c.code, c.want, out, errOut)
		}
		if got := tree(t, filepath.Dir(home)); got != before {
			t.Errorf("%s: the home differs:\n%s", c.args, got)
		}
	}
}

// TestDoctor finds what is well and what is not.
func TestDoctor(t *testing.T) {
	home, project := cleanHome(t)
	if code, out, e := call(t, "install", "--agent", "mirri-code", "--yes", "--json", "--command", programPath(t), "-C", project); code != 0 || !json.Valid([]byte(out)) {
		t.Fatalf("exit %d\n%s%s", code, out, e)
	}
	code, out, _ := call(t, "doctor", "-C", project)
	for _, want := range []string{"ok   program", "ok   state", "ok   index", "ok   edits", "ok   mirri-code", "ok   preference"} {
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%s", code, want, out)
		}
	}
	put(t, filepath.Join(home, ".mirri-code", "integrations.yaml"), "integrations:\n  x:\n    preferOver: ['']\n")
	if code, out, _ := call(t, "doctor", "--json", "-C", project); code != exitTrouble || !strings.Contains(out, "integrations.yaml:3: integrations.x.preferOver[0] is an empty string") {
		t.Errorf("exit %d\n%s", code, out)
	}
}
