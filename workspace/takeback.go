package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// takeBack takes back what has been made of an edit, the last step first.
func (c *commit) takeBack() error {
	var errs []error
	for i := len(c.record.Steps) - 1; i >= 0; i-- {
		if c.record.Steps[i].begun || len(c.record.Steps[i].Made) > 0 {
			errs = append(errs, c.w.takeBackStep(&c.record.Steps[i]))
		}
	}
	return errors.Join(append(errs, c.syncFolders())...)
}

// recover takes back the edits that a crash cut off, and sweeps what one that was done left.
func (j *journal) recover() error {
	for _, id := range j.w.editIDs(begunSuffix) {
		r, err := j.w.readRecord(id + begunSuffix)
		if err == nil {
			c := &commit{w: j.w, j: j, record: r}
			for i := range r.Steps {
				r.Steps[i].begun = true
			}
			if err := c.takeBack(); err != nil {
				j.w.log("an edit that was cut off could not be taken back wholly: %v", err)
			}
			for i := range r.Steps {
				j.w.sweep(&r.Steps[i])
			}
		}
		if err := os.Remove(j.path(id, begunSuffix)); err != nil {
			return fmt.Errorf("take back edit: %w", bareState(err))
		}
	}
	j.sweepLast()
	return nil
}

// sweepLast removes what the last edit may have left when it was killed after it was done.
func (j *journal) sweepLast() {
	if r := j.w.recordNamed(lastName); r != nil {
		for i := range r.Steps {
			j.w.sweep(&r.Steps[i])
		}
	}
}

// recoverEdits does at the start what the next edit would do first, unless another process
// is making one.
func (w *Workspace) recoverEdits() {
	if len(w.editIDs(begunSuffix)) == 0 && !w.unswept() {
		return
	}
	f, err := os.OpenFile(w.state.path(editLockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	if ok, err := tryLock(f); err == nil && ok {
		j := &journal{w: w, dir: w.state.path(editsName), lock: f}
		if err := j.recover(); err != nil {
			w.log("%v", err)
		}
	}
}

// unswept reports whether the last edit left a temporary name.
func (w *Workspace) unswept() bool {
	r := w.recordNamed(lastName)
	if r == nil {
		return false
	}
	for i := range r.Steps {
		for _, p := range r.Steps[i].paths() {
			if _, err := w.dir.Lstat(parentOf(p) + "/" + r.Steps[i].Temp); err == nil {
				return true
			}
		}
	}
	return false
}

// takeBackStep takes back one step, as far as it was made; what others changed since stays.
func (w *Workspace) takeBackStep(s *step) error {
	dir, name, err := w.parent(s.Path, nil)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return w.unmake(s)
		}
		return err
	}
	defer func() { _ = dir.Close() }()
	temp, now := &Place{Path: s.Path}, &Place{Path: s.Path}
	if err := errors.Join(inspect(dir, s.Temp, temp), inspect(dir, name, now)); err != nil {
		return err
	}
	switch s.Op {
	case OpWrite:
		err = takeBackWrite(s, dir, name, temp, now)
	case OpLink, OpFolder:
		err = takeBackCreate(s, dir, name, temp, now)
	case OpDelete:
		err = takeBackDelete(s, dir, name, temp, now)
	default:
		err = w.takeBackMove(s, dir, name, temp, now)
	}
	return errors.Join(err, w.unmake(s))
}

func takeBackWrite(s *step, dir *os.Root, name string, temp, now *Place) error {
	ours := now.State.Type == Regular && now.State.Sum() == s.After
	switch {
	case temp.State.Type == Absent && s.Base.Type == Absent && ours:
		return dir.Remove(name)
	case temp.State.Type == Absent:
		return nil
	case s.Base.Type != Absent && temp.State.Is(s.Base.state()) && ours:
		if err := exchange2(dir, s.Temp, dir, name); err != nil {
			return err
		}
	}
	return dir.Remove(s.Temp)
}

func takeBackCreate(s *step, dir *os.Root, name string, temp, now *Place) error {
	ours := s.Op == OpFolder && now.State.Type == Folder || s.Op == OpLink && now.State.Type == Link && now.State.Sum() == s.After
	switch {
	case temp.State.Type != Absent:
		return dir.Remove(s.Temp)
	case ours:
		return dir.Remove(name) // of a folder refused while something is in it
	}
	return nil
}

func takeBackDelete(s *step, dir *os.Root, name string, temp, now *Place) error {
	switch {
	case temp.State.Type == Absent:
		return nil
	case now.State.Type == Absent:
		return renameNew(dir, s.Temp, dir, name)
	}
	spare := name + ".deleted-" + lowerRandom(4)
	if err := renameNew(dir, s.Temp, dir, spare); err != nil {
		return err
	}
	return fmt.Errorf("%s was made anew meanwhile; what was there is now %s beside it", s.Path, spare)
}

func (w *Workspace) takeBackMove(s *step, dir *os.Root, name string, temp, now *Place) error {
	to, toName, err := w.parent(s.To, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	moved := &Place{Path: s.To}
	if err := inspect(to, toName, moved); err != nil || moved.State.Type == Absent {
		return err
	}
	base, over := s.Base.state(), s.Over.state()
	switch {
	case over.Type == Absent && now.State.Type == Absent:
		return renameNew(to, toName, dir, name)
	case over.Type == Absent:
		return nil
	case temp.State.Type != Absent && now.State.Type == Absent:
		if err := renameNew(dir, s.Temp, dir, name); err != nil {
			return err
		}
		return exchange2(dir, name, to, toName)
	case now.State.Is(over) && moved.State.Is(base) && !base.Is(over):
		return exchange2(dir, name, to, toName)
	}
	return nil
}

// unmake removes the folders that a step made, if nothing is in them.
func (w *Workspace) unmake(s *step) error {
	for i := len(s.Made) - 1; i >= 0; i-- {
		dir, name, err := w.parent(s.Made[i], nil)
		if err != nil {
			continue
		}
		_ = dir.Remove(name) // refused while something is in it
		_ = dir.Close()
	}
	return nil
}
