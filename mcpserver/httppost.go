package mcpserver

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Headers of the protocol.
const (
	headerSession  = "Mcp-Session-Id"
	headerRevision = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method"
	headerName     = "Mcp-Name"
	headerEvent    = "Last-Event-ID"
)

// atOnce is how long an answer may take and still be JSON; more begins a stream.
const atOnce = 300 * time.Millisecond

// post takes a message.
func (h *httpHandler) post(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r) {
		deny(w, http.StatusUnsupportedMediaType, "send JSON: Content-Type: "+mimeJSON)
		return
	}
	if !accepts(r, mimeJSON) && !accepts(r, mimeEvents) {
		deny(w, http.StatusNotAcceptable, "answers are JSON or a stream of events: Accept: "+mimeJSON+", "+mimeEvents)
		return
	}
	body, ok := h.body(w, r)
	if !ok {
		return
	}
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		h.busy(w, "the server is ending")
		return
	}
	h.serving.Add(1)
	h.mu.Unlock()
	defer h.serving.Done()

	m, f := parse(body)
	revision := r.Header.Get(headerRevision)
	switch {
	case m.meta[metaRevision] != nil || stateless(revision):
		h.postAlone(w, r, body, m, f)
	case revision != "" && !slices.Contains(revisions(), revision):
		answerFault(w, http.StatusBadRequest, m.id, unsupported(revision))
	case m.kind == isRequest && m.method == methodInitialize:
		h.postFirst(w, r, body)
	default:
		h.postNext(w, r, body)
	}
}

// body reads the body of a request.
func (h *httpHandler) body(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyPatience))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(h.server.info.MaxLine)))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		answerFault(w, http.StatusRequestEntityTooLarge, headID(body), &fault{
			Code: codeRequest, Message: fmt.Sprintf("the message is too long, the limit is %d bytes", long.Limit),
		})
		return nil, false
	case err != nil:
		deny(w, http.StatusBadRequest, "the body ended before its end")
		return nil, false
	}
	_ = control.SetReadDeadline(time.Time{})
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if len(body) == 0 {
		deny(w, http.StatusBadRequest, "the body is empty; send one message")
		return nil, false
	}
	return body, true
}

// postFirst takes a handshake, and makes a session if it succeeds.
func (h *httpHandler) postFirst(w http.ResponseWriter, r *http.Request, body []byte) {
	id := rand.Text()
	c := h.connect(w, id[:8])
	if c == nil {
		return
	}
	x := h.exchange(w, r, c)
	c.take(body, x.out)
	c.finish(x.out)
	if c.revised == "" {
		defer h.part(c, errEnded)
		x.answer()
		return
	}
	s := h.keep(id, c)
	if s == nil {
		h.part(c, errEnded)
		h.busy(w, "there are too many sessions")
		return
	}
	defer h.leave(s)
	w.Header().Set(headerSession, id)
	x.session = s
	x.answer()
}

// postNext takes a message of a session.
func (h *httpHandler) postNext(w http.ResponseWriter, r *http.Request, body []byte) {
	s := h.enter(w, r)
	if s == nil {
		return
	}
	defer h.leave(s)
	x := h.exchange(w, r, s.conn)
	x.session = s
	s.taking.Lock()
	s.conn.take(body, x.out)
	s.taking.Unlock()
	s.conn.finish(x.out)
	x.answer()
}

// postAlone takes a message of a revision without handshake. Its connection ends with it.
func (h *httpHandler) postAlone(w http.ResponseWriter, r *http.Request, body []byte, m message, f *fault) {
	if f == nil {
		f = checkHeaders(r, m)
	}
	if f == nil && m.kind == isReply {
		f = &fault{Code: codeRequest, Message: "answers to questions come with the repeated call, as inputResponses"}
	}
	if f != nil {
		answerFault(w, statusOf(f.Code, true), m.id, f)
		return
	}
	c := h.connect(w, rand.Text()[:8])
	if c == nil {
		return
	}
	defer h.part(c, errCancelled)
	c.slots = h.slots
	x := h.exchange(w, r, c)
	x.alone = true
	c.take(body, x.out)
	c.finish(x.out)
	x.answer()
}

// exchange is a message that came by POST, and its answer.
type exchange struct {
	handler *httpHandler
	w       http.ResponseWriter
	r       *http.Request
	conn    *conn
	out     *outlet
	session *httpSession // nil where there is none
	alone   bool         // the connection is the message's own
}

func (h *httpHandler) exchange(w http.ResponseWriter, r *http.Request, c *conn) *exchange {
	o := newOutlet()
	o.mute = !accepts(r, mimeEvents)
	return &exchange{handler: h, w: w, r: r, conn: c, out: o}
}

// answer answers with nothing if nothing is to be said, with JSON if the answer is the first
// thing and is there in a moment, else with a stream of events.
func (x *exchange) answer() {
	moment := time.NewTimer(atOnce)
	defer moment.Stop()
	over := moment.C
	if x.out.mute {
		over = nil
	}
	for {
		switch x.conn.fate(x.out) {
		case nothing:
			x.w.WriteHeader(http.StatusAccepted)
			return
		case final:
			if !accepts(x.r, mimeJSON) {
				x.stream()
				return
			}
			if line, _ := x.conn.next(x.out); line != nil {
				x.json(line)
				return
			}
			continue
		case moving, ended:
			x.stream()
			return
		}
		select {
		case <-x.out.wake:
		case <-over:
			x.stream()
			return
		case <-x.r.Context().Done():
			x.conn.lose(x.out, x.alone)
			return
		}
	}
}

func (x *exchange) json(line []byte) {
	var refused struct{ Error struct{ Code int } }
	_ = json.Unmarshal(line, &refused) // of a batch there is no code
	x.w.Header().Set("Content-Type", mimeJSON)
	x.w.WriteHeader(statusOf(refused.Error.Code, x.alone))
	_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(writePatience))
	_, _ = x.w.Write(append(line, '\n'))
}

// answerFault refuses a message before it reaches a connection.
func answerFault(w http.ResponseWriter, status int, id json.RawMessage, f *fault) {
	if string(id) == "null" {
		id = nil
	}
	w.Header().Set("Content-Type", mimeJSON)
	w.WriteHeader(status)
	_, _ = w.Write(append(refusal(id, f), '\n'))
}

// statusOf is the status for an error of the protocol; 0 is none. In the revisions with a
// handshake an error is an answer like others, unless the message is none.
func statusOf(code int, alone bool) int {
	switch code {
	case codeParse, codeRequest:
		return http.StatusBadRequest
	case codeMethod:
		if alone {
			return http.StatusNotFound
		}
	case codeParams, codeHeaders, codeCapability, codeUnsupported:
		if alone {
			return http.StatusBadRequest
		}
	}
	return http.StatusOK
}

// checkHeaders holds the headers in which a request of a revision without handshake repeats
// what it says in its body against it: who reads only those must not be misled.
func checkHeaders(r *http.Request, m message) *fault {
	mismatch := func(format string, args ...any) *fault {
		return &fault{Code: codeHeaders, Message: "header mismatch: " + fmt.Sprintf(format, args...)}
	}
	if m.kind != isRequest {
		return nil
	}
	revision, _ := text(m.meta, metaRevision)
	given := r.Header.Get(headerRevision)
	switch {
	case given == "":
		return mismatch("%s is missing, the body has %q", headerRevision, revision)
	case revision != "" && given != revision:
		return mismatch("%s is %q, the body has %q", headerRevision, given, revision)
	case !slices.Contains(revisions(), given):
		return unsupported(given)
	case r.Header.Get(headerMethod) != m.method:
		return mismatch("%s is %q, the body has %q", headerMethod, clip(r.Header.Get(headerMethod), 80), clip(m.method, 80))
	}
	from, ok := map[string]string{methodCall: "name", "prompts/get": "name", "resources/read": "uri"}[m.method]
	if !ok {
		return nil
	}
	want, _ := text(m.params, from)
	if name, ok := headerText(r.Header.Get(headerName)); !ok || name != want {
		return mismatch("%s is %q, the body has %q", headerName, clip(r.Header.Get(headerName), 80), clip(want, 80))
	}
	return nil
}

// headerText is the text that a header stands for: itself, or in base64 what no header can
// hold. It fails where the base64 is none.
func headerText(header string) (string, bool) {
	coded, ok := strings.CutPrefix(header, "=?base64?")
	if !ok || !strings.HasSuffix(coded, "?=") {
		return header, true
	}
	b, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(coded, "?="))
	return string(b), err == nil
}
