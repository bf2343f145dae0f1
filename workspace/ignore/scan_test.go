package ignore

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestLinkedWorkTrees(t *testing.T) {
	needs(t, "git")
	e := cleanEnv(t)
	root := makeTree(t, "app.py", "", ".gitignore", ".agents/\n")
	e.run(t, root, "git", "init", "-q", ".")
	e.run(t, root, "git", "add", "-A")
	e.run(t, root, "git", "commit", "-q", "-m", "one")
	e.run(t, root, "git", "worktree", "add", "-q", "-b", "side", ".agents/wt/side")
	e.run(t, root, "git", "worktree", "add", "-q", "-b", "open", "trees/open")
	other := makeTree(t, "other.py", "")
	e.run(t, other, "git", "init", "-q", ".")
	e.run(t, other, "git", "add", "-A")
	e.run(t, other, "git", "commit", "-q", "-m", "one")
	e.run(t, other, "git", "worktree", "add", "-q", "-b", "x", filepath.Join(root, "trees/other"))
	gone := "trees/gone/.git"
	grow(t, root, gone, "gitdir: /nowhere/.git/worktrees/gone\n", "trees/gone/lost.py", "")

	all := Options{Hidden: true, IncludeIgnored: true, Env: e.lookup}
	for _, opts := range []Options{{Env: e.lookup}, all} {
		var prev *Listing
		for range 3 {
			l := mustScan(t, root, opts, prev)
			got := l.paths(func(x *Entry) bool { return x.Type == File && !strings.HasPrefix(x.Path, ".gitignore") })
			wantPaths(t, got, []string{"app.py"})
			for _, p := range []string{"trees/gone", "trees/open", "trees/other"} {
				if !slices.Contains(l.Skips, Skip{p, LinkedTree}) {
					t.Errorf("no skip for %s in %v", p, l.Skips)
				}
			}
			prev = later(l)
		}
	}
	if x, err := Explain(root, "trees/open/app.py", Options{Env: e.lookup}); err != nil || x.Standing != OtherTree || x.At != "trees/open" {
		t.Errorf("explain: %s, %v", &x, err)
	}

	t.Run("as the root", func(t *testing.T) {
		side := filepath.Join(root, ".agents/wt/side")
		grow(t, side, "x.log", "", "y", "", "kept.log", "")
		grow(t, root, ".git/info/exclude", "*.log\n")
		e.run(t, side, "git", "add", "-f", "kept.log")
		l := sameAsGit(t, e, side)
		wantPaths(t, l.paths(leaves), []string{".gitignore", "app.py", "kept.log", "y"})
	})
	t.Run("no longer one", func(t *testing.T) {
		l := mustScan(t, root, Options{Env: e.lookup}, nil)
		if err := os.Remove(filepath.Join(root, gone)); err != nil {
			t.Fatal(err)
		}
		l = mustScan(t, root, Options{Env: e.lookup}, later(l))
		if _, ok := l.Lookup("trees/gone/lost.py"); !ok {
			t.Error("a folder that is no work tree any more is still skipped")
		}
	})
}

func TestSubmodule(t *testing.T) {
	needs(t, "git")
	e := cleanEnv(t)
	e["GIT_CONFIG_COUNT"], e["GIT_CONFIG_KEY_0"], e["GIT_CONFIG_VALUE_0"] = "1", "protocol.file.allow", "always"
	part := makeTree(t, "part.py", "", ".gitignore", "out/\n")
	e.run(t, part, "git", "init", "-q", ".")
	e.run(t, part, "git", "add", "-A")
	e.run(t, part, "git", "commit", "-q", "-m", "one")
	root := makeTree(t, "main.py", "", ".gitignore", "/libs\n*.gen\n")
	e.run(t, root, "git", "init", "-q", ".")
	e.run(t, root, "git", "submodule", "--quiet", "add", "-f", part, "libs/part")
	e.run(t, root, "git", "add", "-A")
	grow(t, root, "libs/part/out/gen.py", "", "libs/part/x.gen", "", "libs/loose", "", "y.gen", "")
	grow(t, root, ".git/modules/libs/part/info/exclude", "*.tmp\n", "libs/part/z.tmp", "")
	l := mustScan(t, root, Options{Env: e.lookup}, nil)
	want := []string{"libs/part/part.py", "libs/part/x.gen", "main.py"}
	wantPaths(t, l.paths(partFiles), want)
	wantPaths(t, mustScan(t, root, Options{Env: e.lookup}, later(l)).paths(partFiles), want)
}

func TestNestedRepository(t *testing.T) {
	root := makeTree(t, ".gitignore", "/gone/\n*.o\n", "in/.gitignore", "*.x\n", "in/a.o", "", "in/a.x", "", "gone/b", "", "c.o", "",
		"broken/.git/junk", "", "broken/d.o", "", "broken/e", "", "jj/.jj/repo", "", "jj/f.o", "", "jj/.hg/g", "", "jj/.svn", "file")
	fakeRepo(t, root, "")
	fakeRepo(t, root, "in")
	fakeRepo(t, root, "gone")
	l := mustScan(t, root, Options{Hidden: true}, nil)
	want := []string{".gitignore", "broken/e", "in/.gitignore", "in/a.o", "jj/.svn", "jj/f.o"}
	wantPaths(t, l.paths(leaves), want)
	l = mustScan(t, root, Options{IncludeIgnored: true}, nil)
	for _, p := range []string{"gone", "gone/b", "c.o", "in/a.x", "broken/d.o"} {
		if x, ok := l.Lookup(p); !ok || !x.Ignored {
			t.Errorf("%s: listed %v as %+v, want it ignored", p, ok, x)
		}
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	root := makeTree(t, "real/mod.py", "x", "linked", "-> real", "alias.py", "-> real/mod.py", "up", "-> ..", "loop", "-> loop", "dangling", "-> nowhere")
	l := mustScan(t, root, Options{}, nil)
	wantPaths(t, l.paths(partFiles), []string{"real/mod.py"})
	wantPaths(t, l.paths(func(e *Entry) bool { return e.Type == Link }), []string{"alias.py", "dangling", "linked", "loop", "up"})
	if x, err := Explain(root, "linked/mod.py", Options{}); err != nil || x.Standing != BehindLink {
		t.Errorf("explain: %s, %v", &x, err)
	}
	via := filepath.Join(t.TempDir(), "root")
	if err := os.Symlink(root, via); err != nil {
		t.Fatal(err)
	}
	wantPaths(t, mustScan(t, via, Options{}, l).paths(partFiles), []string{"real/mod.py"})
}

func TestHidden(t *testing.T) {
	root := makeTree(t, ".a", "", ".d/e", "", "f/.g/h", "", "i", "")
	l := mustScan(t, root, Options{}, nil)
	wantPaths(t, l.paths(func(e *Entry) bool { return e.Hidden }), []string{".a", ".d", "f/.g"})
	l = mustScan(t, root, Options{Hidden: true}, l)
	wantPaths(t, l.paths(func(e *Entry) bool { return e.Hidden }), []string{".a", ".d", ".d/e", "f/.g", "f/.g/h"})
}

func TestExcludeInclude(t *testing.T) {
	root := makeTree(t, ".gitignore", "build/\n*.log\n", ".rgignore", "r\n",
		"build/gen/a.go", "", "build/gen/sub/b.go", "", "build/tmp/c.go", "", "build/d.go", "", "x.log", "", "keep.log", "", "r", "",
		"vendor/v.go", "", "vendor/keep/w.go", "", "z.go", "", "z_test.go", "", ".ci/job", "")
	fakeRepo(t, root, "")
	opts := Options{
		Exclude: []string{"/vendor/", "*_test.go", "# nothing", ""},
		Include: []string{"build/gen/**/*.go", "keep.log", "r", "vendor/keep/", ".ci/"},
	}
	l := mustScan(t, root, opts, nil)
	want := []string{".ci/job", "build/gen/a.go", "build/gen/sub/b.go", "keep.log", "r", "vendor/keep/w.go", "z.go"}
	wantPaths(t, l.paths(partFiles), want)
	if l.Dropped == 0 {
		t.Error("nothing was counted as dropped")
	}
	x, err := Explain(root, "vendor/v.go", opts)
	if err != nil || x.Standing != Ignored || x.At != "vendor/v.go" || x.File != "exclude" || x.Line != 1 || x.Pattern != "/vendor/" {
		t.Errorf("explain: %s, %v", &x, err)
	}
}

func TestSpecialFiles(t *testing.T) {
	root := makeTree(t, "a", "")
	for _, p := range []string{"pipe", ".gitignore", ".ignore", "sub.gitignore"} {
		if err := unix.Mkfifo(filepath.Join(root, p), 0o666); err != nil {
			t.Skip("no pipes here:", err)
		}
	}
	fakeRepo(t, root, "")
	short, err := os.MkdirTemp("", "s") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	sock, err := net.Listen("unix", filepath.Join(short, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer sock.Close()
	if err := os.Rename(filepath.Join(short, "s"), filepath.Join(root, "sock")); err != nil {
		t.Fatal(err)
	}
	var prev *Listing
	for range 2 {
		l := mustScan(t, root, Options{}, prev)
		for _, p := range []string{"pipe", "sock"} {
			if x, _ := l.Lookup(p); x.Type != Other || !slices.Contains(l.Skips, Skip{p, Special}) {
				t.Errorf("%s is %v, skips %v", p, x.Type, l.Skips)
			}
		}
		prev = later(l)
	}
}

// TestUnreadable runs as another user where the tests run as one whom no permission stops.
func TestUnreadable(t *testing.T) {
	root := makeTree(t, "shut/a", "", "blind/b", "", "open/c", "")
	chmod := func(p string, m os.FileMode) {
		if err := os.Chmod(filepath.Join(root, p), m); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		for p := root; p != os.TempDir() && p != "/"; p = filepath.Dir(p) {
			if err := os.Chmod(p, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := syscall.Setreuid(-1, 65534); err != nil {
			t.Skip("cannot become another user:", err)
		}
		defer syscall.Setreuid(-1, 0)
	}
	setBack := asOwner(t)
	chmod("shut", 0)
	chmod("blind", 0o444)
	setBack()
	var prev *Listing
	for range 2 {
		l := mustScan(t, root, Options{}, prev)
		want := []Skip{{"blind/b", Permission}, {"shut", Permission}}
		if !slices.Equal(l.Skips, want) {
			t.Fatalf("skips %v, want %v", l.Skips, want)
		}
		wantPaths(t, l.paths(partFiles), []string{"open/c"})
		prev = later(l)
	}
	setBack = asOwner(t)
	chmod("shut", 0o755)
	chmod("blind", 0o755)
	setBack()
	wantPaths(t, mustScan(t, root, Options{}, prev).paths(partFiles), []string{"blind/b", "open/c", "shut/a"})
}

// asOwner takes the rights of the first user for a while.
func asOwner(t *testing.T) (back func()) {
	if os.Getuid() != 0 || os.Geteuid() == 0 {
		return func() {}
	}
	if err := syscall.Setreuid(-1, 0); err != nil {
		t.Fatal(err)
	}
	return func() { syscall.Setreuid(-1, 65534) }
}

func TestDeepTree(t *testing.T) {
	root := makeTree(t, "a", "")
	name := strings.Repeat("d", 200)
	fd, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		if err := unix.Mkdirat(fd, name, 0o777); err != nil {
			t.Fatal(err)
		}
		next, err := unix.Openat(fd, name, unix.O_RDONLY|unix.O_DIRECTORY, 0)
		unix.Close(fd)
		if err != nil {
			t.Fatal(err)
		}
		fd = next
	}
	unix.Close(fd)
	l := mustScan(t, root, Options{}, nil)
	if len(l.Skips) != 1 || l.Skips[0].Reason != TooLong {
		t.Errorf("skips %v, want one that is too long", l.Skips)
	}
	short := makeTree(t, strings.Repeat("x/", 1500), "")
	if l := mustScan(t, short, Options{}, nil); len(l.Entries) != 1500 {
		t.Errorf("%d entries, want 1500", len(l.Entries))
	}
}

func TestChangesDuringTheWalk(t *testing.T) {
	root := t.TempDir()
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			os.MkdirAll(filepath.Join(root, "x/y/z"), 0o777)
			os.WriteFile(filepath.Join(root, "x/y/z/f"), nil, 0o666)
			os.RemoveAll(filepath.Join(root, "x"))
			if i%2 == 0 {
				os.Symlink(root, filepath.Join(root, "x"))
				os.Remove(filepath.Join(root, "x"))
			}
		}
	}()
	var prev *Listing
	for range 300 {
		prev = mustScan(t, root, Options{}, prev)
		for _, s := range prev.Skips {
			if s.Reason != Vanished {
				t.Errorf("skip %v", s)
			}
		}
	}
	close(stop)
	<-done
}

func TestCancel(t *testing.T) {
	root := makeTree(t)
	for _, d := range []string{"a", "b", "c"} {
		var files []string
		for i := range 3000 {
			files = append(files, filepath.Join(d, "f"+strings.Repeat("x", i%50)+string(rune('a'+i%26)), "g"), "")
		}
		grow(t, root, files...)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	start := time.Now()
	l, err := Scan(ctx, root, Options{}, nil)
	if !errors.Is(err, context.Canceled) || l != nil {
		t.Errorf("got %v, %v", l, err)
	}
	if d := time.Since(start); d > 50*time.Millisecond {
		t.Errorf("took %v", d)
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if _, err := Scan(ctx, root, Options{}, nil); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestBadRoots(t *testing.T) {
	root := makeTree(t, "file", "")
	for _, p := range []string{"file", "missing"} {
		if l, err := Scan(context.Background(), filepath.Join(root, p), Options{}, nil); err == nil {
			t.Errorf("%s: listed %d entries, want an error", p, len(l.Entries))
		}
	}
}

func TestBadIndexIsTold(t *testing.T) {
	root := makeTree(t, ".gitignore", "*.o\n", "a.o", "", "b", "", ".git/index", "DIRC\x00\x00\x00\x02\x00\x00\x00\x01junk")
	fakeRepo(t, root, "")
	var prev *Listing
	for range 2 {
		l := mustScan(t, root, Options{}, prev)
		wantPaths(t, l.paths(partFiles), []string{"b"})
		if !slices.Equal(l.Skips, []Skip{{".git/index", BadIndex}}) {
			t.Errorf("skips %v", l.Skips)
		}
		prev = later(l)
	}
}

func TestOrder(t *testing.T) {
	root := makeTree(t, "a/x", "", "a-b/x", "", "a.c", "", "a0", "", "a/b/c", "", "a/b-c", "", "b", "", "A", "")
	l := mustScan(t, root, Options{}, nil)
	got := l.paths(func(*Entry) bool { return true })
	if !slices.IsSorted(got) || len(got) != 11 {
		t.Errorf("got %q", got)
	}
	b, _ := l.AppendBinary(nil)
	again, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := again.AppendBinary(nil)
	if !bytes.Equal(b, c) {
		t.Error("a decoded listing is encoded otherwise")
	}
}
