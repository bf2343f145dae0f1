package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/mcpserver"
	"github.com/codegraph-dev/codegraph/workspace/daemon"
)

// den is a root with a state folder and a run folder of its own, whose processes are known by
// an environment of theirs.
type den struct {
	*testing.T
	bin, root, home, run string
	env                  []string
}

// newDen makes one with the fixtures. In the end no process and no file of a daemon may be left.
func newDen(t *testing.T, idle string) *den {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	run, err := os.MkdirTemp("/tmp", "cg-run-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	root, err := filepath.EvalSymlinks(project(t))
	if err != nil {
		t.Fatal(err)
	}
	d := &den{T: t, bin: bin, root: root, home: t.TempDir(), run: run}
	for name, value := range map[string]string{"CODEGRAPH_HOME": d.home, "XDG_RUNTIME_DIR": run, daemonVariable: daemonAuto, idleVariable: idle} {
		t.Setenv(name, value)
	}
	t.Cleanup(d.clean)
	return d
}

// clean ends the daemons and waits until nothing is left.
func (d *den) clean() {
	d.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, _, _ = d.try("daemon", "stop", "--all")
		files, _ := filepath.Glob(filepath.Join(d.run, "codegraph", "*"))
		pids := d.processes("")
		if len(files)+len(pids) == 0 {
			return
		}
		if time.Now().After(end) {
			_, out, _ := d.try("daemon", "logs")
			d.Fatalf("left behind: processes %v, files %v\n%s", pids, files, out)
		}
	}
}

// processes are those of the den whose command line holds a word.
func (d *den) processes(word string) []int {
	var pids []int
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		env, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(env), "CODEGRAPH_HOME="+d.home+"\x00") {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if pid != os.Getpid() && strings.Contains(string(line), word) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// try runs the program on the root, or on another one that args name.
func (d *den) try(args ...string) (code int, out, errOut string) {
	cmd := exec.Command(d.bin, append(args, "-C", d.root)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		d.Error(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// daemonPID is the daemon's process; 0 for none.
func (d *den) daemonPID() int {
	d.Helper()
	_, out, _ := d.try("daemon", "status", "--json")
	var told struct{ Daemons []daemon.Report }
	if err := json.Unmarshal([]byte(out), &told); err != nil {
		d.Fatalf("%v: %s", err, out)
	}
	if len(told.Daemons) == 0 {
		return 0
	}
	return told.Daemons[0].PID
}

func (d *den) write(name, text string) {
	d.Helper()
	if err := os.WriteFile(filepath.Join(d.root, name), []byte(text), 0o644); err != nil {
		d.Fatal(err)
	}
}

var entryName = regexp.MustCompile(`"evidence":"[^"]*"`)

// TestSameBytes asks each verb with a daemon and without; what comes is the same.
func TestSameBytes(t *testing.T) {
	d := newDen(t, "1m")
	d.write("latin.txt", "caf\xe9 limit <b>&amp;</b>\u2028\n")
	d.write("mixed.txt", "ok limit \xff\xfe\nlimit limit\r\nlast limit")
	d.write("nul.bin", "limit\x00limit\n")
	for _, args := range []string{
		"grep limit", "grep limit --json", "grep limit --vimgrep", "grep limit -c", "grep limit -l --json", "grep limit --limit 2", "grep nothing.like.that",
		"grep nothing.like.that --json", "grep a(", "grep a( --json", "grep ErrMissing --in references", "grep Put --in symbols --json",
		"open latin.txt mixed.txt nul.bin", "open latin.txt mixed.txt nul.bin --json", "open Memory.Put", "open none.go", "open none.go --json", "open Put",
		"discover", "discover store --json", "explore", "explore Memory.Put --focus callers --json", "explore Put --focus callers", "explore where are items kept",
		"grep x --limit many", "grep x --output words --json", "write new.txt --content x --dry-run", "write new.txt --content x", "delete none.txt --json",
		"status", "status --json --unresolved", "export", "export --format dump", "export --format pictures", "doctor", "doctor --json", "tools", "approvals", "undo --list",
		"undo none", "undo none --json", "evidence verify --json", "__complete open go/", "__complete explore Mem",
	} {
		said := map[string]string{}
		for _, way := range []string{daemonAuto, daemonOff} {
			said[way] = d.told(append(strings.Fields(args), "--daemon="+way)...)
			if way == daemonAuto && strings.Contains(d.log(), "are lent") {
				t.Fatalf("%s: the daemon had to lend its stores", args)
			}
			if way == daemonOff {
				_ = os.Truncate(d.logPath(), 0)
			}
		}
		if said[daemonAuto] != said[daemonOff] {
			t.Errorf("%s: with a daemon\n%s\nwithout\n%s", args, said[daemonAuto], said[daemonOff])
		}
	}
	if d.daemonPID() == 0 {
		t.Error("no daemon was asked")
	}
}

// passing is what differs from one call to the next: names of entries and questions, what is said
// of the daemon, how many calls the ledger has.
var passing = regexp.MustCompile(`\ba[0-9a-z]{9}\b|e[0-9]+-[0-9a-f]{12}|(?m)^(ok  )? *daemon  +.*$|"daemon":\{[^}]*\}|\{"what":"daemon"[^}]*\}|"(entries|last)":\d+|in \d+ ms`)

// told is all that the program says on the root, what is passing left out.
func (d *den) told(args ...string) string {
	d.Helper()
	code, out, errOut := d.try(args...)
	return fmt.Sprintf("exit %d\n%s%s", code, passing.ReplaceAllString(entryName.ReplaceAllString(out, ""), "-"), errOut)
}

// logPath is the path of the daemon's log.
func (d *den) logPath() string {
	d.Helper()
	p, err := placeOf(d.root)
	if err != nil {
		d.Fatal(err)
	}
	return p.Log()
}

func (d *den) log() string {
	d.Helper()
	b, err := os.ReadFile(d.logPath())
	if err != nil {
		d.Fatal(err)
	}
	return string(b)
}

// talker is a client of `codegraph mcp`.
type talker struct {
	*testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// talk starts a server and does the handshake with the capabilities.
func (d *den) talk(capabilities string, args ...string) *talker {
	d.Helper()
	c := &talker{T: d.T, cmd: exec.Command(d.bin, append([]string{"mcp"}, args...)...)}
	c.cmd.Dir, c.cmd.Stderr = d.root, &bytes.Buffer{}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		d.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		d.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() {
		_ = c.in.Close()
		_ = c.cmd.Wait()
	})
	c.say(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":%s,"clientInfo":{"name":"t","version":"0"}}}`, capabilities)
	if m := c.hear(); m.ID != "hello" {
		d.Fatalf("got %+v", m)
	}
	c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *talker) say(format string, args ...any) {
	c.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.Fatal(err)
	}
}

type heard struct {
	ID     any
	Method string
	Params struct{ Message string }
	Result struct {
		Content           []struct{ Text string }
		StructuredContent struct {
			Root    string
			Applied bool
			EditID  string `json:"edit_id"`
			Total   int
			Error   *struct{ Code string }
		}
		Tools []struct {
			InputSchema struct{ Properties map[string]any }
		}
	}
	Error any
}

func (c *talker) hear() *heard {
	c.Helper()
	line, err := c.out.ReadString('\n')
	m := &heard{}
	if err == nil {
		err = json.Unmarshal([]byte(line), m)
	}
	if err != nil {
		c.Fatalf("%v: %q; %s", err, line, c.cmd.Stderr)
	}
	return m
}

func (c *talker) call(id int, tool, args string) {
	c.Helper()
	c.say(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// TestDaemonLost kills the daemon under a call, which is answered all the same, once.
func TestDaemonLost(t *testing.T) {
	d := newDen(t, "1m")
	c := d.talk(`{}`, "-C", d.root)
	c.call(1, "grep", `{"pattern":"ErrMissing"}`)
	if m := c.hear(); m.Result.StructuredContent.Total == 0 {
		t.Fatalf("got %+v", m)
	}
	for id := 2; id < 5; id++ {
		pid := d.daemonPID()
		signalTo(t, pid, syscall.SIGSTOP)
		c.call(id, "grep", `{"pattern":"ErrMissing"}`)
		c.say(`{"jsonrpc":"2.0","id":"p","method":"ping"}`) // needs no daemon
		if m := c.hear(); m.ID != "p" {
			t.Fatalf("got %+v", m)
		}
		signalTo(t, pid, syscall.SIGKILL)
		if m := c.hear(); m.ID != float64(id) || m.Result.StructuredContent.Total == 0 {
			t.Fatalf("got %+v", m)
		}
	}
}

func signalTo(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}

// TestQuestionOutlivesDaemon kills the daemon while the user of the client thinks about an
// edit. The user is asked once, and the edit is made once.
func TestQuestionOutlivesDaemon(t *testing.T) {
	d := newDen(t, "1m")
	c := d.talk(`{"elicitation":{}}`, "-C", d.root)
	c.call(1, "write_file", `{"path":"new.txt","content":"new\n"}`)
	q := c.hear()
	if q.Method != "elicitation/create" || !strings.Contains(q.Params.Message, "new.txt") {
		t.Fatalf("got %+v", q)
	}
	signalTo(t, d.daemonPID(), syscall.SIGKILL)
	for end := time.Now().Add(30 * time.Second); d.daemonPID() == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no new daemon")
		}
	}
	c.say(`{"jsonrpc":"2.0","id":%q,"result":{"action":"accept","content":{}}}`, q.ID)
	if m := c.hear(); m.ID != 1.0 || !m.Result.StructuredContent.Applied {
		t.Fatalf("got %+v", m)
	}
	if _, out, _ := d.try("undo", "--list", "--json"); strings.Count(out, `"tool":"write_file"`) != 1 {
		t.Errorf("edits: %s", out)
	}
}

// TestEditOnce makes an edit, loses the daemon before the answer is read, and makes it again as
// a front-end would: it is made once.
func TestEditOnce(t *testing.T) {
	d := newDen(t, "1m")
	d.write(".codegraph.yaml", "edits: host\n")
	call := func(session string, id int64, again bool) (mcpserver.Answer, error) {
		l := newLink(d.root, true, "elicitation", false)
		l.hello.Session = session
		p, err := placeOf(d.root)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Connect(t.Context(), l.hello, func() (*exec.Cmd, error) { return exec.Command(d.bin, "daemon", "run", "-C", d.root), nil })
		if err != nil {
			t.Fatal(err)
		}
		client := mcpserver.NewClient(c, mcpserver.ClientOptions{})
		defer func() { _ = client.Close() }()
		if err := client.Open(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
		args := `{"path":"go/store/store.go","old":"var ErrMissing","new":"// Again.\nvar ErrMissing"}`
		return client.Call(t.Context(), mcpserver.CallRequest{ID: id, Tool: "replace_block", Args: json.RawMessage(args), Again: again})
	}
	if a, err := call("s", 7, false); err != nil || !bytes.Contains(a.Structured.(json.RawMessage), []byte(`"applied":true`)) {
		t.Fatalf("%+v, %v", a, err)
	}
	signalTo(t, d.daemonPID(), syscall.SIGKILL)
	if a, err := call("s", 7, true); err != nil || !bytes.Contains(a.Structured.(json.RawMessage), []byte(`"replayed":true`)) {
		t.Errorf("the same call again: %+v, %v", a, err)
	}
	count := func() int {
		b, err := os.ReadFile(filepath.Join(d.root, "go/store/store.go"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(b), "// Again.")
	}
	if n := count(); n != 1 {
		t.Errorf("the edit was made %d times", n)
	}
	if _, err := call("s", 8, true); err != nil || count() != 2 {
		t.Errorf("another call: %v, made %d times in all", err, count())
	}
	if _, err := call("s", 7, false); err != nil || count() != 3 {
		t.Errorf("a call whose id was used before, not said to be the same: %v, made %d times in all", err, count())
	}
}

// TestVerbApproval has an edit approved with --yes, and by nobody.
func TestVerbApproval(t *testing.T) {
	d := newDen(t, "1m")
	if code, out, errOut := d.try("write", "a.txt", "--content", "x", "--json", "--yes"); code != exitDone || !strings.Contains(out, `"by":"--yes"`) {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	var edits struct {
		Edits []struct {
			ID string `json:"edit_id"`
		}
	}
	if _, out, _ := d.try("undo", "--list", "--json"); json.Unmarshal([]byte(out), &edits) != nil || len(edits.Edits) != 1 {
		t.Fatalf("edits: %s", out)
	}
	if code, out, errOut := d.try("undo", edits.Edits[0].ID, "--yes"); code != exitDone || !strings.Contains(out, "a.txt") {
		t.Errorf("undo: exit %d: %s%s", code, out, errOut)
	}
	if _, err := os.Stat(filepath.Join(d.root, "a.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file of an edit that was taken back: %v", err)
	}
	if code, out, _ := d.try("write", "b.txt", "--content", "x"); code != exitApproval || !strings.Contains(out, "approve") {
		t.Errorf("exit %d: %s", code, out)
	}
	d.write(".codegraph.yaml", "edits: host\n") // a person at a shell is no host
	if code, _, _ := d.try("write", "c.txt", "--content", "x"); code != exitApproval {
		t.Errorf("exit %d", code)
	}
}

// TestParentGone ends the process that started a server while the server's input stays open.
func TestParentGone(t *testing.T) {
	d := newDen(t, "1m")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	cmd := exec.Command("sh", "-c", `"$0" mcp -C "$1" <&3 >/dev/null 2>&1 & sleep 0.3`, d.bin, d.root)
	cmd.ExtraFiles = []*os.File{r}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	for end := time.Now().Add(20 * time.Second); len(d.processes("mcp")) > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the server lives on")
		}
	}
}

// TestClientRoots has one server serve two roots that the client names, a daemon each.
func TestClientRoots(t *testing.T) {
	d := newDen(t, "1m")
	other, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "x.txt"), []byte("ErrMissing elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := d.talk(`{"roots":{}}`)
	m := c.hear()
	if m.Method != "roots/list" {
		t.Fatalf("got %+v", m)
	}
	c.say(`{"jsonrpc":"2.0","id":%q,"result":{"roots":[{"uri":"file://%s"},{"uri":"file://%s"}]}}`, m.ID, d.root, other)
	for args, want := range map[string]string{
		`{"pattern":"ErrMissing"}`: d.root,
		fmt.Sprintf(`{"pattern":"ErrMissing","root":%q}`, filepath.Base(other)): other,
		fmt.Sprintf(`{"pattern":"ErrMissing","root":%q}`, other):                other,
	} {
		c.call(1, "grep", args)
		if m := c.hear(); m.Result.StructuredContent.Root != want || m.Result.StructuredContent.Total == 0 {
			t.Errorf("%s: got %+v", args, m)
		}
	}
	c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	for _, tool := range c.hear().Result.Tools {
		if tool.InputSchema.Properties["root"] == nil {
			t.Errorf("a tool has no argument root: %+v", tool)
		}
	}
	if all, err := daemon.List(); err != nil || len(all) != 2 {
		t.Errorf("daemons: %+v, %v", all, err)
	}
}

// TestFixedRoot has a server with -C, which no client's roots can widen.
func TestFixedRoot(t *testing.T) {
	d := newDen(t, "1m")
	c := d.talk(`{"roots":{"listChanged":true}}`, "-C", d.root)
	c.say(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	c.call(1, "grep", `{"pattern":"ErrMissing"}`)
	if m := c.hear(); m.Result.StructuredContent.Root != d.root {
		t.Errorf("got %+v", m)
	}
}

// TestKillAnyone kills clients and daemons at random moments. Who asks next is answered, and
// in the end nothing is left.
func TestKillAnyone(t *testing.T) {
	d := newDen(t, "2s")
	rnd := rand.New(rand.NewPCG(5, 6))
	c := d.talk(`{}`, "-C", d.root)
	for n := range *kills {
		c.call(n, "grep", `{"pattern":"ErrMissing"}`)
		verb := exec.Command(d.bin, "grep", "ErrMissing", "-C", d.root)
		if err := verb.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rnd.IntN(60)) * time.Millisecond)
		switch rnd.IntN(3) {
		case 0:
			_ = verb.Process.Kill()
		case 1:
			for _, pid := range d.processes("daemon\x00run") {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		default:
			_ = c.cmd.Process.Kill()
			_ = c.cmd.Wait()
			_ = verb.Wait()
			c = d.talk(`{}`, "-C", d.root)
			continue
		}
		if m := c.hear(); m.ID != float64(n) || m.Result.StructuredContent.Total == 0 {
			t.Fatalf("kill %d: got %+v", n, m)
		}
		_ = verb.Wait()
	}
	if code, out, errOut := d.try("grep", "ErrMissing"); code != exitDone {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
}

// TestNoRunFolder works where no daemon can be met.
func TestNoRunFolder(t *testing.T) {
	d := newDen(t, "1m")
	t.Setenv("CODEGRAPH_HOME", filepath.Join(d.root, "inside")) // no state, hence no place, and an error of the workspace
	if code, _, errOut := d.try("grep", "ErrMissing"); code != exitTrouble || !strings.Contains(errOut, "lies inside the workspace") {
		t.Errorf("exit %d: %s", code, errOut)
	}
	t.Setenv("CODEGRAPH_HOME", d.home)
	t.Setenv(daemonVariable, "sometimes")
	if code, _, errOut := d.try("grep", "ErrMissing"); code != exitTrouble || !strings.Contains(errOut, "--daemon=auto") {
		t.Errorf("exit %d: %s", code, errOut)
	}
}

// TestOtherScene has a client whose home is another: it works by itself, while the daemon goes on.
func TestOtherScene(t *testing.T) {
	d := newDen(t, "1m")
	if code, _, _ := d.try("grep", "ErrMissing"); code != exitDone {
		t.Fatalf("exit %d", code)
	}
	pid := d.daemonPID()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if code, out, _ := d.try("grep", "ErrMissing"); code != exitDone || !strings.Contains(out, "ErrMissing") {
		t.Errorf("exit %d: %s", code, out)
	}
	if got := d.daemonPID(); got != pid {
		t.Errorf("the daemon is %d, was %d", got, pid)
	}
}

// busy waits until the daemon works on n calls.
func (d *den) busy(n int) {
	d.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, out, _ := d.try("daemon", "status", "--json")
		if strings.Contains(out, fmt.Sprintf(`"busy":%d,`, n)) {
			return
		}
		if time.Now().After(end) {
			d.Fatalf("want %d calls under way: %s", n, out)
		}
	}
}

// TestCallsEndWithTheirClient cancels a call, and lets the client of another one go: neither
// goes on in the daemon.
func TestCallsEndWithTheirClient(t *testing.T) {
	d := newDen(t, "1m")
	c := d.talk(`{"elicitation":{}}`, "-C", d.root)
	c.call(1, "write_file", `{"path":"a.txt","content":"x"}`)
	c.hear() // the question, which nobody answers
	d.busy(1)
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	d.busy(0)
	c.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if m := c.hear(); m.ID != 2.0 {
		t.Errorf("after the cancellation came %+v", m)
	}
	c.call(3, "write_file", `{"path":"a.txt","content":"x"}`)
	c.hear()
	d.busy(1)
	_ = c.in.Close()
	d.busy(0)
}

// TestIdleUnderAClient has a daemon end while its client stays; the next call has a new one.
func TestIdleUnderAClient(t *testing.T) {
	d := newDen(t, "300ms")
	c := d.talk(`{}`, "-C", d.root)
	for id := range 3 {
		c.call(id, "grep", `{"pattern":"ErrMissing"}`)
		if m := c.hear(); m.ID != float64(id) || m.Result.StructuredContent.Total == 0 {
			t.Fatalf("got %+v", m)
		}
		for end := time.Now().Add(30 * time.Second); len(d.processes("daemon\x00run")) > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the daemon does not end")
			}
		}
	}
}
