package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
)

// cutOff is a context that ends as soon as it has been asked once whether it has.
type cutOff struct {
	context.Context
	asked bool
}

func (c *cutOff) Err() error {
	if c.asked {
		return context.Canceled
	}
	c.asked = true
	return nil
}

// TestCutOffLook ends a call while the tree is looked at: what the system had told of by then
// is in the next look.
func TestCutOffLook(t *testing.T) {
	root := t.TempDir()
	none := func(string, bool, time.Duration) (graph.Store, error) { return nil, errors.New("there is no store") }
	w, err := Open(t.Context(), root, Options{Home: t.TempDir(), Resident: true, Stores: Stores{Graph: none}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	tree := w.resident.tree
	if _, err := tree.now(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "new.go"), []byte("package p\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.now(&cutOff{Context: context.Background()}); !errors.Is(err, context.Canceled) {
		t.Fatalf("the look was not cut off: %v", err)
	}
	l, err := tree.now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := l.Lookup("new.go"); !ok {
		t.Error("a file that was told of during a look that was cut off is not seen")
	}
}
