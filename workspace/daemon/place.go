package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// ErrNoPlace: there is no folder in which a daemon could be met.
var ErrNoPlace = errors.New("no run folder")

// Place is where the daemon of one root is met. It says nothing of whether there is one.
type Place struct {
	// Root is the absolute path of the root, without links.
	Root string
	// State is the folder of the root's state, which need not be there.
	State string
	// Dir is the run folder.
	Dir  string
	name string // what the names of the files begin with
}

// maxSocket is how long a socket's path may be on every system: 104 bytes on some, of which
// one ends it.
const maxSocket = 103

// Locate finds the place of a root, and makes the run folder if it is missing. state is the
// root's state folder.
func Locate(root, state string) (*Place, error) {
	p := &Place{Root: root, State: state}
	sum := sha256.Sum256([]byte(root + "\x00" + state))
	p.name = hex.EncodeToString(sum[:8])
	dir, err := runFolder(len("/.sock") + len(p.name))
	if err != nil {
		return nil, err
	}
	p.Dir = dir
	return p, nil
}

// runFolder is the first of the possible run folders that is private and whose path leaves
// room for a name of the given length.
func runFolder(room int) (string, error) {
	var tried []error
	for _, c := range candidates() {
		err := fmt.Errorf("%s is too long", c.dir)
		if len(c.dir)+room <= maxSocket {
			err = c.prepare()
		}
		if err == nil {
			return c.dir, nil
		}
		tried = append(tried, err)
	}
	return "", fmt.Errorf("%w: %w; set XDG_RUNTIME_DIR to a folder of your own", ErrNoPlace, errors.Join(tried...))
}

// candidate is a possible run folder.
type candidate struct {
	dir string
	// within is the user's own folder that it lies in; empty if it lies in one that
	// everybody may write to.
	within string
}

func candidates() []candidate {
	uid := strconv.Itoa(os.Geteuid())
	var all []candidate
	for _, d := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/run/user/" + uid} {
		if filepath.IsAbs(d) {
			all = append(all, candidate{filepath.Join(d, "codegraph"), d})
		}
	}
	for _, d := range []string{os.TempDir(), "/tmp"} {
		if filepath.IsAbs(d) {
			all = append(all, candidate{dir: filepath.Join(d, "codegraph-"+uid)})
		}
	}
	return all
}

// prepare makes the folder, if it is missing, and reports whether it is private.
func (c candidate) prepare() error {
	if c.within != "" {
		if info, err := os.Stat(c.within); err != nil {
			return err
		} else if !owned(info) {
			return fmt.Errorf("%s belongs to another user", c.within)
		}
	}
	if err := os.Mkdir(c.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return private(c.dir)
}

// private reports whether a folder is the user's own, closed to others and no link.
func private(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	case !owned(info):
		return fmt.Errorf("%s belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0:
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("%s is open to others: %w", dir, err)
		}
	}
	return nil
}

func (p *Place) path(ext string) string { return filepath.Join(p.Dir, p.name+ext) }

// Socket is the path of the socket.
func (p *Place) Socket() string { return p.path(".sock") }

// Log is the path of the daemon's log; what was in it before is in the same path with .1 at
// its end.
func (p *Place) Log() string { return filepath.Join(p.State, "daemon.log") }

// pointer is the path of the record in the state folder.
func (p *Place) pointer() string { return filepath.Join(p.State, "daemon.json") }
