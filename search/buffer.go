package search

import (
	"bytes"
	"context"
)

// SearchBytes searches the raw bytes of one file. Skipped is not nil when the
// file is binary and was not asked for by name. The error is that of ctx.
func SearchBytes(ctx context.Context, p *Pattern, raw []byte, opt BufferOptions) (res FileResult, skipped *Skip, err error) {
	return searchText(ctx, p, Decode(raw), opt, newStopper(ctx))
}

// searchText searches decoded text.
func searchText(ctx context.Context, p *Pattern, t Text, opt BufferOptions, stop *stopper) (FileResult, *Skip, error) {
	res := FileResult{Encoding: t.Encoding, BOM: t.BOM}
	data := t.Data
	if t.Binary() && !p.opt.Text {
		if !opt.Explicit {
			return res, &Skip{Reason: SkipBinary}, nil
		}
		res.Binary, res.NUL = true, int64(t.NUL)
		data = bytes.ReplaceAll(data, []byte{0}, []byte{'\n'})
		opt = BufferOptions{Mode: Files}
	}
	c := &collector{m: p.acquire(stop), data: data, opt: opt, res: &res, line: 1}
	defer c.m.release()
	var v verdict
	switch {
	case p.multi:
		v = c.multiline()
	default:
		v = c.lines()
	}
	if v == ranStop || c.halted {
		if err := context.Cause(ctx); err != nil {
			return res, nil, err
		}
		return res, nil, errLate
	}
	c.finish()
	return res, nil, nil
}

// A collector turns the matches of one text into a FileResult.
type collector struct {
	m       *matcher
	data    []byte
	opt     BufferOptions
	res     *FileResult
	off     int // everything before has been counted into line
	line    int // number of the line that begins at off
	printed int // end of the last line that was kept, match or context
	after   int // lines of context still owed to the last match
	halted  bool
}

// lines searches line by line. It reports matching lines, or the others.
func (c *collector) lines() verdict {
	var scan *litScan
	if pf := c.m.p.pf; pf != nil {
		s := pf.newScan(c.data)
		scan = &s
	}
	for pos := 0; pos < len(c.data); {
		start, end, v := c.m.nextLine(c.data, pos, scan)
		if v == ranStop {
			return v
		}
		if v != ranMatch {
			start, end = len(c.data), len(c.data)
		}
		if c.m.p.opt.Invert {
			if !c.linesBetween(pos, start) {
				return ranNone
			}
		} else if start < len(c.data) && !c.match(start, end) {
			return ranNone
		}
		pos = end
	}
	return ranNone
}

// linesBetween reports every line from..to as matching.
func (c *collector) linesBetween(from, to int) bool {
	if c.opt.Mode == Count && c.opt.MaxCount == 0 {
		c.res.Lines += countLines(c.data[from:to])
		return true
	}
	for from < to {
		end := lineEnd(c.data, from)
		if c.halted = c.m.stop.stopped(); c.halted || !c.match(from, end) {
			return false
		}
		from = end
	}
	return true
}

// countLines counts lines, the last one perhaps without a line feed.
func countLines(b []byte) int {
	n := bytes.Count(b, []byte{'\n'})
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// match takes the line start..end in, and reports whether to go on.
func (c *collector) match(start, end int) bool {
	if c.opt.Mode == Lines && c.kept() {
		c.keep(start, end, nil)
	} else {
		c.res.Spans++
	}
	c.res.Lines++
	if c.opt.Mode == Files {
		c.res.More = true
		return false
	}
	if c.opt.MaxCount > 0 && c.res.Lines >= c.opt.MaxCount {
		return false
	}
	return true
}

// kept reports whether another line is to be kept.
func (c *collector) kept() bool {
	if c.opt.Keep == 0 || c.res.Lines < c.opt.Keep {
		return true
	}
	c.res.More = true
	return false
}

// keep stores the lines start..end with their context. spans are relative to
// start; nil asks for them to be found.
func (c *collector) keep(start, end int, spans []Span) {
	c.trail(start)
	c.lead(start)
	m := Match{Line: c.number(start), Off: int64(start), Column: 1}
	text := trimEOL(c.data[start:end])
	m.EndLine = m.Line + bytes.Count(text, []byte{'\n'})
	if spans == nil && !c.m.p.opt.Invert {
		m.Spans, m.Count = c.spans(trimLF(c.data[start:end]), len(text))
	} else {
		m.Spans, m.Count = c.cut(spans, len(text)), len(spans)
	}
	focus := Span{}
	if len(m.Spans) > 0 {
		focus = m.Spans[0]
		m.Column = focus.Start + 1
	}
	m.Text, m.Clip = c.clip(text, focus)
	c.res.Spans += m.Count
	c.res.Matches = append(c.res.Matches, m)
	c.printed, c.after = end, c.opt.After
}

// clip copies the text of a line, or the part of it that is shown.
func (c *collector) clip(text []byte, focus Span) (string, *Clip) {
	if c.opt.MaxText <= 0 || len(text) <= c.opt.MaxText {
		return string(text), nil
	}
	// Cut a generous window first, so that a huge line is not copied.
	lo := max(0, focus.Start-2*c.opt.MaxText)
	hi := min(len(text), max(lo, focus.Start)+4*c.opt.MaxText)
	s, cl := ClipText(string(text[lo:hi]), Span{focus.Start - lo, min(focus.End, hi) - lo}, c.opt.MaxText)
	if cl == nil {
		cl = &Clip{}
	}
	return s, &Clip{Start: cl.Start + lo, Len: len(text)}
}

// spans finds the matches within one line.
func (c *collector) spans(line []byte, textLen int) (spans []Span, count int) {
	most := c.maxSpans()
	last := Span{-1, -1}
	c.m.walk(line, func(s, e int) bool {
		m := Span{min(s, textLen), min(e, textLen)}
		if m == last {
			return true // both stand behind the text, beside its carriage return
		}
		if count++; len(spans) < most {
			spans = append(spans, m)
		}
		last = m
		return true
	})
	return spans, count
}

// maxSpans is the number of spans kept of a line.
func (c *collector) maxSpans() int {
	if c.opt.MaxSpans > 0 {
		return c.opt.MaxSpans
	}
	return 1000
}

// cut clips spans to the text and to the number kept.
func (c *collector) cut(spans []Span, textLen int) []Span {
	var out []Span
	for _, s := range spans[:min(len(spans), c.maxSpans())] {
		out = append(out, Span{min(s.Start, textLen), min(s.End, textLen)})
	}
	return out
}

// number returns the number of the line that begins at start; successive calls
// do not go back.
func (c *collector) number(start int) int {
	c.line += bytes.Count(c.data[c.off:start], []byte{'\n'})
	c.off = start
	return c.line
}

// trail keeps the context still owed to the last match, up to limit.
func (c *collector) trail(limit int) {
	for c.after > 0 && c.printed < limit {
		end := lineEnd(c.data, c.printed)
		c.context(c.printed, end)
		c.printed, c.after = end, c.after-1
	}
	c.after = 0
}

// lead keeps the context before a match at start.
func (c *collector) lead(start int) {
	from := start
	for range c.opt.Before {
		if from <= c.printed {
			break
		}
		from = bytes.LastIndexByte(c.data[c.printed:from-1], '\n') + 1 + c.printed
	}
	for from < start {
		end := lineEnd(c.data, from)
		c.context(from, end)
		from = end
	}
}

// context keeps one line of context.
func (c *collector) context(start, end int) {
	n := c.number(start)
	m := Match{Line: n, EndLine: n, Column: 1, Off: int64(start), Context: true}
	m.Text, m.Clip = c.clip(trimEOL(c.data[start:end]), Span{})
	c.res.Matches = append(c.res.Matches, m)
}

// finish keeps the context after the last match.
func (c *collector) finish() {
	if c.opt.Mode == Lines {
		c.trail(len(c.data))
	}
}
