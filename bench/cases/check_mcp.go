package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"
)

// conversation is the transcript, or fails when the question was none for a server.
func (c *checker) conversation(field string) *transcript {
	if c.a.mcp == nil {
		c.failf("field %s does not fit kind %s", field, c.q.Kind)
		return &transcript{}
	}
	return c.a.mcp
}

// cleanProtocol wants nothing on standard output but JSON-RPC messages.
func (c *checker) cleanProtocol() {
	for _, line := range c.a.mcp.lines {
		var m message
		err := json.Unmarshal([]byte(line), &m)
		if err != nil || m.JSONRPC != "2.0" || m.Method == "" && len(m.ID) == 0 {
			c.failf("standard output has a line that is no JSON-RPC message: %q", clip(line, 200))
		}
	}
}

func checkResponseIDs(c *checker, v any) {
	t := c.conversation("response_ids")
	var want, got []string
	for _, e := range list(v) {
		want = append(want, idText(e))
	}
	for id := range t.responses {
		got = append(got, id)
	}
	sort.Strings(want)
	sort.Strings(got)
	if strings.Join(want, ",") != strings.Join(got, ",") {
		c.failf("expected responses to %s, came %s", strings.Join(want, ", "), orNone(got))
	}
}

// checkStdout reads "empty" and "JSON-RPC messages only"; the latter holds for every case.
func checkStdout(c *checker, v any) {
	t := c.conversation("stdout")
	switch {
	case strings.Contains(text(v), "JSON-RPC"):
	case strings.HasPrefix(text(v), "empty"):
		if len(t.lines) > 0 {
			c.failf("expected no standard output, came %q", clip(t.lines[0], 200))
		}
	default:
		c.failf("the runner does not know how to check stdout: %s", text(v))
	}
}

func checkStderr(c *checker, v any) {
	t := c.conversation("stderr_mentions")
	for _, want := range texts(v) {
		if !mentions(t.stderr, want) {
			c.failf("expected standard error to mention %q, came %q", want, clip(t.stderr, 200))
		}
	}
}

func checkExitCode(c *checker, v any) {
	got := 0
	switch {
	case c.a.mcp != nil:
		got = c.a.mcp.exit
	case c.a.reply != nil:
		got = c.a.reply.Exit
	}
	if want, _ := number(v); want != got {
		c.failf("expected exit code %d, came %d", want, got)
	}
}

func checkExitWithin(c *checker, v any) {
	t := c.conversation("exit_within_seconds")
	if !t.ended || t.endedIn.Seconds() > seconds(v) {
		c.failf("expected it to exit within %s s, it was alive after %.1f s", text(v), t.endedIn.Seconds())
	}
}

// checkThen starts a second server on the root, which has to answer the same at once.
func checkThen(c *checker, v any) {
	t := c.conversation("then")
	if !regexp.MustCompile(`(?i)second server`).MatchString(text(v)) {
		c.failf("the runner does not know how to check then: %s", text(v))
		return
	}
	start := time.Now()
	again := c.s.askMCP(t.args)
	if len(again.faults) > 0 {
		c.failf("second server: %s", strings.Join(again.faults, ", "))
		return
	}
	for id, line := range t.responses {
		a, b := failed(line), failed(again.mcp.responses[id])
		if again.mcp.responses[id] == "" || a != b {
			c.failf("second server: expected the same response to %s, came %q", id, clip(again.mcp.responses[id], 200))
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		c.failf("second server: expected an answer at once, it took %s", took.Round(time.Millisecond))
	}
}

// outcomeOf is what the checks of by_id look at.
type outcomeOf struct {
	Result struct {
		IsError           bool            `json:"isError"`
		Content           []content       `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		Tools             []struct {
			Name        string         `json:"name"`
			InputSchema map[string]any `json:"inputSchema"`
		} `json:"tools"`
	} `json:"result"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

type content struct {
	Text string `json:"text"`
}

func parseOutcome(line string) (o outcomeOf) {
	_ = json.Unmarshal([]byte(line), &o) // what is no JSON fails in cleanProtocol
	return o
}

// failed reports whether a response is an error of the tool or of the protocol.
func failed(line string) bool {
	o := parseOutcome(line)
	return o.Error != nil || o.Result.IsError
}

// words is all text of a response.
func (o outcomeOf) words() string {
	var b strings.Builder
	for _, t := range o.Result.Content {
		b.WriteString(t.Text + "\n")
	}
	if o.Error != nil {
		b.WriteString(o.Error.Message + "\n")
	}
	b.Write(o.Result.StructuredContent)
	return b.String()
}

func checkByID(c *checker, v any) {
	t := c.conversation("by_id")
	m, _ := v.(fields)
	for _, id := range m.keys() {
		line, ok := t.responses[id]
		if !ok {
			line, ok = t.responses[`"`+id+`"`]
		}
		if !ok {
			c.failf("expected a response to %s, came none", id)
			continue
		}
		want := record(m[id], "note")
		for _, field := range want.keys() {
			if why := responseFault(field, want[field], line); why != "" {
				c.failf("response %s: %s", id, why)
			}
		}
	}
}

// responseFault compares one field of by_id with a response, and tells the difference.
func responseFault(field string, v any, line string) string {
	o := parseOutcome(line)
	var doc document
	_ = json.Unmarshal(o.Result.StructuredContent, &doc) // absent for other servers' results
	words := o.words()
	came := fmt.Sprintf(", came %q", clip(words, 200))
	n, _ := number(v)
	switch field {
	case "note":
	case "is_error":
		if failed(line) != truth(v) {
			return fmt.Sprintf("expected is_error %v%s", truth(v), came)
		}
	case "must_mention", "text_has":
		for _, want := range texts(v) {
			if !mentions(words, want) {
				return fmt.Sprintf("expected it to mention %q%s", want, came)
			}
		}
	case "text_has_no", "must_not_mention":
		for _, bad := range texts(v) {
			if strings.Contains(words, bad) {
				return fmt.Sprintf("expected no mention of %q%s", bad, came)
			}
		}
	case "max_bytes":
		if len(line) > n {
			return fmt.Sprintf("expected at most %d bytes, came %d", n, len(line))
		}
	case "says_total":
		if doc.Total != n && !regexp.MustCompile(`\b`+text(v)+`\b`).MatchString(words) {
			return fmt.Sprintf("expected it to tell the total %d%s", n, came)
		}
	case "says_truncated":
		if cut := doc.Cursor != "" || doc.Shown < doc.Total; cut != truth(v) {
			return fmt.Sprintf("expected says_truncated %v, came shown %d of %d", truth(v), doc.Shown, doc.Total)
		}
	case "says_how_to_continue":
		if truth(v) && doc.Cursor == "" {
			return "expected a cursor to the rest" + came
		}
	case "every_input_schema_has":
		return schemaFault(o, record(v, "type"))
	default:
		return "the runner does not know field by_id." + field
	}
	return ""
}

func schemaFault(o outcomeOf, want fields) string {
	if len(o.Result.Tools) == 0 {
		return "expected tools, came none"
	}
	for _, tool := range o.Result.Tools {
		for _, k := range want.keys() {
			if got := fmt.Sprint(tool.InputSchema[k]); got != text(want[k]) {
				return fmt.Sprintf("expected %s: %s in the schema of %s, came %s", k, text(want[k]), tool.Name, got)
			}
		}
	}
	return ""
}
