package workspace_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/codegraph-dev/codegraph/workspace"
)

// editRoot is a workspace on a folder with the given files. A text that begins with -> is a link.
func editRoot(t *testing.T, files map[string]string) (*workspace.Workspace, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "proj")
	for name, text := range files {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(target, p)
		} else {
			err = os.WriteFile(p, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Open(t.Context(), root, options(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w, w.Root()
}

func lookAt(t *testing.T, w *workspace.Workspace, path string, follow bool) (p *workspace.Place, err error) {
	t.Helper()
	verr := w.View(t.Context(), func(s *workspace.Snapshot) error {
		p, err = workspace.Look(t.Context(), s, path, follow)
		return nil
	})
	if verr != nil {
		t.Fatal(verr)
	}
	return p, err
}

// write plans the writing of a file, or fails the test.
func write(t *testing.T, w *workspace.Workspace, path, text string) workspace.Change {
	t.Helper()
	p, err := lookAt(t, w, path, true)
	if err != nil {
		t.Fatal(err)
	}
	return workspace.Change{Op: workspace.OpWrite, Path: p.Path, Data: []byte(text), Base: p.State}
}

func commit(w *workspace.Workspace, changes ...workspace.Change) error {
	_, err := w.Commit(context.Background(), workspace.Edit{Tool: "test", Changes: changes})
	return err
}

// tree is all that lies below a folder, in words.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		info, err := os.Lstat(p)
		if err != nil {
			return err
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(p)
			out[rel] = "->" + target
		case info.IsDir():
			out[rel] = "/"
		default:
			b, _ := os.ReadFile(p)
			out[rel] = info.Mode().String() + " " + string(b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s: got %q, want %q", k, got[k], v)
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s is there: %q", k, got[k])
		}
	}
}

func TestLookRefuses(t *testing.T) {
	w, root := editRoot(t, map[string]string{
		"in.txt": "in\n", "later": "->../evil/made", "there": "->../evil/there", "out": "->../evil", "abs": "->/etc/passwd", "deep/up": "->../../evil",
		"loop": "->loop", "a": "->b/x", "b": "->../evil", ".git/config": "x", "dir/.GIT/x": "x",
	})
	evil := filepath.Join(filepath.Dir(root), "evil")
	for _, d := range []string{evil, root + "-sibling"} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "there"), []byte("keep"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"later", "there", "out/new", "out/a/b/c", "abs", "deep/up/there", "loop", "a", "../evil/there", "../proj-sibling/there", "/etc/passwd",
		evil + "/there", "in.txt/../../evil/there", "out", "nothing/../../evil/there"} {
		if _, err := lookAt(t, w, p, true); !errors.Is(err, workspace.ErrOutside) {
			t.Errorf("%s: got %v, want that it leads outside", p, err)
		} else if strings.Contains(err.Error(), filepath.Dir(root)) {
			t.Errorf("%s: the error tells a path: %v", p, err)
		}
	}
	for _, p := range []string{".", "", "dir/..", ".git", ".git/config", ".Git/hooks/x", "dir/.GIT/x", ".git./x", "x/.g\u200cit/y", "a\x00b", "new\n", "new ", "new.", "\u202egnp.exe"} {
		if _, err := lookAt(t, w, p, true); !errors.Is(err, workspace.ErrRefused) {
			t.Errorf("%q: got %v, want a refusal", p, err)
		}
	}
	if p, err := lookAt(t, w, "pipe", true); err != nil || p.State.Type != workspace.Special {
		t.Errorf("pipe: got %v, %v", p, err)
	}
	if p, err := lookAt(t, w, "out", false); err != nil || p.State.Type != workspace.Link {
		t.Errorf("a link to outside, not followed: got %v, %v", p, err)
	}
}

func TestCommit(t *testing.T) {
	w, root := editRoot(t, map[string]string{"a.txt": "one\n", "sub/b.txt": "two\n", "link": "->sub/b.txt", "run.sh": "#!/bin/sh\n"})
	if err := os.Chmod(filepath.Join(root, "run.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	b, _ := lookAt(t, w, "sub/b.txt", false)
	err := commit(w, write(t, w, "a.txt", "ONE\n"), write(t, w, "link", "TWO\n"), write(t, w, "new/deep/c.txt", "three\n"), write(t, w, "run.sh", "#!/bin/bash\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".": "/", "a.txt": "-rw-r--r-- ONE\n", "sub": "/", "sub/b.txt": "-rw-r--r-- TWO\n", "link": "->sub/b.txt", "new": "/", "new/deep": "/",
		"new/deep/c.txt": "-rw-r--r-- three\n", "run.sh": "-rwxr-x--- #!/bin/bash\n"}
	same(t, tree(t, root), want)
	var stale *workspace.StaleError
	err = commit(w, write(t, w, "x/y.txt", "y"), workspace.Change{Op: workspace.OpWrite, Path: "sub/b.txt", Data: []byte("3"), Base: b.State})
	if !errors.As(err, &stale) || stale.Now.Hash != sha256.Sum256([]byte("TWO\n")) {
		t.Errorf("got %v, want a stale error with the new hash", err)
	}
	same(t, tree(t, root), want)
}

func TestCommitMovesAndDeletes(t *testing.T) {
	w, root := editRoot(t, map[string]string{"a/x": "x", "a/l": "->../keep", "keep": "k", "b": "b", "c": "c", "d/e": "e"})
	look := func(p string) workspace.State {
		q, err := lookAt(t, w, p, false)
		if err != nil {
			t.Fatal(err)
		}
		return q.State
	}
	err := commit(w,
		workspace.Change{Op: workspace.OpMove, Path: "a", To: "z/a", Base: look("a")},
		workspace.Change{Op: workspace.OpWrite, Path: "z/a/x", Data: []byte("X"), Base: look("a/x")},
		workspace.Change{Op: workspace.OpMove, Path: "b", To: "c", Base: look("b"), Over: look("c")},
		workspace.Change{Op: workspace.OpDelete, Path: "d", Base: look("d")})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".": "/", "z": "/", "z/a": "/", "z/a/x": "-rw-r--r-- X", "z/a/l": "->../keep", "keep": "-rw-r--r-- k", "c": "-rw-r--r-- b"}
	same(t, tree(t, root), want)
	err = commit(w,
		workspace.Change{Op: workspace.OpDelete, Path: "keep", Base: look("keep")},
		workspace.Change{Op: workspace.OpMove, Path: "c", To: "q/c", Base: look("c")},
		workspace.Change{Op: workspace.OpDelete, Path: "z", Base: look("z")},
		workspace.Change{Op: workspace.OpWrite, Path: "new/f", Data: []byte("n")},
		workspace.Change{Op: workspace.OpWrite, Path: "q/c", Data: []byte("n"), Base: workspace.State{Type: workspace.Regular}})
	if err == nil {
		t.Error("an edit with a wrong last step was made")
	}
	same(t, tree(t, root), want)
}

// TestRacingWriters lets writers who saw the same bytes race: one of them wins each time.
func TestRacingWriters(t *testing.T) {
	w, root := editRoot(t, map[string]string{"f": "0"})
	for range 20 {
		base, _ := lookAt(t, w, "f", true)
		var wg sync.WaitGroup
		var mu sync.Mutex
		won := 0
		for i := range 3 {
			wg.Go(func() {
				var stale *workspace.StaleError
				err := commit(w, workspace.Change{Op: workspace.OpWrite, Path: "f", Data: append([]byte{byte('a' + i)}, base.Data...), Base: base.State})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					won++
				} else if !errors.As(err, &stale) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if won != 1 {
			t.Fatalf("%d writers won", won)
		}
	}
	if len(tree(t, root)) != 2 {
		t.Error(tree(t, root))
	}
}

// TestSwappedFolder swaps a folder for a link to outside while edits go on in it.
func TestSwappedFolder(t *testing.T) {
	w, root := editRoot(t, map[string]string{"d/f": "0", "d/g": "0"})
	out := filepath.Join(filepath.Dir(root), "outside")
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "f"), []byte("0"), 0o644); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		d := filepath.Join(root, "d")
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(d, d+"2")
			_ = os.Symlink(out, d)
			_ = os.Remove(d)
			_ = os.Rename(d+"2", d)
		}
	})
	base := workspace.State{Type: workspace.Regular, Hash: sha256.Sum256([]byte("0"))}
	made := 0
	for i := range 300 {
		ch := workspace.Change{Op: workspace.OpWrite, Path: "d/f", Data: []byte("0"), Base: base}
		if i%2 == 1 {
			ch = workspace.Change{Op: workspace.OpWrite, Path: "d/new/x", Data: []byte("0")}
		}
		if commit(w, ch) == nil {
			made++
		}
	}
	close(stop)
	wg.Wait()
	same(t, tree(t, out), map[string]string{".": "/", "f": "-rw-r--r-- 0"})
	t.Logf("%d of 300 edits were made", made)
}
