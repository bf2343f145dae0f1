package edittools

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/codegraph-dev/codegraph/workspace"
)

// Common are the parameters that every edit tool has.
type Common struct {
	Expect   string `json:"expect,omitempty" doc:"the file's SHA-256 as last seen, at least 12 hex digits, or: absent; the call fails if it is another"`
	DryRun   bool   `json:"dry_run,omitempty" doc:"only tell what would change: the diff and what it does to the code; needs no approval"`
	Check    string `json:"check,omitempty" enum:"report,strict" default:"report" doc:"report tells new syntax errors and makes the edit all the same; strict refuses an edit that adds one"`
	Approval string `json:"approval,omitempty" doc:"the id of an approval that a person has given for exactly this call"`
}

// File is what an edit does to one path. Before and After are SHA-256 sums, or: absent,
// link, folder.
type File struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Plan is an edit that could be made.
type Plan struct {
	Tool    string
	Changes []workspace.Change
	Files   []File
	Diff    string
	// Planned is what the edit leaves of the files that it touches.
	Planned workspace.Planned
	// Moved maps paths that only get another name.
	Moved    map[string]string
	Replaced int
	Notes    []string
	// Sensitive names the paths whose change asks for a person in any case.
	Sensitive []string
	// Undoes is the id of the edit that this one takes back.
	Undoes string
	// Unproven are mentions of what was moved that could not be proven to mean it.
	Unproven []Mention
}

// Mention is a place in a text.
type Mention struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

func newPlan(tool string) *Plan {
	return &Plan{Tool: tool, Planned: workspace.Planned{}, Moved: map[string]string{}}
}

func (p *Plan) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}

// write adds the writing of a file.
func (p *Plan) write(at *workspace.Place, data []byte) {
	p.Changes = append(p.Changes, workspace.Change{Op: workspace.OpWrite, Path: at.Path, Data: data, Base: at.State})
	p.Files = append(p.Files, File{Path: at.Path, Before: sumOf(at.State), After: sum(data)})
	p.Planned[at.Path] = notNil(data)
	p.Diff += fileDiff(at.Path, at.State.Type == workspace.Absent, at.Data, at.Path, false, data)
	p.watch(at.Path)
	if at.Path != at.Given {
		p.note("%s is a link to %s, which is the file that changes", at.Given, at.Path)
	}
}

func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// sensitive are files by which others get programs run or rules changed: their change is
// asked about under every policy.
var sensitive = regexp.MustCompile(`(?i)(^|/)(\.codegraph\.yaml|\.mcp\.json|mcp\.json|integrations\.yaml|agent\.yaml|\.env[^/]*|\.npmrc|\.pypirc|\.netrc|\.(bash|zsh|sh)rc|\.bash_profile|\.profile|\.gitmodules|\.gitattributes|\.gitlab-ci\.yml|jenkinsfile)$` +
	`|(^|/)(\.github/workflows|\.circleci|\.husky|\.githooks|\.claude|\.cursor|\.vscode|\.mirri-code|\.gemini|\.codex|\.devcontainer)/`)

func (p *Plan) watch(path string) {
	if sensitive.MatchString(path) {
		p.Sensitive = append(p.Sensitive, path)
	}
}

// sumOf is how results name what stood at a path.
func sumOf(s workspace.State) string {
	if s.Type == workspace.Regular {
		return s.Sum()
	}
	if s.Type == "" {
		return string(workspace.Absent)
	}
	return string(s.Type)
}

// fileDiff is the unified diff of one file.
func fileDiff(from string, made bool, old []byte, to string, gone bool, data []byte) string {
	a, b := "a/"+from, "b/"+to
	if made {
		a = "/dev/null"
	}
	if gone {
		b = "/dev/null"
	}
	if binary(old) || binary(data) {
		return fmt.Sprintf("Binary files %s and %s differ\n", a, b)
	}
	text := diff.Diff(a, old, b, data)
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[i+1:] // the line that names the command
	} else if made || gone {
		text = fmt.Appendf(nil, "--- %s\n+++ %s\n", a, b) // an empty file
	}
	if !utf8.Valid(text) {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	return string(text)
}

// binaryHead is how much of a file is looked at to call it binary.
const binaryHead = 8000

// binary reports whether bytes are no text: there is a zero byte early on.
func binary(b []byte) bool {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return false
	}
	return bytes.IndexByte(b[:min(len(b), binaryHead)], 0) >= 0
}

var hexSum = regexp.MustCompile(`^[0-9a-fA-F]{12,64}$`)

// checkExpect holds a place to what the caller last saw of it.
func checkExpect(expect string, at *workspace.Place) error {
	absent := at.State.Type == workspace.Absent
	switch {
	case expect == "":
		return nil
	case expect == string(workspace.Absent) && absent:
		return nil
	case expect == string(workspace.Absent):
		return failed(codePrecondition, "read it; to replace it, repeat the call with expect: "+at.State.Sum(),
			"%s exists already, with sha256 %s", at.Given, at.State.Sum())
	case !hexSum.MatchString(expect):
		return failed(codeUsage, "give the sha256 that read_open told, at least 12 hex digits, or: absent", "expect is no SHA-256: %.80q", expect)
	case absent:
		return failed(codeStale, "repeat the call with expect: absent to make it anew", "%s changed since it was read: it is gone", at.Given)
	case !strings.HasPrefix(at.State.Sum(), strings.ToLower(expect)):
		return staleError(at.Given, at.State)
	}
	return nil
}

// lookFile finds the file that a path names, through links.
func lookFile(ctx context.Context, s *workspace.Snapshot, path string) (*workspace.Place, error) {
	at, err := workspace.Look(ctx, s, path, true)
	if err != nil {
		return nil, explain(path, err)
	}
	switch at.State.Type {
	case workspace.Folder:
		return nil, failed(codePrecondition, "give the path of a file in it", "%s is a folder", path)
	case workspace.Special:
		return nil, failed(codePrecondition, "give the path of a regular file", "%s is a pipe or a device, not a file; it is refused", path)
	case workspace.Regular:
		if !at.Writable {
			return nil, explain(path, workspace.ErrReadOnly)
		}
	}
	return at, nil
}
