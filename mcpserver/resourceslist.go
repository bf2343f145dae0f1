package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// listPage is how many resources a page of resources/list has.
const listPage = 100

// listed is a resource in a list; size is negative if unknown.
type listed struct {
	row       *Resource
	uri, name string
	mime      string
	size      int64
}

// list is the page of resources/list after a cursor: first the rows without variable, then
// what those with one list, row by row. next is "" on the last page.
func (rs resources) list(ctx context.Context, cursor string) (page []listed, next string, err error) {
	at, after, ok := openCursor(cursor)
	if !ok || at > len(rs) {
		return nil, "", &fault{Code: codeParams, Message: "the cursor is damaged or was not made by resources/list; call again without a cursor"}
	}
	if cursor == "" {
		for i := range rs {
			if _, variable := rs[i].cut(); variable == "" {
				page = append(page, listed{&rs[i], rs[i].URI, rs[i].Name, rs[i].MIME, -1})
			}
		}
	}
	for ; at < len(rs); at, after = at+1, "" {
		row := &rs[at]
		if row.List == nil {
			continue
		}
		room := max(1, listPage-len(page))
		found, err := row.List(ctx, after, room+1)
		if err != nil {
			return nil, "", err
		}
		for _, x := range found[:min(room, len(found))] {
			page = append(page, listed{row, row.uri(x.Value), x.Value, x.MIME, x.Size})
			after = x.Value
		}
		if len(found) > room {
			return page, sealCursor(at, after), nil
		}
	}
	return page, "", nil
}

// A cursor of resources/list is the base64 form of a check, 8 bytes of the SHA-256 of all
// after it and a label, the number of the row and the value after which to go on. So it
// holds no position that a change of the files could shift, and may be used by another
// process, such as a daemon that took the place of the one that made it.
const (
	listLabel = "codegraph resources/list cursor 1\n"
	listCheck = 8
)

func sealCursor(row int, after string) string {
	body := strconv.Itoa(row) + " " + after
	sum := sha256.Sum256([]byte(listLabel + body))
	return base64.RawURLEncoding.EncodeToString(append(sum[:listCheck], body...))
}

// openCursor reads a cursor; an empty one is the beginning.
func openCursor(cursor string) (row int, after string, ok bool) {
	if cursor == "" {
		return 0, "", true
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	// The decoder passes over line ends, which no cursor of ours has.
	if err != nil || len(b) < listCheck || strings.ContainsAny(cursor, "\r\n") {
		return 0, "", false
	}
	sum := sha256.Sum256(append([]byte(listLabel), b[listCheck:]...))
	at, after, found := strings.Cut(string(b[listCheck:]), " ")
	row, err = strconv.Atoi(at)
	return row, after, found && err == nil && row >= 0 && slices.Equal(sum[:listCheck], b[:listCheck])
}

// cursorOf is the cursor of a request for a list.
func cursorOf(m message) (string, *fault) {
	if absent(m.params["cursor"]) {
		return "", nil
	}
	cursor, ok := text(m.params, "cursor")
	if !ok {
		return "", &fault{Code: codeParams, Message: `"cursor" must be a string, as a list gave it`}
	}
	return cursor, nil
}

// noCursor refuses a cursor where a list has one page.
func noCursor(params map[string]json.RawMessage, method string) *fault {
	if absent(params["cursor"]) || string(params["cursor"]) == `""` {
		return nil
	}
	return &fault{Code: codeParams, Message: method + " has one page, so it gave no cursor; call it without one"}
}
