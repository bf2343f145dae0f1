package edittools

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/bolt"
	"github.com/codegraph-dev/codegraph/workspace"
)

// bench is a workspace on disk under test.
type bench struct {
	t    testing.TB
	w    *workspace.Workspace
	root string
	home string
	deny bool // the next answer is no
}

// resident says how the workspaces of the tests are opened.
var resident bool

// TestMain runs every test on a workspace that is opened for each call, then on one that stays.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		resident = true
		code = m.Run()
	}
	os.Exit(code)
}

func newBench(t testing.TB, files map[string]string) *bench {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	b := &bench{t: t, root: filepath.Join(t.TempDir(), "proj"), home: t.TempDir()}
	if err := os.MkdirAll(b.root, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		b.put(name, text)
	}
	w, err := workspace.Open(context.Background(), b.root, workspace.Options{Home: b.home, Version: "test", Resident: resident, Stores: workspace.Stores{
		Graph: func(path string, readOnly bool, wait time.Duration) (graph.Store, error) {
			return bolt.Open(path, bolt.Options{ReadOnly: readOnly, Timeout: wait})
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	b.w = w
	return b
}

// put writes a file past the tools; a text that begins with -> is a link.
func (b *bench) put(name, text string) {
	b.t.Helper()
	p := filepath.Join(b.root, name)
	err := os.MkdirAll(filepath.Dir(p), 0o755)
	if target, ok := strings.CutPrefix(text, "->"); ok && err == nil {
		err = os.Symlink(target, p)
	} else if err == nil {
		err = os.WriteFile(p, []byte(text), 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) get(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.root, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// tree is all that lies below the root.
func (b *bench) tree() map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(b.root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			b.t.Fatal(err)
		}
		rel, _ := filepath.Rel(b.root, p)
		info, _ := os.Lstat(p)
		switch {
		case rel == ".":
		case info.Mode()&fs.ModeSymlink != 0:
			target, _ := os.Readlink(p)
			out[rel] = "->" + target
		case info.IsDir():
			out[rel] = "/"
		default:
			data, _ := os.ReadFile(p)
			out[rel] = info.Mode().Perm().String() + string(data)
		}
		return nil
	})
	return out
}

var yes = func(context.Context, Question) (Answer, error) { return Answer{Yes, "test"}, nil }

// run makes an edit that a person allows.
func run[P interface{ Given() Common }](b *bench, plan func(context.Context, *workspace.Snapshot, P) (*Plan, error), p P) (*Result, error) {
	call := Call{Tool: "test", DryRun: p.Given().DryRun, Strict: p.Given().Check == "strict", Ask: yes}
	return Run(context.Background(), b.w, call, func(ctx context.Context, s *workspace.Snapshot) (*Plan, error) { return plan(ctx, s, p) })
}
