package ignore

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// makeTree writes files, given as path and content in turn, below a new root. A path that ends in a slash is an empty
// folder, a content that begins with "-> " makes a link.
func makeTree(t testing.TB, files ...string) string {
	t.Helper()
	root := t.TempDir()
	grow(t, root, files...)
	return root
}

func grow(t testing.TB, root string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path, text := filepath.Join(root, files[i]), files[i+1]
		dir := filepath.Dir(path)
		if strings.HasSuffix(files[i], "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(files[i], "/") {
			continue
		}
		var err error
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// fakeRepo is the least that makes a folder a repository.
func fakeRepo(t testing.TB, root, dir string) {
	t.Helper()
	d := ".git/"
	if dir != "" {
		d = dir + "/.git/"
	}
	grow(t, root, d+"HEAD", "ref: refs/heads/main\n", d+"objects/", "", d+"refs/", "")
}

// env is an environment for git and for Options.Env that has nothing of the machine's own settings.
type env map[string]string

func cleanEnv(t testing.TB) env {
	return env{
		"HOME": t.TempDir(), "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.Getenv("PATH"), "LC_ALL": "C",
		"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e@example.org",
		"GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e@example.org",
	}
}

func (e env) lookup(k string) (string, bool) { v, ok := e[k]; return v, ok }

func (e env) run(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	for k, v := range e {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && !(name == "rg" && len(out) == 0 && stderr.Len() == 0) {
		t.Fatalf("%s %v: %v\n%s", name, args, err, stderr.Bytes())
	}
	return string(out)
}

func needs(t testing.TB, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("no %s here to compare with", tool)
	}
}

// gitFiles is what git says belongs to the work tree: tracked or not ignored, and there.
func gitFiles(t testing.TB, e env, root string) []string {
	t.Helper()
	out := e.run(t, root, "git", "ls-files", "-z", "-c", "-o", "--exclude-standard")
	var files []string
	for p := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if st, err := os.Lstat(filepath.Join(root, p)); err == nil && !st.IsDir() {
			files = append(files, p)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// rgFiles is what ripgrep would search.
func rgFiles(t testing.TB, e env, root string, args ...string) []string {
	t.Helper()
	out := e.run(t, root, "rg", append([]string{"--no-config", "--files", "-0"}, args...)...)
	if out == "" {
		return nil
	}
	files := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	files = slices.DeleteFunc(files, func(p string) bool { return strings.HasPrefix(p, ".git/") || strings.Contains(p, "/.git/") })
	slices.Sort(files)
	return files
}

func mustScan(t testing.TB, root string, opts Options, prev *Listing) *Listing {
	t.Helper()
	if opts.Env == nil {
		opts.Env = env{}.lookup
	}
	l, err := Scan(context.Background(), root, opts, prev)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// paths lists the entries that keep holds for.
func (l *Listing) paths(keep func(*Entry) bool) []string {
	var out []string
	for i := range l.Entries {
		if keep(&l.Entries[i]) {
			out = append(out, l.Entries[i].Path)
		}
	}
	return out
}

func partFiles(e *Entry) bool { return e.Part() && e.Type == File }
func leaves(e *Entry) bool    { return e.Type != Dir && e.Type != Other && !e.Ignored }

func wantPaths(t testing.TB, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	for _, p := range got {
		if !slices.Contains(want, p) {
			t.Errorf("has %q, which should not be there", p)
		}
	}
	for _, p := range want {
		if !slices.Contains(got, p) {
			t.Errorf("lacks %q", p)
		}
	}
	if !t.Failed() {
		t.Errorf("order: got %q, want %q", got, want)
	}
}

// later makes a listing look as if it had been taken long after the tree was made, so that nothing in it is racy.
func later(l *Listing) *Listing {
	l.Taken = l.Taken.Add(time.Hour)
	return l
}
