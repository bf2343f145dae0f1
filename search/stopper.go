package search

import "context"

// stopper tells a long loop that its search is over. A nil stopper never does.
type stopper struct{ done <-chan struct{} }

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
		return false
	}
}
