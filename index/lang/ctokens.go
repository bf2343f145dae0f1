package lang

import (
	"bytes"
)

type cToken struct {
	from, to int
	kind     byte // 'i' identifier, '#' directive, '0' number, '"' string, else the character
}

// cScan splits src into tokens; comments are none.
func cScan(src []byte) []cToken {
	toks := make([]cToken, 0, len(src)/5)
	line := true // only blanks so far on this line
	for i := 0; i < len(src); {
		ch := src[i]
		from := i
		switch {
		case ch == '\n':
			line = true
			i++
			continue
		case ch <= ' ' || ch == '\\':
			i++
			continue
		case ch == '/' && i+1 < len(src) && (src[i+1] == '*' || src[i+1] == '/'):
			i = cComment(src, i)
			continue
		case ch == '#' && line:
			i = cLineEnd(src, i)
			toks = append(toks, cToken{from, i, '#'})
			continue
		case cLetter(ch):
			for i < len(src) && (cLetter(src[i]) || src[i] >= '0' && src[i] <= '9') {
				i++
			}
			ch = 'i'
			if k := cRawEnd(src, from, i); k > 0 {
				i, ch = k, '"'
			}
		case ch >= '0' && ch <= '9':
			for i < len(src) && (cLetter(src[i]) || src[i] >= '0' && src[i] <= '9' || src[i] == '.' || src[i] == '\'' && i+1 < len(src) && cDigit(src[i+1])) {
				i++
			}
			ch = '0'
		case ch == '"' || ch == '\'':
			for i++; i < len(src) && src[i] != ch && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(src))
			ch = '"'
		default:
			i++
		}
		line = false
		toks = append(toks, cToken{from, i, ch})
	}
	return toks
}

// cDigit reports whether c is a digit of a number in any base.
func cDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// cRawEnd is the offset behind the raw string whose prefix is src[from:i], or 0.
func cRawEnd(src []byte, from, i int) int {
	if i >= len(src) || src[i] != '"' || src[i-1] != 'R' || i-from > 3 {
		return 0
	}
	open := bytes.IndexByte(src[i:min(len(src), i+20)], '(')
	if open < 0 {
		return 0
	}
	end := append(append([]byte{')'}, src[i+1:i+open]...), '"')
	if k := bytes.Index(src[i+open:], end); k >= 0 {
		return i + open + k + len(end)
	}
	return 0
}

func cLetter(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// cComment is the offset behind the comment at i.
func cComment(src []byte, i int) int {
	if src[i+1] == '/' {
		return cLineEnd(src, i)
	}
	if k := bytes.Index(src[i+2:], []byte("*/")); k >= 0 {
		return i + 2 + k + 2
	}
	return len(src)
}

// cLineEnd is the offset of the end of the line at i, continued lines included; a comment
// that begins on it and spans lines belongs to it.
func cLineEnd(src []byte, i int) int {
	for i < len(src) && src[i] != '\n' {
		switch {
		case src[i] == '\\' && i+1 < len(src):
			if i++; src[i] == '\r' && i+1 < len(src) {
				i++
			}
		case src[i] == '/' && i+1 < len(src) && src[i+1] == '*':
			if k := bytes.Index(src[i+2:], []byte("*/")); k >= 0 {
				i += 2 + k + 1
			}
		}
		i++
	}
	return min(i, len(src))
}
