package bolt

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/codegraph-dev/codegraph/graph"
)

// Flat records are stored as they lie in memory, so a store's format is the code's version,
// the machine's byte order and the layout of every struct that is stored. All of it goes
// into one string; a store with another string is of another version and is rebuilt.

// formatVersion counts changes of the format that the structs do not show.
//
//	1  blocks of tables keyed by their upper bounds; columns of words
const formatVersion = 1

// The masks of the flat records: for each word, the bits that are fields and not padding.
var (
	exprMask       = maskOf(reflect.TypeFor[graph.Expr]())
	symbolMask     = maskOf(reflect.TypeFor[graph.Symbol]())
	localMask      = maskOf(reflect.TypeFor[graph.Local]())
	importedMask   = maskOf(reflect.TypeFor[graph.Imported]())
	linkMask       = maskOf(reflect.TypeFor[graph.Link]())
	importLinkMask = maskOf(reflect.TypeFor[graph.ImportLink]())
	targetMask     = maskOf(reflect.TypeFor[graph.Target]())
)

// format is the string that identifies the format.
var format = formatOf(
	reflect.TypeFor[graph.Facts](), reflect.TypeFor[graph.Links](),
	reflect.TypeFor[graph.File](), reflect.TypeFor[graph.Export]())

// formatOf describes the structs that are stored.
func formatOf(types ...reflect.Type) string {
	h := graph.NewHash()
	for _, t := range types {
		h = layout(h, t)
	}
	order := "big"
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		order = "little"
	}
	return fmt.Sprintf("codegraph graph %d %s %016x", formatVersion, order, h.Sum())
}

// layout adds a type's shape to h.
func layout(h graph.Hash, t reflect.Type) graph.Hash {
	h = h.String(t.Kind().String()).Int(uint64(t.Size()))
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return layout(h, t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			h = layout(h.String(f.Name).Int(uint64(f.Offset)), f.Type)
		}
	}
	return h
}

// maskOf is the mask of a flat record, or nil when t is not flat (a test forbids that).
func maskOf(t reflect.Type) []uint32 {
	if t.Size()%4 != 0 || t.Align() < 4 {
		return nil
	}
	field := make([]byte, t.Size())
	if !markFields(field, t) {
		return nil
	}
	mask := make([]uint32, len(field)/4)
	for i := range mask {
		mask[i] = binary.NativeEndian.Uint32(field[4*i:])
	}
	return mask
}

// markFields sets the bytes of t's fields in b, and reports whether all are plain numbers.
func markFields(b []byte, t reflect.Type) bool {
	switch k := t.Kind(); {
	case k == reflect.Struct:
		for f := range t.Fields() {
			if !markFields(b[f.Offset:], f.Type) {
				return false
			}
		}
		return true
	case k == reflect.Array:
		for i := range t.Len() {
			if !markFields(b[uintptr(i)*t.Elem().Size():], t.Elem()) {
				return false
			}
		}
		return true
	case k >= reflect.Bool && k <= reflect.Uint64:
		for i := range t.Size() {
			b[i] = 0xff
		}
		return true
	}
	return false
}
