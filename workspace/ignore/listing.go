package ignore

import (
	"io/fs"
	"slices"
	"sort"
	"strings"
	"time"
)

// Type is what kind of thing an entry is on disk.
type Type uint8

// The types of entries. Other is a pipe, a socket or a device; each such entry has a Skip beside it.
const (
	File Type = iota
	Dir
	Link
	Other
)

// String returns "file", "dir", "link" or "other".
func (t Type) String() string {
	switch t {
	case File:
		return "file"
	case Dir:
		return "dir"
	case Link:
		return "link"
	}
	return "other"
}

// Entry is one name in the tree as it was when Scan looked at it.
type Entry struct {
	// Path is relative to the root, with slashes, and holds the very bytes of the names on disk.
	Path string
	// Size is in bytes.
	Size int64
	// MtimeNs and CtimeNs are the times of the last change of content and of content or attributes, in
	// nanoseconds since 1970. A writer can set the first back, not the second.
	MtimeNs, CtimeNs int64
	// Inode and Dev tell one file from another that took its name.
	Inode, Dev uint64
	// Mode holds the permission bits with set-user-id, set-group-id and sticky (0o7777).
	Mode uint32
	Type Type
	// Hidden says that the name or that of a folder above begins with a dot and no rule brings it back. Such an
	// entry is no part of the project for those who do what ripgrep does by default.
	Hidden bool
	// Ignored says that a rule takes the entry out of the project. Only Options.IncludeIgnored lists those.
	Ignored bool
}

// Part reports whether the entry belongs to the project: neither hidden nor ignored.
func (e *Entry) Part() bool { return !e.Hidden && !e.Ignored }

// same reports whether nothing about e that a reader of the tree could see differs from o.
func (e *Entry) same(o *Entry) bool {
	if e.Type != o.Type || e.Hidden != o.Hidden || e.Ignored != o.Ignored {
		return false
	}
	return e.Type == Dir || e.ident() == o.ident() && e.Mode == o.Mode
}

// Reason says why something was left out of a walk.
type Reason string

// The reasons for a Skip.
const (
	Permission Reason = "permission"
	Special    Reason = "special file" // pipe, socket or device
	LinkedTree Reason = "linked work tree"
	Vanished   Reason = "vanished during the walk"
	TooLong    Reason = "path too long"
	BadIndex   Reason = "unreadable git index" // what it tracks is unknown
	Failed     Reason = "input/output error"
)

// Skip is a path that could not be or was not looked into, and why. Of a folder it stands for all below.
type Skip struct {
	Path   string
	Reason Reason
}

// Listing is what one Scan found. It is immutable and may be read by many goroutines.
type Listing struct {
	// Entries are sorted by the bytes of their paths. A folder is listed as well as what is in it; hidden
	// folders, linked work trees and unreadable folders are listed even where nothing below them is.
	Entries []Entry
	// Skips are sorted by path.
	Skips []Skip
	// Taken is when the scan began.
	Taken time.Time
	// Dropped counts the names that rules took out; a folder that was not entered counts once.
	Dropped int

	// What follows makes a re-scan cheap. Each walked folder has a record; the root's is dirs[0], and its
	// identity is in root, since it has no entry. parent[i] is the record of the folder that Entries[i] is in.
	root   Entry
	dirs   []dirRec
	parent []int32
	repos  []repoRec
}

// dirRec is what a re-scan needs to know about a walked folder beside its entry.
type dirRec struct {
	entry   int32  // index in Entries; -1 for the root
	rules   uint64 // hash of all the rules that its names were judged by
	marks   marks
	dropped uint32
}

// repoRec is the state of a work tree's git index.
type repoRec struct {
	gitDir string
	index  ident
}

// marks are facts about the names in a folder.
type marks uint16

const (
	hasGitignore marks = 1 << iota
	hasIgnore
	hasRgignore
	hasGit
	hasJJ
	indexMatters // a name here was taken out by git's rules, or kept only because it is tracked
	unstable     // could not be read in full, or is not to be trusted: read it again
	inGitIgnored // the folder itself is out by git's rules
	inIgnored    // the folder itself is out by other rules
	marksEnd

	namesOfRules = hasGitignore | hasIgnore | hasRgignore | hasGit | hasJJ
)

// Lookup returns the entry of a path.
func (l *Listing) Lookup(path string) (Entry, bool) {
	if i := l.find(path); i >= 0 {
		return l.Entries[i], true
	}
	return Entry{}, false
}

func (l *Listing) find(path string) int {
	i := sort.Search(len(l.Entries), func(i int) bool { return l.Entries[i].Path >= path })
	if i < len(l.Entries) && l.Entries[i].Path == path {
		return i
	}
	return -1
}

// With is the listing with some of its entries as they are now. Entries of other paths are left out.
func (l *Listing) With(now []Entry) *Listing {
	n := *l
	n.Entries = slices.Clone(l.Entries)
	for _, e := range now {
		if i := l.find(e.Path); i >= 0 {
			e.Hidden, e.Ignored = l.Entries[i].Hidden, l.Entries[i].Ignored
			n.Entries[i] = e
		}
	}
	return &n
}

// Folders are the paths of the folders that were walked, the root, which is "", included.
func (l *Listing) Folders() []string {
	out := make([]string, 0, len(l.dirs))
	for _, d := range l.dirs {
		if d.entry < 0 {
			out = append(out, "")
		} else {
			out = append(out, l.Entries[d.entry].Path)
		}
	}
	return out
}

// GitFolders are the absolute paths of the folders in which the repositories of the tree keep their files.
func (l *Listing) GitFolders() []string {
	var out []string
	for _, r := range l.repos {
		out = append(out, r.gitDir)
	}
	return out
}

// Lstat describes a path of the tree below root, without following a link.
func Lstat(root, path string) (Entry, error) {
	e := Entry{Path: path}
	if err := lstat(atCwd, root+"/"+path, &e); err != nil {
		return e, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return e, nil
}

// IsRuleFile reports whether a file of that name decides what belongs.
func IsRuleFile(name string) bool { return ruleNames[name] != 0 }

// Racy reports whether the entry changed so shortly before the scan that a later change could bear the same
// times. Who keeps something under the entry's identity must look at the content again.
func (l *Listing) Racy(e *Entry) bool { return racy(e, l.Taken.UnixNano()) }

func racy(e *Entry, taken int64) bool {
	return max(e.MtimeNs, e.CtimeNs)+int64(racySpan) >= taken
}

// Diff compares two listings of one root. Added and removed hold paths of any type; changed holds those whose
// size, times, inode, device, mode, type, Hidden or Ignored differ; a folder only counts as changed if it became
// something else or its flags differ. All are sorted. A nil prev has no entries.
func Diff(prev, next *Listing) (added, removed, changed []string) {
	var a, b []Entry
	if prev != nil {
		a = prev.Entries
	}
	if next != nil {
		b = next.Entries
	}
	for len(a) > 0 && len(b) > 0 {
		switch c := strings.Compare(a[0].Path, b[0].Path); {
		case c < 0:
			removed = append(removed, a[0].Path)
			a = a[1:]
		case c > 0:
			added = append(added, b[0].Path)
			b = b[1:]
		default:
			if !a[0].same(&b[0]) {
				changed = append(changed, a[0].Path)
			}
			a, b = a[1:], b[1:]
		}
	}
	for i := range a {
		removed = append(removed, a[i].Path)
	}
	for i := range b {
		added = append(added, b[i].Path)
	}
	return added, removed, changed
}

// children lists, for each folder record, the entries directly in it, in order.
type children struct {
	start []int32 // one more than there are folders
	ids   []int32
	dirOf []int32 // for each entry its folder record, or -1
}

func (l *Listing) children() *children {
	c := &children{
		start: make([]int32, len(l.dirs)+1),
		ids:   make([]int32, len(l.Entries)),
		dirOf: make([]int32, len(l.Entries)),
	}
	for i := range c.dirOf {
		c.dirOf[i] = -1
	}
	for d, rec := range l.dirs {
		if rec.entry >= 0 {
			c.dirOf[rec.entry] = int32(d)
		}
	}
	for _, p := range l.parent {
		c.start[p+1]++
	}
	for d := range l.dirs {
		c.start[d+1] += c.start[d]
	}
	next := slices.Clone(c.start)
	for i, p := range l.parent {
		c.ids[next[p]] = int32(i)
		next[p]++
	}
	return c
}

func (c *children) of(dir int32) []int32 { return c.ids[c.start[dir]:c.start[dir+1]] }
