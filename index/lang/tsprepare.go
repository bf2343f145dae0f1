package lang

import "bytes"

// The grammar of TypeScript lags behind the language. Four forms are made readable for it first,
// byte for byte: the variance of a type parameter (`in`, `out`) goes; `export type *` is an export;
// what an import asserts goes; and of two call signatures without a semicolon between them, the
// second gets one in place of a blank before it.

func tsPrepare(src []byte) []byte {
	p := tsPrep{src: src}
	p.each("out", p.variance)
	p.each("in", p.variance)
	p.each("export type *", func(at, end int) { p.blank(at+len("export "), end-len(" *")) })
	p.each("assert", p.assertion)
	for i := 0; i+1 < len(src); i++ {
		if src[i] == '<' && i > 0 && (src[i-1] == ' ' || src[i-1] == '\t') && (tsWord(src[i+1]) || tsBlank(src[i+1])) {
			p.signature(i)
		}
	}
	if p.out == nil {
		return src
	}
	return p.out
}

type tsPrep struct {
	src []byte
	out []byte // nil until something is changed
}

// each calls f for the places where word stands by itself.
func (p *tsPrep) each(word string, f func(at, end int)) {
	for at := 0; ; {
		i := bytes.Index(p.src[at:], []byte(word))
		if i < 0 {
			return
		}
		from, end := at+i, at+i+len(word)
		at = end
		if (from == 0 || !tsWord(p.src[from-1])) && end < len(p.src) && !tsWord(p.src[end]) {
			f(from, end)
		}
	}
}

func (p *tsPrep) set(at int, c byte) {
	if p.out == nil {
		p.out = bytes.Clone(p.src)
	}
	p.out[at] = c
}

func (p *tsPrep) blank(from, to int) {
	for i := from; i < to; i++ {
		if p.src[i] != '\n' && p.src[i] != '\r' {
			p.set(i, ' ')
		}
	}
}

func tsWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func tsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skip is the first place from i on that is no blank.
func (p *tsPrep) skip(i int) int {
	for i < len(p.src) && tsBlank(p.src[i]) {
		i++
	}
	return i
}

// before is the last place before i that is no blank and no comment, or -1.
func (p *tsPrep) before(i int) int {
	for i--; i >= 0; i-- {
		switch {
		case p.src[i] == '\n':
			i = p.lineComment(i)
		case tsBlank(p.src[i]):
		case p.src[i] == '/' && i > 0 && p.src[i-1] == '*':
			open := bytes.LastIndex(p.src[:i-1], []byte("/*"))
			if open < 0 {
				return i
			}
			i = open
		default:
			return i
		}
	}
	return -1
}

// lineComment is where the comment begins that ends with the line at i, or i.
func (p *tsPrep) lineComment(i int) int {
	start := bytes.LastIndexByte(p.src[:i], '\n') + 1
	at := bytes.Index(p.src[start:i], []byte("//"))
	if at < 0 || bytes.ContainsAny(p.src[start:start+at], "\"'`") {
		return i
	}
	return start + at
}

// variance blanks the word at [at, end) where it stands before a type parameter.
func (p *tsPrep) variance(at, end int) {
	b := p.before(at)
	if b < 0 {
		return
	}
	if p.src[b] == 'n' && string(p.src[at:end]) == "out" && b > 1 && p.src[b-1] == 'i' && !tsWord(p.src[b-2]) {
		b = p.before(b - 1) // in out T
	}
	if b < 0 || p.src[b] != '<' && p.src[b] != ',' {
		return
	}
	i := p.skip(end)
	name := i
	for i < len(p.src) && tsWord(p.src[i]) {
		i++
	}
	if word := string(p.src[name:i]); i == name || word == "extends" {
		return
	} else if word == "out" {
		p.blank(at, end)
		return
	}
	if i = p.skip(i); i < len(p.src) && (p.src[i] == ',' || p.src[i] == '>' || p.src[i] == '=' || bytes.HasPrefix(p.src[i:], []byte("extends"))) {
		p.blank(at, end)
	}
}

// assertion blanks `assert { ... }` after the text that names a module.
func (p *tsPrep) assertion(at, end int) {
	b, open := p.before(at), p.skip(end)
	if b < 0 || p.src[b] != '"' && p.src[b] != '\'' || open >= len(p.src) || p.src[open] != '{' {
		return
	}
	if n := bytes.IndexByte(p.src[open:], '}'); n > 0 {
		p.blank(at, open+n+1)
	}
}

// signature ends what stands before the call signature whose type parameters begin at i: it is the
// first thing on its line, and a result follows its parameters.
func (p *tsPrep) signature(i int) {
	start := i
	for start > 0 && (p.src[start-1] == ' ' || p.src[start-1] == '\t') {
		start--
	}
	if start == 0 || p.src[start-1] != '\n' {
		return
	}
	b := p.before(start)
	if b < 0 || !tsWord(p.src[b]) && p.src[b] != ')' && p.src[b] != ']' && p.src[b] != '}' && (p.src[b] != '>' || b > 0 && p.src[b-1] == '=') {
		return
	}
	end := p.match(i, '<', '>')
	if end < 0 || end >= len(p.src) || p.src[end] != '(' {
		return
	}
	if end = p.match(end, '(', ')'); end < 0 {
		return
	}
	if end = p.skip(end); end < len(p.src) && p.src[end] == ':' {
		p.set(start, ';')
	}
}

// match is the place behind the bracket that closes the one at i, or -1.
func (p *tsPrep) match(i int, open, shut byte) int {
	depth := 0
	for end := min(len(p.src), i+4000); i < end; i++ {
		switch c := p.src[i]; {
		case c == open:
			depth++
		case c == shut && (c != '>' || p.src[i-1] != '='):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
