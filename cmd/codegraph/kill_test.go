package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var kills = flag.Int("kills", 10, "how often TestKill kills an index under way")

// built is the folder of the program that binary built, empty if it did not.
var built string

// binary builds the program once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "codegraph-test-")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "codegraph")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	if os.Getenv(clientVariable) != "" {
		if err := httpClient(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv(daemonVariable) == "" {
		_ = os.Setenv(daemonVariable, daemonOff) // tests of the daemon ask for it
	}
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// copies puts n copies of the fixture repositories below root.
func copies(t *testing.T, root string, n int) {
	t.Helper()
	for i := range n {
		if err := os.CopyFS(filepath.Join(root, fmt.Sprintf("copy%d", i)), os.DirFS(filepath.Join("..", "..", "testdata", "fixtures"))); err != nil {
			t.Fatal(err)
		}
	}
}

// edit changes a few files below root at random.
func edit(t *testing.T, rnd *rand.Rand, root string) {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 1 + rnd.IntN(5) {
		p, q := paths[rnd.IntN(len(paths))], paths[rnd.IntN(len(paths))]
		b, err := os.ReadFile(q)
		if err != nil {
			continue
		}
		switch rnd.IntN(4) {
		case 0:
			err = os.Remove(p)
		case 1:
			err = os.WriteFile(p+filepath.Ext(p), b, 0o644)
		default:
			lines := bytes.SplitAfter(b, []byte("\n"))
			i := rnd.IntN(len(lines))
			err = os.WriteFile(q, bytes.Join(append(lines[:i:i], lines[min(i+1, len(lines)):]...), nil), 0o644)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// output runs the program to its end.
func output(t *testing.T, home string, args ...string) string {
	t.Helper()
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, args...)
	cmd.Env = append(os.Environ(), "CODEGRAPH_HOME="+home)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("codegraph %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// TestKill kills an index under way at random moments. Whatever the moment, the next command
// works and the graph is that of a fresh index.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	root, home := t.TempDir(), t.TempDir()
	copies(t, root, 12)
	start := time.Now()
	output(t, home, "index", "-C", root)
	whole := time.Since(start)
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range *kills {
		if n%3 == 2 { // from nothing
			home = t.TempDir()
		}
		edit(t, rnd, root)
		cmd := exec.Command(bin, "index", "-C", root)
		cmd.Env = append(os.Environ(), "CODEGRAPH_HOME="+home)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		after := time.Duration(rnd.Int64N(int64(whole)))
		time.Sleep(after)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		got := output(t, home, "export", "--format", "dump", "-C", root)
		want := output(t, t.TempDir(), "export", "--format", "dump", "-C", root)
		if got != want {
			t.Fatalf("kill %d, after %v: the dump has %d bytes and differs from a fresh index's, which has %d", n, after, len(got), len(want))
		}
		if out := output(t, home, "grep", "-C", root, "--json", "ErrMissing|list_push"); !strings.Contains(out, `"fresh":true`) {
			t.Fatalf("kill %d: grep says %.300s", n, out)
		}
	}
}
