//go:build unix

package ignore

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// maxRuleFile is the largest ignore or config file that is read; git has a limit of its own of this order.
const maxRuleFile = 64 << 20

// ident is what tells one state of a file or folder from another without reading it.
type ident struct {
	Size    int64
	MtimeNs int64
	CtimeNs int64
	Inode   uint64
	Dev     uint64
}

// lstat describes path, relative to the folder open as dir, without following a link.
func lstat(dir int, path string, e *Entry) error {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(dir, path, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == nil {
			break
		}
		if err != unix.EINTR {
			return err
		}
	}
	fill(e, &st)
	return nil
}

func fill(e *Entry, st *unix.Stat_t) {
	e.Size = st.Size
	e.MtimeNs = st.Mtim.Nano()
	e.CtimeNs = st.Ctim.Nano()
	e.Inode = st.Ino
	e.Dev = uint64(st.Dev)
	e.Mode = uint32(st.Mode) & 0o7777
	switch uint32(st.Mode) & unix.S_IFMT {
	case unix.S_IFREG:
		e.Type = File
	case unix.S_IFDIR:
		e.Type = Dir
	case unix.S_IFLNK:
		e.Type = Link
	default:
		e.Type = Other
	}
}

func (e *Entry) ident() ident {
	return ident{e.Size, e.MtimeNs, e.CtimeNs, e.Inode, e.Dev}
}

// openDir opens a folder for reading its names. The file is called name in what it reports.
func openDir(dir int, path, name string) (*os.File, error) {
	fd, err := open(dir, path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

func open(dir int, path string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir, path, flags|unix.O_CLOEXEC, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}

// readFile reads a small regular file. It never waits on a pipe and refuses what is no regular file. A link is
// followed only if follow is set. path is relative to dir unless it is absolute.
func readFile(dir int, path string, follow bool) ([]byte, error) {
	return readUpTo(dir, path, follow, maxRuleFile)
}

func readUpTo(dir int, path string, follow bool, limit int64) ([]byte, error) {
	flags := unix.O_RDONLY | unix.O_NONBLOCK
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := open(dir, path, flags)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if uint32(st.Mode)&unix.S_IFMT != unix.S_IFREG {
		return nil, errNotRegular
	}
	if st.Size > limit {
		return nil, errTooLarge
	}
	data := make([]byte, 0, st.Size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			if int64(len(data)) > limit {
				return nil, errTooLarge
			}
			data = append(data, 0)[:len(data)]
		}
	}
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("file too large")
)

// statFollow describes an absolute path, following links.
func statFollow(path string) (ident, bool) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return ident{}, false
	}
	var e Entry
	fill(&e, &st)
	return e.ident(), true
}

// atCwd makes relative paths of open and readFile those of the process; absolute ones need no folder.
const atCwd = unix.AT_FDCWD
