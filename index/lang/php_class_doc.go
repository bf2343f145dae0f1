package lang

import (
	"bytes"
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// phpTag is a tag of a doc comment: its name, without what tools put before it, and the text behind it.
type phpTag struct {
	name  string
	text  phpText
	exact bool // a tool's name stood before it
}

// phpTags are the tags of the doc comment between two offsets that are among those of names.
func phpTags(b *Builder, start, end uint32, names ...string) []phpTag {
	var out []phpTag
	src := b.src[start:end]
	for i := 0; i < len(src); i++ {
		if src[i] != '@' || i > 0 && src[i-1] != ' ' && src[i-1] != '*' && src[i-1] != '\t' {
			continue
		}
		p := phpText{b: b, src: src, off: start, at: i + 1}
		word := p.word()
		plain := strings.TrimPrefix(strings.TrimPrefix(word, "phpstan-"), "psalm-")
		for _, n := range names {
			if plain == n {
				p.space()
				out = append(out, phpTag{n, p, plain != word})
			}
		}
	}
	return out
}

// phpTemplates binds the template parameters that a doc comment declares, in the innermost frame.
func phpTemplates(b *Builder, start, end uint32) []int32 {
	if end == 0 || !bytes.Contains(b.src[start:end], []byte("template")) {
		return nil
	}
	var out []int32
	for _, t := range phpTags(b, start, end, "template", "template-covariant", "template-contravariant") {
		p := t.text
		off := p.off + uint32(p.at)
		name := p.word()
		if name == "" {
			continue
		}
		bound := graph.None
		if p.space(); p.word() == "of" {
			bound = p.union()
		}
		out = append(out, b.Local(b.Str(name), off, bound, graph.None, graph.TypeParam))
	}
	return out
}

// phpClassDoc takes what the doc comment of type sym says: the arguments of its bases, what it takes
// calls over from, and the members that it declares.
func phpClassDoc(b *Builder, sym int32, start, end uint32) {
	in := b.in
	b.in = sym
	defer func() { b.in = in }()
	for _, t := range phpTags(b, start, end, "extends", "implements", "use", "template-extends", "template-implements", "template-use", "mixin",
		"property", "property-read", "property-write", "method") {
		p := t.text
		switch t.name {
		case "mixin":
			if of := p.union(); of >= 0 {
				b.AddBases(sym, of)
			}
		case "property", "property-read", "property-write":
			typ := p.union()
			p.space()
			p.eat('$')
			phpDeclares(b, &p, sym, graph.Property, typ, false)
		case "method":
			phpMethodTag(b, &p, sym)
		default:
			phpBaseArguments(b, sym, &p)
		}
	}
}

// phpBaseArguments gives a base of sym the arguments that the text, a name and types in brackets, says.
func phpBaseArguments(b *Builder, sym int32, p *phpText) {
	name := p.word()
	if name = name[strings.LastIndexByte(name, '\\')+1:]; name == "" || !p.eat('<') {
		return
	}
	args, ok := p.args()
	if !ok || len(args) == 0 {
		return
	}
	bases := append([]int32{}, b.F.List(b.Sym(sym).Bases)...)
	for i, e := range bases {
		if x := b.F.Exprs[e]; x.Op != graph.OpIndex && strings.EqualFold(b.F.Strings[x.Name], name) {
			bases[i] = b.Expr(graph.Expr{Op: graph.OpIndex, X: e, Kids: b.List(args...), Off: x.Off})
		}
	}
	list := b.List(bases...)
	b.Sym(sym).Bases = list
}

// phpMethodTag is the text of a @method: static, a type, a name and parameters.
func phpMethodTag(b *Builder, p *phpText, sym int32) {
	at := p.at
	static := p.word() == "static"
	if p.space(); !static || p.at < len(p.src) && p.src[p.at] == '(' {
		p.at, static = at, false
	}
	at = p.at
	name := p.word()
	if name != "" && p.at < len(p.src) && p.src[p.at] == '(' { // without a type
		p.at = at
		phpDeclares(b, p, sym, graph.Method, graph.None, static)
		return
	}
	p.at = at
	typ := p.union()
	p.space()
	phpDeclares(b, p, sym, graph.Method, typ, static)
}

// phpDeclares defines the member whose name begins at p.
func phpDeclares(b *Builder, p *phpText, sym int32, kind graph.Kind, typ int32, static bool) {
	off := p.off + uint32(p.at)
	name := p.word()
	if name == "" || strings.ContainsAny(name, `$\-`) || b.memberSymbol(sym, b.Str(name)) >= 0 {
		return
	}
	s := graph.Symbol{Kind: kind, Name: b.Str(name), NameOff: off, Start: off, End: off + uint32(len(name)), Container: sym,
		Type: typ, Init: graph.None, Owner: graph.None, Flags: graph.Exported | graph.Declaration}
	if static {
		s.Flags |= graph.Static
	}
	b.addSymbol(s, b.qual(sym))
}
