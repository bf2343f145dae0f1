//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// onTerminal runs the program with a terminal for its standard output, and returns what a
// person sees there.
func onTerminal(t *testing.T, args ...string) (code int, screen string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	defer func() { _ = master.Close() }()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	var seen bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(&seen, master) // it fails when the last one that has the terminal open is gone
	}()
	var errOut bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), tty, &errOut)
	_ = tty.Close()
	<-done
	return code, strings.ReplaceAll(seen.String(), "\r\n", "\n")
}

// plainTerminal sets the environment of a terminal that can do everything.
func plainTerminal(t *testing.T, change ...string) {
	t.Helper()
	env := map[string]string{"TERM": "xterm-256color", "FORCE_HYPERLINK": "0", "NO_COLOR": "", "CODEGRAPH_PAGER": "cat", "PAGER": "", "TERM_PROGRAM": ""}
	for _, c := range change {
		name, value, _ := strings.Cut(c, "=")
		env[name] = value
	}
	for name, value := range env {
		t.Setenv(name, value)
	}
}

func TestPager(t *testing.T) {
	root := project(t)
	const first = "go/store/store.go" // of what grep prints
	for name, c := range map[string]struct {
		env    string
		args   string
		paged  bool
		unless string
	}{
		"own":       {"CODEGRAPH_PAGER=sed s/^/P:/", "grep ErrMissing", true, ""},
		"before":    {"PAGER=false CODEGRAPH_PAGER=sed s/^/P:/", "grep ErrMissing", true, ""},
		"general":   {"PAGER=sed s/^/P:/", "grep ErrMissing", true, "CODEGRAPH_PAGER"},
		"none":      {"CODEGRAPH_PAGER=", "grep ErrMissing", false, ""},
		"not asked": {"CODEGRAPH_PAGER=sed s/^/P:/", "grep ErrMissing --no-pager", false, ""},
		"an object": {"CODEGRAPH_PAGER=sed s/^/P:/", "grep ErrMissing --json", false, ""},
		"an editor": {"CODEGRAPH_PAGER=sed s/^/P:/", "grep ErrMissing --vimgrep", false, ""},
		"open":      {"CODEGRAPH_PAGER=sed s/^/P:/", "open go/store/store.go", true, ""},
		"a write":   {"CODEGRAPH_PAGER=sed s/^/P:/", "delete go/store/store.go --dry-run", false, ""},
		"no screen": {"TERM=dumb CODEGRAPH_PAGER=sed s/^/P:/", "grep ErrMissing", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			plainTerminal(t)
			rest := c.env
			for rest != "" { // a value may have spaces
				name, value, _ := strings.Cut(rest, "=")
				value, rest = cutVariable(value)
				t.Setenv(name, value)
			}
			if c.unless != "" {
				_ = os.Unsetenv(c.unless)
			}
			t.Setenv("NO_COLOR", "1")
			code, screen := onTerminal(t, append([]string{"-C", root}, strings.Fields(c.args)...)...)
			if code != exitDone || strings.Contains(screen, "P:"+first) != c.paged || !strings.Contains(screen, first) {
				t.Errorf("exit %d, want a pager: %v\n%.600s", code, c.paged, screen)
			}
		})
	}
}

// cutVariable cuts the value of a variable from what follows, which begins with a name.
func cutVariable(s string) (value, rest string) {
	if i := strings.Index(s, " CODEGRAPH_PAGER="); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// TestPagerQuits: a person has seen enough after a line.
func TestPagerQuits(t *testing.T) {
	root := project(t)
	put(t, filepath.Join(root, "long.txt"), strings.Repeat("a line that is not the last one\n", 20_000))
	plainTerminal(t, "CODEGRAPH_PAGER=head -n 1", "NO_COLOR=1")
	if code, screen := onTerminal(t, "-C", root, "grep", "not the last"); code != exitDone || screen != "long.txt\n" {
		t.Errorf("exit %d: %.300q", code, screen)
	}
	plainTerminal(t, "CODEGRAPH_PAGER=/no/such/pager", "NO_COLOR=1")
	if code, _ := onTerminal(t, "-C", root, "grep", "ErrMissing"); code != exitDone {
		t.Errorf("with a pager that is not there: exit %d", code)
	}
}

func TestColour(t *testing.T) {
	root := project(t)
	put(t, filepath.Join(root, "trap.txt"), "trap \x1b]0;title\a and \u202e\n")
	const links, colours = "\x1b]8;;file://", "\x1b["
	for name, c := range map[string]struct {
		env          []string
		args         string
		want, unwant []string
	}{
		"matches":   {nil, "grep ErrMissing go", []string{"\x1b[35mgo/store/store.go\x1b[0m\n\x1b[32m6\x1b[0m:", "\n\x1b[32m7\x1b[0m:var \x1b[1;31mErrMissing\x1b[0m"}, []string{links}},
		"links":     {[]string{"FORCE_HYPERLINK=1"}, "grep ErrMissing go", []string{links, root + "/go/store/store.go\x1b\\"}, nil},
		"text":      {[]string{"FORCE_HYPERLINK=1"}, "explore Memory.Put", []string{links, "\x1b[35mgo/store/memory.go"}, nil},
		"editor":    {[]string{"FORCE_HYPERLINK=1", "TERM_PROGRAM=vscode"}, "grep ErrMissing go", []string{"vscode://file" + root + "/go/store/store.go:7"}, []string{links}},
		"diff":      {nil, "delete go/store/store.go --dry-run", []string{"\x1b[31m-var ErrMissing", "\x1b[36m@@"}, nil},
		"no colour": {[]string{"NO_COLOR=1"}, "grep ErrMissing go", []string{"go/store/store.go\n6:// ErrMissing"}, []string{colours, links}},
		"dumb":      {[]string{"TERM=dumb"}, "explore Memory.Put", []string{"go/store/memory.go"}, []string{colours, links}},
		"a trap":    {nil, "grep trap", []string{"^[]0;title^G and <U+202E>"}, []string{"\x1b]0;", "\u202e"}},
		"opened":    {nil, "open trap.txt", []string{"^[]0;title^G and <U+202E>"}, []string{"\x1b]0;", "\u202e"}},
	} {
		t.Run(name, func(t *testing.T) {
			plainTerminal(t, c.env...)
			_, screen := onTerminal(t, append([]string{"-C", root}, strings.Fields(c.args)...)...)
			for _, want := range c.want {
				if !strings.Contains(screen, want) {
					t.Errorf("no %q in\n%.900q", want, screen)
				}
			}
			for _, unwanted := range c.unwant {
				if strings.Contains(screen, unwanted) {
					t.Errorf("%q in\n%.900q", unwanted, screen)
				}
			}
		})
	}
	_, out, _ := call(t, "-C", root, "grep", "trap")
	if !strings.Contains(out, "\x1b]0;title\a and \u202e") {
		t.Errorf("a program is given other bytes: %q", out)
	}
}

func TestLinksShown(t *testing.T) {
	for env, want := range map[string]bool{
		"TERM=xterm-256color": false, "TERM=xterm VTE_VERSION=7200": true, "TERM=xterm VTE_VERSION=4000": false, "TERM=xterm-kitty": true,
		"TERM=xterm TERM_PROGRAM=iTerm.app": true, "TERM=xterm TERM_PROGRAM=Apple_Terminal": false, "TERM=dumb TERM_PROGRAM=vscode": false,
		"TERM=screen VTE_VERSION=7200": false, "TERM=xterm TMUX=/tmp/t VTE_VERSION=7200": false, "TERM=dumb FORCE_HYPERLINK=1": true, "TERM=xterm-kitty FORCE_HYPERLINK=0": false,
	} {
		values := map[string]string{}
		for v := range strings.FieldsSeq(env) {
			name, value, _ := strings.Cut(v, "=")
			values[name] = value
		}
		if got := linksShown(func(name string) string { return values[name] }); got != want {
			t.Errorf("%s: %v", env, got)
		}
	}
}

// TestGrepPrintsAsRipgrep compares what a pipe gets from the verb with what it gets from
// ripgrep.
func TestGrepPrintsAsRipgrep(t *testing.T) {
	if _, err := exec.LookPath("rg"); err != nil {
		t.Skip("there is no rg")
	}
	root := project(t)
	put(t, filepath.Join(root, "long.txt"), strings.Repeat("one two one\n\n", 300))
	for _, args := range []string{"ErrMissing", "errmissing -i", "one", "func -C 2", "return -A 1 -B 3", "ErrMissing -l", "func -c", "two -w", "(one|two) -C 1", "a.b -F", "nothing.like.this"} {
		rg := exec.Command("rg", append(strings.Fields(args), "-n", "--sort", "path", "--no-heading", "--color", "never", "./")...)
		rg.Dir = root
		want, err := rg.Output()
		if err != nil && rg.ProcessState.ExitCode() != 1 {
			t.Fatal(err)
		}
		_, got, _ := call(t, append([]string{"-C", root, "grep"}, strings.Fields(args)...)...)
		if plain := strings.ReplaceAll("\n"+string(want), "\n./", "\n")[1:]; got != plain {
			t.Errorf("grep %s: got\n%.500s\nwant\n%.500s", args, got, plain)
		}
	}
}
