package index

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/codegraph-dev/codegraph/graph"
)

// tallyKey is the meta key of the table of tallies.
const tallyKey = "index.tally"

// tallyVersion begins the table of tallies. After it come, for each file with facts in the
// order of ids, six unsigned varints: id less the id before, syntax errors, and the
// references by status.
const tallyVersion = 1

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

// tallies is the table of tallies after the update.
func (u *update) tallies() []byte {
	all, err := decodeTallies(u.tallied)
	if err != nil {
		all = map[graph.FileID]fileTally{}
	}
	for _, id := range u.deleted {
		delete(all, id)
	}
	for id, t := range u.tally {
		all[id] = t
	}
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
	values, err := r.Meta(tallyKey)
	if err != nil {
		return nil, err
	}
	tallies, err := decodeTallies(values[0])
	if err != nil {
		return nil, err
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
