package search

import (
	"context"
	"errors"
	"sync/atomic"
)

// errLate ends the search of a file when the search is late.
var errLate = errors.New("the search is late")

// stopper tells a long loop that its search is over. A nil stopper never does.
type stopper struct {
	done <-chan struct{}
	late <-chan struct{} // as done, once there is something to show
	some atomic.Bool     // there is
}

// newStopper watches ctx.
func newStopper(ctx context.Context) *stopper { return &stopper{done: ctx.Done()} }

// stopped reports whether the search was cancelled or ran out of time.
func (s *stopper) stopped() bool {
	if s == nil {
		return false
	}
	select {
	case <-s.done:
		return true
	default:
	}
	select {
	case <-s.late:
		return s.some.Load()
	default:
		return false
	}
}
