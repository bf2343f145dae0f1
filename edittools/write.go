package edittools

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"

	"github.com/codegraph-dev/codegraph/workspace"
)

// WriteDescription is what a model reads of write_file.
//
//go:embed write_file.md
var WriteDescription string

// WriteParams are the arguments of write_file.
type WriteParams struct {
	Path      string `json:"path" pos:"1" required:"true" doc:"the file, relative to the root; folders that are missing are made"`
	Content   string `json:"content" required:"true" doc:"all of the file's text, written byte for byte"`
	Overwrite bool   `json:"overwrite,omitempty" doc:"replace a file that exists without saying what it was (expect)"`
	Common
}

// WriteFile plans the writing of a whole file.
func WriteFile(ctx context.Context, s *workspace.Snapshot, p WriteParams) (*Plan, error) {
	at, err := lookFile(ctx, s, p.Path)
	if err != nil {
		return nil, err
	}
	if err := checkExpect(p.Expect, at); err != nil {
		return nil, err
	}
	exists := at.State.Type != workspace.Absent
	if exists && p.Expect == "" && !p.Overwrite {
		return nil, failed(codePrecondition, "read it and repeat the call with expect: "+at.State.Sum()+", or with overwrite: true",
			"%s exists already", p.Path)
	}
	plan := newPlan("write_file")
	data := []byte(p.Content)
	if exists && bytes.Equal(data, at.Data) {
		plan.note("%s holds exactly this already; nothing changes", p.Path)
		return plan, nil
	}
	plan.write(at, data)
	if exists {
		warnOfStyle(plan, at, data)
	}
	return plan, nil
}

// warnOfStyle notes what a rewrite changes besides the words.
func warnOfStyle(plan *Plan, at *workspace.Place, data []byte) {
	was, is := styleOf(at.Data), styleOf(data)
	if was.crlf > was.lf && is.crlf == 0 && is.lf > 0 {
		plan.note("%s had CRLF line ends; the new text has LF", at.Path)
	}
	if bytes.HasPrefix(at.Data, []byte(utf8BOM)) && !bytes.HasPrefix(data, []byte(utf8BOM)) {
		plan.note("%s began with a byte order mark; the new text does not", at.Path)
	}
	if decode(at.Data).encoding != decode(data).encoding {
		plan.note("%s was %s; the new text is %s", at.Path, decode(at.Data).encoding, decode(data).encoding)
	}
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}
