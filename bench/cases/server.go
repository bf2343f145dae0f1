package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// server is one `codegraph mcp` process with pipes on its standard input and output.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	errors *os.File
	done   chan struct{}   // closed when the process has ended
	over   <-chan struct{} // closed when the time of the case is over

	mu    sync.Mutex // guards lines
	lines []string
	more  chan struct{} // receives when a line came
}

// message is one JSON-RPC message of a server.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// serve starts a server on root, which is taken from the session's root on if relative.
func (s *session) serve(root string, env ...string) (*server, error) {
	s.trace("mcp -C %s", root)
	cmd := s.command("", []string{"mcp", "-C", root}, env...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	defer w.Close()
	errs, err := os.CreateTemp(s.dir, "stderr")
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	cmd.Stdout, cmd.Stderr = w, errs
	v := &server{cmd: cmd, in: stdin, out: r, errors: errs, done: make(chan struct{}), over: s.ctx.Done(), more: make(chan struct{}, 1)}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	go v.read()
	go func() {
		_ = cmd.Wait() // the state is read from ProcessState
		close(v.done)
	}()
	return v, nil
}

// read collects lines of any length until the pipe ends or is closed.
func (v *server) read() {
	in := bufio.NewReader(v.out)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			v.mu.Lock()
			v.lines = append(v.lines, strings.TrimSuffix(line, "\n"))
			v.mu.Unlock()
			select {
			case v.more <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// send writes one line; a server that has stopped reading gets 30 seconds.
func (v *server) send(line string) error {
	wrote := make(chan error, 1)
	go func() {
		_, err := io.WriteString(v.in, strings.TrimRight(line, "\n")+"\n")
		wrote <- err
	}()
	select {
	case err := <-wrote:
		if err != nil {
			return fmt.Errorf("write to the server: %w", err)
		}
		return nil
	case <-time.After(30 * time.Second):
		return fmt.Errorf("write to the server: it reads nothing for 30 s")
	}
}

// output is the lines that came so far.
func (v *server) output() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]string(nil), v.lines...)
}

// responses maps the id of each response that came to its line.
func (v *server) responses() map[string]string {
	out := map[string]string{}
	for _, line := range v.output() {
		var m message
		if json.Unmarshal([]byte(line), &m) == nil && m.Method == "" && len(m.ID) > 0 {
			out[string(m.ID)] = line
		}
	}
	return out
}

// await waits for the response to id.
func (v *server) await(id string, limit time.Duration) (string, bool) {
	deadline := time.After(limit)
	ended := v.done
	for {
		if line, ok := v.responses()[id]; ok {
			return line, true
		}
		select {
		case <-v.more:
		case <-ended:
			ended = nil
			time.Sleep(50 * time.Millisecond) // what is still in the pipe
			if line, ok := v.responses()[id]; ok {
				return line, true
			}
			return "", false
		case <-deadline:
			return "", false
		case <-v.over:
			return "", false
		}
	}
}

// end waits for the process to end by itself and kills it when it does not.
func (v *server) end(limit time.Duration) (byItself bool) {
	select {
	case <-v.done:
		byItself = true
	case <-time.After(limit):
		_ = v.cmd.Process.Kill()
		<-v.done
	}
	return byItself
}

// stop closes the pipes and makes sure that the process is gone.
func (v *server) stop() {
	_ = v.in.Close()
	v.end(5 * time.Second)
	_ = v.out.Close()
	_ = v.errors.Close()
}

// stderr is what the server wrote to standard error.
func (v *server) stderr() string {
	data, _ := os.ReadFile(v.errors.Name())
	return string(data)
}

// hello is the opening that every client sends.
const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"probe","version":"0"}}}`

// open sends the opening and waits until the server has answered it.
func (v *server) open() error {
	if err := v.send(hello); err != nil {
		return err
	}
	if _, ok := v.await(`"hello"`, 30*time.Second); !ok {
		return fmt.Errorf("no answer to initialize: %s", firstLine(v.stderr()))
	}
	return v.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// callTool asks for one tool call and returns the structured content of its result.
func (v *server) callTool(id, tool string, arguments fields) (document, error) {
	line, err := callLine(id, tool, arguments)
	if err != nil {
		return document{}, err
	}
	if err := v.send(line); err != nil {
		return document{}, err
	}
	raw, ok := v.await(id, 30*time.Second)
	if !ok {
		return document{}, fmt.Errorf("no answer to %s in 30 s: %s", tool, firstLine(v.stderr()))
	}
	var m struct {
		Result struct {
			StructuredContent document `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(raw), &m); err != nil {
		return document{}, fmt.Errorf("read answer to %s: %w", tool, err)
	}
	return m.Result.StructuredContent, nil
}

// callLine is a tools/call request.
func callLine(id, tool string, arguments fields) (string, error) {
	if arguments == nil {
		arguments = fields{}
	}
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	if err != nil {
		return "", fmt.Errorf("write call: %w", err)
	}
	return string(data), nil
}

// editsByHost lets the MCP client answer for approvals, where the workspace has no say of
// its own: there is nobody to ask in a test.
func (s *session) editsByHost() error {
	path := filepath.Join(s.root, ".codegraph.yaml")
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := os.WriteFile(path, []byte("edits: host\n"), 0o644); err != nil {
		return fmt.Errorf("allow edits: %w", err)
	}
	return nil
}
