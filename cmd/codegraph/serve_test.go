package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// served runs `codegraph serve` until the end of the test, and returns where it is.
func served(t *testing.T, args ...string) (url string) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	out, told := io.Pipe()
	done := make(chan int, 1)
	var errOut bytes.Buffer
	go func() {
		done <- run(ctx, append([]string{"serve", "--http", "127.0.0.1:0"}, args...), strings.NewReader(""), told, &errOut)
		_ = told.Close()
	}()
	t.Cleanup(func() {
		end()
		select {
		case code := <-done:
			if code != exitDone {
				t.Errorf("serve exited with %d: %s", code, errOut.String())
			}
		case <-time.After(30 * time.Second):
			t.Error("serve does not end")
		}
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v, exit code %d: %s", err, <-done, errOut.String())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(url)
}

// post sends a message and returns the answer, and the session's id if it begins one.
func post(t *testing.T, url, session, token, body string) (status int, text, id string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json") // and no stream
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	b, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(b), got.Header.Get("Mcp-Session-Id")
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`

func TestServeHTTP(t *testing.T) {
	root := project(t)
	url := served(t, "-C", root)
	_, _, session := post(t, url, "", "", hello)
	if session == "" {
		t.Fatal("there is no session")
	}
	for _, c := range []struct{ tool, args, want string }{
		{"grep", `{"pattern":"var ErrMissing"}`, `go/store/store.go`},
		{"read_open", `{"target":"Memory.Put"}`, `func (m *Memory) Put`},
		{"write_file", `{"path":"new.txt","content":"x"}`, `"state":"required"`},
	} {
		status, text, _ := post(t, url, session, "", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+c.tool+`","arguments":`+c.args+`}}`)
		if status != http.StatusOK || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %.400s, want %s", c.tool, status, text, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "new.txt")); err == nil {
		t.Error("a file was written that nobody approved")
	}
}

func TestServeToken(t *testing.T) {
	root := project(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("0123456789abcdef0123\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := served(t, "-C", root, "--token-file", file)
	for token, want := range map[string]int{"": 401, "0123456789abcdef0124": 401, "0123456789abcdef0123": 200} {
		if status, text, _ := post(t, url, "", token, hello); status != want {
			t.Errorf("with the token %q: %d %s, want %d", token, status, text, want)
		}
	}
}

func TestServeRefuses(t *testing.T) {
	root := project(t)
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ args, want string }{
		{"", "needs an address"},
		{"--http 8080", "no HOST:PORT"},
		{"--http :0", "others could reach"},
		{"--http 0.0.0.0:0", "others could reach"},
		{"--http [::]:0", "others could reach"},
		{"--http example.com:0", "others could reach"},
		{"--http 127.0.0.1:99999", "invalid port"},
		{"--http 127.0.0.1:0 --token-file " + filepath.Join(dir, "none"), "cannot be read"},
		{"--http 127.0.0.1:0 --token-file " + dir, "others can read"},
		{"--http 127.0.0.1:0 --token-file " + file("open", strings.Repeat("x", 40), 0o644), "chmod 600"},
		{"--http 127.0.0.1:0 --token-file " + file("short", "secret", 0o600), "at least 16"},
		{"--http 127.0.0.1:0 --token-file " + file("words", "one two three four five", 0o600), "no word"},
		{"--http 127.0.0.1:0 extra", "takes no arguments"},
	} {
		code, out, errOut := call(t, append([]string{"serve", "-C", root}, strings.Fields(c.args)...)...)
		if code != exitTrouble || !strings.Contains(errOut, c.want) || out != "" {
			t.Errorf("serve %s: %d %q %q, want %q", c.args, code, out, errOut, c.want)
		}
	}
}
