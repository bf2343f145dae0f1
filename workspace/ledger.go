package workspace

import (
	"bytes"
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
	"strconv"
	"strings"
	"time"
)

// ledger is the files of the ledger of calls; their format stands in evidence.go.
type ledger struct {
	dir   string
	wait  time.Duration // for the lock
	bytes int64         // how large a segment becomes
	keep  int           // how many segments stay
}

// head is what the head file says: the last entry, and where it ends.
type head struct {
	seq     uint64
	hash    string
	segment uint64
	end     int64
}

// errNoFolder: the ledger's folder is not there yet.
var errNoFolder = errors.New("there is no ledger yet")

const (
	headMagic = "codegraph evidence 1 "
	hashSize  = 2 * sha256.Size
	checkSize = 16
)

var noHash = strings.Repeat("0", hashSize)

func sumText(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func (h head) encode() []byte {
	b := fmt.Appendf(nil, "%s%020d %s %012d %012d ", headMagic, h.seq, h.hash, h.segment, h.end)
	return append(append(b, sumText(b)[:checkSize]...), '\n')
}

// parseHead reads a head; ok is false if it is damaged.
func parseHead(b []byte) (h head, ok bool) {
	text, ok := strings.CutPrefix(string(b), headMagic)
	f := strings.Fields(text)
	if !ok || len(f) != 5 || len(f[1]) != hashSize {
		return head{}, false
	}
	seq, err1 := strconv.ParseUint(f[0], 10, 64)
	segment, err2 := strconv.ParseUint(f[2], 10, 64)
	end, err3 := strconv.ParseInt(f[3], 10, 64)
	h = head{seq: seq, hash: f[1], segment: segment, end: end}
	return h, errors.Join(err1, err2, err3) == nil && bytes.Equal(h.encode(), b)
}

func (l *ledger) make() error { return os.MkdirAll(l.dir, 0o700) }

func (l *ledger) path(segment uint64) string {
	return filepath.Join(l.dir, fmt.Sprintf("%012d%s", segment, segmentSuffix))
}

// segments are the numbers that the segments begin with, in order.
func (l *ledger) segments() ([]uint64, error) {
	names, err := os.ReadDir(l.dir)
	if err != nil {
		return nil, err
	}
	var out []uint64
	for _, n := range names {
		number, ok := strings.CutSuffix(n.Name(), segmentSuffix)
		if seq, err := strconv.ParseUint(number, 10, 64); ok && err == nil {
			out = append(out, seq)
		}
	}
	slices.Sort(out)
	return out, nil
}

// lock opens the head and takes its lock, which is held for a moment only, so that it is
// tried again soon. To close the file gives it back.
func (l *ledger) lock(ctx context.Context, flags int) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(l.dir, headName), flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoFolder
	}
	if err != nil {
		return nil, err
	}
	pause, end := 50*time.Microsecond, time.Now().Add(l.wait)
	for {
		ok, err := tryLock(f)
		if ok {
			return f, nil
		}
		if err == nil && time.Now().After(end) {
			err = errors.New("another process holds its lock")
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			_ = f.Close()
			return nil, err
		}
		time.Sleep(pause)
		pause = min(2*pause, 5*time.Millisecond)
	}
}

// append adds an entry and sets its number, chain, hash and id.
func (l *ledger) append(ctx context.Context, e *Entry) (err error) {
	f, err := l.lock(context.WithoutCancel(ctx), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h, repair, err := l.load(f)
	if err != nil {
		return err
	}
	seg, more, err := l.settle(&h)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, seg.Close()) }()
	repair += more
	var gone []uint64
	if h.end >= l.bytes {
		if gone, more, err = l.rotate(&h, &seg); err != nil {
			return err
		}
		repair += more
	}
	if e.Oldest = 0; h.end == 0 {
		if e.Oldest, err = l.oldest(h, gone); err != nil {
			return err
		}
	}
	e.Seq, e.Prev, e.Repair = h.seq+1, h.hash, strings.TrimSpace(repair)
	if err := l.write(f, seg, &h, e); err != nil {
		return err
	}
	for _, n := range gone {
		_ = os.Remove(l.path(n)) // the next rotation takes away what is left
	}
	return nil
}

// write writes an entry and then the head.
func (l *ledger) write(f, seg *os.File, h *head, e *Entry) error {
	e.ID, e.Hash = "", ""
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	hash := sumText(data)
	line := append(append(append(make([]byte, 0, hashSize+len(data)+2), hash...), ' '), data...)
	if _, err := seg.Write(append(line, '\n')); err != nil {
		return errors.Join(err, seg.Truncate(h.end))
	}
	if len(e.Changed) > 0 {
		if err := seg.Sync(); err != nil {
			return err
		}
	}
	h.seq, h.hash, h.end = e.Seq, hash, h.end+int64(len(line)+1)
	if _, err := f.WriteAt(h.encode(), 0); err != nil {
		return err
	}
	e.ID, e.Hash = entryID(e.Seq, hash), hash
	return nil
}

// load reads the head. One that is missing or damaged is made again from the segments.
func (l *ledger) load(f *os.File) (h head, repair string, err error) {
	buf := make([]byte, 4096)
	n, _ := f.ReadAt(buf, 0) // too short is damaged
	if h, ok := parseHead(buf[:n]); ok {
		return h, "", nil
	}
	if err := f.Truncate(0); err != nil {
		return h, "", err
	}
	segments, err := l.segments()
	if err != nil {
		return h, "", err
	}
	for _, s := range slices.Backward(segments) {
		data, err := os.ReadFile(l.path(s))
		if err != nil {
			return h, "", err
		}
		if h, ok := lastEntry(s, data); ok {
			return h, "the head was missing or damaged and was made again. ", nil
		}
	}
	if len(segments) > 0 || n > 0 {
		repair = "the head was missing or damaged and there was no entry to make it from. "
	}
	return head{hash: noHash, segment: 1}, repair, nil
}

// lastEntry is the head after the last sound entry of a segment.
func lastEntry(segment uint64, data []byte) (h head, ok bool) {
	at := int64(0)
	for line := range bytes.Lines(data) {
		at += int64(len(line))
		body, whole := bytes.CutSuffix(line, []byte("\n"))
		if e, hash, sound := parseEntry(body); whole && sound {
			h, ok = head{seq: e.Seq, hash: hash, segment: segment, end: at}, true
		}
	}
	return h, ok
}

// parseEntry reads a line without its end; ok is false if it is damaged.
func parseEntry(line []byte) (e *Entry, hash string, ok bool) {
	if len(line) < hashSize+2 || line[hashSize] != ' ' {
		return nil, "", false
	}
	hash, data := string(line[:hashSize]), line[hashSize+1:]
	e = &Entry{}
	if sumText(data) != hash || json.Unmarshal(data, e) != nil || e.Seq == 0 {
		return nil, hash, false
	}
	e.Hash, e.ID = hash, entryID(e.Seq, hash)
	return e, hash, true
}

// follow goes on over the whole entries at the beginning of data that continue the chain.
func (h *head) follow(data []byte) {
	for {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		e, hash, ok := parseEntry(line)
		if !whole || !ok || e.Seq != h.seq+1 || e.Prev != h.hash {
			return
		}
		h.seq, h.hash, h.end = e.Seq, hash, h.end+int64(len(line)+1)
		data = rest
	}
}

// settle opens the head's segment for appending, and brings head and segment to one end.
func (l *ledger) settle(h *head) (seg *os.File, repair string, err error) {
	seg, err = os.OpenFile(l.path(h.segment), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, "", err
	}
	info, err := seg.Stat()
	if err == nil && info.Size() != h.end {
		repair, err = h.meet(seg, info.Size())
	}
	if err != nil {
		return nil, "", errors.Join(err, seg.Close())
	}
	return seg, repair, nil
}

// meet is what settle does for a segment whose length is not what the head says.
func (h *head) meet(seg *os.File, size int64) (repair string, err error) {
	from := min(size, h.end)
	if from > 0 {
		from-- // the end of the line before
	}
	tail := make([]byte, size-from)
	if _, err := seg.ReadAt(tail, from); err != nil {
		return "", err
	}
	if size > h.end {
		h.follow(tail[h.end-from:])
		tail = tail[h.end-from:]
	}
	torn := len(tail) - 1 - bytes.LastIndexByte(tail, '\n')
	switch {
	case torn <= 0 || len(tail) == 0:
	case size > h.end:
		size -= int64(torn)
		repair = fmt.Sprintf("%d bytes of an entry that a crash cut off were taken away. ", torn)
		err = seg.Truncate(size)
	default: // entries are missing, and what is left of them is evidence
		size++
		_, err = seg.Write([]byte("\n"))
	}
	h.end = size
	return repair, err
}

// rotate begins the next segment. gone are those to take away once it has an entry.
func (l *ledger) rotate(h *head, seg **os.File) (gone []uint64, repair string, err error) {
	segments, err := l.segments()
	if err != nil {
		return nil, "", err
	}
	if n := len(segments) + 1 - l.keep; n > 0 {
		gone = segments[:n]
	}
	if err := (*seg).Close(); err != nil {
		return nil, "", err
	}
	h.segment, h.end = h.seq+1, 0
	*seg, repair, err = l.settle(h)
	return gone, repair, err
}

// oldest is the first segment that stays.
func (l *ledger) oldest(h head, gone []uint64) (uint64, error) {
	segments, err := l.segments()
	for _, s := range segments {
		if !slices.Contains(gone, s) {
			return s, err
		}
	}
	return h.segment, err
}
