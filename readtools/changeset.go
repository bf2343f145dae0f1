package readtools

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/workspace/ignore"
)

// changedFile is a file of a change set. Lines are the changed ones of the file as it is now, gaps
// those in front of which lines are missing; all says that they are not known.
type changedFile struct {
	path        string
	how         string // named, changed, to be changed, new, gone
	lines, gaps []int
	all         bool
}

// changeSet is what the call is about: the files named or the unified diff given by the query, or
// else the files whose bytes are not those that version control has recorded.
func (e *exploring) changeSet() ([]changedFile, error) {
	q := strings.TrimSpace(e.p.Query)
	switch {
	case q == "":
		return e.unrecorded()
	case strings.HasPrefix(q, "diff ") || strings.HasPrefix(q, "--- ") || strings.Contains(q, "\n--- "):
		return e.diffed(e.p.Query)
	}
	var out []changedFile
	for _, given := range strings.Fields(q) {
		p, err := relative(e.s.Root(), given)
		if err != nil {
			return nil, err
		}
		if fileAt(e.s, p) == nil && !isFolder(e.s, p) {
			return nil, noPath(e.s, p)
		}
		for _, f := range filesOfGraph(e.s, p) {
			out = append(out, changedFile{path: f.Path, how: "named", all: true})
		}
	}
	return out, nil
}

// unrecorded are the files that differ from what git's index has recorded of them, and those that
// it does not have.
func (e *exploring) unrecorded() ([]changedFile, error) {
	records, err := ignore.Recorded(e.s.Root())
	if err != nil || records == nil {
		why := "there is no git repository"
		if err != nil {
			why = "its git index cannot be read: " + err.Error()
		}
		return nil, usage("give the changed paths, or a unified diff (git diff), as query", "what changed is not known, since %s", why)
	}
	l, err := e.s.Tree(e.ctx, false, false)
	if err != nil {
		return nil, err
	}
	e.atLeast("changes that are staged or committed already; give git diff's output as query for those")
	tracked := map[string]bool{}
	var out []changedFile
	for i := range records {
		r := &records[i]
		tracked[r.Path] = true
		if !below(r.Path, e.dir) {
			continue
		}
		now, there := l.Lookup(r.Path)
		if !there {
			if _, err := ignore.Lstat(e.s.Root(), r.Path); errors.Is(err, fs.ErrNotExist) {
				out = append(out, changedFile{path: r.Path, how: "gone"})
			}
			continue
		}
		if r.Untouched(&now) {
			continue
		}
		if t := e.source(r.Path); t == nil || !r.Holds(t.data) {
			out = append(out, changedFile{path: r.Path, how: "changed", all: true})
		}
	}
	for i := range l.Entries {
		if x := &l.Entries[i]; x.Type == ignore.File && x.Part() && !tracked[x.Path] && below(x.Path, e.dir) {
			out = append(out, changedFile{path: x.Path, how: "new", all: true})
		}
	}
	return out, nil
}

// hunkHead is the line that begins a hunk of a unified diff: from which line on it stands in the
// file before and after, and over how many lines.
var hunkHead = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// fileDiff is what a unified diff says of a file.
type fileDiff struct {
	before, after side
}

// side is the file before or after: its path, "" for none, what the diff shows of it, the lines
// that only it has, and the lines in front of which only the other has some.
type side struct {
	path  string
	text  map[int]string
	lines []int
	gaps  []int
	next  int // line of the hunk that is read
	left  int // how many lines of the hunk are still to come
}

// diffed are the files of a unified diff. The diff is made already or still to be made: the lines
// are those of the side that the file agrees with.
func (e *exploring) diffed(text string) ([]changedFile, error) {
	diffs := parseDiff(text)
	if len(diffs) == 0 {
		return nil, usage("give the whole output of git diff, with its --- and +++ lines and its @@ lines", "the query looks like a diff but no file of it could be read")
	}
	var out []changedFile
	for _, d := range diffs {
		p := e.diffPath(d.after.path, d.before.path)
		t := (*source)(nil)
		if p != "" {
			t = e.source(p)
		}
		switch {
		case t == nil:
			_, rest, ok := strings.Cut(d.before.path, "/")
			if !ok || !strings.HasPrefix(d.before.path, "a/") {
				rest = d.before.path
			}
			out = append(out, changedFile{path: cmp.Or(rest, d.after.path), how: "gone"})
		case t.agrees(d.after.text) && d.after.path != "":
			out = append(out, changedFile{path: p, how: "changed", lines: d.after.lines, gaps: d.after.gaps})
		case t.agrees(d.before.text):
			out = append(out, changedFile{path: p, how: "to be changed", lines: d.before.lines, gaps: d.before.gaps})
		default:
			e.atLeast("definitions of %s that the diff changes: the file is neither as before nor as after it, so all are taken", quotePath(p))
			out = append(out, changedFile{path: p, how: "changed", all: true})
		}
	}
	return out, nil
}

// diffPath is the file of the project that a diff means, with git's prefix a/ or b/ or without.
func (e *exploring) diffPath(names ...string) string {
	for _, n := range names {
		_, rest, _ := strings.Cut(n, "/")
		for _, p := range []string{rest, n} {
			if p != "" && fileAt(e.s, p) != nil {
				return p
			}
		}
	}
	return ""
}

// agrees reports whether the lines of the file are those given, by their numbers.
func (t *source) agrees(lines map[int]string) bool {
	for n, want := range lines {
		if n > t.total() || !bytes.Equal(t.raw(n), []byte(strings.TrimSuffix(want, "\r"))) {
			return false
		}
	}
	return true
}

// parseDiff reads a unified diff.
func parseDiff(text string) []fileDiff {
	var out []fileDiff
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		d := (*fileDiff)(nil)
		if len(out) > 0 {
			d = &out[len(out)-1]
		}
		switch m := hunkHead.FindStringSubmatch(l); {
		case d != nil && d.before.left+d.after.left > 0:
			d.line(l)
		case d != nil && m != nil:
			d.before.begin(m[1], m[2])
			d.after.begin(m[3], m[4])
		case strings.HasPrefix(l, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
			out = append(out, fileDiff{side{path: diffName(l), text: map[int]string{}}, side{path: diffName(lines[i+1]), text: map[int]string{}}})
		}
	}
	return out
}

// begin begins a hunk. One of no lines is told by the line in front of it.
func (s *side) begin(start, length string) {
	s.next, _ = strconv.Atoi(start) // digits; what is too large is no line of a file
	s.left = 1
	if length != "" {
		s.left, _ = strconv.Atoi(length)
	}
	if s.left == 0 {
		s.next++
	}
}

// line takes a line of a hunk. Where lines were replaced, the two sides have lines, and no gaps.
func (d *fileDiff) line(l string) {
	switch {
	case strings.HasPrefix(l, "+"):
		d.after.only(l[1:])
		d.before.gap()
	case strings.HasPrefix(l, "-"):
		d.before.only(l[1:])
		d.after.gap()
	case strings.HasPrefix(l, `\`): // the last line has no end
	default: // mail and editors take the blank of an empty line away
		l = strings.TrimPrefix(l, " ")
		d.before.take(l)
		d.after.take(l)
	}
}

func (s *side) take(text string) {
	s.text[s.next] = text
	s.next++
	s.left--
}

func (s *side) only(text string) {
	if n := len(s.gaps); n > 0 && s.gaps[n-1] == s.next {
		s.gaps = s.gaps[:n-1]
	}
	s.lines = append(s.lines, s.next)
	s.take(text)
}

func (s *side) gap() {
	replaced := len(s.lines) > 0 && s.lines[len(s.lines)-1] == s.next-1
	known := len(s.gaps) > 0 && s.gaps[len(s.gaps)-1] == s.next
	if !replaced && !known {
		s.gaps = append(s.gaps, s.next)
	}
}

// diffName is the path on a --- or +++ line, "" for none; a time may follow after a tab.
func diffName(line string) string {
	name, _, _ := strings.Cut(line[4:], "\t")
	name = strings.TrimSuffix(name, "\r")
	if q, err := strconv.Unquote(name); err == nil {
		name = q
	}
	if name == "/dev/null" {
		return ""
	}
	return name
}
