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

type cToken struct {
	from, to int
	kind     byte // 'i' identifier, '#' directive, '0' number, '"' string, else the character
}

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

// cScan splits src into tokens; comments are none.
func cScan(src []byte) []cToken {
	toks := make([]cToken, 0, len(src)/5)
	line := true // only blanks so far on this line
	for i := 0; i < len(src); {
		ch := src[i]
		from := i
		switch {
		case ch == '\n':
			line = true
			i++
			continue
		case ch <= ' ' || ch == '\\':
			i++
			continue
		case ch == '/' && i+1 < len(src) && (src[i+1] == '*' || src[i+1] == '/'):
			i = cComment(src, i)
			continue
		case ch == '#' && line:
			i = cLineEnd(src, i)
			toks = append(toks, cToken{from, i, '#'})
			continue
		case cLetter(ch):
			for i < len(src) && (cLetter(src[i]) || src[i] >= '0' && src[i] <= '9') {
				i++
			}
			ch = 'i'
			if k := cRawEnd(src, from, i); k > 0 {
				i, ch = k, '"'
			}
		case ch >= '0' && ch <= '9':
			for i < len(src) && (cLetter(src[i]) || src[i] >= '0' && src[i] <= '9' || src[i] == '.' || src[i] == '\'' && i+1 < len(src) && cDigit(src[i+1])) {
				i++
			}
			ch = '0'
		case ch == '"' || ch == '\'':
			for i++; i < len(src) && src[i] != ch && src[i] != '\n'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(src))
			ch = '"'
		default:
			i++
		}
		line = false
		toks = append(toks, cToken{from, i, ch})
	}
	return toks
}

// cDigit reports whether c is a digit of a number in any base.
func cDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// cRawEnd is the offset behind the raw string whose prefix is src[from:i], or 0.
func cRawEnd(src []byte, from, i int) int {
	if i >= len(src) || src[i] != '"' || src[i-1] != 'R' || i-from > 3 {
		return 0
	}
	open := bytes.IndexByte(src[i:min(len(src), i+20)], '(')
	if open < 0 {
		return 0
	}
	end := append(append([]byte{')'}, src[i+1:i+open]...), '"')
	if k := bytes.Index(src[i+open:], end); k >= 0 {
		return i + open + k + len(end)
	}
	return 0
}

func cLetter(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// cComment is the offset behind the comment at i.
func cComment(src []byte, i int) int {
	if src[i+1] == '/' {
		return cLineEnd(src, i)
	}
	if k := bytes.Index(src[i+2:], []byte("*/")); k >= 0 {
		return i + 2 + k + 2
	}
	return len(src)
}

// cLineEnd is the offset of the end of the line at i, continued lines included; a comment
// that begins on it and spans lines belongs to it.
func cLineEnd(src []byte, i int) int {
	for i < len(src) && src[i] != '\n' {
		switch {
		case src[i] == '\\' && i+1 < len(src):
			if i++; src[i] == '\r' && i+1 < len(src) {
				i++
			}
		case src[i] == '/' && i+1 < len(src) && src[i+1] == '*':
			if k := bytes.Index(src[i+2:], []byte("*/")); k >= 0 {
				i += 2 + k + 1
			}
		}
		i++
	}
	return min(i, len(src))
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
		if p.enumMacro(i, end) {
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

// group are the tokens of the directives of the group that begins at token i: if, else, endif.
func (p *cPrep) group(i, end int) []int {
	bounds := []int{i}
	depth := 0
	for k := i + 1; k < end; k++ {
		if p.kind(k) != '#' {
			continue
		}
		switch word, _ := p.directive(k); word {
		case "if", "ifdef", "ifndef":
			depth++
		case "else", "elif", "elifdef", "elifndef":
			if depth == 0 {
				bounds = append(bounds, k)
			}
		case "endif":
			if depth == 0 {
				return append(bounds, k)
			}
			depth--
		}
	}
	return nil
}

func (p *cPrep) settle(bounds []int) {
	last := len(bounds) - 1
	if word, rest := p.directive(bounds[0]); word == "if" && rest == "0" {
		p.blankAll(bounds[0]+1, bounds[1], cDead)
	}
	flat := false
	for j := 0; j < last && !flat; j++ {
		flat = p.torn(bounds[j]+1, bounds[j+1], bounds[last])
	}
	list := p.depth == 0 && len(p.brace) > 0 && p.brace[len(p.brace)-1] == '='
	if flat {
		for _, d := range bounds {
			p.blank(d, cGone)
		}
	}
	if flat && !list {
		chosen := p.likely(bounds)
		for j := range last {
			if j != chosen {
				p.blankAll(bounds[j]+1, bounds[j+1], cDead)
			}
		}
		if chosen < last {
			p.conditions(bounds[chosen]+1, bounds[chosen+1])
		}
		return
	}
	prev, depth, brace := p.prev, p.depth, append([]byte(nil), p.brace...)
	for j := 0; j < last; j++ {
		p.prev, p.depth, p.brace = prev, depth, append(p.brace[:0:0], brace...)
		p.conditions(bounds[j]+1, bounds[j+1])
	}
}

// likely is the branch of a group that is compiled, as far as can be said: the first of the likeliest,
// or the group's end where none can be.
func (p *cPrep) likely(bounds []int) int {
	last := len(bounds) - 1
	best, least := last, cNever
	for j := range last {
		if u := p.unlikely[uint32(p.toks[bounds[j]].from)]; u < least {
			best, least = j, u
		}
	}
	return best
}

// torn reports whether the branch of tokens from i to end is no run of whole statements
// where it stands; after is the group's last token.
func (p *cPrep) torn(i, end, after int) bool {
	first, last := -1, -1
	parens, braces := 0, 0
	skip := 0 // nested else branches
	for k := i; k < end; k++ {
		if p.gone[k] {
			continue
		}
		if p.kind(k) == '#' {
			switch word, _ := p.directive(k); word {
			case "else", "elif":
				skip++
			case "endif":
				skip = 0
			}
			continue
		}
		if skip > 0 {
			continue
		}
		if first < 0 {
			first = k
		}
		last = k
		switch p.kind(k) {
		case '(':
			parens++
		case ')':
			parens--
		case '{':
			braces++
		case '}':
			braces--
		}
		if parens < 0 || braces < 0 {
			return true
		}
	}
	switch {
	case first < 0:
		return false
	case parens != 0 || braces != 0 || p.depth > 0 || len(p.brace) > 0 && p.brace[len(p.brace)-1] == '=':
		return true
	case p.text(first) == "else" || !p.opens(p.prev):
		return true
	case len(p.brace) > 0 && p.brace[len(p.brace)-1] == ',': // a list of enumerators
		return false
	}
	switch p.kind(last) {
	case ';', '}', ':':
		return false
	case ')':
		return p.kind(p.next(after+1)) == '{' || p.tests(last)
	}
	return true
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
