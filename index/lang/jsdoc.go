package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// JavaScript has types in the comments that document its definitions: @param {T} name, @returns {T}
// and @type {T}, as its type checker reads them. What such a comment says of a parameter, a result, a
// field or a variable is its declared type; names in it are no references.

// A typedef of a type in another module, and import("module").T in place of a name, are imports.

// jsDocTypes gives the symbols with such comments the types that these say.
func jsDocTypes(b *Builder) {
	for at := 0; ; {
		i := bytes.Index(b.src[at:], []byte("@typedef"))
		if i < 0 {
			break
		}
		at += i
		for _, tag := range jsDocTags(string(b.src[at:min(at+400, len(b.src))])) {
			if tag.word == "typedef" && tag.name != "" {
				jsDocImport(b, tag.typ, tag.name, at)
			}
			break
		}
		at++
	}
	written := len(b.F.Symbols)
	jsDocTypedefs(b)
	for i := range written {
		s := b.F.Symbols[i]
		end := s.Start // also what stands apart from it
		if s.DocEnd > 0 {
			end = s.DocEnd
		}
		text := bytes.TrimRight(b.src[:min(int(end), len(b.src))], " \t\r\n")
		if !bytes.HasSuffix(text, []byte("*/")) {
			continue
		}
		at := bytes.LastIndex(text, []byte("/*"))
		if at < 0 || !bytes.HasPrefix(text[at:], []byte("/**")) || bytes.IndexByte(text[at:], '{') < 0 {
			continue
		}
		d := jsDoc{b: b, in: int32(i), off: uint32(at)}
		for _, tag := range jsDocTags(string(text[at:])) {
			d.apply(tag)
		}
	}
}

// jsDocImport takes a type import("module").Name as an import under the name local, or under none; the
// text stands behind offset from. It returns the import and what the text names in it, or None.
func jsDocImport(b *Builder, typ, local string, from int) (int32, string) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(typ), "import(")
	shut := strings.IndexByte(rest, ')')
	if !ok || shut < 3 {
		return graph.None, ""
	}
	module := strings.TrimSpace(rest[:shut])
	member := strings.TrimPrefix(strings.TrimSpace(rest[shut+1:]), ".")
	if len(module) < 3 || module[0] != '"' && module[0] != '\'' {
		return graph.None, ""
	}
	im := graph.Imported{Local: b.Str(local), Module: b.Str(module[1 : len(module)-1]), Flags: graph.TypeOnly, In: graph.None}
	if i := bytes.Index(b.src[from:], []byte(module)); i >= 0 {
		im.ModuleOff = uint32(from + i + 1)
	}
	if local == "" {
		im.Flags |= graph.Assigned
	} else if member != "" {
		im.Name = b.Str(member)
	}
	b.F.Imports = append(b.F.Imports, im)
	return int32(len(b.F.Imports) - 1), member
}

// jsDocTag is a tag of a comment: its word, its type and the name behind that.
type jsDocTag struct{ word, typ, name string }

func jsDocTags(text string) []jsDocTag {
	var out []jsDocTag
	for {
		at := strings.IndexByte(text, '@')
		if at < 0 {
			return out
		}
		text = text[at+1:]
		n := 0
		for n < len(text) && text[n] >= 'a' && text[n] <= 'z' {
			n++
		}
		word, rest := text[:n], strings.TrimLeft(text[n:], " \t")
		if word != "param" && word != "returns" && word != "return" && word != "type" && word != "typedef" || !strings.HasPrefix(rest, "{") {
			continue
		}
		depth, end := 0, -1
		for i := 0; i < len(rest) && end < 0; i++ {
			switch rest[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 {
			return out
		}
		name := strings.TrimLeft(rest[end+1:], " \t[")
		k := 0
		for k < len(name) && (tsWord(name[k]) || name[k] == '.') {
			k++
		}
		out = append(out, jsDocTag{word, rest[1:end], name[:k]})
		text = rest[end:]
	}
}

type jsDoc struct {
	b   *Builder
	in  int32
	off uint32
}

func (d *jsDoc) apply(tag jsDocTag) {
	b := d.b
	s := b.F.Symbols[d.in]
	switch {
	case tag.word == "param" && s.Kind.Callable():
		for _, l := range b.F.List(s.Params) {
			if b.F.Str(b.F.Locals[l].Name) == tag.name && b.F.Locals[l].Type < 0 {
				t := d.typ(tag.typ)
				b.F.Locals[l].Type = t
			}
		}
	case strings.HasPrefix(tag.word, "return") && s.Kind.Callable() && s.Type < 0 && s.Flags&graph.Generator == 0:
		t := d.typ(tag.typ)
		b.F.Symbols[d.in].Type = t
		scriptAwaited(b, d.in)
	case tag.word == "type" && (s.Kind == graph.Field || s.Kind == graph.Property || s.Kind == graph.Variable || s.Kind == graph.Constant) && s.Type < 0:
		t := d.typ(tag.typ)
		b.F.Symbols[d.in].Type = t
	}
}

func (d *jsDoc) expr(e graph.Expr) int32 {
	e.Off = d.off
	x := d.b.Expr(e)
	d.b.F.Exprs[x].In = d.in
	return x
}

// jsDocNothing are the words for types that say nothing.
var jsDocNothing = map[string]bool{"": true, "*": true, "any": true, "unknown": true, "object": true, "Object": true, "Function": true, "function": true, "mixed": true,
	"undefined": true, "null": true, "void": true, "never": true}

// typ is the type that text spells, or None where it says nothing.
func (d *jsDoc) typ(text string) int32 {
	text = strings.TrimSpace(text)
	if parts := jsDocSplit(text, '&'); len(parts) > 1 { // all of them at once
		text = strings.Join(parts, "|")
	}
	if parts := jsDocSplit(text, '|'); len(parts) > 1 {
		var kids []int32
		for _, p := range parts {
			if t := d.typ(p); t >= 0 {
				kids = append(kids, t)
			}
		}
		switch len(kids) {
		case 0:
			return graph.None
		case 1:
			return kids[0]
		}
		return d.expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: d.b.List(kids...)})
	}
	if rest, ok := strings.CutPrefix(text, "..."); ok {
		if t := d.typ(rest); t >= 0 {
			return d.expr(graph.Expr{Op: graph.OpArray, X: t})
		}
		return graph.None
	}
	text = strings.TrimSuffix(strings.TrimLeft(text, "?!"), "=")
	if rest, ok := strings.CutSuffix(text, "[]"); ok {
		return d.expr(graph.Expr{Op: graph.OpArray, X: d.typ(rest)})
	}
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && len(jsDocSplit(text, ')')) == 1 {
		return d.typ(text[1 : len(text)-1])
	}
	if rest, ok := strings.CutPrefix(text, "typeof "); ok {
		if x := d.name(rest); x >= 0 {
			return d.expr(graph.Expr{Op: graph.OpTypeOf, X: x})
		}
		return graph.None
	}
	if open := strings.IndexByte(text, '<'); open > 0 && strings.HasSuffix(text, ">") {
		return d.generic(strings.TrimSuffix(text[:open], "."), jsDocSplit(text[open+1:len(text)-1], ','))
	}
	return d.name(text)
}

func (d *jsDoc) generic(name string, args []string) int32 {
	var kids []int32
	for _, a := range args {
		kids = append(kids, d.typ(a))
	}
	switch {
	case name == "Array" && len(kids) == 1:
		return d.expr(graph.Expr{Op: graph.OpArray, X: kids[0]})
	case (name == "Object" || name == "Record") && len(kids) == 2:
		return d.expr(graph.Expr{Op: graph.OpMap, X: kids[0], Kids: d.b.List(kids[1])})
	}
	x := d.name(name)
	if x < 0 {
		return graph.None
	}
	return d.expr(graph.Expr{Op: graph.OpIndex, X: x, Kids: d.b.List(kids...)})
}

// name is a name with dots between its parts.
func (d *jsDoc) name(text string) int32 {
	if jsDocNothing[text] {
		return graph.None
	}
	x := graph.None
	if strings.HasPrefix(text, "import(") {
		im, member := jsDocImport(d.b, text, "", int(d.off))
		if im < 0 || member == "" {
			return graph.None
		}
		x, text = d.expr(graph.Expr{Op: graph.OpImport, X: im}), member
	}
	for _, part := range strings.Split(text, ".") {
		for i := range len(part) {
			if !tsWord(part[i]) {
				return graph.None
			}
		}
		switch {
		case part == "" || part[0] >= '0' && part[0] <= '9':
			return graph.None
		case x >= 0:
			x = d.expr(graph.Expr{Op: graph.OpMember, X: x, Name: d.b.Str(part)})
		case part == "this":
			x = d.expr(graph.Expr{Op: graph.OpSelf, X: graph.None})
		case part == "string" || part == "number" || part == "boolean" || part == "bigint" || part == "symbol":
			x = d.expr(graph.Expr{Op: graph.OpLiteral, X: graph.None, Name: d.b.Str(part)})
		default:
			x = d.expr(graph.Expr{Op: graph.OpName, X: graph.None, Name: d.b.Str(part)})
		}
	}
	return x
}

// jsDocSplit splits text at the separators that stand in no brackets; with a closing bracket as
// separator, behind the first one that closes all.
func jsDocSplit(text string, sep byte) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; c {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			if c == '>' && i > 0 && text[i-1] == '=' {
				continue
			}
			if depth--; c == sep && depth == 0 && i+1 < len(text) {
				out = append(out, text[from:i+1])
				from = i + 1
			}
		default:
			if c == sep && depth == 0 {
				out = append(out, text[from:i])
				from = i + 1
			}
		}
	}
	return append(out, text[from:])
}
