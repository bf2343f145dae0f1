package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// ErrTaken: another daemon serves the root; there is nothing to do.
var ErrTaken = errors.New("another daemon serves this root")

// DefaultIdle is how long a daemon waits for work before it ends.
const DefaultIdle = 5 * time.Minute

// Options say what a daemon is.
type Options struct {
	Place *Place
	Self  Self
	// Idle is how long to wait for work before the end; 0 means DefaultIdle. A connection
	// over which nothing comes is no work.
	Idle time.Duration
	// Serve speaks with one client until it returns. ctx ends when the daemon does not wait
	// any longer.
	Serve func(ctx context.Context, c *Conn)
	// Yield lets go of whatever keeps another process from working on the state; resume
	// takes it back. Both may be nil.
	Yield func() (resume func())
	// Under tells for how long work has been under way that belongs to no client, such as an
	// index; 0 for none. Meanwhile the daemon is not idle, and when it ends it waits for no
	// client that such work keeps waiting. It may be nil.
	Under func() time.Duration
	// Close ends the work and lets go of what it needs, when the clients are gone and before
	// another daemon can be elected. It may be nil. A daemon that it keeps too long ends all
	// the same, as if it were killed.
	Close func()
	// Notes, if not nil, are what the work has to say of itself to who asks how it is. It
	// must not wait for the work.
	Notes func() []string
	// Log receives what the log of the daemon is for.
	Log *slog.Logger
}

// Server is a daemon.
type Server struct {
	o       Options
	started time.Time
	root    *os.File           // held open, so that no other folder can have its identity
	folder  string             // the root's identity
	socket  string             // the socket's identity
	state   string             // the state folder's identity; empty if there is none
	told    chan struct{}      // closed when the daemon leaves
	done    chan struct{}      // closed when its connections are cut
	cancel  context.CancelFunc // of the connections
	drain   time.Duration      // how long clients may take at the end

	mu       sync.Mutex // guards what follows
	listener *net.UnixListener
	conns    map[*Conn]bool
	serving  sync.WaitGroup
	leaving  bool
	busy     int
	last     time.Time
}

// NewServer makes a daemon that is not at work yet.
func NewServer(o Options) *Server {
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Self.Protocol, o.Self.PID = Protocol, os.Getpid()
	now := time.Now()
	return &Server{o: o, drain: drainFor, started: now, last: now, conns: map[*Conn]bool{}, told: make(chan struct{}), done: make(chan struct{})}
}

// Use says that work is under way until end is called; meanwhile the daemon is not idle.
func (s *Server) Use() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy, s.last = s.busy+1, time.Now()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy, s.last = s.busy-1, time.Now()
	}
}

func (s *Server) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = time.Now()
}

// How long an end may take: for clients to close, then for their calls to heed that they are
// cut off, then for Options.Close. In a hurry there is no workspace left to answer from, or
// nothing that comes soon.
const (
	drainFor = 5 * time.Second
	hurryFor = 300 * time.Millisecond
	cutFor   = 800 * time.Millisecond
	closeFor = 3 * time.Second
	// longWork is how long work is under way before clients are not waited for on its account.
	longWork = time.Second
)

// Run is the daemon's life: it is elected, serves, and returns when it has ended and nothing
// of it is left on disk. The error is ErrTaken if another daemon serves the root.
func (s *Server) Run(ctx context.Context) error {
	p := s.o.Place
	lock, err := s.elect(ctx)
	if err != nil {
		return err
	}
	defer p.clear(lock)
	if err := s.open(); err != nil {
		return err
	}
	defer func() { _ = s.root.Close() }()
	conns, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	s.cancel = cancel
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		s.accept(conns)
	}()
	why, patience := s.watch(ctx)
	s.o.Log.Info("daemon ends", "why", why)
	s.leave()
	s.cut(patience)
	<-accepted
	s.close()
	return nil
}

// elect waits until this process is the daemon, or another one is for sure.
func (s *Server) elect(ctx context.Context) (*os.File, error) {
	p := s.o.Place
	for end := time.Now().Add(Patience); ; {
		if c, err := p.dial(ctx); err == nil {
			_ = c.Close()
			return nil, ErrTaken
		}
		lock, err := tryLock(p.path(".lock"))
		if lock != nil || err != nil {
			return lock, err
		}
		if time.Now().After(end) {
			return nil, ErrTaken
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// open binds the socket and leaves the records.
func (s *Server) open() (err error) {
	p := s.o.Place
	p.sweepOthers()
	if s.root, err = os.Open(p.Root); err != nil {
		return fmt.Errorf("open root: %w", err)
	}
	info, err := s.root.Stat()
	if err != nil {
		return fmt.Errorf("open root: %w", err)
	}
	s.folder = identity(info)
	if err := os.Remove(p.Socket()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove old socket: %w", err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.Socket(), Net: "unix"})
	if err != nil {
		return fmt.Errorf("bind socket: %w", err)
	}
	l.SetUnlinkOnClose(false) // the place is cleared as a whole
	s.listener = l
	if err := os.Chmod(p.Socket(), 0o600); err != nil {
		return errors.Join(fmt.Errorf("bind socket: %w", err), l.Close())
	}
	s.socket = identityAt(p.Socket())
	r := s.record()
	if err := r.write(p.path(".json")); err != nil {
		return errors.Join(fmt.Errorf("write record: %w", err), l.Close())
	}
	if err := r.write(p.pointer()); err != nil { // only those of another run folder miss it
		s.o.Log.Warn("the state folder cannot be written", "error", err)
	}
	s.state = identityAt(p.State)
	s.o.Log.Info("daemon begins", "root", p.Root, "version", s.o.Self.Version, "pid", s.o.Self.PID)
	return nil
}

func (s *Server) record() *Record {
	return &Record{Self: s.o.Self, Root: s.o.Place.Root, Started: s.started, Socket: s.o.Place.Socket(), Log: s.o.Place.Log()}
}

// accept takes connections until the listener is closed.
func (s *Server) accept(ctx context.Context) {
	for {
		c, err := s.listener.AcceptUnix()
		switch {
		case err == nil:
			s.serving.Add(1)
			go s.greet(ctx, c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			s.o.Log.Warn("cannot accept a connection", "error", err)
			time.Sleep(50 * time.Millisecond) // no more files may be open, for now
		}
	}
}

// greet greets one client and does what it wants.
func (s *Server) greet(ctx context.Context, u *net.UnixConn) {
	defer s.serving.Done()
	defer func() { _ = u.Close() }()
	defer func() {
		if r := recover(); r != nil {
			s.o.Log.Error("a connection panicked", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if uid, known := peerUID(u); known && uid != os.Geteuid() {
		s.o.Log.Warn("another user was refused", "uid", uid)
		return
	}
	c := &Conn{Conn: u, r: bufio.NewReader(u), at: s.touch}
	_ = u.SetDeadline(time.Now().Add(greetFor))
	if receive(c.r, &c.Hello) != nil {
		return
	}
	c.Greeting = Greeting{Self: s.o.Self, Root: s.o.Place.Root, Started: s.started}
	serve := c.Hello.Verb == Serve
	switch {
	case serve && !s.enter(c):
		c.Greeting.Refused = refusedLeaving
	case serve && c.Hello.Folder != s.folder:
		c.Greeting.Refused = refusedFolder
	}
	defer s.exit(c)
	if send(u, c.Greeting) != nil || c.Greeting.Refused != "" {
		return
	}
	if serve && (c.Hello.newer(s.o.Self) || c.Hello.Scene != s.o.Self.Scene) {
		return // it goes by itself
	}
	_ = u.SetDeadline(time.Time{})
	s.do(ctx, c)
}

// do does what a client wants.
func (s *Server) do(ctx context.Context, c *Conn) {
	switch c.Hello.Verb {
	case Serve:
		s.o.Serve(ctx, c)
	case Status:
		_ = send(c.Conn, s.report())
	case Stop:
		s.o.Log.Info("a client wants the end", "pid", c.Hello.PID, "version", c.Hello.Version)
		s.leave()
		<-s.done // the end of the process ends the connection
	case Yield:
		s.yield(ctx, c)
	}
}

// yield lets go of the stores until the client is gone.
func (s *Server) yield(ctx context.Context, c *Conn) {
	s.o.Log.Info("the stores are lent", "pid", c.Hello.PID)
	if s.o.Yield != nil {
		if resume := s.o.Yield(); resume != nil {
			defer resume()
		}
	}
	if send(c.Conn, struct{}{}) != nil {
		return
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	_, _ = c.Conn.Read(make([]byte, 1))
}

// enter counts a client in, unless the daemon is leaving.
func (s *Server) enter(c *Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.leaving {
		s.conns[c], s.last = true, time.Now()
	}
	return !s.leaving
}

func (s *Server) exit(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns[c] {
		delete(s.conns, c)
		s.last = time.Now()
	}
}

// report is the daemon's status.
func (s *Server) report() *Report {
	var notes []string
	if s.o.Notes != nil {
		notes = s.o.Notes()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Report{Notes: notes, Record: *s.record(), Clients: len(s.conns), Busy: s.busy, Idle: time.Since(s.last).Seconds(), IdleExit: s.o.Idle.Seconds()}
}
