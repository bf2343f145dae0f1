package mcpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// How long the end of a connection may take: calls that end by themselves within
// endGrace are still answered, for the sake of a pipe that closes after its last line;
// the rest are cancelled and have endPatience to stop.
const (
	endGrace    = 250 * time.Millisecond
	endPatience = 400 * time.Millisecond
)

// Run serves one connection: messages from in, one a line, answers to out. Only Run
// writes to out, a line with each Write.
//
// It returns nil at the end of the input, the context's cause when ctx ends, and the
// error otherwise when reading or writing fails; in each case within a second, with all
// calls cancelled. A tool that does not heed its context, a Read and a Write that do not
// return are left behind: end the process or close in and out.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	session := s.info.Session
	if session == "" {
		session = rand.Text()[:8]
	}
	c := newConn(ctx, s, session)
	defer c.cancel(errEnded)

	read, written := make(chan error, 1), make(chan error, 1)
	go func() { read <- c.read(newLines(in, s.info.MaxLine)) }()
	go func() { written <- c.write(out) }()

	select {
	case err := <-read:
		c.close()
		c.wait(written, endGrace)
		c.abortAll(errEnded)
		if lost := c.wait(written, endPatience); err == nil {
			return lost
		}
		return err
	case err := <-written:
		c.abortAll(errEnded)
		unblock(in)
		c.wait(nil, endPatience)
		return err
	case <-c.ctx.Done():
		err := context.Cause(c.ctx)
		c.abortAll(err)
		unblock(in)
		c.wait(written, endPatience)
		return err
	}
}

// close takes no more messages. The writer ends when the queue is empty and no call is
// in flight.
func (c *conn) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.signal()
}

// wait waits for the calls and the writer to end, for the given time at most. The error
// is the writer's.
func (c *conn) wait(written chan error, patience time.Duration) error {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	idle := make(chan struct{})
	go func() {
		c.calls.Wait()
		close(idle)
	}()
	var lost error
	for idle != nil || written != nil {
		select {
		case <-idle:
			idle = nil
		case lost = <-written:
			written <- lost // for the next wait
			written = nil
			if lost != nil {
				return lost
			}
		case <-timeout.C:
			return lost
		}
	}
	return lost
}

// write writes what is queued, until the connection has ended.
func (c *conn) write(out io.Writer) error {
	for {
		line, ended := c.next()
		if ended {
			return nil
		}
		if line == nil {
			<-c.wake
			continue
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write message: %w", err)
		}
	}
}

// next takes the next line from the queue; it is nil if there is none yet.
func (c *conn) next() (line []byte, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) > 0 {
		i := c.queue[0]
		c.queue[0] = item{}
		c.queue = c.queue[1:]
		if line := c.line(i); line != nil {
			return line, false
		}
	}
	return nil, c.closed && len(c.inflight) == 0
}

// line is what an item of the queue puts on the wire: nil if its calls were cancelled.
// An answered call is no longer in flight from then on.
func (c *conn) line(i item) []byte {
	switch {
	case i.batch != nil:
		var all []byte
		for _, k := range i.batch.calls {
			if answer := c.hand(k); answer != nil {
				all = append(append(all, ','), answer...)
			}
		}
		if all == nil {
			return nil
		}
		all[0] = '['
		return append(all, ']')
	case i.call == nil:
		return i.line
	case i.call.state == cancelled:
		return nil
	case i.line != nil:
		return i.line
	default:
		return c.hand(i.call)
	}
}

// hand gives a call's answer to the writer: nil if it was cancelled.
func (c *conn) hand(k *call) []byte {
	if k.state == answered && c.inflight[k.key] == k {
		delete(c.inflight, k.key)
	}
	return k.answer
}

// endOfInput makes nil of the errors by which an input ends without fault.
func endOfInput(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) || errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return fmt.Errorf("read message: %w", err)
}

// unblock ends a Read that waits, where the input has deadlines.
func unblock(in io.Reader) {
	if d, ok := in.(interface{ SetReadDeadline(time.Time) error }); ok {
		_ = d.SetReadDeadline(time.Unix(1, 0)) // without, the reader ends with its next line
	}
}
