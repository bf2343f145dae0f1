package readtools

import "strings"

// flow reads what is written in brackets: JSON with comments, trailing commas, names without
// quotes and single quotes, and the flow form of YAML. It is bounded in depth.
type flow struct {
	keySink
	text string
	pos  int
	base int // offset of text in the file
}

const maxFlowDepth = 200

// jsonKeys are the keys of JSON, also with comments.
func jsonKeys(text string) []configKey {
	f := flow{text: text}
	f.blanks()
	for f.pos < len(f.text) {
		before := f.pos
		f.value("", 0)
		f.blanks()
		if f.pos == before {
			f.pos++
		}
	}
	return f.keys
}

// blanks passes over blanks, commas and comments.
func (f *flow) blanks() {
	for f.pos < len(f.text) {
		rest := f.text[f.pos:]
		switch {
		case strings.IndexByte(" \t\r\n,", rest[0]) >= 0:
			f.pos++
		case strings.HasPrefix(rest, "\ufeff"):
			f.pos += len("\ufeff")
		case strings.HasPrefix(rest, "//"), rest[0] == '#':
			f.pos += lineLen(rest)
		case strings.HasPrefix(rest, "/*"):
			if i := strings.Index(rest, "*/"); i >= 0 {
				f.pos += i + 2
			} else {
				f.pos = len(f.text)
			}
		default:
			return
		}
	}
}

func lineLen(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// value reads a value and gives its text; the keys in it are noted below path.
func (f *flow) value(path string, depth int) string {
	if f.pos >= len(f.text) {
		return ""
	}
	start := f.pos
	switch c := f.text[f.pos]; {
	case (c == '{' || c == '[') && depth >= maxFlowDepth:
		f.pos = len(f.text)
	case c == '{':
		f.object(path, depth)
		return ""
	case c == '[':
		f.array(path, depth)
		return ""
	case c == '"' || c == '\'':
		f.quoted()
		return unquote(f.text[start:f.pos])
	default:
		for f.pos < len(f.text) && strings.IndexByte(",]}\n", f.text[f.pos]) < 0 && !strings.HasPrefix(f.text[f.pos:], "//") {
			f.pos++
		}
	}
	return strings.TrimSpace(f.text[start:f.pos])
}

// quoted passes over a string.
func (f *flow) quoted() {
	q := f.text[f.pos]
	for f.pos++; f.pos < len(f.text); f.pos++ {
		switch f.text[f.pos] {
		case '\\':
			f.pos++
		case q:
			f.pos++
			if q == '"' || f.pos >= len(f.text) || f.text[f.pos] != q { // two single quotes stand for one
				return
			}
		}
	}
	f.pos = min(f.pos, len(f.text))
}

func (f *flow) object(path string, depth int) {
	for f.pos++; ; {
		f.blanks()
		if f.pos >= len(f.text) {
			return
		}
		if c := f.text[f.pos]; c == '}' || c == ']' {
			f.pos++
			return
		}
		off := f.pos
		key := f.key()
		f.spaces()
		if f.pos >= len(f.text) || f.text[f.pos] != ':' && f.text[f.pos] != '=' {
			if f.pos == off {
				f.pos++
			}
			continue
		}
		f.pos++
		f.blanks()
		if quotedKey(f.text[off:]) {
			off++
		}
		at := len(f.keys)
		f.add(path, key, "", f.base+off)
		v := f.value(joinKey(path, key), depth+1)
		f.keys[at].Value = v
	}
}

func quotedKey(s string) bool { return s != "" && (s[0] == '"' || s[0] == '\'') }

// key reads a name before a colon, quoted or bare.
func (f *flow) key() string {
	start := f.pos
	if quotedKey(f.text[f.pos:]) {
		f.quoted()
	} else {
		for f.pos < len(f.text) && strings.IndexByte(" \t\r\n:=,{}[]", f.text[f.pos]) < 0 {
			f.pos++
		}
	}
	return unquote(f.text[start:f.pos])
}

func (f *flow) spaces() {
	for f.pos < len(f.text) && strings.IndexByte(" \t\r\n", f.text[f.pos]) >= 0 {
		f.pos++
	}
}

func (f *flow) array(path string, depth int) {
	f.pos++
	for i := 0; ; i++ {
		f.blanks()
		if f.pos >= len(f.text) {
			return
		}
		if c := f.text[f.pos]; c == ']' || c == '}' {
			f.pos++
			return
		}
		before := f.pos
		f.value(element(path, i), depth+1)
		if f.pos == before {
			f.pos++
		}
	}
}
