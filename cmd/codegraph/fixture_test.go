package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/mcpserver"
)

// The conformance suite wants tools and resources of its own, by which it sees what a server
// makes of a tool that reports progress, asks, or fails. The fixture has those of them that
// our rows can express, over the package that serves the program's.

type noParams struct{}

type askParams struct {
	Message string `json:"message,omitempty" doc:"what to ask"`
}

type saidResult struct {
	Said string `json:"said"`
}

// fixture serves the suite's own tools over HTTP until the end of the test.
func fixture(t *testing.T) (url string) {
	t.Helper()
	var s *mcpserver.Server
	plain := func(name string, f func(context.Context) (string, error)) mcpserver.Tool {
		return mcpserver.Typed(mcpserver.Tool{Name: name, Title: name, Description: "For the conformance suite."},
			func(ctx context.Context, _ noParams) (saidResult, string, error) {
				said, err := f(ctx)
				return saidResult{said}, said, err
			})
	}
	ask := func(ctx context.Context, message string) (string, error) {
		reply, err := mcpserver.Elicit(ctx, "conformance", message)
		return map[mcpserver.Reply]string{mcpserver.Accepted: "state-ok", mcpserver.Declined: "declined"}[reply], err
	}
	log := func(context.Context) (string, error) {
		for _, said := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			s.Log().Info(said)
			time.Sleep(50 * time.Millisecond)
		}
		return "logged", nil
	}
	tools := []mcpserver.Tool{
		plain("test_simple_text", func(context.Context) (string, error) { return "This is a simple text response for testing.", nil }),
		plain("test_error_handling", func(context.Context) (string, error) {
			return "", errors.New("this tool intentionally returns an error for testing")
		}),
		plain("test_tool_with_progress", func(ctx context.Context) (string, error) {
			for i := range 3 {
				mcpserver.Progress(ctx, float64(50*i), 100, "")
				time.Sleep(120 * time.Millisecond) // more often is not told
			}
			return "done", nil
		}),
		plain("test_tool_with_logging", log),
		plain("test_logging_tool", log),
		mcpserver.Typed(mcpserver.Tool{Name: "test_elicitation", Description: "For the conformance suite."},
			func(ctx context.Context, p askParams) (saidResult, string, error) {
				said, err := ask(ctx, p.Message)
				return saidResult{said}, said, err
			}),
	}
	for _, name := range []string{"test_streaming_elicitation", "test_input_required_result_elicitation",
		"test_input_required_result_request_state", "test_input_required_result_tampered_state"} {
		tools = append(tools, plain(name, func(ctx context.Context) (string, error) { return ask(ctx, "Please confirm") }))
	}
	s, err := mcpserver.New(tools, mcpserver.Info{Version: "0.0.0-fixture", Log: slog.New(slog.DiscardHandler), Resources: fixtureResources()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.ServeHTTP(ctx, l, mcpserver.HTTP{}) }()
	t.Cleanup(func() {
		end()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + "/mcp"
}

func fixtureResources() []mcpserver.Resource {
	text := func(context.Context, string) (mcpserver.Content, error) {
		return mcpserver.Content{Text: "This is the content of the static text resource."}, nil
	}
	return []mcpserver.Resource{
		{URI: "test://static-text", Name: "static-text", Title: "Text", Description: "Text.", MIME: "text/plain", Read: text},
		{URI: "test://static-binary", Name: "static-binary", Title: "Bytes", Description: "Bytes.", MIME: "image/png",
			Read: func(context.Context, string) (mcpserver.Content, error) {
				return mcpserver.Content{Blob: []byte("\x89PNG\r\n\x1a\n")}, nil
			}},
		{URI: "test://watched-resource", Name: "watched", Title: "Watched", Description: "Watched.", MIME: "text/plain", Read: text,
			Watch: func(ctx context.Context, _ func()) { <-ctx.Done() }},
	}
}
