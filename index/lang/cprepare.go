package lang

import (
	"bytes"
)

// C is read before its preprocessor runs, so that every definition keeps its place. Two
// things a grammar cannot take are blanked first, offset for offset:
//
//   - conditional code whose branches are no whole statements: braces opened in both, parts of
//     an expression, an initializer, the head of a function. The directives go, and all
//     branches but the likeliest to be compiled (see cBranches).
//   - macros that stand for attributes, export marks or calling conventions in the head of a
//     definition, and macros around parameters.
//
// What is blanked with spaces were names and directives, which cFinish reads again for the
// macros they use. Branches that were left out are filled with form feeds.

const (
	cGone = ' '  // a name or directive
	cDead = '\f' // code of a branch that was left out
)

type cPrep struct {
	src   []byte
	out   []byte // nil until something is blanked
	toks  []cToken
	gone  []bool
	prev  int // last token that counts, or -1
	depth int // of parentheses
	brace []byte

	unlikely map[uint32]uint8 // see cBranches
	macros   map[string]string
	classes  map[string]bool // see classNamed
	types    []bool          // of the open braces, whether they hold the members of a type
	ended    map[int]bool    // tokens behind which a semicolon was put
	pairs    []int32         // of parentheses, the tokens that close them, while bodies runs
}

func cPrepare(src []byte) []byte {
	p := newPrep(src, false)
	p.conditions(0, len(p.toks))
	p.bodies()
	p.heads()
	p.conventions()
	if p.out == nil {
		return src
	}
	return p.out
}

func newPrep(src []byte, cpp bool) *cPrep {
	p := &cPrep{src: src, toks: cScan(src), prev: -1}
	p.gone = make([]bool, len(p.toks))
	p.unlikely, p.macros = cBranches(src, p.toks, cpp)
	return p
}

func (p *cPrep) text(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return string(p.src[p.toks[i].from:p.toks[i].to])
}

func (p *cPrep) kind(i int) byte {
	if i < 0 || i >= len(p.toks) {
		return 0
	}
	return p.toks[i].kind
}

// blank fills token i.
func (p *cPrep) blank(i int, with byte) {
	if i < 0 || i >= len(p.toks) || p.gone[i] {
		return
	}
	if p.out == nil {
		p.out = append([]byte(nil), p.src...)
	}
	p.gone[i] = true
	for k := p.toks[i].from; k < p.toks[i].to; k++ {
		if p.out[k] != '\n' {
			p.out[k] = with
		}
	}
}

func (p *cPrep) blankAll(from, to int, with byte) {
	for i := from; i < to; i++ {
		p.blank(i, with)
	}
}

// directive is the word of the directive at token i and what follows it.
func (p *cPrep) directive(i int) (word, rest string) {
	return cDirective([]byte(p.text(i)))
}

// conditions settles the conditional groups among the tokens from i to end.
func (p *cPrep) conditions(i, end int) {
	for i < end {
		if p.kind(i) == '#' {
			if word, _ := p.directive(i); word == "if" || word == "ifdef" || word == "ifndef" {
				p.included(i)
				if bounds := p.group(i, end); bounds != nil {
					p.settle(bounds)
					i = bounds[len(bounds)-1] + 1
					continue
				}
			} else if n := len(p.brace); n > 0 && p.brace[n-1] != '{' && (word == "include" || word == "define" || word == "undef") {
				p.blank(i, cGone) // in a list
			} else if word == "define" {
				p.macroBody(i)
			}
			i++
			continue
		}
		if p.enumAttribute(i) || p.enumMacro(i, end) {
			continue
		}
		if p.kind(i) == '0' && p.kind(i+1) == 'i' && cMacroLike(p.text(i+1)) { // a unit: 64 KB
			p.blank(i+1, cGone)
		}
		if p.kind(i+2) == '*' && p.kind(i) == 'i' && p.kind(i+1) == 'i' && !p.gone[i] && cMacroLike(p.text(i+1)) && !cBefore[p.text(i)] && !cMacroLike(p.text(i)) {
			p.blank(i+1, cGone) // what a pointer is: char FAR *
		}
		p.feed(i)
		i++
	}
}

// cBefore are words that may stand before the name of a type or a value.
var cBefore = cSet("static", "extern", "inline", "const", "volatile", "register", "restrict", "auto", "typedef", "struct", "union", "enum", "return", "case", "else", "goto", "sizeof", "do",
	"_Noreturn", "_Thread_local", "__inline", "__inline__", "__extension__", "__const", "_Atomic", "__thread", "noreturn", "new", "delete", "throw", "typename", "and", "or", "not", "mutable",
	"constexpr", "friend", "virtual", "explicit", "co_return", "co_yield", "co_await", "operator", "class", "public", "private", "protected", "define")

// macroBody blanks the comments inside a macro's definition.
func (p *cPrep) macroBody(i int) {
	p.variadic(i)
	t := p.toks[i]
	text := p.src[t.from:t.to]
	for k := 0; k+1 < len(text); k++ {
		if text[k] == '"' || text[k] == '\'' {
			q := text[k]
			for k++; k < len(text) && text[k] != q && text[k] != '\n'; k++ {
				if text[k] == '\\' {
					k++
				}
			}
			continue
		}
		if text[k] != '/' || text[k+1] != '*' {
			continue
		}
		end := cComment(text, k)
		if len(bytes.TrimSpace(text[end:])) == 0 {
			return
		}
		if p.out == nil {
			p.out = append([]byte(nil), p.src...)
		}
		for ; k < end; k++ {
			if c := text[k]; c != '\n' && c != '\r' && (c != '\\' || k+1 < len(text) && text[k+1] > ' ') {
				p.out[t.from+k] = cDead
			}
		}
		k--
	}
}

// variadic blanks the name of the arguments that a macro takes any number of, at token i.
func (p *cPrep) variadic(i int) {
	t := p.toks[i]
	end := bytes.Index(p.src[t.from:t.to], []byte("...)"))
	if end < 0 {
		return
	}
	if p.out == nil {
		p.out = append([]byte(nil), p.src...)
	}
	for k := t.from + end - 1; k > t.from && (cLetter(p.src[k]) || cDigit(p.src[k])); k-- {
		p.out[k] = cDead
	}
}

// included blanks the header that the condition at token i asks for.
func (p *cPrep) included(i int) {
	t := p.toks[i]
	open := bytes.Index(p.src[t.from:t.to], []byte("(<"))
	if open < 0 {
		return
	}
	if p.out == nil {
		p.out = append([]byte(nil), p.src...)
	}
	p.out[t.from+open+1] = '0'
	for k := t.from + open + 2; k < t.to && p.src[k] != ')'; k++ {
		p.out[k] = cDead
	}
}

// enumAttribute blanks a macro behind an enumerator, at token i, with its arguments.
func (p *cPrep) enumAttribute(i int) bool {
	n := len(p.brace)
	if n == 0 || p.brace[n-1] != ',' || p.depth > 0 || p.kind(i) != 'i' || p.gone[i] || !cMacroLike(p.text(i)) || p.kind(p.prev) != 'i' && p.kind(p.prev) != '0' {
		return false
	}
	last := i
	if k := p.next(i + 1); p.kind(k) == '(' {
		last = p.close(k)
	}
	if after := p.kind(p.next(last + 1)); after != ',' && after != '}' && after != '=' {
		return false
	}
	p.blankAll(i, last+1, cGone)
	return true
}

// enumMacro blanks a macro's call that stands for enumerators, the one at token i.
func (p *cPrep) enumMacro(i, end int) bool {
	n := len(p.brace)
	if n == 0 || p.brace[n-1] != ',' || p.depth > 0 || p.kind(i) != 'i' || p.kind(p.prev) == '=' || p.gone[i] {
		return false
	}
	if k := p.next(i + 1); p.kind(k) != '(' || k >= end {
		return false
	}
	for k := i; k < end; k++ {
		switch p.kind(k) {
		case '(':
			k = p.close(k)
		case ',':
			p.blankAll(i, k+1, cGone)
			return true
		case '}':
			p.blankAll(i, k, cGone)
			return true
		}
	}
	return false
}

func (p *cPrep) next(i int) int {
	for i < len(p.toks) && (p.gone[i] || p.toks[i].kind == '#') {
		i++
	}
	return i
}

// opens reports whether a statement may begin behind token i.
func (p *cPrep) opens(i int) bool {
	if i < 0 {
		return true
	}
	switch p.kind(i) {
	case ';', '{', '}', ':':
		return true
	case ',':
		return len(p.brace) > 0 && p.brace[len(p.brace)-1] == ','
	case ')':
		return !p.tests(i)
	}
	return false
}

// tests reports whether the parenthesis closed at token i is the condition of a statement.
func (p *cPrep) tests(i int) bool {
	depth := 0
	for ; i >= 0; i-- {
		switch p.kind(i) {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				switch p.text(i - 1) {
				case "if", "while", "for", "switch":
					return true
				}
				return false
			}
		}
	}
	return false
}

// feed follows the nesting through token i.
func (p *cPrep) feed(i int) {
	if p.gone[i] {
		return
	}
	switch k := p.toks[i].kind; k {
	case '(':
		p.depth++
	case ')':
		p.depth = max(0, p.depth-1)
	case '{':
		kind := byte('{')
		switch {
		case p.kind(p.prev) == '=' || p.depth > 0 || len(p.brace) > 0 && p.brace[len(p.brace)-1] == '=':
			kind = '='
		case p.text(p.prev) == "enum" || p.prev > 0 && p.text(p.prev-1) == "enum":
			kind = ','
		}
		p.brace = append(p.brace, kind)
	case '}':
		if n := len(p.brace); n > 0 {
			p.brace = p.brace[:n-1]
		}
	}
	p.prev = i
}
