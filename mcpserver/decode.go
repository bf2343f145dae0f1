package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/codegraph-dev/codegraph/readtools"
)

// decodeArgs reads a call's arguments object into the struct that params points to.
// Absent arguments take their defaults. The error is a *readtools.Error of code usage
// that tells all that is wrong at once.
func decodeArgs(tool, example string, args json.RawMessage, params any) error {
	v := reflect.ValueOf(params).Elem()
	fields := structFields(v.Type(), nil)
	d := decoder{}
	if absent(args) {
		args = json.RawMessage("{}")
	}
	d.structure("", args, v)
	if len(d.wrong) == 0 {
		return nil
	}
	if example == "" {
		example = exampleOf(fields)
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.JSON
	}
	next := fmt.Sprintf("call %s with arguments such as %s", tool, example)
	if len(names) > 0 {
		next += "; it takes " + strings.Join(names, ", ")
	}
	return &readtools.Error{Code: "usage", Message: tool + ": " + strings.Join(d.wrong, "; "), Next: next}
}

// decoder collects what is wrong with the arguments.
type decoder struct{ wrong []string }

func (d *decoder) fail(format string, args ...any) {
	d.wrong = append(d.wrong, fmt.Sprintf(format, args...))
}

// structure decodes an object into a struct. path is its place, "" for the arguments.
func (d *decoder) structure(path string, raw json.RawMessage, v reflect.Value) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		d.mismatch(path, "an object", raw)
		return
	}
	fields := structFields(v.Type(), nil)
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.JSON
	}
	for _, name := range sortedKeys(given) {
		if slices.Contains(known, name) {
			continue
		}
		if near := nearest(name, known); near != "" {
			d.fail("unknown argument %q (did you mean %q?)", join(path, name), near)
		} else {
			d.fail("unknown argument %q", join(path, name))
		}
	}
	for _, f := range fields {
		d.field(path, f, given[f.JSON], v.FieldByIndex(f.Index))
	}
}

func (d *decoder) field(path string, f Field, raw json.RawMessage, v reflect.Value) {
	name := join(path, f.JSON)
	if absent(raw) {
		if f.Required {
			d.fail("argument %q is missing: %s", name, f.Doc)
		} else if err := setDefault(f, v); err != nil {
			d.fail("%v", err)
		}
		return
	}
	before := len(d.wrong)
	d.value(name, raw, v)
	if f.Enum == nil || len(d.wrong) > before {
		return
	}
	for _, s := range texts(v) {
		if !slices.Contains(f.Enum, s) {
			d.fail("argument %q must be one of %s, not %q", name, strings.Join(f.Enum, ", "), s)
		}
	}
}

// value decodes any JSON value into a Go value of a kind that a parameter may have.
func (d *decoder) value(name string, raw json.RawMessage, v reflect.Value) {
	switch kind := v.Kind(); {
	case absent(raw): // a null inside a list
		d.mismatch(name, "a value", raw)
	case v.Type() == rawType || kind == reflect.Interface || kind == reflect.Map:
		if json.Unmarshal(raw, v.Addr().Interface()) != nil {
			d.mismatch(name, "an object", raw)
		}
	case kind == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(name, raw, v.Elem())
	case kind == reflect.Struct:
		d.structure(name, raw, v)
	case kind == reflect.Slice:
		d.list(name, raw, v)
	case v.CanInt() || v.CanUint():
		if !setInteger(v, raw) {
			d.mismatch(name, "an integer", raw)
		}
	default:
		if json.Unmarshal(raw, v.Addr().Interface()) != nil {
			d.mismatch(name, article(kind), raw)
		}
	}
}

// list decodes a list. A single value stands for a list of one.
func (d *decoder) list(name string, raw json.RawMessage, v reflect.Value) {
	var items []json.RawMessage
	if raw[0] != '[' {
		items = []json.RawMessage{raw}
	} else if json.Unmarshal(raw, &items) != nil {
		d.mismatch(name, "a list", raw)
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		at := name
		if raw[0] == '[' {
			at = name + "[" + strconv.Itoa(i) + "]"
		}
		d.value(at, bytes.TrimSpace(item), v.Index(i))
	}
}

func (d *decoder) mismatch(name, want string, raw json.RawMessage) {
	if name == "" {
		d.fail("the arguments must be %s, not %s", want, shown(raw))
		return
	}
	d.fail("argument %q must be %s, not %s", name, want, shown(raw))
}

// setInteger stores a JSON number without a fraction; 5.0 is one. It reports failure.
func setInteger(v reflect.Value, raw json.RawMessage) bool {
	text := string(raw)
	if v.CanUint() {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || v.OverflowUint(n) {
			return false
		}
		v.SetUint(n)
		return true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		var f float64
		if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return false
		}
		n = int64(f)
	}
	if v.OverflowInt(n) {
		return false
	}
	v.SetInt(n)
	return true
}

// setDefault stores a parameter's default, if it has one. An error is a wrong tag.
func setDefault(f Field, v reflect.Value) error {
	if f.Default == "" {
		return nil
	}
	var err error
	switch {
	case v.Kind() == reflect.String:
		v.SetString(f.Default)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String:
		v.Set(reflect.ValueOf(strings.Split(f.Default, ",")).Convert(v.Type()))
	default:
		err = json.Unmarshal([]byte(f.Default), v.Addr().Interface())
	}
	if err != nil {
		return fmt.Errorf("parse default %q of %s: %w", f.Default, f.JSON, err)
	}
	return nil
}

// absent says that an argument was not given; null is as good as nothing.
func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// texts are the strings of a string or of a list of strings.
func texts(v reflect.Value) []string {
	if v.Kind() == reflect.String {
		return []string{v.String()}
	}
	var out []string
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String {
		for i := range v.Len() {
			out = append(out, v.Index(i).String())
		}
	}
	return out
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
