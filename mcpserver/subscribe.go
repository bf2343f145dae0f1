package mcpserver

import (
	"context"
	"encoding/json"
	"maps"
)

// # Subscriptions
//
// A client learns of the changes of a resource in one of two ways. Up to 2025-11-25 it sends
// resources/subscribe, and the connection watches the resource until resources/unsubscribe.
// Since 2026-07-28 it sends subscriptions/listen, a request that stays in flight: what is
// watched is acknowledged first, each notice names that request, and its cancellation ends
// it; it is answered only when the connection is closed in order. Of the notices that a
// client has not read yet each resource has one at most, since the next would say the same.

const (
	methodListen  = "subscriptions/listen"
	noticeUpdated = "notifications/resources/updated"
	noticeAck     = "notifications/subscriptions/acknowledged"
	metaListen    = "io.modelcontextprotocol/subscriptionId"
)

// watches are the resources that a connection watches, by URI; only its taker uses it.
type watches map[string]context.CancelFunc

// subscribe is what begins or ends the watching of a resource once the request is answered,
// or why there is nothing to watch.
func (c *conn) subscribe(m message) (then func(), f *fault) {
	uri, row, _, f := c.server.sdk.rows.named(m)
	switch {
	case f != nil:
		return nil, f
	case m.method == methodUnsubscribe:
		return func() { c.unwatch(uri) }, nil
	case row.Watch == nil:
		return nil, &fault{Code: codeParams, Message: "nobody is told of changes of " + clip(uri, 200) + "; subscribe to " + c.server.sdk.rows.uris((*Resource).watched)}
	}
	return func() { c.watch(uri, row) }, nil
}

// watch watches a resource, unless it does already.
func (c *conn) watch(uri string, row *Resource) {
	if c.watches[uri] != nil {
		return
	}
	ctx, cancel := context.WithCancel(c.watching)
	c.watches[uri] = cancel
	line, err := updated(uri, nil)
	if err != nil {
		c.log.Error("notice has no encoding", "error", err)
		return
	}
	c.calls.Add(1)
	go func() {
		defer c.calls.Done()
		row.Watch(ctx, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			if ctx.Err() == nil && !c.out.mute {
				c.pushOnce(c.out, item{line: line, name: uri})
			}
		})
	}()
}

func (c *conn) unwatch(uri string) {
	if cancel := c.watches[uri]; cancel != nil {
		cancel()
		delete(c.watches, uri)
	}
}

// updated is the notice that a resource has changed, on a subscription of its own id or
// none.
func updated(uri string, id json.RawMessage) ([]byte, error) {
	params := object{{"uri", uri}}
	if id != nil {
		params = append(object{{"_meta", object{{metaListen, id}}}}, params...)
	}
	return encode(object{{"jsonrpc", "2.0"}, {"method", noticeUpdated}, {"params", params}})
}

// listen answers a subscriptions/listen that has resources to watch. The SDK checks the
// request and says how its result looks, for one with nothing to watch, since for any other
// it would not return before the end.
func (c *conn) listen(ctx context.Context, k *call, m message, uris []string) {
	notices, reply, ok := c.handle(ctx, withoutResources(m))
	if !ok {
		c.end(k, notices, reply)
		return
	}
	ack, err := encode(object{{"jsonrpc", "2.0"}, {"method", noticeAck}, {"params", object{
		{"_meta", object{{metaListen, m.id}}}, {"notifications", object{{"resourceSubscriptions", uris}}},
	}}})
	if err != nil {
		c.end(k, nil, refusal(m.id, &fault{Code: codeInternal, Message: "the acknowledgement has no encoding"}))
		return
	}
	c.tell(k, item{line: ack, name: k.key})
	done := make(chan struct{})
	watching, stop := context.WithCancel(ctx)
	for _, uri := range uris {
		row, _ := c.server.sdk.rows.find(uri)
		line, err := updated(uri, m.id)
		go func() {
			defer func() { done <- struct{}{} }()
			if err == nil {
				row.Watch(watching, func() { c.tell(k, item{line: line, name: k.key + " " + uri}) })
			}
		}()
	}
	select {
	case <-ctx.Done():
	case <-c.watching.Done():
	}
	stop()
	for range uris {
		<-done
	}
	c.end(k, nil, reply)
}

// tell queues a notice of a call that is in flight.
func (c *conn) tell(k *call, i item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i.call = k; k.state == live && !k.out.mute {
		c.pushOnce(k.out, i)
	}
}

// listened are the URIs of a subscriptions/listen that can be watched, each once.
func (c *conn) listened(m message) []string {
	var p struct {
		Notifications struct{ ResourceSubscriptions []string }
	}
	if remarshal(m.params, &p) != nil {
		return nil // the SDK says what is wrong
	}
	var out []string
	seen := map[string]bool{}
	for _, uri := range p.Notifications.ResourceSubscriptions {
		if row, _ := c.server.sdk.rows.find(uri); row != nil && row.Watch != nil && !seen[uri] {
			seen[uri] = true
			out = append(out, uri)
		}
	}
	return out
}

// withoutResources is a subscriptions/listen without its resources.
func withoutResources(m message) message {
	var filter map[string]json.RawMessage
	if json.Unmarshal(m.params["notifications"], &filter) != nil || filter == nil {
		return m
	}
	m.params = maps.Clone(m.params)
	m.params["notifications"] = without(filter, "resourceSubscriptions")
	return m
}
