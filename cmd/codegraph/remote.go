//go:build unix

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/readtools"
	"github.com/codegraph-dev/codegraph/workspace/daemon"
)

// link is a client's way to the daemon of one root, whatever daemons there are one after the
// other: a call whose daemon is lost is made again at the next one, under the same id, so that
// an edit is made once.
type link struct {
	root    string
	hello   daemon.Hello
	elicits bool // the user can be asked
	ids     atomic.Int64

	mu      sync.Mutex // guards what follows
	wire    *wire
	down    error // why there is no daemon, until then
	until   time.Time
	retired sync.WaitGroup // wires on their way out
}

// wire is one connection.
type wire struct {
	*mcpserver.Client
	leaving atomic.Bool // it takes no new calls
}

// How often a call is made when daemons are lost under it, and for how long a daemon that
// cannot be had is not looked for again.
const (
	linkTries = 3
	downFor   = time.Minute
)

// newLink makes a link; nothing is connected yet. host says that the caller is a program which
// may ask its user itself, by how its user answers.
func newLink(root string, host bool, by string, elicits bool) *link {
	return &link{root: root, elicits: elicits, hello: daemon.Hello{Self: self(), Session: rand.Text()[:10], Host: host, By: by}}
}

// connect is a connection that takes calls.
func (l *link) connect(ctx context.Context) (*wire, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wire != nil && !l.wire.leaving.Load() {
		return l.wire, nil
	}
	if l.down != nil && time.Now().Before(l.until) {
		return nil, l.down
	}
	w, err := l.open(ctx)
	if noDaemon(err) {
		l.down, l.until = err, time.Now().Add(downFor)
	}
	l.wire = w
	return w, err
}

// open connects and does the handshake.
func (l *link) open(ctx context.Context) (*wire, error) {
	p, err := placeOf(l.root)
	if err != nil {
		return nil, errors.Join(errPlace, err)
	}
	c, err := p.Connect(ctx, l.hello, daemonCommandLine(p.Root))
	if err != nil {
		return nil, err
	}
	w := &wire{}
	w.Client = mcpserver.NewClient(c, mcpserver.ClientOptions{Version: version(), Elicits: l.elicits, Notice: func(method string, _ json.RawMessage) {
		if method == daemon.LeavingMethod {
			l.retire(w)
		}
	}})
	if err := w.Open(ctx, l.ids.Add(1)); err != nil {
		l.retire(w)
		return nil, err
	}
	return w, nil
}

// retire closes a connection when its last call is answered.
func (l *link) retire(w *wire) {
	if w == nil || w.leaving.Swap(true) {
		return
	}
	l.retired.Go(func() {
		for w.Waits() > 0 {
			time.Sleep(time.Millisecond)
		}
		_ = w.Close()
	})
}

// close ends the link; calls that wait are lost.
func (l *link) close() {
	l.mu.Lock()
	w := l.wire
	l.wire = nil
	l.mu.Unlock()
	if w != nil && !w.leaving.Swap(true) {
		_ = w.Close()
	}
	l.retired.Wait()
}

// do makes a request at a daemon, and again at the next one if that is lost. If there is none
// to be had then, who asked does the work itself, if it harms nobody that it is done twice.
func (l *link) do(ctx context.Context, harmless bool, request func(w *wire, again bool) error) error {
	for try := 1; ; try++ {
		w, err := l.connect(ctx)
		if err == nil {
			err = request(w, try > 1)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, mcpserver.ErrLost) && try < linkTries:
			l.retire(w)
			continue
		case errors.Is(err, mcpserver.ErrLost):
			return &readtools.Error{Code: "internal", Message: "the daemon ended while it worked on this call, each time that it was asked",
				Next: "look at `codegraph daemon logs`; `--daemon=off` works without one"}
		case noDaemon(err) && try > 1 && !harmless:
			return &readtools.Error{Code: "unavailable", Message: "the daemon ended while it worked on this call, and there is no other one",
				Next: "look whether an edit was made, then repeat the call"}
		}
		return err
	}
}

// call calls a tool.
func (l *link) call(ctx context.Context, t tool, args json.RawMessage, h mcpserver.Hooks) (answer mcpserver.Answer, err error) {
	r := mcpserver.CallRequest{ID: l.ids.Add(1), Tool: t.Name, Args: args, Hooks: h}
	if mcpserver.CallNamed(ctx) {
		r.Name = mcpserver.CallID(ctx)
	}
	if h.Ask != nil {
		r.Ask = once(ctx, h.Ask)
	}
	err = l.do(ctx, t.Hints.ReadOnly, func(w *wire, again bool) (err error) {
		r.Again = again
		answer, err = w.Call(ctx, r)
		return err
	})
	return answer, err
}

// asker asks a user.
type asker func(ctx context.Context, subject, message string) (mcpserver.Reply, error)

// once asks each question of a call once, also when one daemon asks it after another: the
// answer to it is still on its way, or there already.
func once(call context.Context, ask asker) asker {
	type question struct {
		done  chan struct{}
		reply mcpserver.Reply
		err   error
	}
	var mu sync.Mutex
	asked := map[string]*question{}
	return func(_ context.Context, subject, message string) (mcpserver.Reply, error) {
		mu.Lock()
		q := asked[subject]
		mine := q == nil
		if mine {
			q = &question{done: make(chan struct{})}
			asked[subject] = q
		}
		mu.Unlock()
		if mine {
			q.reply, q.err = ask(call, subject, message)
			close(q.done)
		}
		select {
		case <-q.done:
			return q.reply, q.err
		case <-call.Done():
			return mcpserver.Unanswered, context.Cause(call)
		}
	}
}
