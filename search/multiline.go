package search

import "bytes"

// multiline searches text whose matches may cross lines. A match stands for the
// lines that it touches; matches that begin on a line which the one before
// touches are reported together with it, so that no line is reported twice.
func (c *collector) multiline() verdict {
	if pf := c.m.p.pf; pf != nil {
		scan := pf.newScan(c.data)
		if _, _, ok := scan.find(0); !ok {
			if c.m.p.opt.Invert {
				c.linesBetween(0, len(c.data))
			}
			return ranNone
		}
	}
	g := group{c: c}
	v := c.m.walk(c.data, g.add)
	if v == ranStop {
		return v
	}
	if !g.done {
		g.flush()
	}
	if c.m.p.opt.Invert && !g.done {
		c.linesBetween(g.end, len(c.data))
	}
	return ranNone
}

// group gathers matches that share lines.
type group struct {
	c          *collector
	start, end int // lines covered; empty before the first match
	spans      []Span
	done       bool // enough has been found
}

// add takes a match in, and reports whether to go on.
func (g *group) add(start, end int) bool {
	data := g.c.data
	first := g.start // when the match begins within the lines of the group
	if start >= g.end {
		first = bytes.LastIndexByte(data[g.end:start], '\n') + 1 + g.end
	}
	if first >= len(data) {
		return true // behind the last line feed there is no line
	}
	if len(g.spans) > 0 && start >= g.end {
		if !g.flush() {
			return false
		}
	}
	if len(g.spans) == 0 {
		if g.c.m.p.opt.Invert && !g.c.linesBetween(g.end, first) {
			g.done = true
			return false
		}
		g.start, g.end = first, first
	}
	g.spans = append(g.spans, Span{start - g.start, end - g.start})
	if end > start && data[end-1] == '\n' {
		g.end = max(g.end, end)
	} else {
		g.end = max(g.end, lineEnd(data, end))
	}
	return true
}

// flush reports the group, and whether to go on.
func (g *group) flush() bool {
	if len(g.spans) == 0 || g.c.m.p.opt.Invert {
		g.spans = nil
		return true
	}
	c := g.c
	if c.opt.Mode == Lines && c.kept() {
		c.keep(g.start, g.end, g.spans)
	} else {
		c.res.Spans += len(g.spans)
	}
	g.spans = nil
	c.res.Lines++
	if c.opt.Mode == Files {
		c.res.More = true
	}
	g.done = c.opt.Mode == Files || c.opt.MaxCount > 0 && c.res.Lines >= c.opt.MaxCount
	return !g.done
}
