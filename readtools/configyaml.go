package readtools

import "strings"

// yamlKeys are the keys of YAML by indentation: mappings, lists of mappings, flow values,
// and several documents. Block texts and quoted texts over several lines are passed over.
func yamlKeys(text string) []configKey {
	y := yaml{text: text}
	eachLine(text, y.line)
	return y.keys
}

type yaml struct {
	keySink
	text  string
	stack []yamlLevel
	until int // lines that begin before this offset belong to a value already read
	block int // a block text is open: lines deeper than this belong to it; 0 for none, else 1 more
}

// yamlLevel is a mapping or list that is open at an indentation. Path is that of its owner,
// key that of its last entry.
type yamlLevel struct {
	indent int
	path   string
	key    string
	list   bool
	n      int
}

func (y *yaml) line(line string, off int) {
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	if off < y.until || body == "" {
		return
	}
	if y.block > 0 {
		if indent >= y.block {
			return
		}
		y.block = 0
	}
	switch {
	case body[0] == '#' || body[0] == '%' && indent == 0:
	case strings.HasPrefix(line, "---") || strings.HasPrefix(line, "..."):
		y.stack = nil
	default:
		y.entry(strings.TrimPrefix(body, "\ufeff"), indent, off+len(line)-len(strings.TrimPrefix(body, "\ufeff")))
	}
}

// entry reads what begins at an indentation: dashes, then perhaps a key.
func (y *yaml) entry(body string, indent, off int) {
	for body == "-" || strings.HasPrefix(body, "- ") {
		l := y.level(indent, true)
		l.n++
		l.key = element("", l.n-1)
		rest := strings.TrimLeft(body[1:], " ")
		indent += len(body) - len(rest)
		off += len(body) - len(rest)
		body = rest
		if body == "" {
			return
		}
	}
	key, value, ok := yamlPair(body)
	if !ok {
		y.value(body, off, y.path(indent), indent-1)
		return
	}
	l := y.level(indent, false)
	l.key = unquote(key)
	if quotedKey(key) {
		y.add(l.path, l.key, "", off+1)
	} else {
		y.add(l.path, l.key, "", off)
	}
	at := len(y.keys) - 1
	v := strings.TrimLeft(value, " \t")
	y.keys[at].Value = y.value(v, off+len(body)-len(v), joinKey(l.path, l.key), indent)
}

// path is that of what begins at an indentation.
func (y *yaml) path(indent int) string {
	for i := len(y.stack) - 1; i >= 0; i-- {
		if l := &y.stack[i]; l.indent < indent {
			return joinKey(l.path, l.key)
		}
	}
	return ""
}

// level is the mapping or list at an indentation, opened if need be. A list may stand at the
// indentation of the key that it belongs to.
func (y *yaml) level(indent int, list bool) *yamlLevel {
	for len(y.stack) > 0 {
		l := &y.stack[len(y.stack)-1]
		if l.indent < indent || l.indent == indent && (l.list == list || list && !l.list) {
			break
		}
		y.stack = y.stack[:len(y.stack)-1]
	}
	if n := len(y.stack); n > 0 && y.stack[n-1].indent == indent && y.stack[n-1].list == list {
		return &y.stack[n-1]
	}
	l := yamlLevel{indent: indent, list: list}
	if n := len(y.stack); n > 0 {
		l.path = joinKey(y.stack[n-1].path, y.stack[n-1].key)
	}
	y.stack = append(y.stack, l)
	return &y.stack[len(y.stack)-1]
}

// value reads the value that begins at off, belonging to a key at indent, and gives it.
func (y *yaml) value(v string, off int, path string, indent int) string {
	for v != "" && (v[0] == '&' || v[0] == '!') { // an anchor or a tag
		rest := strings.TrimLeft(v[strings.IndexByte(v+" ", ' '):], " ")
		off += len(v) - len(rest)
		v = rest
	}
	switch {
	case v == "" || v[0] == '#':
		return ""
	case v[0] == '|' || v[0] == '>':
		y.block = indent + 2
		return ""
	case v[0] == '{' || v[0] == '[':
		f := flow{text: y.text, pos: off}
		f.value(path, len(y.stack))
		y.keys = append(y.keys, f.keys...)
		y.until = f.pos
		return ""
	case v[0] == '"' || v[0] == '\'':
		f := flow{text: y.text, pos: off}
		f.quoted()
		if !strings.Contains(y.text[off:f.pos], "\n") {
			return unquote(y.text[off:f.pos])
		}
		y.until = f.pos
		return ""
	}
	if i := strings.Index(v, " #"); i >= 0 {
		v = v[:i]
	}
	return v
}

// yamlPair parts a line at the colon after its key.
func yamlPair(s string) (key, value string, ok bool) {
	if quotedKey(s) {
		f := flow{text: s}
		f.quoted()
		rest := strings.TrimLeft(s[f.pos:], " ")
		if rest == ":" || strings.HasPrefix(rest, ": ") {
			return s[:f.pos], rest[1:], true
		}
		return "", "", false
	}
	if strings.IndexByte("{[|>&*!#%@`", s[0]) >= 0 {
		return "", "", false
	}
	if i := strings.Index(s, ": "); i > 0 && !strings.Contains(s[:i], " #") {
		return strings.TrimRight(s[:i], " "), s[i+1:], true
	}
	if t := strings.TrimRight(s, " \t"); strings.HasSuffix(t, ":") && len(t) > 1 {
		return strings.TrimRight(t[:len(t)-1], " "), "", true
	}
	if i := strings.Index(s, ":\t"); i > 0 {
		return s[:i], s[i+1:], true
	}
	return "", "", false
}
