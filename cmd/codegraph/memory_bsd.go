//go:build darwin || freebsd

package main

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// machineMemory is the machine's memory in bytes; 0 if it is not known.
func machineMemory() int64 {
	n, err := unix.SysctlUint64(map[string]string{"darwin": "hw.memsize", "freebsd": "hw.physmem"}[runtime.GOOS])
	if err != nil {
		return 0
	}
	return int64(n)
}
