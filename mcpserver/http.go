package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// HTTP says how a server is reached over HTTP. The zero value is for a loopback address.
type HTTP struct {
	// Path is where the server is; empty means /mcp.
	Path string
	// Token is what each request must bring as a bearer token; empty means that none is
	// wanted, and then only requests to and from this machine are taken.
	Token string
	// Sessions is how many there may be at a time; 0 means 64. One that rests makes room.
	Sessions int
	// Idle is how long a session may rest before it ends; 0 means 30 minutes.
	Idle time.Duration
}

// Limits of HTTP that no caller need set.
const (
	defaultPath     = "/mcp"
	defaultSessions = 64
	defaultIdle     = 30 * time.Minute
	headerPatience  = 10 * time.Second // for the head of a request
	bodyPatience    = time.Minute      // for its body
	writePatience   = 30 * time.Second // for one message to leave
	quietFor        = 2 * time.Minute  // a connection may rest between requests
	maxHeader       = 64 << 10
)

var errUnused = errors.New("the session was not used")

// ServeHTTP serves the protocol's streamable HTTP on a listener, which it closes, until ctx
// ends: then calls that end by themselves at once are still answered, the rest are
// cancelled, and it returns within a second or so. The error is nil then.
//
// Sessions, which the revisions with a handshake have, are connections as [Server.Run]
// serves: the same order, freezing, questions, cancellation and progress. A request of a
// revision without handshake is a connection of its own, that ends with it; nothing is kept.
//
// An answer that is there at once is JSON. One that takes longer, or has a notice or a
// question before it, is a stream of events. In a session the stream outlives its
// connection: a client that lost it comes again with Last-Event-ID.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, o HTTP) error {
	h := newHTTPHandler(ctx, s, o)
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: headerPatience, IdleTimeout: quietFor, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(s.info.Log.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err := <-served:
		h.close()
		return err
	case <-ctx.Done():
	}
	h.close()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), endPatience)
	defer cancel()
	if srv.Shutdown(patience) != nil {
		_ = srv.Close() // what is left does not read its answer
	}
	<-served
	return nil
}

// httpHandler is a server as a handler of HTTP requests.
type httpHandler struct {
	server *Server
	HTTP
	ctx   context.Context // of all calls; it outlives the one that ends the serving
	slots chan struct{}   // for calls of requests without session

	mu       sync.Mutex
	sessions map[string]*httpSession
	conns    map[*conn]bool // all there are, with and without session
	serving  sync.WaitGroup // requests that want answers
	closed   bool
}

func newHTTPHandler(ctx context.Context, s *Server, o HTTP) *httpHandler {
	if o.Path == "" {
		o.Path = defaultPath
	}
	if o.Sessions <= 0 {
		o.Sessions = defaultSessions
	}
	if o.Idle <= 0 {
		o.Idle = defaultIdle
	}
	return &httpHandler{
		server: s, HTTP: o, ctx: context.WithoutCancel(ctx), slots: make(chan struct{}, s.info.Parallel),
		sessions: map[string]*httpSession{}, conns: map[*conn]bool{},
	}
}

// ServeHTTP implements http.Handler.
func (h *httpHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if !h.admit(w, r) {
		return
	}
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		h.get(w, r)
	case http.MethodDelete:
		h.delete(w, r)
	default:
		w.Header().Set("Allow", "GET, POST, DELETE")
		deny(w, http.StatusMethodNotAllowed, "send messages with POST, listen with GET, end a session with DELETE")
	}
}

// deny answers a request that is none of the protocol's, with what to do instead.
func deny(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(nil, &fault{Code: codeRequest, Message: message}))
}

// connect makes a connection, which belongs to a request or a session; nil, after the
// refusal, where there are too many.
func (h *httpHandler) connect(w http.ResponseWriter, name string) *conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.conns) >= maxInflight {
		h.busy(w, "the server is ending, or has too much to do")
		return nil
	}
	c := newConn(h.ctx, h.server, name)
	c.out.spare = true
	h.conns[c] = true
	return c
}

// busy refuses what may be tried again.
func (h *httpHandler) busy(w http.ResponseWriter, message string) {
	w.Header().Set("Retry-After", "10")
	deny(w, http.StatusServiceUnavailable, message+"; try again later")
}

// part ends a connection and its calls.
func (h *httpHandler) part(c *conn, cause error) {
	c.abortAll(cause)
	c.cancel(cause)
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.conns, c)
}

// close ends all connections: listening at once, calls that are not about to end by
// themselves a moment later.
func (h *httpHandler) close() {
	h.mu.Lock()
	h.closed = true
	open := slices.Collect(maps.Keys(h.conns))
	for _, s := range h.sessions {
		s.rest.Stop()
	}
	h.mu.Unlock()
	for _, c := range open {
		c.close()
	}
	h.wait(h.serving.Wait, endGrace)
	for _, c := range open {
		h.part(c, errEnded)
	}
	h.wait(func() {
		for _, c := range open {
			c.calls.Wait()
		}
		h.serving.Wait()
	}, endPatience)
}

// wait waits for something that ends, for the given time at most.
func (h *httpHandler) wait(idle func(), patience time.Duration) {
	done := make(chan struct{})
	go func() {
		idle()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
}
