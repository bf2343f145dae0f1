package workspace

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"
)

// Audit is what became of the ledger, as VerifyEvidence finds it.
type Audit struct {
	Sound    bool   `json:"sound"`
	Entries  int    `json:"entries"`
	First    uint64 `json:"first"` // the number of the oldest entry that is kept
	Last     uint64 `json:"last"`
	Segments int    `json:"segments"`
	// Faults are what a writer of this program cannot have left, one sentence each.
	Faults []string `json:"faults"`
	// Notes are what crashes left and what was mended.
	Notes []string `json:"notes"`
}

// audit is one run of VerifyEvidence over the lines of the segments.
type audit struct {
	Audit
	next   uint64 // the number that is to come
	prev   string // the hash that is to come; empty if it cannot be known
	oldest uint64 // the oldest segment that the newest segment knew
	since  time.Time
	edits  map[string]bool
}

// VerifyEvidence reads the whole ledger and checks every hash, the chain, the numbers and the head.
func (w *Workspace) VerifyEvidence(ctx context.Context) (*Audit, error) {
	a, err := w.ledger().verify(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.missingEdits(w); err != nil {
		return nil, err
	}
	return &a.Audit, nil
}

func (l *ledger) verify(ctx context.Context) (*audit, error) {
	b, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	defer b.close()
	a := &audit{Audit: Audit{Segments: len(b.segments), Faults: []string{}, Notes: []string{}}, edits: map[string]bool{}}
	for i, s := range b.segments {
		data, err := s.read()
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i == 0 {
			a.First, a.next = s.first, s.first
			if s.first == 1 {
				a.prev = noHash
			}
		}
		end := int64(-1)
		switch {
		case b.ok && b.head.segment == s.first:
			end = b.head.end
		case b.ok && b.head.seq+1 == s.first:
			end = 0 // begun, and not in the head yet
		}
		a.segment(s, data, end)
	}
	a.ends(b)
	a.Sound = len(a.Faults) == 0
	return a, nil
}

func (a *audit) fault(format string, args ...any) {
	a.Faults = append(a.Faults, fmt.Sprintf(format, args...))
}

func (a *audit) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// segment checks the lines of a segment; end is its length as the head says, or -1.
func (a *audit) segment(s *segment, data []byte, end int64) {
	if s.first != a.next {
		a.gap(s.first)
	}
	at := int64(0)
	for line := range bytes.Lines(data) {
		start := at
		at += int64(len(line))
		body, whole := bytes.CutSuffix(line, []byte("\n"))
		if !whole && end >= 0 && start >= end {
			a.note("the last %d bytes are of an entry that was cut off; the next call takes them away", len(line))
			return
		}
		a.line(body, whole)
	}
}

// gap tells that what comes is not the entry that should.
func (a *audit) gap(seq uint64) {
	if seq > a.next {
		a.fault("%s missing", those(a.next, seq-1))
	} else {
		a.fault("entry %d stands where entry %d should", seq, a.next)
	}
	a.next, a.prev = seq, ""
}

// those names entries that are missing, with the verb.
func those(from, to uint64) string {
	if from == to {
		return fmt.Sprintf("entry %d is", from)
	}
	return fmt.Sprintf("entries %d to %d are", from, to)
}

// line checks one entry.
func (a *audit) line(body []byte, whole bool) {
	e, hash, ok := parseEntry(body)
	if !ok || !whole {
		a.fault("entry %d is damaged: its bytes are not those that were written", a.next)
		a.next, a.prev = a.next+1, hash
		return
	}
	if e.Seq != a.next {
		a.gap(e.Seq)
	}
	if a.prev != "" && e.Prev != a.prev {
		a.fault("entry %d does not follow on the one before it", e.Seq)
	}
	if e.Oldest > 0 {
		a.oldest = e.Oldest
	}
	if e.Repair != "" {
		a.note("before entry %d: %s", e.Seq, e.Repair)
	}
	if a.Entries++; a.since.IsZero() {
		a.since = e.Time
	}
	a.edits[e.EditID] = true
	a.Last, a.next, a.prev = e.Seq, e.Seq+1, hash
}

// ends checks the beginning and the end of the ledger against what it says of itself.
func (a *audit) ends(b *book) {
	if want := max(a.oldest, 1); len(b.segments) > 0 && a.First > want {
		a.fault("%s missing at the beginning", those(want, a.First-1))
	}
	switch {
	case !b.ok && len(b.segments) > 0:
		a.fault("the head is missing or damaged, so that entries that are missing at the end cannot be told")
	case !b.ok:
	case b.head.seq >= a.next:
		a.fault("%s missing at the end: taken away, or lost with the power", those(max(a.next, 1), b.head.seq))
	case b.head.seq == a.Last && a.prev != "" && b.head.hash != a.prev:
		a.fault("the head names another entry %d", a.Last)
	case b.head.seq < a.Last:
		a.note("%d entries at the end are not in the head yet; the next call puts them there", a.Last-b.head.seq)
	}
}

// missingEdits tells of edits in the journal that have no entry: the program was cut off
// between the two.
func (a *audit) missingEdits(w *Workspace) error {
	records, err := w.Edits()
	if err != nil {
		return err
	}
	for _, r := range slices.Backward(records) {
		if a.Entries > 0 && r.Time.After(a.since) && !a.edits[r.ID] {
			a.note("edit %s (%s, %s) has no entry: the program ended between the edit and its entry", r.ID, r.Tool, r.Time.Format(time.RFC3339))
		}
	}
	return nil
}
