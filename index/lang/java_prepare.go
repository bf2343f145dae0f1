package lang

import "bytes"

// javaSpread stands in the place of the dots of a parameter that takes any number of arguments where an
// annotation precedes them, as in `T @A ... all`: the grammar knows those of arrays only.
const javaSpread = "[\f]"

// javaPrepare returns src as the grammar can read it, in the same number of bytes.
func javaPrepare(src []byte) []byte {
	if !bytes.Contains(src, []byte("...")) {
		return src
	}
	out := src
	for i := 0; i < len(src); {
		if n := javaToken(src[i:]); n > 0 {
			i += n
			continue
		}
		if bytes.HasPrefix(src[i:], []byte("...")) {
			if javaEndsAnnotated(src[:i]) {
				if &out[0] == &src[0] {
					out = bytes.Clone(src)
				}
				copy(out[i:], javaSpread)
			}
			i += len("...")
			continue
		}
		i++
	}
	return out
}

// javaToken is the length of the comment or literal that s begins with, 0 for none.
func javaToken(s []byte) int {
	until := func(open, end string) int {
		if n := bytes.Index(s[len(open):], []byte(end)); n >= 0 {
			return len(open) + n + len(end)
		}
		return len(s)
	}
	switch {
	case bytes.HasPrefix(s, []byte("//")):
		return until("//", "\n")
	case bytes.HasPrefix(s, []byte("/*")):
		return until("/*", "*/")
	case bytes.HasPrefix(s, []byte(`"""`)):
		return until(`"""`, `"""`)
	case s[0] == '"' || s[0] == '\'':
		for i := 1; i < len(s) && s[i] != '\n'; i++ {
			if s[i] == '\\' {
				i++
			} else if s[i] == s[0] {
				return i + 1
			}
		}
		return 1
	}
	return 0
}

// javaEndsAnnotated reports whether s ends with an annotation.
func javaEndsAnnotated(s []byte) bool {
	s = bytes.TrimRight(s, " \t\r\n")
	if bytes.HasSuffix(s, []byte(")")) {
		depth := 0
		for i := len(s) - 1; i >= 0; i-- {
			switch s[i] {
			case ')':
				depth++
			case '(':
				depth--
			}
			if depth == 0 {
				s = bytes.TrimRight(s[:i], " \t\r\n")
				break
			}
		}
	}
	i := len(s)
	for i > 0 && (s[i-1] == '.' || s[i-1] == '$' || s[i-1] >= 0x80 || wordByte(s[i-1])) {
		i--
	}
	return i > 0 && i < len(s) && s[i-1] == '@'
}
