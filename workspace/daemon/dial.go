package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// The ways in which a client does not get a connection.
var (
	// ErrNone: no daemon answers at the place.
	ErrNone = errors.New("no daemon answers")
	// ErrScene: the daemon's surroundings are not the client's, so its answers may differ.
	ErrScene = errors.New("the daemon was started in other surroundings (home or configuration folder, git's variables)")

	errOlder   = errors.New("the daemon is older")
	errRefused = errors.New("the daemon takes nobody now")
)

// Conn is a connection after its greeting. A Write is a line or several, whole: lines of the
// daemon itself go between.
type Conn struct {
	net.Conn
	Hello    Hello
	Greeting Greeting
	r        *bufio.Reader

	mu sync.Mutex // one Write at a time
	at func()     // told of bytes that come or go; may be nil
}

// Read implements net.Conn.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.at != nil && n > 0 {
		c.at()
	}
	return n, err
}

// Write implements net.Conn.
func (c *Conn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at != nil {
		c.at()
	}
	return c.Conn.Write(b)
}

// Dial connects to the daemon of the place, if there is one, and greets it.
func (p *Place) Dial(ctx context.Context, h Hello) (*Conn, error) {
	c, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	h.Protocol, h.PID = Protocol, os.Getpid()
	if h.Folder = identityAt(p.Root); h.Folder == "" {
		_ = c.Close()
		return nil, fmt.Errorf("dial daemon: %w", os.ErrNotExist)
	}
	out := &Conn{Conn: c, Hello: h, r: bufio.NewReader(c)}
	_ = c.SetDeadline(time.Now().Add(greetFor))
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })()
	if err = send(c, h); err == nil {
		err = receive(out.r, &out.Greeting)
	}
	if err == nil {
		err = out.judge()
	} else if ctx.Err() != nil {
		err = ctx.Err()
	} else if closed(err) {
		err = fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return out, c.SetDeadline(time.Time{})
}

// judge reports why a daemon is not for this client.
func (c *Conn) judge() error {
	switch g := c.Greeting; {
	case c.Hello.Verb == Serve && c.Hello.newer(g.Self):
		return errOlder
	case g.Refused != "":
		return fmt.Errorf("%w: %s", errRefused, g.Refused)
	case c.Hello.Verb == Serve && c.Hello.Scene != g.Scene:
		return ErrScene
	}
	return nil
}

// closed reports whether an error says that the other end went away.
func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// dial connects to the socket of the place, or to the one that the record in the state folder
// names: that daemon was started by a program that sees another run folder.
func (p *Place) dial(ctx context.Context) (*net.UnixConn, error) {
	c, err := dialSocket(ctx, p.Socket())
	if err == nil || ctx.Err() != nil {
		return c, err
	}
	if r := readRecord(p.pointer()); r != nil && r.Root == p.Root && r.Socket != p.Socket() {
		if c, err := dialSocket(ctx, r.Socket); err == nil {
			return c, nil
		}
	}
	return nil, err
}

func dialSocket(ctx context.Context, path string) (*net.UnixConn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
			return nil, fmt.Errorf("%w: %w", ErrNone, err)
		}
		if errors.Is(err, syscall.EAGAIN) {
			return nil, fmt.Errorf("%w: %w", errRefused, err) // more clients at once than the system lets wait
		}
		return nil, fmt.Errorf("dial daemon: %w", err)
	}
	u := c.(*net.UnixConn)
	if uid, known := peerUID(u); known && uid != os.Geteuid() {
		_ = c.Close()
		return nil, fmt.Errorf("dial daemon: the socket %s is served by another user", path)
	}
	return u, nil
}

// Ask asks the daemon of the place for its status, or to stop, and waits until it has.
func (p *Place) Ask(ctx context.Context, h Hello) (*Report, error) {
	c, err := p.Dial(ctx, h)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	defer context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })()
	r := &Report{}
	if h.Verb == Status {
		return r, receive(c.r, r)
	}
	if _, err = io.Copy(io.Discard, c); ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil && !closed(err) {
		return r, err
	}
	return r, p.ended(ctx)
}

// ended waits for a daemon whose connections have ended to be gone.
func (p *Place) ended(ctx context.Context) error {
	was := identityAt(p.path(".lock"))
	for end := time.Now().Add(cutFor + closeFor + time.Second); was != "" && identityAt(p.path(".lock")) == was; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("the daemon did not end; see %s", p.Log())
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// Release asks the daemon of the place, if there is one, to let go of its stores until release
// is called.
func (p *Place) Release(ctx context.Context, h Hello) (release func(), err error) {
	h.Verb = Yield
	c, err := p.Dial(ctx, h)
	if errors.Is(err, ErrNone) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	_ = c.SetDeadline(time.Now().Add(greetFor))
	if err := receive(c.r, &struct{}{}); err != nil && !closed(err) {
		return nil, errors.Join(err, c.Close())
	}
	return func() { _ = c.Close() }, c.SetDeadline(time.Time{})
}

// Report is what a daemon says of itself.
type Report struct {
	Record
	// Clients is how many connections are served, Busy how much work is under way.
	Clients int `json:"clients"`
	Busy    int `json:"busy"`
	// Idle is how many seconds ago something last came or went, IdleExit after how many
	// the daemon ends.
	Idle     float64 `json:"idle"`
	IdleExit float64 `json:"idle_exit"`
	// Notes are what the work says of itself.
	Notes []string `json:"notes,omitempty"`
}
