package edittools

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/codegraph-dev/codegraph/search"
)

const utf8BOM = "\xef\xbb\xbf"

// text is a file's text as it is edited. Its body is the file's bytes, or for UTF-16 the
// same text in UTF-8, from which encode makes the bytes again.
type text struct {
	body     []byte
	encoding string // utf-8, utf-16le, utf-16be, or 8-bit for what is not valid UTF-8
	sound    bool   // encode gives back the very bytes
}

func decode(raw []byte) *text {
	d := search.Decode(raw)
	if d.Encoding == "utf-8" {
		t := &text{body: raw, encoding: "utf-8", sound: true}
		if !utf8.Valid(raw) {
			t.encoding = "8-bit"
		}
		return t
	}
	t := &text{body: d.Data, encoding: d.Encoding}
	t.sound = bytes.Equal(t.encode(t.body), raw)
	return t
}

// encode makes a file's bytes of a body.
func (t *text) encode(body []byte) []byte {
	if t.encoding == "utf-8" || t.encoding == "8-bit" {
		return body
	}
	units := append([]uint16{0xFEFF}, utf16.Encode([]rune(string(body)))...)
	out := make([]byte, 0, 2*len(units))
	for _, u := range units {
		if t.encoding == "utf-16le" {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return out
}

// latin1 is s in one byte a character; ok is false if it has others.
func latin1(s string) (out string, ok bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xFF {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// style counts the line ends of a text.
type style struct{ lf, crlf int }

func styleOf(b []byte) style {
	crlf := bytes.Count(b, []byte("\r\n"))
	return style{lf: bytes.Count(b, []byte("\n")) - crlf, crlf: crlf}
}

// eol is the line end that most lines have.
func (s style) eol() string {
	if s.crlf > s.lf {
		return "\r\n"
	}
	return "\n"
}

// plain is a text with every line end an LF, in which a caller's text is looked for, and
// the way back to the text's own offsets.
type plain struct {
	src  []byte
	text []byte
	cuts []int // offsets in text of the LFs that had a CR before them
}

func newPlain(src []byte) *plain {
	p := &plain{src: src, text: src}
	if !bytes.Contains(src, []byte("\r\n")) {
		return p
	}
	p.text = make([]byte, 0, len(src))
	for i, c := range src {
		if c == '\r' && i+1 < len(src) && src[i+1] == '\n' {
			p.cuts = append(p.cuts, len(p.text))
			continue
		}
		p.text = append(p.text, c)
	}
	return p
}

// off is the offset in the source of offset n; of an LF it is that of the CR before it.
func (p *plain) off(n int) int { return n + sort.SearchInts(p.cuts, n) }

// hadCR reports whether the LF at offset n of the text had a CR before it.
func (p *plain) hadCR(n int) bool {
	i := sort.SearchInts(p.cuts, n)
	return i < len(p.cuts) && p.cuts[i] == n
}

// places are the offsets at which old stands, overlapping ones too, at most limit.
func (p *plain) places(old string, limit int) []int {
	var out []int
	for at := 0; len(out) < limit; {
		i := bytes.Index(p.text[at:], []byte(old))
		if i < 0 {
			break
		}
		out = append(out, at+i)
		at += i + 1
	}
	return out
}

// line is the 1-based line of an offset.
func (p *plain) line(n int) int { return 1 + bytes.Count(p.text[:n], []byte("\n")) }

// ends are the line ends between two offsets.
func (p *plain) ends(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		if p.text[i] == '\n' {
			out = append(out, p.end(i))
		}
	}
	return out
}

func (p *plain) end(i int) string {
	if p.hadCR(i) {
		return "\r\n"
	}
	return "\n"
}

// fit gives the lines of a new text the line ends of what it replaces: line by line, then
// as the last of them; where there is none, as the line has in which it stands, or as most
// lines have.
func (p *plain) fit(text string, from, to int) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	had := p.ends(from, to)
	rest := newEnd(p, to)
	if len(had) > 0 {
		rest = had[len(had)-1]
	}
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		body, cut := strings.CutSuffix(line, "\n")
		b.WriteString(body)
		switch {
		case !cut:
		case i < len(had):
			b.WriteString(had[i])
		default:
			b.WriteString(rest)
		}
	}
	return b.String()
}

// newEnd is the line end for a new line at an offset.
func newEnd(p *plain, at int) string {
	if i := bytes.IndexByte(p.text[at:], '\n'); i >= 0 {
		return p.end(at + i)
	}
	return styleOf(p.src).eol()
}

// lfOnly is a caller's text with every line end an LF.
func lfOnly(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
