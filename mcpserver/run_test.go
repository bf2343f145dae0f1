package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestProgressPrecedesItsResult(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{}).open()
	for _, token := range []string{`"p"`, `12345678901234567890`} {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"step","_meta":{"progressToken":%s}}}`, token)
		last := -1.0
		for {
			m := c.next()
			if m["method"] != "notifications/progress" {
				if m["id"] != 1.0 {
					t.Fatalf("got %v, want the result", m)
				}
				break
			}
			p := m["params"].(map[string]any)
			if done := p["progress"].(float64); done <= last || p["total"] != 3.0 {
				t.Errorf("progress %v after %v", p, last)
			} else {
				last = done
			}
		}
		if last != 3 {
			t.Errorf("progress ended at %v, want 3", last)
		}
		late := <-f.keep
		Progress(late, 4, 4, "after the result")
	}
	c.silent()
}

func TestProgressOnlyWhereWanted(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{}).open()
	for i, meta := range []string{`{}`, `{"progressToken":null}`, `{"progressToken":{}}`} {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"step","_meta":%s}}`, i, meta)
		if m := c.next(); m["id"] != float64(i) {
			t.Errorf("with _meta %s got %v", meta, m)
		}
	}
	Progress(t.Context(), 1, 2, "outside a call")
}

func TestCancelEndsACall(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{}).open()
	for _, id := range []string{`7`, `"seven"`, `7.0`} {
		c.send(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"wait"}}`, id)
		<-f.started
		began := time.Now()
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
		if cause := <-f.ended; !errors.Is(cause, errCancelled) {
			t.Errorf("the cause is %v", cause)
		}
		if took := time.Since(began); took > patience {
			t.Errorf("the context ended after %v", took)
		}
		c.silent()
	}
}

func TestCancelBeforeACallRuns(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{Parallel: 1}).open()
	c.call(1, "deaf", `{}`)
	<-f.started
	c.call(2, "wait", `{}`)
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	c.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if m := c.next(); m["id"] != 3.0 {
		t.Fatalf("got %v, want the pong", m)
	}
	close(f.release)
	if m := c.next(); m["id"] != 1.0 {
		t.Fatalf("got %v, want the result of the first call", m)
	}
	c.silent()
	if len(f.started) > 0 {
		t.Error("a cancelled call has run")
	}
}

func TestIDInUse(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{}).open()
	c.call(1, "deaf", `{}`)
	<-f.started
	c.call(1, "find", `{"pattern":"x"}`)
	if m := c.next(); m["error"] == nil {
		t.Fatalf("got %v, want a refusal", m)
	}
	close(f.release)
	if m := c.next(); m["id"] != 1.0 || m["result"] == nil {
		t.Fatalf("got %v, want the result", m)
	}
	c.call(1, "find", `{"pattern":"x"}`)
	if m := c.next(); m["result"] == nil {
		t.Fatalf("got %v, want the result of a free id", m)
	}
}

func TestLongLines(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{MaxLine: 2 << 20}).open()
	for i, size := range []int{1 << 20, 3 << 20, 100} {
		c.call(i, "find", fmt.Sprintf(`{"pattern":"x","cursor":%q}`, strings.Repeat("y", size)))
		m := c.next()
		if m["id"] != float64(i) {
			t.Fatalf("got id %v, want %d", m["id"], i)
		}
		if e, ok := m["error"].(map[string]any); ok != (i == 1) {
			t.Fatalf("%d bytes: error %v", size, e)
		} else if ok && !strings.Contains(e["message"].(string), "limit") {
			t.Errorf("the message is %v", e["message"])
		}
	}
}

func TestCallsAreBounded(t *testing.T) {
	var running, most atomic.Int32
	gate := make(chan struct{})
	tool := Typed(Tool{Name: "gate", Description: "Waits."}, func(context.Context, emptyParams) (doneResult, string, error) {
		n := running.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		<-gate
		running.Add(-1)
		return doneResult{true}, "", nil
	})
	c := start(t, []Tool{tool}, Info{Parallel: 3}).open()
	for i := range 20 {
		c.call(i, "gate", `{}`)
	}
	c.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}`)
	if m := c.next(); m["id"] != "p" { // a full house does not make the server deaf
		t.Fatalf("got %v", m)
	}
	close(gate)
	for range 20 {
		c.next()
	}
	if most.Load() > 3 {
		t.Errorf("%d calls ran at a time, want 3", most.Load())
	}
}

func TestTooManyRequests(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{}).open()
	for i := range maxInflight + 1 {
		c.call(i, "deaf", `{}`)
	}
	if m := c.next(); m["id"] != float64(maxInflight) || m["error"] == nil {
		t.Fatalf("got %v, want a refusal of the last", m)
	}
	close(f.release)
	for range maxInflight {
		c.next()
	}
}

func TestEndOfInput(t *testing.T) {
	t.Run("idle", func(t *testing.T) {
		c := start(t, newFakes().tools(), Info{})
		if took := c.finish(); took > patience {
			t.Errorf("Run returned after %v", took)
		}
	})
	t.Run("cancels", func(t *testing.T) {
		f := newFakes()
		c := start(t, f.tools(), Info{}).open()
		c.call(1, "wait", `{}`)
		<-f.started
		if took := c.finish(); took > patience {
			t.Errorf("Run returned after %v", took)
		}
		if cause := <-f.ended; !errors.Is(cause, errEnded) {
			t.Errorf("the cause is %v", cause)
		}
		if m, ok := <-c.got; ok {
			t.Errorf("a cancelled call was answered: %v", m)
		}
	})
	t.Run("deaf tool", func(t *testing.T) {
		f := newFakes()
		defer close(f.release)
		c := start(t, f.tools(), Info{}).open()
		c.call(1, "deaf", `{}`)
		<-f.started
		if took := c.finish(); took > patience {
			t.Errorf("Run returned after %v", took)
		}
	})
	t.Run("answers what is quick", func(t *testing.T) {
		f := newFakes()
		s, err := New(f.tools(), Info{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\r\n\n" +
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find","arguments":{"pattern":"x"}}}`
		if err := s.Run(t.Context(), strings.NewReader("\xef\xbb\xbf"+in), &out); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(out.String(), "\n"); len(lines) != 3 || !strings.Contains(lines[1], `"id":2`) {
			t.Errorf("got %q", lines)
		}
	})
}

func TestOutputIsGone(t *testing.T) {
	f := newFakes()
	c := start(t, f.tools(), Info{}).open()
	c.call(1, "wait", `{}`)
	<-f.started
	c.out.Close()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	select {
	case err := <-c.done:
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Run: %v", err)
		}
	case <-time.After(2 * time.Second):
		t.Fatal("Run goes on without an output")
	}
	if cause := <-f.ended; cause == nil {
		t.Error("the call was not cancelled")
	}
}

// stuck is an output that nobody reads.
type stuck struct{ free chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	<-s.free
	return len(p), nil
}

func TestNobodyReads(t *testing.T) {
	s, err := New(newFakes().tools(), Info{})
	if err != nil {
		t.Fatal(err)
	}
	out := stuck{make(chan struct{})}
	defer close(out.free)
	in, send := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context(), in, out) }()
	for i := range 300 {
		fmt.Fprintf(send, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
	}
	began := time.Now()
	send.Close()
	if err := <-done; err != nil || time.Since(began) > patience {
		t.Errorf("Run returned %v after %v", err, time.Since(began))
	}
}

func TestNobodyReadsForLong(t *testing.T) {
	s, err := New(newFakes().tools(), Info{})
	if err != nil {
		t.Fatal(err)
	}
	out := stuck{make(chan struct{})}
	defer close(out.free)
	in, send := io.Pipe()
	defer send.Close()
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context(), in, out) }()
	go func() {
		for i := 0; i < 3*maxQueue; i++ {
			if _, err := fmt.Fprintln(send, "nonsense"); err != nil {
				return
			}
		}
	}()
	if err := <-done; !errors.Is(err, errUnread) {
		t.Errorf("Run: %v", err)
	}
}

func TestContextEnds(t *testing.T) {
	f := newFakes()
	s, err := New(f.tools(), Info{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	in, send := io.Pipe()
	defer send.Close()
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, in, io.Discard) }()
	fmt.Fprintln(send, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	fmt.Fprintln(send, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wait"}}`)
	<-f.started
	signal := errors.New("told to stop")
	cancel(signal)
	if err := <-done; !errors.Is(err, signal) {
		t.Errorf("Run: %v", err)
	}
	if cause := <-f.ended; !errors.Is(cause, signal) {
		t.Errorf("the cause is %v", cause)
	}
}

// syncBuffer is a log that goroutines may share.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestTroubleGoesToTheLog(t *testing.T) {
	var log syncBuffer
	c := start(t, newFakes().tools(), Info{Log: slog.New(slog.NewTextHandler(&log, nil))}).open()
	c.call(1, "panic", `{}`)
	if s := canonical(c.next()); strings.Contains(s, "ouch") || strings.Contains(s, "goroutine") {
		t.Errorf("the caller sees %s", s)
	}
	c.call(2, "break", `{}`)
	if s := canonical(c.next()); strings.Contains(s, "secret") || strings.Contains(s, "second line") {
		t.Errorf("the caller sees %s", s)
	}
	for _, want := range []string{"ouch", "goroutine", "/root/secret/place/state.db"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
}

func TestCallID(t *testing.T) {
	tool := Typed(Tool{Name: "id", Description: "Tells its id."}, func(ctx context.Context, _ emptyParams) (doneResult, string, error) {
		return doneResult{}, CallID(ctx), nil
	})
	c := start(t, []Tool{tool}, Info{Session: "abc"}).open()
	for meta, want := range map[string]string{`{}`: "abc/5", `{"toolCallId":"mine"}`: "mine"} {
		c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"id","_meta":%s}}`, meta)
		if s := canonical(c.next()); !strings.Contains(s, `"`+want+`"`) {
			t.Errorf("with _meta %s got %s, want %s", meta, s, want)
		}
	}
	if id := CallID(t.Context()); id != "" {
		t.Errorf("outside a call the id is %q", id)
	}
}

// TestNothingIsLeft runs connections of every kind and counts goroutines.
func TestNothingIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	s, err := New(newFakes().tools(), Info{})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n"
		for i := range 30 {
			in += fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"tools/call","params":{"name":"find","arguments":{"pattern":"x"}}}`+"\n", i)
		}
		in += `{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"wait"}}` + "\n"
		in += `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}`
		if err := s.Run(t.Context(), strings.NewReader(in), io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(2 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, before %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestUnreadAnswersTakeRoom has a client ask much and read nothing: no more calls run than may at
// once, and all are answered when it reads.
func TestUnreadAnswersTakeRoom(t *testing.T) {
	const parallel, asked = 4, 60
	var ran atomic.Int64
	big := Typed(Tool{Name: "big", Title: "Big", Description: "Answers at length."}, func(context.Context, struct{}) (struct{}, string, error) {
		ran.Add(1)
		return struct{}{}, strings.Repeat("x", 64<<10), nil
	})
	c := unread(t, []Tool{big}, Info{Parallel: parallel})
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`)
	for id := range asked {
		c.call(id+1, "big", `{}`)
	}
	for end := time.Now().Add(30 * time.Second); ran.Load() < parallel && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // for those that should not
	if n := ran.Load(); n != parallel {
		t.Errorf("%d calls ran, though no answer was read; want %d", n, parallel)
	}
	go c.listen()
	for range asked + 1 {
		if m := c.next(); m["error"] != nil {
			t.Errorf("got %v", m)
		}
	}
}
