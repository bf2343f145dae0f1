package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// fields is a mapping of a case file: keys are strings, values are nil, bool, int64,
// float64, string, []any or fields.
type fields map[string]any

// value turns a YAML node into plain values. Keys stay text; what is no null, bool or
// number stays text too (dates, for one).
func value(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.DocumentNode:
		if len(n.Content) == 0 {
			return nil, nil
		}
		return value(n.Content[0])
	case yaml.AliasNode:
		return value(n.Alias)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := value(c)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		m := fields{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := value(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			m[n.Content[i].Value] = v
		}
		return m, nil
	}
	return scalar(n)
}

func scalar(n *yaml.Node) (any, error) {
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool":
		var b bool
		err := n.Decode(&b)
		return b, err
	case "!!int":
		if len(n.Value) > 1 && n.Value[0] == '0' { // 0755 is a mode as it stands
			return n.Value, nil
		}
		var i int64
		err := n.Decode(&i)
		return i, err
	case "!!float":
		var f float64
		err := n.Decode(&f)
		return f, err
	}
	return n.Value, nil
}

// text is a scalar as text; null is empty.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(v)
}

// number reads an integer, given as one or as text.
func number(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), true
	case float64:
		return int(v), v == float64(int(v))
	case string:
		n, err := strconv.Atoi(strings.TrimSpace(v))
		return n, err == nil
	}
	return 0, false
}

// seconds reads a duration in seconds.
func seconds(v any) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	n, _ := number(v)
	return float64(n)
}

// truth reads a bool; anything else is false.
func truth(v any) bool { b, _ := v.(bool); return b }

// list reads a sequence; a single value is a sequence of one, null an empty one.
func list(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// texts reads a sequence of scalars.
func texts(v any) []string {
	var out []string
	for _, e := range list(v) {
		out = append(out, text(e))
	}
	return out
}

// record reads a mapping; a scalar becomes a mapping with that under key.
func record(v any, key string) fields {
	if m, ok := v.(fields); ok {
		return m
	}
	return fields{key: v}
}

// keys lists the keys in order.
func (f fields) keys() []string {
	out := make([]string, 0, len(f))
	for k := range f {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// stranger returns the first key that is not in known, or "".
func (f fields) stranger(known ...string) string {
next:
	for _, k := range f.keys() {
		for _, n := range known {
			if k == n {
				continue next
			}
		}
		return k
	}
	return ""
}

// fill replaces the placeholders {ROOT} and {VERSION} in every text of v.
func fill(v any, r *strings.Replacer) any {
	switch v := v.(type) {
	case string:
		return r.Replace(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = fill(e, r)
		}
		return out
	case fields:
		out := fields{}
		for k, e := range v {
			out[k] = fill(e, r)
		}
		return out
	}
	return v
}

// unescape reads printf escapes: \n \r \t \\ and \ooo (one to three octal digits).
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; {
		case c == 'n':
			b.WriteByte('\n')
		case c == 'r':
			b.WriteByte('\r')
		case c == 't':
			b.WriteByte('\t')
		case c == '\\':
			b.WriteByte('\\')
		case c >= '0' && c <= '7':
			n, j := 0, i
			for ; j < len(s) && j < i+3 && s[j] >= '0' && s[j] <= '7'; j++ {
				n = n*8 + int(s[j]-'0')
			}
			b.WriteByte(byte(n))
			i = j - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

func readYAML(path string) (fields, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read case: %w", err)
	}
	var n yaml.Node
	if err := yaml.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("parse %s: %w", path, err)
	}
	v, err := value(&n)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", path, err)
	}
	m, ok := v.(fields)
	if !ok {
		return nil, fmt.Errorf("parse %s: not a mapping", path)
	}
	return m, nil
}
