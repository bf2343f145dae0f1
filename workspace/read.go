package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/index"
	"github.com/codegraph-dev/codegraph/search"
)

// The errors of reading a file of the workspace.
var (
	// ErrOutside: the path, or what it links to, lies outside the root.
	ErrOutside = errors.New("path leads outside the workspace")
	// ErrNotRegular: the path is a folder, a pipe or a device. It is search.ErrNotRegular.
	ErrNotRegular = search.ErrNotRegular
)

// keepBytes is how much of what was read a snapshot keeps for the next question.
const keepBytes = 64 << 20

// File is a file as it is on disk.
type File struct {
	Path string
	Data []byte // must not be changed
	Meta search.FileMeta
	Mode fs.FileMode
	// Known is the file as the snapshot's graph has it; nil if it is none of Files.
	Known *graph.File
}

// Read returns a file as it is now. The path is relative to the root with slashes, and
// neither it nor any link on the way may lead outside. What was read once is the same for the
// rest of the snapshot. Should the bytes not be those that the graph was made from, View
// runs its function again on a newer snapshot.
func (s *Snapshot) Read(ctx context.Context, path string) (*File, error) {
	s.mu.Lock()
	f := s.read[path]
	s.mu.Unlock()
	if f != nil {
		return f, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := s.w.readFile(ctx, path, nil, maxRead)
	if err != nil {
		return nil, err
	}
	if f.Meta.SHA256, err = sum(ctx, f.Data); err != nil {
		return nil, err
	}
	f.Known = s.known(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Known != nil && f.Known.Hash != f.Meta.SHA256 && f.Known.Skip != skipPending {
		s.moved = append(s.moved, path)
	}
	if kept := s.read[path]; kept != nil {
		return kept, nil
	}
	s.noteSum(path, f.Meta.SHA256)
	if s.bytes += int64(len(f.Data)); s.bytes <= keepBytes {
		s.read[path] = f
	}
	return f, nil
}

// noteSum notes the bytes that were read of a file, for the ledger. The first ones count, and mu is held.
func (s *Snapshot) noteSum(path string, sum [32]byte) {
	if s.sums == nil {
		s.sums = map[string][32]byte{}
	}
	if _, ok := s.sums[path]; !ok {
		s.sums[path] = sum
	}
}

// Open implements search.Source: bytes as they are now, not kept, and not hashed.
func (s *Snapshot) Open(ctx context.Context, path string, buf []byte) ([]byte, search.FileMeta, error) {
	if err := ctx.Err(); err != nil {
		return nil, search.FileMeta{}, err
	}
	f, err := s.w.readFile(ctx, path, buf, maxRead)
	if err != nil {
		return nil, search.FileMeta{}, err
	}
	return f.Data, f.Meta, nil
}

// known is the file of the project at path.
func (s *Snapshot) known(path string) *graph.File {
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].Path >= path })
	if i < len(s.files) && s.files[i].Path == path {
		return &s.files[i]
	}
	return nil
}

// maxRead is the largest file that is read into memory.
const maxRead = 1 << 30

// readFile reads a regular file of at most limit bytes below the root into buf, or what
// takes its place.
func (w *Workspace) readFile(ctx context.Context, path string, buf []byte, limit int64) (*File, error) {
	f, info, err := w.openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info.Size() > limit {
		return nil, fmt.Errorf("read %s: %w", path, search.ErrTooLarge)
	}
	data, err := readAll(ctx, f, info.Size(), buf)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, bare(err))
	}
	return &File{Path: path, Data: data, Mode: info.Mode(), Meta: search.FileMeta{Size: int64(len(data)), ModTime: info.ModTime()}}, nil
}

// openFile opens a regular file below the root.
func (w *Workspace) openFile(path string) (*os.File, fs.FileInfo, error) {
	f, err := w.dir.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, outside(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, fmt.Errorf("read %s: %w", path, bare(err))
	}
	return f, info, nil
}

// stride is how many bytes are read or hashed between two looks whether anybody still waits.
const stride = 4 << 20

// sum is the SHA-256 of data; the error is that of ctx.
func sum(ctx context.Context, data []byte) (out [sha256.Size]byte, err error) {
	if len(data) <= stride {
		return sha256.Sum256(data), nil
	}
	h := sha256.New()
	for ; len(data) > 0; data = data[min(len(data), stride):] {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		_, _ = h.Write(data[:min(len(data), stride)]) // a hash takes all
	}
	h.Sum(out[:0])
	return out, nil
}

// readAll reads a file that was size bytes long a moment ago.
func readAll(ctx context.Context, f *os.File, size int64, buf []byte) ([]byte, error) {
	buf = buf[:0]
	if int64(cap(buf)) < size+1 {
		buf = make([]byte, 0, size+1)
	}
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := f.Read(buf[len(buf):min(cap(buf), len(buf)+stride)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// outside gives the errors of confinement a name.
func outside(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && strings.Contains(pe.Err.Error(), "escapes") || strings.HasPrefix(path, "/") {
		return fmt.Errorf("read %s: %w", path, ErrOutside)
	}
	return fmt.Errorf("read %s: %w", path, bare(err))
}

// bare is err without the path that the system's error repeats.
func bare(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// source reads files for the engine; those larger than limit are only hashed.
func (w *Workspace) source(limit int64) func(context.Context, string, []byte) ([]byte, error) {
	return func(ctx context.Context, path string, buf []byte) ([]byte, error) {
		f, err := w.readFile(ctx, path, buf, limit)
		if errors.Is(err, search.ErrTooLarge) {
			return nil, w.hashFile(ctx, path)
		}
		if err != nil {
			return nil, err
		}
		return f.Data, nil
	}
}

// hashFile returns an *index.Large, or the error that it met.
func (w *Workspace) hashFile(ctx context.Context, path string) error {
	f, _, err := w.openFile(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	large := &index.Large{}
	for buf := make([]byte, 1<<20); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Read(buf)
		h.Write(buf[:n])
		large.Size += int64(n)
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", path, bare(err))
		}
	}
	h.Sum(large.Hash[:0])
	return large
}
