package readtools

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/workspace"
)

// TestPendingIndex asks before there is an index: what cannot be known yet is not denied.
func TestPendingIndex(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{}
	for i := range 100 {
		files[fmt.Sprintf("p%d/a.go", i)] = fmt.Sprintf("package p%d\n\nfunc Fresh%d() {}\n", i, i)
	}
	writeTree(t, root, files)
	w, err := workspace.Open(t.Context(), root, workspace.Options{Stores: testStores, Version: "test", Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	ctx := workspace.Within(t.Context(), time.Nanosecond)
	for _, tool := range []func(*workspace.Snapshot) error{
		func(s *workspace.Snapshot) error {
			_, err := Explore(ctx, s, ExploreParams{Query: "Fresh7", Focus: "callers"})
			return err
		},
		func(s *workspace.Snapshot) error {
			_, err := Explore(ctx, s, ExploreParams{Query: "Fresh7"})
			return err
		},
		func(s *workspace.Snapshot) error {
			_, err := Open(ctx, s, OpenParams{Target: []string{"Fresh7"}})
			return err
		},
	} {
		err := w.View(ctx, func(s *workspace.Snapshot) error {
			if s.Fresh() {
				t.Skip("the index was ready at once")
			}
			return tool(s)
		})
		if codeOf(err) != codeUnavailable || !strings.Contains(err.Error(), "call again") {
			t.Errorf("got %v, want to be told that the index is not ready", err)
		}
	}
	for _, in := range []string{"symbols", "references"} {
		err = w.View(ctx, func(s *workspace.Snapshot) error {
			r, err := Grep(ctx, s, GrepParams{Pattern: "Fresh7", In: in})
			if err == nil && !r.Fresh && (r.Complete || !strings.Contains(r.Text(), "ask again")) {
				t.Errorf("in %s: an answer without an index says that it is complete:\n%s", in, r.Text())
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
