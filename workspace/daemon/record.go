package daemon

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Record is what a daemon leaves on disk about itself.
type Record struct {
	Self
	Root    string    `json:"root"`
	Started time.Time `json:"started"`
	Socket  string    `json:"socket"`
	Log     string    `json:"log,omitempty"`
}

// readRecord reads a record; nil if there is none that can be read.
func readRecord(path string) *Record {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !owned(info) || info.Size() > maxGreet {
		return nil
	}
	data, err := os.ReadFile(path)
	r := &Record{}
	if err != nil || json.Unmarshal(data, r) != nil {
		return nil
	}
	return r
}

// recordNew is behind the name of a record that is being written. Only who holds the place's lock
// writes one; so the name can be the same each time, and what a killed daemon left is found by it.
const recordNew = ".new"

// write writes the record at once.
func (r *Record) write(path string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path+recordNew, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// List returns the records of the user's daemons that live, by root. What dead ones left in
// the run folder is taken away.
func List() ([]Record, error) {
	dir, err := runFolder(len("/.sock") + 16)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []Record
	for _, name := range names(entries) {
		p := &Place{Dir: dir, name: name}
		if p.sweep() {
			continue
		}
		if r := readRecord(p.path(".json")); r != nil {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b Record) int { return strings.Compare(a.Root, b.Root) })
	return out, nil
}

// names are what the files of places in a run folder begin with.
func names(entries []fs.DirEntry) []string {
	var out []string
	for _, e := range entries {
		name, _, _ := strings.Cut(e.Name(), ".")
		if len(name) == 16 && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// sweep takes away what a dead daemon left, and reports whether there is none that lives.
func (p *Place) sweep() (dead bool) {
	lock, err := tryLock(p.path(".lock"))
	if err != nil || lock == nil {
		return false
	}
	p.clear(lock)
	return true
}

// clear takes away the files of a place, the lock's last, and gives the lock back. Where
// somebody else took the lock's file away, the place may be another daemon's already.
func (p *Place) clear(lock *os.File) {
	defer func() { _ = lock.Close() }()
	if info, err := lock.Stat(); err != nil || identity(info) != identityAt(p.path(".lock")) {
		return
	}
	if r := readRecord(p.pointer()); p.State != "" && r != nil && r.PID == os.Getpid() {
		_ = os.Remove(p.pointer())
	}
	for _, ext := range []string{".sock", ".json", ".json" + recordNew, ".lock"} {
		_ = os.Remove(p.path(ext))
	}
}

// sweepOthers takes away what dead daemons of other roots left.
func (p *Place) sweepOthers() {
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return
	}
	for _, name := range names(entries) {
		if name != p.name {
			(&Place{Dir: p.Dir, name: name}).sweep()
		}
	}
}

// Place is where the daemon of the record is met.
func (r *Record) Place() *Place {
	name, _, _ := strings.Cut(filepath.Base(r.Socket), ".")
	return &Place{Root: r.Root, State: filepath.Dir(r.Log), Dir: filepath.Dir(r.Socket), name: name}
}
