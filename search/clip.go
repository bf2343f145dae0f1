package search

import "unicode/utf8"

// A Clip says which part of a line its text is.
type Clip struct {
	Start int // offset in the line of the text's first byte
	Len   int // length of the whole line
}

// ClipText cuts a long line down to at most most bytes around the byte range
// focus, without splitting a character of valid UTF-8. When focus alone is too
// long its beginning is kept. A line that fits comes back whole, with a nil
// Clip. Spans of the line stay valid: subtract Clip.Start to place them in the
// text.
func ClipText(line string, focus Span, most int) (string, *Clip) {
	if most <= 0 || len(line) <= most {
		return line, nil
	}
	size := min(max(focus.End-focus.Start, 0), most)
	start := max(0, min(focus.Start-(most-size)/2, len(line)-most))
	end := start + most
	for i := 0; i < utf8.UTFMax && start > 0 && start < end && !utf8.RuneStart(line[start]); i++ {
		start++
	}
	for i := 0; i < utf8.UTFMax && end < len(line) && end > start && !utf8.RuneStart(line[end]); i++ {
		end--
	}
	return line[start:end], &Clip{Start: start, Len: len(line)}
}
