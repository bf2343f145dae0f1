package mcpserver

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// httpSession is a connection of a revision with a handshake, over HTTP.
type httpSession struct {
	id      string
	conn    *conn
	taking  sync.Mutex // held while a message is taken
	streams streams

	// Guarded by the handler's mu.
	busy int // requests that use it
	used time.Time
	rest *time.Timer // ends it when it rests too long
}

// keep makes a session, in use, of a connection whose handshake is done. Where there are too
// many, the one that rests longest gives way; it is nil if none rests.
func (h *httpHandler) keep(id string, c *conn) *httpSession {
	s := &httpSession{id: id, conn: c, busy: 1}
	s.streams.init(c)
	h.mu.Lock()
	full := len(h.sessions) >= h.Sessions
	old := h.resting()
	if full && old != nil {
		h.forget(old)
	}
	if full && old == nil || h.closed {
		h.mu.Unlock()
		return nil
	}
	h.sessions[id] = s
	s.rest = time.AfterFunc(h.Idle, func() { h.expire(s) })
	context.AfterFunc(c.ctx, func() { h.end(s) }) // its client does not read
	h.mu.Unlock()
	if full {
		h.part(old.conn, errUnused)
	}
	return s
}

// resting is the session that has rested longest; mu is held.
func (h *httpHandler) resting() *httpSession {
	var old *httpSession
	for _, s := range h.sessions {
		if s.busy == 0 && (old == nil || s.used.Before(old.used)) {
			old = s
		}
	}
	return old
}

// forget takes a session out of the table; mu is held.
func (h *httpHandler) forget(s *httpSession) {
	s.rest.Stop()
	delete(h.sessions, s.id)
}

// enter finds the session of a request, which leaves it again.
func (h *httpHandler) enter(w http.ResponseWriter, r *http.Request) *httpSession {
	id := r.Header.Get(headerSession)
	if id == "" {
		deny(w, http.StatusBadRequest, "there is no session: send initialize, and then its "+headerSession+" with each request")
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sessions[id]
	if s == nil {
		deny(w, http.StatusNotFound, "the session has ended; send initialize again")
		return nil
	}
	s.busy++
	s.rest.Stop()
	return s
}

// leave ends a request's use of a session.
func (h *httpHandler) leave(s *httpSession) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s.busy--
	s.used = time.Now()
	if s.busy == 0 && h.sessions[s.id] == s {
		s.rest.Reset(h.Idle)
	}
}

// expire ends a session that has rested too long.
func (h *httpHandler) expire(s *httpSession) {
	h.mu.Lock()
	resting := s.busy == 0 && time.Since(s.used) >= h.Idle
	h.mu.Unlock()
	if resting {
		h.end(s)
	}
}

// end ends a session and its calls.
func (h *httpHandler) end(s *httpSession) {
	h.mu.Lock()
	h.forget(s)
	h.mu.Unlock()
	h.part(s.conn, errEnded)
}

// delete ends a session at its client's wish.
func (h *httpHandler) delete(w http.ResponseWriter, r *http.Request) {
	if h.refuseStateless(w, r) {
		return
	}
	s := h.enter(w, r)
	if s == nil {
		return
	}
	h.end(s)
	h.leave(s)
	w.WriteHeader(http.StatusNoContent)
}

// refuseStateless answers what the revisions without handshake have only POST for.
func (h *httpHandler) refuseStateless(w http.ResponseWriter, r *http.Request) bool {
	revision := r.Header.Get(headerRevision)
	if !stateless(revision) {
		return false
	}
	w.Header().Set("Allow", http.MethodPost)
	deny(w, http.StatusMethodNotAllowed, "in revision "+clip(revision, 40)+" all messages are sent with POST; listen with subscriptions/listen")
	return true
}
