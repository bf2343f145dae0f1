//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// renameNewBy is renameNew where the system has no call for it: a file gets its new name
// before it loses the old one; a folder cannot have two, so that there a moment stays
// between the look and the rename.
func renameNewBy(from *os.Root, name string, to *os.Root, toName string) error {
	info, err := from.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		if err := linkAt(from, name, to, toName); err != nil {
			return err
		}
		return from.Remove(name)
	}
	if _, err := to.Lstat(toName); err == nil {
		return fs.ErrExist
	}
	return plainRename(from, name, to, toName)
}

// exchangeBy is exchange2 where the system has no call for it: the new file takes the name
// at once, and the old one is kept by a second link.
func exchangeBy(from *os.Root, name string, to *os.Root, toName string) error {
	spare := tempPrefix + lowerRandom(12)
	if err := linkAt(to, toName, from, spare); err != nil {
		return err
	}
	if err := plainRename(from, name, to, toName); err != nil {
		_ = from.Remove(spare)
		return err
	}
	return plainRename(from, spare, from, name)
}

// both calls f with the handles of two folders.
func both(from, to *os.Root, f func(a, b int) error) error {
	a, err := from.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	b, err := to.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }()
	return f(int(a.Fd()), int(b.Fd()))
}

func plainRename(from *os.Root, name string, to *os.Root, toName string) error {
	return both(from, to, func(a, b int) error { return unix.Renameat(a, name, b, toName) })
}

func linkAt(from *os.Root, name string, to *os.Root, toName string) error {
	return both(from, to, func(a, b int) error { return unix.Linkat(a, name, b, toName, 0) })
}

// exchange exchanges two names of one folder, if the second is still the file of id; nil
// does not ask.
func exchange(dir *os.Root, temp, name string, id os.FileInfo) error {
	if id != nil {
		now, err := dir.Lstat(name)
		if err != nil {
			return err
		}
		if !os.SameFile(id, now) {
			return syscall.ESTALE
		}
	}
	return exchange2(dir, temp, dir, name)
}

// likeOld gives a new file the owner, the attributes and the permission bits of the one
// that it replaces, as far as the system lets it.
func likeOld(f *os.File, dir *os.Root, old *Place) error {
	if was, ok := old.ID.Sys().(*syscall.Stat_t); ok {
		if now, err := f.Stat(); err == nil {
			if is, ok := now.Sys().(*syscall.Stat_t); ok && (is.Uid != was.Uid || is.Gid != was.Gid) {
				_ = f.Chown(int(was.Uid), int(was.Gid)) // only some may
			}
		}
	}
	if src, err := dir.OpenFile(nameOf(old.Path), os.O_RDONLY|openFlags, 0); err == nil {
		copyAttributes(f, src)
		_ = src.Close()
	}
	return f.Chmod(old.ID.Mode() & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky | fs.ModeSetuid))
}

func nameOf(p string) string {
	if d := parentOf(p); d != "." {
		return p[len(d)+1:]
	}
	return p
}
