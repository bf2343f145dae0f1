package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// symbol, match, item and entry are what the program's JSON holds of a definition, a
// matching line, an opened or explored item, and a path.
type symbol struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Container string `json:"container"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Static    *bool  `json:"static"`
}

func (s symbol) String() string {
	name := s.Name
	if s.Container != "" {
		name = s.Container + "." + name
	}
	return fmt.Sprintf("%s %s at %s:%d", s.Kind, name, s.Path, s.Line)
}

type match struct {
	Path   string  `json:"path"`
	Line   int     `json:"line"`
	Column int     `json:"column"`
	Text   string  `json:"text"`
	Symbol *symbol `json:"symbol"`
	Role   string  `json:"role"`
	Key    string  `json:"key"`
}

type edge struct {
	Role    string `json:"role"`
	Reason  string `json:"reason"`
	Certain bool   `json:"certain"`
}

type item struct {
	Path       string          `json:"path"`
	Line       int             `json:"line"`
	Column     int             `json:"column"`
	Lines      [2]int          `json:"lines"`
	TotalLines int             `json:"total_lines"`
	SHA256     string          `json:"sha256"`
	Language   string          `json:"language"`
	Encoding   string          `json:"encoding"`
	EOL        string          `json:"eol"`
	BOM        bool            `json:"bom"`
	Text       string          `json:"text"`
	Partial    string          `json:"partial"`
	Outline    []symbol        `json:"outline"`
	Symbol     *symbol         `json:"symbol"`
	Edge       *edge           `json:"edge"`
	External   string          `json:"external"`
	Depth      int             `json:"depth"`
	Candidates []symbol        `json:"candidates"`
	Target     json.RawMessage `json:"target"`
	Error      *toolError      `json:"error"`
}

type entry struct {
	Path     string `json:"path"`
	Type     string `json:"type"`
	Lines    int    `json:"lines"`
	Language string `json:"language"`
	Symbols  int    `json:"symbols"`
}

type toolError struct {
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	Next       string   `json:"next"`
	Candidates []symbol `json:"candidates"`
}

// words is all that the error says, its candidates included.
func (e *toolError) words() string {
	s := e.Message + "\n" + e.Next
	for _, c := range e.Candidates {
		s += "\n" + c.String()
	}
	return s
}

type skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// document is the union of the results of all verbs.
type document struct {
	Error        *toolError `json:"error"`
	Shown        int        `json:"shown"`
	Total        int        `json:"total"`
	Cursor       string     `json:"cursor"`
	Skipped      []skip     `json:"skipped"`
	Partial      []skip     `json:"partial"` // of an index run
	Matches      []match    `json:"matches"`
	Items        []item     `json:"items"`
	Entries      []entry    `json:"entries"`
	Candidates   []symbol   `json:"candidates"`
	Left         []string   `json:"left_out"`
	EditID       string     `json:"edit_id"`
	Replaced     *int       `json:"replaced"`
	Replacements *int       `json:"replacements"`
}

// reply is what one process of the program left.
type reply struct {
	Args   []string
	Exit   int
	Doc    document
	Stdout []byte
	Stderr string
	Fault  string // why this is no sound reply at all: killed, panicked, no JSON
	Dead   bool   // killed, panicked or too late: more than a bad form
	Took   time.Duration
}

// failure is the error that the reply carries, or nil.
func (r *reply) failure() *toolError {
	if r.Doc.Error != nil {
		return r.Doc.Error
	}
	if len(r.Doc.Items) == 1 && r.Doc.Items[0].Error != nil {
		return r.Doc.Items[0].Error
	}
	if len(r.Doc.Items) == 0 && len(r.Doc.Candidates) > 0 {
		return &toolError{Code: "ambiguous", Message: "the name is ambiguous", Candidates: r.Doc.Candidates}
	}
	if len(r.Doc.Items) == 1 && len(r.Doc.Items[0].Candidates) > 0 {
		return &toolError{Code: "ambiguous", Message: "the target is ambiguous", Candidates: r.Doc.Items[0].Candidates}
	}
	return nil
}

// decode reads standard output and judges the reply's form.
func (r *reply) decode(wantJSON bool) {
	switch {
	case r.Fault != "":
	case strings.Contains(r.Stderr, "\ngoroutine ") || strings.HasPrefix(r.Stderr, "panic:"):
		r.Fault, r.Dead = "it panicked: "+firstLine(r.Stderr), true
	case !utf8.Valid(r.Stdout):
		r.Fault = "the answer is not valid UTF-8"
	case !wantJSON:
		if r.Exit != 0 {
			r.Fault = fmt.Sprintf("exit %d: %s", r.Exit, firstLine(r.Stderr))
		}
	default:
		r.Fault = r.decodeJSON()
	}
}

func (r *reply) decodeJSON() string {
	dec := json.NewDecoder(bytes.NewReader(r.Stdout))
	if err := dec.Decode(&r.Doc); err != nil {
		return fmt.Sprintf("no JSON (%v) with exit %d: %s", err, r.Exit, firstLine(r.Stderr+string(r.Stdout)))
	}
	if dec.More() {
		return "more than one JSON value on standard output"
	}
	switch {
	case r.Doc.Error != nil && r.Exit == 0:
		return fmt.Sprintf("an error (%s) with exit %d", r.Doc.Error.Code, r.Exit)
	case r.Doc.Error == nil && r.Exit >= 2 && r.failure() == nil:
		return fmt.Sprintf("exit %d without an error: %s", r.Exit, firstLine(r.Stderr))
	}
	return ""
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return clip(s, 200)
}

func clip(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "..."
	}
	return s
}
