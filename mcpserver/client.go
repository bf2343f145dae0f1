package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/codegraph-dev/codegraph/readtools"
)

// ErrLost: the connection ended before the answer came. The request may have been done or not.
var ErrLost = errors.New("the connection to the server was lost")

// clientRevision is what a Client speaks.
const clientRevision = "2025-11-25"

// Members of _meta that the two ends of a Client's connection understand: which call a
// question belongs to and what it is about, and that a call may have been made before.
const (
	metaCall    = "codegraph.dev/call"
	metaSubject = "codegraph.dev/subject"
	metaAgain   = "codegraph.dev/again"
)

// ClientOptions say what a Client is.
type ClientOptions struct {
	Version string
	// Elicits says that it can ask its user.
	Elicits bool
	// Notice, if not nil, is told the notices that belong to no request.
	Notice func(method string, params json.RawMessage)
}

// Client is the other end of a Server of this program: it sends requests and hands out the
// answers. It may be used by several goroutines.
type Client struct {
	conn io.ReadWriteCloser
	o    ClientOptions
	out  sync.Mutex     // one line at a time
	asks sync.WaitGroup // questions that are being answered, and the reader

	mu      sync.Mutex // guards what follows
	pending map[string]*waiting
	lost    bool
}

// waiting is a request that waits for its response.
type waiting struct {
	ctx   context.Context
	hooks Hooks
	done  chan response
}

type response struct {
	result json.RawMessage
	err    error
}

// Hooks are what a request needs besides its answer; each may be nil.
type Hooks struct {
	// Progress is told how far the request is.
	Progress func(done, total float64, message string)
	// Ask asks the user. An error of it ends the request.
	Ask func(ctx context.Context, subject, message string) (Reply, error)
}

// NewClient makes a client of a connection and begins to read from it.
func NewClient(conn io.ReadWriteCloser, o ClientOptions) *Client {
	c := &Client{conn: conn, o: o, pending: map[string]*waiting{}}
	c.asks.Go(c.read)
	return c
}

// Close ends the connection; requests that wait are lost.
func (c *Client) Close() error {
	err := c.conn.Close()
	c.asks.Wait()
	return err
}

// Waits is how many requests wait for an answer.
func (c *Client) Waits() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending)
}

// Open is the handshake. It comes before all requests; id is the number of its own.
func (c *Client) Open(ctx context.Context, id int64) error {
	capabilities := object{}
	if c.o.Elicits {
		capabilities = object{{"elicitation", object{}}}
	}
	info := object{{"name", "codegraph"}, {"version", c.o.Version}}
	_, err := c.Request(ctx, id, methodInitialize, object{{"protocolVersion", clientRevision}, {"capabilities", capabilities}, {"clientInfo", info}}, Hooks{})
	if err == nil {
		err = c.send(object{{"jsonrpc", "2.0"}, {"method", noticeInitialized}})
	}
	return err
}

// Request sends a request and waits for its response. id is a number that no other request
// has. The error is ErrLost if the connection ended, and the cause of ctx when that ends; the
// server is told then that nobody waits.
func (c *Client) Request(ctx context.Context, id int64, method string, params any, h Hooks) (json.RawMessage, error) {
	key := strconv.FormatInt(id, 10)
	p := &waiting{ctx: ctx, hooks: h, done: make(chan response, 1)}
	c.mu.Lock()
	if c.lost {
		c.mu.Unlock()
		return nil, ErrLost
	}
	c.pending[key] = p
	c.mu.Unlock()
	defer c.forget(key)
	if err := c.send(object{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}); err != nil {
		return nil, err
	}
	select {
	case r := <-p.done:
		if r.err != nil && !errors.Is(r.err, ErrLost) {
			c.cancel(id)
		}
		return r.result, r.err
	case <-ctx.Done():
		c.cancel(id)
		return nil, context.Cause(ctx)
	}
}

func (c *Client) forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, key)
}

// cancel tells the server that nobody waits for a request. One that has been answered
// meanwhile takes no harm.
func (c *Client) cancel(id int64) {
	_ = c.send(object{{"jsonrpc", "2.0"}, {"method", noticeCancelled}, {"params", object{{"requestId", id}}}}) // a lost connection needs no telling
}

// CallRequest is a call of a tool.
type CallRequest struct {
	ID   int64 // see Request
	Tool string
	Args json.RawMessage
	// Name is the caller's own name for the call; empty if it gave none.
	Name string
	// Again says that the call may have been made before, by a Client of the same session
	// with the same id or name.
	Again bool
	Hooks
}

// Call calls a tool. A call that failed is a *readtools.Error.
func (c *Client) Call(ctx context.Context, r CallRequest) (Answer, error) {
	meta := object{}
	if r.Name != "" {
		meta = append(meta, member{metaCallID, r.Name})
	}
	if r.Again {
		meta = append(meta, member{metaAgain, true})
	}
	if r.Progress != nil {
		meta = append(meta, member{"progressToken", r.ID})
	}
	args := r.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	raw, err := c.Request(ctx, r.ID, methodCall, object{{"name", r.Tool}, {"arguments", args}, {"_meta", meta}}, r.Hooks)
	if err != nil {
		return Answer{}, err
	}
	return answerOf(raw)
}

// answerOf reads the result of a call.
func answerOf(raw json.RawMessage) (Answer, error) {
	var result struct {
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		IsError           bool
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return Answer{}, fmt.Errorf("read result: %w", err)
	}
	var text string
	for _, part := range result.Content {
		text += part.Text
	}
	if result.IsError {
		var told struct{ Error *readtools.Error }
		if err := json.Unmarshal(result.StructuredContent, &told); err != nil || told.Error == nil {
			return Answer{}, errors.New(text)
		}
		return Answer{}, told.Error
	}
	if text == string(result.StructuredContent) {
		text = "" // there was none
	}
	return Answer{Structured: result.StructuredContent, Text: text}, nil
}

func (c *Client) send(message object) error {
	line, err := encode(message)
	if err != nil {
		return err
	}
	c.out.Lock()
	defer c.out.Unlock()
	if _, err := c.conn.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

// read hands out what the server says, until the connection ends.
func (c *Client) read() {
	for in := bufio.NewReaderSize(c.conn, 64<<10); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break // a line without an end is none
		}
		c.take(line)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = true
	for _, p := range c.pending {
		p.finish(response{err: ErrLost})
	}
}

// finish gives the request its response; only the first one counts.
func (p *waiting) finish(r response) {
	select {
	case p.done <- r:
	default:
	}
}

// take handles a line of the server.
func (c *Client) take(line []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
		Result json.RawMessage
		Error  *fault
	}
	if json.Unmarshal(line, &m) != nil {
		return
	}
	switch {
	case m.Method == "":
		if p := c.of(m.ID); p != nil && m.Error != nil {
			p.finish(response{err: errors.New(m.Error.Message)})
		} else if p != nil {
			p.finish(response{result: m.Result})
		}
	case m.Method == methodElicit && m.ID != nil:
		c.asks.Go(func() { c.ask(m.ID, m.Params) })
	case m.Method == noticeProgress:
		c.progress(m.Params)
	case m.ID == nil && c.o.Notice != nil:
		c.o.Notice(m.Method, m.Params)
	}
}

// of is the request of an id.
func (c *Client) of(id json.RawMessage) *waiting {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending[strings.Trim(string(id), `"`)]
}

func (c *Client) progress(params json.RawMessage) {
	var told struct {
		ProgressToken   json.RawMessage
		Progress, Total float64
		Message         string
	}
	if json.Unmarshal(params, &told) != nil {
		return
	}
	if p := c.of(told.ProgressToken); p != nil && p.hooks.Progress != nil {
		p.hooks.Progress(told.Progress, told.Total, told.Message)
	}
}

// ask answers a question of the server.
func (c *Client) ask(id, params json.RawMessage) {
	var q struct {
		Message string
		Meta    map[string]json.RawMessage `json:"_meta"`
	}
	action := "cancel"
	if json.Unmarshal(params, &q) == nil {
		if p := c.of(q.Meta[metaCall]); p != nil && p.hooks.Ask != nil {
			subject, _ := text(q.Meta, metaSubject)
			reply, err := p.hooks.Ask(p.ctx, subject, q.Message)
			if err != nil {
				p.finish(response{err: err})
			}
			action = map[Reply]string{Accepted: "accept", Declined: "decline", Unanswered: "cancel"}[reply]
		}
	}
	_ = c.send(object{{"jsonrpc", "2.0"}, {"id", id}, {"result", object{{"action", action}}}}) // where that is lost, the request is lost, too
}
