// Command codegraph tells what a code base contains, how its parts hang together, and what a
// change would touch, from a shell and over the Model Context Protocol.
//
// The package turns words into calls: one file a verb. It is the place where the stores are
// chosen and wired to the workspace, the tools to the protocol, and errors to exit codes. It
// computes no answer of its own.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
