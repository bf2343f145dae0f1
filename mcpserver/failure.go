package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/codegraph-dev/codegraph/readtools"
)

// outcome is what came of a call, ready for the wire.
type outcome struct {
	structured json.RawMessage
	text       string
	failed     bool
	ask        *inputRequired // the call goes on when the client has asked its user
}

// invoke runs a tool. Whatever happens in it, errors and panics alike, is an outcome.
func invoke(ctx context.Context, t Tool, args json.RawMessage, log *slog.Logger) (out outcome) {
	defer func() {
		if r := recover(); r != nil {
			log.Error("tool panicked", "tool", t.Name, "panic", r, "stack", string(debug.Stack()))
			out = failure(t.Name, errors.New("the tool stopped on a defect of its own"))
		}
	}()
	answer, err := t.Call(ctx, args)
	var ask *inputRequired
	if errors.As(err, &ask) {
		return outcome{ask: ask}
	}
	if err != nil {
		if ctx.Err() == nil {
			log.Info("call failed", "tool", t.Name, "error", err)
		}
		return failure(t.Name, err)
	}
	structured, err := encode(answer.Structured)
	if err != nil {
		log.Error("result has no encoding", "tool", t.Name, "error", err)
		return failure(t.Name, fmt.Errorf("encode the result: %w", err))
	}
	if answer.Text == "" {
		answer.Text = string(structured)
	}
	return outcome{structured: structured, text: answer.Text}
}

// failure is the outcome of a failed call: code, message and the next step, as text and
// as {"error": {...}}.
func failure(tool string, err error) outcome {
	var told *readtools.Error
	if !errors.As(err, &told) {
		told = internal(tool, err)
	}
	text := told.Message
	if told.Next != "" {
		text = told.Error()
	}
	structured, err := encode(object{{"error", told}})
	if err != nil {
		structured = nil
	}
	return outcome{structured: structured, text: text, failed: true}
}

// internal turns an error that no tool foresaw into one that a caller may see.
func internal(tool string, err error) *readtools.Error {
	if errors.Is(err, context.DeadlineExceeded) {
		return &readtools.Error{
			Code: "unavailable", Message: tool + " ran out of time",
			Next: "narrow the call (path, glob, limit) or repeat it",
		}
	}
	return &readtools.Error{
		Code: "internal", Message: tool + " failed: " + scrub(err.Error()),
		Next: "repeat the call once; if it fails again, run `codegraph doctor`",
	}
}

// foreignPath is an absolute path, whose folders may lie outside the workspace.
var foreignPath = regexp.MustCompile(`(^|[\s"'(=])(?:[A-Za-z]:)?[/\\](?:[^\s"':/\\]+[/\\])*([^\s"':/\\]+)`)

// scrub keeps an error's first line and of an absolute path the last name.
func scrub(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	return clip(foreignPath.ReplaceAllString(line, "$1$2"), 500)
}
