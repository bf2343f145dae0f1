package workspace

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The ledger of calls lies in the state folder:
//
//	evidence/head    the anchor of the ledger's end, and the file whose lock its writers take
//	evidence/N.log   a segment: the entries from number N on, in twelve digits
//
// An entry is one line: its HASH, a space, its JSON, a line feed. HASH is the SHA-256 of the
// JSON's bytes in hexadecimal; the JSON begins with the entry's number (seq, from 1) and the
// HASH of the entry before it (prev; 64 zeros for the first). So a flipped byte breaks one
// entry, and a line that was taken away, added or moved breaks the chain.
//
// The head is one line of one length, written over in place:
//
//	codegraph evidence 1 SEQ HASH SEGMENT END CHECK
//
// the number and hash of the last entry, its segment, the segment's length in bytes, and the
// first 16 digits of the SHA-256 of all before CHECK. It tells when lines are missing at the
// end. Whoever changes the whole chain and the head together is found by the ids that results
// carry, since an id holds the beginning of its entry's hash.
//
// An append takes the lock, writes its line at the end of the segment, then the head. After
// kill -9 between the two the next append finds the segment longer than the head says: whole
// entries that go on with the chain count, the rest of a line that was cut off is taken away,
// and the entry that follows says so (repair). If the segment is shorter than the head says,
// entries are missing; the chain goes on from the head, and the gap stays to be found. Entries
// of edits are synced to the disk, those of reads are not: a loss of power may cost the last
// of them, which then shows as such a gap.
//
// A segment of segmentBytes is followed by the next, and the newest segmentsKept stay. The
// first entry of a segment says which one was the oldest then (oldest), so that segments
// missing at the beginning are found too, and names the last hash of the segment before it.
const (
	evidenceName  = "evidence"
	headName      = "head"
	segmentSuffix = ".log"
	segmentBytes  = 1 << 20
	segmentsKept  = 16
)

// ledgerWait is how long to wait for the ledger's lock, which is held for a moment only.
const ledgerWait = 2 * time.Second

// The bounds of an entry.
const (
	mostPlaces = 64
	mostRanges = 8
	mostCallID = 256
)

// Entry is what the ledger keeps of a call. That a call is in it is a fact about the call, and
// no claim that its caller's goal is reached.
type Entry struct {
	Seq  uint64 `json:"seq"`
	Prev string `json:"prev"`
	// Oldest is, in the first entry of a segment, the number that the oldest segment begins with.
	Oldest uint64    `json:"oldest,omitempty"`
	Time   time.Time `json:"time"`
	Tool   string    `json:"tool"`
	CallID string    `json:"call_id,omitempty"`
	// InputHash is the SHA-256 of the arguments, with their defaults, as canonical JSON.
	InputHash string `json:"input_hash"`
	// Outcome is done, applied, dry_run, unchanged, replayed, cancelled, or the code of an error.
	Outcome    string      `json:"outcome"`
	Generation uint64      `json:"generation"` // of the index that the answer was computed from
	Read       []Consulted `json:"read,omitempty"`
	// ReadMore and ChangedMore count what did not fit into the lists.
	ReadMore    int       `json:"read_more,omitempty"`
	Changed     []Altered `json:"changed,omitempty"`
	ChangedMore int       `json:"changed_more,omitempty"`
	EditID      string    `json:"edit_id,omitempty"`
	Approval    *Assent   `json:"approval,omitempty"`
	Repair      string    `json:"repair,omitempty"` // what of the ledger was mended before this entry

	// ID and Hash are set in an entry that was read, and are not part of its line.
	ID   string `json:"id,omitempty"`
	Hash string `json:"hash,omitempty"`
}

// Consulted is a file that a call read. Lines are the ranges that the answer shows, as 3-9,20; empty
// where the file was read and nothing of it is shown. SHA256 is of the file's bytes as they were
// read; with Indexed, of those that the index was made from, whose size and time the file still
// had when single lines of it were searched.
type Consulted struct {
	Path    string `json:"path"`
	Lines   string `json:"lines,omitempty"`
	SHA256  string `json:"sha256,omitempty"`
	Indexed bool   `json:"indexed,omitempty"`
}

// Altered is a path that a call changed: the lines that are new there, and the SHA-256 before and after, or what stood
// there instead of a file.
type Altered struct {
	Path   string `json:"path"`
	Lines  string `json:"lines,omitempty"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Assent is who decided about an edit.
type Assent struct {
	State  string `json:"state"`
	Policy string `json:"policy,omitempty"`
	ID     string `json:"id,omitempty"`
	By     string `json:"by,omitempty"`
}

// Shown is lines of a file that an answer shows, both ends included.
type Shown struct {
	Path     string
	From, To int
}

// ErrNoEvidence: the ledger has no such entry.
var ErrNoEvidence = errors.New("there is no such entry in the ledger")

// AddEvidence puts an entry at the end of the ledger and returns its id. Number, chain and time are
// filled in, lists are cut to their bounds.
func (w *Workspace) AddEvidence(ctx context.Context, e Entry) (id string, err error) {
	e.ID, e.Hash, e.Time = "", "", time.Now().UTC()
	e.Read, e.ReadMore = bounded(e.Read, e.ReadMore)
	e.Changed, e.ChangedMore = bounded(e.Changed, e.ChangedMore)
	if len(e.CallID) > mostCallID {
		e.CallID = strings.ToValidUTF8(e.CallID[:mostCallID], "")
	}
	l := w.ledger()
	err = l.append(ctx, &e)
	if errors.Is(err, errNoFolder) {
		if err = w.state.make(w.root); err == nil {
			err = l.make()
		}
		if err == nil {
			err = l.append(ctx, &e)
		}
	}
	if err != nil {
		return "", fmt.Errorf("add to the ledger: %w", bareState(err))
	}
	return e.ID, nil
}

func bounded[T any](list []T, more int) ([]T, int) {
	if len(list) <= mostPlaces {
		return list, more
	}
	return list[:mostPlaces], more + len(list) - mostPlaces
}

func (w *Workspace) ledger() *ledger {
	return &ledger{dir: w.state.path(evidenceName), wait: min(w.state.wait, ledgerWait), bytes: segmentBytes, keep: segmentsKept}
}

// Reads are the files that s was asked for, those first of which an answer shows lines, at most as many
// as an entry takes; more counts the rest.
func Reads(s *Snapshot, shown []Shown) (out []Consulted, more int) {
	ranges := map[string][]Shown{}
	var order []string
	for _, p := range shown {
		if ranges[p.Path] == nil {
			order = append(order, p.Path)
		}
		ranges[p.Path] = append(ranges[p.Path], p)
	}
	var rest []string
	s.mu.Lock()
	defer s.mu.Unlock()
	for path := range s.sums {
		if ranges[path] == nil {
			rest = append(rest, path)
		}
	}
	slices.Sort(rest)
	for _, path := range append(order, rest...) {
		if len(out) == mostPlaces {
			more++
			continue
		}
		x := Consulted{Path: path, Lines: Ranges(ranges[path])}
		if sum, ok := s.sums[path]; ok {
			x.SHA256 = hex.EncodeToString(sum[:])
		} else if f := s.known(path); f != nil && s.fresh {
			x.SHA256, x.Indexed = hex.EncodeToString(f.Hash[:]), true
		}
		out = append(out, x)
	}
	return out, more
}

// Ranges writes line ranges in order, as 3-9,20: those that meet as one, and if there are too many,
// the last ones as the range from the first to the last of them. Their paths do not count.
func Ranges(list []Shown) string {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Shown) int { return a.From - b.From })
	var out []Shown
	for _, r := range list {
		r.To = max(r.From, r.To)
		switch n := len(out); {
		case r.From <= 0:
		case n > 0 && (r.From <= out[n-1].To+1 || n == mostRanges):
			out[n-1].To = max(out[n-1].To, r.To)
		default:
			out = append(out, r)
		}
	}
	var b strings.Builder
	for i, r := range out {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(r.From))
		if r.To > r.From {
			b.WriteString("-" + strconv.Itoa(r.To))
		}
	}
	return b.String()
}

// entryID names an entry by its number and the beginning of its hash.
func entryID(seq uint64, hash string) string {
	return "e" + strconv.FormatUint(seq, 10) + "-" + hash[:12]
}

// parseEntryID takes an id apart; the hash may be missing.
func parseEntryID(id string) (seq uint64, hash string, ok bool) {
	number, hash, _ := strings.Cut(strings.TrimPrefix(id, "e"), "-")
	seq, err := strconv.ParseUint(number, 10, 64)
	return seq, hash, err == nil && utf8.ValidString(id)
}
