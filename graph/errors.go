package graph

import "errors"

// The errors of stores that a caller tells apart. They leave the store's files as
// they are.
var (
	// ErrCorrupt: the stored bytes are not what was written. Rebuild from the sources.
	ErrCorrupt = errors.New("graph store is corrupt")
	// ErrVersion: the store was written in another format. Rebuild from the sources.
	ErrVersion = errors.New("graph store has another format version")
	// ErrLocked: another process has the store open. Ask that process, or try again.
	ErrLocked = errors.New("graph store is in use by another process")
	// ErrClosed: the store, or the View that a Reader belongs to, has ended.
	ErrClosed = errors.New("graph store is closed")
)
