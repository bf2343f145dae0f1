package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// apply makes the changes one by one.
func (c *commit) apply(ctx context.Context, changes []Change) error {
	for i := range changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.one(&changes[i], &c.record.Steps[i]); err != nil {
			return err
		}
	}
	return c.syncFolders()
}

func (c *commit) one(ch *Change, s *step) error {
	var made *[]string
	if ch.Op != OpDelete && ch.Op != OpMove {
		made = &s.Made
	}
	dir, name, err := c.w.parent(ch.Path, made)
	if len(s.Made) > 0 {
		err = errors.Join(err, c.j.begin(c.record)) // so that they go again after a crash
	}
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	s.begun = true
	switch ch.Op {
	case OpWrite:
		return c.write(ch, s, dir, name)
	case OpDelete:
		return c.remove(s, dir, name)
	case OpLink, OpFolder:
		return c.create(ch, s, dir, name)
	}
	return c.move(ch, s, dir, name)
}

// write puts new bytes at a name.
func (c *commit) write(ch *Change, s *step, dir *os.Root, name string) error {
	old := &Place{Path: ch.Path}
	if err := inspect(dir, name, old); err != nil {
		return err
	}
	if !old.State.Is(ch.base()) {
		return &StaleError{Path: ch.Path, Want: ch.base(), Now: old.State}
	}
	if err := putTemp(dir, s.Temp, ch, old); err != nil {
		return confined(ch.Path, err)
	}
	if old.State.Type == Absent {
		err := renameNew(dir, s.Temp, dir, name)
		if errors.Is(err, fs.ErrExist) {
			return c.changed(s.Path, ch.base(), dir, name)
		}
		if err != nil {
			return confined(ch.Path, err)
		}
		return nil
	}
	switch err := exchange(dir, s.Temp, name, old.ID); {
	case errors.Is(err, syscall.ESTALE), errors.Is(err, fs.ErrNotExist):
		return c.changed(s.Path, ch.base(), dir, name)
	case err != nil:
		return confined(ch.Path, err)
	}
	got := &Place{Path: ch.Path}
	if err := inspect(dir, s.Temp, got); err != nil || !got.State.Is(ch.base()) {
		err = errors.Join(err, exchange(dir, s.Temp, name, nil))
		return errors.Join(err, &StaleError{Path: ch.Path, Want: ch.base(), Now: got.State})
	}
	return c.keepLate(s, got)
}

// keepLate keeps what a step replaces where that was not known before.
func (c *commit) keepLate(s *step, was *Place) error {
	if !s.late {
		return nil
	}
	return c.keepPlace(was, s)
}

// create makes a link or a folder.
func (c *commit) create(ch *Change, s *step, dir *os.Root, name string) (err error) {
	if ch.Op == OpFolder {
		err = dir.Mkdir(s.Temp, 0o777)
	} else {
		err = dir.Symlink(string(ch.Data), s.Temp)
	}
	if err == nil {
		err = renameNew(dir, s.Temp, dir, name)
	}
	if errors.Is(err, fs.ErrExist) {
		return c.changed(s.Path, ch.base(), dir, name)
	}
	if err != nil {
		return confined(ch.Path, err)
	}
	return nil
}

// changed is the error for a name where something turned up.
func (c *commit) changed(p string, want State, dir *os.Root, name string) error {
	now := &Place{Path: p}
	return errors.Join(inspect(dir, name, now), &StaleError{Path: p, Want: want, Now: now.State})
}

// putTemp writes a temporary file that is to take the place of old.
func putTemp(dir *os.Root, temp string, ch *Change, old *Place) (err error) {
	mode := fs.FileMode(0o666)
	if old.State.Type == Regular {
		mode = 0o600
	}
	f, err := dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			_ = dir.Remove(temp)
		}
	}()
	if _, err := f.Write(ch.Data); err != nil {
		return err
	}
	if old.State.Type == Regular {
		if err := likeOld(f, dir, old); err != nil {
			return err
		}
	} else if ch.Mode != 0 {
		if err := f.Chmod(ch.Mode.Perm()); err != nil {
			return err
		}
	}
	return f.Sync()
}

// remove takes away what is at a name; until the edit is done it waits under another name.
func (c *commit) remove(s *step, dir *os.Root, name string) error {
	if err := renameNew(dir, name, dir, s.Temp); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return c.changed(s.Path, s.Base.state(), dir, name)
		}
		return confined(s.Path, err)
	}
	got := &Place{Path: s.Path}
	if err := inspect(dir, s.Temp, got); err != nil || !got.State.Is(s.Base.state()) {
		err = errors.Join(err, renameNew(dir, s.Temp, dir, name))
		return errors.Join(err, &StaleError{Path: s.Path, Want: s.Base.state(), Now: got.State})
	}
	return nil
}

// move moves what is at a name. What it replaces waits under a temporary name.
func (c *commit) move(ch *Change, s *step, dir *os.Root, name string) error {
	to, toName, err := c.w.parent(ch.To, &s.Made)
	if len(s.Made) > 0 {
		err = errors.Join(err, c.j.begin(c.record))
	}
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	from, over := &Place{Path: ch.Path}, &Place{Path: ch.To}
	if err := errors.Join(inspect(dir, name, from), inspect(to, toName, over)); err != nil {
		return err
	}
	switch {
	case !from.State.Is(ch.base()):
		return &StaleError{Path: ch.Path, Want: ch.base(), Now: from.State}
	case sameByCase(from, over):
		return named2(ch, rename2(dir, name, to, toName))
	case !over.State.Is(ch.over()):
		return &StaleError{Path: ch.To, Want: ch.over(), Now: over.State}
	case over.State.Type == Absent:
		err := renameNew(dir, name, to, toName)
		if errors.Is(err, fs.ErrExist) {
			return c.changed(ch.To, ch.over(), to, toName)
		}
		return named2(ch, err)
	}
	if err := exchange2(dir, name, to, toName); err != nil {
		return named2(ch, err)
	}
	got := &Place{Path: ch.To}
	if err := inspect(dir, name, got); err != nil || !got.State.Is(ch.over()) {
		err = errors.Join(err, exchange2(dir, name, to, toName))
		return errors.Join(err, &StaleError{Path: ch.To, Want: ch.over(), Now: got.State})
	}
	return named2(ch, renameNew(dir, name, dir, s.Temp))
}

func named2(ch *Change, err error) error {
	if err == nil {
		return nil
	}
	return confined(ch.Path+" to "+ch.To, err)
}

// syncFolders makes the renames of all steps durable.
func (c *commit) syncFolders() error {
	seen := map[string]bool{}
	for i := range c.record.Steps {
		for _, p := range c.record.Steps[i].paths() {
			for ; p != "."; p = parentOf(p) {
				if at := parentOf(p); !seen[at] {
					seen[at] = true
					if err := c.w.syncFolder(at); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func (w *Workspace) syncFolder(p string) error {
	f, err := w.dir.Open(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return confined(p, err)
	}
	err = f.Sync()
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("sync folder %s: %w", p, bare(err))
	}
	return nil
}

// finish removes what waited under temporary names. What it leaves, the next start sweeps.
func (c *commit) finish() {
	for i := range c.record.Steps {
		c.w.sweep(&c.record.Steps[i])
	}
}

// sweep removes a step's temporary name.
func (w *Workspace) sweep(s *step) {
	for _, p := range s.paths() {
		dir, _, err := w.parent(p, nil)
		if err != nil {
			continue
		}
		_ = dir.RemoveAll(s.Temp)
		_ = dir.Close()
	}
}

func parentOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return "."
}

// below reports whether p is dir or in it.
func below(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

func equalFold(a, b string) bool { return strings.EqualFold(a, b) }
