package agents

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Options are what to install where.
type Options struct {
	Dirs    Dirs
	Agents  []string // names; empty means those that are found
	Scope   Scope
	Command string // the program, as agents start it
	Guide   bool   // put the marked block into the project's agent file
	Edits   string // the edit policy to write: off, ask or host; empty leaves it alone
}

// Change is what becomes of one file.
type Change struct {
	Agent  string `json:"agent"`
	Path   string `json:"path"`
	Action string `json:"action"` // create, change, remove, or none
	Diff   string `json:"diff,omitempty"`

	file          file
	before, after []byte
}

// Plan is what would be done, agent by agent.
type Plan struct {
	Scope    Scope      `json:"scope,omitempty"`
	Agents   []string   `json:"agents"`
	Changes  []*Change  `json:"changes"`
	Problems []*Problem `json:"problems"` // files that are left alone
	Notes    []string   `json:"notes"`
}

// Empty reports whether nothing would change.
func (p *Plan) Empty() bool {
	return !slices.ContainsFunc(p.Changes, func(c *Change) bool { return c.Action != "none" })
}

// ErrNone: no agent was found, or none of the named ones can be configured like that.
var ErrNone = errors.New("no agent to configure")

// policy stands for an agent where the edit policy is written.
const policy = "edit-policy"

// Pick is the agents that the options mean.
func (o Options) Pick() ([]Agent, error) {
	var out []Agent
	for _, n := range o.Agents {
		a, ok := Named(n)
		switch {
		case !ok:
			return nil, fmt.Errorf("%w: %q is none of %s", ErrNone, n, strings.Join(Names(), ", "))
		case !a.Has(o.Dirs, o.Scope) && o.Scope == Project && o.Dirs.Project == "":
			return nil, fmt.Errorf("%w: there is no project here", ErrNone)
		case !a.Has(o.Dirs, o.Scope):
			return nil, fmt.Errorf("%w: %s has no configuration at the level of the %s", ErrNone, a.Title, o.Scope)
		}
		out = append(out, a)
	}
	if len(o.Agents) > 0 {
		return out, nil
	}
	for _, a := range All() {
		if a.Has(o.Dirs, o.Scope) && a.Found(o.Dirs) {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: none of %s was found", ErrNone, strings.Join(Names(), ", "))
	}
	return out, nil
}

// Names are the names of all agents.
func Names() []string {
	var out []string
	for _, a := range All() {
		out = append(out, a.Name)
	}
	return out
}

// server is how an agent is to start the server.
func (o Options) server(a Agent) Server {
	s := Server{Command: o.Command, Args: []string{"mcp"}}
	switch a.folder {
	case "":
	case pinned:
		if o.Dirs.Project != "" {
			s.Args = append(s.Args, "-C", o.Dirs.Project)
		}
	default:
		s.Args = append(s.Args, "-C", a.folder)
	}
	return s
}

// targets are the files of an agent with the values that belong there.
func (o Options) targets(a Agent) []file {
	out := a.files(o.Dirs, o.Scope)
	for i := range out {
		if out[i].shape != nil {
			out[i].value = out[i].shape(o.server(a))
		}
	}
	if o.Guide && o.Scope == Project {
		out = append(out, guide(o.Dirs, a))
	}
	return out
}

// guide is the marked block in the project's agent file. An agent file that only imports
// another one leads there.
func guide(d Dirs, a Agent) file {
	path := filepath.Join(d.Project, a.guide)
	if text, err := os.ReadFile(path); err == nil && a.guide != "AGENTS.md" && bytes.Contains(text, []byte("@AGENTS.md")) {
		path = filepath.Join(d.Project, "AGENTS.md")
	}
	return file{path: path, format: block{}, keys: []string{"block"}, value: blockText}
}

// policyFile is where the edit policy is said.
func policyFile(o Options) file {
	path := filepath.Join(o.Dirs.Project, ".codegraph.yaml")
	if o.Scope == User {
		path = o.Dirs.support("codegraph", "config.yaml")
	}
	return file{path: path, format: yamlText{}, keys: []string{"edits"}, value: o.Edits}
}

// Make plans an installation. It writes nothing.
func Make(o Options) (*Plan, error) {
	list, err := o.Pick()
	if err != nil {
		return nil, err
	}
	p := &Plan{Scope: o.Scope, Agents: []string{}, Changes: []*Change{}, Problems: []*Problem{}, Notes: []string{}}
	seen := map[string][]byte{} // what earlier changes of the plan make of a file
	read := func(path string) ([]byte, error) {
		if b, ok := seen[path]; ok {
			return b, nil
		}
		return readFile(path)
	}
	for _, a := range list {
		p.Agents = append(p.Agents, a.Name)
		changes, problems := changesFor(a.Name, o.targets(a), read)
		p.Problems = append(p.Problems, problems...)
		if len(problems) > 0 {
			p.Notes = append(p.Notes, a.Title+" is left as it is, because a file of its configuration is wrong")
			continue
		}
		for _, c := range changes {
			seen[c.Path] = c.after
		}
		p.Changes = append(p.Changes, changes...)
		if a.folder == pinned && o.Dirs.Project != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("%s does not tell servers which folder it works in, so its entry names %s; install from another project to change that", a.Title, o.Dirs.Project))
		}
	}
	if o.Edits != "" {
		changes, problems := changesFor(policy, []file{policyFile(o)}, read)
		p.Changes, p.Problems = append(p.Changes, changes...), append(p.Problems, problems...)
	}
	return p, nil
}

// changesFor are the changes to the files of one agent, or the problems that bar all of them.
func changesFor(agent string, files []file, read func(string) ([]byte, error)) (out []*Change, bad []*Problem) {
	for _, f := range files {
		c, err := changeTo(agent, f, read)
		var p *Problem
		switch {
		case errors.As(err, &p):
			p.Path = f.path
			bad = append(bad, p)
		case err != nil:
			bad = append(bad, &Problem{Path: f.path, Reason: err.Error()})
		default:
			out = append(out, c)
		}
	}
	return out, bad
}

func changeTo(agent string, f file, read func(string) ([]byte, error)) (*Change, error) {
	before, err := read(f.path)
	if err != nil {
		return nil, err
	}
	c := &Change{Agent: agent, Path: f.path, Action: "change", file: f, before: before, after: before}
	if got, ok, err := lookup(f.format, before, f.keys); err != nil {
		return nil, err
	} else if ok && holds(got, f.value) {
		c.Action = "none"
		return c, nil
	}
	if c.after, err = put(f.format, before, f.keys, f.value); err != nil {
		return nil, err
	}
	if before == nil {
		c.Action = "create"
	}
	c.Diff = diffOf(f.path, before, c.after)
	return c, nil
}

// diffOf is the unified diff of a file; nil bytes mean that it is not there.
func diffOf(path string, before, after []byte) string {
	from, to := path, path
	if before == nil {
		from = os.DevNull
	}
	if after == nil {
		to = os.DevNull
	}
	d := string(diff.Diff(from, before, to, after))
	if _, rest, ok := strings.Cut(d, "\n"); ok && strings.HasPrefix(d, "diff ") {
		return rest
	}
	return d
}
