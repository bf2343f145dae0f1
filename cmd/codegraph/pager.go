//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// pager shows what is written to it a screen at a time, as git does: with CODEGRAPH_PAGER, else
// PAGER, else less, which quits by itself when all fits on the screen. It starts with the
// first write, so that a verb that only asks or fails has none.
type pager struct {
	out     *os.File // the terminal
	errOut  io.Writer
	command string
	process *exec.Cmd
	in      io.WriteCloser
	plain   bool // the process could not be started
}

// pagerCommand is what a person wants as pager; "" if nothing.
func pagerCommand() string {
	for _, name := range []string{"CODEGRAPH_PAGER", "PAGER"} {
		if command, ok := os.LookupEnv(name); ok {
			if command = strings.TrimSpace(command); command == "cat" {
				return ""
			}
			return command
		}
	}
	if _, err := exec.LookPath("less"); err != nil {
		return ""
	}
	return "less"
}

// paged is a pager in front of standard output if that is a terminal and one is wanted, else
// nil.
func (a *app) paged() *pager {
	out, ok := a.out.(*os.File)
	command := pagerCommand()
	if a.noPager || a.json || a.vimgrep || !ok || !terminal(out) || command == "" || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &pager{out: out, errOut: a.err, command: command}
}

// Write implements io.Writer. That its reader has quit is no error: a person has seen enough.
func (p *pager) Write(b []byte) (int, error) {
	if p.process == nil && !p.plain {
		p.start()
	}
	if p.plain {
		return p.out.Write(b)
	}
	if _, err := p.in.Write(b); err != nil && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, os.ErrClosed) {
		return 0, err
	}
	return len(b), nil
}

func (p *pager) start() {
	c := exec.Command("sh", "-c", p.command)
	c.Stdout, c.Stderr = p.out, p.errOut
	c.Env = os.Environ()
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} { // as git: colours pass, one screen needs no key
		if _, ok := os.LookupEnv(name); !ok {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	p.process, p.in, p.plain = c, in, err != nil
}

// close waits until a person has seen enough.
func (p *pager) close() {
	if p.process == nil || p.plain {
		return
	}
	_ = p.in.Close()
	_ = p.process.Wait() // how a pager ends says nothing about the answer
}
