package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// peer is an MCP client of a server on a root of its own.
type peer struct {
	t    *testing.T
	root string
	in   io.Writer
	out  *bufio.Reader
}

func newPeer(t *testing.T, files map[string]string) *peer {
	t.Helper()
	t.Setenv("CODEGRAPH_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	p := &peer{t: t, root: t.TempDir()}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(p.root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(context.Background(), []string{"-C", p.root, "mcp"}, inR, outW, io.Discard)
		_ = outW.Close()
	}()
	p.in, p.out = inW, bufio.NewReader(outR)
	t.Cleanup(func() {
		_ = inW.Close()
		<-done
	})
	return p
}

// say sends a message, and unless it is a notice or a response returns the next line.
func (p *peer) say(format string, args ...any) map[string]any {
	p.t.Helper()
	line := fmt.Sprintf(format, args...)
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
	if !strings.Contains(line, `"id"`) {
		return nil
	}
	return p.next()
}

func (p *peer) next() map[string]any {
	p.t.Helper()
	line, err := p.out.ReadBytes('\n')
	m := map[string]any{}
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

func (p *peer) hello(capabilities string) {
	p.t.Helper()
	p.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"t","version":"0"}}}`, capabilities)
	p.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (p *peer) file(name string) string {
	b, err := os.ReadFile(filepath.Join(p.root, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

// put writes a file past the tools.
func (p *peer) put(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.root, name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// at follows names into a message.
func at(m map[string]any, path string) any {
	var v any = m
	for name := range strings.SplitSeq(path, ".") {
		o, _ := v.(map[string]any)
		v = o[name]
	}
	return v
}

func (p *peer) want(m map[string]any, path string, want any) {
	p.t.Helper()
	if got := at(m, path); fmt.Sprint(got) != fmt.Sprint(want) {
		b, _ := json.Marshal(m)
		p.t.Errorf("%s: got %v, want %v in %.600s", path, got, want, b)
	}
}

const replaceCall = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"replace_block","arguments":{"path":"f","old":"one","new":"two"%s}%s}}`

// TestElicitation asks a client's user: one edit accepted, one declined.
func TestElicitation(t *testing.T) {
	p := newPeer(t, map[string]string{"f": "one\n"})
	p.hello(`{"elicitation":{}}`)
	for i, action := range []string{"decline", "accept"} {
		q := p.say(replaceCall, 10+i, "", "")
		p.want(q, "method", "elicitation/create")
		if text, _ := at(q, "params.message").(string); !strings.Contains(text, "-one\n+two") {
			t.Errorf("the question has no diff: %q", text)
		}
		r := p.say(`{"jsonrpc":"2.0","id":%q,"result":{"action":%q}}`, q["id"], action)
		p.want(r, "id", 10+i)
		if action == "decline" {
			p.want(r, "result.isError", true)
			p.want(r, "result.structuredContent.error.code", "denied")
			if p.file("f") != "one\n" {
				t.Error("a denied edit was made")
			}
			continue
		}
		p.want(r, "result.structuredContent.applied", true)
		p.want(r, "result.structuredContent.approval.by", "elicitation")
		if p.file("f") != "two\n" {
			t.Error("an allowed edit was not made")
		}
		p.put("f", "one\n")
		q = p.say(replaceCall, 20, fmt.Sprintf(`,"approval":%q`, at(r, "result.structuredContent.approval.id")), "")
		p.want(q, "result.structuredContent.error.code", "approval_required") // a grant that was used is none
		if p.file("f") != "one\n" {
			t.Error("a grant was used twice")
		}
	}
}

// TestOutOfBand approves from a shell what a client cannot ask.
func TestOutOfBand(t *testing.T) {
	p := newPeer(t, map[string]string{"f": "one\n"})
	p.hello(`{}`)
	const named = `,"_meta":{"toolCallId":"call-7"}`
	r := p.say(replaceCall, 2, "", named)
	p.want(r, "result.structuredContent.approval.state", "required")
	id, _ := at(r, "result.structuredContent.approval.id").(string)
	grant := fmt.Sprintf(`,"approval":%q`, id)
	r = p.say(replaceCall, 3, grant, named)
	p.want(r, "result.structuredContent.error.code", "approval_required")
	var out bytes.Buffer
	if code := run(t.Context(), []string{"-C", p.root, "approve", id}, strings.NewReader(""), &out, &out); code != exitDone {
		t.Fatalf("approve: exit %d: %s", code, &out)
	}
	r = p.say(replaceCall, 4, grant, `,"_meta":{"toolCallId":"call-8"}`)
	p.want(r, "result.structuredContent.error.code", "approval_required")
	r = p.say(replaceCall, 5, grant, named)
	p.want(r, "result.structuredContent.applied", true)
	edit := at(r, "result.structuredContent.edit_id")
	r = p.say(replaceCall, 6, grant, named)
	p.want(r, "result.structuredContent.replayed", true)
	p.want(r, "result.structuredContent.edit_id", edit)
	if p.file("f") != "two\n" {
		t.Errorf("the file holds %q", p.file("f"))
	}
	p.put("f", "one\n")
	r = p.say(replaceCall, 7, grant, `,"_meta":{"toolCallId":"call-9"}`)
	p.want(r, "result.structuredContent.error.code", "approval_required") // used once
	r = p.say(replaceCall, 8, "", "")
	id, _ = at(r, "result.structuredContent.approval.id").(string)
	if code := run(t.Context(), []string{"-C", p.root, "deny", id}, strings.NewReader(""), &out, &out); code != exitDone {
		t.Fatalf("deny: exit %d: %s", code, &out)
	}
	r = p.say(replaceCall, 9, fmt.Sprintf(`,"approval":%q`, id), "")
	p.want(r, "result.structuredContent.error.code", "denied")
	if p.file("f") != "one\n" {
		t.Error("a denied edit was made")
	}
}

// TestInputRequired asks by a result, as the revision without handshake has it.
func TestInputRequired(t *testing.T) {
	p := newPeer(t, map[string]string{"f": "one\n"})
	meta := func(capabilities string) string {
		return `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"0"},"io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
	}
	r := p.say(replaceCall, 1, "", meta(`{}`))
	p.want(r, "result.structuredContent.approval.state", "required")
	r = p.say(replaceCall, 2, "", meta(`{"elicitation":{"form":{}}}`))
	p.want(r, "result.resultType", "input_required")
	p.want(r, "result.inputRequests.approve.method", "elicitation/create")
	state, _ := at(r, "result.requestState").(string)
	retry := func(id int, state, action string) map[string]any {
		return p.say(replaceCall, id, "", fmt.Sprintf(`,"requestState":%q,"inputResponses":{"approve":{"action":%q}}`, state, action)+meta(`{"elicitation":{"form":{}}}`))
	}
	r = retry(3, strings.Map(func(r rune) rune { return r ^ 1 }, state[:1])+state[1:], "accept")
	p.want(r, "error.code", -32602)
	if p.file("f") != "one\n" {
		t.Error("a forged state was taken")
	}
	if err := os.WriteFile(filepath.Join(p.root, "f"), []byte("zero\none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r = retry(4, state, "accept")
	p.want(r, "result.resultType", "input_required") // the target changed: asked anew
	state, _ = at(r, "result.requestState").(string)
	r = retry(5, state, "accept")
	p.want(r, "result.structuredContent.applied", true)
	if err := os.WriteFile(filepath.Join(p.root, "f"), []byte("zero\none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r = retry(6, state, "accept")
	p.want(r, "result.resultType", "input_required") // used once
	state, _ = at(r, "result.requestState").(string)
	r = retry(7, state, "decline")
	p.want(r, "result.structuredContent.error.code", "denied")
	if p.file("f") != "zero\none\n" {
		t.Errorf("the file holds %q", p.file("f"))
	}
}

// TestKillEdits kills a server in the middle of a stream of edits: every file has one of
// its versions, a folder is in one of its places, and after the next start nothing is left.
func TestKillEdits(t *testing.T) {
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for n := range *kills {
		root, home := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(root, ".codegraph.yaml"), []byte("edits: host\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(root, "d1"), 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			if err := os.WriteFile(filepath.Join(root, "d1", fmt.Sprintf("f%d.py", i)), fmt.Appendf(nil, "from d1 import f%d\n", (i+1)%20), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		env := append(os.Environ(), "CODEGRAPH_HOME="+home)
		cmd := exec.Command(bin, "-C", root, "mcp")
		cmd.Env = env
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.WriteString(in, stream(n)) }() // its reader is killed
		time.Sleep(time.Duration(150+n*37%600) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
		status := exec.Command(bin, "-C", root, "export", "--format", "dump")
		status.Env = env
		old, err := status.Output()
		if err != nil {
			t.Fatal(err)
		}
		status = exec.Command(bin, "-C", root, "export", "--format", "dump")
		status.Env = append(os.Environ(), "CODEGRAPH_HOME="+t.TempDir())
		if fresh, err := status.Output(); err != nil || !bytes.Equal(old, fresh) {
			t.Fatalf("%d: the index is not that of a fresh one: %v", n, err)
		}
		checkKilled(t, n, root)
	}
}

// stream is a client that makes one edit after the other.
func stream(seed int) string {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}` + "\n")
	for i := 1; i < 200; i++ {
		name, args := "write_file", fmt.Sprintf(`{"path":"big.txt","content":%q,"overwrite":true}`, strings.Repeat(fmt.Sprintf("version %d\n", i), 8000))
		if (i+seed)%2 == 0 {
			name, args = "move_path", fmt.Sprintf(`{"from":"d%d","to":"d%d"}`, 1+i/2%2, 2-i/2%2)
		}
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", i, name, args)
	}
	return b.String()
}

func checkKilled(t *testing.T, n int, root string) {
	t.Helper()
	if b, err := os.ReadFile(filepath.Join(root, "big.txt")); err == nil {
		first, _, _ := bytes.Cut(b, []byte("\n"))
		if !bytes.Equal(b, bytes.Repeat(append(first, '\n'), 8000)) {
			t.Errorf("%d: big.txt is a mixture: %d bytes", n, len(b))
		}
	}
	one, two := len(glob(t, root, "d1/*.py")), len(glob(t, root, "d2/*.py"))
	if one+two != 20 || one*two != 0 {
		t.Errorf("%d: %d files in d1 and %d in d2", n, one, two)
	}
	dir := map[bool]string{true: "d1", false: "d2"}[one > 0]
	for _, p := range glob(t, root, dir+"/*.py") {
		if b, _ := os.ReadFile(p); !strings.HasPrefix(string(b), "from "+dir+" import f") {
			t.Errorf("%d: %s holds %q", n, p, b)
		}
	}
	for _, pattern := range []string{".codegraph-tmp-*", "*/.codegraph-tmp-*"} {
		if left := glob(t, root, pattern); len(left) > 0 {
			t.Errorf("%d: left over: %v", n, left)
		}
	}
}

func glob(t *testing.T, root, pattern string) []string {
	t.Helper()
	out, err := filepath.Glob(filepath.Join(root, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
