package readtools

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
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
	at = slices.Compact(at)
	noun := "line "
	if len(at) > 1 {
		noun = "lines "
	}
	return "partly indexed: syntax not understood at " + noun + strings.Join(at, ", ")
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
	item.Lines = [2]int{1, item.TotalLines}
	if o.p.View == "signature" {
		o.signatures(item, first)
	}
	return o.fits(item, first), nil
}

// outline lists symbols; path and language are said once, by the item.
func (o *opening) outline(item *OpenItem, hs []graph.Handle) {
	item.Outline = o.symbols(hs)
	item.Lines = [2]int{1, item.TotalLines}
}

// fits takes an item's size from the budget; nil if there is no room for it.
func (o *opening) fits(item *OpenItem, first bool) *OpenItem {
	size := item.cost()
	if size > o.left && !first {
		return nil
	}
	if size > o.left && len(item.Outline) > 0 {
		o.cutOutline(item)
		size = item.cost()
	}
	o.left -= size
	return item
}

// cost is what an item takes of the budget, which bounds both forms of the answer as it does in
// fit: the characters of its text, or of its JSON what is more than half as many again.
func (it *OpenItem) cost() int {
	b, err := json.Marshal(it)
	if err != nil { // items are plain data
		return len(it.text()) + 1
	}
	return max(len(it.text())+1, (2*len(b)+2)/3)
}

// cutOutline leaves of an outline what fits, and tells how to see the rest.
func (o *opening) cutOutline(item *OpenItem) {
	all := item.Outline
	item.Outline = nil
	room := o.left - item.cost() - cutRoom - 2*len(item.Path)
	n := max(1, fit(all, room, func(i int) int { return len(outlineText(&all[i])) }))
	item.Outline = all[:n]
	o.leave(item, all, n)
}

// signatures makes the signatures of an outline the text of an item; of the first item those that fit.
func (o *opening) signatures(item *OpenItem, first bool) {
	all := item.Outline
	item.Outline = nil
	text := make([]string, len(all))
	for i := range all {
		text[i] = all[i].Signature
	}
	item.Text = strings.Join(text, "\n")
	if !first || item.cost() <= o.left {
		return
	}
	item.Text = ""
	room, n := o.left-item.cost()-cutRoom-2*len(item.Path), 0
	for n < len(all) && (n == 0 || room >= 0) {
		room -= lineCost([]byte(text[n] + "\n"))
		n++
	}
	if room < 0 && n > 1 {
		n--
	}
	item.Text = strings.Join(text[:n], "\n")
	o.leave(item, all, n)
}

// leave tells that only the first n symbols of an item are shown, and how to see the others.
func (o *opening) leave(item *OpenItem, all []Symbol, n int) {
	if n == len(all) {
		return
	}
	o.res.Complete = false
	o.tell(fmt.Sprintf("%s shown of %s in %s; next: read_open view: %s, target: %q", thousands(n), count(len(all), "symbol"),
		quotePath(item.Path), o.p.View, fmt.Sprintf("%s:%d-", item.Path, all[n].StartLine)))
}

// cutRoom is the room that a note of what was cut takes beside the path, which it has twice.
const cutRoom = 150

// tell adds a note, which takes its room of the budget.
func (o *opening) tell(note string) {
	o.left -= len(note) + len("note: \n")
	o.res.note(note)
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
	item.Lines = [2]int{a, b}
	room := o.left - item.cost()
	if fits, _ := t.room(a, b, start, room); fits < b {
		if !first {
			return nil, nil
		}
		last := b
		b, end = t.room(a, b, start, max(room-cutRoom-2*len(item.Path), leastText))
		o.res.Complete = false
		o.cut(item, a, b, last)
		b = max(a, b)
	}
	piece := text.Data[start:end]
	item.Lines, item.Text = [2]int{a, b}, valid(bytes.ReplaceAll(piece, []byte("\r\n"), []byte("\n"))) // eol tells which they are
	if !utf8.Valid(piece) {
		item.Base64 = base64.StdEncoding.EncodeToString(piece)
	}
	o.left -= item.cost()
	return item, nil
}

// leastText is how much of its lines the first item of an answer shows, however small the budget.
const leastText = 200

// room is the last line, and the offset of its end, so that the lines from a on cost at most room; of
// the first line, if it is too long by itself, a part, and a-1 as the last.
func (t *source) room(a, b int, start uint32, room int) (last int, end uint32) {
	last, end = a-1, start
	for n := a; n <= b; n++ {
		next := uint32(len(t.data))
		if n < len(t.lines) {
			next = t.lines[n]
		}
		if room -= lineCost(t.data[end:next]); room < 0 {
			if n == a {
				return a - 1, t.part(start, next, room+lineCost(t.data[end:next]))
			}
			break
		}
		last, end = n, next
	}
	return last, end
}

// part is the end of as much of a line as room has place for.
func (t *source) part(start, end uint32, room int) uint32 {
	at := start
	for at < end {
		_, n := utf8.DecodeRune(t.data[at:end])
		if room -= lineCost(t.data[at:at+uint32(n)]) - lineNumber; room < lineNumber {
			break
		}
		at += uint32(n)
	}
	return at
}

// lineNumber is the room that the number in front of a line takes.
const lineNumber = 8

// lineCost is what a line takes of the budget: see cost. Bytes that are no text are told twice, as
// U+FFFD and in base64.
func lineCost(line []byte) int {
	n := 2
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			n += 6
		case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
			n += 2
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029' || r == 0x7f:
			n += 6
		default:
			n += size
		}
		i += size
	}
	if !utf8.Valid(line) {
		n += (len(line)+2)/3*4 + 4
	}
	return max(len(line)+lineNumber, (2*n+2)/3)
}

// cut tells what was left out of a text of lines a to last that ends with b, and the call that shows
// it; with b less than a, line a itself is cut.
func (o *opening) cut(item *OpenItem, a, b, last int) {
	shown := fmt.Sprintf("lines %d-%d of %d-%d of %s shown (budget)", a, b, a, last, quotePath(item.Path))
	if b < a {
		shown = fmt.Sprintf("line %d of %s is longer than the budget and is cut; give a larger budget, or find what is in it with grep", a, quotePath(item.Path))
		b = a
	}
	if b < last {
		shown += fmt.Sprintf("; next: read_open target: %q", fmt.Sprintf("%s:%d-%d", item.Path, b+1, last))
	}
	o.tell(shown)
}
