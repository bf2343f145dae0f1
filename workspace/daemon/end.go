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
			return "it was told to by a signal", drainFor
		case <-s.told:
			return "a client told it to", drainFor
		case <-t.C:
		}
		p := s.o.Place
		switch {
		case identityAt(p.Root) != s.folder:
			return "its root is gone or another folder now", hurryFor
		case identityAt(p.Socket()) != s.socket:
			return "its socket is gone or another's now", drainFor
		case s.idle():
			return "it was idle", drainFor
		}
	}
}

func (s *Server) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy == 0 && time.Since(s.last) >= s.o.Idle
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
	for end := time.Now().Add(patience); s.clients() > 0 && time.Now().Before(end); {
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

func (s *Server) clients() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}
