package lang

// The grammar does not know every construct of the language. What it cannot take is blanked, so
// that the rest of the file keeps its shape; hooks read what is needed from the whole text.

// kotlinPrepare blanks, before function types, receivers that are not one plain name; `fun` before an
// interface; what a class delegates to, where its body follows; guards of `when`.
func kotlinPrepare(src []byte) []byte {
	out := src
	blank := func(from, to int) {
		if &out[0] == &src[0] {
			out = append([]byte(nil), src...)
		}
		for i := from; i < to && i < len(out); i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	header := false // between the name of a class and its body
	depth := 0
	for i := 0; i < len(src); {
		switch c := src[i]; {
		case c == '/' || c == '"' || c == '\'':
			i = kotlinSkip(src, i)
			continue
		case c == '.' && i > 0 && nextIs(src, i+1, '('):
			if from := kotlinReceiver(src, i); from >= 0 {
				blank(from, i+1)
			}
		case c == '(' || c == '<' || c == '[':
			depth++
		case c == ')' || c == ']' || c == '>' && src[i-min(i, 1)] != '-':
			depth--
		case depth <= 0 && (c == '{' || c == '}' || c == '=' || c == ';'):
			header, depth = false, 0
		case wordByte(c):
			j := i
			for j < len(src) && wordByte(src[j]) {
				j++
			}
			switch word := string(src[i:j]); {
			case i > 0 && src[i-1] == '.':
			case word == "fun" && nextWord(src, j) == "interface":
				blank(i, j)
			case word == "class" || word == "object" || word == "interface":
				header, depth = true, 0
			case word == "fun" || word == "val" && depth == 0 || word == "var" && depth == 0:
				header = false
			case word == "by" && header && depth == 0:
				if end := kotlinDelegateEnd(src, j); end > 0 {
					blank(i, end)
				}
			}
			i = j
			continue
		}
		i++
	}
	return out
}

// nextIs reports whether c is the first byte at or behind i.
func nextIs(src []byte, i int, c byte) bool { return i < len(src) && src[i] == c }

// nextWord is the word behind i.
func nextWord(src []byte, i int) string {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\n' || src[i] == '\r') {
		i++
	}
	j := i
	for j < len(src) && wordByte(src[j]) {
		j++
	}
	return string(src[i:j])
}

// kotlinReceiver is where the receiver that ends before the dot at i begins, if the grammar does not
// take it; else -1.
func kotlinReceiver(src []byte, i int) int {
	j, plain, depth := i, true, 0
	for j > 0 {
		c := src[j-1]
		switch {
		case c == '>':
			depth++
			plain = false
		case c == '<':
			depth--
		case c == '.' || c == '?':
			plain = false
		case depth > 0 && (c == ' ' || c == ',' || c == '*'):
		case wordByte(c):
		default:
			goto done
		}
		if depth < 0 {
			break
		}
		j--
	}
done:
	if plain || depth != 0 || j == i || !wordByte(src[j]) {
		return -1
	}
	return j
}

// kotlinDelegateEnd is where the expression ends that a class delegates to, if the class's body
// follows it; else 0.
func kotlinDelegateEnd(src []byte, i int) int {
	depth := 0
	for i < len(src) {
		switch c := src[i]; {
		case c == '/' || c == '"' || c == '\'':
			i = kotlinSkip(src, i)
			continue
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == '{' && depth == 0:
			return i
		case c == ',' && depth == 0:
			return i
		case (c == '\n' || c == ';' || c == '}') && depth == 0:
			for k := i; k < len(src); k++ {
				if src[k] == '{' {
					return i
				}
				if src[k] != ' ' && src[k] != '\t' && src[k] != '\n' && src[k] != '\r' {
					return 0
				}
			}
			return 0
		}
		i++
	}
	return 0
}

// kotlinSkip is the offset behind the comment, string or character that begins at i, or behind the
// byte there.
func kotlinSkip(src []byte, i int) int {
	has := func(k int, s string) bool { return k+len(s) <= len(src) && string(src[k:k+len(s)]) == s }
	until := func(k int, end string, escapes bool) int {
		for ; k < len(src); k++ {
			if escapes && src[k] == '\\' {
				k++
			} else if has(k, end) {
				return k + len(end)
			} else if escapes && src[k] == '\n' {
				return k
			}
		}
		return len(src)
	}
	switch {
	case has(i, "//"):
		return until(i, "\n", false)
	case has(i, "/*"):
		return until(i+2, "*/", false)
	case has(i, `"""`):
		return until(i+3, `"""`, false)
	case src[i] == '"':
		return until(i+1, `"`, true)
	case src[i] == '\'':
		return until(i+1, "'", true)
	}
	return i + 1
}
