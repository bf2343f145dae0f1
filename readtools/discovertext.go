package readtools

import (
	"fmt"
	"strings"
)

// Text is the answer as a model or a person reads it.
func (r *DiscoverResult) Text() string {
	var b strings.Builder
	ranked := len(r.Entries) > 0 && r.Entries[0].Score > 0
	switch {
	case r.Total == 0:
		b.WriteString("no path fits\n")
	case ranked:
		fmt.Fprintf(&b, "found %s%s, the best first\n", count(r.Total, "path"), shownOf(r.Shown, r.Total))
	default:
		fmt.Fprintf(&b, "%s%s\n", count(r.Total, "path"), shownOf(r.Shown, r.Total))
	}
	dir := ""
	for i := range r.Entries {
		e := &r.Entries[i]
		if !ranked && e.Type == "file" {
			if d := folderOf(e.Path); d != dir && d != "." {
				if n := len(r.Entries); i == 0 || r.Entries[i-1].Path != d || n == 0 {
					fmt.Fprintf(&b, "%s/\n", quotePath(d))
				}
				dir = d
			}
			b.WriteString(entryText(e, dir, false))
			continue
		}
		if e.Type == "dir" {
			dir = e.Path
		}
		b.WriteString(entryText(e, "", ranked))
	}
	r.tail(&b, "read_discover")
	if r.Total == 0 {
		b.WriteString("next: call read_discover with hidden: true or include_ignored: true, or with fewer words or filters\n")
	}
	return b.String()
}

// entryText is an entry's line. In a tree, a file under its folder's line shows only its name.
func entryText(e *DiscoverEntry, dir string, ranked bool) string {
	if e.Type == "dir" {
		facts := count(e.Files, "file")
		if e.Lines > 0 {
			facts += ", " + count(e.Lines, "line")
		}
		return fmt.Sprintf("%s/  (%s)\n", quotePath(e.Path), facts)
	}
	name, indent := e.Path, ""
	if !ranked && dir != "" && dir == folderOf(e.Path) {
		name, indent = e.Path[len(dir)+1:], "  "
	}
	var facts []string
	if e.Lines > 0 {
		facts = append(facts, count(e.Lines, "line"))
	} else {
		facts = append(facts, count(int(e.Size), "byte"))
	}
	if e.Language != "" {
		facts = append(facts, e.Language)
	}
	if e.Symbols > 0 {
		facts = append(facts, count(e.Symbols, "symbol"))
	}
	return fmt.Sprintf("%s%s  (%s)\n", indent, quotePath(name), strings.Join(facts, ", "))
}
