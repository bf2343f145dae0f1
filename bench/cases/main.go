package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// runner is what all cases of one run share.
type runner struct {
	bin     string
	keep    bool
	verbose bool
	jobs    int
	limit   time.Duration // time limit of one case
	daemon  string        // the way to run them, one of ways
	out     io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	failed, err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "cases:", err)
		os.Exit(2)
	case failed:
		os.Exit(1)
	}
}

// run reads the command line, runs the cases and reports whether the run failed.
func run(ctx context.Context, args []string, out io.Writer) (failed bool, err error) {
	r := &runner{out: out}
	set := flag.NewFlagSet("cases", flag.ContinueOnError)
	pattern := set.String("run", "", "only cases whose id matches this regular expression")
	tally := set.Bool("tally", false, "print the figures alone; failed cases do not fail the run")
	set.StringVar(&r.bin, "bin", "", "the program to test (default: build ./cmd/codegraph)")
	set.BoolVar(&r.keep, "keep", false, "keep the temporary workspaces")
	set.BoolVar(&r.verbose, "v", false, "print every call, its reply and every fault")
	set.IntVar(&r.jobs, "j", 2, "how many cases run at a time")
	set.StringVar(&r.daemon, "daemon", "auto", "how to run them: auto, through a daemon; off, without; both, through one, and reads again without")
	set.DurationVar(&r.limit, "timeout", 120*time.Second, "time limit of one case")
	dirs, err := interspersed(set, args)
	if err != nil {
		return true, err
	}
	if len(dirs) == 0 {
		return true, errors.New("no case folder given; say: go run ./bench/cases DIR")
	}
	if !slices.Contains(ways, r.daemon) {
		return true, fmt.Errorf("parse -daemon: want one of %v", ways)
	}
	only, err := regexp.Compile(*pattern)
	if err != nil {
		return true, fmt.Errorf("parse -run: %w", err)
	}
	cases, err := loadCases(dirs)
	if err != nil {
		return true, err
	}
	cases = selected(cases, only)
	clean, err := r.program(ctx)
	if err != nil {
		return true, err
	}
	defer clean()
	defer syscall.Umask(syscall.Umask(0o022))
	if *tally {
		r.out, r.verbose = io.Discard, false
	}
	passed, bad := r.runAll(ctx, cases)
	fmt.Fprintf(out, "%d passed, %d failed\n", passed, bad)
	return bad > 0 && !*tally, ctx.Err()
}

// interspersed parses flags that stand before, between or behind the folders.
func interspersed(set *flag.FlagSet, args []string) ([]string, error) {
	var dirs []string
	for {
		if err := set.Parse(args); err != nil {
			return nil, err
		}
		if args = set.Args(); len(args) == 0 {
			return dirs, nil
		}
		dirs, args = append(dirs, args[0]), args[1:]
	}
}

func selected(cases []*caseFile, only *regexp.Regexp) []*caseFile {
	var out []*caseFile
	for _, c := range cases {
		if only.MatchString(c.ID) {
			out = append(out, c)
		}
	}
	return out
}

// program builds the program once, unless a built one was named.
func (r *runner) program(ctx context.Context) (clean func(), err error) {
	if r.bin != "" {
		r.bin, err = filepath.Abs(r.bin)
		return func() {}, err
	}
	dir, err := os.MkdirTemp("", "cgbin")
	if err != nil {
		return nil, fmt.Errorf("build the program: %w", err)
	}
	clean = func() { _ = os.RemoveAll(dir) }
	r.bin = filepath.Join(dir, "codegraph")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", r.bin, "github.com/codegraph-dev/codegraph/cmd/codegraph")
	if out, err := cmd.CombinedOutput(); err != nil {
		clean()
		return nil, fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return clean, nil
}

// outcome is what became of one case.
type outcome struct {
	faults []string
	log    strings.Builder
	took   time.Duration
}

// runAll runs the cases side by side and prints their outcomes in the cases' order.
func (r *runner) runAll(ctx context.Context, cases []*caseFile) (passed, failed int) {
	results := make([]chan *outcome, len(cases))
	slots := make(chan struct{}, max(r.jobs, 1))
	for i := range cases {
		results[i] = make(chan *outcome, 1)
	}
	go func() {
		for i, c := range cases {
			slots <- struct{}{}
			go func() {
				results[i] <- r.runCase(ctx, c)
				<-slots
			}()
		}
	}()
	for i, c := range cases {
		o := <-results[i]
		if len(o.faults) == 0 {
			passed++
		} else {
			failed++
		}
		r.print(c, o)
	}
	return passed, failed
}

func (r *runner) print(c *caseFile, o *outcome) {
	if r.verbose {
		fmt.Fprint(r.out, o.log.String())
	}
	switch {
	case len(o.faults) == 0:
		fmt.Fprintf(r.out, "ok %s\n", c.ID)
	case r.verbose:
		fmt.Fprintf(r.out, "FAIL %s (%s):\n    %s\n", c.ID, o.took.Round(time.Millisecond), strings.Join(o.faults, "\n    "))
	default:
		more := ""
		if n := len(o.faults) - 3; n > 0 {
			more = fmt.Sprintf(" (and %d more; -v shows them)", n)
		}
		fmt.Fprintf(r.out, "FAIL %s: %s%s\n", c.ID, strings.Join(o.faults[:min(3, len(o.faults))], "; "), more)
	}
}
