package main

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestEndInFirstIndex ends the daemon in each way while it makes the first index and a client
// waits for that. It ends, the client is served by the next one, and nothing is lost.
func TestEndInFirstIndex(t *testing.T) {
	d := newDen(t, "1m")
	copies(t, d.root, 24)
	for i := range 16 { // each takes a quarter of a second, which cannot be cut short
		lines := strings.Repeat("\ta = f(a+1, b*a) - a\n", 15000)
		text := fmt.Sprintf("package big%d\n\nfunc f(a, b int) int {\n%s\treturn a\n}\n", i, lines)
		if err := os.WriteFile(filepath.Join(d.root, fmt.Sprintf("big%d.go", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	signal.Ignore(os.Interrupt, syscall.SIGHUP) // as a shell has what it runs in the background
	defer signal.Reset(os.Interrupt, syscall.SIGHUP)
	c := d.talk(`{}`, "-C", d.root)
	stop := func(int) { d.try("daemon", "stop") }
	by := func(s syscall.Signal) func(int) { return func(pid int) { signalTo(t, pid, s) } }
	for id, end := range []func(pid int){stop, by(syscall.SIGTERM), by(syscall.SIGINT), by(syscall.SIGHUP)} {
		c.call(id, "grep", `{"pattern":"ErrMissing"}`)
		d.indexing()
		pid := d.daemonPID()
		end(pid)
		d.gone(pid)
		c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
	}
	if log := d.log(); strings.Count(log, "did not") > 3 { // a busy machine may keep one from ending in time
		t.Errorf("it never ended well:\n%s", log)
	}
	c.call(9, "grep", `{"pattern":"ErrMissing"}`)
	m := c.hear()
	for m.ID != 9.0 { // answers to calls that were cancelled too late
		m = c.hear()
	}
	if m.Result.StructuredContent.Total == 0 {
		t.Errorf("got %+v", m)
	}
	_, got, _ := d.try("export", "--format", "dump")
	if want := output(t, t.TempDir(), "export", "--format", "dump", "-C", d.root, "--daemon=off"); got != want {
		t.Errorf("the dump has %d bytes and differs from a fresh index's, which has %d", len(got), len(want))
	}
}

// indexing waits until the daemon makes an index.
func (d *den) indexing() {
	d.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		_, out, _ := d.try("daemon", "status")
		if strings.Contains(out, "the index is brought up to date") {
			return
		}
		if time.Now().After(end) {
			d.Fatalf("no index is made: %s", out)
		}
	}
}

// gone waits until a process is no more.
func (d *den) gone(pid int) {
	d.Helper()
	for end := time.Now().Add(30 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			d.Fatalf("the process %d lives on:\n%s", pid, d.log())
		}
	}
}
