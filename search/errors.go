package search

import (
	"errors"
	"fmt"
)

// A PatternError says why a pattern cannot be searched for. It is the caller's
// to fix: kind usage, in the words of the house.
type PatternError struct {
	Pattern   string // the pattern as given
	Construct string // the part of it that is at fault; empty for the whole
	Off       int    // byte offset of Construct in Pattern
	Reason    string // what is wrong with it, lower case
	Next      string // the next step to take
}

// Error names the construct, its column, the reason and the next step.
func (e *PatternError) Error() string {
	where := "pattern " + quote(e.Pattern)
	if e.Construct != "" {
		where = fmt.Sprintf("pattern %s: %s at column %d", quote(e.Pattern), quote(e.Construct), e.Off+1)
	}
	if e.Next == "" {
		return where + ": " + e.Reason
	}
	return where + ": " + e.Reason + "; " + e.Next
}

// quote quotes for a message and keeps it readable when the pattern is long.
func quote(s string) string {
	const most = 200
	if len(s) > most {
		return fmt.Sprintf("%q... (%d bytes)", s[:most], len(s))
	}
	return fmt.Sprintf("%q", s)
}

// Errors that a Source returns for files that cannot be searched; each becomes
// a Skip with the reason of the same name.
var (
	// ErrTooLarge says that a file is larger than its owner lets be searched.
	ErrTooLarge = errors.New("file is too large")
	// ErrNotRegular says that a path is a pipe, a socket, a device or a folder.
	ErrNotRegular = errors.New("not a regular file")
	// ErrVanished says that a file is gone since it was listed. A Source may
	// also return an error that is fs.ErrNotExist.
	ErrVanished = errors.New("file vanished")
)
