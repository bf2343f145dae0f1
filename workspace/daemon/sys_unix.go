//go:build unix

package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// owned reports whether a file belongs to the user.
func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// identity is a file as its file system knows it: the same for the same file, whatever its
// path, as long as someone has it open.
func identity(info fs.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}

// identityAt is the identity of what is at a path; empty if nothing is.
func identityAt(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	return identity(info)
}

// tryLock takes the lock of a file, which is made if it is missing. The file is nil if
// someone else has it. To close the file gives it back.
func tryLock(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open lock: %w", err)
		}
		for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		}
		if err != nil {
			_ = f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, nil
			}
			return nil, fmt.Errorf("take lock: %w", err)
		}
		if info, err := f.Stat(); err == nil && identity(info) == identityAt(path) {
			return f, nil
		}
		_ = f.Close() // its last holder removed it meanwhile
	}
}

// apart makes a command one of its own, which no terminal and no group of the parent's ends.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
