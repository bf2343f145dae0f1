package mcpserver

import (
	"log/slog"
	"testing"
)

// rich is a client of a server with resources, after the handshake.
func rich(t *testing.T, f *fakes) *client {
	t.Helper()
	return start(t, f.tools(), Info{Resources: f.resources()}).open()
}

func wantUpdate(t *testing.T, m map[string]any, id any) {
	t.Helper()
	params, _ := m["params"].(map[string]any)
	meta, _ := params["_meta"].(map[string]any)
	if m["method"] != noticeUpdated || params["uri"] != "fake://state" || meta[metaListen] != id {
		t.Fatalf("got %v, want a notice that the state has changed", m)
	}
}

func TestSubscribe(t *testing.T) {
	f := newFakes()
	c := rich(t, f)
	for range 2 { // a second subscription is the same one
		c.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"fake://state"}}`)
		c.next()
	}
	f.change <- struct{}{}
	wantUpdate(t, c.next(), nil)
	c.silent()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"resources/unsubscribe","params":{"uri":"fake://state"}}`)
	c.next()
	select {
	case f.change <- struct{}{}:
	default:
	}
	c.silent()
	c.send(`{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"fake://state"}}`)
	c.next()
	f.change <- struct{}{}
	wantUpdate(t, c.next(), nil)
	c.finish()
}

// TestUnreadUpdates lets changes come while the client does not read: of what waits for it,
// one notice stands for all.
func TestUnreadUpdates(t *testing.T) {
	f := newFakes()
	s, err := New(f.tools(), Info{Resources: f.resources()})
	if err != nil {
		t.Fatal(err)
	}
	c := newConn(t.Context(), s, "s")
	c.watch("fake://state", &s.info.Resources[0])
	for range 100 {
		f.change <- struct{}{}
	}
	f.change <- struct{}{} // the ones before have been told now
	c.unwatch("fake://state")
	c.cancel(errEnded)
	c.calls.Wait()
	if len(c.out.queue) != 1 {
		t.Errorf("%d notices wait, want one", len(c.out.queue))
	}
}

const statelessMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func TestListen(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{Resources: f.resources()})
	listen := func(id string) {
		t.Helper()
		c.send(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["fake://state","fake://file/a"],"resourcesListChanged":true},%s}}`, id, statelessMeta)
		ack := c.next()
		params, _ := ack["params"].(map[string]any)
		if ack["method"] != noticeAck || canonical(params["notifications"]) != `{"resourceSubscriptions":["fake://state"]}` {
			t.Fatalf("got %v, want an acknowledgement of the state alone", ack)
		}
	}
	listen(`"l"`)
	f.change <- struct{}{}
	wantUpdate(t, c.next(), "l")
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}`)
	c.silent()
	listen(`7`)
	f.change <- struct{}{}
	wantUpdate(t, c.next(), 7.0)
	c.finish()
	end, ok := <-c.got
	if result, _ := end["result"].(map[string]any); !ok || end["id"] != 7.0 || result["resultType"] != "complete" {
		t.Errorf("at the end the server said %v, want the result of the subscription", end)
	}
}

func TestListenRefused(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{Resources: f.resources()})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["fake://state"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	if m := c.next(); m["error"] == nil {
		t.Errorf("got %v, want a refusal of a request without capabilities", m)
	}
	c.open()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["fake://state"]}}}`)
	if m := c.next(); m["error"] == nil {
		t.Errorf("got %v, want a refusal in a revision that has no such method", m)
	}
	c.finish()
}

// TestServerLog tells clients what concerns all of them, from the level on that each wants.
func TestServerLog(t *testing.T) {
	f := newFakes()
	s, err := New(f.tools(), Info{})
	if err != nil {
		t.Fatal(err)
	}
	loud, quiet := newConn(t.Context(), s, "a"), newConn(t.Context(), s, "b")
	level := slog.LevelInfo
	loud.level = &level
	s.Log().With("files", 7).Info("the index in /home/me/secret/place is ready", "took", 3, "error", errCancelled)
	s.Log().Debug("not for clients of that level")
	line, _ := loud.next(loud.out)
	if want := `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"codegraph","data":{"message":"the index in place is ready","files":7,"took":3,"error":"the client cancelled the call"}}}`; string(line) != want {
		t.Errorf("the client was told\n%s\nwant\n%s", line, want)
	}
	if len(loud.out.queue)+len(quiet.out.queue) != 0 {
		t.Errorf("told too much: %v %v", loud.out.queue, quiet.out.queue)
	}
}
