package lang

import "bytes"

// rustLexer parts a source into tokens without a grammar: words, literals, single marks.
type rustLexer struct{ src []byte }

func rustWordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// skip is the first place from i on that is neither space nor comment, at most to.
func (l *rustLexer) skip(i, to int) int {
	for i < to {
		switch c := l.src[i]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			i++
		case bytes.HasPrefix(l.src[i:to], []byte("//")):
			n := bytes.IndexByte(l.src[i:to], '\n')
			if n < 0 {
				return to
			}
			i += n
		case bytes.HasPrefix(l.src[i:to], []byte("/*")):
			i = l.comment(i, to)
		default:
			return i
		}
	}
	return to
}

// comment is the end of the comment at i; comments nest.
func (l *rustLexer) comment(i, to int) int {
	depth := 0
	for i < to {
		switch {
		case bytes.HasPrefix(l.src[i:to], []byte("/*")):
			depth++
			i += 2
		case bytes.HasPrefix(l.src[i:to], []byte("*/")):
			depth--
			i += 2
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return to
}

// token is the end of the token at i, which is past i.
func (l *rustLexer) token(i, to int) int {
	if i >= to {
		return to
	}
	switch c := l.src[i]; {
	case c == '"':
		return l.quoted(i+1, to)
	case c == '\'':
		return l.quote(i, to)
	case rustWordByte(c):
		e := i + 1
		for e < to && rustWordByte(l.src[e]) {
			e++
		}
		if e < to && e-i <= 2 && (l.src[e] == '"' || l.src[e] == '#') && bytes.IndexByte([]byte("rbc"), l.src[e-1]) >= 0 {
			return l.literal(i, e, to)
		}
		return e
	}
	return i + 1
}

// literal is the end of a string at i whose prefix ends at e; what is none ends there.
func (l *rustLexer) literal(i, e, to int) int {
	if l.src[e-1] != 'r' {
		if l.src[e] == '"' {
			return l.quoted(e+1, to)
		}
		return e
	}
	n := e
	for n < to && l.src[n] == '#' {
		n++
	}
	if n >= to || l.src[n] != '"' { // r#name
		return e
	}
	shut := append([]byte{'"'}, l.src[e:n]...)
	if k := bytes.Index(l.src[n+1:to], shut); k >= 0 {
		return n + 1 + k + len(shut)
	}
	return to
}

// quoted is the end of the string whose text begins at i.
func (l *rustLexer) quoted(i, to int) int {
	for ; i < to; i++ {
		switch l.src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return to
}

// quote is the end of the character or lifetime at i.
func (l *rustLexer) quote(i, to int) int {
	if i+1 < to && l.src[i+1] == '\\' {
		if k := bytes.IndexByte(l.src[min(i+3, to):to], '\''); k >= 0 {
			return i + 3 + k + 1
		}
		return to
	}
	for n := i + 1; n < min(to, i+6); n++ { // a character has at most four bytes
		if l.src[n] == '\'' && n > i+1 {
			if word := l.src[i+1 : n]; n == i+2 || !rustWordByte(word[0]) || word[0] >= 0x80 {
				return n + 1
			}
			break
		}
	}
	return i + 1
}

// match is where the bracket is that shuts the one at i, at most to-1.
func (l *rustLexer) match(i, to int) int {
	depth := 0
	for at := i; at < to; at = l.skip(l.token(at, to), to) {
		switch l.src[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return max(i, to-1)
}
