package edittools

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/codegraph-dev/codegraph/workspace"
)

// Result is what became of a call of an edit tool.
type Result struct {
	Root       string `json:"root"`
	Generation uint64 `json:"generation"`
	Fresh      bool   `json:"fresh"`
	Evidence   string `json:"evidence"`
	// Applied says that the files are changed; a dry run, and a call that waits for an
	// approval, leave it false.
	Applied  bool      `json:"applied"`
	EditID   string    `json:"edit_id"`
	DryRun   bool      `json:"dry_run"`
	Replayed bool      `json:"replayed"` // the same call was made before; this is what came of it
	Diff     string    `json:"diff"`
	Files    []File    `json:"files"`
	Replaced int       `json:"replaced,omitempty"`
	Delta    Delta     `json:"delta"`
	Approval Approval  `json:"approval"`
	Unproven []Mention `json:"unproven,omitempty"`
	Notes    []string  `json:"notes,omitempty"`
}

// Approval is how far a call has come with those who decide about it.
type Approval struct {
	// State is not_needed, required, approved or by_host.
	State   string    `json:"state"`
	Policy  string    `json:"policy"`
	ID      string    `json:"id,omitempty"`
	By      string    `json:"by,omitempty"`
	Command string    `json:"command,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
}

// The states of an approval.
const (
	ApprovalNotNeeded = "not_needed"
	ApprovalRequired  = "required"
	ApprovalApproved  = "approved"
	ApprovalByHost    = "by_host"
)

// Text is the result for a model or a person.
func (r *Result) Text() string {
	var b strings.Builder
	r.heading(&b)
	for _, e := range r.Delta.SyntaxErrors {
		fmt.Fprintf(&b, "SYNTAX ERROR %s:%d:%d %s\n", e.Path, e.Line, e.Column, e.Reason)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	r.fileLines(&b)
	r.Delta.text(&b)
	mentions(&b, r.Unproven)
	if r.Diff != "" {
		b.WriteString("\n" + clipDiff(r.Diff))
	}
	return b.String()
}

func (r *Result) heading(b *strings.Builder) {
	switch {
	case r.Replayed:
		fmt.Fprintf(b, "this call was made before and is not made twice; edit %s\n", r.EditID)
	case r.Applied:
		fmt.Fprintf(b, "done: edit %s, generation %d; `codegraph undo %s` takes it back\n", r.EditID, r.Generation, r.EditID)
	case r.Approval.State == ApprovalRequired:
		fmt.Fprintf(b, "NOT APPLIED: a person has to approve this edit.\nAsk the user to run: %s\nThen repeat the same call with approval: %q (until %s).\n",
			r.Approval.Command, r.Approval.ID, r.Approval.Expires.Format(time.RFC3339))
	case r.DryRun:
		b.WriteString("dry run: nothing was changed\n")
	default:
		b.WriteString("nothing was changed\n")
	}
}

// mostLines bounds how many lines of a kind the text has.
const mostLines = 20

func (r *Result) fileLines(b *strings.Builder) {
	for i, f := range r.Files {
		if i == mostLines {
			fmt.Fprintf(b, "and %d more files\n", len(r.Files)-i)
			return
		}
		fmt.Fprintf(b, "%s: %.12s -> %.12s\n", f.Path, f.Before, f.After)
	}
}

func mentions(b *strings.Builder, list []Mention) {
	for i, m := range list {
		if i == 0 {
			fmt.Fprintf(b, "%d mentions that could not be proven to mean what moved:\n", len(list))
		}
		if i == mostLines {
			fmt.Fprintf(b, "  and %d more\n", len(list)-i)
			return
		}
		fmt.Fprintf(b, "  %s:%d %s\n", m.Path, m.Line, m.Text)
	}
}

// textDiff bounds the diff in the text form; the structured one has all of it.
const textDiff = 12000

func clipDiff(d string) string {
	if len(d) <= textDiff {
		return d
	}
	cut := strings.LastIndexByte(d[:textDiff], '\n') + 1
	return strings.ToValidUTF8(d[:cut], "") + fmt.Sprintf("... %d more bytes of diff\n", len(d)-cut)
}

// hunkHead is the line that begins a hunk of a unified diff.
var hunkHead = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// NewLines are the lines that the edit put into each file, as they are numbered after it.
func (r *Result) NewLines() map[string][]workspace.Shown {
	out := map[string][]workspace.Shown{}
	path, line, old, left := "", 0, 0, 0 // left and old count what is to come of a hunk
	for text := range strings.Lines(r.Diff) {
		switch {
		case old <= 0 && left <= 0:
			if p, ok := strings.CutPrefix(text, "+++ "); ok {
				path = strings.TrimPrefix(strings.TrimSuffix(p, "\n"), "b/")
			}
			if m := hunkHead.FindStringSubmatch(text); m != nil {
				old, left, line = hunkSize(m[1]), hunkSize(m[3]), hunkSize(m[2])
			}
		case text[0] == '+':
			out[path] = append(out[path], workspace.Shown{Path: path, From: line, To: line})
			line, left = line+1, left-1
		case text[0] == '-':
			old--
		case text[0] != '\\':
			line, old, left = line+1, old-1, left-1
		}
	}
	return out
}

// hunkSize is a number of a hunk's head; one that is left out is 1.
func hunkSize(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return 1
}
