//go:build darwin || freebsd

package workspace

import (
	"strings"

	"golang.org/x/sys/unix"
)

// remote reports whether a folder lies on a file system that other machines, or programs of
// this one, change without this system's telling.
func remote(dir string) bool {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return false
	}
	name := unix.ByteSliceToString(st.Fstypename[:])
	return uint64(st.Flags)&unix.MNT_LOCAL == 0 || strings.Contains(name, "fuse")
}
