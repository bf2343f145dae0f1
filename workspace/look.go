package workspace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode"
)

// Place is a path that an edit is about, as it is on disk.
type Place struct {
	// Given is the path as it was given, cleaned; Path is free of links.
	Given, Path string
	State       State
	Data        []byte   // of a regular file
	Target      string   // of a link
	Entries     []string // of a folder: the paths in it, below it, each folder before its content
	Writable    bool     // the file has write permission
	ID          os.FileInfo
}

// Look finds what stands at a path that an edit names. Links on the way are followed as long
// as they stay inside the root; one at the end only if follow is set. The error is
// ErrOutside or ErrRefused for what no edit may touch.
func Look(ctx context.Context, s *Snapshot, given string, follow bool) (*Place, error) {
	p, err := s.w.look(ctx, given, follow)
	if p != nil && p.State.Type == Regular {
		s.mu.Lock()
		s.noteSum(p.Path, p.State.Hash)
		s.mu.Unlock()
	}
	return p, err
}

func (w *Workspace) look(ctx context.Context, given string, follow bool) (*Place, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	clean, err := cleanPath(given)
	if err != nil {
		return nil, err
	}
	real, err := w.resolve(clean, follow)
	if err != nil {
		return nil, err
	}
	if err := editable(real); err != nil {
		return nil, err
	}
	p := &Place{Given: clean, Path: real}
	if err := w.fillPlace(p); err != nil {
		return nil, err
	}
	if p.State.Type == Absent {
		return p, newNames(real)
	}
	return p, nil
}

// cleanPath makes a caller's path one that is relative to the root.
func cleanPath(p string) (string, error) {
	if p == "" || strings.IndexByte(p, 0) >= 0 {
		return "", fmt.Errorf("%q: %w: it is no path", p, ErrRefused)
	}
	if strings.HasPrefix(p, "/") {
		return "", fmt.Errorf("an absolute path: %w", ErrOutside)
	}
	clean := path.Clean(p)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", fmt.Errorf("%s: %w", p, ErrOutside)
	}
	return clean, nil
}

// internalNames belong to version control; what is below them changes only through it.
var internalNames = []string{".git", ".hg", ".jj", ".svn"}

// editable refuses the root itself and version control's own files, in any spelling that
// some file system takes for theirs.
func editable(p string) error {
	if p == "." {
		return fmt.Errorf("the root itself: %w", ErrRefused)
	}
	for part := range strings.SplitSeq(p, "/") {
		name := strings.ToLower(strings.TrimRight(part, ". "))
		name = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, name)
		if slices.Contains(internalNames, name) || name == "git~1" || strings.HasPrefix(part, tempPrefix) {
			return fmt.Errorf("%s: %w: %s belongs to version control or to this program", p, ErrRefused, part)
		}
	}
	return nil
}

// newNames refuses, for a path that is to be made, names that people and other systems
// cannot tell from others.
func newNames(p string) error {
	for part := range strings.SplitSeq(p, "/") {
		bad := strings.HasSuffix(part, " ") || strings.HasSuffix(part, ".")
		bad = bad || strings.ContainsFunc(part, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) })
		if bad {
			return fmt.Errorf("%q: %w: a new name has no control characters and does not end in a space or a dot", p, ErrRefused)
		}
	}
	return nil
}

// maxLinks is how many links a path may lead through.
const maxLinks = 40

// resolve follows the links of a clean path by hand, since each must stay inside the root.
func (w *Workspace) resolve(p string, follow bool) (string, error) {
	rest, done := strings.Split(p, "/"), "."
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == "" || name == "." {
			continue
		}
		if name == ".." {
			if done == "." {
				return "", fmt.Errorf("%s: %w", p, ErrOutside)
			}
			done = path.Dir(done)
			continue
		}
		at := path.Join(done, name)
		info, err := w.dir.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			return w.resolveAbsent(p, at, rest)
		case err != nil:
			return "", confined(p, err)
		case info.Mode()&fs.ModeSymlink == 0 || len(rest) == 0 && !follow:
			done = at
			continue
		}
		target, err := w.dir.Readlink(at)
		if err != nil {
			return "", confined(p, err)
		}
		if links++; links > maxLinks || strings.HasPrefix(target, "/") {
			return "", fmt.Errorf("%s: %w", p, ErrOutside)
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return done, nil
}

// resolveAbsent completes a path of which at is not there.
func (w *Workspace) resolveAbsent(p, at string, rest []string) (string, error) {
	out := path.Join(append([]string{at}, rest...)...)
	if out == ".." || strings.HasPrefix(out, "../") || slices.Contains(rest, "..") {
		return "", fmt.Errorf("%s: %w", p, ErrOutside)
	}
	return out, nil
}

// confined names the error of an operation below the root, without paths of the system.
func confined(p string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		err = pe.Err
	case errors.As(err, &le):
		err = le.Err
	}
	if strings.Contains(err.Error(), "escapes") {
		return fmt.Errorf("%s: %w", p, ErrOutside)
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%s: %w", p, ErrReadOnly)
	}
	return fmt.Errorf("%s: %w", p, err)
}

// fillPlace looks at what is there.
func (w *Workspace) fillPlace(p *Place) error {
	dir, name, err := w.parent(p.Path, nil)
	if errors.Is(err, fs.ErrNotExist) {
		p.State.Type = Absent
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	return inspect(dir, name, p)
}

// parent opens the folder that holds p, step by step, so that no link is followed that was
// put there meanwhile. Folders that are missing are made if made is not nil, and noted there.
func (w *Workspace) parent(p string, made *[]string) (*os.Root, string, error) {
	dir, err := w.dir.OpenRoot(".")
	if err != nil {
		return nil, "", confined(p, err)
	}
	parts := strings.Split(p, "/")
	for i, name := range parts[:len(parts)-1] {
		next, err := enter(dir, name)
		if errors.Is(err, fs.ErrNotExist) && made != nil {
			if err = dir.Mkdir(name, 0o777); err == nil {
				*made = append(*made, strings.Join(parts[:i+1], "/"))
				next, err = enter(dir, name)
			}
		}
		_ = dir.Close()
		if err != nil {
			return nil, "", confined(strings.Join(parts[:i+1], "/"), err)
		}
		dir = next
	}
	return dir, parts[len(parts)-1], nil
}

// enter opens a folder that is no link.
func enter(dir *os.Root, name string) (*os.Root, error) {
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, syscall.ENOTDIR
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(before, now) {
		_ = next.Close()
		return nil, ErrOutside // it was swapped for a link in between
	}
	return next, nil
}

// inspect finds what the name stands for in a folder.
func inspect(dir *os.Root, name string, p *Place) error {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		p.State = State{Type: Absent}
		return nil
	}
	if err != nil {
		return confined(p.Path, err)
	}
	p.ID, p.Writable = info, info.Mode()&0o222 != 0
	p.State = State{Type: Special, Mode: info.Mode().Perm()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		p.State.Type = Link
		if p.Target, err = dir.Readlink(name); err != nil {
			return confined(p.Path, err)
		}
		p.State.Hash = sha256.Sum256([]byte(p.Target))
	case info.IsDir():
		p.State.Type = Folder
		return manifest(dir, name, p)
	case info.Mode().IsRegular():
		p.State.Type = Regular
		if p.Data, err = readSame(dir, name, info); err != nil {
			return confined(p.Path, err)
		}
		p.State.Hash = sha256.Sum256(p.Data)
	}
	return nil
}

// readSame reads a regular file that is the one of info.
func readSame(dir *os.Root, name string, info os.FileInfo) ([]byte, error) {
	f, err := dir.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	now, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !os.SameFile(info, now):
		return nil, ErrOutside
	case now.Size() > maxRead:
		return nil, errors.New("too large to be edited")
	}
	return readAll(context.Background(), f, now.Size(), nil) // an edit that has begun is made
}

// maxManifest is how many bytes of a folder's files are hashed for its manifest; of what
// is beyond, size and time count.
const maxManifest = 256 << 20

// manifest hashes what is in a folder.
func manifest(dir *os.Root, name string, p *Place) error {
	var b bytes.Buffer
	left := int64(maxManifest)
	err := walkTree(dir, name, "", func(d *os.Root, base, rel string, info os.FileInfo) error {
		if strings.HasPrefix(base, tempPrefix) {
			return nil
		}
		p.Entries = append(p.Entries, rel)
		fmt.Fprintf(&b, "%q %v ", rel, info.Mode())
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := d.Readlink(base)
			fmt.Fprintf(&b, "%q\n", target)
			return err
		case info.Mode().IsRegular() && info.Size() <= left:
			left -= info.Size()
			data, err := readSame(d, base, info)
			fmt.Fprintf(&b, "%x\n", sha256.Sum256(data))
			return err
		case info.Mode().IsRegular():
			fmt.Fprintf(&b, "%d %d\n", info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	p.State.Hash = sha256.Sum256(b.Bytes())
	if err != nil {
		return confined(p.Path, err)
	}
	return nil
}

// walkTree calls f for everything in folder name, in the order of paths, each folder before
// its content. rel is the path below the folder. Links are not followed.
func walkTree(dir *os.Root, name, rel string, f func(d *os.Root, base, rel string, info os.FileInfo) error) error {
	sub, err := enter(dir, name)
	if err != nil {
		return err
	}
	defer func() { _ = sub.Close() }()
	names, err := namesOf(sub)
	if err != nil {
		return err
	}
	for _, n := range names {
		info, err := sub.Lstat(n)
		if err != nil {
			return err
		}
		at := path.Join(rel, n)
		if err := f(sub, n, at, info); err != nil {
			return err
		}
		if info.IsDir() {
			if err := walkTree(sub, n, at, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func namesOf(dir *os.Root) ([]string, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// SameThing reports whether two places are one thing on disk, by whatever spelling.
func SameThing(a, b *Place) bool { return a.ID != nil && b.ID != nil && os.SameFile(a.ID, b.ID) }
