package daemon

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var kills = flag.Int("kills", 20, "how often TestKilledAtRandom kills something")

// The variables by which the test's own program becomes a daemon.
const (
	envRoot    = "DAEMON_TEST_ROOT"
	envState   = "DAEMON_TEST_STATE"
	envIdle    = "DAEMON_TEST_IDLE"
	envBuilt   = "DAEMON_TEST_BUILT"
	envVersion = "DAEMON_TEST_VERSION"
	envFail    = "DAEMON_TEST_FAIL"
	envUnder   = "DAEMON_TEST_UNDER" // for how long work is always under way
	envDrain   = "DAEMON_TEST_DRAIN"
	envClose   = "DAEMON_TEST_CLOSE" // a file to make at the end, or "never" to come to none
)

func TestMain(m *testing.M) {
	if root := os.Getenv(envRoot); root != "" {
		os.Exit(daemonMain(root))
	}
	os.Exit(m.Run())
}

// self is the program of a test, with a version and a time of its making.
func self(version string, built int64) Self {
	return Self{Version: version, Built: time.Unix(built, 0).UTC()}
}

// daemonMain is a daemon that says back what it is told, once a second for a line "slow", in the
// end alone for a line "wait", and that panics for a line "panic".
func daemonMain(root string) int {
	if os.Getenv(envFail) != "" {
		return 3
	}
	p, err := Locate(root, os.Getenv(envState))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	idle, _ := time.ParseDuration(os.Getenv(envIdle))
	built, _ := strconv.ParseInt(os.Getenv(envBuilt), 10, 64)
	under, _ := time.ParseDuration(os.Getenv(envUnder))
	s := NewServer(Options{
		Under: func() time.Duration { return under },
		Close: closeAs(os.Getenv(envClose)),
		Place: p, Self: self(os.Getenv(envVersion), built), Idle: idle,
		Log: slog.New(slog.NewTextHandler(p.Rotated(os.Stderr), nil)),
		Serve: func(ctx context.Context, c *Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.Close() })()
			for in := bufio.NewScanner(c); in.Scan(); {
				switch in.Text() {
				case "panic":
					panic("as told")
				case "slow":
					time.Sleep(time.Second)
				case "wait":
					<-ctx.Done()
					return
				}
				fmt.Fprintf(c, "%s %d\n", in.Text(), os.Getpid())
			}
		},
	})
	if d, err := time.ParseDuration(os.Getenv(envDrain)); err == nil {
		s.drain = d
	}
	if err := s.Run(context.Background()); err != nil && !errors.Is(err, ErrTaken) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// closeAs is what a daemon of a test does in the end.
func closeAs(how string) func() {
	switch how {
	case "":
		return nil
	case "never":
		return func() { select {} }
	}
	return func() {
		time.Sleep(200 * time.Millisecond)
		_ = os.WriteFile(how, nil, 0o600)
	}
}

// fixture is a root with a state folder and a run folder of its own.
type fixture struct {
	*testing.T
	place *Place
	env   []string
	alone bool // the daemons end by themselves
}

func newFixture(t *testing.T, env ...string) *fixture {
	t.Helper()
	run := short(t)
	t.Setenv("XDG_RUNTIME_DIR", run)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Locate(root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if p.Dir != filepath.Join(run, "codegraph") {
		t.Fatalf("the run folder is %s", p.Dir)
	}
	f := &fixture{T: t, place: p, env: append([]string{envRoot + "=" + root, envState + "=" + p.State, envIdle + "=1m"}, env...)}
	t.Cleanup(func() { f.clean() })
	return f
}

// short is a folder with a short path, as runtime folders have.
func short(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "cg-run-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// clean waits until no process and no file of the place is left.
func (f *fixture) clean() {
	f.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if !f.alone { // again each time: one that waited to be the daemon may have become it
			_, _ = f.place.Ask(context.Background(), Hello{Verb: Stop})
		}
		pids, files := f.processes(), f.files()
		if len(pids) == 0 && len(files) == 0 {
			return
		}
		if time.Now().After(end) {
			log, _ := os.ReadFile(f.place.Log())
			f.Fatalf("left behind: processes %v, files %v\n%s", pids, files, log)
		}
		if len(pids) == 0 {
			if _, err := List(); err != nil { // sweeps what killed ones left
				f.Fatal(err)
			}
		}
	}
}

func (f *fixture) files() []string {
	found, _ := filepath.Glob(filepath.Join(f.place.Dir, "*"))
	return found
}

// processes are those that this fixture's environment marks.
func (f *fixture) processes() []int {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, path := range all {
		env, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(env), envState+"="+f.place.State+"\x00") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}

func (f *fixture) command(env ...string) Command {
	return func() (*exec.Cmd, error) {
		exe, err := os.Executable()
		cmd := exec.Command(exe)
		cmd.Env = append(append(os.Environ(), f.env...), env...)
		return cmd, err
	}
}

func (f *fixture) connect(h Hello, env ...string) *Conn {
	f.Helper()
	c, err := f.place.Connect(context.Background(), h, f.command(env...))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = c.Close() })
	return c
}

// say sends a line and returns the answer; empty at the end of the connection.
func say(c *Conn, line string) string {
	if _, err := io.WriteString(c, line+"\n"); err != nil {
		return ""
	}
	answer, _ := c.r.ReadString('\n')
	return strings.TrimSpace(answer)
}

func TestStartedOnDemandAndGoneWhenIdle(t *testing.T) {
	f := newFixture(t, envIdle+"=2s")
	f.alone = true
	if _, err := f.place.Dial(t.Context(), Hello{Verb: Serve}); !errors.Is(err, ErrNone) {
		t.Fatalf("before: %v", err)
	}
	c := f.connect(Hello{Session: "one"})
	pid := c.Greeting.PID
	if got := say(c, "hello"); got != fmt.Sprint("hello ", pid) || pid == os.Getpid() {
		t.Errorf("got %q", got)
	}
	if d := f.connect(Hello{}); d.Greeting.PID != pid {
		t.Errorf("a second client has another daemon")
	}
	info, err := os.Stat(f.place.Socket())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("socket: %v, %v", info.Mode(), err)
	}
	r, err := f.place.Ask(t.Context(), Hello{Verb: Status})
	if err != nil || r.PID != pid || r.Clients != 2 || r.Root != f.place.Root || r.IdleExit != 2 {
		t.Errorf("status: %+v, %v", r, err)
	}
	all, err := List()
	if err != nil || len(all) != 1 || all[0].PID != pid {
		t.Errorf("list: %+v, %v", all, err)
	}
	// Nothing comes over either connection, so the daemon ends, and says so.
	if line, err := c.r.ReadString('\n'); err != nil || line != Leaving+"\n" {
		t.Errorf("got %q, %v, want that it leaves", line, err)
	}
}

func TestManyAtOnceHaveOneDaemon(t *testing.T) {
	f := newFixture(t)
	var mu sync.Mutex
	pids := map[int]int{}
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			c, err := f.place.Connect(context.Background(), Hello{}, f.command())
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = c.Close() }()
			mu.Lock()
			defer mu.Unlock()
			pids[c.Greeting.PID]++
		})
	}
	all.Wait()
	if len(pids) != 1 {
		t.Errorf("daemons and their clients: %v", pids)
	}
}

func TestNewerReplacesOlder(t *testing.T) {
	f := newFixture(t)
	old := f.connect(Hello{Self: self("v1.2.0", 100)}, envVersion+"=v1.2.0", envBuilt+"=100")
	for _, c := range []struct {
		version string
		built   int64
		stays   bool
	}{
		{"v1.2.0", 100, true},
		{"v1.2.0", 50, true},  // older by its file
		{"v1.1.9", 900, true}, // older by its version, though made later
		{"(devel)", 99, true},
		{"v1.2.0", 101, false},
		{"v1.10.0", 1, false},
		{"v1.9.0", 999, true},
	} {
		before := old.Greeting.PID
		told := make(chan string, 1)
		if !c.stays {
			go func(old *Conn) {
				line, _ := old.r.ReadString('\n')
				told <- line
				_ = old.Close()
			}(old)
		}
		now := f.connect(Hello{Self: self(c.version, c.built)}, envVersion+"="+c.version, envBuilt+"="+strconv.FormatInt(c.built, 10))
		if stays := now.Greeting.PID == before; stays != c.stays {
			t.Errorf("%s of %d: the daemon stays: %v", c.version, c.built, stays)
		}
		if !c.stays {
			if line := <-told; line != Leaving+"\n" {
				t.Errorf("%s: the client of the old daemon got %q", c.version, line)
			}
		}
		old = now
	}
}

// TestDrain stops a daemon that has work: what was asked before is answered.
func TestDrain(t *testing.T) {
	f := newFixture(t)
	c := f.connect(Hello{})
	if _, err := io.WriteString(c, "slow\n"); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() {
		_, err := f.place.Ask(context.Background(), Hello{Verb: Stop})
		stopped <- err
	}()
	if line, _ := c.r.ReadString('\n'); line != Leaving+"\n" {
		t.Errorf("first came %q", line)
	}
	if line, _ := c.r.ReadString('\n'); !strings.HasPrefix(line, "slow ") {
		t.Errorf("then came %q", line)
	}
	_ = c.Close()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if files := f.files(); len(files) > 0 {
		t.Errorf("left: %v", files)
	}
}

// TestLongWork has a daemon with work that takes long: it is not idle, and when it is told to end
// it does not wait for a client that waits for that work.
func TestLongWork(t *testing.T) {
	f := newFixture(t, envUnder+"=1h", envDrain+"=1h", envIdle+"=50ms")
	c := f.connect(Hello{})
	time.Sleep(300 * time.Millisecond)
	if got := say(c, "hello"); !strings.HasPrefix(got, "hello ") {
		t.Errorf("got %q", got)
	}
	if _, err := io.WriteString(c, "wait\n"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := f.place.Ask(ctx, Hello{Verb: Stop}); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(c.r); string(rest) != Leaving+"\n" {
		t.Errorf("got %q, %v", rest, err)
	}
}

// TestClosedBeforeTheNext has work that takes its time to end: whoever had the daemon stopped, or
// is elected after it, finds it done.
func TestClosedBeforeTheNext(t *testing.T) {
	done := filepath.Join(t.TempDir(), "done")
	f := newFixture(t, envClose+"="+done)
	pid := f.connect(Hello{}).Greeting.PID
	go func() { _, _ = f.place.Ask(context.Background(), Hello{Verb: Stop}) }()
	for next := pid; next == pid; {
		c, err := f.place.Connect(t.Context(), Hello{}, f.command(envClose+"="))
		if err != nil {
			t.Fatal(err)
		}
		next = c.Greeting.PID
		_ = c.Close()
	}
	if _, err := os.Stat(done); err != nil {
		t.Errorf("another daemon came before the first one's work had ended: %v", err)
	}
}

// TestEndsAroundWork has work that never ends: the daemon does all the same.
func TestEndsAroundWork(t *testing.T) {
	f := newFixture(t, envClose+"=never")
	f.connect(Hello{})
	if _, err := f.place.Ask(t.Context(), Hello{Verb: Stop}); err != nil {
		t.Fatal(err)
	}
	if files := f.files(); len(files) > 0 {
		t.Errorf("left: %v", files)
	}
}

func TestPanicTakesOneConnection(t *testing.T) {
	f := newFixture(t)
	c, d := f.connect(Hello{}), f.connect(Hello{})
	if got := say(c, "panic"); got != "" {
		t.Errorf("got %q", got)
	}
	if got := say(d, "still"); !strings.HasPrefix(got, "still ") {
		t.Errorf("the other client got %q", got)
	}
}

func TestRootGone(t *testing.T) {
	for _, how := range []string{"removed", "another in its place"} {
		t.Run(how, func(t *testing.T) {
			f := newFixture(t, envIdle+"=1m")
			pid := f.connect(Hello{}).Greeting.PID
			if err := os.Rename(f.place.Root, f.place.Root+"-old"); err != nil {
				t.Fatal(err)
			}
			if how == "removed" {
				for end := time.Now().Add(10 * time.Second); len(f.processes()) > 0; time.Sleep(10 * time.Millisecond) {
					if time.Now().After(end) {
						t.Fatal("the daemon lives on")
					}
				}
				return
			}
			if err := os.Mkdir(f.place.Root, 0o700); err != nil {
				t.Fatal(err)
			}
			if c := f.connect(Hello{}, envIdle+"=1m"); c.Greeting.PID == pid {
				t.Error("the daemon of the folder that was there before serves the new one")
			}
		})
	}
}

func TestSocketOrStateGone(t *testing.T) {
	for what, path := range map[string]func(*Place) string{"socket": (*Place).Socket, "state folder": func(p *Place) string { return p.State }} {
		t.Run(what, func(t *testing.T) {
			f := newFixture(t, envIdle+"=1m")
			c := f.connect(Hello{})
			if err := os.RemoveAll(path(f.place)); err != nil {
				t.Fatal(err)
			}
			if line, err := c.r.ReadString('\n'); line != Leaving+"\n" {
				t.Errorf("got %q, %v", line, err)
			}
		})
	}
}

// TestBadClients has clients that come and go, a thousand in all, that say half a greeting and
// stop, that never read what they asked for: others are served meanwhile, and when they are gone
// nothing is left of them.
func TestBadClients(t *testing.T) {
	f := newFixture(t)
	good := f.connect(Hello{})
	pid := good.Greeting.PID
	before := descriptors(pid)
	half, err := net.Dial("unix", f.place.Socket())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(half, `{"protocol":1,"verb":"se`); err != nil {
		t.Fatal(err)
	}
	deaf := f.connect(Hello{})
	_ = deaf.SetWriteDeadline(time.Now().Add(500 * time.Millisecond))
	for line := strings.Repeat("x", 1000) + "\n"; ; {
		if _, err := io.WriteString(deaf, line); err != nil {
			break // nobody takes more of what is not read
		}
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 50 {
				c, err := f.place.Dial(context.Background(), Hello{Verb: Serve})
				if errors.Is(err, errRefused) { // more at once than the system lets wait
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				_ = c.Close()
			}
		})
	}
	for range 50 {
		if got := say(good, "hello"); got != fmt.Sprint("hello ", pid) {
			t.Fatalf("among them one client got %q", got)
		}
	}
	all.Wait()
	_, _ = deaf.Close(), half.Close()
	for end := time.Now().Add(30 * time.Second); descriptors(pid) > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d files are open, were %d", descriptors(pid), before)
		}
	}
	if r, err := f.place.Ask(t.Context(), Hello{Verb: Status}); err != nil || r.PID != pid || r.Clients != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// descriptors is how many files a process has open.
func descriptors(pid int) int {
	all, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(all)
}

// TestOtherRunFolder has a client that does not see the variable that the daemon saw.
func TestOtherRunFolder(t *testing.T) {
	f := newFixture(t)
	pid := f.connect(Hello{}).Greeting.PID
	t.Setenv("XDG_RUNTIME_DIR", short(t))
	p, err := Locate(f.place.Root, f.place.State)
	if err != nil || p.Dir == f.place.Dir {
		t.Fatalf("%v, %v", p, err)
	}
	c, err := p.Connect(t.Context(), Hello{}, f.command())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if c.Greeting.PID != pid {
		t.Error("there are two daemons of one root")
	}
}

func TestOtherScene(t *testing.T) {
	f := newFixture(t)
	f.connect(Hello{})
	h := Hello{}
	h.Scene = "elsewhere"
	if _, err := f.place.Connect(t.Context(), h, f.command()); !errors.Is(err, ErrScene) {
		t.Errorf("got %v", err)
	}
}

// TestLongPath has a root and a folder for temporary files whose paths fit no socket.
func TestLongPath(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("long/", 40))
	if err := os.MkdirAll(long, 0o700); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	f.place.Root = long
	t.Setenv("XDG_RUNTIME_DIR", long)
	t.Setenv("TMPDIR", long)
	p, err := Locate(long, f.place.State)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Socket()) > maxSocket || p.Dir != fmt.Sprintf("/tmp/codegraph-%d", os.Geteuid()) {
		t.Errorf("the socket is %s", p.Socket())
	}
	c, err := p.Connect(t.Context(), Hello{}, f.command(envRoot+"="+long))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if got := say(c, "hello"); !strings.HasPrefix(got, "hello ") {
		t.Errorf("got %q", got)
	}
}

func TestRunFolderOfOthers(t *testing.T) {
	t.Run("a link", func(t *testing.T) {
		dir := short(t)
		if err := os.Symlink(t.TempDir(), filepath.Join(dir, "codegraph")); err != nil {
			t.Fatal(err)
		}
		if err := (candidate{filepath.Join(dir, "codegraph"), dir}).prepare(); err == nil {
			t.Error("taken")
		}
	})
	t.Run("open to others", func(t *testing.T) {
		dir := short(t)
		c := candidate{dir: filepath.Join(dir, "codegraph-0")}
		if err := os.Mkdir(c.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(c.dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := c.prepare(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(c.dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("it is still open: %v, %v", info.Mode(), err)
		}
	})
	t.Run("another owner", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give a folder away")
		}
		dir := short(t)
		c := candidate{dir: filepath.Join(dir, "codegraph-0")}
		if err := os.Mkdir(c.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(c.dir, 12345, -1); err != nil {
			t.Fatal(err)
		}
		if err := c.prepare(); err == nil {
			t.Error("taken")
		}
		if err := os.Chown(dir, 12345, -1); err != nil {
			t.Fatal(err)
		}
		if err := (candidate{filepath.Join(dir, "new"), dir}).prepare(); err == nil {
			t.Error("a folder in another user's runtime folder was made")
		}
	})
}

func TestNoDaemonToBeHad(t *testing.T) {
	f := newFixture(t)
	if _, err := f.place.Connect(t.Context(), Hello{}, f.command(envFail+"=1")); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	none := func() (*exec.Cmd, error) { return exec.Command("/nonexistent/program"), nil }
	if _, err := f.place.Connect(t.Context(), Hello{}, none); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

// TestKilledAtRandom kills daemons and clients at random moments. Each time the next client is
// served, and in the end no process and no file is left.
func TestKilledAtRandom(t *testing.T) {
	f := newFixture(t, envIdle+"=2s")
	f.alone = true
	rnd := rand.New(rand.NewPCG(3, 4))
	for n := range *kills {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		c, err := f.place.Connect(ctx, Hello{}, f.command())
		if err != nil {
			t.Fatalf("kill %d: %v", n, err)
		}
		if got := say(c, "hello"); !strings.HasPrefix(got, "hello ") {
			t.Fatalf("kill %d: got %q", n, got)
		}
		time.Sleep(time.Duration(rnd.IntN(3)) * time.Millisecond)
		if p, err := os.FindProcess(c.Greeting.PID); err == nil {
			_ = p.Kill()
		}
		_ = c.Close()
		cancel()
	}
	f.connect(Hello{})
}

// TestKilledWhileItBegan has what daemons leave that are killed while they write their record, of
// this root and of another: it goes with the next one.
func TestKilledWhileItBegan(t *testing.T) {
	f := newFixture(t)
	f.connect(Hello{})
	for _, p := range []*Place{f.place, {Dir: f.place.Dir, name: "0123456789abcdef"}} {
		if err := os.WriteFile(p.path(".json"+recordNew), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.place.Ask(t.Context(), Hello{Verb: Stop}); err != nil {
		t.Fatal(err)
	}
	f.connect(Hello{})
	if _, err := os.Stat(filepath.Join(f.place.Dir, "0123456789abcdef.json"+recordNew)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another root's is left: %v", err)
	}
}

func TestLogIsPutAside(t *testing.T) {
	p := &Place{State: t.TempDir()}
	f, err := openLog(p)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	w := p.Rotated(f)
	line := []byte(strings.Repeat("x", 1023) + "\n")
	for range 2500 {
		if _, err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{p.Log(), p.Log() + ".1"} {
		if info, err := os.Stat(name); err != nil || info.Size() == 0 || info.Size() > maxLog {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}
