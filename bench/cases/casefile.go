package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

// caseFile is one case folder.
type caseFile struct {
	ID       string
	Dir      string
	Generate string // sh snippet, run in the copy of tree/
	Root     string // the project root inside the copy, "" for the copy itself
	First    question
	More     []question
}

// question is one thing asked of the program, with its right answer.
type question struct {
	Kind   string
	Args   fields
	Steps  []any // nil: the default steps of the kind
	Expect fields
}

// loadCases reads every case folder among dirs and below them, one level deep, in the
// order of their ids. A folder whose case.yaml cannot be read is an error.
func loadCases(dirs []string) ([]*caseFile, error) {
	var out []*caseFile
	for _, dir := range dirs {
		found := []string{filepath.Join(dir, "case.yaml")}
		if _, err := os.Stat(found[0]); err != nil {
			found, err = filepath.Glob(filepath.Join(globQuote(dir), "*", "case.yaml"))
			if err != nil || len(found) == 0 {
				return nil, fmt.Errorf("no case.yaml in %s or in a folder of it", dir)
			}
		}
		for _, path := range found {
			c, err := loadCase(filepath.Dir(path))
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, nil
}

// globQuote makes a path match itself alone.
func globQuote(path string) string {
	var b []byte
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '*', '?', '[', '\\':
			b = append(b, '\\')
		}
		b = append(b, path[i])
	}
	return string(b)
}

func loadCase(dir string) (*caseFile, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find case: %w", err)
	}
	m, err := readYAML(filepath.Join(dir, "case.yaml"))
	if err != nil {
		return nil, err
	}
	if k := m.stranger("id", "source", "theme", "language", "fault", "input", "generate", "root", "operation",
		"expect", "more", "policy", "note", "confirm", "coverage", "via"); k != "" {
		return nil, fmt.Errorf("%s: the runner does not know field %s", dir, k)
	}
	c := &caseFile{ID: text(m["id"]), Dir: dir, Generate: text(m["generate"]), Root: text(m["root"])}
	if c.ID == "" {
		c.ID = filepath.Base(dir)
	}
	op, ok := m["operation"].(fields)
	if !ok {
		return nil, fmt.Errorf("%s: no operation", dir)
	}
	if c.First, err = readQuestion(op, m["expect"]); err != nil {
		return nil, fmt.Errorf("%s: operation: %w", dir, err)
	}
	for i, e := range list(m["more"]) {
		f := record(e, "kind")
		q, err := readQuestion(f, f["expect"])
		if err != nil {
			return nil, fmt.Errorf("%s: more %d: %w", dir, i+1, err)
		}
		c.More = append(c.More, q)
	}
	return c, nil
}

// readQuestion reads kind, args and steps of f; expect stands beside or inside it.
func readQuestion(f fields, expect any) (question, error) {
	if k := f.stranger("kind", "args", "steps", "expect", "note", "confirm", "policy", "coverage"); k != "" {
		return question{}, fmt.Errorf("the runner does not know field %s", k)
	}
	q := question{Kind: text(f["kind"]), Args: fields{}, Expect: fields{}}
	if a, ok := f["args"].(fields); ok {
		q.Args = a
	}
	if e, ok := expect.(fields); ok {
		q.Expect = e
	}
	if s, ok := f["steps"].([]any); ok {
		q.Steps = s
	}
	return q, nil
}
