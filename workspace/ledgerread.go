package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Evidence is the entry that an id, or its number alone, names. The error is ErrNoEvidence
// where there is none, or one that says that the entry is not what the id was given for.
func (w *Workspace) Evidence(ctx context.Context, id string) (*Entry, error) {
	seq, hash, ok := parseEntryID(id)
	if !ok {
		return nil, fmt.Errorf("%q: %w", id, ErrNoEvidence)
	}
	b, err := w.ledger().open(ctx)
	if err != nil {
		return nil, err
	}
	defer b.close()
	for _, s := range slices.Backward(b.segments) {
		if s.first > seq {
			continue
		}
		data, err := s.read()
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if !bytes.HasPrefix(line[min(len(line), hashSize+1):], fmt.Appendf(nil, `{"seq":%d,`, seq)) {
				continue
			}
			e, now, ok := parseEntry(line)
			if !ok || !strings.HasPrefix(now, hash) {
				return nil, fmt.Errorf("entry %d of the ledger was changed after it was written: the id is %s", seq, id)
			}
			return e, nil
		}
		break
	}
	return nil, fmt.Errorf("%q: %w", id, ErrNoEvidence)
}

// EvidenceList is the newest entries that keep accepts, at most limit, the newest first; total
// counts all entries of the ledger. Damaged ones are left out; VerifyEvidence tells of them.
func (w *Workspace) EvidenceList(ctx context.Context, limit int, keep func(*Entry) bool) (list []*Entry, total int, err error) {
	b, err := w.ledger().open(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer b.close()
	if len(b.segments) > 0 && b.ok {
		total = int(b.head.seq - b.segments[0].first + 1)
	}
	for _, s := range slices.Backward(b.segments) {
		data, err := s.read()
		if err != nil {
			return nil, 0, err
		}
		lines := bytes.Split(data, []byte("\n"))
		for _, line := range slices.Backward(lines) {
			if len(list) == limit {
				return list, total, nil
			}
			if e, _, ok := parseEntry(line); ok && (keep == nil || keep(e)) {
				list = append(list, e)
			}
		}
	}
	return list, total, nil
}

// book is the ledger as it was at one moment: the files are open, and what is written later
// is not read.
type book struct {
	head     head
	ok       bool // the head is sound
	segments []*segment
}

// segment is one open segment.
type segment struct {
	first uint64
	size  int64
	f     *os.File
}

// read is the segment's bytes; a line that was cut off may be gone meanwhile.
func (s *segment) read() ([]byte, error) {
	data, err := io.ReadAll(io.NewSectionReader(s.f, 0, s.size))
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", bareState(err))
	}
	return data, nil
}

func (b *book) close() {
	for _, s := range b.segments {
		_ = s.f.Close() // it was only read
	}
}

// open opens all segments while nobody writes.
func (l *ledger) open(ctx context.Context) (b *book, err error) {
	f, err := l.lock(ctx, os.O_RDONLY)
	b = &book{}
	switch {
	case err == nil:
		defer func() { _ = f.Close() }()
		buf, err := os.ReadFile(filepath.Join(l.dir, headName))
		if err != nil {
			return nil, fmt.Errorf("read the ledger: %w", bareState(err))
		}
		b.head, b.ok = parseHead(buf)
	case !errors.Is(err, errNoFolder):
		return nil, fmt.Errorf("read the ledger: %w", bareState(err))
	}
	numbers, err := l.segments()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the ledger: %w", bareState(err))
	}
	for _, n := range numbers {
		f, err := os.Open(l.path(n))
		if err != nil {
			b.close()
			return nil, fmt.Errorf("read the ledger: %w", bareState(err))
		}
		s := &segment{first: n, f: f}
		b.segments = append(b.segments, s)
		if info, err := f.Stat(); err == nil {
			s.size = info.Size()
		}
	}
	return b, nil
}
