//go:build !unix

package main

import (
	"fmt"
	"os"
)

// main says why there is no more to it: who owns an index is settled by locks, identities of files
// and local sockets that other systems do not have. It needs no C compiler to say so.
func main() {
	_, _ = fmt.Fprintln(os.Stderr, "codegraph: works on Linux, macOS and other Unix systems; on Windows install and run it inside WSL (wsl --install)")
	os.Exit(2)
}
