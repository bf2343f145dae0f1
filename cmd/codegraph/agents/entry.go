package agents

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Entry is a table of a configuration file whose keys have an order.
type Entry []Field

// Field is a key of an entry and its value: a string, a bool, a list of strings or an Entry.
type Field struct {
	Key   string
	Value any
}

// Problem is why a configuration file is left alone.
type Problem struct {
	Path   string `json:"path"`
	Line   int    `json:"line,omitempty"` // 0 if no line is to blame
	Reason string `json:"reason"`
}

// Error implements error: file, line and reason.
func (p *Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Reason)
	}
	return fmt.Sprintf("%s: %s", p.Path, p.Reason)
}

func problem(line int, format string, args ...any) *Problem {
	return &Problem{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// plain is a value as decoders give it.
func plain(v any) any {
	switch v := v.(type) {
	case Entry:
		m := map[string]any{}
		for _, f := range v {
			m[f.Key] = plain(f.Value)
		}
		return m
	case []string:
		list := make([]any, len(v))
		for i, s := range v {
			list[i] = s
		}
		return list
	}
	return v
}

// same reports whether a decoded value is the wanted one.
func same(decoded, want any) bool { return reflect.DeepEqual(decoded, plain(want)) }

// holds reports whether a decoded value has all that is wanted; it may have more keys.
func holds(decoded, want any) bool {
	e, ok := want.(Entry)
	if !ok {
		return same(decoded, want)
	}
	m, ok := decoded.(map[string]any)
	for _, f := range e {
		ok = ok && same(m[f.Key], f.Value)
	}
	return ok
}

// wrap is a value below a path of keys.
func wrap(path []string, v any) any {
	for i := len(path) - 1; i >= 0; i-- {
		v = Entry{{path[i], v}}
	}
	return v
}

// at is the decoded value at a path of keys; an element of a list is found by its name.
func at(v any, path []string) (any, bool) {
	for _, key := range path {
		switch c := v.(type) {
		case map[string]any:
			next, ok := c[key]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			i := named(c, key)
			if i < 0 {
				return nil, false
			}
			v = c[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// named is the element of a list with that name, or -1.
func named(list []any, name string) int {
	for i, e := range list {
		if m, ok := e.(map[string]any); ok && m["name"] == name {
			return i
		}
	}
	return -1
}

// without is a decoded value without what is at a path, and without the parents that are
// then empty; nil if nothing is left. It changes v.
func without(v any, path []string) any {
	switch c := v.(type) {
	case map[string]any:
		var rest any
		if len(path) > 1 {
			rest = without(c[path[0]], path[1:])
		}
		if rest != nil {
			c[path[0]] = rest
		} else {
			delete(c, path[0])
		}
		if len(c) > 0 {
			return c
		}
	case []any:
		if i := named(c, path[0]); i >= 0 {
			c = append(c[:i:i], c[i+1:]...)
		}
		if len(c) > 0 {
			return c
		}
	default:
		return v
	}
	return nil
}

// beside are the keys of a decoded table that are not those of an entry, nor its name in a list.
func beside(v, want any) map[string]any {
	out := map[string]any{}
	m, _ := v.(map[string]any)
	e, _ := want.(Entry)
	for k, x := range m {
		if k != "name" && !slices.ContainsFunc(e, func(f Field) bool { return f.Key == k }) {
			out[k] = x
		}
	}
	return out
}

// quote is a string as JSON writes it, which YAML and TOML understand as well.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	var out []byte
	for i := 0; i < len(b); i++ { // json escapes <, > and & for the sake of HTML
		if b[i] == '\\' && i+5 < len(b) && b[i+1] == 'u' {
			switch string(b[i+2 : i+6]) {
			case "003c":
				out, i = append(out, '<'), i+5
				continue
			case "003e":
				out, i = append(out, '>'), i+5
				continue
			case "0026":
				out, i = append(out, '&'), i+5
				continue
			}
		}
		out = append(out, b[i])
		if b[i] == '\\' && i+1 < len(b) {
			i++
			out = append(out, b[i])
		}
	}
	return string(out)
}
