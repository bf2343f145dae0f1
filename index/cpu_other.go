//go:build !linux

package index

import "time"

// threadTime is the processor time that the calling thread has taken; ok is false where the
// system does not tell.
func threadTime() (d time.Duration, ok bool) { return 0, false }
