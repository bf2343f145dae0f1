package readtools

import "strings"

// iniKeys are the keys of an INI file: sections in brackets, also [name "sub"], and key =
// value or key: value.
func iniKeys(text string) []configKey {
	var k keySink
	section := ""
	eachLine(text, func(line string, off int) {
		body := strings.TrimPrefix(strings.TrimSpace(line), "\ufeff")
		if body == "" || body[0] == '#' || body[0] == ';' {
			return
		}
		if body[0] == '[' {
			if i := strings.IndexByte(body, ']'); i > 0 {
				section = sectionName(body[1:i])
			}
			return
		}
		i := strings.IndexAny(body, "=:")
		if i <= 0 {
			return
		}
		k.add(section, unquote(body[:i]), unquote(body[i+1:]), off+strings.Index(line, body))
	})
	return k.keys
}

// sectionName is a section's dotted name; [a "b"] is a.b.
func sectionName(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '"'); i > 0 {
		return joinKey(strings.TrimSpace(s[:i]), unquote(s[i:]))
	}
	return unquote(s)
}

// envKeys are the variables of an .env file.
func envKeys(text string) []configKey {
	var k keySink
	eachLine(text, func(line string, off int) {
		body := strings.TrimSpace(line)
		body = strings.TrimSpace(strings.TrimPrefix(body, "export "))
		i := strings.IndexByte(body, '=')
		if i <= 0 || body[0] == '#' || strings.ContainsAny(body[:i], " \"'") {
			return
		}
		k.add("", body[:i], plainValue(body[i+1:]), off+strings.Index(line, body))
	})
	return k.keys
}

// propertiesKeys are the keys of a properties file: up to the first = or : or blank that is
// not escaped. A line that ends in a backslash goes on in the next.
func propertiesKeys(text string) []configKey {
	var k keySink
	goesOn := false
	eachLine(text, func(line string, off int) {
		inside := goesOn
		tail := len(line) - len(strings.TrimRight(line, `\`))
		body := strings.TrimLeft(line, " \t\f")
		comment := body != "" && (body[0] == '#' || body[0] == '!')
		goesOn = tail%2 == 1 && (inside || !comment)
		if inside || comment || body == "" {
			return
		}
		i := 0
		for i < len(body) && strings.IndexByte("=: \t\f", body[i]) < 0 {
			if body[i] == '\\' {
				i++
			}
			i++
		}
		i = min(i, len(body))
		value := strings.TrimLeft(body[i:], " \t\f")
		if value != "" && (value[0] == '=' || value[0] == ':') {
			value = value[1:]
		}
		if key := unescapeProperty(body[:i]); key != "" {
			k.add("", key, value, off+len(line)-len(body))
		}
	})
	return k.keys
}

func unescapeProperty(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// tomlKeys are the keys of TOML: tables, arrays of tables, dotted and quoted keys, inline
// tables. Strings and arrays over several lines are passed over.
func tomlKeys(text string) []configKey {
	t := toml{text: text, tables: map[string]int{}}
	eachLine(text, t.line)
	return t.keys
}

type toml struct {
	keySink
	text   string
	table  string
	tables map[string]int // how many elements an array of tables has
	until  int
}

func (t *toml) line(line string, off int) {
	body := strings.TrimPrefix(strings.TrimSpace(line), "\ufeff")
	if off < t.until || body == "" || body[0] == '#' {
		return
	}
	at := off + strings.Index(line, body)
	switch {
	case strings.HasPrefix(body, "[["):
		name := dottedKey(strings.TrimLeft(cutAt(body[2:], "]]"), " "))
		t.table = element(name, t.tables[name])
		t.tables[name]++
	case body[0] == '[':
		t.table = dottedKey(cutAt(body[1:], "]"))
	default:
		i := tomlEquals(body)
		if i <= 0 {
			return
		}
		key := dottedKey(body[:i])
		v := strings.TrimLeft(body[i+1:], " \t")
		n := len(t.keys)
		t.add(t.table, key, "", at)
		t.keys[n].Key = key[strings.LastIndexByte(key, '.')+1:]
		t.keys[n].Value = t.value(v, at+len(body)-len(v), joinKey(t.table, key))
	}
}

// tomlEquals is where the first = outside of quotes stands.
func tomlEquals(s string) int {
	f := flow{text: s}
	for f.pos < len(s) {
		switch s[f.pos] {
		case '"', '\'':
			f.quoted()
		case '=':
			return f.pos
		default:
			f.pos++
		}
	}
	return -1
}

// value reads a value, which may go on over further lines.
func (t *toml) value(v string, off int, path string) string {
	for _, q := range []string{`"""`, "'''"} {
		if rest, ok := strings.CutPrefix(v, q); ok {
			if i := strings.Index(t.text[off+3:], q); i >= 0 && !strings.Contains(rest, q) {
				t.until = off + 3 + i
			}
			return ""
		}
	}
	if v != "" && (v[0] == '[' || v[0] == '{') {
		f := flow{text: t.text, pos: off}
		f.value(path, 0)
		t.keys = append(t.keys, f.keys...)
		t.until = f.pos
		return ""
	}
	return plainValue(v)
}

// dottedKey is a key with its parts' quotes taken off.
func dottedKey(s string) string {
	var parts []string
	f := flow{text: s}
	start := 0
	for f.pos <= len(s) {
		switch {
		case f.pos == len(s) || s[f.pos] == '.':
			parts = append(parts, unquote(s[start:f.pos]))
			f.pos++
			start = f.pos
		case s[f.pos] == '"' || s[f.pos] == '\'':
			f.quoted()
		default:
			f.pos++
		}
	}
	return strings.Join(parts, ".")
}

// cutAt is s up to sep.
func cutAt(s, sep string) string {
	head, _, _ := strings.Cut(s, sep)
	return head
}
