package agents

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonc is JSON that may have comments and trailing commas.
type jsonc struct{}

var jsonPlace = regexp.MustCompile(`^hujson: line (\d+), column \d+: (.*)$`)

func parseJSON(src []byte) (hujson.Value, error) {
	v, err := hujson.Parse(src)
	if err == nil {
		return v, nil
	}
	if m := jsonPlace.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		return v, problem(line, "%s", m[2])
	}
	return v, problem(0, "%v", err)
}

func (jsonc) decode(src []byte) (any, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		return nil, nil
	}
	v, err := parseJSON(src)
	if err != nil {
		return nil, err
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return nil, problem(lineAt(src, v.StartOffset), "the whole is no object")
	}
	v = v.Clone()
	v.Standardize()
	d := json.NewDecoder(bytes.NewReader(v.Pack()))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		return nil, problem(0, "%v", err)
	}
	return out, nil
}

// member is the member of an object by its name, or -1.
func member(src []byte, o *hujson.Object, name string) (int, error) {
	found := -1
	for i, m := range o.Members {
		lit, ok := m.Name.Value.(hujson.Literal)
		if !ok || lit.String() != name {
			continue
		}
		if found >= 0 {
			return 0, problem(lineAt(src, m.Name.StartOffset), "the key %q is there twice", name)
		}
		found = i
	}
	return found, nil
}

// descend is the object at a path, and how many keys of the path are there.
func descend(src []byte, path []string) (v hujson.Value, o *hujson.Object, have int, err error) {
	if v, err = parseJSON(src); err != nil {
		return v, nil, 0, err
	}
	for {
		var ok bool
		if o, ok = v.Value.(*hujson.Object); !ok {
			return v, nil, 0, problem(lineAt(src, v.StartOffset), "%q is no object", strings.Join(path[:have], "."))
		}
		if have == len(path) {
			return v, o, have, nil
		}
		i, err := member(src, o, path[have])
		if err != nil || i < 0 {
			return v, o, have, err
		}
		v, have = o.Members[i].Value, have+1
	}
}

func (j jsonc) put(src []byte, path []string, v any) ([]byte, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		src = []byte("{}\n")
	}
	e, ok := v.(Entry)
	if !ok { // a value that is no table is a field of its parent
		e, path = Entry{{path[len(path)-1], v}}, path[:len(path)-1]
	}
	val, o, have, err := descend(src, path)
	if err != nil {
		return nil, err
	}
	if have < len(path) {
		return addMember(src, val, o, path[have], wrap(path[have+1:], e)), nil
	}
	decoded, err := j.decode(src)
	if err != nil {
		return nil, err
	}
	for _, f := range e {
		i, err := member(src, o, f.Key)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			return j.put(addMember(src, val, o, f.Key, f.Value), path, e)
		}
		if got, _ := at(decoded, append(path[:len(path):len(path)], f.Key)); !same(got, f.Value) {
			m := o.Members[i].Value
			text := renderJSON(f.Value, indentAt(src, m.StartOffset), unitOf(src), eolOf(src))
			return j.put(splice(src, m.StartOffset, m.EndOffset, text), path, e)
		}
	}
	return src, nil
}

// addMember is the text with one more member at the end of an object. Comments after the
// last one stay with it.
func addMember(src []byte, val hujson.Value, o *hujson.Object, key string, v any) []byte {
	closing := val.EndOffset - 1
	tail := closing - len(o.AfterExtra)
	comments := tail + len(bytes.TrimRight(o.AfterExtra, " \t\r\n"))
	eol, unit, base := eolOf(src), unitOf(src), indentAt(src, val.StartOffset)
	indent := base + unit
	comma, end := "", ""
	if n := len(o.Members); n > 0 {
		last := o.Members[n-1].Value
		if last.AfterExtra == nil {
			comma = ","
		} else {
			end = ","
		}
		if !bytes.Contains(src[val.StartOffset:closing], []byte("\n")) {
			space := " "
			text := comma + space + quote(key) + ": " + flatJSON(v) + end
			return splice(src, comments, comments, text)
		}
		if first := o.Members[0].Name.StartOffset; len(bytes.TrimSpace(src[lineStart(src, first):first])) == 0 {
			indent = indentAt(src, first)
		}
		if comma != "" {
			src = splice(src, last.EndOffset, last.EndOffset, comma)
			comments, closing = comments+1, closing+1
		}
	}
	text := eol + indent + quote(key) + ": " + renderJSON(v, indent, unit, eol) + end
	if !bytes.Contains(src[comments:closing], []byte("\n")) {
		text += eol + base
	}
	return splice(src, comments, comments, text)
}

func (j jsonc) cut(src []byte, path []string, keep int) ([]byte, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		return src, nil
	}
	_, _, have, err := descend(src, path[:len(path)-1])
	if err != nil || have < len(path)-1 {
		return src, err
	}
	val, o, _, err := descend(src, path[:len(path)-1])
	if err != nil {
		return nil, err
	}
	i, err := member(src, o, path[len(path)-1])
	if err != nil || i < 0 {
		return src, err
	}
	src = cutMember(src, o, i)
	if len(o.Members) == 1 {
		if len(path)-1 > keep {
			return j.cut(src, path[:len(path)-1], keep)
		}
		if val, err = parseAt(src, path[:len(path)-1]); err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(src[val.StartOffset+1:val.EndOffset-1])) == 0 {
			src = splice(src, val.StartOffset, val.EndOffset, "{}")
		}
	}
	return src, nil
}

func parseAt(src []byte, path []string) (hujson.Value, error) {
	v, _, _, err := descend(src, path)
	return v, err
}

// cutMember is the text without a member, its comma, and the white space before it.
func cutMember(src []byte, o *hujson.Object, i int) []byte {
	m := o.Members[i]
	lead := bytes.TrimRight(m.Name.BeforeExtra, " \t\r\n")
	from := m.Name.StartOffset - len(m.Name.BeforeExtra) + len(lead)
	to := m.Value.EndOffset
	if m.Value.AfterExtra != nil {
		to += len(m.Value.AfterExtra) + 1
	}
	last := lead[1+bytes.LastIndexByte(lead, '\n'):]
	rest := bytes.TrimLeft(src[to:], " \t\r")
	glue := ""
	if bytes.Contains(last, []byte("//")) && !bytes.HasPrefix(rest, []byte("\n")) {
		glue = eolOf(src)
	}
	out := splice(src, from, to, glue)
	if i > 0 && i == len(o.Members)-1 && m.Value.AfterExtra == nil {
		p := o.Members[i-1].Value
		comma := p.EndOffset + len(p.AfterExtra)
		out = splice(out, comma, comma+1, "")
	}
	return out
}

// unitOf is what one level of the text is indented by.
func unitOf(src []byte) string {
	for line := range bytes.Lines(src) {
		rest := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(rest); n > 0 && len(bytes.TrimSpace(rest)) > 0 && rest[0] == '"' {
			if line[0] == '\t' {
				return "\t"
			}
			return string(line[:n])
		}
	}
	return "  "
}

// renderJSON is a value over several lines, lists on one.
func renderJSON(v any, indent, unit, eol string) string {
	e, ok := v.(Entry)
	if !ok || len(e) == 0 {
		return flatJSON(v)
	}
	var b strings.Builder
	b.WriteString("{")
	for i, f := range e {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(eol + indent + unit + quote(f.Key) + ": " + renderJSON(f.Value, indent+unit, unit, eol))
	}
	b.WriteString(eol + indent + "}")
	return b.String()
}

// flatJSON is a value on one line.
func flatJSON(v any) string { return flat(v, quote) }

// flat is a value on one line in the notation that JSON and YAML share; word writes a string.
func flat(v any, word func(string) string) string {
	switch v := v.(type) {
	case string:
		return word(v)
	case bool:
		return strconv.FormatBool(v)
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = word(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Entry:
		parts := make([]string, len(v))
		for i, f := range v {
			parts[i] = word(f.Key) + ": " + flat(f.Value, word)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "null"
}
