package workspace

import (
	"context"
	"errors"
	"time"
)

// updating is an update under way. Several callers may wait for it; it is cancelled when the
// last of those who would not wait any longer leaves, or when the workspace is closed. A
// workspace that stays is one of them: an index that somebody began to wait for is made, so that
// who asks again after he lost patience does not begin anew.
type updating struct {
	w      *Workspace
	mode   Mode
	cancel context.CancelFunc
	since  time.Time
	users  int // guarded by w.mu
	done   chan struct{}
	report *Report // with err, written before done is closed
	err    error
}

// join joins the update under way, or starts one. An update that all have left is about to end
// with nothing done, so it is none to join: the new one follows it.
func (w *Workspace) join(mode Mode) *updating {
	w.mu.Lock()
	defer w.mu.Unlock()
	left := w.update
	if left != nil && left.users > 0 {
		left.users++
		return left
	}
	ctx, cancel := context.WithCancel(context.Background())
	u := &updating{w: w, mode: mode, cancel: cancel, since: time.Now(), users: 1, done: make(chan struct{})}
	if w.resident != nil {
		u.users++
	}
	if w.closing {
		u.err = errors.New("the workspace is closed")
		close(u.done)
		cancel()
		return u
	}
	w.update = u
	go func() {
		defer cancel()
		if left != nil {
			<-left.done
		}
		u.report, u.err = w.refresh(ctx, mode)
		w.mu.Lock()
		if w.update == u {
			w.update = nil
		}
		w.mu.Unlock()
		close(u.done)
	}()
	return u
}

// leave ends a caller's part in an update, and reports whether that was the last one.
func (u *updating) leave() bool {
	u.w.mu.Lock()
	defer u.w.mu.Unlock()
	u.users--
	if u.users == 0 {
		u.cancel()
	}
	return u.users == 0
}
