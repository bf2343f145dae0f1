package agents

import (
	"bytes"
	"reflect"
	"strings"
)

// format edits the text of one kind of configuration file. Errors are of type *Problem,
// without the path.
type format interface {
	// decode is the text's meaning, in maps, slices, strings, numbers and bools.
	decode(src []byte) (any, error)
	// put sets the value at a path of keys. Keys of an Entry that are there and say the
	// same, and keys beside them, stay as they are.
	put(src []byte, path []string, v any) ([]byte, error)
	// cut takes out what is at a path of keys, and those of its parents that are then
	// empty, down to a depth of keep keys, which stay.
	cut(src []byte, path []string, keep int) ([]byte, error)
}

var bom = []byte("\xef\xbb\xbf")

// edit runs an edit of a text and proves that it did what it should and nothing else.
func edit(f format, src []byte, path []string, want any, run func([]byte) ([]byte, error)) ([]byte, error) {
	body, marked := bytes.CutPrefix(src, bom)
	before, err := f.decode(body)
	if err != nil {
		return nil, err
	}
	out, err := run(body)
	if err != nil {
		return nil, err
	}
	after, err := f.decode(out)
	if err != nil {
		return nil, problem(0, "it is written in a way that could not be edited (%v); edit it by hand", err)
	}
	got, found := at(after, path)
	if want == nil && found || want != nil && !holds(got, want) {
		return nil, problem(0, "it is written in a way that could not be edited; edit %s by hand", strings.Join(path, "."))
	}
	was, _ := at(before, path)
	kept := want == nil || reflect.DeepEqual(beside(was, want), beside(got, want))
	if !kept || !reflect.DeepEqual(without(before, path), without(after, path)) {
		return nil, problem(0, "editing it would have changed other keys; edit %s by hand", strings.Join(path, "."))
	}
	if marked {
		out = append(bytes.Clone(bom), out...)
	}
	return out, nil
}

// put is the text with a value at a path of keys.
func put(f format, src []byte, path []string, v any) ([]byte, error) {
	return edit(f, src, path, v, func(b []byte) ([]byte, error) { return f.put(b, path, v) })
}

// cut is the text without what is at a path of keys.
func cut(f format, src []byte, path []string, keep int) ([]byte, error) {
	return edit(f, src, path, nil, func(b []byte) ([]byte, error) { return f.cut(b, path, keep) })
}

// lookup is the decoded value at a path of keys.
func lookup(f format, src []byte, path []string) (any, bool, error) {
	v, err := f.decode(bytes.TrimPrefix(src, bom))
	if err != nil {
		return nil, false, err
	}
	got, ok := at(v, path)
	return got, ok, nil
}

// depth is how many keys of a path are there.
func depth(f format, src []byte, path []string) int {
	for n := len(path); n > 0; n-- {
		if _, ok, err := lookup(f, src, path[:n]); ok && err == nil {
			return n
		}
	}
	return 0
}

// splice is the text with src[from:to] replaced.
func splice(src []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(src)+len(with))
	out = append(out, src[:from]...)
	out = append(out, with...)
	return append(out, src[to:]...)
}

// eolOf is how the text ends its lines.
func eolOf(src []byte) string {
	if bytes.Contains(src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// lineAt is the 1-based line of an offset.
func lineAt(src []byte, off int) int { return 1 + bytes.Count(src[:min(off, len(src))], []byte("\n")) }

// lineStart is where the line of an offset begins.
func lineStart(src []byte, off int) int { return 1 + bytes.LastIndexByte(src[:off], '\n') }

// indentAt is the white space at the start of the line of an offset.
func indentAt(src []byte, off int) string {
	line := src[lineStart(src, off):]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
