package readtools

import (
	"fmt"
	"strings"
)

// Text is the answer as a model or a person reads it: for each target a line that says what
// it is, then its lines with their numbers, or its outline.
func (r *OpenResult) Text() string {
	var b strings.Builder
	for i := range r.Items {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.Items[i].text())
	}
	r.tail(&b, "read_open")
	return b.String()
}

// text is an item's part of the answer.
func (it *OpenItem) text() string {
	var b strings.Builder
	if it.Error != nil {
		fmt.Fprintf(&b, "%s: %s: %s; %s\n", quotePath(it.Target), it.Error.Code, it.Error.Message, it.Error.Next)
		candidatesText(&b, it.Candidates)
		return b.String()
	}
	b.WriteString(it.head() + "\n")
	if it.Partial != "" {
		b.WriteString("note: " + it.Partial + "\n")
	}
	if len(it.Candidates) > 0 {
		b.WriteString("also declared or defined at:\n")
		candidatesText(&b, it.Candidates)
	}
	for i := range it.Outline {
		b.WriteString(outlineText(&it.Outline[i]))
	}
	switch {
	case it.Text == "":
	case it.numbered():
		for i, l := range strings.Split(strings.TrimSuffix(it.Text, "\n"), "\n") {
			fmt.Fprintf(&b, "%6d\t%s\n", it.Lines[0]+i, strings.TrimSuffix(l, "\r"))
		}
	default:
		b.WriteString(it.Text + "\n")
	}
	return b.String()
}

// numbered reports whether the text is lines of the file.
func (it *OpenItem) numbered() bool {
	return it.Symbol == nil || it.Text != it.Symbol.Signature && !strings.HasSuffix(it.Text, "\n\n"+it.Symbol.Signature)
}

// head says what was opened.
func (it *OpenItem) head() string {
	var facts []string
	if it.Text != "" && (it.Lines[0] > 1 || it.Lines[1] < it.TotalLines) {
		facts = append(facts, fmt.Sprintf("lines %d-%d of %d", it.Lines[0], it.Lines[1], it.TotalLines))
	} else {
		facts = append(facts, count(it.TotalLines, "line"))
	}
	if it.Language != "" {
		facts = append(facts, it.Language)
	}
	if it.Encoding != "utf-8" {
		facts = append(facts, it.Encoding)
	}
	if it.BOM {
		facts = append(facts, "byte order mark")
	}
	if it.EOL == "crlf" || it.EOL == "mixed" {
		facts = append(facts, it.EOL+" line ends")
	}
	if len(it.SHA256) >= 12 {
		facts = append(facts, "sha256 "+it.SHA256[:12])
	}
	head := fmt.Sprintf("%s  (%s)", quotePath(it.Path), strings.Join(facts, ", "))
	if it.Symbol != nil {
		head = it.Symbol.Kind + " " + it.Symbol.ID + "\n" + head
	}
	return head
}

// outlineText is a definition's line in an outline.
func outlineText(s *Symbol) string {
	lines := fmt.Sprint(s.StartLine)
	if s.EndLine > s.StartLine {
		lines += fmt.Sprintf("-%d", s.EndLine)
	}
	indent := ""
	if s.Container != "" {
		indent = strings.Repeat("  ", strings.Count(s.Container, ".")+1)
	}
	sig := s.Signature
	if sig == "" || len(sig) > 160 {
		sig = cutText(sig, 160)
	}
	return fmt.Sprintf("%s%s %s  [%s%s]  %s\n", indent, s.Kind, qualified(s), lines, s.provided("; "), sig)
}

// candidatesText lists symbols by their ids.
func candidatesText(b *strings.Builder, all []Symbol) {
	for i := range all {
		s := &all[i]
		fmt.Fprintf(b, "  %s %s  %s:%d  %s\n", s.Kind, s.ID, quotePath(s.Path), s.Line, cutText(s.Signature, 120))
	}
}
