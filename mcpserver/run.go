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
	return s.RunAs(ctx, session, in, out)
}

// RunAs serves one connection as Run does, as a part of a session, which begins the ids of
// its calls.
func (s *Server) RunAs(ctx context.Context, session string, in io.Reader, out io.Writer) error {
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
	c.unwatched()
	c.out.signal()
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
		line, ended := c.next(c.out)
		if ended {
			return nil
		}
		if line == nil {
			<-c.out.wake
			continue
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write message: %w", err)
		}
	}
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
