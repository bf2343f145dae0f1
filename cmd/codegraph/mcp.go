//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/workspace"
)

// How long a call over MCP waits for the index to have every change, and for the first index.
const (
	mcpBudget = 2 * time.Second
	mcpFirst  = 8 * time.Second
)

// mcpCommand is `codegraph mcp`.
func (a *app) mcpCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use: "mcp", Short: "Serve the tools over the Model Context Protocol on standard input and output",
		Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.serve(c.Context(), verbose) },
	}
	c.Flags().BoolVar(&verbose, "verbose", false, "log calls on standard error")
	return c
}

// serve serves one connection. A workspace that cannot be opened is tried again with each
// call: a wrong root is an answer and not the end, and the handshake waits for nothing.
func (a *app) serve(ctx context.Context, verbose bool) error {
	ctx, stop := whileParent(ctx)
	defer stop()
	f := a.newFrontend()
	defer f.close()
	s, err := f.server(verbose)
	if err != nil {
		return err
	}
	if root, err := a.root(); err != nil {
		a.say("%v", err) // each call will say it again; what starts the server sees it here
	} else if _, err := workspace.FindRoot(root); err != nil {
		a.say("%v", err)
	}
	return s.Run(ctx, a.in, a.out)
}

// server is the server of the eight tools and the resources that hands calls on.
func (f *frontend) server(verbose bool) (*mcpserver.Server, error) {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	return mcpserver.New(f.rows(), mcpserver.Info{
		Version: version(), Icon: icon(), Resources: f.resources(), Roots: f.fixed == "", Ready: f.ready,
		Log: slog.New(slog.NewTextHandler(f.app.err, &slog.HandlerOptions{Level: level})),
	})
}

// lazyWorkspace is a server's workspace, opened as soon as that succeeds.
type lazyWorkspace struct {
	app      *app
	root     string
	stays    bool              // it is the one process of its root
	log      func(line string) // nil means standard error
	standing standing

	opening sync.Mutex // held while the workspace is opened
	mu      sync.Mutex // guards what follows
	w       *workspace.Workspace
	closed  bool

	watching sync.Mutex // guards calls
	calls    map[context.Context]bool
}

// with opens the workspace, if that has not succeeded yet, and runs f over it.
func (l *lazyWorkspace) with(ctx context.Context, f func(*workspace.Workspace) error) error {
	w, err := l.open(ctx)
	if err != nil {
		return asError(err)
	}
	defer l.watch(ctx)()
	return f(w)
}

// watch tells the call of ctx how far an update is, until the result is called.
func (l *lazyWorkspace) watch(ctx context.Context) (end func()) {
	l.watching.Lock()
	defer l.watching.Unlock()
	if l.calls == nil {
		l.calls = map[context.Context]bool{}
	}
	l.calls[ctx] = true
	return func() {
		l.watching.Lock()
		defer l.watching.Unlock()
		delete(l.calls, ctx)
	}
}

// tell tells the progress of an update to the calls that wait for it.
func (l *lazyWorkspace) tell(p index.Progress) {
	l.standing.tell(p)
	done, message := percent(p)
	l.watching.Lock()
	defer l.watching.Unlock()
	for ctx := range l.calls {
		mcpserver.Progress(ctx, done, 100, message)
	}
}

func (l *lazyWorkspace) open(ctx context.Context) (*workspace.Workspace, error) {
	l.opening.Lock()
	defer l.opening.Unlock()
	if w, err := l.opened(); w != nil || err != nil {
		return w, err
	}
	w, err := openRoot(ctx, l.root, func(o *workspace.Options) {
		o.Budget, o.First, o.Progress, o.Log = mcpBudget, mcpFirst, l.tell, l.log
		o.Resident, o.Rest = l.stays, atRest
		if l.log == nil {
			o.Log = func(line string) { l.app.say("%s", line) }
		}
	})
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.w = w
	l.mu.Unlock()
	return w, nil
}

// errOver: the server of the workspace has ended.
var errOver = errors.New("the server has ended")

// opened is the workspace, if it is open. It waits for nothing.
func (l *lazyWorkspace) opened() (*workspace.Workspace, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errOver
	}
	return l.w, nil
}

// under is how long an update has been under way; 0 for none.
func (l *lazyWorkspace) under() time.Duration {
	w, err := l.opened()
	if w == nil || err != nil {
		return 0
	}
	now := w.Standing()
	if !now.Updating {
		return 0
	}
	return max(time.Since(now.Since), 1)
}

// yield lets go of the stores, so that another process can work on them until resume is
// called.
func (l *lazyWorkspace) yield() (resume func()) {
	w, err := l.opened()
	if w == nil || err != nil {
		return nil
	}
	resume, err = w.Yield()
	if err != nil && l.log != nil {
		l.log("the stores did not close: " + err.Error())
	}
	return resume
}

// close closes the workspace, which ends an update under way.
func (l *lazyWorkspace) close() {
	l.opening.Lock()
	defer l.opening.Unlock()
	l.mu.Lock()
	w := l.w
	l.w, l.closed = nil, true
	l.mu.Unlock()
	if w == nil {
		return
	}
	if err := w.Close(); err != nil && l.log != nil {
		l.log("the workspace did not close well: " + err.Error())
	}
}

// notes are what the workspace says of how it learns of changes.
func (l *lazyWorkspace) notes() []string {
	w, err := l.opened()
	if w == nil || err != nil || w.Watching() == nil {
		return nil
	}
	var out []string
	if w.Standing().Updating {
		out = append(out, "the index is brought up to date"+l.standing.words())
	}
	v := w.Watching()
	if v.Why != "" {
		out = append(out, "each question looks at all files: "+v.Why)
	} else {
		out = append(out, fmt.Sprintf("%d folders are watched", v.Folders))
	}
	if v.Lost > 0 {
		out = append(out, fmt.Sprintf("the system could not keep up %d times; all files were looked at then", v.Lost))
	}
	if v.Drift > 0 {
		out = append(out, fmt.Sprintf("%d changes were found that nothing had told of", v.Drift))
	}
	if v.Audited > 0 {
		out = append(out, fmt.Sprintf("%d files were extracted again and compared with the index", v.Audited))
	}
	return out
}
