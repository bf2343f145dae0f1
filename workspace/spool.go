package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// spoolPrefix begins the names of spools. They are temporary files of the state folder, so what
// a killed process left goes with the others.
const spoolPrefix = "tmp-spool-"

// Spool makes a file in the state folder of a root, through which the process that has the
// workspace open hands over what is too much for a message (see OpenSpool). done closes the
// file and takes it away. An empty home means the default one.
func Spool(home, root string) (f *os.File, done func() error, err error) {
	dir, err := StateDir(home, root)
	if err != nil {
		return nil, nil, err
	}
	if f, err = os.CreateTemp(dir, spoolPrefix+"*"); err != nil {
		return nil, nil, fmt.Errorf("make spool: %w", err)
	}
	return f, func() error { return errors.Join(f.Close(), os.Remove(f.Name())) }, nil
}

// OpenSpool opens the file of a Spool of this workspace for writing, by its path.
func (w *Workspace) OpenSpool(path string) (*os.File, error) {
	if filepath.Dir(path) != w.state.dir || !strings.HasPrefix(filepath.Base(path), spoolPrefix) {
		return nil, fmt.Errorf("open spool: %s is none of this workspace", path)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("open spool: %w", err)
	}
	return f, nil
}
