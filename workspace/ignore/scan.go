package ignore

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// racySpan is how long before a scan a change may lie and still share its time stamp with a later one.
const racySpan = 2 * time.Second

// Options say what a Scan includes. The zero value follows git and ripgrep in their default modes.
type Options struct {
	// Exclude and Include are patterns in the syntax of a .gitignore at the root. They rank above all ignore
	// files, Include above Exclude.
	Exclude, Include []string
	// Hidden enters hidden folders. Without it they are listed, but not what is in them.
	Hidden bool
	// IncludeIgnored lists what rules take out as well, with Ignored set.
	IncludeIgnored bool
	// NoGit leaves out .gitignore files, info/exclude, and core.excludesFile.
	NoGit bool
	// NoDotIgnore leaves out .ignore and .rgignore files.
	NoDotIgnore bool
	// NoRequireGit lets .gitignore files hold where there is no repository.
	NoRequireGit bool
	// Dirty, if set, names the folders ("" is the root) in which names may have come or gone since the previous
	// listing was made. All other folders and the entries in them are taken to be as that listing has them, and
	// are not looked at. Only a caller who is told of every change can know this.
	Dirty func(dir string) bool
	// Workers is the number of folders looked at at one time; zero means one for each CPU, two at least, eight at most.
	Workers int
	// Env looks up the environment variables that git's configuration depends on; nil means os.LookupEnv.
	Env func(string) (string, bool)
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(max(runtime.GOMAXPROCS(0), 2), 8)
}

// Scan lists the tree below root. prev is an earlier listing of the same root, or nil; it only saves work, and one
// made with other options or of another root is of no use but does no harm. An error means that root itself could
// not be read or ctx ended; all else that goes wrong is a Skip.
func Scan(ctx context.Context, root string, opts Options, prev *Listing) (*Listing, error) {
	taken := time.Now().Round(0) // without the monotonic part, as Decode gives it
	r, err := newRules(root, opts, prev)
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	defer r.close()
	if opts.Dirty != nil && prev != nil {
		taken = prev.Taken // what was not looked at is no younger
	}
	s := &scan{rules: r, prev: prev, taken: taken}
	top, err := s.top()
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", root, err)
	}
	s.idle.L = &s.mu
	s.push([]task{top})
	stop := context.AfterFunc(ctx, s.halt)
	defer stop()
	var wg sync.WaitGroup
	for range opts.workers() {
		wg.Go(s.work)
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("scan %s: %w", root, err)
	}
	if top.node.err != nil {
		return nil, fmt.Errorf("scan %s: %w", root, top.node.err)
	}
	return s.listing(top.node), nil
}

// scan is one walk: a stack of folders still to be looked at, and the workers that take from it.
type scan struct {
	*rules
	prev     *Listing
	children *children // of prev
	taken    time.Time
	stopped  atomic.Bool

	mu      sync.Mutex // guards the fields below
	idle    sync.Cond
	stack   []task
	pending int // tasks on the stack or being worked on
}

// task is one folder to look at.
type task struct {
	node   *node
	up     *level // of the folder's parent
	in     excluded
	hidden bool
	prev   int32 // the folder's record in the previous listing, or -1
}

// node is what was found in one folder.
type node struct {
	dir   Entry
	kids  []kid // sorted by name
	skips []Skip
	rec   dirRec
	gone  bool  // it was removed, or replaced by something else, since its parent was read
	err   error // the root could not be read
}

type kid struct {
	Entry
	node *node // of a folder that is walked
}

func (s *scan) top() (task, error) {
	t := task{node: &node{}, up: s.base(), prev: -1}
	if err := lstat(s.fd, ".", &t.node.dir); err != nil {
		return t, err
	}
	if p := s.prev; p != nil && len(p.dirs) > 0 {
		s.children = p.children()
		t.prev = 0
	}
	return t, nil
}

func (s *scan) push(ts []task) {
	s.mu.Lock()
	s.stack = append(s.stack, ts...)
	s.pending += len(ts)
	s.mu.Unlock()
	if len(ts) > 1 {
		s.idle.Broadcast()
	} else {
		s.idle.Signal()
	}
}

func (s *scan) halt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped.Store(true)
	s.idle.Broadcast()
}

func (s *scan) work() {
	var more []task
	for {
		t, ok := s.pop()
		if !ok {
			return
		}
		if more = s.visit(t, more[:0]); len(more) > 0 {
			s.push(more)
		}
		s.done()
	}
}

func (s *scan) pop() (task, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.stack) == 0 && s.pending > 0 && !s.stopped.Load() {
		s.idle.Wait()
	}
	if len(s.stack) == 0 || s.stopped.Load() {
		return task{}, false
	}
	t := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return t, true
}

func (s *scan) done() {
	s.mu.Lock()
	s.pending--
	last := s.pending == 0
	s.mu.Unlock()
	if last {
		s.idle.Broadcast()
	}
}

// listing puts the nodes together. It takes them down as it goes.
func (s *scan) listing(top *node) *Listing {
	l := &Listing{Taken: s.taken, root: top.dir}
	entries, dirs := top.count()
	l.Entries = make([]Entry, 0, entries)
	l.parent = make([]int32, 0, entries)
	l.dirs = make([]dirRec, 0, dirs)
	l.addDir(top, -1)
	for _, r := range s.repos {
		if r.err != nil {
			path := strings.TrimPrefix(r.gitDir, strings.TrimSuffix(s.root, "/")+"/")
			l.Skips = append(l.Skips, Skip{path + "/index", BadIndex})
			r.index = ident{} // to be tried again
		}
		l.repos = append(l.repos, repoRec{r.gitDir, r.index})
	}
	slices.SortFunc(l.repos, func(a, b repoRec) int { return cmp.Compare(a.gitDir, b.gitDir) })
	slices.SortFunc(l.Skips, func(a, b Skip) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return l
}

func (n *node) count() (entries, dirs int) {
	entries, dirs = len(n.kids), 1
	for i := range n.kids {
		if sub := n.kids[i].node; sub != nil {
			e, d := sub.count()
			entries, dirs = entries+e, dirs+d
		}
	}
	return entries, dirs
}

// addDir appends what is in a folder in the order of whole paths. There "a-b" stands between the folder "a" and
// "a/x", so the contents of the folders are merged with the names as if each had a slash at its end.
func (l *Listing) addDir(n *node, entry int32) {
	id := int32(len(l.dirs))
	n.rec.entry = entry
	l.dirs = append(l.dirs, n.rec)
	l.Skips = append(l.Skips, n.skips...)
	l.Dropped += int(n.rec.dropped)
	type walked struct {
		slashed string
		node    *node
		entry   int32
	}
	var open []walked // folders whose own entry is placed and whose contents are not, sorted
	for i := range n.kids {
		k := &n.kids[i]
		for len(open) > 0 && open[0].slashed < k.Path {
			l.addDir(open[0].node, open[0].entry)
			open = open[1:]
		}
		if k.node != nil && k.node.gone {
			l.Skips = append(l.Skips, k.node.skips...)
			continue
		}
		l.Entries = append(l.Entries, k.Entry)
		l.parent = append(l.parent, id)
		if k.node != nil {
			w := walked{k.Path + "/", k.node, int32(len(l.Entries) - 1)}
			at, _ := slices.BinarySearchFunc(open, w, func(a, b walked) int { return strings.Compare(a.slashed, b.slashed) })
			open = slices.Insert(open, at, w)
		}
	}
	for _, w := range open {
		l.addDir(w.node, w.entry)
	}
}
