package agents

import "errors"

// Registration is an agent that has the server, or a file of an agent that is wrong.
type Registration struct {
	Agent   string   `json:"agent"`
	Scope   Scope    `json:"scope"`
	Path    string   `json:"path"`
	Server  Server   `json:"server"`
	Problem *Problem `json:"problem,omitempty"`
}

// Registered are the registrations at both levels.
func Registered(d Dirs) []*Registration {
	out := []*Registration{}
	for _, a := range All() {
		for _, s := range []Scope{User, Project} {
			for _, f := range a.files(d, s) {
				if r := registration(a, s, f); r != nil {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// registration is what a file says; nil if it says nothing of the server.
func registration(a Agent, s Scope, f file) *Registration {
	r := &Registration{Agent: a.Name, Scope: s, Path: f.path}
	text, err := readFile(f.path)
	if err == nil {
		var ok bool
		if f.shape == nil {
			_, _, err = lookup(f.format, text, f.keys) // only whether it can be read
		} else if r.Server, ok, err = serverIn(f, text); err == nil && ok {
			return r
		}
	}
	if err == nil {
		return nil
	}
	var p *Problem
	if !errors.As(err, &p) {
		p = problem(0, "%v", err)
	}
	p.Path, r.Problem = f.path, p
	return r
}
