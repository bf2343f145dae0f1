package workspace

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/codegraph-dev/codegraph/graph"
)

// How an edit reaches the disk
//
// All edits of a root, of whatever process, take turns under edit.lock. An edit is a list of
// changes that are made all or not at all:
//
//  1. What stands at each path is compared with what the edit was planned for. If anything
//     else changed since, the edit is planned again: what it was planned from may have been
//     another edit half made.
//  2. The bytes before and after go to the journal, then a record of all steps (edits/ID.begun).
//  3. Each change is made by renames inside its folder, which is held by a handle: new bytes
//     are written to a temporary file beside the target (O_EXCL, fsync) and exchanged with
//     it; then the temporary file holds what was there. If that is not what the edit was
//     planned for, it is exchanged back. So even a writer that knows nothing of the lock
//     loses no byte, and at every moment the path holds the old bytes or the new.
//  4. The folders are synced, and the record is renamed to edits/ID.json: from here on the
//     edit counts. Then the temporary files go.
//
// After a failure the steps are taken back in reverse. After kill -9 the next Open or edit
// finds ID.begun and does the same from the record. What another writer changed meanwhile
// stays as it is.
//
// A file keeps its permission bits, its owner where the system allows it, and on Linux its
// extended attributes. It becomes a new file, so other hard links of it keep the old bytes.

// tempPrefix begins the names of temporary files in the workspace.
const tempPrefix = ".codegraph-tmp-"

// Edit is what Commit is to do, and for whom.
type Edit struct {
	Tool      string
	CallID    string // empty: no call is told from another, nothing is replayed
	InputHash string
	Changes   []Change
	// Undoes is the id of the edit that this one takes back, if it does.
	Undoes string
	// Seen is what the edit was planned from. If the index or the files are not the same any
	// more when the edit's turn has come, Again is called with the snapshot of that moment,
	// which no other edit changes; its error ends the edit with nothing changed.
	Seen  Seen
	Again func(*Snapshot) error
	// Record makes what the journal keeps as the result of the edit, by its id.
	Record func(id string) []byte
}

// Committed is an edit that has been made.
type Committed struct {
	ID         string
	Generation graph.Gen // of the index that has the edit
	Fresh      bool
	Notes      []string
}

// Commit makes an edit, all of it or nothing, and returns when every tool sees it. The error
// is a *StaleError where something else stands at a path than the edit was planned for.
func (w *Workspace) Commit(ctx context.Context, e Edit) (*Committed, error) {
	id, err := w.commitLocked(ctx, &e)
	if err != nil {
		return nil, err
	}
	c := &Committed{ID: id}
	// The edit is on disk; that its caller leaves now does not undo it.
	err = w.View(context.WithoutCancel(ctx), func(s *Snapshot) error {
		c.Generation, c.Fresh, c.Notes = s.Generation(), s.Fresh(), s.Notes()
		return nil
	})
	if err != nil {
		c.Notes = append(c.Notes, "the edit is made, but the index could not be brought up to it: "+err.Error())
	}
	return c, nil
}

func (w *Workspace) commitLocked(ctx context.Context, e *Edit) (id string, err error) {
	j, err := w.openJournal(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	c := &commit{w: w, j: j, record: &record{
		ID: newEditID(), Tool: e.Tool, CallID: e.CallID, InputHash: e.InputHash, Undoes: e.Undoes, Time: time.Now().UTC(),
	}}
	if err := c.prepare(ctx, e.Changes); err != nil {
		return "", err
	}
	if err := w.planAgain(ctx, e); err != nil {
		return "", err
	}
	if e.Record != nil {
		c.record.Result = e.Record(c.record.ID)
	}
	if err := j.begin(c.record); err != nil {
		return "", err
	}
	if err := c.apply(ctx, e.Changes); err != nil {
		err = errors.Join(err, c.takeBack())
		return "", errors.Join(err, j.abandon(c.record))
	}
	if err := j.done(c.record); err != nil {
		return "", errors.Join(err, c.takeBack(), j.abandon(c.record))
	}
	c.finish()
	return c.record.ID, nil
}

// Seen names the state of the index and of the files that a snapshot stands for.
type Seen struct {
	version version
	fresh   bool
}

// SeenIn is what a snapshot stands for.
func SeenIn(s *Snapshot) Seen { return Seen{s.version, s.fresh} }

// planAgain has an edit planned again if the workspace is not what it was planned from.
func (w *Workspace) planAgain(ctx context.Context, e *Edit) error {
	if e.Again == nil {
		return nil
	}
	return w.View(ctx, func(s *Snapshot) error {
		if s.fresh && s.version.gen > 0 && SeenIn(s) == e.Seen {
			return nil
		}
		return e.Again(s)
	})
}

func newEditID() string {
	return time.Now().UTC().Format("20060102t150405") + "-" + lowerRandom(6)
}

// lowerRandom is n random lower-case letters and digits.
func lowerRandom(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	b := make([]byte, n)
	_, _ = rand.Read(b)
	for i := range b {
		b[i] = letters[b[i]%32]
	}
	return string(b)
}

// commit is one edit on its way to the disk.
type commit struct {
	w      *Workspace
	j      *journal
	record *record
}

// prepare compares what is there with what the edit was planned for, and keeps the bytes
// that it takes away or puts in place.
func (c *commit) prepare(ctx context.Context, changes []Change) error {
	for i := range changes {
		ch := &changes[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		s := step{Op: ch.Op, Path: ch.Path, To: ch.To, Base: recorded(ch.Base), Over: recorded(ch.Over), Temp: tempPrefix + lowerRandom(12)}
		if s.Base.Type == "" {
			s.Base.Type = Absent
		}
		if s.Over.Type == "" {
			s.Over.Type = Absent
		}
		if ch.Op == OpWrite || ch.Op == OpLink {
			s.After = c.j.sum(ch.Data)
			if err := c.j.keep(ch.Data); err != nil {
				return err
			}
		}
		if s.late = c.touched(ch.Path); !s.late {
			if err := c.check(ch, &s); err != nil {
				return err
			}
		}
		c.record.Steps = append(c.record.Steps, s)
	}
	return nil
}

// touched reports whether an earlier step changes what is at p or in it, so that its state
// is known only then.
func (c *commit) touched(p string) bool {
	for i := range c.record.Steps {
		s := &c.record.Steps[i]
		for _, q := range s.paths() {
			if below(p, q) || below(q, p) {
				return true
			}
		}
	}
	return false
}

// check compares one place, and keeps what stands there.
func (c *commit) check(ch *Change, s *step) error {
	p := &Place{Path: ch.Path}
	if err := c.w.fillPlace(p); err != nil {
		return err
	}
	if !p.State.Is(ch.base()) {
		return &StaleError{Path: ch.Path, Want: ch.base(), Now: p.State}
	}
	if ch.Op == OpWrite && p.State.Type == Regular {
		if err := writable(p); err != nil {
			return err
		}
	}
	if ch.Op != OpMove {
		return c.keepPlace(p, s)
	}
	to := &Place{Path: ch.To}
	if err := c.w.fillPlace(to); err != nil {
		return err
	}
	if !to.State.Is(ch.over()) && !sameByCase(p, to) {
		return &StaleError{Path: ch.To, Want: ch.over(), Now: to.State}
	}
	return c.keepPlace(to, s)
}

// sameByCase reports whether two places are one in a file system that folds case.
func sameByCase(a, b *Place) bool {
	return a.ID != nil && b.ID != nil && a.Path != b.Path && equalFold(a.Path, b.Path) && os.SameFile(a.ID, b.ID)
}

// keepPlace puts the bytes at a place, and below it, into the journal.
func (c *commit) keepPlace(p *Place, s *step) error {
	switch p.State.Type {
	case Regular:
		return c.j.keep(p.Data)
	case Folder:
		return c.keepTree(p, s)
	case Link:
		s.Target = p.Target
	}
	return nil
}

// keepTree keeps a folder's content, as long as the journal takes it.
func (c *commit) keepTree(p *Place, s *step) error {
	dir, name, err := c.w.parent(p.Path, nil)
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	left := int64(maxKeep)
	err = walkTree(dir, name, "", func(d *os.Root, base, rel string, info os.FileInfo) error {
		k := kept{Path: rel, Mode: info.Mode()}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			if k.Target, err = d.Readlink(base); err != nil {
				return err
			}
		case info.Mode().IsRegular():
			if left -= info.Size(); left < 0 {
				return errTooMuch
			}
			data, err := readSame(d, base, info)
			if err != nil {
				return err
			}
			k.Sum = c.j.sum(data)
			if err := c.j.keep(data); err != nil {
				return err
			}
		}
		s.Kept = append(s.Kept, k)
		return nil
	})
	if errors.Is(err, errTooMuch) {
		s.Kept, c.record.NoUndo = nil, fmt.Sprintf("%s holds more than the journal keeps", p.Path)
		return nil
	}
	if err != nil {
		return confined(p.Path, err)
	}
	return nil
}

var errTooMuch = errors.New("too much to keep")

func (c *Change) base() State { return orAbsent(c.Base) }
func (c *Change) over() State { return orAbsent(c.Over) }

func orAbsent(s State) State {
	if s.Type == "" {
		s.Type = Absent
	}
	return s
}

// writable refuses files that are read-only, also for those whom the system would let.
func writable(p *Place) error {
	if !p.Writable {
		return fmt.Errorf("%s is read-only: %w", p.Path, ErrReadOnly)
	}
	return nil
}
