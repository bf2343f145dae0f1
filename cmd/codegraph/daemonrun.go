//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/codegraph-dev/codegraph/edittools"
	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace"
	"github.com/codegraph-dev/codegraph/workspace/daemon"
)

// daemonRunCommand is `codegraph daemon run`, which clients start.
func (a *app) daemonRunCommand() *cobra.Command {
	return &cobra.Command{
		Use: "run", Short: "Be the daemon of a root", Hidden: true, Args: a.noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.runDaemon(c.Context()) },
	}
}

// maxRemote is the longest message between a client and its daemon, which trust each other:
// enough for every file that can be written.
const maxRemote = 1 << 30

// runDaemon is the life of a daemon. Of several that start at once all but one have nothing
// to do, and that is no error.
func (a *app) runDaemon(ctx context.Context) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	place, err := placeOf(root)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop() // it has no terminal, so what its client was to ignore is no word to it
	limitMemory(root)
	out := place.Rotated(a.err)
	log := slog.New(slog.NewTextHandler(out, nil))
	lazy := &lazyWorkspace{app: a, root: place.Root, stays: true, log: func(line string) { log.Info(line) }}
	served := &service{lazy: lazy}
	d := daemon.NewServer(daemon.Options{
		Place: place, Self: self(), Idle: idleFor(place.Root), Log: log, Serve: served.serve, Yield: lazy.yield,
		Under: lazy.under, Close: lazy.close, Notes: lazy.notes})
	served.use = d.Use
	if served.server, err = served.newServer(log); err != nil {
		return err
	}
	err = d.Run(ctx)
	if errors.Is(err, daemon.ErrTaken) || ctx.Err() != nil {
		return nil
	}
	return err
}

// service is what a daemon does for its clients.
type service struct {
	lazy   *lazyWorkspace
	server *mcpserver.Server
	use    func() (end func())
}

func (s *service) newServer(log *slog.Logger) (*mcpserver.Server, error) {
	var rows []mcpserver.Tool
	e := editor{open: s.with, host: hostCalls, ask: askCaller}
	for _, t := range slices.Concat(readTools(s.with), editTools(e), []tool{undoTool(e)}) { // a front-end offers no undo
		rows = append(rows, t.Tool)
	}
	resources := s.lazy.resourceRows(s.with)
	ask := func(ctx context.Context, params json.RawMessage) (any, error) {
		var q resourceAsk
		if err := json.Unmarshal(params, &q); err != nil {
			return nil, err
		}
		return answerResource(ctx, resources, q), nil
	}
	private := jobs(s.with)
	private[methodResource] = ask
	return mcpserver.New(rows, mcpserver.Info{Version: version(), Log: log, MaxLine: maxRemote, Private: private})
}

// with runs f over the workspace; meanwhile the daemon is not idle.
func (s *service) with(ctx context.Context, f func(*workspace.Workspace) error) error {
	defer s.use()()
	return s.lazy.with(ctx, f)
}

// helloKey is the context's key for what the client of a call said of itself.
type helloKey struct{}

// serve serves one client.
func (s *service) serve(ctx context.Context, c *daemon.Conn) {
	ctx = context.WithValue(ctx, helloKey{}, &c.Hello)
	if !c.Hello.Host {
		ctx = readtools.ForPerson(workspace.Within(ctx, 0)) // a person waits, and sees that it goes on
	}
	_ = s.server.RunAs(ctx, c.Hello.Session, c, c) // a client that is gone has nobody to tell
}

// hostCalls reports whether a call comes from a program that may ask its user itself.
func hostCalls(ctx context.Context) bool {
	h, ok := ctx.Value(helloKey{}).(*daemon.Hello)
	return ok && h.Host
}

// askCaller asks the user of the client that made the call.
func askCaller(ctx context.Context, q edittools.Question) (edittools.Answer, error) {
	answer, err := askClient(ctx, q)
	if h, ok := ctx.Value(helloKey{}).(*daemon.Hello); ok && answer.By != "" {
		answer.By = h.By
	}
	return answer, err
}
