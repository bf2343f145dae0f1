package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// jsDocImports takes what comments import for their types: `@import D, { A, B as C } from "module"` and `@import * as
// ns from "module"`. What the file itself defines or imports under such a name goes before it.
func jsDocImports(b *Builder) {
	taken := map[uint32]bool{}
	for i := range b.F.Imports {
		taken[b.F.Imports[i].Local] = true
	}
	for i := range b.F.Symbols {
		if s := &b.F.Symbols[i]; s.Container < 0 && s.Flags&graph.NestedDef == 0 {
			taken[s.Name] = true
		}
	}
	for at := 0; ; {
		i := bytes.Index(b.src[at:], []byte("@import"))
		if i < 0 {
			return
		}
		from := at + i
		at = from + len("@import")
		open := bytes.LastIndex(b.src[:from], []byte("/*"))
		end := bytes.Index(b.src[at:], []byte("*/"))
		if open < 0 || end < 0 || !bytes.HasPrefix(b.src[open:], []byte("/**")) || bytes.Contains(b.src[open:from], []byte("*/")) {
			continue
		}
		d := jsDocImport{jsTypes: jsTypes{b: b, text: jsDocPlain(b.src[open : at+end]), off: open, in: graph.None, at: at - open, end: at + end - open}, taken: taken}
		d.read()
	}
}

// jsDocImport reads one such import.
type jsDocImport struct {
	jsTypes
	taken map[uint32]bool
	names []graph.Imported
}

func (d *jsDocImport) read() {
	for d.at < d.end {
		switch {
		case d.take("{"):
			d.specifiers()
		case d.take("*"):
			if d.take("as") {
				d.name("", 0)
			}
		case d.take("from"):
			d.module()
			return
		case d.take(","):
		default:
			at := d.at
			if d.blanks(); d.at < d.end && tsWord(d.text[d.at]) {
				d.name("default", graph.DefaultOf)
			}
			if d.at == at {
				return
			}
		}
	}
}

// specifiers are the names in braces.
func (d *jsDocImport) specifiers() {
	for d.peek() != '}' && d.at < d.end {
		d.blanks()
		im := graph.Imported{NameOff: uint32(d.off + d.at), Flags: graph.TypeOnly, In: graph.None}
		name := d.word()
		if name == "" {
			return
		}
		im.Name = d.b.Str(name)
		im.Local = im.Name
		if name == "default" {
			im.Flags |= graph.DefaultOf
		}
		if d.take("as") {
			d.blanks()
			im.Off = uint32(d.off + d.at)
			im.Local = d.b.Str(d.word())
		}
		d.names = append(d.names, im)
		if !d.take(",") {
			break
		}
	}
	d.take("}")
}

// name is a name for the module or its default.
func (d *jsDocImport) name(of string, flags graph.ImportFlags) {
	d.blanks()
	im := graph.Imported{Off: uint32(d.off + d.at), Flags: graph.TypeOnly | flags, In: graph.None, Name: d.b.Str(of)}
	im.Local = d.b.Str(d.word())
	d.names = append(d.names, im)
}

// module ends the import: all the names are of the module that is next.
func (d *jsDocImport) module() {
	if c := d.peek(); c != '"' && c != '\'' {
		return
	}
	off := uint32(d.off + d.at + 1)
	module := strings.TrimSpace(d.quoted())
	for _, im := range d.names {
		if d.taken[im.Local] || module == "" {
			continue
		}
		d.taken[im.Local] = true
		im.Module, im.ModuleOff = d.b.Str(module), off
		d.b.F.Imports = append(d.b.F.Imports, im)
	}
}
