package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// conn is one connection.
//
// A request in flight is a call. It ends once, answered or cancelled, and all that is
// ever written for it goes through the queue of one outlet under mu: so the order of the
// queue is the order of the wire, nothing can follow an answer, and what is still queued
// when a call is cancelled is thrown away. An id is in flight until its answer is handed
// to the writer. Nothing waits while it holds mu, and the goroutine that reads never waits
// for the one that writes; so the end of the input and a cancellation are always seen.
//
// Messages are taken one at a time: on a stream of lines by the goroutine that reads, over
// HTTP under a lock of the session. What only the taker uses needs no other guard.
type conn struct {
	server  *Server
	log     *slog.Logger
	session string
	ctx     context.Context // of all calls
	cancel  context.CancelCauseFunc
	slots   chan struct{}  // one for each call that may run; its answer keeps it until it is written
	calls   sync.WaitGroup // goroutines of calls
	revised string         // negotiated by initialize, else ""; only the taker uses it
	spoken  string         // the revision of the last request that had one; likewise
	elicits bool           // the client of the handshake can ask its user; likewise
	rooted  bool           // it has roots; likewise
	asks    string         // begins the ids of what the client is asked, so that no other connection's answer fits
	out     *outlet        // of what answers no message; on a stream of lines, of all
	watches watches        // likewise

	watching  context.Context // of all watching of resources; ends when no more messages come
	unwatched context.CancelFunc

	mu       sync.Mutex
	inflight map[string]*call                // by key
	closed   bool                            // no message is taken and, once the queue is empty, none written
	asked    int                             // requests sent to the client
	replies  map[string]chan json.RawMessage // who waits for its responses, by key
	level    *slog.Level                     // of the log that the client wants; nil for none
	roots    []string                        // of the client
	kit      *sdk                            // with the tools that roots make; nil for the server's
	listed   bool                            // the client has been told of the tools

	rootsKnown chan struct{} // closed when the client has said its roots; nil if it was not asked
}

// call is a request on its way to an answer. Its id, key and outlet never change; conn.mu
// guards the rest.
type call struct {
	id     json.RawMessage
	key    string
	out    *outlet
	cancel context.CancelCauseFunc
	gone   chan struct{} // closed when it is out of flight
	state  state
	answer []byte
	batch  *batch
	tick   tick
	asker  asker       // never changes
	level  *slog.Level // of the log that the request wants; never changes
	named  bool        // the client named the call; never changes
	again  bool        // it may have been made before; never changes
}

type state int

const (
	live state = iota
	answered
	cancelled
)

// batch gathers the answers to the requests of one line.
type batch struct {
	calls  []*call
	open   int  // calls that have not ended
	sealed bool // no more calls will be added
}

// Bounds on what one client can make us hold. Requests over maxInflight are refused; a
// client that lets maxQueue messages lie is taken for gone; notices are only for clients
// that read.
const (
	maxInflight = 1024
	maxQueue    = 4096
	maxNotices  = 64
)

var (
	errCancelled = errors.New("the client cancelled the call")
	errEnded     = errors.New("the connection ended")
	errUnread    = errors.New("the client does not read its answers")
)

func newConn(ctx context.Context, s *Server, session string) *conn {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &conn{
		server: s, session: session, ctx: ctx, cancel: cancel, watches: watches{}, asks: "ask-" + rand.Text()[:12] + "-",
		slots: make(chan struct{}, s.info.Parallel), inflight: map[string]*call{}, replies: map[string]chan json.RawMessage{}, out: newOutlet(),
	}
	c.watching, c.unwatched = context.WithCancel(ctx)
	c.log = slog.New(&clientLog{base: s.info.Log.Handler(), conn: c})
	s.join(c)
	return c
}

// begin puts a request in flight. It is refused if its id already is, if there are too
// many, and if the connection has ended.
func (c *conn) begin(m message, o *outlet, b *batch) (context.Context, *call, *fault) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	k := &call{id: m.id, key: m.key, out: o, cancel: cancel, gone: make(chan struct{}), batch: b, tick: tick{token: progressToken(m.meta)}, asker: c.askerOf(m, o)}
	k.named, k.again, k.level = namedCall(m), string(m.meta[metaAgain]) == "true", levelOf(m)
	c.mu.Lock()
	defer c.mu.Unlock()
	var f *fault
	switch {
	case c.closed:
		f = &fault{Code: codeInternal, Message: errEnded.Error()}
	case c.inflight[m.key] != nil:
		f = &fault{Code: codeRequest, Message: fmt.Sprintf("id %s is in use by a request that is not answered yet", clip(string(m.id), 80))}
	case len(c.inflight) >= maxInflight:
		f = &fault{Code: codeInternal, Message: fmt.Sprintf("%d requests are in flight; wait for answers", maxInflight)}
	}
	if f != nil {
		cancel(errEnded)
		return nil, nil, f
	}
	c.inflight[m.key] = k
	o.calls++
	o.asked = true
	c.calls.Add(1)
	if b != nil {
		b.calls, b.open = append(b.calls, k), b.open+1
	}
	return context.WithValue(ctx, callKey{}, &current{conn: c, call: k}), k, nil
}

// end answers a call, unless it was cancelled. The notices go before the answer. It is
// the last thing that the goroutine of a call does.
func (c *conn) end(k *call, notices [][]byte, answer []byte) {
	defer c.calls.Done()
	defer k.cancel(errEnded)
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.state != live {
		return
	}
	if c.ctx.Err() != nil { // the answer may be about nothing but that
		c.drop(k, context.Cause(c.ctx))
		return
	}
	for _, line := range notices {
		if !k.out.mute {
			c.push(k.out, item{call: k, line: line})
		}
	}
	k.state, k.answer = answered, answer
	if k.batch == nil {
		c.push(k.out, item{call: k})
		return
	}
	c.settle(k)
}

// refuse answers a message that never was in flight. Where the id could not be read it is
// null, as JSON-RPC has it, or absent in the revisions that have it so.
func (c *conn) refuse(o *outlet, id json.RawMessage, f *fault, b *batch) {
	if string(id) == "null" && c.spoken >= noIDRevision {
		id = nil
	}
	line := refusal(id, f)
	c.mu.Lock()
	defer c.mu.Unlock()
	if b != nil {
		b.calls = append(b.calls, &call{state: answered, answer: line})
		return
	}
	c.push(o, item{line: line})
}

// abort cancels the call of a key; unknown keys are those of calls that have ended.
func (c *conn) abort(key string, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.inflight[key]; k != nil {
		c.drop(k, cause)
	}
}

// abortAll cancels all calls and takes no more messages.
func (c *conn) abortAll(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.unwatched()
	for _, k := range c.inflight {
		c.drop(k, cause)
	}
	c.out.signal()
}

func (c *conn) drop(k *call, cause error) {
	was := k.state
	k.state, k.answer = cancelled, nil
	c.leave(k)
	k.cancel(cause)
	if k.batch != nil && was == live {
		c.settle(k)
	}
}

// leave takes a call out of flight.
func (c *conn) leave(k *call) {
	delete(c.inflight, k.key)
	close(k.gone)
	k.out.calls--
	k.out.signal()
}

// settle counts an ended call of a batch.
func (c *conn) settle(k *call) {
	b := k.batch
	b.open--
	if b.sealed && b.open == 0 {
		c.push(k.out, item{batch: b})
	}
}

// seal ends the adding of calls to a batch.
func (c *conn) seal(o *outlet, b *batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b.sealed = true
	if b.open == 0 {
		c.push(o, item{batch: b})
	}
}

// notice queues a progress notice of a running call, if it is due and the client reads.
func (c *conn) notice(k *call, done, total float64, message string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.state != live || k.out.mute || len(k.out.queue) >= maxNotices || !k.tick.due(done, total, time.Now()) {
		return
	}
	if line, err := k.tick.line(done, total, message); err == nil {
		c.push(k.out, item{call: k, line: line})
	}
}
