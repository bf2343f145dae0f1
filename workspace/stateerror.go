package workspace

import (
	"context"
	"errors"

	"github.com/codegraph-dev/codegraph/graph"
)

// ErrState: the state folder cannot be used; the error says what happened where.
var ErrState = errors.New("the state folder cannot be used")

// stateError is an ErrState.
type stateError struct{ error }

func (e *stateError) Error() string { return ErrState.Error() + ": " + e.error.Error() }

func (e *stateError) Unwrap() []error { return []error{ErrState, e.error} }

// damaged reports whether an error means that the index must be built again.
func damaged(err error) bool {
	return errors.Is(err, graph.ErrCorrupt) || errors.Is(err, graph.ErrVersion) || errors.Is(err, errStale)
}

// errStale: the index was made under other settings or by another program.
var errStale = errors.New("the index was made by another version or under other settings")

// reasonOf is why an index is built again, in a few words.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, errStale):
		return "it was made by another version or under other settings"
	case errors.Is(err, graph.ErrVersion):
		return "it has another format"
	}
	return "it was damaged"
}

// storeError makes every error of the stores a stateError, except those with another way
// out: damage is built again, a lock is waited for, a cancelled call ends.
func (w *Workspace) storeError(err error) error {
	if err == nil || damaged(err) || errors.Is(err, graph.ErrClosed) || errors.Is(err, graph.ErrLocked) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &stateError{err}
}
