package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// Types with parts in the comments of JavaScript: functions, tuples and objects.

// isFunction reports whether the bracket that is next holds the parameters of a function type.
func (p *jsTypes) isFunction() bool {
	shut := jsShut(p.text[:p.end], p.at)
	if shut < 0 {
		return false
	}
	rest := strings.TrimLeft(p.text[shut+1:p.end], " \t\r\n")
	return strings.HasPrefix(rest, "=>")
}

// function is a function type, (a: T) => U or function(T): U.
func (p *jsTypes) function() int32 {
	p.at++
	var kids []int32
	for p.peek() != ')' && p.at < p.end {
		if l := p.parameter(); l >= 0 {
			kids = append(kids, p.expr(graph.Expr{Op: graph.OpLocal, X: l}))
		}
		if !p.take(",") {
			break
		}
	}
	p.take(")")
	result := graph.None
	if p.take("=>") || p.take(":") {
		result = p.any()
	}
	return p.expr(graph.Expr{Op: graph.OpFunc, X: result, Kids: p.b.List(kids...)})
}

// parameter is a parameter of a function type, which may have a name; None for its receiver.
func (p *jsTypes) parameter() int32 {
	flags := graph.InnerParam
	if p.take("...") {
		flags |= graph.VariadicParam
	}
	at := p.at
	name := p.word()
	optional := p.take("?")
	if name == "" || !p.take(":") {
		p.at, name = at, ""
		if optional && p.peek() != '?' { // of no type that is written out
			return p.local(p.word(), graph.None, flags|graph.OptionalParam)
		}
	}
	if optional {
		flags |= graph.OptionalParam
	}
	t := p.any()
	if name == "this" || name == "new" {
		return graph.None
	}
	return p.local(name, t, flags)
}

// tuple is the rest of a tuple type, behind its opening bracket. Its parts may have names.
func (p *jsTypes) tuple() int32 {
	var kids []int32
	for p.peek() != ']' && p.at < p.end {
		rest := p.take("...")
		at := p.at
		p.word()
		p.take("?")
		if !p.take(":") {
			p.at = at
		}
		t := p.any()
		switch {
		case t < 0:
			t = p.expr(graph.Expr{Op: graph.OpUnion, X: graph.None}) // its place counts
		case rest:
			t = p.expr(graph.Expr{Op: graph.OpElem, X: t})
		}
		kids = append(kids, t)
		if !p.take(",") {
			break
		}
	}
	p.take("]")
	return p.expr(graph.Expr{Op: graph.OpTuple, X: graph.None, Kids: p.b.List(kids...)})
}

// object is a type with members, which a symbol without a name holds, or a map.
func (p *jsTypes) object() int32 {
	from := p.at
	p.at++
	if p.peek() == '[' {
		if t := p.mapped(); t >= 0 {
			return t
		}
		p.at = from + 1
	}
	in := p.in
	s := graph.Symbol{Kind: graph.Interface, Name: p.b.Str("(interface)"), NameOff: uint32(p.off + from), Start: uint32(p.off + from), End: uint32(p.off + from + 1),
		Container: in, Type: graph.None, Init: graph.None, Owner: graph.None, Flags: graph.Anonymous}
	sym := p.b.addSymbol(s, p.b.qual(in))
	p.members(sym)
	p.take("}")
	p.b.F.Symbols[sym].End = uint32(p.off + p.at)
	return p.expr(graph.Expr{Op: graph.OpObject, X: sym})
}

// mapped is the rest of a map type { [k: K]: V } or { [K in T]: V }, or None.
func (p *jsTypes) mapped() int32 {
	p.at++
	known := len(p.scope)
	p.param(p.word())
	key := graph.None
	if p.take(":") || p.take("in") {
		key = p.any()
	}
	p.take("]")
	p.take("?")
	value := graph.None
	if p.take(":") {
		value = p.any()
	}
	p.scope = p.scope[:known]
	p.take(";")
	p.take(",")
	if !p.take("}") || value < 0 {
		return graph.None
	}
	if key < 0 {
		key = p.literal("string")
	}
	return p.expr(graph.Expr{Op: graph.OpMap, X: key, Kids: p.b.List(value)})
}

// members are those of sym up to the brace that shuts: name: T, name?: T or name(a: T): U, parted by commas,
// semicolons or nothing.
func (p *jsTypes) members(sym int32) {
	in := p.in
	p.in = sym
	for p.peek() != '}' && p.at < p.end {
		p.take("readonly")
		from := p.at
		name := p.word()
		if c := p.peek(); name == "" && (c == '"' || c == '\'') {
			from++
			name = p.quoted()
		}
		p.take("?")
		switch {
		case name == "" || p.at >= p.end:
			p.skipMember()
		case p.peek() == '(':
			t := p.function()
			p.member(sym, name, from, t)
		case p.take(":"):
			t := p.any()
			p.member(sym, name, from, t)
		default:
			p.member(sym, name, from, graph.None)
		}
		if c := p.peek(); c == ',' || c == ';' {
			p.at++
		}
	}
	p.in = in
}

// skipMember goes behind a member that has no plain name.
func (p *jsTypes) skipMember() {
	for p.at < p.end {
		switch p.text[p.at] {
		case '{', '(', '[':
			if shut := jsShut(p.text[:p.end], p.at); shut > 0 {
				p.at = shut
			}
		case ',', ';', '}':
			return
		}
		p.at++
	}
}

// member makes the member of sym called name, which stands at from.
func (p *jsTypes) member(sym int32, name string, from int, typ int32) int32 {
	b := p.b
	end := uint32(p.off + from + len(name))
	s := graph.Symbol{Kind: graph.Property, Name: b.Str(name), NameOff: uint32(p.off + from), Start: uint32(p.off + from), End: end,
		Container: sym, Type: typ, Init: graph.None, Owner: graph.None, Flags: graph.Exported}
	m := b.addSymbol(s, b.qual(sym))
	if b.F.Symbols[sym].End < end {
		b.F.Symbols[sym].End = end
	}
	return m
}

// jsShut is where the bracket at open is closed, or -1.
func jsShut(s string, open int) int {
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
