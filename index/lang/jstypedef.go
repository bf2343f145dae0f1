package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// A comment may define a type: `@typedef {T} Name` is another name for T; of an object, what follows it
// as `@property {T} name`, or what the braces hold, are members; `@callback Name` is a function of the
// parameters that follow. What `@template` names are its type parameters.

// jsDocTypedefs makes the types that comments define.
func jsDocTypedefs(b *Builder) {
	if !bytes.Contains(b.src, []byte("@typedef")) && !bytes.Contains(b.src, []byte("@callback")) {
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
		if text := b.src[from:at]; bytes.Contains(text, []byte("@typedef")) || bytes.Contains(text, []byte("@callback")) {
			t := jsTypedefs{jsComment: jsCommentAt(b, from, at), taken: taken, sym: graph.None}
			t.read()
		}
	}
}

// jsTypedefs reads the types that one comment defines: sym is the one whose members may follow.
type jsTypedefs struct {
	*jsComment
	taken map[uint32]bool
	sym   int32
}

func (t *jsTypedefs) read() {
	for i, tag := range t.tags {
		n := jsWordLen(tag.name)
		switch {
		case n == 0:
		case tag.word == "typedef":
			t.define(tag, tag.name[:n])
		case tag.word == "callback":
			t.callback(tag, tag.name[:n], t.tags[i+1:])
		case (tag.word == "property" || tag.word == "prop") && t.sym >= 0 && n == len(tag.name):
			m := t.member(t.sym, tag.name, tag.nameAt, graph.None)
			t.in = m
			of := t.of(tag)
			t.b.F.Symbols[m].Type = of
		}
	}
}

// begin makes the type called name, with its type parameters; None where the file has the name already.
func (t *jsTypedefs) begin(tag jsDocTag, name string, from int) int32 {
	b, id := t.b, t.b.Str(name)
	t.sym = graph.None
	if t.taken[id] {
		return graph.None
	}
	t.taken[id] = true
	s := graph.Symbol{Kind: graph.TypeAlias, Name: id, NameOff: uint32(t.off + tag.nameAt), Start: uint32(t.off + from), End: uint32(t.off + tag.nameAt + len(name)),
		Container: graph.None, Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Exported}
	sym := b.addSymbol(s, b.qual(graph.None))
	t.templates(sym)
	t.in = sym
	return sym
}

// define makes the type that a tag defines, or the import that it is.
func (t *jsTypedefs) define(tag jsDocTag, name string) {
	b := t.b
	typ := ""
	if tag.from >= 0 {
		typ = strings.TrimSpace(t.text[tag.from:tag.to])
	}
	if strings.HasPrefix(typ, "import(") && t.imports(typ, name, tag.from) {
		t.sym = graph.None
		return
	}
	from := tag.nameAt
	if tag.from >= 0 {
		from = tag.from - 1
	}
	sym := t.begin(tag, name, from)
	switch {
	case sym < 0:
	case typ == "object" || typ == "Object" || typ == "":
		t.sym = sym
	case typ[0] == '{' && jsShut(typ, 0) == len(typ)-1 && !strings.HasPrefix(strings.TrimLeft(typ[1:], " \t\r\n"), "["):
		t.at, t.end = tag.from+strings.IndexByte(t.text[tag.from:tag.to], '{')+1, tag.to
		t.jsTypes.members(sym)
	default:
		of := t.of(tag)
		b.F.Symbols[sym].Type = of
	}
}

// imports takes a type that is import("module").Name, or the module, as an import under the name local.
func (t *jsTypedefs) imports(typ, local string, from int) bool {
	b := t.b
	rest := strings.TrimPrefix(typ, "import(")
	shut := strings.IndexByte(rest, ')')
	if shut < 3 {
		return false
	}
	module := strings.TrimSpace(rest[:shut])
	member := strings.TrimPrefix(strings.TrimSpace(rest[shut+1:]), ".")
	if jsWordLen(member) != len(member) || len(module) < 3 || module[0] != '"' && module[0] != '\'' {
		return false
	}
	im := graph.Imported{Local: b.Str(local), Module: b.Str(module[1 : len(module)-1]), Flags: graph.TypeOnly, In: graph.None}
	if i := strings.Index(t.text[from:], module); i >= 0 {
		im.ModuleOff = uint32(t.off + from + i + 1)
	}
	if member != "" {
		im.Name = b.Str(member)
	}
	b.F.Imports = append(b.F.Imports, im)
	return true
}

// callback makes a function type of the parameters and the result that the tags behind it say.
func (t *jsTypedefs) callback(tag jsDocTag, name string, tags []jsDocTag) {
	sym := t.begin(tag, name, tag.nameAt)
	if sym < 0 {
		return
	}
	var kids []int32
	result := graph.None
tags:
	for _, x := range tags {
		switch x.word {
		case "param", "arg", "argument":
			if strings.IndexByte(x.name, '.') < 0 {
				l := t.local(x.name, t.of(x), graph.InnerParam)
				kids = append(kids, t.expr(graph.Expr{Op: graph.OpLocal, X: l}))
			}
		case "returns", "return":
			result = t.of(x)
		case "typedef", "callback":
			break tags
		}
	}
	of := t.expr(graph.Expr{Op: graph.OpFunc, X: result, Kids: t.b.List(kids...)})
	t.b.F.Symbols[sym].Type = of
}

// jsWordLen is how many bytes at the beginning of s are a name.
func jsWordLen(s string) int {
	n := 0
	for n < len(s) && tsWord(s[n]) {
		n++
	}
	return n
}
