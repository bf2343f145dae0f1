package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// site is a server on HTTP and a client of it.
type site struct {
	t       *testing.T
	url     string
	end     context.CancelFunc
	done    chan error
	headers map[string]string // sent with each request
}

func serve(t *testing.T, tools []Tool, info Info, o HTTP) *site {
	t.Helper()
	info.Version = "0.0.0-test"
	s, err := New(tools, info)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	at := &site{t: t, url: "http://" + l.Addr().String() + "/mcp", end: cancel, done: make(chan error, 1), headers: map[string]string{}}
	go func() { at.done <- s.ServeHTTP(ctx, l, o) }()
	t.Cleanup(func() {
		cancel()
		http.DefaultClient.CloseIdleConnections()
	})
	return at
}

// reply is what a request was answered.
type reply struct {
	status int
	header http.Header
	text   string
	body   io.ReadCloser // of a stream
	events *bufio.Reader
}

func (a *site) do(method, body string, headers map[string]string) *reply {
	a.t.Helper()
	return a.in(a.t.Context(), method, body, headers)
}

func (a *site) in(ctx context.Context, method, body string, headers map[string]string) *reply {
	a.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, a.url, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, all := range []map[string]string{a.headers, headers} {
		for k, v := range all {
			r.Header.Set(k, v)
			switch {
			case v == "":
				r.Header.Del(k)
			case k == "Host":
				r.Host = v
			}
		}
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	out := &reply{status: got.StatusCode, header: got.Header}
	if got.Header.Get("Content-Type") == mimeEvents {
		out.body, out.events = got.Body, bufio.NewReader(got.Body)
		a.t.Cleanup(func() { _ = got.Body.Close() })
		return out
	}
	text, err := io.ReadAll(got.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	_ = got.Body.Close()
	out.text = string(text)
	return out
}

// open does the handshake and returns the session's id.
func (a *site) open(revision, capabilities string) string {
	a.t.Helper()
	got := a.do("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":`+capabilities+`,"clientInfo":{"name":"t","version":"0"}}}`, nil)
	id := got.header.Get(headerSession)
	if got.status != http.StatusOK || id == "" || !strings.Contains(got.text, `"protocolVersion":"`+revision+`"`) {
		a.t.Fatalf("handshake: %d %q %s", got.status, id, got.text)
	}
	a.headers[headerSession], a.headers[headerRevision] = id, revision
	if got := a.do("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil); got.status != http.StatusAccepted || got.text != "" {
		a.t.Fatalf("notice: %d %s", got.status, got.text)
	}
	return id
}

func (a *site) call(id int, tool, params string) *reply {
	a.t.Helper()
	return a.do("POST", callText(id, tool, params), nil)
}

func callText(id int, tool, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q%s}}`, id, tool, params)
}

// event reads an event: its id and its message, nil if it has none. ok is false at the end.
func (r *reply) event(t *testing.T) (id string, message map[string]any, ok bool) {
	t.Helper()
	if r.events == nil {
		t.Fatalf("no stream: %d %s", r.status, r.text)
	}
	for {
		line, err := r.events.ReadString('\n')
		if err != nil {
			return "", nil, false
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case name == "id":
			id = value
		case name == "data" && value != "":
			if err := json.Unmarshal([]byte(value), &message); err != nil {
				t.Fatalf("event %q: %v", line, err)
			}
		case line == "" && (id != "" || message != nil):
			return id, message, true
		}
	}
}

// last reads a stream to its end and returns the last message.
func (r *reply) last(t *testing.T) (message map[string]any) {
	t.Helper()
	for {
		_, m, ok := r.event(t)
		if !ok {
			return message
		}
		if m != nil {
			message = m
		}
	}
}

func (a *site) want(name string, got *reply, status int, text string) {
	a.t.Helper()
	if got.status != status || !strings.Contains(got.text, text) {
		a.t.Errorf("%s: %d %s, want %d with %q", name, got.status, got.text, status, text)
	}
}

func TestHTTPSession(t *testing.T) {
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{})
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		a.headers = map[string]string{}
		a.open(revision, `{}`)
		a.want("list", a.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil), 200, `"find"`)
		a.want("call", a.call(2, "find", `,"arguments":{"pattern":"x"}`), 200, `"id":2`)
		a.want("unknown tool", a.call(3, "nix", ``), 200, `-32602`)
		a.want("not JSON", a.do("POST", `{`, nil), 400, `-32700`)
		a.want("no message", a.do("POST", `{"id":1}`, nil), 400, `-32600`)
		a.want("nothing", a.do("POST", ` `, nil), 400, `empty`)
		a.want("batch", a.do("POST", `[{"jsonrpc":"2.0","id":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":"ping"}]`, nil),
			map[bool]int{true: 200, false: 400}[revision == batchRevision], ``)
		a.want("delete", a.do("DELETE", ``, nil), 204, ``)
		a.want("after it", a.do("POST", `{"jsonrpc":"2.0","id":6,"method":"ping"}`, nil), 404, `initialize`)
		a.want("deleted twice", a.do("DELETE", ``, nil), 404, ``)
	}
}

func TestHTTPRefuses(t *testing.T) {
	a := serve(t, newFakes().tools(), Info{MaxLine: 3000}, HTTP{})
	a.open("2025-11-25", `{}`)
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, c := range map[string]struct {
		method, body string
		headers      map[string]string
		status       int
	}{
		"no session":       {"POST", ping, map[string]string{headerSession: ""}, 400},
		"other session":    {"POST", ping, map[string]string{headerSession: "x"}, 404},
		"other revision":   {"POST", ping, map[string]string{headerRevision: "2024-01-01"}, 400},
		"no revision":      {"POST", ping, map[string]string{headerRevision: ""}, 200},
		"a form":           {"POST", ping, map[string]string{"Content-Type": "text/plain"}, 415},
		"takes pictures":   {"POST", ping, map[string]string{"Accept": "image/png, application/json;q=0"}, 406},
		"takes anything":   {"POST", ping, map[string]string{"Accept": "*/*"}, 200},
		"does not say":     {"POST", ping, map[string]string{"Accept": ""}, 200},
		"long":             {"POST", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + strings.Repeat("x", 4000) + `"}`, nil, 413},
		"page of the web":  {"POST", ping, map[string]string{"Origin": "https://evil.example.com"}, 403},
		"no origin":        {"POST", ping, map[string]string{"Origin": "null"}, 403},
		"page from here":   {"POST", ping, map[string]string{"Origin": "http://localhost:6274"}, 200},
		"name of the web":  {"POST", ping, map[string]string{"Host": "evil.example.com"}, 403},
		"near the name":    {"POST", ping, map[string]string{"Host": "localhost.evil.example.com"}, 403},
		"name of here":     {"POST", ping, map[string]string{"Host": "localhost:1"}, 200},
		"version 6":        {"POST", ping, map[string]string{"Host": "[::1]:1"}, 200},
		"method":           {"PUT", ping, nil, 405},
		"preflight":        {"OPTIONS", "", map[string]string{"Origin": "http://localhost:1"}, 405},
		"no stream":        {"GET", "", map[string]string{"Accept": "application/json"}, 406},
		"stateless GET":    {"GET", "", map[string]string{headerRevision: "2026-07-28"}, 405},
		"stateless DELETE": {"DELETE", "", map[string]string{headerRevision: "2026-07-28"}, 405},
		"lost event":       {"GET", "", map[string]string{headerEvent: "7-1"}, 400},
		"no event":         {"GET", "", map[string]string{headerEvent: "x"}, 400},
	} {
		a.want(name, a.do(c.method, c.body, c.headers), c.status, "")
	}
	a.url = strings.TrimSuffix(a.url, "mcp") + "other"
	a.want("elsewhere", a.do("POST", ping, nil), 404, "/mcp")
}

func TestHTTPToken(t *testing.T) {
	a := serve(t, newFakes().tools(), Info{}, HTTP{Token: "0123456789abcdef"})
	const first = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`
	for token, status := range map[string]int{"": 401, "Bearer": 401, "Bearer 0123456789abcdeX": 401, "Basic 0123456789abcdef": 401, "bearer 0123456789abcdef": 200} {
		got := a.do("POST", first, map[string]string{"Authorization": token, "Host": "code.example.com"})
		a.want(token, got, status, "")
		if (got.header.Get("WWW-Authenticate") != "") != (status == 401) {
			t.Errorf("%q: the header is %q", token, got.header.Get("WWW-Authenticate"))
		}
	}
	a.want("page", a.do("POST", first, map[string]string{"Authorization": "Bearer 0123456789abcdef", "Origin": "https://evil.example.com"}), 403, "")
}

func TestHTTPProgress(t *testing.T) {
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{})
	a.open("2025-11-25", `{}`)
	got := a.call(1, "step", `,"_meta":{"progressToken":"p"}`)
	last, n := -1.0, 0
	for {
		id, m, ok := got.event(t)
		if !ok {
			t.Fatal("the stream ended without an answer")
		}
		if want := fmt.Sprintf("1-%d", n); id != want {
			t.Errorf("the event's id is %s, want %s", id, want)
		}
		n++
		if m == nil {
			continue // the first
		}
		if m["method"] != "notifications/progress" {
			if m["id"] != 1.0 || last != 3 {
				t.Errorf("got %v after progress %v", m, last)
			}
			break
		}
		last = m["params"].(map[string]any)["progress"].(float64)
	}
	Progress(<-f.keep, 4, 4, "after the result")
	if _, m, ok := got.event(t); ok {
		t.Errorf("after the answer came %v", m)
	}
	// A client that takes no streams is told the answer alone.
	a.headers["Accept"] = mimeJSON
	a.want("plain", a.call(2, "step", `,"_meta":{"progressToken":"p"}`), 200, `"id":2`)
}

func TestHTTPCancel(t *testing.T) {
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{})
	a.open("2025-06-18", `{}`)
	got := a.call(7, "wait", ``)
	a.want("cancel", a.do("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, nil), 202, "")
	if cause := <-f.ended; !errors.Is(cause, errCancelled) {
		t.Errorf("the cause is %v", cause)
	}
	if m := got.last(t); m != nil {
		t.Errorf("a cancelled call was answered: %v", m)
	}
}

// TestHTTPBreak: in a session a call outlives its connection, and its stream can be gone on
// with; two that read one stream do not share it, the later has it.
func TestHTTPBreak(t *testing.T) {
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{})
	a.open("2025-11-25", `{}`)
	got := a.call(1, "deaf", ``)
	id, _, _ := got.event(t)
	if id != "1-0" {
		t.Fatalf("the first event is %q", id)
	}
	_ = got.body.Close()
	early := a.do("GET", "", map[string]string{headerEvent: id})
	early.event(t)
	late := a.do("GET", "", map[string]string{headerEvent: id})
	late.event(t)
	if m := early.last(t); m != nil {
		t.Errorf("the first reader was told %v", m)
	}
	close(f.release)
	if m := late.last(t); m["id"] != 1.0 {
		t.Errorf("the second reader was told %v", m)
	}
	again := a.do("GET", "", map[string]string{headerEvent: id})
	if m := again.last(t); m["id"] != 1.0 {
		t.Errorf("who comes again was told %v", m)
	}
	if m := a.do("GET", "", map[string]string{headerEvent: "1-1"}).last(t); m != nil {
		t.Errorf("who has all was told %v", m)
	}
}

func TestHTTPElicit(t *testing.T) {
	tool := Typed(Tool{Name: "ask", Description: "Asks."}, func(ctx context.Context, _ emptyParams) (doneResult, string, error) {
		said, err := Elicit(ctx, "s", "May I?")
		return doneResult{said == Accepted}, fmt.Sprint(said), err
	})
	a := serve(t, []Tool{tool}, Info{}, HTTP{})
	a.open("2025-11-25", `{"elicitation":{}}`)
	got := a.call(1, "ask", ``)
	got.event(t)
	_, question, _ := got.event(t)
	if question["method"] != "elicitation/create" {
		t.Fatalf("got %v, want a question", question)
	}
	a.want("answer", a.do("POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"action":"accept"}}`, question["id"]), nil), 202, "")
	if m := got.last(t); !strings.Contains(canonical(m), `"done":true`) {
		t.Errorf("got %v", m)
	}
	// Who takes no streams cannot be asked.
	a.headers["Accept"] = mimeJSON
	a.want("plain", a.call(2, "ask", ``), 200, `"done":false`)
}

const aloneMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func TestHTTPStateless(t *testing.T) {
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{})
	call := func(tool string) string { return callText(1, tool, `,`+aloneMeta) }
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + aloneMeta + `}}`
	for name, c := range map[string]struct {
		body   string
		change string // of the headers: name=value, with commas between
		status int
		text   string
	}{
		"list":               {list, "Mcp-Method=tools/list", 200, `"resultType"`},
		"call":               {call("find"), "Mcp-Method=tools/call,Mcp-Name=find", 200, `missing`},
		"coded name":         {call("find"), "Mcp-Method=tools/call,Mcp-Name==?base64?ZmluZA==?=", 200, `missing`},
		"bad code":           {call("find"), "Mcp-Method=tools/call,Mcp-Name==?base64?Z?=", 400, `-32020`},
		"unknown tool":       {call("nix"), "Mcp-Method=tools/call,Mcp-Name=nix", 400, `-32602`},
		"unknown method":     {strings.Replace(list, "tools/list", "nix", 1), "Mcp-Method=nix", 404, `-32601`},
		"no method":          {list, "", 400, `-32020`},
		"other method":       {list, "Mcp-Method=Tools/List", 400, `-32020`},
		"other name":         {call("find"), "Mcp-Method=tools/call,Mcp-Name=wait", 400, `-32020`},
		"no name":            {call("find"), "Mcp-Method=tools/call", 400, `-32020`},
		"other revision":     {list, "Mcp-Method=tools/list,Mcp-Protocol-Version=2025-11-25", 400, `-32020`},
		"no revision":        {list, "Mcp-Method=tools/list,Mcp-Protocol-Version=", 400, `-32020`},
		"none in the body":   {`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "Mcp-Method=tools/list", 400, `-32602`},
		"unknown revision":   {strings.ReplaceAll(list, "2026-07-28", "2099-01-01"), "Mcp-Method=tools/list,Mcp-Protocol-Version=2099-01-01", 400, `-32022`},
		"not JSON":           {`{`, "", 400, `-32700`},
		"batch":              {`[` + list + `]`, "Mcp-Method=tools/list", 400, `-32600`},
		"answer":             {`{"jsonrpc":"2.0","id":1,"result":{}}`, "", 400, `-32600`},
		"notice":             {`{"jsonrpc":"2.0","method":"notifications/x","params":{` + aloneMeta + `}}`, "", 202, ``},
		"session is ignored": {list, "Mcp-Method=tools/list,Mcp-Session-Id=x", 200, `"resultType"`},
	} {
		headers := map[string]string{headerRevision: "2026-07-28"}
		for change := range strings.SplitSeq(c.change, ",") {
			if k, v, ok := strings.Cut(change, "="); ok {
				headers[k] = v
			}
		}
		got := a.do("POST", c.body, headers)
		a.want(name, got, c.status, c.text)
		if got.header.Get(headerSession) != "" {
			t.Errorf("%s: there is a session", name)
		}
	}
}

// TestHTTPStatelessBreak: the end of its connection cancels a call that has no session.
func TestHTTPStatelessBreak(t *testing.T) {
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{})
	headers := map[string]string{headerRevision: "2026-07-28", headerMethod: methodCall, headerName: "wait"}
	ctx, hang := context.WithCancel(t.Context())
	got := a.in(ctx, "POST", callText(1, "wait", `,`+aloneMeta), headers)
	if got.events == nil {
		t.Fatalf("no stream: %d %s", got.status, got.text)
	}
	hang()
	if cause := <-f.ended; !errors.Is(cause, errCancelled) {
		t.Errorf("the cause is %v", cause)
	}
}

func TestHTTPSessionsAreBounded(t *testing.T) {
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{Sessions: 2})
	ping := func(id string) int {
		return a.do("POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, map[string]string{headerSession: id}).status
	}
	fresh := func() string {
		a.headers = map[string]string{}
		return a.open("2025-11-25", `{}`)
	}
	one, two := fresh(), fresh()
	if three := fresh(); ping(one) != 404 || ping(two) != 200 || ping(three) != 200 {
		t.Error("the session that rested longest did not give way")
	}
	a.call(1, "deaf", ``) // its stream is open, so three is in use
	a.headers[headerSession] = two
	a.call(1, "deaf", ``)
	const first = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`
	got := a.do("POST", first, nil)
	a.want("full", got, 503, "try again")
	if got.header.Get("Retry-After") == "" || got.header.Get(headerSession) != "" {
		t.Errorf("the headers are %v", got.header)
	}
	close(f.release)
}

func TestHTTPSessionExpires(t *testing.T) {
	a := serve(t, newFakes().tools(), Info{}, HTTP{Idle: 50 * time.Millisecond})
	a.open("2025-11-25", `{}`)
	listening := a.do("GET", "", nil) // who listens does not rest
	listening.event(t)
	time.Sleep(150 * time.Millisecond)
	a.want("listening", a.do("POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil), 200, "")
	_ = listening.body.Close()
	for end := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		if a.do("POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil).status == 404 {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the session does not expire")
		}
	}
}

// TestHTTPEnds: at the end quick calls are answered, slow ones cancelled, streams closed,
// and no goroutine is left.
func TestHTTPEnds(t *testing.T) {
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	f := newFakes()
	a := serve(t, f.tools(), Info{}, HTTP{})
	a.open("2025-11-25", `{}`)
	listening := a.do("GET", "", nil)
	listening.event(t)
	waiting := a.call(1, "wait", ``)
	<-f.started
	alone := a.in(t.Context(), "POST", callText(1, "wait", `,`+aloneMeta), map[string]string{headerRevision: "2026-07-28", headerMethod: methodCall, headerName: "wait"})
	<-f.started
	began := time.Now()
	a.end()
	if err := <-a.done; err != nil || time.Since(began) > patience {
		t.Errorf("it returned %v after %v", err, time.Since(began))
	}
	for range 2 {
		if cause := <-f.ended; !errors.Is(cause, errEnded) {
			t.Errorf("the cause is %v", cause)
		}
	}
	for _, r := range []*reply{listening, waiting, alone} {
		if m := r.last(t); m != nil {
			t.Errorf("got %v", m)
		}
		_ = r.body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, before %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestHTTPSameAsLines sends the same messages over both transports.
func TestHTTPSameAsLines(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{}).open()
	a := serve(t, f.tools(), Info{}, HTTP{})
	a.open("2025-11-25", `{}`)
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		callText(2, "find", `,"arguments":{"pattern":"<x>","path":"p","limit":null}`),
		callText(3, "find", `,"arguments":{"patern":"x"}`),
		callText(4, "refuse", ``), callText(5, "break", ``), callText(6, "panic", ``), callText(7, "fnd", ``),
		`{"jsonrpc":"2.0","id":"8","method":"nix"}`, `{"jsonrpc":"2.0","id":9.5,"method":"ping"}`, `{"jsonrpc":"1.0","id":10,"method":"ping"}`,
	} {
		c.send("%s", m)
		var got map[string]any
		if err := json.Unmarshal([]byte(a.do("POST", m, nil).text), &got); err != nil {
			t.Fatal(err)
		}
		if want := c.next(); canonical(got) != canonical(want) {
			t.Errorf("%s: got %s, want %s", m, canonical(got), canonical(want))
		}
	}
}

func TestHostsAndHeaders(t *testing.T) {
	local := []string{"localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"}
	for _, host := range append(slices.Clone(local), "", "0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "localhos", "xlocalhost", "2130706433") {
		if got, want := isLocal(host), slices.Contains(local, host); got != want {
			t.Errorf("isLocal(%q) is %v", host, got)
		}
	}
	for header, want := range map[string]string{"a:1": "a", "a": "a", "[::1]:80": "::1", "[::1]": "::1", "::1": "::1"} {
		if got := hostOf(header); got != want {
			t.Errorf("hostOf(%q) is %q", header, got)
		}
	}
	for header, want := range map[string]string{"x": "x", "=?base64?SGVsbG8sIOS4lueVjA==?=": "Hello, 世界", "=?BASE64?eA==?=": "=?BASE64?eA==?="} {
		if got, ok := headerText(header); !ok || got != want {
			t.Errorf("headerText(%q) is %q, %v", header, got, ok)
		}
	}
}
