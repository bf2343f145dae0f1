package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watcher is told by the system what changes in a tree. It watches folders one by one, as
// its owner names them, and collects the paths of what changed in them until they are taken.
//
// Whoever takes them must know that nothing is still on its way. The system tells of changes
// in the order in which they were made; so a file is made in a folder that is watched, too,
// and once that has been told, everything before it has (the cookies of Watchman).
type watcher struct {
	root    string
	cookies string // the folder of the cookies
	fs      *fsnotify.Watcher
	done    chan struct{}
	folders map[string]uint64 // inodes of what is watched, by path; its owner's alone

	mu      sync.Mutex // guards what follows
	events  events
	waiting map[string]chan struct{} // by cookie
	made    int                      // cookies
	wake    chan struct{}            // holds one signal that something was collected
}

// events are what a watcher collected.
type events struct {
	paths map[string]bool // relative to the root
	rules bool            // something outside of the tree that decides what belongs to it
	lost  bool            // the system could not keep up: anything may have changed
}

// How many events may wait for the collector, and how long a cookie may take to come back.
const (
	eventBuffer    = 4096
	cookiePatience = 500 * time.Millisecond
)

const cookiesName = "cookies"

func newWatcher(root, state string) (*watcher, error) {
	cookies := filepath.Join(state, cookiesName, fmt.Sprint(os.Getpid()))
	sweepCookies(filepath.Join(state, cookiesName))
	if err := os.MkdirAll(cookies, 0o700); err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	f, err := fsnotify.NewBufferedWatcher(eventBuffer)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	w := &watcher{root: root, cookies: cookies, fs: f, done: make(chan struct{}), folders: map[string]uint64{},
		events: events{paths: map[string]bool{}}, waiting: map[string]chan struct{}{}, wake: make(chan struct{}, 1)}
	if err := f.Add(cookies); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("watch: %w", err)
	}
	go w.collect()
	return w, nil
}

// sweepCookies takes away what processes that were killed left.
func sweepCookies(dir string) {
	entries, _ := os.ReadDir(dir) // without the folder nothing was left
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && (pid == os.Getpid() || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

func (w *watcher) close() {
	_ = w.fs.Close()
	<-w.done
	_ = os.RemoveAll(w.cookies)
}

// collect runs until the watcher is closed.
func (w *watcher) collect() {
	defer close(w.done)
	for {
		select {
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			w.note(e)
		case _, ok := <-w.fs.Errors: // whatever it is, events may be missing
			if !ok {
				return
			}
			w.mu.Lock()
			w.events.lost = true
			w.mu.Unlock()
			w.signal()
		}
	}
}

func (w *watcher) note(e fsnotify.Event) {
	if w.keep(e) {
		w.signal()
	}
}

// keep collects an event, and reports whether there is something new to take.
func (w *watcher) keep(e fsnotify.Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	dir, name := filepath.Split(e.Name)
	switch rel, inside := strings.CutPrefix(e.Name, w.root+"/"); {
	case filepath.Clean(dir) == w.cookies:
		if c := w.waiting[name]; c != nil {
			close(c)
			delete(w.waiting, name)
		}
		return false
	case inside && !inGitFolder(rel):
		w.events.paths[rel] = true
	case name == "index" || name == "exclude" || name == "config":
		w.events.rules = true
	default:
		return false
	}
	return true
}

// inGitFolder reports whether a path is below a folder of version control, of which only a
// few files matter.
func inGitFolder(rel string) bool {
	return strings.HasPrefix(rel, ".git/") || strings.Contains(rel, "/.git/")
}

func (w *watcher) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// fence waits until all that was changed before has been collected. It reports false if that
// cannot be known.
func (w *watcher) fence(ctx context.Context) bool {
	w.mu.Lock()
	w.made++
	name := fmt.Sprint(w.made)
	back := make(chan struct{})
	w.waiting[name] = back
	w.mu.Unlock()
	path := filepath.Join(w.cookies, name)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err == nil {
		_ = f.Close()
		defer func() { _ = os.Remove(path) }()
		late := time.NewTimer(cookiePatience)
		defer late.Stop()
		select {
		case <-back:
			return true
		case <-late.C:
		case <-ctx.Done():
		}
	}
	w.mu.Lock()
	delete(w.waiting, name)
	w.mu.Unlock()
	return false
}

// take takes what was collected.
func (w *watcher) take() events {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.events
	w.events = events{paths: map[string]bool{}}
	return e
}

// folder is a folder to watch, by its absolute path, and its inode.
type folder struct {
	path  string
	inode uint64
}

// watch makes the watched folders those given, and returns which are new. What happened in
// those before now is not told.
func (w *watcher) watch(want []folder) (added []string, err error) {
	keep := make(map[string]uint64, len(want))
	for _, f := range want {
		keep[f.path] = f.inode
	}
	for path, inode := range w.folders {
		if now, ok := keep[path]; !ok || now != inode {
			_ = w.fs.Remove(path) // it is gone as a rule, and its watch with it
			delete(w.folders, path)
		}
	}
	for _, f := range want {
		if _, ok := w.folders[f.path]; ok {
			continue
		}
		switch err := w.fs.Add(f.path); {
		case err == nil:
			w.folders[f.path] = f.inode
			added = append(added, f.path)
		case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		default:
			return nil, fmt.Errorf("watch %s: %w", f.path, err)
		}
	}
	return added, nil
}
