package agents

import "path/filepath"

// Name is the name under which the server is registered.
const Name = "codegraph"

// Scope is for whom the server is registered.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // all projects of the user
	Project Scope = "project" // whoever works in this project
)

// Agent is a row of the table.
type Agent struct {
	Name  string // as on the command line
	Title string // as people know it
	// user and project are the files at either level; nil if the agent has none there.
	user, project func(Dirs) []file
	// signs are paths and programs whose presence says that the agent is used here.
	signs    func(Dirs) []string
	programs []string
	guide    string // the agent file of a project that it reads
	// folder is what the agent puts in place of the folder it works in; empty if it
	// starts servers in that folder; pinned if it does neither, so that the entry must
	// name a root.
	folder string
	Asks   bool // it asks its user before a tool that is not read-only, unless told otherwise
}

const pinned = "pinned"

// file is a place in a configuration file of an agent.
type file struct {
	path   string
	format format
	keys   []string
	shape  func(Server) any // the value there; nil means that no server is named
	value  any              // where shape is nil
}

// Server is how an agent starts the server.
type Server struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// The shapes of an entry.
func bare(s Server) any  { return Entry{{"command", s.Command}, {"args", s.Args}} }
func typed(s Server) any { return append(Entry{{"type", "stdio"}}, bare(s).(Entry)...) }
func custom(s Server) any {
	return append(Entry{{"source", "custom"}}, bare(s).(Entry)...)
}
func local(s Server) any {
	return Entry{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}, {"enabled", true}}
}

// one is a list of one file of an agent that names its servers under a key.
func one(path string, f format, key string, shape func(Server) any) []file {
	return []file{{path: path, format: f, keys: []string{key, Name}, shape: shape}}
}

// Integration is our own entry of integrations.yaml: what the server is for, and before which
// of the agent's own tools it should be used.
var integration = Entry{{"capabilities", []string{"code.explore", "code.read"}}, {"preferOver", []string{"Grep", "Glob", "Read"}}}

// mirri is Mirri Code's pair of files in a folder.
func mirri(dir string) []file {
	return append(one(filepath.Join(dir, "mcp.json"), jsonc{}, "mcpServers", bare),
		file{path: filepath.Join(dir, integrationsFile), format: yamlText{}, keys: []string{"integrations", Name}, value: integration})
}

const integrationsFile = "integrations.yaml"

// mirriHome is Mirri Code's folder at user level.
func (d Dirs) mirriHome() string { return d.home("MIRRICODE_HOME", ".mirri-code") }

// vscodeUser is the folder of Visual Studio Code's user.
func (d Dirs) vscodeUser(elem ...string) string {
	return d.support(append([]string{"Code", "User"}, elem...)...)
}

// clineStore is where older versions of Cline keep their settings.
func (d Dirs) clineStore() string {
	return d.vscodeUser("globalStorage", "saoudrizwan.claude-dev", "settings")
}

func (d Dirs) cline() string {
	const name = "cline_mcp_settings.json"
	now := d.home("", ".cline", "data", "settings", name)
	if !exists(now) && exists(d.clineStore()) {
		return filepath.Join(d.clineStore(), name)
	}
	return now
}

// claudeState is the file in which Claude Code keeps its user's settings.
func (d Dirs) claudeState() string { return filepath.Join(d.home("CLAUDE_CONFIG_DIR"), ".claude.json") }

// projectFile is the file of an agent below the project's root.
func projectFile(f format, key string, shape func(Server) any, elem ...string) func(Dirs) []file {
	return func(d Dirs) []file {
		return one(filepath.Join(append([]string{d.Project}, elem...)...), f, key, shape)
	}
}

// All is the table of agents.
func All() []Agent {
	const servers = "mcpServers"
	return append([]Agent{
		{Name: "mirri-code", Title: "Mirri Code", Asks: true, programs: []string{"mirri", "mirri-code"}, guide: "AGENTS.md",
			user:    func(d Dirs) []file { return mirri(d.mirriHome()) },
			project: func(d Dirs) []file { return mirri(filepath.Join(d.Project, ".mirri-code")) },
			signs:   func(d Dirs) []string { return []string{d.mirriHome(), filepath.Join(d.Project, ".mirri-code")} }},
		{Name: "claude-code", Title: "Claude Code", Asks: true, programs: []string{"claude"}, guide: "CLAUDE.md",
			user:    func(d Dirs) []file { return one(d.claudeState(), jsonc{}, servers, typed) },
			project: projectFile(jsonc{}, servers, typed, ".mcp.json"),
			signs: func(d Dirs) []string {
				return []string{d.claudeState(), d.home("CLAUDE_CONFIG_DIR", ".claude"), filepath.Join(d.Project, ".claude"), filepath.Join(d.Project, ".mcp.json")}
			}},
		{Name: "codex", Title: "Codex", Asks: true, programs: []string{"codex"}, guide: "AGENTS.md",
			user: func(d Dirs) []file {
				return one(filepath.Join(d.home("CODEX_HOME", ".codex"), "config.toml"), tomlText{}, "mcp_servers", bare)
			},
			project: projectFile(tomlText{}, "mcp_servers", bare, ".codex", "config.toml"),
			signs:   func(d Dirs) []string { return []string{d.home("CODEX_HOME", ".codex")} }},
		{Name: "gemini", Title: "Gemini CLI", Asks: true, programs: []string{"gemini"}, guide: "GEMINI.md",
			user:    func(d Dirs) []file { return one(d.home("", ".gemini", "settings.json"), jsonc{}, servers, bare) },
			project: projectFile(jsonc{}, servers, bare, ".gemini", "settings.json"),
			signs:   func(d Dirs) []string { return []string{d.home("", ".gemini"), filepath.Join(d.Project, ".gemini")} }},
		{Name: "opencode", Title: "opencode", programs: []string{"opencode"}, guide: "AGENTS.md",
			user: func(d Dirs) []file {
				return one(first(d.config("opencode", "opencode.jsonc"), d.config("opencode", "opencode.json")), jsonc{}, "mcp", local)
			},
			project: func(d Dirs) []file {
				return one(first(filepath.Join(d.Project, "opencode.jsonc"), filepath.Join(d.Project, "opencode.json")), jsonc{}, "mcp", local)
			},
			signs: func(d Dirs) []string {
				return []string{d.config("opencode"), filepath.Join(d.Project, "opencode.json")}
			}},
		{Name: "kimi-code", Title: "Kimi Code", Asks: true, programs: []string{"kimi"}, guide: "AGENTS.md",
			user: func(d Dirs) []file {
				return one(filepath.Join(d.home("KIMI_CODE_HOME", ".kimi-code"), "mcp.json"), jsonc{}, servers, bare)
			},
			project: projectFile(jsonc{}, servers, bare, ".kimi-code", "mcp.json"),
			signs: func(d Dirs) []string {
				return []string{d.home("KIMI_CODE_HOME", ".kimi-code"), filepath.Join(d.Project, ".kimi-code")}
			}},
	}, editors()...)
}

// editors are the agents that live in an editor.
func editors() []Agent {
	const servers = "mcpServers"
	return []Agent{
		{Name: "cursor", Title: "Cursor", Asks: true, programs: []string{"cursor", "cursor-agent"}, guide: "AGENTS.md", folder: "${workspaceFolder}",
			user:    func(d Dirs) []file { return one(d.home("", ".cursor", "mcp.json"), jsonc{}, servers, bare) },
			project: projectFile(jsonc{}, servers, bare, ".cursor", "mcp.json"),
			signs:   func(d Dirs) []string { return []string{d.home("", ".cursor"), filepath.Join(d.Project, ".cursor")} }},
		{Name: "vscode", Title: "VS Code", Asks: true, programs: []string{"code"}, guide: "AGENTS.md", folder: "${workspaceFolder}",
			user:    func(d Dirs) []file { return one(d.vscodeUser("mcp.json"), jsonc{}, "servers", typed) },
			project: projectFile(jsonc{}, "servers", typed, ".vscode", "mcp.json"),
			signs:   func(d Dirs) []string { return []string{d.vscodeUser(), filepath.Join(d.Project, ".vscode")} }},
		{Name: "zed", Title: "Zed", Asks: true, programs: []string{"zed", "zeditor"}, guide: "AGENTS.md",
			user:    func(d Dirs) []file { return one(d.config("zed", "settings.json"), jsonc{}, "context_servers", custom) },
			project: projectFile(jsonc{}, "context_servers", custom, ".zed", "settings.json"),
			signs:   func(d Dirs) []string { return []string{d.config("zed"), filepath.Join(d.Project, ".zed")} }},
		{Name: "windsurf", Title: "Windsurf", Asks: true, programs: []string{"windsurf"}, guide: "AGENTS.md", folder: pinned,
			user: func(d Dirs) []file {
				return one(d.home("", ".codeium", "windsurf", "mcp_config.json"), jsonc{}, servers, bare)
			},
			signs: func(d Dirs) []string { return []string{d.home("", ".codeium", "windsurf")} }},
		{Name: "cline", Title: "Cline", Asks: true, guide: "AGENTS.md", folder: pinned,
			user:  func(d Dirs) []file { return one(d.cline(), jsonc{}, servers, bare) },
			signs: func(d Dirs) []string { return []string{d.home("", ".cline"), d.clineStore()} }},
		{Name: "agent-yaml", Title: "agent.yaml", guide: "AGENTS.md",
			project: func(d Dirs) []file {
				return []file{{path: filepath.Join(d.Project, "agent.yaml"), format: yamlText{}, keys: []string{"mcp", "servers", Name}, shape: bare}}
			},
			signs: func(d Dirs) []string { return []string{filepath.Join(d.Project, "agent.yaml")} }},
	}
}

// Named is the agent of a name.
func Named(name string) (Agent, bool) {
	for _, a := range All() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// Found reports whether the agent seems to be used here.
func (a Agent) Found(d Dirs) bool {
	for _, p := range a.signs(d) {
		if filepath.IsAbs(p) && exists(p) {
			return true
		}
	}
	for _, p := range a.programs {
		if d.Look != nil {
			if _, err := d.Look(p); err == nil {
				return true
			}
		}
	}
	return false
}

// files are the agent's places at a scope.
func (a Agent) files(d Dirs, s Scope) []file {
	f := a.user
	if s == Project {
		f = a.project
		if d.Project == "" {
			return nil
		}
	}
	if f == nil {
		return nil
	}
	return f(d)
}

// Has reports whether the agent can be configured at a scope.
func (a Agent) Has(d Dirs, s Scope) bool { return len(a.files(d, s)) > 0 }
