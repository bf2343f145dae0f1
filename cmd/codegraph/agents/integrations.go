package agents

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Integration is an entry of integrations.yaml: a server, what it is for, and before which
// of the agent's own tools it should be used.
type Integration struct {
	Name         string   `json:"name"`
	Scope        Scope    `json:"scope"` // the level that it is from
	Path         string   `json:"path"`
	Line         int      `json:"line"`
	Capabilities []string `json:"capabilities"`
	PreferOver   []string `json:"preferOver"`
	Replaces     string   `json:"replaces,omitempty"` // path:line of the user's entry that the project's one takes the place of
}

// Merged is the view of both levels together.
type Merged struct {
	Files        []string       `json:"files"` // that were read, the user's first
	Integrations []*Integration `json:"integrations"`
	Hints        []string       `json:"hints"` // as the agent puts them into its prompt, the title first
	Problems     []*Problem     `json:"problems"`
}

// Integrations reads integrations.yaml at both levels. The project's entry replaces the
// user's of the same name whole. A wrong entry is left out and told.
func Integrations(d Dirs) *Merged {
	m := &Merged{Files: []string{}, Integrations: []*Integration{}, Hints: []string{}, Problems: []*Problem{}}
	m.read(filepath.Join(d.mirriHome(), integrationsFile), User)
	if d.Project != "" {
		m.read(filepath.Join(d.Project, ".mirri-code", integrationsFile), Project)
	}
	m.Hints = hints(m.Integrations)
	return m
}

func (m *Merged) read(path string, scope Scope) {
	text, err := readFile(path)
	if text == nil && err == nil {
		return
	}
	m.Files = append(m.Files, path)
	list, bad := parseIntegrations(text, err)
	for _, p := range bad {
		p.Path = path
		m.Problems = append(m.Problems, p)
	}
	for _, e := range list {
		e.Path, e.Scope = path, scope
		i := slices.IndexFunc(m.Integrations, func(x *Integration) bool { return x.Name == e.Name })
		if i < 0 {
			m.Integrations = append(m.Integrations, e)
			continue
		}
		e.Replaces = fmt.Sprintf("%s:%d", m.Integrations[i].Path, m.Integrations[i].Line)
		m.Integrations[i] = e
	}
}

// parseIntegrations reads the text of an integrations.yaml.
func parseIntegrations(text []byte, err error) (list []*Integration, bad []*Problem) {
	var top *yaml.Node
	if err == nil {
		top, err = parseYAML(text)
	}
	if err != nil {
		p, ok := err.(*Problem)
		if !ok {
			p = problem(0, "%v", err)
		}
		return nil, []*Problem{p}
	}
	if top == nil {
		return nil, nil
	}
	p, ok := child(place{node: top}, "integrations")
	switch {
	case !ok || p.node.ShortTag() == "!!null":
		return nil, nil
	case p.node.Kind != yaml.MappingNode:
		return nil, []*Problem{problem(p.node.Line, "integrations is no mapping from names to entries")}
	}
	for i := 0; i+1 < len(p.node.Content); i += 2 {
		e, wrong := parseIntegration(p.node.Content[i], p.node.Content[i+1])
		if len(wrong) == 0 {
			list = append(list, e)
		}
		bad = append(bad, wrong...)
	}
	return list, bad
}

func parseIntegration(key, n *yaml.Node) (*Integration, []*Problem) {
	e := &Integration{Name: key.Value, Line: key.Line, Capabilities: []string{}, PreferOver: []string{}}
	if key.Value == "" {
		return e, []*Problem{problem(key.Line, "an integration has an empty name")}
	}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return e, []*Problem{problem(n.Line, "integrations.%s is no mapping", e.Name)}
	}
	var bad []*Problem
	for i := 0; i+1 < len(n.Content); i += 2 {
		var into *[]string
		switch n.Content[i].Value {
		case "capabilities":
			into = &e.Capabilities
		case "preferOver":
			into = &e.PreferOver
		default:
			continue // other keys are for others
		}
		list, wrong := stringsOf(n.Content[i+1], "integrations."+e.Name+"."+n.Content[i].Value)
		*into = list
		bad = append(bad, wrong...)
	}
	return e, bad
}

// stringsOf is a list of strings, none of them empty.
func stringsOf(n *yaml.Node, where string) (out []string, bad []*Problem) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	out = []string{}
	if n.ShortTag() == "!!null" {
		return out, nil
	}
	if n.Kind != yaml.SequenceNode {
		return out, []*Problem{problem(n.Line, "%s is no list of strings", where)}
	}
	for i, e := range n.Content {
		switch {
		case e.Kind != yaml.ScalarNode || e.ShortTag() != "!!str" && e.ShortTag() != "!!null":
			bad = append(bad, problem(e.Line, "%s[%d] is no string", where, i))
		case strings.TrimSpace(e.Value) == "" || e.ShortTag() == "!!null":
			bad = append(bad, problem(e.Line, "%s[%d] is an empty string", where, i))
		default:
			out = append(out, e.Value)
		}
	}
	return out, bad
}
