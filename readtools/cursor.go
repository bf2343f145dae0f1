package readtools

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// A cursor says where an answer goes on. It is the base64 form of
//
//	generation  unsigned varint
//	position    4 unsigned varints: see position
//	at          unsigned varint, its length, and its bytes
//	call        8 bytes: of the SHA-256 of the tool's name and its arguments
//	check       8 bytes: of the SHA-256 of all before it and a label
//
// The arguments that only size a page (limit, budget, time) and the cursor itself are not part
// of the call. A cursor of another call, of another generation or with changed bytes is
// refused; it never yields wrong lines.
const (
	cursorLabel = "codegraph cursor 2\n"
	cursorPart  = 8
)

// position is where an answer goes on.
type position struct {
	from   int    // items that earlier pages have shown; with at, of those from there on
	effort int    // how often the question was cut short with nothing to show
	items  int    // with at: the items in front of it
	files  int    // with at: the files with items in front of it
	at     string // the path of the first file that is still to be looked at, "" for all
}

// callHash names a call: the tool and its arguments without those of the page.
func callHash(tool string, params any) []byte {
	b, err := json.Marshal(params)
	if err != nil { // parameters are plain data
		b = fmt.Append(nil, params)
	}
	sum := sha256.Sum256(append([]byte(tool+"\n"), b...))
	return sum[:cursorPart]
}

// encodeCursor makes the cursor of a call.
func encodeCursor(gen graph.Gen, at position, call []byte) string {
	b := binary.AppendUvarint(nil, uint64(gen))
	for _, n := range []int{at.from, at.effort, at.items, at.files, len(at.at)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = append(append(b, at.at...), call...)
	return base64.RawURLEncoding.EncodeToString(append(b, cursorCheck(b)...))
}

func cursorCheck(b []byte) []byte {
	sum := sha256.Sum256(append([]byte(cursorLabel), b...))
	return sum[:cursorPart]
}

// decodeCursor gives where a call goes on; the zero position for an empty cursor.
func decodeCursor(cursor string, gen graph.Gen, call []byte) (position, error) {
	if cursor == "" {
		return position{}, nil
	}
	const again = "call again without a cursor"
	damaged := usage(again, "the cursor is damaged or was not made by this tool")
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	// The decoder passes over line ends, which no cursor of ours has.
	if err != nil || strings.ContainsAny(cursor, "\r\n") || len(b) < 2*cursorPart+6 || !bytes.Equal(cursorCheck(b[:len(b)-cursorPart]), b[len(b)-cursorPart:]) {
		return position{}, damaged
	}
	b = b[:len(b)-cursorPart]
	if !bytes.Equal(b[len(b)-cursorPart:], call) {
		return position{}, usage("repeat the arguments of the call that gave it, or "+again, "the cursor belongs to a call with other arguments")
	}
	b = b[:len(b)-cursorPart]
	var n [6]uint64
	for i := range n {
		v, size := binary.Uvarint(b)
		if size <= 0 || i > 0 && v > 1<<40 {
			return position{}, damaged
		}
		n[i], b = v, b[size:]
	}
	if uint64(len(b)) != n[5] {
		return position{}, damaged
	}
	// A place among the paths stands, when an index comes, as it did without one.
	if g := graph.Gen(n[0]); g != gen && (g != 0 || len(b) == 0) {
		return position{}, usage(again, "the cursor has expired: the files have changed since (generation %d, now %d)", n[0], gen)
	}
	return position{from: int(n[1]), effort: int(n[2]), items: int(n[3]), files: int(n[4]), at: string(b)}, nil
}
