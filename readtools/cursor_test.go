package readtools

import (
	"strings"
	"testing"

	"github.com/codegraph-dev/codegraph/graph"
)

func TestCursor(t *testing.T) {
	call := callHash("grep", GrepParams{Pattern: "x"})
	other := callHash("grep", GrepParams{Pattern: "y"})
	c := encodeCursor(7, position{from: 300, at: "a/b", items: 5}, call)
	if at, err := decodeCursor(c, 7, call); err != nil || at != (position{from: 300, at: "a/b", items: 5}) {
		t.Errorf("decode: %v, %v", at, err)
	}
	tests := []struct {
		cursor string
		gen    graph.Gen
		call   []byte
		says   string
	}{
		{c, 8, call, "expired"},
		{c, 7, other, "other arguments"},
		{c + "A", 7, call, "damaged"},
		{"x", 7, call, "damaged"},
		{strings.ToLower(c), 7, call, "damaged"},
	}
	for _, test := range tests {
		if _, err := decodeCursor(test.cursor, test.gen, test.call); codeOf(err) != "usage" || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %s", test.cursor, err, test.says)
		}
	}
	for i := range len(c) {
		b := []byte(c)
		b[i] ^= 1
		if _, err := decodeCursor(string(b), 7, call); err == nil {
			t.Errorf("a cursor with byte %d changed is taken", i)
		}
	}
}

func FuzzCursor(f *testing.F) {
	call := callHash("grep", GrepParams{Pattern: "x"})
	f.Add(encodeCursor(1, position{from: 2, effort: 1, items: 3, files: 4, at: "x"}, call))
	f.Add("")
	f.Add("AAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		from, err := decodeCursor(cursor, 1, call)
		if err != nil {
			return
		}
		if cursor != "" && encodeCursor(1, from, call) != cursor {
			t.Errorf("%q decodes to %v, whose cursor is %q", cursor, from, encodeCursor(1, from, call))
		}
	})
}
