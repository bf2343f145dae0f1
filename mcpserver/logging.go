package mcpserver

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
)

// # Logging
//
// A connection's log goes to Info.Log and, from the level on that the client asked for, to
// the client as notifications/message: up to 2025-11-25 by logging/setLevel for the
// connection, since then by _meta of a request for that request alone. A client that asked
// for nothing is told nothing. What a client is told has the form of an error that it is
// told: its first line, of absolute paths the last name, no stack and no panic's value.

const (
	methodSetLevel = "logging/setLevel"
	noticeMessage  = "notifications/message"
	metaLevel      = "io.modelcontextprotocol/logLevel"
)

// logLevels are the protocol's levels and the lowest of ours that each lets through.
var logLevels = map[string]slog.Level{
	"debug": slog.LevelDebug, "info": slog.LevelInfo, "notice": slog.LevelInfo + 1, "warning": slog.LevelWarn,
	"error": slog.LevelError, "critical": slog.LevelError + 1, "alert": slog.LevelError + 2, "emergency": slog.LevelError + 3,
}

// levelName is the protocol's name of a level.
func levelName(l slog.Level) string {
	switch {
	case l >= slog.LevelError:
		return "error"
	case l >= slog.LevelWarn:
		return "warning"
	case l >= slog.LevelInfo:
		return "info"
	}
	return "debug"
}

// levelOf is the level that a request asks for, nil for none.
func levelOf(m message) *slog.Level {
	name, _ := text(m.meta, metaLevel)
	if l, ok := logLevels[name]; ok {
		return &l
	}
	return nil
}

// logOf is the log of what happens in a call, or base outside one.
func logOf(ctx context.Context, base *slog.Logger) *slog.Logger {
	if at, ok := ctx.Value(callKey{}).(*current); ok {
		return slog.New(&clientLog{base: base.Handler(), conn: at.conn, call: at.call})
	}
	return base
}

// Log is the log of the server, which its connected clients hear as well. It is for what
// concerns all of them, such as the state of the index.
func (s *Server) Log() *slog.Logger {
	return slog.New(&clientLog{base: s.info.Log.Handler(), server: s})
}

// join counts a connection among those that the server's log reaches, until it ends.
func (s *Server) join(c *conn) {
	s.mu.Lock()
	s.conns[c] = true
	s.mu.Unlock()
	context.AfterFunc(c.ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.conns, c)
	})
}

// clientLog hands records to a handler and to clients: that of a call, that of a connection,
// or all of a server.
type clientLog struct {
	base   slog.Handler
	server *Server
	conn   *conn
	call   *call
	attrs  []slog.Attr
}

// Enabled implements slog.Handler.
func (h *clientLog) Enabled(ctx context.Context, l slog.Level) bool {
	return h.base.Enabled(ctx, l) || slices.ContainsFunc(h.conns(), func(c *conn) bool { return c.hears(h.call, l) })
}

// Handle implements slog.Handler.
func (h *clientLog) Handle(ctx context.Context, r slog.Record) error {
	for _, c := range h.conns() {
		if c.hears(h.call, r.Level) {
			c.message(h.call, r.Level, h.data(&r))
		}
	}
	if !h.base.Enabled(ctx, r.Level) {
		return nil
	}
	return h.base.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h *clientLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *h
	out.base, out.attrs = h.base.WithAttrs(attrs), append(slices.Clip(h.attrs), attrs...)
	return &out
}

// WithGroup implements slog.Handler. A client is told no groups.
func (h *clientLog) WithGroup(name string) slog.Handler {
	out := *h
	out.base = h.base.WithGroup(name)
	return &out
}

func (h *clientLog) conns() []*conn {
	if h.conn != nil {
		return []*conn{h.conn}
	}
	h.server.mu.Lock()
	defer h.server.mu.Unlock()
	return slices.Collect(maps.Keys(h.server.conns))
}

// data is what a client is told of a record.
func (h *clientLog) data(r *slog.Record) object {
	out := object{{"message", scrub(r.Message)}}
	add := func(a slog.Attr) bool {
		switch v := a.Value.Resolve(); {
		case a.Key == "stack" || a.Key == "panic":
		case v.Kind() == slog.KindString:
			out = append(out, member{a.Key, scrub(v.String())})
		case v.Kind() == slog.KindAny:
			if err, ok := v.Any().(error); ok {
				out = append(out, member{a.Key, scrub(err.Error())})
			}
		case v.Kind() == slog.KindDuration:
			out = append(out, member{a.Key, v.Duration().String()})
		case v.Kind() != slog.KindGroup:
			out = append(out, member{a.Key, v.Any()})
		}
		return true
	}
	for _, a := range h.attrs {
		add(a)
	}
	r.Attrs(add)
	return out
}

// hears reports whether the client is told of a level, in a call or outside any.
func (c *conn) hears(k *call, l slog.Level) bool {
	if k != nil && k.asker.stateless {
		return k.level != nil && l >= *k.level
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.level != nil && l >= *c.level
}

// setLevel sets from which level on the client is told what is logged.
func (c *conn) setLevel(m message) {
	name, _ := text(m.params, "level")
	if l, ok := logLevels[strings.ToLower(name)]; ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.level = &l
	}
}

// message queues a record for the client, if the client reads.
func (c *conn) message(k *call, l slog.Level, data object) {
	params := object{{"level", levelName(l)}, {"logger", "codegraph"}, {"data", data}}
	line, err := encode(object{{"jsonrpc", "2.0"}, {"method", noticeMessage}, {"params", params}})
	if err != nil {
		return // it is in the other log
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.out
	if k != nil {
		o = k.out
	}
	if o.mute || len(o.queue) >= maxNotices || k != nil && k.state != live {
		return
	}
	c.push(o, item{call: k, line: line})
}
