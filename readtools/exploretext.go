package readtools

import (
	"fmt"
	"slices"
	"strings"
)

// Text is the answer as a model or a person reads it: what was asked and how much there is,
// the items grouped by file, and last what was left out and what to do next.
func (r *ExploreResult) Text() string {
	var b strings.Builder
	b.WriteString(r.summary() + "\n")
	if a := r.Account; a != nil {
		b.WriteString(a.text() + "\n")
	}
	first := sectionsFirst[r.Focus]
	if first {
		sectionsText(&b, r.Sections)
	}
	if r.Focus == "overview" && len(r.Items) > 0 {
		b.WriteString("most used symbols\n")
	}
	for i := range r.Items {
		if r.seen(&r.Items[i]) {
			continue
		}
		b.WriteString(itemText(prevItem(r.Items, i), &r.Items[i], r.Focus))
	}
	if !first {
		sectionsText(&b, r.Sections)
	}
	for _, l := range r.Left {
		b.WriteString("left out: " + l + "\n")
	}
	r.tail(&b, "codebase_explore")
	return b.String()
}

// seen reports whether a member stands in the source that is shown of the subject.
func (r *ExploreResult) seen(it *ExploreItem) bool {
	return it.Edge != nil && it.Edge.Role == "member" && r.Subject != nil && r.Items[0].Note == "" && r.Items[0].Edge.Role == "definition" &&
		it.Path == r.Subject.Path && it.Line >= r.Subject.StartLine && it.Line <= r.Subject.EndLine
}

// sectionsFirst are the focuses whose sections say what the items then show.
var sectionsFirst = map[string]bool{"overview": true, "impact": true, "cycles": true, "hotspots": true, "tests": true, "changes": true}

// nouns are what the items of a focus are called.
var nouns = map[string]string{"callers": "call site", "callees": "call", "references": "reference", "implementations": "symbol",
	"hierarchy": "type", "impact": "symbol", "path": "call", "dependencies": "dependency", "cycles": "dependency", "unused": "definition", "hotspots": "definition", "tests": "test", "changes": "place"}

// summary is the first line.
func (r *ExploreResult) summary() string {
	var b strings.Builder
	switch {
	case r.Focus == "auto":
		b.WriteString("answer")
	case r.Focus != "symbol" || r.Subject == nil:
		b.WriteString(r.Focus)
	}
	if r.Subject != nil {
		if b.Len() > 0 {
			b.WriteString(" of ")
		}
		fmt.Fprintf(&b, "%s %s  (%s:%d)", r.Subject.Kind, r.Subject.ID, quotePath(r.Subject.Path), r.Subject.Line)
	}
	if noun := nouns[r.Focus]; noun != "" {
		fmt.Fprintf(&b, ": %s%s", count(r.Total, noun), shownOf(r.Shown, r.Total))
		if r.Bound != "exact" {
			b.WriteString(", at least")
		}
	}
	return b.String()
}

// text is an account on one line.
func (a *Account) text() string {
	parts := []struct {
		n    int
		what string
	}{{a.Bound, "bound to it"}, {a.Possible, "possibly it"}, {a.Other, "of other symbols"}, {a.Unresolved, "not bound"},
		{a.External, "outside the project"}, {a.Local, "of local variables"}, {a.Text, "in comments, strings and other text"}}
	var out []string
	if a.Definitions > 0 {
		out = append(out, count(a.Definitions, "definition"))
	}
	for _, p := range parts {
		if p.n > 0 {
			out = append(out, thousands(p.n)+" "+p.what)
		}
	}
	return fmt.Sprintf("%s occurs %s as a word: %s", a.Name, count(a.Total, "time"), strings.Join(out, ", "))
}

func sectionsText(b *strings.Builder, all []Section) {
	for _, s := range all {
		b.WriteString(s.Title + "\n")
		for _, l := range s.Lines {
			b.WriteString("  " + l + "\n")
		}
	}
}

// itemText is an item's lines; prev is the one before it, whose file's name is not repeated.
func itemText(prev, it *ExploreItem, focus string) string {
	var b strings.Builder
	if it.Depth > 1 && focus != "path" && (prev == nil || prev.Depth != it.Depth) {
		fmt.Fprintf(&b, "%d steps away:\n", it.Depth)
		prev = nil
	}
	if it.Line == 0 && it.Symbol == nil {
		fmt.Fprintf(&b, "%s  [%s]\n", quotePath(it.Path), it.remark(focus))
		return b.String()
	}
	if it.Path != "" && (prev == nil || prev.Path != it.Path) {
		b.WriteString(quotePath(it.Path) + "\n")
	}
	if strings.Contains(it.Text, "\n") || it.Edge != nil && it.Edge.Role == "definition" && focus == "symbol" && it.Text != "" {
		b.WriteString(it.block())
		return b.String()
	}
	if it.Line > 0 {
		fmt.Fprintf(&b, "  %d: %s", it.Line, strings.TrimSpace(it.Text))
	} else {
		b.WriteString("  ")
	}
	if r := it.remark(focus); r != "" {
		b.WriteString("  [" + r + "]")
	}
	b.WriteByte('\n')
	return b.String()
}

// block shows an item with its source over several lines.
func (it *ExploreItem) block() string {
	var b strings.Builder
	if s := it.Symbol; s != nil {
		fmt.Fprintf(&b, "  %s %s  lines %d-%d%s\n", s.Kind, s.ID, s.StartLine, s.EndLine, s.provided("; "))
	}
	for l := range strings.SplitSeq(it.Text, "\n") {
		b.WriteString("    " + l + "\n")
	}
	if it.Note != "" {
		b.WriteString("  (" + it.Note + ")\n")
	}
	return b.String()
}

// outside says what a name is that means no symbol of the project.
func (it *ExploreItem) outside() string {
	if it.Edge != nil && it.Edge.Reason == "builtin" {
		return "builtin"
	}
	return "not in the project"
}

// remark is what is known of an item beside its line.
func (it *ExploreItem) remark(focus string) string {
	var parts []string
	if focus == "changes" && it.Target != nil {
		focus = "path" // a place that uses what changes
	}
	role := ""
	if it.Edge != nil {
		role = it.Edge.Role
	}
	switch focus {
	case "callers", "references", "path", "impact", "tests":
		if it.Symbol != nil {
			parts = append(parts, "in "+it.Symbol.Kind+" "+qualified(it.Symbol))
		} else if it.Line > 0 {
			parts = append(parts, "at top level")
		}
		if focus != "callers" {
			parts = append(parts, role)
		}
		if it.Target != nil && (focus == "path" || it.Depth > 1) {
			parts = append(parts, "of "+it.Target.Kind+" "+it.Target.ID)
		}
	case "callees":
		if it.Symbol != nil {
			parts = append(parts, it.Symbol.Kind+" "+it.Symbol.ID+" line "+fmt.Sprint(it.Symbol.Line))
		} else {
			parts = append(parts, it.External+", "+it.outside())
		}
	case "cycles":
		return it.Note + "; " + strings.Join(slices.Compact([]string{role, it.Edge.Reason}), ", ")
	case "dependencies":
		parts = append(parts, strings.Join(strings.Fields(role+" "+it.External+" "+it.Note), " "))
		return parts[0]
	default:
		if it.Symbol != nil {
			parts = append(parts, strings.TrimSpace(role+" "+it.Symbol.Kind+" "+it.Symbol.ID))
		} else if what := strings.TrimSpace(role + " " + it.External); what != "" {
			parts = append(parts, what)
		}
	}
	if it.Edge != nil && !it.Edge.Certain {
		parts = append(parts, "possible: "+it.Edge.Reason)
	} else if it.Edge != nil && it.Edge.Reason != "" && it.External == "" {
		parts = append(parts, it.Edge.Reason)
	}
	if it.Note != "" {
		parts = append(parts, it.Note)
	}
	return strings.Join(parts, "; ")
}
