package search

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// FileMeta is what a Source knows about the bytes that it hands out.
type FileMeta struct {
	Size    int64
	ModTime time.Time
	SHA256  [32]byte // of the raw bytes; zero when not computed
}

// A Source reads files as they are now. It is used by several goroutines.
type Source interface {
	// Open returns the raw bytes of a file, from its first byte mark to its
	// last. buf is scratch of the caller's that Open may fill and return, grown
	// or not, instead of allocating. The bytes are not changed, and not used
	// after the next call with the same buf.
	Open(ctx context.Context, path string, buf []byte) (data []byte, meta FileMeta, err error)
}

// skipFor turns the error of a Source into a Skip.
func skipFor(path string, err error) Skip {
	switch {
	case errors.Is(err, ErrTooLarge):
		return Skip{Path: path, Reason: SkipTooLarge}
	case errors.Is(err, ErrNotRegular):
		return Skip{Path: path, Reason: SkipNotRegular}
	case errors.Is(err, ErrVanished), errors.Is(err, fs.ErrNotExist):
		return Skip{Path: path, Reason: SkipVanished}
	}
	return Skip{Path: path, Reason: SkipUnreadable, Err: err}
}
