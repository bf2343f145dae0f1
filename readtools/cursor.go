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
//	from        unsigned varint: how many items earlier pages have shown
//	call        8 bytes: of the SHA-256 of the tool's name and its arguments
//	check       8 bytes: of the SHA-256 of all before it and a label
//
// The arguments that only size a page (limit, budget) and the cursor itself are not part
// of the call. A cursor of another call, of another generation or with changed bytes is
// refused; it never yields wrong lines.
const (
	cursorLabel = "codegraph cursor 1\n"
	cursorPart  = 8
)

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
func encodeCursor(gen graph.Gen, from int, call []byte) string {
	b := binary.AppendUvarint(nil, uint64(gen))
	b = binary.AppendUvarint(b, uint64(from))
	b = append(b, call...)
	return base64.RawURLEncoding.EncodeToString(append(b, cursorCheck(b)...))
}

func cursorCheck(b []byte) []byte {
	sum := sha256.Sum256(append([]byte(cursorLabel), b...))
	return sum[:cursorPart]
}

// decodeCursor gives how many items were shown before; 0 for an empty cursor.
func decodeCursor(cursor string, gen graph.Gen, call []byte) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	const again = "call again without a cursor"
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	// The decoder passes over line ends, which no cursor of ours has.
	if err != nil || strings.ContainsAny(cursor, "\r\n") || len(b) < 2*cursorPart+2 || !bytes.Equal(cursorCheck(b[:len(b)-cursorPart]), b[len(b)-cursorPart:]) {
		return 0, usage(again, "the cursor is damaged or was not made by this tool")
	}
	b = b[:len(b)-cursorPart]
	if !bytes.Equal(b[len(b)-cursorPart:], call) {
		return 0, usage("repeat the arguments of the call that gave it, or "+again, "the cursor belongs to a call with other arguments")
	}
	b = b[:len(b)-cursorPart]
	g, n := binary.Uvarint(b)
	from, m := binary.Uvarint(b[max(n, 0):])
	if n <= 0 || m <= 0 || n+m != len(b) || from > 1<<40 {
		return 0, usage(again, "the cursor is damaged or was not made by this tool")
	}
	if graph.Gen(g) != gen {
		return 0, usage(again, "the cursor has expired: the files have changed since (generation %d, now %d)", g, gen)
	}
	return int(from), nil
}
