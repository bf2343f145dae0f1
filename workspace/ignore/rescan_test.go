package ignore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// sameListing compares all but the time, the records of folders included.
func sameListing(t *testing.T, got, want *Listing) {
	t.Helper()
	wantPaths(t, got.paths(func(*Entry) bool { return true }), want.paths(func(*Entry) bool { return true }))
	if t.Failed() {
		return
	}
	for i := range want.Entries {
		if got.Entries[i] != want.Entries[i] {
			t.Errorf("got %+v, want %+v", got.Entries[i], want.Entries[i])
		}
	}
	if !slices.Equal(got.dirs, want.dirs) || !slices.Equal(got.parent, want.parent) || !slices.Equal(got.repos, want.repos) {
		t.Errorf("records differ:\n%v %v\n%v %v", got.dirs, got.repos, want.dirs, want.repos)
	}
	if !slices.Equal(got.Skips, want.Skips) || got.Dropped != want.Dropped {
		t.Errorf("got %v and %d dropped, want %v and %d", got.Skips, got.Dropped, want.Skips, want.Dropped)
	}
}

// tick lets the clock of the file system move on.
func tick() { time.Sleep(15 * time.Millisecond) }

// TestIncrementalEqualsFresh changes a tree at random and holds each re-scan against a scan of its own.
func TestIncrementalEqualsFresh(t *testing.T) {
	needs(t, "git")
	steps := 60
	if testing.Short() {
		steps = 10
	}
	for seed, opts := range []Options{{}, {Hidden: true}, {IncludeIgnored: true, Hidden: true}, {Exclude: []string{"b*"}, Include: []string{"foo/**/*.o"}}} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			e := cleanEnv(t)
			opts.Env = e.lookup
			r := rand.New(rand.NewPCG(uint64(seed), 3))
			files := randomFiles(r, "", 3, nil)
			root := makeTree(t, files...)
			e.run(t, root, "git", "init", "-q", ".")
			prev := mustScan(t, root, opts, nil)
			var log []string
			for range steps {
				tick()
				log = append(log, mutate(t, e, r, root, files))
				b, _ := later(prev).AppendBinary(nil)
				old, err := Decode(b)
				if err != nil {
					t.Fatal(err)
				}
				next := mustScan(t, root, opts, old)
				sameListing(t, next, mustScan(t, root, opts, nil))
				if t.Failed() {
					t.Fatalf("after %q", log)
				}
				prev = next
			}
		})
	}
}

// mutate makes one change and names it.
func mutate(t *testing.T, e env, r *rand.Rand, root string, files []string) string {
	t.Helper()
	path := files[2*r.IntN(len(files)/2)]
	full := filepath.Join(root, path)
	dir := filepath.Dir(full)
	what := r.IntN(9)
	switch what {
	case 0:
		os.WriteFile(full, []byte(randomRules(r, "\n")), 0o666)
	case 1:
		os.Remove(full)
	case 2:
		os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(randomRules(r, "\n")), 0o666)
	case 3:
		os.WriteFile(filepath.Join(dir, ".ignore"), []byte(randomRules(r, "\n")), 0o666)
	case 4:
		os.Remove(filepath.Join(dir, ".gitignore"))
	case 5:
		if _, err := os.Lstat(full); err == nil {
			e.run(t, root, "git", "--literal-pathspecs", "add", "-f", "--", path)
		}
	case 6:
		e.run(t, root, "git", "--literal-pathspecs", "rm", "-q", "-f", "--cached", "--ignore-unmatch", "--", path)
	case 7:
		os.Rename(dir, filepath.Join(root, randomNames[r.IntN(len(randomNames))]))
	case 8:
		os.MkdirAll(dir, 0o777)
		os.Rename(filepath.Join(dir, ".gitignore"), filepath.Join(root, "a", ".gitignore"))
	}
	return fmt.Sprintf("%d %s", what, path)
}

// TestReuse shows which folders a re-scan reads: a name is missing from the previous listing, and comes back only
// where the folder was read.
func TestReuse(t *testing.T) {
	root := makeTree(t, "d/keep", "", "d/z", "", ".gitignore", "q\n", "e/f", "")
	fakeRepo(t, root, "")
	forge := func() *Listing {
		l := mustScan(t, root, Options{}, nil)
		i := slices.IndexFunc(l.Entries, func(e Entry) bool { return e.Path == "d/z" })
		l.Entries = slices.Delete(l.Entries, i, i+1)
		l.parent = slices.Delete(l.parent, i, i+1)
		for d := range l.dirs {
			if int(l.dirs[d].entry) > i {
				l.dirs[d].entry--
			}
		}
		return l
	}
	reads := func(prev *Listing, opts Options) bool {
		_, ok := mustScan(t, root, opts, prev).Lookup("d/z")
		return ok
	}
	if !reads(forge(), Options{}) {
		t.Error("a folder that changed just before the scan was not read again")
	}
	if reads(later(forge()), Options{}) {
		t.Error("a folder that did not change was read again")
	}
	prev := later(forge())
	grow(t, root, "d/keep", "other")
	if reads(prev, Options{}) {
		t.Error("a changed file made its folder be read again")
	}
	if got, _ := mustScan(t, root, Options{}, prev).Lookup("d/keep"); got.Size != 5 {
		t.Errorf("size %d of a changed file, want 5", got.Size)
	}
	if !reads(prev, Options{Hidden: true}) || !reads(prev, Options{Exclude: []string{"nothing"}}) {
		t.Error("other options did not count")
	}
	tick()
	grow(t, root, ".gitignore", "r\n")
	if !reads(prev, Options{}) {
		t.Error("a changed ignore file above did not count")
	}
	prev = later(forge())
	grow(t, root, "e/.gitignore", "r\n")
	if reads(prev, Options{}) {
		t.Error("an ignore file elsewhere counted")
	}
	tick()
	grow(t, root, "d/new", "")
	if !reads(prev, Options{}) {
		t.Error("a new file in the folder did not count")
	}
	other := makeTree(t, "d/x", "")
	if l := mustScan(t, other, Options{}, prev); len(l.Entries) != 2 {
		t.Errorf("a listing of another root left its mark: %v", l.Entries)
	}
}

// TestSameSizeSameTime is the change that only the ctime tells of.
func TestSameSizeSameTime(t *testing.T) {
	root := makeTree(t, "a.py", "left")
	path := filepath.Join(root, "a.py")
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	prev := mustScan(t, root, Options{}, nil)
	tick()
	grow(t, root, "a.py", "rght")
	if err := os.Chtimes(path, st.ModTime(), st.ModTime()); err != nil {
		t.Fatal(err)
	}
	next := mustScan(t, root, Options{}, prev)
	if _, _, changed := Diff(prev, next); !slices.Equal(changed, []string{"a.py"}) {
		t.Errorf("changed %q", changed)
	}
	if e, _ := next.Lookup("a.py"); !next.Racy(&e) || later(next).Racy(&e) {
		t.Error("racy is the other way round")
	}
}

func TestDiff(t *testing.T) {
	root := makeTree(t, "a", "1", "b", "1", "c/d", "1", "e", "1", "f/g", "1", ".h", "")
	prev := mustScan(t, root, Options{}, nil)
	tick()
	for _, p := range []string{"a", "c", "f"} {
		os.RemoveAll(filepath.Join(root, p))
	}
	grow(t, root, "b", "2", "c", "now a file", "a0", "", "f/i", "", ".ignore", "!.h\n")
	next := mustScan(t, root, Options{}, prev)
	added, removed, changed := Diff(prev, next)
	got := strings.Join([]string{strings.Join(added, " "), strings.Join(removed, " "), strings.Join(changed, " ")}, "|")
	if want := ".ignore a0 f/i|a c/d f/g|.h b c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if added, removed, changed = Diff(nil, next); len(added) != len(next.Entries) || removed != nil || changed != nil {
		t.Errorf("from nothing: %q %q %q", added, removed, changed)
	}
	if _, removed, _ = Diff(next, nil); len(removed) != len(next.Entries) {
		t.Errorf("to nothing: %q", removed)
	}
}
