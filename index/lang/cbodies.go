package lang

import (
	"bytes"

	"github.com/codegraph-dev/codegraph/graph"
)

// Macros make statements that a grammar cannot take: calls without a semicolon behind them, types as
// arguments, declarations as arguments, words that stand for qualifiers. What follows blanks no more than
// what stands in the way, so that names and calls stay.

// cTagged fills the word before a tag that is an argument, see cIdent.
const cTagged = '\v'

// cControl are words before parentheses that are no calls.
var cControl = cSet("if", "while", "for", "switch", "return", "sizeof", "case", "else", "do", "goto", "break", "continue", "default", "typeof", "__typeof__", "offsetof", "alignof",
	"_Alignof", "__alignof__", "defined", "_Generic", "__builtin_offsetof", "typedef")

// bodies blanks what macros put between a grammar and the statements and members of blocks.
func (p *cPrep) bodies() {
	p.prev, p.depth, p.brace, p.types = -1, 0, nil, nil
	p.pair()
	defer func() { p.pairs = nil }()
	for k := p.next(0); k < len(p.toks); k = p.next(k + 1) {
		switch p.kind(k) {
		case 'i':
			p.settleWord(k)
		case '{':
			p.types = append(p.types, p.opensType())
		case '}':
			p.types = p.types[:max(0, len(p.types)-1)]
		}
		if !p.gone[k] {
			p.feed(k)
		}
	}
}

// pair notes which parenthesis closes which, so that nested calls are not read again and again.
func (p *cPrep) pair() {
	p.pairs = make([]int32, len(p.toks))
	var open []int
	for k := range p.toks {
		switch {
		case p.gone[k]:
		case p.toks[k].kind == '(':
			open = append(open, k)
			p.pairs[k] = int32(len(p.toks) - 1)
		case p.toks[k].kind == ')' && len(open) > 0:
			p.pairs[open[len(open)-1]] = int32(k)
			open = open[:len(open)-1]
		}
	}
}

// opensType reports whether a brace behind the token before opens the members of a type.
func (p *cPrep) opensType() bool {
	t, before := p.text(p.prev), p.text(p.before(max(p.prev, 0)))
	return t == "struct" || t == "union" || before == "struct" || before == "union"
}

// settleWord settles the identifier at token k, if a macro makes it none that the grammar can take there.
func (p *cPrep) settleWord(k int) {
	t, n := p.text(k), p.next(k+1)
	code := len(p.brace) == 0 || p.brace[len(p.brace)-1] == '{'
	start := code && p.depth == 0 && (p.starts(p.prev) || p.ended[p.prev])
	inside := len(p.brace) > 0
	switch {
	case t == "asm" || t == "__asm__" || t == "__asm":
		for p.kind(n) == 'i' && (cWords[p.text(n)] || cControl[p.text(n)]) {
			n = p.next(n + 1)
		}
		if p.kind(n) == '(' {
			p.blankAll(k, p.close(n)+1, cDead)
		}
	case t == "__attribute__" || t == "__attribute" || t == "__declspec":
		if p.kind(n) == '(' {
			p.blankAll(k, p.close(n)+1, cDead)
		}
	case t == "offsetof" && p.kind(n) == '(':
		p.memberPath(n)
	case cControl[t] || cCalls[t] || cBefore[t] || cTypeWords[t] || cTagWords[t] || cWords[t]:
	case p.kind(n) == 'i' && p.qualifies(k, n):
		p.blank(k, cGone)
	case p.kind(n) == ';' && p.kind(p.prev) == ')' && cMacroLike(t) && p.depth == 0 && (!inside || p.types[len(p.types)-1]):
		p.blank(k, cGone) // behind parameters
	case p.kind(n) == 'i' && inside && code && (cTypeWords[p.text(n)] || cTagWords[p.text(n)]):
		p.blank(k, cGone)
	case p.kind(n) == '(' && start && p.wraps(k, n, inside):
	case p.kind(n) == '(' && p.doubled(k, n):
	case p.kind(n) == '(' && inside:
		p.operators(n)
		if p.kind(p.prev) != 'i' || cControl[p.text(p.prev)] {
			p.typeArguments(n)
		}
		if start {
			p.unended(k, p.close(n), inside)
		}
	case p.kind(n) == '(' && start:
		p.unended(k, p.close(n), inside)
	case start && inside && cMacroLike(t) && p.laterLine(k, n) && (p.kind(n) == 'i' || p.kind(n) == '}'):
		p.blank(k, cGone)
	}
}

// qualifies reports whether the name at token k, before the name at n, is neither a type nor what is declared:
// char *RESTRICT p, (CONST byte *)p.
func (p *cPrep) qualifies(k, n int) bool {
	t := p.text(n)
	if cControl[t] || cCalls[t] || t == "const" || t == "volatile" {
		return false
	}
	after := p.kind(p.next(n + 1))
	switch {
	case p.kind(p.prev) == '*' || p.kind(p.prev) == '}' && after == ';' && cMacroLike(p.text(k)):
		return true
	case after == '*' && !cTypeWords[t] && !cTagWords[t] && len(p.brace) > 0:
		return !cMacroLike(t) || cMacroLike(p.text(k))
	case after == ';' && p.kind(p.prev) == 'i' && cMacroLike(p.text(k)):
		return !cControl[p.text(p.prev)] && !cBefore[p.text(p.prev)] && !cTypeWords[t]
	}
	return false
}

// cIdent is a name used as a value; behind a blanked word struct it is a tag.
func cIdent(b *Builder, n int32, role graph.Role, want bool) int32 {
	i := int(b.Off(n)) - 1
	for i >= 0 && (b.src[i] == ' ' || b.src[i] == '\t' || b.src[i] == '\n') {
		i--
	}
	if i < 0 || b.src[i] != cTagged {
		return b.Name(n, role, want)
	}
	e := b.Name(n, graph.TypeUse, true)
	if e >= 0 && b.F.Exprs[e].Op == graph.OpName {
		b.F.Exprs[e].N = 1
	}
	return e
}

// cTruth is true, or TRUE, which is a name to C.
func cTruth(b *Builder, n int32, role graph.Role, want bool) int32 {
	if text := b.Text(n); text == "TRUE" || text == "FALSE" {
		return b.Name(n, role, want)
	}
	return b.ifWanted(want, graph.Expr{Op: graph.OpLiteral, Name: b.Str("bool"), X: graph.None, Off: b.Off(n)})
}

// starts reports whether a statement begins behind token i.
func (p *cPrep) starts(i int) bool {
	if i < 0 {
		return true
	}
	switch p.kind(i) {
	case ';', '{', '}', ':':
		return true
	case ')':
		return p.tests(i)
	case 'i':
		t := p.text(i)
		return t == "else" || t == "do"
	}
	return false
}

// laterLine reports whether token b begins on a line behind that of token a.
func (p *cPrep) laterLine(a, b int) bool {
	return b < len(p.toks) && bytes.IndexByte(p.src[p.toks[a].to:p.toks[b].from], '\n') >= 0
}

// wraps blanks a macro around a declaration: UNUSED(static int f(void)) { ... }.
func (p *cPrep) wraps(k, open int, inside bool) bool {
	end := p.close(open)
	after := p.kind(p.next(end + 1))
	if after != ';' && (after != '{' || inside) {
		return false
	}
	i := p.next(open + 1)
	for p.kind(i) == 'i' && cWords[p.text(i)] {
		i = p.next(i + 1)
	}
	typed := false
	for p.kind(i) == 'i' && cTypeWords[p.text(i)] {
		i, typed = p.next(i+1), true
	}
	switch {
	case typed:
	case cTagWords[p.text(i)]:
		i = p.next(p.next(i+1) + 1)
	case p.kind(i) == 'i' && (after == '{' || i != p.next(open+1) || p.kind(p.next(i+1)) == 'i'):
		i = p.next(i + 1)
	default:
		return false
	}
	for p.kind(i) == '*' || cWords[p.text(i)] {
		i = p.next(i + 1)
	}
	if p.kind(i) != 'i' || i >= end {
		return false
	}
	switch p.kind(p.next(i + 1)) {
	case '=', '[', '(', ')', ';':
	default:
		return false
	}
	for _, m := range [...]int{k, open, end} {
		p.blank(m, cGone)
	}
	return true
}

// doubled blanks a macro around the parentheses of parameters: int f PROTO((int));
func (p *cPrep) doubled(k, open int) bool {
	in, t := p.next(open+1), p.text(p.prev)
	switch {
	case p.kind(in) != '(' || p.next(p.close(in)+1) != p.close(open):
		return false
	case p.kind(p.prev) == 'i' && !cControl[t] && !cTypeWords[t] && !cWords[t]:
	case p.kind(p.prev) == ')' && p.depth == 0 && !p.tests(p.prev):
	default:
		return false
	}
	for _, m := range [...]int{k, p.close(open), open} {
		p.blank(m, cGone)
	}
	return true
}

// typeArguments makes of the types among the arguments that begin at open what the grammar takes.
func (p *cPrep) typeArguments(open int) {
	end := p.close(open)
	for a := p.next(open + 1); a < end; {
		b := a
		for b < end && p.kind(b) != ',' {
			if p.kind(b) == '(' {
				b = p.close(b)
			}
			b = p.next(b + 1)
		}
		p.typeArgument(a, min(b, end))
		a = p.next(b + 1)
	}
}

func (p *cPrep) typeArgument(a, b int) {
	i, first, tag, stars := a, -1, -1, 0
	for ; i < b; i = p.next(i + 1) {
		t := p.text(i)
		switch {
		case p.kind(i) == '*' && first >= 0:
			stars++
		case p.kind(i) != 'i':
			return
		case cWords[t]:
		case stars > 0:
			return
		case cTagWords[t] && first < 0:
			tag = i
			if i = p.next(i + 1); p.kind(i) != 'i' || i >= b {
				return
			}
			first = i
		case first < 0 || cTypeWords[t] && cTypeWords[p.text(first)]:
			if first < 0 {
				first = i
			}
		default:
			return
		}
	}
	if first < 0 || tag < 0 && stars == 0 && !cTypeWords[p.text(first)] {
		return
	}
	for i := a; i < b; i = p.next(i + 1) {
		if i != first && i != tag {
			p.blank(i, cGone)
		}
	}
	if tag >= 0 {
		p.blank(tag, cTagged)
	}
	if cTypeWords[p.text(first)] {
		p.blank(first, cDead)
		p.out[p.toks[first].from] = '0'
	}
}

// unended settles a macro's call from token k to end that no semicolon follows.
func (p *cPrep) unended(k, end int, inside bool) {
	n := p.next(end + 1)
	if p.kind(n) != 'i' && p.kind(n) != '}' || n >= len(p.toks) {
		return
	}
	then := p.kind(p.next(n + 1))
	switch t := p.text(n); {
	case !inside:
		if t == p.text(k) && then == '(' && p.laterLine(end, n) { // a list of such calls
			p.semicolon(end)
		}
	case len(p.types) > 0 && p.types[len(p.types)-1]:
		if p.laterLine(end, n) && then != ';' || p.kind(n) == '}' {
			p.blankAll(k, end+1, cGone)
		}
	case p.kind(n) == '}' || cControl[t] || p.laterLine(end, n) && then != ';' || then != 'i' && then != '*' && then != ';' && then != '[':
		p.semicolon(end)
	case then == 'i' && !cTypeWords[t] && !cTagWords[t] && !cWords[t]: // an attribute
		p.blankAll(k, end+1, cGone)
	}
}

// semicolon ends the statement whose last token is i, if there is room.
func (p *cPrep) semicolon(i int) {
	at := p.toks[i].to
	if at >= len(p.src) || p.src[at] > ' ' {
		return
	}
	if p.src[at] == '\n' && bytes.HasPrefix(bytes.TrimLeft(p.src[at:], " \t\r\n"), []byte("#")) {
		return
	}
	if p.out == nil {
		p.out = append([]byte(nil), p.src...)
	}
	p.out[at] = ';'
	if p.ended == nil {
		p.ended = map[int]bool{}
	}
	p.ended[i] = true
}
