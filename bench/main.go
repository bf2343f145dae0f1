package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// commands are the measurements by name; the empty name is what runs without one.
var commands = map[string]func(ctx context.Context, args []string, out io.Writer) error{
	"":      speed,
	"speed": speed,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := dispatch(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		os.Exit(2)
	}
}

func dispatch(ctx context.Context, args []string, out io.Writer) error {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	command, ok := commands[name]
	if !ok {
		return fmt.Errorf("there is no measurement %q; say one of: go run ./bench %s", name, measurements())
	}
	if name == "" && len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		fmt.Fprintf(os.Stderr, "Measurements: go run ./bench %s (speed without a word); each tells its flags with -h.\n", measurements())
	}
	return command(ctx, args, out)
}

// measurements are the names of all commands.
func measurements() string {
	names := slices.Sorted(maps.Keys(commands))
	return strings.Join(names[1:], "|") // the first is empty
}
