package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// alone runs the program in a network namespace that has nothing but loopback, and where
// strace can be had watches which sockets it asks for.
type alone struct {
	t       *testing.T
	program string
	root    string
	watched bool
}

// loopbackOnly enters the namespace of the test's processes.
var loopbackOnly = []string{"unshare", "-rn", "sh", "-c", `ip link set lo up 2>/dev/null || ifconfig lo up; exec "$@"`, "sh"}

func newAlone(t *testing.T) *alone {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	program, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(loopbackOnly[0], append(loopbackOnly[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("there is no unshare that may make a network namespace: %v %s", err, out)
	}
	a := &alone{t: t, program: program, root: project(t)}
	if err := exec.Command("strace", "-f", "-o", os.DevNull, "true").Run(); err == nil {
		a.watched = true
	} else {
		t.Logf("without strace only the outcome is seen: %v", err)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("CODEGRAPH_DAEMON", "off")
	return a
}

// command is a run of the program with arguments.
func (a *alone) command(ctx context.Context, args ...string) (c *exec.Cmd, check func(listens bool)) {
	return a.watch(ctx, nil, append([]string{a.program, "-C", a.root}, args...))
}

// watch is a run of a command line, begun by a program of the test's own if one is named, and
// a check of what it did to call when it has ended.
func (a *alone) watch(ctx context.Context, by, command []string) (c *exec.Cmd, check func(listens bool)) {
	line := append(slices.Clone(loopbackOnly), by...)
	trace := filepath.Join(a.t.TempDir(), "trace")
	if a.watched {
		line = append(line, "strace", "-f", "-qq", "-e", "trace=network", "-o", trace)
	}
	line = append(line, command...)
	return exec.CommandContext(ctx, line[0], line[1:]...), func(listens bool) {
		a.t.Helper()
		if !a.watched {
			return
		}
		text, err := os.ReadFile(trace)
		if err != nil {
			a.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if calls(line, listens) {
				a.t.Errorf("%v: %s", command, line)
			}
		}
	}
}

var (
	reaches = regexp.MustCompile(`\b(connect|sendto|sendmsg|bind)\(.*AF_INET`)
	opens   = regexp.MustCompile(`\bsocket\(AF_(INET|PACKET)`)
	binds   = regexp.MustCompile(`\bbind\(.*"(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)"`)
)

// calls reports whether a line of strace's is an attempt to reach another machine. Who
// listens may ask for a socket and bind it to loopback; nobody else wants any.
func calls(line string, listens bool) bool {
	if listens {
		return reaches.MatchString(line) && !binds.MatchString(line)
	}
	return reaches.MatchString(line) || opens.MatchString(line)
}

// run runs the program to its end and returns its output.
func (a *alone) run(codes []int, args ...string) string {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 2*time.Minute)
	defer cancel()
	c, check := a.command(ctx, args...)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	err := c.Run()
	if err != nil && c.ProcessState == nil || !slices.Contains(codes, c.ProcessState.ExitCode()) {
		a.t.Errorf("codegraph %v: %v, want exit code %v\n%.500s\n%.500s", args, err, codes, &out, &errOut)
	}
	check(false)
	return out.String()
}

// verbs are all that a person can call, by their words.
func verbs(c *cobra.Command, words string) []string {
	var out []string
	for _, sub := range c.Commands() {
		if sub.Hidden {
			continue
		}
		name := strings.TrimSpace(words + " " + sub.Name())
		if below := verbs(sub, name); below != nil {
			out = append(out, below...)
		} else {
			out = append(out, name)
		}
	}
	return out
}

// TestAlone calls each verb once with no network but loopback, and sees that none wants one.
func TestAlone(t *testing.T) {
	a := newAlone(t)
	done, found := []int{exitDone}, []int{exitDone, exitNothing}
	waits := func(verb string) {
		var r struct{ Approval struct{ ID string } }
		out := a.run([]int{exitApproval}, "write", verb+".txt", "--content", "x", "--json")
		if json.Unmarshal([]byte(out), &r) != nil || r.Approval.ID == "" {
			t.Fatalf("no approval in %s", out)
		}
		a.run(done, "approvals", r.Approval.ID)
		a.run(done, verb, r.Approval.ID)
	}
	edited := func() {
		var r struct {
			EditID string `json:"edit_id"`
		}
		out := a.run(done, "write", "new.txt", "--content", "x", "--yes", "--json")
		if json.Unmarshal([]byte(out), &r) != nil || r.EditID == "" {
			t.Fatalf("no edit in %s", out)
		}
		a.run(done, "undo", r.EditID, "--yes")
	}
	entry := func() {
		a.run(done, "grep", "ErrMissing")
		var r struct{ Entries []struct{ ID string } }
		out := a.run(done, "evidence", "list", "--json")
		if json.Unmarshal([]byte(out), &r) != nil || len(r.Entries) == 0 || r.Entries[0].ID == "" {
			t.Fatalf("no entry in %s", out)
		}
		a.run(done, "evidence", "show", r.Entries[0].ID)
	}
	once := false
	shared := func() {
		if !once {
			a.share()
		}
		once = true
	}
	covered := map[string]bool{}
	for verb, call := range map[string]func(){
		"index": nil, "status": nil, "export": nil, "version": nil, "man": nil, "tools": nil, "help": nil,
		"completion bash": nil, "completion zsh": nil, "completion fish": nil, "completion powershell": nil,
		"evidence verify": nil,
		"discover":        func() { a.run(done, "discover", "store") },
		"grep":            func() { a.run(done, "grep", "ErrMissing") },
		"open":            func() { a.run(done, "open", "Memory.Put") },
		"explore":         func() { a.run(done, "explore", "Memory.Put", "--focus", "callers") },
		"write":           edited,
		"undo":            edited,
		"replace": func() {
			a.run(done, "replace", "go/store/store.go", "--old", "ErrMissing", "--new", "ErrGone", "--occurrence", "1", "--dry-run")
		},
		"delete":        func() { a.run(done, "delete", "go/store/store.go", "--dry-run") },
		"move":          func() { a.run(done, "move", "go/store/store.go", "go/store/kept.go", "--dry-run") },
		"approvals":     func() { a.run(found, "approvals") },
		"approve":       func() { waits("approve") },
		"deny":          func() { waits("deny") },
		"evidence list": entry,
		"evidence show": entry,
		"install":       func() { a.run(done, "install", "--agent", "cursor", "--dry-run") },
		"uninstall":     func() { a.run(done, "uninstall", "--agent", "cursor", "--dry-run") },
		"integrations":  func() { a.run(found, "integrations") },
		"doctor":        func() { a.run([]int{exitDone, exitNothing, exitTrouble}, "doctor") },
		"daemon status": shared, "daemon list": shared, "daemon logs": shared, "daemon stop": shared,
		"mcp":   func() { a.talk() },
		"serve": func() { a.serve() },
	} {
		if call == nil {
			call = func() { a.run(done, strings.Fields(verb)...) }
		}
		t.Run(verb, func(t *testing.T) {
			before := a.t
			a.t = t
			defer func() { a.t = before }()
			call()
		})
		covered[verb] = true
	}
	program := (&app{}).command()
	program.InitDefaultHelpCmd()
	program.InitDefaultCompletionCmd()
	for _, verb := range verbs(program, "") {
		if !covered[verb] {
			t.Errorf("no call of `codegraph %s`", verb)
		}
	}
}

// everyTool are the arguments of a call of each tool.
var everyTool = map[string]string{
	"codebase_explore": `{"query":"Memory.Put"}`, "grep": `{"pattern":"ErrMissing"}`, "read_open": `{"target":"Memory.Put"}`, "read_discover": `{}`,
	"write_file":    `{"path":"a.txt","content":"x","dry_run":true}`,
	"replace_block": `{"path":"go/store/store.go","old":"var ErrMissing","new":"var ErrGone","dry_run":true}`,
	"delete_path":   `{"path":"go/store/store.go","dry_run":true}`, "move_path": `{"from":"go/store/store.go","to":"go/store/kept.go","dry_run":true}`,
}

// talk calls each tool over standard input and output.
func (a *alone) talk() {
	ctx, cancel := context.WithTimeout(a.t.Context(), 2*time.Minute)
	defer cancel()
	c, check := a.command(ctx, "mcp")
	in, err := c.StdinPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		a.t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	say := func(message string) string {
		if _, err := fmt.Fprintln(in, message); err != nil {
			a.t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			a.t.Fatal(err)
		}
		return line
	}
	say(hello)
	for _, name := range (&app{}).tools() {
		answer := say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name.Name + `","arguments":` + everyTool[name.Name] + `}}`)
		if !strings.Contains(answer, `"result"`) || strings.Contains(answer, `"isError":true`) {
			a.t.Errorf("%s: %.400s", name.Name, answer)
		}
	}
	if err := in.Close(); err != nil {
		a.t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		a.t.Error(err)
	}
	check(false)
}

// share asks a daemon, which the first question starts and the last verb stops; until then
// strace watches it as well.
func (a *alone) share() {
	ctx, cancel := context.WithTimeout(a.t.Context(), 2*time.Minute)
	defer cancel()
	script := `set -e; c="$0 -C $1"; $c grep ErrMissing; $c daemon status; $c daemon list; $c daemon logs; $c daemon stop`
	c, check := a.watch(ctx, nil, []string{"sh", "-c", script, a.program, a.root})
	c.Env = append(os.Environ(), "CODEGRAPH_DAEMON=auto")
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "daemon") {
		a.t.Errorf("%v\n%s", err, out)
	}
	check(false)
}

// serve calls each tool over HTTP. The client has to be in the same namespace, so it is
// another process of the test's.
func (a *alone) serve() {
	ctx, cancel := context.WithTimeout(a.t.Context(), 2*time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		a.t.Fatal(err)
	}
	c, check := a.watch(ctx, []string{self}, []string{a.program, "-C", a.root, "serve", "--http", "127.0.0.1:0"})
	c.Env = append(os.Environ(), clientVariable+"=1")
	if out, err := c.CombinedOutput(); err != nil {
		a.t.Errorf("%v\n%s", err, out)
	}
	check(true)
}

// clientVariable makes the test's program a client; see TestMain.
const clientVariable = "CODEGRAPH_TEST_CLIENT"

// httpClient starts a server by its command line, calls each tool and interrupts it.
func httpClient(command []string) error {
	c := exec.Command(command[0], command[1:]...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to interrupt what is between as well
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		err = callAll(strings.TrimSpace(url))
	}
	return errors.Join(err, syscall.Kill(-c.Process.Pid, syscall.SIGINT), c.Wait())
}

func callAll(url string) error {
	session := ""
	say := func(message string) (string, error) {
		r, err := http.NewRequest("POST", url, strings.NewReader(message))
		if err != nil {
			return "", err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
		r.Header.Set("Mcp-Session-Id", session)
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer func() { _ = got.Body.Close() }()
		session = cmp.Or(session, got.Header.Get("Mcp-Session-Id"))
		text, err := io.ReadAll(got.Body)
		return string(text), err
	}
	if _, err := say(hello); err != nil {
		return err
	}
	for name, args := range everyTool {
		answer, err := say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`)
		if err != nil || !strings.Contains(answer, `"result"`) || strings.Contains(answer, `"isError":true`) {
			return fmt.Errorf("%s: %v %.400s", name, err, answer)
		}
	}
	return nil
}

// TestCalls tells attempts to reach others from what a server does.
func TestCalls(t *testing.T) {
	for line, want := range map[string][2]bool{ // of any verb, of one that listens
		`7 socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, IPPROTO_IP) = 3`:                                        {true, false},
		`7 socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC|SOCK_NONBLOCK, 0) = 3`:                                                 {false, false},
		`7 connect(3, {sa_family=AF_UNIX, sun_path="/tmp/s"}, 27) = 0`:                                                     {false, false},
		`7 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0`:                  {true, true},
		`7 connect(3, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2606::1", &sin6_addr)}, 28) = -1`:    {true, true},
		`7 sendto(3, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("8.8.8.8")}, 16) = 1`:           {true, true},
		`7 bind(3, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("127.0.0.1")}, 16) = 0`:                       {true, false},
		`7 bind(3, {sa_family=AF_INET6, sin6_port=htons(0), inet_pton(AF_INET6, "::1", &sin6_addr), sin6_scope_id=0}) = 0`: {true, false},
		`7 bind(3, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("0.0.0.0")}, 16) = 0`:                        {true, true},
		`7 accept4(3, {sa_family=AF_INET, sin_port=htons(1), sin_addr=inet_addr("127.0.0.1")}, [16], SOCK_CLOEXEC) = 4`:    {false, false},
	} {
		if got := [2]bool{calls(line, false), calls(line, true)}; got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
