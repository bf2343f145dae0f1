package mcpserver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"
	"time"
)

// Reply is what a client's user answered to a question.
type Reply int

// The replies. Unanswered means that the client cannot ask, or that its user gave no answer.
const (
	Unanswered Reply = iota
	Accepted
	Declined
)

// methodElicit asks a client's user.
const methodElicit = "elicitation/create"

// elicitRevision is the first revision in which a server may ask a client's user.
const elicitRevision = "2025-06-18"

// metaCapabilities is where a request of a revision without handshake declares what its
// client can do.
const metaCapabilities = "io.modelcontextprotocol/clientCapabilities"

// askFor is how long an answer is waited for, and how long a sealed state holds.
const askFor = 15 * time.Minute

// asker is what a call knows about asking its client's user.
type asker struct {
	can       bool
	stateless bool
	state     string // the sealed state that the client sent back
	responses map[string]json.RawMessage
}

// Elicit asks the user of the client that made the call to accept something, or not. subject
// names what it is about: an answer to another subject does not count.
//
// Revisions with a handshake are sent a request and the call waits. In those without, the
// call ends with an error that becomes an input_required result; the client repeats the call
// with the answer and the sealed state, and Elicit returns the answer then. Nothing is asked
// of a client that did not declare that it can ask.
func Elicit(ctx context.Context, subject, message string) (Reply, error) {
	at, ok := ctx.Value(callKey{}).(*current)
	if !ok || !at.call.asker.can {
		return Unanswered, nil
	}
	if !at.call.asker.stateless {
		return at.conn.elicit(ctx, at.call, subject, message)
	}
	a := &at.call.asker
	sealed, until, ok := at.conn.server.unseal(a.state)
	if !ok || sealed != subject || time.Now().After(until) || a.responses[inputName] == nil {
		return Unanswered, &inputRequired{message: message, state: at.conn.server.seal(subject, time.Now().Add(askFor))}
	}
	return replyOf(a.responses[inputName]), nil
}

// inputName is the name of the one question in an input_required result.
const inputName = "approve"

// Asks reports whether an error of a call is no failure but the question that Elicit puts to the
// client's user by way of the result.
func Asks(err error) bool {
	var ask *inputRequired
	return errors.As(err, &ask)
}

// inputRequired is the error of a call that cannot go on without an answer.
type inputRequired struct{ message, state string }

// Error implements error.
func (*inputRequired) Error() string { return "an answer of the user is needed" }

// replyOf reads a client's answer.
func replyOf(raw json.RawMessage) Reply {
	var answer struct {
		Action string `json:"action"`
	}
	if json.Unmarshal(raw, &answer) != nil {
		return Unanswered
	}
	switch answer.Action {
	case "accept":
		return Accepted
	case "decline":
		return Declined
	}
	return Unanswered
}

// elicit sends a request to the client and waits for its response.
func (c *conn) elicit(ctx context.Context, k *call, subject, message string) (Reply, error) {
	c.mu.Lock()
	c.asked++
	id := c.asks + strconv.Itoa(c.asked)
	answer := make(chan json.RawMessage, 1)
	c.replies["string "+id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.replies, "string "+id)
		c.mu.Unlock()
	}()
	params := append(question(message), member{"_meta", object{{metaCall, k.id}, {metaSubject, subject}}})
	line, err := encode(object{{"jsonrpc", "2.0"}, {"id", id}, {"method", methodElicit}, {"params", params}})
	if err != nil {
		return Unanswered, err
	}
	c.mu.Lock()
	if k.state == live {
		c.push(k.out, item{call: k, line: line})
	}
	c.mu.Unlock()
	timeout := time.NewTimer(askFor)
	defer timeout.Stop()
	select {
	case raw := <-answer:
		return replyOf(raw), nil
	case <-timeout.C:
		return Unanswered, nil
	case <-ctx.Done():
		return Unanswered, ctx.Err()
	}
}

// question is a form without fields: to accept it is the answer.
func question(message string) object {
	return object{{"message", message}, {"requestedSchema", object{{"type", "object"}, {"properties", object{}}}}}
}

// takeReply hands a client's response to the call that asked. A response that nobody waits
// for is dropped, an error is no answer.
func (c *conn) takeReply(key string, raw []byte) {
	var reply struct {
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(raw, &reply) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.replies[key]; answer != nil {
		delete(c.replies, key)
		answer <- reply.Result
	}
}

// askerOf reads from a request what is known about asking its client's user.
func (c *conn) askerOf(m message, o *outlet) asker {
	if revision, _ := text(m.meta, metaRevision); stateless(revision) {
		a := asker{stateless: true, can: canElicit(m.meta[metaCapabilities])}
		a.state, _ = text(m.params, "requestState")
		_ = json.Unmarshal(m.params["inputResponses"], &a.responses) // what is none is no answer
		return a
	}
	return asker{can: c.elicits && c.revised >= elicitRevision && !o.mute}
}

// canElicit reports whether a client declared that it can ask its user.
func canElicit(capabilities json.RawMessage) bool {
	var has struct {
		Elicitation map[string]json.RawMessage `json:"elicitation"`
	}
	if json.Unmarshal(capabilities, &has) != nil || has.Elicitation == nil {
		return false
	}
	_, form := has.Elicitation["form"]
	_, url := has.Elicitation["url"]
	return form || !url
}

// A sealed state is a time and a subject under a key that lives as long as the server. Whose
// it is, and that it is used once, is for the subject to know.
func (s *Server) seal(subject string, until time.Time) string {
	body := strconv.FormatInt(until.Unix(), 10) + " " + subject
	return base64.RawURLEncoding.EncodeToString(append(s.sign(body), body...))
}

func (s *Server) sign(body string) []byte {
	h := hmac.New(sha256.New, s.key[:])
	_, _ = h.Write([]byte(body))
	return h.Sum(nil)
}

var errState = errors.New("the state is none of this server")

func (s *Server) unseal(state string) (subject string, until time.Time, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil || len(b) < sha256.Size || !hmac.Equal(b[:sha256.Size], s.sign(string(b[sha256.Size:]))) {
		return "", until, false
	}
	at, subject, err := cutState(string(b[sha256.Size:]))
	return subject, time.Unix(at, 0), err == nil
}

func cutState(body string) (at int64, subject string, err error) {
	for i := range body {
		if body[i] == ' ' {
			at, err = strconv.ParseInt(body[:i], 10, 64)
			return at, body[i+1:], err
		}
	}
	return 0, "", errState
}
