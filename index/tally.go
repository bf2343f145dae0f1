package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// Tallies are kept in tables of tallyFiles files each, in the order of ids, so that an update
// writes only the tables of the files that it touches. A table begins with tallyVersion. After
// it come, for each of its files with facts in the order of ids, six unsigned varints: the id
// less the id before, syntax errors, and the references by status.
const (
	tallyFiles   = 1024
	tallyVersion = 1
)

// tallyKey is the meta key of the table that a file's tally is in.
func tallyKey(id graph.FileID) string { return fmt.Sprintf("index.tally.%05d", uint32(id)/tallyFiles) }

// fileTally counts what a file's facts and links hold.
type fileTally struct {
	errors uint64
	refs   [4]uint64 // by graph.Status
}

func tallyOf(r *graph.FileRecord) fileTally {
	var t fileTally
	if r.Facts == nil {
		return t
	}
	t.errors = uint64(len(r.Facts.Errors))
	if r.Links != nil {
		for i := range r.Links.Refs {
			if s := r.Links.Refs[i].Status; int(s) < len(t.refs) {
				t.refs[s]++
			}
		}
	}
	return t
}

// readTallies reads the tables that the update touches.
func (u *update) readTallies() error {
	var keys []string
	for id := range u.tally {
		keys = append(keys, tallyKey(id))
	}
	for _, id := range u.deleted {
		keys = append(keys, tallyKey(id))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	values := make([][]byte, len(keys))
	if len(u.old) > 0 { // else there are none
		var err error
		if values, err = u.reader.Meta(keys...); err != nil {
			return err
		}
	}
	u.tallied = make(map[string][]byte, len(keys))
	for i, k := range keys {
		u.tallied[k] = values[i]
	}
	return nil
}

// tallies are the tables that were read, after the update, by their keys.
func (u *update) tallies() map[string][]byte {
	tables := make(map[string]map[graph.FileID]fileTally, len(u.tallied))
	for k, b := range u.tallied {
		all, err := decodeTallies(b)
		if err != nil {
			all = map[graph.FileID]fileTally{} // the counts of status are all that is lost
		}
		tables[k] = all
	}
	for _, id := range u.deleted {
		delete(tables[tallyKey(id)], id)
	}
	for id, t := range u.tally {
		tables[tallyKey(id)][id] = t
	}
	out := make(map[string][]byte, len(tables))
	for k, all := range tables {
		out[k] = encodeTallies(all)
	}
	return out
}

func encodeTallies(all map[graph.FileID]fileTally) []byte {
	b := []byte{tallyVersion}
	last := graph.FileID(0)
	for _, id := range slices.Sorted(maps.Keys(all)) {
		t := all[id]
		b = binary.AppendUvarint(b, uint64(id-last))
		b = binary.AppendUvarint(b, t.errors)
		for _, n := range t.refs {
			b = binary.AppendUvarint(b, n)
		}
		last = id
	}
	return b
}

var errTally = errors.New("table of tallies is damaged")

func decodeTallies(b []byte) (map[graph.FileID]fileTally, error) {
	out := map[graph.FileID]fileTally{}
	if len(b) == 0 {
		return out, nil
	}
	if b[0] != tallyVersion {
		return nil, errTally
	}
	b = b[1:]
	var id graph.FileID
	for len(b) > 0 {
		var v [6]uint64
		for i := range v {
			n := 0
			if v[i], n = binary.Uvarint(b); n <= 0 {
				return nil, errTally
			}
			b = b[n:]
		}
		id += graph.FileID(v[0])
		out[id] = fileTally{errors: v[1], refs: [4]uint64(v[2:])}
	}
	return out, nil
}

// Summary counts what a store holds.
type Summary struct {
	Files    int
	Symbols  int
	Refs     [4]int // by graph.Status
	Partial  []Skip // files with syntax errors, by path
	Skipped  []Skip // files without facts and why, by path
	Language map[string]LanguageSummary
}

// LanguageSummary counts what a store holds of one language.
type LanguageSummary struct {
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	Lines   int   `json:"lines"`
	Symbols int   `json:"symbols"`
}

// Summarize counts what the generation of r holds, without reading facts.
func Summarize(r graph.Reader) (*Summary, error) {
	files, err := r.Files()
	if err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	for i := range files {
		tables[tallyKey(files[i].ID)] = nil
	}
	keys := slices.Sorted(maps.Keys(tables))
	values, err := r.Meta(keys...)
	if err != nil {
		return nil, err
	}
	tallies := map[graph.FileID]fileTally{}
	for _, b := range values {
		some, err := decodeTallies(b)
		if err != nil {
			return nil, err
		}
		maps.Copy(tallies, some)
	}
	s := &Summary{Files: len(files), Language: map[string]LanguageSummary{}}
	for i := range files {
		f := &files[i]
		s.Symbols += int(f.Symbols)
		if f.Language != "" {
			l := s.Language[f.Language]
			l.Files, l.Bytes, l.Lines, l.Symbols = l.Files+1, l.Bytes+f.Size, l.Lines+int(f.Lines), l.Symbols+int(f.Symbols)
			s.Language[f.Language] = l
		}
		t := tallies[f.ID]
		for i, n := range t.refs {
			s.Refs[i] += int(n)
		}
		switch {
		case f.Skip != "":
			s.Skipped = append(s.Skipped, Skip{f.Path, f.Skip})
		case t.errors > 0:
			s.Partial = append(s.Partial, Skip{f.Path, "syntax errors"})
		}
	}
	return s, nil
}
