package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Outcome is what became of one agent.
type Outcome struct {
	Agent  string   `json:"agent"`
	State  string   `json:"state"` // installed, already, refused, rolled back; removed, absent
	Reason string   `json:"reason,omitempty"`
	Paths  []string `json:"paths"`
	Check  *Check   `json:"check,omitempty"`
}

// Install does what the plan of the options says, agent by agent. An agent whose server does
// not answer has its files put back as they were.
func Install(ctx context.Context, o Options) ([]*Outcome, error) {
	list, err := o.Pick()
	if err != nil {
		return nil, err
	}
	r := loadRecord(o.Dirs)
	checks := map[string]*Check{} // a server is started once, however many agents have it
	var out []*Outcome
	for _, a := range list {
		done, err := installAgent(ctx, o, a, r, checks)
		if err != nil {
			return out, err
		}
		out = append(out, done)
	}
	if o.Edits != "" {
		done, err := apply(o, policy, []file{policyFile(o)}, r, func() error { return nil })
		if err != nil {
			return out, err
		}
		out = append(out, done)
	}
	return out, nil
}

func installAgent(ctx context.Context, o Options, a Agent, r *record, checks map[string]*Check) (*Outcome, error) {
	files := o.targets(a)
	var check *Check
	done, err := apply(o, a.Name, files, r, func() error {
		s, err := registered(files)
		if err != nil {
			return err
		}
		key := fmt.Sprintf("%q", s)
		if checks[key] == nil {
			checks[key] = Start(ctx, s)
		}
		check = checks[key]
		return check.err
	})
	if done != nil {
		done.Check = check
	}
	return done, err
}

// registered reads back the server that the files name, as the agent will.
func registered(files []file) (Server, error) {
	for _, f := range files {
		if f.shape == nil {
			continue
		}
		text, err := readFile(f.path)
		if err != nil {
			return Server{}, err
		}
		s, ok, err := serverIn(f, text)
		if err != nil || ok {
			return s, err
		}
	}
	return Server{}, errors.New("no file names the server")
}

// serverIn is the server that a file's text names.
func serverIn(f file, text []byte) (s Server, ok bool, err error) {
	v, ok, err := lookup(f.format, text, f.keys)
	m, table := v.(map[string]any)
	if err != nil || !ok || !table {
		return s, false, err
	}
	switch c := m["command"].(type) {
	case string:
		s.Command, s.Args = c, words(m["args"])
	case []any:
		if all := words(c); len(all) > 0 {
			s.Command, s.Args = all[0], all[1:]
		}
	}
	for _, key := range []string{"env", "environment"} {
		vars, _ := m[key].(map[string]any)
		for name, v := range vars {
			if s.Env == nil {
				s.Env = map[string]string{}
			}
			s.Env[name] = fmt.Sprint(v)
		}
	}
	return s, s.Command != "", nil
}

// words are the strings of a decoded list.
func words(v any) []string {
	list, _ := v.([]any)
	out := []string{}
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// apply writes the changes to the files of one agent; if verify fails they are taken back.
func apply(o Options, agent string, files []file, r *record, verify func() error) (*Outcome, error) {
	changes, bad := changesFor(agent, files, readFile)
	out := &Outcome{Agent: agent, State: "already", Paths: []string{}}
	for _, f := range files {
		out.Paths = append(out.Paths, f.path)
	}
	if len(bad) > 0 {
		out.State, out.Reason = "refused", bad[0].Error()
		return out, nil
	}
	var written []*Change
	var made []string
	var backups []string
	back := func() error {
		var err error
		for _, c := range slices.Backward(written) {
			err = errors.Join(err, restore(c.Path, c.before))
		}
		for _, b := range backups {
			err = errors.Join(err, os.Remove(b))
		}
		removeDirs(made)
		return err
	}
	next := r.clone()
	for _, c := range changes {
		if c.Action != "none" {
			out.State = "installed"
		}
		dirs, backup, err := next.take(o, agent, c)
		made = append(made, dirs...)
		if backup != "" {
			backups = append(backups, backup)
		}
		if err == nil && c.Action != "none" {
			if err = writeFile(c.Path, c.after, fileMode(o)); err == nil {
				written = append(written, c)
			}
		}
		if err != nil {
			return out, errors.Join(err, back())
		}
	}
	if err := verify(); err != nil {
		out.State, out.Reason = "rolled back", err.Error()
		return out, back()
	}
	*r = *next
	return out, r.save(o.Dirs)
}

// fileMode is the mode of a file that is made: the user's own configuration may hold
// secrets later on, the project's is for all who work there.
func fileMode(o Options) os.FileMode {
	if o.Scope == User {
		return 0o600
	}
	return 0o644
}

// restore puts a file's bytes back; nil means that there was none.
func restore(path string, data []byte) error {
	if data == nil {
		return os.Remove(path)
	}
	return writeFile(path, data, 0o600)
}

func (r *record) clone() *record {
	c := &record{Dirs: slices.Clone(r.Dirs)}
	for _, f := range r.Files {
		g := *f
		g.Agents = slices.Clone(f.Agents)
		c.Files = append(c.Files, &g)
	}
	return c
}

// take notes a change in the record, makes the folders that it needs, and backs the file up
// if it is the first time that it changes.
func (r *record) take(o Options, agent string, c *Change) (made []string, backup string, err error) {
	f := r.of(c.Path)
	switch {
	case f == nil && c.Action == "none":
		return nil, "", nil // somebody else's entry, which says the same
	case f == nil:
		f = &recorded{Path: c.Path, Existed: c.before != nil, Keep: depth(c.file.format, c.before, c.file.keys)}
		if made, err = makeDirs(filepath.Dir(c.Path)); err != nil {
			return made, "", fmt.Errorf("make the folder of %s: %w", c.Path, err)
		}
		f.Dirs = made
		if f.Existed {
			if backup, err = backUp(c); err != nil {
				return made, backup, err
			}
			f.Backup = backup
		}
		f.After = sum(c.after)
		r.Files = append(r.Files, f)
	case c.Action != "none":
		if sum(c.before) != f.After {
			f.After = "" // what was written in between must outlive an uninstall
		} else {
			f.After = sum(c.after)
		}
	}
	if !slices.Contains(f.Agents, agent) {
		f.Agents = append(f.Agents, agent)
	}
	return made, backup, nil
}

// backUp keeps a file's bytes beside it, under a name that is free.
func backUp(c *Change) (string, error) {
	for i := 0; ; i++ {
		path := c.Path + ".codegraph-backup"
		if i > 0 {
			path += fmt.Sprint("-", i)
		}
		if exists(path) {
			continue
		}
		mode := os.FileMode(0o600)
		if st, err := os.Stat(c.Path); err == nil {
			mode = st.Mode().Perm()
		}
		if err := writeFile(path, c.before, mode); err != nil {
			return "", fmt.Errorf("back up: %w", err)
		}
		return path, nil
	}
}
