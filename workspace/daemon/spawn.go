package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// ErrUnavailable: no daemon can be had. The error says why; its user does the work itself.
var ErrUnavailable = errors.New("no daemon can be had")

// Patience is how long Connect waits for a daemon that starts, or for one that ends to make
// room.
const Patience = 15 * time.Second

// Command makes the command that runs a daemon: one that calls Server.Run and ends with
// it. Its streams and its session are Connect's affair.
type Command func() (*exec.Cmd, error)

// Connect connects to the daemon of the place. It starts one if there is none, and replaces
// one that is older than the client.
func (p *Place) Connect(ctx context.Context, h Hello, command Command) (*Conn, error) {
	h.Verb = Serve
	t := time.NewTimer(Patience)
	defer t.Stop()
	var child <-chan error
	killed := 0
	for wait := time.Millisecond; ; wait = min(2*wait, 25*time.Millisecond) {
		c, err := p.Dial(ctx, h)
		switch {
		case err == nil || ctx.Err() != nil || errors.Is(err, ErrScene):
			return c, err
		case errors.Is(err, errOlder):
			stop := h
			stop.Verb = Stop
			if _, err := p.Ask(ctx, stop); err != nil && !errors.Is(err, ErrNone) && !errors.Is(err, errRefused) {
				return nil, fmt.Errorf("%w: replace the older one: %w", ErrUnavailable, err)
			}
			continue
		case errors.Is(err, errRefused):
		case !errors.Is(err, ErrNone):
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		case child == nil:
			if child, err = p.spawn(command); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
			}
		}
		select {
		case err := <-child:
			if killed++; err != nil && (!signalled(err) || killed == maxKilled) {
				return nil, fmt.Errorf("%w: it ended as it began (%w); see %s", ErrUnavailable, err, p.Log())
			}
			child = nil // another one was first, or somebody ended it: the next try begins anew
		case <-time.After(wait):
		case <-t.C:
			return nil, fmt.Errorf("%w: none answered within %v; see %s", ErrUnavailable, Patience, p.Log())
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// maxKilled is how many daemons may be killed as they begin before Connect gives up.
const maxKilled = 5

// signalled reports whether a process was ended by a signal, and not by itself.
func signalled(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && !exit.Exited()
}

// spawn starts a daemon that has nothing of this process: a session of its own, the root of
// the file system to stand in, the log for its words. The channel tells how it ended; the
// goroutine behind it lives as long as the daemon, so that this process leaves no zombie.
func (p *Place) spawn(command Command) (<-chan error, error) {
	cmd, err := command()
	if err != nil {
		return nil, err
	}
	log, err := openLog(p)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, log, log
	cmd.Dir = string(os.PathSeparator)
	apart(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a daemon: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended, nil
}
