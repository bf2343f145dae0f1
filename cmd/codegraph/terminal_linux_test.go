package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminalPair is a terminal: what a person has before them, and what a program has.
func terminalPair(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return person, program
}

// TestAskedAtTheTerminal has a person say yes and no to an edit that the daemon makes, and that
// the process makes itself.
func TestAskedAtTheTerminal(t *testing.T) {
	d := newDen(t, "1m")
	for i, c := range []struct {
		way, word string
		code      int
	}{{daemonAuto, "y", exitDone}, {daemonAuto, "n", exitApproval}, {daemonOff, "y", exitDone}, {daemonOff, "", exitApproval}} {
		person, program := terminalPair(t)
		name := fmt.Sprintf("t%d.txt", i)
		cmd := exec.Command(d.bin, "write", name, "--content", "x", "--json", "-C", d.root, "--daemon="+c.way)
		var out bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = program, &out, program
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := readUntil(t, person, "[y/N]")
		if !strings.Contains(said, "write_file wants to change "+name) {
			t.Errorf("%+v: the question is %q", c, said)
		}
		if _, err := fmt.Fprintln(person, c.word); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%+v: exit %d: %s", c, code, &out)
		}
		_, err := os.Stat(filepath.Join(d.root, name))
		if made := err == nil; made != (c.word == "y") || made && !strings.Contains(out.String(), `"by":"terminal"`) {
			t.Errorf("%+v: made: %v; %s", c, made, &out)
		}
	}
}

// readUntil reads what a program shows until there is a word.
func readUntil(t *testing.T, from *os.File, word string) string {
	t.Helper()
	_ = from.SetReadDeadline(time.Now().Add(time.Minute))
	var all []byte
	b := make([]byte, 4096)
	for !bytes.Contains(all, []byte(word)) {
		n, err := from.Read(b)
		all = append(all, b[:n]...)
		if err != nil {
			t.Fatalf("%v after %q", err, all)
		}
	}
	return string(all)
}
