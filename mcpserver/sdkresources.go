package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// addResources tells the SDK of the rows: what is constant is registered, what an answer
// holds comes from the session of its request.
func addResources(s *server.MCPServer, rows resources) {
	for i := range rows {
		r := &rows[i]
		if _, variable := r.cut(); variable == "" {
			continue // listed with the others, page by page
		}
		t := mcp.NewResourceTemplate(r.URI, r.Name, mcp.WithTemplateDescription(r.Description), mcp.WithTemplateTitle(r.Title), mcp.WithTemplateMIMEType(r.MIME))
		t.Annotations, t.Icons = annotations(r), icons(r.Icon)
		s.AddResourceTemplate(t, func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) { return nil, nil })
	}
}

// resourceOptions are the capabilities that the rows have.
func resourceOptions(rows resources) []server.ServerOption {
	if len(rows) == 0 {
		return nil
	}
	watched, completed := false, false
	for i := range rows {
		watched, completed = watched || rows[i].Watch != nil, completed || rows[i].Complete != nil
	}
	hooks := &server.Hooks{}
	hooks.AddAfterListResources(func(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, r *mcp.ListResourcesResult) {
		if s, ok := server.ClientSessionFromContext(ctx).(*session); ok {
			r.Resources, r.NextCursor = s.page(), mcp.Cursor(s.found.next)
		}
	})
	out := []server.ServerOption{
		server.WithResourceCapabilities(watched, false), // the files that are there are listed anew with each call
		server.WithHooks(hooks),
		server.WithMethodCacheHints(mcp.MethodResourcesList, 0, mcp.CacheScopePrivate),
		server.WithMethodCacheHints(mcp.MethodResourcesRead, 0, mcp.CacheScopePrivate),
	}
	if completed {
		out = append(out, server.WithCompletions(), server.WithResourceCompletionProvider(completer{}))
	}
	return out
}

// completer hands on what the rows completed.
type completer struct{}

// CompleteResourceArgument implements server.ResourceCompletionProvider.
func (completer) CompleteResourceArgument(ctx context.Context, _ string, _ mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	s, ok := server.ClientSessionFromContext(ctx).(*session)
	if !ok {
		return nil, nil
	}
	c := s.found.completion
	return &mcp.Completion{Values: c.Values, Total: c.Total, HasMore: c.More}, nil
}

// annotations say what a row matters; both the user and the model may read it.
func annotations(r *Resource) *mcp.Annotations {
	if r.Priority == 0 {
		return nil
	}
	return &mcp.Annotations{Audience: []mcp.Role{mcp.RoleUser, mcp.RoleAssistant}, Priority: &r.Priority}
}

func icons(src string) []mcp.Icon {
	if src == "" {
		return nil
	}
	return []mcp.Icon{{Src: src, MIMEType: "image/svg+xml", Sizes: []string{"any"}}}
}

// session is the client as the SDK sees it: that of one request. It receives what the SDK
// announces before the result and hands out what the rows found.
type session struct {
	notices chan mcp.JSONRPCNotification
	found   found
	level   string // that logging/setLevel asked for
}

func newSession() *session { return &session{notices: make(chan mcp.JSONRPCNotification, 4)} }

// Initialize implements server.ClientSession.
func (*session) Initialize() {}

// Initialized implements server.ClientSession.
func (*session) Initialized() bool { return true }

// SessionID implements server.ClientSession.
func (*session) SessionID() string { return "" }

// NotificationChannel implements server.ClientSession.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notices }

// SetLogLevel implements server.SessionWithLogging.
func (s *session) SetLogLevel(level mcp.LoggingLevel) { s.level = string(level) }

// GetLogLevel implements server.SessionWithLogging.
func (s *session) GetLogLevel() mcp.LoggingLevel { return mcp.LoggingLevel(s.level) }

// GetSessionResources implements server.SessionWithResources: the one that is read.
func (s *session) GetSessionResources() map[string]server.ServerResource {
	if s.found.uri == "" {
		return nil
	}
	return map[string]server.ServerResource{s.found.uri: {Handler: func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		c := s.found.content
		if c.Blob != nil {
			return []mcp.ResourceContents{mcp.BlobResourceContents{URI: s.found.uri, MIMEType: c.MIME, Blob: base64.StdEncoding.EncodeToString(c.Blob)}}, nil
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: s.found.uri, MIMEType: c.MIME, Text: c.Text}}, nil
	}}}
}

// SetSessionResources implements server.SessionWithResources.
func (*session) SetSessionResources(map[string]server.ServerResource) {}

// page is the page of resources/list.
func (s *session) page() []mcp.Resource {
	out := make([]mcp.Resource, 0, len(s.found.page))
	for i := range s.found.page {
		x := &s.found.page[i]
		r := mcp.Resource{URI: x.uri, Name: x.name, MIMEType: x.mime}
		if x.size >= 0 {
			r.Size = &x.size
		}
		if x.uri == x.row.URI { // of the many that a template lists, each word would be said as often
			r.Title, r.Description, r.Annotations, r.Icons = x.row.Title, x.row.Description, annotations(x.row), icons(x.row.Icon)
		}
		out = append(out, r)
	}
	return out
}

// drain encodes what has been announced.
func (s *session) drain() (lines [][]byte) {
	for {
		select {
		case n := <-s.notices:
			if line, err := encode(n); err == nil {
				lines = append(lines, line)
			}
		default:
			return lines
		}
	}
}

// paramsFor are the params of a request without what the loop or the rows have read.
func paramsFor(m message) map[string]json.RawMessage {
	params := make(map[string]json.RawMessage, len(m.params))
	for name, value := range m.params {
		params[name] = value
	}
	switch m.method {
	case methodCall:
		delete(params, "arguments")
	case methodResources, methodTemplates:
		delete(params, "cursor")
	}
	if !absent(params["_meta"]) {
		// A progress token is the loop's affair, and a large one is rounded by the SDK.
		params["_meta"] = without(m.meta, "progressToken")
	}
	return params
}
