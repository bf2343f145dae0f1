package workspace

import "golang.org/x/sys/unix"

// remote reports whether a folder lies on a file system that other machines, or programs of
// this one, change without this system's telling.
func remote(dir string) bool {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case 0x6969, // NFS
		0x517b, 0xff534d42, 0xfe534d42, // SMB, CIFS, SMB2
		0x65735546, // FUSE
		0x01021997, // 9P
		0x5346414f, // AFS
		0x00c36400: // Ceph
		return true
	}
	return false
}
