package daemon

import (
	"errors"
	"io"
	"os"
	"sync"
)

// maxLog is the size in bytes at which a log is put aside, once.
const maxLog = 1 << 20

// openLog opens the log of a place for appending; where that cannot be, what is written goes
// nowhere.
func openLog(p *Place) (*os.File, error) {
	err := os.MkdirAll(p.State, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(p.Log(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600); err == nil {
			return f, nil
		}
	}
	null, nullErr := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if nullErr != nil {
		return nil, errors.Join(err, nullErr)
	}
	return null, nil
}

// Rotated is a writer to out, the daemon's own standard error, which is the log of the place.
// When that is too large its text goes to the path with .1 and it is cut to nothing: the file
// itself stays, since a panic's last words go to it past every writer.
func (p *Place) Rotated(out io.Writer) io.Writer { return &rotated{out: out, path: p.Log()} }

type rotated struct {
	mu   sync.Mutex // guards the file
	out  io.Writer
	path string
}

// Write implements io.Writer.
func (r *rotated) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if info, err := os.Stat(r.path); err == nil && info.Mode().IsRegular() && info.Size()+int64(len(b)) > maxLog {
		if data, err := os.ReadFile(r.path); err == nil && os.WriteFile(r.path+".1", data, 0o600) == nil {
			_ = os.Truncate(r.path, 0)
		}
	}
	return r.out.Write(b)
}
