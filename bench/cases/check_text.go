package main

import (
	"regexp"
	"sort"
	"strings"
)

// cleanText fails for lines that show what is no part of them: a carriage return before the
// line end, or a byte order mark.
func (c *checker) cleanText() {
	for _, m := range c.a.doc.Matches {
		switch {
		case strings.HasSuffix(strings.TrimSuffix(m.Text, "\n"), "\r"):
			c.failf("the text of %s ends in a carriage return", place(m.Path, m.Line))
		case strings.HasPrefix(m.Text, "\ufeff"):
			c.failf("the text of %s begins with a byte order mark", place(m.Path, m.Line))
		}
	}
}

// lineSet is the distinct lines of some matches.
func lineSet(all []match) []string {
	seen := map[string]bool{}
	var out []string
	for _, m := range all {
		if p := place(m.Path, m.Line); !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

var matchFields = []string{"file", "line", "column", "text", "text_starts_with", "symbol", "role", "key", "note"}

func hit(want fields, m match) bool {
	line, hasLine := number(want["line"])
	column, hasColumn := number(want["column"])
	switch {
	case want["file"] != nil && text(want["file"]) != m.Path, hasLine && line != m.Line, hasColumn && column != m.Column:
	case want["text"] != nil && strings.TrimRight(m.Text, "\n") != text(want["text"]):
	case want["text_starts_with"] != nil && !strings.HasPrefix(m.Text, text(want["text_starts_with"])):
	case want["symbol"] != nil && (m.Symbol == nil || !sameName(nameParts(text(want["symbol"])), qualified(m.Symbol.Container, m.Symbol.Name))):
	case want["role"] != nil && text(want["role"]) != m.Role, want["key"] != nil && text(want["key"]) != m.Key:
	default:
		return true
	}
	return false
}

// wantHits wants each entry among matches.
func (c *checker) wantHits(field string, v any, all []match) {
next:
	for _, e := range list(v) {
		want := record(e, "file")
		if k := want.stranger(matchFields...); k != "" {
			c.failf("the runner does not know field %s.%s", field, k)
		}
		for _, m := range all {
			if hit(want, m) {
				continue next
			}
		}
		c.failf("expected %s %s:%s, came %s", field, text(want["file"]), text(want["line"]), orNone(lineSet(all)))
	}
}

// checkMatches wants every listed line, and no other unless total says there are more.
func checkMatches(c *checker, v any) {
	c.wantHits("matches", v, c.a.doc.Matches)
	entries := list(v)
	if total, given := number(c.expect["total"]); given && total > len(entries) {
		return
	}
next:
	for _, m := range c.a.doc.Matches {
		for _, e := range entries {
			if hit(record(e, "file"), m) {
				continue next
			}
		}
		c.failf("expected no match at %s, came %q", place(m.Path, m.Line), clip(m.Text, 100))
	}
}

func checkNotMatches(c *checker, v any) {
	for _, e := range list(v) {
		for _, m := range c.a.doc.Matches {
			if hit(record(e, "file"), m) {
				c.failf("expected no match at %s, came %q", place(m.Path, m.Line), clip(m.Text, 100))
			}
		}
	}
}

func checkDistinct(c *checker, v any) {
	want, _ := number(v)
	if got := len(lineSet(c.a.doc.Matches)); got != want || got != len(c.a.doc.Matches) {
		c.failf("expected %d distinct lines, came %d in %d matches", want, got, len(c.a.doc.Matches))
	}
}

// isUse tells a use of a configuration key from its definition.
func isUse(m match) bool {
	return m.Key == "" || m.Role == "use" || m.Role == "read" || m.Role == "reference"
}

func (c *checker) keyMatches(uses bool) []match {
	var out []match
	for _, m := range c.a.doc.Matches {
		if isUse(m) == uses {
			out = append(out, m)
		}
	}
	return out
}

func checkDefinitions(c *checker, v any) { c.wantHits("definitions", v, c.keyMatches(false)) }

func checkUses(c *checker, v any) { c.wantHits("uses", v, c.keyMatches(true)) }

// paths are all paths that the answer speaks of.
func (c *checker) paths() map[string]bool {
	set := map[string]bool{}
	for _, e := range c.a.doc.Entries {
		set[strings.TrimSuffix(e.Path, "/")] = true
	}
	for _, m := range c.a.doc.Matches {
		set[m.Path] = true
	}
	for _, it := range c.a.doc.Items {
		set[it.Path] = true
		if it.Symbol != nil {
			set[it.Symbol.Path] = true
		}
	}
	for _, y := range c.a.symbols {
		set[y.Path] = true
	}
	return set
}

func checkFiles(c *checker, v any) {
	got := c.paths()
	for _, e := range list(v) {
		if want := text(record(e, "path")["path"]); !got[strings.TrimSuffix(want, "/")] {
			c.failf("expected %s, came %s", want, orNone(sortedKeys(got)))
		}
	}
}

func checkNotFiles(c *checker, v any) {
	got := c.paths()
	for _, bad := range texts(v) {
		if got[strings.TrimSuffix(bad, "/")] {
			c.failf("expected no %s, but it is there", bad)
		}
	}
}

func checkEntries(c *checker, v any) {
next:
	for _, e := range list(v) {
		want := record(e, "path")
		if k := want.stranger("path", "type", "lines", "language", "symbols", "note"); k != "" {
			c.failf("the runner does not know field entries.%s", k)
		}
		lines, hasLines := number(want["lines"])
		symbols, hasSymbols := number(want["symbols"])
		for _, g := range c.a.doc.Entries {
			if g.Path == text(want["path"]) && (want["type"] == nil || g.Type == text(want["type"])) && (!hasLines || g.Lines == lines) &&
				(want["language"] == nil || g.Language == text(want["language"])) && (!hasSymbols || g.Symbols == symbols) {
				continue next
			}
		}
		c.failf("expected entry %v, came %s", want, orNone(sortedKeys(c.paths())))
	}
}

func sortedKeys(set map[string]bool) []string {
	var out []string
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// checkLines wants lines of an opened text, or line numbers that a message names.
func checkLines(c *checker, v any) {
	for _, e := range list(v) {
		want, isLine := e.(fields)
		if !isLine {
			if n := text(e); !regexp.MustCompile(`(^|\D)` + regexp.QuoteMeta(n) + `(\D|$)`).MatchString(c.said()) {
				c.failf("expected the message to name line %s, came %q", n, clip(c.said(), 200))
			}
			continue
		}
		n, _ := number(want["line"])
		if got, ok := c.line(n); !ok || got != text(want["text"]) {
			c.failf("expected line %d %q, came %q", n, text(want["text"]), clip(got, 200))
		}
	}
}

// line is one line of the opened text.
func (c *checker) line(n int) (string, bool) {
	for _, it := range c.a.doc.Items {
		lines := strings.Split(strings.TrimSuffix(it.Text, "\n"), "\n")
		if i := n - it.Lines[0]; i >= 0 && i < len(lines) {
			return lines[i], true
		}
	}
	return "", false
}

// opened is the text of all opened items.
func (c *checker) opened() string {
	var b strings.Builder
	for _, it := range c.a.doc.Items {
		b.WriteString(it.Text)
	}
	return b.String()
}

func checkText(c *checker, v any) {
	if got := c.opened(); got != text(v) && strings.TrimSuffix(got, "\n") != strings.TrimSuffix(text(v), "\n") {
		c.failf("expected text %q, came %q", clip(text(v), 200), clip(got, 200))
	}
}

func checkTextHas(c *checker, v any) {
	for _, want := range texts(v) {
		if !strings.Contains(c.opened(), want) {
			c.failf("expected the text to hold %q, came %q", want, clip(c.opened(), 200))
		}
	}
}

func checkTextHasNo(c *checker, v any) {
	for _, bad := range texts(v) {
		if strings.Contains(c.opened(), bad) {
			c.failf("expected the text to hold no %q, came %q", bad, clip(c.opened(), 200))
		}
	}
}

func checkTextStarts(c *checker, v any) {
	if !strings.HasPrefix(c.opened(), text(v)) {
		c.failf("expected the text to begin with %q, came %q", text(v), clip(c.opened(), 100))
	}
}

func checkTextEnds(c *checker, v any) {
	if got := c.opened(); !strings.HasSuffix(got, text(v)) {
		c.failf("expected the text to end with %q, came %q", text(v), got[max(0, len(got)-100):])
	}
}

// wantItem compares one value of the first opened item.
func (c *checker) wantItem(field string, v any, of func(item) any) {
	if len(c.a.doc.Items) == 0 {
		c.failf("expected %s %s, nothing was opened", field, text(v))
		return
	}
	if got := text(of(c.a.doc.Items[0])); !strings.EqualFold(got, text(v)) {
		c.failf("expected %s %s, came %s", field, text(v), got)
	}
}

func checkTotalLines(c *checker, v any) {
	c.wantItem("total_lines", v, func(i item) any { return int64(i.TotalLines) })
}
func checkItemSum(c *checker, v any) {
	c.wantItem("sha256", v, func(i item) any { return i.SHA256 })
}
func checkEncoding(c *checker, v any) {
	c.wantItem("encoding", v, func(i item) any { return i.Encoding })
}
func checkEOL(c *checker, v any) { c.wantItem("eol", v, func(i item) any { return i.EOL }) }
func checkBOM(c *checker, v any) { c.wantItem("bom", v, func(i item) any { return i.BOM }) }
