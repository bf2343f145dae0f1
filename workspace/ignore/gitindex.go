package ignore

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Git's index begins with "DIRC", a version and a count, and then holds one record a tracked path, sorted by
// path: 40 bytes of stat data (the mode at 24), the object id, 16 bits of flags, 16 more if 0x4000 is set
// (version 3), and the path. In versions 2 and 3 NULs pad a record to a multiple of eight, at least one; in
// version 4 a path is written as how much of the one before to drop and what to append. Extensions follow, and a
// checksum. Of these only "link" matters: the records of another file, the shared index, count as well, without
// those whose numbers stand in its first bitmap; records here without a path replace one over there.

// tracked is the set of paths that git tracks in one work tree.
type tracked struct {
	names []string // sorted
	links map[string]bool
}

// file reports whether path itself is tracked as something other than a submodule.
func (t *tracked) file(path string) bool {
	_, ok := slices.BinarySearch(t.names, path)
	return ok && !t.links[path]
}

// link reports whether path is a submodule.
func (t *tracked) link(path string) bool { return t.links[path] }

// under reports whether anything below the folder path is tracked.
func (t *tracked) under(path string) bool {
	dir := path + "/"
	k := sort.SearchStrings(t.names, dir)
	return k < len(t.names) && strings.HasPrefix(t.names[k], dir)
}

var errIndex = errors.New("malformed git index")

// readIndex reads the index of a work tree. No index at all is an empty one.
func readIndex(gitDir string, sha256 bool) (*tracked, error) {
	hash := 20
	if sha256 {
		hash = 32
	}
	data, err := readIndexFile(filepath.Join(gitDir, "index"))
	if err != nil || data == nil {
		return &tracked{}, err
	}
	own, err := parseIndex(data, hash)
	if err != nil {
		return &tracked{}, err
	}
	t := &tracked{links: make(map[string]bool)}
	if own.base != "" {
		data, err := readIndexFile(filepath.Join(gitDir, "sharedindex."+own.base))
		if err != nil {
			return &tracked{}, err
		}
		base, err := parseIndex(data, hash)
		if err != nil {
			return &tracked{}, err
		}
		t.add(base.recs, own.deleted)
	}
	t.add(own.recs, nil)
	if !slices.IsSorted(t.names) {
		slices.Sort(t.names)
	}
	return t, nil
}

// readIndexFile is readFile with the limit that an index of millions of paths needs.
func readIndexFile(path string) ([]byte, error) {
	data, err := readUpTo(atCwd, path, true, 4<<30)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

func (t *tracked) add(recs []indexRec, deleted []uint64) {
	t.names = slices.Grow(t.names, len(recs))
	for i, r := range recs {
		if r.path == "" || i>>6 < len(deleted) && deleted[i>>6]&(1<<(i&63)) != 0 {
			continue
		}
		t.names = append(t.names, r.path)
		if r.mode&0o170000 == 0o160000 {
			t.links[r.path] = true
		}
	}
}

type indexRec struct {
	path string
	mode uint32
	raw  []byte // the record in front of the path
}

type indexFile struct {
	recs    []indexRec
	base    string // hex id of the shared index, if any
	deleted []uint64
}

// parseIndex parses one index file whose object ids are hash bytes long.
func parseIndex(data []byte, hash int) (*indexFile, error) {
	if len(data) < 12+hash || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := int(binary.BigEndian.Uint32(data[8:]))
	if version < 2 || version > 4 || count > len(data)/(hash+43) {
		return nil, errIndex
	}
	r := indexReader{body: data[:len(data)-hash], hash: hash, version: version, at: 12}
	r.text = string(r.body) // paths of versions 2 and 3 are cut from it
	f := &indexFile{recs: make([]indexRec, 0, count)}
	for range count {
		rec, ok := r.next()
		if !ok {
			return nil, errIndex
		}
		f.recs = append(f.recs, rec)
	}
	return f, f.extensions(r.body[min(r.at, len(r.body)):], hash)
}

// indexReader takes records from an index.
type indexReader struct {
	body    []byte
	text    string
	hash    int
	version uint32
	at      int
	prev    string // the path before, for version 4
}

func (r *indexReader) next() (rec indexRec, ok bool) {
	start := r.at
	flags := start + 40 + r.hash
	if flags+2 > len(r.body) {
		return rec, false
	}
	rec.mode = binary.BigEndian.Uint32(r.body[start+24:])
	at := flags + 2
	if r.body[flags]&0x40 != 0 {
		at += 2
	}
	if r.version == 4 {
		drop, n := offsetVarint(r.body, at)
		if n == 0 || drop > uint64(len(r.prev)) {
			return rec, false
		}
		at += n
		rec.path = r.prev[:uint64(len(r.prev))-drop]
	}
	if at > len(r.body) {
		return rec, false
	}
	rec.raw = r.body[start:min(at, flags+4)]
	end := strings.IndexByte(r.text[at:], 0)
	if end < 0 {
		return rec, false
	}
	rec.path += r.text[at : at+end]
	if r.version == 4 {
		r.at, r.prev = at+end+1, rec.path
	} else {
		r.at = start + (at+end-start+8)&^7
	}
	return rec, true
}

// extensions looks for "link" among the extensions.
func (f *indexFile) extensions(b []byte, hash int) error {
	for len(b) >= 8 {
		n := uint64(binary.BigEndian.Uint32(b[4:]))
		if n > uint64(len(b)-8) {
			return errIndex
		}
		name, ext := string(b[:4]), b[8:8+n]
		b = b[8+n:]
		if name != "link" {
			continue
		}
		if len(ext) < hash {
			return errIndex
		}
		id := hex.EncodeToString(ext[:hash])
		if strings.Trim(id, "0") == "" {
			return nil
		}
		f.base = id
		if len(ext) > hash {
			var err error
			f.deleted, err = ewah(ext[hash:])
			return err
		}
	}
	return nil
}

// offsetVarint reads version 4's number: seven bits a byte, highest first, each continuation adding one.
func offsetVarint(b []byte, at int) (v uint64, n int) {
	for at+n < len(b) && n < 9 {
		c := b[at+n]
		n++
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return v, n
		}
		v++
	}
	return 0, 0
}

// ewah expands one compressed bitmap: its length in bits, the number of 64-bit words, the words, and a position.
// A marker word says (from its low end) one bit to repeat, for how many words (32 bits), and how many plain
// words follow (31 bits).
func ewah(b []byte) ([]uint64, error) {
	if len(b) < 8 {
		return nil, errIndex
	}
	size := int(binary.BigEndian.Uint32(b))
	words := int(binary.BigEndian.Uint32(b[4:]))
	b = b[8:]
	if words > len(b)/8 {
		return nil, errIndex
	}
	limit := size/64 + 1
	var out []uint64
	for i := 0; i < words; {
		marker := binary.BigEndian.Uint64(b[8*i:])
		i++
		run, plain := int(marker>>1&0xffffffff), int(marker>>33)
		if run+len(out) > limit || plain > words-i || plain+run+len(out) > limit {
			return nil, errIndex
		}
		fill := -(marker & 1)
		for range run {
			out = append(out, fill)
		}
		for range plain {
			out = append(out, binary.BigEndian.Uint64(b[8*i:]))
			i++
		}
	}
	return out, nil
}
