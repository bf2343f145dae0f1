package bolt

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/codegraph-dev/codegraph/graph"
)

// A frame is what every stored value is: a version byte, the checksum of the payload
// bound to the place where it is stored (see salt), and the payload. A value that was torn,
// flipped or moved to another key does not open.

const (
	frameVersion = 1
	frameHeader  = 9
)

// The kinds of frames; part of their salt.
const (
	tagState byte = iota + 1
	tagMeta
	tagFiles
	tagFacts
	tagLinks
	tagKeys
	tagTable
)

// salt binds a frame to its bucket and key.
func salt(tag byte, id uint64) uint64 { return mix(uint64(tag)<<56 ^ id) }

// saltKey is salt for keys that are not numbers.
func saltKey(tag byte, bucket string, key []byte) uint64 {
	return salt(tag, xxhash.Sum64String(bucket)^xxhash.Sum64(key))
}

// mix is a bijection that spreads close numbers over the whole range.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return x
}

// beginFrame appends room for a frame's header to dst.
func beginFrame(dst []byte) []byte {
	return append(dst, frameVersion, 0, 0, 0, 0, 0, 0, 0, 0)
}

// sealFrame completes the frame that is all of buf.
func sealFrame(buf []byte, salt uint64) []byte {
	binary.LittleEndian.PutUint64(buf[1:], xxhash.Sum64(buf[frameHeader:])^salt)
	return buf
}

// openFrame is the payload of a frame; it shares its memory.
func openFrame(buf []byte, salt uint64, what string) ([]byte, error) {
	if len(buf) < frameHeader || buf[0] != frameVersion {
		return nil, corrupt("%s: no frame", what)
	}
	if binary.LittleEndian.Uint64(buf[1:]) != xxhash.Sum64(buf[frameHeader:])^salt {
		return nil, corrupt("%s: wrong checksum", what)
	}
	return buf[frameHeader:], nil
}

// corrupt is an error that is graph.ErrCorrupt.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", graph.ErrCorrupt, fmt.Sprintf(format, args...))
}

// scanner reads a payload from its start. After a read past the end all reads give zero
// and bad is set; the one who scans asks once, at the end.
type scanner struct {
	b   []byte
	bad bool
}

func (s *scanner) fail() {
	s.bad = true
	s.b = nil
}

func (s *scanner) byte() byte {
	if len(s.b) == 0 {
		s.fail()
		return 0
	}
	c := s.b[0]
	s.b = s.b[1:]
	return c
}

func (s *scanner) take(n int) []byte {
	if n < 0 || n > len(s.b) {
		s.fail()
		return nil
	}
	t := s.b[:n:n]
	s.b = s.b[n:]
	return t
}

func (s *scanner) uvarint() uint64 {
	if len(s.b) > 0 && s.b[0] < 0x80 {
		v := s.b[0]
		s.b = s.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(s.b)
	if n <= 0 {
		s.fail()
		return 0
	}
	s.b = s.b[n:]
	return v
}

// count reads a number of things of which per fit into one byte of what follows at most.
func (s *scanner) count(per int) int {
	n := s.uvarint()
	if n > uint64(len(s.b))*uint64(per) {
		s.fail()
		return 0
	}
	return int(n)
}

func (s *scanner) string() string { return string(s.take(s.count(1))) }

// end is an error unless exactly all was read.
func (s *scanner) end(what string) error {
	if s.bad || len(s.b) != 0 {
		return corrupt("%s: malformed", what)
	}
	return nil
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}
