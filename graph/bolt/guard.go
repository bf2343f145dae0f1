package bolt

import (
	"encoding/binary"
	"hash/fnv"
	"os"
	"runtime/debug"
)

// guard calls f, in which bbolt may meet damaged pages. bbolt panics at those, and reading
// past the end of a file that was cut short is a fault; both become graph.ErrCorrupt. f
// never calls back into the caller's code, whose panics are its own.
func guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = corrupt("%v", p)
		}
	}()
	return f()
}

// A bbolt file begins with two meta pages, written in turn; the valid one with the higher
// transaction counts. Its fields, in the machine's byte order, after a page header of 16
// bytes: magic, version, page size and flags (uint32); root page, root sequence, free list
// page, number of pages, transaction and a checksum (uint64), FNV-1a of all before it.
const (
	metaAt       = 16
	metaPageSize = metaAt + 8
	metaPages    = metaAt + 40
	metaTx       = metaAt + 48
	metaChecksum = metaAt + 56
	metaEnd      = metaAt + 64
)

// checkFile is an error if the file is shorter than its pages: a map of it would fault.
func checkFile(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var first, second [metaEnd]byte
	if _, err := f.ReadAt(first[:], 0); err != nil {
		return corrupt("read meta page: %v", err)
	}
	pageSize := int64(binary.NativeEndian.Uint32(first[metaPageSize:]))
	if !validMeta(first[:]) || pageSize < 512 || pageSize > 1<<16 {
		pageSize = int64(os.Getpagesize())
	}
	if _, err := f.ReadAt(second[:], pageSize); err != nil {
		return corrupt("read meta page: %v", err)
	}
	pages, tx, found := uint64(0), uint64(0), false
	for _, m := range [][]byte{first[:], second[:]} {
		if t := binary.NativeEndian.Uint64(m[metaTx:]); validMeta(m) && (!found || t > tx) {
			pages, tx, found = binary.NativeEndian.Uint64(m[metaPages:]), t, true
		}
	}
	switch {
	case !found:
		return corrupt("no valid meta page")
	case pages > uint64(info.Size()/pageSize):
		return corrupt("%d pages in a file of %d bytes", pages, info.Size())
	}
	return nil
}

func validMeta(m []byte) bool {
	h := fnv.New64a()
	_, _ = h.Write(m[metaAt:metaChecksum])
	return h.Sum64() == binary.NativeEndian.Uint64(m[metaChecksum:])
}
