//go:build unix

package main

import "golang.org/x/sys/unix"

// writable reports whether a folder can be written.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }
