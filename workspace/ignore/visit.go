package ignore

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"slices"
	"syscall"
)

// readBatch is how many names are read, and how many entries looked at, between two looks at the context.
const readBatch = 512

// visit looks at one folder and appends the folders in it that are to be walked to more.
func (s *scan) visit(t task, more []task) []task {
	n := t.node
	if s.reuse(t, &more) {
		return more
	}
	names, err := s.readNames(n.dir.Path)
	if err != nil {
		if n.dir.Path == "" {
			n.err = err
		}
		n.fail(err)
		if names == nil {
			return more
		}
	}
	m, names := ruleFiles(names)
	lv, linked := s.enter(t.up, s.inside(n.dir.Path), m, t.in != inProject, n.dir.Path == "")
	if linked {
		n.skip(LinkedTree)
		n.rec.marks |= unstable
		return more
	}
	n.rec.marks |= m
	n.rec.rules = t.hash(lv)
	return s.fresh(t, lv, names, more)
}

// reuse tries to do without reading the folder. It succeeds if nothing says that the names in it, or what the rules
// make of them, could differ from what the previous listing has: the folder's identity does, or Options.Dirty.
func (s *scan) reuse(t task, more *[]task) bool {
	if t.prev < 0 {
		return false
	}
	n, rec := t.node, &s.prev.dirs[t.prev]
	old := &s.prev.root
	if rec.entry >= 0 {
		old = &s.prev.Entries[rec.entry]
	}
	told := s.opts.Dirty != nil
	if rec.marks&unstable != 0 || told && s.opts.Dirty(n.dir.Path) || !told && (old.ident() != n.dir.ident() || racy(old, s.prevTaken)) {
		return false
	}
	lv, linked := s.enter(t.up, s.inside(n.dir.Path), rec.marks, t.in != inProject, n.dir.Path == "")
	if linked || t.hash(lv) != rec.rules || rec.marks&indexMatters != 0 && lv.repo != nil && lv.repo.changed {
		return false
	}
	ids := s.children.of(t.prev)
	kids := make([]kid, len(ids))
	first := len(*more)
	for i, id := range ids {
		k, was := &kids[i], &s.prev.Entries[id]
		k.Entry = *was
		var err error
		if !told || was.Type == Dir && s.opts.Dirty(was.Path) {
			err = lstat(s.fd, was.Path, &k.Entry)
		}
		if err != nil || k.Type != was.Type || i%readBatch == 0 && s.stopped.Load() {
			*more = (*more)[:first] // it is not as it was after all
			return false
		}
		if d := s.children.dirOf[id]; d >= 0 {
			*more = append(*more, k.walk(lv, s.prev.dirs[d].marks.excluded(), d))
		} else if k.Type == Other {
			n.skips = append(n.skips, Skip{k.Path, Special})
		}
	}
	n.kids = kids
	n.rec = *rec
	return true
}

// walk makes the folder k one that is looked into.
func (k *kid) walk(up *level, in excluded, prev int32) task {
	k.node = &node{dir: k.Entry, rec: dirRec{marks: in.mark()}}
	return task{node: k.node, up: up, in: in, hidden: k.Hidden, prev: prev}
}

// hash stands for all that a name in the folder is judged by, but the git index.
func (t *task) hash(lv *level) uint64 {
	h := lv.hash ^ uint64(t.in)<<1
	if t.hidden {
		h ^= 1
	}
	return h
}

// name is one name in a folder that is read.
type name struct {
	name string
	typ  fs.FileMode
}

// readNames reads the names in a folder, in order. With an error it may return some of them.
func (s *scan) readNames(path string) ([]name, error) {
	at := path
	if path == "" {
		at = "."
	}
	f, err := openDir(s.fd, at, s.root+"/"+path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []name
	for {
		list, err := f.ReadDir(readBatch)
		names = slices.Grow(names, len(list))
		for _, d := range list {
			names = append(names, name{d.Name(), d.Type()})
		}
		if err == io.EOF || s.stopped.Load() {
			err = nil
		} else if err == nil {
			continue
		}
		slices.SortFunc(names, func(a, b name) int { return cmp.Compare(a.name, b.name) })
		return names, err
	}
}

// ruleFiles finds the names that bear on the rules and takes out those that are never entries.
func ruleFiles(names []name) (marks, []name) {
	var m marks
	keep := names[:0]
	for _, n := range names {
		m |= ruleNames[n.name]
		switch n.name {
		case ".git":
			continue
		case ".hg", ".jj", ".svn":
			if n.typ.IsDir() {
				continue
			}
		}
		keep = append(keep, n)
	}
	return m, keep
}

// fresh judges names that were read from disk.
func (s *scan) fresh(t task, lv *level, names []name, more []task) []task {
	n := t.node
	n.kids = make([]kid, 0, len(names))
	dir := s.prefix
	if n.dir.Path != "" {
		dir += n.dir.Path + "/"
	}
	old := s.oldDirs(t.prev)
	for i, nm := range names {
		if i%readBatch == 0 && s.stopped.Load() {
			return more
		}
		full := dir + nm.name
		v := s.judge(lv, t.in, full, len(dir), nm.typ.IsDir())
		if v.index {
			n.rec.marks |= indexMatters
		}
		if !v.keep {
			n.rec.dropped++
			continue
		}
		n.kids = append(n.kids, kid{})
		k := &n.kids[len(n.kids)-1]
		k.Path = full[len(s.prefix):]
		if err := lstat(s.fd, k.Path, &k.Entry); err != nil {
			n.kidFailed(k.Path, err)
			n.kids = n.kids[:len(n.kids)-1]
			continue
		}
		k.Hidden = t.hidden || nm.name[0] == '.' && !v.white
		k.Ignored = v.ignored
		switch {
		case k.Type == Other:
			n.skips = append(n.skips, Skip{k.Path, Special})
		case k.Type == Dir != nm.typ.IsDir():
			n.rec.marks |= unstable // it was judged as what it no longer is
		case k.Type == Dir && (!k.Hidden || s.opts.Hidden):
			prev := int32(-1)
			if d, ok := old[k.Path]; ok {
				prev = d
			}
			more = append(more, k.walk(lv, v.below, prev))
		}
	}
	return more
}

// oldDirs finds the folders that the previous listing knew in a folder.
func (s *scan) oldDirs(prev int32) map[string]int32 {
	if prev < 0 {
		return nil
	}
	old := make(map[string]int32)
	for _, id := range s.children.of(prev) {
		if d := s.children.dirOf[id]; d >= 0 {
			old[s.prev.Entries[id].Path] = d
		}
	}
	return old
}

func (n *node) skip(r Reason) { n.skips = append(n.skips, Skip{n.dir.Path, r}) }

// fail records that the folder could not be read.
func (n *node) fail(err error) {
	n.rec.marks |= unstable
	r := reasonFor(err)
	n.gone = r == Vanished
	n.skip(r)
}

// kidFailed records that a name in the folder could not be looked at.
func (n *node) kidFailed(path string, err error) {
	n.rec.marks |= unstable
	n.skips = append(n.skips, Skip{path, reasonFor(err)})
}

func reasonFor(err error) Reason {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return Permission
	case errors.Is(err, syscall.ENAMETOOLONG):
		return TooLong
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.ESTALE):
		return Vanished
	}
	return Failed
}

// mark and excluded translate a folder's state to the marks it is stored as, and back.
func (e excluded) mark() marks {
	switch e {
	case outByGit:
		return inGitIgnored
	case outByOther:
		return inIgnored
	}
	return 0
}

func (m marks) excluded() excluded {
	switch {
	case m&inGitIgnored != 0:
		return outByGit
	case m&inIgnored != 0:
		return outByOther
	}
	return inProject
}
