package mcpserver

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf16"
)

// InputHash is the SHA-256, in hexadecimal, over the canonical JSON (RFC 8785) of a call's
// arguments. params is the struct that they were decoded into: every parameter is in it, with
// its default where it was not given, so that two spellings of one call have one hash.
func InputHash(params any) (string, error) {
	b, err := appendCanonical(nil, reflect.ValueOf(params))
	if err != nil {
		return "", fmt.Errorf("freeze arguments: %w", err)
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:]), nil
}

// appendCanonical writes a value of a kind that a parameter may have.
func appendCanonical(b []byte, v reflect.Value) ([]byte, error) {
	switch kind := v.Kind(); {
	case kind == reflect.Pointer || kind == reflect.Interface:
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return appendCanonical(b, v.Elem())
	case kind == reflect.Struct:
		return appendObject(b, v)
	case kind == reflect.Slice:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = appendCanonical(b, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case kind == reflect.String:
		return appendString(b, v.String()), nil
	case kind == reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), nil
	case v.CanInt():
		return strconv.AppendInt(b, v.Int(), 10), nil
	case v.CanUint():
		return strconv.AppendUint(b, v.Uint(), 10), nil
	case v.CanFloat():
		n, err := json.Marshal(v.Float()) // as ECMAScript writes numbers
		return append(b, n...), err
	}
	return nil, fmt.Errorf("no canonical form for %v", v.Type())
}

// appendObject writes a struct's parameters in the order of their names' UTF-16 units.
func appendObject(b []byte, v reflect.Value) ([]byte, error) {
	fields := structFields(v.Type(), nil)
	slices.SortFunc(fields, func(x, y Field) int {
		return slices.Compare(utf16.Encode([]rune(x.JSON)), utf16.Encode([]rune(y.JSON)))
	})
	b = append(b, '{')
	for i, f := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, f.JSON), ':')
		var err error
		if b, err = appendCanonical(b, v.FieldByIndex(f.Index)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// appendString writes a string with only the escapes that JSON demands.
func appendString(b []byte, s string) []byte {
	const short = "\b\t\n\f\r"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= ' ':
			b = append(b, string(r)...)
		default:
			b = appendControl(b, byte(r), short)
		}
	}
	return append(b, '"')
}

func appendControl(b []byte, c byte, short string) []byte {
	for i := range len(short) {
		if short[i] == c {
			return append(b, '\\', "btnfr"[i])
		}
	}
	return fmt.Appendf(b, "\\u%04x", c)
}
