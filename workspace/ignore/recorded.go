package ignore

import (
	"bytes"
	"crypto/sha1" // git's object ids, no proof of anything
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ErrSplitIndex says that a git index is spread over several files, whose records Recorded does not join.
var ErrSplitIndex = errors.New("the git index is split over several files")

// Record is what git's index says of a tracked regular file: what its bytes were when it was added, and its size
// and time when git last found them so.
type Record struct {
	// Path is relative to the root that was asked for.
	Path    string
	size    uint32
	mtime   int64 // nanoseconds since 1970
	id      []byte
	suspect bool // the time proves nothing, as the file may have changed after it was recorded
}

// Recorded lists the regular files below root that git tracks, sorted by path. It is nil where there is no git
// repository. Files that a sparse checkout left out, or that are to be merged, are not listed.
func Recorded(root string) ([]Record, error) {
	top, g, ok := repositoryOf(root)
	if !ok {
		return nil, nil
	}
	size := sha1.Size
	if readConfig(os.LookupEnv, g.gitDir, g.commonDir).sha256 {
		size = sha256.Size
	}
	name := filepath.Join(g.gitDir, "index")
	data, err := readIndexFile(name)
	if err != nil || data == nil {
		return []Record{}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	f, err := parseIndex(data, size)
	if err != nil {
		return nil, err
	}
	if f.base != "" {
		return nil, ErrSplitIndex
	}
	below := ""
	if rel, err := filepath.Rel(top, root); err == nil && rel != "." {
		below = filepath.ToSlash(rel) + "/"
	}
	out := []Record{}
	for _, r := range f.recs {
		rest, in := strings.CutPrefix(r.path, below)
		if in && r.mode&0o170000 == 0o100000 && !r.absent(size) {
			out = append(out, r.record(rest, size, info.ModTime().UnixNano()))
		}
	}
	return out, nil
}

// repositoryOf is the top of the work tree that root lies in, and where git keeps its files.
func repositoryOf(root string) (string, gitPlace, bool) {
	for dir := root; ; dir = path.Dir(dir) {
		if g := findGit(dir); g.gitDir != "" && (g.kind == ownRepo || g.kind == linkedWorkTree) {
			return dir, g, true
		}
		if dir == "/" || dir == "." {
			return "", gitPlace{}, false
		}
	}
}

// absent reports whether the record is of no file of the work tree: it is at a stage of a merge (bits 12 and 13 of
// the flags), or left out of the checkout (bit 14 of the further flags).
func (r *indexRec) absent(hash int) bool {
	flags := r.raw[40+hash:]
	return flags[0]&0x30 != 0 || flags[0]&0x40 != 0 && len(flags) >= 4 && flags[2]&0x40 != 0
}

func (r *indexRec) record(path string, hash int, written int64) Record {
	at := func(i int) int64 { return int64(binary.BigEndian.Uint32(r.raw[i:])) }
	out := Record{Path: path, size: uint32(at(36)), mtime: at(8)*1e9 + at(12), id: r.raw[40 : 40+hash]}
	out.suspect = out.mtime >= written
	return out
}

// Untouched reports whether the size and time of a file prove that its bytes are the recorded ones.
func (r *Record) Untouched(e *Entry) bool {
	return e.Type == File && uint32(e.Size) == r.size && e.MtimeNs == r.mtime && !r.suspect
}

// Holds reports whether the bytes are the recorded ones, as they are or, since git may keep text so, with lines
// that end in LF alone.
func (r *Record) Holds(data []byte) bool {
	if bytes.Equal(r.sum(data), r.id) {
		return true
	}
	return bytes.Contains(data, []byte("\r\n")) && bytes.Equal(r.sum(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))), r.id)
}

// sum is git's id for a file's bytes.
func (r *Record) sum(data []byte) []byte {
	var h hash.Hash = sha1.New()
	if len(r.id) == sha256.Size {
		h = sha256.New()
	}
	_, _ = fmt.Fprintf(h, "blob %d\x00", len(data)) // a hash takes all
	_, _ = h.Write(data)
	return h.Sum(nil)
}
