package agents

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// MakeRemoval plans taking out the server: of the named agents, or of all; at one scope, or
// at both if it is empty. It writes nothing.
func MakeRemoval(o Options) (*Plan, error) {
	p := &Plan{Scope: o.Scope, Agents: []string{}, Changes: []*Change{}, Problems: []*Problem{}, Notes: []string{}}
	places, err := removals(o)
	if err != nil {
		return nil, err
	}
	r := loadRecord(o.Dirs).clone()
	for _, pl := range places {
		c, err := removalOf(r, pl)
		var bad *Problem
		switch {
		case errors.As(err, &bad):
			bad.Path = pl.file.path
			p.Problems = append(p.Problems, bad)
		case err != nil:
			p.Problems = append(p.Problems, &Problem{Path: pl.file.path, Reason: err.Error()})
		case c.Action != "none":
			p.Changes = append(p.Changes, c)
			if !slices.Contains(p.Agents, pl.agent) {
				p.Agents = append(p.Agents, pl.agent)
			}
		}
		r.leave(pl)
	}
	return p, nil
}

// Uninstall takes the server out as MakeRemoval plans it.
func Uninstall(o Options) ([]*Outcome, error) {
	places, err := removals(o)
	if err != nil {
		return nil, err
	}
	r := loadRecord(o.Dirs)
	by := map[string]*Outcome{}
	var out []*Outcome
	for _, pl := range places {
		done := by[pl.agent]
		if done == nil {
			done = &Outcome{Agent: pl.agent, State: "absent", Paths: []string{}}
			by[pl.agent] = done
			out = append(out, done)
		}
		c, err := removalOf(r, pl)
		var bad *Problem
		if errors.As(err, &bad) {
			bad.Path = pl.file.path
			done.State, done.Reason = "refused", bad.Error()
			continue
		}
		if err == nil {
			err = remove(r, pl, c)
		}
		if err != nil {
			return out, errors.Join(err, r.save(o.Dirs))
		}
		if c.Action != "none" {
			done.Paths = append(done.Paths, pl.file.path)
			if done.State == "absent" {
				done.State = "removed"
			}
		}
	}
	return out, r.save(o.Dirs)
}

// removal is a place from which the server is to be taken for an agent.
type removal struct {
	agent string
	file  file
}

// removals are all places at which the options' agents could have the server.
func removals(o Options) ([]removal, error) {
	scopes := []Scope{o.Scope}
	if o.Scope == "" {
		scopes = []Scope{User, Project}
	}
	var list []Agent
	for _, n := range o.Agents {
		a, ok := Named(n)
		if !ok {
			_, err := o.Pick() // the error that names the names
			return nil, err
		}
		list = append(list, a)
	}
	if len(o.Agents) == 0 {
		list = All()
	}
	var out []removal
	for _, s := range scopes {
		o.Scope, o.Guide = s, true
		for _, a := range list {
			if s == Project && o.Dirs.Project == "" {
				continue
			}
			for _, f := range o.targets(a) {
				out = append(out, removal{a.Name, f})
			}
		}
		if len(o.Agents) == 0 && (s == User || o.Dirs.Project != "") {
			out = append(out, removal{policy, policyFile(o)})
		}
	}
	return out, nil
}

// others reports whether a file's entry is there for another agent as well.
func (f *recorded) others(agent string) bool {
	return slices.ContainsFunc(f.Agents, func(a string) bool { return a != agent })
}

// leave notes that an agent needs a file no more.
func (r *record) leave(pl removal) {
	f := r.of(pl.file.path)
	if f == nil {
		return
	}
	f.Agents = slices.DeleteFunc(f.Agents, func(a string) bool { return a == pl.agent })
	if len(f.Agents) == 0 {
		r.drop(f)
	}
}

// removalOf is the change that takes an agent's entry out of a file.
func removalOf(r *record, pl removal) (*Change, error) {
	before, err := readFile(pl.file.path)
	if err != nil {
		return nil, err
	}
	c := &Change{Agent: pl.agent, Path: pl.file.path, Action: "none", file: pl.file, before: before, after: before}
	f := r.of(pl.file.path)
	if f == nil && pl.agent == policy || f != nil && (!slices.Contains(f.Agents, pl.agent) || f.others(pl.agent)) || before == nil {
		return c, nil
	}
	keep := len(pl.file.keys) - 1
	if f != nil {
		keep = min(f.Keep, keep)
	}
	if f != nil && f.After == sum(before) {
		c.Action, c.after = "remove", nil
		if f.Existed {
			c.Action = "change"
			if c.after, err = readFile(f.Backup); err == nil && c.after != nil {
				c.Diff = diffOf(c.Path, before, c.after)
				return c, nil
			}
		} else {
			c.Diff = diffOf(c.Path, before, nil)
			return c, nil
		}
	}
	if _, ok, err := lookup(pl.file.format, before, pl.file.keys); err != nil || !ok {
		return c, err
	}
	c.Action = "change"
	if c.after, err = cut(pl.file.format, before, pl.file.keys, keep); err != nil {
		return nil, err
	}
	if f != nil && !f.Existed && hollow(pl.file.format, c.after) {
		c.Action, c.after = "remove", nil
	}
	c.Diff = diffOf(c.Path, before, c.after)
	return c, nil
}

// hollow reports whether nothing is left of a file.
func hollow(f format, text []byte) bool {
	v, err := f.decode(text)
	m, ok := v.(map[string]any)
	if _, is := f.(block); is {
		return err == nil && m["rest"] == ""
	}
	return err == nil && (v == nil || ok && len(m) == 0)
}

// remove makes the change of a removal and takes away what belongs to it.
func remove(r *record, pl removal, c *Change) error {
	f := r.of(pl.file.path)
	var err error
	switch c.Action {
	case "remove":
		err = os.Remove(c.Path)
	case "change":
		err = writeFile(c.Path, c.after, 0o600)
	}
	if err != nil || f == nil {
		return err
	}
	r.leave(pl)
	if r.of(pl.file.path) != nil {
		return nil
	}
	if f.Backup != "" {
		if err := os.Remove(f.Backup); err != nil && exists(f.Backup) {
			return err
		}
	}
	removeDirs(f.Dirs)
	for _, d := range f.Dirs { // one in which another file of ours still is goes with that
		i := slices.IndexFunc(r.Files, func(x *recorded) bool { return strings.HasPrefix(x.Path, d+string(filepath.Separator)) })
		if i >= 0 {
			r.Files[i].Dirs = append(r.Files[i].Dirs, d)
		}
	}
	return nil
}
