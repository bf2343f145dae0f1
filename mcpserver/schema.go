package mcpserver

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/codegraph-dev/codegraph/readtools"
)

// object is a JSON object that keeps the order of its members, so that a model reads the
// parameters in the order in which they were declared.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := encode(m.value)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", m.key, err)
		}
		out = append(strconv.AppendQuote(out, m.key), ':')
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// InputSchema is the JSON Schema (2020-12) of a parameter struct: an object that admits
// no other arguments. It uses no references, because some hosts do not follow them.
func InputSchema(params any) (json.RawMessage, error) {
	t := reflect.TypeOf(params)
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("make input schema: %v is no struct", t)
	}
	b := schemas{inline: true, open: map[reflect.Type]bool{}}
	schema := b.structure(t)
	if b.err != nil {
		return nil, fmt.Errorf("make input schema of %v: %w", t, b.err)
	}
	return encode(schema)
}

// OutputSchema is the JSON Schema of a result struct, or of the error that may come in
// its place: {"error": {"code", "message", "next"}}. Members may be added to a result
// later, so others than the listed ones are admitted.
func OutputSchema(result any) (json.RawMessage, error) {
	t := reflect.TypeOf(result)
	if t == nil || t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("make output schema: %v is no struct", t)
	}
	b := schemas{names: map[string]reflect.Type{}}
	properties, required := b.properties(t, true)
	properties = append(properties, member{"error", b.of(reflect.TypeFor[readtools.Error]())})
	schema := object{
		{"type", "object"},
		{"properties", properties},
		{"anyOf", []object{{{"required", required}}, {{"required", []string{"error"}}}}},
	}
	if len(b.defs) > 0 {
		schema = append(schema, member{"$defs", b.defs})
	}
	if b.err != nil {
		return nil, fmt.Errorf("make output schema of %v: %w", t, b.err)
	}
	return encode(schema)
}

// schemas builds the schema of one struct. With inline every struct is written where it
// is used; else it is a definition with a reference to it. It keeps its first error.
type schemas struct {
	inline bool
	open   map[reflect.Type]bool   // inline: the structs around the present place
	names  map[string]reflect.Type // not inline: the definitions begun
	defs   object
	err    error
}

var (
	timeType      = reflect.TypeFor[time.Time]() // as its encoder writes it
	rawType       = reflect.TypeFor[json.RawMessage]()
	marshalerType = reflect.TypeFor[json.Marshaler]()
)

// of is the schema of a value of type t.
func (b *schemas) of(t reflect.Type) any {
	if t == timeType {
		return object{{"type", "string"}, {"format", "date-time"}}
	}
	if t == rawType || t.Implements(marshalerType) {
		return object{}
	}
	switch t.Kind() {
	case reflect.String:
		return object{{"type", "string"}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Float32, reflect.Float64:
		return object{{"type", "number"}}
	case reflect.Slice:
		return object{{"type", "array"}, {"items", b.of(t.Elem())}}
	case reflect.Array:
		return object{{"type", "array"}, {"items", b.of(t.Elem())}, {"minItems", t.Len()}, {"maxItems", t.Len()}}
	case reflect.Map:
		return object{{"type", "object"}, {"additionalProperties", b.of(t.Elem())}}
	case reflect.Pointer:
		return b.of(t.Elem())
	case reflect.Interface:
		return object{}
	case reflect.Struct:
		return b.structure(t)
	default:
		b.fail(fmt.Errorf("no schema for %v", t))
		return object{}
	}
}

// structure is the schema of a struct, or a reference to its definition.
func (b *schemas) structure(t reflect.Type) any {
	if b.inline {
		if b.open[t] {
			b.fail(fmt.Errorf("%v contains itself", t))
			return object{}
		}
		b.open[t] = true
		defer delete(b.open, t)
		properties, required := b.properties(t, false)
		schema := object{{"type", "object"}, {"properties", properties}}
		if len(required) > 0 {
			schema = append(schema, member{"required", required})
		}
		return append(schema, member{"additionalProperties", false})
	}
	name := t.Name()
	if other, ok := b.names[name]; ok && other != t {
		b.fail(fmt.Errorf("%v and %v have the same name", t, other))
	} else if !ok {
		b.names[name] = t
		properties, required := b.properties(t, false)
		b.defs = append(b.defs, member{name, object{
			{"type", "object"}, {"properties", properties}, {"required", required},
		}})
	}
	return object{{"$ref", "#/$defs/" + name}}
}

// properties are the schemas of a struct's fields and the names of those that are always
// there. top says that nil lists have been replaced by empty ones.
func (b *schemas) properties(t reflect.Type, top bool) (object, []string) {
	properties, required := object{}, []string{}
	for _, f := range structFields(t, nil) {
		schema := b.of(f.Type)
		if b.inline {
			schema = b.parameter(f, schema)
		} else if nullable(f, top) {
			schema = object{{"anyOf", []any{schema, object{{"type", "null"}}}}}
		}
		properties = append(properties, member{f.JSON, schema})
		if f.Required || !b.inline && !f.omits {
			required = append(required, f.JSON)
		}
	}
	return properties, required
}

func nullable(f Field, top bool) bool {
	if f.omits {
		return false
	}
	kind := f.Type.Kind()
	return kind == reflect.Pointer || kind == reflect.Map || kind == reflect.Slice && !top
}

// parameter adds what the tags say to the schema of a parameter.
func (b *schemas) parameter(f Field, schema any) any {
	o, ok := schema.(object)
	if !ok {
		return schema
	}
	if f.Doc != "" {
		o = append(o, member{"description", f.Doc})
	}
	if f.Enum != nil {
		o = withEnum(o, f)
	}
	if f.Max != "" {
		o = append(o, member{"maximum", json.RawMessage(f.Max)})
	}
	if f.Default != "" {
		value := reflect.New(f.Type).Elem()
		if err := setDefault(f, value); err != nil {
			b.fail(err)
		}
		o = append(o, member{"default", value.Interface()})
	}
	return o
}

// withEnum puts the permitted values where they belong: on a list they are its items'.
func withEnum(o object, f Field) object {
	if f.Type.Kind() != reflect.Slice {
		return append(o, member{"enum", f.Enum})
	}
	for i := range o {
		if o[i].key == "items" {
			o[i].value = object{{"type", "string"}, {"enum", f.Enum}}
		}
	}
	return o
}

func (b *schemas) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}
