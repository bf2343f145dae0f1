//go:build unix

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
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop) // a second one ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// endings are the signals that end the program well. The end of a terminal is left out if whoever
// started the program has it ignore that, as nohup does.
func endings() []os.Signal {
	out := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}
