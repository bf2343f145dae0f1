package daemon

import (
	"context"
	"time"
)

// look is how often a daemon looks whether it is still wanted.
const look = 500 * time.Millisecond

// watch waits for a reason to end. patience is how long the clients may take then.
func (s *Server) watch(ctx context.Context) (why string, patience time.Duration) {
	t := time.NewTicker(min(look, max(s.o.Idle/4, 10*time.Millisecond)))
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return "it was told to by a signal", s.drain
		case <-s.told:
			return "a client told it to", s.drain
		case <-t.C:
		}
		p := s.o.Place
		switch {
		case identityAt(p.Root) != s.folder:
			return "its root is gone or another folder now", hurryFor
		case identityAt(p.Socket()) != s.socket:
			return "its socket is gone or another's now", s.drain
		case s.state != "" && identityAt(p.State) != s.state:
			return "its state folder is gone or another folder now", s.drain
		case s.idle():
			return "it was idle", s.drain
		}
	}
}

func (s *Server) idle() bool {
	if s.under() > 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy == 0 && time.Since(s.last) >= s.o.Idle
}

// under is how long work of no client has been under way.
func (s *Server) under() time.Duration {
	if s.o.Under == nil {
		return 0
	}
	return s.o.Under()
}

// leave takes no more connections and tells the clients.
func (s *Server) leave() {
	s.mu.Lock()
	if s.leaving {
		s.mu.Unlock()
		return
	}
	s.leaving = true
	close(s.told)
	var conns []*Conn
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	_ = s.listener.Close()
	for _, c := range conns {
		_ = c.SetWriteDeadline(time.Now().Add(hurryFor)) // one that does not read must not hold up the others
		_, _ = c.Write([]byte(Leaving + "\n"))
		_ = c.SetWriteDeadline(time.Time{})
	}
}

// cut waits for the clients to close, then ends what they left.
func (s *Server) cut(patience time.Duration) {
	begun := time.Now()
	for s.clients() > 0 && time.Since(begun) < patience {
		if s.under() > longWork {
			patience = min(patience, hurryFor)
		}
		time.Sleep(2 * time.Millisecond)
	}
	s.cancel()
	close(s.done)
	gone := make(chan struct{})
	go func() {
		s.serving.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(cutFor): // a call that heeds nothing ends with the process
		s.o.Log.Warn("a call did not heed the end")
	}
}

// close ends what the daemon worked with.
func (s *Server) close() {
	if s.o.Close == nil {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.o.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closeFor): // what it leaves is as after a kill, which harms nothing
		s.o.Log.Warn("the work did not end in time")
	}
}

func (s *Server) clients() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}
