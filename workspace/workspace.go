package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// Options say how a workspace is opened.
type Options struct {
	// Stores open the stores; Graph must be there.
	Stores Stores
	// Version identifies the program's way of making facts: an index made by another one
	// is built again.
	Version string
	// Home is the folder of all state; empty means $CODEGRAPH_HOME or the user's cache.
	Home string
	// Budget is how long a View waits for the index to become fresh before it answers
	// from what there is, while the work goes on; 0 means as long as it takes.
	Budget time.Duration
	// First is what Budget is as long as there is no index at all; 0 means the same.
	First time.Duration
	// Wait is how long to wait for a lock that another process holds; 0 means 10 s.
	Wait time.Duration
	// Resident keeps the stores open and the tree watched between calls, for a process that
	// stays. Nobody else can then open the graph, except after a Yield.
	Resident bool
	// Rest, if not nil, is told that a resident workspace had nothing to do for some time, or
	// is done with many files.
	Rest func()
	// Workers is how many files are worked on at once; 0 means one for each processor.
	Workers int
	// Held is about how many bytes of facts the making of an index holds in memory; 0 means
	// 160 MiB. The largest trees have many times that.
	Held int
	// Language tells the proper name of a language that a person wrote, "" for none.
	Language func(name string) string
	// Progress, if not nil, is told how far an update is, from several goroutines.
	Progress func(index.Progress)
	// Log, if not nil, is told what a person should know, one line at a time.
	Log func(line string)
}

// Workspace is one root on disk with its index. It may be used by several goroutines.
type Workspace struct {
	root    string
	options Options
	dir     *os.Root
	state   *state
	// resident is nil for a workspace that keeps nothing between calls.
	resident *resident

	turn chan struct{} // holds one while an edit of this process is made; who waits is served in order

	mu      sync.Mutex // guards what follows
	config  *Config
	update  *updating // the update that is under way, if any
	memory  *memory   // the index in memory, where the state folder cannot be used
	closing bool
}

// Open opens the workspace whose root is the folder root (see FindRoot). It reads the root's
// configuration, takes back an edit that a crash cut off, and does nothing else; indexing begins with the first View or Refresh.
func Open(ctx context.Context, root string, o Options) (*Workspace, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := realDir(root)
	if err != nil {
		return nil, err
	}
	if o.Stores.Graph == nil {
		return nil, errors.New("open workspace: no store for the graph was given")
	}
	if o.Wait <= 0 {
		o.Wait = 10 * time.Second
	}
	dir, err := StateDir(o.Home, root)
	if err != nil {
		return nil, err
	}
	w := &Workspace{root: root, options: o, state: &state{dir: dir, wait: o.Wait}, turn: make(chan struct{}, 1)}
	if w.dir, err = os.OpenRoot(root); err != nil {
		return nil, fmt.Errorf("open workspace %s: %w; give a folder with -C", root, bare(err))
	}
	if w.config, err = w.loadConfig(); err != nil {
		_ = w.dir.Close()
		return nil, err
	}
	w.recoverEdits()
	if o.Resident {
		if err := w.state.make(w.root); err != nil {
			w.log("%v", &stateError{err})
		} else {
			w.resident = newResident(w)
		}
	}
	return w, nil
}

// Root is the absolute path of the root.
func (w *Workspace) Root() string { return w.root }

// State is the absolute path of the state folder, whether it is there or not.
func (w *Workspace) State() string { return w.state.dir }

// Config is what the root's configuration file says; it must not be changed.
func (w *Workspace) Config() *Config {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.config
}

// Close ends an update that is under way, which leaves the index as it was before it, and
// waits for it.
func (w *Workspace) Close() error {
	w.mu.Lock()
	w.closing = true
	u := w.update
	w.mu.Unlock()
	if u != nil {
		u.cancel()
		<-u.done
	}
	var err error
	if w.resident != nil {
		err = w.resident.close()
	}
	return errors.Join(err, w.dir.Close())
}

// reload reads the configuration again.
func (w *Workspace) reload() error {
	c, err := w.loadConfig()
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.config = c
	w.mu.Unlock()
	return nil
}

func (w *Workspace) scanOptions() ignore.Options {
	c := w.Config()
	return ignore.Options{Exclude: c.Exclude, Include: c.Include}
}

// Tell tells a person a line, as the workspace itself does (see Options.Log).
func (w *Workspace) Tell(line string) { w.log("%s", line) }

func (w *Workspace) log(format string, args ...any) {
	if w.options.Log != nil {
		w.options.Log(fmt.Sprintf(format, args...))
	}
}

// limits are the bounds of the work for one file.
func (w *Workspace) limits() index.Limits {
	return index.Limits{Facts: w.Config().MaxFileSize}
}
