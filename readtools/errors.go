package readtools

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

// The codes of errors that the read tools make themselves.
const (
	codeUsage        = "usage"
	codePrecondition = "precondition"
	codeNotFound     = "not_found"
	codeAmbiguous    = "ambiguous"
	codeOutside      = "outside_workspace"
	codeUnavailable  = "unavailable"
)

// usage is the error of a call that is to be fixed by its caller.
func usage(next, format string, args ...any) *Error {
	return &Error{Code: codeUsage, Message: fmt.Sprintf(format, args...), Next: next}
}

// oneOf checks an enumerated argument; empty means the first of the values.
func oneOf(name, got string, values ...string) (string, error) {
	if got == "" {
		return values[0], nil
	}
	for _, v := range values {
		if v == got {
			return got, nil
		}
	}
	return "", usage("give one of: "+strings.Join(values, ", "), "%s has no value %q", name, got)
}

// patternError turns what the pattern compiler says into a usage error.
func patternError(err error, literal bool) error {
	var pe *search.PatternError
	if !errors.As(err, &pe) {
		return err
	}
	next := pe.Next
	if next == "" {
		next = "fix the regular expression (RE2 syntax)"
	}
	if !literal && pe.Pattern != "" && !strings.Contains(next, "literal") {
		next += ", or search for it as plain text with literal: true"
	}
	short := *pe
	short.Next = ""
	return &Error{Code: codeUsage, Message: short.Error(), Next: next}
}

// PathError turns the error of reading a path of the workspace into one for the caller: an
// *Error where the caller can do something about it, else err itself.
func PathError(path string, err error) error {
	switch {
	case errors.Is(err, workspace.ErrOutside):
		return outside(path)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, search.ErrVanished):
		return &Error{Code: codeNotFound, Message: fmt.Sprintf("there is no file %s", quotePath(path)), Next: "find it with read_discover"}
	case errors.Is(err, search.ErrNotRegular):
		return &Error{Code: codePrecondition, Message: fmt.Sprintf("%s is not a regular file", quotePath(path)),
			Next: fmt.Sprintf("list a folder with read_discover path: %q", path)}
	case errors.Is(err, search.ErrTooLarge):
		return &Error{Code: codePrecondition, Message: fmt.Sprintf("%s is too large to be read", quotePath(path)),
			Next: "search in other files, or split the file"}
	case errors.Is(err, fs.ErrPermission):
		return &Error{Code: codePrecondition, Message: fmt.Sprintf("%s may not be read: permission denied", quotePath(path)),
			Next: "give the user of this program the right to read it"}
	}
	return err
}

func outside(path string) *Error {
	return &Error{Code: codeOutside, Message: fmt.Sprintf("%s leads outside the workspace", quotePath(path)),
		Next: "give a path below the root, relative to it"}
}
