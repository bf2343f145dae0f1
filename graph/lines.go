package graph

import (
	"bytes"
	"sort"
)

// LineTable holds the offsets at which the lines of a text begin; the first is 0.
type LineTable []uint32

// NewLineTable finds the lines of src. A line ends with LF; a CR before it belongs to the end.
func NewLineTable(src []byte) LineTable {
	t := make(LineTable, 1, 1+bytes.Count(src, []byte{'\n'}))
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return t
		}
		at += i + 1
		t = append(t, uint32(at))
	}
}

// Position is the 1-based line and byte column of offset off.
func (t LineTable) Position(off uint32) (line, column int) {
	line = sort.Search(len(t), func(i int) bool { return t[i] > off })
	return line, int(off-t[line-1]) + 1
}

// Start is the offset at which the 1-based line begins; ok is false past the last line.
func (t LineTable) Start(line int) (off uint32, ok bool) {
	if line < 1 || line > len(t) {
		return 0, false
	}
	return t[line-1], true
}
