package edittools

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

// Error is a failed call as its caller sees it: what is wrong, and the call or command that
// would help. The codes are those of the contract.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next"`
}

// Error implements error.
func (e *Error) Error() string { return e.Message + "; " + e.Next }

// The codes of errors.
const (
	codeUsage        = "usage"
	codePrecondition = "precondition"
	codeNotFound     = "not_found"
	codeStale        = "stale"
	codeDenied       = "denied"
	codeApproval     = "approval_required"
	codeOutside      = "outside_workspace"
	codeUnavailable  = "unavailable"
)

func failed(code, next, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Next: next}
}

// explain turns an error of the workspace about a path into one for the caller.
func explain(path string, err error) error {
	var stale *workspace.StaleError
	var told *Error
	switch {
	case err == nil, errors.As(err, &told):
		return err
	case errors.As(err, &stale):
		return staleError(stale.Path, stale.Now)
	case errors.Is(err, workspace.ErrOutside):
		return failed(codeOutside, "give a path below the root, relative to it", "%q leads outside the workspace", path)
	case errors.Is(err, workspace.ErrRefused):
		return failed(codeDenied, "choose another path; version control's own files change only through its commands", "refused: %s", err)
	case errors.Is(err, workspace.ErrReadOnly):
		return failed(codePrecondition, "give it write permission (chmod u+w) if it is meant to change", "%s cannot be changed: no write permission, it is read-only", path)
	case errors.Is(err, workspace.ErrEditing):
		return failed(codeUnavailable, "repeat the call", "%s; nothing was changed", err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return failed(codeUnavailable, "free space on the disk and call again; nothing was changed", "there is no space to write: %s", err)
	case errors.Is(err, syscall.EXDEV):
		return failed(codePrecondition, "copy it with write_file and delete_path instead", "%s lies on another file system; a move cannot be atomic", path)
	case errors.Is(err, syscall.ENOTDIR):
		return failed(codePrecondition, "choose a path whose folders are folders", "%s lies below something that is no folder", path)
	case errors.Is(err, search.ErrTooLarge):
		return failed(codePrecondition, "edit it with another program", "%s is too large to be edited", path)
	case errors.Is(err, fs.ErrNotExist):
		return missing(path)
	}
	return err
}

func missing(path string) *Error {
	return failed(codeNotFound, "find it with read_discover, or make it with write_file", "there is nothing at %s", path)
}

func staleError(path string, now workspace.State) *Error {
	return failed(codeStale, fmt.Sprintf("read %s again and repeat the call with expect: %q", path, now.Sum()),
		"%s changed since it was read: its sha256 is %s now", path, now.Sum())
}
