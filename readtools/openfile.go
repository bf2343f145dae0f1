package readtools

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/graph"
	"github.com/codegraph-dev/codegraph/search"
	"github.com/codegraph-dev/codegraph/workspace"
)

// describe is an item of a file without its text.
func (o *opening) describe(target string, f *workspace.File) *OpenItem {
	text := search.Decode(f.Data)
	item := &OpenItem{Target: target, Path: f.Path, SHA256: hex.EncodeToString(f.Meta.SHA256[:]), Encoding: text.Encoding, BOM: text.BOM,
		EOL: lineEnds(text.Data), TotalLines: lineCount(text.Data), Language: languageOf(f.Path, f.Known)}
	if text.Encoding == "utf-8" && !utf8.Valid(text.Data) {
		item.Encoding = "unknown"
	}
	if f.Known != nil && f.Known.Skip != "" {
		item.Partial = "not indexed: " + f.Known.Skip
	} else if f.Known != nil && f.Known.Symbols > 0 || f.Known != nil && f.Known.Language != "" {
		if facts := o.factsOf(f.Known.ID); facts != nil && len(facts.Errors) > 0 {
			item.Partial = o.partly(f.Path, facts)
		}
	}
	return item
}

// partly says which lines could not be understood.
func (o *opening) partly(path string, f *graph.Facts) string {
	t := o.source(path)
	if t == nil {
		return "partly indexed"
	}
	var at []string
	for i, e := range f.Errors {
		if i == 5 {
			at = append(at, "...")
			break
		}
		line, _ := t.place(e.Start)
		at = append(at, fmt.Sprint(line))
	}
	return "partly indexed: syntax not understood at line " + strings.Join(at, ", ")
}

// lineEnds tells how the lines of a text end: lf, crlf, mixed, or none without any.
func lineEnds(b []byte) string {
	all := bytes.Count(b, []byte("\n"))
	crlf := bytes.Count(b, []byte("\r\n"))
	switch {
	case all == 0:
		return "none"
	case crlf == 0:
		return "lf"
	case crlf == all:
		return "crlf"
	}
	return "mixed"
}

// lineCount counts lines; a last one without an end counts.
func lineCount(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// file opens a file: all of it, or lines a to b with the context.
func (o *opening) file(target string, f *workspace.File, a, b int, first bool) (*OpenItem, error) {
	item := o.describe(target, f)
	text := search.Decode(f.Data)
	if text.Binary() {
		return nil, &Error{Code: codePrecondition, Message: fmt.Sprintf("%s is binary (%s, a NUL at byte %d)", quotePath(f.Path), count(len(f.Data), "byte"), text.NUL),
			Next: "open a file with text"}
	}
	if a > max(1, item.TotalLines) {
		return nil, usage(fmt.Sprintf("open %s:%d or an earlier line", f.Path, max(1, item.TotalLines)), "%s has %s; there is no line %d",
			quotePath(f.Path), count(item.TotalLines, "line"), a)
	}
	if o.p.View != "source" {
		return o.fileOutline(item, f, a, b, first)
	}
	if a == 0 {
		return o.lines(item, f, 1, item.TotalLines, first)
	}
	return o.lines(item, f, a-o.p.Context, min(b, item.TotalLines)+o.p.Context, first)
}

// fileOutline lists the definitions of a file, or those that lines a to b touch.
func (o *opening) fileOutline(item *OpenItem, f *workspace.File, a, b int, first bool) (*OpenItem, error) {
	if f.Known == nil {
		item.Partial = "not indexed: the file is hidden or ignored"
		return o.fits(item, first), nil
	}
	if item.Language == "" {
		item.Partial = "not indexed: no language is known for this file"
	}
	var hs []graph.Handle
	if facts := o.factsOf(f.Known.ID); facts != nil {
		for i := range facts.Symbols {
			if facts.Str(facts.Symbols[i].Name) != "" && facts.Symbols[i].Flags&graph.Anonymous == 0 {
				hs = append(hs, graph.Handle{File: f.Known.ID, Index: int32(i)})
			}
		}
	}
	o.outline(item, hs)
	if a > 0 {
		var in []Symbol
		for _, s := range item.Outline {
			if s.StartLine <= b && s.EndLine >= a {
				in = append(in, s)
			}
		}
		item.Outline = in
	}
	if o.p.View == "signature" {
		var text []string
		for _, s := range item.Outline {
			text = append(text, s.Signature)
		}
		item.Text, item.Outline = strings.Join(text, "\n"), nil
	}
	item.Lines = [2]int{1, item.TotalLines}
	return o.fits(item, first), nil
}

// outline lists symbols; path and language are said once, by the item.
func (o *opening) outline(item *OpenItem, hs []graph.Handle) {
	item.Outline = o.symbols(hs)
	item.Lines = [2]int{1, item.TotalLines}
}

// fits takes an item's size from the budget; nil if there is no room for it.
func (o *opening) fits(item *OpenItem, first bool) *OpenItem {
	size := len(item.text())
	if size > o.left && !first {
		return nil
	}
	if size > o.left && len(item.Outline) > 0 {
		o.cutOutline(item)
		size = len(item.text())
	}
	o.left -= size
	return item
}

// cutOutline leaves of an outline what fits, and tells how to see the rest.
func (o *opening) cutOutline(item *OpenItem) {
	n := max(1, fit(item.Outline, o.left, func(i int) int { return len(outlineText(&item.Outline[i])) }))
	if n < len(item.Outline) {
		rest := item.Outline[n]
		o.res.Complete = false
		o.res.note(fmt.Sprintf("%s shown of %s in %s; next: read_open view: outline, target: %q", thousands(n), count(len(item.Outline), "symbol"),
			quotePath(item.Path), fmt.Sprintf("%s:%d-", item.Path, rest.StartLine)))
		item.Outline = item.Outline[:n]
	}
}

// lines sets the text of an item to lines a to b, as many as there is room for.
func (o *opening) lines(item *OpenItem, f *workspace.File, a, b int, first bool) (*OpenItem, error) {
	text := search.Decode(f.Data)
	a, b = max(1, a), min(b, item.TotalLines)
	t := &source{data: text.Data, lines: graph.NewLineTable(text.Data)}
	start, ok := t.lines.Start(a)
	if !ok || a > b { // an empty file
		item.Lines = [2]int{a, max(a, b)}
		return item, nil
	}
	end := uint32(len(text.Data))
	if e, ok := t.lines.Start(b + 1); ok {
		end = e
	}
	room := max(o.left, 200)
	if int(end-start) > room && !first {
		return nil, nil
	}
	if last := b; int(end-start) > room {
		b, end = t.room(a, b, start, room)
		o.res.Complete = false
		o.cut(item, a, b, last, end)
	}
	piece := text.Data[start:end]
	item.Lines, item.Text = [2]int{a, b}, valid(bytes.ReplaceAll(piece, []byte("\r\n"), []byte("\n"))) // eol tells which they are
	if !utf8.Valid(piece) {
		item.Base64 = base64.StdEncoding.EncodeToString(piece)
	}
	o.left -= len(item.Text) + 100
	return item, nil
}

// room is the last line, and the offset of its end, so that the lines from a on fit into
// room bytes; of a line that is too long by itself, a part.
func (t *source) room(a, b int, start uint32, room int) (last int, end uint32) {
	last, end = a, start
	for n := a; n <= b; n++ {
		next := uint32(len(t.data))
		if n < len(t.lines) {
			next = t.lines[n]
		}
		if int(next-start) > room {
			break
		}
		last, end = n, next
	}
	if end == start {
		end = start + uint32(room)
		for int(end) > int(start) && int(end) < len(t.data) && !utf8.RuneStart(t.data[end]) {
			end--
		}
	}
	return last, end
}

// cut tells what was left out of a text, and the call that shows it.
func (o *opening) cut(item *OpenItem, a, b, last int, end uint32) {
	if b >= last {
		o.res.note(fmt.Sprintf("line %d of %s is longer than the budget and is cut; give a larger budget", b, quotePath(item.Path)))
		return
	}
	o.res.note(fmt.Sprintf("lines %d-%d of %d-%d of %s shown (budget); next: read_open target: %q", a, b, a, last, quotePath(item.Path),
		fmt.Sprintf("%s:%d-%d", item.Path, b+1, last)))
}
