package ignore

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRecorded finds changed the files that git does, whose times say so or not, under both kinds of ids.
func TestRecorded(t *testing.T) {
	needs(t, "git")
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			e := cleanEnv(t)
			root := makeTree(t, "same", "1\n", "touched", "1\n", "edited", "1\n", "sized", "1\n", "sub/in", "1\n", "sub/out", "1\n", "crlf", "1\n", "gone", "1\n")
			e.run(t, root, "git", "init", "-q", "--object-format="+format, ".")
			e.run(t, root, "git", "add", ".")
			now := time.Now().Add(time.Hour)
			for p, text := range map[string]string{"edited": "2\n", "sized": "1\n1\n", "sub/in": "2\n", "crlf": "1\r\n", "touched": "1\n"} {
				grow(t, root, p, text)
				if err := os.Chtimes(filepath.Join(root, p), now, now); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Remove(filepath.Join(root, "gone")); err != nil {
				t.Fatal(err)
			}
			git := strings.Fields(e.run(t, root, "git", "-c", "core.autocrlf=input", "diff", "--name-only", "--diff-filter=M"))
			if got := changedSince(t, root); !slices.Equal(got, git) || len(got) != 3 {
				t.Errorf("changed %v, git says %v", got, git)
			}
			if got := changedSince(t, root+"/sub"); !slices.Equal(got, []string{"in"}) {
				t.Errorf("changed below sub: %v", got)
			}
		})
	}
	if r, err := Recorded(t.TempDir()); r != nil || err != nil {
		t.Errorf("without git: %v, %v", r, err)
	}
}

func changedSince(t *testing.T, root string) []string {
	t.Helper()
	records, err := Recorded(root)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := range records {
		r := &records[i]
		entry, err := Lstat(root, r.Path)
		if err != nil || r.Untouched(&entry) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, r.Path))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Holds(data) {
			out = append(out, r.Path)
		}
	}
	return out
}
