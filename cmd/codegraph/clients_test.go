package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/codegraph-dev/codegraph/workspace/daemon"
)

// agent is another program's MCP client, with the server that it started.
type agent struct {
	*client.Client
	t *testing.T

	mu      sync.Mutex // guards what follows
	notices []mcp.JSONRPCNotification
	asked   []string
}

// Elicit implements client.ElicitationHandler: it agrees to everything.
func (g *agent) Elicit(_ context.Context, q mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, q.Params.Message)
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{}}}, nil
}

// agent starts the server as an agent does, and does the handshake of the protocol's oldest or
// newest form.
func (d *den) agent(o ...client.ClientOption) *agent {
	d.Helper()
	g := &agent{t: d.T}
	g.Client = client.NewClient(transport.NewStdio(d.bin, nil, "mcp", "-C", d.root), append(o, client.WithElicitationHandler(g))...)
	g.OnNotification(func(n mcp.JSONRPCNotification) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.notices = append(g.notices, n)
	})
	err := g.Start(d.Context())
	if err == nil {
		_, err = g.Initialize(d.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "t", Version: "0"}}})
	}
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { _ = g.Close() })
	return g
}

// call calls a tool; token is that of its progress.
func (g *agent) call(ctx context.Context, token, tool string, args map[string]any) (*mcp.CallToolResult, error) {
	return g.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: args, Meta: &mcp.Meta{ProgressToken: token}}})
}

// told are the notices of a method.
func (g *agent) told(method string) (out []mcp.JSONRPCNotification) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, n := range g.notices {
		if n.Method == method {
			out = append(out, n)
		}
	}
	return out
}

// until waits for something.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in vain waited for %s", what)
		}
	}
}

// TestAgentsAtOnce has two agents share a daemon from its first index on. Their requests have the
// same ids. Each sees the progress of its own call, under its own token, ever further and not
// oftener than a person can follow; one gives up its call without harm to the other's; and
// questions and notices reach the one that they are meant for.
func TestAgentsAtOnce(t *testing.T) {
	d := newDen(t, "1m")
	copies(t, d.root, 24)
	a, b := d.agent(client.WithLegacyProtocolOnly()), d.agent()
	grep := map[string]any{"pattern": "ErrMissing"}
	begun := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if r, err := a.call(t.Context(), "of a", "grep", grep); err != nil || r.IsError {
			t.Errorf("a: %+v, %v", r, err)
		}
	})
	all.Go(func() {
		if _, err := b.call(ctx, "of b", "grep", grep); !errors.Is(err, context.Canceled) {
			t.Errorf("b: %v", err)
		}
	})
	d.busy(2)
	until(t, "b's progress", func() bool { return len(b.told("notifications/progress")) > 0 })
	cancel()
	d.busy(1)
	all.Wait()
	took := time.Since(begun)
	for token, g := range map[string]*agent{"of a": a, "of b": b} {
		g.ownProgress(token, took)
	}

	if _, err := a.call(t.Context(), "w", "write_file", map[string]any{"path": "a.txt", "content": "of a\n"}); err != nil {
		t.Fatal(err)
	}
	if len(a.asked) != 1 || len(b.asked) != 0 {
		t.Errorf("asked: a %q, b %q", a.asked, b.asked)
	}
	if err := a.Subscribe(t.Context(), mcp.SubscribeRequest{Params: mcp.SubscribeParams{URI: "codegraph://status"}}); err != nil {
		t.Fatal(err)
	}
	d.write("b.txt", "of b\n")
	if r, err := b.call(t.Context(), "g", "grep", map[string]any{"pattern": "of b"}); err != nil || !strings.Contains(fmt.Sprint(r.StructuredContent), "b.txt") {
		t.Errorf("%+v, %v", r, err)
	}
	until(t, "a notice of the status", func() bool { return len(a.told("notifications/resources/updated")) > 0 })
	if n := b.told("notifications/resources/updated"); len(n) > 0 {
		t.Errorf("b, who watches nothing, was told %v", n)
	}
	if list, err := daemon.List(); err != nil || len(list) != 1 {
		t.Errorf("daemons: %+v, %v", list, err)
	}
}

// ownProgress checks the notices of progress that an agent had in some time.
func (g *agent) ownProgress(token string, took time.Duration) {
	g.t.Helper()
	last := -1.0
	notices := g.told("notifications/progress")
	for _, n := range notices {
		p := n.Params.AdditionalFields
		done, _ := p["progress"].(float64)
		if p["progressToken"] != token || done <= last || done > 100 {
			g.t.Errorf("%s: %v after %v", token, p, last)
		}
		last = done
	}
	if most := 2 + int(took/(100*time.Millisecond)); len(notices) == 0 || len(notices) > most {
		g.t.Errorf("%s: %d notices in %v", token, len(notices), took)
	}
}
