package main

import (
	"fmt"
	"regexp"
	"strings"
)

// listed matches remarks that allow a gap which the program itself tells.
var listed = regexp.MustCompile(`(?i)\b(not|partly)( or partly)? indexed\b`)

// remarks is the free text of the expectation.
func (c *checker) remarks() string { return text(c.expect["note"]) + " " + text(c.expect["coverage"]) }

// fits reports whether a reported symbol is the one that a case describes.
func fits(want fields, y symbol) bool {
	line, hasLine := number(want["line"])
	switch {
	case want["name"] != nil && !sameName(qualified(text(want["container"]), text(want["name"])), qualified(y.Container, y.Name)):
	case want["name"] == nil && want["container"] != nil && !sameName(containerParts(text(want["container"])), containerParts(y.Container)):
	case want["kind"] != nil && !kindsOf(want["kind"]).has(y.Kind):
	case want["file"] != nil && text(want["file"]) != y.Path:
	case hasLine && line != y.Line:
	case want["static"] != nil && y.Static != nil && truth(want["static"]) != *y.Static:
	default:
		return true
	}
	return false
}

// describe tells a wanted entry in a few words.
func describe(want fields) string {
	name := text(want["name"]) + text(want["caller"])
	if o := text(want["container"]); o != "" {
		name = o + "." + name
	}
	out := strings.TrimSpace(strings.Join(texts(want["kind"]), "|") + " " + name)
	if f := text(want["file"]); f != "" {
		out += " at " + f
		if want["line"] != nil {
			out += ":" + text(want["line"])
		}
	}
	return out
}

var defFields = []string{"name", "kind", "file", "line", "container", "static", "note"}

func checkDefs(c *checker, v any) {
	used := map[int]bool{}
next:
	for _, e := range list(v) {
		want := record(e, "name")
		if k := want.stranger(defFields...); k != "" {
			c.failf("the runner does not know field defs.%s", k)
		}
		for i, y := range c.a.symbols {
			if !used[i] && fits(want, y) {
				used[i] = true
				continue next
			}
		}
		file := text(want["file"])
		if c.q.Kind == "robust" && c.a.partial[file] && listed.MatchString(c.remarks()) {
			continue
		}
		c.failf("expected %s, came %s", describe(want), c.nearest(text(want["name"]), file))
	}
}

// nearest tells what was reported in place of a missing symbol.
func (c *checker) nearest(name, file string) string {
	var same []string
	for _, y := range c.a.symbols {
		if y.Name == name || strings.HasSuffix(y.Name, "."+name) || strings.HasSuffix(y.Name, "::"+name) {
			same = append(same, y.String())
		}
	}
	out := "none of that name"
	if len(same) > 0 {
		out = strings.Join(same, ", ")
	}
	if c.a.partial[file] {
		out += " (listed as not or partly indexed)"
	} else if c.expect["coverage"] != nil {
		out += " (and no mark that the file is partly indexed)"
	}
	return out
}

func checkNotDefs(c *checker, v any) {
	for _, e := range list(v) {
		bad := record(e, "name")
		if k := bad.stranger(defFields...); k != "" {
			c.failf("the runner does not know field not_defs.%s", k)
		}
		for _, y := range c.a.symbols {
			if fits(bad, y) {
				c.failf("expected no %s, came %s", describe(bad), y)
			}
		}
	}
}

// sort is the reported symbols of the sort that the case speaks of.
func (c *checker) sort() []symbol {
	kinds := kindSet{}
	if words := text(c.expect["complete_for"]); words != "" {
		kinds = kindWords(words)
	} else if !c.a.whole {
		for _, e := range list(c.expect["defs"]) {
			d := record(e, "name")
			if d["kind"] == nil {
				kinds = kindSet{}
				break
			}
			for k := range kindsOf(d["kind"]) {
				kinds[k] = true
			}
		}
	}
	if kinds["definition"] || kinds["symbol"] || kinds["everything"] {
		kinds = kindSet{}
	}
	var out []symbol
	for _, y := range c.a.symbols {
		if kinds.has(y.Kind) {
			out = append(out, y)
		}
	}
	return out
}

// checkComplete wants no symbol of the sort beyond defs and names.
func checkComplete(c *checker, _ any) {
	for _, y := range c.surplus() {
		c.failf("expected no more than the case lists, came %s", y)
	}
}

// surplus is the symbols of the sort that neither defs nor names list.
func (c *checker) surplus() []symbol {
	var out []symbol
next:
	for _, y := range c.sort() {
		for _, field := range []string{"defs", "names"} {
			for _, e := range list(c.expect[field]) {
				if fits(record(e, "name"), y) {
					continue next
				}
			}
		}
		out = append(out, y)
	}
	return out
}

// named is one thing that a names list may mean.
type named struct {
	symbol   symbol
	resolved bool // its definition is in the project
}

// nameables are the answer's things that have names.
func (c *checker) nameables() []named {
	var out []named
	for _, y := range c.a.symbols {
		out = append(out, named{y, true})
	}
	for _, it := range c.a.doc.Items {
		switch {
		case it.Symbol != nil:
			out = append(out, named{*it.Symbol, true})
		case it.External != "":
			out = append(out, named{symbol: symbol{Name: it.External, Path: it.Path, Line: it.Line}})
		}
	}
	for _, m := range c.a.doc.Matches {
		if m.Symbol != nil && len(c.a.symbols) == 0 {
			out = append(out, named{*m.Symbol, true})
		}
	}
	return out
}

// is reports whether n is what a names entry describes. Of an unresolved one only the name
// counts, and it must not be bound.
func (n named) is(want fields) bool {
	if r, given := want["resolved"]; given && truth(r) != n.resolved || truth(want["external"]) && n.resolved {
		return false
	}
	if !n.resolved {
		return sameName(nameParts(text(want["name"])), containerParts(n.symbol.Name))
	}
	return fits(want, n.symbol)
}

var nameFields = append([]string{"resolved", "external", "relation", "via"}, defFields...)

func checkNames(c *checker, v any) {
	for _, e := range list(v) {
		want := record(e, "name")
		if k := want.stranger(nameFields...); k != "" {
			c.failf("the runner does not know field names.%s", k)
		}
		if !c.anyNamed(want) {
			c.failf("expected %s, came %s", describe(want), c.namesSeen())
		}
	}
}

func (c *checker) anyNamed(want fields) bool {
	for _, n := range c.nameables() {
		if n.is(want) {
			return true
		}
	}
	return false
}

func (c *checker) namesSeen() string {
	var out []string
	for _, n := range c.nameables() {
		out = append(out, n.symbol.Name)
	}
	if len(out) == 0 {
		return "no names"
	}
	return clip(strings.Join(out, ", "), 200)
}

func checkNotNames(c *checker, v any) {
	for _, e := range list(v) {
		if bad := record(e, "name"); c.anyNamed(bad) {
			c.failf("expected no %s, but it is there", describe(bad))
		}
	}
}

func checkTotal(c *checker, v any) {
	want, _ := number(v)
	got := c.a.doc.Total
	if c.kind() == "symbols" {
		got = len(c.sort())
	}
	if got != want {
		c.failf("expected total %d, came %d", want, got)
	}
}

// checkCount wants nothing beyond what the case lists, and that many.
func checkCount(c *checker, v any) {
	want, _ := number(v)
	var got, extra []string
	switch c.kind() {
	case "callers":
		got, extra = c.callSites()
	case "callees":
		got, extra = c.callTargets()
	case "references":
		got, extra = c.referenceSites()
	case "grep":
		got = lineSet(c.a.doc.Matches)
	case "discover":
		for _, e := range c.a.doc.Entries {
			if e.Type != "dir" {
				got = append(got, e.Path)
			}
		}
	default:
		for _, y := range c.sort() {
			got = append(got, y.String())
		}
		for _, y := range c.surplus() {
			extra = append(extra, y.String())
		}
	}
	if len(got) == want {
		return
	}
	more := ""
	if len(extra) > 0 {
		more = " (more than expected: " + clip(strings.Join(extra, ", "), 300) + ")"
	}
	c.failf("expected count %d, came %d%s", want, len(got), more)
}

// place is a call site or mention in words.
func place(path string, line int) string { return fmt.Sprintf("%s:%d", path, line) }
