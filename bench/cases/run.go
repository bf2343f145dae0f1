package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// runCase asks all questions of one case.
func (r *runner) runCase(ctx context.Context, c *caseFile) *outcome {
	o := &outcome{}
	start := time.Now()
	defer func() { o.took = time.Since(start) }()
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	trace := func(format string, args ...any) {
		if r.verbose {
			fmt.Fprintf(&o.log, "  "+format+"\n", args...)
		}
	}
	fail := func(where string, faults []string) {
		for _, f := range faults {
			o.faults = append(o.faults, where+": "+strings.ReplaceAll(f, "\n", " "))
		}
	}
	s, faults := r.start(ctx, c, c.First, trace)
	if s != nil {
		defer s.close()
	}
	if fail("setup", faults); s == nil {
		return o
	}
	fail(c.First.Kind, s.question(c.First))
	for i, q := range c.More {
		where := fmt.Sprintf("more %d %s", i+1, q.Kind)
		if !apart(c.First.Kind) && !apart(q.Kind) {
			fail(where, s.steps(q.Steps))
			fail(where, s.question(q))
			continue
		}
		if q.Steps == nil {
			q.Steps = c.First.Steps
		}
		one, faults := r.start(ctx, c, q, trace)
		if fail(where, faults); one == nil {
			continue
		}
		one.limit = s.limit
		fail(where, one.question(q))
		one.close()
	}
	return o
}

// apart reports whether questions of a kind each start from a fresh copy.
func apart(kind string) bool { return kind == "edit" || kind == "mcp" || kind == "robust" }

// start opens a session and does the steps that lead to a question. A nil session is one
// that could not be made.
func (r *runner) start(ctx context.Context, c *caseFile, q question, trace func(string, ...any)) (*session, []string) {
	s, err := r.openSession(ctx, c, trace)
	if err != nil {
		if s != nil {
			s.close()
		}
		return nil, []string{err.Error()}
	}
	steps := q.Steps
	if steps == nil && indexedFirst(q) {
		steps = []any{"index"}
	}
	return s, s.steps(steps)
}

// indexedFirst reports whether a question without steps wants an index beforehand. A
// server indexes by itself, and so do the robust actions that are about indexing.
func indexedFirst(q question) bool {
	if q.Kind == "robust" {
		do := text(q.Args["do"])
		return do == "edit" || q.Args["server_limit"] != nil || readKinds[do]
	}
	return q.Kind != "mcp"
}

// readKinds are the kinds whose questions may be asked again without harm.
var readKinds = map[string]bool{"symbols": true, "callers": true, "callees": true, "references": true, "grep": true, "discover": true, "open": true}

// steps does the steps and returns what went wrong.
func (s *session) steps(steps []any) []string {
	var faults []string
	for i, step := range steps {
		for _, f := range s.step(step) {
			faults = append(faults, fmt.Sprintf("step %d: %s", i+1, f))
		}
	}
	return faults
}

func (s *session) step(step any) []string {
	m := record(step, "word")
	if len(m) != 1 {
		return []string{fmt.Sprintf("the runner does not know step %v", step)}
	}
	key := m.keys()[0]
	switch {
	case text(m["word"]) == "index" || key == "index":
		if r := s.invoke(call{verb: "index", text: true}); r.Fault != "" {
			return []string{"index: " + r.Fault}
		}
	case text(m["word"]) == "update" || key == "update":
		s.settle = time.Now().Add(10 * time.Second)
	case key == "shell":
		s.settle = time.Time{}
		if _, err := s.shell(s.root, text(s.filled(m[key]))); err != nil {
			return []string{err.Error()}
		}
	case key == "check" || key == "tool":
		return s.inner(key, record(m[key], "kind"))
	default:
		return []string{"the runner does not know step " + key}
	}
	return nil
}

// toolKinds maps the names of the tools to kinds of questions.
var toolKinds = map[string]string{
	"read_discover": "discover", "grep": "grep", "read_open": "open", "write_file": "edit", "replace_block": "edit",
	"delete_path": "edit", "move_path": "edit", "undo": "edit",
}

// inner asks the question of a check or tool step. A tool step may name a tool instead of
// a kind, with its arguments beside the name or in args; without expect it has to succeed.
func (s *session) inner(key string, f fields) []string {
	if tool := text(f["tool"]); f["kind"] == nil && tool != "" {
		args, ok := f["args"].(fields)
		if !ok {
			args = fields{}
			for k, v := range f {
				if k != "expect" && k != "note" {
					args[k] = v
				}
			}
		}
		kind := toolKinds[tool]
		with := fields{}
		for k, v := range args {
			if k != "tool" || kind == "edit" {
				with[k] = v
			}
		}
		if kind == "edit" {
			with["tool"] = tool
		}
		f = fields{"kind": kind, "args": with, "expect": f["expect"]}
	}
	q, err := readQuestion(f, f["expect"])
	if err != nil {
		return []string{key + ": " + err.Error()}
	}
	var out []string
	for _, fault := range s.question(q) {
		out = append(out, key+" "+q.Kind+": "+fault)
	}
	return out
}

// filled replaces the placeholders by what they stand for now.
func (s *session) filled(v any) any {
	return fill(v, strings.NewReplacer("{ROOT}", s.root, "{VERSION}", s.sha))
}

// question asks q and compares. After an update a read question is asked again until it is
// right or the time to notice changes is over.
func (s *session) question(q question) []string {
	for {
		now := q
		now.Args, _ = s.filled(q.Args).(fields)
		now.Expect, _ = s.filled(q.Expect).(fields)
		a := s.ask(now)
		faults := compare(s, now, a)
		if len(faults) == 0 || !readKinds[q.Kind] || time.Now().After(s.settle) || s.ctx.Err() != nil {
			return faults
		}
		time.Sleep(200 * time.Millisecond)
	}
}
