package ignore

import (
	"encoding/binary"
	"strings"
)

// A decoder takes values from the front of b. After the first that is malformed it is bad and yields zeros.
type decoder struct {
	b     []byte
	bad   bool
	devs  []uint64
	paths strings.Builder // all paths, so that they are one piece of memory
}

func (d *decoder) fail() { d.b, d.bad = nil, true }

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) fixed() uint64 {
	if len(d.b) < 8 {
		d.fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(d.b)
	d.b = d.b[8:]
	return v
}

func (d *decoder) byte() byte {
	if len(d.b) < 1 {
		d.fail()
		return 0
	}
	v := d.b[0]
	d.b = d.b[1:]
	return v
}

// below reads a number that must be less than limit.
func (d *decoder) below(limit uint64) uint64 {
	v := d.uint()
	if v >= limit {
		d.fail()
		return 0
	}
	return v
}

// count reads how many things of at least size bytes follow.
func (d *decoder) count(size int) int {
	v := d.uint()
	if v > uint64(len(d.b)/size) {
		d.fail()
		return 0
	}
	return int(v)
}

// text returns a string's bytes, which are valid as long as the input.
func (d *decoder) text() []byte {
	n := d.count(1)
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

// The least number of bytes of an entry, a skip and a repository.
const (
	minEntry = 3 + minStat
	minStat  = 20
	minSkip  = 2
	minRepo  = 34
)

func (d *decoder) listing() *Listing {
	l := &Listing{Taken: takenTime(d.int()), Dropped: int(d.below(1 << 31))}
	entries, dirs := d.count(minEntry), d.count(1)
	devs, skips, repos := d.count(1), d.count(minSkip), d.count(minRepo)
	paths := d.below(1 << 40)
	for range devs {
		d.devs = append(d.devs, d.uint())
	}
	l.root.Type = Dir
	d.stat(&l.root)
	// A path repeats its folder's, so the sum may exceed the input; beyond this the builder grows as it must.
	d.paths.Grow(int(min(paths, uint64(1<<16+16*len(d.b)))))
	d.tree(l, entries, dirs)
	if uint64(d.paths.Len()) != paths {
		d.fail()
	}
	for range skips {
		l.Skips = append(l.Skips, Skip{string(d.text()), Reason(d.text())})
	}
	for range repos {
		r := repoRec{gitDir: string(d.text())}
		r.index.Size = int64(d.below(1 << 63))
		r.index.MtimeNs, r.index.CtimeNs = int64(d.fixed()), int64(d.fixed())
		r.index.Inode, r.index.Dev = d.fixed(), d.fixed()
		l.repos = append(l.repos, r)
	}
	return l
}

func (d *decoder) tree(l *Listing, entries, dirs int) {
	if dirs == 0 || dirs > entries+1 {
		if dirs+entries != 0 {
			d.fail()
		}
		return
	}
	l.Entries = make([]Entry, entries)
	l.parent = make([]int32, entries)
	l.dirs = make([]dirRec, 1, dirs)
	l.dirs[0] = d.rec(-1)
	last := ""
	for i := range l.Entries {
		e := &l.Entries[i]
		p := d.below(uint64(len(l.dirs)))
		name := d.text()
		flags := d.byte()
		if d.bad || len(name) == 0 || flags >= flagsEnd {
			d.fail()
			return
		}
		l.parent[i] = int32(p)
		e.Path = d.path(l, l.dirs[p].entry, name)
		if e.Path <= last {
			d.fail()
			return
		}
		last = e.Path
		e.Type = Type(flags & 3)
		e.Hidden, e.Ignored = flags&flagHidden != 0, flags&flagIgnored != 0
		d.stat(e)
		if flags&flagWalked != 0 {
			if len(l.dirs) == dirs || e.Type != Dir {
				d.fail()
				return
			}
			l.dirs = append(l.dirs, d.rec(int32(i)))
		}
	}
	if len(l.dirs) != dirs {
		d.fail()
	}
}

// path appends the path of a name in the folder whose entry is given to the memory of all paths.
func (d *decoder) path(l *Listing, dir int32, name []byte) string {
	start := d.paths.Len()
	if dir >= 0 {
		d.paths.WriteString(l.Entries[dir].Path)
		d.paths.WriteByte('/')
	}
	for _, c := range name {
		if c == '/' || c == 0 {
			d.fail()
		}
	}
	d.paths.Write(name)
	return d.paths.String()[start:]
}

func (d *decoder) stat(e *Entry) {
	e.Size = int64(d.below(1 << 63))
	e.MtimeNs = int64(d.fixed())
	e.CtimeNs = e.MtimeNs + d.int()
	e.Inode = d.fixed()
	e.Dev = d.dev()
	e.Mode = uint32(d.below(0o10000))
}

func (d *decoder) dev() uint64 {
	k := d.below(uint64(len(d.devs)))
	if d.bad {
		return 0
	}
	return d.devs[k]
}

func (d *decoder) rec(entry int32) dirRec {
	return dirRec{
		entry: entry, rules: d.fixed(),
		marks: marks(d.below(uint64(marksEnd))), dropped: uint32(d.below(1 << 32)),
	}
}
