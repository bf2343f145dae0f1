package workspace

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
)

// Op is what a change does.
type Op string

// The operations of a change.
const (
	// OpWrite puts Data at Path, which is a regular file or nothing before.
	OpWrite Op = "write"
	// OpDelete takes away what is at Path: a file, a link and never what it names, or a
	// folder with all that is in it.
	OpDelete Op = "delete"
	// OpMove moves what is at Path to To.
	OpMove Op = "move"
	// OpLink makes a link at Path, where nothing is, to what Data names.
	OpLink Op = "link"
	// OpFolder makes a folder at Path, where nothing is.
	OpFolder Op = "folder"
)

// Change is one step of an edit. Paths are relative to the root, with slashes, and free of
// links (see Look).
type Change struct {
	Op   Op
	Path string
	To   string // of OpMove
	Data []byte // of OpWrite and OpLink
	// Mode is the permission bits of a file that OpWrite makes; 0 means those of any new file.
	Mode fs.FileMode
	// Base is what was at Path, and Over what was at To, when the change was planned. A
	// commit is refused if something else is there.
	Base State
	Over State
}

// Type is what stands at a path.
type Type string

// The types of what stands at a path.
const (
	Absent  Type = "absent"
	Regular Type = "file"
	Link    Type = "link"
	Folder  Type = "folder"
	Special Type = "special file" // a pipe, a device, a socket
)

// State is what stands at a path at one moment. Two are equal exactly if nothing that an
// edit could lose differs.
type State struct {
	Type Type `json:"type"`
	// Hash is the SHA-256 of a file's bytes, of a link's target, or of a folder's manifest:
	// the types, paths and hashes of all that is in it.
	Hash [32]byte    `json:"-"`
	Mode fs.FileMode `json:"mode,omitempty"` // permission bits
}

// Is reports whether the same thing stands there.
func (s State) Is(o State) bool { return s.Type == o.Type && s.Hash == o.Hash }

// Sum is the hash in hexadecimal, or the type where there is none.
func (s State) Sum() string {
	if s.Type == Absent || s.Type == Special {
		return string(s.Type)
	}
	return hex.EncodeToString(s.Hash[:])
}

// The errors of changing the workspace's files, besides those of reading them.
var (
	// ErrRefused: the path is one that no edit may touch.
	ErrRefused = errors.New("path is not for editing")
	// ErrReadOnly: the file or its folder has no write permission.
	ErrReadOnly = errors.New("no write permission")
)

// StaleError: what stands at a path is not what the change was planned for.
type StaleError struct {
	Path string
	Want State
	Now  State
}

// Error implements error.
func (e *StaleError) Error() string {
	return fmt.Sprintf("%s changed: it was %.16s and is %.16s now", e.Path, e.Want.Sum(), e.Now.Sum())
}
