//go:build unix

package main

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"time"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/workspace"
)

// frontend is a server that hands calls on: to the daemon of the root that a call is about, or
// to this process's own workspace of it where no daemon is wanted or to be had. What needs no
// workspace its own server answers, at once and whatever a daemon does.
//
// It is a server of its own, with the tools' own rows, rather than a copier of bytes: so
// messages are checked, ordered, cancelled and, in each revision's own way, questions asked by
// the same code as everywhere, and no daemon's fate shows in the ids and states that the client
// holds.
type frontend struct {
	app   *app
	fixed string // the root of -C; empty where the client's roots decide, else the folder

	mu    sync.Mutex // guards what follows
	links map[string]*link
	near  map[string]*nearby
}

// nearby is a root that this process works on itself.
type nearby struct {
	lazy      *lazyWorkspace
	rows      map[string]tool
	resources []mcpserver.Resource
}

func (a *app) newFrontend() *frontend {
	f := &frontend{app: a, links: map[string]*link{}, near: map[string]*nearby{}}
	if n := len(a.roots); n > 0 {
		f.fixed = a.roots[n-1]
	}
	return f
}

// root is the folder that a call is about.
func (f *frontend) root(ctx context.Context) (string, error) {
	if f.fixed == "" {
		if root := mcpserver.Root(ctx); root != "" {
			return root, nil
		}
	}
	return f.app.root()
}

// rows are the tools' rows, whose calls are handed on.
func (f *frontend) rows() []mcpserver.Tool {
	var out []mcpserver.Tool
	for _, t := range f.app.tools() {
		t.Call = func(ctx context.Context, args json.RawMessage) (mcpserver.Answer, error) {
			answer, err := f.call(ctx, t, args)
			if err != nil {
				err = failed(ctx, err)
			}
			return answer, err
		}
		out = append(out, t.Tool)
	}
	return out
}

// failed is the error of a call as its client is told it.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil || mcpserver.Asks(err) {
		return err
	}
	return asError(err)
}

// call hands a call on.
func (f *frontend) call(ctx context.Context, t tool, args json.RawMessage) (mcpserver.Answer, error) {
	root, err := f.root(ctx)
	if err != nil {
		return mcpserver.Answer{}, err
	}
	if f.app.daemon == daemonAuto {
		answer, err := f.link(root).call(ctx, t, args, mcpserver.Hooks{
			Progress: func(done, total float64, message string) { mcpserver.Progress(ctx, done, total, message) },
			Ask:      mcpserver.Elicit,
		})
		if !noDaemon(err) {
			return answer, err
		}
		f.app.say("works without a daemon: %v", err)
	}
	return f.nearby(root).rows[t.Name].Call(ctx, args)
}

// link is the way to the daemon of a root.
func (f *frontend) link(root string) *link {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.links[root] == nil {
		f.links[root] = newLink(root, true, "elicitation", true)
	}
	return f.links[root]
}

// nearby is this process's own workspace of a root.
func (f *frontend) nearby(root string) *nearby {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := f.near[root]; n != nil {
		return n
	}
	paceMemory(memoryShare()) // an update may come at any time
	n := &nearby{lazy: &lazyWorkspace{app: f.app, root: root}, rows: map[string]tool{}}
	open := func(ctx context.Context, do func(*workspace.Workspace) error) error {
		defer holdOff(ctx, root)()
		return n.lazy.with(ctx, do)
	}
	for _, t := range append(readTools(open), editTools(editor{open: open, host: anyHost, ask: askClient})...) {
		n.rows[t.Name] = t
	}
	n.resources = n.lazy.resourceRows(open)
	f.near[root] = n
	return n
}

// anyHost says that each caller is a program that may ask its user itself.
func anyHost(context.Context) bool { return true }

// ready gets what the first call will need while the client still thinks.
func (f *frontend) ready(ctx context.Context) {
	root, err := f.root(ctx)
	if err != nil || f.app.daemon != daemonAuto {
		return // the first call says what is wrong
	}
	if _, err := f.link(root).connect(ctx); err != nil && ctx.Err() == nil {
		f.app.say("works without a daemon: %v", err)
	}
}

// close lets go of everything; daemons stay.
func (f *frontend) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.links {
		l.close()
	}
	for _, n := range f.near {
		n.lazy.close()
	}
}

// whileParent is a context that ends when the process that started this one is gone: it can
// leave its end of the input open in another process.
func whileParent(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	t := time.NewTicker(time.Second)
	go func() {
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				if os.Getppid() != parent {
					cancel()
				}
			}
		}
	}()
	return ctx, cancel
}
