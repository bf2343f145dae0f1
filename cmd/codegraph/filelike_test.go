package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A file-like host knows nothing of MCP's finer points. It shows a server to its agent as
// files: SERVER/tools/NAME, into which the arguments are written as JSON and from which the
// result is read; SERVER/resources, whose entries are URIs; SERVER/resources/URI. It drops a
// server that has not answered initialize within a time, and then nothing is left of it.
type fileHost struct{ servers map[string]*fileServer }

// connectLimit is how long such a host waits for the answer to initialize.
const connectLimit = 500 * time.Millisecond

type fileServer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	ended   chan struct{}
	id      int
	answers chan map[string]any
	tools   []string
}

// connect starts a server and puts it among the others, or leaves all as it was.
func (h *fileHost) connect(name string, argv ...string) (err error) {
	s := &fileServer{cmd: exec.Command(argv[0], argv[1:]...), ended: make(chan struct{}), answers: make(chan map[string]any, 100)}
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.out = bufio.NewReader(out)
	go s.listen()
	defer func() {
		if err != nil {
			s.drop()
		}
	}()
	if _, err := s.call(connectLimit, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "files", "version": "1"}}); err != nil {
		return fmt.Errorf("connect %s: %w", name, err)
	}
	if _, err := io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		return err
	}
	list, err := s.call(time.Minute, "tools/list", map[string]any{})
	if err != nil {
		return err
	}
	for _, x := range list["tools"].([]any) {
		s.tools = append(s.tools, x.(map[string]any)["name"].(string))
	}
	if old := h.servers[name]; old != nil {
		old.drop()
	}
	h.servers[name] = s
	return nil
}

// listen reads the server's messages until it ends.
func (s *fileServer) listen() {
	defer close(s.ended)
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return
		}
		var m map[string]any
		if json.Unmarshal(line, &m) == nil && m["id"] != nil && m["method"] == nil {
			s.answers <- m
		}
	}
}

// drop ends a server, whatever it does.
func (s *fileServer) drop() {
	_ = s.in.Close()
	_ = s.cmd.Process.Kill()
	<-s.ended
	_ = s.cmd.Wait()
}

var errSlow = errors.New("no answer in time")

// call sends a request and waits for its answer.
func (s *fileServer) call(limit time.Duration, method string, params any) (map[string]any, error) {
	s.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	late := time.After(limit)
	for {
		select {
		case m := <-s.answers:
			if m["id"] != float64(s.id) {
				continue
			}
			if r, ok := m["result"].(map[string]any); ok {
				return r, nil
			}
			return nil, fmt.Errorf("%s: %v", method, m["error"])
		case <-s.ended:
			return nil, io.ErrUnexpectedEOF
		case <-late:
			return nil, errSlow
		}
	}
}

// toolFile is an open SERVER/tools/NAME: what is written is one call, what is read its result.
type toolFile struct {
	s      *fileServer
	name   string
	args   []byte
	result *strings.Reader
}

// open opens a tool.
func (h *fileHost) open(path string) (*toolFile, error) {
	server, name, ok := strings.Cut(path, "/tools/")
	s := h.servers[server]
	if !ok || s == nil || !slices.Contains(s.tools, name) {
		return nil, fmt.Errorf("open %s: no such file", path)
	}
	return &toolFile{s: s, name: name}, nil
}

// Write implements io.Writer.
func (f *toolFile) Write(b []byte) (int, error) {
	f.args = append(f.args, b...)
	return len(b), nil
}

// Read implements io.Reader.
func (f *toolFile) Read(b []byte) (int, error) {
	if f.result == nil {
		r, err := f.s.call(time.Minute, "tools/call", map[string]any{"name": f.name, "arguments": json.RawMessage(f.args)})
		if err != nil {
			return 0, err
		}
		text, err := json.Marshal(r)
		if err != nil {
			return 0, err
		}
		f.result = strings.NewReader(string(text))
	}
	return f.result.Read(b)
}

// use writes the arguments of a call, in pieces, and reads the result.
func (h *fileHost) use(path, args string) (string, error) {
	f, err := h.open(path)
	if err != nil {
		return "", err
	}
	for len(args) > 0 {
		n := min(7, len(args))
		if _, err := io.WriteString(f, args[:n]); err != nil {
			return "", err
		}
		args = args[n:]
	}
	result, err := io.ReadAll(f)
	return string(result), err
}

// resources lists SERVER/resources.
func (h *fileHost) resources(server string) (uris []string, err error) {
	r, err := h.servers[server].call(time.Minute, "resources/list", map[string]any{})
	if err != nil {
		return nil, err
	}
	for _, x := range r["resources"].([]any) {
		uris = append(uris, x.(map[string]any)["uri"].(string))
	}
	return uris, nil
}

// read reads SERVER/resources/URI.
func (h *fileHost) read(server, uri string) (string, error) {
	r, err := h.servers[server].call(time.Minute, "resources/read", map[string]any{"uri": uri})
	if err != nil {
		return "", err
	}
	return r["contents"].([]any)[0].(map[string]any)["text"].(string), nil
}

// patiently connects as often as a busy machine needs: that the answer can come within the
// limit is what counts, and with an index to be made it could not if it waited for that.
func (h *fileHost) patiently(t *testing.T, name string, argv ...string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		err := h.connect(name, argv...)
		if err == nil {
			return
		}
		if !errors.Is(err, errSlow) || time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// TestFileLikeHost plays such a host: on a tree without index, over a crash in the middle of
// a call, and beside servers that do not come up.
func TestFileLikeHost(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Setenv("CODEGRAPH_HOME", t.TempDir())
	root := t.TempDir()
	copies(t, root, 12)
	h := &fileHost{servers: map[string]*fileServer{}}
	t.Cleanup(func() {
		for _, s := range h.servers {
			s.drop()
		}
	})
	argv := []string{programPath(t), "mcp", "-C", root}
	h.patiently(t, "code", argv...)
	if got, err := h.use("code/tools/read_discover", `{"query": "memory.go", "limit": 3}`); err != nil || !strings.Contains(got, "go/store/memory.go") {
		t.Errorf("read_discover: %v %s", err, got)
	}
	uris, err := h.resources("code")
	if err != nil || !slices.Contains(uris, "codegraph://overview") {
		t.Errorf("resources: %v %v", err, uris)
	}
	file := uris[len(uris)-1]
	if text, err := h.read("code", file); err != nil || text == "" {
		t.Errorf("%s: %v %q", file, err, text)
	}

	// A crash: the call ends with an error, and a new server goes on where the old one was.
	f, err := h.open("code/tools/codebase_explore")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, `{"query": "copy3/go/store/memory.go#Memory.Put", "focus": "callers"}`); err != nil {
		t.Fatal(err)
	}
	if err := f.s.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // so that the answer cannot be faster
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() { _ = f.s.cmd.Process.Kill() })
	if got, err := io.ReadAll(f); err == nil {
		t.Errorf("a server that crashed in the middle of a call has answered it: %s", got)
	}
	h.patiently(t, "code", argv...)
	got := ""
	for end := time.Now().Add(time.Minute); !strings.Contains(got, "call sites") && time.Now().Before(end); {
		if got, err = h.use("code/tools/codebase_explore", `{"query": "copy3/go/store/memory.go#Memory.Put", "focus": "callers"}`); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(got, "call sites") || !strings.Contains(got, "TestPut") {
		t.Errorf("after a crash: %s", got)
	}

	// Servers that do not come up leave nothing, and the one that is up as it was.
	for _, bad := range [][]string{{"false"}, {"sleep", "600"}, {filepath.Join(root, "none")}, {"cat"}} {
		if err := h.connect("bad", bad...); err == nil {
			t.Errorf("%v: connected", bad)
		}
		if err := h.connect("code", bad...); err == nil {
			t.Errorf("%v: connected", bad)
		}
	}
	if len(h.servers) != 1 {
		t.Errorf("servers: %v", h.servers)
	}
	if got, err := h.use("code/tools/grep", `{"pattern": "ErrMissing", "limit": 1}`); err != nil || !strings.Contains(got, "ErrMissing") {
		t.Errorf("after failures: %v %s", err, got)
	}
}
