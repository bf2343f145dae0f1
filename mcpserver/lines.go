package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// lines reads messages, one a line. A line over the limit is read to its end and
// dropped, but for a head in which its id may be found.
type lines struct {
	in    *bufio.Reader
	limit int
	begun bool
}

// keptHead is how much of a line that is too long is kept to find its id.
const keptHead = 64 << 10

func newLines(in io.Reader, limit int) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), limit: limit}
}

// next returns the next line without its end, and its size in bytes. Where size is over
// the limit, the line is only its head. A last line without an end counts: a message cut
// off within is no JSON, so it cannot be taken for another. err is io.EOF at the end.
func (l *lines) next() (line []byte, size int, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		size += len(part)
		if size <= l.limit+1 || len(line) < keptHead { // the end of the line is none of the message
			line = append(line, part...)
		} else {
			line = line[:keptHead]
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && (err != io.EOF || size == 0) {
			return nil, 0, err
		}
		if !l.begun {
			l.begun = true
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		return bytes.TrimSpace(line), size, nil
	}
}

// headID finds the id in the first part of a message; it is null if it is not there.
func headID(head []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return json.RawMessage("null")
	}
	for {
		name, err := dec.Token()
		if err != nil {
			return json.RawMessage("null")
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return json.RawMessage("null")
		}
		if _, ok := idKey(value); ok && name == "id" {
			return value
		}
	}
}
