package index

import (
	"syscall"
	"time"
)

// rusageThread asks for the calling thread alone.
const rusageThread = 1

// threadTime is the processor time that the calling thread has taken; ok is false where the
// system does not tell.
func threadTime() (d time.Duration, ok bool) {
	var u syscall.Rusage
	if syscall.Getrusage(rusageThread, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
