package search

import (
	"bytes"
	"unicode/utf8"
)

// A matcher runs one pattern for one goroutine: it owns the automata, whose
// states grow with what they read.
type matcher struct {
	p    *Pattern
	fwd  *automaton
	rev  *automaton // nil until a start is asked for
	th   *threads   // nil until needed
	stop *stopper
}

// newMatcher makes a matcher without states.
func newMatcher(p *Pattern) *matcher { return &matcher{p: p, fwd: newAutomaton(p.fwd, false)} }

// acquire takes a matcher out of the pattern's pool.
func (p *Pattern) acquire(stop *stopper) *matcher {
	m := p.pool.Get().(*matcher)
	m.stop = stop
	return m
}

// release gives it back.
func (m *matcher) release() {
	m.stop = nil
	m.p.pool.Put(m)
}

// simulate finds a match thread by thread.
func (m *matcher) simulate(data []byte, at int, earliest bool) (int, int, verdict) {
	if m.th == nil {
		m.th = newThreads(m.p.fwd)
	}
	return m.th.find(data, at, earliest, m.stop)
}

// has reports whether text has a match.
func (m *matcher) has(text []byte) verdict {
	_, v := m.fwd.forward(text, 0, false, true, m.stop)
	if v == ranQuit {
		_, _, v = m.simulate(text, 0, true)
	}
	return v
}

// find returns the preferred match at or after at.
func (m *matcher) find(text []byte, at int) (start, end int, v verdict) {
	end, v = m.fwd.forward(text, at, false, false, m.stop)
	if v == ranNone || v == ranStop {
		return 0, 0, v
	}
	if v == ranMatch {
		if m.rev == nil {
			if rev := m.p.rev(); rev != nil {
				m.rev = newAutomaton(rev, true)
			}
		}
		if m.rev != nil {
			if start, v = m.rev.backward(text, at, end, m.stop); v == ranMatch || v == ranStop {
				return start, end, v
			}
		}
	}
	return m.simulate(text, at, false)
}

// walk calls f for each match of text in order, as ripgrep counts them: they do
// not overlap, and an empty match that touches the one before it is no match.
// Offsets are those of text. It ends early when f returns false.
func (m *matcher) walk(text []byte, f func(start, end int) bool) verdict {
	if pf := m.p.pf; pf != nil && pf.complete && len(pf.lits) == 1 {
		scan := pf.newScan(text)
		for at := 0; ; {
			start, end, ok := scan.find(at)
			if !ok || !f(start, end) {
				return ranNone
			}
			at = end
		}
	}
	last := -1
	for at := 0; at <= len(text); {
		from := at
		if m.p.opt.Word && !m.p.opt.WholeLine && at > 0 && text[at-1] != '\n' {
			// A word match needs a non-word character of its own before it.
			if at == len(text) {
				break
			}
			_, n := utf8.DecodeRune(text[at:])
			from += n
		}
		start, end, v := m.find(text, from)
		if v != ranMatch {
			return v
		}
		at = end
		if start == end {
			at++
			if end == last {
				continue
			}
		}
		last = end
		if !f(start, end) {
			break
		}
	}
	return ranNone
}

// nextLine returns the first line that begins at or after pos, which is the
// start of a line, and has a match: its start and the place behind its line
// feed. scan is the prefilter's, or nil.
func (m *matcher) nextLine(data []byte, pos int, scan *litScan) (start, end int, v verdict) {
	for pos < len(data) {
		var hit int
		v = ranQuit // whether the line at hit matches is open
		if scan != nil {
			h, _, ok := scan.find(pos)
			if !ok {
				return 0, 0, ranNone
			}
			if m.stop.stopped() {
				return 0, 0, ranStop
			}
			hit = h
			if m.p.pf.complete {
				v = ranMatch
			}
		} else if hit, v = m.fwd.forward(data, pos, false, true, m.stop); v == ranNone || v == ranStop {
			return 0, 0, v
		}
		start = bytes.LastIndexByte(data[pos:hit], '\n') + 1 + pos
		if start >= len(data) {
			return 0, 0, ranNone
		}
		end = lineEnd(data, hit)
		if v == ranQuit {
			text := trimLF(data[start:end])
			if scan != nil {
				v = m.has(text)
			} else {
				_, _, v = m.simulate(text, 0, true)
			}
		}
		if v == ranMatch || v == ranStop {
			return start, end, v
		}
		pos = end
	}
	return 0, 0, ranNone
}

// lineEnd returns the place behind the line feed at or after at, or the end.
func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// trimLF cuts the line feed off a line.
func trimLF(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		return line[:n-1]
	}
	return line
}

// trimEOL cuts the line feed and a carriage return before it off a line.
func trimEOL(line []byte) []byte {
	line = trimLF(line)
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
