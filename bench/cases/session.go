package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// session is one fresh copy of a case's files with a state folder of its own, and the
// processes of the program that work on it.
type session struct {
	ctx    context.Context
	run    *runner
	dir    string // temporary folder of everything below
	copy   string // the case's files
	root   string // the project root in copy
	state  string // CODEGRAPH_HOME
	home   string // an empty HOME
	trace  func(format string, args ...any)
	editID string // the last edit's id
	sha    string // what the last read gave as version
	limit  string // the last ulimit words

	// settle is until when a wrong answer is asked for again after an update.
	settle time.Time
}

// openSession copies the case's tree and runs its generate snippet.
func (r *runner) openSession(ctx context.Context, c *caseFile, trace func(string, ...any)) (*session, error) {
	dir, err := os.MkdirTemp("", "cg") // short: a socket's path must fit 108 bytes
	if err != nil {
		return nil, fmt.Errorf("make workspace: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("make workspace: %w", err)
	}
	s := &session{ctx: ctx, run: r, dir: dir, trace: trace, copy: filepath.Join(dir, "w"), state: filepath.Join(dir, "s"), home: filepath.Join(dir, "h")}
	s.root = filepath.Join(s.copy, c.Root)
	trace("workspace %s", s.root)
	for _, d := range []string{s.copy, s.state, s.home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			return s, fmt.Errorf("make workspace: %w", err)
		}
	}
	if err := copyTree(filepath.Join(c.Dir, "tree"), s.copy); err != nil {
		return s, err
	}
	if c.Generate != "" {
		if _, err := s.shell(s.copy, c.Generate); err != nil {
			return s, fmt.Errorf("generate: %w", err)
		}
	}
	return s, nil
}

// close ends what the session started and removes it.
func (s *session) close() {
	stopState(s.state)
	if s.run.keep {
		return
	}
	_ = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o755)
		}
		return nil
	})
	_ = os.RemoveAll(s.dir)
}

// fresh is a session on the same files with an empty state.
func (s *session) fresh() (*session, error) {
	f := *s
	f.state = filepath.Join(s.dir, fmt.Sprintf("f%d", time.Now().UnixNano()%1e9))
	if err := os.Mkdir(f.state, 0o755); err != nil {
		return nil, fmt.Errorf("make second state folder: %w", err)
	}
	return &f, nil
}

// env is all the environment that a process of the session sees.
func (s *session) env(more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "CODEGRAPH_HOME=" + s.state, "LC_ALL=C.UTF-8", "NO_COLOR=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "TMPDIR=" + os.TempDir(), "CODEGRAPH_DAEMON=" + s.run.way(),
	}, more...)
}

// shell runs a snippet with sh -eu and returns its standard output.
func (s *session) shell(dir, snippet string) ([]byte, error) {
	s.trace("sh: %s", clip(snippet, 400))
	cmd := exec.CommandContext(s.ctx, "sh", "-eu", "-c", snippet)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, s.env(), 5*time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("sh: %w: %s", err, firstLine(stderr.String()))
	}
	return out, nil
}

// call is one invocation of the program.
type call struct {
	verb  string
	flags []string // --name=value
	words []string // positional
	stdin []byte
	limit string // ulimit words such as "-f 64", set in the process before the program
	text  bool   // no --json
}

// invoke runs the program once and waits for its end.
func (s *session) invoke(c call) *reply {
	args := []string{c.verb, "-C", s.root}
	if !c.text {
		args = append(args, "--json")
	}
	args = append(args, c.flags...)
	if len(c.words) > 0 {
		args = append(append(args, "--"), c.words...)
	}
	r := &reply{Args: args}
	cmd := s.command(c.limit, args)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Stdin = &stdout, &stderr, bytes.NewReader(c.stdin)
	start := time.Now()
	err := cmd.Run()
	r.Took, r.Stdout, r.Stderr = time.Since(start), stdout.Bytes(), stderr.String()
	switch st := cmd.ProcessState; {
	case st == nil:
		r.Fault = fmt.Sprintf("it does not start: %v", err)
	case s.ctx.Err() != nil:
		r.Fault = fmt.Sprintf("no answer in time (%s)", r.Took.Round(time.Second))
	case st.ExitCode() < 0:
		r.Fault = fmt.Sprintf("it was ended by a signal (%s): %s", st, firstLine(r.Stderr))
	case errors.Is(err, exec.ErrWaitDelay):
		r.Fault = "its output stayed open after it had ended"
	default:
		r.Exit = st.ExitCode()
	}
	r.Dead = r.Fault != ""
	if !r.Dead {
		r.Fault = s.compareWays(c, args)
	}
	r.decode(!c.text)
	s.trace("%s\n    exit %d in %s: %s%s", strings.Join(args, " "), r.Exit, r.Took.Round(time.Millisecond), clip(stdout.String(), 600), clip(r.Stderr, 300))
	return r
}

// command prepares a process of the program, in the root and under a limit if there is one.
func (s *session) command(limit string, args []string, env ...string) *exec.Cmd {
	name := s.run.bin
	if limit != "" {
		args = append([]string{"-c", `trap "" XFSZ; ulimit ` + limit + `; exec "$0" "$@"`, name}, args...)
		name = "sh"
	}
	cmd := exec.CommandContext(s.ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.root, s.env(env...), 3*time.Second
	return cmd
}

// pages invokes c again with each cursor until there is none, and returns the last reply
// with what all of them hold.
func (s *session) pages(c call) *reply {
	all := s.invoke(c)
	seen := map[string]bool{}
	flags := c.flags
	for next := all.Doc.Cursor; next != "" && all.Fault == "" && all.failure() == nil; {
		if seen[next] {
			all.Fault = "a cursor came twice"
			break
		}
		seen[next] = true
		c.flags = append(append([]string{}, flags...), "--cursor="+next)
		r := s.invoke(c)
		if r.Fault != "" {
			all.Fault = "page " + fmt.Sprint(len(seen)+1) + ": " + r.Fault
		}
		if r.Doc.Total != all.Doc.Total && all.Fault == "" && r.failure() == nil {
			all.Fault = fmt.Sprintf("the total changed from %d to %d between pages", all.Doc.Total, r.Doc.Total)
		}
		all.Doc.Matches = append(all.Doc.Matches, r.Doc.Matches...)
		all.Doc.Items = append(all.Doc.Items, r.Doc.Items...)
		all.Doc.Entries = append(all.Doc.Entries, r.Doc.Entries...)
		all.Doc.Skipped = append(all.Doc.Skipped, r.Doc.Skipped...)
		if err := r.failure(); err != nil {
			all.Doc.Error = err
		}
		next = r.Doc.Cursor
	}
	return all
}
