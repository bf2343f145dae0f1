//go:build unix && !linux && !darwin && !freebsd

package main

// machineMemory is the machine's memory in bytes, which this system does not tell: 0.
func machineMemory() int64 { return 0 }
