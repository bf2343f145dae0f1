package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// A comment may define a type: `@typedef {T} Name` is another name for T; of an object, what follows it
// as `@property {T} name`, or what the braces hold, are members.

// jsDocTypedefs makes the types that comments define, but for those that are imports.
func jsDocTypedefs(b *Builder) {
	if !bytes.Contains(b.src, []byte("@typedef")) {
		return
	}
	taken := map[uint32]bool{}
	for i := range b.F.Symbols {
		if s := &b.F.Symbols[i]; s.Container < 0 && s.Flags&graph.NestedDef == 0 {
			taken[s.Name] = true
		}
	}
	for at := 0; ; {
		i := bytes.Index(b.src[at:], []byte("/**"))
		if i < 0 {
			return
		}
		from := at + i
		n := bytes.Index(b.src[from:], []byte("*/"))
		if n < 0 {
			return
		}
		at = from + n
		if text := b.src[from:at]; bytes.Contains(text, []byte("@typedef")) {
			t := jsTypedefs{b: b, text: jsDocPlain(text), off: from, taken: taken, sym: graph.None}
			t.read()
		}
	}
}

// jsDocPlain is a comment without the stars that begin its lines, each byte in its place.
func jsDocPlain(comment []byte) string {
	out := bytes.Clone(comment)
	begins := false
	for i, c := range out {
		switch {
		case c == '\n':
			begins = true
		case c == '*' && begins:
			out[i], begins = ' ', false
		case c != ' ' && c != '\t' && c != '\r':
			begins = false
		}
	}
	return string(out)
}

// jsTypedefs reads the types that one comment defines: sym is the one whose members may follow.
type jsTypedefs struct {
	b     *Builder
	text  string
	off   int // of text in the file
	taken map[uint32]bool
	sym   int32
}

func (t *jsTypedefs) read() {
	for at := 0; ; {
		i := strings.IndexByte(t.text[at:], '@')
		if i < 0 {
			return
		}
		at += i + 1
		word := t.text[at : at+jsWordLen(t.text[at:])]
		open := at + len(word)
		open += len(t.text[open:]) - len(strings.TrimLeft(t.text[open:], " \t\r\n"))
		if word != "typedef" && word != "property" && word != "prop" || open >= len(t.text) || t.text[open] != '{' {
			continue
		}
		shut := jsDocShut(t.text, open)
		if shut < 0 {
			return
		}
		name := shut + 1
		name += len(t.text[name:]) - len(strings.TrimLeft(t.text[name:], " \t\r\n["))
		at = shut
		if n := jsWordLen(t.text[name:]); n > 0 && word == "typedef" {
			t.define(open+1, shut, name, n)
		} else if n > 0 && t.sym >= 0 {
			t.member(name, n, t.text[open+1:shut])
		}
	}
}

// define makes the type called by the n bytes at name of what stands between from and to.
func (t *jsTypedefs) define(from, to, name, n int) {
	b, typ := t.b, strings.TrimSpace(t.text[from:to])
	id := b.Str(t.text[name : name+n])
	t.sym = graph.None
	if t.taken[id] || strings.HasPrefix(typ, "import(") {
		return
	}
	t.taken[id] = true
	s := graph.Symbol{Kind: graph.TypeAlias, Name: id, NameOff: uint32(t.off + name), Start: uint32(t.off + from - 1), End: uint32(t.off + name + n),
		Container: graph.None, Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Exported}
	sym := b.addSymbol(s, b.qual(graph.None))
	switch {
	case typ == "object" || typ == "Object":
		t.sym = sym
	case strings.HasPrefix(typ, "{") && jsDocShut(typ, 0) == len(typ)-1:
		t.sym = sym
		t.members(from+strings.IndexByte(t.text[from:to], '{')+1, from+strings.LastIndexByte(t.text[from:to], '}'))
		t.sym = graph.None
	default:
		d := jsDoc{b: b, in: sym, off: uint32(t.off + from)}
		of := d.typ(typ)
		b.F.Symbols[sym].Type = of
	}
}

// members are those that braces hold: name: T, or name?: T, each ended by a comma or semicolon.
func (t *jsTypedefs) members(from, to int) {
	for at := from; at < to; {
		end := at
		for depth := 0; end < to && (depth > 0 || t.text[end] != ',' && t.text[end] != ';'); end++ {
			switch t.text[end] {
			case '{', '(', '[', '<':
				depth++
			case '}', ')', ']':
				depth--
			case '>':
				if t.text[end-1] != '=' {
					depth--
				}
			}
		}
		name := at + len(t.text[at:end]) - len(strings.TrimLeft(t.text[at:end], " \t\r\n"))
		if n := jsWordLen(t.text[name:end]); n > 0 {
			if typ, ok := strings.CutPrefix(strings.TrimLeft(t.text[name+n:end], "? \t"), ":"); ok {
				t.member(name, n, typ)
			}
		}
		at = end + 1
	}
}

func (t *jsTypedefs) member(name, n int, typ string) {
	b := t.b
	end := uint32(t.off + name + n)
	s := graph.Symbol{Kind: graph.Property, Name: b.Str(t.text[name : name+n]), NameOff: uint32(t.off + name), Start: uint32(t.off + name), End: end,
		Container: t.sym, Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Exported}
	sym := b.addSymbol(s, b.qual(t.sym))
	if b.F.Symbols[t.sym].End < end {
		b.F.Symbols[t.sym].End = end
	}
	d := jsDoc{b: b, in: sym, off: s.NameOff}
	of := d.typ(typ)
	b.F.Symbols[sym].Type = of
}

// jsWordLen is how many bytes at the beginning of s are a name.
func jsWordLen(s string) int {
	n := 0
	for n < len(s) && tsWord(s[n]) {
		n++
	}
	return n
}

// jsDocShut is where the brace at open is closed, or -1.
func jsDocShut(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
