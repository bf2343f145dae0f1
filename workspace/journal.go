package workspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The journal of edits lies in the state folder:
//
//	edit.lock          held while an edit is made
//	edits/ID.begun     the record of an edit under way, or cut off by a crash
//	edits/ID.json      the record of an edit that was made
//	edits/blobs/SUM    bytes before and after edits, by their SHA-256
//	edits/calls/SUM    the id of the edit that a call made, by call id and input hash
//	edits/last         the id of the edit that began last: the only one that can have left
//	                   temporary names when it was killed
//
// The newest maxEdits records stay, with the bytes that they name; an edit's bytes are kept
// if they are at most maxKeep, else it cannot be undone and its record says so.
const (
	editsName    = "edits"
	editLockName = "edit.lock"
	begunSuffix  = ".begun"
	doneSuffix   = ".json"
	lastName     = "last"
	maxEdits     = 500
	maxKeep      = 64 << 20
)

// Record is what the journal keeps of an edit.
type Record struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	CallID    string          `json:"call_id,omitempty"`
	InputHash string          `json:"input_hash,omitempty"`
	Time      time.Time       `json:"time"`
	Undoes    string          `json:"undoes,omitempty"`
	NoUndo    string          `json:"no_undo,omitempty"` // why it cannot be undone
	Steps     []Step          `json:"steps"`
	Result    json.RawMessage `json:"result,omitempty"`
}

// Step is one change of a recorded edit.
type Step struct {
	Op     Op       `json:"op"`
	Path   string   `json:"path"`
	To     string   `json:"to,omitempty"`
	Base   Was      `json:"base"`             // what stood at Path before
	Over   Was      `json:"over"`             // what stood at To before
	After  string   `json:"after,omitempty"`  // the sum of the bytes written
	Target string   `json:"target,omitempty"` // of a link that was taken away
	Kept   []Kept   `json:"kept,omitempty"`   // the content of a folder that was taken away
	Temp   string   `json:"temp"`             // the temporary name beside Path
	Made   []string `json:"made,omitempty"`   // folders that were made for it

	begun bool
	late  bool // an earlier step changes what is there, so that its bytes are kept as they are replaced
}

// Was is a State as the journal has it.
type Was struct {
	Type Type        `json:"type"`
	Sum  string      `json:"sum,omitempty"`
	Mode fs.FileMode `json:"mode,omitempty"`
}

// Kept is a part of a folder's content, below the folder.
type Kept struct {
	Path   string      `json:"path"`
	Mode   fs.FileMode `json:"mode"`
	Sum    string      `json:"sum,omitempty"`
	Target string      `json:"target,omitempty"`
}

type (
	record = Record
	step   = Step
	kept   = Kept
)

func recorded(s State) Was {
	w := Was{Type: s.Type, Mode: s.Mode}
	if s.Type != Absent && s.Type != "" {
		w.Sum = hex.EncodeToString(s.Hash[:])
	}
	return w
}

func (w Was) state() State {
	s := State{Type: w.Type, Mode: w.Mode}
	if b, err := hex.DecodeString(w.Sum); err == nil {
		copy(s.Hash[:], b)
	}
	return s
}

// State is the state that was recorded.
func (w Was) State() State { return w.state() }

// paths are the places that a step touches.
func (s *Step) paths() []string {
	if s.To != "" {
		return []string{s.Path, s.To}
	}
	return []string{s.Path}
}

// journal is the journal while its lock is held.
type journal struct {
	w    *Workspace
	dir  string
	lock *os.File
}

// openJournal takes the lock of edits, and first of all takes back what a crash left half done.
func (w *Workspace) openJournal(ctx context.Context) (*journal, error) {
	if err := w.state.make(w.root); err != nil {
		return nil, &stateError{err}
	}
	j := &journal{w: w, dir: w.state.path(editsName)}
	for _, d := range []string{"blobs", "calls"} {
		if err := os.MkdirAll(filepath.Join(j.dir, d), 0o700); err != nil {
			return nil, &stateError{fmt.Errorf("make journal: %w", err)}
		}
	}
	select {
	case w.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	lock, err := w.state.lockNamed(ctx, editLockName, w.state.wait)
	if err != nil {
		<-w.turn
		if errors.Is(err, errBusy) {
			return nil, ErrEditing
		}
		return nil, &stateError{err}
	}
	j.lock = lock
	if err := j.recover(); err != nil {
		return nil, errors.Join(err, j.close())
	}
	return j, nil
}

// ErrEditing: another process is making edits and did not end in time.
var ErrEditing = errors.New("another process is making an edit")

// close gives the lock back, first to the edit of this process that has waited longest.
func (j *journal) close() error {
	defer func() { <-j.w.turn }()
	return j.lock.Close()
}

func (j *journal) path(id, suffix string) string { return filepath.Join(j.dir, id+suffix) }

// sum is how the journal names bytes.
func (j *journal) sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// keep keeps bytes. They serve undo alone, which checks them; so they need not be durable
// before the edit is made.
func (j *journal) keep(data []byte) error {
	name := filepath.Join(editsName, "blobs", j.sum(data))
	if info, err := os.Stat(j.w.state.path(name)); err == nil && info.Size() == int64(len(data)) {
		return nil
	}
	if err := j.w.state.write(name, data); err != nil {
		return fmt.Errorf("keep bytes for undo: %w", bareState(err))
	}
	return nil
}

// bareState is an error of the state folder without its path.
func bareState(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("write to the state folder: %w; free space there or set %s to another folder", pe.Err, HomeVariable)
	}
	return err
}

// begin writes the record of an edit that is about to be made.
func (j *journal) begin(r *record) error {
	data, err := json.Marshal(r)
	if err == nil {
		err = j.w.state.write(filepath.Join(editsName, lastName), []byte(r.ID))
	}
	if err == nil {
		err = j.durable(r.ID+begunSuffix, data)
	}
	if err != nil {
		return fmt.Errorf("begin edit: %w", bareState(err))
	}
	return nil
}

// durable writes a file that is there after a crash.
func (j *journal) durable(name string, data []byte) error {
	if err := j.w.state.write(filepath.Join(editsName, name), data); err != nil {
		return err
	}
	return errors.Join(syncPath(filepath.Join(j.dir, name)), syncPath(j.dir))
}

func syncPath(p string) error {
	f, err := os.Open(p)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// done makes an edit count. What leads from its call to it is there before, so that no crash
// comes between: until the edit counts it leads to nothing.
func (j *journal) done(r *record) error {
	if r.CallID != "" {
		if err := j.durable(filepath.Join("calls", callName(r.CallID, r.InputHash)), []byte(r.ID)); err != nil {
			return fmt.Errorf("end edit: %w", bareState(err))
		}
	}
	err := os.Rename(j.path(r.ID, begunSuffix), j.path(r.ID, doneSuffix))
	if err == nil {
		err = syncPath(j.dir)
	}
	if err != nil {
		return fmt.Errorf("end edit: %w", bareState(err))
	}
	j.prune()
	return nil
}

// callName names the file that leads from a call to its edit.
func callName(callID, inputHash string) string {
	h := sha256.Sum256([]byte(callID + "\x00" + inputHash))
	return hex.EncodeToString(h[:])
}

// abandon forgets an edit that was not made.
func (j *journal) abandon(r *record) error {
	if err := os.Remove(j.path(r.ID, begunSuffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take back edit: %w", bareState(err))
	}
	return nil
}

// prune keeps the journal within its bounds.
func (j *journal) prune() {
	ids := j.ids()
	if len(ids) <= maxEdits+maxEdits/10 {
		return
	}
	for _, id := range ids[:len(ids)-maxEdits] {
		_ = os.Remove(j.path(id, doneSuffix))
	}
	used, kept := map[string]bool{}, map[string]bool{}
	for _, id := range ids[len(ids)-maxEdits:] {
		kept[id] = true
		r, err := j.w.readRecord(id + doneSuffix)
		if err != nil {
			return
		}
		for i := range r.Steps {
			s := &r.Steps[i]
			used[s.Base.Sum], used[s.Over.Sum], used[s.After] = true, true, true
			for _, k := range s.Kept {
				used[k.Sum] = true
			}
		}
	}
	blobs, _ := os.ReadDir(filepath.Join(j.dir, "blobs"))
	for _, b := range blobs {
		if !used[b.Name()] {
			_ = os.Remove(filepath.Join(j.dir, "blobs", b.Name()))
		}
	}
	calls, _ := os.ReadDir(filepath.Join(j.dir, "calls"))
	for _, c := range calls {
		name := filepath.Join(j.dir, "calls", c.Name())
		if id, err := os.ReadFile(name); err == nil && !kept[string(id)] {
			_ = os.Remove(name)
		}
	}
}

// ids are the edits that were made, the oldest first.
func (j *journal) ids() []string { return j.w.editIDs(doneSuffix) }

func (w *Workspace) editIDs(suffix string) []string {
	entries, _ := os.ReadDir(w.state.path(editsName))
	var out []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), suffix); ok {
			out = append(out, id)
		}
	}
	return out
}

func (w *Workspace) readRecord(name string) (*Record, error) {
	data, err := os.ReadFile(filepath.Join(w.state.path(editsName), filepath.Base(name)))
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("read record of an edit: %w", err)
	}
	return r, nil
}

// Edits are the records of the edits that the journal has, the newest first.
func (w *Workspace) Edits() ([]*Record, error) {
	var out []*Record
	for _, id := range w.editIDs(doneSuffix) {
		r, err := w.readRecord(id + doneSuffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *Record) int { return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.ID, a.ID)) })
	return out, nil
}

// EditOf is the record of the edit that a call made; nil if it made none.
func (w *Workspace) EditOf(callID, inputHash string) *Record {
	if callID == "" {
		return nil
	}
	return w.recordNamed(filepath.Join("calls", callName(callID, inputHash)))
}

// recordNamed is the record of the edit whose id a file of the journal holds; nil if it was
// not made.
func (w *Workspace) recordNamed(file string) *Record {
	id, err := os.ReadFile(filepath.Join(w.state.path(editsName), file))
	if err != nil {
		return nil
	}
	r, err := w.readRecord(string(id) + doneSuffix)
	if err != nil {
		return nil
	}
	return r
}

// keptBytes are the bytes of a sum that the journal kept.
func (w *Workspace) keptBytes(sum string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(w.state.path(editsName), "blobs", filepath.Base(sum)))
	if err != nil {
		return nil, fmt.Errorf("the journal does not have %.12s any more", sum)
	}
	if h := sha256.Sum256(data); hex.EncodeToString(h[:]) != sum {
		return nil, fmt.Errorf("what the journal has of %.12s is damaged", sum)
	}
	return data, nil
}

// RecordOf is the record of an edit; nil if the journal has none of that id.
func RecordOf(s *Snapshot, id string) (*Record, error) {
	r, err := s.w.readRecord(id + doneSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return r, err
}

// KeptBytes are bytes that the journal kept, by their SHA-256 in hexadecimal.
func KeptBytes(s *Snapshot, sum string) ([]byte, error) { return s.w.keptBytes(sum) }
