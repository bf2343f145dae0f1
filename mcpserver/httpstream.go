package mcpserver

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// eventRevision is the first revision whose streams begin with an empty event, from which a
// client can come back before there was another.
const eventRevision = "2025-11-25"

// Bounds on what is kept for clients that come back. Of a stream that is longer the
// beginning is forgotten; of streams the oldest that nobody reads.
const (
	keptStreams = 16
	keptBytes   = 1 << 20
)

// breath is how often a quiet stream shows that it is alive.
const breath = 15 * time.Second

// httpStream is a stream of events: what leaves by an outlet, and what of it has been sent.
//
// The id of an event is the number of its stream in the session, a dash, and its number in
// the stream, counted from 1; 0 is the beginning. Stream 0 is what answers no message, and
// never ends before its session.
type httpStream struct {
	number int
	conn   *conn
	out    *outlet

	mu    sync.Mutex    // guards the rest; before the connection's
	sent  [][]byte      // the last events
	first int           // the number of the first of them
	size  int           // bytes of them
	taken chan struct{} // closed when another request takes the place of the one that reads; nil if none reads
}

// at returns the event of a number, nil if it is not there yet. over means that there never
// will be one.
func (st *httpStream) at(n int) (line []byte, over bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch i := n - st.first; {
	case i < 0:
		return nil, true // forgotten
	case i < len(st.sent):
		return st.sent[i], false
	}
	line, over = st.conn.next(st.out)
	if line == nil {
		return nil, over
	}
	st.sent = append(st.sent, line)
	st.size += len(line)
	for st.size > keptBytes && len(st.sent) > 1 {
		st.size -= len(st.sent[0])
		st.sent, st.first = st.sent[1:], st.first+1
	}
	return line, false
}

// claim makes a request the reader, and returns what ends its turn.
func (st *httpStream) claim() (taken chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.taken != nil {
		close(st.taken)
	}
	st.taken = make(chan struct{})
	return st.taken
}

// yield ends a request's turn, if it still has it.
func (st *httpStream) yield(taken chan struct{}) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.taken == taken {
		st.taken = nil
	}
}

// has reports whether the events after one can still be sent.
func (st *httpStream) has(after int) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return after+1 >= st.first && after < st.first+len(st.sent)
}

func (st *httpStream) read() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.taken != nil
}

func newStream(number int, c *conn, o *outlet) *httpStream {
	return &httpStream{number: number, conn: c, out: o, first: 1}
}

// streams are those of a session, the oldest first.
type streams struct {
	mu   sync.Mutex
	all  []*httpStream
	made int
}

func (ss *streams) init(c *conn) { ss.all = []*httpStream{newStream(0, c, c.out)} }

// add makes the stream of an outlet.
func (ss *streams) add(c *conn, o *outlet) *httpStream {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.made++
	st := newStream(ss.made, c, o)
	ss.all = append(ss.all, st)
	for i := 1; i < len(ss.all) && len(ss.all) > keptStreams+1; i++ {
		if old := ss.all[i]; old != st && !old.read() {
			old.conn.lose(old.out, true)
			ss.all = append(ss.all[:i:i], ss.all[i+1:]...)
			break
		}
	}
	return st
}

// find returns the stream of an event's id and the event's number.
func (ss *streams) find(id string) (st *httpStream, n int, ok bool) {
	a, b, _ := strings.Cut(id, "-")
	number, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, st := range ss.all {
		if st.number == number && err1 == nil && err2 == nil && n >= 0 && st.has(n) {
			return st, n, true
		}
	}
	return nil, 0, false
}

// stream answers with a stream of events.
func (x *exchange) stream() {
	if x.session == nil {
		if x.handler.send(x.w, x.r, newStream(0, x.conn, x.out), 0, false) {
			return
		}
		x.conn.lose(x.out, true)
		return
	}
	st := x.session.streams.add(x.conn, x.out)
	x.handler.send(x.w, x.r, st, 0, true)
}

// get listens to what answers no message, or goes on with a stream that was broken off.
func (h *httpHandler) get(w http.ResponseWriter, r *http.Request) {
	if h.refuseStateless(w, r) {
		return
	}
	if !accepts(r, mimeEvents) {
		deny(w, http.StatusNotAcceptable, "what GET answers is a stream of events: Accept: "+mimeEvents)
		return
	}
	s := h.enter(w, r)
	if s == nil {
		return
	}
	defer h.leave(s)
	st, after := s.streams.all[0], 0
	if id := r.Header.Get(headerEvent); id != "" {
		var ok bool
		if st, after, ok = s.streams.find(id); !ok {
			deny(w, http.StatusBadRequest, "what followed the event "+clip(id, 40)+" is no longer kept; repeat the call")
			return
		}
	}
	h.send(w, r, st, after, true)
}

// send sends the events after one until there will be no more, and reports whether that was
// so: a client may also go, or come again by another request. named is whether events have
// ids.
func (h *httpHandler) send(w http.ResponseWriter, r *http.Request, st *httpStream, after int, named bool) bool {
	w.Header().Set("Content-Type", mimeEvents)
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	out := &eventWriter{w: w, control: http.NewResponseController(w)}
	taken := st.claim()
	defer st.yield(taken)
	if named && after == 0 && st.conn.revised >= eventRevision {
		out.write("id: %d-0\nretry: 1000\ndata: \n\n", st.number)
	}
	out.flush()
	alive := time.NewTicker(breath)
	defer alive.Stop()
	for out.err == nil {
		line, over := st.at(after + 1)
		switch {
		case over:
			return true
		case line != nil:
			after++
			if named {
				out.write("id: %d-%d\n", st.number, after)
			}
			out.write("event: message\ndata: %s\n\n", line)
			out.flush()
			continue
		}
		select {
		case <-st.out.wake:
		case <-taken:
			st.out.signal() // which may have been meant for the one that reads now
			return false
		case <-r.Context().Done():
			return false
		case <-alive.C:
			out.write(":\n\n")
			out.flush()
		}
	}
	return false
}

// eventWriter writes events and keeps the first error.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	err     error
}

func (e *eventWriter) write(format string, args ...any) {
	if e.err == nil {
		_ = e.control.SetWriteDeadline(time.Now().Add(writePatience))
		_, e.err = fmt.Fprintf(e.w, format, args...)
	}
}

func (e *eventWriter) flush() {
	if e.err == nil {
		e.err = e.control.Flush()
	}
}
