package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"
)

// metaRevision is where a request of a revision without handshake names it.
const metaRevision = "io.modelcontextprotocol/protocolVersion"

// batchRevision is the one revision that has batches; from noIDRevision on an error
// response to a message without readable id has none.
const (
	batchRevision = "2025-03-26"
	noIDRevision  = "2025-11-25"
)

// Methods that the loop itself knows.
const (
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodCall       = "tools/call"
	noticeCancelled  = "notifications/cancelled"
)

// read takes messages until the input ends; the error is nil then.
func (c *conn) read(in *lines) error {
	for {
		line, size, err := in.next()
		switch {
		case err != nil:
			return endOfInput(err)
		case size > in.limit+1:
			c.log.Warn("message is too long", "bytes", size, "limit", in.limit)
			c.refuse(c.out, headID(line), &fault{
				Code:    codeRequest,
				Message: fmt.Sprintf("the message has a size of %d bytes, the limit is %d", size, in.limit),
			}, nil)
		case len(line) > 0:
			c.take(line, c.out)
		}
	}
}

// take handles one line, which is answered through an outlet.
func (c *conn) take(line []byte, o *outlet) {
	if !utf8.Valid(line) {
		c.refuse(o, json.RawMessage("null"), &fault{Code: codeParse, Message: "not JSON: it is not UTF-8"}, nil)
		return
	}
	if line[0] != '[' {
		c.takeOne(line, o, nil)
		return
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil {
		c.refuse(o, json.RawMessage("null"), &fault{Code: codeParse, Message: "not JSON: " + err.Error()}, nil)
		return
	}
	if f := c.checkBatch(parts); f != nil {
		c.refuse(o, json.RawMessage("null"), f, nil)
		return
	}
	b := &batch{}
	for _, part := range parts {
		c.takeOne(part, o, b)
	}
	c.seal(o, b)
}

func (c *conn) checkBatch(parts []json.RawMessage) *fault {
	if c.revised != batchRevision {
		return &fault{Code: codeRequest, Message: "only protocol revision " + batchRevision + " has batches; send one message a line"}
	}
	if len(parts) == 0 {
		return &fault{Code: codeRequest, Message: "the batch is empty"}
	}
	return nil
}

// takeOne handles one message, alone or of a batch.
func (c *conn) takeOne(raw []byte, o *outlet, b *batch) {
	m, f := parse(raw)
	if m.kind == isNotice && m.method != "" { // a notice is never answered
		switch {
		case f != nil:
		case m.method == noticeCancelled:
			c.takeCancel(m)
		case m.method == noticeInitialized:
			c.askRoots()
			c.ready()
		case m.method == noticeRoots:
			c.askRoots()
		}
		return
	}
	if m.kind == isReply {
		c.takeReply(m.key, raw)
		return
	}
	if f == nil {
		f = c.check(m, b)
	}
	if f != nil {
		c.refuse(o, m.id, f, b)
		return
	}
	ctx, k, f := c.begin(m, o, b)
	if f != nil {
		c.refuse(o, m.id, f, b)
		return
	}
	if f := c.server.info.Private[m.method]; f != nil {
		go c.private(ctx, k, m, f)
		return
	}
	switch m.method {
	case methodCall, methodResources, methodRead, methodComplete:
		go c.run(ctx, k, m)
	case methodTools:
		if c.server.info.Roots {
			go c.list(ctx, k, m)
		} else {
			c.answer(ctx, k, m)
		}
	case methodListen:
		if uris := c.listened(m); len(uris) > 0 {
			go c.listen(ctx, k, m, uris)
		} else {
			c.answer(ctx, k, withoutResources(m))
		}
	default:
		c.answer(ctx, k, m)
	}
}

// answer answers a request that needs only the processor, and does what follows from it.
func (c *conn) answer(ctx context.Context, k *call, m message) {
	notices, reply, ok := c.handle(ctx, m)
	then := func() {}
	switch {
	case !ok:
	case m.method == methodInitialize:
		wanted, _ := text(m.params, "protocolVersion")
		c.revised = negotiated(wanted)
		c.spoken, c.elicits, c.rooted = c.revised, canElicit(m.params["capabilities"]), hasRoots(m.params["capabilities"])
	case m.method == methodSetLevel:
		c.setLevel(m)
	case m.method == methodSubscribe || m.method == methodUnsubscribe:
		var f *fault
		if then, f = c.subscribe(m); f != nil {
			reply, then = refusal(m.id, f), func() {}
		}
	}
	c.end(k, notices, reply)
	then()
}

func (c *conn) takeCancel(m message) {
	key, ok := idKey(m.params["requestId"])
	if !ok {
		return
	}
	reason, _ := text(m.params, "reason")
	c.log.Debug("call cancelled", "id", string(m.params["requestId"]), "reason", reason)
	c.abort(key, errCancelled)
}

// run runs a tool call when there is room for it. Answers that wait to be read take room, too,
// so that a client which does not read makes us hold no more of them than that; those of a batch
// do not, since they wait for each other.
func (c *conn) run(ctx context.Context, k *call, m message) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		c.end(k, nil, nil)
		return
	}
	ctx = c.withRoot(context.WithValue(ctx, callIDKey{}, c.callID(m)))
	notices, reply, _ := c.handle(ctx, m)
	c.end(k, notices, reply)
	if k.batch == nil {
		<-k.gone
	}
}

// private answers a request of the program's own.
func (c *conn) private(ctx context.Context, k *call, m message, f Method) {
	reply := refusal(m.id, &fault{Code: codeInternal, Message: "internal error"})
	defer func() {
		if r := recover(); r != nil {
			c.log.Error("request panicked", slog.String("method", m.method), "panic", r, "stack", string(debug.Stack()))
		}
		c.end(k, nil, reply)
	}()
	params, err := encode(m.params)
	var result any
	if err == nil {
		result, err = f(ctx, params)
	}
	if err != nil {
		reply = refusal(m.id, &fault{Code: codeInternal, Message: err.Error()})
		return
	}
	if line, err := encode(object{{"jsonrpc", "2.0"}, {"id", m.id}, {"result", result}}); err == nil {
		reply = line
	}
}

// handle asks the SDK. A panic in it, unlike one in a tool, is an error of the protocol.
func (c *conn) handle(ctx context.Context, m message) (notices [][]byte, reply []byte, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			c.log.Error("request panicked", slog.String("method", m.method), "panic", r, "stack", string(debug.Stack()))
			notices, reply, ok = nil, refusal(m.id, &fault{Code: codeInternal, Message: "internal error"}), false
		}
	}()
	return c.sdk().handle(ctx, m)
}

// metaCallID is where a client names a call.
const metaCallID = "toolCallId"

func namedCall(m message) bool {
	id, ok := text(m.meta, metaCallID)
	return ok && id != ""
}

// callID is the client's name for a call, or one made of the session and the request.
func (c *conn) callID(m message) string {
	if id, _ := text(m.meta, metaCallID); namedCall(m) {
		return id
	}
	_, id, _ := strings.Cut(m.key, " ")
	return c.session + "/" + id
}

// check refuses a request that does not fit the revision in which it comes. A request
// that names its revision is served by that; any other needs initialize before it.
func (c *conn) check(m message, b *batch) *fault {
	revision, ok := text(m.meta, metaRevision)
	switch known := revisions(); {
	case !ok:
		return &fault{Code: codeParams, Message: metaRevision + " must be a string"}
	case m.meta[metaRevision] != nil && !slices.Contains(known, revision):
		return unsupported(revision)
	case stateless(revision):
		c.spoken = revision
	case m.method == methodPing:
	case m.method == methodInitialize:
		if _, ok := text(m.params, "protocolVersion"); !ok {
			return &fault{Code: codeParams, Message: "protocolVersion must be a string"}
		}
		if b != nil {
			return &fault{Code: codeRequest, Message: "initialize cannot be part of a batch"}
		}
	case c.revised == "":
		return &fault{Code: codeParams, Message: fmt.Sprintf(
			"no protocol version: send initialize first, or name one of %s in _meta as %s",
			strings.Join(statelessRevisions(known), ", "), metaRevision)}
	}
	if m.method == methodCall {
		return c.checkCall(m)
	}
	return nil
}

// unsupported is the fault of a request of an unknown revision.
func unsupported(revision string) *fault {
	return &fault{
		Code: codeUnsupported, Message: "unsupported protocol version",
		Data: object{{"supported", revisions()}, {"requested", revision}},
	}
}

func statelessRevisions(known []string) []string {
	return slices.DeleteFunc(known, func(r string) bool { return !stateless(r) })
}

func (c *conn) checkCall(m message) *fault {
	name, ok := text(m.params, "name")
	if !ok || name == "" {
		return &fault{Code: codeParams, Message: `tools/call needs a "name", a string`}
	}
	if _, ok := c.server.tools[name]; ok {
		return c.checkState(m)
	}
	message := fmt.Sprintf("unknown tool %q", clip(name, 80))
	if near := nearest(name, c.server.names); near != "" {
		message += fmt.Sprintf(" (did you mean %q?)", near)
	}
	return &fault{Code: codeParams, Message: message + "; the tools are " + strings.Join(c.server.names, ", ")}
}

// checkState refuses a state that this server did not seal, or that was changed since.
func (c *conn) checkState(m message) *fault {
	state, ok := text(m.params, "requestState")
	if revision, _ := text(m.meta, metaRevision); !stateless(revision) || state == "" && ok {
		return nil
	}
	if _, _, ok := c.server.unseal(state); !ok {
		return &fault{Code: codeParams, Message: "the requestState is none that this server gave; repeat the call without requestState"}
	}
	return nil
}
