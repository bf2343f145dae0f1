package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// The record lies in the state folder, beside the folders of the roots:
//
//	installed.json   what was installed, so that it can be taken back exactly
//
// Without it, uninstalling still cuts out the entries; it only no longer knows what was
// there before.
const recordName = "installed.json"

// record is what was installed.
type record struct {
	Files []*recorded `json:"files"`
	Dirs  []string    `json:"dirs,omitempty"` // made for the record itself, outermost first
}

// recorded is a file that was changed or made.
type recorded struct {
	Path    string   `json:"path"`
	Agents  []string `json:"agents"` // for whom
	Existed bool     `json:"existed"`
	Backup  string   `json:"backup,omitempty"` // the file with the bytes from before, if it existed
	After   string   `json:"after"`            // SHA-256 of what was written; empty once somebody else wrote between two installs
	Keep    int      `json:"keep"`             // how many of the entry's keys were there before
	Dirs    []string `json:"dirs,omitempty"`   // made for it, outermost first
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// loadRecord reads the record; one that cannot be read counts as none.
func loadRecord(d Dirs) *record {
	r := &record{}
	data, err := os.ReadFile(filepath.Join(d.State, recordName))
	if err != nil || json.Unmarshal(data, r) != nil {
		return &record{}
	}
	return r
}

// save writes the record, or takes it away when it says nothing more.
func (r *record) save(d Dirs) error {
	path := filepath.Join(d.State, recordName)
	if len(r.Files) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the record of what is installed: %w", err)
		}
		removeDirs(r.Dirs)
		return nil
	}
	made, err := makeDirs(d.State)
	if err != nil {
		return fmt.Errorf("make the state folder: %w", err)
	}
	r.Dirs = append(r.Dirs, made...)
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(path, append(data, '\n'), 0o600)
}

func (r *record) of(path string) *recorded {
	for _, f := range r.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

func (r *record) drop(f *recorded) {
	r.Files = slices.DeleteFunc(r.Files, func(x *recorded) bool { return x == f })
}

// makeDirs makes a folder with its parents and tells which were not there, outermost first.
func makeDirs(dir string) (made []string, err error) {
	for p := dir; !exists(p); p = filepath.Dir(p) {
		made = append(made, p)
	}
	slices.Reverse(made)
	return made, os.MkdirAll(dir, 0o755)
}

// removeDirs removes folders that are empty, innermost first.
func removeDirs(dirs []string) {
	for _, d := range slices.Backward(dirs) {
		_ = os.Remove(d) // one with something in it stays
	}
}

// readFile reads a configuration file; one that is not there is nil.
func readFile(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Problem{Path: path, Reason: "it cannot be read: " + cause(err)}
	}
	if b == nil {
		b = []byte{}
	}
	return b, nil
}

// cause is an error without the path that it names.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// writeFile writes a file at once and whole, through a link to what it points at, with the
// mode that the file has, or mode for a new one.
func writeFile(path string, data []byte, mode fs.FileMode) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if st, err := os.Stat(path); err == nil {
		mode = st.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".codegraph-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(f.Name()))
	}
	return nil
}
