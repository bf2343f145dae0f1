package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// transcript is what one conversation with a server left.
type transcript struct {
	lines     []string
	responses map[string]string
	stderr    string
	exit      int
	ended     bool          // by itself, after its input was closed
	endedIn   time.Duration // from closing its input to its end
	args      fields
}

var editTools = []string{"write_file", "replace_block", "delete_path", "move_path"}

// askMCP plays the client of one conversation.
func (s *session) askMCP(args fields) *answer {
	a := &answer{}
	if k := args.stranger("send", "start_root", "log_level"); k != "" {
		return unknownArg(k)
	}
	root := s.root
	if r := text(args["start_root"]); r != "" {
		root = r
	}
	for _, tool := range editTools {
		if strings.Contains(fmt.Sprint(args["send"]), tool) {
			if err := s.editsByHost(); err != nil {
				a.faults = append(a.faults, err.Error())
			}
			break
		}
	}
	var env []string
	if args["log_level"] != nil {
		env = append(env, "CODEGRAPH_LOG=debug")
	}
	v, err := s.serve(root, env...)
	if err != nil {
		a.faults = append(a.faults, err.Error())
		return a
	}
	defer v.stop()
	c := &client{s: s, v: v}
	start := time.Now()
	for _, e := range list(args["send"]) {
		c.act(record(e, "line"))
	}
	a.took = time.Since(start)
	a.faults = append(a.faults, c.faults...)
	a.mcp = c.finish(args)
	return a
}

// client does the entries of send in order.
type client struct {
	s      *session
	v      *server
	sent   []string // ids of the requests
	closed time.Time
	faults []string
}

func (c *client) act(step fields) {
	if len(step) != 1 {
		c.faults = append(c.faults, fmt.Sprintf("the runner does not know send entry %v", step))
		return
	}
	key := step.keys()[0]
	v := step[key]
	switch key {
	case "line":
		c.line(text(v))
	case "line_from":
		out, err := c.s.shell(c.s.root, text(v))
		if err != nil {
			c.faults = append(c.faults, err.Error())
			return
		}
		c.line(string(out))
	case "call":
		m := record(v, "tool")
		args, _ := m["arguments"].(fields)
		line, err := callLine(idText(m["id"]), text(m["tool"]), realArguments(text(m["tool"]), args))
		if err != nil {
			c.faults = append(c.faults, err.Error())
			return
		}
		c.line(line)
	case "wait_for_id":
		c.await(idText(v))
	case "wait_for_all":
		for _, id := range c.sent {
			c.await(id)
		}
	case "wait_seconds":
		time.Sleep(time.Duration(seconds(v) * float64(time.Second)))
	case "close":
		c.close(text(v))
	default:
		c.faults = append(c.faults, "the runner does not know send entry "+key)
	}
}

// idText is an id as it stands in JSON.
func idText(v any) string {
	if s, ok := v.(string); ok {
		return `"` + s + `"`
	}
	return text(v)
}

// line sends a line. A server that is gone already shows in what it answered.
func (c *client) line(line string) {
	c.s.trace("> %s", clip(line, 200))
	var m message
	if json.Unmarshal([]byte(line), &m) == nil && len(m.ID) > 0 && m.Method != "" {
		c.sent = append(c.sent, string(m.ID))
	}
	if err := c.v.send(line); err != nil && strings.Contains(err.Error(), "reads nothing") {
		c.faults = append(c.faults, err.Error())
	}
}

func (c *client) await(id string) {
	line, ok := c.v.await(id, 60*time.Second)
	if !ok {
		c.faults = append(c.faults, fmt.Sprintf("no response to id %s: %s", id, firstLine(c.v.stderr())))
	}
	c.s.trace("< %s", clip(line, 600))
}

func (c *client) close(what string) {
	switch what {
	case "stdin":
		c.closed = time.Now()
		_ = c.v.in.Close()
	case "stdout", "stdout reader":
		_ = c.v.out.Close()
	default:
		c.faults = append(c.faults, "the runner does not know how to close "+what)
	}
}

// finish waits for the end of the server, whose input is closed now at the latest.
func (c *client) finish(args fields) *transcript {
	if c.closed.IsZero() {
		c.close("stdin")
	}
	t := &transcript{args: args, ended: c.v.end(15 * time.Second), endedIn: time.Since(c.closed)}
	time.Sleep(50 * time.Millisecond) // what is still in the pipe
	t.lines, t.responses, t.stderr = c.v.output(), c.v.responses(), c.v.stderr()
	t.exit = c.v.cmd.ProcessState.ExitCode()
	c.s.trace("ended by itself: %v, exit %d, %s after its input; stderr: %s", t.ended, t.exit, t.endedIn.Round(time.Millisecond), clip(t.stderr, 300))
	return t
}

// realArguments maps neutral arguments to those of the real tools. What is not neutral
// goes through as it stands: whether a tool knows it is its own question.
func realArguments(tool string, args fields) fields {
	out := fields{}
	for k, v := range args {
		switch {
		case tool == "grep" && k == "regex":
			if b, isBool := v.(bool); isBool && !b {
				out["literal"] = true
			}
		case tool == "grep" && k == "case_sensitive":
			if b, isBool := v.(bool); isBool && !b {
				out["ignore_case"] = true
			}
		case tool == "replace_block" && k == "replace_all":
			if truth(v) {
				out["occurrence"] = "all"
			}
		case tool == "read_open" && (k == "path" || k == "start" || k == "end"):
			out["target"] = []any{openTarget(args)}
		default:
			out[k] = v
		}
	}
	return out
}
