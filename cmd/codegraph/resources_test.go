package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/readtools"
)

// host is an MCP client of the program as a host starts it.
type host struct {
	t       *testing.T
	cmd     *exec.Cmd
	in      io.WriteCloser
	got     chan map[string]any
	notices []map[string]any // that came before the answers
	id      int
	caps    map[string]any // of the server
}

// hosted starts the program on a root and does the handshake.
func hosted(t *testing.T, root string) *host {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	h := &host{t: t, cmd: exec.Command(programPath(t), "mcp", "-C", root), got: make(chan map[string]any, 1000)}
	h.in, _ = h.cmd.StdinPipe()
	out, _ := h.cmd.StdoutPipe()
	h.cmd.Stderr = os.Stderr
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.close() })
	go func() {
		defer close(h.got)
		for s := bufio.NewReader(out); ; {
			line, err := s.ReadBytes('\n')
			if err != nil {
				return
			}
			var m map[string]any
			if json.Unmarshal(line, &m) != nil {
				t.Errorf("not JSON on standard output: %q", line)
			}
			h.got <- m
		}
	}()
	r := h.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}`)
	h.caps, _ = r["capabilities"].(map[string]any)
	_, _ = fmt.Fprintln(h.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return h
}

// close ends the connection and waits for the program.
func (h *host) close() {
	_ = h.in.Close()
	done := make(chan error, 1)
	go func() { done <- h.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		h.t.Error("the program does not end with its input")
		_ = h.cmd.Process.Kill()
		<-done
	}
}

// next is the next message.
func (h *host) next() map[string]any {
	h.t.Helper()
	select {
	case m, ok := <-h.got:
		if !ok {
			h.t.Fatal("the output ended")
		}
		return m
	case <-time.After(60 * time.Second):
		h.t.Fatal("no message came")
	}
	return nil
}

// send sends a request and returns its id.
func (h *host) send(method, params string) float64 {
	h.t.Helper()
	h.id++
	if _, err := fmt.Fprintf(h.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", h.id, method, params); err != nil {
		h.t.Fatal(err)
	}
	return float64(h.id)
}

// reply is the response to a request; what comes before is kept.
func (h *host) reply(id float64) map[string]any {
	h.t.Helper()
	for {
		m := h.next()
		if m["id"] == id && m["method"] == nil {
			return m
		}
		h.notices = append(h.notices, m)
	}
}

// ask is the result of a request.
func (h *host) ask(method, params string) map[string]any {
	h.t.Helper()
	m := h.reply(h.send(method, params))
	r, ok := m["result"].(map[string]any)
	if !ok {
		h.t.Fatalf("%s %s: %v", method, params, m["error"])
	}
	return r
}

// read is the one content of a resource.
func (h *host) read(uri string) (mime, text string) {
	h.t.Helper()
	r := h.ask("resources/read", fmt.Sprintf(`{"uri":%q}`, uri))
	c := r["contents"].([]any)[0].(map[string]any)
	if c["uri"] != uri {
		h.t.Errorf("asked for %s, got %v", uri, c["uri"])
	}
	mime, _ = c["mimeType"].(string)
	text, _ = c["text"].(string)
	return mime, text
}

// until calls f until it is content.
func (h *host) until(what string, f func() bool) {
	h.t.Helper()
	for end := time.Now().Add(60 * time.Second); !f(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			h.t.Fatalf("waited in vain: %s", what)
		}
	}
}

// stand is what the tests look at in the status.
type stand struct {
	Index                               string
	Progress                            *progressResult
	Error                               *readtools.Error
	Generation, Files, Symbols, Pending int
}

func (h *host) status() (s stand) {
	h.t.Helper()
	mime, text := h.read("codegraph://status")
	if err := json.Unmarshal([]byte(text), &s); err != nil || mime != "application/json" {
		h.t.Fatalf("the status is %s %s: %v", mime, text, err)
	}
	return s
}

// TestResources lists, reads, completes and watches the resources of a workspace as a host
// does.
func TestResources(t *testing.T) {
	root := project(t)
	if err := os.WriteFile(filepath.Join(root, "odd #1 %.bin"), []byte{1, 0, 255}, 0o644); err != nil {
		t.Fatal(err)
	}
	h := hosted(t, root)
	if r, _ := h.caps["resources"].(map[string]any); r["subscribe"] != true || r["listChanged"] == true || h.caps["completions"] == nil || h.caps["logging"] == nil {
		t.Errorf("capabilities: %v", h.caps)
	}
	h.until("the index is ready", func() bool { return h.status().Index == "ready" })
	if s := h.status(); s.Generation == 0 || s.Files < 40 || s.Symbols == 0 || s.Pending != 0 || s.Progress != nil {
		t.Errorf("status: %+v", s)
	}
	uris := h.listAll()
	for _, want := range []string{"codegraph://status", "codegraph://overview", "codegraph://file/go/store/store.go", "codegraph://file/odd%20%231%20%25.bin"} {
		if !slices.Contains(uris, want) {
			t.Errorf("%s is not listed", want)
		}
	}
	for uri, want := range map[string][2]string{
		"codegraph://overview":                                   {"text/plain", "entry points"},
		"codegraph://file/go/store/store.go":                     {"text/x-go", "var ErrMissing"},
		"codegraph://file/go%2Fstore%2Fstore.go":                 {"text/x-go", "var ErrMissing"},
		"codegraph://file/odd%20%231%20%25.bin":                  {"application/octet-stream", ""},
		"codegraph://symbol/go%2Fstore%2Fmemory.go%23Memory.Put": {"text/plain", "func (m *Memory) Put"},
		"codegraph://symbol/go/store/store.go#ErrMissing":        {"text/plain", "var ErrMissing"},
		"codegraph://symbol/Memory.Put":                          {"text/plain", "func (m *Memory) Put"},
	} {
		if mime, text := h.read(uri); mime != want[0] || !strings.Contains(text, want[1]) {
			t.Errorf("%s: %s %q", uri, mime, text)
		}
	}
	for _, uri := range []string{"codegraph://file/none.go", "codegraph://file/../x", "codegraph://file//etc/passwd", "codegraph://symbol/NoSuchName", "codegraph://evidence/nothing", "codegraph://evidence/999999", "codegraph://symbol/go/store/store.go", "codegraph://nothing"} {
		m := h.reply(h.send("resources/read", fmt.Sprintf(`{"uri":%q}`, uri)))
		if e, _ := m["error"].(map[string]any); e["code"] != -32002.0 {
			t.Errorf("%s: %v, want that there is no such resource", uri, m)
		}
	}
	for typed, want := range map[string]string{
		`file/{path}"},"argument":{"name":"path","value":"go/sto`:                    "go/store/store.go",
		`file/{path}"},"argument":{"name":"path","value":"weight`:                    "go/app/weight.go",
		`symbol/{id}"},"argument":{"name":"id","value":"errm`:                        "go/store/store.go#ErrMissing",
		`symbol/{id}"},"argument":{"name":"id","value":"go/store/memory.go#Memory.P`: "go/store/memory.go#Memory.Put",
		`symbol/{id}"},"argument":{"name":"id","value":"go/stor`:                     "go/store/memory.go#Memory.Put",
	} {
		c := h.ask("completion/complete", `{"ref":{"type":"ref/resource","uri":"codegraph://`+typed+`"}}`)["completion"].(map[string]any)
		if !slices.Contains(c["values"].([]any), any(want)) {
			t.Errorf("%s: %v", typed, c)
		}
	}
	h.readEvidence()
	h.watchStatus(root)
}

// readEvidence reads the entry that a result names.
func (h *host) readEvidence() {
	t := h.t
	t.Helper()
	r := h.ask("tools/call", `{"name":"read_open","arguments":{"target":["go/store/store.go:1-3"]}}`)
	id, _ := r["structuredContent"].(map[string]any)["evidence"].(string)
	if mime, text := h.read("codegraph://evidence/" + id); mime != "application/json" || !strings.Contains(text, `"tool": "read_open"`) || !strings.Contains(text, "go/store/store.go") {
		t.Errorf("evidence %q: %s %s", id, mime, text)
	}
	c := h.ask("completion/complete", `{"ref":{"type":"ref/resource","uri":"codegraph://evidence/{id}"},"argument":{"name":"id","value":""}}`)["completion"].(map[string]any)
	if !slices.Contains(c["values"].([]any), any(id)) {
		t.Errorf("%v has no %s", c, id)
	}
}

// listAll follows the cursors of resources/list.
func (h *host) listAll() (uris []string) {
	h.t.Helper()
	for cursor := ""; ; {
		r := h.ask("resources/list", fmt.Sprintf(`{"cursor":%q}`, cursor))
		for _, x := range r["resources"].([]any) {
			uris = append(uris, x.(map[string]any)["uri"].(string))
		}
		if cursor, _ = r["nextCursor"].(string); cursor == "" {
			return uris
		}
	}
}

// watchStatus changes a file and wants to be told of the generation that follows.
func (h *host) watchStatus(root string) {
	t := h.t
	t.Helper()
	h.ask("resources/subscribe", `{"uri":"codegraph://status"}`)
	before := h.status().Generation
	if err := os.WriteFile(filepath.Join(root, "go", "store", "added.go"), []byte("package store\n\nfunc Added() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.ask("tools/call", `{"name":"read_open","arguments":{"target":["Added"]}}`)
	h.until("a notice that the status has changed", func() bool {
		h.ask("ping", `{}`)
		return slices.ContainsFunc(h.notices, func(m map[string]any) bool {
			p, _ := m["params"].(map[string]any)
			return m["method"] == "notifications/resources/updated" && p["uri"] == "codegraph://status"
		})
	})
	if s := h.status(); s.Generation <= before {
		t.Errorf("the generation is %d, was %d", s.Generation, before)
	}
}

// TestDaemonStatus watches the status of a workspace that a daemon has.
func TestDaemonStatus(t *testing.T) {
	d := newDen(t, "30s")
	h := hosted(t, d.root)
	h.until("the index is ready", func() bool { return h.status().Index == "ready" })
	h.watchStatus(d.root)
}

// TestFirstIndex asks while the first index is made: progress comes with the files that are
// done, and the status says so too.
func TestFirstIndex(t *testing.T) {
	t.Setenv("CODEGRAPH_HOME", t.TempDir())
	root := t.TempDir()
	copies(t, root, 12)
	h := hosted(t, root)
	id := h.send("tools/call", `{"name":"codebase_explore","arguments":{"query":"copy3/go/store/memory.go#Memory.Put","focus":"callers"},"_meta":{"progressToken":"p"}}`)
	if m := h.reply(id); m["result"] == nil {
		t.Fatalf("%v", m)
	}
	last, counted := -1.0, false
	for _, m := range h.notices {
		p, _ := m["params"].(map[string]any)
		if m["method"] != "notifications/progress" {
			continue
		}
		done, _ := p["progress"].(float64)
		if p["progressToken"] != "p" || p["total"] != 100.0 || done <= last || done > 100 {
			t.Errorf("progress %v after %v", p, last)
		}
		last = done
		counted = counted || strings.Contains(fmt.Sprint(p["message"]), "reading files: ")
	}
	if !counted {
		t.Errorf("no progress names the files: %v", h.notices)
	}
}

// TestPercent never goes back, whatever the phases tell.
func TestPercent(t *testing.T) {
	last := -1.0
	for _, p := range []index.Progress{
		{Phase: "read", Done: 0, Total: 10}, {Phase: "read", Done: 3, Total: 10}, {Phase: "read", Done: 10, Total: 10},
		{Phase: "link", Done: 5, Total: 10}, {Phase: "link", Done: 10, Total: 10}, {Phase: "write", Done: 1, Total: 1},
	} {
		done, message := percent(p)
		if done <= last || done > 100 || message == "" {
			t.Errorf("%+v: %v %q after %v", p, done, message, last)
		}
		last = done
	}
	if last != 100 {
		t.Errorf("at the end %v percent are done", last)
	}
	if done, message := percent(index.Progress{Phase: "write"}); done < 50 || message != "writing" {
		t.Errorf("writing without a number: %v %q", done, message)
	}
}

// TestStatusOfNothing tells of a root that is not there, as a status and not as an error.
func TestStatusOfNothing(t *testing.T) {
	t.Setenv("CODEGRAPH_HOME", t.TempDir())
	h := hosted(t, filepath.Join(t.TempDir(), "none"))
	if s := h.status(); s.Index != "unavailable" || s.Error == nil || s.Error.Next == "" {
		t.Errorf("status: %+v", s)
	}
}
