package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/readtools"
)

// findParams has a parameter of every shape.
type findParams struct {
	Pattern string   `json:"pattern" pos:"1" required:"true" doc:"what to find"`
	In      string   `json:"in,omitempty" enum:"text,symbols" default:"text" doc:"where to look"`
	Path    []string `json:"path,omitempty" pos:"2..." doc:"only below these"`
	Strict  bool     `json:"strict,omitempty" default:"true" short:"s" doc:"no near misses"`
	Weight  float64  `json:"weight,omitempty" doc:"how much it counts"`
	Blocks  []block  `json:"blocks,omitempty" doc:"pairs"`
	readtools.Page
}

type block struct {
	Old string `json:"old" required:"true" doc:"before"`
	New string `json:"new" doc:"after"`
}

type findResult struct {
	readtools.Head
	Got  findParams `json:"got"`
	Hits []string   `json:"hits"`
}

type emptyParams struct{}

type doneResult struct {
	Done bool `json:"done"`
}

// fakes are tools that show what a tool can do to a server.
type fakes struct {
	started chan string          // the name of each call that has begun
	ended   chan error           // why a waiting call ended
	release chan struct{}        // lets deaf calls return
	keep    chan context.Context // contexts to make progress in after the call
	change  chan struct{}        // has a watched resource change
}

func newFakes() *fakes {
	return &fakes{make(chan string, 2*maxInflight), make(chan error, 100), make(chan struct{}), make(chan context.Context, 10), make(chan struct{})}
}

func (f *fakes) tools() []Tool {
	read := Hints{ReadOnly: true, Idempotent: true}
	row := func(name, description string) Tool {
		return Tool{Name: name, Title: name, Description: description, Hints: read}
	}
	plain := func(name, description string, fn func(context.Context) error) Tool {
		return Typed(row(name, description), func(ctx context.Context, _ emptyParams) (doneResult, string, error) {
			f.started <- name
			err := fn(ctx)
			return doneResult{err == nil}, "done", err
		})
	}
	return []Tool{
		Typed(row("find", "Finds what it is told."), func(_ context.Context, p findParams) (findResult, string, error) {
			return findResult{Got: p}, fmt.Sprintf("found <%s> & nothing else", p.Pattern), nil
		}),
		plain("wait", "Waits to be cancelled.", func(ctx context.Context) error {
			<-ctx.Done()
			f.ended <- context.Cause(ctx)
			return ctx.Err()
		}),
		plain("deaf", "Does not heed its context.", func(context.Context) error {
			<-f.release
			return nil
		}),
		plain("step", "Makes progress, and goes on after it returned.", func(ctx context.Context) error {
			for i := range 3 {
				Progress(ctx, float64(i), 3, "step")
				Progress(ctx, float64(i), 3, "the same step")
				time.Sleep(tickEvery + 5*time.Millisecond)
			}
			Progress(ctx, 3, 3, "")
			f.keep <- ctx
			return nil
		}),
		plain("refuse", "Fails as told.", func(context.Context) error {
			return fmt.Errorf("refuse: %w", &readtools.Error{Code: "not_found", Message: "there is no symbol nix", Next: "call find"})
		}),
		plain("break", "Fails with an error of another kind.", func(context.Context) error {
			return errors.New("open /root/secret/place/state.db: no space left\nsecond line")
		}),
		plain("panic", "Panics.", func(context.Context) error { panic("ouch") }),
	}
}

// resources are a constant one, which can be watched, and the numbered files of a folder.
func (f *fakes) resources() []Resource {
	return []Resource{
		{
			URI: "fake://state", Name: "state", Title: "State", Description: "How it stands.", MIME: "application/json", Icon: "data:image/svg+xml;base64,AA==", Priority: 1,
			Read: func(context.Context, string) (Content, error) { return Content{Text: `{"a":"<b>"}`}, nil },
			Watch: func(ctx context.Context, changed func()) {
				for {
					select {
					case <-f.change:
						changed()
					case <-ctx.Done():
						return
					}
				}
			},
		},
		{URI: "fake://file/{path}", Name: "file", Title: "File", Description: "A file.", Read: readFake, List: listFake, Complete: completeFake},
		{URI: "fake://id/{id}", Name: "id", Title: "By id", Description: "What has the id.", MIME: "text/plain", Read: readFake},
	}
}

func readFake(_ context.Context, value string) (Content, error) {
	switch value {
	case "none", "a/none":
		return Content{}, &readtools.Error{Code: "not_found", Message: "there is no file " + value, Next: "find it"}
	case "many":
		return Content{}, &readtools.Error{Code: "ambiguous", Message: "many means 2 files", Next: "say which"}
	case "big":
		return Content{}, &readtools.Error{Code: "precondition", Message: "big is too large", Next: "read a part"}
	case "broken":
		return Content{}, errors.New("open /root/secret/place/x: no space left")
	case "bytes":
		return Content{MIME: "application/octet-stream", Blob: []byte{0, 255}}, nil
	}
	return Content{Text: "<" + value + ">"}, nil
}

// listFake lists 250 numbered files.
func listFake(_ context.Context, after string, limit int) ([]Instance, error) {
	var out []Instance
	for i := range 250 {
		if name := fmt.Sprintf("d/%03d #1%%.txt", i); name > after && len(out) < limit {
			out = append(out, Instance{Value: name, MIME: "text/plain", Size: int64(i)})
		}
	}
	return out, nil
}

// completeFake completes to as many values as the number that was typed.
func completeFake(_ context.Context, typed string) (Completion, error) {
	n := 0
	if _, err := fmt.Sscan(typed, &n); err != nil {
		return Completion{}, nil
	}
	var c Completion
	for i := range n {
		c.Values = append(c.Values, fmt.Sprint("v", i))
	}
	c.Total = n
	return c, nil
}

// client speaks to a server over pipes.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	got  chan map[string]any
	done chan error
}

func start(t *testing.T, tools []Tool, info Info) *client {
	t.Helper()
	c := unread(t, tools, info)
	go c.listen()
	return c
}

// unread starts a server whose output is not read.
func unread(t *testing.T, tools []Tool, info Info) *client {
	t.Helper()
	info.Version = "0.0.0-test"
	if info.Session == "" {
		info.Session = "s"
	}
	s, err := New(tools, info)
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: outR, got: make(chan map[string]any, 1000), done: make(chan error, 1)}
	go func() {
		err := s.Run(t.Context(), inR, outW)
		outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() { inW.Close(); outR.Close(); inR.Close() })
	return c
}

func (c *client) listen() {
	defer close(c.got)
	lines := bufio.NewReader(c.out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m any
		if err := json.Unmarshal(line, &m); err != nil {
			c.t.Errorf("not JSON on the output: %q", line)
			continue
		}
		if o, ok := m.(map[string]any); ok {
			c.got <- o
		} else {
			c.got <- map[string]any{"batch": m}
		}
	}
}

func (c *client) send(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

func (c *client) call(id int, tool, arguments string) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// open does the handshake.
func (c *client) open() *client {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`)
	c.next()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// next is the next message of the server.
func (c *client) next() map[string]any {
	c.t.Helper()
	select {
	case m, ok := <-c.got:
		if !ok {
			c.t.Fatal("the output ended")
		}
		return m
	case <-time.After(30 * time.Second): // far more than a busy machine needs
		c.t.Fatal("no message came")
		return nil
	}
}

// silent fails if a message comes within a short while.
func (c *client) silent() {
	c.t.Helper()
	select {
	case m, ok := <-c.got:
		if ok {
			c.t.Fatalf("a message that should not be: %v", m)
		}
	case <-time.After(150 * time.Millisecond):
	}
}

// finish closes the input and waits for the end of Run, which it times.
func (c *client) finish() time.Duration {
	c.t.Helper()
	began := time.Now()
	c.in.Close()
	select {
	case err := <-c.done:
		if err != nil {
			c.t.Fatalf("Run: %v", err)
		}
	case <-time.After(5 * time.Second):
		c.t.Fatal("Run did not return")
	}
	return time.Since(began)
}
