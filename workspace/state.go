package workspace

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// state is the state folder of a root.
type state struct {
	dir  string
	wait time.Duration // for locks
}

// The names in a state folder.
const (
	graphName   = "graph.db"
	textName    = "trigram"
	rankedName  = "ranked"
	listingName = "listing"
	lockName    = "update.lock"
	rootName    = "root"
)

// The meta keys of the graph that belong to this package.
const (
	metaBuild  = "workspace.build"  // random, new with each build from nothing
	metaFormat = "workspace.format" // of what the facts depend on besides the files
)

func (s *state) path(name string) string { return filepath.Join(s.dir, name) }

// make makes the folder and notes in it whose state it is.
func (s *state) make(root string) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("make state folder: %w", err)
	}
	if b, err := os.ReadFile(s.path(rootName)); err == nil && string(b) == root+"\n" {
		return nil
	}
	return s.write(rootName, []byte(root+"\n"))
}

// write replaces a file of the folder at once.
func (s *state) write(name string, data []byte) (err error) {
	f, err := os.CreateTemp(s.dir, "tmp-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		_ = f.Close()
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err = f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err = os.Rename(f.Name(), s.path(name)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// tidy takes away the temporary files that killed processes left. Younger ones may be in use.
func (s *state) tidy() {
	leftovers, _ := filepath.Glob(s.path("tmp-*"))
	for _, p := range leftovers {
		if info, err := os.Lstat(p); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(p)
		}
	}
}

// wipe takes away every index, and what earlier writes left half done. It is called by the
// holder of update.lock.
func (s *state) wipe() error {
	for _, p := range []string{s.path(listingName), s.path(graphName), s.path(textName), s.path(rankedName)} {
		if err := os.RemoveAll(p); err != nil {
			return fmt.Errorf("take away index: %w", err)
		}
	}
	return nil
}

// errBusy: another process holds update.lock.
var errBusy = errors.New("another process is updating the index")

// pollEvery is how often a taken lock is tried again.
const pollEvery = 20 * time.Millisecond

// lock takes update.lock, waiting for it up to wait. The error is errBusy if it stays taken.
// To close the file gives the lock back.
func (s *state) lock(ctx context.Context, wait time.Duration) (*os.File, error) {
	return s.lockNamed(ctx, lockName, wait)
}

// lockNamed takes a lock of the folder by its name, as lock does.
func (s *state) lockNamed(ctx context.Context, name string, wait time.Duration) (*os.File, error) {
	f, err := os.OpenFile(s.path(name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	for end := time.Now().Add(wait); ; {
		ok, err := tryLock(f)
		if ok {
			return f, nil
		}
		if err == nil && time.Now().After(end) {
			err = errBusy
		}
		if err == nil {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(pollEvery):
				continue
			}
		}
		_ = f.Close()
		return nil, err
	}
}

// A listing file is the magic, the build's identity and the generation that the listing goes
// with, and the listing's own binary form, which has checksums.
const (
	listingMagic = "codegraph listing 1\n"
	buildSize    = 16
	listingHead  = len(listingMagic) + buildSize + 8
)

// saved is a listing as it was saved with a build of the index.
type saved struct {
	*ignore.Listing
	build []byte
	gen   graph.Gen
}

// load reads the saved listing; what is missing or damaged is nil.
func (s *state) load() *saved {
	b, err := os.ReadFile(s.path(listingName))
	if err != nil || len(b) < listingHead || string(b[:len(listingMagic)]) != listingMagic {
		return nil
	}
	l, err := ignore.Decode(b[listingHead:])
	if err != nil {
		return nil
	}
	b = b[len(listingMagic):]
	return &saved{Listing: l, build: b[:buildSize], gen: graph.Gen(binary.LittleEndian.Uint64(b[buildSize:]))}
}

// save saves a listing.
func (s *state) save(l *saved) error {
	b := append([]byte(listingMagic), l.build...)
	b = binary.LittleEndian.AppendUint64(b, uint64(l.gen))
	b, err := l.AppendBinary(b)
	if err != nil {
		return err
	}
	return s.write(listingName, b)
}

// fits reports whether the listing can stand for the files that a store was made from.
func (l *saved) fits(build []byte, gen graph.Gen) bool {
	return l != nil && slices.Equal(l.build, build) && l.gen <= gen
}

func newBuild() []byte {
	b := make([]byte, buildSize)
	_, _ = rand.Read(b)
	return b
}

// Sizes are the bytes that the parts of the state folder take, by name.
func (w *Workspace) Sizes() map[string]int64 {
	out := map[string]int64{}
	for _, name := range []string{graphName, textName, rankedName, listingName} {
		_ = filepath.WalkDir(w.state.path(name), func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					out[name] += info.Size()
				}
			}
			return nil
		})
	}
	return out
}
