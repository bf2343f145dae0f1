package readtools

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/graph/bolt"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/search/trigram"
	"github.com/codegraph-dev/codegraph/workspace"
)

// testStores are the stores of a workspace in tests.
var testStores = workspace.Stores{
	Graph: func(path string, readOnly bool, wait time.Duration) (graph.Store, error) {
		return bolt.Open(path, bolt.Options{ReadOnly: readOnly, Timeout: wait})
	},
	Text: func(dir string, token []byte) (workspace.TextStore, error) {
		s, err := trigram.Open(dir, token)
		return testText{s}, err
	},
}

// testText fits the trigram index to what a workspace wants.
type testText struct{ *trigram.Store }

func (t testText) Name() string { return "trigram" }

func (t testText) Begin() index.TextBatch { return testBatch{t.NewBatch(), t.Store} }

type testBatch struct {
	*trigram.Batch
	store *trigram.Store
}

func (b testBatch) Add(d index.Document) error { return b.Batch.Add(search.DocID(d.File.ID), d.Text) }

func (b testBatch) Remove(id graph.FileID) error { return b.Batch.Remove(search.DocID(id)) }

func (b testBatch) Apply(ctx context.Context) ([]byte, error) { return b.store.Apply(ctx, b.Batch) }

// writeTree writes files below a folder.
func writeTree(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for p, data := range files {
		full := filepath.Join(root, p)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// openTree opens a workspace on the files.
func openTree(t testing.TB, files map[string]string) *workspace.Workspace {
	t.Helper()
	root := t.TempDir()
	writeTree(t, root, files)
	return openRoot(t, root)
}

func openRoot(t testing.TB, root string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(t.Context(), root, workspace.Options{Stores: testStores, Version: "test", Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// run runs a tool on a snapshot.
func run[P, R any](t testing.TB, w *workspace.Workspace, tool func(context.Context, *workspace.Snapshot, P) (*R, error), p P) (*R, error) {
	t.Helper()
	var res *R
	err := w.View(t.Context(), func(s *workspace.Snapshot) error {
		var err error
		res, err = tool(t.Context(), s, p)
		return err
	})
	return res, err
}

// must runs a tool that has to succeed.
func must[P, R any](t testing.TB, w *workspace.Workspace, tool func(context.Context, *workspace.Snapshot, P) (*R, error), p P) *R {
	t.Helper()
	res, err := run(t, w, tool, p)
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return res
}

// codeOf is the code of a tool's error.
func codeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
