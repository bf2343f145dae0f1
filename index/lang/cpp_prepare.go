package lang

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// cppPrepare blanks what the grammar cannot take, as cPrepare does for C: conditional code that is
// torn, macros in the heads of classes, functions and members, and long raw strings.
func cppPrepare(src []byte) []byte {
	p := newPrep(src, true)
	p.scopes()
	p.conditions(0, len(p.toks))
	for i := p.next(0); i < len(p.toks); {
		i = p.next(p.declaration(i))
	}
	for i := range p.toks {
		p.rawString(i)
		p.label(i)
		p.block(i)
		p.made(i)
		p.typeWords(i)
	}
	if p.out == nil {
		return src
	}
	return p.out
}

// cppDirective is a directive of the preprocessor.
var cppDirective = regexp.MustCompile(`(?m)^#\s*(define \w|undef \w|ifn?def \w|include ["<])`)

// maxRawDelimiter is the longest delimiter of a raw string that the grammar takes.
const maxRawDelimiter = 14

// rawString makes an empty string of a raw one whose delimiter is too long.
func (p *cPrep) rawString(i int) {
	t := p.toks[i]
	text := p.src[t.from:t.to]
	if t.kind != '"' || len(text) < 4 || p.gone[i] {
		return
	}
	q := bytes.IndexByte(text, '"')
	if q < 1 || text[q-1] != 'R' {
		return
	}
	if open := bytes.IndexByte(text[q:], '('); open-1 <= maxRawDelimiter {
		return
	}
	if p.out == nil {
		p.out = append([]byte(nil), p.src...)
	}
	for k := t.from; k < t.to; k++ {
		switch {
		case k == t.from+q-1 || k == t.from+q:
			p.out[k] = '"'
		case p.out[k] != '\n':
			p.out[k] = cDead
		}
	}
}

// label blanks the label at token i before a declaration, which the grammar wants a statement behind.
func (p *cPrep) label(i int) {
	if !p.plainName(i) || cppAccess[p.text(i)] || p.text(i) == "default" || p.kind(i+1) != ':' || p.kind(i+2) != 'i' || i == 0 || p.gone[i] {
		return
	}
	if d := p.kind(i - 1); d != ';' && d != '{' && d != '}' {
		return
	}
	k := i + 3
	for p.kind(k) == ':' && p.kind(k+1) == ':' && p.kind(k+2) == 'i' {
		k += 3
	}
	if d := p.kind(k); d == 'i' || p.word(i+2) || (d == '*' || d == '&') && p.kind(k+1) == 'i' && p.kind(k+2) == '=' {
		p.blankAll(i, i+2, cDead)
	}
}

// block blanks the macro at token i before a block of statements, which the grammar takes for a value.
func (p *cPrep) block(i int) {
	if i == 0 || p.kind(i+1) != '{' || p.gone[i] || !p.macroLike(i) || p.src[p.toks[i+1].from] != '{' {
		return
	}
	if d := p.kind(i - 1); d != ';' && d != '{' && d != '}' {
		return
	}
	if t := p.text(i + 2); cppClassWords[t] || t == "namespace" || t == "template" || t == "using" || t == "typedef" || t == "enum" {
		return
	}
	if d := p.kind(p.next(p.closeBrace(i+1) + 1)); d == ';' || d == '.' {
		return
	}
	p.blankAll(i, i+1, cGone)
}

var (
	cppClassWords = cSet("class", "struct", "union")
	cppAccess     = cSet("public", "private", "protected", "signals", "slots")
	cppWords      = cSet("virtual", "explicit", "friend", "typename", "inline", "return", "using", "typedef", "operator", "template", "namespace", "public",
		"private", "protected", "else", "new", "delete", "throw", "case", "constexpr", "mutable", "consteval", "constinit", "static", "const")
	cppTrailing = cSet("const", "override", "final", "noexcept", "volatile", "try")
)

func (p *cPrep) word(i int) bool {
	t := p.text(i)
	return cppWords[t] || cWords[t] || cTagWords[t] || cppClassWords[t] || cppTrailing[t]
}

// plainName reports whether token i is a name that is no word of the language and no type's.
func (p *cPrep) plainName(i int) bool {
	return p.kind(i) == 'i' && !p.word(i) && !cTypeWords[p.text(i)]
}

func (p *cPrep) macroLike(i int) bool {
	return p.kind(i) == 'i' && cMacroLike(p.text(i)) && !cCalls[p.text(i)] && !p.word(i) && !cTypeWords[p.text(i)]
}

// declaration takes the declaration at token i outside functions, and returns the token behind it.
func (p *cPrep) declaration(i int) int {
	switch p.kind(i) {
	case '}', ';':
		return i + 1
	case '{':
		return p.inside(i)
	}
	if n := p.next(i + 1); cppAccess[p.text(i)] && (p.kind(n) == ':' || p.kind(p.next(n+1)) == ':') {
		if p.kind(n) != ':' {
			n = p.next(n + 1)
		}
		return n + 1
	}
	p.classWord(i)
	if end := p.typedCall(i); end > 0 {
		return end
	}
	if p.text(i) == "template" {
		i = p.parameterized(i)
	}
	if !p.result(i) {
		i = p.leading(i)
	}
	var space, class, enum, parens, assigned, inits bool
	prev, before := -1, -1
	for k := i; k < len(p.toks); {
		next := k + 1
		switch d := p.kind(k); d {
		case ';':
			return k + 1
		case '}':
			return k
		case '=':
			assigned = true
		case ':':
			inits = inits || parens && p.kind(prev) == ')'
		case '(':
			parens = true
			next = p.close(k)
			k, next = next, next+1
		case '{':
			switch {
			case space || class && !parens && !assigned || p.src[p.toks[k].from] != '{': // a macro's, see scopes
				return p.inside(k)
			case enum || assigned || !parens || inits && p.kind(prev) == 'i' && !cppTrailing[p.text(prev)] || inits && p.kind(prev) == '>':
				next = p.closeBrace(k) + 1
			default:
				return p.closeBrace(k) + 1
			}
		case 'i':
			t := p.text(k)
			space = space || t == "namespace" || t == "extern" && p.kind(p.next(k+1)) == '"'
			enum = enum || t == "enum"
			switch {
			case t == "operator":
				next = p.operator(k)
			case cppClassWords[t] || enum && t == "enum":
				class = class || cppClassWords[t] && !enum
				p.classHead(k)
			case p.macroLike(k) && (prev < 0 || p.word(prev)) && p.result(k):
			case p.macroLike(k):
				if end, ok := p.trailing(k, prev, before); ok {
					p.blankAll(k, end, cGone)
					k = p.next(end)
					continue
				}
			}
		}
		before, prev = prev, k
		k = p.next(next)
	}
	return len(p.toks)
}

// operator is the token at which the parameters of the operator begin whose word is token k.
func (p *cPrep) operator(k int) int {
	n := p.next(k + 1)
	if shut := p.next(n + 1); p.kind(n) == '(' && p.kind(shut) == ')' {
		n = p.next(shut + 1)
	}
	for n < len(p.toks) && p.kind(n) != '(' && p.kind(n) != ';' && p.kind(n) != '{' {
		n = p.next(n + 1)
	}
	return n
}

// inside takes the declarations between the brace at token open and the one that closes it.
func (p *cPrep) inside(open int) int {
	end := p.closeBrace(open)
	for i := p.next(open + 1); i < end; {
		i = p.next(p.declaration(i))
	}
	return end + 1
}

// angles is the token behind the list in angle brackets at token i.
func (p *cPrep) angles(i int) int {
	if p.kind(i) != '<' {
		return i
	}
	depth := 0
	for k := i; k < len(p.toks); k = p.next(k + 1) {
		switch p.kind(k) {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return k + 1
			}
		case '(':
			k = p.close(k)
		case ';', '{':
			return k
		}
	}
	return len(p.toks)
}

// cppLibraryHeader matches the name of a header of C++'s library, which has no ending.
var cppLibraryHeader = regexp.MustCompile(`^<[a-z_]+>`)

// cppHeader reports whether a header that its name leaves open is of C++: it holds what C has not, or includes what
// only C++ has, outside of what it keeps for C++. A part that is included and is no text of a page holds directives.
func cppHeader(p string, head []byte) bool {
	if strings.HasSuffix(p, ".inc") {
		return !bytes.Contains(head, []byte("<?")) && cppDirective.Match(head)
	}
	if len(p) < 2 || p[len(p)-2:] != ".h" {
		return false
	}
	toks := cScan(head)
	var kept []Condition // what a header for both languages keeps for C++
	for _, c := range cConditionsAmong(head, toks) {
		if slices.ContainsFunc(c.When, func(w string) bool { return strings.Contains(w, "__cplusplus") }) {
			kept = append(kept, c)
		}
	}
	for i, t := range toks {
		if t.kind != 'i' && t.kind != '#' || slices.ContainsFunc(kept, func(c Condition) bool { return int(c.Start) <= t.from && t.from < int(c.End) }) {
			continue
		}
		if t.kind == '#' {
			if word, rest := cDirective(head[t.from:t.to]); word == "include" && cppLibraryHeader.MatchString(rest) {
				return true
			}
			continue
		}
		next := byte(0)
		if i+1 < len(toks) {
			next = toks[i+1].kind
		}
		if next == ':' && i+3 < len(toks) && toks[i+2].kind == ':' && toks[i+3].kind == 'i' && toks[i+2].from == toks[i+1].to && (i == 0 || toks[i-1].kind != '[') {
			return true // a path; in C there is none but in attributes
		}
		switch w := string(head[t.from:t.to]); w {
		case "class", "namespace", "using", "typename":
			if next == 'i' || next == '{' && w == "namespace" {
				return true
			}
		case "template":
			if next == '<' {
				return true
			}
		case "public", "private", "protected":
			if next == ':' {
				return true
			}
		case "virtual", "constexpr", "nullptr", "noexcept", "static_cast", "reinterpret_cast":
			return true
		}
	}
	return false
}
