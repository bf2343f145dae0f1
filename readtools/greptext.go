package readtools

import (
	"fmt"
	"strconv"
	"strings"
)

// Text is the answer as a model or a person reads it: totals first, matches grouped by
// file, and last what to do next.
func (r *GrepResult) Text() string {
	var b strings.Builder
	b.WriteString(r.summary())
	switch {
	case len(r.Counts) > 0:
		for _, c := range r.Counts {
			fmt.Fprintf(&b, "%s: %d\n", quotePath(c.Path), c.Count)
		}
	case len(r.Files) > 0:
		for _, f := range r.Files {
			b.WriteString(quotePath(f) + "\n")
		}
	}
	for i := range r.Matches {
		b.WriteString(matchText(prevMatch(r.Matches, i), &r.Matches[i]))
	}
	r.tail(&b, "grep")
	return b.String()
}

// summary is the first line.
func (r *GrepResult) summary() string {
	if r.Total == 0 {
		if r.SearchedFiles > 0 {
			return fmt.Sprintf("no match in %s\n", count(r.SearchedFiles, "file"))
		}
		return "no match\n"
	}
	what := "match"
	if len(r.Files) > 0 {
		return fmt.Sprintf("%s with matches%s\n", count(r.Total, "file"), shownOf(r.Shown, r.Total))
	}
	if len(r.Counts) > 0 {
		return fmt.Sprintf("%s in %s%s\n", count(r.Total, what), count(r.FilesMatched, "file"), shownOf(r.Shown, r.FilesMatched))
	}
	return fmt.Sprintf("%s in %s%s\n", count(r.Total, what), count(r.FilesMatched, "file"), shownOf(r.Shown, r.Total))
}

// shownOf tells that not everything is shown.
func shownOf(shown, total int) string {
	if shown >= total {
		return ""
	}
	return fmt.Sprintf(", %s shown", thousands(shown))
}

// matchText is a match's lines; prev is the one before it, whose file's name is not repeated.
func matchText(prev, m *Match) string {
	var b strings.Builder
	if prev == nil || prev.Path != m.Path {
		b.WriteString(quotePath(m.Path) + "\n")
	} else if m.Line-len(m.Before) > lastLine(prev)+1 && len(m.Before)+len(prev.After) > 0 {
		b.WriteString("  --\n")
	}
	if m.Binary {
		b.WriteString("  " + m.Text + "\n")
		return b.String()
	}
	for i, l := range m.Before {
		fmt.Fprintf(&b, "  %d- %s\n", m.Line-len(m.Before)+i, l)
	}
	lines := strings.Split(m.Text, "\n")
	for i, l := range lines {
		fmt.Fprintf(&b, "  %d: %s", m.Line+i, strings.TrimSuffix(l, "\r"))
		if i == 0 {
			b.WriteString(m.remark(prev))
		}
		b.WriteByte('\n')
	}
	for i, l := range m.After {
		fmt.Fprintf(&b, "  %d- %s\n", max(m.Line, m.EndLine)+1+i, l)
	}
	return b.String()
}

func lastLine(m *Match) int { return max(m.Line, m.EndLine) + len(m.After) }

// remark is what the graph knows of a match, in brackets.
func (m *Match) remark(prev *Match) string {
	var parts []string
	if m.Key != "" {
		parts = append(parts, m.Role+" of "+m.Key)
	} else if m.Role != "" {
		parts = append(parts, strings.TrimSpace(m.Role+" "+m.Status+reasonText(m.Reason)))
		if m.Target != nil {
			parts = append(parts, "of "+m.Target.Kind+" "+m.Target.ID)
		}
	}
	switch s := m.Symbol; {
	case s == nil:
	case s.Line == m.Line && s.Path == m.Path && m.Role == "":
		parts = append(parts, s.Kind+" "+s.ID+s.provided("; "))
	case prev == nil || prev.Symbol == nil || prev.Symbol.ID != s.ID:
		parts = append(parts, "in "+s.Kind+" "+qualified(s))
	}
	if m.Clipped {
		parts = append(parts, fmt.Sprintf("part of a long line, column %d", m.Column))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  [" + strings.Join(parts, "; ") + "]"
}

func reasonText(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// tail ends a text: what was skipped, notes, and the next step.
func (h *Head) tail(b *strings.Builder, tool string) {
	for _, s := range h.Skipped {
		switch {
		case s.Count > 0:
			fmt.Fprintf(b, "skipped: %s (%s)\n", count(s.Count, "file"), s.Reason)
		default:
			fmt.Fprintf(b, "skipped: %s (%s)\n", quotePath(s.Path), s.Reason)
		}
	}
	for _, n := range h.Notes {
		b.WriteString("note: " + n + "\n")
	}
	if h.Cursor != "" {
		fmt.Fprintf(b, "next: more with the same arguments to %s and cursor: %q\n", tool, h.Cursor)
	}
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		switch {
		case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "s"):
			noun += "es"
		case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ey"):
			noun = noun[:len(noun)-1] + "ies"
		default:
			noun += "s"
		}
	}
	return thousands(n) + " " + noun
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
