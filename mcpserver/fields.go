package mcpserver

import (
	"reflect"
	"strings"
)

// Field is one parameter of a tool, as its struct tags declare it. The command line
// derives its flags from the same list.
type Field struct {
	// Name is the Go name, JSON the argument's name.
	Name string
	JSON string
	// Doc describes it in a phrase.
	Doc string
	// Enum is the permitted values, nil if any is.
	Enum []string
	// Default is the value of an absent argument as text, "" for the zero value.
	Default string
	// Max is the largest number that is worth giving, "" if there is no bound. A larger one is
	// no error: the tool lowers it and says so.
	Max string
	// Required says that a call without it fails.
	Required bool
	// Short is the one-letter flag, Pos the place among positional arguments: "1",
	// "2", or "2..." for all from there on. Empty if there is none.
	Short string
	Pos   string
	// Type is the Go type and Index its path for reflect.Value.FieldByIndex.
	Type  reflect.Type
	Index []int
	// omits says that the encoder leaves it out when it is empty.
	omits bool
}

// Fields lists the parameters that a struct declares, in their order, with those of
// embedded structs in the place of these. params is a struct or a pointer to one; of
// anything else there are none.
func Fields(params any) []Field {
	t := reflect.TypeOf(params)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	return structFields(t, nil)
}

func structFields(t reflect.Type, index []int) []Field {
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), index...), i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			out = append(out, structFields(f.Type, at)...)
			continue
		}
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		field := Field{
			Name: f.Name, JSON: name, Doc: f.Tag.Get("doc"), Default: f.Tag.Get("default"), Max: f.Tag.Get("max"),
			Required: f.Tag.Get("required") == "true", Short: f.Tag.Get("short"), Pos: f.Tag.Get("pos"),
			Type: f.Type, Index: at, omits: omits(f.Tag.Get("json")),
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			field.Enum = strings.Split(enum, ",")
		}
		out = append(out, field)
	}
	return out
}

// omits says whether a json tag leaves the field out of the encoding when it is empty.
func omits(tag string) bool {
	_, options, _ := strings.Cut(tag, ",")
	for option := range strings.SplitSeq(options, ",") {
		if option == "omitempty" || option == "omitzero" {
			return true
		}
	}
	return false
}
