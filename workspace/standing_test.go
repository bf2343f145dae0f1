package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/workspace"
)

// TestLeftUpdate gives up the only call that waits for an update and asks again at once: the
// second call is not told that the first was cancelled.
func TestLeftUpdate(t *testing.T) {
	began, gate := make(chan struct{}, 100), make(chan struct{})
	p := newPlace(t, func(o *workspace.Options) {
		o.Progress = func(index.Progress) {
			select {
			case began <- struct{}{}:
			default:
			}
			<-gate
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	first := make(chan error, 1)
	go func() { first <- p.w.View(ctx, func(*workspace.Snapshot) error { return nil }) }()
	<-began
	cancel()
	second := make(chan error, 1)
	time.AfterFunc(20*time.Millisecond, func() {
		time.AfterFunc(20*time.Millisecond, func() { close(gate) })
		second <- p.w.View(context.Background(), func(s *workspace.Snapshot) error {
			if !s.Fresh() {
				return errors.New("the answer is not from a fresh index")
			}
			return nil
		})
	})
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the call that was cancelled: %v", err)
	}
	if err := <-second; err != nil {
		t.Errorf("the call after it: %v", err)
	}
}

// TestStanding tells the generation and whether an update is under way, before, during and
// after it, and the generation that another process made.
func TestStanding(t *testing.T) {
	var p *place
	during := make(chan workspace.Standing, 100)
	p = newPlace(t, func(o *workspace.Options) {
		o.Progress = func(index.Progress) {
			select {
			case during <- p.w.Standing():
			default:
			}
		}
	})
	if got := p.w.Standing(); got != (workspace.Standing{}) {
		t.Errorf("before: %+v", got)
	}
	if _, err := p.w.Refresh(t.Context(), workspace.Quick); err != nil {
		t.Fatal(err)
	}
	if got := <-during; !got.Updating || got.Generation != 0 {
		t.Errorf("during: %+v", got)
	}
	after := p.w.Standing()
	if after.Updating || after.Generation == 0 {
		t.Errorf("after: %+v", after)
	}
	resume, err := p.w.Yield()
	if err != nil {
		t.Fatal(err)
	}
	defer resume()
	o := options(p.home)
	o.Resident = false
	other, err := workspace.Open(t.Context(), p.root, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if err := os.WriteFile(filepath.Join(p.root, "c.go"), []byte("package m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Refresh(t.Context(), workspace.Quick); err != nil {
		t.Fatal(err)
	}
	if got := p.w.Standing(); got.Generation <= after.Generation {
		t.Errorf("after another's update: %+v, was %+v", got, after)
	}
}

// TestWithin answers at once where the call wants that, whatever the workspace's own budget.
func TestWithin(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	p := newPlace(t, func(o *workspace.Options) { o.Progress = func(index.Progress) { <-gate } })
	err := p.w.View(workspace.Within(t.Context(), time.Millisecond), func(s *workspace.Snapshot) error {
		if s.Fresh() {
			t.Error("an index that cannot have been made is fresh")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestAtLeast waits for a generation that another call makes, and tells when it does not come.
func TestAtLeast(t *testing.T) {
	p := newPlace(t)
	p.see()
	next := p.w.Standing().Generation + 1
	go func() {
		time.Sleep(50 * time.Millisecond)
		_ = os.WriteFile(filepath.Join(p.root, "later.go"), []byte("package m\n\nfunc Later() {}\n"), 0o644)
	}()
	ask := func(ctx context.Context, g graph.Gen) (gen graph.Gen, notes []string) {
		t.Helper()
		err := p.w.View(workspace.AtLeast(ctx, g), func(s *workspace.Snapshot) error {
			gen, notes = s.Generation(), s.Notes()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return gen, notes
	}
	if gen, notes := ask(t.Context(), next); gen < next || len(notes) > 0 {
		t.Errorf("asked for %d, got %d, %q", next, gen, notes)
	}
	if gen, notes := ask(workspace.Within(t.Context(), 50*time.Millisecond), next+100); gen != next || len(notes) != 1 {
		t.Errorf("asked for one that never comes, got %d, %q", gen, notes)
	}
}
