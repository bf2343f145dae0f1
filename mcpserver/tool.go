package mcpserver

import (
	"context"
	"encoding/json"
	"reflect"
)

// Tool is a row of the table: all that the server knows about a tool.
type Tool struct {
	// Name is what a client calls: 1 to 128 letters, digits, _, - or dots.
	Name string
	// Title is the name that a person is shown.
	Title string
	// Description is what a model reads to choose the tool: under 2,048 characters,
	// key words first, because some hosts cut there.
	Description string
	// Hints are told to the client; they are never enforcement.
	Hints Hints
	// Example is the arguments object of a call that works, shown with usage errors.
	// Empty means one made from the required parameters.
	Example string
	// Params and Result are zero values of the structs that the schemas are made of.
	// Typed sets both, and Call.
	Params any
	Result any
	// Call runs the tool. args is the arguments object as it came, or empty.
	Call func(ctx context.Context, args json.RawMessage) (Answer, error)
}

// Hints say what a tool may do, so that a client can decide whether to ask its user. All
// four are always sent, since the protocol's defaults are the most alarming ones.
type Hints struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// Answer is a tool's result in both forms. Structured is encoded as JSON; Text is for a
// model or a person, and is the JSON where it is empty.
type Answer struct {
	Structured any
	Text       string
}

// Typed completes a row from a typed function, which returns a result and its text form.
//
// It sets Params, Result and Call. The arguments are decoded strictly, with defaults
// filled in; a call with wrong arguments fails with a *readtools.Error of code usage, and
// fn does not run. Lists at the top of the result that are nil become empty ones.
func Typed[P, R any](t Tool, fn func(context.Context, P) (result R, text string, err error)) Tool {
	var params P
	var result R
	t.Params, t.Result = params, result
	name, example := t.Name, t.Example
	t.Call = func(ctx context.Context, args json.RawMessage) (Answer, error) {
		var p P
		if err := decodeArgs(name, example, args, &p); err != nil {
			return Answer{}, err
		}
		r, text, err := fn(ctx, p)
		if err != nil {
			return Answer{}, err
		}
		emptyLists(reflect.ValueOf(&r).Elem())
		return Answer{Structured: r, Text: text}, nil
	}
	return t
}

// emptyLists replaces the nil slices among the fields of a struct, embedded structs
// included, by empty ones: the output schema promises a list. Fields that the encoder
// omits when empty stay as they are.
func emptyLists(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		switch {
		case !f.IsExported() && !f.Anonymous:
		case f.Anonymous:
			emptyLists(field)
		case field.Kind() == reflect.Slice && field.IsNil() && !omits(f.Tag.Get("json")) && field.CanSet():
			field.Set(reflect.MakeSlice(f.Type, 0, 0))
		}
	}
}
