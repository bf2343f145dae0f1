package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/readtools"
)

// pair is a Client of a Server with the tools.
func pair(t *testing.T, tools []Tool, o ClientOptions) (*Client, *Server, context.CancelFunc) {
	t.Helper()
	s, err := New(tools, Info{Version: "0"})
	if err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- s.RunAs(ctx, "kept", there, there)
		_ = there.Close()
	}()
	c := NewClient(here, o)
	t.Cleanup(func() {
		cancel()
		_ = c.Close()
		<-ended
	})
	if err := c.Open(ctx, 0); err != nil {
		t.Fatal(err)
	}
	return c, s, cancel
}

func TestClientCalls(t *testing.T) {
	f := newFakes()
	c, _, _ := pair(t, f.tools(), ClientOptions{})
	a, err := c.Call(t.Context(), CallRequest{ID: 1, Tool: "find", Args: json.RawMessage(`{"pattern":"a<b>&\u2028"}`)})
	if err != nil || a.Text != "found <a<b>&\u2028> & nothing else" || !strings.Contains(string(a.Structured.(json.RawMessage)), `"pattern":"a<b>&\u2028"`) {
		t.Errorf("got %+v, %v", a, err)
	}
	var told *readtools.Error
	if _, err := c.Call(t.Context(), CallRequest{ID: 2, Tool: "refuse"}); !errors.As(err, &told) || told.Code != "not_found" || told.Next != "call find" {
		t.Errorf("a failed call: %v", err)
	}
	if _, err := c.Call(t.Context(), CallRequest{ID: 3, Tool: "find", Args: json.RawMessage(`{}`)}); !errors.As(err, &told) || told.Code != "usage" {
		t.Errorf("a wrong call: %v", err)
	}
	if _, err := c.Call(t.Context(), CallRequest{ID: 4, Tool: "nix"}); err == nil || errors.As(err, &told) {
		t.Errorf("no tool: %v", err)
	}
	var done []float64
	if _, err := c.Call(t.Context(), CallRequest{ID: 5, Tool: "step", Hooks: Hooks{Progress: func(d, _ float64, _ string) { done = append(done, d) }}}); err != nil || len(done) == 0 || done[len(done)-1] != 3 {
		t.Errorf("progress %v, %v", done, err)
	}
}

func TestClientCancels(t *testing.T) {
	f := newFakes()
	c, _, _ := pair(t, f.tools(), ClientOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-f.started
		cancel()
	}()
	if _, err := c.Call(ctx, CallRequest{ID: 1, Tool: "wait"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if cause := <-f.ended; !errors.Is(cause, errCancelled) {
		t.Errorf("the call ended by %v", cause)
	}
}

func TestClientLosesTheServer(t *testing.T) {
	f := newFakes()
	c, _, stop := pair(t, f.tools(), ClientOptions{})
	go func() {
		<-f.started
		stop()
	}()
	if _, err := c.Call(t.Context(), CallRequest{ID: 1, Tool: "wait"}); !errors.Is(err, ErrLost) {
		t.Errorf("got %v", err)
	}
	if _, err := c.Call(t.Context(), CallRequest{ID: 2, Tool: "find", Args: json.RawMessage(`{"pattern":"x"}`)}); !errors.Is(err, ErrLost) {
		t.Errorf("the next got %v", err)
	}
}

// TestClientIsAsked has two calls ask at once; each question finds its own call.
func TestClientIsAsked(t *testing.T) {
	ask := Typed(Tool{Name: "ask", Title: "ask", Description: "Asks."}, func(ctx context.Context, p findParams) (doneResult, string, error) {
		reply, err := Elicit(ctx, "about "+p.Pattern, p.Pattern+"?")
		again := ""
		if CallAgain(ctx) {
			again = " again"
		}
		return doneResult{reply == Accepted}, CallID(ctx) + again, err
	})
	c, _, _ := pair(t, []Tool{ask}, ClientOptions{Elicits: true})
	type got struct {
		answer Answer
		err    error
	}
	results := make(chan got, 2)
	call := func(id int64, pattern string, again bool, reply Reply, fail error) {
		a, err := c.Call(t.Context(), CallRequest{ID: id, Tool: "ask", Args: json.RawMessage(`{"pattern":"` + pattern + `"}`), Again: again, Hooks: Hooks{
			Ask: func(_ context.Context, subject, message string) (Reply, error) {
				if subject != "about "+pattern || message != pattern+"?" {
					t.Errorf("call %d was asked %q, %q", id, subject, message)
				}
				return reply, fail
			},
		}})
		results <- got{a, err}
	}
	go call(7, "yes", true, Accepted, nil)
	if r := <-results; r.err != nil || r.answer.Text != "kept/7 again" || string(r.answer.Structured.(json.RawMessage)) != `{"done":true}` {
		t.Errorf("got %+v", r)
	}
	go call(8, "no", false, Declined, nil)
	if r := <-results; r.err != nil || r.answer.Text != "kept/8" || string(r.answer.Structured.(json.RawMessage)) != `{"done":false}` {
		t.Errorf("got %+v", r)
	}
	want := errors.New("cannot ask now")
	go call(9, "later", false, Unanswered, want)
	if r := <-results; !errors.Is(r.err, want) {
		t.Errorf("got %+v", r)
	}
}

// rooted is a client with roots, after the handshake.
func rooted(t *testing.T) *client {
	t.Helper()
	where := Typed(Tool{Name: "where", Title: "where", Description: "Says where."}, func(ctx context.Context, p findParams) (doneResult, string, error) {
		return doneResult{true}, Root(ctx) + " " + p.Pattern, nil
	})
	c := start(t, []Tool{where}, Info{Roots: true})
	c.send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"t","version":"0"}}}`)
	if got := canonical(c.next()["result"].(map[string]any)["capabilities"].(map[string]any)["tools"]); got != `{"listChanged":true}` {
		t.Errorf("tools: %s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// roots answers the server's question for roots.
func (c *client) roots(uris ...string) {
	c.t.Helper()
	m := c.next()
	if m["method"] != methodRoots {
		c.t.Fatalf("got %v, want a question for roots", m)
	}
	var list []map[string]string
	for _, u := range uris {
		list = append(list, map[string]string{"uri": u})
	}
	raw, _ := json.Marshal(list)
	c.send(`{"jsonrpc":"2.0","id":%q,"result":{"roots":%s}}`, m["id"], raw)
}

func (c *client) where(args string) string {
	c.t.Helper()
	c.call(1, "where", args)
	m := c.next()
	result, _ := m["result"].(map[string]any)
	if result == nil {
		c.t.Fatalf("got %v", m)
	}
	return result["content"].([]any)[0].(map[string]any)["text"].(string)
}

func TestRoots(t *testing.T) {
	c := rooted(t)
	c.call(1, "where", `{"pattern":"x"}`) // before the roots are known
	c.roots("file:///one", "https://else.where/", "file:///a%20b/two", "file://localhost/one/")
	if m := c.next(); !strings.Contains(canonical(m), "/one x") {
		t.Errorf("got %v", m)
	}
	for args, want := range map[string]string{
		`{"pattern":"x"}`:                   "/one x",
		`{"pattern":"x","root":"two"}`:      "/a b/two x",
		`{"pattern":"x","root":"/a b/two"}`: "/a b/two x",
		`{"pattern":"x","root":"three"}`:    `root: there is no root "three"; give one of ["/one" "/a b/two"]`,
	} {
		if got := c.where(args); got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	if got := canonical(c.next()); !strings.Contains(got, `"root":{"description":"which of the client's roots the call is about (default one)","enum":["one","two"],"type":"string"}`) {
		t.Errorf("tools: %s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	c.roots("file:///x/same", "file:///y/same")
	if m := c.next(); m["method"] != noticeTools {
		t.Errorf("got %v, want that the tools changed", m)
	}
	if got := c.where(`{"pattern":"x","root":"same"}`); !strings.Contains(got, "2 roots") {
		t.Errorf("got %q", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	c.roots("file:///alone")
	if m := c.next(); m["method"] != noticeTools {
		t.Errorf("got %v, want that the tools changed", m)
	}
	if got := c.where(`{"pattern":"x"}`); got != "/alone x" {
		t.Errorf("got %q", got)
	}
	if got := c.where(`{"pattern":"x","root":"alone"}`); !strings.Contains(got, `unknown argument "root"`) {
		t.Errorf("got %q", got)
	}
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	if got := canonical(c.next()); strings.Contains(got, `"root"`) {
		t.Errorf("tools: %s", got)
	}
	c.finish()
}

// TestRootsUnanswered has a client that never says its roots: its calls go on without.
func TestRootsUnanswered(t *testing.T) {
	c := rooted(t)
	c.next()
	began := time.Now()
	for range 3 { // they wait once
		if got := c.where(`{"pattern":"x"}`); got != " x" || time.Since(began) > patience {
			t.Errorf("got %q after %v", got, time.Since(began))
		}
	}
	c.finish()
}
