package workspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameAt renames with flags of the system.
func renameAt(from *os.Root, name string, to *os.Root, toName string, flags uint) error {
	return both(from, to, func(a, b int) error { return unix.Renameat2(a, name, b, toName, flags) })
}

// unsupported reports whether the file system lacks a flag of renameat2.
func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP)
}

// renameNew renames to a name that must be free.
func renameNew(from *os.Root, name string, to *os.Root, toName string) error {
	err := renameAt(from, name, to, toName, unix.RENAME_NOREPLACE)
	if unsupported(err) {
		return renameNewBy(from, name, to, toName)
	}
	return err
}

// exchange2 exchanges what two names stand for.
func exchange2(from *os.Root, name string, to *os.Root, toName string) error {
	err := renameAt(from, name, to, toName, unix.RENAME_EXCHANGE)
	if unsupported(err) {
		return exchangeBy(from, name, to, toName)
	}
	return err
}

// rename2 renames whatever is at the other name, as a file system that folds case wants it.
func rename2(from *os.Root, name string, to *os.Root, toName string) error {
	return renameAt(from, name, to, toName, 0)
}

// copyAttributes gives f the extended attributes that old has, those that it may.
func copyAttributes(f, old *os.File) {
	buf := make([]byte, 64<<10)
	n, err := unix.Flistxattr(int(old.Fd()), buf)
	if err != nil {
		return
	}
	value := make([]byte, 64<<10)
	for start, i := 0, 0; i < n; i++ {
		if buf[i] != 0 {
			continue
		}
		name := string(buf[start:i])
		start = i + 1
		if k, err := unix.Fgetxattr(int(old.Fd()), name, value); err == nil {
			_ = unix.Fsetxattr(int(f.Fd()), name, value[:k], 0)
		}
	}
}
