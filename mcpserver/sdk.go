package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// sdk is the thin border to mcp-go: it knows the shape of every result in every revision.
// The loop around it knows order, ids, cancellation and revisions, so another SDK could
// take its place.
type sdk struct {
	server *server.MCPServer
	rows   resources
}

// cacheFor is how many milliseconds a client may keep the lists; they do not change while
// a server runs.
const cacheFor = 5 * 60 * 1000

// newSDK makes the SDK's server of the rows. With several roots each tool takes one of them.
func newSDK(tools []Tool, info Info, roots []string) (*sdk, error) {
	s := server.NewMCPServer("codegraph", info.Version, append([]server.ServerOption{
		server.WithTitle("codegraph"),
		server.WithInstructions(info.Instructions),
		server.WithToolCapabilities(info.Roots), // said, else adding a tool promises change notices
		server.WithCacheHints(cacheFor, mcp.CacheScopePrivate),
		server.WithLogging(),
		server.WithIcons(icons(info.Icon)...),
	}, resourceOptions(info.Resources)...)...)
	addResources(s, info.Resources)
	for _, t := range tools {
		input, err := InputSchema(t.Params)
		if err != nil {
			return nil, fmt.Errorf("add tool %s: %w", t.Name, err)
		}
		if input, err = withRootArg(input, roots); err != nil {
			return nil, fmt.Errorf("add tool %s: %w", t.Name, err)
		}
		output, err := OutputSchema(t.Result)
		if err != nil {
			return nil, fmt.Errorf("add tool %s: %w", t.Name, err)
		}
		s.AddTool(mcp.Tool{
			Name: t.Name, Title: t.Title, Description: t.Description,
			RawInputSchema: input, RawOutputSchema: output, Icons: icons(info.Icon),
			Annotations: mcp.ToolAnnotation{
				Title: t.Title, ReadOnlyHint: &t.Hints.ReadOnly, DestructiveHint: &t.Hints.Destructive,
				IdempotentHint: &t.Hints.Idempotent, OpenWorldHint: &t.Hints.OpenWorld,
			},
		}, handler(t, info.Log))
	}
	return &sdk{server: s, rows: info.Resources}, nil
}

// argsKey is the context's key for a call's arguments, which go past the SDK: it would
// read them four times over, and numbers would lose their last digits.
type argsKey struct{}

func handler(t Tool, log *slog.Logger) server.ToolHandlerFunc {
	return func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, _ := ctx.Value(argsKey{}).(json.RawMessage)
		ctx, args, err := takeRoot(ctx, args)
		if err != nil {
			out := failure(t.Name, err)
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(out.text)}, RawStructuredContent: out.structured, IsError: true}, nil
		}
		out := invoke(ctx, t, args, logOf(ctx, log))
		if out.ask != nil {
			return asked(out.ask), nil
		}
		return &mcp.CallToolResult{
			Content:              []mcp.Content{mcp.NewTextContent(out.text)},
			RawStructuredContent: out.structured,
			IsError:              out.failed,
		}, nil
	}
}

// asked is the result that has the client ask its user and repeat the call.
func asked(r *inputRequired) *mcp.CallToolResult {
	params := mcp.ElicitationParams{Message: r.message, RequestedSchema: object{{"type", "object"}, {"properties", object{}}}}
	return server.NewInputRequestBuilder(r.state).Elicit(inputName, params).ToolResult()
}

// handle answers one request. The notices belong before the reply.
func (k *sdk) handle(ctx context.Context, m message) (notices [][]byte, reply []byte, ok bool) {
	s := newSession()
	var f *fault
	if s.found, f = k.rows.ask(ctx, m); f != nil {
		return nil, refusal(m.id, f), false
	}
	return k.shape(ctx, m, s)
}

// shape has the SDK answer a request with what its session holds.
func (k *sdk) shape(ctx context.Context, m message, s *session) (notices [][]byte, reply []byte, ok bool) {
	if m.method == methodCall {
		ctx = context.WithValue(ctx, argsKey{}, m.params["arguments"])
	} else {
		ctx = k.server.WithContext(ctx, s)
	}
	request, err := encode(object{{"jsonrpc", "2.0"}, {"id", m.id}, {"method", m.method}, {"params", paramsFor(m)}})
	if err != nil {
		return nil, refusal(m.id, &fault{Code: codeInternal, Message: "the request has no encoding"}), false
	}
	reply, ok = k.reply(m, k.server.HandleMessage(ctx, request))
	return s.drain(), reply, ok
}

// reply encodes the response to a message, with the id as the client wrote it.
func (k *sdk) reply(m message, response mcp.JSONRPCMessage) (line []byte, ok bool) {
	switch r := response.(type) {
	case mcp.JSONRPCResponse:
		r.ID = mcp.NewRequestId(m.id)
		response, ok = r, true
	case mcp.JSONRPCError:
		r.ID = mcp.NewRequestId(m.id)
		if r.Error.Code == mcp.INVALID_REQUEST { // the loop has seen that the request is one
			r.Error.Code, r.Error.Message = mcp.INVALID_PARAMS, "the params of "+m.method+" have the wrong shape"
		}
		response = r
	default:
		return refusal(m.id, &fault{Code: codeInternal, Message: "the request has no answer"}), false
	}
	line, err := encode(response)
	if err != nil {
		return refusal(m.id, &fault{Code: codeInternal, Message: "the answer has no encoding"}), false
	}
	return unescapeHTML(line), ok
}

func without(from map[string]json.RawMessage, name string) json.RawMessage {
	rest := make(map[string]json.RawMessage, len(from))
	for k, v := range from {
		if k != name {
			rest[k] = v
		}
	}
	raw, err := encode(rest)
	if err != nil {
		return json.RawMessage("{}")
	}
	return raw
}

// revisions are the protocol revisions that can be served, newest first.
func revisions() []string { return slices.Clone(mcp.ValidProtocolVersions) }

// stateless says that a revision has no handshake: each request names it in _meta.
func stateless(revision string) bool { return mcp.IsModernProtocol(revision) }

// negotiated is the revision that an initialize request for the wanted one results in.
func negotiated(wanted string) string { return mcp.NegotiateLegacyVersion(wanted) }
