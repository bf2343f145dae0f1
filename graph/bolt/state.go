package bolt

import (
	"encoding/binary"
	"errors"
	"slices"

	bbolt "go.etcd.io/bbolt"

	"github.com/codegraph-dev/codegraph/graph"
)

// The buckets.
var (
	bucketMeta  = []byte("meta")
	bucketNotes = []byte("notes")
	bucketFiles = []byte("files")
	bucketFacts = []byte("facts")
	bucketLinks = []byte("links")
	bucketKeys  = []byte("keys")
)

// The keys in meta.
var (
	keyFormat = []byte("format")
	keyState  = []byte("state")
	keyDraft  = []byte("draft") // set while a draft is made, see draft.go
)

// The tables.
var (
	tableLookup = newHashTable("lookup")
	tableAsks   = newHashTable("asks")
	tableRefs   = newHashTable("refs")
	tableNames  = newNameTable("names")
)

// targetKey is the key of a target in the table refs; targets have distinct ones.
func targetKey(t graph.Target) uint64 { return mix(uint64(t.File)<<32 | uint64(t.Hash)) }

// state is what a generation says of itself.
type state struct {
	gen   graph.Gen
	next  uint32   // ids below have a place in files
	notes []string // the keys of the batches' Meta that are set, sorted
}

func (s *state) encode() []byte {
	b := beginFrame(nil)
	b = binary.AppendUvarint(b, uint64(s.gen))
	b = binary.AppendUvarint(b, uint64(s.next))
	b = appendStrings(b, s.notes)
	return sealFrame(b, salt(tagState, 0))
}

func decodeState(frame []byte) (*state, error) {
	payload, err := openFrame(frame, salt(tagState, 0), "state")
	if err != nil {
		return nil, err
	}
	sc := &scanner{b: payload}
	s := &state{gen: graph.Gen(sc.uvarint()), next: uint32(sc.uvarint()), notes: scanStrings(sc)}
	return s, sc.end("state")
}

// note notes that key is set or not.
func (s *state) note(key string, set bool) {
	i, had := slices.BinarySearch(s.notes, key)
	switch {
	case set && !had:
		s.notes = slices.Insert(s.notes, i, key)
	case !set && had:
		s.notes = slices.Delete(s.notes, i, i+1)
	}
}

// noteKey is where a Meta value is stored; bbolt has no empty keys.
func noteKey(key string) []byte { return append([]byte{'='}, key...) }

// buckets are a transaction's buckets. Opening all of them first makes reads of one
// transaction from many goroutines safe.
type buckets struct {
	meta, notes, files, facts, links, keys *bbolt.Bucket
	lookup, asks, refs, names              *bbolt.Bucket
}

func openBuckets(tx *bbolt.Tx) (*buckets, error) {
	var err error
	open := func(name []byte) *bbolt.Bucket {
		b := tx.Bucket(name)
		if b == nil {
			err = corrupt("bucket %s is missing", name)
		}
		return b
	}
	b := &buckets{
		meta: open(bucketMeta), notes: open(bucketNotes), files: open(bucketFiles),
		facts: open(bucketFacts), links: open(bucketLinks), keys: open(bucketKeys),
		lookup: open([]byte(tableLookup.name)), asks: open([]byte(tableAsks.name)),
		refs: open([]byte(tableRefs.name)), names: open([]byte(tableNames.name)),
	}
	return b, err
}

// contents are the names of the buckets of what files say and are bound to: those that a draft fills.
var contents = [][]byte{bucketFacts, bucketLinks, bucketKeys,
	[]byte(tableLookup.name), []byte(tableAsks.name), []byte(tableRefs.name), []byte(tableNames.name)}

// create makes the buckets of an empty store.
func create(tx *bbolt.Tx) error {
	for _, name := range [][]byte{bucketMeta, bucketNotes, bucketFiles} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	b, err := createContents(tx)
	if err != nil {
		return err
	}
	return errors.Join(b.meta.Put(keyFormat, []byte(format)), b.meta.Put(keyState, (&state{}).encode()))
}

// createContents makes the buckets of contents, empty.
func createContents(tx *bbolt.Tx) (*buckets, error) {
	for _, name := range contents {
		if _, err := tx.CreateBucket(name); err != nil {
			return nil, err
		}
	}
	b, err := openBuckets(tx)
	if err != nil {
		return nil, err
	}
	return b, errors.Join(
		tableLookup.create(b.lookup), tableAsks.create(b.asks),
		tableRefs.create(b.refs), tableNames.create(b.names))
}
