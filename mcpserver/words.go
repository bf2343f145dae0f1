package mcpserver

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// nearest is the known name that a wrong one most likely means: the one with the smallest
// edit distance, if that is small for its length, else one that is a word of it
// (file_path means path). Case, dashes and underscores weigh nothing. It is "" if none is
// near: a far-fetched suggestion misleads.
func nearest(wrong string, known []string) string {
	plain := func(s string) string {
		return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
	}
	if len(wrong) > 64 {
		return ""
	}
	best, bestAt := "", 1+max(1, len(wrong)/3)
	for _, k := range known {
		if at := distance(plain(wrong), plain(k)); at < bestAt {
			best, bestAt = k, at
		}
	}
	if best != "" {
		return best
	}
	words := strings.FieldsFunc(strings.ToLower(wrong), func(r rune) bool { return r == '_' || r == '-' })
	for _, k := range known {
		if slices.Contains(words, k) || slices.Contains(words, k+"s") {
			return k
		}
	}
	return ""
}

// distance is the number of bytes to insert, delete, replace or swap to make b of a.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

// article names a kind of value in an error.
func article(kind reflect.Kind) string {
	switch kind {
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Array:
		return "a list"
	default:
		return "a string"
	}
}

// shown is a JSON value as an error shows it: its kind, and its text if that is short.
func shown(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "nothing"
	}
	kind := "the number "
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		kind = "the string "
	case 't', 'f', 'n':
		kind = ""
	}
	return kind + clip(string(raw), 40)
}

// clip cuts a text after n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// exampleOf makes the arguments of a call from the required parameters, or from the first
// one where none is required.
func exampleOf(fields []Field) string {
	example := required(fields)
	if len(example) == 0 && len(fields) > 0 {
		example = object{{fields[0].JSON, exampleValue(fields[0].Type, fields[0].Enum)}}
	}
	text, err := encode(example)
	if err != nil {
		return "{}"
	}
	return string(text)
}

func required(fields []Field) object {
	o := object{}
	for _, f := range fields {
		if f.Required {
			o = append(o, member{f.JSON, exampleValue(f.Type, f.Enum)})
		}
	}
	return o
}

func exampleValue(t reflect.Type, enum []string) any {
	switch {
	case t.Kind() == reflect.Slice:
		return []any{exampleValue(t.Elem(), enum)}
	case t.Kind() == reflect.Struct:
		return required(structFields(t, nil))
	case enum != nil:
		return enum[0]
	case t.Kind() == reflect.String:
		return "text"
	default:
		return reflect.Zero(t).Interface()
	}
}
