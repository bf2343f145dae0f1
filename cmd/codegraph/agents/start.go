package agents

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Check is what came of starting the server as an agent would.
type Check struct {
	Handshake int64    `json:"handshake_ms"` // from the start of the process to the answer to initialize
	Tools     []string `json:"tools"`
	Answer    string   `json:"answer"` // the first line of what read_discover said
	Failure   string   `json:"failure,omitempty"`

	err error
}

// Err is why the server did not do its work, or nil.
func (c *Check) Err() error { return c.err }

// checkTime is how long the server has for all of it.
const checkTime = 30 * time.Second

// Start starts the server of an entry in an empty project, shakes hands, lists the tools and
// calls read_discover. What it makes of state is thrown away.
func Start(ctx context.Context, s Server) *Check {
	c := &Check{Tools: []string{}}
	c.err = c.run(ctx, s)
	if c.err != nil {
		c.err = fmt.Errorf("start the server as the agent would: %w", c.err)
		c.Failure = c.err.Error()
	}
	return c
}

func (c *Check) run(ctx context.Context, s Server) (err error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	dir, err := os.MkdirTemp("", "codegraph-check-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	work := filepath.Join(dir, "project")
	if err := os.Mkdir(work, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "hello.txt"), []byte("hello\n"), 0o600); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, expand(s.Command, work), s.Args...)
	for i := 1; i < len(cmd.Args); i++ {
		cmd.Args[i] = expand(cmd.Args[i], work)
	}
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "CODEGRAPH_HOME="+filepath.Join(dir, "state"), "CODEGRAPH_DAEMON=off")
	for k, v := range s.Env {
		cmd.Env = append(cmd.Env, k+"="+expand(v, work))
	}
	return c.talk(cmd)
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// expand fills in what an agent would: the folder it works in, and the environment.
func expand(s, work string) string {
	return variable.ReplaceAllStringFunc(strings.ReplaceAll(s, "${workspaceFolder}", work), func(v string) string { return os.Getenv(v[2 : len(v)-1]) })
}

// talk runs the conversation.
func (c *Check) talk(cmd *exec.Cmd) error {
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	p := peer{in: in, out: bufio.NewReader(out)}
	err = c.converse(&p, begin)
	_ = in.Close()
	if err != nil {
		_ = cmd.Process.Kill()
	}
	ended := cmd.Wait()
	if err == nil && ended != nil {
		err = fmt.Errorf("it ended badly: %w", ended)
	}
	if err != nil && said.Len() > 0 {
		err = fmt.Errorf("%w (it said: %s)", err, strings.TrimSpace(said.String()))
	}
	return err
}

func (c *Check) converse(p *peer, begin time.Time) error {
	if err := p.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "codegraph-install", "version": "1"}}, nil); err != nil {
		return err
	}
	c.Handshake = time.Since(begin).Milliseconds()
	if err := p.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return err
	}
	var list struct{ Tools []struct{ Name string } }
	if err := p.call("tools/list", map[string]any{}, &list); err != nil {
		return err
	}
	for _, t := range list.Tools {
		c.Tools = append(c.Tools, t.Name)
	}
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := p.call("tools/call", map[string]any{"name": "read_discover", "arguments": map[string]any{}}, &result); err != nil {
		return err
	}
	if len(result.Content) > 0 {
		c.Answer, _, _ = strings.Cut(result.Content[0].Text, "\n")
	}
	if result.IsError || len(result.Content) == 0 {
		return fmt.Errorf("read_discover failed: %s", c.Answer)
	}
	return nil
}

// peer is the other end of a conversation, one line a message.
type peer struct {
	in  io.Writer
	out *bufio.Reader
	id  int
}

func (p *peer) send(message map[string]any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = p.in.Write(append(line, '\n'))
	return err
}

// call sends a request and waits for its result.
func (p *peer) call(method string, params map[string]any, result any) error {
	p.id++
	if err := p.send(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%s: no answer: %w", method, err)
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return fmt.Errorf("%s: the answer is no JSON: %w", method, err)
		}
		switch {
		case m.ID != p.id: // a notice
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(m.Result, result)
		}
	}
}
