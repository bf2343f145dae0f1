package lang

import (
	"strings"

	"github.com/codegraph-dev/codegraph/graph"
)

// phpDoc is what a doc comment says of types. They are types without references; absent ones are None.
type phpDoc struct {
	params   map[string]int32 // by name, with the $
	globals  map[string]int32 // likewise
	result   int32
	variable int32    // of the first @var
	vars     []phpVar // all that @var tells of
}

// phpVar is a variable and its type; the name may be empty.
type phpVar struct {
	name string
	typ  int32
}

// param is the type of the parameter of that name, or None.
func (d *phpDoc) param(name string) int32 {
	if t, ok := d.params[name]; ok {
		return t
	}
	return graph.None
}

// phpDocOf reads the doc comment between two offsets. What it says for tools, as @phpstan-param does, is more
// exact than what it says for all.
func phpDocOf(b *Builder, start, end uint32) phpDoc {
	d := phpDoc{result: graph.None, variable: graph.None}
	exact := map[string]bool{}
	for _, t := range phpTags(b, start, end, "param", "return", "var", "global") {
		p := t.text
		typ := p.union()
		p.space()
		for p.at < len(p.src) && (p.src[p.at] == '.' || p.src[p.at] == '&') {
			p.at++
		}
		name := p.word()
		if !strings.HasPrefix(name, "$") || name == "$this" {
			name = ""
		}
		if typ < 0 || exact[t.name+name] && !t.exact {
			continue
		}
		exact[t.name+name] = t.exact
		d.add(t, name, typ)
	}
	return d
}

// add notes what tag t says.
func (d *phpDoc) add(t phpTag, name string, typ int32) {
	switch t.name {
	case "param":
		if name != "" {
			d.params = phpNoted(d.params, name, typ)
		}
	case "global":
		if name != "" {
			d.globals = phpNoted(d.globals, name, typ)
		}
	case "return":
		if d.result < 0 || t.exact {
			d.result = typ
		}
	case "var":
		if d.variable < 0 || t.exact {
			d.variable = typ
		}
		for i := range d.vars {
			if d.vars[i].name == name {
				d.vars[i].typ = typ
				return
			}
		}
		d.vars = append(d.vars, phpVar{name, typ})
	}
}

func phpNoted(m map[string]int32, name string, typ int32) map[string]int32 {
	if m == nil {
		m = map[string]int32{}
	}
	m[name] = typ
	return m
}

// phpText reads a type as doc comments write them.
type phpText struct {
	b    *Builder
	src  []byte
	off  uint32
	at   int
	nest int
}

func (p *phpText) space() {
	for p.at < len(p.src) && (p.src[p.at] == ' ' || p.src[p.at] == '\t') {
		p.at++
	}
}

// blank passes over white space and the stars that begin lines.
func (p *phpText) blank() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n*", p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *phpText) eat(c byte) bool {
	if p.at < len(p.src) && p.src[p.at] == c {
		p.at++
		return true
	}
	return false
}

// word is the name that begins here: letters, digits, and what names of types and variables hold.
func (p *phpText) word() string {
	from := p.at
	for p.at < len(p.src) && (identByte(p.src[p.at]) || p.src[p.at] == '\\' || p.src[p.at] == '$' || p.src[p.at] == '-' && p.at > from) {
		p.at++
	}
	return string(p.src[from:p.at])
}

// union is any of several types parted by bars; null is left out.
func (p *phpText) union() int32 {
	p.space()
	var kids []int32
	for {
		if t := p.suffixed(); t >= 0 {
			kids = append(kids, t)
		}
		at := p.at
		if p.space(); !p.eat('|') && !p.eat('&') || p.at < len(p.src) && (p.src[p.at] == '$' || p.src[p.at] == '.') && p.src[p.at-1] == '&' {
			p.at = at
			break
		}
		p.space()
	}
	switch len(kids) {
	case 0:
		return graph.None
	case 1:
		return kids[0]
	}
	return p.b.Expr(graph.Expr{Op: graph.OpUnion, X: graph.None, Kids: p.b.List(kids...), Off: p.off + uint32(p.at)})
}

// suffixed is a type and the brackets that make it an array of such.
func (p *phpText) suffixed() int32 {
	if p.nest++; p.nest > 30 {
		return graph.None
	}
	t := p.atom()
	for p.at+1 < len(p.src) && p.src[p.at] == '[' && p.src[p.at+1] == ']' {
		p.at += 2
		t = p.b.Expr(graph.Expr{Op: graph.OpArray, X: t, Off: p.off + uint32(p.at)})
	}
	p.nest--
	return t
}

func (p *phpText) atom() int32 {
	p.eat('?')
	if p.eat('(') {
		t := p.union()
		p.eat(')')
		return t
	}
	from := p.at
	name := p.word()
	if name == "" || name[0] == '$' && name != "$this" {
		p.at = from
		return graph.None
	}
	var args []int32
	switch {
	case p.eat('<'):
		var ok bool
		if args, ok = p.args(); !ok {
			return graph.None
		}
	case p.at < len(p.src) && p.src[p.at] == '(' && phpCallable(name):
		return p.callable(p.off + uint32(from))
	case p.at < len(p.src) && p.src[p.at] == '{' && phpShaped(name):
		return p.shape(p.off + uint32(from))
	case p.at < len(p.src) && (p.src[p.at] == '{' || p.src[p.at] == '('):
		p.skip()
		if p.at+1 < len(p.src) && p.src[p.at-1] == ')' && p.src[p.at] == ':' {
			p.at++
			p.union()
		}
	case p.at+1 < len(p.src) && p.src[p.at] == ':' && p.src[p.at+1] == ':': // a constant
		for p.at < len(p.src) && strings.IndexByte(" \t\r\n|", p.src[p.at]) < 0 {
			p.at++
		}
		return graph.None
	}
	return p.named(name, args, p.off+uint32(from))
}

// args are the types up to the closing bracket.
func (p *phpText) args() (out []int32, ok bool) {
	for p.at < len(p.src) && !p.eat('>') {
		at := p.at
		p.blank()
		out = append(out, p.union())
		p.blank()
		if p.eat(','); p.at == at {
			return nil, false
		}
	}
	return out, true
}

// phpCallable reports whether a type of that name may be followed by what it takes and returns.
func phpCallable(name string) bool {
	switch strings.ToLower(strings.TrimPrefix(name, `\`)) {
	case "callable", "closure", "pure-callable", "pure-closure":
		return true
	}
	return false
}

// callable is the rest of callable(A $x, B ...): R.
func (p *phpText) callable(off uint32) int32 {
	e := graph.Expr{Op: graph.OpFunc, X: graph.None, Off: off}
	var kids []int32
	p.eat('(')
	for p.at < len(p.src) && !p.eat(')') {
		at := p.at
		p.blank()
		if t := p.union(); t >= 0 || p.at > at && p.src[p.at-1] != ' ' {
			kids = append(kids, p.valueOf(t))
		}
		for p.at < len(p.src) && strings.IndexByte(" .=&", p.src[p.at]) >= 0 {
			p.at++
		}
		if p.at < len(p.src) && p.src[p.at] == '$' {
			p.word()
		}
		p.blank()
		if p.eat(','); p.at == at {
			return graph.None
		}
	}
	if p.eat(':') {
		e.X = p.union()
	}
	e.Kids = p.b.List(kids...)
	return p.b.Expr(e)
}

// valueOf is a value of type t.
func (p *phpText) valueOf(t int32) int32 {
	if t < 0 {
		return t
	}
	return p.b.Expr(graph.Expr{Op: graph.OpInstance, X: t, Off: p.b.F.Exprs[t].Off})
}

// skip passes over a group in braces or parentheses.
func (p *phpText) skip() {
	depth := 0
	for ; p.at < len(p.src); p.at++ {
		switch p.src[p.at] {
		case '{', '(':
			depth++
		case '}', ')':
			if depth--; depth == 0 {
				p.at++
				return
			}
		}
	}
}

// named is the type called name, applied to args.
func (p *phpText) named(name string, args []int32, off uint32) int32 {
	e := graph.Expr{X: graph.None, Off: off}
	switch word := strings.ToLower(strings.TrimPrefix(name, `\`)); word {
	case "null", "void", "never", "never-return", "no-return", "mixed", "resource", "true", "false":
		return graph.None
	case "self":
		return phpSelfType(p.b, off)
	case "static", "$this":
		e.Op, e.N = graph.OpSelf, 1
	case "parent":
		e.Op = graph.OpSuper
	case "array", "list", "iterable", "non-empty-array", "non-empty-list", "traversable", "generator", "iterator", "arrayobject",
		"iteratoraggregate", "arrayiterator", "arrayaccess", "splobjectstorage", "weakmap":
		if len(args) == 0 {
			if strings.HasPrefix(name, `\`) || word != "array" && word != "list" && word != "iterable" {
				return phpNamed(p.b, name, p.b.Str(name[strings.LastIndexByte(name, '\\')+1:]), off, graph.NoRole)
			}
			e.Op, e.Name = graph.OpLiteral, p.b.Str("array")
			break
		}
		e.Op, e.X = graph.OpArray, args[0]
		if len(args) > 1 {
			e.Op, e.Kids = graph.OpMap, p.b.List(args[1])
		}
	case "int", "integer", "string", "bool", "boolean", "float", "double", "callable", "object", "scalar", "number", "numeric",
		"array-key", "int-mask", "key-of", "value-of", "positive-int", "negative-int", "non-empty-string", "numeric-string", "literal-string",
		"callable-string", "interface-string", "trait-string", "lowercase-string", "non-falsy-string", "truthy-string", "closed-resource":
		e.Op, e.Name = graph.OpLiteral, p.b.Str(word)
	case "class-string":
		if len(args) > 0 {
			return args[0]
		}
		e.Op, e.Name = graph.OpLiteral, p.b.Str("string")
	default:
		return p.applied(name, args, off)
	}
	return p.b.Expr(e)
}

// applied is the class called name, or the template parameter, applied to args.
func (p *phpText) applied(name string, args []int32, off uint32) int32 {
	b := p.b
	if l := b.local(b.Str(name)); l >= 0 && b.F.Locals[l].Flags&graph.TypeParam != 0 {
		return b.Expr(graph.Expr{Op: graph.OpLocal, X: l, Name: b.F.Locals[l].Name, Off: off})
	}
	t := phpNamed(b, name, b.Str(name[strings.LastIndexByte(name, '\\')+1:]), off, graph.NoRole)
	if len(args) == 0 || t < 0 {
		return t
	}
	return b.Expr(graph.Expr{Op: graph.OpIndex, X: t, Kids: b.List(args...), Off: off})
}
