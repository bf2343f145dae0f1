//go:build unix

package main

import (
	"context"
	"encoding/json"
	"io"
	"reflect"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
)

// answer calls a tool: at the daemon of the root, or in this process where there is none to
// be had.
func (a *app) answer(ctx context.Context, t tool, args json.RawMessage) (mcpserver.Answer, error) {
	if root, err := a.root(); err == nil && a.daemon == daemonAuto {
		answer, err := a.answerFar(ctx, root, t, args)
		if !noDaemon(err) {
			return answer, err
		}
	}
	return t.Call(readtools.ForPerson(ctx), args)
}

// answerFar calls a tool at the daemon. Whoever sits at the terminal sees how far it is, and is
// asked.
func (a *app) answerFar(ctx context.Context, root string, t tool, args json.RawMessage) (mcpserver.Answer, error) {
	by, can := "terminal", terminal(a.in) && terminal(a.err)
	if a.yes {
		by, can = "--yes", true
	}
	l := newLink(root, false, by, can)
	defer l.close()
	bar := a.progress()
	defer bar.done()
	h := mcpserver.Hooks{Ask: func(_ context.Context, _, message string) (mcpserver.Reply, error) {
		bar.done()
		return a.replyPerson(message), nil
	}}
	if bar.on {
		h.Progress = func(done, total float64, message string) { bar.show(message, int(done), int(total)) }
	}
	return l.call(ctx, t, args, h)
}

// replyPerson puts a question to whoever sits at the terminal.
func (a *app) replyPerson(message string) mcpserver.Reply {
	if a.yes {
		return mcpserver.Accepted
	}
	_, _ = io.WriteString(a.err, message)
	if a.confirm("Make this edit?") {
		return mcpserver.Accepted
	}
	return mcpserver.Declined
}

// typed is a tool's result as its struct, also where it came as JSON.
func typed(t tool, result any) (any, error) {
	raw, ok := result.(json.RawMessage)
	if !ok {
		return result, nil
	}
	v := reflect.New(reflect.TypeOf(t.Result))
	err := json.Unmarshal(raw, v.Interface())
	return v.Elem().Interface(), err
}
