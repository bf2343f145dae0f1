package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// tree is what a resident workspace knows of its files without looking at each: the listing
// as of the last question, and the paths that may differ from what the index was made from.
//
// While the system tells of changes, a question costs what changed: the entries of changed
// files are put in place, and only folders in which names came or went are read. Without
// that (too few watches, a file system of another machine, events that were lost) the whole
// tree is looked at anew for each question. So an event only ever saves work.
type tree struct {
	w *Workspace
	// stands is what the index was when only the paths in behind differed from it; nil means
	// that this is not known. It is set with mu held and may be read without.
	stands atomic.Pointer[version]
	// seen is what Watching tells, as of the last look; it may be read without mu, too.
	seen atomic.Pointer[Watching]

	mu      sync.Mutex // guards what follows; held while the disk is looked at
	watch   *watcher   // nil: the system does not tell
	why     string     // why it does not
	listing *ignore.Listing
	blind   bool              // a look was cut off: the listing may lack what had been told
	options string            // that listing was made with
	behind  map[string]uint64 // paths to look at, with the count at which each was marked
	count   uint64
	saved   version // what the listing that was saved last goes with
	lost    int     // how often events were lost
	drift   int     // changes that no event told of
}

// version of no index.
var noVersion version

func newTree(w *Workspace) *tree {
	t := &tree{w: w, behind: map[string]uint64{}}
	switch watcher, err := newWatcher(w.root, w.state.dir); {
	case remote(w.root):
		t.why = "the root lies on a network file system, which does not tell of changes"
		if err == nil {
			watcher.close()
		}
	case err != nil:
		t.why = noWatch(err)
	default:
		t.watch = watcher
	}
	t.tell()
	return t
}

func noWatch(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the system allows too few watches (raise fs.inotify.max_user_watches)"
	case errors.Is(err, syscall.EMFILE) && runtime.GOOS == "linux":
		return "the system allows too few watchers (raise fs.inotify.max_user_instances)"
	case errors.Is(err, syscall.EMFILE): // there a watch holds every file open
		return "the system allows too few open files (raise ulimit -n)"
	}
	return fmt.Sprintf("the system does not tell of changes: %v", err)
}

func (t *tree) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.watch != nil {
		t.watch.close()
		t.watch = nil
	}
}

// now is the tree as it is now, everything included that changed before the call.
func (t *tree) now(ctx context.Context) (*ignore.Listing, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.catchUp(ctx)
	return t.listing, err
}

// catchUp looks at what changed, or at everything if that is not known.
func (t *tree) catchUp(ctx context.Context) error {
	o := t.w.scanOptions()
	options := strings.Join(slices.Concat(o.Exclude, []string{"\x00"}, o.Include), "\n")
	known := t.watch != nil && t.watch.fence(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	var e events
	if t.watch != nil {
		e = t.watch.take()
	}
	if e.lost {
		t.lost++
	}
	var err error
	if !known || e.lost || t.blind || t.listing == nil || t.options != options {
		t.options = options
		err = t.all(ctx)
	} else {
		err = t.absorb(ctx, e)
	}
	t.blind = err != nil // what was taken is not told again
	t.tell()
	return err
}

// tell keeps what there is to tell of how changes are learnt; mu is held, or nobody else has t yet.
func (t *tree) tell() {
	v := &Watching{Why: t.why, Lost: t.lost, Drift: t.drift}
	if t.watch != nil {
		v.Folders = len(t.watch.folders)
	}
	t.seen.Store(v)
}

// all looks at the whole tree.
func (t *tree) all(ctx context.Context) error {
	was := t.listing
	if was == nil {
		was = listingOf(t.w.state.load())
	}
	if err := t.scan(ctx, was, nil, false); err != nil {
		return err
	}
	return t.follow(ctx)
}

// scan lists the tree and marks what differs from the listing before; unless the system told
// of all changes, what changed shortly before that listing is marked as well.
func (t *tree) scan(ctx context.Context, was *ignore.Listing, dirty func(string) bool, told bool) error {
	o := t.w.scanOptions()
	o.Dirty = dirty
	now, err := ignore.Scan(ctx, t.w.root, o, was)
	if err != nil {
		return err
	}
	if t.listing != nil {
		if told {
			added, removed, changed := ignore.Diff(t.listing, now)
			t.mark(slices.Concat(added, removed, changed)...)
		} else {
			put, gone := differences(t.listing, now)
			t.mark(slices.Concat(put, gone)...)
		}
	}
	t.listing = now
	return nil
}

// mark marks paths to look at.
func (t *tree) mark(paths ...string) {
	for _, p := range paths {
		t.count++
		t.behind[p] = t.count
	}
}

// follow watches the folders of the listing. What is in a folder that was not watched before
// is looked at again, until there is none.
func (t *tree) follow(ctx context.Context) error {
	for t.watch != nil {
		added, err := t.watch.watch(t.folders())
		if err != nil {
			t.why = noWatch(err)
			t.watch.close()
			t.watch = nil
			return nil
		}
		if len(added) == 0 {
			return nil
		}
		fresh := map[string]bool{}
		for _, p := range added {
			if p == t.w.root {
				fresh[""] = true
			} else if rel, ok := strings.CutPrefix(p, t.w.root+"/"); ok {
				fresh[rel] = true
			}
		}
		var dirty func(string) bool
		if len(fresh) < 64 {
			dirty = func(dir string) bool { return fresh[dir] }
		}
		if err := t.scan(ctx, t.listing, dirty, true); err != nil {
			return err
		}
	}
	return nil
}

// folders are the folders to watch: those of the tree, and those of version control in which
// something decides what belongs to it.
func (t *tree) folders() []folder {
	var out []folder
	for _, p := range t.listing.Folders() {
		f := folder{path: t.w.root}
		if p != "" {
			e, _ := t.listing.Lookup(p)
			f = folder{t.w.root + "/" + p, e.Inode}
		}
		out = append(out, f)
	}
	for _, g := range t.listing.GitFolders() {
		out = append(out, folder{path: g}, folder{path: filepath.Join(g, "info")})
	}
	return out
}

// absorb brings the listing up to what was told.
func (t *tree) absorb(ctx context.Context, e events) error {
	var content []ignore.Entry
	dirty := map[string]bool{}
	for p := range e.paths {
		now, err := ignore.Lstat(t.w.root, p)
		was, known := t.listing.Lookup(p)
		there := err == nil
		switch {
		case !known && !there && errors.Is(err, fs.ErrNotExist):
			// it came and went
		case known && there && was.Type == ignore.File && now.Type == ignore.File && !ignore.IsRuleFile(path.Base(p)):
			content = append(content, now)
			t.mark(p)
		case known && there && was.Type == ignore.Dir && now.Type == ignore.Dir && was.Inode == now.Inode && was.Mode == now.Mode:
			// what happened in it is told by itself
		default:
			dirty[folderOf(p)] = true
			dirty[p] = true
		}
	}
	if len(content) > 0 {
		t.listing = t.listing.With(content)
	}
	if len(dirty) == 0 && !e.rules {
		return nil
	}
	if err := t.scan(ctx, t.listing, func(dir string) bool { return dirty[dir] }, true); err != nil {
		return err
	}
	return t.follow(ctx)
}

// folderOf is the folder that a path is in, "" for the root.
func folderOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// stale are the files that differ from the index of a version; nil if it stands for all.
func (t *tree) stale(v version) *staleFiles {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.version() != v || v == noVersion {
		return &staleFiles{all: true}
	}
	if len(t.behind) == 0 {
		return nil
	}
	s := &staleFiles{}
	for p := range t.behind {
		if e, ok := t.listing.Lookup(p); ok && isFile(&e) {
			s.put = append(s.put, p)
		} else {
			s.gone = append(s.gone, p)
		}
	}
	slices.Sort(s.put)
	slices.Sort(s.gone)
	return s
}

// begin names the listing and the files that an update from version v has to look at, and
// the mark up to which it covers changes. What the index was made from is told by prev, if v
// is not the version that the tree knows.
func (t *tree) begin(v version, prev *saved) (now *ignore.Listing, s *staleFiles, upTo uint64) {
	t.mu.Lock()
	if t.version() != v && prev != nil {
		put, gone := differences(prev.Listing, t.listing)
		t.mark(slices.Concat(put, gone)...)
		t.stands.Store(&v)
	}
	now, upTo = t.listing, t.count
	t.mu.Unlock()
	return now, t.stale(v), upTo
}

// done tells that the index of version v stands for all that was marked up to upTo.
func (t *tree) done(v version, upTo uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stands.Store(&v)
	for p, n := range t.behind {
		if n <= upTo {
			delete(t.behind, p)
		}
	}
}

// drifted marks paths that changed without a word, and counts them.
func (t *tree) drifted(paths []string) {
	t.touched(paths)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drift += len(paths)
	t.tell()
}

// touched marks paths whose bytes turned out not to be those that the index was made from.
func (t *tree) touched(paths []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mark(paths...)
}

// version is that of the index of which the tree knows how it differs. It waits for nothing.
func (t *tree) version() version {
	if v := t.stands.Load(); v != nil {
		return *v
	}
	return noVersion
}

// save looks at the whole tree, whatever the system told, and saves the listing with the
// index that it stands for, for the next process to begin with. What had changed without a
// word is counted, and is then known.
func (t *tree) save(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	stands := t.version()
	if t.listing == nil || stands == noVersion || t.saved == stands {
		return nil
	}
	if err := t.catchUp(ctx); err != nil {
		return err
	}
	before := t.count
	if err := t.scan(ctx, t.listing, nil, t.watch != nil); err != nil {
		return err
	}
	if t.watch != nil {
		t.drift += int(t.count - before)
		t.tell()
	}
	if len(t.behind) > 0 {
		return nil // the next update is near
	}
	err := t.w.state.save(&saved{Listing: t.listing, build: []byte(stands.build), gen: stands.gen})
	if err == nil {
		t.saved = stands
	}
	return err
}

// changes is woken when the system tells of a change; nil if it does not.
func (t *tree) changes() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.watch == nil {
		return nil
	}
	return t.watch.wake
}

// graphVersion is the version of an index as its store tells it.
func graphVersion(build []byte, gen graph.Gen) version { return version{string(build), gen} }
