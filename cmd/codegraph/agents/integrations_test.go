package agents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func dirs(t *testing.T) Dirs {
	t.Helper()
	tmp := t.TempDir()
	d := Dirs{Home: filepath.Join(tmp, "home"), Project: filepath.Join(tmp, "project"), State: filepath.Join(tmp, "home", ".cache", "codegraph"), Getenv: func(string) string { return "" }}
	for _, p := range []string{d.Home, d.Project} {
		if err := os.Mkdir(p, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const ours = "integrations:\n  codegraph:\n    capabilities: [code.explore, code.read]\n    preferOver: [Grep, Glob, Read]\n"

// TestHints holds our own entry to the form that the agent puts into its prompt.
func TestHints(t *testing.T) {
	d := dirs(t)
	write(t, filepath.Join(d.Home, ".mirri-code", "integrations.yaml"), ours)
	m := Integrations(d)
	want := []string{
		"Tool preference hints (derived from installed integrations):",
		"- For `code.explore`, prefer `mcp__codegraph__codebase_explore`, `mcp__codegraph__grep`, `mcp__codegraph__read_discover` (falls back to: Grep, Glob).",
		"- For `code.read`, prefer `mcp__codegraph__read_open`, `mcp__codegraph__read_discover` (falls back to: Read).",
	}
	if !slices.Equal(m.Hints, want) || len(m.Problems) > 0 || m.SelfCheck() != nil {
		t.Errorf("%q %v %v", m.Hints, m.Problems, m.SelfCheck())
	}
}

// TestMerge replaces by whole entries: nothing of the user's entry shows through.
func TestMerge(t *testing.T) {
	d := dirs(t)
	write(t, filepath.Join(d.Home, ".mirri-code", "integrations.yaml"), ours+"  web:\n    capabilities: [web.fetch]\n    preferOver: [Fetch]\n  quiet:\n    capabilities: [code.explore]\n")
	write(t, filepath.Join(d.Project, ".mirri-code", "integrations.yaml"), "integrations:\n  codegraph:\n    capabilities: [code.read, \"new.thing\"]\n    preferOver: [Read]\n    other: kept\n")
	m := Integrations(d)
	e := m.Integrations[0]
	if e.Scope != Project || !slices.Equal(e.Capabilities, []string{"code.read", "new.thing"}) || !slices.Equal(e.PreferOver, []string{"Read"}) || !strings.HasSuffix(e.Replaces, "integrations.yaml:2") {
		t.Errorf("%+v", e)
	}
	text := strings.Join(m.Hints, "\n")
	for _, want := range []string{"- For `web.fetch`, prefer `mcp__web__*` (falls back to: Fetch).", "- For `new.thing`, prefer `mcp__codegraph__*` (falls back to: Read)."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "code.explore") {
		t.Errorf("a capability that nobody prefers has a hint: %s", text)
	}
	if m.SelfCheck() == nil {
		t.Error("the self-check finds nothing missing")
	}
}

// TestWrongIntegrations names the place of what is wrong.
func TestWrongIntegrations(t *testing.T) {
	for text, want := range map[string]string{
		"integrations:\n  x:\n    capabilities: [a, \"\"]\n":        ":3: integrations.x.capabilities[1] is an empty string",
		"integrations:\n  x:\n    preferOver:\n    - Grep\n    -\n": ":5: integrations.x.preferOver[1] is an empty string",
		"integrations:\n  x:\n    capabilities: text\n":             ":3: integrations.x.capabilities is no list of strings",
		"integrations:\n  x:\n    capabilities: [3]\n":              ":3: integrations.x.capabilities[0] is no string",
		"integrations: [x]\n":                                       ":1: integrations is no mapping",
		"integrations:\n  x: 1\n":                                   ":2: integrations.x is no mapping",
		"a: b: c\n":                                                 ":1: mapping values are not allowed",
	} {
		d := dirs(t)
		path := filepath.Join(d.Project, ".mirri-code", "integrations.yaml")
		write(t, path, text)
		m := Integrations(d)
		if len(m.Problems) != 1 || !strings.HasPrefix(m.Problems[0].Error(), path+want) {
			t.Errorf("%q: %v, want %s", text, m.Problems, want)
		}
	}
}
